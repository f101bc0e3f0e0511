/* Animations: each channel with its sampler's keys as plain arrays. */
#include "offline/import/gltf.h"

#include <marrow/math.h>

#include "base/error.h"

#include <string.h>

#define UNIT_ROTATION_TOLERANCE 0.00769 /* what 8-bit storage loses, the validator's limit too */
#define PATH_COUNT 4

/* A channel of the file, resolved. */
typedef struct channel_source {
    char where[MRWI_GLTF_WHERE];         /* "animations[0].channels[3]" */
    char sampler_where[MRWI_GLTF_WHERE]; /* "animations[0].samplers[2]" */
    const mrwi_json_value *sampler;
    int32_t node; /* -1: the channel is left out */
    mrw_channel_path path;
} channel_source;

/* --- targets ---------------------------------------------------------------------------------- */

static bool read_path(const mrwi_gltf *gltf, const mrwi_json_value *target,
                      mrw_channel_path *out_path)
{
    static const char *const names[PATH_COUNT] = {"translation", "rotation", "scale", "weights"};
    const mrwi_json_value *path = mrwi_json_member(&gltf->json, target, "path");
    for (int32_t i = 0; i < PATH_COUNT; i++) {
        if (mrwi_json_equals(&gltf->json, path, names[i])) {
            *out_path = (mrw_channel_path)i;
            return true;
        }
    }
    return false;
}

/* Says what is odd about a channel and its node; returns whether the channel can be used. */
static bool check_target(mrwi_gltf *gltf, const channel_source *channel)
{
    const mrw_scene *scene = gltf->scene;
    const mrw_scene_node *node = &scene->nodes[channel->node];
    if (channel->path == MRW_CHANNEL_WEIGHTS) {
        if (node->mesh >= 0 && scene->meshes[node->mesh].target_count > 0)
            return true;
        mrwi_gltf_diagnose(
            gltf, MRW_SEVERITY_ERROR, "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS",
            channel->where,
            "a channel animates morph weights of a node without morph targets; it is "
            "ignored",
            1);
        return false;
    }
    if (gltf->has_matrix[channel->node])
        mrwi_gltf_diagnose(
            gltf, MRW_SEVERITY_ERROR, "ANIMATION_CHANNEL_TARGET_NODE_MATRIX", channel->where,
            "a channel animates a node that has a matrix; the matrix is taken apart", 1);
    if (node->skin >= 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "ANIMATION_CHANNEL_TARGET_NODE_SKIN",
                           channel->where,
                           "a channel animates the node of a skinned mesh, which does not move the "
                           "mesh",
                           1);
    return true;
}

static mrw_status read_target(mrwi_gltf *gltf, const mrwi_json_value *object,
                              channel_source *channel)
{
    const mrwi_json_value *target;
    char place[MRWI_GLTF_WHERE];
    channel->node = -1;
    MRWI_TRY(
        mrwi_gltf_container(gltf, object, channel->where, "target", MRWI_JSON_OBJECT, &target));
    if (target == NULL)
        return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, channel->where, "target", object,
                              "this required property is missing");
    mrwi_format(place, sizeof(place), "%s.target", channel->where);
    if (!read_path(gltf, target, &channel->path)) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "VALUE_NOT_IN_LIST", place,
                           "the path of a channel is unknown; the channel is ignored", 1);
        return MRW_OK;
    }
    MRWI_TRY(mrwi_gltf_index(gltf, target, place, "node", MRWI_GLTF_NODES, &channel->node));
    if (channel->node < 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_INFO, "MRW_CHANNEL_WITHOUT_NODE", place,
                           "a channel names no node; it is ignored", 1);
    return MRW_OK;
}

static mrw_status find_sampler(mrwi_gltf *gltf, uint32_t animation, const mrwi_json_value *object,
                               const mrwi_json_value *samplers, channel_source *channel)
{
    uint64_t index;
    uint32_t count = samplers != NULL ? samplers->count : 0;
    MRWI_TRY(mrwi_gltf_required_uint(gltf, object, channel->where, "sampler", &index));
    if (index >= count)
        return mrwi_fail(gltf->out_error, MRW_ERR_INDEX_RANGE, "%s.sampler",
                         "%z of %u: the animation has no such sampler", channel->where, index,
                         count);
    mrwi_format(channel->sampler_where, sizeof(channel->sampler_where),
                "animations[%u].samplers[%u]", animation, (uint32_t)index);
    return mrwi_gltf_object_at(gltf, samplers, channel->sampler_where, (uint32_t)index,
                               &channel->sampler);
}

/* --- keys ------------------------------------------------------------------------------------- */

static mrw_status read_interpolation(mrwi_gltf *gltf, const channel_source *channel,
                                     mrw_interpolation *out)
{
    *out = MRW_INTERPOLATION_LINEAR;
    const mrwi_json_value *name = mrwi_json_member(&gltf->json, channel->sampler, "interpolation");
    if (mrwi_json_equals(&gltf->json, name, "STEP"))
        *out = MRW_INTERPOLATION_STEP;
    else if (mrwi_json_equals(&gltf->json, name, "CUBICSPLINE"))
        *out = MRW_INTERPOLATION_CUBIC;
    else if (name != NULL && !mrwi_json_equals(&gltf->json, name, "LINEAR"))
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "VALUE_NOT_IN_LIST", channel->sampler_where,
                           "the interpolation is unknown; it is read as LINEAR", 1);
    return MRW_OK;
}

