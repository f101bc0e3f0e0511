#include "stored/motion_model.h"

#include "base/align.h"

const int8_t mrwi_predictor_forms[MRWI_PREDICTOR_FORMS][MRWI_OWN_WEIGHTS] = {
    {0, 0, 0}, {32, 0, 0}, {16, 0, 0}, {48, -16, 0}, {24, 8, 0}};

/* --- memory ------------------------------------------------------------------------------ */

static size_t row_count(uint32_t segment_log2)
{
    return MRWI_PAST_ROWS + ((size_t)1 << segment_log2) + 1;
}

size_t mrwi_motion_bytes(uint32_t channel_count, uint32_t segment_log2)
{
    size_t bytes = 0;
    const size_t of_channel = sizeof(mrwi_predictor) + sizeof(mrwi_spread) + 2 * sizeof(int32_t) +
                              row_count(segment_log2) * sizeof(int32_t);
    return mrwi_mul_size(channel_count, of_channel, &bytes) ? bytes : 0;
}

/* A quarter of the range that the anchors have. */
static uint32_t first_spread(uint32_t width)
{
    const uint32_t most = 23;
    return width == 0 ? 0 : (uint32_t)1 << ((width < most ? width : most) + MRWI_SPREAD_BITS - 2);
}

void mrwi_motion_reset(mrwi_motion_model *motion, uint32_t channel_count, uint32_t segment_log2,
                       const uint8_t *anchor_widths, void *memory)
{
    memset(motion, 0, sizeof(*motion));
    memset(memory, 0, mrwi_motion_bytes(channel_count, segment_log2));
    motion->channel_count = channel_count;
    motion->segment_log2 = segment_log2;
    motion->anchor_widths = anchor_widths;
    motion->predictors = memory;
    motion->spreads = (mrwi_spread *)(void *)(motion->predictors + channel_count);
    motion->expected = (int32_t *)(void *)(motion->spreads + channel_count);
    motion->surprises = motion->expected + channel_count;
    motion->rows = motion->surprises + channel_count;
    for (uint32_t c = 0; c < channel_count; c++)
        motion->spreads[c].fast = motion->spreads[c].slow = first_spread(anchor_widths[c]);
    mrwi_number_model_reset(&motion->numbers);
    mrwi_number_model_reset(&motion->weights);
    mrwi_table_reset(&motion->forms, 2, 5);
    mrwi_table_reset(&motion->other_counts, 2, 5);
    mrwi_table_reset(&motion->closings, 2, 5);
    const mrwi_spread spread = {16 << MRWI_SPREAD_BITS, 16 << MRWI_SPREAD_BITS};
    for (uint32_t i = 0; i < MRWI_OWN_WEIGHTS; i++)
        motion->own_spreads[i] = spread;
    motion->distance_spread = motion->weight_spread = spread;
}

void mrwi_motion_next_segment(mrwi_motion_model *motion)
{
    const size_t row = motion->channel_count;
    memmove(motion->rows, motion->rows + ((size_t)row << motion->segment_log2),
            (MRWI_PAST_ROWS + 1) * row * sizeof(int32_t));
}

/* --- predictors -------------------------------------------------------------------------- */

static int32_t code_small(mrwi_coder *coder, mrwi_motion_model *motion, mrwi_spread *spread,
                          int32_t number)
{
    return mrwi_code_number(coder, &motion->weights, spread, 4, 0, number);
}

static bool is_weight(int32_t number)
{
    return number >= -MRWI_WEIGHT_LIMIT && number <= MRWI_WEIGHT_LIMIT;
}

static void code_predictor(mrwi_coder *coder, mrwi_motion_model *motion, uint32_t channel)
{
    mrwi_predictor *one = &motion->predictors[channel];
    one->form = mrwi_code_token(coder, &motion->forms, one->form);
    for (uint32_t i = 0; i < MRWI_OWN_WEIGHTS; i++) {
        if (one->form < MRWI_PREDICTOR_FORMS)
            one->own[i] = mrwi_predictor_forms[one->form][i];
        else
            one->own[i] = code_small(coder, motion, &motion->own_spreads[i], one->own[i]);
        motion->is_damaged |= !is_weight(one->own[i]);
    }
    one->other_count = mrwi_code_token(coder, &motion->other_counts, one->other_count);
    if (one->form > MRWI_PREDICTOR_FORMS || one->other_count > MRWI_MOST_OTHERS) {
        motion->is_damaged = true;
        return;
    }
    for (uint32_t i = 0; i < one->other_count; i++) {
        mrwi_other_channel *other = &one->others[i];
        const int32_t distance = code_small(coder, motion, &motion->distance_spread,
                                            mrwi_wrap(channel - other->channel));
        other->weight = code_small(coder, motion, &motion->weight_spread, other->weight);
        if (distance < 1 || (uint32_t)distance > channel || !is_weight(other->weight)) {
            motion->is_damaged = true;
            return;
        }
        other->channel = channel - (uint32_t)distance;
    }
}

