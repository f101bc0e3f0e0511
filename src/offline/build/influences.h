/* The influences of a mesh, as skinning wants them: one entry a joint, the heaviest first, sum 1.
 */
#ifndef MRWI_OFFLINE_INFLUENCES_H
#define MRWI_OFFLINE_INFLUENCES_H

#include <marrow/offline/scene.h>

#include "offline/memory/arena.h"

typedef struct mrwi_influences {
    uint32_t count;   /* per vertex; 0 if no primitive has any */
    uint16_t *joints; /* [vertices of the mesh * count] */
    float *weights;
    float pruned_weight; /* largest share of a vertex's weight that `largest_count` took */

    /* What was odd; numbers of vertices, and the first primitive that has one. */
    uint32_t scaled_count; /* the sum was not 1 */
    uint32_t scaled_primitive;
    uint32_t negative_count; /* a weight was negative and counts as 0 */
    uint32_t negative_primitive;
    uint32_t unbound_count; /* no weight at all: bound to the first joint that is named */
    uint32_t unbound_primitive;
} mrwi_influences;

/* The influences of all primitives, one after the other. largest_count: per vertex; 0 is any
 * number. The arrays lie in `arena`. Errors: OUT_OF_MEMORY, MEMORY_LIMIT, in
 * the status of the arena that failed. */
mrw_status mrwi_build_influences(const mrw_scene_mesh *mesh, uint32_t largest_count,
                                 mrwi_arena *arena, mrwi_influences *out_influences);

#endif
