/* Whether clips of one file fit the skeleton of another, and why not. */
#ifndef MARROW_TOOL_SKELETON_DIFFERENCE_H
#define MARROW_TOOL_SKELETON_DIFFERENCE_H

#include <marrow/skeleton.h>

#define CLI_DIFFERENCE_SIZE 256

/* What tells `here` from `there`, or NULL where joints, their order and all names are the same. */
const char *cli_skeleton_difference(const mrw_skeleton *there, const mrw_skeleton *here,
                                    char out[CLI_DIFFERENCE_SIZE]);

/* Of two skeletons that are otherwise the same. */
bool cli_rest_pose_differs(const mrw_skeleton *a, const mrw_skeleton *b);

#endif
