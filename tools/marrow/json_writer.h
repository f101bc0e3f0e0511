/* JSON to a stream, piece by piece: nothing but one buffer is held in memory.
 *
 * Every function takes the member's name, or NULL inside an array. What is written is always
 * valid JSON as long as objects and arrays are closed and names are given where they belong.
 */
#ifndef MARROW_TOOL_JSON_WRITER_H
#define MARROW_TOOL_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_JSON_DEPTH 16

typedef enum cli_json_layout {
    CLI_JSON_LINES, /* each member on a line of its own, indented */
    CLI_JSON_INLINE /* everything on one line; what is inside is inline too */
} cli_json_layout;

typedef struct cli_json {
    FILE *out;
    uint32_t depth;
    struct {
        char closing; /* '}' or ']' */
        bool is_inline;
        bool has_members;
    } levels[CLI_JSON_DEPTH];
    size_t used;
    char buffer[1 << 15];
} cli_json;

void cli_json_begin(cli_json *json, FILE *out);
/* Ends the line and hands the buffer to the stream, whose error flag tells whether it arrived. */
void cli_json_finish(cli_json *json);

void cli_json_object(cli_json *json, const char *name, cli_json_layout layout);
void cli_json_array(cli_json *json, const char *name, cli_json_layout layout);
/* Closes the innermost object or array. */
void cli_json_end(cli_json *json);

/* Bytes that are no UTF-8 become U+FFFD. */
void cli_json_string(cli_json *json, const char *name, const char *value);
void cli_json_unsigned(cli_json *json, const char *name, uint64_t value);
void cli_json_signed(cli_json *json, const char *name, int64_t value);
/* The value must be finite. */
void cli_json_float(cli_json *json, const char *name, float value);
/* An array of finite values on one line. */
void cli_json_floats(cli_json *json, const char *name, const float *values, size_t count);
void cli_json_bool(cli_json *json, const char *name, bool value);
void cli_json_null(cli_json *json, const char *name);

#endif
