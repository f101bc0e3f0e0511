/* Files, commands and the camera of the whole viewer, on the demo's characters. */
#include "viewer/viewer_case.h"

#include "unit/near.h"

/* --- without a file -------------------------------------------------------------------- */

static void without_a_file_it_draws_backdrop_and_ground(void **state)
{
    (void)state;
    draw_frame(0.1);
    assert_int_equal(null.frames, 1);
    assert_int_equal(null.plain_draws, 2);
    assert_int_equal(null.draws[VIEW_SURFACE_MATERIAL], 0);
    assert_true(viewer.framed);
    assert_int_equal(viewer.stats.character_count, 0);
}

static void without_a_file_every_command_is_harmless(void **state)
{
    (void)state;
    view_label label;
    for (int i = 0; i < VIEW_COMMAND_COUNT; i++) {
        command((view_command)i);
        draw_frame(0.1);
    }
    view_viewer_set_clip(&viewer, 3);
    view_viewer_select(&viewer, 3);
    view_viewer_click(&viewer, 10, 10, 640, 480);
    assert_true(view_viewer_set_crowd(&viewer, 9));
    draw_frame(0.1);
    assert_int_equal(viewer.timeline.clip, -1);
    assert_int_equal(viewer.selected_joint, -1);
    assert_int_equal(view_viewer_labels(&viewer, &label, 1), 0);
    /* What was wished for holds when a file comes. */
    assert_true(viewer.settings.on_cpu);
    command(VIEW_CPU);
    open_scene(biped_scene(), false);
    draw_frame(0.1);
    assert_int_equal(null.characters, 9);
}

/* --- opening --------------------------------------------------------------------------- */

static void a_file_plays_its_first_clip(void **state)
{
    (void)state;
    draw_frame(0.25);
    assert_int_equal(viewer.timeline.clip, 0);
    assert_near(viewer.timeline.time_s, 0.25, 1e-9);
    assert_true(null.draws[VIEW_SURFACE_MATERIAL] > 0);
    assert_true(null.draws[VIEW_SURFACE_SHADOW] > 0);
    assert_int_equal(null.draws[VIEW_SURFACE_HEAT], 0);
    assert_int_equal(null.characters, 1);
    assert_int_equal(viewer.stats.character_count, 1);
    assert_int_equal(viewer.stats.joint_count, viewer.character->skeleton.joint_count);
    assert_int_equal(viewer.stats.vertex_count, view_vertex_count(viewer.character));
    view_posed still;
    assert_int_equal(view_posed_create(viewer.character, &still), MRW_OK);
    assert_int_equal(view_posed_update(&still, 0, 0.25, true), MRW_OK);
    assert_memory_equal(still.palette, viewer.posed.palette,
                        viewer.character->palette_count * sizeof(mrw_mat34));
    view_posed_free(&still);
}

/* As `marrow render` frames it: 35 degrees aside, 12 above, the box of 32 moments of the clip. */
static void the_first_frame_looks_at_all_of_the_motion(void **state)
{
    (void)state;
    draw_frame(0.0);
    view_posed moving;
    view_bounds bounds;
    assert_int_equal(view_posed_create(viewer.character, &moving), MRW_OK);
    assert_int_equal(view_bounds_of_clip(&moving, 0, MRW_SKIN_LINEAR, 32, &bounds), MRW_OK);
    assert_memory_equal(&bounds, &viewer.bounds, sizeof(bounds));
    const float degree = MRW_PI / 180.0f;
    view_camera camera =
        view_camera_frame(&bounds, 35.0f * degree, 12.0f * degree, 640.0f / 480.0f);
    assert_memory_equal(camera.view_projection, null.view_projection, sizeof(null.view_projection));
    view_posed_free(&moving);
}

