/* jsmn splits a text into tokens; this file makes a document of them that can be asked.
 *
 * jsmn takes what it needs and no more: also in its strict mode it lets "[1 2]", "nonsense" and
 * an object without colons pass. So json_syntax.c reads the text first and refuses all that is
 * not JSON, with line and column; what reaches jsmn is right and its number of
 * tokens known.
 *
 * jsmn's tokens stand in the order of the text, each with the number of its parent. One pass turns
 * that into lists of children, so that element 90,000 of an array costs as much as the first: a
 * file with a hundred thousand nodes must not cost their square.
 *
 *     {"a": [7, 8]}     token 0 object   key 1 "a"   2 array   3 "7"   4 "8"
 *                       children of 0: 1           children of 2: 3 4
 *
 * The value of key k is token k + 1.
 */
#include "offline/read/json.h"

#include "base/error.h"
#include "offline/read/json_syntax.h"
#include "offline/read/number.h"

#include <string.h>

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#include <jsmn.h>

/* Objects of up to this many keys are searched for duplicates pair by pair. */
#define SMALL_OBJECT 16

/* --- reading strings ---------------------------------------------------------------------- */

static uint32_t hex4(const char *digits)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; i++) {
        char c = digits[i];
        uint32_t digit = c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a') + 10;
        value = value * 16 + digit;
    }
    return value;
}

static size_t put_utf8(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint32_t leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80u | (code & 0x3fu));
    out[0] = (char)(leads[length] | code);
    return length;
}

