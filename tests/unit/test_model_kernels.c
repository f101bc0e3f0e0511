/* Model, palette and dual quaternions with every instruction set: the bits of plain scalar code,
 * whatever the hierarchy, the range and the numbers. */
#include <marrow/model.h>
#include <marrow/skin.h>

#include "unit/near.h"
#include "unit/random.h"

enum { MAX_JOINTS = 72, ROUNDS = 60 };

static uint64_t random_state = 20;
static int32_t parents[MAX_JOINTS];
static mrw_skeleton skeleton;
static mrw_pose_block blocks[(MAX_JOINTS + MRW_POSE_LANES - 1) / MRW_POSE_LANES];
static mrw_pose pose;
static uint32_t joints[MAX_JOINTS];
static mrw_mat34 inverse_binds[MAX_JOINTS];
static mrw_skin skin;

/* --- inputs ------------------------------------------------------------------------ */

typedef enum shape { CHAIN, WIDE, BUSHY, ROOTS, SHAPES } shape;

static int32_t parent_of(shape kind, uint32_t joint)
{
    if (joint == 0)
        return -1;
    switch (kind) {
    case CHAIN:
        return (int32_t)joint - 1;
    case WIDE:
        return 0;
    case BUSHY:
        return (int32_t)(random_bits(&random_state) % joint);
    default:
        return (int32_t)(random_bits(&random_state) % (joint + 1)) - 1;
    }
}

/* Numbers that code with lanes might treat in its own way. */
static float odd_float(void)
{
    static const float odd[] = {0.0f,   -0.0f,   1.0f,   -1.0f,  1e-20f,   -1e-20f,
                                1e-42f, -1e-42f, 3e-39f, 1e-30f, 0x1p-60f, -0x1.fffffep-61f,
                                0.5f,   1e10f};
    return odd[random_bits(&random_state) % (sizeof(odd) / sizeof(odd[0]))];
}

static mrw_transform odd_transform(void)
{
    mrw_transform t = random_transform(&random_state, -1.5f, 1.5f);
    float *numbers[] = {&t.translation.x, &t.translation.y, &t.translation.z, &t.rotation.x,
                        &t.rotation.y,    &t.rotation.z,    &t.rotation.w,    &t.scale.x,
                        &t.scale.y,       &t.scale.z};
    for (int i = 0; i < 10; i++)
        if (random_bits(&random_state) % 4 == 0)
            *numbers[i] = odd_float();
    return t;
}

static void set_up(uint32_t joint_count, shape kind, bool odd)
{
    memset(&skeleton, 0, sizeof(skeleton));
    skeleton.joint_count = joint_count;
    skeleton.parents = parents;
    pose = (mrw_pose){joint_count, 0, blocks, NULL};
    memset(&skin, 0, sizeof(skin));
    skin.joint_count = joint_count;
    skin.skeleton_joint_count = joint_count;
    skin.joints = joints;
    skin.inverse_binds = inverse_binds;
    for (uint32_t i = 0; i < joint_count; i++) {
        parents[i] = parent_of(kind, i);
        joints[i] = random_bits(&random_state) % joint_count;
        mrw_transform local = odd ? odd_transform() : random_transform(&random_state, 1.0f, 1.0f);
        mrw_transform bind = odd ? odd_transform() : random_transform(&random_state, 1.0f, 1.0f);
        mrw_pose_set_joint(&pose, i, &local);
        inverse_binds[i] = mrw_mat34_from_transform(&bind);
    }
}

/* The local matrix as mrw_model defines it. */
static mrw_mat34 local_matrix(uint32_t joint)
{
    mrw_transform transform = mrw_pose_joint(&pose, joint);
    float *components[] = {&transform.rotation.x, &transform.rotation.y, &transform.rotation.z,
                           &transform.rotation.w};
    for (int i = 0; i < 4; i++)
        if (fabsf(*components[i]) < 0x1p-60f)
            *components[i] = 0.0f;
    return mrw_mat34_from_transform(&transform);
}

/* --- what the kernels must give ----------------------------------------------------- */

/* All that is written, with a guard matrix behind each array. */
typedef struct results {
    mrw_mat34 model[MAX_JOINTS + 1], palette[MAX_JOINTS + 1], stretches[MAX_JOINTS + 1];
    mrw_dual_quat dual_quats[MAX_JOINTS + 1];
    bool has_stretch;
} results;

static results expected, actual;

static void clear(results *r)
{
    memset(r, 0x5a, sizeof(*r));
    r->has_stretch = false;
}

