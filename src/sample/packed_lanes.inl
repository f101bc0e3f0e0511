/* Packed clips: from numbers to a pose. docs/format/clip_packed_v1.md, "What the numbers mean". */
#include "pose/pose_block.h"
#include "sample/packed_bits.inl"
#include "sample/sample_kernels.h"
#include "sample/sample_lanes.inl"

/* Which of a block's streams a kind of track begins at. */
enum {
    PACKED_TRANSLATION_PLACE = 0,
    PACKED_ROTATION_PLACE = 3 * MRW_POSE_LANES,
    PACKED_SCALE_PLACE = 7 * MRW_POSE_LANES
};

enum { PACKED_TURNS = PACKED_EIGHTS / 3 }; /* groups of rotations that are read together */

/* --- values ------------------------------------------------------------------------------ */

/* The sizes of eight steps, as bits: those of (1 + fraction / 16) 2^(octave + exponent). */
MRWI_INLINE i8 packed_step_bits(const mrw_clip_packed *clip, uint32_t channel, int kind)
{
    i8 codes = i8_left(i8_bytes(clip->steps + channel), 19);
    return i8_add(codes, i8_splat((127 + clip->exponents[kind]) * (1 << 23)));
}

/* `numbers` of eight channels that were read, times the steps. */
MRWI_INLINE f8 packed_scaled(const packed_reader *reader, const int32_t *numbers, uint32_t channel,
                             i8 step_bits)
{
    f8 number = f8_from_i8(i8_load(numbers + (channel - reader->first)));
    return f8_mul(number, f8_of_bits(step_bits));
}

/* A swing (x, y) and a twist z, each as the tangent of a quarter of its angle. */
MRWI_INLINE void packed_turn(const f8 numbers[3], f8 out[4])
{
    const f8 one = f8_splat(1.0f);
    f8 a = numbers[0], b = numbers[1], c = numbers[2];
    f8 m = f8_add(f8_mul(a, a), f8_mul(b, b));
    f8 k = f8_mul(c, c);
    f8 inverse = f8_div(one, f8_mul(f8_add(one, m), f8_add(one, k)));
    f8 sx = f8_add(a, a), sy = f8_add(b, b), sw = f8_sub(one, m);
    f8 tz = f8_mul(f8_add(c, c), inverse), tw = f8_mul(f8_sub(one, k), inverse);
    out[0] = f8_add(f8_mul(sx, tw), f8_mul(sy, tz));
    out[1] = f8_sub(f8_mul(sy, tw), f8_mul(sx, tz));
    out[2] = f8_mul(sw, tz);
    out[3] = f8_mul(sw, tw);
}

/* L turn B', of unit length. */
MRWI_PART void packed_place_turn(const mrw_clip_packed *clip, uint32_t index, const f8 turn[4],
                                 float out[4][8])
{
    const size_t count = clip->rotation_count;
    f8 l[4];
    for (size_t i = 0; i < 4; i++)
        l[i] = f8_from_i8(i8_signed_bytes(clip->centres + i * count + index));
    f8 p[4];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, n = (i + 2) % 3;
        f8 sum = f8_add(f8_mul(l[3], turn[i]), f8_mul(l[i], turn[3]));
        p[i] = f8_sub(f8_add(sum, f8_mul(l[j], turn[n])), f8_mul(l[n], turn[j]));
    }
    f8 dot = f8_add(f8_mul(l[0], turn[0]), f8_mul(l[1], turn[1]));
    p[3] = f8_sub(f8_mul(l[3], turn[3]), f8_add(dot, f8_mul(l[2], turn[2])));

    const f8 unit = f8_splat(1.0f / 128.0f);
    f8 u = f8_mul(f8_from_i8(i8_signed_bytes(clip->axes + index)), unit);
    f8 v = f8_mul(f8_from_i8(i8_signed_bytes(clip->axes + count + index)), unit);
    f8 q[4] = {f8_add(f8_sub(p[0], f8_mul(p[3], u)), f8_mul(p[2], v)),
               f8_sub(f8_sub(p[1], f8_mul(p[3], v)), f8_mul(p[2], u)),
               f8_add(f8_sub(p[2], f8_mul(p[0], v)), f8_mul(p[1], u)),
               f8_add(f8_add(p[3], f8_mul(p[0], u)), f8_mul(p[1], v))};
    f8 length2 = f8_add(f8_add(f8_mul(q[0], q[0]), f8_mul(q[1], q[1])),
                        f8_add(f8_mul(q[2], q[2]), f8_mul(q[3], q[3])));
    f8 inverse = f8_div(f8_splat(1.0f), f8_sqrt(length2));
    for (int i = 0; i < 4; i++)
        f8_store(out[i], f8_mul(q[i], inverse));
}

