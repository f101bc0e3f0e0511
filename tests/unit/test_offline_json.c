/* JSON: what is refused, with line and column, and what a document answers. */
#include "offline/read/json.h"
#include "offline/read/json_syntax.h"

#include "unit/near.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
    mrwi_arena arena;
    mrwi_json json;
} fixture;

static void parse(fixture *f, const char *text)
{
    mrw_error error = {0};
    mrwi_arena_init(&f->arena, NULL);
    mrw_status status = mrwi_json_parse(&f->arena, text, strlen(text), &f->json, &error);
    if (status != MRW_OK)
        fail_msg("%s: %s", text, error.message);
}

static void finish(fixture *f)
{
    mrwi_arena_free(&f->arena);
}

static void assert_refused_bytes(const char *text, size_t length, uint32_t line, uint32_t column,
                                 const char *message)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    mrwi_json json;
    mrw_error error = {0};
    mrw_status status = mrwi_json_parse(&arena, text, length, &json, &error);
    mrwi_arena_free(&arena);
    if (status != MRW_ERR_JSON_SYNTAX || error.line != line || error.column != column ||
        strstr(error.message, message) == NULL)
        fail_msg("\"%s\": %s at %u:%u, %s", text, mrw_status_name(status), error.line, error.column,
                 error.message);
    assert_string_equal(error.detail, "JSON");
}

static void assert_refused(const char *text, uint32_t line, uint32_t column, const char *message)
{
    assert_refused_bytes(text, strlen(text), line, column, message);
}

static void malformed_text_is_refused_at_its_place(void **state)
{
    (void)state;
    assert_refused("", 1, 1, "ends too early");
    assert_refused("  \n ", 2, 2, "ends too early");
    assert_refused("1", 1, 1, "expected '{' or '['");
    assert_refused("\"a\"", 1, 1, "expected '{' or '['");
    assert_refused("{", 1, 2, "ends too early");
    assert_refused("[1", 1, 3, "ends too early");
    assert_refused("[1 2]", 1, 4, "expected ',' or ']'");
    assert_refused("[1,]", 1, 4, "expected a value");
    assert_refused("[,1]", 1, 2, "expected a value");
    assert_refused("[1}", 1, 3, "expected ',' or ']'");
    assert_refused("{]", 1, 2, "property name");
    assert_refused("{\"a\"}", 1, 5, "expected ':'");
    assert_refused("{\"a\" 1}", 1, 6, "expected ':'");
    assert_refused("{\"a\":}", 1, 6, "expected a value");
    assert_refused("{\"a\":1,}", 1, 8, "property name");
    assert_refused("{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}'");
    assert_refused("{a:1}", 1, 2, "property name");
    assert_refused("{\"a\":1}}", 1, 8, "after the end");
    assert_refused("{} x", 1, 4, "after the end");
    assert_refused("[]\n[]", 2, 1, "after the end");
    assert_refused("{\n  \"a\": 1,\n  \"b\" 2\n}", 3, 7, "expected ':'");
    assert_refused("[\r\n\t@]", 2, 2, "expected a value");
}

static void malformed_values_are_refused(void **state)
{
    (void)state;
    static const char *const literals[] = {"[tru]",      "[True]", "[nul]",
                                           "[nonsense]", "[NaN]",  "[Infinity]",
                                           "[truetrue]", "['a']",  "[/*a*/1]"};
    for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++)
        assert_refused(literals[i], 1, 2, "expected a value");
    static const char *const numbers[] = {"[01]", "[-]", "[1.]", "[1.e5]", "[1e]", "[1e+]", "[-a]"};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        assert_refused(numbers[i], 1, 2, "number");
    assert_refused("[.5]", 1, 2, "expected a value");
    assert_refused("[+1]", 1, 2, "expected a value");
    assert_refused("[0x10]", 1, 3, "expected ',' or ']'");
    assert_refused("[1.5.2]", 1, 5, "expected ',' or ']'");
}

static void malformed_strings_are_refused(void **state)
{
    (void)state;
    assert_refused("[\"abc]", 1, 2, "does not end");
    assert_refused("[\"abc\\\"]", 1, 2, "does not end");
    assert_refused("[\"a\\xb\"]", 1, 4, "no such escape");
    assert_refused("[\"a\\", 1, 4, "no such escape");
    assert_refused("[\"\\u12g4\"]", 1, 3, "hexadecimal");
    assert_refused("[\"\\u12", 1, 3, "hexadecimal");
    assert_refused("[\"a\nb\"]", 1, 4, "control character");
    assert_refused_bytes("[\"a\0b\"]", 7, 1, 4, "control character");
    assert_refused_bytes("[1]\0", 4, 1, 4, "after the end");
    assert_refused("[\"\xff\"]", 1, 3, "UTF-8");
    assert_refused("[\"\xc3\"]", 1, 3, "UTF-8");
    assert_refused("[\"\xc0\xaf\"]", 1, 3, "UTF-8");
    assert_refused("[\"\xed\xa0\x80\"]", 1, 3, "UTF-8");
    assert_refused("\xef\xbb\xbf[]", 1, 1, "expected '{' or '['");
}

