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
    const mrw_skeleton *skeleton;
    const mrw_clip *source;
} mrwi_packer_options;

typedef struct mrwi_motion_packer mrwi_motion_packer;

/* plan must have channels. It, the options and what they point at stay where they are, but weights
 * may grow. NULL if memory ran out. */
mrwi_motion_packer *mrwi_motion_packer_make(const mrwi_motion_plan *plan,
                                            const mrwi_packer_options *options, mrwi_arena *arena);

/* Seeks steps and rounds all samples to them. */
void mrwi_motion_packer_search(mrwi_motion_packer *packer);

/* After a search: rounds those samples again whose weights have changed since, to the same steps.
 * False if not all of them keep the limit: then the search has to be repeated. */
bool mrwi_motion_packer_round_again(mrwi_motion_packer *packer);

/* After a search: rounds samples otherwise so that what lies between them keeps `limit`, where
 * off_shares[sample], [sample_count], is not negative: there, at this share of the way to the next
 * one, something does not. Whether that led to other numbers. */
bool mrwi_motion_packer_mend(mrwi_motion_packer *packer, const float *off_shares, double limit);

/* What the writer needs, in the arena and the packer. Errors: OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_motion_packer_fill(const mrwi_motion_packer *packer, mrwi_arena *arena,
                                   mrwi_packed_motion *out_motion, mrw_error *out_error);

#endif
