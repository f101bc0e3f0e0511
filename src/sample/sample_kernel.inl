/* The parts of a clip that need no look at single tracks: what stands still, and what moves
 * linearly. sample.c says how they fit together. */
#include "pose/pose_block.h"
#include "sample/packed_lanes.inl"
#include "sample/sample_kernels.h"
#include "sample/sample_lanes.inl"
#include "simd/simd_spread.h"

enum { BLOCK_STREAMS = sizeof(mrw_pose_block) / (MRW_POSE_LANES * sizeof(float)) };

/* A block as its ten streams one after the other; a pointer to the first alone ends with it. */
MRWI_INLINE const float *sample_streams(const mrw_pose_block *block)
{
    return (const float *)(const void *)block;
}

/* The rest pose, and over it what is constant. Mostly all joints of a block have a kind of constant
 * or none has. Returns the end of the constants that were read. */
MRWI_INLINE const float *sample_base_streams(const float *rest, const float *constants,
                                             uint32_t lanes, int stream_count, float *out)
{
    if (lanes != 0 && lanes != 0xff)
        return f8_spread(constants, lanes, rest, stream_count, out);
    const float *all = lanes == 0 ? rest : constants;
    for (int i = 0; i < stream_count * MRW_POSE_LANES; i += MRW_POSE_LANES)
        f8_store(out + i, f8_load(all + i));
    return lanes == 0 ? constants : constants + stream_count * MRW_POSE_LANES;
}

