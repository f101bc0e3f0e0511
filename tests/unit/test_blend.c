/* Blending: shares, hemispheres, exact ends. */
#include <marrow/blend.h>

#include "unit/handmade_skeleton.h"
#include "unit/near.h"
#include "unit/random.h"

#define DEGREES (3.14159265358979323846 / 180.0)

enum { POSES = 3 };

static handmade_skeleton skeleton_bytes;
static mrw_skeleton skeleton;
static _Alignas(64) unsigned char memory[POSES + 1][1024];
static mrw_pose poses[POSES], result;
static mrw_blend_layer layers[POSES];
static mrw_blend_job job;

static int set_up(void **state)
{
    (void)state;
    handmade_skeleton_init(&skeleton_bytes);
    assert_int_equal(mrw_skeleton_open(&skeleton_bytes, sizeof(skeleton_bytes), &skeleton, NULL),
                     MRW_OK);
    memset(memory, 0, sizeof(memory));
    for (int i = 0; i < POSES; i++) {
        assert_int_equal(mrw_pose_init(memory[i], sizeof(memory[i]), 4, 1, &poses[i]), MRW_OK);
        layers[i].pose = &poses[i];
        layers[i].weight = 0.0f;
    }
    assert_int_equal(mrw_pose_init(memory[POSES], sizeof(memory[POSES]), 4, 1, &result), MRW_OK);
    job = mrw_blend_job_default();
    job.skeleton = &skeleton;
    job.layers = layers;
    job.layer_count = 2;
    job.out_pose = &result;
    return 0;
}

static void set_joint(int pose, uint32_t joint, float x, double turn_degrees, float scale)
{
    double half_rad = turn_degrees * DEGREES / 2.0;
    mrw_transform transform = {
        {x, 0, 0}, {0, 0, (float)sin(half_rad), (float)cos(half_rad)}, {scale, 1, 1}};
    mrw_pose_set_joint(&poses[pose], joint, &transform);
}

static void negate_rotation(int pose, uint32_t joint)
{
    mrw_transform transform = mrw_pose_joint(&poses[pose], joint);
    mrw_quat q = transform.rotation;
    transform.rotation = (mrw_quat){-q.x, -q.y, -q.z, -q.w};
    mrw_pose_set_joint(&poses[pose], joint, &transform);
}

static mrw_transform blended(float weight_0, float weight_1, uint32_t joint)
{
    layers[0].weight = weight_0;
    layers[1].weight = weight_1;
    assert_int_equal(mrw_blend(&job), MRW_OK);
    return mrw_pose_joint(&result, joint);
}

static double turn_degrees(mrw_quat q)
{
    assert_near((double)mrw_quat_dot(q, q), 1.0, 1e-6);
    if (q.w < 0.0f)
        q = (mrw_quat){-q.x, -q.y, -q.z, -q.w};
    return 2.0 * atan2((double)q.z, (double)q.w) / DEGREES;
}

static void assert_pose_equal(const mrw_pose *a, const mrw_pose *b)
{
    assert_memory_equal(a->blocks, b->blocks, sizeof(mrw_pose_block));
    assert_memory_equal(a->scalars, b->scalars, sizeof(float));
}

static void randomize(mrw_pose *pose, uint64_t *random)
{
    for (uint32_t i = 0; i < 4; i++) {
        mrw_transform transform = random_transform(random, -2.0f, 2.0f);
        mrw_pose_set_joint(pose, i, &transform);
    }
    pose->scalars[0] = random_float(random, -1.0f, 1.0f);
}

static void a_mean_is_weighted(void **state)
{
    (void)state;
    set_joint(0, 1, 2.0f, 10.0, 1.0f);
    set_joint(1, 1, 6.0f, 10.0, 3.0f);
    poses[1].scalars[0] = 0.5f;
    mrw_transform joint = blended(0.75f, 0.25f, 1);
    assert_near((double)joint.translation.x, 3.0, 1e-6);
    assert_near((double)joint.scale.x, 1.5, 1e-6);
    assert_near(turn_degrees(joint.rotation), 10.0, 1e-4);
    assert_near((double)result.scalars[0], 0.125, 1e-7);
}

static void weights_are_relative(void **state)
{
    (void)state;
    set_joint(1, 0, 4.0f, 0.0, 1.0f);
    assert_near((double)blended(6.0f, 2.0f, 0).translation.x, 1.0, 1e-6);
    assert_near((double)blended(3e38f, 3e38f, 0).translation.x, 2.0, 1e-6);
    assert_near((double)blended(1e-45f, 1e-45f, 0).translation.x, 2.0, 1e-6);
}

/* Halfway between two rotations nlerp is where slerp is; at 1/4 of 90 degrees it is where the chord
 * is divided: atan2(sin 45 / 4, 3 / 4 + cos 45 / 4) * 2 = 21.2 degrees. */
