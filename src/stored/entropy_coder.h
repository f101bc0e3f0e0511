/* The entropy coder of stored clips: range asymmetric numeral systems with adaptive tables.
 *
 * All of a stored clip is *tokens*, numbers from 0 to 15 whose table says how likely each is and
 * learns from each that comes, and plain bits. The decoder holds one number of 63 bits, the state,
 * in which all that is yet to come is hidden; taking a token out of it takes a multiplication.
 * Encoding is the way back, last token first: whoever encodes writes down the tokens with their
 * shares and turns the list round at the end.
 *
 * A model, which says in which tables which numbers are looked up, goes the same way in both
 * directions. So each is written once: mrwi_code_token and its kin take what stands there when
 * encoding and return what stood there when decoding.
 *
 * Source: J. Duda, Asymmetric numeral systems, arXiv:1311.2540. */
#ifndef MRWI_STORED_ENTROPY_CODER_H
#define MRWI_STORED_ENTROPY_CODER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    MRWI_TOKEN_COUNT = 16,
    MRWI_TOKEN_ESCAPE = MRWI_TOKEN_COUNT - 1,
    MRWI_SHARE_BITS = 15, /* shares of a table sum up to 1 << this */
    MRWI_LEAST_SHARE = 8, /* what learning leaves of a token that never comes */
    MRWI_REST_SHARE = (1 << MRWI_SHARE_BITS) - MRWI_TOKEN_COUNT * MRWI_LEAST_SHARE,
    MRWI_MOST_PLAIN_BITS = 28
};

#define MRWI_LEAST_STATE ((uint64_t)1 << 31)

/* One step of a list to be encoded. */
typedef struct mrwi_coded_step {
    uint16_t start, share; /* of a token; or share 0: plain bits */
    uint32_t bits;         /* of plain bits: the number */
} mrwi_coded_step;

typedef struct mrwi_step_list mrwi_step_list;

/* Appends to the list. */
typedef void (*mrwi_put_step)(mrwi_step_list *list, mrwi_coded_step step);

typedef struct mrwi_coder {
    uint64_t state;
    const uint8_t *words; /* of 4 bytes, little-endian */
    uint64_t word_count;  /* that are there by now */
    uint64_t next;        /* word; more than there are once some were missing, which read as 0 */
    bool is_whole;        /* no more will come */
    mrwi_put_step put;    /* NULL: decoding */
    mrwi_step_list *list;
} mrwi_coder;

/* Halves of sixteen numbers: in vectors, for a table is searched and moved as a whole. */
typedef int16_t mrwi_table_half __attribute__((vector_size(16)));

enum { MRWI_HALF_COUNT = MRWI_TOKEN_COUNT / 2 };

/* starts[t] is the sum of the shares of the tokens before t; behind the last stands the sum of all,
 * which wraps. */
typedef struct mrwi_token_table {
    union {
        int16_t starts[MRWI_TOKEN_COUNT + 1];
        mrwi_table_half halves[2];
    };
    uint8_t rate; /* by which power of two a token shifts the shares */
    uint8_t most_rate;
    uint16_t until; /* tokens until the rate grows */
} mrwi_token_table;

/* --- words ------------------------------------------------------------------------------- */

static inline uint64_t mrwi_next_word(mrwi_coder *coder)
{
    uint32_t word = 0;
    if (coder->next < coder->word_count)
        memcpy(&word, coder->words + 4 * coder->next, sizeof(word));
    coder->next++;
    return word;
}

static inline void mrwi_begin_decoding(mrwi_coder *coder)
{
    coder->state = mrwi_next_word(coder);
    coder->state |= mrwi_next_word(coder) << 32;
}

/* Whether all words were taken, and the state is where every encoder begins. */
static inline bool mrwi_is_decoded(const mrwi_coder *coder)
{
    return coder->next == coder->word_count && coder->state == MRWI_LEAST_STATE;
}

/* Whether so many steps can be taken, each of which takes a word at most. */
static inline bool mrwi_has_words(const mrwi_coder *coder, uint32_t count)
{
    return coder->is_whole || coder->next + count <= coder->word_count;
}

