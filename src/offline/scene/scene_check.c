/* The one checker of scenes.
 *
 * Importers call it on what they made of a file, builders and exporters on what they are given, so
 * that all code behind it can index and divide without asking again. Each promise of
 * scene.h is looked at once, in the order in which the arrays refer to each other: every array
 * is there and every index in range before anything is followed. The time is linear in
 * the size of the scene, and nothing recurses: a chain of a million nodes is a loop.
 *
 * A mesh does not know which skin it will be used with, and a thousand nodes may use it
 * with a thousand skins; so each mesh is read once for its largest joint number, and each
 * node compares that one number.
 */
#include <marrow/offline/scene.h>

#include "base/error.h"
#include "base/finite.h"
#include "offline/scene/owner.h"

/* How far the length of a rotation may be from 1. Files hold rotations rounded to few
 * digits or to 8 bits; importers bring those to unit length, this leaves room for arithmetic. */
#define UNIT_TOLERANCE 1e-3f

/* Every helper returns the status and fills the error; TRY passes a failure on. */
#define TRY(expression)                                                                            \
    do {                                                                                           \
        mrw_status try_status = (expression);                                                      \
        if (try_status != MRW_OK)                                                                  \
            return try_status;                                                                     \
    } while (0)

typedef struct scene_checker {
    const mrw_scene *scene;
    mrw_error *out_error;
    uint32_t *largest_joints; /* [mesh_count] largest joint number + 1 of each mesh; 0 if none */
} scene_checker;

static bool index_or_none(int32_t index, uint32_t count)
{
    return index == -1 || (index >= 0 && (uint32_t)index < count);
}

/* Index of the first number that is not finite; `count` if all are. */
static size_t first_not_finite(const float *values, size_t count)
{
    size_t i = 0;
    while (i < count && mrwi_is_finite(values[i]))
        i++;
    return i;
}

/* --- nodes -------------------------------------------------------------------------------- */

static mrw_status check_transform(const scene_checker *checker, uint32_t node)
{
    const mrw_transform *local = &checker->scene->nodes[node].local;
    const float translation[3] = {local->translation.x, local->translation.y, local->translation.z};
    const float scale[3] = {local->scale.x, local->scale.y, local->scale.z};
    const mrw_quat q = local->rotation;
    const float rotation[4] = {q.x, q.y, q.z, q.w};
    const char *property = NULL;
    if (!mrwi_all_finite(translation, 3))
        property = "translation";
    else if (!mrwi_all_finite(rotation, 4))
        property = "rotation";
    else if (!mrwi_all_finite(scale, 3))
        property = "scale";
    if (property != NULL)
        return mrwi_fail(checker->out_error, MRW_ERR_NOT_FINITE, "nodes[%u].%s",
                         "a number is infinite or not a number", node, property);
    /* In double, so that no finite rotation overflows. */
    double squared = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                     (double)q.z * (double)q.z + (double)q.w * (double)q.w;
    double low = 1.0 - (double)UNIT_TOLERANCE;
    double high = 1.0 + (double)UNIT_TOLERANCE;
    if (squared < low * low || squared > high * high)
        return mrwi_fail(checker->out_error, MRW_ERR_INVALID_VALUE, "nodes[%u].rotation",
                         "the quaternion is not of unit length: normalise it", node);
    return MRW_OK;
}

static mrw_status check_node_morphs(const scene_checker *checker, uint32_t index)
{
    const mrw_scene_node *node = &checker->scene->nodes[index];
    if (node->morph_weight_count == 0)
        return MRW_OK;
    uint32_t targets = node->mesh >= 0 ? checker->scene->meshes[node->mesh].target_count : 0;
    if (node->morph_weight_count != targets)
        return mrwi_fail(checker->out_error, MRW_ERR_INCONSISTENT, "nodes[%u].morph_weights",
                         "%u weights, but the node's mesh has %u morph targets", index,
                         node->morph_weight_count, targets);
    if (node->morph_weights == NULL)
        return mrwi_fail(checker->out_error, MRW_ERR_NULL_ARGUMENT, "nodes[%u].morph_weights",
                         "the array is NULL", index);
    if (!mrwi_all_finite(node->morph_weights, node->morph_weight_count))
        return mrwi_fail(checker->out_error, MRW_ERR_NOT_FINITE, "nodes[%u].morph_weights",
                         "a number is infinite or not a number", index);
    return MRW_OK;
}

