/* A joint's place in the blocks of a pose. */
#ifndef MRWI_POSE_BLOCK_H
#define MRWI_POSE_BLOCK_H

#include <marrow/pose.h>

_Static_assert(sizeof(mrw_pose_block) == 320, "ten streams of eight floats");

static inline uint32_t mrwi_block_count(uint32_t joint_count)
{
    return (joint_count + MRW_POSE_LANES - 1) / MRW_POSE_LANES;
}

static inline mrw_transform mrwi_block_get(const mrw_pose_block *blocks, uint32_t joint)
{
    const mrw_pose_block *block = &blocks[joint / MRW_POSE_LANES];
    uint32_t lane = joint % MRW_POSE_LANES;
    mrw_transform transform = {
        {block->translation[0][lane], block->translation[1][lane], block->translation[2][lane]},
        {block->rotation[0][lane], block->rotation[1][lane], block->rotation[2][lane],
         block->rotation[3][lane]},
        {block->scale[0][lane], block->scale[1][lane], block->scale[2][lane]}};
    return transform;
}

static inline void mrwi_block_set(mrw_pose_block *blocks, uint32_t joint,
                                  const mrw_transform *transform)
{
    mrw_pose_block *block = &blocks[joint / MRW_POSE_LANES];
    uint32_t lane = joint % MRW_POSE_LANES;
    block->translation[0][lane] = transform->translation.x;
    block->translation[1][lane] = transform->translation.y;
    block->translation[2][lane] = transform->translation.z;
    block->rotation[0][lane] = transform->rotation.x;
    block->rotation[1][lane] = transform->rotation.y;
    block->rotation[2][lane] = transform->rotation.z;
    block->rotation[3][lane] = transform->rotation.w;
    block->scale[0][lane] = transform->scale.x;
    block->scale[1][lane] = transform->scale.y;
    block->scale[2][lane] = transform->scale.z;
}

static inline void mrwi_block_fill_identity(mrw_pose_block *blocks, uint32_t first_joint,
                                            uint32_t end_joint)
{
    mrw_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (uint32_t joint = first_joint; joint < end_joint; joint++)
        mrwi_block_set(blocks, joint, &identity);
}

/* The lanes past the last joint. */
static inline void mrwi_block_pad(mrw_pose_block *blocks, uint32_t joint_count)
{
    mrwi_block_fill_identity(blocks, joint_count, mrwi_block_count(joint_count) * MRW_POSE_LANES);
}

/* Whether a pose has the memory that its counts promise. */
static inline bool mrwi_pose_has_memory(const mrw_pose *pose)
{
    return (pose->joint_count == 0 || pose->blocks != NULL) &&
           (pose->scalar_count == 0 || pose->scalars != NULL);
}

#endif
