/* What the whole viewer selects, measures and multiplies, on the demo's characters. */
#include "viewer/viewer_case.h"

#include "unit/near.h"

/* --- selection ------------------------------------------------------------------------- */

static void joints_are_selected_by_turns(void **state)
{
    (void)state;
    const uint32_t count = viewer.character->skeleton.joint_count;
    bool *shown = calloc(count, sizeof(*shown));
    view_shown_joints(viewer.character, shown);
    int32_t first = -1;
    for (uint32_t j = 0; j < count; j++) {
        if (!shown[j])
            continue;
        command(VIEW_NEXT_JOINT);
        assert_int_equal(viewer.selected_joint, j);
        first = first < 0 ? (int32_t)j : first;
    }
    command(VIEW_NEXT_JOINT);
    assert_int_equal(viewer.selected_joint, first);
    command(VIEW_DESELECT);
    assert_int_equal(viewer.selected_joint, -1);
    view_viewer_select(&viewer, (int32_t)count);
    assert_int_equal(viewer.selected_joint, -1);
    free(shown);
}

static void a_click_on_a_joint_selects_it(void **state)
{
    (void)state;
    static const char *const names[] = {"head", "hips"};
    draw_frame(0.1);
    view_camera camera = view_orbit_camera(&viewer.orbit, 640.0f / 480.0f);
    for (size_t i = 0; i < 2; i++) {
        float x, y;
        int32_t joint = view_find_joint(&viewer.character->skeleton, names[i], -1);
        assert_true(joint >= 0);
        mrw_vec3 place = joint_place(&viewer.posed, (uint32_t)joint);
        assert_true(view_camera_project(&camera, place, 640, 480, &x, &y));
        view_viewer_click(&viewer, x, y, 640, 480);
        assert_int_equal(viewer.selected_joint, joint);
    }
    view_viewer_click(&viewer, 2, 2, 640, 480);
    assert_int_equal(viewer.selected_joint, -1);
    view_viewer_click(&viewer, 2, 2, 0, 0);
}

static void labels_stand_at_joints(void **state)
{
    (void)state;
    enum { MOST = 256 };
    view_label labels[MOST];
    command(VIEW_NEXT_JOINT);
    assert_int_equal(view_viewer_labels(&viewer, labels, MOST), 0); /* nothing was drawn yet */
    draw_frame(0.1);
    assert_int_equal(view_viewer_labels(&viewer, labels, MOST), 1);
    assert_int_equal(labels[0].joint, viewer.selected_joint);
    command(VIEW_NAMES);
    command(VIEW_DESELECT);
    uint32_t count = view_viewer_labels(&viewer, labels, MOST);
    assert_true(count > 10);
    view_camera camera = view_orbit_camera(&viewer.orbit, 640.0f / 480.0f);
    for (uint32_t i = 0; i < count; i++) {
        float x, y;
        uint32_t joint = (uint32_t)labels[i].joint;
        assert_true(
            view_camera_project(&camera, joint_place(&viewer.posed, joint), 640, 480, &x, &y));
        assert_near((double)labels[i].x, (double)x, 0.0);
        assert_near((double)labels[i].y, (double)y, 0.0);
        assert_string_equal(labels[i].text,
                            mrw_skeleton_joint_name(&viewer.character->skeleton, joint));
    }
    /* What does not fit is counted. */
    assert_int_equal(view_viewer_labels(&viewer, labels, 2), count);
    assert_int_equal(view_viewer_labels(&viewer, NULL, 0), count);
    /* What is selected is told in any case. */
    view_viewer_select(&viewer, labels[count - 1].joint);
    assert_int_equal(view_viewer_labels(&viewer, labels, 2), count);
    assert_int_equal(labels[1].joint, viewer.selected_joint);
    assert_true(labels[0].joint != viewer.selected_joint);
}

