/* Mirrored poses: pairs by name and by place, and what a mirrored movement is.
 *
 *     root ── hips ─┬─ spine ── head
 *                   ├─ LeftArm ── LeftHand
 *                   └─ RightArm ── RightHand ── sword ── tip
 *
 * The right side stands where the mirror image of the left is, its axes look anywhere. */
#include <marrow/blend.h>

#include "math/math_inline.h"
#include "pose/pose_block.h"
#include "unit/near.h"
#include "unit/random.h"

enum {
    ROOT,
    HIPS,
    SPINE,
    LEFT_ARM,
    RIGHT_ARM,
    HEAD,
    LEFT_HAND,
    RIGHT_HAND,
    SWORD,
    TIP,
    JOINTS,
    SCALARS = 3
};

static const int32_t parents[JOINTS] = {-1, 0, 1, 1, 1, 2, 3, 4, 7, 8};
static const uint32_t right_pairs[JOINTS] = {0, 1, 2, 4, 3, 5, 7, 6, 8, 9};

static mrw_skeleton skeleton;
static _Alignas(64) unsigned char memory[4][1024];
static mrw_pose rest, pose, mirrored, again;
static mrw_mirror_joint table[JOINTS];
static uint32_t pairs[JOINTS];
static mrw_mirror_build_job build;
static mrw_mirror_job job;
static uint64_t random_state;

/* Names as a skeleton has them. */
enum { MAX_NAMES = 16 };
static char name_bytes[1024];
static uint32_t name_offsets[MAX_NAMES], name_order[MAX_NAMES];
static uint64_t name_hashes[MAX_NAMES];

static void set_names(const char *const *names, uint32_t joint_count, uint32_t scalar_count)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < joint_count + scalar_count; i++) {
        name_offsets[i] = at;
        strcpy(name_bytes + at, names[i]);
        at += (uint32_t)strlen(names[i]) + 1;
        if (i >= joint_count)
            continue;
        name_hashes[i] = mrw_name_hash(names[i]);
        uint32_t place = i;
        for (; place > 0 && name_hashes[name_order[place - 1]] > name_hashes[i]; place--)
            name_order[place] = name_order[place - 1];
        name_order[place] = i;
    }
    skeleton.joint_count = joint_count;
    skeleton.scalar_count = scalar_count;
    skeleton.name_bytes = name_bytes;
    skeleton.name_offsets = name_offsets;
    skeleton.name_hashes = name_hashes;
    skeleton.joints_by_name = name_order;
}

/* --- the rig ------------------------------------------------------------------------------- */

/* Axes and places in the scene. */
static mrw_quat scene_rotations[JOINTS];
static mrw_vec3 scene_places[JOINTS];

static mrw_quat reflected(mrw_quat q)
{
    return (mrw_quat){q.x, -q.y, -q.z, q.w};
}

static void set_rest_from_scene(void)
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        mrw_transform t = {scene_places[i], scene_rotations[i], {1, 1, 1}};
        if (parents[i] >= 0) {
            mrw_quat back = mrw_quat_conjugate(scene_rotations[parents[i]]);
            t.rotation = mrw_quat_normalize(mrw_quat_mul(back, scene_rotations[i]));
            t.translation =
                mrw_quat_rotate(back, mrwi_vec3_sub(scene_places[i], scene_places[parents[i]]));
        }
        mrw_pose_set_joint(&rest, i, &t);
    }
}

static void make_symmetric_rest(void)
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        scene_rotations[i] = random_quat(&random_state);
        scene_places[i] = random_vec3(&random_state, 0.5f, 2.0f);
        if (right_pairs[i] == i && i < SWORD)
            scene_places[i].x = 0.0f;
        if (right_pairs[i] < i) {
            scene_places[i] = scene_places[right_pairs[i]];
            scene_places[i].x = -scene_places[i].x;
        }
    }
    set_rest_from_scene();
}