static void a_window_of_another_form_sees_all_until_a_hand_moves_the_camera(void **state)
{
    (void)state;
    const char *reason = NULL;
    draw_frame(0.0);
    float distance = viewer.orbit.distance;
    assert_true(view_viewer_frame(&viewer, 0.0, 100, 480, &reason));
    assert_true(viewer.orbit.distance > 1.5f * distance);
    assert_true(view_viewer_frame(&viewer, 0.0, 640, 480, &reason));
    assert_near((double)viewer.orbit.distance, (double)distance, 0.0);
    view_orbit_zoom(&viewer.orbit, 1.0f);
    distance = viewer.orbit.distance;
    assert_true(view_viewer_frame(&viewer, 0.0, 100, 480, &reason));
    assert_near((double)viewer.orbit.distance, (double)distance, 0.0);
    command(VIEW_FRAME);
    assert_true(view_viewer_frame(&viewer, 0.0, 100, 480, &reason));
    assert_true(viewer.orbit.distance > 1.5f * distance);
    /* A window without a size is not drawn. */
    uint32_t frames = null.frames;
    assert_true(view_viewer_frame(&viewer, 0.0, 0, 480, &reason));
    assert_int_equal(null.frames, frames);
}

static void another_file_starts_anew_and_keeps_settings(void **state)
{
    (void)state;
    draw_frame(0.3);
    command(VIEW_BONES);
    command(VIEW_METHOD);
    command(VIEW_NEXT_JOINT);
    view_orbit_rotate(&viewer.orbit, 100, 0, 480);
    open_scene(tentacle_scene(), false);
    assert_true(viewer.settings.bones);
    assert_int_equal(viewer.settings.method, MRW_SKIN_DUAL_QUAT);
    assert_int_equal(viewer.selected_joint, -1);
    assert_near(viewer.timeline.time_s, 0.0, 0.0);
    assert_false(viewer.framed);
    draw_frame(0.0);
    assert_near((double)viewer.orbit.yaw_rad, (double)(35.0f * (MRW_PI / 180.0f)), 0.0);
}

static void a_reload_keeps_what_still_exists(void **state)
{
    (void)state;
    int32_t walk = mrw_character_find_clip(viewer.character, "walk");
    assert_true(walk >= 0);
    view_viewer_set_clip(&viewer, walk);
    command(VIEW_CROSSFADE);
    draw_frame(0.3);
    command(VIEW_FASTER);
    command(VIEW_NEXT_JOINT);
    command(VIEW_NEXT_JOINT);
    view_orbit_rotate(&viewer.orbit, 40, 30, 480);
    view_orbit orbit = viewer.orbit;
    view_timeline timeline = viewer.timeline;
    int32_t joint = viewer.selected_joint;
    /* The same file, with its clips in another order. */
    mrw_scene *changed = biped_scene();
    mrw_scene_animation first = changed->animations[0];
    changed->animations[0] = changed->animations[1];
    changed->animations[1] = first;
    open_scene(changed, true);
    assert_string_equal(viewer.character->clips[viewer.timeline.clip].name, "walk");
    assert_int_not_equal(viewer.timeline.clip, walk);
    assert_true(viewer.timeline.other_clip >= 0);
    assert_near(viewer.timeline.time_s, timeline.time_s, 0.0);
    assert_near(viewer.timeline.speed, timeline.speed, 0.0);
    assert_int_equal(viewer.selected_joint, joint);
    assert_memory_equal(&viewer.orbit, &orbit, sizeof(orbit));
    draw_frame(0.0);
    assert_memory_equal(&viewer.orbit.target, &orbit.target, sizeof(orbit.target));
    /* Another file has neither clip nor joint: it starts as it would alone, but for the camera. */
    open_scene(tentacle_scene(), true);
    assert_int_equal(viewer.timeline.clip, 0);
    assert_int_equal(viewer.timeline.other_clip, -1);
    assert_int_equal(viewer.selected_joint, -1);
    assert_true(viewer.framed);
    draw_frame(0.1);
}

static void a_reload_into_nothing_is_an_opening(void **state)
{
    (void)state;
    open_scene(biped_scene(), true);
    assert_int_equal(viewer.timeline.clip, 0);
    assert_false(viewer.framed);
    draw_frame(0.1);
}

static void broken_bytes_leave_what_is_shown(void **state)
{
    (void)state;
    draw_frame(0.2);
    const mrw_character *before = viewer.character;
    mrw_error error = {0};
    static const char broken[] = "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"mesh\": 7}]}";
    assert_int_not_equal(
        view_viewer_load(&viewer, broken, sizeof(broken) - 1, NULL, NULL, false, &error), MRW_OK);
    assert_true(strlen(error.message) > 10);
    assert_ptr_equal(viewer.character, before);
    assert_near(viewer.timeline.time_s, 0.2, 1e-9);
    draw_frame(0.1);
    assert_int_not_equal(view_viewer_load(&viewer, "", 0, NULL, NULL, true, NULL), MRW_OK);
    draw_frame(0.1);
}

