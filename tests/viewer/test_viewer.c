/* The whole viewer on the demo's characters, drawn by the null backend. */
#include "viewer/viewer_case.h"

#include "unit/near.h"

static null_backend null;
static view_viewer viewer;

static int create(void **state)
{
    (void)state;
    null_backend_init(&null);
    assert_int_equal(view_viewer_create(&null.backend, NULL, &viewer), MRW_OK);
    return 0;
}

static int open_biped(void **state)
{
    create(state);
    open_scene(&viewer, biped_scene(), false);
    return 0;
}

static int open_tentacle(void **state)
{
    create(state);
    open_scene(&viewer, tentacle_scene(), false);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    view_viewer_free(&viewer);
    null_backend_finish(&null);
    return 0;
}

static void command(view_command which)
{
    view_viewer_command(&viewer, which);
}

/* --- without a file -------------------------------------------------------------------- */

static void without_a_file_it_draws_backdrop_and_ground(void **state)
{
    (void)state;
    draw_frame(&viewer, 0.1);
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
        draw_frame(&viewer, 0.1);
    }
    view_viewer_set_clip(&viewer, 3);
    view_viewer_select(&viewer, 3);
    view_viewer_click(&viewer, 10, 10, 640, 480);
    assert_true(view_viewer_set_crowd(&viewer, 9));
    draw_frame(&viewer, 0.1);
    assert_int_equal(viewer.timeline.clip, -1);
    assert_int_equal(viewer.selected_joint, -1);
    assert_int_equal(view_viewer_labels(&viewer, &label, 1), 0);
    /* What was wished for holds when a file comes. */
    assert_true(viewer.settings.on_cpu);
    command(VIEW_CPU);
    open_scene(&viewer, biped_scene(), false);
    draw_frame(&viewer, 0.1);
    assert_int_equal(null.characters, 9);
}

/* --- opening --------------------------------------------------------------------------- */

static void a_file_plays_its_first_clip(void **state)
{
    (void)state;
    draw_frame(&viewer, 0.25);
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
    draw_frame(&viewer, 0.0);
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
    draw_frame(&viewer, 0.0);
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
    draw_frame(&viewer, 0.3);
    command(VIEW_BONES);
    command(VIEW_METHOD);
    command(VIEW_NEXT_JOINT);
    view_orbit_rotate(&viewer.orbit, 100, 0, 480);
    open_scene(&viewer, tentacle_scene(), false);
    assert_true(viewer.settings.bones);
    assert_int_equal(viewer.settings.method, MRW_SKIN_DUAL_QUAT);
    assert_int_equal(viewer.selected_joint, -1);
    assert_near(viewer.timeline.time_s, 0.0, 0.0);
    assert_false(viewer.framed);
    draw_frame(&viewer, 0.0);
    assert_near((double)viewer.orbit.yaw_rad, (double)(35.0f * (MRW_PI / 180.0f)), 0.0);
}

static void a_reload_keeps_what_still_exists(void **state)
{
    (void)state;
    int32_t walk = mrw_character_find_clip(viewer.character, "walk");
    assert_true(walk >= 0);
    view_viewer_set_clip(&viewer, walk);
    command(VIEW_CROSSFADE);
    draw_frame(&viewer, 0.3);
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
    open_scene(&viewer, changed, true);
    assert_string_equal(viewer.character->clips[viewer.timeline.clip].name, "walk");
    assert_int_not_equal(viewer.timeline.clip, walk);
    assert_true(viewer.timeline.other_clip >= 0);
    assert_near(viewer.timeline.time_s, timeline.time_s, 0.0);
    assert_near(viewer.timeline.speed, timeline.speed, 0.0);
    assert_int_equal(viewer.selected_joint, joint);
    assert_memory_equal(&viewer.orbit, &orbit, sizeof(orbit));
    draw_frame(&viewer, 0.0);
    assert_memory_equal(&viewer.orbit.target, &orbit.target, sizeof(orbit.target));
    /* Another file has neither clip nor joint: it starts as it would alone, but for the camera. */
    open_scene(&viewer, tentacle_scene(), true);
    assert_int_equal(viewer.timeline.clip, 0);
    assert_int_equal(viewer.timeline.other_clip, -1);
    assert_int_equal(viewer.selected_joint, -1);
    assert_true(viewer.framed);
    draw_frame(&viewer, 0.1);
}

