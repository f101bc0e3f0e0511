/* Morph targets, alone and before skinning. */
#include <marrow/skin.h>

#include "unit/near.h"
#include "unit/random.h"
#include "unit/skin_case.h"

enum { VERTICES = CASE_VERTICES, TARGETS = 6 };

static float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4];
static float out_positions[VERTICES * 3], out_normals[VERTICES * 3], out_tangents[VERTICES * 4];
static float differences[TARGETS][3][VERTICES * 3];
static mrw_morph_target targets[TARGETS];
static float weights[TARGETS];
static mrw_morph_job job;

static void fill(float *values, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_float(random, -1.0f, 1.0f);
}

static void set_up(uint64_t *random)
{
    fill(positions, VERTICES * 3, random);
    fill(normals, VERTICES * 3, random);
    fill(tangents, VERTICES * 4, random);
    for (uint32_t t = 0; t < TARGETS; t++) {
        for (int stream = 0; stream < 3; stream++)
            fill(differences[t][stream], VERTICES * 3, random);
        targets[t] = (mrw_morph_target){differences[t][0], differences[t][1], differences[t][2]};
    }
    fill(weights, TARGETS, random);
    job = mrw_morph_job_default();
    job.vertex_count = VERTICES;
    job.target_count = TARGETS;
    job.targets = targets;
    job.weights = weights;
    job.positions.data = positions;
    job.normals.data = normals;
    job.tangents.data = tangents;
    job.out_positions.data = out_positions;
    job.out_normals.data = out_normals;
    job.out_tangents.data = out_tangents;
}

static double reference(const float *base, int stream, size_t vertex, size_t element)
{
    double sum = (double)*base;
    for (uint32_t t = 0; t < TARGETS; t++)
        sum += (double)weights[t] * (double)differences[t][stream][vertex * 3 + element];
    return sum;
}

static void agrees_with_double_precision(void **state)
{
    (void)state;
    uint64_t random = 61;
    for (int round = 0; round < 50; round++) {
        set_up(&random);
        assert_int_equal(mrw_morph(&job), MRW_OK);
        for (size_t v = 0; v < VERTICES; v++) {
            for (size_t i = 0; i < 3; i++) {
                size_t at = v * 3 + i, tangent_at = v * 4 + i;
                assert_near((double)out_positions[at], reference(&positions[at], 0, v, i), 1e-6);
                assert_near((double)out_normals[at], reference(&normals[at], 1, v, i), 1e-6);
                assert_near((double)out_tangents[tangent_at],
                            reference(&tangents[tangent_at], 2, v, i), 1e-6);
            }
            assert_true(out_tangents[v * 4 + 3] == tangents[v * 4 + 3]);
        }
    }
}

static void in_place_and_strided_equal_packed(void **state)
{
    (void)state;
    static float interleaved[VERTICES][12];
    uint64_t random = 62;
    set_up(&random);
    assert_int_equal(mrw_morph(&job), MRW_OK);
    for (size_t v = 0; v < VERTICES; v++) {
        memcpy(&interleaved[v][0], positions + v * 3, 3 * sizeof(float));
        memcpy(&interleaved[v][4], normals + v * 3, 3 * sizeof(float));
        memcpy(&interleaved[v][7], tangents + v * 4, 4 * sizeof(float));
        interleaved[v][3] = interleaved[v][11] = 5.0f;
    }
    job.positions = (mrw_stream){&interleaved[0][0], sizeof(interleaved[0])};
    job.normals = (mrw_stream){&interleaved[0][4], sizeof(interleaved[0])};
    job.tangents = (mrw_stream){&interleaved[0][7], sizeof(interleaved[0])};
    job.out_positions = (mrw_out_stream){&interleaved[0][0], sizeof(interleaved[0])};
    job.out_normals = (mrw_out_stream){&interleaved[0][4], sizeof(interleaved[0])};
    job.out_tangents = (mrw_out_stream){&interleaved[0][7], sizeof(interleaved[0])};
    assert_int_equal(mrw_morph(&job), MRW_OK);
    for (size_t v = 0; v < VERTICES; v++) {
        assert_memory_equal(&interleaved[v][0], out_positions + v * 3, 3 * sizeof(float));
        assert_memory_equal(&interleaved[v][4], out_normals + v * 3, 3 * sizeof(float));
        assert_memory_equal(&interleaved[v][7], out_tangents + v * 4, 4 * sizeof(float));
        assert_true(interleaved[v][3] == 5.0f && interleaved[v][11] == 5.0f);
    }
}