static void bytes_are_imported_and_built(void **state)
{
    (void)state;
    static const char triangle[] =
        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}],"
        "\"nodes\": [{\"mesh\": 0}],"
        "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}],"
        "\"accessors\": [{\"count\": 3, \"type\": \"VEC3\", \"componentType\": 5126,"
        "\"min\": [0, 0, 0], \"max\": [0, 0, 0]}]}";
    mrw_error error = {0};
    if (view_viewer_load(&viewer, triangle, sizeof(triangle) - 1, NULL, NULL, false, &error) !=
        MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    draw_frame(0.1);
    assert_int_equal(viewer.stats.vertex_count, 3);
    assert_int_equal(viewer.timeline.clip, -1);
}

static void a_character_with_too_many_influences_is_refused(void **state)
{
    (void)state;
    enum { JOINTS = VIEW_MAX_INFLUENCES + 1 };
    mrw_scene *scene = new_scene(JOINTS + 1);
    int32_t joints[JOINTS];
    uint16_t influences[3 * JOINTS];
    float weights[3 * JOINTS];
    for (int i = 0; i < JOINTS; i++)
        joints[i] = i;
    for (int i = 0; i < 3 * JOINTS; i++) {
        influences[i] = (uint16_t)(i % JOINTS);
        weights[i] = 1.0f / JOINTS;
    }
    scene->nodes[JOINTS].mesh = add_mesh(scene, "", 1);
    scene->nodes[JOINTS].skin = add_skin(scene, JOINTS, joints);
    set_influences(scene, &scene->meshes[0].primitives[0], JOINTS, influences, weights);
    mrw_character *character = NULL;
    assert_int_equal(mrw_build_character(scene, NULL, &character, NULL), MRW_OK);
    const char *reason = NULL;
    assert_false(view_viewer_open(&viewer, scene, character, false, &reason));
    assert_non_null(strstr(reason, "influences"));
    draw_frame(0.1);
}

/* --- commands -------------------------------------------------------------------------- */

static void playing_is_commanded(void **state)
{
    (void)state;
    draw_frame(0.5);
    command(VIEW_PLAY);
    draw_frame(0.5);
    assert_near(viewer.timeline.time_s, 0.5, 1e-9);
    command(VIEW_STEP_ON);
    assert_near(viewer.timeline.time_s, 0.5 + 1.0 / 30.0, 1e-9);
    command(VIEW_STEP_BACK);
    command(VIEW_STEP_BACK);
    assert_near(viewer.timeline.time_s, 0.5 - 1.0 / 30.0, 1e-9);
    command(VIEW_TO_START);
    assert_near(viewer.timeline.time_s, 0.0, 0.0);
    command(VIEW_PLAY);
    assert_true(viewer.timeline.playing);
    command(VIEW_LOOP);
    draw_frame(100.0);
    assert_false(viewer.timeline.playing);
    assert_near(viewer.timeline.time_s, (double)viewer.character->clips[0].duration_s, 0.0);
}

static void speed_goes_up_and_down(void **state)
{
    (void)state;
    command(VIEW_FASTER);
    assert_near(viewer.timeline.speed, 1.5, 0.0);
    command(VIEW_SLOWER);
    command(VIEW_SLOWER);
    assert_near(viewer.timeline.speed, 0.75, 0.0);
    for (int i = 0; i < 20; i++)
        command(VIEW_SLOWER);
    assert_near(viewer.timeline.speed, 0.1, 0.0);
    for (int i = 0; i < 20; i++)
        command(VIEW_FASTER);
    assert_near(viewer.timeline.speed, 4.0, 0.0);
    viewer.timeline.speed = -1.0;
    command(VIEW_SLOWER);
    assert_near(viewer.timeline.speed, -0.75, 0.0);
}

/* The rest pose plays, so that the next clip does, but nothing is to be drawn again for it. A crowd
 * goes on meanwhile. */
