/* Decimal to double, correctly rounded.
 *
 * strtod would do, but for the locale: where the decimal comma is set it reads 0.5 as 0. And a
 * sum of scaled digits in floating point is right only most of the time, which is not enough where
 * two machines must agree on every bit.
 *
 * A number is an integer times a power of ten. If the integer fits 53 bits and the power is at
 * most 10^22, both are exact as doubles and one multiplication or division rounds once: that is
 * nearly every number of nearly every file (Clinger 1990). All others are a fraction of two large
 * integers; its bits are found by long division, one subtraction a bit, and what remains at the
 * end says how to round. Slow, but it needs no tables and nothing can go wrong in it.
 */
#include "offline/read/number.h"

#include <string.h>

/* 768 significant digits decide any rounding; what comes after matters only by not being 0. */
#define LARGEST_DIGIT_COUNT 768
/* 10^-1130 has 3754 bits, and is shifted left of its counterpart by one more. */
#define BIG_WORDS 128

/* As many as fit 64 bits whatever they are. */
#define INTEGER_DIGIT_COUNT 19

#define MANTISSA_BITS 53
#define LARGEST_EXPONENT 1023
#define SMALLEST_EXPONENT (-1022)

/* A natural number, the least significant word first; words[count - 1] is not 0. */
typedef struct big {
    uint32_t words[BIG_WORDS];
    uint32_t count;
} big;

static void big_multiply_add(big *number, uint32_t factor, uint32_t summand)
{
    uint64_t carry = summand;
    for (uint32_t i = 0; i < number->count; i++) {
        carry += (uint64_t)number->words[i] * factor;
        number->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        number->words[number->count++] = (uint32_t)carry;
}

static void big_multiply_power_of_ten(big *number, uint32_t exponent)
{
    for (; exponent >= 9; exponent -= 9)
        big_multiply_add(number, 1000000000u, 0);
    for (; exponent > 0; exponent--)
        big_multiply_add(number, 10, 0);
}

static void big_shift_left(big *number, uint32_t bits)
{
    uint32_t words = bits / 32;
    if (words > 0) {
        memmove(number->words + words, number->words, number->count * sizeof(uint32_t));
        memset(number->words, 0, words * sizeof(uint32_t));
        number->count += words;
    }
    if (bits % 32 != 0)
        big_multiply_add(number, (uint32_t)1 << (bits % 32), 0);
}

static uint32_t big_bit_count(const big *number)
{
    uint32_t bits = number->count * 32;
    for (uint32_t top = number->words[number->count - 1]; (top & 0x80000000u) == 0; top <<= 1)
        bits--;
    return bits;
}

static bool big_is_less(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    for (uint32_t i = a->count; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i];
    return false;
}

/* a -= b, where a >= b. */
static void big_subtract(big *a, const big *b)
{
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        uint64_t taken = (i < b->count ? b->words[i] : 0) + borrow;
        borrow = a->words[i] < taken;
        a->words[i] = (uint32_t)(a->words[i] - taken);
    }
    while (a->count > 0 && a->words[a->count - 1] == 0)
        a->count--;
}

