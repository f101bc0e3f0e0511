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

/* --- values ------------------------------------------------------------------------------ */

/* The sizes of eight steps: the bits of (1 + fraction / 16) 2^(octave + exponent). */
MRWI_INLINE f8 packed_steps(const mrw_clip_packed *clip, uint32_t channel, int kind)
{
    i8 codes = i8_left(i8_bytes(clip->steps + channel), 19);
    return f8_of_bits(i8_add(codes, i8_splat((127 + clip->exponents[kind]) * (1 << 23))));
}

/* Eight channels on both sides of the time, in steps. */
MRWI_INLINE void packed_scaled(packed_reader *reader, uint32_t channel, uint32_t count, int kind,
                               f8 *out_left, f8 *out_right)
{
    i8 left, right;
    packed_read(reader, channel, count, &left, &right);
    f8 steps = packed_steps(reader->clip, channel, kind);
    *out_left = f8_mul(f8_from_i8(left), steps);
    *out_right = f8_mul(f8_from_i8(right), steps);
}

/* A swing (x, y) and a twist z, each as the tangent of a quarter of its angle. */
MRWI_INLINE void packed_turn(const f8 numbers[3], f8 out[4])
{
    const f8 one = f8_splat(1.0f);
    f8 a = numbers[0], b = numbers[1], c = numbers[2];
    f8 m = f8_add(f8_mul(a, a), f8_mul(b, b));
    f8 k = f8_mul(c, c);
    f8 inverse = f8_div(one, f8_mul(f8_add(one, m), f8_add(one, k)));
    f8 sx = f8_add(a, a), sy = f8_add(b, b), sw = f8_mul(f8_sub(one, m), inverse);
    f8 tz = f8_mul(f8_add(c, c), inverse), tw = f8_mul(f8_sub(one, k), inverse);
    out[0] = f8_add(f8_mul(sx, tw), f8_mul(sy, tz));
    out[1] = f8_sub(f8_mul(sy, tw), f8_mul(sx, tz));
    out[2] = f8_mul(sw, f8_add(c, c));
    out[3] = f8_mul(sw, f8_sub(one, k));
}

/* L turn B', of unit length. */
MRWI_INLINE void packed_place_turn(const mrw_clip_packed *clip, uint32_t index, const f8 turn[4],
                                   f8 out[4])
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
        out[i] = f8_mul(q[i], inverse);
}

/* --- into the pose ----------------------------------------------------------------------- */

/* Results of up to eight tracks to their joints. */
MRWI_INLINE void packed_store(const uint32_t *targets, uint32_t count, uint32_t first_place,
                              uint32_t width, const f8 values[4], mrw_pose_block *blocks)
{
    float *pose = (float *)(void *)blocks;
    const uint32_t block_floats = sizeof(mrw_pose_block) / sizeof(float);
    float lanes[4][8];
    for (uint32_t i = 0; i < width; i++)
        f8_store(lanes[i], values[i]);
    for (uint32_t lane = 0; lane < count; lane++) {
        const uint32_t target = targets[lane];
        float *to = pose + (size_t)(target / MRW_POSE_LANES) * block_floats + first_place +
                    target % MRW_POSE_LANES;
        for (uint32_t i = 0; i < width; i++)
            to[i * MRW_POSE_LANES] = lanes[i][lane];
    }
}

MRWI_INLINE uint32_t packed_group_size(uint32_t count, uint32_t index)
{
    return count - index < MRWI_PACKED_GROUP ? count - index : MRWI_PACKED_GROUP;
}

MRWI_INLINE uint32_t packed_rotations(packed_reader *reader, mrw_pose_block *blocks)
{
    const mrw_clip_packed *clip = reader->clip;
    slerp_time time;
    slerp_time_set(&time, f8_splat(reader->fraction));
    uint32_t channel = 0;
    for (uint32_t index = 0; index < clip->rotation_count; index += MRWI_PACKED_GROUP) {
        const uint32_t count = packed_group_size(clip->rotation_count, index);
        f8 left[3], right[3];
        for (int i = 0; i < 3; i++, channel += count)
            packed_scaled(reader, channel, count, 0, &left[i], &right[i]);
        f8 from[4], to[4], turn[4], out[4];
        packed_turn(left, from);
        packed_turn(right, to);
        slerp_lanes(&time, from, to, turn);
        packed_place_turn(clip, index, turn, out);
        packed_store(clip->targets + index, count, PACKED_ROTATION_PLACE, 4, out, blocks);
    }
    return channel;
}

/* Bases of the channels behind those of rotations. */
MRWI_INLINE f8 packed_load_bases(const mrw_clip_packed *clip, uint32_t channel, uint32_t count)
{
    const float *from = clip->bases + (channel - 3 * clip->rotation_count);
    float lanes[8] = {0};
    if (count == 8)
        return f8_load(from);
    memcpy(lanes, from, count * sizeof(float));
    return f8_load(lanes);
}

/* One channel of up to eight tracks at the time. */
MRWI_INLINE f8 packed_value(packed_reader *reader, uint32_t channel, uint32_t count, int kind)
{
    f8 left, right;
    packed_scaled(reader, channel, count, kind, &left, &right);
    f8 base = packed_load_bases(reader->clip, channel, count);
    const f8 from[4] = {f8_add(base, left)}, to[4] = {f8_add(base, right)};
    f8 out[4];
    sample_lerp(f8_splat(reader->fraction), from, to, 1, out);
    return out[0];
}

MRWI_INLINE uint32_t packed_vectors(packed_reader *reader, uint32_t channel, int kind,
                                    const uint32_t *targets, uint32_t track_count,
                                    uint32_t first_place, mrw_pose_block *blocks)
{
    for (uint32_t index = 0; index < track_count; index += MRWI_PACKED_GROUP) {
        const uint32_t count = packed_group_size(track_count, index);
        f8 out[4];
        for (int i = 0; i < 3; i++, channel += count)
            out[i] = packed_value(reader, channel, count, kind);
        packed_store(targets + index, count, first_place, 3, out, blocks);
    }
    return channel;
}

MRWI_INLINE void packed_scalars(packed_reader *reader, uint32_t channel, const uint32_t *targets,
                                float *scalars)
{
    const uint32_t scalar_count = reader->clip->scalar_count;
    for (uint32_t index = 0; index < scalar_count; index += MRWI_PACKED_GROUP) {
        const uint32_t count = packed_group_size(scalar_count, index);
        float lanes[8];
        f8_store(lanes, packed_value(reader, channel + index, count, 3));
        for (uint32_t lane = 0; lane < count; lane++)
            scalars[targets[index + lane]] = lanes[lane];
    }
}

static void sample_packed(const mrwi_sample_input *in)
{
    const mrw_clip_packed *clip = &in->clip->packed;
    mrw_pose_block *blocks = in->out_pose->blocks;
    packed_reader reader;
    packed_open(&reader, clip, in->time_s);
    const uint32_t *targets = clip->targets + clip->rotation_count;
    uint32_t channel = packed_rotations(&reader, blocks);
    channel = packed_vectors(&reader, channel, 1, targets, clip->translation_count,
                             PACKED_TRANSLATION_PLACE, blocks);
    targets += clip->translation_count;
    channel =
        packed_vectors(&reader, channel, 2, targets, clip->scale_count, PACKED_SCALE_PLACE, blocks);
    packed_scalars(&reader, channel, targets + clip->scale_count, in->out_pose->scalars);
}
