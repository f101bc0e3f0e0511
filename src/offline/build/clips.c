/* Clips: the channels of a file's animations as tracks of the skeleton.
 *
 * A channel that moves a joint is a track as it is. A channel that moves all morph weights of
 * a mesh at once is taken apart into one scalar track per weight: then a pose can blend
 * and mask single weights, and a weight that nobody animates costs nothing. With cubic
 * interpolation each key is three groups, and the parts lie in each group:
 *
 *     channel, width 2:  in0 in1 | v0 v1 | out0 out1   (one key)
 *     track of weight 1:     in1      v1        out1
 */
#include "offline/build/builder.h"

#include "base/error.h"

typedef struct clip_builder {
    mrwi_builder *builder;
    mrwi_arena scratch; /* of the animation at hand */
    /* [node_count * 4] 1 + the animation that last had a channel for this node and path. */
    uint32_t *last_animations;
    uint32_t animation;
    mrw_track_desc *tracks;
    uint32_t track_count;
} clip_builder;

#define PATH_COUNT 4

static mrw_status note_channel(clip_builder *clip, uint32_t channel, mrw_severity severity,
                               const char *code, const char *message)
{
    char where[96];
    mrwi_format(where, sizeof(where), "animations[%u].channels[%u]", clip->animation, channel);
    return mrwi_builder_note(clip->builder, severity, code, where, message);
}

/* The first channel of an animation for a node and path wins. */
static bool is_first_of_its_kind(clip_builder *clip, const mrw_scene_channel *channel)
{
    size_t place = (size_t)channel->node * PATH_COUNT + channel->path;
    if (clip->last_animations[place] == clip->animation + 1)
        return false;
    clip->last_animations[place] = clip->animation + 1;
    return true;
}

static mrw_track_desc *add_track(clip_builder *clip, const mrw_scene_channel *channel,
                                 mrw_track_kind kind, uint32_t target, const float *values)
{
    mrw_track_desc *track = &clip->tracks[clip->track_count++];
    track->kind = kind;
    track->target = target;
    track->interpolation = channel->interpolation;
    track->key_count = channel->key_count;
    track->times = channel->times;
    track->values = values;
    return track;
}

/* One track per morph weight. */
static mrw_status split_weights(clip_builder *clip, const mrw_scene_channel *channel)
{
    mrwi_builder *builder = clip->builder;
    uint32_t first_scalar = builder->instances[builder->node_instances[channel->node]].first_scalar;
    size_t width = channel->value_width;
    size_t row_count =
        (size_t)channel->key_count * (channel->interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1);
    float *split = mrwi_arena_alloc(&clip->scratch, row_count * width, sizeof(*split));
    if (split == NULL)
        return mrwi_arena_fail(&clip->scratch, builder->out_error, "animations");
    for (size_t row = 0; row < row_count; row++)
        for (size_t i = 0; i < width; i++)
            split[i * row_count + row] = channel->values[row * width + i];
    for (uint32_t i = 0; i < channel->value_width; i++)
        add_track(clip, channel, MRW_TRACK_SCALAR, first_scalar + i, split + i * row_count);
    return MRW_OK;
}

static mrw_status add_channel(clip_builder *clip, uint32_t index)
{
    static const mrw_track_kind kinds[] = {MRW_TRACK_TRANSLATION, MRW_TRACK_ROTATION,
                                           MRW_TRACK_SCALE};
    mrwi_builder *builder = clip->builder;
    const mrw_scene_channel *channel = &builder->scene->animations[clip->animation].channels[index];
    bool weights = channel->path == MRW_CHANNEL_WEIGHTS;
    int32_t joint = builder->character->node_to_joint[channel->node];
    if (joint < 0 || (weights && builder->node_instances[channel->node] < 0))
        return note_channel(clip, index, MRW_SEVERITY_INFO, "MRW_ANIMATION_CHANNEL_IGNORED",
                            "the node is not in the scene that the file shows: the channel was "
                            "left out");
    if (!is_first_of_its_kind(clip, channel))
        return note_channel(clip, index, MRW_SEVERITY_WARNING, "ANIMATION_DUPLICATE_TARGETS",
                            "an earlier channel of the animation moves the same property of the "
                            "same node: this one was left out");
    if (weights)
        return split_weights(clip, channel);
    add_track(clip, channel, kinds[channel->path], (uint32_t)joint, channel->values);
    return MRW_OK;
}