static mrw_status read_times(mrwi_gltf *gltf, const channel_source *source,
                             mrw_scene_channel *channel)
{
    int32_t index;
    const mrwi_gltf_accessor *accessor;
    const char *where = source->sampler_where;
    MRWI_TRY(mrwi_gltf_required_index(gltf, source->sampler, where, "input", MRWI_GLTF_ACCESSORS,
                                      &index));
    MRWI_TRY(mrwi_gltf_accessor_open(gltf, index, &accessor));
    if (accessor->component != MRWI_GLTF_FLOAT || accessor->component_count != 1)
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, where, "input", NULL,
                              "the accessor of the times must be a SCALAR of floats");
    channel->key_count = accessor->count;
    MRWI_TRY(
        mrwi_gltf_alloc(gltf, gltf->arena, accessor->count, sizeof(float), where, &channel->times));
    mrwi_gltf_read_floats(accessor, 1, channel->times);
    if (channel->interpolation == MRW_INTERPOLATION_CUBIC && channel->key_count == 1)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR,
                           "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", where,
                           "a cubic spline has one key only; it is constant", 1);
    return MRW_OK;
}

/* Elements of the output accessor: a vector each, or for morph weights one number each. */
static mrw_status check_output(mrwi_gltf *gltf, const channel_source *source,
                               const mrw_scene_channel *channel, const mrwi_gltf_accessor *accessor,
                               uint64_t expected)
{
    const char *where = source->sampler_where;
    uint32_t components = channel->path == MRW_CHANNEL_WEIGHTS ? 1 : channel->value_width;
    bool good_component = accessor->component == MRWI_GLTF_FLOAT ||
                          (accessor->normalized && channel->path != MRW_CHANNEL_TRANSLATION &&
                           channel->path != MRW_CHANNEL_SCALE);
    if (accessor->component_count != components || accessor->is_matrix || !good_component)
        return mrwi_fail(gltf->out_error, MRW_ERR_INVALID_VALUE, "%s.output", "%s%u%s", where,
                         "the accessor does not suit the path: it must have ", components,
                         " components a value, floats or (rotation, weights) normalized integers");
    if (accessor->count < expected)
        return mrwi_fail(gltf->out_error, MRW_ERR_INCONSISTENT, "%s.output",
                         "%u values where %u keys need %z", where, accessor->count,
                         channel->key_count, expected);
    if (accessor->count > expected)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR,
                           "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", where,
                           "there are more values than keys need; the first ones count", 1);
    return MRW_OK;
}

static mrw_status read_values(mrwi_gltf *gltf, const channel_source *source,
                              mrw_scene_channel *channel)
{
    int32_t index;
    const mrwi_gltf_accessor *accessor;
    const char *where = source->sampler_where;
    MRWI_TRY(mrwi_gltf_required_index(gltf, source->sampler, where, "output", MRWI_GLTF_ACCESSORS,
                                      &index));
    MRWI_TRY(mrwi_gltf_accessor_open(gltf, index, &accessor));
    uint64_t values = channel->interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1;
    /* Below 2^32 * 2^32 * 3 only if checked in steps. */
    uint64_t expected = (uint64_t)channel->key_count * values;
    if (channel->path == MRW_CHANNEL_WEIGHTS) {
        if (expected > UINT32_MAX)
            return mrwi_gltf_fail(gltf, MRW_ERR_LIMIT, where, "input", NULL,
                                  "there are too many keys");
        expected *= channel->value_width;
    }
    MRWI_TRY(check_output(gltf, source, channel, accessor, expected));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, (size_t)expected,
                             accessor->component_count * sizeof(float), where, &channel->values));
    mrwi_gltf_accessor used = *accessor;
    used.count = (uint32_t)expected;
    mrwi_gltf_read_floats(&used, accessor->component_count, channel->values);
    return MRW_OK;
}

/* Rotations far from unit length. The values of a spline stay: its tangents are relative to them,
 * and what it gives is normalised in any case. */
static void check_rotations(mrwi_gltf *gltf, const char *where, mrw_scene_channel *channel)
{
    bool cubic = channel->interpolation == MRW_INTERPOLATION_CUBIC;
    uint32_t bad_count = 0;
    for (size_t i = 0; i < channel->key_count; i++) {
        float *q = channel->values + (cubic ? i * 12 + 4 : i * 4);
        double squared = 0.0;
        for (uint32_t c = 0; c < 4; c++)
            squared += (double)q[c] * (double)q[c];
        double low = 1.0 - UNIT_ROTATION_TOLERANCE;
        double high = 1.0 + UNIT_ROTATION_TOLERANCE;
        if (squared >= low * low && squared <= high * high)
            continue;
        bad_count++;
        if (cubic)
            continue;
        mrw_quat unit = mrw_quat_normalize((mrw_quat){q[0], q[1], q[2], q[3]});
        q[0] = unit.x;
        q[1] = unit.y;
        q[2] = unit.z;
        q[3] = unit.w;
    }
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR,
                       "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", where,
                       "a rotation is not of unit length; it is normalised, and a zero one is the "
                       "identity",
                       bad_count);
}

