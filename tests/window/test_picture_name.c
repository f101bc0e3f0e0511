#define _POSIX_C_SOURCE 200809L

#include "native/picture_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *name_of(const char *file, const char *clip)
{
    static char name[VIEW_PICTURE_NAME_SIZE];
    view_picture_name(file, clip, name);
    return name;
}

static void file_clip_and_a_number(void **state)
{
    (void)state;
    assert_string_equal(name_of("Fox.glb", "Run"), "Fox-Run-1.png");
    assert_string_equal(name_of("v1.2.gltf", "rest"), "v1_2-rest-1.png");
    assert_string_equal(name_of("none", ""), "none--1.png");
}

static void nothing_leads_to_another_folder(void **state)
{
    (void)state;
    assert_string_equal(name_of("a.glb", "../../etc/passwd"), "a-______etc_passwd-1.png");
    assert_string_equal(name_of("a.glb", "Armature|walk"), "a-Armature_walk-1.png");
    assert_string_equal(name_of("a.glb", "\xe8\xb5\xb0"), "a-\xe8\xb5\xb0-1.png");
}

static void long_names_are_cut(void **state)
{
    (void)state;
    char longest[512];
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    const char *name = name_of(longest, longest);
    assert_true(strlen(name) < VIEW_PICTURE_NAME_SIZE);
    assert_string_equal(name + strlen(name) - 6, "-1.png");
}

static void the_number_is_the_first_that_is_free(void **state)
{
    (void)state;
    for (int i = 1; i <= 2; i++) {
        FILE *file = fopen(name_of("a.glb", "b"), "wb");
        assert_non_null(file);
        assert_int_equal(fclose(file), 0);
    }
    assert_string_equal(name_of("a.glb", "b"), "a-b-3.png");
    assert_int_equal(unlink("a-b-1.png"), 0);
    assert_string_equal(name_of("a.glb", "b"), "a-b-1.png");
    assert_int_equal(unlink("a-b-2.png"), 0);
}

int main(void)
{
    char folder[] = "/tmp/marrow-name-XXXXXX";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_clip_and_a_number),
        cmocka_unit_test(nothing_leads_to_another_folder),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(the_number_is_the_first_that_is_free),
    };
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return chdir("/") != 0 || rmdir(folder) != 0 ? 1 : failed;
}
