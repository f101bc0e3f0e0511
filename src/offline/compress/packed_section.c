/* Numbers to bits.
 *
 * How a segment is written follows from its numbers alone, so the search is a plain one: for each
 * size of segments the widths that cost the least, channel by channel, and of the sizes the one
 * with the fewest bytes. Long segments need fewer anchors, which are wide, but predict over longer
 * times.
 *
 * The right anchor of the last segment may lie behind the last sample, where it is free: it is
 * chosen so that what is there is predicted well.
 */
#include "offline/compress/packed_section.h"

#include "base/error.h"
#include "clip/packed_format.h"

#include <string.h>

enum { CANDIDATE_COUNT = 2 };

typedef struct segment_code {
    uint8_t base;   /* 4 bits */
    uint8_t growth; /* 2 bits */
} segment_code;

/* How many bits the residual of each sample takes. That of a sample does not depend on the size of
 * the segments, but for the last one, whose right anchor may be any number. */
typedef struct residual_widths {
    uint8_t *widths; /* [channel_count][sample_count], of samples that are predicted */
} residual_widths;

typedef struct section_plan {
    const mrwi_packed_motion *motion;
    const residual_widths *residuals;
    uint32_t channel_count;
    uint32_t levels; /* segment_log2 */
    uint32_t segment_count;
    uint8_t *anchor_widths; /* [channel_count] */
    int32_t *closing;       /* [channel_count] the right anchor of the last segment */
    segment_code *codes;    /* [segment_count][channel_count] */
    uint64_t data_bytes;
} section_plan;

/* --- numbers ----------------------------------------------------------------------------- */