static void heat_follows_the_selection(void **state)
{
    (void)state;
    command(VIEW_HEAT); /* selects a joint, for it would show nothing */
    assert_true(viewer.selected_joint >= 0);
    command(VIEW_NEXT_JOINT);
    draw_frame(0.1);
    assert_true(null.draws[VIEW_SURFACE_HEAT] > 0);
    assert_int_equal(null.draws[VIEW_SURFACE_MATERIAL], 0);
    uint32_t count = view_vertex_count(viewer.character);
    float *heat = calloc(count, sizeof(*heat));
    view_joint_heat(viewer.character, viewer.selected_joint, heat);
    float sum = 0.0f;
    for (uint32_t i = 0; i < count; i++)
        sum += heat[i];
    assert_true(sum > 1.0f);
    assert_memory_equal(null.meshes[0].heat, heat, null.meshes[0].vertex_count * sizeof(*heat));
    free(heat);
    /* It is uploaded once. */
    uint32_t calls = null.calls;
    draw_frame(0.1);
    uint32_t per_frame = null.calls - calls;
    command(VIEW_NEXT_JOINT);
    calls = null.calls;
    draw_frame(0.1);
    assert_int_equal(null.calls - calls, per_frame + viewer.character->instance_count);
    command(VIEW_DESELECT);
    draw_frame(0.1);
    assert_int_equal(null.draws[VIEW_SURFACE_HEAT], 0);
}

/* A new renderer has no heat yet; the backend would say so. */
static void heat_survives_a_reload(void **state)
{
    (void)state;
    command(VIEW_HEAT);
    draw_frame(0.1);
    open_scene(biped_scene(), true);
    assert_true(viewer.selected_joint >= 0);
    draw_frame(0.1);
    assert_true(null.draws[VIEW_SURFACE_HEAT] > 0);
}

/* Of two meshes the first gets the heat of another joint, the second fails: then none is trusted.
 */
static void heat_that_came_in_half_is_not_kept(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(2);
    scene->nodes[0].mesh = add_mesh(scene, "one", 1);
    scene->nodes[1].mesh = add_mesh(scene, "two", 1);
    open_scene(scene, false);
    const char *reason = NULL;
    viewer.settings.heat = true;
    view_viewer_select(&viewer, 0);
    draw_frame(0.1);
    assert_floats3(null.meshes[0].heat, 1, 1, 1, 0);
    view_viewer_select(&viewer, 1);
    null.fail_at = null.calls + 2;
    assert_false(view_viewer_frame(&viewer, 0.1, 640, 480, &reason));
    assert_floats3(null.meshes[0].heat, 0, 0, 0, 0);
    view_viewer_select(&viewer, 0);
    draw_frame(0.1);
    assert_floats3(null.meshes[0].heat, 1, 1, 1, 0);
    assert_floats3(null.meshes[1].heat, 0, 0, 0, 0);
}

/* A box that is much larger than what was framed is not cut off: the planes follow the scene. */
static void the_planes_follow_the_scene(void **state)
{
    (void)state;
    draw_frame(0.1);
    view_orbit_zoom(&viewer.orbit, 1.0f);
    int32_t run = mrw_character_find_clip(viewer.character, "run");
    assert_true(run >= 0);
    view_viewer_set_clip(&viewer, run);
    draw_frame(0.1);
    view_orbit expected = viewer.orbit;
    view_orbit_set_scene(&expected, &viewer.bounds);
    view_camera camera = view_orbit_camera(&expected, 640.0f / 480.0f);
    assert_memory_equal(camera.view_projection, null.view_projection, sizeof(null.view_projection));
    assert_true(expected.scene_size > 0.0f);
}

/* --- measurements ---------------------------------------------------------------------- */

