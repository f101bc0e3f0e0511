/* Samples that rounding leaves beyond the tolerance, brought back by rounding otherwise. */
#ifndef MRWI_REPAIR_H
#define MRWI_REPAIR_H

#include "offline/compress/quantiser.h"

typedef struct mrwi_repair mrwi_repair;

/* NULL if memory ran out. */
mrwi_repair *mrwi_repair_make(const mrwi_motion_plan *plan, mrwi_arena *arena);

/* Whether all errors of the quantised sample are at most `limit` tolerances then: it tries up to
 * `rounds` changes of a joint's numbers by one. */
bool mrwi_repair_sample(mrwi_repair *repair, mrwi_quantiser *quantiser, double limit,
                        uint32_t rounds);

#endif
