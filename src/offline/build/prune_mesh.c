#include "offline/build/character_opener.h"

#include "base/error.h"
#include "offline/build/influences.h"

/* The mesh as the builder of influences takes one. */
mrw_status mrwi_opener_prune(mrwi_character_opener *opener, mrw_mesh *mesh)
{
    if (opener->max_influences == 0 || mesh->influence_count <= opener->max_influences)
        return MRW_OK;
    mrw_scene_primitive primitive = {.vertex_count = mesh->vertex_count,
                                     .influence_count = mesh->influence_count,
                                     .joints = (uint16_t *)(uintptr_t)mesh->joints,
                                     .weights = (float *)(uintptr_t)mesh->weights};
    const mrw_scene_mesh source = {.primitive_count = 1, .primitives = &primitive};
    mrwi_influences influences;
    mrw_status status =
        mrwi_build_influences(&source, opener->max_influences, opener->arena, &influences);
    if (status != MRW_OK)
        return mrwi_fail_at(opener->out_error, status, 0, "meshes");
    mesh->influence_count = influences.count;
    mesh->joints = influences.joints;
    mesh->weights = influences.weights;
    mesh->pruned_weight = influences.pruned_weight;
    return MRW_OK;
}
