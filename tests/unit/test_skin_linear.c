/* Linear blend skinning, and what both methods share: strides, aliasing, checks. */
#include <marrow/skin.h>

#include "unit/near.h"
#include "unit/random.h"
#include "unit/skin_case.h"

static skin_case c;

/* --- against the reference --------------------------------------------------------- */

static void agrees_with_double_precision(void **state)
{
    (void)state;
    const uint32_t influence_counts[] = {1, 2, 4, 5, 8, 12};
    uint64_t random = 21;
    for (size_t i = 0; i < 6; i++) {
        for (int round = 0; round < 20; round++) {
            skin_case_init(&c, &random, 300, influence_counts[i]);
            skin_case_palette(&c, &random, 1.0f, 0.5f, 2.0f, false);
            c.job.normal_mode = round % 2 ? MRW_NORMAL_LINEAR : MRW_NORMAL_INVERSE_TRANSPOSE;
            skin_case_check(&c, 5e-6);
        }
    }
}

static void agrees_under_mirrors(void **state)
{
    (void)state;
    uint64_t random = 22;
    for (int round = 0; round < 50; round++) {
        skin_case_init(&c, &random, 20, 4);
        skin_case_palette(&c, &random, 0.7f, 0.5f, 2.0f, true);
        skin_case_check(&c, 1e-5);
        for (uint32_t v = 0; v < CASE_VERTICES; v++)
            assert_true(c.out_tangents[4 * v + 3] == -c.tangents[4 * v + 3]);
    }
}

/* Tiny and huge characters: cofactors are squares, their lengths fourth powers. */
static void agrees_at_any_size(void **state)
{
    (void)state;
    uint64_t random = 23;
    for (int exponent = -15; exponent <= 15; exponent += 5) {
        float size = powf(10.0f, (float)exponent);
        skin_case_init(&c, &random, 20, 4);
        skin_case_palette(&c, &random, 0.7f, 0.5f * size, 2.0f * size, false);
        skin_case_check(&c, 5e-6 * fmax(1.0, (double)size));
    }
}

/* --- values that fit in a comment -------------------------------------------------- */

static void one_vertex(mrw_mat34 matrix)
{
    uint64_t random = 24;
    skin_case_init(&c, &random, 1, 1);
    c.job.vertex_count = 1;
    c.palette[0] = matrix;
    const float position[3] = {1, 2, 3}, normal[3] = {0.6f, 0.8f, 0},
                tangent[4] = {0.8f, -0.6f, 0, 1};
    memcpy(c.positions, position, sizeof(position));
    memcpy(c.normals, normal, sizeof(normal));
    memcpy(c.tangents, tangent, sizeof(tangent));
}

static mrw_mat34 scaling(float x, float y, float z)
{
    mrw_transform transform = mrw_transform_identity();
    transform.scale = (mrw_vec3){x, y, z};
    return mrw_mat34_from_transform(&transform);
}

static void uneven_scale_bends_normals_the_other_way(void **state)
{
    (void)state;
    /* Stretched 2 along x: tangent (1.6, -0.6), normal (0.6 / 2, 0.8); still at right angles. */
    one_vertex(scaling(2.0f, 1.0f, 1.0f));
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    double normal_length = sqrt(0.3 * 0.3 + 0.8 * 0.8),
           tangent_length = sqrt(1.6 * 1.6 + 0.6 * 0.6);
    assert_floats3(c.out_positions, 2, 2, 3, 0);
    assert_floats3(c.out_normals, 0.3 / normal_length, 0.8 / normal_length, 0, 1e-6);
    assert_floats3(c.out_tangents, 1.6 / tangent_length, -0.6 / tangent_length, 0, 1e-6);
    assert_near((double)c.out_tangents[3], 1.0, 0);

    /* The linear mode takes the matrix itself: (1.2, 0.8). */
    c.job.normal_mode = MRW_NORMAL_LINEAR;
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    double wrong_length = sqrt(1.2 * 1.2 + 0.8 * 0.8);
    assert_floats3(c.out_normals, 1.2 / wrong_length, 0.8 / wrong_length, 0, 1e-6);
}

