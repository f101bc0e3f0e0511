#include "json_writer.h"

#include "number_text.h"
#include "text.h"

#include <string.h>

static void flush(cli_json *json)
{
    fwrite(json->buffer, 1, json->used, json->out);
    json->used = 0;
}

/* Room for `size` bytes, which is always far less than the buffer. */
static char *reserve(cli_json *json, size_t size)
{
    if (json->used + size > sizeof(json->buffer)) {
        flush(json);
    }
    return json->buffer + json->used;
}

static void put_char(cli_json *json, char c)
{
    *reserve(json, 1) = c;
    json->used += 1;
}

static void put(cli_json *json, const char *text)
{
    for (; *text; ++text) {
        put_char(json, *text);
    }
}

static void put_escaped(cli_json *json, uint8_t control)
{
    static const char hex[] = "0123456789abcdef";
    put(json, "\\u00");
    put_char(json, hex[control >> 4]);
    put_char(json, hex[control & 15]);
}

static void put_string(cli_json *json, const char *text)
{
    put_char(json, '"');
    while (*text) {
        size_t length = cli_utf8_length(text);
        if (length == 0) {
            put(json, "\xef\xbf\xbd");
            length = 1;
        } else if (*text == '"' || *text == '\\') {
            put_char(json, '\\');
            put_char(json, *text);
        } else if (length == 1 && ((uint8_t)*text < 0x20 || *text == 0x7f)) {
            put_escaped(json, (uint8_t)*text);
        } else {
            memcpy(reserve(json, length), text, length);
            json->used += length;
        }
        text += length;
    }
    put_char(json, '"');
}

static void put_float(cli_json *json, float value)
{
    json->used += cli_format_float(value, reserve(json, CLI_FLOAT_SIZE));
}

static void put_indent(cli_json *json)
{
    put_char(json, '\n');
    for (uint32_t i = 0; i < json->depth; ++i) {
        put(json, "  ");
    }
}

/* Comma, place and name of what comes next. */
static void begin_value(cli_json *json, const char *name)
{
    if (json->depth > 0) {
        bool is_inline = json->levels[json->depth - 1].is_inline;
        if (json->levels[json->depth - 1].has_members) {
            put(json, is_inline ? ", " : ",");
        }
        if (!is_inline) {
            put_indent(json);
        }
        json->levels[json->depth - 1].has_members = true;
    }
    if (name) {
        put_string(json, name);
        put(json, ": ");
    }
}

static void open_level(cli_json *json, const char *name, cli_json_layout layout, char opening,
                       char closing)
{
    begin_value(json, name);
    put_char(json, opening);
    bool outer_inline = json->depth > 0 && json->levels[json->depth - 1].is_inline;
    json->levels[json->depth].closing = closing;
    json->levels[json->depth].is_inline = outer_inline || layout == CLI_JSON_INLINE;
    json->levels[json->depth].has_members = false;
    json->depth += 1;
}

void cli_json_begin(cli_json *json, FILE *out)
{
    json->out = out;
    json->depth = 0;
    json->used = 0;
}

void cli_json_finish(cli_json *json)
{
    put_char(json, '\n');
    flush(json);
}

void cli_json_object(cli_json *json, const char *name, cli_json_layout layout)
{
    open_level(json, name, layout, '{', '}');
}

void cli_json_array(cli_json *json, const char *name, cli_json_layout layout)
{
    open_level(json, name, layout, '[', ']');
}

void cli_json_end(cli_json *json)
{
    json->depth -= 1;
    if (json->levels[json->depth].has_members && !json->levels[json->depth].is_inline) {
        put_indent(json);
    }
    put_char(json, json->levels[json->depth].closing);
}

void cli_json_string(cli_json *json, const char *name, const char *value)
{
    begin_value(json, name);
    put_string(json, value);
}

static void put_unsigned(cli_json *json, uint64_t value)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) {
        put_char(json, digits[--count]);
    }
}

void cli_json_unsigned(cli_json *json, const char *name, uint64_t value)
{
    begin_value(json, name);
    put_unsigned(json, value);
}

void cli_json_signed(cli_json *json, const char *name, int64_t value)
{
    begin_value(json, name);
    if (value < 0) {
        put_char(json, '-');
    }
    put_unsigned(json, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void cli_json_float(cli_json *json, const char *name, float value)
{
    begin_value(json, name);
    put_float(json, value);
}

void cli_json_floats(cli_json *json, const char *name, const float *values, size_t count)
{
    begin_value(json, name);
    put_char(json, '[');
    for (size_t i = 0; i < count; ++i) {
        if (i > 0) {
            put(json, ", ");
        }
        put_float(json, values[i]);
    }
    put_char(json, ']');
}

void cli_json_bool(cli_json *json, const char *name, bool value)
{
    begin_value(json, name);
    put(json, value ? "true" : "false");
}

void cli_json_null(cli_json *json, const char *name)
{
    begin_value(json, name);
    put(json, "null");
}
