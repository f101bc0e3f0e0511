/* How all of a clip but its motion is coded, word after word: docs/format/clip_stored_v1.md,
 * "Words".
 *
 * A word is often one that stood a few places before, or the one that followed the same words when
 * they were there last. Else its bytes are coded, the highest first. */
#ifndef MRWI_STORED_WORD_MODEL_H
#define MRWI_STORED_WORD_MODEL_H

#include "stored/entropy_coder.h"

enum {
    MRWI_FOLLOWER_BITS = 12,
    MRWI_WORD_STEPS = 9 /* the most that a word takes */
};

typedef struct mrwi_word_model {
    uint32_t after_two[1 << MRWI_FOLLOWER_BITS]; /* which word followed these two */
    uint32_t after_one[1 << MRWI_FOLLOWER_BITS];
    mrwi_token_table sources[MRWI_TOKEN_COUNT]; /* by the word before's */
    mrwi_token_table high[4][32];               /* halves of bytes, by what stands above them */
    mrwi_token_table low[4][32][16];
    uint32_t source;
} mrwi_word_model;

void mrwi_word_model_reset(mrwi_word_model *model);

/* Codes words[index]; those before it are there, as far back as `first`. Words before that count
 * as 0. */
void mrwi_code_word(mrwi_coder *coder, mrwi_word_model *model, uint32_t *words, uint64_t first,
                    uint64_t index);

#endif