static int set_up(void **state)
{
    (void)state;
    static const char *const names[] = {"root",    "hips",     "spine",     "LeftArm", "RightArm",
                                        "head",    "LeftHand", "RightHand", "sword",   "tip",
                                        "smile_L", "jaw",      "smile_R"};
    random_state = 72;
    skeleton = (mrw_skeleton){0};
    set_names(names, JOINTS, SCALARS);
    mrw_pose *const all[] = {&rest, &pose, &mirrored, &again};
    for (int i = 0; i < 4; i++)
        assert_int_equal(mrw_pose_init(memory[i], sizeof(memory[i]), JOINTS, SCALARS, all[i]),
                         MRW_OK);
    skeleton.parents = parents;
    skeleton.rest_blocks = rest.blocks;
    skeleton.rest_scalars = rest.scalars;
    make_symmetric_rest();
    memcpy(pairs, right_pairs, sizeof(pairs));
    build = mrw_mirror_build_job_default();
    build.skeleton = &skeleton;
    build.pairs = pairs;
    build.out_joints = table;
    build.joint_count = JOINTS;
    job = mrw_mirror_job_default();
    job.skeleton = &skeleton;
    job.joints = table;
    job.joint_count = JOINTS;
    job.pose = &pose;
    job.out_pose = &mirrored;
    assert_int_equal(mrw_mirror_build(&build), MRW_OK);
    return 0;
}

static void move_pose(void)
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        mrw_transform t = mrw_pose_joint(&rest, i);
        t.rotation = mrw_quat_nlerp(t.rotation, random_quat(&random_state), 0.4f);
        t.translation = mrwi_vec3_add(t.translation, random_vec3(&random_state, -0.3f, 0.3f));
        mrw_pose_set_joint(&pose, i, &t);
    }
}

static void mirror(const mrw_pose *from, mrw_pose *to)
{
    job.pose = from;
    job.out_pose = to;
    assert_int_equal(mrw_mirror_pose(&job), MRW_OK);
}

static mrw_mat34 in_scene(const mrw_pose *of, uint32_t joint)
{
    mrw_transform local = mrw_pose_joint(of, joint);
    mrw_mat34 matrix = mrw_mat34_from_transform(&local);
    if (parents[joint] < 0)
        return matrix;
    mrw_mat34 above = in_scene(of, (uint32_t)parents[joint]);
    return mrw_mat34_mul(&above, &matrix);
}

/* What takes the rest pose's joint to the pose's, in the scene, without translation. */
static mrw_mat34 movement(const mrw_pose *of, uint32_t joint)
{
    mrw_mat34 now = in_scene(of, joint), before = in_scene(&rest, joint), back;
    assert_true(mrw_mat34_inverse(&before, &back));
    return mrw_mat34_mul(&now, &back);
}

/* S M S for the plane across X: elements with one index of X change their sign. */
static mrw_mat34 reflected_matrix(mrw_mat34 m)
{
    for (int i = 1; i < 4; i++)
        m.m[0][i] = -m.m[0][i];
    for (int i = 1; i < 3; i++)
        m.m[i][0] = -m.m[i][0];
    return m;
}

static double pose_difference(const mrw_pose *a, const mrw_pose *b)
{
    double difference = 0.0;
    for (uint32_t i = 0; i < JOINTS; i++) {
        mrw_transform one = mrw_pose_joint(a, i), other = mrw_pose_joint(b, i);
        const float *p = (const float *)&one, *q = (const float *)&other;
        for (int k = 0; k < 10; k++)
            difference = worst(difference, fabs((double)p[k] - (double)q[k]));
    }
    return difference;
}

/* --- tests --------------------------------------------------------------------------------- */

static void movements_change_sides(void **state)
{
    (void)state;
    double error = 0.0;
    for (int round = 0; round < 200; round++) {
        make_symmetric_rest();
        assert_int_equal(mrw_mirror_build(&build), MRW_OK);
        move_pose();
        mirror(&pose, &mirrored);
        for (uint32_t i = 0; i < SWORD; i++) {
            mrw_mat34 right = reflected_matrix(movement(&pose, right_pairs[i]));
            mrw_mat34 got = movement(&mirrored, i);
            error = worst(error, mat34_difference(&got, &right, 3));
            mrw_mat34 place = in_scene(&mirrored, i), other = in_scene(&pose, right_pairs[i]);
            error = worst(error, fabs((double)place.m[0][3] + (double)other.m[0][3]));
            error = worst(error, fabs((double)place.m[1][3] - (double)other.m[1][3]));
            error = worst(error, fabs((double)place.m[2][3] - (double)other.m[2][3]));
        }
        /* Nothing on the left to take it from. */
        for (uint32_t i = SWORD; i < JOINTS; i++) {
            mrw_transform now = mrw_pose_joint(&mirrored, i), before = mrw_pose_joint(&pose, i);
            assert_memory_equal(&now, &before, sizeof(now));
        }
    }
    assert_below(error, 1e-5);
}

