/* Many of one character: where they stand, what they play, and that the shader gets their matrices.
 */
#include "core/viewer_crowd.h"

#include "unit/near.h"
#include "viewer/viewer_case.h"

static mrw_scene *scene;
static mrw_character *character;
static view_posed posed;

/* A triangle at a joint that moves in y for 2 s, or in x for 1 s, and bends a morph target. */
static int make_mover(void **state)
{
    (void)state;
    static const char *const target_names[] = {"bend"};
    static const float no_weight[] = {0.0f};
    static const float long_times[] = {0, 2}, short_times[] = {0, 1};
    static const float up[] = {0, 0, 0, 0, 2, 0}, aside[] = {0, 0, 0, 1, 0, 0}, ramp[] = {0, 1};
    scene = new_scene(1);
    scene->nodes[0].mesh = add_mesh(scene, "mover", 1);
    set_targets(scene, 0, 1, target_names, no_weight);
    add_animation(scene, "up");
    add_channel(scene, 0, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_LINEAR, 2, 3, long_times, up);
    add_channel(scene, 0, MRW_CHANNEL_WEIGHTS, MRW_INTERPOLATION_LINEAR, 2, 1, long_times, ramp);
    add_animation(scene, "aside");
    add_channel(scene, 0, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_LINEAR, 2, 3, short_times,
                aside);
    character = build_character(scene);
    assert_int_equal(view_posed_create(character, &posed), MRW_OK);
    return 0;
}

static int free_mover(void **state)
{
    (void)state;
    view_posed_free(&posed);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return 0;
}

static const view_bounds box = {{-0.5f, 0.0f, -1.0f}, {0.5f, 2.0f, 1.0f}};

static void they_stand_on_a_square(void **state)
{
    (void)state;
    view_crowd *crowd = view_crowd_create(character, 25, &box);
    assert_non_null(crowd);
    assert_vec3(view_crowd_place(crowd, 0), 0, 0, 0, 0);
    double spacing = 0.0;
    bool taken[5][5] = {{false}};
    for (uint32_t i = 0; i < 25; i++) {
        mrw_vec3 place = view_crowd_place(crowd, i);
        if (i == 1)
            spacing = fmax(fabs((double)place.x), fabs((double)place.z));
        int column = i > 0 ? (int)lround((double)place.x / spacing) + 2 : 2;
        int row = i > 0 ? (int)lround((double)place.z / spacing) + 2 : 2;
        assert_in_range(column, 0, 4);
        assert_in_range(row, 0, 4);
        assert_false(taken[row][column]);
        taken[row][column] = true;
        assert_near((double)place.y, 0.0, 0.0);
    }
    assert_true(spacing > 2.0); /* the box's longer side */
    assert_true(spacing < 3.0);
    view_bounds all = view_crowd_bounds(crowd);
    assert_vec3(all.min, -0.5 - 2.0 * spacing, 0.0, -1.0 - 2.0 * spacing, 1e-5);
    assert_vec3(all.max, 0.5 + 2.0 * spacing, 2.0, 1.0 + 2.0 * spacing, 1e-5);
    view_crowd_free(crowd);
}

static void each_plays_a_clip_from_a_phase_of_its_own(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    const double time_s = 5.3;
    view_crowd *crowd = view_crowd_create(character, COUNT, &box);
    assert_non_null(crowd);
    assert_int_equal(view_posed_update(&posed, 0, 0.25, true), MRW_OK);
    assert_int_equal(view_crowd_update(crowd, &posed, time_s, true), MRW_OK);
    view_crowd_data data = view_crowd_matrices(crowd);
    assert_int_equal(data.count, COUNT);
    for (uint32_t i = 1; i < COUNT; i++) {
        mrw_vec3 place = view_crowd_place(crowd, i);
        const float(*m)[4] = data.palette[i].m;
        double phase = fmod(i * (sqrt(5.0) - 1.0) / 2.0, 1.0);
        double along = i % 2 == 0 ? fmod(time_s / 2.0 + phase, 1.0) : fmod(time_s + phase, 1.0);
        mrw_vec3 moved = {m[0][3] - place.x, m[1][3] - place.y, m[2][3] - place.z};
        assert_vec3(moved, i % 2 == 0 ? 0.0 : along, i % 2 == 0 ? 2.0 * along : 0.0, 0.0, 2e-5);
        assert_near((double)data.scalars[i], i % 2 == 0 ? along : 0.0, 2e-5);
        mrw_mat34 rigid = mrw_mat34_from_dual_quat(&data.dual_quats[i]);
        assert_below(mat34_difference(&rigid, &data.palette[i], 4), 1e-5);
        assert_near((double)data.stretches[i].m[1][1], 1.0, 1e-6);
    }
    view_crowd_free(crowd);
}

