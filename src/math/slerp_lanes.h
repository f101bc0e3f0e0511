/* Several slerps at once. */
#ifndef MRWI_MATH_SLERP_LANES_H
#define MRWI_MATH_SLERP_LANES_H

#include <marrow/math.h>

#define MRWI_SLERP_LANES 4

/* Quaternions less than this apart are mixed by nlerp: the two differ by less than angle^3 / 100,
 * here by less than 1e-14. */
#define MRWI_SLERP_MIN_ANGLE 1e-4

/* Every lane must be set, if only to zeros. */
typedef struct mrwi_slerp_lanes {
    float from[4][MRWI_SLERP_LANES]; /* x, y, z, w */
    float to[4][MRWI_SLERP_LANES];
    float fraction[MRWI_SLERP_LANES]; /* 0..1 */
} mrwi_slerp_lanes;

/* For each lane what mrw_quat_slerp gives, to the last bit. */
void mrwi_quat_slerp_lanes(const mrwi_slerp_lanes *in, mrw_quat out[MRWI_SLERP_LANES]);

#endif