static mrw_status check_nodes(const scene_checker *checker)
{
    const mrw_scene *scene = checker->scene;
    mrw_error *out_error = checker->out_error;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const mrw_scene_node *node = &scene->nodes[i];
        if (node->name == NULL)
            return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "nodes[%u].name",
                             "the text is NULL: use \"\"", i);
        if (!index_or_none(node->parent, scene->node_count))
            return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "nodes[%u].parent", "%d of %u nodes",
                             i, node->parent, scene->node_count);
        if (!index_or_none(node->mesh, scene->mesh_count))
            return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "nodes[%u].mesh", "%d of %u meshes", i,
                             node->mesh, scene->mesh_count);
        if (!index_or_none(node->skin, scene->skin_count))
            return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "nodes[%u].skin", "%d of %u skins", i,
                             node->skin, scene->skin_count);
        TRY(check_transform(checker, i));
        TRY(check_node_morphs(checker, i));
    }
    return MRW_OK;
}

/* Walks from each node towards the root until it meets a node that was seen before: one that this
 * walk has seen closes a cycle, one that an earlier walk has seen is known to end well.
 * Each node is marked once, with the number of its walk. */
static mrw_status check_hierarchy(const scene_checker *checker, mrwi_arena *scratch)
{
    const mrw_scene *scene = checker->scene;
    uint32_t *walks = mrwi_arena_alloc(scratch, scene->node_count, sizeof(*walks));
    if (walks == NULL)
        return mrwi_arena_fail(scratch, checker->out_error, "nodes");
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t walk = i + 1;
        int32_t node = (int32_t)i;
        while (node >= 0 && walks[node] == 0) {
            walks[node] = walk;
            node = scene->nodes[node].parent;
        }
        if (node >= 0 && walks[node] == walk)
            return mrwi_fail(checker->out_error, MRW_ERR_NODE_CYCLE, "nodes[%d].parent",
                             "the node is its own ancestor", node);
        int32_t parent = scene->nodes[i].parent;
        if (parent >= 0 && scene->nodes[parent].in_scene && !scene->nodes[i].in_scene)
            return mrwi_fail(checker->out_error, MRW_ERR_INCONSISTENT, "nodes[%u].in_scene",
                             "the parent, node %d, is in the shown scene, so this node is too", i,
                             parent);
    }
    return MRW_OK;
}

/* --- meshes ------------------------------------------------------------------------------- */

/* An optional array of `count` floats, or a required one. `name` is the member's. */
static mrw_status check_attribute(const scene_checker *checker, uint32_t mesh, uint32_t primitive,
                                  const char *name, const float *values, size_t count,
                                  bool required)
{
    if (values == NULL && required && count > 0)
        return mrwi_fail(checker->out_error, MRW_ERR_NULL_ARGUMENT, "meshes[%u].primitives[%u].%s",
                         "the array is NULL", mesh, primitive, name);
    size_t bad = values != NULL ? first_not_finite(values, count) : count;
    if (bad != count)
        return mrwi_fail(checker->out_error, MRW_ERR_NOT_FINITE, "meshes[%u].primitives[%u].%s[%z]",
                         "the number is infinite or none", mesh, primitive, name, (uint64_t)bad);
    return MRW_OK;
}

static mrw_status check_indices(const scene_checker *checker, uint32_t mesh, uint32_t index)
{
    static const uint32_t index_multiples[] = {1, 2, 3}; /* of points, lines, triangles */
    const mrw_scene_primitive *primitive = &checker->scene->meshes[mesh].primitives[index];
    mrw_error *out_error = checker->out_error;
    if ((uint32_t)primitive->topology > MRW_TOPOLOGY_TRIANGLES)
        return mrwi_fail(out_error, MRW_ERR_INVALID_VALUE, "meshes[%u].primitives[%u].topology",
                         "%u is no topology", mesh, index, (uint32_t)primitive->topology);
    uint32_t multiple = index_multiples[primitive->topology];
    if (primitive->index_count % multiple != 0)
        return mrwi_fail(out_error, MRW_ERR_INCONSISTENT, "meshes[%u].primitives[%u].index_count",
                         "%u is no multiple of %u", mesh, index, primitive->index_count, multiple);
    if (primitive->index_count > 0 && primitive->indices == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "meshes[%u].primitives[%u].indices",
                         "the array is NULL", mesh, index);
    for (uint32_t i = 0; i < primitive->index_count; i++)
        if (primitive->indices[i] >= primitive->vertex_count)
            return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE,
                             "meshes[%u].primitives[%u].indices[%u]", "%u of %u vertices", mesh,
                             index, i, primitive->indices[i], primitive->vertex_count);
    return MRW_OK;
}

