/* Samples that rounding leaves beyond the tolerance, brought back by rounding otherwise. */
#ifndef MRWI_REPAIR_H
#define MRWI_REPAIR_H

#include "offline/compress/between_samples.h"
#include "offline/compress/quantiser.h"

typedef struct mrwi_repair mrwi_repair;

/* for_being_off: what a joint that is beyond the limit counts for, besides the square of how far it
 * is: more where it is their number that matters. NULL if memory ran out. */
mrwi_repair *mrwi_repair_make(const mrwi_motion_plan *plan, double for_being_off,
                              mrwi_arena *arena);

/* From now on, what lies on both sides of the sample counts too; no more with NULL. */
void mrwi_repair_look_between(mrwi_repair *repair, mrwi_between *between);

/* Whether all errors of the quantised sample are at most `limit` tolerances then: it changes the
 * numbers of joints by one, and if that ends in vain, begins anew from up to `starts` other
 * roundings. */
bool mrwi_repair_sample(mrwi_repair *repair, mrwi_quantiser *quantiser, double limit,
                        uint32_t starts);

#endif
