/* Joints: which nodes of a scene become joints of the skeleton.
 *
 *     joints of every skin, shown or not      (a clip or mesh may need any of them)
 *     nodes that carry a mesh    } of the
 *     nodes that are animated    } shown scene
 *     and every ancestor of these             (or a transform of the file is lost)
 *
 * A file with neither skins nor meshes to show (a bare hierarchy, an animation for another file's
 * character) has nothing but its nodes: then every node that it shows matters. Else nodes
 * that do not matter (cameras, lamps, markers below the last joint) are left out.
 */
#include "offline/build/builder.h"

#include "base/error.h"

#include <string.h>

/* Marks a node and its ancestors. It ends at the first node that is marked already, whose
 * ancestors are too, so that all marking together takes linear time. */
static void mark(const mrw_scene *scene, bool *matters, int32_t node)
{
    while (node >= 0 && !matters[node]) {
        matters[node] = true;
        node = scene->nodes[node].parent;
    }
}

/* Joints of skins and nodes with meshes; whether there are any. */
static bool mark_bound_nodes(const mrw_scene *scene, bool *matters)
{
    bool any = false;
    for (uint32_t s = 0; s < scene->skin_count; s++) {
        for (uint32_t i = 0; i < scene->skins[s].joint_count; i++)
            mark(scene, matters, scene->skins[s].joints[i]);
        any = true;
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i].in_scene && scene->nodes[i].mesh >= 0) {
            mark(scene, matters, (int32_t)i);
            any = true;
        }
    }
    return any;
}

static void mark_animated_nodes(const mrw_scene *scene, bool *matters)
{
    for (uint32_t a = 0; a < scene->animation_count; a++) {
        const mrw_scene_animation *animation = &scene->animations[a];
        for (uint32_t c = 0; c < animation->channel_count; c++)
            if (scene->nodes[animation->channels[c].node].in_scene)
                mark(scene, matters, animation->channels[c].node);
    }
}

static void mark_shown_nodes(const mrw_scene *scene, bool *matters)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].in_scene)
            mark(scene, matters, (int32_t)i);
}

static uint32_t count_marks(const bool *matters, uint32_t count)
{
    uint32_t marks = 0;
    for (uint32_t i = 0; i < count; i++)
        marks += matters[i] ? 1u : 0u;
    return marks;
}

/* The list that the skeleton is built from, in the file's order; node_to_joint is each node's
 * place in it, for now. */
static mrw_status list_joints(mrwi_builder *builder, mrwi_arena *scratch, int32_t *node_to_joint,
                              mrw_joint_desc **out_joints, uint32_t *out_count)
{
    const mrw_scene *scene = builder->scene;
    bool *matters = mrwi_arena_alloc(scratch, scene->node_count, sizeof(*matters));
    if (matters == NULL)
        return mrwi_arena_fail(scratch, builder->out_error, "nodes");
    if (mark_bound_nodes(scene, matters))
        mark_animated_nodes(scene, matters);
    else
        mark_shown_nodes(scene, matters);
    uint32_t count = count_marks(matters, scene->node_count);
    if (count > MRW_MAX_JOINTS)
        return mrwi_fail(builder->out_error, MRW_ERR_LIMIT, "nodes",
                         "%u nodes matter; a skeleton has at most %u joints", count,
                         (uint32_t)MRW_MAX_JOINTS);
    mrw_joint_desc *joints = mrwi_arena_alloc(scratch, count, sizeof(*joints));
    if (joints == NULL)
        return mrwi_arena_fail(scratch, builder->out_error, "nodes");
    int32_t place = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        node_to_joint[i] = matters[i] ? place++ : -1;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (!matters[i])
            continue;
        const mrw_scene_node *node = &scene->nodes[i];
        mrw_joint_desc joint = {node->name, node->parent >= 0 ? node_to_joint[node->parent] : -1,
                                node->local, (int32_t)i};
        joints[node_to_joint[i]] = joint;
    }
    *out_joints = joints;
    *out_count = count;
    return MRW_OK;
}

