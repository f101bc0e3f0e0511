/* URIs to paths: what is decoded, what is not followed, and where a relative path starts. */
#include "offline/read/path.h"

#include "unit/near.h"

#include <string.h>

static void assert_path(const char *uri, const char *expected)
{
    char out[128];
    const char *reason;
    assert_int_equal(mrwi_path_from_uri(uri, strlen(uri), false, out, &reason), MRW_OK);
    assert_string_equal(out, expected);
}

static void assert_refused(const char *uri, bool allow_external, mrw_status status)
{
    char out[128];
    const char *reason = "";
    mrw_status result = mrwi_path_from_uri(uri, strlen(uri), allow_external, out, &reason);
    if (result != status)
        fail_msg("%s: %s instead of %s", uri, mrw_status_name(result), mrw_status_name(status));
    assert_true(strlen(reason) > 0);
}

static void assert_stem(const char *path, const char *expected)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    assert_string_equal(mrwi_path_stem(&arena, path), expected);
    mrwi_arena_free(&arena);
}

static void stems_are_names_without_endings(void **state)
{
    (void)state;
    assert_stem("walk.bvh", "walk");
    assert_stem("/a.b/walk", "walk");
    assert_stem("mocap/01_01.take.bvh", "01_01.take");
    assert_stem("mocap/.bvh", ".bvh");
    assert_stem("l\xc3\xa4uft.bvh", "l\xc3\xa4uft");
    assert_stem("l\xe4uft\xff.bvh", "l\xef\xbf\xbduft\xef\xbf\xbd");
    assert_stem("", "");
}

static void relative_references_are_decoded(void **state)
{
    (void)state;
    assert_path("Fox.bin", "Fox.bin");
    assert_path("textures/a%20b.png", "textures/a b.png");
    assert_path("%41%62%c3%A4.bin", "Ab\xc3\xa4.bin");
    assert_path("./a//b/./c.bin", "a/b/c.bin");
    assert_path("100%.bin", "100%.bin");
    assert_path("100%2x.bin", "100%2x.bin");
    assert_path("a%2", "a%2");
    assert_path("...", "...");
    assert_path("..a/b..", "..a/b..");
    assert_path("a%2Fb", "a/b");
}

static void what_leads_out_is_refused(void **state)
{
    (void)state;
    static const char *const uris[] = {
        "../a.bin",     "a/../b.bin", "..",          "a/..",          "%2e%2e/a.bin", "a%2f..%2fb",
        "/etc/passwd",  "%2fetc",     "//host/file", "http://host/a", "file:///etc",  "C:/a.bin",
        "C%3A%5Ca.bin", "a\\b.bin",   "..\\a.bin",   "data:,",        "./../a",
    };
    for (size_t i = 0; i < sizeof(uris) / sizeof(uris[0]); i++)
        assert_refused(uris[i], false, MRW_ERR_EXTERNAL_REFERENCE);
}

static void what_names_nothing_is_refused(void **state)
{
    (void)state;
    assert_refused("", false, MRW_ERR_INVALID_VALUE);
    assert_refused("./", false, MRW_ERR_INVALID_VALUE);
    assert_refused("a%00b", false, MRW_ERR_INVALID_VALUE);
    assert_refused("%00", true, MRW_ERR_INVALID_VALUE);
    assert_refused("", true, MRW_ERR_INVALID_VALUE);
}

static void external_references_can_be_allowed(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"../a%20b.bin", "../a b.bin"},
        {"/abs/file", "/abs/file"},
        {"file:///abs/file", "/abs/file"},
        {"C:/a.bin", "C:/a.bin"},
        {"a\\b", "a\\b"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        char out[64];
        const char *reason;
        assert_int_equal(mrwi_path_from_uri(pairs[i][0], strlen(pairs[i][0]), true, out, &reason),
                         MRW_OK);
        assert_string_equal(out, pairs[i][1]);
    }
    assert_refused("https://host/a.bin", true, MRW_ERR_EXTERNAL_REFERENCE);
}

static void a_path_starts_at_the_folder_of_the_file(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"a/b/c.gltf", "d.bin", "a/b/d.bin"}, {"c.gltf", "d/e.bin", "d/e.bin"},
        {"/c.gltf", "d.bin", "/d.bin"},       {"a/c.gltf", "/d.bin", "/d.bin"},
        {"a/", "d.bin", "a/d.bin"},
    };
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(mrwi_path_beside(&arena, cases[i][0], cases[i][1]), cases[i][2]);
    mrwi_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relative_references_are_decoded),
        cmocka_unit_test(stems_are_names_without_endings),
        cmocka_unit_test(what_leads_out_is_refused),
        cmocka_unit_test(what_names_nothing_is_refused),
        cmocka_unit_test(external_references_can_be_allowed),
        cmocka_unit_test(a_path_starts_at_the_folder_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