/* --- into the pose ----------------------------------------------------------------------- */

MRWI_INLINE uint32_t packed_group_size(uint32_t count, uint32_t index)
{
    return count - index < MRWI_PACKED_GROUP ? count - index : MRWI_PACKED_GROUP;
}

/* Component i of track k of a group stands at values[i * step + k]. */
MRWI_ONCE void packed_store(const uint32_t *joints, uint32_t count, const float *values,
                            uint32_t step, uint32_t width, float *pose)
{
    /* A block has 80 floats. There is more in the section behind the last joint. */
    _Static_assert(sizeof(mrw_pose_block) == 10 * 8 * sizeof(float), "8 joints of 10 floats");
    const i8 joint = i8_load((const int32_t *)joints), block = i8_right(joint, 3);
    int32_t places[8];
    i8_store(places, i8_add(joint, i8_add(i8_left(block, 6), i8_left(block, 3))));
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < width; i++)
            pose[places[k] + (int32_t)(i * MRW_POSE_LANES)] = values[i * step + k];
}

/* --- rotations --------------------------------------------------------------------------- */

/* Both neighbours of the rotations of a group, which begins at `channel`. */
MRWI_PART void packed_turns(const packed_reader *reader, uint32_t channel, uint32_t count,
                            f8 from[4], f8 to[4])
{
    const i8 used = i8_lanes_below((int32_t)count);
    f8 left[3], right[3];
    for (uint32_t i = 0; i < 3; i++) {
        /* The other lanes hold what is another rotation's. As 0 they stay out of the rare ways. */
        const uint32_t at = channel + i * count;
        i8 step_bits = i8_and(packed_step_bits(reader->clip, at, 0), used);
        left[i] = packed_scaled(reader, reader->left, at, step_bits);
        right[i] = packed_scaled(reader, reader->right, at, step_bits);
    }
    packed_turn(left, from);
    packed_turn(right, to);
}

/* Up to PACKED_TURNS groups, step after step: a step has to wait for the one before only within a
 * group. */
MRWI_INLINE void packed_rotate(const packed_reader *reader, const slerp_time *time,
                               uint32_t channel, uint32_t first, uint32_t count, float *pose)
{
    const mrw_clip_packed *clip = reader->clip;
    const uint32_t groups = (count + 7) / 8;
    f8 from[PACKED_TURNS][4], to[PACKED_TURNS][4], turns[PACKED_TURNS][4];
    float values[PACKED_TURNS][4][8];
    for (uint32_t n = 0; n < groups; n++)
        packed_turns(reader, channel + 24 * n, packed_group_size(count, 8 * n), from[n], to[n]);
    for (uint32_t n = 0; n < groups; n++)
        slerp_unscaled(time, from[n], to[n], turns[n]);
    for (uint32_t n = 0; n < groups; n++)
        packed_place_turn(clip, first + 8 * n, turns[n], values[n]);
    for (uint32_t n = 0; n < groups; n++)
        packed_store(clip->targets + first + 8 * n, packed_group_size(count, 8 * n), values[n][0],
                     8, 4, pose + PACKED_ROTATION_PLACE);
}

