/* How numbers near a prediction are coded: docs/format/clip_stored_v1.md, "Numbers".
 *
 * What is coded is how far a number is from what was predicted, in units that suit how far off the
 * last predictions of its stream were, its *spread*: near zero each number has a token, in streams
 * that spread more a token stands for 2^k numbers and k plain bits follow. */
#ifndef MRWI_STORED_NUMBER_MODEL_H
#define MRWI_STORED_NUMBER_MODEL_H

#include "stored/entropy_coder.h"

enum {
    MRWI_FRACTION_BITS = 5,  /* of predictions: they count 1/32 */
    MRWI_SPREAD_BITS = 9,    /* of spreads: 1/512 */
    MRWI_EXACT_CLASSES = 16, /* of spreads: four an octave; with a token for each number */
    MRWI_CLASS_COUNT = MRWI_EXACT_CLASSES + 4, /* that have tables */
    MRWI_CLASS_LIMIT = MRWI_EXACT_CLASSES + 4 * 20,
    MRWI_FIRST_CLASS = 26,
    MRWI_MIDDLE_TOKEN = 8 /* of a number as predicted */
};

/* How far off the predictions of a stream were of late, and over a longer time; in 1/512. */
typedef struct mrwi_spread {
    uint32_t fast, slow;
} mrwi_spread;

typedef struct mrwi_number_model {
    /* By how much what came of late spreads more than its streams do, in 1/256 octave; and the same
     * without the last number, which is the one that counts: so a decoder need not know a number
     * before it begins with the next one. Apart, so that they are not stored as a pair. */
    int32_t mood;
    mrwi_token_table near[MRWI_CLASS_COUNT];
    mrwi_token_table far[MRWI_CLASS_COUNT]; /* logarithms of what no token reaches */
    int32_t mood_before;
} mrwi_number_model;

void mrwi_number_model_reset(mrwi_number_model *model);

/* A number near `predicted`, which counts 1/32. `shift`: how slowly the slow spread follows. */
int32_t mrwi_code_number(mrwi_coder *coder, mrwi_number_model *model, mrwi_spread *spread,
                         uint32_t shift, int32_t predicted, int32_t number);

/* Sixteen times the logarithm to base two, of numbers from 16 on: the mantissa stands for its own
 * logarithm. */
static inline int32_t mrwi_rough_log(uint32_t number)
{
    const int32_t shift =
        27 - __builtin_clz(number); /* that leaves five bits, the first of which is 1 */
    return 16 * shift + (int32_t)(number >> shift) + (64 - 16);
}

/* Numbers wrap: nothing that a damaged file makes of a prediction is undefined. */
static inline int32_t mrwi_wrap(uint32_t number)
{
    return (int32_t)number;
}

/* What lies between two numbers of the largest size is not more than this. */
#define MRWI_LARGEST_MISS ((uint32_t)1 << 26)

/* A number of a stream on its way: how far it is from the whole number nearest to the prediction,
 * in steps of 2^coarse, mirrored if the prediction is below that. */
typedef struct mrwi_miss {
    int32_t nearest;
    int32_t mirror; /* -1 or 0 */
    uint32_t coarse;
    int32_t half; /* of a step */
} mrwi_miss;

/* -number if mirror is -1. */
static inline int32_t mrwi_mirrored(int32_t number, int32_t mirror)
{
    return mrwi_wrap(((uint32_t)number ^ (uint32_t)mirror) - (uint32_t)mirror);
}

/* Steps that no token stands for: those behind token 0 or 15, by how far they are behind. */
static inline int32_t mrwi_code_far(mrwi_coder *coder, mrwi_token_table *table, uint32_t token,
                                    int32_t step)
{
    const int32_t last = token == 0 ? -MRWI_MIDDLE_TOKEN : MRWI_TOKEN_ESCAPE - MRWI_MIDDLE_TOKEN;
    uint32_t beyond = 1 + (uint32_t)(token == 0 ? last - step : step - last);
    uint32_t length = 31 - (uint32_t)__builtin_clz(beyond | 1);
    length = mrwi_code_token(coder, table, length < MRWI_TOKEN_ESCAPE ? length : MRWI_TOKEN_ESCAPE);
    if (length < MRWI_TOKEN_ESCAPE) {
        const uint32_t top = (uint32_t)1 << length;
        beyond = top | mrwi_code_bits(coder, length, beyond & (top - 1));
    } else {
        beyond = mrwi_code_bits(coder, MRWI_MOST_PLAIN_BITS, beyond);
    }
    beyond--;
    return mrwi_wrap((uint32_t)last + (token == 0 ? 0 - beyond : beyond));
}

