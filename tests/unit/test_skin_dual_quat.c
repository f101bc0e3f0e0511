/* Dual quaternion skinning and the mix of both methods. */
#include <marrow/skin.h>

#include "unit/near.h"
#include "unit/random.h"
#include "unit/skin_case.h"

#define PI 3.14159265358979323846

static skin_case c;

static void agrees_with_double_precision(void **state)
{
    (void)state;
    const uint32_t influence_counts[] = {1, 2, 4, 5, 8, 12};
    uint64_t random = 31;
    for (size_t i = 0; i < 6; i++) {
        for (int round = 0; round < 20; round++) {
            skin_case_init(&c, &random, 300, influence_counts[i]);
            skin_case_palette(&c, &random, 1.0f, 0.5f, 2.0f, false);
            c.job.method = round % 2 ? MRW_SKIN_DUAL_QUAT : MRW_SKIN_BLENDED;
            c.job.normal_mode = round % 4 < 2 ? MRW_NORMAL_LINEAR : MRW_NORMAL_INVERSE_TRANSPOSE;
            if (round % 5 == 0)
                c.job.stretches = NULL;
            skin_case_check(&c, 1e-5);
        }
    }
}

static void agrees_under_mirrors(void **state)
{
    (void)state;
    uint64_t random = 32;
    for (int round = 0; round < 50; round++) {
        skin_case_init(&c, &random, 20, 4);
        skin_case_palette(&c, &random, 0.7f, 0.5f, 2.0f, true);
        c.job.method = round % 2 ? MRW_SKIN_DUAL_QUAT : MRW_SKIN_BLENDED;
        skin_case_check(&c, 2e-5);
        for (uint32_t v = 0; v < CASE_VERTICES; v++)
            assert_true(c.out_tangents[4 * v + 3] == -c.tangents[4 * v + 3]);
    }
}

/* With a single joint there is nothing to blend: both methods must say the same, whatever the
 * matrix is. */
static void one_influence_is_linear_skinning(void **state)
{
    (void)state;
    uint64_t random = 33;
    for (int round = 0; round < 50; round++) {
        skin_case_init(&c, &random, 30, 1);
        skin_case_palette(&c, &random, MRW_PI, 0.3f, 2.0f, round % 2 == 1);
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        skin_case linear = c;
        c.job.method = MRW_SKIN_DUAL_QUAT;
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        for (uint32_t i = 0; i < CASE_VERTICES * 3; i++) {
            assert_near((double)c.out_positions[i], (double)linear.out_positions[i], 5e-6);
            assert_near((double)c.out_normals[i], (double)linear.out_normals[i], 1e-5);
        }
        for (uint32_t i = 0; i < CASE_VERTICES * 4; i++)
            assert_near((double)c.out_tangents[i], (double)linear.out_tangents[i], 1e-5);
    }
}

/* A ring of radius 1 around the x axis, half bound to a joint at rest and half to one
 * twisted by 170 degrees: conformance case twist-lbs-dqs. */
static void twist(bool negate, mrw_skin_method method)
{
    uint64_t random = 34;
    skin_case_init(&c, &random, 2, 2);
    c.job.method = method;
    c.job.vertex_count = 8;
    c.job.tangents.data = NULL;
    c.job.out_tangents.data = NULL;
    mrw_vec3 x = {1.0f, 0.0f, 0.0f};
    mrw_transform turned = mrw_transform_identity();
    turned.rotation = mrw_quat_from_axis_angle(x, 170.0f * (MRW_PI / 180.0f));
    c.palette[0] = mrw_mat34_identity();
    c.palette[1] = mrw_mat34_from_transform(&turned);
    for (int i = 0; i < 2; i++)
        mrw_dual_quat_from_mat34(&c.palette[i], &c.dual_quats[i], &c.stretches[i]);
    if (negate) {
        mrw_quat q = c.dual_quats[1].real;
        c.dual_quats[1].real = (mrw_quat){-q.x, -q.y, -q.z, -q.w};
    }
    for (uint32_t v = 0; v < 8; v++) {
        double angle = (double)v * PI / 4.0;
        float *p = c.positions + 3 * v, *n = c.normals + 3 * v;
        p[0] = 1.0f;
        n[0] = 0.0f;
        p[1] = n[1] = (float)cos(angle);
        p[2] = n[2] = (float)sin(angle);
        c.joints[2 * v] = (uint16_t)(v % 2); /* the order of influences must not matter */
        c.joints[2 * v + 1] = (uint16_t)((v + 1) % 2);
        c.weights[2 * v] = c.weights[2 * v + 1] = 0.5f;
    }
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
}

