/* Status codes, error texts, UTF-8, sizes. */
#include <marrow/base.h>

#include "base/align.h"
#include "base/error.h"
#include "base/finite.h"
#include "base/utf8.h"
#include "unit/near.h"

static void statuses_have_names_texts_and_numbers_of_their_own(void **state)
{
    (void)state;
    static const struct {
        mrw_status status;
        int number;
        const char *name;
    } all[] = {
#define MRW_STATUS(name, number, text) {name, number, #name},
#include <marrow/status.def>
#undef MRW_STATUS
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        assert_int_equal(all[i].status, all[i].number);
        assert_string_equal(mrw_status_name(all[i].status), all[i].name);
        assert_true(strlen(mrw_status_text(all[i].status)) > 0);
        assert_true(i == 0 || all[i].number > all[i - 1].number);
    }
    assert_int_equal(MRW_ERR_TRUNCATED, 100);
    assert_string_equal(mrw_status_name((mrw_status)99999), "MRW_ERR_UNKNOWN");
    assert_string_equal(mrw_status_text((mrw_status)99999), "unknown status");
}

static void version_is_the_headers(void **state)
{
    (void)state;
    char expected[32];
    mrwi_format(expected, sizeof(expected), "%u.%u.%u", MRW_VERSION_MAJOR, MRW_VERSION_MINOR,
                MRW_VERSION_PATCH);
    assert_string_equal(mrw_version(), MRW_VERSION_STRING);
    assert_string_equal(mrw_version(), expected);
}

static void formatter_knows_its_four_conversions(void **state)
{
    (void)state;
    char text[80];
    size_t length = mrwi_format(text, sizeof(text), "%s[%u] %d %z%%", "joints",
                                (uint32_t)UINT32_MAX, (int32_t)INT32_MIN, UINT64_MAX);
    assert_string_equal(text, "joints[4294967295] -2147483648 18446744073709551615%");
    assert_int_equal(length, strlen(text));
    mrwi_format(text, sizeof(text), "%u %d %s", (uint32_t)0, (int32_t)0, (const char *)NULL);
    assert_string_equal(text, "0 0 (null)");
}

static void texts_are_cut_between_characters(void **state)
{
    (void)state;
    char text[6];
    assert_int_equal(mrwi_format(text, sizeof(text), "%s", "abcdefgh"), 5);
    assert_string_equal(text, "abcde");
    /* Five bytes of room, the last character would need bytes 4 to 6. */
    assert_int_equal(mrwi_format(text, sizeof(text), "%s", "abc\xe2\x82\xac"), 3);
    assert_string_equal(text, "abc");
    assert_int_equal(mrwi_format(text, 1, "%s", "abc"), 0);
    assert_string_equal(text, "");
}

static void fail_fills_the_error_and_returns_the_status(void **state)
{
    (void)state;
    mrw_error error;
    memset(&error, 0x55, sizeof(error));
    assert_int_equal(mrwi_fail(&error, MRW_ERR_INDEX_RANGE, "accessors[%u].bufferView", "%u of %u",
                               (uint32_t)3, (uint32_t)7, (uint32_t)4),
                     MRW_ERR_INDEX_RANGE);
    assert_int_equal(error.status, MRW_ERR_INDEX_RANGE);
    assert_string_equal(error.detail, "accessors[3].bufferView");
    assert_string_equal(error.message, "7 of 4");
    assert_int_equal(error.offset + error.line + error.column, 0);

    assert_int_equal(mrwi_fail_at(&error, MRW_ERR_TRUNCATED, 12, "header"), MRW_ERR_TRUNCATED);
    assert_int_equal(error.offset, 12);
    assert_string_equal(error.detail, "header");
    assert_string_equal(error.message, mrw_status_text(MRW_ERR_TRUNCATED));
    assert_int_equal(mrwi_fail(NULL, MRW_ERR_LIMIT, "a", "b"), MRW_ERR_LIMIT);
    assert_int_equal(mrwi_fail_at(NULL, MRW_ERR_LIMIT, 0, "a"), MRW_ERR_LIMIT);
}

/* Table 3-7 of the Unicode standard. */
static void utf8_is_what_unicode_says(void **state)
{
    (void)state;
    static const char *const valid[] = {"",
                                        "plain",
                                        "\xc2\x80",
                                        "\xdf\xbf",
                                        "\xe0\xa0\x80",
                                        "\xed\x9f\xbf",
                                        "\xee\x80\x80",
                                        "\xef\xbf\xbf",
                                        "\xf0\x90\x80\x80",
                                        "\xf4\x8f\xbf\xbf",
                                        ("Kn\xc3\xb6"
                                         "chel \xe9\xaa\xa8 \xf0\x9f\xa6\xb4")};
    static const char *const invalid[] = {"\x80",
                                          "\xbf",
                                          "\xc0\x80",
                                          "\xc1\xbf",
                                          "\xc2",
                                          "\xc2x",
                                          "\xe0\x9f\xbf",
                                          "\xed\xa0\x80",
                                          "\xe2\x82",
                                          "\xe2\x82x",
                                          "\xf0\x8f\xbf\xbf",
                                          "\xf4\x90\x80\x80",
                                          "\xf5\x80\x80\x80",
                                          "\xff",
                                          "caf\xe9"};
    for (size_t i = 0; i < sizeof(valid) / sizeof(valid[0]); i++)
        assert_true(mrwi_utf8_is_valid(valid[i], strlen(valid[i])));
    for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++)
        assert_false(mrwi_utf8_is_valid(invalid[i], strlen(invalid[i])));
    assert_int_equal(mrwi_utf8_character("\xf0\x9f\xa6\xb4", 4), 4);
    assert_int_equal(mrwi_utf8_character("\xf0\x9f\xa6\xb4", 3), 0);
}

static void sizes_do_not_overflow(void **state)
{
    (void)state;
    size_t bytes = 0;
    assert_true(mrwi_mul_size(7, 6, &bytes));
    assert_int_equal(bytes, 42);
    assert_true(mrwi_mul_size(SIZE_MAX, 0, &bytes));
    assert_int_equal(bytes, 0);
    assert_true(mrwi_mul_size(SIZE_MAX, 1, &bytes));
    assert_false(mrwi_mul_size(SIZE_MAX / 2 + 1, 2, &bytes));
    assert_int_equal(mrwi_align_up(0, 64), 0);
    assert_int_equal(mrwi_align_up(65, 64), 128);
    assert_true(mrwi_is_aligned((const void *)(uintptr_t)192, 64));
    assert_false(mrwi_is_aligned((const void *)(uintptr_t)200, 64));
}

static void finite_means_finite(void **state)
{
    (void)state;
    float values[] = {0.0f, -0.0f, 1e-45f, 3.4e38f, -3.4e38f};
    assert_true(mrwi_all_finite(values, 5));
    values[4] = -INFINITY;
    assert_false(mrwi_all_finite(values, 5));
    assert_true(mrwi_all_finite(values, 4));
    assert_false(mrwi_is_finite(NAN));
    assert_true(mrwi_all_finite(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_have_names_texts_and_numbers_of_their_own),
        cmocka_unit_test(version_is_the_headers),
        cmocka_unit_test(formatter_knows_its_four_conversions),
        cmocka_unit_test(texts_are_cut_between_characters),
        cmocka_unit_test(fail_fills_the_error_and_returns_the_status),
        cmocka_unit_test(utf8_is_what_unicode_says),
        cmocka_unit_test(sizes_do_not_overflow),
        cmocka_unit_test(finite_means_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
