/* marrow/model.h: from local transforms to model space, down the hierarchy. */
#ifndef MARROW_MODEL_H
#define MARROW_MODEL_H

#include <marrow/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

/* model[joint] = model[parent] * T * R * S, and root * T * R * S for a root. */
typedef struct mrw_model_job {
    size_t struct_size;
    const mrw_skeleton *skeleton;
    const mrw_pose *pose;
    const mrw_mat34 *root; /* placed before every root joint; or NULL for the identity */
    mrw_mat34 *out_model;  /* [model_count] */
    uint32_t model_count;  /* capacity of out_model, at least the joint count */
} mrw_model_job;

static inline mrw_model_job mrw_model_job_default(void)
{
    mrw_model_job job = {sizeof(mrw_model_job), NULL, NULL, NULL, NULL, 0};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_COUNT, BUFFER_TOO_SMALL. */
MRW_API mrw_status mrw_model_check(const mrw_model_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_model(const mrw_model_job *job);

#ifdef __cplusplus
}
#endif

#endif
