/* The numbers of a packed clip on both sides of a time, eight channels at once:
 * docs/format/clip_packed_v1.md, "Samples".
 *
 *     anchors    v0 ............................... v1     of the segment
 *     level 3                     m                        m = (v0 + v1) / 2 + residual
 *     level 2             m       |                        on the side where the time is
 *     level 1                 m   |
 *     level 0               i  i+1                         until v0 and v1 are neighbours
 *
 * A row holds the residuals of all channels at one sample, each as wide as its channel asks for. So
 * the place of a row is a sum over all channels, which a first pass makes, and where a channel
 * begins in it the sum of the widths before, which the second carries along.
 *
 * Which neighbour a row replaces is the same for all channels. One of the two is always the row
 * before: so "last" and "other" are carried along, and which is left and which right is only asked
 * in the end.
 */
#include "clip/packed_format.h"
#include "sample/key_position.h"
#include "simd/simd_bits.h"
#include "simd/simd_int.h"

#include <marrow/clip.h>

enum {
    PACKED_EIGHTS = 24, /* groups of eight channels that are read at a time */
    PACKED_KEPT = 24,   /* channels of a group of tracks, part of which was read before */
    PACKED_WINDOW = PACKED_KEPT + 8 * PACKED_EIGHTS
};

typedef struct packed_row {
    const uint8_t *data; /* NULL: this level has no sample on the way */
    i8 turns;            /* all bits: the time is on the other side of it than of the row before */
} packed_row;

typedef struct packed_reader {
    const mrw_clip_packed *clip;
    const uint8_t *codes;
    const uint8_t *left_anchors, *right_anchors;
    packed_row rows[MRWI_PACKED_MAX_LEVELS];
    float fraction;

    /* What was read: channels `first` to `end`, and eight zeros or more behind them. */
    uint32_t first, end;
    uint32_t anchor_at[4], row_at[4]; /* the bits of the next eight channels; anchors: [0] */
    bit_runs runs[PACKED_EIGHTS];     /* residuals of those that are read together */
    int32_t last[PACKED_WINDOW + 8], other[PACKED_WINDOW + 8];
    const int32_t *left, *right; /* which is which */
} packed_reader;

/* --- widths ------------------------------------------------------------------------------ */

/* Eight channels from `channel` on, as far as they are there. */
MRWI_INLINE i8 packed_used(const mrw_clip_packed *clip, uint32_t channel, i8 a)
{
    const uint32_t count = clip->channel_count - channel;
    return count >= 8 ? a : i8_and(a, i8_lanes_below((int32_t)count));
}

/* The residuals of eight channels, a run for each level. */
MRWI_INLINE bit_runs packed_residuals(const packed_reader *reader, uint32_t channel)
{
    const mrw_clip_packed *clip = reader->clip;
    uint32_t codes;
    memcpy(&codes, reader->codes + channel / 2, sizeof(codes));
    i8 shapes = i8_add(i8_bytes(clip->first_shapes + channel), i8_nibbles(codes));
    shapes = packed_used(clip, channel, shapes);
    return bit_runs_of(packed_used(clip, channel, i8_look_up(clip->shapes, shapes)));
}

/* Bits of the rows of each level. */
MRWI_INLINE void packed_sum_rows(packed_reader *reader, uint32_t out_bits[4])
{
    const uint32_t channel_count = reader->clip->channel_count;
    uint32_t bits[4] = {0};
    uint32_t eights = 0;
    for (uint32_t channel = 0; channel < channel_count; channel += 8) {
        bit_runs runs = packed_residuals(reader, channel);
        bit_runs_add(&runs, bits);
        if (eights < PACKED_EIGHTS)
            reader->runs[eights++] = runs;
    }
    memcpy(out_bits, bits, sizeof(bits));
}

/* --- the place of a time ----------------------------------------------------------------- */

/* The samples on both sides of a time. */
typedef struct packed_place {
    uint32_t sample; /* and the next one */
    float fraction;
    bool at_end; /* the next one alone counts */
} packed_place;

MRWI_INLINE packed_place packed_find_among(const mrw_clip_packed *clip, float time_s)
{
    const uint32_t last = clip->sample_count - 1;
    const mrwi_key_position position = mrwi_find_key(clip->times, clip->sample_count, time_s);
    packed_place place = {last - 1, position.fraction, position.key == last};
    if (position.key < last)
        place.sample = position.key;
    return place;
}