static mrw_status check_targets(const scene_checker *checker, uint32_t mesh, uint32_t index)
{
    const mrw_scene_primitive *primitive = &checker->scene->meshes[mesh].primitives[index];
    uint32_t target_count = checker->scene->meshes[mesh].target_count;
    size_t count = (size_t)primitive->vertex_count * 3;
    if (target_count > 0 && primitive->targets == NULL)
        return mrwi_fail(checker->out_error, MRW_ERR_NULL_ARGUMENT,
                         "meshes[%u].primitives[%u].targets", "the array is NULL", mesh, index);
    for (uint32_t i = 0; i < target_count; i++) {
        const mrw_scene_target *target = &primitive->targets[i];
        const float *arrays[] = {target->positions, target->normals, target->tangents};
        static const char *const names[] = {"positions", "normals", "tangents"};
        for (uint32_t a = 0; a < 3; a++) {
            size_t bad = arrays[a] != NULL ? first_not_finite(arrays[a], count) : count;
            if (bad != count)
                return mrwi_fail(checker->out_error, MRW_ERR_NOT_FINITE,
                                 "meshes[%u].primitives[%u].targets[%u].%s[%z]",
                                 "the number is infinite or none", mesh, index, i, names[a],
                                 (uint64_t)bad);
        }
    }
    return MRW_OK;
}

static mrw_status check_influences(scene_checker *checker, uint32_t mesh, uint32_t index)
{
    const mrw_scene_primitive *primitive = &checker->scene->meshes[mesh].primitives[index];
    size_t count = (size_t)primitive->vertex_count * primitive->influence_count;
    TRY(check_attribute(checker, mesh, index, "weights", primitive->weights, count, true));
    if (count > 0 && primitive->joints == NULL)
        return mrwi_fail(checker->out_error, MRW_ERR_NULL_ARGUMENT,
                         "meshes[%u].primitives[%u].joints", "the array is NULL", mesh, index);
    uint32_t largest = checker->largest_joints[mesh];
    for (size_t i = 0; i < count; i++)
        if (primitive->joints[i] >= largest)
            largest = (uint32_t)primitive->joints[i] + 1;
    checker->largest_joints[mesh] = largest;
    return MRW_OK;
}

static mrw_status check_primitive(scene_checker *checker, uint32_t mesh, uint32_t index)
{
    const mrw_scene_primitive *primitive = &checker->scene->meshes[mesh].primitives[index];
    size_t vertices = primitive->vertex_count;
    if (!index_or_none(primitive->material, checker->scene->material_count))
        return mrwi_fail(checker->out_error, MRW_ERR_INDEX_RANGE,
                         "meshes[%u].primitives[%u].material", "%d of %u materials", mesh, index,
                         primitive->material, checker->scene->material_count);
    TRY(check_attribute(checker, mesh, index, "positions", primitive->positions, vertices * 3,
                        true));
    TRY(check_attribute(checker, mesh, index, "normals", primitive->normals, vertices * 3, false));
    TRY(check_attribute(checker, mesh, index, "tangents", primitive->tangents, vertices * 4,
                        false));
    TRY(check_attribute(checker, mesh, index, "texcoords", primitive->texcoords, vertices * 2,
                        false));
    TRY(check_attribute(checker, mesh, index, "colors", primitive->colors, vertices * 4, false));
    TRY(check_indices(checker, mesh, index));
    TRY(check_targets(checker, mesh, index));
    return check_influences(checker, mesh, index);
}