static inline __attribute__((always_inline)) int32_t
mrwi_code_miss(mrwi_coder *coder, mrwi_token_table *near, mrwi_token_table *far, const mrwi_miss *m,
               int32_t number)
{
    uint32_t token = 0, low = 0;
    int32_t step = 0;
    if (coder->put != NULL) {
        const int32_t miss =
            mrwi_mirrored(mrwi_wrap((uint32_t)number - (uint32_t)m->nearest), m->mirror) + m->half;
        low = (uint32_t)miss & (((uint32_t)1 << m->coarse) - 1);
        step = miss >> m->coarse;
        token = step <= -MRWI_MIDDLE_TOKEN ? 0
                : step >= MRWI_TOKEN_ESCAPE - MRWI_MIDDLE_TOKEN
                    ? MRWI_TOKEN_ESCAPE
                    : (uint32_t)(step + MRWI_MIDDLE_TOKEN);
    }
    token = mrwi_code_token(coder, near, token);
    if (token == 0 || token == MRWI_TOKEN_ESCAPE)
        step = mrwi_code_far(coder, far, token, step);
    else
        step = (int32_t)token - MRWI_MIDDLE_TOKEN;
    low = mrwi_code_bits(coder, m->coarse, low);
    const int32_t miss = mrwi_wrap(((uint32_t)step << m->coarse) + low - (uint32_t)m->half);
    return mrwi_wrap((uint32_t)m->nearest + (uint32_t)mrwi_mirrored(miss, m->mirror));
}

/* mrwi_code_number for the loop over samples, where it is nearly all of the work. */
static inline __attribute__((always_inline)) int32_t
mrwi_code_number_inline(mrwi_coder *coder, mrwi_number_model *model, mrwi_spread *spread,
                        uint32_t shift, int32_t predicted, int32_t number)
{
    const uint32_t rest = (uint32_t)1 << (MRWI_SPREAD_BITS - 2); /* no spread is 0 */
    const int32_t expected = mrwi_rough_log((2 * spread->fast + spread->slow) / 3 + rest);
    int32_t kind = ((expected + (3 * model->mood_before >> 6) + 2) >> 2) - MRWI_FIRST_CLASS;
    kind = kind < 0 ? 0 : kind < MRWI_CLASS_LIMIT ? kind : MRWI_CLASS_LIMIT - 1;
    mrwi_miss m = {.coarse = 0};
    if (kind >= MRWI_EXACT_CLASSES) {
        m.coarse = 1 + (uint32_t)(kind - MRWI_EXACT_CLASSES) / 4;
        m.half = 1 << (m.coarse - 1);
        kind = MRWI_EXACT_CLASSES + (kind - MRWI_EXACT_CLASSES) % 4;
    }
    m.nearest = mrwi_wrap((uint32_t)predicted + 16) >> MRWI_FRACTION_BITS;
    m.mirror = mrwi_wrap((uint32_t)predicted - 32 * (uint32_t)m.nearest) >> 31;
    number = mrwi_code_miss(coder, &model->near[kind], &model->far[kind], &m, number);

    const int32_t off = mrwi_wrap(32 * (uint32_t)number - (uint32_t)predicted);
    uint32_t size = off < 0 ? 0 - (uint32_t)off : (uint32_t)off;
    size = size < MRWI_LARGEST_MISS ? size : MRWI_LARGEST_MISS;
    model->mood_before = model->mood;
    model->mood += (16 * (mrwi_rough_log(16 * size + rest) - expected) - model->mood) >> 4;
    spread->fast += (uint32_t)((int32_t)(16 * size - spread->fast) >> 2);
    spread->slow += (uint32_t)((int32_t)(16 * size - spread->slow) >> shift);
    return number;
}

#endif
