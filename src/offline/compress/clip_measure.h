/* The distance of two clips, time after time: what mrw_compare_clips says of many times, and what
 * packing is held to. */
#ifndef MRWI_CLIP_MEASURE_H
#define MRWI_CLIP_MEASURE_H

#include <marrow/clip.h>
#include <marrow/skeleton.h>

#include "offline/memory/arena.h"

enum { MRWI_MEASURE_LANES = 2 }; /* times that are measured at once */

typedef struct mrwi_clip_measure {
    const mrw_skeleton *skeleton;
    const mrw_clip *clips[2];
    const double *shells; /* [joint_count] in the units of each joint */
    mrw_pose poses[2][MRWI_MEASURE_LANES];
    struct mrwi_measured_place *places[2]; /* [joint_count] */
} mrwi_clip_measure;

/* Errors: those of mrw_sample_check for either clip, OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_clip_measure_init(mrwi_clip_measure *measure, const mrw_skeleton *skeleton,
                                  const mrw_clip *a, const mrw_clip *b, const double *shells,
                                  mrwi_arena *arena, mrw_error *out_error);

/* count: 1 to MRWI_MEASURE_LANES. out_errors: [count][joint_count] in units of the skeleton. The
 * poses are those of these times then. */
void mrwi_clip_measure_at(mrwi_clip_measure *measure, const double *times_s, uint32_t count,
                          double *out_errors);

#endif