static mrw_status check_mesh(scene_checker *checker, uint32_t index)
{
    const mrw_scene_mesh *mesh = &checker->scene->meshes[index];
    mrw_error *out_error = checker->out_error;
    if (mesh->name == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "meshes[%u].name",
                         "the text is NULL: use \"\"", index);
    if (mesh->target_count > 0) {
        if (mesh->target_names == NULL || mesh->target_weights == NULL)
            return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "meshes[%u].%s", "the array is NULL",
                             index, mesh->target_names == NULL ? "target_names" : "target_weights");
        for (uint32_t i = 0; i < mesh->target_count; i++)
            if (mesh->target_names[i] == NULL)
                return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "meshes[%u].target_names[%u]",
                                 "the text is NULL: use \"\"", index, i);
        size_t bad = first_not_finite(mesh->target_weights, mesh->target_count);
        if (bad != mesh->target_count)
            return mrwi_fail(out_error, MRW_ERR_NOT_FINITE, "meshes[%u].target_weights[%z]",
                             "the number is infinite or none", index, (uint64_t)bad);
    }
    if (mesh->primitive_count > 0 && mesh->primitives == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "meshes[%u].primitives",
                         "the array is NULL", index);
    for (uint32_t i = 0; i < mesh->primitive_count; i++)
        TRY(check_primitive(checker, index, i));
    return MRW_OK;
}

/* --- skins -------------------------------------------------------------------------------- */

static mrw_status check_skin(const scene_checker *checker, uint32_t index)
{
    const mrw_scene_skin *skin = &checker->scene->skins[index];
    mrw_error *out_error = checker->out_error;
    if (skin->name == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "skins[%u].name",
                         "the text is NULL: use \"\"", index);
    if (skin->joint_count == 0)
        return mrwi_fail(out_error, MRW_ERR_INCONSISTENT, "skins[%u].joints",
                         "a skin has at least one joint", index);
    if (skin->joints == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "skins[%u].joints", "the array is NULL",
                         index);
    for (uint32_t i = 0; i < skin->joint_count; i++)
        if (skin->joints[i] < 0 || (uint32_t)skin->joints[i] >= checker->scene->node_count)
            return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "skins[%u].joints[%u]",
                             "%d of %u nodes", index, i, skin->joints[i],
                             checker->scene->node_count);
    for (uint32_t i = 0; skin->inverse_binds != NULL && i < skin->joint_count; i++)
        if (!mrwi_all_finite(&skin->inverse_binds[i].m[0][0], 12))
            return mrwi_fail(out_error, MRW_ERR_NOT_FINITE, "skins[%u].inverse_binds[%u]",
                             "a number is infinite or not a number", index, i);
    return MRW_OK;
}

/* A mesh under a skin names only joints that the skin has. */
static mrw_status check_binding(const scene_checker *checker, uint32_t index)
{
    const mrw_scene_node *node = &checker->scene->nodes[index];
    if (node->mesh < 0 || node->skin < 0)
        return MRW_OK;
    uint32_t joint_count = checker->scene->skins[node->skin].joint_count;
    if (checker->largest_joints[node->mesh] <= joint_count)
        return MRW_OK;
    /* It does not fit: find the place to report. */
    const mrw_scene_mesh *mesh = &checker->scene->meshes[node->mesh];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        const mrw_scene_primitive *primitive = &mesh->primitives[p];
        size_t count = (size_t)primitive->vertex_count * primitive->influence_count;
        for (size_t i = 0; i < count; i++)
            if (primitive->joints[i] >= joint_count)
                return mrwi_fail(checker->out_error, MRW_ERR_INDEX_RANGE,
                                 "meshes[%d].primitives[%u].joints[%z]",
                                 "joint %u of the %u joints of skins[%d], under which nodes[%u] "
                                 "has this mesh",
                                 node->mesh, p, (uint64_t)i, (uint32_t)primitive->joints[i],
                                 joint_count, node->skin, index);
    }
    return MRW_OK;
}

/* --- animations --------------------------------------------------------------------------- */

static mrw_status check_times(const scene_checker *checker, uint32_t animation, uint32_t index)
{
    const mrw_scene_channel *channel = &checker->scene->animations[animation].channels[index];
    float previous = -1.0f;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        float time_s = channel->times[i];
        mrw_status status = MRW_OK;
        const char *message = "";
        if (!mrwi_is_finite(time_s)) {
            status = MRW_ERR_NOT_FINITE;
            message = "the time is infinite or not a number";
        } else if (time_s < 0.0f) {
            status = MRW_ERR_INVALID_VALUE;
            message = "the time is negative";
        } else if (time_s <= previous) {
            status = MRW_ERR_INVALID_VALUE;
            message = "the time is not after the one before it";
        }
        if (status != MRW_OK)
            return mrwi_fail(checker->out_error, status, "animations[%u].channels[%u].times[%u]",
                             "%s", animation, index, i, message);
        previous = time_s;
    }
    return MRW_OK;
}

