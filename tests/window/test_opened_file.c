/* What a viewer does with files on disk: opening, as a drop does, and noticing that they change. */
#define _POSIX_C_SOURCE 200809L

#include "native/opened_file.h"
#include "viewer/viewer_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One joint of that name. */
#define JOINT_GLTF(name, more)                                                                     \
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"                   \
    "\"nodes\":[{\"name\":\"" name "\"}]" more "}"

typedef struct file_case {
    char folder[64];
    char path[96]; /* of the file that is shown */
    null_backend null;
    view_viewer viewer;
    view_opened_file file;
    char message[256];
} file_case;

static const char *path_of(file_case *c, const char *name)
{
    static char path[128];
    snprintf(path, sizeof(path), "%s/%s", c->folder, name);
    return path;
}

static void write_text(file_case *c, const char *name, const char *text)
{
    FILE *file = fopen(path_of(c, name), "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *shown_joint(const file_case *c)
{
    return mrw_skeleton_joint_name(&c->viewer.character->skeleton, 0);
}

static bool open_named(file_case *c, const char *name)
{
    return view_opened_file_open(&c->file, path_of(c, name), &c->viewer, c->message,
                                 sizeof(c->message));
}

static bool reload(file_case *c)
{
    return view_opened_file_reload(&c->file, &c->viewer, c->message, sizeof(c->message));
}

static void begin(file_case *c)
{
    memset(c, 0, sizeof(*c));
    strcpy(c->folder, "/tmp/marrow-file-XXXXXX");
    assert_non_null(mkdtemp(c->folder));
    null_backend_init(&c->null);
    assert_int_equal(view_viewer_create(&c->null.backend, NULL, &c->viewer), MRW_OK);
    write_text(c, "a.gltf", JOINT_GLTF("first", ""));
    assert_true(open_named(c, "a.gltf"));
}

static void end(file_case *c)
{
    static const char *const names[] = {"a.gltf", "b.gltf", "a.bin", "my skin.png"};
    view_opened_file_free(&c->file);
    view_viewer_free(&c->viewer);
    null_backend_finish(&c->null);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unlink(path_of(c, names[i]));
    assert_int_equal(rmdir(c->folder), 0);
}

static void a_change_counts_when_it_is_over(void **state)
{
    (void)state;
    file_case c;
    begin(&c);
    assert_false(view_opened_file_changed(&c.file));
    assert_false(view_opened_file_changed(&c.file));
    write_text(&c, "a.gltf", JOINT_GLTF("second", ""));
    assert_false(view_opened_file_changed(&c.file)); /* perhaps it is still being written */
    write_text(&c, "a.gltf", JOINT_GLTF("the third", ""));
    assert_false(view_opened_file_changed(&c.file)); /* it was */
    assert_true(view_opened_file_changed(&c.file));
    assert_string_equal(shown_joint(&c), "first");
    assert_true(reload(&c));
    assert_string_equal(shown_joint(&c), "the third");
    assert_false(view_opened_file_changed(&c.file));
    assert_false(view_opened_file_changed(&c.file));
    end(&c);
}

static void a_file_that_is_away_for_a_moment_is_awaited(void **state)
{
    (void)state;
    file_case c;
    begin(&c);
    assert_int_equal(unlink(path_of(&c, "a.gltf")), 0);
    for (int i = 0; i < 4; i++)
        assert_false(view_opened_file_changed(&c.file));
    write_text(&c, "a.gltf", JOINT_GLTF("back again", ""));
    assert_false(view_opened_file_changed(&c.file));
    assert_true(view_opened_file_changed(&c.file));
    end(&c);
}

static void a_broken_file_leaves_the_old_one_and_is_not_tried_twice(void **state)
{
    (void)state;
    file_case c;
    begin(&c);
    write_text(&c, "a.gltf", "{\"asset\":{\"version\":\"2.0\"},\n  nodes}");
    assert_false(view_opened_file_changed(&c.file));
    assert_true(view_opened_file_changed(&c.file));
    assert_false(reload(&c));
    assert_memory_equal(c.message, "a.gltf:2:", strlen("a.gltf:2:"));
    assert_string_equal(shown_joint(&c), "first");
    for (int i = 0; i < 3; i++)
        assert_false(view_opened_file_changed(&c.file));
    write_text(&c, "a.gltf", JOINT_GLTF("mended", ""));
    assert_false(view_opened_file_changed(&c.file));
    assert_true(view_opened_file_changed(&c.file));
    assert_true(reload(&c));
    assert_string_equal(shown_joint(&c), "mended");
    end(&c);
}

static void another_file_takes_the_place_of_the_old_one(void **state)
{
    (void)state;
    file_case c;
    begin(&c);
    write_text(&c, "b.gltf", JOINT_GLTF("other", ""));
    assert_string_equal(view_opened_file_name(&c.file), "a.gltf");
    assert_true(open_named(&c, "b.gltf"));
    assert_string_equal(view_opened_file_name(&c.file), "b.gltf");
    assert_string_equal(shown_joint(&c), "other");
    write_text(&c, "a.gltf", "not looked at any more");
    assert_false(view_opened_file_changed(&c.file));
    assert_false(view_opened_file_changed(&c.file));
    end(&c);
}

static void what_cannot_be_opened_changes_nothing(void **state)
{
    (void)state;
    file_case c;
    begin(&c);
    assert_false(open_named(&c, "b.gltf"));
    assert_string_equal(c.message, "b.gltf: there is no such file");
    write_text(&c, "b.gltf", "Once upon a time");
    assert_false(open_named(&c, "b.gltf"));
    assert_memory_equal(c.message, "b.gltf", strlen("b.gltf"));
    assert_string_equal(view_opened_file_name(&c.file), "a.gltf");
    assert_string_equal(shown_joint(&c), "first");
    end(&c);
}

static void buffers_and_pictures_beside_it_belong_to_it(void **state)
{
    (void)state;
    file_case c;
    begin(&c);
    write_text(&c, "a.bin", "1234");
    write_text(&c, "my skin.png", "no picture");
    write_text(&c, "b.gltf",
               JOINT_GLTF("other", ",\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":4}],"
                                   "\"images\":[{\"uri\":\"my%20skin.png\"}]"));
    assert_true(open_named(&c, "b.gltf"));
    assert_false(view_opened_file_changed(&c.file));
    write_text(&c, "a.bin", "12345678");
    assert_false(view_opened_file_changed(&c.file));
    assert_true(view_opened_file_changed(&c.file));
    assert_true(reload(&c));
    assert_false(view_opened_file_changed(&c.file));
    write_text(&c, "my skin.png", "no picture either");
    assert_false(view_opened_file_changed(&c.file));
    assert_true(view_opened_file_changed(&c.file));
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_counts_when_it_is_over),
        cmocka_unit_test(a_file_that_is_away_for_a_moment_is_awaited),
        cmocka_unit_test(a_broken_file_leaves_the_old_one_and_is_not_tried_twice),
        cmocka_unit_test(another_file_takes_the_place_of_the_old_one),
        cmocka_unit_test(what_cannot_be_opened_changes_nothing),
        cmocka_unit_test(buffers_and_pictures_beside_it_belong_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
