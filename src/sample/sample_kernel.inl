/* The parts of a clip that need no look at single tracks: what stands still, and what moves
 * linearly. sample.c says how they fit together. */
#include "pose/pose_block.h"
#include "sample/sample_kernels.h"
#include "sample/sample_lanes.inl"
#include "simd/simd.h"

enum { BLOCK_STREAMS = sizeof(mrw_pose_block) / (MRW_POSE_LANES * sizeof(float)) };

/* A block as its ten streams one after the other; a pointer to the first alone ends with it. */
MRWI_INLINE const float *sample_streams(const mrw_pose_block *block)
{
    return (const float *)(const void *)block;
}

/* The rest pose, and over it the base where there are tracks: elsewhere it holds NaN, which is the
 * one thing that does not equal itself. Mostly all joints of a block have a kind of track or none
 * has. */
MRWI_INLINE void sample_base_streams(const float *rest, const float *base, uint32_t lanes,
                                     int stream_count, float *out)
{
    const float *all = lanes == 0 ? rest : base;
    if (lanes == 0 || lanes == 0xff) {
        for (int i = 0; i < stream_count * MRW_POSE_LANES; i += MRW_POSE_LANES)
            f8_store(out + i, f8_load(all + i));
        return;
    }
    for (int i = 0; i < stream_count * MRW_POSE_LANES; i += MRW_POSE_LANES) {
        f8 value = f8_load(base + i);
        f8_store(out + i, f8_select(f8_equal(value, value), value, f8_load(rest + i)));
    }
}

MRWI_INLINE void sample_base_block(const mrw_pose_block *rest, const mrw_pose_block *base,
                                   const uint8_t lanes[3], mrw_pose_block *out)
{
    enum { ROTATION = 3 * MRW_POSE_LANES, SCALE = 7 * MRW_POSE_LANES };
    const float *under = sample_streams(rest), *over = sample_streams(base);
    float *to = (float *)(void *)out;
    sample_base_streams(under, over, lanes[MRW_TRACK_TRANSLATION], 3, to);
    sample_base_streams(under + ROTATION, over + ROTATION, lanes[MRW_TRACK_ROTATION], 4,
                        to + ROTATION);
    sample_base_streams(under + SCALE, over + SCALE, lanes[MRW_TRACK_SCALE], 3, to + SCALE);
}

/* Compilers make a slow string instruction of a memcpy of this size. */
MRWI_INLINE void sample_copy_block(const mrw_pose_block *from, mrw_pose_block *out)
{
    for (int i = 0; i < BLOCK_STREAMS; i++) {
        const size_t at = (size_t)i * MRW_POSE_LANES;
        f8_store((float *)(void *)out + at, f8_load(sample_streams(from) + at));
    }
}

MRWI_PART void sample_base(const mrwi_sample_input *in)
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
            sample_base_block(&in->skeleton->rest_blocks[done], &clip->base_blocks[i], base->lanes,
                              &out[done]);
        done++;
    }
    for (; done < block_count; done++)
        sample_copy_block(&in->skeleton->rest_blocks[done], &out[done]);
}

/* --- groups -------------------------------------------------------------------------- */

/* Lanes without a track repeat the last one's place and value: writing that again is cheaper than
 * asking how many there are. */
MRWI_PART void sample_scatter(const uint32_t places[8], uint32_t width, const f8 values[4],
                              float *pose)
{
    float lanes[4][8];
    for (uint32_t i = 0; i < width; i++)
        f8_store(lanes[i], values[i]);
    for (uint32_t lane = 0; lane < 8; lane++)
        for (uint32_t i = 0; i < width; i++)
            pose[places[lane] + i * MRW_POSE_LANES] = lanes[i][lane];
}

/* The places of a group ascend, so that eight of them may be neighbours: a block of a pose, or
 * scalars side by side. */
MRWI_INLINE void sample_store(const mrw_clip_group *group, uint32_t width, const f8 values[4],
                              float *pose)
{
    const uint32_t *places = group->places;
    if (group->track_count == 8 && places[7] == places[0] + 7)
        for (uint32_t i = 0; i < width; i++)
            f8_store(pose + places[0] + i * MRW_POSE_LANES, values[i]);
    else
        sample_scatter(places, width, values, pose);
}

MRWI_INLINE float *sample_pose_floats(const mrw_pose *pose)
{
    return (float *)(void *)pose->blocks;
}

