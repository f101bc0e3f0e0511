/* Palettes: model matrix times inverse bind matrix, and the same as dual quaternions. */
#include <marrow/skin.h>

#include "unit/near.h"
#include "unit/random.h"

enum { JOINTS = 12, SKIN_JOINTS = 5 };

static mrw_mat34 model[JOINTS], palette[SKIN_JOINTS], inverse_binds[SKIN_JOINTS];
static const uint32_t joints[SKIN_JOINTS] = {7, 2, 11, 0, 2};
static mrw_skin skin;
static mrw_palette_job job;

static void set_up(uint64_t *random)
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        mrw_transform transform = random_transform(random, 0.5f, 2.0f);
        model[i] = mrw_mat34_from_transform(&transform);
    }
    for (uint32_t i = 0; i < SKIN_JOINTS; i++) {
        mrw_transform transform = random_transform(random, 0.5f, 2.0f);
        inverse_binds[i] = mrw_mat34_from_transform(&transform);
    }
    memset(&skin, 0, sizeof(skin));
    skin.joint_count = SKIN_JOINTS;
    skin.skeleton_joint_count = JOINTS;
    skin.joints = joints;
    skin.inverse_binds = inverse_binds;
    job = mrw_palette_job_default();
    job.skin = &skin;
    job.model = model;
    job.model_count = JOINTS;
    job.out_palette = palette;
    job.palette_count = SKIN_JOINTS;
}

static void inverse_bind_happens_first(void **state)
{
    (void)state;
    uint64_t random = 51;
    for (int round = 0; round < 100; round++) {
        set_up(&random);
        assert_int_equal(mrw_palette(&job), MRW_OK);
        for (uint32_t i = 0; i < SKIN_JOINTS; i++) {
            mrw_vec3 p = random_vec3(&random, -1.0f, 1.0f);
            mrw_vec3 in_joint = mrw_mat34_transform_point(&inverse_binds[i], p);
            mrw_vec3 expected = mrw_mat34_transform_point(&model[joints[i]], in_joint);
            assert_vec3(mrw_mat34_transform_point(&palette[i], p), (double)expected.x,
                        (double)expected.y, (double)expected.z, 2e-5);
        }
    }
}

static void bind_pose_gives_the_identity(void **state)
{
    (void)state;
    uint64_t random = 52;
    mrw_mat34 identity = mrw_mat34_identity();
    for (int round = 0; round < 1000; round++) {
        set_up(&random);
        for (uint32_t i = 0; i < JOINTS; i++) {
            mrw_transform rigid = random_transform(&random, 1.0f, 1.0f);
            model[i] = mrw_mat34_from_transform(&rigid);
        }
        for (uint32_t i = 0; i < SKIN_JOINTS; i++)
            assert_true(mrw_mat34_inverse(&model[joints[i]], &inverse_binds[i]));
        assert_int_equal(mrw_palette(&job), MRW_OK);
        for (uint32_t i = 0; i < SKIN_JOINTS; i++)
            assert_below(mat34_difference(&palette[i], &identity, 4), 1e-6);
    }
}

/* The commonest mistake of all: it looks right wherever the bind pose is unturned. */
static void swapped_factors_give_something_else(void **state)
{
    (void)state;
    uint64_t random = 53;
    set_up(&random);
    /* Bound at (1, 0, 0) and turned 90 degrees about z; now turned 30 degrees further. */
    mrw_vec3 z = {0.0f, 0.0f, 1.0f};
    mrw_transform bind = mrw_transform_identity(), now = mrw_transform_identity();
    bind.translation.x = now.translation.x = 1.0f;
    bind.rotation = mrw_quat_from_axis_angle(z, MRW_PI / 2.0f);
    now.rotation = mrw_quat_from_axis_angle(z, MRW_PI * 2.0f / 3.0f);
    mrw_mat34 bind_matrix = mrw_mat34_from_transform(&bind);
    model[joints[0]] = mrw_mat34_from_transform(&now);
    assert_true(mrw_mat34_inverse(&bind_matrix, &inverse_binds[0]));
    assert_int_equal(mrw_palette(&job), MRW_OK);

    /* 0.2 from the joint along x: after 30 degrees at (1 + 0.2 cos 30, 0.2 sin 30). */
    mrw_vec3 vertex = {1.2f, 0.0f, 0.0f};
    assert_vec3(mrw_mat34_transform_point(&palette[0], vertex), 1.1732051, 0.1, 0, 1e-6);

    mrw_mat34 swapped = mrw_mat34_mul(&inverse_binds[0], &model[joints[0]]);
    mrw_vec3 wrong = mrw_mat34_transform_point(&swapped, vertex);
    /* 1.2 at 120 degrees from (1, 0): (0.4, 1.0392305); back through the bind: (1.0392305, 0.6). */
    assert_vec3(wrong, 1.0392305, 0.6, 0, 1e-6);
    assert_true(fabs((double)wrong.y - 0.1) > 0.4);
}