static void the_first_is_the_one_that_is_given(void **state)
{
    (void)state;
    view_crowd *crowd = view_crowd_create(character, 3, &box);
    assert_non_null(crowd);
    assert_int_equal(view_posed_update(&posed, 0, 1.25, true), MRW_OK);
    assert_int_equal(view_crowd_update(crowd, &posed, 77.0, true), MRW_OK);
    view_crowd_data data = view_crowd_matrices(crowd);
    assert_memory_equal(data.palette, posed.palette, sizeof(mrw_mat34));
    assert_memory_equal(data.dual_quats, posed.dual_quats, sizeof(mrw_dual_quat));
    assert_memory_equal(data.stretches, posed.stretches, sizeof(mrw_mat34));
    assert_near((double)data.scalars[0], 0.625, 1e-6);
    view_crowd_free(crowd);
}

static void dual_quaternions_can_be_left_out(void **state)
{
    (void)state;
    view_crowd *crowd = view_crowd_create(character, 2, &box);
    assert_non_null(crowd);
    view_crowd_data data = view_crowd_matrices(crowd);
    assert_int_equal(view_crowd_update(crowd, &posed, 0.25, true), MRW_OK);
    mrw_mat34 palette = data.palette[1];
    mrw_dual_quat dual_quat = data.dual_quats[1];
    assert_int_equal(view_crowd_update(crowd, &posed, 0.5, false), MRW_OK);
    assert_memory_not_equal(&data.palette[1], &palette, sizeof(palette));
    assert_memory_equal(&data.dual_quats[1], &dual_quat, sizeof(dual_quat));
    assert_int_equal(view_crowd_update(crowd, &posed, 0.5, true), MRW_OK);
    mrw_mat34 rigid = mrw_mat34_from_dual_quat(&data.dual_quats[1]);
    assert_below(mat34_difference(&rigid, &data.palette[1], 4), 1e-5);
    view_crowd_free(crowd);
}

static void without_clips_they_rest(void **state)
{
    (void)state;
    mrw_scene *bare = new_scene(2);
    bare->nodes[1].mesh = add_mesh(bare, "rock", 1);
    bare->nodes[1].local.translation.y = 3.0f;
    mrw_character *rock = build_character(bare);
    view_posed still;
    view_bounds nothing = view_bounds_empty();
    assert_int_equal(view_posed_create(rock, &still), MRW_OK);
    view_crowd *crowd = view_crowd_create(rock, 4, &nothing);
    assert_non_null(crowd);
    assert_int_equal(view_crowd_update(crowd, &still, 1.0, true), MRW_OK);
    view_crowd_data data = view_crowd_matrices(crowd);
    for (uint32_t i = 0; i < 4; i++)
        assert_near((double)data.palette[i].m[1][3], 3.0, 0.0);
    assert_near((double)(data.palette[1].m[0][3] - data.palette[2].m[0][3]), -1.0, 0.0);
    view_bounds all = view_crowd_bounds(crowd);
    assert_true(view_bounds_is_empty(&all));
    view_crowd_free(crowd);
    view_posed_free(&still);
    mrw_character_free(rock);
    mrw_scene_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_stand_on_a_square),
        cmocka_unit_test(each_plays_a_clip_from_a_phase_of_its_own),
        cmocka_unit_test(the_first_is_the_one_that_is_given),
        cmocka_unit_test(dual_quaternions_can_be_left_out),
        cmocka_unit_test(without_clips_they_rest),
    };
    return cmocka_run_group_tests(tests, make_mover, free_mover);
}