static void rotations_follow_the_arc(void **state)
{
    (void)state;
    set_joint(1, 2, 0.0f, 90.0, 1.0f);
    assert_near(turn_degrees(blended(0.5f, 0.5f, 2).rotation), 45.0, 1e-4);
    double quarter = 2.0 * atan2(sqrt(0.5) / 4.0, 0.75 + sqrt(0.5) / 4.0) / DEGREES;
    assert_near(turn_degrees(blended(0.75f, 0.25f, 2).rotation), quarter, 1e-4);
}

static void rotations_take_the_shorter_arc(void **state)
{
    (void)state;
    set_joint(0, 2, 0.0f, 20.0, 1.0f);
    set_joint(1, 2, 0.0f, 60.0, 1.0f);
    negate_rotation(1, 2);
    assert_near(turn_degrees(blended(0.5f, 0.5f, 2).rotation), 40.0, 1e-4);
    negate_rotation(0, 2);
    assert_near(turn_degrees(blended(0.5f, 0.5f, 2).rotation), 40.0, 1e-4);
    /* -170 and 170 degrees meet at 180. */
    set_joint(0, 2, 0.0f, -170.0, 1.0f);
    set_joint(1, 2, 0.0f, 170.0, 1.0f);
    assert_near(fabs(turn_degrees(blended(0.5f, 0.5f, 2).rotation)), 180.0, 1e-4);
}

/* The first layer may have no weight: then the second decides about hemispheres. */
static void three_layers_share_a_hemisphere(void **state)
{
    (void)state;
    set_joint(0, 0, 100.0f, 180.0, 1.0f);
    set_joint(1, 0, 1.0f, 10.0, 1.0f);
    set_joint(2, 0, 3.0f, 30.0, 1.0f);
    negate_rotation(1, 0);
    job.layer_count = 3;
    layers[2].weight = 1.0f;
    mrw_transform joint = blended(0.0f, 1.0f, 0);
    assert_near(turn_degrees(joint.rotation), 20.0, 1e-4);
    assert_true(joint.rotation.w < 0.0f); /* as layer 1 has it */
    assert_near((double)joint.translation.x, 2.0, 1e-6);
    joint = blended(1.0f, 2.0f, 0);
    assert_near((double)joint.translation.x, 26.25, 1e-5);
}

static void both_ends_of_a_crossfade_are_exact(void **state)
{
    (void)state;
    uint64_t random = 91;
    for (int round = 0; round < 200; round++) {
        randomize(&poses[0], &random);
        randomize(&poses[1], &random);
        blended(1.0f, 0.0f, 0);
        assert_pose_equal(&result, &poses[0]);
        blended(0.0f, 1.0f, 0);
        assert_pose_equal(&result, &poses[1]);
        blended(0.0f, 1e-30f, 0);
        assert_pose_equal(&result, &poses[1]);
    }
}

static void layers_without_weight_do_not_leak(void **state)
{
    (void)state;
    set_joint(0, 0, NAN, 0.0, INFINITY);
    poses[0].scalars[0] = NAN;
    set_joint(1, 0, 1.0f, 0.0, 1.0f);
    set_joint(2, 0, 3.0f, 0.0, 1.0f);
    job.layer_count = 3;
    layers[2].weight = 1.0f;
    assert_near((double)blended(0.0f, 1.0f, 0).translation.x, 2.0, 1e-6);
    assert_true(isfinite(result.scalars[0]));
}

static void no_weight_at_all_is_the_rest_pose(void **state)
{
    (void)state;
    mrw_pose rest = poses[2];
    assert_int_equal(mrw_skeleton_rest_pose(&skeleton, &rest), MRW_OK);
    set_joint(0, 0, 5.0f, 0.0, 1.0f);
    blended(0.0f, 0.0f, 0);
    assert_pose_equal(&result, &rest);
    blended(-0.0f, -0.0f, 0);
    assert_pose_equal(&result, &rest);
    assert_int_equal(mrw_pose_init(memory[POSES], 1024, 4, 1, &result), MRW_OK);
    job.layers = NULL;
    job.layer_count = 0;
    assert_int_equal(mrw_blend(&job), MRW_OK);
    assert_pose_equal(&result, &rest);
}

/* From 1 to -1 the scale passes through 0 and the result is finite all the way. */
static void mirrored_scales_are_averaged(void **state)
{
    (void)state;
    set_joint(0, 3, 0.0f, 30.0, 1.0f);
    set_joint(1, 3, 0.0f, 30.0, -1.0f);
    assert_near((double)blended(0.75f, 0.25f, 3).scale.x, 0.5, 1e-6);
    assert_near((double)blended(0.5f, 0.5f, 3).scale.x, 0.0, 1e-6);
    mrw_transform joint = blended(0.25f, 0.75f, 3);
    assert_near((double)joint.scale.x, -0.5, 1e-6);
    assert_near(turn_degrees(joint.rotation), 30.0, 1e-4);
}