static void dual_quats_are_the_matrices_again(void **state)
{
    (void)state;
    uint64_t random = 54;
    mrw_dual_quat dual_quats[SKIN_JOINTS];
    mrw_mat34 stretches[SKIN_JOINTS];
    bool has_stretch = false;
    set_up(&random);
    assert_int_equal(mrw_palette(&job), MRW_OK);
    mrw_dual_quat_job convert = mrw_dual_quat_job_default();
    convert.palette = palette;
    convert.palette_count = SKIN_JOINTS;
    convert.out_dual_quats = dual_quats;
    convert.out_stretches = stretches;
    convert.out_has_stretch = &has_stretch;
    assert_int_equal(mrw_palette_dual_quats(&convert), MRW_OK);
    assert_true(has_stretch);
    for (uint32_t i = 0; i < SKIN_JOINTS; i++) {
        mrw_mat34 rigid = mrw_mat34_from_dual_quat(&dual_quats[i]);
        mrw_mat34 product = mrw_mat34_mul(&rigid, &stretches[i]);
        assert_below(mat34_difference(&product, &palette[i], 4), 1e-5);
    }

    /* Rigid matrices: nothing is left over, and the stretches need no room. */
    for (uint32_t i = 0; i < SKIN_JOINTS; i++) {
        mrw_transform transform = random_transform(&random, 1.0f, 1.0f);
        palette[i] = mrw_mat34_from_transform(&transform);
    }
    convert.out_stretches = NULL;
    assert_int_equal(mrw_palette_dual_quats(&convert), MRW_OK);
    assert_false(has_stretch);
    convert.out_has_stretch = NULL;
    assert_int_equal(mrw_palette_dual_quats(&convert), MRW_OK);
}

static void expect_error(mrw_status expected, const char *detail)
{
    mrw_error error;
    assert_int_equal(mrw_palette_check(&job, &error), expected);
    assert_int_equal(mrw_palette(&job), expected);
    assert_string_equal(error.detail, detail);
}

static void checks_name_the_field(void **state)
{
    (void)state;
    uint64_t random = 55;
    set_up(&random);
    assert_int_equal(mrw_palette_check(&job, NULL), MRW_OK);
    job.struct_size = 0;
    expect_error(MRW_ERR_STRUCT_SIZE, "struct_size");
    set_up(&random);
    job.skin = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "skin");
    set_up(&random);
    job.model = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "model");
    set_up(&random);
    job.out_palette = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "out_palette");
    set_up(&random);
    job.model_count = JOINTS - 1;
    expect_error(MRW_ERR_JOINT_COUNT, "model_count");
    set_up(&random);
    job.palette_count = SKIN_JOINTS - 1;
    expect_error(MRW_ERR_BUFFER_TOO_SMALL, "palette_count");
    assert_int_equal(mrw_palette_check(NULL, NULL), MRW_ERR_NULL_ARGUMENT);
}

static void dual_quat_checks_name_the_field(void **state)
{
    (void)state;
    mrw_error error;
    mrw_dual_quat dual_quats[1];
    mrw_dual_quat_job convert = mrw_dual_quat_job_default();
    assert_int_equal(mrw_palette_dual_quats(&convert), MRW_OK); /* of nothing */
    convert.palette_count = 1;
    convert.out_dual_quats = dual_quats;
    assert_int_equal(mrw_palette_dual_quats_check(&convert, &error), MRW_ERR_NULL_ARGUMENT);
    assert_string_equal(error.detail, "palette");
    convert.palette = model;
    convert.out_dual_quats = NULL;
    assert_int_equal(mrw_palette_dual_quats_check(&convert, &error), MRW_ERR_NULL_ARGUMENT);
    assert_string_equal(error.detail, "out_dual_quats");
    convert.struct_size = 0;
    assert_int_equal(mrw_palette_dual_quats(&convert), MRW_ERR_STRUCT_SIZE);
    assert_int_equal(mrw_palette_dual_quats_check(NULL, NULL), MRW_ERR_NULL_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_bind_happens_first),
        cmocka_unit_test(bind_pose_gives_the_identity),
        cmocka_unit_test(swapped_factors_give_something_else),
        cmocka_unit_test(dual_quats_are_the_matrices_again),
        cmocka_unit_test(checks_name_the_field),
        cmocka_unit_test(dual_quat_checks_name_the_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
