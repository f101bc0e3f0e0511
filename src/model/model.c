/* Local transforms to model space: one pass down the hierarchy.
 *
 * Joints stand parents-first, so the parent's matrix is always there when its child needs it, and
 * no recursion, stack or visited flag is needed:
 *
 *     joint     0   1   2   3   4          model[0] = root * local[0]
 *     parent   -1   0   1   1   0          model[1] = model[0] * local[1]
 *               ^---+---+---+---+          model[3] = model[1] * local[3]   ...
 *
 * The order of the additions, ((a*b + c*d) + e*f) + g in each element, is fixed by
 * mrwi_mat34_mul: a kernel that works on several joints at once must give the same bits.
 */
#include <marrow/model.h>

#include "base/error.h"
#include "math/math_inline.h"
#include "pose/pose_block.h"

mrw_status mrw_model_check(const mrw_model_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (job->skeleton == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "skeleton");
    if (job->pose == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "pose");
    uint32_t joint_count = job->skeleton->joint_count;
    if (job->pose->joint_count != joint_count)
        return mrwi_fail(out_error, MRW_ERR_JOINT_COUNT, "pose",
                         "the pose has %u joints, the skeleton %u", job->pose->joint_count,
                         joint_count);
    if (joint_count > 0 && job->pose->blocks == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "pose.blocks");
    if (job->model_count < joint_count)
        return mrwi_fail(out_error, MRW_ERR_BUFFER_TOO_SMALL, "model_count",
                         "room for %u matrices, the skeleton has %u joints", job->model_count,
                         joint_count);
    if (joint_count > 0 && job->out_model == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_model");
    return MRW_OK;
}

mrw_status mrw_model(const mrw_model_job *job)
{
    mrw_status status = mrw_model_check(job, NULL);
    if (status != MRW_OK)
        return status;
    for (uint32_t joint = 0; joint < job->skeleton->joint_count; joint++) {
        mrw_transform transform = mrwi_block_get(job->pose->blocks, joint);
        mrw_mat34 local = mrwi_mat34_from_transform(&transform);
        int32_t parent = job->skeleton->parents[joint];
        const mrw_mat34 *before = parent >= 0 ? &job->out_model[parent] : job->root;
        job->out_model[joint] = before != NULL ? mrwi_mat34_mul(before, &local) : local;
    }
    return MRW_OK;
}
