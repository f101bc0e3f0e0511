/* How a try at packing came out, measured on its bytes; and what is off made good. */
#ifndef MRWI_PACK_VERDICT_H
#define MRWI_PACK_VERDICT_H

#include "offline/compress/pack_job.h"

/* In tolerances: above it, something amplifies what is between samples. */
#define MRWI_MOST_BY_CHANCE 1.08

/* In tolerances: what is beyond it is off. What lies between the times that are measured may be a
 * little larger. */
#define MRWI_LARGEST_KEPT 0.999

/* How a try came out, in tolerances. */
typedef struct mrwi_pack_verdict {
    double limit;                   /* asked for */
    double ratio;                   /* of the largest error, or that of the 99th percentile */
    uint32_t off_count, time_count; /* times beyond the bound; all */
    bool are_few;                   /* these times */
} mrwi_pack_verdict;

/* Measures job->best. Where few times are off, raises what errors count for there, or the shells of
 * joints, for the next try. out: its limit is set. Errors: those of mrw_compare_clips. */
mrw_status mrwi_pack_judge(mrwi_pack_job *job, const mrwi_pack_verdict *last,
                           mrwi_pack_verdict *out);

/* All errors count alike again, for tries at this rate. Errors: OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_pack_reset_weights(mrwi_pack_job *job, double rate);

/* Keeps the tracks of joints that are off where their parents are not, or of their nearest
 * ancestors that still have some to keep. out_count: how many. */
mrw_status mrwi_pack_keep_at_fault(mrwi_pack_job *job, uint32_t *out_count);

#endif
