#include "crowd/crowd_memory.h"

#include "base/align.h"
#include "pose/pose_block.h"

#define LINE_BYTES 64u /* of a cache */

/* Gives out arrays of a block one after the other. Without a block it measures. No sum or product
 * here reaches 2^63: counts of layers are below 2^32, joints 2^16 and scalars 2^24. */
typedef struct cursor {
    unsigned char *block;
    uint64_t used_bytes;
} cursor;

static void *take(cursor *at, uint64_t count, uint64_t size_bytes)
{
    void *taken = at->block != NULL ? at->block + at->used_bytes : NULL;
    at->used_bytes += (count * size_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    return taken;
}

mrwi_crowd_memory mrwi_crowd_lay_out(const mrw_skeleton *skeleton, uint32_t layer_count,
                                     void *block)
{
    const uint64_t joint_count = skeleton->joint_count;
    const uint64_t play_limit = (uint64_t)layer_count + 1;
    cursor at = {block, 0};
    if (block != NULL)
        at.used_bytes = mrwi_align_up((uintptr_t)block, LINE_BYTES) - (uintptr_t)block;
    uint64_t first_bytes = at.used_bytes;

    mrwi_crowd_memory memory;
    memory.play_limit = (size_t)play_limit;
    memory.pose_size_bytes =
        mrwi_align_up(mrw_pose_size(skeleton->joint_count, skeleton->scalar_count), LINE_BYTES);
    memory.plays = take(&at, MRWI_CROWD_WINDOW * play_limit, sizeof(mrwi_crowd_play));
    memory.weights = take(&at, (uint64_t)2 * layer_count, sizeof(float));
    memory.shares = take(&at, play_limit, sizeof(*memory.shares));
    memory.joints = take(&at, play_limit * joint_count, sizeof(mrwi_crowd_joint));
    memory.scalars = take(&at, play_limit * skeleton->scalar_count, sizeof(*memory.scalars));
    memory.constants = take(&at, play_limit, sizeof(mrwi_crowd_constants));
    memory.models = take(&at, joint_count, sizeof(mrwi_crowd_matrix));
    memory.blend_layers = take(&at, layer_count, sizeof(mrw_blend_layer));
    memory.blend_poses = take(&at, layer_count, sizeof(mrw_pose));
    memory.poses = take(&at, layer_count > MRWI_CROWD_LANES ? layer_count : MRWI_CROWD_LANES,
                        memory.pose_size_bytes);
    memory.size_bytes = at.used_bytes - first_bytes + LINE_BYTES - 1;
    return memory;
}

mrw_pose mrwi_crowd_pose(const mrwi_crowd_memory *memory, const mrw_skeleton *skeleton,
                         uint32_t index)
{
    unsigned char *bytes = memory->poses + index * memory->pose_size_bytes;
    mrw_pose_block *blocks = (mrw_pose_block *)(void *)bytes;
    float *scalars = (float *)(void *)(blocks + mrwi_block_count(skeleton->joint_count));
    return (mrw_pose){skeleton->joint_count, skeleton->scalar_count, blocks, scalars};
}
