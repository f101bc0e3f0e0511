/* The packed section of a clip asset: docs/format/clip_packed_v1.md says what each field means.
 * What reader and writer must agree on stands here once. */
#ifndef MRWI_PACKED_FORMAT_H
#define MRWI_PACKED_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MRWI_PACKED_MAX_SAMPLES = 1 << 24,
    MRWI_PACKED_MAX_LEVELS = 4,
    MRWI_PACKED_MAX_WIDTH = 25, /* of an anchor or residual: with 7 bits before it, 32 */
    MRWI_PACKED_MAX_SHAPES = 256,
    MRWI_PACKED_CODES = 16, /* shapes that a channel can choose from */
    MRWI_PACKED_GROUP = 8,  /* tracks whose channels stand together */
    MRWI_PACKED_TAIL_BYTES = 16
};

typedef struct mrwi_packed_header {
    uint32_t sample_count;
    uint16_t segment_log2; /* as many levels */
    uint16_t shape_count;
    double samples_per_second; /* 0: they have times of their own */
    uint32_t rotation_count;
    uint32_t translation_count;
    uint32_t scale_count;
    uint32_t scalar_count;
    int8_t exponents[4]; /* of steps, by mrw_track_kind's order but rotations first */
    uint32_t data_size_bytes;
} mrwi_packed_header;

_Static_assert(sizeof(mrwi_packed_header) == 40, "no padding");

/* Where the parts of a section begin, in bytes from its start. */
typedef struct mrwi_packed_parts {
    uint64_t targets, centres, axes, bases, steps, anchor_widths;
    uint64_t first_shapes, shapes, segments, data;
    uint64_t size_bytes; /* of the section */
} mrwi_packed_parts;

/* The channel of a component of a track: `first` is the first of its kind, whose tracks are
 * `count`. Tracks stand in groups of eight, so that a reader takes a component of a whole group at
 * once. */
static inline uint32_t mrwi_packed_channel(uint32_t first, uint32_t count, uint32_t index,
                                           uint32_t component)
{
    uint32_t group = index / MRWI_PACKED_GROUP * MRWI_PACKED_GROUP;
    uint32_t size = count - group < MRWI_PACKED_GROUP ? count - group : MRWI_PACKED_GROUP;
    return first + 3 * group + component * size + (index - group);
}

/* --- segments ---------------------------------------------------------------------------- */

static inline uint32_t mrwi_packed_segment_count(uint32_t sample_count, uint32_t segment_log2)
{
    return (sample_count - 1 + (1u << segment_log2) - 1) >> segment_log2;
}

/* Which sample of its segment a row of a level is: the odd multiples of 2^level. */
static inline uint32_t mrwi_packed_row_sample(uint32_t level, uint32_t row)
{
    return (2 * row + 1) << level;
}

/* Rows of a level in the segment that begins at sample `first`: those up to the last sample. */
static inline uint32_t mrwi_packed_rows(uint32_t sample_count, uint32_t first,
                                        uint32_t segment_log2, uint32_t level)
{
    uint32_t all = 1u << (segment_log2 - 1 - level);
    uint32_t samples = sample_count - first; /* the left anchor among them */
    uint32_t there = (samples - 1 + (1u << level)) >> (level + 1);
    return there < all ? there : all;
}

/* Bytes of the codes of all channels of a segment. */
static inline uint64_t mrwi_packed_code_bytes(uint64_t channel_count)
{
    return 4 * ((channel_count + 7) / 8);
}

static inline uint32_t mrwi_packed_code(const uint8_t *codes, uint32_t channel)
{
    return codes[channel / 2] >> channel % 2 * 4 & 15u;
}

/* floor((a + b) / 2), whatever the compiler does to negative numbers. */
static inline int64_t mrwi_packed_predict(int64_t a, int64_t b)
{
    int64_t sum = a + b;
    return (sum - (sum & 1)) / 2;
}

/* --- parts ------------------------------------------------------------------------------- */

static inline uint64_t mrwi_packed_next_part(uint64_t end)
{
    return (end + 3) / 4 * 4;
}

/* False if the counts are such that no section can have them. */
static inline bool mrwi_packed_layout(const mrwi_packed_header *header,
                                      mrwi_packed_parts *out_parts)
{
    const uint64_t rotations = header->rotation_count;
    const uint64_t vectors = (uint64_t)header->translation_count + header->scale_count;
    const uint64_t channels = 3 * rotations + 3 * vectors + header->scalar_count;
    if (header->sample_count < 2 || header->segment_log2 < 1 ||
        header->segment_log2 > MRWI_PACKED_MAX_LEVELS || header->shape_count < 1 ||
        header->shape_count > MRWI_PACKED_MAX_SHAPES)
        return false;
    const uint64_t segments = mrwi_packed_segment_count(header->sample_count, header->segment_log2);
    out_parts->targets = sizeof(*header);
    out_parts->centres = out_parts->targets + 4 * (rotations + vectors + header->scalar_count);
    out_parts->axes = mrwi_packed_next_part(out_parts->centres + 4 * rotations);
    out_parts->bases = mrwi_packed_next_part(out_parts->axes + 2 * rotations);
    out_parts->steps = out_parts->bases + 4 * (channels - 3 * rotations);
    out_parts->anchor_widths = mrwi_packed_next_part(out_parts->steps + channels);
    out_parts->first_shapes = mrwi_packed_next_part(out_parts->anchor_widths + channels);
    out_parts->shapes = mrwi_packed_next_part(out_parts->first_shapes + channels);
    out_parts->segments = out_parts->shapes + (uint64_t)4 * header->shape_count;
    out_parts->data = out_parts->segments + 4 * (segments + 1);
    out_parts->size_bytes =
        mrwi_packed_next_part(out_parts->data + header->data_size_bytes) + MRWI_PACKED_TAIL_BYTES;
    return true;
}

#endif
