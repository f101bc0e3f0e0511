#include "offline/export/json_text.h"

#include "base/error.h"
#include "base/utf8.h"
#include "offline/export/float_text.h"

#include <string.h>

#define FIRST_CAPACITY ((size_t)16 << 10)

void mrwi_json_text_begin(mrwi_json_text *json, mrwi_arena *arena)
{
    memset(json, 0, sizeof(*json));
    json->arena = arena;
}

static bool reserve(mrwi_json_text *json, size_t more)
{
    if (json->failed)
        return false;
    if (more <= json->capacity - json->length)
        return true;
    size_t capacity = json->capacity == 0 ? FIRST_CAPACITY : json->capacity * 2;
    while (capacity - json->length < more)
        capacity *= 2;
    char *grown = mrwi_arena_alloc(json->arena, capacity, 1);
    if (grown == NULL) {
        json->failed = true;
        return false;
    }
    if (json->length > 0)
        memcpy(grown, json->text, json->length);
    json->text = grown;
    json->capacity = capacity;
    return true;
}

static void put(mrwi_json_text *json, const char *text, size_t length)
{
    if (!reserve(json, length))
        return;
    memcpy(json->text + json->length, text, length);
    json->length += length;
}

/* One character of a string, escaped where JSON asks for it; returns the bytes that it took. */
static size_t put_character(mrwi_json_text *json, const char *text, size_t size_bytes)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char c = (unsigned char)text[0];
    size_t length = mrwi_utf8_character(text, size_bytes);
    if (length == 0) {
        put(json, "\xef\xbf\xbd", 3);
        return 1;
    }
    if (c == '"' || c == '\\') {
        const char escaped[] = {'\\', (char)c};
        put(json, escaped, 2);
    } else if (c < 0x20) {
        const char escaped[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        put(json, escaped, 6);
    } else {
        put(json, text, length);
    }
    return length;
}

static void put_quoted(mrwi_json_text *json, const char *text)
{
    size_t left = strlen(text);
    put(json, "\"", 1);
    while (left > 0) {
        size_t taken = put_character(json, text, left);
        text += taken;
        left -= taken;
    }
    put(json, "\"", 1);
}

/* What stands before a value: a comma unless it is the first, and its name. */
static void put_key(mrwi_json_text *json, const char *key)
{
    char last = json->length > 0 ? json->text[json->length - 1] : '[';
    if (last != '{' && last != '[')
        put(json, ",", 1);
    if (key != NULL) {
        put_quoted(json, key);
        put(json, ":", 1);
    }
}

void mrwi_json_put_open(mrwi_json_text *json, const char *key, char bracket)
{
    put_key(json, key);
    put(json, &bracket, 1);
}

void mrwi_json_put_close(mrwi_json_text *json, char bracket)
{
    put(json, &bracket, 1);
}

void mrwi_json_put_string(mrwi_json_text *json, const char *key, const char *value)
{
    put_key(json, key);
    put_quoted(json, value);
}

void mrwi_json_put_unsigned(mrwi_json_text *json, const char *key, uint64_t value)
{
    char text[24];
    put_key(json, key);
    put(json, text, mrwi_format(text, sizeof(text), "%z", value));
}

void mrwi_json_put_bool(mrwi_json_text *json, const char *key, bool value)
{
    put_key(json, key);
    put(json, value ? "true" : "false", value ? 4 : 5);
}

void mrwi_json_put_float(mrwi_json_text *json, const char *key, float value)
{
    char text[MRWI_FLOAT_TEXT_BYTES];
    put_key(json, key);
    put(json, text, mrwi_float_text(value, text));
}

void mrwi_json_put_floats(mrwi_json_text *json, const char *key, const float *values, size_t count)
{
    mrwi_json_put_open(json, key, '[');
    for (size_t i = 0; i < count; i++)
        mrwi_json_put_float(json, NULL, values[i]);
    mrwi_json_put_close(json, ']');
}