/* Floats that one value of the channel must have. */
static uint32_t expected_width(const mrw_scene *scene, const mrw_scene_channel *channel)
{
    if (channel->path == MRW_CHANNEL_ROTATION)
        return 4;
    if (channel->path != MRW_CHANNEL_WEIGHTS)
        return 3;
    int32_t mesh = scene->nodes[channel->node].mesh;
    return mesh >= 0 ? scene->meshes[mesh].target_count : 0;
}

static mrw_status check_channel_shape(const scene_checker *checker, uint32_t animation,
                                      uint32_t index)
{
    const mrw_scene *scene = checker->scene;
    const mrw_scene_channel *channel = &scene->animations[animation].channels[index];
    mrw_error *out_error = checker->out_error;
    if (channel->node < 0 || (uint32_t)channel->node >= scene->node_count)
        return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "animations[%u].channels[%u].node",
                         "%d of %u nodes", animation, index, channel->node, scene->node_count);
    if ((uint32_t)channel->path > MRW_CHANNEL_WEIGHTS)
        return mrwi_fail(out_error, MRW_ERR_INVALID_VALUE, "animations[%u].channels[%u].path",
                         "%u is no path", animation, index, (uint32_t)channel->path);
    if ((uint32_t)channel->interpolation > MRW_INTERPOLATION_CUBIC)
        return mrwi_fail(out_error, MRW_ERR_INVALID_VALUE,
                         "animations[%u].channels[%u].interpolation", "%u is no interpolation",
                         animation, index, (uint32_t)channel->interpolation);
    if (channel->key_count == 0)
        return mrwi_fail(out_error, MRW_ERR_INCONSISTENT, "animations[%u].channels[%u].key_count",
                         "a channel has at least one key", animation, index);
    uint32_t width = expected_width(scene, channel);
    if (width == 0)
        return mrwi_fail(out_error, MRW_ERR_INCONSISTENT, "animations[%u].channels[%u].node",
                         "weights are animated, but nodes[%d] has no morph targets", animation,
                         index, channel->node);
    if (channel->value_width != width)
        return mrwi_fail(out_error, MRW_ERR_INCONSISTENT, "animations[%u].channels[%u].value_width",
                         "%u where the property has %u floats", animation, index,
                         channel->value_width, width);
    if (channel->times == NULL || channel->values == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "animations[%u].channels[%u].%s",
                         "the array is NULL", animation, index,
                         channel->times == NULL ? "times" : "values");
    return MRW_OK;
}

static mrw_status check_channel(const scene_checker *checker, uint32_t animation, uint32_t index)
{
    TRY(check_channel_shape(checker, animation, index));
    TRY(check_times(checker, animation, index));
    const mrw_scene_channel *channel = &checker->scene->animations[animation].channels[index];
    size_t values_per_key = channel->interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1;
    size_t count = (size_t)channel->key_count * channel->value_width * values_per_key;
    size_t bad = first_not_finite(channel->values, count);
    if (bad != count)
        return mrwi_fail(checker->out_error, MRW_ERR_NOT_FINITE,
                         "animations[%u].channels[%u].values[%z]", "the number is infinite or none",
                         animation, index, (uint64_t)bad);
    return MRW_OK;
}

static mrw_status check_animation(const scene_checker *checker, uint32_t index)
{
    const mrw_scene_animation *animation = &checker->scene->animations[index];
    if (animation->name == NULL)
        return mrwi_fail(checker->out_error, MRW_ERR_NULL_ARGUMENT, "animations[%u].name",
                         "the text is NULL: use \"\"", index);
    if (animation->channel_count > 0 && animation->channels == NULL)
        return mrwi_fail(checker->out_error, MRW_ERR_NULL_ARGUMENT, "animations[%u].channels",
                         "the array is NULL", index);
    for (uint32_t i = 0; i < animation->channel_count; i++)
        TRY(check_channel(checker, index, i));
    return MRW_OK;
}

/* --- materials and images ----------------------------------------------------------------- */

