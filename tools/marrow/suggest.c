#include "suggest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 31 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Edits that turn a into b: a letter more, less, another, or two swapped. Three rows of the usual
 * table are enough. */
static uint32_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    uint32_t rows[3][LONGEST + 1];
    uint32_t *before = rows[0];
    uint32_t *previous = rows[1];
    uint32_t *current = rows[2];
    for (uint32_t j = 0; j <= b_length; ++j) {
        before[j] = 0;
        previous[j] = j;
    }
    for (size_t i = 1; i <= a_length; ++i) {
        current[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_length; ++j) {
            uint32_t changed = previous[j - 1] + (a[i - 1] != b[j - 1]);
            uint32_t best = least(changed, least(previous[j], current[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = least(best, before[j - 2] + 1);
            }
            current[j] = best;
        }
        uint32_t *oldest = before;
        before = previous;
        previous = current;
        current = oldest;
    }
    return previous[b_length];
}

bool cli_suggest(const char *typed, const char *words, char *out, size_t out_size)
{
    size_t typed_length = strlen(typed);
    if (typed_length < 2 || typed_length > LONGEST) {
        return false;
    }
    uint32_t nearest = (uint32_t)(typed_length < 4 ? 1 : 2) + 1;
    bool found = false;
    for (const char *word = words; *word;) {
        size_t length = strcspn(word, "|");
        bool begins = length > typed_length && memcmp(word, typed, typed_length) == 0;
        uint32_t distance = length > LONGEST ? nearest
                            : begins         ? 0
                                             : edit_distance(typed, typed_length, word, length);
        if (distance < nearest && length < out_size) {
            nearest = distance;
            memcpy(out, word, length);
            out[length] = '\0';
            found = true;
        }
        word += length;
        word += *word == '|';
    }
    return found;
}
