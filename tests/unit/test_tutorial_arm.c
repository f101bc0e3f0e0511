/* The arm of the tutorials: a shoulder at the origin, an elbow one metre along x, a few vertices
 * that can be followed on paper, through model, palette and skinning. */
#include <marrow/model.h>
#include <marrow/skin.h>

#include "unit/near.h"

enum { SHOULDER, ELBOW, JOINTS };
enum { AT_ELBOW, PAST_ELBOW, VERTICES };

static const int32_t parents[JOINTS] = {-1, SHOULDER};
static const uint32_t skin_joints[JOINTS] = {SHOULDER, ELBOW};
static const float bind_positions[VERTICES][3] = {{1.0f, 0.0f, 0.0f}, {1.2f, 0.0f, 0.0f}};
static const uint16_t joints[VERTICES][2] = {{ELBOW, SHOULDER}, {SHOULDER, ELBOW}};
static const float weights[VERTICES][2] = {{1.0f, 0.0f}, {0.5f, 0.5f}};

typedef struct arm {
    mrw_skeleton skeleton;
    mrw_pose_block blocks[1];
    mrw_pose pose;
    mrw_mat34 model[JOINTS];
    mrw_mat34 inverse_binds[JOINTS];
    mrw_mat34 palette[JOINTS];
    mrw_skin skin;
    float positions[VERTICES][3];
} arm;

static void pose_arm(arm *a, float shoulder_degrees, float elbow_degrees)
{
    mrw_vec3 z = {0.0f, 0.0f, 1.0f};
    mrw_transform shoulder = mrw_transform_identity(), elbow = mrw_transform_identity();
    shoulder.rotation = mrw_quat_from_axis_angle(z, shoulder_degrees * (MRW_PI / 180.0f));
    elbow.rotation = mrw_quat_from_axis_angle(z, elbow_degrees * (MRW_PI / 180.0f));
    elbow.translation.x = 1.0f;
    mrw_pose_set_joint(&a->pose, SHOULDER, &shoulder);
    mrw_pose_set_joint(&a->pose, ELBOW, &elbow);

    mrw_model_job job = mrw_model_job_default();
    job.skeleton = &a->skeleton;
    job.pose = &a->pose;
    job.out_model = a->model;
    job.model_count = JOINTS;
    assert_int_equal(mrw_model(&job), MRW_OK);
}

static void skin_arm(arm *a)
{
    mrw_palette_job palette = mrw_palette_job_default();
    palette.skin = &a->skin;
    palette.model = a->model;
    palette.model_count = JOINTS;
    palette.out_palette = a->palette;
    palette.palette_count = JOINTS;
    assert_int_equal(mrw_palette(&palette), MRW_OK);

    mrw_skin_job job = mrw_skin_job_default();
    job.palette = a->palette;
    job.palette_count = JOINTS;
    job.vertex_count = VERTICES;
    job.influence_count = 2;
    job.joints = &joints[0][0];
    job.weights = &weights[0][0];
    job.positions.data = &bind_positions[0][0];
    job.out_positions.data = &a->positions[0][0];
    assert_int_equal(mrw_skin_vertices(&job), MRW_OK);
}

/* Binds the mesh with the elbow bent, which no vertex position shows but every matrix does. */
static void bind_arm(arm *a, float elbow_degrees)
{
    memset(a, 0, sizeof(*a));
    a->skeleton.joint_count = JOINTS;
    a->skeleton.parents = parents;
    a->pose = (mrw_pose){JOINTS, 0, a->blocks, NULL};
    a->skin.joint_count = JOINTS;
    a->skin.skeleton_joint_count = JOINTS;
    a->skin.joints = skin_joints;
    a->skin.inverse_binds = a->inverse_binds;
    pose_arm(a, 0.0f, elbow_degrees);
    for (int i = 0; i < JOINTS; i++)
        assert_true(mrw_mat34_inverse(&a->model[i], &a->inverse_binds[i]));
}

static void bind_pose_moves_nothing(void **state)
{
    (void)state;
    arm a;
    mrw_mat34 identity = mrw_mat34_identity();
    for (int degrees = -120; degrees <= 120; degrees += 10) {
        bind_arm(&a, (float)degrees);
        skin_arm(&a);
        for (int i = 0; i < JOINTS; i++)
            assert_below(mat34_difference(&a.palette[i], &identity, 4), 1e-6);
        assert_floats3(a.positions[AT_ELBOW], 1, 0, 0, 1e-6);
        assert_floats3(a.positions[PAST_ELBOW], 1.2, 0, 0, 1e-6);
    }
}

static void shoulder_carries_the_elbow(void **state)
{
    (void)state;
    arm a;
    bind_arm(&a, 0.0f);
    pose_arm(&a, 90.0f, 0.0f);
    skin_arm(&a);
    assert_near((double)a.model[ELBOW].m[0][3], 0.0, 1e-6);
    assert_near((double)a.model[ELBOW].m[1][3], 1.0, 1e-6);
    assert_floats3(a.positions[AT_ELBOW], 0, 1, 0, 1e-6);
}

/* The shoulder alone would take the vertex to (0, 1.2, 0); the elbow, 0.2 in the direction of
 * 90 + 30 degrees from (0, 1, 0), to (-0.1, 1.1732, 0). */
static void half_weights_land_half_way(void **state)
{
    (void)state;
    arm a;
    bind_arm(&a, 0.0f);
    pose_arm(&a, 90.0f, 30.0f);
    skin_arm(&a);
    assert_floats3(a.positions[AT_ELBOW], 0, 1, 0, 1e-6);
    assert_floats3(a.positions[PAST_ELBOW], (0.0 - 0.1) / 2, (1.2 + 1.1732051) / 2, 0, 1e-6);
}

/* The same motion from a bind pose with a bent elbow: 30 degrees more than at binding. */
static void bind_pose_need_not_be_straight(void **state)
{
    (void)state;
    arm a;
    bind_arm(&a, 50.0f);
    pose_arm(&a, 90.0f, 80.0f);
    skin_arm(&a);
    assert_floats3(a.positions[AT_ELBOW], 0, 1, 0, 1e-6);
    assert_floats3(a.positions[PAST_ELBOW], (0.0 - 0.1) / 2, (1.2 + 1.1732051) / 2, 0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bind_pose_moves_nothing),
        cmocka_unit_test(shoulder_carries_the_elbow),
        cmocka_unit_test(half_weights_land_half_way),
        cmocka_unit_test(bind_pose_need_not_be_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
