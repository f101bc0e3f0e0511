/* How the numbers of a packed section are coded, sample after sample:
 * docs/format/clip_stored_v1.md, "Motion".
 *
 *     rows      | a - 4 ... a - 1 | a | a + 1 ... | a + S |      four samples back, then a segment
 *               `-----------------------------------------'      with both of its anchors
 *
 * Each channel is predicted from its own last four numbers, and from how far channels
 * before it in the row were from what their own past said: what a joint loses by rounding, its
 * children give back. */
#ifndef MRWI_STORED_MOTION_MODEL_H
#define MRWI_STORED_MOTION_MODEL_H

#include "stored/number_model.h"

#include <stddef.h>

enum {
    MRWI_PAST_ROWS = 4,
    MRWI_OWN_WEIGHTS = MRWI_PAST_ROWS - 1, /* of differences between these */
    MRWI_MOST_OTHERS = 4,
    MRWI_WEIGHT_LIMIT = 127,
    MRWI_PREDICTOR_FORMS = 5,  /* own weights that have a token; the next token: any others */
    MRWI_PREDICTOR_WORDS = 80, /* the most that a predictor takes */
    MRWI_NUMBER_WORDS = 4      /* and a number */
};

typedef struct mrwi_other_channel {
    uint32_t channel; /* before the one that is predicted */
    int32_t weight;   /* 1/32 */
} mrwi_other_channel;

typedef struct mrwi_predictor {
    int32_t own[MRWI_OWN_WEIGHTS]; /* 1/32 */
    uint32_t form;
    uint32_t other_count;
    mrwi_other_channel others[MRWI_MOST_OTHERS];
} mrwi_predictor;

extern const int8_t mrwi_predictor_forms[MRWI_PREDICTOR_FORMS][MRWI_OWN_WEIGHTS];

typedef struct mrwi_motion_model {
    uint32_t channel_count;
    uint32_t segment_log2;
    const uint8_t *anchor_widths; /* [channel_count] */
    mrwi_predictor *predictors;   /* [channel_count] */
    mrwi_spread *spreads;         /* [channel_count] */
    int32_t *expected;            /* [channel_count] by the channel's own past, in 1/32 */
    int32_t *surprises;           /* [channel_count] of this row: how far from that, in 1/32 */
    int32_t *rows;                /* [MRWI_PAST_ROWS + samples of a segment + 1][channel_count] */
    uint32_t sample;              /* which one is next */
    uint32_t channel;             /* of its channels, or of predictors */
    bool is_damaged;              /* a number that no packed clip has */
    mrwi_number_model numbers;
    /* Of predictors. */
    mrwi_token_table forms, other_counts, closings;
    mrwi_number_model weights;
    mrwi_spread own_spreads[MRWI_OWN_WEIGHTS], distance_spread, weight_spread;
} mrwi_motion_model;

/* What lies behind the model; 0 if it does not fit a size_t. */
size_t mrwi_motion_bytes(uint32_t channel_count, uint32_t segment_log2);

/* `memory`: so many bytes behind the model, aligned to 8. */
void mrwi_motion_reset(mrwi_motion_model *motion, uint32_t channel_count, uint32_t segment_log2,
                       const uint8_t *anchor_widths, void *memory);

/* Each of these three goes on where it stopped, and returns false where the coder ran out of words.
 */
bool mrwi_code_predictors(mrwi_coder *coder, mrwi_motion_model *motion);

/* The next sample, which stands at mrwi_motion_row when encoding. */
bool mrwi_code_sample(mrwi_coder *coder, mrwi_motion_model *motion);

/* The right anchors of the last segment, if they are no sample: they stand for all places behind
 * the last. `last`: the last sample's place in the segment, 1 to 2^segment_log2 - 1. */
bool mrwi_code_closing(mrwi_coder *coder, mrwi_motion_model *motion, uint32_t last);

/* The numbers at a place of the segment. */
static inline int32_t *mrwi_motion_row(const mrwi_motion_model *motion, uint32_t place)
{
    return motion->rows + (size_t)(MRWI_PAST_ROWS + place) * motion->channel_count;
}

/* The right anchors become the left ones. */
void mrwi_motion_next_segment(mrwi_motion_model *motion);

#endif