static void twice_is_the_identity(void **state)
{
    (void)state;
    double error = 0.0;
    for (int round = 0; round < 500; round++) {
        build.plane_normal = random_vec3(&random_state, -1.0f, 1.0f);
        for (uint32_t i = 0; i < JOINTS; i++) {
            mrw_transform t = random_transform(&random_state, -1.5f, 1.5f);
            mrw_pose_set_joint(&rest, i, &t);
            t = random_transform(&random_state, 0.5f, 1.5f);
            mrw_pose_set_joint(&pose, i, &t);
        }
        assert_int_equal(mrw_mirror_build(&build), MRW_OK);
        mirror(&pose, &mirrored);
        mirror(&mirrored, &again);
        error = worst(error, pose_difference(&again, &pose));
        mirror(&mirrored, &mirrored);
        assert_memory_equal(mirrored.blocks, again.blocks, 2 * sizeof(mrw_pose_block));
    }
    assert_below(error, 1e-5);
}

static void the_rest_pose_is_its_own_image(void **state)
{
    (void)state;
    mirror(&rest, &mirrored);
    assert_below(pose_difference(&mirrored, &rest), 2e-6);
    for (uint32_t i = JOINTS; i < 16; i++) {
        mrw_transform t = mrwi_block_get(mirrored.blocks, i);
        assert_true(t.rotation.w == 1.0f && t.scale.x == 1.0f && t.translation.x == 0.0f);
    }
}

/* With the scene's own axes it can be read off: across X, a rotation's y and z change their sign
 * and a translation's x. */
static void along_the_axes_of_the_scene(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < JOINTS; i++)
        scene_rotations[i] = (mrw_quat){0, 0, 0, 1};
    set_rest_from_scene();
    assert_int_equal(mrw_mirror_build(&build), MRW_OK);
    assert_int_equal(mrw_pose_copy(&rest, &pose), MRW_OK);
    mrw_transform arm = mrw_pose_joint(&pose, LEFT_ARM);
    arm.rotation = (mrw_quat){0.1f, 0.2f, 0.3f, 0.9f};
    arm.rotation = mrw_quat_normalize(arm.rotation);
    arm.translation.x += 0.25f;
    arm.scale = (mrw_vec3){1, 2, 3};
    mrw_pose_set_joint(&pose, LEFT_ARM, &arm);
    mirror(&pose, &mirrored);
    mrw_transform got = mrw_pose_joint(&mirrored, RIGHT_ARM);
    mrw_transform before = mrw_pose_joint(&rest, RIGHT_ARM);
    mrw_quat right = reflected(arm.rotation);
    assert_near((double)mrw_quat_dot(got.rotation, right), 1.0, 1e-6);
    assert_near((double)got.translation.x, (double)before.translation.x - 0.25, 1e-6);
    assert_vec3(got.scale, 1, 2, 3, 0.0);
    got = mrw_pose_joint(&mirrored, LEFT_ARM);
    assert_near((double)got.rotation.w, 1.0, 1e-6);
}

/* A right side that is the left one scaled by -1: its children have the left's local transforms. */
static void a_side_that_is_scaled_by_minus_1(void **state)
{
    (void)state;
    mrw_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (uint32_t i = 0; i < JOINTS; i++)
        mrw_pose_set_joint(&rest, i, &identity);
    mrw_transform arm = identity;
    arm.translation = (mrw_vec3){1, 2, 3};
    arm.rotation = random_quat(&random_state);
    mrw_pose_set_joint(&rest, LEFT_ARM, &arm);
    arm.translation.x = -1;
    arm.rotation = reflected(arm.rotation);
    arm.scale.x = -1;
    mrw_pose_set_joint(&rest, RIGHT_ARM, &arm);
    mrw_transform hand = {{0, 1, 0}, random_quat(&random_state), {1, 1, 1}};
    mrw_pose_set_joint(&rest, LEFT_HAND, &hand);
    mrw_pose_set_joint(&rest, RIGHT_HAND, &hand);
    assert_int_equal(mrw_mirror_build(&build), MRW_OK);
    assert_int_equal(mrw_pose_copy(&rest, &pose), MRW_OK);
    hand = random_transform(&random_state, 1.0f, 2.0f);
    mrw_pose_set_joint(&pose, RIGHT_HAND, &hand);
    mirror(&pose, &mirrored);
    mrw_transform got = mrw_pose_joint(&mirrored, LEFT_HAND);
    assert_near(fabs((double)mrw_quat_dot(got.rotation, hand.rotation)), 1.0, 1e-6);
    assert_vec3(got.translation, (double)hand.translation.x, (double)hand.translation.y,
                (double)hand.translation.z, 1e-6);
    assert_vec3(got.scale, (double)hand.scale.x, (double)hand.scale.y, (double)hand.scale.z, 0.0);
    got = mrw_pose_joint(&mirrored, RIGHT_ARM);
    assert_vec3(got.scale, -1, 1, 1, 0.0);
}