static void expect(const mrw_mat34 *root)
{
    clear(&expected);
    for (uint32_t i = 0; i < pose.joint_count; i++) {
        mrw_mat34 local = local_matrix(i);
        const mrw_mat34 *before = parents[i] >= 0 ? &expected.model[parents[i]] : root;
        expected.model[i] = before != NULL ? mrw_mat34_mul(before, &local) : local;
    }
    for (uint32_t i = 0; i < pose.joint_count; i++) {
        expected.palette[i] = mrw_mat34_mul(&expected.model[joints[i]], &inverse_binds[i]);
        if (mrw_dual_quat_from_mat34(&expected.palette[i], &expected.dual_quats[i],
                                     &expected.stretches[i]))
            expected.has_stretch = true;
    }
}

/* The same bits; a NaN, whose bits a machine may choose, only where one is expected. */
static void assert_same_floats(const void *a, const void *b, size_t size_bytes, const char *what)
{
    for (size_t i = 0; i < size_bytes / sizeof(float); i++) {
        float x, y;
        memcpy(&x, (const char *)a + i * sizeof(float), sizeof(x));
        memcpy(&y, (const char *)b + i * sizeof(float), sizeof(y));
        if (memcmp(&x, &y, sizeof(x)) != 0 && !(x != x && y != y))
            fail_msg("%s, %u joints, %s: number %zu is %a, expected %a", mrw_isa_name(),
                     pose.joint_count, what, i, (double)x, (double)y);
    }
}

static void assert_as_expected(void)
{
    assert_same_floats(actual.model, expected.model, sizeof(actual.model), "model");
    assert_same_floats(actual.palette, expected.palette, sizeof(actual.palette), "palette");
    assert_same_floats(actual.dual_quats, expected.dual_quats, sizeof(actual.dual_quats),
                       "dual quaternions");
    assert_same_floats(actual.stretches, expected.stretches, sizeof(actual.stretches), "stretches");
    assert_int_equal(actual.has_stretch, expected.has_stretch);
}

static mrw_model_job model_job(const mrw_mat34 *root)
{
    mrw_model_job job = mrw_model_job_default();
    job.skeleton = &skeleton;
    job.pose = &pose;
    job.root = root;
    job.out_model = actual.model;
    job.model_count = pose.joint_count;
    return job;
}

static mrw_pose_palette_job pose_palette_job(const mrw_mat34 *root)
{
    mrw_pose_palette_job job = mrw_pose_palette_job_default();
    job.skeleton = &skeleton;
    job.pose = &pose;
    job.root = root;
    job.skin = &skin;
    job.out_model = actual.model;
    job.model_count = pose.joint_count;
    job.palette_count = pose.joint_count;
    job.out_palette = actual.palette;
    job.out_dual_quats = actual.dual_quats;
    job.out_stretches = actual.stretches;
    job.out_has_stretch = &actual.has_stretch;
    return job;
}

static void run_stages(const mrw_mat34 *root)
{
    clear(&actual);
    mrw_model_job model = model_job(root);
    assert_int_equal(mrw_model(&model), MRW_OK);
    mrw_palette_job palette = mrw_palette_job_default();
    palette.skin = &skin;
    palette.model = actual.model;
    palette.model_count = pose.joint_count;
    palette.out_palette = actual.palette;
    palette.palette_count = pose.joint_count;
    assert_int_equal(mrw_palette(&palette), MRW_OK);
    mrw_dual_quat_job convert = mrw_dual_quat_job_default();
    convert.palette = actual.palette;
    convert.palette_count = pose.joint_count;
    convert.out_dual_quats = actual.dual_quats;
    convert.out_stretches = actual.stretches;
    convert.out_has_stretch = &actual.has_stretch;
    assert_int_equal(mrw_palette_dual_quats(&convert), MRW_OK);
}

/* Calls for each instruction set; afterwards the best one is active again. */
static void with_each_isa(void (*check)(const mrw_mat34 *root), const mrw_mat34 *root)
{
    const char *name;
    for (uint32_t i = 0; (name = mrw_isa_available(i)) != NULL; i++) {
        assert_int_equal(mrw_isa_select(name), MRW_OK);
        check(root);
    }
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
}

/* --- tests ------------------------------------------------------------------------- */

static void stages_then_one_call(const mrw_mat34 *root)
{
    run_stages(root);
    assert_as_expected();
    clear(&actual);
    mrw_pose_palette_job job = pose_palette_job(root);
    assert_int_equal(mrw_pose_palette(&job), MRW_OK);
    assert_as_expected();
}

