/* marrow/blend.h: several local poses as one. */
#ifndef MARROW_BLEND_H
#define MARROW_BLEND_H

#include <marrow/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mrw_blend_layer {
    const mrw_pose *pose;
    float weight; /* >= 0; relative to the other layers */
} mrw_blend_layer;

/* The weighted mean of the layers: weights are divided by their sum; translations,
 * scales and scalars are averaged; rotations are summed on the hemisphere of the first
 * layer with a weight and normalised (shorter-arc nlerp). If all weights are 0, or there is no
 * layer, the result is the rest pose. A crossfade is two layers, 1 - t and t; at t = 0 and
 * t = 1 it gives that layer's pose bit for bit. */
typedef struct mrw_blend_job {
    size_t struct_size;
    const mrw_skeleton *skeleton;
    const mrw_blend_layer *layers; /* [layer_count]; may be NULL if layer_count is 0 */
    uint32_t layer_count;
    mrw_pose *out_pose; /* may be the pose of a layer */
} mrw_blend_job;

static inline mrw_blend_job mrw_blend_job_default(void)
{
    mrw_blend_job job = {sizeof(mrw_blend_job), NULL, NULL, 0, NULL};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_COUNT, SCALAR_COUNT, NOT_FINITE or
 * INVALID_ARGUMENT (a weight that is not finite, or negative). */
MRW_API mrw_status mrw_blend_check(const mrw_blend_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_blend(const mrw_blend_job *job);

#ifdef __cplusplus
}
#endif

#endif