static void what_stands_still_does_not_move(void **state)
{
    (void)state;
    assert_true(view_viewer_moves(&viewer));
    command(VIEW_PLAY);
    assert_false(view_viewer_moves(&viewer));
    command(VIEW_PLAY);
    view_viewer_set_clip(&viewer, -1);
    assert_true(viewer.timeline.playing);
    assert_false(view_viewer_moves(&viewer));
    assert_true(view_viewer_set_crowd(&viewer, 3));
    assert_true(view_viewer_moves(&viewer));
    assert_true(view_viewer_set_crowd(&viewer, 1));
    view_timeline_crossfade(&viewer.timeline, viewer.character, 0);
    assert_true(view_viewer_moves(&viewer));
}

static void clips_follow_each_other_and_the_rest_pose(void **state)
{
    (void)state;
    int32_t count = (int32_t)viewer.character->clip_count;
    for (int32_t clip = 1; clip < count; clip++) {
        command(VIEW_NEXT_CLIP);
        assert_int_equal(viewer.timeline.clip, clip);
        draw_frame(0.1);
    }
    command(VIEW_NEXT_CLIP);
    assert_int_equal(viewer.timeline.clip, -1);
    draw_frame(0.1);
    command(VIEW_NEXT_CLIP);
    assert_int_equal(viewer.timeline.clip, 0);
    command(VIEW_PREVIOUS_CLIP);
    command(VIEW_PREVIOUS_CLIP);
    assert_int_equal(viewer.timeline.clip, count - 1);
}

static void crossfades_are_drawn(void **state)
{
    (void)state;
    command(VIEW_FADE_MORE);
    assert_near((double)viewer.timeline.fade, 0.0, 0.0);
    command(VIEW_CROSSFADE);
    assert_int_equal(viewer.timeline.other_clip, 1);
    for (int i = 0; i < 3; i++)
        command(VIEW_FADE_LESS);
    assert_near((double)viewer.timeline.fade, 0.2, 1e-6);
    draw_frame(0.4);
    view_posed mixed;
    assert_int_equal(view_posed_create(viewer.character, &mixed), MRW_OK);
    assert_int_equal(
        view_posed_update_fade(&mixed, 0, viewer.timeline.time_s, 1,
                               view_timeline_other_time_s(&viewer.timeline, viewer.character),
                               viewer.timeline.fade, true),
        MRW_OK);
    assert_memory_equal(mixed.palette, viewer.posed.palette,
                        viewer.character->palette_count * sizeof(mrw_mat34));
    view_posed_free(&mixed);
    for (int i = 0; i < 12; i++)
        command(VIEW_FADE_MORE);
    assert_near((double)viewer.timeline.fade, 1.0, 0.0);
    command(VIEW_CROSSFADE);
    assert_int_equal(viewer.timeline.clip, 1);
    assert_int_equal(viewer.timeline.other_clip, -1);
    for (int i = 0; i < 12; i++)
        command(VIEW_FADE_LESS);
    assert_near((double)viewer.timeline.fade, 0.0, 0.0);
}

static view_bounds bounds_of(int32_t clip, mrw_skin_method method)
{
    view_posed moving;
    view_bounds bounds;
    assert_int_equal(view_posed_create(viewer.character, &moving), MRW_OK);
    assert_int_equal(view_bounds_of_clip(&moving, clip, method, 32, &bounds), MRW_OK);
    view_posed_free(&moving);
    return bounds;
}

static void assert_bounds_of_both(view_bounds all, view_bounds other)
{
    view_bounds_add(&all, other.min);
    view_bounds_add(&all, other.max);
    assert_memory_equal(&viewer.bounds, &all, sizeof(all));
}

static void bounds_are_those_of_all_that_is_mixed(void **state)
{
    (void)state;
    command(VIEW_CROSSFADE);
    draw_frame(0.1);
    assert_bounds_of_both(bounds_of(0, MRW_SKIN_LINEAR), bounds_of(1, MRW_SKIN_LINEAR));
    command(VIEW_CROSSFADE);
    view_viewer_set_clip(&viewer, 1);
    viewer.settings.method = MRW_SKIN_DUAL_QUAT;
    draw_frame(0.1);
    assert_bounds_of_both(bounds_of(1, MRW_SKIN_DUAL_QUAT), bounds_of(1, MRW_SKIN_DUAL_QUAT));
    viewer.settings.method = MRW_SKIN_BLENDED;
    draw_frame(0.1);
    assert_bounds_of_both(bounds_of(1, MRW_SKIN_LINEAR), bounds_of(1, MRW_SKIN_DUAL_QUAT));
}

