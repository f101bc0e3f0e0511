#include "offline/compress/packed_numbers.h"

#include "clip/packed_format.h"

#include <string.h>

typedef struct bit_reader {
    const uint8_t *data;
    uint64_t bit;
} bit_reader;

static int32_t read_signed(bit_reader *reader, uint32_t width)
{
    uint64_t bits;
    if (width == 0)
        return 0;
    memcpy(&bits, reader->data + reader->bit / 8, sizeof(bits));
    bits = bits >> reader->bit % 8 & (((uint64_t)1 << width) - 1);
    reader->bit += width;
    const uint64_t sign = (uint64_t)1 << (width - 1);
    return (int32_t)((int64_t)(bits ^ sign) - (int64_t)sign);
}

static void read_anchors(const mrw_clip_packed *packed, uint32_t index, int32_t *row)
{
    bit_reader reader = {packed->data + packed->segments[index], 0};
    for (uint32_t c = 0; c < packed->channel_count; c++)
        row[c] = read_signed(&reader, packed->anchor_widths[c]);
}

/* rows: of the segment; both of its anchors are there. */
static void read_residuals(const mrw_clip_packed *packed, uint32_t index, int32_t *rows)
{
    const uint32_t channels = packed->channel_count;
    const uint8_t *codes = packed->data + packed->segments[index] + packed->anchor_bytes;
    bit_reader reader = {codes + mrwi_packed_code_bytes(channels), 0};
    for (uint32_t level = packed->segment_log2; level-- > 0;) {
        const size_t half = (size_t)channels << level;
        const uint32_t count = mrwi_packed_rows(packed->sample_count, index << packed->segment_log2,
                                                packed->segment_log2, level);
        for (uint32_t i = 0; i < count; i++) {
            int32_t *row = rows + (size_t)channels * mrwi_packed_row_sample(level, i);
            for (uint32_t c = 0; c < channels; c++) {
                const uint32_t shape = packed->first_shapes[c] + mrwi_packed_code(codes, c);
                const uint32_t width = packed->shapes[MRWI_PACKED_MAX_LEVELS * shape + level];
                const int64_t middle = mrwi_packed_predict(*(row + c - half), row[c + half]);
                row[c] = (int32_t)(middle + read_signed(&reader, width));
            }
        }
    }
}

mrw_status mrwi_packed_numbers(const mrw_clip_packed *packed, mrwi_arena *arena, int32_t **out_rows,
                               mrw_error *out_error)
{
    const size_t channels = packed->channel_count;
    const size_t samples = ((size_t)packed->segment_count << packed->segment_log2) + 1;
    int32_t *rows = mrwi_arena_alloc(arena, samples, channels * sizeof(int32_t));
    if (rows == NULL)
        return mrwi_arena_fail(arena, out_error, "numbers");
    for (uint32_t s = 0; s <= packed->segment_count; s++)
        read_anchors(packed, s, rows + ((size_t)s << packed->segment_log2) * channels);
    const int32_t *closing = rows + (samples - 1) * channels;
    for (size_t i = packed->sample_count; i + 1 < samples; i++)
        memcpy(rows + i * channels, closing, channels * sizeof(int32_t));
    for (uint32_t s = 0; s < packed->segment_count; s++)
        read_residuals(packed, s, rows + ((size_t)s << packed->segment_log2) * channels);
    *out_rows = rows;
    return MRW_OK;
}