/* Orthogonal quaternions have no shorter arc; q and q' cancel only if they are -q and q, which the
 * hemisphere rule turns into the same. */
static void opposite_rotations_stay_valid(void **state)
{
    (void)state;
    set_joint(0, 0, 0.0f, 0.0, 1.0f);
    set_joint(1, 0, 0.0f, 180.0, 1.0f);
    double degrees = fabs(turn_degrees(blended(0.5f, 0.5f, 0).rotation));
    assert_near(degrees, 90.0, 1e-4);
    set_joint(1, 0, 0.0f, 0.0, 1.0f);
    negate_rotation(1, 0);
    assert_near(turn_degrees(blended(0.5f, 0.5f, 0).rotation), 0.0, 1e-6);
}

static void the_result_may_be_a_layer(void **state)
{
    (void)state;
    uint64_t random = 92;
    for (int round = 0; round < 100; round++) {
        int alias = round % 3;
        job.layer_count = 3;
        job.out_pose = &result;
        for (int i = 0; i < POSES; i++) {
            randomize(&poses[i], &random);
            layers[i].weight = random_float(&random, 0.0f, 1.0f);
        }
        if (round % 5 == 0)
            layers[alias].weight = 0.0f;
        if (round % 7 == 0)
            layers[0].weight = layers[1].weight = 0.0f;
        assert_int_equal(mrw_blend(&job), MRW_OK);
        job.out_pose = &poses[alias];
        assert_int_equal(mrw_blend(&job), MRW_OK);
        assert_pose_equal(&poses[alias], &result);
    }
}

static void padding_stays_the_identity(void **state)
{
    (void)state;
    mrw_pose fresh;
    assert_int_equal(mrw_pose_init(memory[2], sizeof(memory[2]), 4, 1, &fresh), MRW_OK);
    uint64_t random = 93;
    job.layer_count = 3; /* three shares seldom sum to 1 exactly */
    for (int round = 0; round < 200; round++) {
        layers[2].weight = random_float(&random, 0.1f, 1.0f);
        blended(random_float(&random, 0.1f, 1.0f), random_float(&random, 0.1f, 1.0f), 0);
        for (int lane = 4; lane < 8; lane++)
            for (int stream = 0; stream < 10; stream++)
                assert_true(((float *)result.blocks)[stream * 8 + lane] ==
                            ((float *)fresh.blocks)[stream * 8 + lane]);
    }
}

static void assert_refused(mrw_status status, const char *detail)
{
    mrw_error error = {0};
    assert_int_equal(mrw_blend_check(&job, &error), status);
    assert_string_equal(error.detail, detail);
    assert_int_equal(mrw_blend(&job), status);
    set_up(NULL);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    assert_int_equal(mrw_blend_check(&job, NULL), MRW_OK);
    assert_int_equal(mrw_blend_check(NULL, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_blend(NULL), MRW_ERR_NULL_ARGUMENT);
    job.struct_size = 1;
    assert_refused(MRW_ERR_STRUCT_SIZE, "struct_size");
    job.skeleton = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "skeleton");
    job.layers = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "layers");
    job.out_pose = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "out_pose");
    result.blocks = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "out_pose");
    result.joint_count = 3;
    assert_refused(MRW_ERR_JOINT_COUNT, "out_pose.joint_count");
    result.scalar_count = 0;
    assert_refused(MRW_ERR_SCALAR_COUNT, "out_pose.scalar_count");
    layers[1].pose = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "layers[1].pose");
    poses[1].joint_count = 5;
    assert_refused(MRW_ERR_JOINT_COUNT, "layers[1].pose.joint_count");
    poses[0].scalar_count = 2;
    assert_refused(MRW_ERR_SCALAR_COUNT, "layers[0].pose.scalar_count");
    layers[0].weight = NAN;
    assert_refused(MRW_ERR_NOT_FINITE, "layers[0].weight");
    layers[1].weight = INFINITY;
    assert_refused(MRW_ERR_NOT_FINITE, "layers[1].weight");
    layers[1].weight = -0.5f;
    assert_refused(MRW_ERR_INVALID_ARGUMENT, "layers[1].weight");
}

#define TEST(function) cmocka_unit_test_setup(function, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mean_is_weighted),
        TEST(weights_are_relative),
        TEST(rotations_follow_the_arc),
        TEST(rotations_take_the_shorter_arc),
        TEST(three_layers_share_a_hemisphere),
        TEST(both_ends_of_a_crossfade_are_exact),
        TEST(layers_without_weight_do_not_leak),
        TEST(no_weight_at_all_is_the_rest_pose),
        TEST(mirrored_scales_are_averaged),
        TEST(opposite_rotations_stay_valid),
        TEST(the_result_may_be_a_layer),
        TEST(padding_stays_the_identity),
        TEST(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
