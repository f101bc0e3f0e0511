/* The matrix of a local transform in lanes, for kernels: of eight joints, or of one joint of eight
 * characters. Where there are no vectors, one lane after the other. */
#ifndef MRWI_MODEL_LANES_INL
#define MRWI_MODEL_LANES_INL

#include <marrow/model.h>

#include "simd/simd.h"

#ifndef MRWI_SIMD_SCALAR
#include "model/model_local_body.inl"
#else

#define model_without_tiny model_lane_without_tiny
#define model_local_matrix model_lane_matrix
#include "simd/simd_lane_begin.inl"
#include "model/model_local_body.inl"
#include "simd/simd_lane_end.inl"
#undef model_without_tiny
#undef model_local_matrix

static __attribute__((noinline, unused)) void
model_local_matrix(const f8 translation[3], const f8 rotation[4], const f8 scale[3], f8 rows[3][4])
{
    MRWI_KEEP_LOOP
    for (int i = 0; i < 8; i++) {
        f1 t[3], r[4], s[3], lane_rows[3][4];
        MRWI_TAKE_LANE(3, translation, i, t);
        MRWI_TAKE_LANE(4, rotation, i, r);
        MRWI_TAKE_LANE(3, scale, i, s);
        model_lane_matrix(t, r, s, lane_rows);
        for (int row = 0; row < 3; row++)
            MRWI_PUT_LANE(4, lane_rows[row], i, rows[row]);
    }
}

#endif
#endif
