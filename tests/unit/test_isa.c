/* Which instruction sets there are, and choosing one. That they compute the same is tested with
 * each kernel. */
#include <marrow/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const known[] = {"scalar", "sse2", "avx2", "avx512", "neon", "wasm128"};

static uint32_t count_available(void)
{
    uint32_t count = 0;
    while (mrw_isa_available(count) != NULL)
        count++;
    return count;
}

static bool is_available(const char *name)
{
    for (uint32_t i = 0; mrw_isa_available(i) != NULL; i++)
        if (strcmp(mrw_isa_available(i), name) == 0)
            return true;
    return false;
}

/* Before anything else asks: the order of the tests matters. */
static void the_fastest_is_taken_first(void **state)
{
    (void)state;
    uint32_t count = count_available();
    assert_true(count > 0);
    assert_string_equal(mrw_isa_name(), mrw_isa_available(count - 1));
}

static void names_are_known_and_differ(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        found += is_available(known[i]);
    assert_int_equal(found, count_available());
    assert_true(is_available("scalar"));
#if defined(__x86_64__)
    assert_true(is_available("sse2"));
    assert_int_equal(is_available("avx2"), __builtin_cpu_supports("avx2") != 0);
    assert_int_equal(is_available("avx512"), __builtin_cpu_supports("avx512vl") != 0 &&
                                                 __builtin_cpu_supports("avx512bw") != 0 &&
                                                 __builtin_cpu_supports("avx512dq") != 0);
#elif defined(__aarch64__)
    assert_true(is_available("neon"));
#endif
}

static void each_can_be_selected(void **state)
{
    (void)state;
    for (uint32_t i = 0; mrw_isa_available(i) != NULL; i++) {
        assert_int_equal(mrw_isa_select(mrw_isa_available(i)), MRW_OK);
        assert_string_equal(mrw_isa_name(), mrw_isa_available(i));
    }
    assert_int_equal(mrw_isa_select("scalar"), MRW_OK);
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
    assert_string_equal(mrw_isa_name(), mrw_isa_available(count_available() - 1));
}

static void others_are_refused_and_change_nothing(void **state)
{
    (void)state;
    assert_int_equal(mrw_isa_select("scalar"), MRW_OK);
    const char *unknown[] = {"", "SCALAR", "avx", "scalar "};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
        assert_int_equal(mrw_isa_select(unknown[i]), MRW_ERR_INVALID_ARGUMENT);
#if defined(__x86_64__)
    if (!is_available("avx512"))
        assert_int_equal(mrw_isa_select("avx512"), MRW_ERR_UNSUPPORTED);
#endif
    assert_string_equal(mrw_isa_name(), "scalar");
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_taken_first),
        cmocka_unit_test(names_are_known_and_differ),
        cmocka_unit_test(each_can_be_selected),
        cmocka_unit_test(others_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