static void every_count_and_shape_gives_scalar_bits(void **state)
{
    (void)state;
    for (uint32_t joint_count = 1; joint_count <= 40; joint_count++) {
        for (int kind = 0; kind < SHAPES; kind++) {
            for (int odd = 0; odd < 2; odd++) {
                set_up(joint_count, (shape)kind, odd == 1);
                mrw_transform placed = random_transform(&random_state, 0.5f, 2.0f);
                mrw_mat34 root = mrw_mat34_from_transform(&placed);
                expect(NULL);
                with_each_isa(stages_then_one_call, NULL);
                expect(&root);
                with_each_isa(stages_then_one_call, &root);
            }
        }
    }
}

static void nothing_is_done_for_no_joints(void **state)
{
    (void)state;
    set_up(0, CHAIN, false);
    clear(&expected);
    clear(&actual);
    mrw_model_job job = model_job(NULL);
    assert_int_equal(mrw_model(&job), MRW_OK);
    assert_as_expected();
}

/* A rotation of 1e-20 is none, so its matrix has nothing that could make the next one slow. */
static void tiny_rotations_are_none(const mrw_mat34 *unused)
{
    (void)unused;
    clear(&actual);
    mrw_model_job job = model_job(NULL);
    assert_int_equal(mrw_model(&job), MRW_OK);
    for (uint32_t i = 0; i < pose.joint_count; i++)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                assert_true(actual.model[i].m[row][column] == (row == column ? 1.0f : 0.0f));
}

static void rest_poses_full_of_noise_make_no_denormals(void **state)
{
    (void)state;
    set_up(30, BUSHY, false);
    for (uint32_t i = 0; i < 30; i++) {
        mrw_transform noise = mrw_transform_identity();
        noise.rotation = (mrw_quat){1e-20f, -3e-20f, 2e-22f, 1.0f};
        mrw_pose_set_joint(&pose, i, &noise);
    }
    with_each_isa(tiny_rotations_are_none, NULL);
}

/* What of the hierarchy a job may name. */
static uint32_t first_joint, joint_count;
static int32_t subtree_root;

static bool is_named(uint32_t joint)
{
    if (joint < first_joint || joint - first_joint >= joint_count)
        return false;
    if (subtree_root < 0)
        return true;
    int32_t above = (int32_t)joint;
    while (above > subtree_root)
        above = parents[above];
    return above == subtree_root;
}

/* After the pose has changed, named joints follow it, from parents that are there; the others
 * keep what they had. */
static void part_of_the_pose(const mrw_mat34 *root)
{
    clear(&actual);
    for (uint32_t i = 0; i < pose.joint_count; i++)
        actual.model[i] = inverse_binds[i];
    expected = actual;
    for (uint32_t i = 0; i < pose.joint_count; i++) {
        if (!is_named(i))
            continue;
        mrw_mat34 local = local_matrix(i);
        const mrw_mat34 *before = parents[i] >= 0 ? &expected.model[parents[i]] : root;
        expected.model[i] = before != NULL ? mrw_mat34_mul(before, &local) : local;
    }
    mrw_model_job job = model_job(root);
    job.first_joint = first_joint;
    job.joint_count = joint_count;
    job.subtree_root = subtree_root;
    assert_int_equal(mrw_model(&job), MRW_OK);
    assert_same_floats(actual.model, expected.model, sizeof(actual.model), "part of the model");
}

static void ranges_and_subtrees_touch_nothing_else(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS * 20; round++) {
        uint32_t count = 1 + random_bits(&random_state) % MAX_JOINTS;
        set_up(count, (shape)(round % SHAPES), false);
        first_joint = random_bits(&random_state) % (count + 1);
        joint_count = random_bits(&random_state) % (count - first_joint + 1);
        subtree_root = (int32_t)(random_bits(&random_state) % (count + 1)) - 1;
        if (round % 3 == 0)
            subtree_root = MRW_NO_SUBTREE;
        if (round % 3 == 1) {
            first_joint = 0;
            joint_count = MRW_ALL_JOINTS;
        }
        with_each_isa(part_of_the_pose, NULL);
    }
}