/* The parts of a decimal number: (digits without their point) * 10^exponent. */
typedef struct decimal {
    bool negative;
    const char *digits;   /* from the first that is not 0; a point may stand among them */
    uint32_t digit_count; /* of the text, the point not counted */
    uint64_t integer;     /* the first INTEGER_DIGIT_COUNT digits */
    int64_t exponent;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether "e5" follows: an exponent without digits does not belong to the number. */
static size_t scan_exponent(const char *text, size_t length, size_t at, int64_t *out_exponent)
{
    *out_exponent = 0;
    if (at == length || (text[at] != 'e' && text[at] != 'E'))
        return at;
    size_t digit = at + 1;
    bool negative = digit < length && text[digit] == '-';
    if (digit < length && (text[digit] == '-' || text[digit] == '+'))
        digit++;
    if (digit == length || !is_digit(text[digit]))
        return at;
    int64_t exponent = 0;
    for (; digit < length && is_digit(text[digit]); digit++)
        if (exponent < (int64_t)1 << 40) /* larger than any text could make up for */
            exponent = exponent * 10 + (text[digit] - '0');
    *out_exponent = negative ? -exponent : exponent;
    return digit;
}

/* Digits from `at` on; returns where they end. */
static size_t scan_digits(const char *text, size_t length, size_t at, decimal *out)
{
    for (; at < length && is_digit(text[at]); at++) {
        if (out->digit_count == 0) {
            if (text[at] == '0')
                continue;
            out->digits = text + at;
        }
        if (out->digit_count < INTEGER_DIGIT_COUNT)
            out->integer = out->integer * 10 + (uint64_t)(text[at] - '0');
        out->digit_count++;
    }
    return at;
}

static size_t scan(const char *text, size_t length, decimal *out)
{
    memset(out, 0, sizeof(*out));
    size_t at = 0;
    if (at < length && (text[at] == '-' || text[at] == '+')) {
        out->negative = text[at] == '-';
        at++;
    }
    size_t start = at;
    at = scan_digits(text, length, at, out);
    size_t any_digit = at - start;
    size_t decimals = 0;
    if (at < length && text[at] == '.') {
        start = at + 1;
        at = scan_digits(text, length, start, out);
        decimals = at - start;
    }
    if (any_digit + decimals == 0)
        return 0;
    at = scan_exponent(text, length, at, &out->exponent);
    out->exponent -= (int64_t)decimals;
    return at;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* One multiplication or division of two exact doubles. false if the number is not that simple. */
static bool convert_exactly(const decimal *number, double *out_value)
{
    if (number->digit_count > INTEGER_DIGIT_COUNT || number->exponent > 22 ||
        number->exponent < -22 || number->integer > (uint64_t)1 << MANTISSA_BITS)
        return false;
    *out_value = number->exponent < 0 ? (double)number->integer / powers[-number->exponent]
                                      : (double)number->integer * powers[number->exponent];
    return true;
}

/* The digits as an integer. Those that are left out are made up for in the exponent, and a 1
 * stands for them if they are not all 0. */
static void big_from_digits(const decimal *number, big *out, int64_t *out_exponent)
{
    out->count = 0;
    *out_exponent = number->exponent;
    bool rest = false;
    const char *digit = number->digits;
    for (uint32_t i = 0; i < number->digit_count; digit++) {
        if (*digit == '.')
            continue;
        if (i < LARGEST_DIGIT_COUNT)
            big_multiply_add(out, 10, (uint32_t)(*digit - '0'));
        else
            rest = rest || *digit != '0';
        i++;
    }
    if (number->digit_count > LARGEST_DIGIT_COUNT) {
        *out_exponent += number->digit_count - LARGEST_DIGIT_COUNT;
        if (rest) {
            big_multiply_add(out, 10, 1);
            *out_exponent -= 1;
        }
    }
}

/* numerator / denominator, which lies in [1, 2), times 2^exponent, as the bits of a double. */
static uint64_t round_fraction(big *numerator, const big *denominator, int32_t exponent)
{
    int32_t bits = MANTISSA_BITS;
    if (exponent < SMALLEST_EXPONENT)
        bits -= SMALLEST_EXPONENT - exponent; /* a subnormal number has fewer */
    if (bits < 0)
        return 0;
    uint64_t mantissa = 0;
    bool round_bit = false;
    for (int32_t i = 0; i <= bits; i++) {
        bool bit = !big_is_less(numerator, denominator);
        if (bit)
            big_subtract(numerator, denominator);
        if (i == bits)
            round_bit = bit;
        else
            mantissa = mantissa * 2 + bit;
        big_shift_left(numerator, 1);
    }
    bool rest = numerator->count > 0;
    if (round_bit && (rest || (mantissa & 1) != 0))
        mantissa++;
    if (exponent < SMALLEST_EXPONENT)
        return mantissa;
    /* The leading bit of the mantissa adds the last 1 to the biased exponent, and where rounding
     * carried into a new bit, that adds another: up to infinity. */
    return ((uint64_t)(exponent - SMALLEST_EXPONENT) << (MANTISSA_BITS - 1)) + mantissa;
}

static double convert_by_division(const decimal *number)
{
    const uint64_t infinity_bits = (uint64_t)0x7ff << (MANTISSA_BITS - 1);
    uint64_t bits;
    int64_t magnitude = number->exponent + number->digit_count; /* the value is below 10^this */
    if (magnitude > 310) {
        bits = infinity_bits;
    } else if (magnitude < -325) {
        bits = 0;
    } else {
        big numerator;
        big denominator = {{1}, 1};
        int64_t power;
        big_from_digits(number, &numerator, &power);
        if (power >= 0)
            big_multiply_power_of_ten(&numerator, (uint32_t)power);
        else
            big_multiply_power_of_ten(&denominator, (uint32_t)-power);
        int32_t exponent =
            (int32_t)big_bit_count(&numerator) - (int32_t)big_bit_count(&denominator);
        if (exponent >= 0)
            big_shift_left(&denominator, (uint32_t)exponent);
        else
            big_shift_left(&numerator, (uint32_t)-exponent);
        if (big_is_less(&numerator, &denominator)) {
            big_shift_left(&numerator, 1);
            exponent--;
        }
        bits = exponent > LARGEST_EXPONENT ? infinity_bits
                                           : round_fraction(&numerator, &denominator, exponent);
    }
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* The same for what most files hold: digits and a point, no exponent. One pass, and nothing is
 * remembered but the integer. 0 if the number is not that simple. */
static size_t parse_simple(const char *text, size_t length, double *out_value)
{
    size_t at = text[0] == '-';
    size_t most = length < at + INTEGER_DIGIT_COUNT ? length : at + INTEGER_DIGIT_COUNT;
    size_t start = at;
    uint64_t integer = 0;
    for (; at < most && is_digit(text[at]); at++)
        integer = integer * 10 + (uint64_t)(text[at] - '0');
    size_t digits = at - start;
    size_t decimals = 0;
    if (at < most && text[at] == '.') {
        start = ++at;
        for (; at < most && is_digit(text[at]); at++)
            integer = integer * 10 + (uint64_t)(text[at] - '0');
        decimals = at - start;
    }
    /* Up to `most` there was room for one digit too few, so there may be more. */
    bool ended = at < most ? (text[at] | 0x20) != 'e' : at == length;
    if (!ended || digits + decimals == 0 || integer > (uint64_t)1 << MANTISSA_BITS)
        return 0;
    double value = (double)integer / powers[decimals];
    *out_value = text[0] == '-' ? -value : value;
    return at;
}

size_t mrwi_number_parse(const char *text, size_t length, double *out_value)
{
    size_t simple = length > 0 ? parse_simple(text, length, out_value) : 0;
    if (simple > 0)
        return simple;
    decimal number;
    size_t end = scan(text, length, &number);
    if (end == 0)
        return 0;
    double value = 0.0;
    if (number.digit_count > 0 && !convert_exactly(&number, &value))
        value = convert_by_division(&number);
    *out_value = number.negative ? -value : value;
    return end;
}
