/* Local pose to model space. */
#include <marrow/model.h>

#include "unit/near.h"
#include "unit/random.h"

enum { MAX_JOINTS = 300 };

/* A skeleton without an asset: the job needs its hierarchy only. */
static int32_t parents[MAX_JOINTS];
static mrw_skeleton skeleton;
static mrw_pose_block blocks[(MAX_JOINTS + MRW_POSE_LANES - 1) / MRW_POSE_LANES];
static mrw_pose pose;
static mrw_mat34 model[MAX_JOINTS];
static mrw_model_job job;

static void set_up(uint32_t joint_count)
{
    memset(&skeleton, 0, sizeof(skeleton));
    skeleton.joint_count = joint_count;
    skeleton.parents = parents;
    pose = (mrw_pose){joint_count, 0, blocks, NULL};
    job = mrw_model_job_default();
    job.skeleton = &skeleton;
    job.pose = &pose;
    job.out_model = model;
    job.model_count = joint_count;
}

static mrw_transform moved(float x, float y, float z)
{
    mrw_transform transform = mrw_transform_identity();
    transform.translation = (mrw_vec3){x, y, z};
    return transform;
}

static mrw_transform turned_about_z(float degrees)
{
    mrw_vec3 z = {0.0f, 0.0f, 1.0f};
    mrw_transform transform = mrw_transform_identity();
    transform.rotation = mrw_quat_from_axis_angle(z, degrees * (MRW_PI / 180.0f));
    return transform;
}

static mrw_vec3 origin_of(const mrw_mat34 *matrix)
{
    return (mrw_vec3){matrix->m[0][3], matrix->m[1][3], matrix->m[2][3]};
}

static void parents_carry_their_children(void **state)
{
    (void)state;
    set_up(3);
    parents[0] = -1;
    parents[1] = 0;
    parents[2] = 1;
    mrw_transform shoulder = turned_about_z(90.0f), elbow = turned_about_z(30.0f);
    elbow.translation.x = 1.0f;
    mrw_transform wrist = moved(1.0f, 0.0f, 0.0f);
    mrw_pose_set_joint(&pose, 0, &shoulder);
    mrw_pose_set_joint(&pose, 1, &elbow);
    mrw_pose_set_joint(&pose, 2, &wrist);
    assert_int_equal(mrw_model(&job), MRW_OK);
    assert_vec3(origin_of(&model[0]), 0, 0, 0, 0);
    assert_vec3(origin_of(&model[1]), 0, 1, 0, 1e-6);
    /* From (0, 1, 0) one metre in the direction of 120 degrees: (cos 120, 1 + sin 120). */
    assert_vec3(origin_of(&model[2]), -0.5, 1.8660254, 0, 1e-6);
}

static void scale_of_a_parent_scales_offsets(void **state)
{
    (void)state;
    set_up(2);
    parents[0] = -1;
    parents[1] = 0;
    mrw_transform root = moved(0.0f, 1.0f, 0.0f);
    root.scale = (mrw_vec3){0.01f, 0.01f, -0.01f};
    mrw_transform child = moved(100.0f, 200.0f, 300.0f);
    mrw_pose_set_joint(&pose, 0, &root);
    mrw_pose_set_joint(&pose, 1, &child);
    assert_int_equal(mrw_model(&job), MRW_OK);
    assert_vec3(origin_of(&model[1]), 1, 3, -3, 1e-6);
}

static void root_matrix_comes_before_every_root(void **state)
{
    (void)state;
    set_up(3);
    parents[0] = -1;
    parents[1] = -1;
    parents[2] = 1;
    mrw_transform step = moved(1.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < 3; i++)
        mrw_pose_set_joint(&pose, i, &step);
    mrw_transform quarter = turned_about_z(90.0f);
    mrw_mat34 root = mrw_mat34_from_transform(&quarter);
    job.root = &root;
    assert_int_equal(mrw_model(&job), MRW_OK);
    assert_vec3(origin_of(&model[0]), 0, 1, 0, 1e-6);
    assert_vec3(origin_of(&model[1]), 0, 1, 0, 1e-6);
    assert_vec3(origin_of(&model[2]), 0, 2, 0, 1e-6);
}