static void twist_collapses_with_linear_blending(void **state)
{
    (void)state;
    static const double expected[8][2] = {{0.0075961, 0.0868241},   {-0.0560226, 0.0667652},
                                          {-0.0868241, 0.0075961},  {-0.0667652, -0.0560226},
                                          {-0.0075961, -0.0868241}, {0.0560226, -0.0667652},
                                          {0.0868241, -0.0075961},  {0.0667652, 0.0560226}};
    twist(false, MRW_SKIN_LINEAR);
    for (uint32_t v = 0; v < 8; v++)
        assert_floats3(c.out_positions + 3 * v, 1, expected[v][0], expected[v][1], 1e-6);
}

static void twist_keeps_its_girth_with_either_sign(void **state)
{
    (void)state;
    static const double expected[8][2] = {{0.0871557, 0.9961947},   {-0.6427876, 0.7660444},
                                          {-0.9961947, 0.0871557},  {-0.7660444, -0.6427876},
                                          {-0.0871557, -0.9961947}, {0.6427876, -0.7660444},
                                          {0.9961947, -0.0871557},  {0.7660444, 0.6427876}};
    for (int negate = 0; negate < 2; negate++) {
        twist(negate == 1, MRW_SKIN_DUAL_QUAT);
        for (uint32_t v = 0; v < 8; v++) {
            assert_floats3(c.out_positions + 3 * v, 1, expected[v][0], expected[v][1], 1e-6);
            assert_floats3(c.out_normals + 3 * v, 0, expected[v][0], expected[v][1], 1e-6);
        }
    }
}

/* Joints turned by 0, 200 and 160 degrees about x; the quaternion of each stands at half its
 * angle. On the hemisphere of the second and heaviest the first one counts as 180 degrees
 * instead of 0. Taking the first influence as pivot would put the second at -80. */
static void heaviest_influence_chooses_the_hemisphere(void **state)
{
    (void)state;
    static const double half_angles[3] = {180.0, 100.0, 80.0};
    static const float angles[3] = {0.0f, 200.0f, 160.0f};
    static const float three_weights[3] = {0.2f, 0.5f, 0.3f};
    uint64_t random = 38;
    skin_case_init(&c, &random, 3, 3);
    c.job.method = MRW_SKIN_DUAL_QUAT;
    c.job.vertex_count = 1;
    double sine = 0.0, cosine = 0.0;
    for (int i = 0; i < 3; i++) {
        mrw_vec3 x = {1.0f, 0.0f, 0.0f};
        mrw_transform turned = mrw_transform_identity();
        turned.rotation = mrw_quat_from_axis_angle(x, angles[i] * (MRW_PI / 180.0f));
        c.palette[i] = mrw_mat34_from_transform(&turned);
        mrw_dual_quat_from_mat34(&c.palette[i], &c.dual_quats[i], &c.stretches[i]);
        c.joints[i] = (uint16_t)i;
        c.weights[i] = three_weights[i];
        sine += (double)three_weights[i] * sin(half_angles[i] * PI / 180.0);
        cosine += (double)three_weights[i] * cos(half_angles[i] * PI / 180.0);
    }
    skin_case_store(c.positions, (mrw_vec3){0.0f, 1.0f, 0.0f});
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    double angle = 2.0 * atan2(sine, cosine); /* about 213 degrees */
    assert_floats3(c.out_positions, 0, cos(angle), sin(angle), 1e-6);
}

