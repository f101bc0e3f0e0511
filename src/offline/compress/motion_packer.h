/* The numbers of a clip: steps as coarse as the tolerance allows, and every sample rounded to
 * them. */
#ifndef MRWI_MOTION_PACKER_H
#define MRWI_MOTION_PACKER_H

#include <marrow/offline/compress.h>

#include "offline/compress/packed_motion.h"
#include "offline/compress/repair.h"

typedef struct mrwi_packer_options {
    mrw_pack_effort effort;
    mrw_pack_target target;
    double scalar_tolerance;
    double limit;         /* of errors, in tolerances: 1, or less for what is not measured here */
    const float *weights; /* [sample_count][joint_count] of errors, >= 1 */
} mrwi_packer_options;

/* Fills what the writer needs, in the arena. plan must have channels. *out_kept: whether all
 * samples keep the limit (for MRW_PACK_P99: 99 of 100). Errors: OUT_OF_MEMORY, MEMORY_LIMIT,
 * LIMIT. */
mrw_status mrwi_pack_motion(const mrwi_motion_plan *plan, const mrwi_packer_options *options,
                            mrwi_arena *arena, mrwi_packed_motion *out_motion, bool *out_kept,
                            mrw_error *out_error);

#endif
