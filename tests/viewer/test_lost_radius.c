/* How much thinner a limb gets, against what can be computed by hand. */
#include "core/lost_radius.h"

#include "unit/near.h"
#include "viewer/viewer_case.h"

#define DEGREES (3.14159265358979323846 / 180.0)

enum { STILL, TWISTED, MESH, NODES };

/* One corner half and half, one a quarter to TWISTED, one all of STILL. */
static const float weights[] = {0.5f, 0.5f, 0.75f, 0.25f, 1.0f, 0.0f};

static mrw_scene *scene;
static mrw_character *character;
static view_posed posed;

static int make_limb(void **state)
{
    (void)state;
    static const int32_t joints[] = {STILL, TWISTED};
    static const uint16_t influences[] = {0, 1, 0, 1, 0, 1};
    scene = new_scene(NODES);
    scene->nodes[MESH].mesh = add_mesh(scene, "limb", 1);
    scene->nodes[MESH].skin = add_skin(scene, 2, joints);
    set_influences(scene, &scene->meshes[0].primitives[0], 2, influences, weights);
    character = build_character(scene);
    assert_int_equal(view_posed_create(character, &posed), MRW_OK);
    return 0;
}

static int free_limb(void **state)
{
    (void)state;
    view_posed_free(&posed);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return 0;
}

static void set_joint(int node, double degrees, float scale)
{
    mrw_transform local = mrw_transform_identity();
    local.rotation = mrw_quat_from_axis_angle((mrw_vec3){1, 0, 0}, (float)(degrees * DEGREES));
    local.scale = (mrw_vec3){scale, scale, scale};
    mrw_pose_set_joint(&posed.pose, joint_of(character, node), &local);
    follow_pose(&posed);
}

static int untwist(void **state)
{
    (void)state;
    set_joint(STILL, 0.0, 1.0f);
    set_joint(TWISTED, 0.0, 1.0f);
    return 0;
}

static void a_twist_by_a_loses_all_but_the_cosine_of_half_a(void **state)
{
    (void)state;
    static const double angles[] = {1.0, 30.0, 60.0, 90.0, 120.0, 179.0};
    for (size_t i = 0; i < sizeof(angles) / sizeof(angles[0]); i++) {
        set_joint(TWISTED, angles[i], 1.0f);
        view_lost_radius lost = view_measure_lost_radius(&posed, 0.0f);
        assert_near((double)lost.largest, 1.0 - cos(angles[i] / 2.0 * DEGREES), 1e-6);
        assert_int_equal(lost.instance, 0);
        assert_int_equal(lost.vertex, 0);
    }
    /* 60 degrees: cos 30 = 0.8660254. Half a turn: nothing is left. */
    set_joint(TWISTED, 60.0, 1.0f);
    assert_near((double)view_measure_lost_radius(&posed, 0.0f).largest, 0.1339746, 1e-6);
    set_joint(TWISTED, 180.0, 1.0f);
    assert_near((double)view_measure_lost_radius(&posed, 0.0f).largest, 1.0, 1e-3);
}

static void dual_quaternions_lose_nothing(void **state)
{
    (void)state;
    for (double angle = 0.0; angle < 180.0; angle += 15.0) {
        set_joint(TWISTED, angle, 1.0f);
        assert_near((double)view_measure_lost_radius(&posed, 1.0f).largest, 0.0, 2e-6);
    }
}

/* Across the axis the mean of 1 and e^ia is cos(a/2) e^ia/2 and the dual quaternions' is e^ia/2:
 * mixed by b they leave (1 - b) cos(a/2) + b. */
static void a_mix_loses_its_share(void **state)
{
    (void)state;
    set_joint(TWISTED, 90.0, 1.0f);
    static const double mixes[] = {0.25, 0.5, 0.9};
    for (size_t i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++)
        assert_near((double)view_measure_lost_radius(&posed, (float)mixes[i]).largest,
                    (1.0 - mixes[i]) * (1.0 - cos(45.0 * DEGREES)), 1e-6);
}

