/* A clip that is being packed: what its tries share, and what came of the last one. */
#ifndef MRWI_PACK_JOB_H
#define MRWI_PACK_JOB_H

#include <marrow/offline/compress.h>

#include "offline/compress/pack_source.h"

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
    size_t weight_count;
    mrwi_arena weight_arena;
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
