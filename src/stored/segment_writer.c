#include "stored/segment_writer.h"

#include "clip/packed_format.h"

#include <string.h>

/* --- bits -------------------------------------------------------------------------------- */

typedef struct bit_writer {
    uint8_t *next;
    uint64_t waiting; /* bits that are no whole word yet */
    uint32_t count;
} bit_writer;

static inline void put_bits(bit_writer *writer, int32_t number, uint32_t width)
{
    writer->waiting |= ((uint32_t)number & (((uint64_t)1 << width) - 1)) << writer->count;
    writer->count += width;
    if (writer->count >= 32) {
        const uint32_t word = (uint32_t)writer->waiting;
        memcpy(writer->next, &word, sizeof(word));
        writer->next += sizeof(word);
        writer->waiting >>= 32;
        writer->count -= 32;
    }
}

static void put_rest(bit_writer *writer)
{
    for (; writer->count > 0; writer->count -= writer->count < 8 ? writer->count : 8) {
        *writer->next++ = (uint8_t)writer->waiting;
        writer->waiting >>= 8;
    }
}

static bool has_room(const mrwi_segment_writer *writer, uint64_t bytes)
{
    return bytes <= writer->data_bytes - writer->end;
}

/* --- widths ------------------------------------------------------------------------------ */

static inline int32_t midpoint(int32_t a, int32_t b)
{
    return (a + b) >> 1;
}

/* Bits of the widest of some signed numbers: `sizes` joins them, or their complements where they
 * are negative, `any` is 0 if all are. */
static inline uint32_t joined_width(uint32_t sizes, uint32_t any)
{
    return any == 0 ? 0 : sizes == 0 ? 1 : 33 - (uint32_t)__builtin_clz(sizes);
}

static bool is_wide_enough(uint32_t shape, uint32_t need)
{
    const uint32_t tops = 0x80808080u;
    return (((shape | tops) - need) & tops) == tops;
}

/* Rows of a level of segment `index`. */
static uint32_t rows_at(const mrw_clip_packed *packed, uint32_t index, uint32_t level)
{
    return mrwi_packed_rows(packed->sample_count, index << packed->segment_log2,
                            packed->segment_log2, level);
}

/* Joins the residuals of a level, of all channels at once. */
static void join_level(const mrwi_segment_writer *writer, uint32_t index, uint32_t level,
                       const int32_t *rows)
{
    const size_t stride = writer->packed->channel_count, half = stride << level;
    const uint32_t row_count = rows_at(writer->packed, index, level);
    uint32_t *sizes = writer->sizes, *any = writer->any;
    memset(sizes, 0, stride * sizeof(*sizes));
    memset(any, 0, stride * sizeof(*any));
    for (uint32_t row = 0; row < row_count; row++) {
        const int32_t *at = rows + stride * mrwi_packed_row_sample(level, row);
        const int32_t *before = at - half, *behind = at + half;
        for (size_t c = 0; c < stride; c++) {
            const int32_t residual = at[c] - midpoint(before[c], behind[c]);
            sizes[c] |= (uint32_t)(residual ^ residual >> 31);
            any[c] |= (uint32_t)residual;
        }
    }
}

/* What each channel needs at each level, a byte for one, to writer->shapes. */
static void find_needs(const mrwi_segment_writer *writer, uint32_t index, const int32_t *rows)
{
    const size_t count = writer->packed->channel_count;
    memset(writer->shapes, 0, count * sizeof(*writer->shapes));
    for (uint32_t level = 0; level < writer->packed->segment_log2; level++) {
        join_level(writer, index, level, rows);
        for (size_t c = 0; c < count; c++)
            writer->shapes[c] |= joined_width(writer->sizes[c], writer->any[c]) << 8 * level;
    }
}

/* Its code; the shape goes to *out_shape. MRWI_PACKED_CODES if there is none. */
static uint32_t code_of(const mrw_clip_packed *packed, uint32_t channel, uint32_t need,
                        uint32_t *out_shape)
{
    uint32_t code = 0;
    const uint32_t first = packed->first_shapes[channel];
    for (; code < MRWI_PACKED_CODES && first + code < packed->shape_count; code++) {
        memcpy(out_shape, packed->shapes + sizeof(*out_shape) * (first + code), sizeof(*out_shape));
        if (is_wide_enough(*out_shape, need))
            return code;
    }
    return MRWI_PACKED_CODES;
}

/* --- parts of a segment ------------------------------------------------------------------ */

static bool write_codes(mrwi_segment_writer *writer, uint32_t index, const int32_t *rows)
{
    const mrw_clip_packed *packed = writer->packed;
    uint64_t row_bits[MRWI_PACKED_MAX_LEVELS] = {0}, bits = 0;
    const uint64_t code_bytes = mrwi_packed_code_bytes(packed->channel_count);
    if (!has_room(writer, code_bytes))
        return false;
    find_needs(writer, index, rows);
    for (uint32_t c = 0; c < packed->channel_count; c++) {
        const uint32_t code = code_of(packed, c, writer->shapes[c], &writer->shapes[c]);
        if (code == MRWI_PACKED_CODES)
            return false;
        uint8_t *to = &writer->data[writer->end + c / 2];
        *to = (uint8_t)(*to | code << c % 2 * 4);
        for (uint32_t level = 0; level < packed->segment_log2; level++)
            row_bits[level] += writer->shapes[c] >> 8 * level & 0xffu;
    }
    writer->end += code_bytes;
    for (uint32_t level = 0; level < packed->segment_log2; level++)
        bits += row_bits[level] * rows_at(packed, index, level);
    return has_room(writer, (bits + 7) / 8);
}

static void write_residuals(mrwi_segment_writer *writer, uint32_t index, const int32_t *rows)
{
    const mrw_clip_packed *packed = writer->packed;
    const size_t stride = packed->channel_count;
    bit_writer bits = {writer->data + writer->end, 0, 0};
    for (uint32_t level = packed->segment_log2; level-- > 0;) {
        const size_t half = stride << level;
        const uint32_t row_count = rows_at(packed, index, level);
        for (uint32_t row = 0; row < row_count; row++) {
            const int32_t *at = rows + stride * mrwi_packed_row_sample(level, row);
            for (size_t c = 0; c < stride; c++)
                put_bits(&bits, at[c] - midpoint(*(at + c - half), at[c + half]),
                         writer->shapes[c] >> 8 * level & 0xffu);
        }
    }
    put_rest(&bits);
    writer->end = (uint64_t)(bits.next - writer->data);
}

bool mrwi_write_segment(mrwi_segment_writer *writer, uint32_t index, const int32_t *rows)
{
    if (!write_codes(writer, index, rows))
        return false;
    write_residuals(writer, index, rows);
    return true;
}

bool mrwi_write_anchors(mrwi_segment_writer *writer, uint32_t index, const int32_t *anchors)
{
    const mrw_clip_packed *packed = writer->packed;
    if (!has_room(writer, packed->anchor_bytes))
        return false;
    writer->segments[index] = (uint32_t)writer->end;
    bit_writer bits = {writer->data + writer->end, 0, 0};
    for (uint32_t c = 0; c < packed->channel_count; c++) {
        const int32_t size = anchors[c] ^ anchors[c] >> 31;
        if (joined_width((uint32_t)size, (uint32_t)anchors[c]) > packed->anchor_widths[c])
            return false;
        put_bits(&bits, anchors[c], packed->anchor_widths[c]);
    }
    put_rest(&bits);
    writer->end = (uint64_t)(bits.next - writer->data);
    return true;
}
