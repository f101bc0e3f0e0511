#include "fault/damage.h"

#include <core/posed.h>

#include <stdlib.h>

/* Enough to pass through all keys of a short clip, and both its ends. */
static const double moments[] = {-1.0, 0.0, 0.3, 1.7};
#define MOMENT_COUNT (sizeof(moments) / sizeof(moments[0]))

static bool skin_instance(const view_posed *posed, uint32_t instance)
{
    const mrw_character *character = posed->character;
    const mrw_mesh *mesh = &character->meshes[character->instances[instance].mesh];
    size_t size_bytes = (size_t)mesh->vertex_count * 3 * sizeof(float);
    float *positions = malloc(size_bytes + 1);
    float *normals = mesh->normals != NULL ? malloc(size_bytes + 1) : NULL;
    bool fine = positions != NULL && (normals != NULL || mesh->normals == NULL);
    for (mrw_skin_method method = MRW_SKIN_LINEAR; fine && method <= MRW_SKIN_DUAL_QUAT; method++)
        fine = view_posed_vertices(posed, instance, method, positions, normals) == MRW_OK;
    free(positions);
    free(normals);
    return fine;
}

bool run_character(const mrw_character *character)
{
    view_posed posed;
    if (view_posed_create(character, &posed) != MRW_OK)
        return false;
    bool fine = true;
    for (int32_t clip = -1; fine && clip < (int32_t)character->clip_count; clip++)
        for (size_t i = 0; fine && i < MOMENT_COUNT; i++)
            fine = view_posed_update(&posed, clip, moments[i], i % 2 != 0) == MRW_OK;
    for (uint32_t i = 0; fine && i < character->instance_count; i++)
        fine = skin_instance(&posed, i);
    view_posed_free(&posed);
    return fine;
}

mrw_status run_file(const void *bytes, size_t size_bytes, const mrw_memory_options *memory,
                    mrw_error *out_error)
{
    mrw_import_options import = mrw_import_options_default();
    mrw_build_options build = mrw_build_options_default();
    build.group_vertices = true; /* all that building does */
    if (memory != NULL) {
        import.memory = *memory;
        build.memory = *memory;
    }
    mrw_scene *scene;
    mrw_status status =
        mrw_import_memory(bytes, size_bytes, NULL, NULL, &import, &scene, out_error);
    if (status != MRW_OK)
        return status;
    mrw_character *character;
    status = mrw_build_character(scene, &build, &character, out_error);
    mrw_scene_free(scene);
    if (status != MRW_OK)
        return status;
    if (!run_character(character))
        status = MRW_ERR_INCONSISTENT;
    mrw_character_free(character);
    return status;
}

mrw_status run_asset(const mrw_character *character, const void *bytes, size_t size_bytes,
                     mrw_asset_kind kind, mrw_error *out_error)
{
    mrw_character changed = *character;
    mrw_clip clip = character->clips[0];
    mrw_skin skin = character->skins[0];
    mrw_status status;
    if (kind == MRW_ASSET_SKELETON)
        status = mrw_skeleton_open(bytes, size_bytes, &changed.skeleton, out_error);
    else if (kind == MRW_ASSET_CLIP)
        status = mrw_clip_open(bytes, size_bytes, &clip, out_error);
    else
        status = mrw_skin_open(bytes, size_bytes, &skin, out_error);
    if (status != MRW_OK)
        return status;
    changed.clips = &clip;
    changed.clip_count = 1;
    changed.skins = &skin;
    changed.skin_count = 1;
    /* The character's own numbers, of instances and influences, hold for these counts only. */
    if (skin.joint_count == character->skins[0].joint_count &&
        changed.skeleton.joint_count == character->skeleton.joint_count &&
        changed.skeleton.scalar_count == character->skeleton.scalar_count)
        run_character(&changed);
    return MRW_OK;
}
