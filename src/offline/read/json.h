/* A JSON document: checked to the letter, then looked up in constant or linear time.
 *
 * Values are pointers into one array and stay as long as the arena and the text do. All functions
 * take NULL for a value that is not there, and then say "no". */
#ifndef MRWI_OFFLINE_JSON_H
#define MRWI_OFFLINE_JSON_H

#include "offline/memory/arena.h"

typedef enum mrwi_json_type {
    MRWI_JSON_OBJECT,
    MRWI_JSON_ARRAY,
    MRWI_JSON_STRING,
    MRWI_JSON_NUMBER,
    MRWI_JSON_BOOL,
    MRWI_JSON_NULL
} mrwi_json_type;

typedef struct mrwi_json_value {
    uint32_t start; /* of the text that it stands in; a string without its quotes */
    uint32_t end;
    uint32_t count; /* members of an object, elements of an array */
    uint32_t first; /* internal: of its entries in `children` */
    mrwi_json_type type;
} mrwi_json_value;

typedef struct mrwi_json {
    const char *text;
    size_t length;
    const mrwi_json_value *values; /* values[0] is the root */
    uint32_t value_count;
    const uint32_t *children; /* elements of arrays and keys of objects */
    const mrwi_json_value
        *duplicate_key; /* a key that an object has twice, NULL if there is none */
    uint32_t duplicate_key_count;
} mrwi_json;

/* Parses a text, which must stay. The root is an object or an array. Errors: JSON_SYNTAX with line
 * and column, LIMIT (2 GiB, depth), OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_json_parse(mrwi_arena *arena, const char *text, size_t length, mrwi_json *out_json,
                           mrw_error *out_error);

bool mrwi_json_is(const mrwi_json_value *value, mrwi_json_type type);

/* The member of an object with this name; of several the last. NULL if there is none or it is no
 * object. Linear in the members of the object. */
const mrwi_json_value *mrwi_json_member(const mrwi_json *json, const mrwi_json_value *object,
                                        const char *name);

/* Key and value number `index` < object->count, in the order of the text. */
const mrwi_json_value *mrwi_json_key(const mrwi_json *json, const mrwi_json_value *object,
                                     uint32_t index);
const mrwi_json_value *mrwi_json_member_at(const mrwi_json *json, const mrwi_json_value *object,
                                           uint32_t index);

/* Element `index` of an array, NULL if there is none or it is no array. */
const mrwi_json_value *mrwi_json_element(const mrwi_json *json, const mrwi_json_value *array,
                                         uint32_t index);

/* The number nearest to the text; infinite if it is too large. false if it is no number. */
bool mrwi_json_number(const mrwi_json *json, const mrwi_json_value *value, double *out_number);

/* true and false; false for anything else. */
bool mrwi_json_is_true(const mrwi_json *json, const mrwi_json_value *value);

/* Whether a string, its escapes decoded, is this text. */
bool mrwi_json_equals(const mrwi_json *json, const mrwi_json_value *string, const char *text);

/* A string with its escapes decoded, NUL-terminated, in the arena. A NUL in it and half a surrogate
 * pair become U+FFFD. NULL if memory ran out. */
char *mrwi_json_string(const mrwi_json *json, const mrwi_json_value *string, mrwi_arena *arena,
                       size_t *out_length);

#endif
