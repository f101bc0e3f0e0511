/* A clip that is being packed: what its tries share, and what came of the last one. */
#ifndef MRWI_PACK_JOB_H
#define MRWI_PACK_JOB_H

#include <marrow/offline/compress.h>

#include "offline/compress/motion_packer.h"
#include "offline/compress/pack_source.h"

/* What the last try worked with: where only weights changed since, the next one goes on with it. */
typedef struct mrwi_pack_work {
    mrwi_arena arena;
    double rate, limit;
    mrwi_part_choice choice;
    mrwi_motion_samples samples;
    mrwi_motion_plan plan;
    mrwi_packer_options packer_options;
    mrwi_motion_packer *packer; /* NULL without channels */
} mrwi_pack_work;

typedef struct mrwi_pack_job {
    const mrw_skeleton *skeleton;
    const mrw_clip *source;
    const mrw_pack_options *options;
    mrwi_pack_source tracks;
    double *shells;      /* [joint_count] in the units of each joint */
    double *plan_shells; /* [joint_count] larger where turns have to be finer */
    double *tolerances;  /* [joint_count] in units of the skeleton */

    double rate; /* of the present tries; 0: at the times of the source's keys */

    /* At the present rate, [sample_count][joint_count]: what errors count for, 1 but where slight
     * ones at two samples become large ones between them. */
    float *weights;
    float *next_weights;
    float *off_shares;  /* [sample_count] where on the way to the next something is off, or -1 */
    uint32_t off_count; /* of those */
    size_t weight_count;
    mrwi_arena weight_arena;

    mrwi_pack_work work;
    uint32_t mend_count; /* of the work */
    bool is_work_stale;  /* tracks, shells or samples are others since */
    mrwi_arena arena;
    mrw_error *out_error;

    mrw_pack_effort effort; /* of the tries */
    bool only_keys;         /* nothing becomes samples */
    bool was_hard;          /* some rate took many tries */
    uint32_t try_count;     /* at all rates */
    mrw_bytes best;         /* of the last try */
    mrw_pack_report report;
} mrwi_pack_job;

#endif
