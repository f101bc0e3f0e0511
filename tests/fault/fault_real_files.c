/* Real files cut at some hundred places, with the memory failing at some hundred places, and with
 * flipped bytes. What small documents show byte by byte is here sampled on data of the real size.
 */
#include "fault/damage.h"
#include "offline/read/file.h"
#include "unit/handmade_scene.h"
#include "unit/random.h"
#include "unit/shared_folder.h"

static const char *const names[] = {"Fox.glb", "SimpleSkin.gltf", "RiggedSimple.glb",
                                    "MorphStressTest.gltf"};
#define NAME_COUNT (sizeof(names) / sizeof(names[0]))
#define PLACES 60 /* of each kind in each file */

/* A file of the shared folder, in memory of the test's own. */
static uint8_t *read_shared(const char *name, size_t *out_size_bytes)
{
    char relative[256], path[1024];
    mrwi_format(relative, sizeof(relative), "assets/gltf/%s", name);
    shared_path(path, sizeof(path), relative);
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    const uint8_t *bytes;
    assert_int_equal(mrwi_file_read(&arena, path, &bytes, out_size_bytes, NULL), MRW_OK);
    uint8_t *copy = malloc(*out_size_bytes);
    assert_non_null(copy);
    memcpy(copy, bytes, *out_size_bytes);
    mrwi_arena_free(&arena);
    return copy;
}

static void truncations_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        size_t whole;
        uint8_t *bytes = read_shared(names[i], &whole);
        for (size_t place = 0; place < PLACES; place++) {
            size_t size = whole / PLACES * place + place % 7;
            uint8_t *copy = malloc(size + 1);
            assert_non_null(copy);
            memcpy(copy, bytes, size);
            failing_heap heap = {0};
            mrw_memory_options memory = failing_options(&heap);
            mrw_error error = {0};
            mrw_status status = run_file(copy, size, &memory, &error);
            if (status == MRW_OK || error.message[0] == '\0')
                fail_msg("%s cut at %zu: %s", names[i], size, mrw_status_name(status));
            assert_int_equal(heap.held_bytes, 0);
            free(copy);
        }
        free(bytes);
    }
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        size_t size;
        uint8_t *bytes = read_shared(names[i], &size);
        failing_heap counting = {0};
        mrw_memory_options memory = failing_options(&counting);
        assert_int_equal(run_file(bytes, size, &memory, NULL), MRW_OK);
        assert_int_equal(counting.held_bytes, 0);
        uint32_t stride = counting.calls / PLACES + 1;
        for (uint32_t fail_at = 1; fail_at <= counting.calls; fail_at += stride) {
            failing_heap heap = {0};
            heap.fail_at = fail_at;
            memory = failing_options(&heap);
            assert_int_equal(run_file(bytes, size, &memory, NULL), MRW_ERR_OUT_OF_MEMORY);
            assert_int_equal(heap.held_bytes, 0);
        }
        free(bytes);
    }
}

static void flipped_bytes_are_survived(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        size_t size;
        uint8_t *bytes = read_shared(names[i], &size);
        for (uint32_t round = 0; round < PLACES; round++) {
            size_t place = random_bits(&random) % size;
            uint8_t kept = bytes[place];
            bytes[place] = (uint8_t)random_bits(&random);
            failing_heap heap = {0};
            mrw_memory_options memory = failing_options(&heap);
            memory.limit_bytes = 1 << 28;
            mrw_error error = {0};
            mrw_status status = run_file(bytes, size, &memory, &error);
            assert_true(status == MRW_OK || error.message[0] != '\0');
            assert_int_equal(heap.held_bytes, 0);
            bytes[place] = kept;
        }
        free(bytes);
    }
}

/* --- a buffer in another file
 * ------------------------------------------------------------------------- */

typedef struct cut_file {
    const uint8_t *bytes;
    size_t size_bytes;
} cut_file;

static mrw_status open_cut(void *user, const char *path, const uint8_t **out_bytes,
                           size_t *out_size_bytes)
{
    const cut_file *file = user;
    assert_string_equal(path, "AnimatedMorphCube.bin");
    *out_bytes = file->bytes;
    *out_size_bytes = file->size_bytes;
    return MRW_OK;
}

static void a_buffer_that_is_cut_is_refused(void **state)
{
    (void)state;
    size_t text_size, data_size;
    uint8_t *text = read_shared("AnimatedMorphCube.gltf", &text_size);
    uint8_t *data = read_shared("AnimatedMorphCube.bin", &data_size);
    for (size_t size = 0; size <= data_size; size += size < 64 ? 1 : 60) {
        cut_file file = {data, size < data_size ? size : data_size};
        mrw_scene *scene;
        mrw_error error = {0};
        mrw_status status =
            mrw_import_memory(text, text_size, open_cut, &file, NULL, &scene, &error);
        assert_int_equal(status, file.size_bytes == data_size ? MRW_OK : MRW_ERR_OUT_OF_BOUNDS);
        if (status != MRW_OK)
            assert_string_equal(error.detail, "buffers[0].byteLength");
        mrw_scene_free(scene);
    }
    free(text);
    free(data);
}

int main(void)
{
    if (!shared_is_there())
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncations_are_refused),
        cmocka_unit_test(failing_allocations_are_survived),
        cmocka_unit_test(flipped_bytes_are_survived),
        cmocka_unit_test(a_buffer_that_is_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
