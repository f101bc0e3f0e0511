/* From metres of model space, which radii of shells are given in, to the units of a joint's own
 * space, in which the points of its shell stay where they are. */
#ifndef MRWI_SHELL_UNITS_H
#define MRWI_SHELL_UNITS_H

#include <marrow/skeleton.h>

/* out_units_m: [joint_count] metres of model space in one unit of each joint, in the rest pose:
 * metres_per_unit times the largest scale of the joint and of each of its ancestors. A scale below
 * 1/2000 of its parent is how a joint is hidden, and counts as 1. */
void mrwi_shell_units(const mrw_skeleton *skeleton, double metres_per_unit, double *out_units_m);

#endif