/* "<joint>.<target's name, or its number if it has none>". */
static mrw_status name_scalar(mrwi_builder *builder, mrwi_arena *scratch, const char *joint_name,
                              const char *target_name, uint32_t target, const char **out_name)
{
    char number[12];
    if (target_name[0] == '\0') {
        mrwi_format(number, sizeof(number), "%u", target);
        target_name = number;
    }
    size_t joint_length = strlen(joint_name);
    size_t target_length = strlen(target_name);
    char *name = mrwi_arena_alloc(scratch, joint_length + target_length + 2, 1);
    if (name == NULL)
        return mrwi_arena_fail(scratch, builder->out_error, "meshes");
    memcpy(name, joint_name, joint_length);
    name[joint_length] = '.';
    memcpy(name + joint_length + 1, target_name, target_length);
    *out_name = name;
    return MRW_OK;
}

static uint32_t count_scalars(const mrwi_builder *builder)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < builder->character->instance_count; i++)
        count += builder->scene->meshes[builder->instances[i].mesh].target_count;
    return count;
}

/* One scalar for each morph target of each instance. `plain` is the skeleton without them. */
static mrw_status list_scalars(mrwi_builder *builder, mrwi_arena *scratch,
                               const mrw_skeleton *plain, const int32_t *node_to_joint,
                               mrw_scalar_desc *scalars)
{
    const mrw_scene *scene = builder->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (builder->node_instances[i] < 0)
            continue;
        const mrw_scene_node *node = &scene->nodes[i];
        const mrw_scene_mesh *mesh = &scene->meshes[node->mesh];
        const float *rest =
            node->morph_weight_count > 0 ? node->morph_weights : mesh->target_weights;
        const char *joint_name = mrw_skeleton_joint_name(plain, (uint32_t)node_to_joint[i]);
        for (uint32_t t = 0; t < mesh->target_count; t++, scalars++) {
            MRWI_TRY(name_scalar(builder, scratch, joint_name, mesh->target_names[t], t,
                                 &scalars->name));
            scalars->rest = rest[t];
        }
    }
    return MRW_OK;
}

/* Builds the skeleton into the character's own block and opens it. */
static mrw_status build_skeleton(mrwi_builder *builder, const mrw_joint_desc *joints,
                                 uint32_t joint_count, const mrw_scalar_desc *scalars,
                                 uint32_t scalar_count, uint32_t *out_order)
{
    mrw_bytes *bytes = &builder->character->owner->skeleton;
    mrw_memory_options memory = mrwi_builder_memory(builder);
    MRWI_TRY(mrw_build_skeleton(joints, joint_count, scalars, scalar_count, &memory, out_order,
                                bytes, builder->out_error));
    mrwi_builder_hold(builder, bytes);
    return mrw_skeleton_open(bytes->data, bytes->size_bytes, &builder->character->skeleton,
                             builder->out_error);
}

static mrw_status build_joints(mrwi_builder *builder, mrwi_arena *scratch)
{
    const mrw_scene *scene = builder->scene;
    mrw_character *character = builder->character;
    int32_t *node_to_joint =
        mrwi_arena_alloc(builder->arena, scene->node_count, sizeof(*node_to_joint));
    if (node_to_joint == NULL)
        return mrwi_arena_fail(builder->arena, builder->out_error, "nodes");
    mrw_joint_desc *joints = NULL;
    uint32_t joint_count = 0;
    MRWI_TRY(list_joints(builder, scratch, node_to_joint, &joints, &joint_count));
    uint32_t scalar_count = count_scalars(builder);
    uint32_t *order = mrwi_arena_alloc(scratch, joint_count, sizeof(*order));
    mrw_scalar_desc *scalars = mrwi_arena_alloc(scratch, scalar_count, sizeof(*scalars));
    if (order == NULL || scalars == NULL)
        return mrwi_arena_fail(scratch, builder->out_error, "nodes");

    MRWI_TRY(build_skeleton(builder, joints, joint_count, NULL, 0, order));
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (node_to_joint[i] >= 0)
            node_to_joint[i] = (int32_t)order[node_to_joint[i]];
    if (scalar_count > 0) {
        /* Scalars are named after joints, and building is what makes those names unique. A skeleton
         * is small: it is built once more, now with its scalars. */
        MRWI_TRY(list_scalars(builder, scratch, &character->skeleton, node_to_joint, scalars));
        mrwi_builder_release(builder, &character->owner->skeleton);
        MRWI_TRY(build_skeleton(builder, joints, joint_count, scalars, scalar_count, order));
    }
    character->node_count = scene->node_count;
    character->node_to_joint = node_to_joint;
    return MRW_OK;
}

mrw_status mrwi_build_joints(mrwi_builder *builder)
{
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, builder->arena);
    mrw_status status = build_joints(builder, &scratch);
    mrwi_arena_free(&scratch);
    return status;
}