static void joints_outside_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t first_joint, joint_count;
        int32_t subtree_root;
        const char *detail;
    } cases[] = {
        {6, 0, -1, "first_joint"},
        {6, MRW_ALL_JOINTS, -1, "first_joint"},
        {2, 4, -1, "joint_count"},
        {0, 0xfffffffeu, -1, "joint_count"},
        {0, MRW_ALL_JOINTS, 5, "subtree_root"},
        {0, MRW_ALL_JOINTS, -2, "subtree_root"},
    };
    set_up(5, BUSHY, false);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mrw_model_job job = model_job(NULL);
        job.first_joint = cases[i].first_joint;
        job.joint_count = cases[i].joint_count;
        job.subtree_root = cases[i].subtree_root;
        mrw_error error;
        assert_int_equal(mrw_model_check(&job, &error), MRW_ERR_JOINT_RANGE);
        assert_int_equal(mrw_model(&job), MRW_ERR_JOINT_RANGE);
        assert_string_equal(error.detail, cases[i].detail);
    }
}

static void one_call_names_what_is_wrong(void **state)
{
    (void)state;
    set_up(5, BUSHY, false);
    mrw_error error;
    mrw_pose_palette_job job = pose_palette_job(NULL);
    assert_int_equal(mrw_pose_palette_check(&job, &error), MRW_OK);
    assert_int_equal(mrw_pose_palette_check(NULL, &error), MRW_ERR_NULL_ARGUMENT);
    job.struct_size = 3;
    assert_int_equal(mrw_pose_palette(&job), MRW_ERR_STRUCT_SIZE);
    job = pose_palette_job(NULL);
    job.skin = NULL;
    assert_int_equal(mrw_pose_palette_check(&job, &error), MRW_ERR_NULL_ARGUMENT);
    assert_string_equal(error.detail, "skin");
    job = pose_palette_job(NULL);
    job.model_count = 4;
    assert_int_equal(mrw_pose_palette_check(&job, &error), MRW_ERR_BUFFER_TOO_SMALL);
    assert_string_equal(error.detail, "model_count");
    job = pose_palette_job(NULL);
    job.out_dual_quats = NULL;
    assert_int_equal(mrw_pose_palette_check(&job, &error), MRW_ERR_NULL_ARGUMENT);
    assert_string_equal(error.detail, "out_dual_quats");
    job.out_stretches = NULL;
    job.out_has_stretch = NULL;
    assert_int_equal(mrw_pose_palette(&job), MRW_OK);
}

/* --- dual quaternions near to rigid and far from it ----------------------------------- */

/* A matrix with that far from orthonormal columns; a third of them mirror. */
static mrw_mat34 nearly_rigid(double distance)
{
    mrw_transform transform = random_transform(&random_state, 1.0f, 1.0f);
    mrw_mat34 matrix = mrw_mat34_from_transform(&transform);
    bool mirrors = random_bits(&random_state) % 3 == 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            double noise = distance * (double)random_float(&random_state, -1.0f, 1.0f);
            matrix.m[row][column] =
                (float)(((double)matrix.m[row][column] + noise) * (mirrors ? -1.0 : 1.0));
        }
    return matrix;
}

/* Rotation by the dual quaternion times stretch is the matrix; the rotation is one; the stretch is
 * symmetric. Together these say that it is the polar decomposition, for a stretch near 1. */
static void assert_polar(const mrw_mat34 *matrix, const mrw_dual_quat *dual_quat,
                         const mrw_mat34 *stretch)
{
    double q[4] = {(double)dual_quat->real.x, (double)dual_quat->real.y, (double)dual_quat->real.z,
                   (double)dual_quat->real.w};
    double x = q[0], y = q[1], z = q[2], w = q[3];
    assert_near(x * x + y * y + z * z + w * w, 1.0, 3e-7);
    assert_true(w >= 0.0);
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            double product = 0.0;
            for (int k = 0; k < 3; k++)
                product += r[row][k] * (double)stretch->m[k][column];
            assert_near(product, (double)matrix->m[row][column], 6e-7);
            assert_true(stretch->m[row][column] == stretch->m[column][row]);
        }
        assert_true(stretch->m[row][3] == 0.0f);
    }
    /* t = 2 * dual * conjugate(real) */
    double d[4] = {(double)dual_quat->dual.x, (double)dual_quat->dual.y, (double)dual_quat->dual.z,
                   (double)dual_quat->dual.w};
    double t[3] = {2 * (-d[3] * x + d[0] * w - d[1] * z + d[2] * y),
                   2 * (-d[3] * y + d[0] * z + d[1] * w - d[2] * x),
                   2 * (-d[3] * z - d[0] * y + d[1] * x + d[2] * w)};
    for (int row = 0; row < 3; row++)
        assert_near(t[row], (double)matrix->m[row][3], 2e-6);
}