static void a_reload_into_nothing_is_an_opening(void **state)
{
    (void)state;
    open_scene(&viewer, biped_scene(), true);
    assert_int_equal(viewer.timeline.clip, 0);
    assert_false(viewer.framed);
    draw_frame(&viewer, 0.1);
}

static void broken_bytes_leave_what_is_shown(void **state)
{
    (void)state;
    draw_frame(&viewer, 0.2);
    const mrw_character *before = viewer.character;
    mrw_error error = {0};
    static const char broken[] = "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"mesh\": 7}]}";
    assert_int_not_equal(
        view_viewer_load(&viewer, broken, sizeof(broken) - 1, NULL, NULL, false, &error), MRW_OK);
    assert_true(strlen(error.message) > 10);
    assert_ptr_equal(viewer.character, before);
    assert_near(viewer.timeline.time_s, 0.2, 1e-9);
    draw_frame(&viewer, 0.1);
    assert_int_not_equal(view_viewer_load(&viewer, "", 0, NULL, NULL, true, NULL), MRW_OK);
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, 0.1);
}

/* --- commands -------------------------------------------------------------------------- */

static void playing_is_commanded(void **state)
{
    (void)state;
    draw_frame(&viewer, 0.5);
    command(VIEW_PLAY);
    draw_frame(&viewer, 0.5);
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
    draw_frame(&viewer, 100.0);
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

static void clips_follow_each_other_and_the_rest_pose(void **state)
{
    (void)state;
    int32_t count = (int32_t)viewer.character->clip_count;
    for (int32_t clip = 1; clip < count; clip++) {
        command(VIEW_NEXT_CLIP);
        assert_int_equal(viewer.timeline.clip, clip);
        draw_frame(&viewer, 0.1);
    }
    command(VIEW_NEXT_CLIP);
    assert_int_equal(viewer.timeline.clip, -1);
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, 0.4);
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

/* A looping clip that is dragged to its end shows the end. */
static void the_end_of_a_loop_can_be_looked_at(void **state)
{
    (void)state;
    mrw_scene *scene = biped_scene();
    for (uint32_t i = 0; i < scene->animations[0].channel_count; i++) /* it ends elsewhere now */
        scene->animations[0].channels[i].key_count =
            (scene->animations[0].channels[i].key_count + 2) / 3;
    open_scene(&viewer, scene, false);
    double end_s = view_timeline_duration_s(&viewer.timeline, viewer.character);
    view_timeline_scrub(&viewer.timeline, viewer.character, end_s);
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, 0.1);
    uint32_t plain = null.plain_draws;
    command(VIEW_BOX);
    draw_frame(&viewer, 0.1);
    assert_int_equal(null.plain_draws, plain + 1);
    command(VIEW_BOX);
    command(VIEW_BONES);
    draw_frame(&viewer, 0.1);
    assert_true(null.plain_draws > plain);
    command(VIEW_BONES);
    draw_frame(&viewer, 0.1);
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
        draw_frame(&viewer, 0.1);
        assert_near((double)null.dual_quat_weight, (double)weights[i], 0.0);
    }
}

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
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, 0.1);
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
}

static void heat_follows_the_selection(void **state)
{
    (void)state;
    command(VIEW_HEAT); /* selects a joint, for it would show nothing */
    assert_true(viewer.selected_joint >= 0);
    command(VIEW_NEXT_JOINT);
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, 0.1);
    uint32_t per_frame = null.calls - calls;
    command(VIEW_NEXT_JOINT);
    calls = null.calls;
    draw_frame(&viewer, 0.1);
    assert_int_equal(null.calls - calls, per_frame + viewer.character->instance_count);
    command(VIEW_DESELECT);
    draw_frame(&viewer, 0.1);
    assert_int_equal(null.draws[VIEW_SURFACE_HEAT], 0);
}

