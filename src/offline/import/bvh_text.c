/* Words and numbers of a BVH text, and how its errors say where they are. */
#include "offline/import/bvh.h"

#include "base/error.h"
#include "offline/read/number.h"
#include "offline/read/text_place.h"
#include "offline/scene/owner.h"

#include <float.h>
#include <string.h>

bool mrwi_bvh_more(mrwi_bvh *bvh)
{
    while (bvh->at < bvh->length && mrwi_bvh_is_space(bvh->text[bvh->at]))
        bvh->at++;
    return bvh->at < bvh->length;
}

static bool is_brace(char c)
{
    return c == '{' || c == '}';
}

size_t mrwi_bvh_word_length(const mrwi_bvh *bvh)
{
    size_t end = bvh->at;
    if (end < bvh->length && is_brace(bvh->text[end]))
        return 1;
    while (end < bvh->length && !mrwi_bvh_is_space(bvh->text[end]) && !is_brace(bvh->text[end]))
        end++;
    return end - bvh->at;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Whether the text at `at` begins with `word`, in any case of letters. */
static bool begins_with(const mrwi_bvh *bvh, size_t at, const char *word)
{
    size_t i = 0;
    while (word[i] != '\0' && at + i < bvh->length && lower(bvh->text[at + i]) == lower(word[i]))
        i++;
    return word[i] == '\0';
}

bool mrwi_bvh_accept(mrwi_bvh *bvh, const char *word)
{
    size_t length = mrwi_bvh_word_length(bvh);
    if (length != strlen(word) || !begins_with(bvh, bvh->at, word))
        return false;
    bvh->at += length;
    return true;
}

/* --- what is wrong, and where ----------------------------------------------------------------- */

void mrwi_bvh_quote(const mrwi_bvh *bvh, char out[MRWI_BVH_WHERE])
{
    if (bvh->at >= bvh->length) {
        mrwi_format(out, MRWI_BVH_WHERE, "the end of the file");
        return;
    }
    char word[41];
    size_t length = mrwi_bvh_word_length(bvh);
    if (length > sizeof(word) - 1)
        length = sizeof(word) - 1;
    for (size_t i = 0; i < length; i++) {
        char c = bvh->text[bvh->at + i];
        word[i] = c > ' ' && c < '\x7f' ? c : '?';
    }
    word[length] = '\0';
    mrwi_format(out, MRWI_BVH_WHERE, "'%s'", word);
}

mrw_status mrwi_bvh_at(const mrwi_bvh *bvh, size_t offset, mrw_status status)
{
    mrwi_text_set_place(bvh->text, offset, bvh->out_error);
    return status;
}

/* Places mostly come in the order of the text: counting goes on where it stopped, so that a file
 * with an oddity in every line is not read from its start each time. */
static uint32_t line_of(mrwi_bvh *bvh, size_t offset)
{
    if (offset < bvh->counted) {
        bvh->counted = 0;
        bvh->counted_lines = 0;
    }
    mrw_error place = {0};
    mrwi_text_set_place(bvh->text + bvh->counted, offset - bvh->counted, &place);
    bvh->counted = offset;
    bvh->counted_lines += place.line - 1;
    return bvh->counted_lines + 1;
}

mrw_status mrwi_bvh_diagnose(mrwi_bvh *bvh, mrw_severity severity, const char *code, size_t offset,
                             const char *message, uint32_t count)
{
    char where[MRWI_BVH_WHERE];
    if (count == 0)
        return MRW_OK;
    mrwi_format(where, sizeof(where), "line %u", line_of(bvh, offset));
    if (!mrwi_scene_diagnose_times(bvh->scene, severity, code, where, message, count))
        return mrwi_arena_fail(bvh->arena, bvh->out_error, "diagnostics");
    return MRW_OK;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* What C libraries print for infinity and for no number: "inf", "-nan(ind)", "1.#QNAN". */
static bool is_not_finite(const mrwi_bvh *bvh, size_t length)
{
    if (memchr(bvh->text + bvh->at, '#', length) != NULL)
        return true;
    size_t at = bvh->at + (bvh->text[bvh->at] == '-' || bvh->text[bvh->at] == '+');
    return begins_with(bvh, at, "nan") || begins_with(bvh, at, "inf");
}

mrw_status mrwi_bvh_number(mrwi_bvh *bvh, const char *where, double *out_value)
{
    double value;
    size_t left = bvh->length - bvh->at;
    size_t length = mrwi_number_parse(bvh->text + bvh->at, left, &value);
    size_t word = length;
    if (length == 0 || (length < left && !mrwi_bvh_is_space(bvh->text[bvh->at + length])))
        word = mrwi_bvh_word_length(bvh);
    bool finite = word == length && value >= -(double)FLT_MAX && value <= (double)FLT_MAX;
    if (word == 0 || (word != length && !is_not_finite(bvh, word))) {
        char found[MRWI_BVH_WHERE];
        mrwi_bvh_quote(bvh, found);
        bool comma = word > 0 && memchr(bvh->text + bvh->at, ',', word) != NULL;
        return mrwi_bvh_at(bvh, bvh->at,
                           mrwi_fail(bvh->out_error,
                                     word == 0 ? MRW_ERR_TRUNCATED : MRW_ERR_INVALID_VALUE, "%s",
                                     "expected a number, found %s%s", where, found,
                                     comma ? ": a decimal comma must be a point" : ""));
    }
    if (finite) {
        *out_value = value;
    } else {
        if (bvh->not_finite_count == 0)
            bvh->first_not_finite = bvh->at;
        bvh->not_finite_count += bvh->not_finite_count < UINT32_MAX;
    }
    bvh->at += word;
    return MRW_OK;
}