MRWI_INLINE const float *sample_base_block(const mrw_pose_block *rest, const float *constants,
                                           const uint8_t lanes[3], mrw_pose_block *out)
{
    enum { ROTATION = 3 * MRW_POSE_LANES, SCALE = 7 * MRW_POSE_LANES };
    const float *under = sample_streams(rest);
    float *to = (float *)(void *)out;
    constants = sample_base_streams(under, constants, lanes[MRW_TRACK_TRANSLATION], 3, to);
    constants = sample_base_streams(under + ROTATION, constants, lanes[MRW_TRACK_ROTATION], 4,
                                    to + ROTATION);
    return sample_base_streams(under + SCALE, constants, lanes[MRW_TRACK_SCALE], 3, to + SCALE);
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
    const float *constants = clip->constants;
    uint32_t done = 0;
    for (uint32_t i = 0; i < clip->base_count; i++) {
        const mrw_clip_base *base = &clip->bases[i];
        for (; done < base->block; done++)
            sample_copy_block(&in->skeleton->rest_blocks[done], &out[done]);
        constants =
            sample_base_block(&in->skeleton->rest_blocks[done], constants, base->lanes, &out[done]);
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

/* Where the time lies among the keys that were searched last. */
typedef struct sample_time {
    uint32_t times_offset, key_count; /* key_count 0: none */
    uint32_t key, next;               /* the same where the first counts as it is */
    float fraction;
    slerp_time turn; /* of the fraction */
} sample_time;

MRWI_ONCE void sample_time_search(const mrwi_sample_input *in, uint32_t times_offset,
                                  uint32_t key_count, sample_time *time)
{
    mrwi_key_position position =
        mrwi_find_key(in->clip->times + times_offset, key_count, in->time_s);
    time->times_offset = times_offset;
    time->key_count = key_count;
    time->key = position.key;
    time->next = position.exact ? position.key : position.key + 1;
    time->fraction = position.fraction;
    slerp_time_set(&time->turn, f8_splat(position.fraction));
}

MRWI_INLINE void sample_time_find(const mrwi_sample_input *in, uint32_t times_offset,
                                  uint32_t key_count, sample_time *time)
{
    if (time->key_count != key_count || time->times_offset != times_offset)
        sample_time_search(in, times_offset, key_count, time);
}

MRWI_INLINE void sample_groups(const mrwi_sample_input *in, sample_time *time)
{
    const mrw_clip *clip = in->clip;
    for (uint32_t i = 0; i < clip->group_count; i++) {
        const mrw_clip_group *group = &clip->groups[i];
        const float *values = clip->values + group->values_offset;
        sample_time_find(in, group->times_offset, group->key_count, time);
        f8 out[4];
        if (group->kind == MRW_TRACK_ROTATION) {
            if (time->fraction == 0.0f)
                sample_load_lanes(values, time->key, 4, out);
            else
                sample_rotations(values, time->key, time->next, &time->turn, out);
            sample_store(group, 4, out, sample_pose_floats(in->out_pose));
        } else if (group->kind == MRW_TRACK_SCALAR) {
            sample_vectors(values, time->key, time->next, time->fraction, 1, out);
            sample_store(group, 1, out, in->out_pose->scalars);
        } else {
            sample_vectors(values, time->key, time->next, time->fraction, 3, out);
            sample_store(group, 3, out, sample_pose_floats(in->out_pose));
        }
    }
}

/* --- moving tracks outside of groups ------------------------------------------------------- */

/* A vector. Four numbers of which the last is nothing: there may be no fourth behind the keys. */
MRWI_ONCE void sample_moving_vector(const mrwi_sample_input *in, const mrw_clip_moving *moving,
                                    const sample_time *time)
{
    const float *values = in->clip->values + moving->values_offset;
    const float *before = values + (size_t)time->key * 3, *after = values + (size_t)time->next * 3;
    const f4 fraction = f4_splat(time->fraction), rest = f4_sub(f4_splat(1.0f), fraction);
    f4 from = f4_set(before[0], before[1], before[2], 0.0f);
    f4 to = f4_set(after[0], after[1], after[2], 0.0f);
    f4 mixed = f4_add(f4_mul(from, rest), f4_mul(to, fraction)); /* as in sample_lerp */
    float out[4];
    f4_store(out, f4_select(f4_equal(from, to), from, mixed));
    float *place = sample_pose_floats(in->out_pose) + moving->place;
    for (uint32_t i = 0; i < 3; i++)
        place[i * MRW_POSE_LANES] = out[i];
}

/* Up to eight rotations that follow each other in `moving`; lanes past the last repeat it. */
MRWI_ONCE void sample_moving_turns(const mrwi_sample_input *in, const mrw_clip_moving *moving,
                                   uint32_t count, sample_time *time)
{
    f4 before[8], after[8];
    float fractions[8];
    uint32_t places[8];
    MRWI_ONCE_LOOP
    for (uint32_t i = 0; i < 8; i++) {
        const mrw_clip_moving *one = &moving[i < count ? i : count - 1];
        const mrw_track *track = &in->clip->tracks[one->track];
        sample_time_find(in, track->times_offset, track->key_count, time);
        const float *values = in->clip->values + one->values_offset;
        before[i] = f4_load(values + (size_t)time->key * 4);
        after[i] = f4_load(values + (size_t)time->next * 4);
        fractions[i] = time->fraction;
        places[i] = one->place;
    }
    f8 from[4], to[4], out[4];
    f8_transpose4(before, from);
    f8_transpose4(after, to);
    slerp_alone(f8_load(fractions), from, to, out);
    sample_scatter(places, 4, out, sample_pose_floats(in->out_pose));
}

MRWI_INLINE void sample_moving(const mrwi_sample_input *in, sample_time *time)
{
    const mrw_clip *clip = in->clip;
    for (uint32_t i = 0; i < clip->moving_count;) {
        const mrw_clip_moving *moving = &clip->moving[i];
        const mrw_track *track = &clip->tracks[moving->track];
        if (track->kind != MRW_TRACK_ROTATION) {
            sample_time_find(in, track->times_offset, track->key_count, time);
            sample_moving_vector(in, moving, time);
            i++;
            continue;
        }
        uint32_t count = 1;
        while (count < 8 && i + count < clip->moving_count &&
               clip->tracks[moving[count].track].kind == MRW_TRACK_ROTATION)
            count++;
        sample_moving_turns(in, moving, count, time);
        i += count;
    }
}

static void sample_kernel(const mrwi_sample_input *in)
{
    const mrw_clip *clip = in->clip;
    sample_time time;
    time.times_offset = time.key_count = 0;
    /* A search waits for two divisions: the base is copied meanwhile. */
    if (clip->group_count > 0)
        sample_time_find(in, clip->groups[0].times_offset, clip->groups[0].key_count, &time);
    packed_place place = {0};
    if (clip->packed.sample_count > 0)
        place = sample_packed_begin(in);
    sample_base(in);
    sample_groups(in, &time);
    if (clip->packed.sample_count > 0)
        sample_packed(in, place);
    sample_moving(in, &time);
}

static void slerp_kernel(const mrwi_slerp_input *in, float out[4][8])
{
    f8 from[4], to[4], turned[4];
    for (int i = 0; i < 4; i++) {
        from[i] = f8_load(in->from[i]);
        to[i] = f8_load(in->to[i]);
    }
    slerp_alone(f8_load(in->fraction), from, to, turned);
    for (int i = 0; i < 4; i++)
        f8_store(out[i], turned[i]);
}
