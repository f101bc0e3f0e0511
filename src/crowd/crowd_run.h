/* A call of mrw_crowd while it runs. The job was checked. */
#ifndef MRWI_CROWD_RUN_H
#define MRWI_CROWD_RUN_H

#include "crowd/crowd_memory.h"
#include "simd/kernels.h"

typedef struct mrwi_crowd_run {
    const mrw_crowd_job *job;
    const mrwi_kernels *kernels;
    size_t palette_count; /* matrices of a character */
    mrwi_crowd_memory memory;
} mrwi_crowd_run;

/* Characters that have equally many plays. Lanes past the last one repeat it: it is then worked out
 * and written more than once. */
typedef struct mrwi_crowd_batch {
    uint32_t count; /* 1 to MRWI_CROWD_LANES */
    uint32_t play_count;
    bool same_clips; /* in the same order */
    uint32_t characters[MRWI_CROWD_LANES];
    const mrwi_crowd_play *plays[MRWI_CROWD_LANES]; /* [play_count] each */
} mrwi_crowd_batch;

/* In lanes. */
void mrwi_crowd_run_batch(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch);

/* By the functions for one character. */
void mrwi_crowd_run_single(const mrwi_crowd_run *run, uint32_t character);

/* Where a character's results belong; NULL if they are not wanted. */
static inline mrw_mat34 *mrwi_crowd_palette_of(const mrwi_crowd_run *run, uint32_t character)
{
    mrw_mat34 *all = run->job->out_palettes;
    return all == NULL ? NULL : all + character * run->palette_count;
}

static inline mrw_mat34 *mrwi_crowd_models_of(const mrwi_crowd_run *run, uint32_t character)
{
    mrw_mat34 *all = run->job->out_models;
    return all == NULL ? NULL : all + (size_t)character * run->job->skeleton->joint_count;
}

static inline float *mrwi_crowd_scalars_of(const mrwi_crowd_run *run, uint32_t character)
{
    float *all = run->job->out_scalars;
    return all == NULL ? NULL : all + (size_t)character * run->job->skeleton->scalar_count;
}

#endif
