#include "offline/read/base64.h"

#define NO_DIGIT 64u

static uint32_t digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (uint32_t)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (uint32_t)(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0') + 52;
    if (c == '+')
        return 62;
    if (c == '/')
        return 63;
    return NO_DIGIT;
}

size_t mrwi_base64_bound(size_t length)
{
    return length / 4 * 3 + 3;
}

bool mrwi_base64_decode(const char *text, size_t length, uint8_t *out, size_t *out_size_bytes)
{
    size_t end = length;
    if (length % 4 == 0)
        while (end > 0 && length - end < 2 && text[end - 1] == '=')
            end--;

    size_t size_bytes = 0;
    uint32_t bits = 0;
    uint32_t bit_count = 0;
    for (size_t i = 0; i < end; i++) {
        uint32_t digit = digit_of(text[i]);
        if (digit == NO_DIGIT) {
            *out_size_bytes = i;
            return false;
        }
        bits = (bits << 6 | digit) & 0xffffu;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            out[size_bytes++] = (uint8_t)(bits >> bit_count);
        }
    }
    /* One digit alone holds six bits of a byte. */
    if (end % 4 == 1) {
        *out_size_bytes = end;
        return false;
    }
    *out_size_bytes = size_bytes;
    return true;
}
