#include "base/utf8.h"

static bool is_continuation(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

size_t mrwi_utf8_character(const char *text, size_t size_bytes)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char lead = bytes[0];
    if (lead < 0x80)
        return 1;
    size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || length > size_bytes)
        return 0;

    /* The second byte is where overlong forms, surrogates and too large numbers show. */
    unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (!is_continuation(bytes[1], low, high))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (!is_continuation(bytes[i], 0x80, 0xbf))
            return 0;
    return length;
}

bool mrwi_utf8_is_valid(const char *text, size_t size_bytes)
{
    size_t at = 0;
    while (at < size_bytes) {
        size_t length = mrwi_utf8_character(text + at, size_bytes - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}
