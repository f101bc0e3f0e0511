/* Instances: meshes at nodes of the shown scene, and the skins that bind them.
 *
 * One mesh may hang at many nodes, each with its own skin and its own morph weights. So the
 * weights are scalars of the instance, and the matrices of all instances stand one after
 * the other in one palette:
 *
 *     palette of the character
 *     | instance 0: its skin's joints | instance 1: rigid, 1 matrix | instance 2: ... |
 *       ^ palette_first                 ^ palette_first
 */
#include "offline/build/builder.h"

#include "base/error.h"

#include <string.h>

mrw_status mrwi_build_instances(mrwi_builder *builder)
{
    const mrw_scene *scene = builder->scene;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].in_scene && scene->nodes[i].mesh >= 0)
            count++;
    mrw_mesh_instance *instances = mrwi_arena_alloc(builder->arena, count, sizeof(*instances));
    builder->node_instances =
        mrwi_arena_alloc(builder->scratch, scene->node_count, sizeof(*builder->node_instances));
    if (builder->node_instances == NULL)
        return mrwi_arena_fail(builder->scratch, builder->out_error, "nodes");
    if (instances == NULL)
        return mrwi_arena_fail(builder->arena, builder->out_error, "nodes");
    uint64_t scalar_count = 0;
    uint32_t instance = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        builder->node_instances[i] = -1;
        if (!scene->nodes[i].in_scene || scene->nodes[i].mesh < 0)
            continue;
        instances[instance].mesh = (uint32_t)scene->nodes[i].mesh;
        instances[instance].skin = -1;
        instances[instance].first_scalar = (uint32_t)scalar_count;
        builder->node_instances[i] = (int32_t)instance++;
        scalar_count += scene->meshes[scene->nodes[i].mesh].target_count;
        if (scalar_count > MRW_MAX_SCALARS)
            return mrwi_fail(builder->out_error, MRW_ERR_LIMIT, "nodes[%u].mesh",
                             "more than %u morph weights in the scene", i,
                             (uint32_t)MRW_MAX_SCALARS);
    }
    builder->instances = instances;
    builder->character->instance_count = count;
    builder->character->instances = instances;
    return MRW_OK;
}

/* glTF's rule for a skin without inverse bind matrices: each is the identity. */
static const mrw_mat34 *inverse_binds_or_identity(const mrw_scene_skin *source, mrwi_arena *scratch)
{
    if (source->inverse_binds != NULL)
        return source->inverse_binds;
    mrw_mat34 *identities = mrwi_arena_alloc(scratch, source->joint_count, sizeof(*identities));
    for (uint32_t i = 0; identities != NULL && i < source->joint_count; i++)
        identities[i] = mrw_mat34_identity();
    return identities;
}

static mrw_status build_skin(mrwi_builder *builder, uint32_t index, mrwi_arena *scratch,
                             mrw_bytes *out_bytes)
{
    const mrw_scene_skin *source = &builder->scene->skins[index];
    uint32_t *joints = mrwi_arena_alloc(scratch, source->joint_count, sizeof(*joints));
    const mrw_mat34 *inverse_binds = inverse_binds_or_identity(source, scratch);
    if (joints == NULL || inverse_binds == NULL)
        return mrwi_arena_fail(scratch, builder->out_error, "skins");
    for (uint32_t i = 0; i < source->joint_count; i++)
        joints[i] = (uint32_t)builder->character->node_to_joint[source->joints[i]];
    mrw_memory_options memory = mrwi_builder_memory(builder);
    return mrw_build_skin(&builder->character->skeleton, source->name, joints, inverse_binds,
                          source->joint_count, &memory, out_bytes, builder->out_error);
}

/* What each instance follows: the joints of a skin, or its own joint. */
static mrw_status bind_instances(mrwi_builder *builder)
{
    const mrw_character *character = builder->character;
    uint64_t palette_count = 0;
    for (uint32_t i = 0; i < builder->scene->node_count; i++) {
        if (builder->node_instances[i] < 0)
            continue;
        mrw_mesh_instance *instance = &builder->instances[builder->node_instances[i]];
        instance->joint = (uint32_t)character->node_to_joint[i];
        if (character->meshes[instance->mesh].influence_count > 0)
            instance->skin = builder->scene->nodes[i].skin;
        instance->palette_first = (uint32_t)palette_count;
        instance->palette_count =
            instance->skin >= 0 ? character->skins[instance->skin].joint_count : 1;
        palette_count += instance->palette_count;
        if (palette_count > UINT32_MAX)
            return mrwi_fail(builder->out_error, MRW_ERR_LIMIT, "nodes[%u].skin",
                             "the skins of all nodes have more than %u joints", i, UINT32_MAX);
    }
    builder->character->palette_count = (uint32_t)palette_count;
    return MRW_OK;
}

mrw_status mrwi_build_skins(mrwi_builder *builder)
{
    mrw_character *character = builder->character;
    uint32_t count = builder->scene->skin_count;
    mrw_skin *skins = mrwi_arena_alloc(builder->arena, count, sizeof(*skins));
    mrw_bytes *bytes = mrwi_arena_alloc(builder->arena, count, sizeof(*bytes));
    if (skins == NULL || bytes == NULL)
        return mrwi_arena_fail(builder->arena, builder->out_error, "skins");
    character->skins = skins;
    character->owner->skins = bytes;
    for (uint32_t i = 0; i < count; i++) {
        mrwi_arena scratch;
        mrwi_arena_init_scratch(&scratch, builder->arena);
        mrw_status status = build_skin(builder, i, &scratch, &bytes[i]);
        mrwi_arena_free(&scratch);
        if (status != MRW_OK)
            return status;
        character->skin_count = i + 1;
        mrwi_builder_hold(builder, &bytes[i]);
        MRWI_TRY(mrw_skin_open(bytes[i].data, bytes[i].size_bytes, &skins[i], builder->out_error));
    }
    return bind_instances(builder);
}
