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
    const uint8_t *left, *right;    /* anchors */
    const uint8_t *bases, *growths; /* of the segment's widths */
    packed_row rows[MRWI_PACKED_MAX_LEVELS];
    float fraction;
    bool at_end; /* the right neighbour alone counts */
    /* Sums over the channels that were read. */
    int32_t anchor_bits, base_bits, growth_bits;
} packed_reader;

/* --- widths ------------------------------------------------------------------------------ */

typedef struct packed_widths {
    i8 base, growth; /* a level's width is base + growth * level */
} packed_widths;

/* mrwi_packed_width of eight channels. */
MRWI_INLINE packed_widths packed_decode_widths(uint32_t bases, uint32_t growths)
{
    i8 base = i8_fields(bases, 4), growth = i8_fields(growths, 2);
    i8 wide = i8_sub(i8_add(base, i8_left(base, 1)), i8_splat(26));
    m8 is_wide = i8_less(i8_splat(13), base);
    packed_widths widths;
    widths.growth = i8_select(i8_less(i8_splat(0), base), growth, i8_splat(0));
    widths.base = i8_select(is_wide, wide, base);
    return widths;
}

/* Codes of the eight channels from `channel` on. What stands behind the last channel is cut off by
 * the caller. */
MRWI_INLINE packed_widths packed_load_widths(const packed_reader *reader, uint32_t channel)
{
    uint64_t bases;
    uint32_t growths;
    memcpy(&bases, reader->bases + channel / 2, sizeof(bases));
    memcpy(&growths, reader->growths + channel / 4, sizeof(growths));
    return packed_decode_widths((uint32_t)(bases >> channel % 2 * 4),
                                growths >> channel % 4 * 2 & 0xffffu);
}

/* Bits of a row at level 0, and how many more at each level above. */
MRWI_INLINE void packed_row_sums(const packed_reader *reader, uint32_t *out_base,
                                 uint32_t *out_growth)
{
    i8 base = i8_splat(0), growth = i8_splat(0);
    for (uint32_t channel = 0; channel < reader->clip->channel_count; channel += 8) {
        packed_widths widths = packed_load_widths(reader, channel);
        base = i8_add(base, widths.base);
        growth = i8_add(growth, widths.growth);
    }
    *out_base = (uint32_t)i8_last(i8_sums(base));
    *out_growth = (uint32_t)i8_last(i8_sums(growth));
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
    uint32_t base_sum, growth_sum;
    packed_row_sums(reader, &base_sum, &growth_sum);
    uint64_t bit = 0;
    uint32_t low = 0;
    for (uint32_t level = clip->segment_log2; level-- > 0;) {
        const uint64_t row_bits = base_sum + (uint64_t)growth_sum * level;
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
    reader->bases = data + clip->anchor_bytes;
    reader->growths = reader->bases + mrwi_packed_base_bytes(clip->channel_count);
    reader->fraction = place.fraction;
    reader->at_end = place.at_end;
    reader->anchor_bits = reader->base_bits = reader->growth_bits = 0;
    packed_find_rows(reader, reader->bases + mrwi_packed_code_bytes(clip->channel_count), first,
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

    packed_widths codes = packed_load_widths(reader, channel);
    const i8 base = i8_and(codes.base, used), growth = i8_and(codes.growth, used);
    i8 base_ends = i8_add(i8_sums(base), i8_splat(reader->base_bits));
    i8 growth_ends = i8_add(i8_sums(growth), i8_splat(reader->growth_bits));
    reader->base_bits = i8_last(base_ends);
    reader->growth_bits = i8_last(growth_ends);

    /* Widths and places of the coarsest level; each level below has `growth` bits less. */
    widths = base;
    places = i8_sub(base_ends, base);
    const i8 growth_places = i8_sub(growth_ends, growth);
    for (uint32_t level = 1; level < reader->clip->segment_log2; level++) {
        widths = i8_add(widths, growth);
        places = i8_add(places, growth_places);
    }
    for (uint32_t level = reader->clip->segment_log2; level-- > 0;) {
        const packed_row *row = &reader->rows[level];
        if (row->data != NULL) {
            i8 residual = i8_signed_bits(row->data, i8_add(places, i8_splat(row->bit)), widths);
            i8 middle = i8_add(i8_right(i8_add(left, right), 1), residual);
            if (row->to_right)
                left = middle;
            else
                right = middle;
        }
        widths = i8_sub(widths, growth);
        places = i8_sub(places, growth_places);
    }
    *out_left = reader->at_end ? right : left;
    *out_right = right;
}
