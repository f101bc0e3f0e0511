/* The parts of a clip that need no look at single tracks: what stands still, and what moves
 * linearly. sample.c says how they fit together. */
#include "clip/track_order.h"
#include "pose/pose_block.h"
#include "sample/key_position.h"
#include "sample/sample_kernels.h"
#include "sample/slerp_lanes.inl"
#include "simd/simd.h"

enum { BLOCK_STREAMS = sizeof(mrw_pose_block) / (MRW_POSE_LANES * sizeof(float)) };

/* A block as its ten streams one after the other; a pointer to the first alone ends with it. */
MRWI_INLINE const float *sample_streams(const mrw_pose_block *block)
{
    return (const float *)(const void *)block;
}

/* The rest pose, and over it the base where there are tracks: elsewhere it holds NaN, which is the
 * one thing that does not equal itself. */
MRWI_INLINE void sample_base_block(const mrw_pose_block *rest, const mrw_pose_block *base,
                                   mrw_pose_block *out)
{
    for (int i = 0; i < BLOCK_STREAMS; i++) {
        const size_t at = (size_t)i * MRW_POSE_LANES;
        f8 value = f8_load(sample_streams(base) + at);
        f8 under = f8_load(sample_streams(rest) + at);
        f8_store((float *)(void *)out + at, f8_select(f8_equal(value, value), value, under));
    }
}

/* Compilers make a slow string instruction of a memcpy of this size. */
MRWI_INLINE void sample_copy_block(const mrw_pose_block *from, mrw_pose_block *out)
{
    for (int i = 0; i < BLOCK_STREAMS; i++) {
        const size_t at = (size_t)i * MRW_POSE_LANES;
        f8_store((float *)(void *)out + at, f8_load(sample_streams(from) + at));
    }
}

MRWI_INLINE void sample_base(const mrwi_sample_input *in)
{
    const mrw_clip *clip = in->clip;
    mrw_pose_block *out = in->out_pose->blocks;
    uint32_t block_count = mrwi_block_count(in->out_pose->joint_count);
    uint32_t done = 0;
    for (uint32_t i = 0; i < clip->base_count; i++) {
        const mrw_clip_base *base = &clip->bases[i];
        for (; done < base->block; done++)
            sample_copy_block(&in->skeleton->rest_blocks[done], &out[done]);
        if ((base->lanes[0] & base->lanes[1] & base->lanes[2]) == 0xff)
            sample_copy_block(&clip->base_blocks[i], &out[done]);
        else
            sample_base_block(&in->skeleton->rest_blocks[done], &clip->base_blocks[i], &out[done]);
        done++;
    }
    for (; done < block_count; done++)
        sample_copy_block(&in->skeleton->rest_blocks[done], &out[done]);
}

/* Up to eight moving tracks of one kind; lanes past the last repeat it. */
typedef struct sample_group {
    uint32_t count;
    bool shared; /* one search for all */
    const mrw_clip_moving *tracks;
    f8 from[4], to[4];  /* values of the keys on both sides */
    float fractions[8]; /* unless shared */
} sample_group;

/* The times that were searched last. */
typedef struct sample_search {
    uint32_t times_offset, key_count;
    mrwi_key_position position;
} sample_search;

MRWI_INLINE void sample_find(const mrwi_sample_input *in, const mrw_track *track,
                             sample_search *search)
{
    if (track->times_offset == search->times_offset && track->key_count == search->key_count)
        return;
    search->times_offset = track->times_offset;
    search->key_count = track->key_count;
    search->position =
        mrwi_find_key(in->clip->times + track->times_offset, track->key_count, in->time_s);
}

MRWI_INLINE f4 sample_load_value(const float *value, uint32_t width)
{
    return width == 4 ? f4_load(value) : f4_set(value[0], value[1], value[2], 0.0f);
}

MRWI_INLINE void sample_gather(const mrwi_sample_input *in, uint32_t width, sample_search *search,
                               sample_group *group)
{
    const mrw_track *tracks = in->clip->tracks;
    const mrw_clip_moving *moving = group->tracks;
    const uint32_t last = group->count - 1;
    const mrw_track *first_track = &tracks[moving[0].track];
    const mrw_track *last_track = &tracks[moving[last].track];
    /* Sorted by times: if the ends agree, all do. */
    group->shared = first_track->times_offset == last_track->times_offset &&
                    first_track->key_count == last_track->key_count;
    f4 from[8], to[8];
    if (group->shared) {
        sample_find(in, first_track, search);
        const float *values = in->clip->values + (size_t)search->position.key * width;
        const float *next = values + (search->position.exact ? 0 : width);
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t at = moving[i < last ? i : last].values_offset;
            from[i] = sample_load_value(values + at, width);
            to[i] = sample_load_value(next + at, width);
        }
    } else {
        for (uint32_t i = 0; i < 8; i++) {
            const mrw_clip_moving *one = &moving[i < last ? i : last];
            sample_find(in, &tracks[one->track], search);
            const float *value =
                in->clip->values + one->values_offset + (size_t)search->position.key * width;
            from[i] = sample_load_value(value, width);
            to[i] = sample_load_value(value + (search->position.exact ? 0 : width), width);
            group->fractions[i] = search->position.fraction;
        }
    }
    f8_transpose4(from, group->from);
    f8_transpose4(to, group->to);
}

