#include "number_text.h"

#include <marrow/math.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_digits(const char *text)
{
    while (*text >= '0' && *text <= '9') {
        ++text;
    }
    return text;
}

/* strtod takes more than we want (hex, "nan", leading blanks), so the grammar is checked first. */
static bool is_decimal(const char *text)
{
    text += *text == '+' || *text == '-';
    const char *whole = text;
    text = skip_digits(text);
    bool has_digits = text > whole;
    if (*text == '.') {
        const char *fraction = ++text;
        text = skip_digits(text);
        has_digits = has_digits || text > fraction;
    }
    if (has_digits && (*text == 'e' || *text == 'E')) {
        ++text;
        text += *text == '+' || *text == '-';
        const char *exponent = text;
        text = skip_digits(text);
        has_digits = text > exponent;
    }
    return has_digits && *text == '\0';
}

bool cli_parse_number(const char *text, double *out_value)
{
    if (!is_decimal(text)) {
        return false;
    }
    *out_value = strtod(text, NULL); /* in the "C" locale: the program sets no other */
    return isfinite(*out_value);
}

bool cli_parse_metres(const char *text, double *out_metres)
{
    static const struct {
        const char *name;
        double parts; /* of a metre */
    } units[] = {{"mm", 1000.0}, {"cm", 100.0}, {"m", 1.0}};
    const size_t length = strlen(text);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); ++i) {
        const size_t name_length = strlen(units[i].name);
        char number[64];
        if (length <= name_length || length - name_length >= sizeof(number) ||
            strcmp(text + length - name_length, units[i].name) != 0) {
            continue;
        }
        memcpy(number, text, length - name_length);
        number[length - name_length] = '\0';
        if (!cli_parse_number(number, out_metres)) {
            return false;
        }
        *out_metres /= units[i].parts;
        return true;
    }
    return cli_parse_number(text, out_metres);
}

bool cli_parse_count(const char *text, uint32_t maximum, uint32_t *out_value)
{
    if (*text == '\0' || *skip_digits(text) != '\0') {
        return false;
    }
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    if (errno != 0 || value > maximum) {
        return false;
    }
    *out_value = (uint32_t)value;
    return true;
}

/* Powers of ten that a double holds exactly. */
static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double scale_by_ten(double value, int32_t exponent)
{
    for (; exponent > 22; exponent -= 22) {
        value *= 1e22;
    }
    for (; exponent < -22; exponent += 22) {
        value /= 1e22;
    }
    return exponent < 0 ? value / exact_powers[-exponent] : value * exact_powers[exponent];
}

/* value = digits * 10^(exponent - 8) with nine digits. A double carries about 16 of them and each
 * scaling loses less than one in the last place, so the nine are the right ones, or the neighbours
 * where the tenth and later digits are a tie; both read back as the same float. */
static uint32_t nine_digits(double value, int32_t *out_exponent)
{
    int32_t binary;
    frexp(value, &binary);
    /* log10(2) times the binary exponent; one too low at most, which the next lines notice. */
    int32_t exponent = (binary - 1) * 30103 / 100000 - (binary < 1);
    double scaled = scale_by_ten(value, 8 - exponent);
    if (scaled >= 999999999.5) {
        ++exponent;
        scaled = scale_by_ten(value, 8 - exponent);
    }
    *out_exponent = exponent;
    return (uint32_t)(scaled + 0.5);
}

/* The digits with as many zeros at the end as the float allows. Rounding up may carry into a tenth
 * digit: 999999980 becomes 100000000 with the next exponent. */
static uint32_t shortened(uint32_t digits, int32_t *exponent, float value)
{
    for (uint32_t unit = 100; unit > 1; unit /= 10) {
        uint32_t rounded = (digits + unit / 2) / unit * unit;
        if ((float)scale_by_ten(rounded, *exponent - 8) == value) {
            bool carried = rounded >= 1000000000u;
            *exponent += carried;
            return carried ? rounded / 10 : rounded;
        }
    }
    return digits;
}

static char *put_exponent(char *out, int32_t exponent)
{
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    uint32_t size = (uint32_t)abs(exponent);
    *out++ = (char)('0' + size / 10);
    *out++ = (char)('0' + size % 10);
    return out;
}

static char *put_digits(char *out, const char *digits, int32_t count, int32_t exponent)
{
    bool scientific = exponent < -5 || exponent > 8;
    int32_t whole = scientific ? 1 : exponent + 1; /* digits before the point */
    if (whole <= 0) {
        *out++ = '0';
        *out++ = '.';
        memset(out, '0', (size_t)-whole);
        out += -whole;
    }
    for (int32_t i = 0; i < count || i < whole; ++i) {
        if (i == whole && i > 0) {
            *out++ = '.';
        }
        *out++ = i < count ? digits[i] : '0';
    }
    return scientific ? put_exponent(out, exponent) : out;
}

size_t cli_format_float(float value, char out[CLI_FLOAT_SIZE])
{
    char *end = out;
    if (value == 0.0f) {
        *end++ = '0';
        *end = '\0';
        return 1;
    }
    if (value < 0.0f) {
        *end++ = '-';
        value = -value;
    }
    int32_t exponent;
    uint32_t number = nine_digits((double)value, &exponent);
    number = shortened(number, &exponent, value);
    char digits[9];
    for (int i = 8; i >= 0; --i) {
        digits[i] = (char)('0' + number % 10);
        number /= 10;
    }
    int32_t count = 9;
    while (count > 1 && digits[count - 1] == '0') {
        --count;
    }
    end = put_digits(end, digits, count, exponent);
    *end = '\0';
    return (size_t)(end - out);
}

float cli_radians(double degrees)
{
    double turns = degrees / 360.0;
    if (!(turns > -1e9 && turns < 1e9))
        return 0.0f; /* so large a number has no direction to speak of */
    return (float)(degrees - 360.0 * (double)(int64_t)turns) * (MRW_PI / 180.0f);
}