/* "\uXXXX" at *at, perhaps the first half of a pair. */
static uint32_t unicode_escape(const char *text, size_t end, size_t *at)
{
    uint32_t code = hex4(text + *at + 2);
    *at += 6;
    bool pair = code >= 0xd800 && code < 0xdc00 && end - *at >= 6 && text[*at] == '\\' &&
                text[*at + 1] == 'u';
    if (pair) {
        uint32_t low = hex4(text + *at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            *at += 6;
            return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    bool half = code >= 0xd800 && code < 0xe000;
    return half || code == 0 ? 0xfffd : code;
}

/* The next character of a string, decoded; *at moves behind it. Returns the bytes in out. */
static size_t next_character(const char *text, size_t end, size_t *at, char out[4])
{
    if (text[*at] != '\\') {
        out[0] = text[(*at)++];
        return 1;
    }
    if (text[*at + 1] == 'u')
        return put_utf8(unicode_escape(text, end, at), out);
    static const char escapes[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    out[0] = meanings[strchr(escapes, text[*at + 1]) - escapes];
    *at += 2;
    return 1;
}

static bool has_escape(const mrwi_json *json, const mrwi_json_value *string)
{
    return memchr(json->text + string->start, '\\', string->end - string->start) != NULL;
}

bool mrwi_json_equals(const mrwi_json *json, const mrwi_json_value *string, const char *text)
{
    if (!mrwi_json_is(string, MRWI_JSON_STRING))
        return false;
    size_t length = strlen(text);
    size_t size = string->end - string->start;
    if (size == length && memcmp(json->text + string->start, text, length) == 0)
        return true;
    if (size <= length || !has_escape(json, string))
        return false; /* an escape is longer than what it means */
    size_t matched = 0;
    for (size_t at = string->start; at < string->end;) {
        char character[4];
        size_t bytes = next_character(json->text, string->end, &at, character);
        if (bytes > length - matched || memcmp(text + matched, character, bytes) != 0)
            return false;
        matched += bytes;
    }
    return matched == length;
}

char *mrwi_json_string(const mrwi_json *json, const mrwi_json_value *string, mrwi_arena *arena,
                       size_t *out_length)
{
    size_t size = string->end - string->start;
    char *copy = mrwi_arena_alloc(arena, size + 1, 1);
    if (copy == NULL)
        return NULL;
    size_t length = 0;
    if (!has_escape(json, string)) {
        memcpy(copy, json->text + string->start, size);
        length = size;
    } else {
        for (size_t at = string->start; at < string->end;) {
            char character[4];
            size_t bytes = next_character(json->text, string->end, &at, character);
            memcpy(copy + length, character, bytes);
            length += bytes;
        }
    }
    copy[length] = '\0';
    if (out_length != NULL)
        *out_length = length;
    return copy;
}

/* --- asking ------------------------------------------------------------------------------- */

bool mrwi_json_is(const mrwi_json_value *value, mrwi_json_type type)
{
    return value != NULL && value->type == type;
}

const mrwi_json_value *mrwi_json_key(const mrwi_json *json, const mrwi_json_value *object,
                                     uint32_t index)
{
    return &json->values[json->children[object->first + index]];
}

const mrwi_json_value *mrwi_json_member_at(const mrwi_json *json, const mrwi_json_value *object,
                                           uint32_t index)
{
    return mrwi_json_key(json, object, index) + 1;
}

const mrwi_json_value *mrwi_json_member(const mrwi_json *json, const mrwi_json_value *object,
                                        const char *name)
{
    if (!mrwi_json_is(object, MRWI_JSON_OBJECT))
        return NULL;
    for (uint32_t i = object->count; i-- > 0;)
        if (mrwi_json_equals(json, mrwi_json_key(json, object, i), name))
            return mrwi_json_member_at(json, object, i);
    return NULL;
}

const mrwi_json_value *mrwi_json_element(const mrwi_json *json, const mrwi_json_value *array,
                                         uint32_t index)
{
    if (!mrwi_json_is(array, MRWI_JSON_ARRAY) || index >= array->count)
        return NULL;
    return &json->values[json->children[array->first + index]];
}

bool mrwi_json_number(const mrwi_json *json, const mrwi_json_value *value, double *out_number)
{
    if (!mrwi_json_is(value, MRWI_JSON_NUMBER))
        return false;
    return mrwi_number_parse(json->text + value->start, value->end - value->start, out_number) > 0;
}

bool mrwi_json_is_true(const mrwi_json *json, const mrwi_json_value *value)
{
    return mrwi_json_is(value, MRWI_JSON_BOOL) && json->text[value->start] == 't';
}

/* --- building ----------------------------------------------------------------------------- */

static mrwi_json_type type_of(const jsmntok_t *token, const char *text)
{
    switch (token->type) {
    case JSMN_OBJECT:
        return MRWI_JSON_OBJECT;
    case JSMN_ARRAY:
        return MRWI_JSON_ARRAY;
    case JSMN_STRING:
        return MRWI_JSON_STRING;
    default:
        break;
    }
    char c = text[token->start];
    if (c == 't' || c == 'f')
        return MRWI_JSON_BOOL;
    return c == 'n' ? MRWI_JSON_NULL : MRWI_JSON_NUMBER;
}

/* Values with room for the lists of their children; the lists are filled afterwards. */
static void make_values(const jsmntok_t *tokens, uint32_t count, const char *text,
                        mrwi_json_value *values)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++) {
        mrwi_json_value *value = &values[i];
        value->start = (uint32_t)tokens[i].start;
        value->end = (uint32_t)tokens[i].end;
        value->type = type_of(&tokens[i], text);
        value->first = first;
        value->count = 0;
        if (value->type == MRWI_JSON_OBJECT || value->type == MRWI_JSON_ARRAY)
            first += (uint32_t)tokens[i].size;
    }
}

static void link_children(const jsmntok_t *tokens, uint32_t count, mrwi_json_value *values,
                          uint32_t *children)
{
    for (uint32_t i = 1; i < count; i++) {
        mrwi_json_value *parent = &values[tokens[i].parent];
        if (parent->type == MRWI_JSON_OBJECT || parent->type == MRWI_JSON_ARRAY)
            children[parent->first + parent->count++] = i;
    }
}

/* --- duplicate keys ----------------------------------------------------------------------- */

static uint64_t hash_key(const mrwi_json *json, const mrwi_json_value *key)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a over the decoded text */
    for (size_t at = key->start; at < key->end;) {
        char character[4];
        size_t bytes = next_character(json->text, key->end, &at, character);
        for (size_t i = 0; i < bytes; i++)
            hash = (hash ^ (unsigned char)character[i]) * 0x100000001b3u;
    }
    return hash;
}

static bool same_key(const mrwi_json *json, const mrwi_json_value *a, const mrwi_json_value *b)
{
    size_t size = a->end - a->start;
    if (!has_escape(json, a) && !has_escape(json, b))
        return size == b->end - b->start &&
               memcmp(json->text + a->start, json->text + b->start, size) == 0;
    size_t at_a = a->start;
    size_t at_b = b->start;
    char left[4] = {0};
    char right[4] = {0};
    size_t left_size = 0;
    size_t right_size = 0;
    size_t left_used = 0;
    size_t right_used = 0;
    for (;;) {
        if (left_used == left_size && at_a < a->end) {
            left_size = next_character(json->text, a->end, &at_a, left);
            left_used = 0;
        }
        if (right_used == right_size && at_b < b->end) {
            right_size = next_character(json->text, b->end, &at_b, right);
            right_used = 0;
        }
        bool left_done = left_used == left_size;
        bool right_done = right_used == right_size;
        if (left_done || right_done)
            return left_done && right_done;
        if (left[left_used++] != right[right_used++])
            return false;
    }
}

