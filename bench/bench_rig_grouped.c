/* The rig's vertices once more, in the order that the mesh builder offers for skinning. */
#include "bench_rig.h"

#include <marrow/offline/offline.h>

#include <stdio.h>
#include <string.h>

static void *scene_copy(mrw_scene *scene, const void *array, size_t count, size_t size_bytes)
{
    void *copy = mrw_scene_alloc(scene, count, size_bytes);
    if (copy != NULL)
        memcpy(copy, array, count * size_bytes);
    return copy;
}

/* One node with the vertices as points. */
static mrw_status fill_scene(mrw_scene *scene, const bench_rig *rig)
{
    size_t count = rig->vertex_count, places = count * rig->influence_count;
    mrw_scene_node *node = mrw_scene_alloc(scene, 1, sizeof(*node));
    mrw_scene_mesh *mesh = mrw_scene_alloc(scene, 1, sizeof(*mesh));
    mrw_scene_primitive *primitive = mrw_scene_alloc(scene, 1, sizeof(*primitive));
    if (node == NULL || mesh == NULL || primitive == NULL)
        return MRW_ERR_OUT_OF_MEMORY;
    *primitive = (mrw_scene_primitive){
        .topology = MRW_TOPOLOGY_POINTS,
        .material = -1,
        .vertex_count = rig->vertex_count,
        .positions = scene_copy(scene, rig->positions, count * 3, sizeof(float)),
        .normals = scene_copy(scene, rig->normals, count * 3, sizeof(float)),
        .tangents = scene_copy(scene, rig->tangents, count * 4, sizeof(float)),
        .influence_count = rig->influence_count,
        .joints = scene_copy(scene, rig->joints, places, sizeof(uint16_t)),
        .weights = scene_copy(scene, rig->weights, places, sizeof(float)),
        .indices = mrw_scene_alloc(scene, 0, sizeof(uint32_t)),
    };
    if (primitive->positions == NULL || primitive->normals == NULL || primitive->tangents == NULL ||
        primitive->joints == NULL || primitive->weights == NULL || primitive->indices == NULL)
        return MRW_ERR_OUT_OF_MEMORY;
    *mesh = (mrw_scene_mesh){.name = "", .primitive_count = 1, .primitives = primitive};
    *node = (mrw_scene_node){"", -1, mrw_transform_identity(), 0, -1, 0, NULL, true};
    scene->node_count = 1;
    scene->nodes = node;
    scene->mesh_count = 1;
    scene->meshes = mesh;
    return MRW_OK;
}

bool bench_rig_group(bench_rig *rig)
{
    mrw_scene *scene = NULL;
    mrw_error error = {0};
    mrw_build_options options = mrw_build_options_default();
    options.group_vertices = true;
    mrw_status status = mrw_scene_create(NULL, &scene);
    if (status == MRW_OK)
        status = fill_scene(scene, rig);
    if (status == MRW_OK)
        status = mrw_build_character(scene, &options, &rig->grouped_character, &error);
    mrw_scene_free(scene);
    if (status != MRW_OK) {
        fprintf(stderr, "marrow_bench: %s: %s: %s\n", rig->name, mrw_status_text(status),
                error.message);
        return false;
    }
    rig->grouped = &rig->grouped_character->meshes[0];
    return true;
}
