#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Continuation bytes are 10xxxxxx; the checks of the second byte keep out overlong forms,
 * surrogates and numbers above U+10FFFF. */
size_t cli_utf8_length(const char *text)
{
    const uint8_t *bytes = (const uint8_t *)text;
    uint8_t first = bytes[0];
    if (first == 0) {
        return 0;
    }
    if (first < 0x80) {
        return 1;
    }
    size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; ++i) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool wrong = (first == 0xe0 && bytes[1] < 0xa0) || (first == 0xed && bytes[1] > 0x9f) ||
                 (first == 0xf0 && bytes[1] < 0x90) || (first == 0xf4 && bytes[1] > 0x8f);
    return wrong ? 0 : length;
}

/* C0, DEL, and C1, which is C2 80..9F in UTF-8. Then what breaks lines or turns the direction of
 * writing: U+2028 to U+202E and U+2066 to U+2069. */
static bool is_control(const char *text)
{
    const uint8_t *bytes = (const uint8_t *)text;
    if (bytes[0] == 0xe2) {
        return (bytes[1] == 0x80 && bytes[2] >= 0xa8 && bytes[2] <= 0xae) ||
               (bytes[1] == 0x81 && bytes[2] >= 0xa6 && bytes[2] <= 0xa9);
    }
    return bytes[0] < 0x20 || bytes[0] == 0x7f || (bytes[0] == 0xc2 && bytes[1] < 0xa0);
}

size_t cli_copy_text(char *out, size_t out_size, const char *text)
{
    size_t used = 0;
    while (*text) {
        size_t length = cli_utf8_length(text);
        bool shown = length > 0 && !is_control(text);
        size_t needed = shown ? length : 1;
        if (used + needed >= out_size) {
            break;
        }
        if (shown) {
            memcpy(out + used, text, length);
        } else {
            out[used] = '?';
        }
        used += needed;
        text += length > 0 ? length : 1;
    }
    out[used] = '\0';
    return used;
}

void cli_put_text(FILE *out, const char *text)
{
    while (*text) {
        size_t length = cli_utf8_length(text);
        if (length > 0 && !is_control(text)) {
            fwrite(text, 1, length, out);
        } else {
            fputc('?', out);
        }
        text += length > 0 ? length : 1;
    }
}

size_t cli_text_width(const char *text)
{
    size_t width = 0;
    for (; *text; ++text) {
        width += ((uint8_t)*text & 0xc0) != 0x80;
    }
    return width;
}
