#include "stored/word_model.h"

/* How far back the words stand that a word is compared with, in the order of their tokens. */
static const uint8_t distances[] = {1, 1, 2, 3, 4, 5, 8, 6, 7, 10, 16, 20, 40};

enum { FIRST_DISTANCE = 2, SUCCESSOR = 3, LITERAL = 15 };

void mrwi_word_model_reset(mrwi_word_model *model)
{
    memset(model->after_two, 0, sizeof(model->after_two));
    memset(model->after_one, 0, sizeof(model->after_one));
    for (int i = 0; i < MRWI_TOKEN_COUNT; i++)
        mrwi_table_reset(&model->sources[i], 2, 5);
    for (int lane = 0; lane < 4; lane++)
        for (int above = 0; above < 32; above++) {
            mrwi_table_reset(&model->high[lane][above], 2, 5);
            for (int half = 0; half < 16; half++)
                mrwi_table_reset(&model->low[lane][above][half], 2, 5);
        }
    model->source = LITERAL;
}

static uint32_t word_back(const uint32_t *words, uint64_t first, uint64_t index, uint32_t distance)
{
    return index >= first + distance ? words[index - distance] : 0;
}

static uint32_t mix(uint32_t word)
{
    word *= 0x9e3779b1u;
    return word ^ word >> 15;
}

static uint32_t place(uint32_t mixed)
{
    return mixed & ((1u << MRWI_FOLLOWER_BITS) - 1);
}

static uint32_t code_literal(mrwi_coder *coder, mrwi_word_model *model, uint32_t before,
                             uint32_t word)
{
    uint32_t coded = 0, above = before >> 27;
    for (int lane = 3; lane >= 0; lane--) {
        const uint32_t byte = word >> 8 * lane & 255;
        const uint32_t high = mrwi_code_token(coder, &model->high[lane][above], byte >> 4);
        const uint32_t low = mrwi_code_token(coder, &model->low[lane][above][high], byte & 15);
        coded = coded << 8 | high << 4 | low;
        above = (high << 4 | low) >> 3;
    }
    return coded;
}

void mrwi_code_word(mrwi_coder *coder, mrwi_word_model *model, uint32_t *words, uint64_t first,
                    uint64_t index)
{
    const uint32_t before = word_back(words, first, index, 1);
    uint32_t *after_two =
        &model->after_two[place(mix(before + mix(word_back(words, first, index, 2))))];
    uint32_t *after_one = &model->after_one[place(mix(before))];
    uint32_t candidates[LITERAL];
    candidates[0] = *after_two;
    candidates[1] = *after_one;
    for (uint32_t i = 0; i < sizeof(distances); i++)
        candidates[FIRST_DISTANCE + i] = word_back(words, first, index, distances[i]);
    candidates[SUCCESSOR]++;

    uint32_t source = 0;
    while (source < LITERAL && candidates[source] != words[index])
        source++;
    source = mrwi_code_token(coder, &model->sources[model->source], source);
    words[index] =
        source < LITERAL ? candidates[source] : code_literal(coder, model, before, words[index]);
    model->source = source;
    *after_two = *after_one = words[index];
}
