/* The distance of two clips at one time: what mrw_compare_clips says of many times, and what
 * packing is held to. */
#ifndef MRWI_CLIP_MEASURE_H
#define MRWI_CLIP_MEASURE_H

#include <marrow/clip.h>
#include <marrow/skeleton.h>

#include "offline/memory/arena.h"

typedef struct mrwi_clip_measure {
    const mrw_skeleton *skeleton;
    const mrw_clip *clips[2];
    const double *shells; /* [joint_count] in the units of each joint */
    mrw_pose poses[2];
    struct mrwi_measured_place *places[2]; /* [joint_count] */
} mrwi_clip_measure;

/* Errors: those of mrw_sample_check for either clip, OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_clip_measure_init(mrwi_clip_measure *measure, const mrw_skeleton *skeleton,
                                  const mrw_clip *a, const mrw_clip *b, const double *shells,
                                  mrwi_arena *arena, mrw_error *out_error);

/* out_errors: [joint_count] in units of the skeleton. The poses are those of this time then. */
void mrwi_clip_measure_at(mrwi_clip_measure *measure, double time_s, double *out_errors);

#endif
