/* How coarse each number of a clip may be. */
#ifndef MRWI_STEP_PLAN_H
#define MRWI_STEP_PLAN_H

#include "offline/compress/joint_plan.h"

typedef struct mrwi_step_plan mrwi_step_plan;

/* The steps of all channels. Those of rotations are of one axis, those of a translation or scale
 * the same for its three. */
typedef struct mrwi_steps {
    uint8_t *codes;      /* [channel_count] */
    double *sizes;       /* [channel_count] what the codes mean */
    double *inverses;    /* [channel_count] of these */
    int8_t exponents[4]; /* of rotations, translations, scales, scalars */
} mrwi_steps;

/* NULL if memory ran out. */
mrwi_step_plan *mrwi_step_plan_make(const mrwi_motion_plan *plan, double scalar_tolerance,
                                    mrwi_arena *arena);

/* Each joint's share of its tolerance is scaled by so much (squared inside): more for joints that
 * turned out better than expected. */
void mrwi_step_plan_adjust(mrwi_step_plan *steps, uint32_t joint, double factor);

/* The steps with which every joint's expected error is `size` times its tolerance. */
void mrwi_step_plan_solve(mrwi_step_plan *steps, double size, mrwi_steps *out_steps);

#endif
