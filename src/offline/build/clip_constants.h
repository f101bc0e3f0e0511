/* What stays in a clip, in the order in which it is sampled: docs/format/clip_keyed_v1.md,
 * "Constants". */
#ifndef MRWI_CLIP_CONSTANTS_H
#define MRWI_CLIP_CONSTANTS_H

#include <marrow/clip.h>

#include "offline/memory/arena.h"

typedef struct mrwi_clip_constant {
    uint32_t joint;
    mrw_track_kind kind; /* no scalar's */
    float value[4];
} mrwi_clip_constant;

typedef struct mrwi_clip_constants {
    mrw_clip_base *bases;
    float *numbers;
    uint32_t base_count, number_count;
} mrwi_clip_constants;

/* Sorts the list, in which no joint has two of a kind, and makes of it what the clip holds. Errors:
 * OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_order_constants(mrwi_clip_constant *list, uint32_t count, mrwi_arena *arena,
                                mrwi_clip_constants *out_constants, mrw_error *out_error);

#endif
