/* What of a character's layers counts. */
#ifndef MRWI_CROWD_PLAYS_H
#define MRWI_CROWD_PLAYS_H

#include <marrow/crowd.h>

/* The layers of a character; NULL if there are none. */
static inline const mrw_crowd_layer *mrwi_crowd_layers_of(const mrw_crowd_job *job,
                                                          uint32_t character)
{
    return job->layer_count > 0 ? job->layers + (size_t)character * job->layer_count : NULL;
}

/* A pose of the mean that mrw_blend would make: a layer that has weight, or the rest pose. */
typedef struct mrwi_crowd_play {
    const mrw_clip *clip; /* NULL: the rest pose */
    float time_s;         /* inside the clip */
    float share;          /* of the mean */
} mrwi_crowd_play;

/* The poses of a character in the order in which they are summed: at least one, at most
 * layer_count + 1. If it is one, the result is that pose as it is. Returns how many.
 * workspace: [2 * layer_count] */
uint32_t mrwi_crowd_list_plays(const mrw_crowd_job *job, uint32_t character, float *workspace,
                               mrwi_crowd_play *out_plays);

#endif