static void scalars_change_sides(void **state)
{
    (void)state;
    uint32_t scalar_pairs[SCALARS], paired_count = 0;
    assert_int_equal(mrw_mirror_scalars_by_name(&skeleton, scalar_pairs, SCALARS, &paired_count),
                     MRW_OK);
    assert_int_equal(paired_count, 2);
    job.scalar_pairs = scalar_pairs;
    pose.scalars[0] = 0.1f;
    pose.scalars[1] = 0.2f;
    pose.scalars[2] = 0.3f;
    mirror(&pose, &mirrored);
    assert_true(mirrored.scalars[0] == 0.3f && mirrored.scalars[1] == 0.2f);
    assert_true(mirrored.scalars[2] == 0.1f);
    job.scalar_pairs = NULL;
    mirror(&pose, &mirrored);
    assert_true(mirrored.scalars[0] == 0.1f && mirrored.scalars[2] == 0.3f);
    assert_int_equal(mrw_mirror_scalars_by_name(&skeleton, scalar_pairs, 2, NULL),
                     MRW_ERR_SCALAR_COUNT);
}

static void names_tell_sides(void **state)
{
    (void)state;
    static const char *const twins[][2] = {
        {"LeftArm", "RightArm"},
        {"mixamorig:LeftHand", "mixamorig:RightHand"},
        {"arm_left", "arm_right"},
        {"Bip01 L Hand", "Bip01 R Hand"},
        {"Arm.L.001", "Arm.R.001"},
        {"l_arm", "r_arm"},
        {"arm_l", "arm_r"},
        {"lShldr", "rShldr"},
        {"handL", "handR"},
        {"LArm", "RArm"},
        {"b_LeftFoot_0", "b_RightFoot_0"},
        {"ARM_LEFT", "ARM_RIGHT"},
        {"J_Bip_L_UpperArm", "J_Bip_R_UpperArm"},
        {"l_left", "l_right"},
        {"finger-1-l", "finger-1-r"},
        {"Leg_L1", "Leg_R1"},
    };
    for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
        const char *const names[] = {twins[i][0], "middle", twins[i][1], "bright", "lamp", "ramp"};
        set_names(names, 6, 0);
        uint32_t got[6], paired_count = 0;
        assert_int_equal(mrw_mirror_pairs_by_name(&skeleton, got, 6, &paired_count), MRW_OK);
        if (paired_count != 2 || got[0] != 2 || got[2] != 0)
            fail_msg("%s: %u, %u paired", twins[i][0], (unsigned)got[0], (unsigned)paired_count);
        assert_true(got[1] == 1 && got[3] == 3 && got[4] == 4 && got[5] == 5);
    }
}

/* r_left finds l_left, which finds l_right: words come before letters. */
static void pairs_go_both_ways(void **state)
{
    (void)state;
    static const char *const names[] = {"l_right", "l_left", "r_left", "", "l", "x_l"};
    set_names(names, 6, 0);
    uint32_t got[6];
    assert_int_equal(mrw_mirror_pairs_by_name(&skeleton, got, 6, NULL), MRW_OK);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(got[got[i]], i);
    assert_int_equal(got[0], 1);
    assert_int_equal(got[2], 2);
    assert_int_equal(mrw_mirror_pairs_by_name(&skeleton, got, 5, NULL), MRW_ERR_JOINT_COUNT);
    assert_int_equal(mrw_mirror_pairs_by_name(NULL, got, 6, NULL), MRW_ERR_NULL_ARGUMENT);
}

