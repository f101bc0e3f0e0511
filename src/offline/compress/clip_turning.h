/* How far the joints of a clip turn from one time to a later one. */
#ifndef MRWI_CLIP_TURNING_H
#define MRWI_CLIP_TURNING_H

#include <marrow/clip.h>
#include <marrow/skeleton.h>

#include "offline/memory/arena.h"

typedef struct mrwi_clip_turning {
    const mrw_skeleton *skeleton;
    const mrw_clip *clip;
    mrw_pose poses[2]; /* of the last time, and scratch */
    double *angles;    /* [joint_count] scratch */
} mrwi_clip_turning;

/* Begins at the time 0. Errors: those of mrw_sample_check, OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_clip_turning_init(mrwi_clip_turning *turning, const mrw_skeleton *skeleton,
                                  const mrw_clip *clip, mrwi_arena *arena, mrw_error *out_error);

/* Goes on to a time. Returns the largest angle that any joint can have turned by in model space
 * since the last time, in radians: those of the joint and its ancestors together, each the short
 * way. */
double mrwi_clip_turning_to(mrwi_clip_turning *turning, double time_s);

#endif