/* A new renderer has no heat yet; the backend would say so. */
static void heat_survives_a_reload(void **state)
{
    (void)state;
    command(VIEW_HEAT);
    draw_frame(&viewer, 0.1);
    open_scene(&viewer, biped_scene(), true);
    assert_true(viewer.selected_joint >= 0);
    draw_frame(&viewer, 0.1);
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
    open_scene(&viewer, scene, false);
    const char *reason = NULL;
    viewer.settings.heat = true;
    view_viewer_select(&viewer, 0);
    draw_frame(&viewer, 0.1);
    assert_floats3(null.meshes[0].heat, 1, 1, 1, 0);
    view_viewer_select(&viewer, 1);
    null.fail_at = null.calls + 2;
    assert_false(view_viewer_frame(&viewer, 0.1, 640, 480, &reason));
    assert_floats3(null.meshes[0].heat, 0, 0, 0, 0);
    view_viewer_select(&viewer, 0);
    draw_frame(&viewer, 0.1);
    assert_floats3(null.meshes[0].heat, 1, 1, 1, 0);
    assert_floats3(null.meshes[1].heat, 0, 0, 0, 0);
}

/* A box that is much larger than what was framed is not cut off: the planes follow the scene. */
static void the_planes_follow_the_scene(void **state)
{
    (void)state;
    draw_frame(&viewer, 0.1);
    view_orbit_zoom(&viewer.orbit, 1.0f);
    int32_t run = mrw_character_find_clip(viewer.character, "run");
    assert_true(run >= 0);
    view_viewer_set_clip(&viewer, run);
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, 0.2);
    assert_false(viewer.stats.has_gpu_difference);
    command(VIEW_CPU);
    for (int i = 0; i < 3; i++) {
        draw_frame(&viewer, 0.2);
        assert_true(null.cpu_draws > 0);
        assert_true(viewer.stats.has_gpu_difference);
        assert_below((double)viewer.stats.gpu_difference, 1e-5);
        assert_true(viewer.stats.gpu_difference >= 0.0f);
        command(VIEW_METHOD);
    }
    /* A shader that does it wrong is found: the backend gets a mesh of another size. */
    for (uint32_t i = 0; i < null.meshes[0].vertex_count * 3; i++)
        null.meshes[0].positions[i] *= 1.5f;
    draw_frame(&viewer, 0.2);
    assert_true(viewer.stats.gpu_difference > 0.05f);
    null.cannot_capture = true;
    draw_frame(&viewer, 0.2);
    command(VIEW_METHOD); /* measured again at once */
    draw_frame(&viewer, 0.2);
    assert_false(viewer.stats.has_gpu_difference);
    command(VIEW_CPU);
    draw_frame(&viewer, 0.2);
    assert_int_equal(null.cpu_draws, 0);
}

/* The tentacle twists: linear skinning makes it thinner, dual quaternions do not. */
static void the_lost_radius_is_told(void **state)
{
    (void)state;
    draw_frame(&viewer, 0.5);
    float linear = viewer.stats.lost.largest;
    assert_true(linear > 0.001f);
    assert_near((double)viewer.stats.linear_lost, (double)linear, 0.0);
    command(VIEW_METHOD);
    draw_frame(&viewer, 0.0);
    assert_below((double)viewer.stats.lost.largest, 1e-4);
    assert_near((double)viewer.stats.linear_lost, (double)linear, 1e-7);
    command(VIEW_METHOD);
    draw_frame(&viewer, 0.0);
    assert_true(viewer.stats.lost.largest > 0.1f * linear);
    assert_true(viewer.stats.lost.largest < 0.9f * linear);
}

static double ticking(void)
{
    static double now_s = 0.0;
    return now_s += 0.25;
}

static void a_clock_gives_times(void **state)
{
    (void)state;
    draw_frame(&viewer, 0.1);
    assert_near(viewer.stats.evaluate_s, 0.0, 0.0);
    viewer.now_s = ticking;
    draw_frame(&viewer, 0.1);
    assert_near(viewer.stats.evaluate_s, 0.25, 1e-9);
    assert_near(viewer.stats.draw_s, 0.25, 1e-9);
}

/* --- crowds ---------------------------------------------------------------------------- */