static void sample_groups(const mrwi_sample_input *in)
{
    const mrw_clip *clip = in->clip;
    sample_time time;
    uint32_t times_offset = 0, key_count = 0; /* that `time` is for */
    for (uint32_t i = 0; i < clip->group_count; i++) {
        const mrw_clip_group *group = &clip->groups[i];
        const float *values = clip->values + group->values_offset;
        if (i == 0 || group->times_offset != times_offset || group->key_count != key_count) {
            times_offset = group->times_offset;
            key_count = group->key_count;
            sample_time_set(&time,
                            mrwi_find_key(clip->times + times_offset, key_count, in->time_s));
        }
        f8 out[4];
        if (group->kind == MRW_TRACK_ROTATION) {
            sample_rotations(&time, values, out);
            sample_store(group, 4, out, sample_pose_floats(in->out_pose));
        } else if (group->kind == MRW_TRACK_SCALAR) {
            sample_vectors(&time, values, 1, out);
            sample_store(group, 1, out, in->out_pose->scalars);
        } else {
            sample_vectors(&time, values, 3, out);
            sample_store(group, 3, out, sample_pose_floats(in->out_pose));
        }
    }
}

/* --- moving tracks outside of groups ------------------------------------------------------- */

/* Up to eight moving tracks of one kind; lanes past the last repeat it. */
typedef struct sample_eight {
    uint32_t count;
    const mrw_clip_moving *tracks;
    f8 from[4], to[4]; /* values of the keys on both sides */
    float fractions[8];
} sample_eight;

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

MRWI_PART void sample_gather(const mrwi_sample_input *in, uint32_t width, sample_search *search,
                             sample_eight *eight)
{
    const uint32_t last = eight->count - 1;
    f4 from[8], to[8];
    for (uint32_t i = 0; i < 8; i++) {
        const mrw_clip_moving *one = &eight->tracks[i < last ? i : last];
        sample_find(in, &in->clip->tracks[one->track], search);
        const float *value =
            in->clip->values + one->values_offset + (size_t)search->position.key * width;
        from[i] = sample_load_value(value, width);
        to[i] = sample_load_value(value + (search->position.exact ? 0 : width), width);
        eight->fractions[i] = search->position.fraction;
    }
    f8_transpose4(from, eight->from);
    f8_transpose4(to, eight->to);
}

/* Tracks of one kind that follow each other in `moving` from *at on, which then stands behind
 * them. */
MRWI_PART void sample_moving(const mrwi_sample_input *in, mrw_track_kind kind, uint32_t *at,
                             sample_search *search)
{
    const mrw_clip *clip = in->clip;
    const uint32_t width = kind == MRW_TRACK_ROTATION ? 4 : 3;
    sample_eight eight;
    for (; *at < clip->moving_count; *at += eight.count) {
        eight.tracks = clip->moving + *at;
        eight.count = clip->moving_count - *at < 8 ? clip->moving_count - *at : 8;
        while (eight.count > 0 && clip->tracks[eight.tracks[eight.count - 1].track].kind != kind)
            eight.count--;
        if (eight.count == 0)
            return;
        sample_gather(in, width, search, &eight);
        f8 out[4];
        f8 fraction = f8_load(eight.fractions);
        if (kind == MRW_TRACK_ROTATION) {
            slerp_time time;
            slerp_time_set(&time, fraction);
            slerp_lanes(&time, eight.from, eight.to, out);
        } else {
            sample_lerp(fraction, eight.from, eight.to, 3, out);
        }
        uint32_t places[8];
        for (uint32_t i = 0; i < 8; i++)
            places[i] = eight.tracks[i < eight.count ? i : eight.count - 1].place;
        sample_scatter(places, width, out, sample_pose_floats(in->out_pose));
    }
}

static void sample_kernel(const mrwi_sample_input *in)
{
    sample_base(in);
    sample_groups(in);
    if (in->clip->moving_count == 0)
        return;
    sample_search search = {0, 0, {0, true, 0.0f, 0.0f}};
    uint32_t at = 0;
    sample_moving(in, MRW_TRACK_TRANSLATION, &at, &search);
    sample_moving(in, MRW_TRACK_ROTATION, &at, &search);
    sample_moving(in, MRW_TRACK_SCALE, &at, &search);
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