static void series_is_the_polar_decomposition(void **state)
{
    (void)state;
    static const double distances[] = {0.0, 1e-7, 1e-6, 3e-6, 1e-5, 3e-5, 5e-5, 1e-4, 1e-3};
    for (size_t i = 0; i < sizeof(distances) / sizeof(distances[0]); i++) {
        for (int round = 0; round < 500; round++) {
            mrw_mat34 matrix = nearly_rigid(distances[i]), stretch;
            mrw_dual_quat dual_quat;
            mrw_dual_quat_from_mat34(&matrix, &dual_quat, &stretch);
            assert_polar(&matrix, &dual_quat, &stretch);
        }
    }
}

/* The same rotation on both sides of where the series ends: a matrix that is stretched by just
 * less and by just more than it takes has nearly the same result. */
static void series_and_iteration_meet(void **state)
{
    (void)state;
    for (int round = 0; round < 500; round++) {
        mrw_mat34 below = nearly_rigid(0.0), above = below, stretches[2];
        mrw_dual_quat dual_quats[2];
        for (int row = 0; row < 3; row++) {
            /* Squared, 1 + 0.99e-4 and 1 + 1.01e-4. */
            below.m[row][1] *= 1.0000495f;
            above.m[row][1] *= 1.0000505f;
        }
        mrw_dual_quat_from_mat34(&below, &dual_quats[0], &stretches[0]);
        mrw_dual_quat_from_mat34(&above, &dual_quats[1], &stretches[1]);
        const float *a = &dual_quats[0].real.x, *b = &dual_quats[1].real.x;
        for (int i = 0; i < 4; i++)
            assert_near((double)a[i], (double)b[i], 3e-7);
        assert_below(mat34_difference(&stretches[0], &stretches[1], 3), 1.3e-6);
    }
}

static mrw_mat34 mixed_matrix(uint32_t kind)
{
    switch (kind) {
    case 0: {
        mrw_transform stretched = random_transform(&random_state, -2.0f, 2.0f);
        return mrw_mat34_from_transform(&stretched);
    }
    case 1: {
        mrw_mat34 zero;
        memset(&zero, 0, sizeof(zero));
        return zero;
    }
    case 2: {
        mrw_mat34 infinite = nearly_rigid(0.0);
        infinite.m[random_bits(&random_state) % 3][random_bits(&random_state) % 4] = 1e30f * 1e30f;
        return infinite;
    }
    case 3:
        return nearly_rigid(7e-5); /* on both sides of the limit */
    default:
        return nearly_rigid(1e-7);
    }
}

/* Lanes of four take turns in all ways with those that are left to the scalar function. */
static void palette_of_mixed_matrices(const mrw_mat34 *unused)
{
    (void)unused;
    static mrw_mat34 palette[MAX_JOINTS];
    for (int round = 0; round < ROUNDS * 10; round++) {
        uint32_t count = random_bits(&random_state) % 21;
        clear(&expected);
        clear(&actual);
        for (uint32_t i = 0; i < count; i++) {
            palette[i] = mixed_matrix(random_bits(&random_state) % (round % 2 ? 12u : 6u));
            if (mrw_dual_quat_from_mat34(&palette[i], &expected.dual_quats[i],
                                         &expected.stretches[i]))
                expected.has_stretch = true;
        }
        mrw_dual_quat_job job = mrw_dual_quat_job_default();
        job.palette = palette;
        job.palette_count = count;
        job.out_dual_quats = actual.dual_quats;
        job.out_stretches = actual.stretches;
        job.out_has_stretch = &actual.has_stretch;
        assert_int_equal(mrw_palette_dual_quats(&job), MRW_OK);
        assert_as_expected();
        job.out_stretches = NULL;
        actual.has_stretch = !expected.has_stretch;
        assert_int_equal(mrw_palette_dual_quats(&job), MRW_OK);
        assert_as_expected();
    }
}

static void lanes_of_dual_quats_are_independent(void **state)
{
    (void)state;
    with_each_isa(palette_of_mixed_matrices, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_count_and_shape_gives_scalar_bits),
        cmocka_unit_test(nothing_is_done_for_no_joints),
        cmocka_unit_test(rest_poses_full_of_noise_make_no_denormals),
        cmocka_unit_test(ranges_and_subtrees_touch_nothing_else),
        cmocka_unit_test(joints_outside_are_refused),
        cmocka_unit_test(one_call_names_what_is_wrong),
        cmocka_unit_test(series_is_the_polar_decomposition),
        cmocka_unit_test(series_and_iteration_meet),
        cmocka_unit_test(lanes_of_dual_quats_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