bool mrwi_code_predictors(mrwi_coder *coder, mrwi_motion_model *motion)
{
    for (; motion->channel < motion->channel_count; motion->channel++) {
        if (!mrwi_has_words(coder, MRWI_PREDICTOR_WORDS))
            return false;
        code_predictor(coder, motion, motion->channel);
        if (motion->is_damaged)
            return true;
    }
    motion->channel = 0;
    return true;
}

/* --- samples ----------------------------------------------------------------------------- */

/* By their own past, all channels of a row. Sums wrap. */
static void expect_row(mrwi_motion_model *motion, uint32_t sample, uint32_t place)
{
    const uint32_t count = motion->channel_count;
    if (sample == 0) {
        memset(motion->expected, 0, count * sizeof(int32_t));
        return;
    }
    const int32_t *back1 = mrwi_motion_row(motion, place) - count;
    const int32_t *back2 = back1 - count, *back3 = back2 - count, *back4 = back3 - count;
    for (uint32_t c = 0; c < count; c++) {
        const int32_t *own = motion->predictors[c].own;
        const uint32_t v1 = (uint32_t)back1[c], v2 = (uint32_t)back2[c], v3 = (uint32_t)back3[c],
                       v4 = (uint32_t)back4[c];
        motion->expected[c] =
            mrwi_wrap(32 * v1 + (uint32_t)own[0] * (v1 - v2) + (uint32_t)own[1] * (v2 - v3) +
                      (uint32_t)own[2] * (v3 - v4));
    }
}

/* What the surprises of channels before this one add. Those that are not there have weight 0. */
static int32_t correction(const mrwi_motion_model *motion, const mrwi_predictor *predictor)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < MRWI_MOST_OTHERS; i++)
        sum += (uint32_t)predictor->others[i].weight *
               (uint32_t)motion->surprises[predictor->others[i].channel];
    return mrwi_wrap(sum) >> MRWI_FRACTION_BITS;
}

/* How slowly long-time spreads follow: faster where there is no long time yet. */
static uint32_t slow_shift(uint32_t sample)
{
    return sample < 4 ? 2 : sample < 8 ? 3 : 4;
}

/* The first sample is expected to be 0; for the second the time before is as the first. */
static void begin_past(mrwi_motion_model *motion)
{
    const uint32_t count = motion->channel_count;
    const int32_t *first = mrwi_motion_row(motion, 0);
    for (uint32_t i = 0; i < MRWI_PAST_ROWS; i++)
        memcpy(motion->rows + (size_t)i * count, first, count * sizeof(int32_t));
    for (uint32_t c = 0; c < count; c++) {
        uint32_t size = first[c] < 0 ? 0 - (uint32_t)first[c] : (uint32_t)first[c];
        size = size < (uint32_t)1 << 24 ? size : (uint32_t)1 << 24;
        motion->spreads[c].fast = motion->spreads[c].slow = size << (MRWI_SPREAD_BITS - 3);
    }
}

static bool fits(int32_t number)
{
    return number >= -(1 << 25) && number < 1 << 25;
}

static bool all_fit(const int32_t *row, uint32_t count)
{
    uint32_t any = 0;
    for (uint32_t c = 0; c < count; c++)
        any |= (uint32_t)(row[c] ^ row[c] >> 31);
    return any < (uint32_t)1 << 25;
}

static int32_t prediction(const mrwi_motion_model *motion, uint32_t channel)
{
    uint32_t others = 0;
    if (motion->sample > 0)
        others = (uint32_t)correction(motion, &motion->predictors[channel]);
    return mrwi_wrap((uint32_t)motion->expected[channel] + others);
}

