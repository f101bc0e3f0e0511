#include <marrow/pose.h>

#include "base/align.h"
#include "pose/pose_block.h"

#include <string.h>

size_t mrw_pose_size(uint32_t joint_count, uint32_t scalar_count)
{
    if (joint_count > MRW_MAX_JOINTS || scalar_count > MRW_MAX_SCALARS)
        return 0;
    size_t size_bytes =
        mrwi_block_count(joint_count) * sizeof(mrw_pose_block) + scalar_count * sizeof(float);
    /* An empty pose takes room too: 0 says that the counts are wrong. */
    if (size_bytes == 0)
        return MRW_ALIGNMENT;
    return mrwi_align_up(size_bytes, MRW_ALIGNMENT);
}

mrw_status mrw_pose_init(void *memory, size_t size_bytes, uint32_t joint_count,
                         uint32_t scalar_count, mrw_pose *out_pose)
{
    if (memory == NULL || out_pose == NULL)
        return MRW_ERR_NULL_ARGUMENT;
    size_t needed_bytes = mrw_pose_size(joint_count, scalar_count);
    if (needed_bytes == 0)
        return MRW_ERR_INVALID_ARGUMENT;
    if (size_bytes < needed_bytes)
        return MRW_ERR_BUFFER_TOO_SMALL;
    if (!mrwi_is_aligned(memory, MRW_ALIGNMENT))
        return MRW_ERR_ALIGNMENT;

    mrw_pose_block *blocks = memory;
    uint32_t block_count = mrwi_block_count(joint_count);
    memset(memory, 0, needed_bytes);
    mrwi_block_fill_identity(blocks, 0, block_count * MRW_POSE_LANES);
    out_pose->joint_count = joint_count;
    out_pose->scalar_count = scalar_count;
    out_pose->blocks = blocks;
    out_pose->scalars = (float *)(blocks + block_count);
    return MRW_OK;
}

mrw_transform mrw_pose_joint(const mrw_pose *pose, uint32_t joint)
{
    if (joint >= pose->joint_count) {
        mrw_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        return identity;
    }
    return mrwi_block_get(pose->blocks, joint);
}

void mrw_pose_set_joint(mrw_pose *pose, uint32_t joint, const mrw_transform *transform)
{
    if (joint < pose->joint_count)
        mrwi_block_set(pose->blocks, joint, transform);
}

mrw_status mrw_pose_copy(const mrw_pose *source, mrw_pose *out_pose)
{
    if (source == NULL || out_pose == NULL || !mrwi_pose_has_memory(source) ||
        !mrwi_pose_has_memory(out_pose))
        return MRW_ERR_NULL_ARGUMENT;
    if (source->joint_count != out_pose->joint_count)
        return MRW_ERR_JOINT_COUNT;
    if (source->scalar_count != out_pose->scalar_count)
        return MRW_ERR_SCALAR_COUNT;
    /* memmove: a pose may be copied onto itself. */
    if (source->joint_count > 0)
        memmove(out_pose->blocks, source->blocks,
                mrwi_block_count(source->joint_count) * sizeof(mrw_pose_block));
    if (source->scalar_count > 0)
        memmove(out_pose->scalars, source->scalars, source->scalar_count * sizeof(float));
    return MRW_OK;
}
