/* marrow/sample.h: a clip at a moment, as a local pose. */
#ifndef MARROW_SAMPLE_H
#define MARROW_SAMPLE_H

#include <marrow/clip.h>
#include <marrow/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mrw_sample_job {
    size_t struct_size;
    const mrw_clip *clip;
    const mrw_skeleton *skeleton; /* gives what the clip does not animate */
    double time_s;                /* see mrw_clip_local_time */
    bool loop;                    /* wrap instead of clamp; default false */
    mrw_pose *out_pose;           /* every joint and scalar is written */
} mrw_sample_job;

static inline mrw_sample_job mrw_sample_job_default(void)
{
    mrw_sample_job job = {sizeof(mrw_sample_job), NULL, NULL, 0.0, false, NULL};
    return job;
}

/* Says whether mrw_sample would run, and what is wrong. Errors: NULL_ARGUMENT,
 * STRUCT_SIZE, JOINT_COUNT, SCALAR_COUNT, SKELETON_MISMATCH, NOT_FINITE (time). */
MRW_API mrw_status mrw_sample_check(const mrw_sample_job *job, mrw_error *out_error);

/* Samples. Checks as mrw_sample_check does. Rotations come out with unit length. */
MRW_API mrw_status mrw_sample(const mrw_sample_job *job);

#ifdef __cplusplus
}
#endif

#endif
