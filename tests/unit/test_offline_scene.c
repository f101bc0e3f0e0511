/* A scene as a container: memory that lives as long as it, limits, diagnostics. */
#include <marrow/offline/scene.h>

#include "unit/handmade_scene.h"

#include <string.h>

static void a_new_scene_is_empty_and_valid(void **state)
{
    (void)state;
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(NULL, &scene), MRW_OK);
    assert_int_equal(scene->node_count, 0);
    assert_string_equal(scene->format, "");
    assert_string_equal(scene->generator, "");
    assert_string_equal(scene->copyright, "");
    assert_int_equal(mrw_scene_check(scene, NULL), MRW_OK);
    mrw_scene_free(scene);
    mrw_scene_free(NULL);
}

static void memory_is_zeroed_aligned_and_never_null_for_nothing(void **state)
{
    (void)state;
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(NULL, &scene), MRW_OK);
    uint8_t *bytes = mrw_scene_alloc(scene, 100, 3);
    assert_non_null(bytes);
    assert_int_equal((uintptr_t)bytes % 64, 0);
    for (size_t i = 0; i < 300; i++)
        assert_int_equal(bytes[i], 0);
    assert_non_null(mrw_scene_alloc(scene, 0, 8));
    assert_null(mrw_scene_alloc(scene, SIZE_MAX / 2, 4));
    assert_string_equal(mrw_scene_string(scene, "Hüfte"), "Hüfte");
    mrw_scene_free(scene);
}

static void equal_diagnostics_are_counted(void **state)
{
    (void)state;
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(NULL, &scene), MRW_OK);
    char where[] = "nodes[1]";
    assert_true(mrw_scene_diagnose(scene, MRW_SEVERITY_WARNING, "MRW_ODD", where, "first"));
    where[6] = '2'; /* the scene has its own copy */
    assert_true(mrw_scene_diagnose(scene, MRW_SEVERITY_WARNING, "MRW_ODD", where, "second"));
    assert_true(mrw_scene_diagnose(scene, MRW_SEVERITY_INFO, "MRW_ODD", where, "third"));
    assert_int_equal(scene->diagnostic_count, 2);
    assert_string_equal(scene->diagnostics[0].code, "MRW_ODD");
    assert_string_equal(scene->diagnostics[0].where, "nodes[1]");
    assert_string_equal(scene->diagnostics[0].message, "first");
    assert_int_equal(scene->diagnostics[0].count, 2);
    assert_int_equal(scene->diagnostics[1].severity, MRW_SEVERITY_INFO);
    assert_int_equal(scene->diagnostics[1].count, 1);
    mrw_scene_free(scene);
}

static void many_kinds_of_diagnostics_keep_their_order(void **state)
{
    (void)state;
    static char codes[40][8];
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(NULL, &scene), MRW_OK);
    for (int i = 0; i < 40; i++) {
        codes[i][0] = 'C';
        codes[i][1] = (char)('0' + i / 10);
        codes[i][2] = (char)('0' + i % 10);
        assert_true(mrw_scene_diagnose(scene, MRW_SEVERITY_INFO, codes[i], "", codes[i]));
    }
    assert_int_equal(scene->diagnostic_count, 40);
    for (int i = 0; i < 40; i++)
        assert_string_equal(scene->diagnostics[i].message, codes[i]);
    mrw_scene_free(scene);
}

static void severities_have_names(void **state)
{
    (void)state;
    assert_string_equal(mrw_severity_name(MRW_SEVERITY_ERROR), "error");
    assert_string_equal(mrw_severity_name(MRW_SEVERITY_WARNING), "warning");
    assert_string_equal(mrw_severity_name(MRW_SEVERITY_INFO), "info");
}

static void everything_goes_back_to_the_allocator(void **state)
{
    (void)state;
    failing_heap heap = {0, 0, 0};
    mrw_memory_options options = failing_options(&heap);
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(&options, &scene), MRW_OK);
    scene->nodes = mrw_scene_alloc(scene, 3, sizeof(*scene->nodes));
    assert_non_null(scene->nodes);
    size_t held_bytes = heap.held_bytes;
    assert_true(held_bytes >= sizeof(*scene) + 3 * sizeof(*scene->nodes));
    assert_int_equal(mrw_scene_check(scene, NULL), MRW_OK);
    assert_int_equal(heap.held_bytes, held_bytes); /* the check's scratch memory is gone */
    mrw_scene_free(scene);
    assert_int_equal(heap.held_bytes, 0);
}

static void failing_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    for (uint32_t nth = 1; nth <= 2; nth++) {
        failing_heap heap = {0, 0, nth};
        mrw_memory_options options = failing_options(&heap);
        mrw_scene *scene = NULL;
        assert_int_equal(mrw_scene_create(&options, &scene), MRW_ERR_OUT_OF_MEMORY);
        assert_null(scene);
        assert_int_equal(heap.held_bytes, 0);
    }
    for (uint32_t nth = 1; nth <= 2; nth++) {
        failing_heap heap = {0, 0, 0};
        mrw_memory_options options = failing_options(&heap);
        mrw_scene *scene = NULL;
        assert_int_equal(mrw_scene_create(&options, &scene), MRW_OK);
        heap.fail_at = heap.calls + nth;
        assert_int_equal(mrw_scene_check(scene, NULL), MRW_ERR_OUT_OF_MEMORY);
        mrw_scene_free(scene);
        assert_int_equal(heap.held_bytes, 0);
    }
}

static void the_limit_holds(void **state)
{
    (void)state;
    mrw_memory_options options = mrw_memory_options_default();
    options.limit_bytes = 10000;
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(&options, &scene), MRW_OK);
    assert_non_null(mrw_scene_alloc(scene, 1, 4000));
    assert_null(mrw_scene_alloc(scene, 1, 8000));
    mrw_scene_free(scene);
    options.limit_bytes = 1;
    assert_int_equal(mrw_scene_create(&options, &scene), MRW_ERR_MEMORY_LIMIT);
    assert_null(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_scene_is_empty_and_valid),
        cmocka_unit_test(memory_is_zeroed_aligned_and_never_null_for_nothing),
        cmocka_unit_test(equal_diagnostics_are_counted),
        cmocka_unit_test(many_kinds_of_diagnostics_keep_their_order),
        cmocka_unit_test(severities_have_names),
        cmocka_unit_test(everything_goes_back_to_the_allocator),
        cmocka_unit_test(failing_allocations_are_reported_and_leak_nothing),
        cmocka_unit_test(the_limit_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
