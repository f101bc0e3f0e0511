#include "base/error.h"

#include <stdarg.h>
#include <string.h>

/* A text being written into a fixed array; what does not fit is dropped. */
typedef struct text_writer {
    char *out;
    size_t capacity; /* without the NUL */
    size_t length;
    bool full;
} text_writer;

static void put_char(text_writer *writer, char c)
{
    if (writer->length < writer->capacity)
        writer->out[writer->length++] = c;
    else
        writer->full = true;
}

static void put_string(text_writer *writer, const char *text)
{
    if (text == NULL)
        text = "(null)";
    while (*text != '\0')
        put_char(writer, *text++);
}

static void put_unsigned(text_writer *writer, uint64_t value)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + (char)(value % 10));
        value /= 10;
    } while (value != 0);
    while (count > 0)
        put_char(writer, digits[--count]);
}

static void put_signed(text_writer *writer, int32_t value)
{
    int64_t wide = value;
    if (wide < 0) {
        put_char(writer, '-');
        wide = -wide;
    }
    put_unsigned(writer, (uint64_t)wide);
}

/* A cut in the middle of a UTF-8 sequence would make the text invalid: go back to where
 * the sequence starts. */
static void finish(text_writer *writer)
{
    if (writer->full) {
        size_t end = writer->length;
        while (end > 0 && ((unsigned char)writer->out[end - 1] & 0xC0u) == 0x80u)
            end--;
        if (end > 0 && ((unsigned char)writer->out[end - 1] & 0x80u) != 0)
            writer->length = end - 1;
    }
    writer->out[writer->length] = '\0';
}

static void put_format(text_writer *writer, const char *format, va_list *arguments)
{
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            put_char(writer, *format);
            continue;
        }
        format++;
        switch (*format) {
        case 's':
            put_string(writer, va_arg(*arguments, const char *));
            break;
        case 'u':
            put_unsigned(writer, va_arg(*arguments, uint32_t));
            break;
        case 'd':
            put_signed(writer, va_arg(*arguments, int32_t));
            break;
        case 'z':
            put_unsigned(writer, va_arg(*arguments, uint64_t));
            break;
        case '\0':
            return;
        default:
            put_char(writer, *format);
        }
    }
}

static void format_into(char *out, size_t size_bytes, const char *format, va_list *arguments)
{
    text_writer writer = {out, size_bytes - 1, 0, false};
    put_format(&writer, format, arguments);
    finish(&writer);
}

size_t mrwi_format(char *out, size_t size_bytes, const char *format, ...)
{
    if (size_bytes == 0)
        return 0;
    va_list arguments;
    va_start(arguments, format);
    format_into(out, size_bytes, format, &arguments);
    va_end(arguments);
    return strlen(out);
}

mrw_status mrwi_fail(mrw_error *out_error, mrw_status status, const char *detail,
                     const char *format, ...)
{
    if (out_error == NULL)
        return status;
    memset(out_error, 0, sizeof(*out_error));
    out_error->status = status;
    va_list arguments;
    va_start(arguments, format);
    format_into(out_error->detail, sizeof(out_error->detail), detail, &arguments);
    format_into(out_error->message, sizeof(out_error->message), format, &arguments);
    va_end(arguments);
    return status;
}

mrw_status mrwi_fail_at(mrw_error *out_error, mrw_status status, uint64_t offset,
                        const char *detail)
{
    mrwi_fail(out_error, status, "%s", "%s", detail, mrw_status_text(status));
    if (out_error != NULL)
        out_error->offset = offset;
    return status;
}
