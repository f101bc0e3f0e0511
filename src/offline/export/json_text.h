/* A JSON text that grows in an arena.
 *
 * Members and elements are written in order; commas come by themselves. `key` is the member's
 * name, or NULL in an array. Running out of memory is remembered, not reported: look at
 * `failed` once, at the end.
 */
#ifndef MRWI_OFFLINE_JSON_TEXT_H
#define MRWI_OFFLINE_JSON_TEXT_H

#include "offline/memory/arena.h"

typedef struct mrwi_json_text {
    mrwi_arena *arena;
    char *text; /* not NUL-terminated */
    size_t length;
    size_t capacity;
    bool failed; /* arena->status says why */
} mrwi_json_text;

void mrwi_json_text_begin(mrwi_json_text *json, mrwi_arena *arena);

void mrwi_json_put_open(mrwi_json_text *json, const char *key, char bracket); /* '{' or '[' */
void mrwi_json_put_close(mrwi_json_text *json, char bracket);                 /* '}' or ']' */

/* Bytes that are not UTF-8 become U+FFFD. */
void mrwi_json_put_string(mrwi_json_text *json, const char *key, const char *value);
void mrwi_json_put_unsigned(mrwi_json_text *json, const char *key, uint64_t value);
void mrwi_json_put_bool(mrwi_json_text *json, const char *key, bool value);
void mrwi_json_put_float(mrwi_json_text *json, const char *key, float value);
void mrwi_json_put_floats(mrwi_json_text *json, const char *key, const float *values, size_t count);

#endif
