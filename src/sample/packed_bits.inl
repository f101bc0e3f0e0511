/* The numbers of a packed clip on both sides of a time, eight channels at once:
 * docs/format/clip_packed_v1.md, "Samples".
 *
 *     anchors    v0 ............................... v1     of the segment
 *     level 3                     m                        m = (v0 + v1) / 2 + residual
 *     level 2             m       |                        on the side where the time is
 *     level 1                 m   |
 *     level 0               i  i+1                         until v0 and v1 are neighbours
 *
 * A row holds the residuals of all channels at one sample, each as wide as its channel asks for, so
 * where a channel begins is the sum of the widths before it. That sum is carried along from
 * group to group.
 */
#include "clip/packed_format.h"
#include "simd/simd_int.h"

#include <marrow/clip.h>

typedef struct packed_row {
    const uint8_t *data; /* NULL: this level has no sample on the way */
    int32_t bit;         /* of its first byte, at which it begins */
    bool to_right;       /* its sample becomes the left neighbour */
} packed_row;

typedef struct packed_reader {
    const mrw_clip_packed *clip;
    const uint8_t *left, *right; /* anchors */
    const uint8_t *codes;        /* of the segment's shapes */
    packed_row rows[MRWI_PACKED_MAX_LEVELS];
    float fraction;
    bool at_end; /* the right neighbour alone counts */
    /* Sums over the channels that were read. */
    int32_t anchor_bits;
    int32_t row_bits[MRWI_PACKED_MAX_LEVELS];
} packed_reader;

/* --- widths ------------------------------------------------------------------------------ */

/* The shapes of `count` <= 8 channels from `channel` on: byte l of a lane is its width at level l.
 */
MRWI_INLINE i8 packed_load_shapes(const packed_reader *reader, uint32_t channel, uint32_t count)
{
    const mrw_clip_packed *clip = reader->clip;
    int32_t lanes[8] = {0};
    for (uint32_t lane = 0; lane < count; lane++) {
        const uint32_t first = clip->first_shapes[channel + lane];
        const uint32_t shape = first + mrwi_packed_code(reader->codes, channel + lane);
        memcpy(&lanes[lane], clip->shapes + sizeof(int32_t) * shape, sizeof(int32_t));
    }
    i8 shapes;
    memcpy(&shapes, lanes, sizeof(shapes));
    return shapes;
}

/* Of eight shapes the widths at a level. */
MRWI_INLINE i8 packed_level_widths(i8 shapes, uint32_t level)
{
    return i8_and(i8_right(shapes, 8 * (int)level), i8_splat(0xff));
}

/* Bits of a row at each level. */
MRWI_INLINE void packed_row_sums(const packed_reader *reader,
                                 uint32_t out_bits[MRWI_PACKED_MAX_LEVELS])
{
    i8 sums[MRWI_PACKED_MAX_LEVELS];
    for (uint32_t level = 0; level < MRWI_PACKED_MAX_LEVELS; level++)
        sums[level] = i8_splat(0);
    for (uint32_t channel = 0; channel < reader->clip->channel_count; channel += 8) {
        const uint32_t left = reader->clip->channel_count - channel;
        i8 shapes = packed_load_shapes(reader, channel, left < 8 ? left : 8);
        for (uint32_t level = 0; level < MRWI_PACKED_MAX_LEVELS; level++)
            sums[level] = i8_add(sums[level], packed_level_widths(shapes, level));
    }
    for (uint32_t level = 0; level < MRWI_PACKED_MAX_LEVELS; level++)
        out_bits[level] = (uint32_t)i8_last(i8_sums(sums[level]));
}

/* --- the place of a time ----------------------------------------------------------------- */

/* The samples on both sides of a time. */
typedef struct packed_place {
    uint32_t sample; /* and the next one */
    float fraction;
    bool at_end;
} packed_place;