static int32_t surprise(const mrwi_motion_model *motion, uint32_t channel, int32_t number)
{
    return mrwi_wrap(32 * (uint32_t)number - (uint32_t)motion->expected[channel]);
}

static void encode_channels(mrwi_coder *coder, mrwi_motion_model *motion, uint32_t shift,
                            const int32_t *row)
{
    for (uint32_t c = 0; c < motion->channel_count; c++) {
        mrwi_code_number(coder, &motion->numbers, &motion->spreads[c], shift, prediction(motion, c),
                         row[c]);
        motion->surprises[c] = surprise(motion, c, row[c]);
    }
    motion->channel = motion->channel_count;
}

/* As far as there are words. The coder's copy stays in registers, and is known not to encode. */
static void decode_channels(mrwi_coder *coder, mrwi_motion_model *motion, uint32_t shift,
                            int32_t *row)
{
    mrwi_coder copy = *coder;
    copy.put = NULL;
    const uint32_t count = motion->channel_count;
    uint32_t c = motion->channel;
    for (; c < count && mrwi_has_words(&copy, MRWI_NUMBER_WORDS); c++) {
        row[c] = mrwi_code_number_inline(&copy, &motion->numbers, &motion->spreads[c], shift,
                                         prediction(motion, c), 0);
        motion->surprises[c] = surprise(motion, c, row[c]);
    }
    motion->channel = c;
    *coder = copy;
}

bool mrwi_code_sample(mrwi_coder *coder, mrwi_motion_model *motion)
{
    const uint32_t sample = motion->sample;
    const uint32_t segment = (uint32_t)1 << motion->segment_log2;
    const uint32_t place = sample == 0 ? 0 : (sample - 1) % segment + 1;
    int32_t *row = mrwi_motion_row(motion, place);
    if (motion->channel == 0)
        expect_row(motion, sample, place);
    if (coder->put != NULL)
        encode_channels(coder, motion, slow_shift(sample), row);
    else
        decode_channels(coder, motion, slow_shift(sample), row);
    if (motion->channel < motion->channel_count)
        return false;
    motion->is_damaged |= !all_fit(row, motion->channel_count);
    if (sample == 0)
        begin_past(motion);
    motion->channel = 0;
    motion->sample++;
    return true;
}

/* --- behind the last sample -------------------------------------------------------------- */

/* On the line through the left anchor and the last sample. */
static int32_t line_end(int32_t anchor, int32_t at_last, uint32_t last, uint32_t segment)
{
    const int64_t limit = (int64_t)1 << 24;
    const int64_t slope = (int64_t)at_last - anchor;
    const int64_t end = at_last + slope * (int64_t)(segment - last) / (int64_t)last;
    return (int32_t)(end < -limit ? -limit : end > limit - 1 ? limit - 1 : end);
}

bool mrwi_code_closing(mrwi_coder *coder, mrwi_motion_model *motion, uint32_t last)
{
    enum { AGAIN, LINE, OTHER };
    const uint32_t segment = (uint32_t)1 << motion->segment_log2;
    const int32_t *anchors = mrwi_motion_row(motion, 0);
    const int32_t *at_last = mrwi_motion_row(motion, last);
    int32_t *closing = mrwi_motion_row(motion, segment);
    for (; motion->channel < motion->channel_count; motion->channel++) {
        const uint32_t c = motion->channel;
        if (!mrwi_has_words(coder, 1 + MRWI_NUMBER_WORDS))
            return false;
        const int32_t line = line_end(anchors[c], at_last[c], last, segment);
        uint32_t token = closing[c] == at_last[c] ? AGAIN : closing[c] == line ? LINE : OTHER;
        token = mrwi_code_token(coder, &motion->closings, token);
        if (token == AGAIN)
            closing[c] = at_last[c];
        else if (token == LINE)
            closing[c] = line;
        else
            closing[c] = mrwi_code_number(coder, &motion->numbers, &motion->spreads[c], 4,
                                          mrwi_wrap(32 * (uint32_t)at_last[c]), closing[c]);
        motion->is_damaged |= !fits(closing[c]) || token > OTHER;
    }
    for (uint32_t place = last + 1; place < segment; place++)
        memcpy(mrwi_motion_row(motion, place), closing, motion->channel_count * sizeof(int32_t));
    motion->channel = 0;
    return true;
}
