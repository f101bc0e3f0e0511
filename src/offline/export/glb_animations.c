/* Animations in a .glb: keys go out as they are; times that several channels have are stored once,
 * as all equal content is. What glTF refuses is said differently or left out: a cubic curve of
 * one key is a step, the second channel for one property is dropped (building a character
 * drops the same one), rotations get unit length.
 */
#include "offline/export/glb.h"

#include <string.h>

/* How far a key's rotation may be from unit length: the validator's limit is a little wider. */
#define UNIT_TOLERANCE 0.005f

#define PATH_COUNT 4

typedef struct animation_writer {
    mrwi_glb *glb;
    uint32_t *last_animations;      /* [node_count * 4] 1 + the animation that last moved it */
    const mrw_scene_channel **kept; /* [kept_count] channels of the animation at hand */
    uint32_t kept_count;
} animation_writer;

static bool is_unit(const float *q)
{
    double low = 1.0 - (double)UNIT_TOLERANCE;
    double high = 1.0 + (double)UNIT_TOLERANCE;
    double squared = (double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                     (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3];
    return squared >= low * low && squared <= high * high;
}

/* Rotation keys with unit length: the scene's own array if they have it. Rows of four floats,
 * of which every `step`th from `first` is a rotation (the others are tangents). */
static const float *unit_rotations(mrwi_glb *glb, const float *values, size_t row_count,
                                   size_t first, size_t step)
{
    size_t row = first;
    while (row < row_count && is_unit(values + row * 4))
        row += step;
    if (row >= row_count)
        return values;
    float *fixed = mrwi_glb_alloc(glb, row_count * 4, sizeof(*fixed));
    if (fixed == NULL)
        return values;
    memcpy(fixed, values, row_count * 4 * sizeof(*fixed));
    for (row = first; row < row_count; row += step) {
        float *v = fixed + row * 4;
        if (is_unit(v))
            continue;
        mrw_quat q = {v[0], v[1], v[2], v[3]};
        q = mrw_quat_normalize(q);
        v[0] = q.x;
        v[1] = q.y;
        v[2] = q.z;
        v[3] = q.w;
    }
    return fixed;
}

static void write_sampler(mrwi_glb *glb, const mrw_scene_channel *channel)
{
    static const char *const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    mrwi_json_text *json = &glb->json;
    uint32_t interpolation = channel->interpolation;
    const float *values = channel->values;
    size_t row_count = channel->key_count;
    bool cubic = interpolation == MRW_INTERPOLATION_CUBIC;
    if (cubic && channel->key_count == 1) {
        interpolation = MRW_INTERPOLATION_STEP;
        values += channel->value_width; /* past the in-tangent */
        cubic = false;
    }
    if (cubic)
        row_count *= 3;
    if (channel->path == MRW_CHANNEL_ROTATION)
        values = unit_rotations(glb, values, row_count, cubic ? 1 : 0, cubic ? 3 : 1);
    /* Weights are scalars, all of one key side by side. */
    bool weights = channel->path == MRW_CHANNEL_WEIGHTS;
    size_t count = weights ? row_count * channel->value_width : row_count;
    if (count > UINT32_MAX) {
        glb->too_large = true;
        return;
    }
    mrwi_glb_accessor input = {channel->times, channel->key_count, MRWI_GLB_FLOAT, 1,
                               MRWI_GLB_USE_TIMES};
    mrwi_glb_accessor output = {values, (uint32_t)count, MRWI_GLB_FLOAT,
                                weights ? 1 : channel->value_width, MRWI_GLB_USE_VALUES};
    mrwi_json_put_open(json, NULL, '{');
    mrwi_json_put_unsigned(json, "input", mrwi_glb_add_accessor(glb, &input));
    mrwi_json_put_unsigned(json, "output", mrwi_glb_add_accessor(glb, &output));
    if (interpolation != MRW_INTERPOLATION_LINEAR)
        mrwi_json_put_string(json, "interpolation", interpolations[interpolation]);
    mrwi_json_put_close(json, '}');
}

static void write_channel(mrwi_json_text *json, const mrw_scene_channel *channel, uint32_t sampler)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    mrwi_json_put_open(json, NULL, '{');
    mrwi_json_put_unsigned(json, "sampler", sampler);
    mrwi_json_put_open(json, "target", '{');
    mrwi_json_put_unsigned(json, "node", (uint32_t)channel->node);
    mrwi_json_put_string(json, "path", paths[channel->path]);
    mrwi_json_put_close(json, '}');
    mrwi_json_put_close(json, '}');
}

/* The channels that can be written: the first for its node and path, and weights only of a
 * mesh that is in the file. */
static void choose_channels(animation_writer *writer, uint32_t index)
{
    const mrw_scene *scene = writer->glb->scene;
    const mrw_scene_animation *animation = &scene->animations[index];
    writer->kept_count = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const mrw_scene_channel *channel = &animation->channels[i];
        uint32_t *last =
            &writer->last_animations[(size_t)channel->node * PATH_COUNT + (size_t)channel->path];
        bool has_mesh =
            channel->path != MRW_CHANNEL_WEIGHTS ||
            writer->glb->mesh_numbers[scene->nodes[channel->node].mesh] != MRWI_GLB_NONE;
        if (*last == index + 1 || !has_mesh)
            continue;
        *last = index + 1;
        writer->kept[writer->kept_count++] = channel;
    }
}

static void write_animation(const animation_writer *writer, const char *name)
{
    mrwi_json_text *json = &writer->glb->json;
    mrwi_json_put_open(json, NULL, '{');
    if (name[0] != '\0')
        mrwi_json_put_string(json, "name", name);
    mrwi_json_put_open(json, "channels", '[');
    for (uint32_t i = 0; i < writer->kept_count; i++)
        write_channel(json, writer->kept[i], i);
    mrwi_json_put_close(json, ']');
    mrwi_json_put_open(json, "samplers", '[');
    for (uint32_t i = 0; i < writer->kept_count; i++)
        write_sampler(writer->glb, writer->kept[i]);
    mrwi_json_put_close(json, ']');
    mrwi_json_put_close(json, '}');
}

void mrwi_glb_write_animations(mrwi_glb *glb)
{
    const mrw_scene *scene = glb->scene;
    uint32_t most_channels = 0;
    for (uint32_t i = 0; i < scene->animation_count; i++)
        if (scene->animations[i].channel_count > most_channels)
            most_channels = scene->animations[i].channel_count;
    animation_writer writer = {glb, NULL, NULL, 0};
    writer.last_animations =
        mrwi_glb_alloc(glb, scene->node_count, PATH_COUNT * sizeof(*writer.last_animations));
    writer.kept = mrwi_glb_alloc(glb, most_channels, sizeof(*writer.kept));
    bool opened = false;
    for (uint32_t i = 0; i < scene->animation_count && !glb->failed; i++) {
        choose_channels(&writer, i);
        if (writer.kept_count == 0)
            continue; /* an animation without a channel cannot be said in glTF */
        if (!opened)
            mrwi_json_put_open(&glb->json, "animations", '[');
        opened = true;
        write_animation(&writer, scene->animations[i].name);
    }
    if (opened)
        mrwi_json_put_close(&glb->json, ']');
}
