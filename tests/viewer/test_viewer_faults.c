/* Every call of the backend and every allocation fails once, and once all from there on: the viewer
 * says so in a sentence, leaks nothing, and works again as soon as nothing fails. */
#include "viewer/failing_memory.h"
#include "viewer/viewer_case.h"

#include <marrow/offline/export.h>

static mrw_bytes file;

/* A small character that has everything: a skin, a morph target, a rigid mesh, a picture, a clip.
 */
static mrw_scene *small_scene(void)
{
    enum { SHOULDER, ELBOW, ARM, SLEEVE, NODES };
    static const int32_t joints[] = {SHOULDER, ELBOW};
    static const uint16_t influences[] = {0, 1, 0, 1, 0, 1};
    static const float weights[] = {1.0f, 0.0f, 0.5f, 0.5f, 0.0f, 1.0f}, rest[] = {0.25f};
    static const char *const target_names[] = {"flex"};
    static const float times[] = {0.0f, 1.0f}, turns[] = {0, 0, 0, 1, 1, 0, 0, 0},
                       flexes[] = {0, 1};
    static const uint8_t png[] = "\x89PNG\r\n\x1a\n";
    mrw_scene *scene = new_scene(NODES);
    scene->nodes[ELBOW].parent = SHOULDER;
    scene->nodes[ELBOW].local.translation.x = 1.0f;
    scene->nodes[SLEEVE].parent = ELBOW;
    scene->nodes[SLEEVE].mesh = add_mesh(scene, "sleeve", 1);
    scene->nodes[ARM].mesh = add_mesh(scene, "arm", 1);
    scene->nodes[ARM].skin = add_skin(scene, 2, joints);
    set_influences(scene, &scene->meshes[1].primitives[0], 2, influences, weights);
    set_targets(scene, 1, 1, target_names, rest);
    scene->meshes[1].primitives[0].targets[0].positions =
        scene_floats(scene, scene->meshes[0].primitives[0].positions, 9);
    add_animation(scene, "bend");
    add_channel(scene, ELBOW, MRW_CHANNEL_ROTATION, MRW_INTERPOLATION_LINEAR, 2, 4, times, turns);
    add_channel(scene, ARM, MRW_CHANNEL_WEIGHTS, MRW_INTERPOLATION_LINEAR, 2, 1, times, flexes);
    const mrw_scene_image image = {"skin", "", scene_copy(scene, png, 8), 8};
    const mrw_scene_material material = {"skin", {1, 1, 1, 1}, 0, false, true, 0.0f, 0.0f, 1.0f};
    scene->image_count = 1;
    scene->images = scene_copy(scene, &image, sizeof(image));
    scene->material_count = 1;
    scene->materials = scene_copy(scene, &material, sizeof(material));
    scene->meshes[1].primitives[0].material = 0;
    return scene;
}

static int make_file(void **state)
{
    (void)state;
    mrw_scene *scene = small_scene();
    mrw_error error = {0};
    if (mrw_export_glb(scene, NULL, &file, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    mrw_scene_free(scene);
    return 0;
}

static int free_file(void **state)
{
    (void)state;
    mrw_bytes_free(&file);
    return 0;
}

static bool frame(void)
{
    const char *reason = NULL;
    if (view_viewer_frame(&viewer, 0.05, 320, 240, &reason))
        return true;
    assert_non_null(reason);
    assert_in_range(strlen(reason), 8, 200);
    return false;
}

static bool load(bool reload)
{
    mrw_error error = {0};
    const mrw_character *before = viewer.character;
    mrw_status status =
        view_viewer_load(&viewer, file.data, file.size_bytes, NULL, NULL, reload, &error);
    if (status == MRW_OK)
        return true;
    assert_int_equal(error.status, status);
    assert_in_range(strlen(error.message), 8, 200);
    assert_ptr_equal(viewer.character, before);
    return false;
}

static bool set_crowd(uint32_t count)
{
    uint32_t before = viewer.crowd_count;
    if (view_viewer_set_crowd(&viewer, count))
        return true;
    assert_int_equal(viewer.crowd_count, before);
    return false;
}

/* A session that reaches everything. Returns how many of its steps failed. */
static int use_viewer(void)
{
    static const view_command switches[] = {
        VIEW_BONES,      VIEW_BOX,       VIEW_METHOD, VIEW_METHOD, VIEW_CPU,       VIEW_HEAT,
        VIEW_NEXT_JOINT, VIEW_NEXT_CLIP, VIEW_CPU,    VIEW_METHOD, VIEW_NEXT_CLIP, VIEW_STEP_ON};
    int failed = 0;
    failed += !frame();
    failed += !load(false);
    failed += !frame();
    for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
        command(switches[i]);
        failed += !frame();
    }
    failed += !set_crowd(4);
    failed += !frame();
    command(VIEW_CPU);
    failed += !frame();
    view_viewer_click(&viewer, 160, 120, 320, 240);
    failed += !load(true);
    failed += !frame();
    failed += !set_crowd(1);
    failed += !frame();
    return failed;
}

/* Nothing fails any more. */
static void assert_usable(void)
{
    assert_true(viewer.character != NULL || load(false));
    assert_true(frame());
    command(VIEW_HEAT);
    command(VIEW_NEXT_JOINT);
    assert_true(load(true));
    assert_true(set_crowd(2));
    assert_true(frame());
}

static int create(void)
{
    null_backend_init(&null);
    return view_viewer_create(&null.backend, NULL, &viewer) == MRW_OK;
}

static void finish(void)
{
    view_viewer_free(&viewer);
    view_viewer_free(&viewer); /* twice does no harm */
    null_backend_finish(&null);
}

static void every_call_of_the_backend_may_fail(void **state)
{
    (void)state;
    uint32_t calls;
    assert_true(create());
    assert_int_equal(use_viewer(), 0);
    calls = null.calls;
    assert_true(calls > 100);
    finish();
    int failed = 0;
    for (uint32_t fail_at = 1; fail_at <= calls; fail_at++) {
        assert_true(create());
        null.fail_at = fail_at;
        failed += use_viewer() > 0;
        null.fail_at = 0;
        assert_usable();
        finish();
    }
    assert_true(failed > (int)calls / 2); /* not capture: it is done without */
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    failing_memory_start(0, 0);
    assert_true(create());
    assert_int_equal(use_viewer(), 0);
    uint32_t allocations = failing_memory_stop();
    assert_true(allocations > 100);
    finish();
    int failed = 0;
    for (uint32_t fail_at = 1; fail_at <= allocations; fail_at++) {
        failing_memory_start(fail_at, fail_at % 2);
        bool created = create();
        failed += !created || use_viewer() > 0;
        failing_memory_stop();
        if (created)
            assert_usable();
        finish();
    }
    assert_true(failed > (int)allocations / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_of_the_backend_may_fail),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_file, free_file);
}
