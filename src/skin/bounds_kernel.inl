/* The box of a stream of vectors. Comparisons with NaN are false, so vectors with NaN do not count
 * in that axis; all others can be compared in any order. */
#include "simd/simd.h"

MRWI_INLINE void bounds_grow_lanes(f8 v, f8 *low, f8 *high)
{
    *low = f8_select(f8_less(v, *low), v, *low);
    *high = f8_select(f8_less(*high, v), v, *high);
}

MRWI_INLINE void bounds_grow(float v, float *low, float *high)
{
    *low = v < *low ? v : *low;
    *high = *high < v ? v : *high;
}

/* Packed vectors eight at a time; at most 7 and all others one by one. */
static void bounds_box(const float *from, size_t step, uint32_t vertex_count, float low[3],
                       float high[3])
{
    f8 lows[3], highs[3];
    for (int axis = 0; axis < 3; axis++) {
        lows[axis] = f8_splat(low[axis]);
        highs[axis] = f8_splat(high[axis]);
    }
    uint32_t v = 0;
    for (; step == 3 && vertex_count - v >= 8; v += 8) {
        f8 xyz[3];
        f8_load_xyz(from + (size_t)v * 3, xyz);
        for (int axis = 0; axis < 3; axis++)
            bounds_grow_lanes(xyz[axis], &lows[axis], &highs[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        float lanes[2][8];
        f8_store(lanes[0], lows[axis]);
        f8_store(lanes[1], highs[axis]);
        for (int i = 0; i < 8; i++) {
            low[axis] = lanes[0][i] < low[axis] ? lanes[0][i] : low[axis];
            high[axis] = high[axis] < lanes[1][i] ? lanes[1][i] : high[axis];
        }
    }
    for (; v < vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            bounds_grow(from[v * step + (size_t)axis], &low[axis], &high[axis]);
}