/* Every prefix of a good document is refused at its end, or in the token that it cuts. */
static void every_truncation_is_refused(void **state)
{
    (void)state;
    const char *text = "{\"a\":[1,-2.5e+3,true,null,\"x\\u00e4\\n\"],\"b\":{\"c\":{}},\"d\":[[]]}";
    for (size_t length = 0; length < strlen(text); length++) {
        mrwi_arena arena;
        mrwi_arena_init(&arena, NULL);
        mrwi_json json;
        mrw_error error = {0};
        char *copy =
            test_malloc(length + 1); /* its end is the end: a sanitizer sees reads past it */
        memcpy(copy, text, length);
        assert_int_equal(mrwi_json_parse(&arena, copy, length, &json, &error), MRW_ERR_JSON_SYNTAX);
        assert_int_equal(error.line, 1);
        assert_in_range(error.column, 1, length + 1);
        mrwi_arena_free(&arena);
        test_free(copy);
    }
}

static void depth_is_limited(void **state)
{
    (void)state;
    static char text[4 * MRWI_JSON_DEPTH];
    for (uint32_t depth = MRWI_JSON_DEPTH; depth <= MRWI_JSON_DEPTH + 1; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        mrwi_arena arena;
        mrwi_arena_init(&arena, NULL);
        mrwi_json json;
        mrw_error error = {0};
        mrw_status status = mrwi_json_parse(&arena, text, 2 * depth, &json, &error);
        assert_int_equal(status, depth <= MRWI_JSON_DEPTH ? MRW_OK : MRW_ERR_LIMIT);
        if (status != MRW_OK)
            assert_int_equal(error.column, MRWI_JSON_DEPTH + 1);
        mrwi_arena_free(&arena);
    }
}

static void members_and_elements_are_found(void **state)
{
    (void)state;
    fixture f;
    parse(
        &f,
        " {\"a\" : [ 10, {\"x\":1}, [ ] ,\"s\"],\n \"b\":{\"a\":false},\"c\":null ,\"d\":true}\n");
    const mrwi_json_value *root = &f.json.values[0];
    assert_int_equal(root->count, 4);
    const mrwi_json_value *a = mrwi_json_member(&f.json, root, "a");
    assert_int_equal(a->type, MRWI_JSON_ARRAY);
    assert_int_equal(a->count, 4);
    double number = 0.0;
    assert_true(mrwi_json_number(&f.json, mrwi_json_element(&f.json, a, 0), &number));
    assert_true(number == 10.0);
    const mrwi_json_value *object = mrwi_json_element(&f.json, a, 1);
    assert_true(mrwi_json_number(&f.json, mrwi_json_member(&f.json, object, "x"), &number));
    assert_true(number == 1.0);
    assert_int_equal(mrwi_json_element(&f.json, a, 2)->count, 0);
    assert_true(mrwi_json_equals(&f.json, mrwi_json_element(&f.json, a, 3), "s"));
    assert_null(mrwi_json_element(&f.json, a, 4));
    const mrwi_json_value *b = mrwi_json_member(&f.json, root, "b");
    assert_int_equal(mrwi_json_member(&f.json, b, "a")->type, MRWI_JSON_BOOL);
    assert_false(mrwi_json_is_true(&f.json, mrwi_json_member(&f.json, b, "a")));
    assert_int_equal(mrwi_json_member(&f.json, root, "c")->type, MRWI_JSON_NULL);
    assert_true(mrwi_json_is_true(&f.json, mrwi_json_member(&f.json, root, "d")));
    assert_true(mrwi_json_equals(&f.json, mrwi_json_key(&f.json, root, 3), "d"));
    assert_ptr_equal(mrwi_json_member_at(&f.json, root, 1), b);
    /* what is not there says no to everything */
    assert_null(mrwi_json_member(&f.json, root, "e"));
    assert_null(mrwi_json_member(&f.json, a, "a"));
    assert_null(mrwi_json_member(&f.json, NULL, "a"));
    assert_null(mrwi_json_element(&f.json, root, 0));
    assert_false(mrwi_json_number(&f.json, root, &number));
    assert_false(mrwi_json_equals(&f.json, a, "a"));
    assert_false(mrwi_json_is_true(&f.json, NULL));
    finish(&f);
}