static void mirror_keeps_normals_outside(void **state)
{
    (void)state;
    one_vertex(scaling(-1.0f, 1.0f, 1.0f));
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    assert_floats3(c.out_positions, -1, 2, 3, 0);
    assert_floats3(c.out_normals, -0.6, 0.8, 0, 1e-6);
    assert_floats3(c.out_tangents, -0.8, -0.6, 0, 1e-6);
    assert_near((double)c.out_tangents[3], -1.0, 0);
}

static void flattened_surface_has_the_plane_normal_or_none(void **state)
{
    (void)state;
    one_vertex(scaling(1.0f, 0.0f, 1.0f));
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    assert_floats3(c.out_positions, 1, 0, 3, 0);
    assert_floats3(c.out_normals, 0, 1, 0, 0);

    one_vertex(scaling(1.0f, 0.0f, 0.0f)); /* only a line is left */
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    assert_floats3(c.out_normals, 0, 0, 0, 0);
    assert_floats3(c.out_tangents, 1, 0, 0, 1e-7);

    one_vertex(scaling(0.0f, 0.0f, 0.0f));
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    assert_floats3(c.out_positions, 0, 0, 0, 0);
    assert_floats3(c.out_normals, 0, 0, 0, 0);
    assert_floats3(c.out_tangents, 0, 0, 0, 0);
}

static void vertex_without_weight_keeps_its_place(void **state)
{
    (void)state;
    for (int method = MRW_SKIN_LINEAR; method <= MRW_SKIN_BLENDED; method++) {
        one_vertex(scaling(2.0f, 2.0f, 2.0f));
        c.job.method = (mrw_skin_method)method;
        c.weights[0] = 0.0f;
        c.normals[0] = 6.0f, c.normals[1] = 8.0f; /* ten times too long */
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        assert_floats3(c.out_positions, 1, 2, 3, 0);
        assert_floats3(c.out_normals, 0.6, 0.8, 0, 1e-6);
    }
}

static void zero_normal_stays_zero(void **state)
{
    (void)state;
    one_vertex(scaling(2.0f, 1.0f, 1.0f));
    memset(c.normals, 0, 3 * sizeof(float));
    memset(c.tangents, 0, 3 * sizeof(float));
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    assert_floats3(c.out_normals, 0, 0, 0, 0);
    assert_floats3(c.out_tangents, 0, 0, 0, 0);
}

/* --- streams ----------------------------------------------------------------------- */

typedef struct interleaved {
    float position[3];
    float untouched;
    float normal[3];
    float tangent[4];
    float untouched_too[2];
} interleaved;

static void interleaved_in_place_equals_packed(void **state)
{
    (void)state;
    static interleaved vertices[CASE_VERTICES];
    uint64_t random = 25;
    for (int method = MRW_SKIN_LINEAR; method <= MRW_SKIN_BLENDED; method++) {
        skin_case_init(&c, &random, 30, 4);
        skin_case_palette(&c, &random, 1.0f, 0.5f, 2.0f, false);
        c.job.method = (mrw_skin_method)method;
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        for (uint32_t v = 0; v < CASE_VERTICES; v++) {
            memcpy(vertices[v].position, c.positions + 3 * v, 3 * sizeof(float));
            memcpy(vertices[v].normal, c.normals + 3 * v, 3 * sizeof(float));
            memcpy(vertices[v].tangent, c.tangents + 4 * v, 4 * sizeof(float));
            vertices[v].untouched = vertices[v].untouched_too[1] = 7.0f;
        }
        mrw_skin_job job = c.job;
        job.positions = (mrw_stream){vertices[0].position, sizeof(interleaved)};
        job.normals = (mrw_stream){vertices[0].normal, sizeof(interleaved)};
        job.tangents = (mrw_stream){vertices[0].tangent, sizeof(interleaved)};
        job.out_positions = (mrw_out_stream){vertices[0].position, sizeof(interleaved)};
        job.out_normals = (mrw_out_stream){vertices[0].normal, sizeof(interleaved)};
        job.out_tangents = (mrw_out_stream){vertices[0].tangent, sizeof(interleaved)};
        assert_int_equal(mrw_skin_vertices(&job), MRW_OK);
        for (uint32_t v = 0; v < CASE_VERTICES; v++) {
            assert_memory_equal(vertices[v].position, c.out_positions + 3 * v, 3 * sizeof(float));
            assert_memory_equal(vertices[v].normal, c.out_normals + 3 * v, 3 * sizeof(float));
            assert_memory_equal(vertices[v].tangent, c.out_tangents + 4 * v, 4 * sizeof(float));
            assert_true(vertices[v].untouched == 7.0f && vertices[v].untouched_too[1] == 7.0f);
        }
    }
}