MRWI_INLINE packed_place packed_find(const mrw_clip_packed *clip, float time_s)
{
    const double last = (double)(clip->sample_count - 1);
    double position = (double)time_s * clip->samples_per_second;
    packed_place place = {clip->sample_count - 2, 0.0f, true};
    if (position < last) {
        place.sample = position > 0.0 ? (uint32_t)position : 0;
        place.fraction = (float)(position - (double)place.sample);
        place.at_end = false;
    }
    return place;
}

/* Rows from the coarsest level down, each the one on the way to the sample. */
MRWI_INLINE void packed_find_rows(packed_reader *reader, const uint8_t *residuals, uint32_t first,
                                  uint32_t within)
{
    const mrw_clip_packed *clip = reader->clip;
    uint32_t sums[MRWI_PACKED_MAX_LEVELS];
    packed_row_sums(reader, sums);
    uint64_t bit = 0;
    uint32_t low = 0;
    for (uint32_t level = clip->segment_log2; level-- > 0;) {
        const uint64_t row_bits = sums[level];
        const uint32_t middle = low + (1u << level);
        packed_row *row = &reader->rows[level];
        row->data = NULL;
        row->to_right = within >= middle;
        if (first + middle < clip->sample_count) {
            uint64_t at = bit + (middle >> (level + 1)) * row_bits;
            row->data = residuals + at / 8;
            row->bit = (int32_t)(at % 8);
        }
        low = row->to_right ? middle : low;
        bit += row_bits * mrwi_packed_rows(clip->sample_count, first, clip->segment_log2, level);
    }
}

MRWI_INLINE void packed_open(packed_reader *reader, const mrw_clip_packed *clip, float time_s)
{
    const packed_place place = packed_find(clip, time_s);
    const uint32_t segment = place.sample >> clip->segment_log2;
    const uint32_t first = segment << clip->segment_log2;
    const uint8_t *data = clip->data + clip->segments[segment];
    reader->clip = clip;
    reader->left = data;
    reader->right = clip->data + clip->segments[segment + 1];
    reader->codes = data + clip->anchor_bytes;
    reader->fraction = place.fraction;
    reader->at_end = place.at_end;
    reader->anchor_bits = 0;
    for (uint32_t level = 0; level < MRWI_PACKED_MAX_LEVELS; level++)
        reader->row_bits[level] = 0;
    packed_find_rows(reader, reader->codes + mrwi_packed_code_bytes(clip->channel_count), first,
                     place.sample - first);
}

/* --- numbers ----------------------------------------------------------------------------- */

/* The numbers of `count` <= 8 channels from `channel` on, which follows those read before. */
MRWI_INLINE void packed_read(packed_reader *reader, uint32_t channel, uint32_t count, i8 *out_left,
                             i8 *out_right)
{
    const i8 used = i8_lanes_below((int32_t)count);
    i8 widths = i8_and(i8_bytes(reader->clip->anchor_widths + channel), used);
    i8 ends = i8_add(i8_sums(widths), i8_splat(reader->anchor_bits));
    i8 places = i8_sub(ends, widths);
    i8 left = i8_signed_bits(reader->left, places, widths);
    i8 right = i8_signed_bits(reader->right, places, widths);
    reader->anchor_bits = i8_last(ends);

    const i8 shapes = packed_load_shapes(reader, channel, count);
    for (uint32_t level = reader->clip->segment_log2; level-- > 0;) {
        const packed_row *row = &reader->rows[level];
        widths = packed_level_widths(shapes, level);
        ends = i8_add(i8_sums(widths), i8_splat(reader->row_bits[level]));
        places = i8_sub(ends, widths);
        reader->row_bits[level] = i8_last(ends);
        if (row->data != NULL) {
            i8 residual = i8_signed_bits(row->data, i8_add(places, i8_splat(row->bit)), widths);
            i8 middle = i8_add(i8_right(i8_add(left, right), 1), residual);
            if (row->to_right)
                left = middle;
            else
                right = middle;
        }
    }
    *out_left = reader->at_end ? right : left;
    *out_right = right;
}