MRWI_INLINE packed_place packed_find(const mrw_clip_packed *clip, float time_s)
{
    if (clip->times != NULL)
        return packed_find_among(clip, time_s);
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

MRWI_INLINE void packed_prefetch(const void *from, size_t size_bytes)
{
    enum { LINE = 64, MOST = 2048 };
    const uint8_t *line = from, *end = line + (size_bytes < MOST ? size_bytes : MOST);
    for (; line < end; line += LINE)
        __builtin_prefetch(line);
}

/* Asks for all that will be read. Memory then brings it side by side, where a reader that finds
 * codes, then rows, would wait for each. (The mean of all segments instead of this one's size: a
 * loop of ever the same length is foreseen.) */
MRWI_INLINE void packed_prefetch_all(const mrw_clip_packed *clip, uint32_t sample)
{
    enum { MORE = 128 };
    const uint32_t *segment = &clip->segments[sample >> clip->segment_log2];
    packed_prefetch(clip->data + segment[0], clip->mean_segment_bytes + MORE);
    packed_prefetch(clip->data + segment[1], clip->anchor_bytes);
    packed_prefetch(clip->targets,
                    (size_t)((const uint8_t *)clip->segments - (const uint8_t *)clip->targets));
}

/* The rows on the way to sample number `within` of a segment: of level l the one between the
 * multiples of 2^(l + 1) on both sides of it. Returns whether the last one is the left neighbour.
 */
MRWI_INLINE bool packed_find_rows(packed_reader *reader, uint32_t segment, uint32_t within)
{
    const mrw_clip_packed *clip = reader->clip;
    const uint32_t levels = clip->segment_log2, first = segment << levels;
    const uint8_t *residuals = reader->codes + mrwi_packed_code_bytes(clip->channel_count);
    uint32_t row_bits[4];
    packed_sum_rows(reader, row_bits);
    uint64_t begin = 0; /* of the level */
    bool last_is_left = false;
    for (uint32_t level = MRWI_PACKED_MAX_LEVELS; level-- > 0;) {
        packed_row *row = &reader->rows[level];
        row->data = NULL;
        reader->row_at[level] = 0;
        if (level >= levels)
            continue;
        const uint32_t index = within >> (level + 1);
        const uint32_t rows = mrwi_packed_rows(clip->sample_count, first, levels, level);
        if (index < rows) {
            const uint64_t at = begin + (uint64_t)row_bits[level] * index;
            const bool to_right = (within >> level & 1) != 0;
            row->data = residuals + at / 8;
            row->turns = i8_splat(-(int32_t)(to_right != last_is_left));
            reader->row_at[level] = (uint32_t)(at % 8);
            last_is_left = to_right;
        }
        begin += (uint64_t)row_bits[level] * rows;
    }
    return last_is_left;
}

MRWI_INLINE void packed_open(packed_reader *reader, const mrw_clip_packed *clip, packed_place place)
{
    const uint32_t segment = place.sample >> clip->segment_log2;
    reader->clip = clip;
    reader->left_anchors = clip->data + clip->segments[segment];
    reader->right_anchors = clip->data + clip->segments[segment + 1];
    reader->codes = reader->left_anchors + clip->anchor_bytes;
    reader->fraction = place.fraction;
    reader->first = reader->end = 0;
    memset(reader->anchor_at, 0, sizeof(reader->anchor_at));
    const bool last_is_left =
        packed_find_rows(reader, segment, place.sample - (segment << clip->segment_log2));
    reader->right = last_is_left ? reader->other : reader->last;
    reader->left = last_is_left == place.at_end ? reader->other : reader->last;
}

/* --- numbers ----------------------------------------------------------------------------- */

/* One level down. The row's number is last from now on; what was last or what was not stays beside
 * it. */
MRWI_INLINE void packed_descend(const packed_row *row, const bit_places *places, int level,
                                i8 *last, i8 *other)
{
    if (row->data == NULL)
        return;
    i8 residual = bit_places_read(places, level, row->data);
    i8 middle = i8_add(i8_right(i8_add(*last, *other), 1), residual);
    *other = i8_select(row->turns, *last, *other);
    *last = middle;
}

/* The next eight channels; `runs`: their residuals. */
MRWI_PART void packed_read_eight(packed_reader *reader, const bit_runs *runs)
{
    const mrw_clip_packed *clip = reader->clip;
    i8 widths = packed_used(clip, reader->end, i8_bytes(clip->anchor_widths + reader->end));
    const bit_runs anchor_runs = bit_runs_of(widths);
    const bit_places anchors = bit_runs_begin(&anchor_runs, reader->anchor_at);
    bit_runs_add(&anchor_runs, reader->anchor_at);
    i8 last = bit_places_read(&anchors, 0, reader->right_anchors);
    i8 other = bit_places_read(&anchors, 0, reader->left_anchors);

    const bit_places places = bit_runs_begin(runs, reader->row_at);
    bit_runs_add(runs, reader->row_at);
    packed_descend(&reader->rows[3], &places, 3, &last, &other);
    packed_descend(&reader->rows[2], &places, 2, &last, &other);
    packed_descend(&reader->rows[1], &places, 1, &last, &other);
    packed_descend(&reader->rows[0], &places, 0, &last, &other);
    i8_store(reader->last + (reader->end - reader->first), last);
    i8_store(reader->other + (reader->end - reader->first), other);
    reader->end += 8;
}

/* Reads up to channel + count, where count is at most PACKED_KEPT or nothing from `channel` on was
 * read; and forgets the channels before. */
MRWI_CALLED void packed_need(packed_reader *reader, uint32_t channel, uint32_t count)
{
    if (channel + count <= reader->end)
        return;
    const uint32_t passed = channel - reader->first;
    for (uint32_t i = 0; channel + i < reader->end; i += 8) {
        i8_store(reader->last + i, i8_load(reader->last + passed + i));
        i8_store(reader->other + i, i8_load(reader->other + passed + i));
    }
    reader->first = channel;
    uint32_t eights = (reader->clip->channel_count - reader->end + 7) / 8;
    eights = eights < PACKED_EIGHTS ? eights : PACKED_EIGHTS;
    if (reader->end > 0) /* those of the first are there since their sum was made */
        for (uint32_t i = 0; i < eights; i++)
            reader->runs[i] = packed_residuals(reader, reader->end + 8 * i);
    for (uint32_t i = 0; i < eights; i++)
        packed_read_eight(reader, &reader->runs[i]);
    i8_store(reader->last + (reader->end - channel), i8_splat(0));
    i8_store(reader->other + (reader->end - channel), i8_splat(0));
}