static void strings_are_decoded(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"[\"plain\"]", "plain"},
        {"[\"\"]", ""},
        {"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "\"\\/\b\f\n\r\t"},
        {"[\"\\u0041\\u00e4\\u20ac\"]", "A\xc3\xa4\xe2\x82\xac"},
        {"[\"\\ud83e\\udd8a\"]", "\xf0\x9f\xa6\x8a"},         /* a fox */
        {"[\"\\ud83e!\"]", "\xef\xbf\xbd!"},                  /* half a pair */
        {"[\"\\udd8a\\ud83e\"]", "\xef\xbf\xbd\xef\xbf\xbd"}, /* the wrong way round */
        {"[\"\\ud83e\\ud83e\\udd8a\"]", "\xef\xbf\xbd\xf0\x9f\xa6\x8a"},
        {"[\"a\\u0000b\"]", "a\xef\xbf\xbd\x62"},
        {"[\"\xf0\x9f\xa6\x8a\"]", "\xf0\x9f\xa6\x8a"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fixture f;
        parse(&f, cases[i][0]);
        size_t length;
        const mrwi_json_value *string = mrwi_json_element(&f.json, &f.json.values[0], 0);
        const char *text = mrwi_json_string(&f.json, string, &f.arena, &length);
        assert_string_equal(text, cases[i][1]);
        assert_int_equal(length, strlen(text));
        assert_true(mrwi_json_equals(&f.json, string, cases[i][1]));
        assert_false(mrwi_json_equals(&f.json, string, "something else"));
        finish(&f);
    }
}

static void escaped_keys_are_the_same_keys(void **state)
{
    (void)state;
    fixture f;
    parse(&f, "{\"n\\u006fdes\":1}");
    assert_non_null(mrwi_json_member(&f.json, &f.json.values[0], "nodes"));
    assert_null(mrwi_json_member(&f.json, &f.json.values[0], "node"));
    assert_null(mrwi_json_member(&f.json, &f.json.values[0], "nodes2"));
    finish(&f);
}

static void of_duplicate_keys_the_last_counts(void **state)
{
    (void)state;
    fixture f;
    parse(&f, "{\"a\":1,\"b\":{\"a\":3},\"\\u0061\":2}");
    double number = 0.0;
    assert_true(
        mrwi_json_number(&f.json, mrwi_json_member(&f.json, &f.json.values[0], "a"), &number));
    assert_true(number == 2.0);
    assert_int_equal(f.json.duplicate_key_count, 1);
    assert_int_equal(f.json.duplicate_key->start, 20);
    finish(&f);
}

/* Above sixteen keys a table takes over. */
static void duplicates_are_found_in_large_objects(void **state)
{
    (void)state;
    static char text[40000];
    for (uint32_t doubles = 0; doubles <= 2; doubles++) {
        size_t at = 0;
        text[at++] = '{';
        for (uint32_t i = 0; i < 1000; i++)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "\"key%u\":%u,", i, i);
        if (doubles == 0)
            at--;
        if (doubles > 0)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "\"key7\":0");
        if (doubles > 1)
            at += (size_t)snprintf(text + at, sizeof(text) - at, ",\"\\u006bey999\":0");
        snprintf(text + at, sizeof(text) - at, "}");
        fixture f;
        parse(&f, text);
        assert_int_equal(f.json.duplicate_key_count, doubles);
        assert_non_null(mrwi_json_member(&f.json, &f.json.values[0], "key500"));
        finish(&f);
    }
}

/* A million elements, each asked for by its number: the square of that would take hours. */
static void large_arrays_are_indexed_in_constant_time(void **state)
{
    (void)state;
    const uint32_t count = 1000000;
    char *text = test_malloc(count * 4 + 2);
    text[0] = '[';
    for (uint32_t i = 0; i < count; i++)
        memcpy(text + 1 + i * 4, i + 1 < count ? "{},\n" : "{}] ", 4);
    text[count * 4] = '\0';
    fixture f;
    parse(&f, text);
    for (uint32_t i = 0; i < count; i++)
        assert_true(mrwi_json_element(&f.json, &f.json.values[0], i)->start == 1 + i * 4);
    finish(&f);
    test_free(text);
}

static void memory_limits_hold(void **state)
{
    (void)state;
    mrw_memory_options options = mrw_memory_options_default();
    options.limit_bytes = 1000;
    mrwi_arena arena;
    mrwi_arena_init(&arena, &options);
    mrwi_json json;
    mrw_error error = {0};
    static const char text[] =
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]";
    assert_int_equal(mrwi_json_parse(&arena, text, strlen(text), &json, &error),
                     MRW_ERR_MEMORY_LIMIT);
    mrwi_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_text_is_refused_at_its_place),
        cmocka_unit_test(malformed_values_are_refused),
        cmocka_unit_test(malformed_strings_are_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(members_and_elements_are_found),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(escaped_keys_are_the_same_keys),
        cmocka_unit_test(of_duplicate_keys_the_last_counts),
        cmocka_unit_test(duplicates_are_found_in_large_objects),
        cmocka_unit_test(large_arrays_are_indexed_in_constant_time),
        cmocka_unit_test(memory_limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
