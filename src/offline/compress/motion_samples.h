/* A clip at certain times: what the quantiser works on. */
#ifndef MRWI_MOTION_SAMPLES_H
#define MRWI_MOTION_SAMPLES_H

#include <marrow/clip.h>
#include <marrow/skeleton.h>

#include "offline/memory/arena.h"

typedef struct mrwi_motion_samples {
    uint32_t joint_count, scalar_count, sample_count;
    double samples_per_second; /* 0: at times of their own */
    const float *times;        /* these, or NULL */
    mrw_transform *joints;     /* [sample_count][joint_count] local */
    float *scalars;            /* [sample_count][scalar_count] */
} mrwi_motion_samples;

/* Samples `count` times: `times`, or if that is NULL `samples_per_second` apart, the first at 0.
 * Errors: those of mrw_sample, LIMIT, OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_sample_motion(const mrw_skeleton *skeleton, const mrw_clip *clip,
                              double samples_per_second, const float *times, uint32_t count,
                              mrwi_arena *arena, mrwi_motion_samples *out_samples,
                              mrw_error *out_error);

/* The last sample may stand for a time behind the end of the clip, of which only a share is ever
 * shown: it goes on in the same direction, so that at the end there is what was there. */
void mrwi_motion_go_beyond_end(mrwi_motion_samples *samples, double duration_s);

static inline double mrwi_motion_time(const mrwi_motion_samples *samples, uint32_t sample)
{
    return samples->times != NULL ? (double)samples->times[sample]
                                  : sample / samples->samples_per_second;
}

static inline const mrw_transform *mrwi_motion_at(const mrwi_motion_samples *samples,
                                                  uint32_t sample, uint32_t joint)
{
    return &samples->joints[(size_t)sample * samples->joint_count + joint];
}

#endif
