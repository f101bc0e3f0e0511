#include "skeleton_difference.h"

#include <stdio.h>
#include <string.h>

const char *cli_skeleton_difference(const mrw_skeleton *there, const mrw_skeleton *here,
                                    char out[CLI_DIFFERENCE_SIZE])
{
    if (there->joint_count != here->joint_count) {
        snprintf(out, CLI_DIFFERENCE_SIZE, "%u joints here, %u there", (unsigned)here->joint_count,
                 (unsigned)there->joint_count);
        return out;
    }
    for (uint32_t j = 0; j < here->joint_count; j++) {
        const char *name = mrw_skeleton_joint_name(here, j);
        const char *other = mrw_skeleton_joint_name(there, j);
        if (strcmp(name, other) != 0)
            snprintf(out, CLI_DIFFERENCE_SIZE, "joint %u is '%.80s' here, '%.80s' there",
                     (unsigned)j, name, other);
        else if (here->parents[j] != there->parents[j])
            snprintf(out, CLI_DIFFERENCE_SIZE, "joint '%.80s' hangs on another one here", name);
        else
            continue;
        return out;
    }
    return mrw_skeleton_id(there) == mrw_skeleton_id(here) ? NULL : "morph weights differ";
}

bool cli_rest_pose_differs(const mrw_skeleton *a, const mrw_skeleton *b)
{
    const size_t block_bytes = (a->joint_count + 7u) / 8u * sizeof(*a->rest_blocks);
    return memcmp(a->rest_blocks, b->rest_blocks, block_bytes) != 0 ||
           memcmp(a->rest_scalars, b->rest_scalars, a->scalar_count * sizeof(float)) != 0;
}
