#include "offline/export/float_text.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nine significant digits tell any two floats apart; many need fewer, and files are read by people:
 * the fewest that come back as the same float are written. The C library rounds correctly in both
 * directions, but puts the locale's decimal separator between digits and expects it there. So
 * only its digits are used, and read back as a whole number with an exponent, which
 * is spelled the same everywhere. */
#define MOST_DIGITS 9

typedef struct decimal {
    bool negative;
    char digits[MOST_DIGITS + 1]; /* NUL-terminated */
    int count;
    int exponent; /* of the first digit: d.ddd * 10^exponent */
} decimal;

static decimal round_to(float value, int digit_count)
{
    char text[64]; /* "-d" separator "dddddddd" "e-38" */
    snprintf(text, sizeof(text), "%.*e", digit_count - 1, (double)value);
    decimal result = {text[0] == '-', {0}, 0, 0};
    const char *c = text;
    for (; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9' && result.count < MOST_DIGITS)
            result.digits[result.count++] = *c;
    result.exponent = (int)strtol(c + 1, NULL, 10);
    return result;
}

static bool reads_back_as(const decimal *number, float value)
{
    char text[32];
    snprintf(text, sizeof(text), "%s%se%d", number->negative ? "-" : "", number->digits,
             number->exponent - (number->count - 1));
    return strtof(text, NULL) == value;
}

/* d.ddde-XX where the point would be far from the digits, else without an exponent. */
static void spell(const decimal *number, char *out_text)
{
    char *out = out_text;
    if (number->negative)
        *out++ = '-';
    int exponent = number->exponent;
    bool scientific = exponent < -5 || exponent >= MOST_DIGITS;
    int before_point = scientific ? 1 : exponent + 1;
    if (before_point <= 0) {
        *out++ = '0';
        *out++ = '.';
        for (int i = before_point; i < 0; i++)
            *out++ = '0';
    }
    for (int i = 0; i < number->count; i++) {
        if (i == before_point && i > 0)
            *out++ = '.';
        *out++ = number->digits[i];
    }
    for (int i = number->count; i < before_point; i++)
        *out++ = '0';
    *out = '\0';
    if (scientific)
        mrwi_format(out, 8, "e%d", (int32_t)exponent);
}

size_t mrwi_float_text(float value, char out_text[MRWI_FLOAT_TEXT_BYTES])
{
    decimal shortest = round_to(value, 1);
    for (int count = 2; count <= MOST_DIGITS && !reads_back_as(&shortest, value); count++)
        shortest = round_to(value, count);
    spell(&shortest, out_text);
    return strlen(out_text);
}