static inline void mrwi_fill_state(mrwi_coder *coder)
{
    if (coder->state < MRWI_LEAST_STATE)
        coder->state = coder->state << 32 | mrwi_next_word(coder);
}

/* --- tables ------------------------------------------------------------------------------ */

/* All tokens alike. The rate starts at `rate` and ends at `most_rate`. */
static inline void mrwi_table_reset(mrwi_token_table *table, uint32_t rate, uint32_t most_rate)
{
    for (int t = 0; t < MRWI_TOKEN_COUNT; t++)
        table->starts[t] = (int16_t)(t << (MRWI_SHARE_BITS - 4));
    table->starts[MRWI_TOKEN_COUNT] = INT16_MIN;
    table->rate = (uint8_t)rate;
    table->most_rate = (uint8_t)most_rate;
    table->until = (uint16_t)(1u << rate);
}

/* Moves every start a part of the way to where it would stand if this token were nearly certain.
 * The rate is the logarithm of how many tokens there were. */
static inline void mrwi_table_learn(mrwi_token_table *table, uint32_t token)
{
    const mrwi_table_half order = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int i = 0; i < 2; i++) {
        const mrwi_table_half index = order + (int16_t)(MRWI_HALF_COUNT * i);
        const mrwi_table_half is_behind = index > (int16_t)token;
        const mrwi_table_half target =
            index * (int16_t)MRWI_LEAST_SHARE + (is_behind & (int16_t)MRWI_REST_SHARE);
        table->halves[i] += (target - table->halves[i]) >> (int16_t)table->rate;
    }
    if (table->rate < table->most_rate && --table->until == 0) {
        table->rate++;
        table->until = (uint16_t)(1u << table->rate);
    }
}

static inline uint32_t mrwi_table_share(const mrwi_token_table *table, uint32_t token)
{
    return (uint16_t)(table->starts[token + 1] - table->starts[token]);
}

/* The token in whose share a place lies: how many of the starts but the first are not behind it. */
static inline uint32_t mrwi_table_find(const mrwi_token_table *table, uint32_t place)
{
    uint64_t lanes[2];
    const mrwi_table_half counts =
        (table->halves[0] <= (int16_t)place) + (table->halves[1] <= (int16_t)place);
    const mrwi_table_half ones = -counts;
    memcpy(lanes, &ones, sizeof(lanes));
    return (uint32_t)((lanes[0] + lanes[1]) * 0x0001000100010001u >> 48) - 1;
}

/* --- steps ------------------------------------------------------------------------------- */

static inline uint32_t mrwi_code_token(mrwi_coder *coder, mrwi_token_table *table, uint32_t token)
{
    if (coder->put == NULL) {
        const uint32_t place = (uint32_t)coder->state & ((1u << MRWI_SHARE_BITS) - 1);
        token = mrwi_table_find(table, place);
        const uint32_t start = (uint32_t)table->starts[token];
        coder->state =
            mrwi_table_share(table, token) * (coder->state >> MRWI_SHARE_BITS) + place - start;
        mrwi_fill_state(coder);
    } else {
        const uint32_t start = (uint32_t)table->starts[token];
        coder->put(coder->list,
                   (mrwi_coded_step){(uint16_t)start, (uint16_t)mrwi_table_share(table, token), 0});
    }
    mrwi_table_learn(table, token);
    return token;
}

/* `count` bits that nothing is known about, at most MRWI_MOST_PLAIN_BITS. */
static inline uint32_t mrwi_code_bits(mrwi_coder *coder, uint32_t count, uint32_t bits)
{
    if (count == 0)
        return 0;
    if (coder->put == NULL) {
        bits = (uint32_t)coder->state & ((1u << count) - 1);
        coder->state >>= count;
        mrwi_fill_state(coder);
    } else {
        coder->put(coder->list, (mrwi_coded_step){(uint16_t)count, 0, bits});
    }
    return bits;
}

#endif