static mrw_status check_material(const scene_checker *checker, uint32_t index)
{
    const mrw_scene_material *material = &checker->scene->materials[index];
    mrw_error *out_error = checker->out_error;
    if (material->name == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "materials[%u].name",
                         "the text is NULL: use \"\"", index);
    if (!index_or_none(material->base_color_image, checker->scene->image_count))
        return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "materials[%u].base_color_image",
                         "%d of %u images", index, material->base_color_image,
                         checker->scene->image_count);
    if (!mrwi_all_finite(material->base_color, 4))
        return mrwi_fail(out_error, MRW_ERR_NOT_FINITE, "materials[%u].base_color",
                         "a number is infinite or not a number", index);
    const float factors[] = {material->alpha_cutoff, material->metallic, material->roughness};
    static const char *const names[] = {"alpha_cutoff", "metallic", "roughness"};
    for (uint32_t i = 0; i < 3; i++) {
        if (!mrwi_is_finite(factors[i]))
            return mrwi_fail(out_error, MRW_ERR_NOT_FINITE, "materials[%u].%s",
                             "the number is infinite or none", index, names[i]);
        bool bounded = i > 0; /* a cutoff may be above 1: then nothing is drawn */
        if (factors[i] < 0.0f || (bounded && factors[i] > 1.0f))
            return mrwi_fail(out_error, MRW_ERR_INVALID_VALUE, "materials[%u].%s",
                             bounded ? "it must be in 0..1" : "it must not be negative", index,
                             names[i]);
    }
    return MRW_OK;
}

static mrw_status check_image(const scene_checker *checker, uint32_t index)
{
    const mrw_scene_image *image = &checker->scene->images[index];
    if (image->name == NULL || image->uri == NULL)
        return mrwi_fail(checker->out_error, MRW_ERR_NULL_ARGUMENT, "images[%u].%s",
                         "the text is NULL: use \"\"", index, image->name == NULL ? "name" : "uri");
    return MRW_OK;
}

/* --- the whole ---------------------------------------------------------------------------- */

static mrw_status check_arrays(const scene_checker *checker)
{
    const mrw_scene *scene = checker->scene;
    const struct {
        const char *name;
        bool missing;
    } members[] = {
        {"format", scene->format == NULL},
        {"generator", scene->generator == NULL},
        {"copyright", scene->copyright == NULL},
        {"nodes", scene->node_count > 0 && scene->nodes == NULL},
        {"meshes", scene->mesh_count > 0 && scene->meshes == NULL},
        {"skins", scene->skin_count > 0 && scene->skins == NULL},
        {"animations", scene->animation_count > 0 && scene->animations == NULL},
        {"materials", scene->material_count > 0 && scene->materials == NULL},
        {"images", scene->image_count > 0 && scene->images == NULL},
    };
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (members[i].missing)
            return mrwi_fail(checker->out_error, MRW_ERR_NULL_ARGUMENT, "%s", "it is NULL",
                             members[i].name);
    /* Indices are int32_t; one more than the largest is needed where nodes are numbered. */
    if (scene->node_count >= INT32_MAX)
        return mrwi_fail(checker->out_error, MRW_ERR_INCONSISTENT, "nodes", "%u nodes are too many",
                         scene->node_count);
    return MRW_OK;
}

static mrw_status check_all(scene_checker *checker, mrwi_arena *scratch)
{
    const mrw_scene *scene = checker->scene;
    TRY(check_arrays(checker));
    checker->largest_joints =
        mrwi_arena_alloc(scratch, scene->mesh_count, sizeof(*checker->largest_joints));
    if (checker->largest_joints == NULL)
        return mrwi_arena_fail(scratch, checker->out_error, "meshes");
    for (uint32_t i = 0; i < scene->image_count; i++)
        TRY(check_image(checker, i));
    for (uint32_t i = 0; i < scene->material_count; i++)
        TRY(check_material(checker, i));
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        TRY(check_mesh(checker, i));
    for (uint32_t i = 0; i < scene->skin_count; i++)
        TRY(check_skin(checker, i));
    TRY(check_nodes(checker));
    TRY(check_hierarchy(checker, scratch));
    for (uint32_t i = 0; i < scene->node_count; i++)
        TRY(check_binding(checker, i));
    for (uint32_t i = 0; i < scene->animation_count; i++)
        TRY(check_animation(checker, i));
    return MRW_OK;
}

mrw_status mrw_scene_check(const mrw_scene *scene, mrw_error *out_error)
{
    if (scene == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "scene", "the scene is NULL");
    mrwi_arena scratch;
    mrwi_scene_scratch(scene, &scratch);
    scene_checker checker = {scene, out_error, NULL};
    mrw_status status = check_all(&checker, &scratch);
    mrwi_arena_free(&scratch);
    return status;
}