static void weight_of_zero_reads_nothing(void **state)
{
    (void)state;
    uint64_t random = 63;
    set_up(&random);
    for (uint32_t t = 0; t < TARGETS; t++) {
        weights[t] = t % 2 == 0 ? 0.0f : -0.0f;
        for (int stream = 0; stream < 3; stream++)
            for (size_t i = 0; i < VERTICES * 3; i++)
                differences[t][stream][i] = NAN;
    }
    assert_int_equal(mrw_morph(&job), MRW_OK);
    assert_memory_equal(out_positions, positions, sizeof(positions));
    assert_memory_equal(out_normals, normals, sizeof(normals));
    assert_memory_equal(out_tangents, tangents, sizeof(tangents));
}

static void missing_streams_are_skipped(void **state)
{
    (void)state;
    uint64_t random = 64;
    set_up(&random);
    for (uint32_t t = 0; t < TARGETS; t++)
        targets[t] = (mrw_morph_target){NULL, NULL, NULL};
    assert_int_equal(mrw_morph(&job), MRW_OK);
    assert_memory_equal(out_positions, positions, sizeof(positions));

    /* Targets that move normals of a mesh without any. */
    set_up(&random);
    job.normals.data = job.tangents.data = NULL;
    job.out_normals.data = job.out_tangents.data = NULL;
    assert_int_equal(mrw_morph(&job), MRW_OK);
    assert_near((double)out_positions[5], reference(&positions[5], 0, 1, 2), 1e-6);

    job.target_count = 0;
    job.targets = NULL;
    job.weights = NULL;
    assert_int_equal(mrw_morph(&job), MRW_OK);
    assert_memory_equal(out_positions, positions, sizeof(positions));
}

/* Morphed by hand and skinned is the same as morphed by the job and skinned. */
static void morphing_comes_before_skinning(void **state)
{
    (void)state;
    static skin_case c;
    uint64_t random = 65;
    set_up(&random);
    skin_case_init(&c, &random, 300, 8);
    skin_case_palette(&c, &random, 1.0f, 0.5f, 2.0f, false);
    job.positions.data = c.positions;
    job.normals.data = c.normals;
    job.tangents.data = c.tangents;
    job.out_positions.data = c.positions;
    job.out_normals.data = c.normals;
    job.out_tangents.data = c.tangents;
    weights[1] = 0.0f;
    double before = (double)c.positions[0];
    assert_int_equal(mrw_morph(&job), MRW_OK);
    float base = (float)before;
    assert_near((double)c.positions[0], reference(&base, 0, 0, 0), 1e-6);
    skin_case_check(&c, 1e-5);
    c.job.method = MRW_SKIN_DUAL_QUAT;
    skin_case_check(&c, 1e-5);
}

static void expect_error(mrw_status expected, const char *detail)
{
    mrw_error error;
    assert_int_equal(mrw_morph_check(&job, &error), expected);
    assert_int_equal(mrw_morph(&job), expected);
    assert_string_equal(error.detail, detail);
}

static void checks_name_the_field(void **state)
{
    (void)state;
    uint64_t random = 66;
    set_up(&random);
    assert_int_equal(mrw_morph_check(&job, NULL), MRW_OK);
    job.struct_size = 0;
    expect_error(MRW_ERR_STRUCT_SIZE, "struct_size");
    set_up(&random);
    job.targets = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "targets");
    set_up(&random);
    job.weights = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "weights");
    set_up(&random);
    weights[3] = INFINITY;
    expect_error(MRW_ERR_NOT_FINITE, "weights[3]");
    set_up(&random);
    job.positions.data = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "positions");
    set_up(&random);
    job.out_normals.data = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "out_normals");
    set_up(&random);
    job.tangents.data = NULL;
    expect_error(MRW_ERR_NULL_ARGUMENT, "tangents");
    set_up(&random);
    job.out_positions.stride_bytes = 14;
    expect_error(MRW_ERR_INVALID_ARGUMENT, "out_positions.stride_bytes");
    assert_int_equal(mrw_morph_check(NULL, NULL), MRW_ERR_NULL_ARGUMENT);

    mrw_morph_job empty = mrw_morph_job_default();
    assert_int_equal(mrw_morph(&empty), MRW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_double_precision),
        cmocka_unit_test(in_place_and_strided_equal_packed),
        cmocka_unit_test(weight_of_zero_reads_nothing),
        cmocka_unit_test(missing_streams_are_skipped),
        cmocka_unit_test(morphing_comes_before_skinning),
        cmocka_unit_test(checks_name_the_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