/* Turned by -120 and 120 degrees, joints are 120 degrees apart the other way around: their mean is
 * cos(120) = -0.5, the dual quaternions' on one hemisphere e^(i 180) = -1, both in equal parts
 * -0.75. */
static void the_shorter_way_around_counts(void **state)
{
    (void)state;
    set_joint(STILL, -120.0, 1.0f);
    set_joint(TWISTED, 120.0, 1.0f);
    assert_near((double)view_measure_lost_radius(&posed, 0.0f).largest, 0.5, 1e-6);
    assert_near((double)view_measure_lost_radius(&posed, 0.5f).largest, 0.25, 1e-6);
    assert_near((double)view_measure_lost_radius(&posed, 1.0f).largest, 0.0, 2e-6);
}

/* Joints that grow together lose as much as before. */
static void scale_alone_is_no_loss(void **state)
{
    (void)state;
    set_joint(STILL, 0.0, 3.0f);
    set_joint(TWISTED, 0.0, 3.0f);
    assert_near((double)view_measure_lost_radius(&posed, 0.0f).largest, 0.0, 1e-6);
    assert_near((double)view_measure_lost_radius(&posed, 1.0f).largest, 0.0, 1e-6);
    set_joint(TWISTED, 60.0, 3.0f);
    assert_near((double)view_measure_lost_radius(&posed, 0.0f).largest, 0.1339746, 1e-6);
    assert_near((double)view_measure_lost_radius(&posed, 1.0f).largest, 0.0, 2e-6);
    set_joint(STILL, 0.0, 0.0f);
    set_joint(TWISTED, 0.0, 0.0f);
    assert_near((double)view_measure_lost_radius(&posed, 0.0f).largest, 0.0, 0.0);
}

/* 1 and 2, three to one: the volume is 1.25^3 and should be 0.75 + 0.25 * 8. Half and half loses
 * less: 1.5^3 of 4.5. */
static void unlike_scales_lose_volume(void **state)
{
    (void)state;
    set_joint(TWISTED, 0.0, 2.0f);
    view_lost_radius lost = view_measure_lost_radius(&posed, 0.0f);
    assert_near((double)lost.largest, 1.0 - sqrt(1.953125 / 2.75), 1e-6);
    assert_int_equal(lost.vertex, 1);
    assert_near((double)view_measure_lost_radius(&posed, 1.0f).largest, (double)lost.largest, 1e-6);
}

/* Mirrored joints have a negative determinant and lose no more for it. */
static void mirrors_count_by_their_size(void **state)
{
    (void)state;
    set_joint(STILL, 0.0, -1.0f);
    set_joint(TWISTED, 60.0, -1.0f);
    assert_near((double)view_measure_lost_radius(&posed, 0.0f).largest, 0.1339746, 1e-6);
    assert_near((double)view_measure_lost_radius(&posed, 1.0f).largest, 0.0, 2e-6);
}

static void rigid_meshes_lose_nothing(void **state)
{
    (void)state;
    mrw_scene *bare = new_scene(1);
    bare->nodes[0].mesh = add_mesh(bare, "rock", 1);
    mrw_character *rock = build_character(bare);
    view_posed still;
    assert_int_equal(view_posed_create(rock, &still), MRW_OK);
    assert_near((double)view_measure_lost_radius(&still, 0.0f).largest, 0.0, 0.0);
    assert_near((double)view_measure_lost_radius(&still, 0.5f).largest, 0.0, 0.0);
    view_posed_free(&still);
    mrw_character_free(rock);
    mrw_scene_free(bare);
}

#define TEST(function) cmocka_unit_test_setup(function, untwist)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_twist_by_a_loses_all_but_the_cosine_of_half_a),
        TEST(dual_quaternions_lose_nothing),
        TEST(a_mix_loses_its_share),
        TEST(the_shorter_way_around_counts),
        TEST(scale_alone_is_no_loss),
        TEST(unlike_scales_lose_volume),
        TEST(mirrors_count_by_their_size),
        TEST(rigid_meshes_lose_nothing),
    };
    return cmocka_run_group_tests(tests, make_limb, free_limb);
}
