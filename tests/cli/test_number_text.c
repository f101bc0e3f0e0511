/* Numbers of the command line, in and out of text. */
#include "number_text.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_text(float value, const char *expected)
{
    char text[CLI_FLOAT_SIZE];
    size_t length = cli_format_float(value, text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void floats_are_spelled_as_people_write_them(void **state)
{
    (void)state;
    expect_text(0.0f, "0");
    expect_text(-0.0f, "0");
    expect_text(1.0f, "1");
    expect_text(-0.1f, "-0.1");
    expect_text(0.7071068f, "0.7071068");
    expect_text(16777216.0f, "16777216");
    expect_text(99999.99f, "99999.99");
    expect_text(0.00001f, "0.00001");
    expect_text(0.0000025f, "2.5e-06");
    expect_text(1e9f, "1e+09");
    expect_text(0.01f, "0.01");
    expect_text(3.40282347e38f, "3.4028235e+38");
    expect_text(-1.17549435e-38f, "-1.1754944e-38");
    expect_text(1e-45f, "1.401298e-45");
}

/* Every 4093rd pattern of 32 bits, which is prime: a million floats of every size. */
static void floats_read_back_exactly(void **state)
{
    (void)state;
    for (uint64_t bits = 0; bits < (UINT64_C(1) << 32); bits += 4093) {
        uint32_t pattern = (uint32_t)bits;
        float value;
        memcpy(&value, &pattern, sizeof(value));
        if (!isfinite(value)) {
            continue;
        }
        char text[CLI_FLOAT_SIZE];
        size_t length = cli_format_float(value, text);
        if (length >= CLI_FLOAT_SIZE || strtof(text, NULL) != value) {
            fail_msg("%a is spelled %s", (double)value, text);
        }
    }
}

static void numbers_are_read_strictly(void **state)
{
    (void)state;
    double value = 0.0;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0.0},  {"-1.5", -1.5}, {"+2", 2.0},    {".5", 0.5},
                {"5.", 5.0}, {"2e3", 2e3},   {"2E-3", 2e-3}, {"007", 7.0}};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); ++i) {
        assert_true(cli_parse_number(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    static const char *const bad[] = {"",    " 1",  "1 ",  "1,5", ".",   "-",     "e3",    "1e",
                                      "1e+", "--1", "0x1", "nan", "inf", "1e999", "1.2.3", "1f"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        if (cli_parse_number(bad[i], &value)) {
            fail_msg("\"%s\" was taken for a number", bad[i]);
        }
    }
}

static void distances_are_read_with_their_unit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double metres;
    } good[] = {{"0.0001", 0.0001}, {"0.1mm", 0.0001}, {"1e-1mm", 0.0001}, {"3cm", 0.03},
                {".03m", 0.03},     {"-2cm", -0.02},   {"0mm", 0.0}};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); ++i) {
        double metres = -1.0;
        if (!cli_parse_metres(good[i].text, &metres) || metres != good[i].metres) {
            fail_msg("\"%s\" was read as %.17g", good[i].text, metres);
        }
    }
    static const char *const bad[] = {"",     "m",    "mm",   "1 mm",  "1mm ", "1MM",
                                      "1m m", "1mmm", "1cmm", "nanmm", "1km",  "1e999m"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        double metres;
        if (cli_parse_metres(bad[i], &metres)) {
            fail_msg("\"%s\" was taken for a distance", bad[i]);
        }
    }
}

static void counts_are_read_strictly(void **state)
{
    (void)state;
    uint32_t count = 0;
    assert_true(cli_parse_count("4294967295", UINT32_MAX, &count));
    assert_int_equal(count, UINT32_MAX);
    assert_true(cli_parse_count("10", 10, &count));
    static const char *const bad[] = {"", "-1", "+1", "1.0", " 1", "11", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        if (cli_parse_count(bad[i], 10, &count)) {
            fail_msg("\"%s\" was taken for a count", bad[i]);
        }
    }
}

static void angles_stay_within_a_turn(void **state)
{
    (void)state;
    const float degree = 3.14159265f / 180.0f;
    assert_float_equal(cli_radians(35.0), 35.0f * degree, 1e-7);
    assert_float_equal(cli_radians(-90.0), -90.0f * degree, 1e-7);
    assert_float_equal(cli_radians(360.0 * 1e6 + 35.0), 35.0f * degree, 1e-7);
    assert_float_equal(cli_radians(-725.0), -5.0f * degree, 1e-7);
    assert_float_equal(cli_radians(1e308), 0.0f, 0.0);
    assert_float_equal(cli_radians(-1e308), 0.0f, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_spelled_as_people_write_them),
        cmocka_unit_test(floats_read_back_exactly),
        cmocka_unit_test(numbers_are_read_strictly),
        cmocka_unit_test(distances_are_read_with_their_unit),
        cmocka_unit_test(counts_are_read_strictly),
        cmocka_unit_test(angles_stay_within_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