static void positions_alone_are_the_same(void **state)
{
    (void)state;
    uint64_t random = 26;
    for (int method = MRW_SKIN_LINEAR; method <= MRW_SKIN_BLENDED; method++) {
        skin_case_init(&c, &random, 30, 4);
        skin_case_palette(&c, &random, 1.0f, 0.5f, 2.0f, false);
        c.job.method = (mrw_skin_method)method;
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        float with_normals[CASE_VERTICES * 3];
        memcpy(with_normals, c.out_positions, sizeof(with_normals));
        c.job.normals.data = c.job.tangents.data = NULL;
        c.job.out_normals.data = c.job.out_tangents.data = NULL;
        c.job.out_positions.data = c.positions; /* in place */
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        assert_memory_equal(with_normals, c.positions, sizeof(with_normals));
    }
}

/* --- checks -------------------------------------------------------------------------- */

static void expect_error(mrw_status expected, const char *detail)
{
    mrw_error error;
    memset(&error, 0, sizeof(error));
    assert_int_equal(mrw_skin_check(&c.job, &error), expected);
    assert_int_equal(mrw_skin_vertices(&c.job), expected);
    assert_int_equal(error.status, expected);
    assert_string_equal(error.detail, detail);
    assert_true(error.message[0] != '\0');
}

#define EXPECT_ERROR(change, status, detail)                                                       \
    do {                                                                                           \
        mrw_skin_job before = c.job;                                                               \
        assert_int_equal(mrw_skin_check(&c.job, NULL), MRW_OK);                                    \
        change;                                                                                    \
        expect_error(status, detail);                                                              \
        c.job = before;                                                                            \
    } while (0)

static void checks_name_the_field(void **state)
{
    (void)state;
    uint64_t random = 27;
    skin_case_init(&c, &random, 10, 4);
    skin_case_palette(&c, &random, 1.0f, 0.5f, 2.0f, false);
    c.job.method = MRW_SKIN_BLENDED;
    EXPECT_ERROR(c.job.struct_size = 0, MRW_ERR_STRUCT_SIZE, "struct_size");
    EXPECT_ERROR(c.job.method = (mrw_skin_method)3, MRW_ERR_INVALID_ARGUMENT, "method");
    EXPECT_ERROR(c.job.normal_mode = (mrw_normal_mode)2, MRW_ERR_INVALID_ARGUMENT, "normal_mode");
    EXPECT_ERROR(c.job.influence_count = 0, MRW_ERR_INVALID_ARGUMENT, "influence_count");
    EXPECT_ERROR(c.job.joints = NULL, MRW_ERR_NULL_ARGUMENT, "joints");
    EXPECT_ERROR(c.job.weights = NULL, MRW_ERR_NULL_ARGUMENT, "weights");
    EXPECT_ERROR(c.job.palette = NULL, MRW_ERR_NULL_ARGUMENT, "palette");
    EXPECT_ERROR(c.job.dual_quats = NULL, MRW_ERR_NULL_ARGUMENT, "dual_quats");
    EXPECT_ERROR(c.job.dual_quat_weights = NULL, MRW_ERR_NULL_ARGUMENT, "dual_quat_weights");
    EXPECT_ERROR(c.job.positions.data = NULL, MRW_ERR_NULL_ARGUMENT, "positions");
    EXPECT_ERROR(c.job.normals.data = NULL, MRW_ERR_NULL_ARGUMENT, "normals");
    EXPECT_ERROR(c.job.tangents.data = NULL, MRW_ERR_NULL_ARGUMENT, "tangents");
    EXPECT_ERROR(c.job.out_positions.data = NULL, MRW_ERR_NULL_ARGUMENT, "out_positions");
    EXPECT_ERROR(c.job.out_normals.data = NULL, MRW_ERR_NULL_ARGUMENT, "out_normals");
    EXPECT_ERROR(c.job.out_tangents.data = NULL, MRW_ERR_NULL_ARGUMENT, "out_tangents");
    EXPECT_ERROR(c.job.positions.stride_bytes = 13, MRW_ERR_INVALID_ARGUMENT,
                 "positions.stride_bytes");
    EXPECT_ERROR(c.job.normals.stride_bytes = 8, MRW_ERR_INVALID_ARGUMENT, "normals.stride_bytes");
    EXPECT_ERROR(c.job.tangents.stride_bytes = 12, MRW_ERR_INVALID_ARGUMENT,
                 "tangents.stride_bytes");
    EXPECT_ERROR(c.job.out_positions.stride_bytes = 4, MRW_ERR_INVALID_ARGUMENT,
                 "out_positions.stride_bytes");
    EXPECT_ERROR(c.job.out_normals.stride_bytes = 15, MRW_ERR_INVALID_ARGUMENT,
                 "out_normals.stride_bytes");
    EXPECT_ERROR(c.job.out_tangents.stride_bytes = 12, MRW_ERR_INVALID_ARGUMENT,
                 "out_tangents.stride_bytes");
    assert_int_equal(mrw_skin_check(NULL, NULL), MRW_ERR_NULL_ARGUMENT);
}

