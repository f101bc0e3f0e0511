/* mrw_joint_shells: distances that can be worked out in the head. */
#include <marrow/offline/compress.h>

#include "unit/handmade_scene.h"

#include <math.h>

static mrw_character *build(mrw_scene *scene)
{
    mrw_character *character = NULL;
    mrw_error error = {0};
    if (mrw_build_character(scene, NULL, &character, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    mrw_scene_free(scene);
    return character;
}

static float shell_of(const mrw_character *character, const float *shells, const char *name)
{
    int32_t joint = mrw_skeleton_find_joint(&character->skeleton, name);
    assert_true(joint >= 0);
    return shells[joint];
}

/* Two joints, the second at (1, 0, 0) and twice as large; a third that moves nothing; a lamp with a
 * mesh of its own. Of the triangle, (0,0,0) follows the hip, (1,0,0) both, (0,0.1,-2) the knee. */
static mrw_character *make(void)
{
    enum { HIP, KNEE, TAIL, BODY, LAMP };
    static const int32_t joints[] = {HIP, KNEE, TAIL};
    static const uint16_t influences[] = {0, 1, 0, 1, 1, 2};
    static const float weights[] = {1, 0, 0.5f, 0.5f, 1, 0};
    static const mrw_mat34 inverse_binds[] = {
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{0.5f, 0, 0, -0.5f}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}}},
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
    };
    mrw_scene *scene = new_scene(5);
    static const char *const names[] = {"hip", "knee", "tail", "body", "lamp"};
    for (int i = 0; i < 5; i++)
        scene->nodes[i].name = names[i];
    scene->nodes[KNEE].parent = HIP;
    scene->nodes[KNEE].local.translation.x = 1.0f;
    scene->nodes[KNEE].local.scale = (mrw_vec3){2, 2, 2};
    scene->nodes[TAIL].parent = HIP;
    scene->nodes[BODY].mesh = add_mesh(scene, "skinned", 1);
    scene->nodes[BODY].skin = add_skin(scene, 3, joints);
    scene->skins[0].inverse_binds = scene_copy(scene, inverse_binds, sizeof(inverse_binds));
    set_influences(scene, &scene->meshes[0].primitives[0], 2, influences, weights);
    scene->nodes[LAMP].mesh = add_mesh(scene, "rigid", 1);
    return build(scene);
}

static void shells_reach_to_the_farthest_vertex(void **state)
{
    (void)state;
    mrw_character *character = make();
    float shells[8];
    assert_true(character->skeleton.joint_count <= 8);
    assert_int_equal(mrw_joint_shells(character, 1.0, 0.25, shells, NULL), MRW_OK);
    assert_float_equal(shell_of(character, shells, "hip"), 1.0f, 1e-7f);
    /* (-1, 0.1, -2) from the knee, whose own units are twice as large: sqrt(5.01) all the same */
    assert_float_equal(shell_of(character, shells, "knee"), 2.2383029f, 1e-6f);
    assert_float_equal(shell_of(character, shells, "tail"), 0.25f, 0.0f);
    assert_float_equal(shell_of(character, shells, "body"), 0.25f, 0.0f);
    assert_float_equal(shell_of(character, shells, "lamp"), 2.0024984f, 1e-6f); /* sqrt(4.01) */

    assert_int_equal(mrw_joint_shells(character, 0.01, 0.015, shells, NULL), MRW_OK);
    assert_float_equal(shell_of(character, shells, "hip"), 0.015f, 0.0f);
    assert_float_equal(shell_of(character, shells, "lamp"), 0.020024984f, 1e-8f);
    mrw_character_free(character);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    mrw_character *character = make();
    float shells[8];
    mrw_error error;
    assert_int_equal(mrw_joint_shells(NULL, 1.0, 0.0, shells, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_joint_shells(character, 1.0, 0.0, NULL, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_joint_shells(character, 0.0, 0.0, shells, &error),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_joint_shells(character, 1.0, -1.0, shells, &error),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.detail, "least_m");
    assert_int_equal(mrw_joint_shells(character, 1.0, (double)NAN, shells, &error),
                     MRW_ERR_INVALID_ARGUMENT);
    mrw_character_free(character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shells_reach_to_the_farthest_vertex),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
