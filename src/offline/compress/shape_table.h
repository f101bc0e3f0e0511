/* The shapes of a packed clip: docs/format/clip_packed_v1.md, "Levels". A shape says how many bits
 * the residuals of a channel take at each level of a segment. */
#ifndef MRWI_SHAPE_TABLE_H
#define MRWI_SHAPE_TABLE_H

#include "clip/packed_format.h"
#include "offline/memory/arena.h"

/* Byte l is the width at level l, as in the file: each at most MRWI_PACKED_MAX_WIDTH. */
typedef uint32_t mrwi_shape;

static inline uint32_t mrwi_shape_width(mrwi_shape shape, uint32_t level)
{
    return shape >> 8 * level & 0xffu;
}

typedef struct mrwi_shape_table {
    mrwi_shape shapes[MRWI_PACKED_MAX_SHAPES];
    uint32_t count;
    uint8_t *firsts; /* [channel_count] where the shapes of a channel begin */
    uint8_t *most;   /* [channel_count] how many it can choose from */
} mrwi_shape_table;

/* The shapes that make the residuals of a clip smallest. needs[channel][segment]: the widths that
 * are needed at each level, 0 at those that the segments lack. Errors: OUT_OF_MEMORY, MEMORY_LIMIT.
 */
mrw_status mrwi_learn_shapes(const mrwi_shape *needs, uint32_t channel_count,
                             uint32_t segment_count, uint32_t levels, mrwi_arena *arena,
                             mrwi_shape_table *out_table, mrw_error *out_error);

/* The first of a channel's shapes that is wide enough: the cheapest, for they are in that order. */
uint32_t mrwi_shape_code(const mrwi_shape_table *table, uint32_t channel, mrwi_shape need);

#endif