static void rigid_blend_keeps_distances(void **state)
{
    (void)state;
    uint64_t random = 35;
    skin_case_init(&c, &random, 10, 4);
    skin_case_palette(&c, &random, 1.5f, 1.0f, 1.0f, false);
    c.job.method = MRW_SKIN_DUAL_QUAT;
    /* All vertices with the influences of the first one move as one rigid body. */
    for (uint32_t v = 1; v < CASE_VERTICES; v++) {
        memcpy(c.joints + 4 * v, c.joints, 4 * sizeof(uint16_t));
        memcpy(c.weights + 4 * v, c.weights, 4 * sizeof(float));
    }
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    for (uint32_t v = 1; v < CASE_VERTICES; v++) {
        double before = 0.0, after = 0.0;
        for (uint32_t i = 0; i < 3; i++) {
            before += pow((double)c.positions[3 * v + i] - (double)c.positions[i], 2.0);
            after += pow((double)c.out_positions[3 * v + i] - (double)c.out_positions[i], 2.0);
        }
        assert_near(sqrt(after), sqrt(before), 3e-6);
    }
}

static void blend_ends_are_the_pure_methods(void **state)
{
    (void)state;
    uint64_t random = 36;
    skin_case_init(&c, &random, 30, 4);
    skin_case_palette(&c, &random, 1.0f, 0.5f, 2.0f, false);
    for (int method = MRW_SKIN_LINEAR; method <= MRW_SKIN_DUAL_QUAT; method++) {
        c.job.method = (mrw_skin_method)method;
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        skin_case pure = c;
        for (uint32_t v = 0; v < CASE_VERTICES; v++)
            c.dual_quat_weights[v] = (float)method;
        c.job.method = MRW_SKIN_BLENDED;
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        assert_memory_equal(c.out_positions, pure.out_positions, sizeof(c.out_positions));
        assert_memory_equal(c.out_normals, pure.out_normals, sizeof(c.out_normals));
        assert_memory_equal(c.out_tangents, pure.out_tangents, sizeof(c.out_tangents));
    }
}

static void blend_is_the_mean_of_positions(void **state)
{
    (void)state;
    /* Vertex 0 at (1, 1, 0): linear (1, 0.0075961, 0.0868241), dual quaternion (1, 0.0871557,
     * 0.9961947); a quarter of the way from the first to the second. */
    twist(false, MRW_SKIN_LINEAR);
    c.job.method = MRW_SKIN_BLENDED;
    c.dual_quat_weights[0] = 0.25f;
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    assert_floats3(c.out_positions, 1, 0.75 * 0.0075961 + 0.25 * 0.0871557,
                   0.75 * 0.0868241 + 0.25 * 0.9961947, 1e-6);
}

static void undefined_dual_quats_leave_the_vertex(void **state)
{
    (void)state;
    uint64_t random = 37;
    skin_case_init(&c, &random, 1, 1);
    memset(c.dual_quats, 0, sizeof(c.dual_quats));
    c.job.stretches = NULL;
    c.job.method = MRW_SKIN_DUAL_QUAT;
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    assert_memory_equal(c.out_positions, c.positions, sizeof(c.positions));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_double_precision),
        cmocka_unit_test(agrees_under_mirrors),
        cmocka_unit_test(one_influence_is_linear_skinning),
        cmocka_unit_test(twist_collapses_with_linear_blending),
        cmocka_unit_test(twist_keeps_its_girth_with_either_sign),
        cmocka_unit_test(heaviest_influence_chooses_the_hemisphere),
        cmocka_unit_test(rigid_blend_keeps_distances),
        cmocka_unit_test(blend_ends_are_the_pure_methods),
        cmocka_unit_test(blend_is_the_mean_of_positions),
        cmocka_unit_test(undefined_dual_quats_leave_the_vertex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