static uint32_t value_width(const mrw_scene *scene, const channel_source *source)
{
    switch (source->path) {
    case MRW_CHANNEL_TRANSLATION:
    case MRW_CHANNEL_SCALE:
        return 3;
    case MRW_CHANNEL_ROTATION:
        return 4;
    case MRW_CHANNEL_WEIGHTS:
        return scene->meshes[scene->nodes[source->node].mesh].target_count;
    }
    return 0;
}

/* key_count is 0 afterwards if no key is usable. */
static mrw_status read_keys(mrwi_gltf *gltf, const channel_source *source,
                            mrw_scene_channel *channel)
{
    channel->node = source->node;
    channel->path = source->path;
    channel->value_width = value_width(gltf->scene, source);
    MRWI_TRY(read_interpolation(gltf, source, &channel->interpolation));
    MRWI_TRY(read_times(gltf, source, channel));
    MRWI_TRY(read_values(gltf, source, channel));
    MRWI_TRY(mrwi_gltf_repair_keys(gltf, source->where, channel));
    if (channel->path == MRW_CHANNEL_ROTATION)
        check_rotations(gltf, source->where, channel);
    if (channel->key_count == 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "MRW_CHANNEL_WITHOUT_KEYS", source->where,
                           "a channel has no usable key; it is ignored", 1);
    return MRW_OK;
}

/* --- animations ------------------------------------------------------------------------------- */

/* owners[node * 4 + path] is the animation + 1 whose channel has that target. */
static bool is_first_of_target(mrwi_gltf *gltf, const channel_source *channel, uint32_t animation,
                               uint32_t *owners)
{
    uint32_t *owner = &owners[(size_t)channel->node * PATH_COUNT + (size_t)channel->path];
    if (*owner == animation + 1) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ANIMATION_DUPLICATE_TARGETS", channel->where,
                           "two channels of an animation have the same target; the first counts",
                           1);
        return false;
    }
    *owner = animation + 1;
    return true;
}

static mrw_status import_channel(mrwi_gltf *gltf, uint32_t animation_index, uint32_t index,
                                 const mrwi_json_value *channels, const mrwi_json_value *samplers,
                                 uint32_t *owners)
{
    channel_source source;
    const mrwi_json_value *object;
    mrw_scene_animation *animation = &gltf->scene->animations[animation_index];
    mrwi_format(source.where, sizeof(source.where), "animations[%u].channels[%u]", animation_index,
                index);
    MRWI_TRY(mrwi_gltf_object_at(gltf, channels, source.where, index, &object));
    MRWI_TRY(find_sampler(gltf, animation_index, object, samplers, &source));
    MRWI_TRY(read_target(gltf, object, &source));
    if (source.node < 0 || !check_target(gltf, &source) ||
        !is_first_of_target(gltf, &source, animation_index, owners))
        return MRW_OK;
    mrw_scene_channel *channel = &animation->channels[animation->channel_count];
    MRWI_TRY(read_keys(gltf, &source, channel));
    animation->channel_count += channel->key_count > 0;
    return MRW_OK;
}

static mrw_status import_animation(mrwi_gltf *gltf, uint32_t index, uint32_t *owners)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    const mrwi_json_value *channels;
    const mrwi_json_value *samplers;
    mrw_scene_animation *animation = &gltf->scene->animations[index];
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_ANIMATIONS, index, &object, where));
    MRWI_TRY(mrwi_gltf_string(gltf, object, "name", &animation->name));
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "channels", MRWI_JSON_ARRAY, &channels));
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "samplers", MRWI_JSON_ARRAY, &samplers));
    if (channels == NULL)
        return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, where, "channels", object,
                              "this required property is missing");
    if (channels->count == 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "EMPTY_ENTITY", where,
                           "the animation has no channels", 1);
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, channels->count, sizeof(*animation->channels),
                             where, &animation->channels));
    for (uint32_t i = 0; i < channels->count; i++)
        MRWI_TRY(import_channel(gltf, index, i, channels, samplers, owners));
    return MRW_OK;
}

mrw_status mrwi_gltf_import_animations(mrwi_gltf *gltf)
{
    mrw_scene *scene = gltf->scene;
    uint32_t count = gltf->counts[MRWI_GLTF_ANIMATIONS];
    uint32_t *owners;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, count, sizeof(*scene->animations), "animations",
                             &scene->animations));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, scene->node_count, PATH_COUNT * sizeof(*owners),
                             "animations", &owners));
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(import_animation(gltf, i, owners));
    scene->animation_count = count;
    return MRW_OK;
}
