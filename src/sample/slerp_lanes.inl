/* slerp_body.inl for f8: all lanes at once, or where there are no vectors one after the other. */
#ifndef MRWI_SLERP_LANES_INL
#define MRWI_SLERP_LANES_INL

#include "simd/simd.h"

#ifndef MRWI_SIMD_SCALAR
#include "sample/slerp_body.inl"
#else

#define slerp_time slerp_lane_time
#define slerp_time_set slerp_lane_time_set
#define slerp_unscaled slerp_lane_unscaled
#define slerp_between slerp_lane_between
#define slerp_lanes slerp_lane
#include "simd/simd_lane_begin.inl"
#include "sample/slerp_body.inl"
#include "simd/simd_lane_end.inl"
#undef slerp_time
#undef slerp_time_set
#undef slerp_unscaled
#undef slerp_between
#undef slerp_lanes

typedef struct slerp_time {
    f8 fraction;
    slerp_lane_time lanes[8];
} slerp_time;

MRWI_PART void slerp_time_set(slerp_time *time, f8 fraction)
{
    time->fraction = fraction;
    MRWI_KEEP_LOOP
    for (int i = 0; i < 8; i++)
        slerp_lane_time_set(&time->lanes[i], f1_splat(fraction.lane[i]));
}

#define MRWI_SLERP_EACH_LANE(all, one)                                                             \
    MRWI_PART void all(const slerp_time *time, const f8 from[4], const f8 to[4], f8 out[4])        \
    {                                                                                              \
        MRWI_KEEP_LOOP                                                                             \
        for (int i = 0; i < 8; i++) {                                                              \
            f1 a[4], b[4], turned[4];                                                              \
            MRWI_TAKE_LANE(4, from, i, a);                                                         \
            MRWI_TAKE_LANE(4, to, i, b);                                                           \
            one(&time->lanes[i], a, b, turned);                                                    \
            MRWI_PUT_LANE(4, turned, i, out);                                                      \
        }                                                                                          \
    }

MRWI_SLERP_EACH_LANE(slerp_lanes, slerp_lane)
MRWI_SLERP_EACH_LANE(slerp_unscaled, slerp_lane_unscaled)
#undef MRWI_SLERP_EACH_LANE

MRWI_INLINE void slerp_between(const slerp_time *time, const f8 from[4], const f8 to[4], f8 out[4])
{
    slerp_lanes(time, from, to, out);
}

#endif

/* Of fractions that nothing else shares. */
MRWI_ONCE void slerp_alone(f8 fraction, const f8 from[4], const f8 to[4], f8 out[4])
{
    slerp_time time;
    slerp_time_set(&time, fraction);
    slerp_lanes(&time, from, to, out);
}

#endif
