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
        targets[t] = (mrw_morph_target){.positions = differences[t][0],
                                        .normals = differences[t][1],
                                        .tangents = differences[t][2]};
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
        targets[t] = (mrw_morph_target){.positions = NULL};
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

/* Lists every vertex with a chance of 1 in `odds`, in runs of up to `run`, and moves the
 * differences of those to the front of the arrays. */
static uint32_t listed[TARGETS][VERTICES];

static void make_sparse(uint32_t target, uint32_t odds, uint32_t run, uint64_t *random)
{
    uint32_t count = 0;
    bool lists = false;
    for (uint32_t v = 0; v < VERTICES; v++) {
        if (v % run == 0)
            lists = random_bits(random) % odds == 0;
        if (!lists)
            continue;
        for (int stream = 0; stream < 3; stream++)
            memmove(&differences[target][stream][(size_t)count * 3],
                    &differences[target][stream][(size_t)v * 3], 3 * sizeof(float));
        listed[target][count++] = v;
    }
    /* What lies behind them is not read. */
    for (int stream = 0; stream < 3; stream++)
        for (size_t i = (size_t)count * 3; i < VERTICES * 3; i++)
            differences[target][stream][i] = NAN;
    targets[target].vertices = listed[target];
    targets[target].count = count;
}

static double sparse_reference(const float *base, int stream, uint32_t vertex, size_t element)
{
    double sum = (double)*base;
    for (uint32_t t = 0; t < TARGETS; t++)
        for (uint32_t i = 0; i < mrw_morph_target_count(&targets[t], VERTICES); i++)
            if (mrw_morph_target_vertex(&targets[t], i) == vertex)
                sum += (double)weights[t] * (double)differences[t][stream][i * 3 + element];
    return sum;
}

static void sparse_targets_agree_with_double_precision(void **state)
{
    (void)state;
    uint64_t random = 67;
    for (uint32_t round = 0; round < 40; round++) {
        set_up(&random);
        for (uint32_t t = 0; t < TARGETS; t += 1 + round % 2) /* also beside dense ones */
            make_sparse(t, 1 + round % 7, 1 + round % 20, &random);
        assert_int_equal(mrw_morph_check_vertices(targets, TARGETS, VERTICES, NULL), MRW_OK);
        assert_int_equal(mrw_morph(&job), MRW_OK);
        for (uint32_t v = 0; v < VERTICES; v++) {
            for (size_t i = 0; i < 3; i++) {
                size_t at = v * 3 + i, tangent_at = v * 4 + i;
                assert_near((double)out_positions[at], sparse_reference(&positions[at], 0, v, i),
                            1e-6);
                assert_near((double)out_normals[at], sparse_reference(&normals[at], 1, v, i), 1e-6);
                assert_near((double)out_tangents[tangent_at],
                            sparse_reference(&tangents[tangent_at], 2, v, i), 1e-6);
            }
            assert_true(out_tangents[v * 4 + 3] == tangents[v * 4 + 3]);
        }
    }
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

    set_up(&random);
    make_sparse(1, 2, 3, &random);
    assert_int_equal(mrw_morph_check(&job, NULL), MRW_OK);
    listed[1][targets[1].count - 1] = VERTICES;
    expect_error(MRW_ERR_INDEX_RANGE, "targets[1].vertices");
    targets[1].count = 0;
    assert_int_equal(mrw_morph_check(&job, NULL), MRW_OK);
    targets[1].count = VERTICES + 1;
    static uint32_t too_many[VERTICES + 1];
    targets[1].vertices = too_many;
    expect_error(MRW_ERR_INDEX_RANGE, "targets[1].vertices");

    mrw_morph_job empty = mrw_morph_job_default();
    assert_int_equal(mrw_morph(&empty), MRW_OK);
}

static void expect_bad_list(const uint32_t *vertices, mrw_status expected, const char *detail,
                            const char *message)
{
    mrw_morph_target two[2] = {{.positions = positions},
                               {.positions = positions, .vertices = vertices, .count = 3}};
    mrw_error error;
    assert_int_equal(mrw_morph_check_vertices(two, 2, 10, &error), expected);
    assert_string_equal(error.detail, detail);
    assert_string_equal(error.message, message);
}

static void lists_of_vertices_are_checked(void **state)
{
    (void)state;
    static const uint32_t good[] = {0, 3, 9}, beyond[] = {0, 10, 11}, twice[] = {2, 2, 3},
                          back[] = {1, 5, 4};
    mrw_morph_target target = {.positions = positions, .vertices = good, .count = 3};
    assert_int_equal(mrw_morph_check_vertices(&target, 1, 10, NULL), MRW_OK);
    assert_int_equal(mrw_morph_check_vertices(NULL, 0, 10, NULL), MRW_OK);
    assert_int_equal(mrw_morph_check_vertices(NULL, 1, 10, NULL), MRW_ERR_NULL_ARGUMENT);
    expect_bad_list(beyond, MRW_ERR_INDEX_RANGE, "targets[1].vertices[1]", "vertex 10 of 10");
    expect_bad_list(twice, MRW_ERR_INVALID_ARGUMENT, "targets[1].vertices[1]",
                    "2 follows 2: they must increase");
    expect_bad_list(back, MRW_ERR_INVALID_ARGUMENT, "targets[1].vertices[2]",
                    "4 follows 5: they must increase");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_double_precision),
        cmocka_unit_test(in_place_and_strided_equal_packed),
        cmocka_unit_test(weight_of_zero_reads_nothing),
        cmocka_unit_test(missing_streams_are_skipped),
        cmocka_unit_test(morphing_comes_before_skinning),
        cmocka_unit_test(sparse_targets_agree_with_double_precision),
        cmocka_unit_test(checks_name_the_field),
        cmocka_unit_test(lists_of_vertices_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