static void note_duplicate(mrwi_json *json, const mrwi_json_value *key)
{
    if (json->duplicate_key == NULL)
        json->duplicate_key = key;
    json->duplicate_key_count++;
}

static void check_small_object(mrwi_json *json, const mrwi_json_value *object)
{
    for (uint32_t i = 1; i < object->count; i++) {
        const mrwi_json_value *key = mrwi_json_key(json, object, i);
        for (uint32_t j = 0; j < i; j++) {
            if (same_key(json, key, mrwi_json_key(json, object, j))) {
                note_duplicate(json, key);
                break;
            }
        }
    }
}

/* A table of twice as many slots as keys, each the number of a key plus 1. Texts made
 * to collide would cost the square of their number; the probes are bounded, and what is not found
 * within them is taken for new: a duplicate is only reported, nothing depends on it. */
static bool check_large_object(mrwi_json *json, const mrwi_json_value *object, mrwi_arena *scratch)
{
    const uint32_t largest_probe = 64;
    uint64_t slot_count = 64;
    while (slot_count < (uint64_t)object->count * 2)
        slot_count *= 2;
    uint32_t *slots = mrwi_arena_alloc(scratch, (size_t)slot_count, sizeof(*slots));
    if (slots == NULL)
        return false;
    for (uint32_t i = 0; i < object->count; i++) {
        const mrwi_json_value *key = mrwi_json_key(json, object, i);
        uint64_t slot = hash_key(json, key);
        for (uint32_t probe = 0; probe < largest_probe; probe++, slot++) {
            uint32_t *entry = &slots[slot & (slot_count - 1)];
            if (*entry == 0) {
                *entry = i + 1;
                break;
            }
            if (same_key(json, key, mrwi_json_key(json, object, *entry - 1))) {
                note_duplicate(json, key);
                break;
            }
        }
    }
    return true;
}

static bool find_duplicate_keys(mrwi_json *json, mrwi_arena *scratch)
{
    for (uint32_t i = 0; i < json->value_count; i++) {
        const mrwi_json_value *value = &json->values[i];
        if (value->type != MRWI_JSON_OBJECT)
            continue;
        if (value->count <= SMALL_OBJECT)
            check_small_object(json, value);
        else if (!check_large_object(json, value, scratch))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------- */

static mrw_status build(mrwi_arena *arena, mrwi_arena *scratch, uint32_t token_count,
                        mrwi_json *json, mrw_error *out_error)
{
    jsmntok_t *tokens = mrwi_arena_alloc(scratch, token_count, sizeof(*tokens));
    if (tokens == NULL)
        return mrwi_arena_fail(scratch, out_error, "JSON");
    jsmn_parser parser;
    jsmn_init(&parser);
    int parsed = jsmn_parse(&parser, json->text, json->length, tokens, token_count);
    if (parsed < 0 || (uint32_t)parsed != token_count)
        return mrwi_fail(out_error, MRW_ERR_JSON_SYNTAX, "JSON", "the text cannot be split");

    mrwi_json_value *values = mrwi_arena_alloc(arena, token_count, sizeof(*values));
    uint32_t *children = mrwi_arena_alloc(arena, token_count, sizeof(*children));
    if (values == NULL || children == NULL)
        return mrwi_arena_fail(arena, out_error, "JSON");
    make_values(tokens, token_count, json->text, values);
    link_children(tokens, token_count, values, children);
    json->values = values;
    json->value_count = token_count;
    json->children = children;
    if (!find_duplicate_keys(json, scratch))
        return mrwi_arena_fail(scratch, out_error, "JSON");
    return MRW_OK;
}

mrw_status mrwi_json_parse(mrwi_arena *arena, const char *text, size_t length, mrwi_json *out_json,
                           mrw_error *out_error)
{
    memset(out_json, 0, sizeof(*out_json));
    out_json->text = text;
    out_json->length = length;
    if (length > INT32_MAX)
        return mrwi_fail(out_error, MRW_ERR_LIMIT, "JSON", "the text is larger than 2 GiB");
    size_t token_count;
    mrw_status status = mrwi_json_check_syntax(text, length, &token_count, out_error);
    if (status != MRW_OK)
        return status;
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, arena);
    status = build(arena, &scratch, (uint32_t)token_count, out_json, out_error);
    mrwi_arena_free(&scratch);
    return status;
}
