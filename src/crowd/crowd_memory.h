/* The scratch memory of a call. */
#ifndef MRWI_CROWD_MEMORY_H
#define MRWI_CROWD_MEMORY_H

#include <marrow/blend.h>

#include "crowd/crowd_lanes.h"
#include "crowd/crowd_plays.h"

/* Characters among which those are looked for that play the same: a list of what they play for so
 * many fits the nearest cache, and of a dozen kinds there are enough among them to fill lanes. */
enum { MRWI_CROWD_WINDOW = 256 };

/* Of which clip what stands still is in the lanes: it need not be put there again for the next
 * eight that play the same. */
typedef struct mrwi_crowd_constants {
    bool is_set;
    const mrw_clip *clip; /* NULL: the rest pose */
} mrwi_crowd_constants;

typedef struct mrwi_crowd_memory {
    size_t play_limit;                  /* most plays of a character: layer_count + 1 */
    mrwi_crowd_play *plays;             /* [MRWI_CROWD_WINDOW][play_limit] */
    float *weights;                     /* [2 * layer_count], for listing plays */
    float (*shares)[MRWI_CROWD_LANES];  /* [play_limit] */
    mrwi_crowd_joint *joints;           /* [play_limit][joint_count] */
    float (*scalars)[MRWI_CROWD_LANES]; /* [play_limit][scalar_count] */
    mrwi_crowd_constants *constants;    /* [play_limit] */
    mrwi_crowd_matrix *models;          /* [joint_count] */
    mrw_blend_layer *blend_layers;      /* [layer_count], for one character */
    mrw_pose *blend_poses;              /* [layer_count], of these */
    unsigned char *poses;               /* one for each layer, and at least for each lane */
    size_t pose_size_bytes;
    uint64_t size_bytes; /* of all of it */
} mrwi_crowd_memory;

/* block: NULL to find out about size_bytes only. */
mrwi_crowd_memory mrwi_crowd_lay_out(const mrw_skeleton *skeleton, uint32_t layer_count,
                                     void *block);

/* Pose `index` of the memory; its numbers are whatever was there. */
mrw_pose mrwi_crowd_pose(const mrwi_crowd_memory *memory, const mrw_skeleton *skeleton,
                         uint32_t index);

#endif