/* Bits of a signed number; 0 for 0. */
static uint32_t signed_width(int64_t number)
{
    uint64_t size = (uint64_t)(number < 0 ? ~number : number);
    if (number == 0)
        return 0;
    return size == 0 ? 1 : 65 - (uint32_t)__builtin_clzll(size);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static int32_t number_at(const section_plan *plan, uint32_t channel, uint32_t sample)
{
    uint32_t count = plan->motion->sample_count;
    if (sample >= count)
        return plan->closing[channel];
    return plan->motion->numbers[(size_t)channel * count + sample];
}

/* The residual of a sample that lies 2^level from both of those it is predicted from. */
static int64_t residual_at(const section_plan *plan, uint32_t channel, uint32_t sample,
                           uint32_t level)
{
    int64_t before = number_at(plan, channel, sample - (1u << level));
    int64_t behind = number_at(plan, channel, sample + (1u << level));
    return number_at(plan, channel, sample) - mrwi_packed_predict(before, behind);
}

/* --- widths ------------------------------------------------------------------------------ */

/* Bits that each level of a segment needs, and how many samples it has. */
typedef struct segment_need {
    uint32_t widths[MRWI_PACKED_MAX_LEVELS];
    uint32_t rows[MRWI_PACKED_MAX_LEVELS];
} segment_need;

/* Of any segment but the last. */
static segment_need need_within(const section_plan *plan, uint32_t channel, uint32_t segment)
{
    segment_need need = {{0}, {0}};
    const uint8_t *widths = plan->residuals->widths + (size_t)channel * plan->motion->sample_count +
                            (segment << plan->levels);
    for (uint32_t level = 0; level < plan->levels; level++) {
        const uint32_t end = 1u << plan->levels, step = 2u << level;
        uint32_t width = 0;
        for (uint32_t i = 1u << level; i < end; i += step)
            width = larger(width, widths[i]);
        need.widths[level] = width;
        need.rows[level] = 1u << (plan->levels - 1 - level);
    }
    return need;
}

static segment_need need_of(const section_plan *plan, uint32_t channel, uint32_t segment)
{
    segment_need need = {{0}, {0}};
    uint32_t first = segment << plan->levels;
    if (segment + 1 < plan->segment_count)
        return need_within(plan, channel, segment);
    for (uint32_t level = 0; level < plan->levels; level++) {
        need.rows[level] = mrwi_packed_rows(plan->motion->sample_count, first, plan->levels, level);
        for (uint32_t row = 0; row < need.rows[level]; row++) {
            uint32_t sample = first + mrwi_packed_row_sample(level, row);
            need.widths[level] =
                larger(need.widths[level], signed_width(residual_at(plan, channel, sample, level)));
        }
    }
    return need;
}

/* The cheapest code that is wide enough; its bits, or UINT32_MAX if there is none. */
static uint32_t code_for(const segment_need *need, uint32_t levels, segment_code *out_code)
{
    uint32_t best = UINT32_MAX;
    uint32_t all = 0;
    for (uint32_t level = 0; level < levels; level++)
        all |= need->widths[level];
    *out_code = (segment_code){0, 0};
    if (all == 0)
        return 0;
    for (uint32_t growth = 0; growth < 4; growth++) {
        uint32_t least = 1; /* width of level 0 */
        for (uint32_t level = 0; level < levels; level++)
            if (need->widths[level] > least + growth * level)
                least = need->widths[level] - growth * level;
        const uint32_t base = least < 14 ? least : least <= 16 ? 14 : least <= 19 ? 15 : 16;
        if (base == 16 || mrwi_packed_width(base, growth, levels - 1) > MRWI_PACKED_MAX_WIDTH)
            continue;
        uint32_t bits = 0;
        for (uint32_t level = 0; level < levels; level++)
            bits += need->rows[level] * mrwi_packed_width(base, growth, level);
        if (bits < best) {
            best = bits;
            *out_code = (segment_code){(uint8_t)base, (uint8_t)growth};
        }
    }
    return best;
}

/* --- the plan ---------------------------------------------------------------------------- */

/* What may stand behind the last sample: it again, or the line through the last anchor and it. */
static int32_t closing_candidate(const section_plan *plan, uint32_t channel, uint32_t candidate)
{
    const uint32_t last = plan->motion->sample_count - 1;
    const uint32_t anchor = (plan->segment_count - 1) << plan->levels;
    int64_t at_last = number_at(plan, channel, last);
    if (candidate == 0 || last == anchor)
        return (int32_t)at_last;
    int64_t slope = at_last - number_at(plan, channel, anchor);
    int64_t end = at_last + slope * ((1 << plan->levels) - (int64_t)(last - anchor)) /
                                (int64_t)(last - anchor);
    const int64_t limit = (int64_t)1 << (MRWI_PACKED_MAX_WIDTH - 1);
    return (int32_t)(end < -limit ? -limit : end > limit - 1 ? limit - 1 : end);
}

static void choose_closing(section_plan *plan, uint32_t channel)
{
    uint32_t best = UINT32_MAX;
    int32_t chosen = 0;
    for (uint32_t candidate = 0; candidate < CANDIDATE_COUNT; candidate++) {
        segment_code code;
        plan->closing[channel] = closing_candidate(plan, channel, candidate);
        segment_need need = need_of(plan, channel, plan->segment_count - 1);
        uint32_t bits = code_for(&need, plan->levels, &code);
        uint32_t width = larger(plan->anchor_widths[channel], signed_width(plan->closing[channel]));
        if (bits != UINT32_MAX)
            bits += (width - plan->anchor_widths[channel]) * (plan->segment_count + 1);
        if (bits < best || candidate == 0) {
            best = bits;
            chosen = plan->closing[channel];
        }
    }
    plan->closing[channel] = chosen;
    plan->anchor_widths[channel] =
        (uint8_t)larger(plan->anchor_widths[channel], signed_width(chosen));
}

static void plan_anchors(section_plan *plan)
{
    const uint32_t last = plan->motion->sample_count - 1;
    for (uint32_t channel = 0; channel < plan->channel_count; channel++) {
        uint32_t width = 0;
        for (uint32_t s = 0; s < plan->segment_count; s++)
            width = larger(width, signed_width(number_at(plan, channel, s << plan->levels)));
        plan->anchor_widths[channel] = (uint8_t)width;
        if (plan->segment_count << plan->levels == last) {
            plan->closing[channel] = number_at(plan, channel, last);
            plan->anchor_widths[channel] =
                (uint8_t)larger(width, signed_width(plan->closing[channel]));
        } else {
            choose_closing(plan, channel);
        }
    }
}

static uint64_t anchor_bytes(const section_plan *plan)
{
    uint64_t bits = 0;
    for (uint32_t channel = 0; channel < plan->channel_count; channel++)
        bits += plan->anchor_widths[channel];
    return (bits + 7) / 8;
}

/* Sets data_bytes, to UINT64_MAX if some number fits no width. */
static void plan_segments(section_plan *plan)
{
    const uint64_t anchors = anchor_bytes(plan);
    plan->data_bytes = anchors;
    for (uint32_t channel = 0; channel < plan->channel_count; channel++)
        if (plan->anchor_widths[channel] > MRWI_PACKED_MAX_WIDTH)
            plan->data_bytes = UINT64_MAX;
    for (uint32_t s = 0; s < plan->segment_count && plan->data_bytes != UINT64_MAX; s++) {
        uint64_t bits = 0;
        for (uint32_t channel = 0; channel < plan->channel_count; channel++) {
            segment_code *code = &plan->codes[(size_t)s * plan->channel_count + channel];
            segment_need need = need_of(plan, channel, s);
            uint32_t added = code_for(&need, plan->levels, code);
            if (added == UINT32_MAX) {
                plan->data_bytes = UINT64_MAX;
                return;
            }
            bits += added;
        }
        plan->data_bytes += anchors + mrwi_packed_code_bytes(plan->channel_count) + (bits + 7) / 8;
    }
}

static mrw_status measure_residuals(const mrwi_packed_motion *motion, mrwi_arena *arena,
                                    residual_widths *out_residuals, mrw_error *out_error)
{
    const uint32_t count = motion->sample_count, channels = mrwi_packed_channel_count(motion);
    out_residuals->widths = (uint64_t)channels * count > SIZE_MAX
                                ? NULL
                                : mrwi_arena_alloc(arena, (size_t)channels * count, 1);
    if (out_residuals->widths == NULL)
        return mrwi_arena_fail(arena, out_error, "packed");
    for (uint32_t channel = 0; channel < channels; channel++) {
        const int32_t *numbers = motion->numbers + (size_t)channel * count;
        uint8_t *widths = out_residuals->widths + (size_t)channel * count;
        for (uint32_t level = 0; level < MRWI_PACKED_MAX_LEVELS; level++) {
            const uint32_t apart = 1u << level;
            for (uint32_t i = apart; i + apart < count; i += 2 * apart)
                widths[i] = (uint8_t)signed_width(
                    numbers[i] - mrwi_packed_predict(numbers[i - apart], numbers[i + apart]));
        }
    }
    return MRW_OK;
}

static mrw_status plan_section(const mrwi_packed_motion *motion, const residual_widths *residuals,
                               uint32_t levels, mrwi_arena *arena, section_plan *out_plan,
                               mrw_error *out_error)
{
    section_plan plan = {
        motion, residuals, mrwi_packed_channel_count(motion), levels, 0, NULL, NULL, NULL, 0};
    plan.segment_count = mrwi_packed_segment_count(motion->sample_count, levels);
    plan.anchor_widths = mrwi_arena_alloc(arena, plan.channel_count, sizeof(uint8_t));
    plan.closing = mrwi_arena_alloc(arena, plan.channel_count, sizeof(int32_t));
    if ((uint64_t)plan.channel_count * plan.segment_count <= SIZE_MAX)
        plan.codes = mrwi_arena_alloc(arena, (size_t)plan.channel_count * plan.segment_count,
                                      sizeof(segment_code));
    if (plan.anchor_widths == NULL || plan.closing == NULL || plan.codes == NULL)
        return mrwi_arena_fail(arena, out_error, "packed");
    plan_anchors(&plan);
    plan_segments(&plan);
    *out_plan = plan;
    return MRW_OK;
}

/* --- writing ----------------------------------------------------------------------------- */

typedef struct bit_writer {
    uint8_t *data; /* zeroed */
    uint64_t bit;
} bit_writer;

/* Ors the number into the bytes that are there; the tail of the section is behind the last. */
static void put_bits(bit_writer *writer, int64_t number, uint32_t width)
{
    uint64_t word;
    uint8_t *at = writer->data + writer->bit / 8;
    memcpy(&word, at, sizeof(word));
    word |= ((uint64_t)number & (((uint64_t)1 << width) - 1)) << writer->bit % 8;
    memcpy(at, &word, sizeof(word));
    writer->bit += width;
}

static void put_align(bit_writer *writer)
{
    writer->bit = (writer->bit + 7) / 8 * 8;
}

static void put_anchors(const section_plan *plan, uint32_t sample, bit_writer *writer)
{
    for (uint32_t channel = 0; channel < plan->channel_count; channel++)
        put_bits(writer, number_at(plan, channel, sample), plan->anchor_widths[channel]);
    put_align(writer);
}

static void put_codes(const section_plan *plan, const segment_code *codes, bit_writer *writer)
{
    const uint64_t first = writer->bit / 8;
    const uint64_t growths = first + mrwi_packed_base_bytes(plan->channel_count);
    for (uint32_t channel = 0; channel < plan->channel_count; channel++) {
        uint8_t *base = &writer->data[first + channel / 2];
        uint8_t *growth = &writer->data[growths + channel / 4];
        *base = (uint8_t)(*base | codes[channel].base << channel % 2 * 4);
        *growth = (uint8_t)(*growth | codes[channel].growth << channel % 4 * 2);
    }
    writer->bit += (uint64_t)8 * mrwi_packed_code_bytes(plan->channel_count);
}

static void put_residuals(const section_plan *plan, uint32_t segment, const segment_code *codes,
                          bit_writer *writer)
{
    const uint32_t first = segment << plan->levels;
    for (uint32_t level = plan->levels; level-- > 0;) {
        uint32_t rows = mrwi_packed_rows(plan->motion->sample_count, first, plan->levels, level);
        for (uint32_t row = 0; row < rows; row++)
            for (uint32_t channel = 0; channel < plan->channel_count; channel++)
                put_bits(
                    writer,
                    residual_at(plan, channel, first + mrwi_packed_row_sample(level, row), level),
                    mrwi_packed_width(codes[channel].base, codes[channel].growth, level));
    }
    put_align(writer);
}

static void put_data(const section_plan *plan, uint8_t *segments, uint8_t *data)
{
    bit_writer writer = {data, 0};
    for (uint32_t s = 0; s <= plan->segment_count; s++) {
        uint32_t offset = (uint32_t)(writer.bit / 8);
        memcpy(segments + sizeof(offset) * s, &offset, sizeof(offset));
        put_anchors(plan, s << plan->levels, &writer);
        if (s == plan->segment_count)
            break;
        const segment_code *codes = &plan->codes[(size_t)s * plan->channel_count];
        put_codes(plan, codes, &writer);
        put_residuals(plan, s, codes, &writer);
    }
}

static mrwi_packed_header header_of(const section_plan *plan)
{
    const mrwi_packed_motion *motion = plan->motion;
    mrwi_packed_header header = {motion->sample_count,       plan->levels,
                                 motion->samples_per_second, motion->rotation_count,
                                 motion->translation_count,  motion->scale_count,
                                 motion->scalar_count,       {0, 0, 0, 0},
                                 (uint32_t)plan->data_bytes};
    memcpy(header.exponents, motion->exponents, sizeof(header.exponents));
    return header;
}

static void write_section(const section_plan *plan, const mrwi_packed_parts *parts, uint8_t *bytes)
{
    const mrwi_packed_motion *motion = plan->motion;
    const mrwi_packed_header header = header_of(plan);
    const size_t target_count = (size_t)motion->rotation_count + motion->translation_count +
                                motion->scale_count + motion->scalar_count;
    memcpy(bytes, &header, sizeof(header));
    memcpy(bytes + parts->targets, motion->targets, sizeof(uint32_t) * target_count);
    if (motion->rotation_count > 0) {
        memcpy(bytes + parts->centres, motion->centres, (size_t)4 * motion->rotation_count);
        memcpy(bytes + parts->axes, motion->axes, (size_t)2 * motion->rotation_count);
    }
    const size_t base_count = plan->channel_count - (size_t)3 * motion->rotation_count;
    if (base_count > 0)
        memcpy(bytes + parts->bases, motion->bases, sizeof(float) * base_count);
    memcpy(bytes + parts->steps, motion->steps, plan->channel_count);
    memcpy(bytes + parts->anchor_widths, plan->anchor_widths, plan->channel_count);
    put_data(plan, bytes + parts->segments, bytes + parts->data);
}

/* --- the section ------------------------------------------------------------------------- */

/* The number of levels that makes the fewest bytes; 0 if there is none. */
static mrw_status choose_levels(const mrwi_packed_motion *motion, const residual_widths *residuals,
                                mrwi_arena *arena, uint32_t *out_levels, mrw_error *out_error)
{
    uint64_t best = UINT64_MAX;
    *out_levels = 0;
    for (uint32_t levels = 1; levels <= MRWI_PACKED_MAX_LEVELS; levels++) {
        mrwi_arena scratch;
        mrwi_arena_init_scratch(&scratch, arena);
        section_plan plan;
        mrw_status status = plan_section(motion, residuals, levels, &scratch, &plan, out_error);
        mrwi_arena_free(&scratch);
        if (status != MRW_OK)
            return status;
        if (plan.data_bytes == UINT64_MAX)
            continue;
        uint64_t bytes = plan.data_bytes + (uint64_t)4 * plan.segment_count;
        if (bytes < best) {
            best = bytes;
            *out_levels = levels;
        }
    }
    return MRW_OK;
}

mrw_status mrwi_packed_section(const mrwi_packed_motion *motion, mrwi_arena *arena,
                               const uint8_t **out_bytes, size_t *out_size_bytes,
                               mrw_error *out_error)
{
    uint32_t levels = 0;
    residual_widths residuals;
    mrw_status status = measure_residuals(motion, arena, &residuals, out_error);
    if (status == MRW_OK)
        status = choose_levels(motion, &residuals, arena, &levels, out_error);
    if (status != MRW_OK)
        return status;
    if (levels == 0)
        return mrwi_fail(out_error, MRW_ERR_LIMIT, "packed",
                         "a number takes more bits than the format has; ask for less precision");
    section_plan plan;
    status = plan_section(motion, &residuals, levels, arena, &plan, out_error);
    if (status != MRW_OK)
        return status;
    mrwi_packed_parts parts;
    const mrwi_packed_header header = header_of(&plan);
    if (plan.data_bytes > UINT32_MAX || !mrwi_packed_layout(&header, &parts) ||
        parts.size_bytes > SIZE_MAX)
        return mrwi_fail(out_error, MRW_ERR_LIMIT, "packed", "the clip takes more than 4 GiB");
    uint8_t *bytes = mrwi_arena_alloc(arena, (size_t)parts.size_bytes, 1);
    if (bytes == NULL)
        return mrwi_arena_fail(arena, out_error, "packed");
    write_section(&plan, &parts, bytes);
    *out_bytes = bytes;
    *out_size_bytes = (size_t)parts.size_bytes;
    return MRW_OK;
}

bool mrwi_packed_unfit(const mrwi_packed_motion *motion, uint32_t channel)
{
    const int32_t *numbers = motion->numbers + (size_t)channel * motion->sample_count;
    for (uint32_t i = 1; i + 1 < motion->sample_count; i += 2)
        if (signed_width(numbers[i] - mrwi_packed_predict(numbers[i - 1], numbers[i + 1])) >
            mrwi_packed_width(15, 0, 0))
            return true;
    const uint32_t last = motion->sample_count - 1;
    return last % 2 == 1 &&
           signed_width((int64_t)numbers[last] - numbers[last - 1]) > mrwi_packed_width(15, 0, 0);
}
