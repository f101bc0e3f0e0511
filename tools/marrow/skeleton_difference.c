#include "skeleton_difference.h"

#include <stdio.h>
#include <string.h>

/* The first joint of one whose name the other has not, or NULL. */
static const char *name_without(const mrw_skeleton *of, const mrw_skeleton *other)
{
    for (uint32_t j = 0; j < of->joint_count; j++)
        if (mrw_skeleton_find_joint(other, mrw_skeleton_joint_name(of, j)) < 0)
            return mrw_skeleton_joint_name(of, j);
    return NULL;
}

static void say_counts(const mrw_skeleton *there, const mrw_skeleton *here, char *out)
{
    const bool is_fewer = here->joint_count < there->joint_count;
    const char *name = is_fewer ? name_without(there, here) : name_without(here, there);
    const int used = snprintf(out, CLI_DIFFERENCE_SIZE, "%u joints here, %u there",
                              (unsigned)here->joint_count, (unsigned)there->joint_count);
    if (name != NULL)
        snprintf(out + used, CLI_DIFFERENCE_SIZE - (size_t)used, ", '%.60s' %s", name,
                 is_fewer ? "is missing here" : "is new here");
}

const char *cli_skeleton_difference(const mrw_skeleton *there, const mrw_skeleton *here,
                                    char out[CLI_DIFFERENCE_SIZE])
{
    if (there->joint_count != here->joint_count) {
        say_counts(there, here, out);
        return out;
    }
    const bool is_reordered =
        name_without(there, here) == NULL && name_without(here, there) == NULL;
    for (uint32_t j = 0; j < here->joint_count; j++) {
        const char *name = mrw_skeleton_joint_name(here, j);
        const char *other = mrw_skeleton_joint_name(there, j);
        if (strcmp(name, other) != 0)
            snprintf(out, CLI_DIFFERENCE_SIZE, "joint %u is '%.40s' here, '%.40s' there%s",
                     (unsigned)j, name, other,
                     is_reordered ? ": the same names in another order" : "");
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