/* A looping clip that is dragged to its end shows the end. */
static void the_end_of_a_loop_can_be_looked_at(void **state)
{
    (void)state;
    mrw_scene *scene = biped_scene();
    for (uint32_t i = 0; i < scene->animations[0].channel_count; i++) /* it ends elsewhere now */
        scene->animations[0].channels[i].key_count =
            (scene->animations[0].channels[i].key_count + 2) / 3;
    open_scene(scene, false);
    double end_s = view_timeline_duration_s(&viewer.timeline, viewer.character);
    view_timeline_scrub(&viewer.timeline, viewer.character, end_s);
    draw_frame(0.1);
    view_posed last;
    assert_int_equal(view_posed_create(viewer.character, &last), MRW_OK);
    assert_int_equal(view_posed_update(&last, 0, 0.0, false), MRW_OK);
    assert_memory_not_equal(last.palette, viewer.posed.palette,
                            viewer.character->palette_count * sizeof(mrw_mat34));
    assert_int_equal(view_posed_update(&last, 0, end_s, false), MRW_OK);
    assert_memory_equal(last.palette, viewer.posed.palette,
                        viewer.character->palette_count * sizeof(mrw_mat34));
    view_posed_free(&last);
}

static void what_is_drawn_over_it_is_commanded(void **state)
{
    (void)state;
    draw_frame(0.1);
    uint32_t plain = null.plain_draws;
    command(VIEW_BOX);
    draw_frame(0.1);
    assert_int_equal(null.plain_draws, plain + 1);
    command(VIEW_BOX);
    command(VIEW_BONES);
    draw_frame(0.1);
    assert_true(null.plain_draws > plain);
    command(VIEW_BONES);
    draw_frame(0.1);
    assert_int_equal(null.plain_draws, plain);
    command(VIEW_HELP);
    assert_true(viewer.settings.help);
    command(VIEW_NAMES);
    assert_true(viewer.settings.names);
}

static void methods_take_turns(void **state)
{
    (void)state;
    static const float weights[] = {1.0f, 0.5f, 0.0f};
    static const mrw_skin_method methods[] = {MRW_SKIN_DUAL_QUAT, MRW_SKIN_BLENDED,
                                              MRW_SKIN_LINEAR};
    for (int i = 0; i < 3; i++) {
        command(VIEW_METHOD);
        assert_int_equal(viewer.settings.method, methods[i]);
        draw_frame(0.1);
        assert_near((double)null.dual_quat_weight, (double)weights[i], 0.0);
    }
}

#define TEST(function, set_up) cmocka_unit_test_setup_teardown(function, set_up, close_viewer)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_a_file_it_draws_backdrop_and_ground, open_nothing),
        TEST(without_a_file_every_command_is_harmless, open_nothing),
        TEST(a_file_plays_its_first_clip, open_biped),
        TEST(the_first_frame_looks_at_all_of_the_motion, open_biped),
        TEST(a_window_of_another_form_sees_all_until_a_hand_moves_the_camera, open_biped),
        TEST(another_file_starts_anew_and_keeps_settings, open_biped),
        TEST(a_reload_keeps_what_still_exists, open_biped),
        TEST(a_reload_into_nothing_is_an_opening, open_nothing),
        TEST(broken_bytes_leave_what_is_shown, open_biped),
        TEST(bytes_are_imported_and_built, open_nothing),
        TEST(a_character_with_too_many_influences_is_refused, open_biped),
        TEST(playing_is_commanded, open_biped),
        TEST(what_stands_still_does_not_move, open_biped),
        TEST(speed_goes_up_and_down, open_biped),
        TEST(clips_follow_each_other_and_the_rest_pose, open_biped),
        TEST(crossfades_are_drawn, open_biped),
        TEST(bounds_are_those_of_all_that_is_mixed, open_biped),
        TEST(the_end_of_a_loop_can_be_looked_at, open_nothing),
        TEST(what_is_drawn_over_it_is_commanded, open_biped),
        TEST(methods_take_turns, open_biped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
