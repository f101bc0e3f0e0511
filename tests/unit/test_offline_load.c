/* mrw_load_file and mrw_load_memory: the content decides what a file is, never the name. */
#define _DEFAULT_SOURCE /* mkstemp */

#include <marrow/offline/export.h>
#include <marrow/offline/load.h>

#include "unit/near.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char motion[] =
    "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\n"
    "OFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n1 2 3\n";

typedef struct loaded {
    mrw_scene *scene;
    mrw_character *character;
} loaded;

static void free_loaded(loaded *file)
{
    mrw_character_free(file->character);
    mrw_scene_free(file->scene);
}

static loaded load_memory(const void *bytes, size_t size_bytes)
{
    loaded file = {NULL, NULL};
    mrw_error error = {0};
    if (mrw_load_memory(bytes, size_bytes, NULL, NULL, NULL, NULL, &file.scene, &file.character,
                        &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return file;
}

static void expect_motion(const loaded *file, const char *format)
{
    assert_string_equal(file->scene->format, format);
    assert_int_equal(file->character->skeleton.joint_count, 2);
    assert_string_equal(mrw_skeleton_joint_name(&file->character->skeleton, 1), "hips_End");
    assert_int_equal(file->character->clip_count, 1);
    assert_true(file->character->clips[0].duration_s == 0.5f);
}

/* The same character as a .mrw file. */
static mrw_bytes export_motion(void)
{
    loaded file = load_memory(motion, sizeof(motion) - 1);
    expect_motion(&file, "BVH");
    const mrw_asset_header *clip = file.character->clips[0].header;
    const mrw_asset_header *skeleton = file.character->skeleton.header;
    const mrw_file_part parts[] = {{"move", clip, (size_t)clip->size_bytes},
                                   {"", skeleton, (size_t)skeleton->size_bytes}};
    mrw_bytes bytes;
    assert_int_equal(mrw_export_file(parts, 2, NULL, &bytes, NULL), MRW_OK);
    free_loaded(&file);
    return bytes;
}

static void assets_load_from_memory(void **state)
{
    (void)state;
    mrw_bytes bytes = export_motion();
    loaded file = load_memory(bytes.data, bytes.size_bytes);
    mrw_bytes_free(&bytes);
    expect_motion(&file, "Marrow assets");
    assert_string_equal(file.character->clips[0].name, "move");
    assert_int_equal(file.scene->node_count, 0);
    free_loaded(&file);
}

static void both_load_from_files_of_any_name(void **state)
{
    (void)state;
    mrw_bytes bytes = export_motion();
    const struct {
        const void *bytes;
        size_t size_bytes;
        const char *format;
    } files[] = {{motion, sizeof(motion) - 1, "BVH"},
                 {bytes.data, bytes.size_bytes, "Marrow assets"}};
    for (size_t i = 0; i < 2; i++) {
        char path[] = "/tmp/marrow-load-XXXXXX";
        int descriptor = mkstemp(path);
        assert_true(descriptor >= 0);
        close(descriptor);
        assert_int_equal(mrw_write_file(path, files[i].bytes, files[i].size_bytes, NULL), MRW_OK);
        loaded file = {NULL, NULL};
        assert_int_equal(mrw_load_file(path, NULL, NULL, &file.scene, &file.character, NULL),
                         MRW_OK);
        expect_motion(&file, files[i].format);
        free_loaded(&file);
        unlink(path);
    }
    mrw_bytes_free(&bytes);
}

static void what_cannot_be_loaded_leaves_nothing(void **state)
{
    (void)state;
    mrw_bytes bytes = export_motion();
    mrw_scene *scene = (mrw_scene *)&bytes;
    mrw_character *character = (mrw_character *)&bytes;
    mrw_error error = {0};
    assert_int_equal(mrw_load_memory(bytes.data, bytes.size_bytes - 1, NULL, NULL, NULL, NULL,
                                     &scene, &character, &error),
                     MRW_ERR_TRUNCATED);
    assert_null(scene);
    assert_null(character);
    assert_int_equal(error.status, MRW_ERR_TRUNCATED);
    assert_int_equal(
        mrw_load_memory("prose", 5, NULL, NULL, NULL, NULL, &scene, &character, &error),
        MRW_ERR_UNKNOWN_FORMAT);
    assert_int_equal(mrw_load_memory(NULL, 5, NULL, NULL, NULL, NULL, &scene, &character, &error),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_load_file("/nowhere/file.mrw", NULL, NULL, &scene, &character, &error),
                     MRW_ERR_FILE_NOT_FOUND);
    assert_int_equal(mrw_load_file(NULL, NULL, NULL, &scene, &character, &error),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_load_file("x", NULL, NULL, NULL, &character, &error),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_load_file("x", NULL, NULL, &scene, NULL, &error), MRW_ERR_NULL_ARGUMENT);

    /* The n-th allocation fails. */
    mrw_import_options options = mrw_import_options_default();
    options.memory.separate = true;
    mrw_status status = MRW_ERR_MEMORY_LIMIT;
    for (uint64_t limit = 1; status != MRW_OK; limit++) {
        assert_true(limit < 100);
        options.memory.allocation_limit = limit;
        status = mrw_load_memory(bytes.data, bytes.size_bytes, NULL, NULL, &options, NULL, &scene,
                                 &character, NULL);
        assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
        assert_true((status == MRW_OK) == (scene != NULL) &&
                    (scene != NULL) == (character != NULL));
    }
    mrw_character_free(character);
    mrw_scene_free(scene);
    mrw_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assets_load_from_memory),
        cmocka_unit_test(both_load_from_files_of_any_name),
        cmocka_unit_test(what_cannot_be_loaded_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
