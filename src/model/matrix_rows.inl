/* The product of two affine matrices a row at a time, for kernels.
 *
 *     row r of a * b  =  ((a[r][0] * b[0] + a[r][1] * b[1]) + a[r][2] * b[2]), and + a[r][3] in its
 *     last lane
 *
 * as mrw_mat34_mul, to the last bit. The rows 0 and 1 make one vector of eight: their numbers are
 * spread in its halves, and b's rows stand there twice. The row 2 is a vector of four, its numbers
 * spread by loads, which keeps them off the units that shuffle; those have enough to do. */
#ifndef MRWI_MATRIX_ROWS_INL
#define MRWI_MATRIX_ROWS_INL

#include "simd/simd.h"

/* b's rows stand row_stride floats apart. out may be a or b. */
MRWI_INLINE void matrix_rows_mul(const float *a, const float *b, size_t row_stride, float *out)
{
    f8 b0 = f8_load_twice(b);
    f8 b1 = f8_load_twice(b + row_stride);
    f8 b2 = f8_load_twice(b + 2 * row_stride);
    f8 a01 = f8_load(a);
    f8 rows01 = f8_add(f8_add(f8_mul(f8_half_lane(a01, 0), b0), f8_mul(f8_half_lane(a01, 1), b1)),
                       f8_mul(f8_half_lane(a01, 2), b2));
    f8_store(out, f8_add_fourth(rows01, a01));
    f4 row2 = f4_add(f4_add(f4_mul(f4_splat(a[8]), f8_low(b0)), f4_mul(f4_splat(a[9]), f8_low(b1))),
                     f4_mul(f4_splat(a[10]), f8_low(b2)));
    f4_store(out + 8, f4_add_fourth(row2, f4_load(a + 8)));
}

#endif