static void both_paths_are_compared(void **state)
{
    (void)state;
    draw_frame(0.2);
    assert_false(viewer.stats.has_gpu_difference);
    command(VIEW_CPU);
    for (int i = 0; i < 3; i++) {
        draw_frame(0.2);
        assert_true(null.cpu_draws > 0);
        assert_true(viewer.stats.has_gpu_difference);
        assert_below((double)viewer.stats.gpu_difference, 1e-5);
        assert_true(viewer.stats.gpu_difference >= 0.0f);
        command(VIEW_METHOD);
    }
    /* A shader that does it wrong is found: the backend gets a mesh of another size. */
    for (uint32_t i = 0; i < null.meshes[0].vertex_count * 3; i++)
        null.meshes[0].positions[i] *= 1.5f;
    draw_frame(0.2);
    assert_true(viewer.stats.gpu_difference > 0.05f);
    null.cannot_capture = true;
    draw_frame(0.2);
    command(VIEW_METHOD); /* measured again at once */
    draw_frame(0.2);
    assert_false(viewer.stats.has_gpu_difference);
    command(VIEW_CPU);
    draw_frame(0.2);
    assert_int_equal(null.cpu_draws, 0);
}

/* The tentacle twists: linear skinning makes it thinner, dual quaternions do not. */
static void the_lost_radius_is_told(void **state)
{
    (void)state;
    draw_frame(0.5);
    float linear = viewer.stats.lost.largest;
    assert_true(linear > 0.001f);
    assert_near((double)viewer.stats.linear_lost, (double)linear, 0.0);
    command(VIEW_METHOD);
    draw_frame(0.0);
    assert_below((double)viewer.stats.lost.largest, 1e-4);
    assert_near((double)viewer.stats.linear_lost, (double)linear, 1e-7);
    command(VIEW_METHOD);
    draw_frame(0.0);
    assert_true(viewer.stats.lost.largest > 0.1f * linear);
    assert_true(viewer.stats.lost.largest < 0.9f * linear);
}

/* One frame in every few is measured of a large model while it plays, and the one at which it
 * stops. */
static void a_pose_at_rest_is_measured(void **state)
{
    (void)state;
    command(VIEW_CPU);
    draw_frame(0.1);
    assert_true(viewer.stats.vertex_count > 4000);
    uint32_t measured = null.captures;
    draw_frame(0.1);
    assert_int_equal(null.captures, measured);
    command(VIEW_PLAY);
    draw_frame(0.1);
    assert_true(null.captures > measured);
    for (int i = 0; i < 5; i++) {
        measured = null.captures;
        command(VIEW_STEP_ON);
        draw_frame(0.1);
        assert_true(null.captures > measured);
    }
}

static double ticking(void)
{
    static double now_s = 0.0;
    return now_s += 0.25;
}

static void a_clock_gives_times(void **state)
{
    (void)state;
    draw_frame(0.1);
    assert_near(viewer.stats.evaluate_s, 0.0, 0.0);
    viewer.now_s = ticking;
    draw_frame(0.1);
    assert_near(viewer.stats.evaluate_s, 0.25, 1e-9);
    assert_near(viewer.stats.draw_s, 0.25, 1e-9);
}

/* --- crowds ---------------------------------------------------------------------------- */

static void a_crowd_is_drawn_at_once(void **state)
{
    (void)state;
    draw_frame(0.1);
    uint32_t draws = null.draws[VIEW_SURFACE_MATERIAL];
    view_bounds lone = viewer.bounds;
    float distance = viewer.orbit.distance;
    assert_true(view_viewer_set_crowd(&viewer, 30));
    draw_frame(0.1);
    assert_int_equal(null.characters, 30);
    assert_int_equal(null.draws[VIEW_SURFACE_MATERIAL], draws);
    assert_int_equal(viewer.stats.character_count, 30);
    assert_true(viewer.orbit.distance > 2.0f * distance);
    assert_true(viewer.bounds.max.x > 2.0f * lone.max.x);
    /* The first is drawn from the CPU's vertices, the others by the shader. */
    command(VIEW_CPU);
    draw_frame(0.1);
    assert_int_equal(null.characters, 29);
    assert_int_equal(null.cpu_draws,
                     null.draws[VIEW_SURFACE_MATERIAL] / 2 + null.draws[VIEW_SURFACE_SHADOW] / 2);
    assert_below((double)viewer.stats.gpu_difference, 1e-5);
    command(VIEW_CPU);
    assert_true(view_viewer_set_crowd(&viewer, 0));
    assert_int_equal(viewer.crowd_count, 1);
    draw_frame(0.1);
    assert_int_equal(null.characters, 1);
    assert_memory_equal(&viewer.bounds, &lone, sizeof(lone));
    assert_false(view_viewer_set_crowd(&viewer, UINT32_MAX));
    assert_int_equal(viewer.crowd_count, 1);
}

