/* What a clip holds for sampling beside its tracks, worked out from these: docs/format/
 * clip_keyed_v1.md, "The order of sampling". */
#ifndef MRWI_OFFLINE_SAMPLING_ORDER_H
#define MRWI_OFFLINE_SAMPLING_ORDER_H

#include <marrow/clip.h>

#include "offline/memory/arena.h"

/* The arrays lie in the arena. */
typedef struct mrwi_sampling_order {
    mrw_track *tracks; /* [track_count] as they are written */
    uint32_t track_count;
    float *values; /* [value_count] */
    uint32_t value_count;
    mrw_clip_group *groups;
    uint32_t group_count;
    mrw_clip_moving *moving;
    uint32_t moving_count;
    uint32_t *loose;
    uint32_t loose_count;
} mrwi_sampling_order;

/* tracks: [track_count] sorted, each with its values at values_offset, none in lanes. Errors:
 * LIMIT, OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_order_sampling(const mrw_track *tracks, uint32_t track_count, const float *values,
                               mrwi_arena *arena, mrwi_sampling_order *out_order,
                               mrw_error *out_error);

#endif
