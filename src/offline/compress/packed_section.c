/* Numbers to bits.
 *
 * How a segment is written follows from its numbers and the clip's shapes, so the search is a plain
 * one: of the sizes of segments the one with the fewest bytes, and then the shapes that suit its
 * segments (shape_table.c). Long segments need fewer anchors, which are wide, but predict over
 * longer times.
 *
 * The right anchor of the last segment may lie behind the last sample, where it is free: it is
 * chosen so that what is there is predicted well.
 */
#include "offline/compress/packed_section.h"

#include "base/error.h"
#include "offline/compress/shape_table.h"

#include <string.h>

enum { CANDIDATE_COUNT = 2 };

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
    bool fits;              /* no number is wider than the format has widths */
    mrwi_shape *needs;      /* [channel_count][segment_count] */
    mrwi_shape_table table;
    uint8_t *codes; /* [segment_count][channel_count] */
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

/* What a channel needs in any segment but the last. */
static mrwi_shape need_within(const section_plan *plan, uint32_t channel, uint32_t segment)
{
    mrwi_shape need = 0;
    const uint8_t *widths = plan->residuals->widths + (size_t)channel * plan->motion->sample_count +
                            (segment << plan->levels);
    for (uint32_t level = 0; level < plan->levels; level++) {
        const uint32_t end = 1u << plan->levels, step = 2u << level;
        uint32_t width = 0;
        for (uint32_t i = 1u << level; i < end; i += step)
            width = larger(width, widths[i]);
        need |= width << 8 * level;
    }
    return need;
}

static mrwi_shape need_of(const section_plan *plan, uint32_t channel, uint32_t segment)
{
    mrwi_shape need = 0;
    uint32_t first = segment << plan->levels;
    if (segment + 1 < plan->segment_count)
        return need_within(plan, channel, segment);
    for (uint32_t level = 0; level < plan->levels; level++) {
        uint32_t rows = mrwi_packed_rows(plan->motion->sample_count, first, plan->levels, level);
        uint32_t width = 0;
        for (uint32_t row = 0; row < rows; row++)
            width = larger(width,
                           signed_width(residual_at(
                               plan, channel, first + mrwi_packed_row_sample(level, row), level)));
        need |= width << 8 * level;
    }
    return need;
}

static bool is_narrow(mrwi_shape need)
{
    for (uint32_t level = 0; level < MRWI_PACKED_MAX_LEVELS; level++)
        if (mrwi_shape_width(need, level) > MRWI_PACKED_MAX_WIDTH)
            return false;
    return true;
}

/* --- the plan ---------------------------------------------------------------------------- */

/* Bits of a channel's residuals in a segment. */
static uint32_t segment_bits(const section_plan *plan, uint32_t segment, mrwi_shape shape)
{
    uint32_t bits = 0;
    for (uint32_t level = 0; level < plan->levels; level++)
        bits += mrwi_shape_width(shape, level) * mrwi_packed_rows(plan->motion->sample_count,
                                                                  segment << plan->levels,
                                                                  plan->levels, level);
    return bits;
}

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
        plan->closing[channel] = closing_candidate(plan, channel, candidate);
        mrwi_shape need = need_of(plan, channel, plan->segment_count - 1);
        uint32_t bits =
            is_narrow(need) ? segment_bits(plan, plan->segment_count - 1, need) : UINT32_MAX;
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

static mrwi_shape shape_of(const section_plan *plan, uint32_t channel, uint8_t code)
{
    return plan->table.shapes[plan->table.firsts[channel] + code];
}

/* What every channel needs in every segment. False if some number fits no width. */
static bool plan_needs(section_plan *plan)
{
    for (uint32_t channel = 0; channel < plan->channel_count; channel++) {
        if (plan->anchor_widths[channel] > MRWI_PACKED_MAX_WIDTH)
            return false;
        for (uint32_t s = 0; s < plan->segment_count; s++) {
            mrwi_shape need = need_of(plan, channel, s);
            if (!is_narrow(need))
                return false;
            plan->needs[(size_t)channel * plan->segment_count + s] = need;
        }
    }
    return true;
}