/* parent * T * R * S from the textbook's 4x4 matrices. */
static void reference_local(const mrw_transform *t, double m[4][4])
{
    double x = (double)t->rotation.x, y = (double)t->rotation.y, z = (double)t->rotation.z,
           w = (double)t->rotation.w;
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    const double s[3] = {(double)t->scale.x, (double)t->scale.y, (double)t->scale.z};
    const double p[3] = {(double)t->translation.x, (double)t->translation.y,
                         (double)t->translation.z};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            m[row][column] = r[row][column] * s[column];
        m[row][3] = p[row];
        m[3][row] = 0.0;
    }
    m[3][3] = 1.0;
}

static void agrees_with_double_precision(void **state)
{
    (void)state;
    static double reference[MAX_JOINTS][4][4];
    uint64_t random = 41;
    set_up(MAX_JOINTS);
    for (int round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < MAX_JOINTS; i++) {
            /* Chains of 10, so that errors do not pile up beyond what can be compared. */
            parents[i] = i % 10 == 0 ? -1 : (int32_t)(i - 1 - random_bits(&random) % (i % 10));
            mrw_transform local = random_transform(&random, 0.7f, 1.3f);
            mrw_pose_set_joint(&pose, i, &local);
            double m[4][4];
            reference_local(&local, m);
            for (int row = 0; row < 4; row++)
                for (int column = 0; column < 4; column++) {
                    reference[i][row][column] = 0.0;
                    for (int k = 0; k < 4; k++)
                        reference[i][row][column] +=
                            (parents[i] < 0 ? (double)(row == k) : reference[parents[i]][row][k]) *
                            m[k][column];
                }
        }
        assert_int_equal(mrw_model(&job), MRW_OK);
        for (uint32_t i = 0; i < MAX_JOINTS; i++)
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 4; column++)
                    assert_near((double)model[i].m[row][column], reference[i][row][column], 5e-5);
    }
}

static void expect_error(mrw_status expected, const char *detail)
{
    mrw_error error;
    assert_int_equal(mrw_model_check(&job, &error), expected);
    assert_int_equal(mrw_model(&job), expected);
    assert_string_equal(error.detail, detail);
}

static void checks_name_the_field(void **state)
{
    (void)state;
    set_up(3);
    assert_int_equal(mrw_model_check(&job, NULL), MRW_OK);
    job.struct_size = 1;
    expect_error(MRW_ERR_STRUCT_SIZE, "struct_size");
    set_up(3);
    job.skeleton = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "skeleton");
    set_up(3);
    job.pose = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "pose");
    set_up(3);
    pose.blocks = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "pose.blocks");
    set_up(3);
    job.out_model = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "out_model");
    set_up(3);
    pose.joint_count = 2;
    expect_error(MRW_ERR_JOINT_COUNT, "pose");
    set_up(3);
    job.model_count = 2;
    expect_error(MRW_ERR_BUFFER_TOO_SMALL, "model_count");
    assert_int_equal(mrw_model_check(NULL, NULL), MRW_ERR_NULL_ARGUMENT);
}

static void empty_skeleton_is_normal(void **state)
{
    (void)state;
    set_up(0);
    pose.blocks = NULL;
    job.out_model = NULL;
    assert_int_equal(mrw_model(&job), MRW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_carry_their_children),
        cmocka_unit_test(scale_of_a_parent_scales_offsets),
        cmocka_unit_test(root_matrix_comes_before_every_root),
        cmocka_unit_test(agrees_with_double_precision),
        cmocka_unit_test(checks_name_the_field),
        cmocka_unit_test(empty_skeleton_is_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