static void a_method_asks_for_no_more_than_it_needs(void **state)
{
    (void)state;
    uint64_t random = 28;
    skin_case_init(&c, &random, 10, 4);
    skin_case_palette(&c, &random, 1.0f, 1.0f, 1.0f, false);
    c.job.dual_quat_weights = NULL;
    c.job.dual_quats = NULL;
    c.job.stretches = NULL;
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    c.job.method = MRW_SKIN_DUAL_QUAT;
    c.job.dual_quats = c.dual_quats;
    c.job.palette = NULL;
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);

    mrw_skin_job empty = mrw_skin_job_default();
    empty.influence_count = 4;
    assert_int_equal(mrw_skin_vertices(&empty), MRW_OK);
}

static void influences_are_checked_one_by_one(void **state)
{
    (void)state;
    uint64_t random = 29;
    skin_case_init(&c, &random, 10, 4);
    mrw_error error;
    assert_int_equal(mrw_skin_check_influences(&c.job, &error), MRW_OK);
    c.joints[4 * 7 + 2] = 10;
    assert_int_equal(mrw_skin_check_influences(&c.job, &error), MRW_ERR_JOINT_RANGE);
    assert_string_equal(error.detail, "vertices[7].joints[2]");
    c.weights[4 * 5 + 1] = -0.25f;
    assert_int_equal(mrw_skin_check_influences(&c.job, &error), MRW_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.detail, "vertices[5].weights[1]");
    c.weights[4 * 3 + 3] = NAN;
    assert_int_equal(mrw_skin_check_influences(&c.job, &error), MRW_ERR_NOT_FINITE);
    assert_string_equal(error.detail, "vertices[3].weights[3]");
    mrw_skin_job job = c.job;
    job.joints = NULL;
    assert_int_equal(mrw_skin_check_influences(&job, NULL), MRW_ERR_NULL_ARGUMENT);
    job = c.job;
    job.weights = NULL;
    assert_int_equal(mrw_skin_check_influences(&job, NULL), MRW_ERR_NULL_ARGUMENT);
    job.vertex_count = 0;
    assert_int_equal(mrw_skin_check_influences(&job, NULL), MRW_OK);
    job.struct_size = 0;
    assert_int_equal(mrw_skin_check_influences(&job, NULL), MRW_ERR_STRUCT_SIZE);
    assert_int_equal(mrw_skin_check_influences(NULL, NULL), MRW_ERR_NULL_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_double_precision),
        cmocka_unit_test(agrees_under_mirrors),
        cmocka_unit_test(agrees_at_any_size),
        cmocka_unit_test(uneven_scale_bends_normals_the_other_way),
        cmocka_unit_test(mirror_keeps_normals_outside),
        cmocka_unit_test(flattened_surface_has_the_plane_normal_or_none),
        cmocka_unit_test(vertex_without_weight_keeps_its_place),
        cmocka_unit_test(zero_normal_stays_zero),
        cmocka_unit_test(interleaved_in_place_equals_packed),
        cmocka_unit_test(positions_alone_are_the_same),
        cmocka_unit_test(checks_name_the_field),
        cmocka_unit_test(a_method_asks_for_no_more_than_it_needs),
        cmocka_unit_test(influences_are_checked_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