/* The shape of every channel in every segment. Sets data_bytes. */
static void plan_codes(section_plan *plan)
{
    const uint64_t anchors = anchor_bytes(plan);
    uint8_t *codes = plan->codes;
    plan->data_bytes = anchors;
    for (uint32_t s = 0; s < plan->segment_count; s++) {
        uint64_t bits = 0;
        for (uint32_t channel = 0; channel < plan->channel_count; channel++) {
            *codes = (uint8_t)mrwi_shape_code(
                &plan->table, channel, plan->needs[(size_t)channel * plan->segment_count + s]);
            bits += segment_bits(plan, s, shape_of(plan, channel, *codes++));
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
    section_plan plan = {.motion = motion,
                         .residuals = residuals,
                         .channel_count = mrwi_packed_channel_count(motion),
                         .levels = levels};
    plan.segment_count = mrwi_packed_segment_count(motion->sample_count, levels);
    plan.anchor_widths = mrwi_arena_alloc(arena, plan.channel_count, sizeof(uint8_t));
    plan.closing = mrwi_arena_alloc(arena, plan.channel_count, sizeof(int32_t));
    if ((uint64_t)plan.channel_count * plan.segment_count <= SIZE_MAX) {
        const size_t all = (size_t)plan.channel_count * plan.segment_count;
        plan.needs = mrwi_arena_alloc(arena, all, sizeof(mrwi_shape));
        plan.codes = mrwi_arena_alloc(arena, all, 1);
    }
    if (plan.anchor_widths == NULL || plan.closing == NULL || plan.needs == NULL ||
        plan.codes == NULL)
        return mrwi_arena_fail(arena, out_error, "packed");
    plan_anchors(&plan);
    plan.fits = plan_needs(&plan);
    *out_plan = plan;
    return MRW_OK;
}

/* Bytes that grow with the size of the clip, if every segment had shapes of its own: of the sizes
 * of segments that with the least of them was also that with the least in the end, for all clips
 * looked at. */
static uint64_t least_bytes(const section_plan *plan)
{
    uint64_t bits = 0;
    for (uint32_t channel = 0; channel < plan->channel_count; channel++)
        for (uint32_t s = 0; s < plan->segment_count; s++)
            bits += segment_bits(plan, s, plan->needs[(size_t)channel * plan->segment_count + s]);
    const uint64_t segment =
        anchor_bytes(plan) + mrwi_packed_code_bytes(plan->channel_count) + sizeof(uint32_t);
    return segment * plan->segment_count + anchor_bytes(plan) + bits / 8;
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

static void put_codes(const section_plan *plan, const uint8_t *codes, bit_writer *writer)
{
    const uint64_t first = writer->bit;
    for (uint32_t channel = 0; channel < plan->channel_count; channel++)
        put_bits(writer, codes[channel], 4);
    writer->bit = first + 8 * mrwi_packed_code_bytes(plan->channel_count);
}

static void put_residuals(const section_plan *plan, uint32_t segment, const uint8_t *codes,
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
                    mrwi_shape_width(shape_of(plan, channel, codes[channel]), level));
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
        const uint8_t *codes = plan->codes + (size_t)s * plan->channel_count;
        put_codes(plan, codes, &writer);
        put_residuals(plan, s, codes, &writer);
    }
}

static mrwi_packed_header header_of(const section_plan *plan)
{
    const mrwi_packed_motion *motion = plan->motion;
    mrwi_packed_header header = {.sample_count = motion->sample_count,
                                 .segment_log2 = (uint16_t)plan->levels,
                                 .shape_count = (uint16_t)plan->table.count,
                                 .samples_per_second = motion->samples_per_second,
                                 .rotation_count = motion->rotation_count,
                                 .translation_count = motion->translation_count,
                                 .scale_count = motion->scale_count,
                                 .scalar_count = motion->scalar_count,
                                 .data_size_bytes = (uint32_t)plan->data_bytes};
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
    memcpy(bytes + parts->first_shapes, plan->table.firsts, plan->channel_count);
    memcpy(bytes + parts->shapes, plan->table.shapes, sizeof(mrwi_shape) * plan->table.count);
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
        const uint64_t bytes = status == MRW_OK && plan.fits ? least_bytes(&plan) : UINT64_MAX;
        mrwi_arena_free(&scratch);
        if (status != MRW_OK)
            return status;
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
    if (status == MRW_OK)
        status = mrwi_learn_shapes(plan.needs, plan.channel_count, plan.segment_count, levels,
                                   arena, &plan.table, out_error);
    if (status != MRW_OK)
        return status;
    plan_codes(&plan);
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
            MRWI_PACKED_MAX_WIDTH)
            return true;
    const uint32_t last = motion->sample_count - 1;
    return last % 2 == 1 &&
           signed_width((int64_t)numbers[last] - numbers[last - 1]) > MRWI_PACKED_MAX_WIDTH;
}