MRWI_INLINE void packed_rotations(packed_reader *reader, float *pose)
{
    const uint32_t rotation_count = reader->clip->rotation_count;
    slerp_time time;
    slerp_time_set(&time, f8_splat(reader->fraction));
    for (uint32_t first = 0; first < rotation_count; first += 8 * PACKED_TURNS) {
        const uint32_t left = rotation_count - first;
        const uint32_t count = left < 8 * PACKED_TURNS ? left : 8 * PACKED_TURNS;
        packed_need(reader, 3 * first, 3 * count);
        packed_rotate(reader, &time, 3 * first, first, count, pose);
    }
}

/* --- vectors and scalars ----------------------------------------------------------------- */

/* The next eight channels, at the time. */
MRWI_INLINE f8 packed_value(const packed_reader *reader, uint32_t channel, int kind)
{
    const mrw_clip_packed *clip = reader->clip;
    const i8 step_bits = packed_step_bits(clip, channel, kind);
    const f8 base = f8_load(clip->bases + (channel - 3 * clip->rotation_count));
    const f8 from[4] = {f8_add(base, packed_scaled(reader, reader->left, channel, step_bits))};
    const f8 to[4] = {f8_add(base, packed_scaled(reader, reader->right, channel, step_bits))};
    f8 out[4];
    sample_lerp(f8_splat(reader->fraction), from, to, 1, out);
    return out[0];
}

/* `count` <= 24 channels in a row, and what stands behind them up to a multiple of eight. */
MRWI_ONCE void packed_values(packed_reader *reader, uint32_t channel, uint32_t count, int kind,
                             float out_values[24])
{
    packed_need(reader, channel, count);
    for (uint32_t i = 0; i < count; i += 8)
        f8_store(out_values + i, packed_value(reader, channel + i, kind));
}

MRWI_ONCE void packed_vectors(packed_reader *reader, uint32_t channel, int kind,
                              const uint32_t *joints, uint32_t track_count, float *pose)
{
    for (uint32_t first = 0; first < track_count; first += MRWI_PACKED_GROUP) {
        const uint32_t count = packed_group_size(track_count, first);
        float values[24];
        packed_values(reader, channel + 3 * first, 3 * count, kind, values);
        packed_store(joints + first, count, values, count, 3, pose);
    }
}

MRWI_INLINE void packed_scalars(packed_reader *reader, uint32_t channel, const uint32_t *targets,
                                float *scalars)
{
    const uint32_t scalar_count = reader->clip->scalar_count;
    for (uint32_t first = 0; first < scalar_count; first += MRWI_PACKED_GROUP) {
        const uint32_t count = packed_group_size(scalar_count, first);
        float values[24];
        packed_values(reader, channel + first, count, 3, values);
        for (uint32_t k = 0; k < count; k++)
            scalars[targets[first + k]] = values[k];
    }
}

MRWI_INLINE packed_place sample_packed_begin(const mrwi_sample_input *in)
{
    const packed_place place = packed_find(&in->clip->packed, in->time_s);
    packed_prefetch_all(&in->clip->packed, place.sample);
    return place;
}

MRWI_PART void sample_packed(const mrwi_sample_input *in, packed_place place)
{
    const mrw_clip_packed *clip = &in->clip->packed;
    float *pose = (float *)(void *)in->out_pose->blocks;
    packed_reader reader;
    packed_open(&reader, clip, place);
    packed_rotations(&reader, pose);
    uint32_t channel = 3 * clip->rotation_count;
    const uint32_t *targets = clip->targets + clip->rotation_count;
    packed_vectors(&reader, channel, 1, targets, clip->translation_count,
                   pose + PACKED_TRANSLATION_PLACE);
    channel += 3 * clip->translation_count;
    targets += clip->translation_count;
    packed_vectors(&reader, channel, 2, targets, clip->scale_count, pose + PACKED_SCALE_PLACE);
    channel += 3 * clip->scale_count;
    targets += clip->scale_count;
    packed_scalars(&reader, channel, targets, in->out_pose->scalars);
}
