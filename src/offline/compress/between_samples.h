/* What is shown between two samples, before it is bytes: the errors that numbers lead to there. */
#ifndef MRWI_BETWEEN_SAMPLES_H
#define MRWI_BETWEEN_SAMPLES_H

#include <marrow/clip.h>
#include <marrow/skeleton.h>

#include "offline/compress/step_plan.h"

typedef struct mrwi_between mrwi_between;

/* steps: as they are when errors are asked for. NULL if memory ran out. */
mrwi_between *mrwi_between_make(const mrwi_motion_plan *plan, const mrwi_steps *steps,
                                const mrw_skeleton *skeleton, const mrw_clip *source,
                                mrwi_arena *arena);

/* Goes to a sample. Its neighbours: NULL where there is none, or their numbers, [channel_count],
 * which stay where they are while it is looked at. shares: before and behind the sample, at which
 * share of the way to look besides the times that are always looked at, 0 to 1. */
void mrwi_between_begin(mrwi_between *between, uint32_t sample, const int32_t *const neighbours[2],
                        const double shares[2]);

/* How many joints may be placed from now on: looking costs time, and some motion cannot be helped.
 */
void mrwi_between_allow(mrwi_between *between, uint64_t joint_count);

/* The errors on both sides of the sample with these numbers, [channel_count], as a sum: of each
 * joint and time the square of how far it is beyond the limit, and for_being_off. `most` or more if
 * it is that, or if no more is allowed. *out_first: the first joint with such an error, or
 * joint_count; may be NULL. */
double mrwi_between_beyond(mrwi_between *between, const int32_t *numbers, double limit,
                           double for_being_off, double most, uint32_t *out_first);

#endif
