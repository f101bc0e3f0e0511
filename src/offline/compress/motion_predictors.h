/* How the numbers of a packed clip are predicted when it is stored. */
#ifndef MRWI_MOTION_PREDICTORS_H
#define MRWI_MOTION_PREDICTORS_H

#include "offline/memory/arena.h"
#include "stored/motion_model.h"

/* Fills predictors[channel_count] with those that make the fewest bits, about, their own counted.
 * rows: [sample_count][channel_count]. Errors: OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_plan_predictors(const int32_t *rows, uint32_t sample_count, uint32_t channel_count,
                                mrwi_arena *arena, mrwi_predictor *predictors,
                                mrw_error *out_error);

#endif
