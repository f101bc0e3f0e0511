/* What the kernels of this stage are given. */
#ifndef MRWI_SAMPLE_KERNELS_H
#define MRWI_SAMPLE_KERNELS_H

#include <marrow/sample.h>

/* A clip at a local time. All of the job was checked. */
typedef struct mrwi_sample_input {
    const mrw_clip *clip;
    const mrw_skeleton *skeleton;
    float time_s;
    mrw_pose *out_pose;
} mrwi_sample_input;

/* Eight slerps. */
typedef struct mrwi_slerp_input {
    float from[4][8]; /* x, y, z, w; unit length to within 1e-3 */
    float to[4][8];
    float fraction[8]; /* 0..1 */
} mrwi_slerp_input;

#endif
