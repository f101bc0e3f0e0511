/* A group of a clip at a moment: eight tracks, one in each lane. values:
 * clip->values + group->values_offset. key and next: the keys on both sides, the same where the
 * first counts as it is. Where the results belong: group->places. */
#ifndef MRWI_SAMPLE_LANES_INL
#define MRWI_SAMPLE_LANES_INL

#include "sample/key_position.h"
#include "sample/slerp_lanes.inl"

#include <marrow/clip.h>

MRWI_INLINE void sample_load_lanes(const float *values, uint32_t key, uint32_t width, f8 out[4])
{
    const float *from = values + (size_t)key * width * MRW_CLIP_LANES;
    for (uint32_t i = 0; i < width; i++)
        out[i] = f8_load(from + i * MRW_CLIP_LANES);
}

/* a (1 - t) + b t. This form cannot overflow and is exact at both ends; equal values stay as they
 * are. */
MRWI_INLINE void sample_lerp(f8 fraction, const f8 from[4], const f8 to[4], uint32_t width,
                             f8 out[4])
{
    f8 rest = f8_sub(f8_splat(1.0f), fraction);
    for (uint32_t i = 0; i < width; i++) {
        f8 mixed = f8_add(f8_mul(from[i], rest), f8_mul(to[i], fraction));
        out[i] = f8_select(f8_equal(from[i], to[i]), from[i], mixed);
    }
}

MRWI_INLINE void sample_rotations(const float *values, uint32_t key, uint32_t next,
                                  const slerp_time *time, f8 out[4])
{
    f8 from[4], to[4];
    sample_load_lanes(values, key, 4, from);
    sample_load_lanes(values, next, 4, to);
    slerp_between(time, from, to, out);
}

MRWI_PART void sample_vectors(const float *values, uint32_t key, uint32_t next, float fraction,
                              uint32_t width, f8 out[4])
{
    f8 from[4], to[4];
    sample_load_lanes(values, key, width, from);
    sample_load_lanes(values, next, width, to);
    sample_lerp(f8_splat(fraction), from, to, width, out);
}

#endif
