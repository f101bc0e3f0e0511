/* Local transforms to model space: one pass down the hierarchy.
 *
 * Joints stand parents-first, so the parent's matrix is always there when its child needs it, and
 * no recursion, stack or visited flag is needed:
 *
 *     joint     0   1   2   3   4          model[0] = root * local[0]
 *     parent   -1   0   1   1   0          model[1] = model[0] * local[1]
 *               ^---+---+---+---+          model[3] = model[1] * local[3]   ...
 *
 * The order of the additions, ((a*b + c*d) + e*f) + g in each element, is that of mrw_mat34_mul in
 * every kernel (model_kernel.inl), and so are the bits.
 */
#include <marrow/model.h>

#include "base/error.h"
#include "model/model_input.h"
#include "pose/pose_block.h"
#include "simd/kernels.h"

#include <string.h>

static mrw_status check_joints(const mrw_model_job *job, mrw_error *out_error)
{
    uint32_t joint_count = job->skeleton->joint_count;
    if (job->first_joint > joint_count)
        return mrwi_fail(out_error, MRW_ERR_JOINT_RANGE, "first_joint",
                         "joint %u of a skeleton with %u joints", job->first_joint, joint_count);
    if (job->joint_count != MRW_ALL_JOINTS && job->joint_count > joint_count - job->first_joint)
        return mrwi_fail(out_error, MRW_ERR_JOINT_RANGE, "joint_count",
                         "%u joints from joint %u on, the skeleton has %u", job->joint_count,
                         job->first_joint, joint_count);
    if (job->subtree_root != MRW_NO_SUBTREE &&
        (job->subtree_root < 0 || (uint32_t)job->subtree_root >= joint_count))
        return mrwi_fail(out_error, MRW_ERR_JOINT_RANGE, "subtree_root",
                         "joint %d of a skeleton with %u joints", job->subtree_root, joint_count);
    return MRW_OK;
}

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
    return check_joints(job, out_error);
}

/* Sets the bits of the joint and all below it, and clears those of the others from its block on. */
static void mark_subtree(const mrw_skeleton *skeleton, uint32_t root, uint32_t end_joint,
                         uint8_t *members)
{
    uint32_t first_block = root / MRW_POSE_LANES;
    memset(members + first_block, 0, mrwi_block_count(end_joint) - first_block);
    members[first_block] = (uint8_t)(1u << root % MRW_POSE_LANES);
    for (uint32_t joint = root + 1; joint < end_joint; joint++) {
        int32_t parent = skeleton->parents[joint];
        if (parent < (int32_t)root)
            continue;
        uint32_t block = (uint32_t)parent / MRW_POSE_LANES,
                 lane = (uint32_t)parent % MRW_POSE_LANES;
        uint32_t bit = (members[block] >> lane & 1u) << joint % MRW_POSE_LANES;
        members[joint / MRW_POSE_LANES] = (uint8_t)(members[joint / MRW_POSE_LANES] | bit);
    }
}

static void model_subtree(const mrw_model_job *job, mrwi_model_input *input)
{
    uint32_t root = (uint32_t)job->subtree_root;
    if (input->end_joint <= root)
        return;
    if (input->first_joint < root)
        input->first_joint = root;
    uint8_t members[(MRW_MAX_JOINTS + MRW_POSE_LANES - 1) / MRW_POSE_LANES];
    mark_subtree(job->skeleton, root, input->end_joint, members);
    input->members = members;
    mrwi_kernels_active()->model(input, job->out_model);
}

mrw_status mrw_model(const mrw_model_job *job)
{
    mrw_status status = mrw_model_check(job, NULL);
    if (status != MRW_OK)
        return status;
    uint32_t end_joint = job->joint_count == MRW_ALL_JOINTS ? job->skeleton->joint_count
                                                            : job->first_joint + job->joint_count;
    mrwi_model_input input = {
        job->pose->blocks, job->skeleton->parents, job->root, NULL, job->first_joint, end_joint};
    if (job->subtree_root != MRW_NO_SUBTREE) {
        model_subtree(job, &input);
        return MRW_OK;
    }
    mrwi_kernels_active()->model(&input, job->out_model);
    return MRW_OK;
}
