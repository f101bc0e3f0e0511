#include "stored/number_model.h"

/* e^(-1 / (8 s)) in 1/65536, for spreads s = 0.2 2^(kind / 4): how much less likely numbers are an
 * eighth farther from the prediction, if they are spread as Laplace has it. */
static const uint16_t decays[MRWI_CLASS_COUNT] = {
    35079, 38746, 42126, 45194, 47947, 50391, 52543, 54423, 56056, 57467,
    58681, 59722, 60611, 61369, 62014, 62561, 63025, 63418, 63751, 64031,
};

/* A table for numbers that spread around a prediction, each token `width` / 8 wide. */
static void reset_near(mrwi_token_table *table, uint32_t decay, int32_t width)
{
    enum { FARTHEST = 8 * 17 + 4 };
    const int32_t eighths = 2;    /* from the nearest whole number to the prediction, on average */
    uint32_t tails[FARTHEST + 1]; /* what lies farther than so many eighths, in 2^-31 */
    tails[0] = (uint32_t)1 << 30;
    for (int i = 1; i <= FARTHEST; i++)
        tails[i] = (uint32_t)((uint64_t)tails[i - 1] * decay >> 16);
    mrwi_table_reset(table, 5, 8);
    for (int t = 1; t < MRWI_TOKEN_COUNT; t++) {
        const int32_t from = (2 * (t - MRWI_MIDDLE_TOKEN) - 1) * width / 2 - eighths;
        const uint32_t below = from < 0 ? tails[-from] : ((uint32_t)1 << 31) - tails[from];
        const uint32_t shared = (1u << MRWI_SHARE_BITS) - 12 * MRWI_TOKEN_COUNT;
        table->starts[t] = (int16_t)(12 * t + (int32_t)((uint64_t)below * shared >> 31));
    }
}

void mrwi_number_model_reset(mrwi_number_model *model)
{
    for (int kind = 0; kind < MRWI_CLASS_COUNT; kind++) {
        const int32_t width = kind < MRWI_EXACT_CLASSES ? 8 : 16;
        reset_near(&model->near[kind], decays[kind], width);
        mrwi_table_reset(&model->far[kind], 4, 6);
    }
    model->mood = model->mood_before = 0;
}

int32_t mrwi_code_number(mrwi_coder *coder, mrwi_number_model *model, mrwi_spread *spread,
                         uint32_t shift, int32_t predicted, int32_t number)
{
    return mrwi_code_number_inline(coder, model, spread, shift, predicted, number);
}
