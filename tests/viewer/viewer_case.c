#include "viewer/viewer_case.h"

#include "demo/demo.h"

mrw_character *build_character(const mrw_scene *scene)
{
    mrw_character *character = NULL;
    mrw_error error = {0};
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = VIEW_MAX_INFLUENCES;
    if (mrw_build_character(scene, &options, &character, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return character;
}

static mrw_scene *filled(bool (*fill)(mrw_scene *scene))
{
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(NULL, &scene), MRW_OK);
    assert_true(fill(scene));
    return scene;
}

mrw_scene *tentacle_scene(void)
{
    return filled(demo_fill_tentacle);
}

mrw_scene *biped_scene(void)
{
    return filled(demo_fill_biped);
}

uint32_t joint_of(const mrw_character *character, int32_t node)
{
    assert_true(character->node_to_joint[node] >= 0);
    return (uint32_t)character->node_to_joint[node];
}

mrw_vec3 joint_place(const view_posed *posed, uint32_t joint)
{
    const mrw_mat34 *model = &posed->model[joint];
    mrw_vec3 place = {model->m[0][3], model->m[1][3], model->m[2][3]};
    return place;
}

void follow_pose(view_posed *posed)
{
    assert_int_equal(view_posed_place(posed, NULL, posed->palette, posed->dual_quats,
                                      posed->stretches, &posed->has_stretch),
                     MRW_OK);
}

null_backend null;
view_viewer viewer;

int open_nothing(void **state)
{
    (void)state;
    null_backend_init(&null);
    assert_int_equal(view_viewer_create(&null.backend, NULL, &viewer), MRW_OK);
    return 0;
}

int open_biped(void **state)
{
    open_nothing(state);
    open_scene(biped_scene(), false);
    return 0;
}

int open_tentacle(void **state)
{
    open_nothing(state);
    open_scene(tentacle_scene(), false);
    return 0;
}

int close_viewer(void **state)
{
    (void)state;
    view_viewer_free(&viewer);
    null_backend_finish(&null);
    return 0;
}

void open_scene(mrw_scene *scene, bool reload)
{
    const char *reason = NULL;
    if (!view_viewer_open(&viewer, scene, build_character(scene), reload, &reason))
        fail_msg("%s", reason);
}

void draw_frame(double elapsed_s)
{
    const char *reason = NULL;
    if (!view_viewer_frame(&viewer, elapsed_s, 640, 480, &reason))
        fail_msg("%s", reason);
}

void command(view_command which)
{
    view_viewer_command(&viewer, which);
}