static void places_tell_sides(void **state)
{
    (void)state;
    const mrw_vec3 x = {-3, 0, 0};
    for (int round = 0; round < 100; round++) {
        make_symmetric_rest();
        uint32_t got[JOINTS], paired_count = 0;
        assert_int_equal(
            mrw_mirror_pairs_by_place(&skeleton, x, 1e-4f, table, got, JOINTS, &paired_count),
            MRW_OK);
        assert_int_equal(paired_count, 4);
        assert_memory_equal(got, right_pairs, sizeof(got));
    }
    uint32_t got[JOINTS];
    assert_int_equal(
        mrw_mirror_pairs_by_place(&skeleton, (mrw_vec3){0, 0, 0}, 1e-4f, table, got, JOINTS, NULL),
        MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_mirror_pairs_by_place(&skeleton, (mrw_vec3){NAN, 0, 0}, 1e-4f, table, got,
                                               JOINTS, NULL),
                     MRW_ERR_NOT_FINITE);
    assert_int_equal(mrw_mirror_pairs_by_place(&skeleton, x, -1.0f, table, got, JOINTS, NULL),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_mirror_pairs_by_place(&skeleton, x, 1.0f, NULL, got, JOINTS, NULL),
                     MRW_ERR_NULL_ARGUMENT);
}

static void assert_not_built(mrw_status status, const char *detail)
{
    mrw_error error = {0};
    assert_int_equal(mrw_mirror_build_check(&build, &error), status);
    assert_string_equal(error.detail, detail);
    assert_int_equal(mrw_mirror_build(&build), status);
    set_up(NULL);
}

static void assert_not_mirrored(mrw_status status, const char *detail)
{
    mrw_error error = {0};
    assert_int_equal(mrw_mirror_check(&job, &error), status);
    assert_string_equal(error.detail, detail);
    assert_int_equal(mrw_mirror_pose(&job), status);
    set_up(NULL);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    assert_int_equal(mrw_mirror_build(NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_mirror_pose(NULL), MRW_ERR_NULL_ARGUMENT);
    build.struct_size = 0;
    assert_not_built(MRW_ERR_STRUCT_SIZE, "struct_size");
    build.skeleton = NULL;
    assert_not_built(MRW_ERR_NULL_ARGUMENT, "skeleton");
    build.pairs = NULL;
    assert_not_built(MRW_ERR_NULL_ARGUMENT, "pairs");
    build.out_joints = NULL;
    assert_not_built(MRW_ERR_NULL_ARGUMENT, "out_joints");
    build.joint_count = 3;
    assert_not_built(MRW_ERR_JOINT_COUNT, "joint_count");
    pairs[2] = JOINTS;
    assert_not_built(MRW_ERR_JOINT_RANGE, "pairs[2]");
    pairs[2] = 5;
    assert_not_built(MRW_ERR_INVALID_ARGUMENT, "pairs[2]");
    build.plane_normal.x = 0.0f;
    assert_not_built(MRW_ERR_INVALID_ARGUMENT, "plane_normal");
    build.plane_normal.z = INFINITY;
    assert_not_built(MRW_ERR_NOT_FINITE, "plane_normal");
    job.struct_size = 8;
    assert_not_mirrored(MRW_ERR_STRUCT_SIZE, "struct_size");
    job.joints = NULL;
    assert_not_mirrored(MRW_ERR_NULL_ARGUMENT, "joints");
    job.joint_count = 9;
    assert_not_mirrored(MRW_ERR_JOINT_COUNT, "joint_count");
    job.pose = NULL;
    assert_not_mirrored(MRW_ERR_NULL_ARGUMENT, "pose");
    mirrored.joint_count = 2;
    assert_not_mirrored(MRW_ERR_JOINT_COUNT, "out_pose.joint_count");
    pose.scalar_count = 2;
    assert_not_mirrored(MRW_ERR_SCALAR_COUNT, "pose.scalar_count");
    table[4].source = 4;
    assert_not_mirrored(MRW_ERR_JOINT_RANGE, "joints[3]");
    const uint32_t one_way[SCALARS] = {1, 2, 0};
    job.scalar_pairs = one_way;
    assert_not_mirrored(MRW_ERR_INVALID_ARGUMENT, "scalar_pairs[0]");
}

#define TEST(function) cmocka_unit_test_setup(function, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(movements_change_sides),
        TEST(twice_is_the_identity),
        TEST(the_rest_pose_is_its_own_image),
        TEST(along_the_axes_of_the_scene),
        TEST(a_side_that_is_scaled_by_minus_1),
        TEST(scalars_change_sides),
        TEST(names_tell_sides),
        TEST(pairs_go_both_ways),
        TEST(places_tell_sides),
        TEST(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