/* The time of the last key of all channels, those that are left out included. */
static float duration_of(const mrw_scene_animation *animation)
{
    float duration_s = 0.0f;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const mrw_scene_channel *channel = &animation->channels[i];
        if (channel->times[channel->key_count - 1] > duration_s)
            duration_s = channel->times[channel->key_count - 1];
    }
    return duration_s;
}

/* At most as many tracks as the animation's channels can give. */
static mrw_status alloc_tracks(clip_builder *clip, const mrw_scene_animation *animation)
{
    size_t capacity = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const mrw_scene_channel *channel = &animation->channels[i];
        capacity += channel->path == MRW_CHANNEL_WEIGHTS ? channel->value_width : 1;
    }
    if (capacity > UINT32_MAX)
        return mrwi_fail(clip->builder->out_error, MRW_ERR_LIMIT, "animations[%u]",
                         "more than %u tracks", clip->animation, UINT32_MAX);
    clip->track_count = 0;
    clip->tracks = mrwi_arena_alloc(&clip->scratch, capacity, sizeof(*clip->tracks));
    if (clip->tracks == NULL)
        return mrwi_arena_fail(&clip->scratch, clip->builder->out_error, "animations");
    return MRW_OK;
}

static mrw_status build_clip(clip_builder *clip, mrw_bytes *out_bytes)
{
    mrwi_builder *builder = clip->builder;
    const mrw_scene_animation *animation = &builder->scene->animations[clip->animation];
    MRWI_TRY(alloc_tracks(clip, animation));
    for (uint32_t i = 0; i < animation->channel_count; i++)
        MRWI_TRY(add_channel(clip, i));
    mrw_memory_options memory = mrwi_builder_memory(builder);
    return mrw_build_clip(&builder->character->skeleton, animation->name, clip->tracks,
                          clip->track_count, duration_of(animation), &memory, out_bytes,
                          builder->out_error);
}

mrw_status mrwi_build_clips(mrwi_builder *builder)
{
    mrw_character *character = builder->character;
    const mrw_scene *scene = builder->scene;
    uint32_t count = scene->animation_count;
    clip_builder clip = {.builder = builder};
    mrw_clip *clips = mrwi_arena_alloc(builder->arena, count, sizeof(*clips));
    mrw_bytes *bytes = mrwi_arena_alloc(builder->arena, count, sizeof(*bytes));
    clip.last_animations =
        mrwi_arena_alloc(builder->scratch, scene->node_count, PATH_COUNT * sizeof(uint32_t));
    if (clip.last_animations == NULL)
        return mrwi_arena_fail(builder->scratch, builder->out_error, "animations");
    if (clips == NULL || bytes == NULL)
        return mrwi_arena_fail(builder->arena, builder->out_error, "animations");
    character->clips = clips;
    character->owner->clips = bytes;
    for (clip.animation = 0; clip.animation < count; clip.animation++) {
        mrw_bytes *asset = &bytes[clip.animation];
        mrwi_arena_init_scratch(&clip.scratch, builder->arena);
        mrw_status status = build_clip(&clip, asset);
        mrwi_arena_free(&clip.scratch);
        if (status != MRW_OK)
            return status;
        character->clip_count = clip.animation + 1;
        mrwi_builder_hold(builder, asset);
        MRWI_TRY(mrw_clip_open(asset->data, asset->size_bytes, &clips[clip.animation],
                               builder->out_error));
    }
    return MRW_OK;
}