static mrw_mat34 second_root(void)
{
    view_crowd_data data = view_crowd_matrices(viewer.crowd);
    return data.palette[viewer.character->palette_count];
}

static bool moves(double elapsed_s)
{
    mrw_mat34 before = second_root();
    draw_frame(elapsed_s);
    mrw_mat34 after = second_root();
    return memcmp(&before, &after, sizeof(before)) != 0;
}

static void a_crowd_plays_with_the_timeline(void **state)
{
    (void)state;
    assert_true(view_viewer_set_crowd(&viewer, 4));
    draw_frame(0.1);
    assert_true(moves(0.1));
    command(VIEW_PLAY);
    assert_false(moves(0.1));
    command(VIEW_STEP_ON);
    assert_true(moves(0.1));
    assert_false(moves(0.1));
    view_viewer_set_clip(&viewer, 1);
    assert_false(moves(0.1));
}

/* --- shells write fields --------------------------------------------------------------- */

static void nonsense_in_fields_does_no_harm(void **state)
{
    (void)state;
    viewer.timeline.clip = 1000;
    viewer.timeline.other_clip = -1000;
    viewer.timeline.fade = (float)NAN;
    viewer.timeline.time_s = (double)NAN;
    viewer.timeline.speed = (double)INFINITY;
    viewer.selected_joint = INT32_MAX;
    viewer.settings.method = (mrw_skin_method)77;
    viewer.settings.blend = (float)NAN;
    viewer.settings.heat = true;
    draw_frame((double)NAN);
    assert_int_equal(viewer.timeline.clip, -1);
    assert_int_equal(viewer.selected_joint, -1);
    viewer.timeline.clip = 0;
    viewer.timeline.other_clip = 1;
    viewer.timeline.fade = 3.0f;
    viewer.timeline.time_s = -1e300;
    draw_frame(-5.0);
    draw_frame(1e300);
    viewer.timeline.playing = false;
    viewer.timeline.time_s = (double)INFINITY;
    draw_frame(0.1);
    viewer.timeline.time_s = 1234.5; /* stands still beyond its end: it wraps */
    draw_frame(0.1);
    for (int i = 0; i < VIEW_COMMAND_COUNT; i++) {
        viewer.selected_joint = INT32_MIN;
        viewer.timeline.clip = INT32_MAX;
        command((view_command)i);
    }
    command((view_command)99);
    draw_frame(0.1);
}

#define TEST(function, set_up) cmocka_unit_test_setup_teardown(function, set_up, close_viewer)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(joints_are_selected_by_turns, open_biped),
        TEST(a_click_on_a_joint_selects_it, open_biped),
        TEST(labels_stand_at_joints, open_biped),
        TEST(heat_follows_the_selection, open_biped),
        TEST(heat_survives_a_reload, open_biped),
        TEST(heat_that_came_in_half_is_not_kept, open_nothing),
        TEST(the_planes_follow_the_scene, open_biped),
        TEST(both_paths_are_compared, open_biped),
        TEST(a_pose_at_rest_is_measured, open_biped),
        TEST(the_lost_radius_is_told, open_tentacle),
        TEST(a_clock_gives_times, open_biped),
        TEST(a_crowd_is_drawn_at_once, open_biped),
        TEST(a_crowd_plays_with_the_timeline, open_biped),
        TEST(nonsense_in_fields_does_no_harm, open_biped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
