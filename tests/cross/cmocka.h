/* As much of cmocka as the tests of the runtime use, for machines that we cross-compile for: their
 * cmocka is not at hand. The first thing that is wrong ends the program. */
#ifndef TESTS_CROSS_CMOCKA_H
#define TESTS_CROSS_CMOCKA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define fail_msg(...)                                                                              \
    do {                                                                                           \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                            \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fprintf(stderr, "\n");                                                                     \
        exit(1);                                                                                   \
    } while (0)

#define fail() fail_msg("failed")
#define assert_true(x)                                                                             \
    do {                                                                                           \
        if (!(x))                                                                                  \
            fail_msg("%s", #x);                                                                    \
    } while (0)
#define assert_false(x) assert_true(!(x))
#define assert_null(x) assert_true((x) == NULL)
#define assert_non_null(x) assert_true((x) != NULL)
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))
#define assert_int_equal(a, b) assert_true((uintmax_t)(a) == (uintmax_t)(b))
#define assert_int_not_equal(a, b) assert_true((uintmax_t)(a) != (uintmax_t)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define assert_memory_not_equal(a, b, size) assert_true(memcmp(a, b, size) != 0)
#define assert_in_range(value, low, high)                                                          \
    assert_true((uintmax_t)(value) >= (uintmax_t)(low) && (uintmax_t)(value) <= (uintmax_t)(high))

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
    int (*setup)(void **state);
};

#define cmocka_unit_test(function)                                                                 \
    {                                                                                              \
#function, function, NULL                                                                  \
    }
#define cmocka_unit_test_setup(function, setup)                                                    \
    {                                                                                              \
#function, function, setup                                                                 \
    }

static inline int run_cross_tests(const struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *state = NULL;
        printf("%s\n", tests[i].name);
        fflush(stdout);
        if (tests[i].setup != NULL && tests[i].setup(&state) != 0)
            return 1;
        tests[i].run(&state);
    }
    return 0;
}

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    run_cross_tests(tests, sizeof(tests) / sizeof((tests)[0]))

#endif
