/* Decimal text to double, against the C library's strtod in the "C" locale, which rounds correctly.
 */
#include "offline/read/number.h"

#include "unit/near.h"
#include "unit/random.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double parse(const char *text)
{
    double value = -12345.0;
    assert_int_equal(mrwi_number_parse(text, strlen(text), &value), strlen(text));
    return value;
}

static void assert_same_bits(const char *text)
{
    double expected = strtod(text, NULL);
    double value = parse(text);
    if (memcmp(&expected, &value, sizeof(value)) != 0)
        fail_msg("%s: %.17g instead of %.17g", text, value, expected);
}

static void known_numbers_are_exact(void **state)
{
    (void)state;
    assert_true(parse("0") == 0.0);
    assert_true(parse("-1") == -1.0);
    assert_true(parse("+2.5") == 2.5);
    assert_true(parse(".5") == 0.5);
    assert_true(parse("5.") == 5.0);
    assert_true(parse("007") == 7.0);
    assert_true(parse("1e3") == 1000.0);
    assert_true(parse("125E-3") == 0.125);
    assert_true(parse("0.000000000000000000000000000000") == 0.0);
    assert_true(parse("1e400") > 1e308 && parse("1e400") * 0.5 == parse("1e400"));
    assert_true(parse("-1e400") < -1e308);
    assert_true(parse("1e-400") == 0.0);
    assert_true(parse("1e99999999999999999999") > 1e308);
    assert_true(parse("1e-99999999999999999999") == 0.0);
    assert_true(parse("0e99999999999999999999") == 0.0);
    double negative_zero = parse("-0");
    double expected = -0.0;
    assert_memory_equal(&negative_zero, &expected, sizeof(expected));
}

static void hard_cases_round_as_strtod_does(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "9007199254740993",          /* 2^53 + 1: a tie, to even */
        "9007199254740992.99999999", /* just below it */
        "9007199254740993.00000000000000000000000000000000000000000000001",
        "2.2250738585072011e-308", /* the largest subnormal number, or nearly */
        "2.2250738585072014e-308", /* the smallest normal number */
        "4.9406564584124654e-324",
        "2.4703282292062327e-324", /* half the smallest number: a hair below */
        "2.4703282292062328e-324", /* a hair above */
        "1.7976931348623157e308",
        "1.7976931348623158e308", /* rounds down to the largest */
        "1.7976931348623159e308", /* rounds up to infinity */
        "0.70710678118654757",
        "3.1415926535897932384626433832795028841971693993751",
        "6.02214076e23",
        "123456789012345678901234567890",
        "0.1e-5",
        "1e23",
        "8.5e22",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_same_bits(texts[i]);
}

/* Integers of 63 bits whose lower bits stand exactly halfway, and the same with a digit far out. */
static void ties_round_to_even_unless_a_digit_tips_them(void **state)
{
    (void)state;
    uint64_t random = 5;
    char text[1300];
    for (int i = 0; i < 3000; i++) {
        uint64_t bits = (uint64_t)random_bits(&random) << 32 | random_bits(&random);
        uint64_t tie = (bits & ~(uint64_t)1023) >> 1 | (uint64_t)1 << 62 | 256;
        snprintf(text, sizeof(text), "%llu", (unsigned long long)(tie & ~(uint64_t)255));
        assert_same_bits(text);
        strcat(text, ".");
        size_t length = strlen(text);
        memset(text + length, '0', 1000);
        strcpy(text + length + 1000, i % 2 == 0 ? "1" : "0");
        assert_same_bits(text);
    }
    strcpy(text, "1.00000000000000011102230246251565404236316680908203125"); /* 1 + 2^-53 */
    assert_true(parse(text) == 1.0);
    memset(text + strlen(text), '0', 1000);
    strcpy(text + 1050, "1");
    assert_true(parse(text) == 1.0000000000000002);
}

/* Every digit of a double written out: up to 767 of them count. */
static void long_texts_come_back_exactly(void **state)
{
    (void)state;
    uint64_t random = 9;
    char text[1300];
    for (int i = 0; i < 300; i++) {
        double value =
            ldexp((double)(random_bits(&random) | 1u), (int)(random_bits(&random) % 2000) - 1050);
        snprintf(text, sizeof(text), "%.1100e", value);
        assert_true(parse(text) == value);
    }
}

static void random_numbers_round_as_strtod_does(void **state)
{
    (void)state;
    uint64_t random = 1;
    char text[64];
    for (int i = 0; i < 60000; i++) {
        uint64_t bits = (uint64_t)random_bits(&random) << 32 | random_bits(&random);
        double value;
        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value))
            continue;
        int digits = (int)(random_bits(&random) % 20);
        snprintf(text, sizeof(text), "%.*e", digits, value);
        assert_same_bits(text);
        snprintf(text, sizeof(text), "%.*f", digits, (double)random_float(&random, -10.0f, 10.0f));
        assert_same_bits(text);
    }
}

static void what_is_no_number_is_left_alone(void **state)
{
    (void)state;
    double value = 7.0;
    static const char *const texts[] = {"", "-", "+", ".", "-.", "e5", "abc", "- 1", "NaN", "inf"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_int_equal(mrwi_number_parse(texts[i], strlen(texts[i]), &value), 0);
    assert_true(value == 7.0);
}

static void reading_stops_where_the_number_does(void **state)
{
    (void)state;
    double value;
    assert_int_equal(mrwi_number_parse("1.5,2", 5, &value), 3);
    assert_int_equal(mrwi_number_parse("1e", 2, &value), 1);
    assert_int_equal(mrwi_number_parse("1e+", 3, &value), 1);
    assert_int_equal(mrwi_number_parse("1.2.3", 5, &value), 3);
    assert_int_equal(mrwi_number_parse("12345", 2, &value), 2);
    assert_true(value == 12.0);
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                          "ru_RU.UTF-8"};
    bool set = false;
    for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]) && !set; i++)
        set = setlocale(LC_NUMERIC, locales[i]) != NULL;
    if (!set)
        skip(); /* no such locale is installed */
    assert_true(parse("0.5") == 0.5);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers_are_exact),
        cmocka_unit_test(hard_cases_round_as_strtod_does),
        cmocka_unit_test(ties_round_to_even_unless_a_digit_tips_them),
        cmocka_unit_test(long_texts_come_back_exactly),
        cmocka_unit_test(random_numbers_round_as_strtod_does),
        cmocka_unit_test(what_is_no_number_is_left_alone),
        cmocka_unit_test(reading_stops_where_the_number_does),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
