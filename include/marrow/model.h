/* marrow/model.h: from local transforms to model space, down the hierarchy. */
#ifndef MARROW_MODEL_H
#define MARROW_MODEL_H

#include <marrow/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Joints up to the last one. */
#define MRW_ALL_JOINTS 0xffffffffu
/* No limit to a subtree. */
#define MRW_NO_SUBTREE (-1)

/* A component of a rotation nearer to 0 than this (8.7e-19) counts as 0 here: it turns nothing by as
 * much as a float can show, and the denormal products of such numbers are slow. */
#define MRW_MODEL_TINY_ROTATION 8.67361737988403547e-19f

/* model[joint] = model[parent] * T * R * S, and root * T * R * S for a root.
 *
 * Rotations are within 1e-6 rad of exact arithmetic for each joint of the chain: see docs/accuracy.md.
 *
 * By default for every joint. A job may name fewer, to finish a part of the body first or to do one
 * part again after it was changed: a range of joints, the joints below and with one of them, or what is
 * in both. Matrices of other joints are left as they are. Where such a joint is the parent of one that
 * is named, its matrix is read: it must be there from an earlier call with the same out_model. */
typedef struct mrw_model_job {
    size_t struct_size;
    const mrw_skeleton *skeleton;
    const mrw_pose *pose;
    const mrw_mat34 *root; /* placed before every root joint; or NULL for the identity */
    mrw_mat34 *out_model;  /* [model_count] */
    uint32_t model_count;  /* capacity of out_model, at least the joint count */
    uint32_t first_joint;  /* default 0 */
    uint32_t joint_count;  /* from first_joint on; default MRW_ALL_JOINTS */
    int32_t subtree_root;  /* a joint, or MRW_NO_SUBTREE, the default */
} mrw_model_job;

static inline mrw_model_job mrw_model_job_default(void)
{
    mrw_model_job job = {sizeof(mrw_model_job), NULL, NULL, NULL, NULL, 0,
                         0, MRW_ALL_JOINTS, MRW_NO_SUBTREE};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_COUNT, BUFFER_TOO_SMALL, JOINT_RANGE (first_joint,
 * joint_count or subtree_root is not in the skeleton). */
MRW_API mrw_status mrw_model_check(const mrw_model_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_model(const mrw_model_job *job);

#ifdef __cplusplus
}
#endif

#endif