static void a_crowd_is_drawn_at_once(void **state)
{
    (void)state;
    draw_frame(&viewer, 0.1);
    uint32_t draws = null.draws[VIEW_SURFACE_MATERIAL];
    view_bounds lone = viewer.bounds;
    float distance = viewer.orbit.distance;
    assert_true(view_viewer_set_crowd(&viewer, 30));
    draw_frame(&viewer, 0.1);
    assert_int_equal(null.characters, 30);
    assert_int_equal(null.draws[VIEW_SURFACE_MATERIAL], draws);
    assert_int_equal(viewer.stats.character_count, 30);
    assert_true(viewer.orbit.distance > 2.0f * distance);
    assert_true(viewer.bounds.max.x > 2.0f * lone.max.x);
    /* The first is drawn from the CPU's vertices, the others by the shader. */
    command(VIEW_CPU);
    draw_frame(&viewer, 0.1);
    assert_int_equal(null.characters, 29);
    assert_int_equal(null.cpu_draws,
                     null.draws[VIEW_SURFACE_MATERIAL] / 2 + null.draws[VIEW_SURFACE_SHADOW] / 2);
    assert_below((double)viewer.stats.gpu_difference, 1e-5);
    command(VIEW_CPU);
    assert_true(view_viewer_set_crowd(&viewer, 0));
    assert_int_equal(viewer.crowd_count, 1);
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, elapsed_s);
    mrw_mat34 after = second_root();
    return memcmp(&before, &after, sizeof(before)) != 0;
}

static void a_crowd_plays_with_the_timeline(void **state)
{
    (void)state;
    assert_true(view_viewer_set_crowd(&viewer, 4));
    draw_frame(&viewer, 0.1);
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
    draw_frame(&viewer, (double)NAN);
    assert_int_equal(viewer.timeline.clip, -1);
    assert_int_equal(viewer.selected_joint, -1);
    viewer.timeline.clip = 0;
    viewer.timeline.other_clip = 1;
    viewer.timeline.fade = 3.0f;
    viewer.timeline.time_s = -1e300;
    draw_frame(&viewer, -5.0);
    draw_frame(&viewer, 1e300);
    viewer.timeline.playing = false;
    viewer.timeline.time_s = (double)INFINITY;
    draw_frame(&viewer, 0.1);
    viewer.timeline.time_s = 1234.5; /* stands still beyond its end: it wraps */
    draw_frame(&viewer, 0.1);
    for (int i = 0; i < VIEW_COMMAND_COUNT; i++) {
        viewer.selected_joint = INT32_MIN;
        viewer.timeline.clip = INT32_MAX;
        command((view_command)i);
    }
    command((view_command)99);
    draw_frame(&viewer, 0.1);
}

#define TEST(function, set_up) cmocka_unit_test_setup_teardown(function, set_up, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_a_file_it_draws_backdrop_and_ground, create),
        TEST(without_a_file_every_command_is_harmless, create),
        TEST(a_file_plays_its_first_clip, open_biped),
        TEST(the_first_frame_looks_at_all_of_the_motion, open_biped),
        TEST(a_window_of_another_form_sees_all_until_a_hand_moves_the_camera, open_biped),
        TEST(another_file_starts_anew_and_keeps_settings, open_biped),
        TEST(a_reload_keeps_what_still_exists, open_biped),
        TEST(a_reload_into_nothing_is_an_opening, create),
        TEST(broken_bytes_leave_what_is_shown, open_biped),
        TEST(bytes_are_imported_and_built, create),
        TEST(a_character_with_too_many_influences_is_refused, open_biped),
        TEST(playing_is_commanded, open_biped),
        TEST(speed_goes_up_and_down, open_biped),
        TEST(clips_follow_each_other_and_the_rest_pose, open_biped),
        TEST(crossfades_are_drawn, open_biped),
        TEST(the_end_of_a_loop_can_be_looked_at, create),
        TEST(what_is_drawn_over_it_is_commanded, open_biped),
        TEST(methods_take_turns, open_biped),
        TEST(joints_are_selected_by_turns, open_biped),
        TEST(a_click_on_a_joint_selects_it, open_biped),
        TEST(labels_stand_at_joints, open_biped),
        TEST(heat_follows_the_selection, open_biped),
        TEST(heat_survives_a_reload, open_biped),
        TEST(heat_that_came_in_half_is_not_kept, create),
        TEST(the_planes_follow_the_scene, open_biped),
        TEST(both_paths_are_compared, open_biped),
        TEST(the_lost_radius_is_told, open_tentacle),
        TEST(a_clock_gives_times, open_biped),
        TEST(a_crowd_is_drawn_at_once, open_biped),
        TEST(a_crowd_plays_with_the_timeline, open_biped),
        TEST(nonsense_in_fields_does_no_harm, open_biped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