/* Tracks that share their times stand in the order of their joints; when these fill a block, lanes
 * are stored as they are. */
MRWI_INLINE void sample_scatter(const sample_group *group, mrw_track_kind kind, uint32_t width,
                                const f8 values[4], mrw_pose_block *blocks)
{
    uint32_t first = group->tracks[0].target;
    if (group->shared && group->count == 8 && group->tracks[7].target == first + 7 &&
        first % MRW_POSE_LANES == 0) {
        float *streams = mrwi_block_streams(&blocks[first / MRW_POSE_LANES], kind);
        for (uint32_t i = 0; i < width; i++)
            f8_store(streams + i * MRW_POSE_LANES, values[i]);
        return;
    }
    float lanes[4][8];
    for (uint32_t i = 0; i < width; i++)
        f8_store(lanes[i], values[i]);
    for (uint32_t lane = 0; lane < group->count; lane++) {
        uint32_t target = group->tracks[lane].target;
        float *streams =
            mrwi_block_streams(&blocks[target / MRW_POSE_LANES], kind) + target % MRW_POSE_LANES;
        for (uint32_t i = 0; i < width; i++)
            streams[i * MRW_POSE_LANES] = lanes[i][lane];
    }
}

/* a (1 - t) + b t. This form cannot overflow and is exact at both ends; equal values stay as they
 * are. */
MRWI_INLINE void sample_lerp(f8 fraction, const f8 from[4], const f8 to[4], f8 out[4])
{
    f8 rest = f8_sub(f8_splat(1.0f), fraction);
    for (int i = 0; i < 3; i++) {
        f8 mixed = f8_add(f8_mul(from[i], rest), f8_mul(to[i], fraction));
        out[i] = f8_select(f8_equal(from[i], to[i]), from[i], mixed);
    }
}

/* Tracks of one kind that follow each other in `moving` from *at on, which then stands behind
 * them. */
MRWI_INLINE void sample_kind(const mrwi_sample_input *in, mrw_track_kind kind, uint32_t *at,
                             sample_search *search)
{
    const mrw_clip *clip = in->clip;
    const uint32_t width = kind == MRW_TRACK_ROTATION ? 4 : 3;
    sample_group group;
    slerp_time time;
    slerp_time_set(&time, f8_zero()); /* for compilers that fear it might not be set below */
    uint32_t time_of = UINT32_MAX, time_keys = 0; /* the shared times that `time` is for */
    for (; *at < clip->moving_count; *at += group.count) {
        group.tracks = clip->moving + *at;
        group.count = clip->moving_count - *at < 8 ? clip->moving_count - *at : 8;
        while (group.count > 0 && clip->tracks[group.tracks[group.count - 1].track].kind != kind)
            group.count--;
        if (group.count == 0)
            return;
        sample_gather(in, width, search, &group);
        f8 out[4];
        if (!group.shared || time_of != search->times_offset || time_keys != search->key_count) {
            f8 fraction =
                group.shared ? f8_splat(search->position.fraction) : f8_load(group.fractions);
            if (kind == MRW_TRACK_ROTATION)
                slerp_time_set(&time, fraction);
            else
                time.fraction = fraction;
            time_of = group.shared ? search->times_offset : UINT32_MAX;
            time_keys = search->key_count;
        }
        if (kind == MRW_TRACK_ROTATION)
            slerp_lanes(&time, group.from, group.to, out);
        else
            sample_lerp(time.fraction, group.from, group.to, out);
        sample_scatter(&group, kind, width, out, in->out_pose->blocks);
    }
}

static void sample_kernel(const mrwi_sample_input *in)
{
    sample_base(in);
    sample_search search = {0, 0, {0, true, 0.0f, 0.0f}};
    uint32_t at = 0;
    sample_kind(in, MRW_TRACK_TRANSLATION, &at, &search);
    sample_kind(in, MRW_TRACK_ROTATION, &at, &search);
    sample_kind(in, MRW_TRACK_SCALE, &at, &search);
}

static void slerp_kernel(const mrwi_slerp_input *in, float out[4][8])
{
    slerp_time time;
    slerp_time_set(&time, f8_load(in->fraction));
    f8 from[4], to[4], turned[4];
    for (int i = 0; i < 4; i++) {
        from[i] = f8_load(in->from[i]);
        to[i] = f8_load(in->to[i]);
    }
    slerp_lanes(&time, from, to, turned);
    for (int i = 0; i < 4; i++)
        f8_store(out[i], turned[i]);
}
