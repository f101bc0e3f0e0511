/* A group of a clip at a moment: eight tracks, one in each lane.
 *
 *     sample_time time;                                  once for all groups with these times
 *     sample_time_set(&time, mrwi_find_key(times, key_count, time_s));
 *     f8 value[4];                                       value[i]: number i of all eight tracks
 *     sample_rotations(&time, values, value);            MRW_TRACK_ROTATION
 *     sample_vectors(&time, values, 3, value);           the other kinds, with their width
 *
 * with values = clip->values + group->values_offset. Where the results belong: group->places.
 */
#ifndef MRWI_SAMPLE_LANES_INL
#define MRWI_SAMPLE_LANES_INL

#include "sample/key_position.h"
#include "sample/slerp_lanes.inl"

#include <marrow/clip.h>

/* Where a time lies among keys, as all lanes see it. */
typedef struct sample_time {
    uint32_t key, next; /* the keys on both sides; the same where the first counts as it is */
    bool on_key;        /* fraction 0 */
    slerp_time slerp;
} sample_time;

MRWI_INLINE void sample_time_set(sample_time *time, mrwi_key_position position)
{
    time->key = position.key;
    time->next = position.exact ? position.key : position.key + 1;
    time->on_key = position.fraction == 0.0f;
    slerp_time_set(&time->slerp, f8_splat(position.fraction));
}

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

MRWI_INLINE void sample_rotations(const sample_time *time, const float *values, f8 out[4])
{
    if (time->on_key) {
        sample_load_lanes(values, time->key, 4, out);
        return;
    }
    f8 from[4], to[4];
    sample_load_lanes(values, time->key, 4, from);
    sample_load_lanes(values, time->next, 4, to);
    slerp_between(&time->slerp, from, to, out);
}

MRWI_PART void sample_vectors(const sample_time *time, const float *values, uint32_t width,
                              f8 out[4])
{
    f8 from[4], to[4];
    sample_load_lanes(values, time->key, width, from);
    sample_load_lanes(values, time->next, width, to);
    sample_lerp(time->slerp.fraction, from, to, width, out);
}

#endif
