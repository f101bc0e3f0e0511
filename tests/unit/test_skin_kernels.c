/* Skinning and morphing give the same bits on every instruction set: for meshes of all shapes, and
 * for numbers of all kinds. The buffers have exactly the size that the job needs, so that the
 * address sanitizer sees a kernel that reads or writes beyond. */
#include <marrow/skin.h>

#include "unit/near.h"
#include "unit/random.h"

#include <stdlib.h>

enum { MAX_VERTICES = 70, MAX_INFLUENCES = 10, JOINTS = 12, WIDTH = 11 };

static uint64_t random_state = 41;

static uint32_t below(uint32_t end)
{
    return random_bits(&random_state) % end;
}

/* One of `odds` numbers is of the kind that goes another way. */
static float number(uint32_t odds)
{
    static const float odd[] = {0.0f,  -0.0f,  1e-45f,   -1e-40f,   1e-20f, 1e-38f,
                                1e20f, -3e38f, INFINITY, -INFINITY, NAN,    1.0f};
    if (odds > 0 && below(odds) == 0)
        return odd[below(sizeof(odd) / sizeof(odd[0]))];
    return random_float(&random_state, -1.0f, 1.0f);
}

/* --- a mesh -------------------------------------------------------------------------- */

typedef struct mesh {
    mrw_skin_job job;
    mrw_mat34 palette[JOINTS];
    mrw_dual_quat dual_quats[JOINTS];
    mrw_mat34 stretches[JOINTS];
    uint16_t *joints;
    float *weights;
    float *dual_quat_weights;
    float *input; /* all attributes, each vertex `step` floats */
    size_t size;  /* floats of it */
} mesh;

static mrw_mat34 random_matrix(uint32_t kind)
{
    mrw_transform transform = random_transform(&random_state, 0.5f, 1.5f);
    if (kind == 1) /* mirrored */
        transform.scale.x = -transform.scale.x;
    if (kind == 2) /* collapsed */
        transform.scale.y = transform.scale.z = 0.0f;
    if (kind == 3) /* as a rest pose */
        transform = mrw_transform_identity();
    if (kind == 4) /* so small that squares vanish */
        transform.scale = (mrw_vec3){1e-12f, 1e-12f, 1e-12f};
    return mrw_mat34_from_transform(&transform);
}

static void make_palette(mesh *m, uint32_t odds)
{
    uint32_t kinds = below(6);
    for (int i = 0; i < JOINTS; i++) {
        m->palette[i] = random_matrix(kinds == 5 ? below(5) : kinds);
        mrw_dual_quat_from_mat34(&m->palette[i], &m->dual_quats[i], &m->stretches[i]);
        if (odds == 0 || below(4) != 0)
            continue;
        for (int k = 0; k < 12; k++)
            if (below(4) == 0)
                m->palette[i].m[k / 4][k % 4] = m->stretches[i].m[k % 3][k / 3] = number(1);
        if (below(2) == 0)
            memcpy(&m->dual_quats[i].real.x + below(8), &(float){number(1)}, sizeof(float));
    }
}

static void make_influences(mesh *m, uint32_t odds)
{
    uint32_t n = m->job.vertex_count, count = m->job.influence_count;
    uint32_t same_joints = 1 + below(30), spread = 1 + below(JOINTS), used = 1 + below(count);
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t i = 0; i < count; i++) {
            size_t at = (size_t)v * count + i;
            m->joints[at] = v % same_joints ? m->joints[at - count] : (uint16_t)below(spread);
            m->weights[at] = i < used ? random_float(&random_state, 0.0f, 1.0f) : 0.0f;
            if (odds > 0 && below(4 * odds) == 0)
                m->weights[at] = number(1);
            else if (below(3) == 0 || (odds > 0 && v % 11 == 3))
                m->weights[at] = 0.0f;
        }
        static const float ends[] = {0.0f, 1.0f, 0.3f, -1.0f, 2.0f, 1e-30f};
        m->dual_quat_weights[v] = ends[v / 12 % 2 ? v / 8 % 2 : below(6)];
    }
}

/* Floats that a vertex takes in a layout: 0 packed arrays, 1 interleaved, 2 with gaps. */
static size_t lay_out(mesh *m, int layout, float *in, float *out)
{
    mrw_skin_job *job = &m->job;
    size_t n = job->vertex_count, stride = layout == 0 ? 0 : (layout == 1 ? 10 : WIDTH);
    size_t normals = layout == 0 ? 3 * n : 3, tangents = layout == 0 ? 6 * n : 6;
    job->positions = (mrw_stream){in, stride * 4};
    job->normals = (mrw_stream){in + normals, stride * 4};
    job->tangents = (mrw_stream){in + tangents, stride * 4};
    job->out_positions = (mrw_out_stream){out, stride * 4};
    job->out_normals = (mrw_out_stream){out + normals, stride * 4};
    job->out_tangents = (mrw_out_stream){out + tangents, stride * 4};
    return layout == 2 ? WIDTH * n : 10 * n;
}

static void choose_attributes(mrw_skin_job *job)
{
    uint32_t attributes = below(4);
    if (!(attributes & 1))
        job->normals.data = job->out_normals.data = NULL;
    if (!(attributes & 2))
        job->tangents.data = job->out_tangents.data = NULL;
}

static void make_mesh(mesh *m, uint32_t vertex_count, uint32_t influence_count, uint32_t odds)
{
    memset(m, 0, sizeof(*m));
    mrw_skin_job *job = &m->job;
    *job = mrw_skin_job_default();
    job->vertex_count = vertex_count;
    job->influence_count = influence_count;
    job->palette_count = JOINTS;
    job->palette = m->palette;
    job->dual_quats = m->dual_quats;
    job->stretches = below(2) ? m->stretches : NULL;
    job->normal_mode = below(2) ? MRW_NORMAL_LINEAR : MRW_NORMAL_INVERSE_TRANSPOSE;
    m->joints = malloc((size_t)vertex_count * influence_count * sizeof(uint16_t));
    m->weights = malloc((size_t)vertex_count * influence_count * sizeof(float));
    m->dual_quat_weights = malloc(vertex_count * sizeof(float));
    job->joints = m->joints;
    job->weights = m->weights;
    job->dual_quat_weights = m->dual_quat_weights;
    make_palette(m, odds);
    make_influences(m, odds);
    m->size = (size_t)vertex_count * WIDTH;
    m->input = malloc(m->size * sizeof(float));
    for (size_t i = 0; i < m->size; i++)
        m->input[i] = number(odds);
}

static void free_mesh(mesh *m)
{
    free(m->joints);
    free(m->weights);
    free(m->dual_quat_weights);
    free(m->input);
}

/* --- every instruction set against scalar -------------------------------------------- */

static float *copy_of(const float *floats, size_t count)
{
    float *copy = malloc(count * sizeof(float));
    if (count > 0)
        memcpy(copy, floats, count * sizeof(float));
    return copy;
}

/* Runs the job into a copy of the input's bytes: in place, or from the untouched input. */
static float *skinned(mesh *m, const char *isa, int layout, bool in_place)
{
    mrw_skin_job before = m->job;
    size_t size = lay_out(m, layout, m->input, m->input);
    float *in = copy_of(m->input, size), *out = in_place ? in : copy_of(m->input, size);
    lay_out(m, layout, in, out);
    if (before.normals.data == NULL)
        m->job.normals.data = m->job.out_normals.data = NULL;
    if (before.tangents.data == NULL)
        m->job.tangents.data = m->job.out_tangents.data = NULL;
    assert_int_equal(mrw_isa_select(isa), MRW_OK);
    assert_int_equal(mrw_skin_vertices(&m->job), MRW_OK);
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
    m->job = before;
    if (!in_place)
        free(in);
    return out;
}

static void check_mesh(mesh *m)
{
    int layout = (int)below(3);
    lay_out(m, layout, m->input, m->input);
    choose_attributes(&m->job);
    size_t size = layout == 2 ? m->size : 10 * (size_t)m->job.vertex_count;
    float *expected = skinned(m, mrw_isa_available(0), layout, false);
    for (uint32_t i = 0; mrw_isa_available(i) != NULL; i++) {
        for (int in_place = 0; in_place < 2; in_place++) {
            float *out = skinned(m, mrw_isa_available(i), layout, in_place != 0);
            for (size_t k = 0; k < size; k++)
                if (memcmp(&out[k], &expected[k], sizeof(float)) != 0)
                    fail_msg("%s: float %zu of layout %d is %.9g, not %.9g", mrw_isa_available(i),
                             k, layout, (double)out[k], (double)expected[k]);
            free(out);
        }
    }
    free(expected);
}

static void same_bits(uint32_t rounds, uint32_t odds)
{
    for (uint32_t round = 0; round < rounds; round++) {
        mesh m;
        uint32_t vertex_count = below(2) ? below(18) : below(MAX_VERTICES + 1);
        make_mesh(&m, vertex_count, 1 + below(MAX_INFLUENCES), odds);
        m.job.method = (mrw_skin_method)(round % 3);
        check_mesh(&m);
        free_mesh(&m);
    }
}

static void ordinary_meshes(void **state)
{
    (void)state;
    same_bits(3000, 0);
}

static void meshes_with_a_few_odd_numbers(void **state)
{
    (void)state;
    same_bits(3000, 200);
}

static void meshes_full_of_odd_numbers(void **state)
{
    (void)state;
    same_bits(3000, 10);
}

/* All numbers of vertices around a group, for each number of influences. */
static void every_count(void **state)
{
    (void)state;
    for (uint32_t vertex_count = 0; vertex_count <= 17; vertex_count++)
        for (uint32_t influence_count = 1; influence_count <= MAX_INFLUENCES; influence_count++)
            for (int method = 0; method < 3; method++) {
                mesh m;
                make_mesh(&m, vertex_count, influence_count, 0);
                m.job.method = (mrw_skin_method)method;
                check_mesh(&m);
                free_mesh(&m);
            }
}

/* --- morph targets ------------------------------------------------------------------- */

enum { MORPH_TARGETS = 3 };

/* A target, and what it must do to each vertex. */
typedef struct tested_target {
    mrw_morph_target target;
    float *positions;   /* of the vertices that it lists; of exactly the size that is read */
    uint32_t *vertices; /* or NULL */
    float *expected;    /* [vertex_count * 3] */
    bool *moves;        /* [vertex_count] */
} tested_target;

static float finite_number(void)
{
    float x = number(20);
    return x - x == 0.0f ? x : 0.5f;
}

/* Dense, or sparse with runs of vertices and single ones, or of none, or without positions. */
static tested_target make_target(uint32_t vertex_count)
{
    tested_target made = {.expected = malloc((vertex_count * 3 + 1) * sizeof(float)),
                          .moves = malloc(vertex_count + 1)};
    bool sparse = below(3) != 0;
    uint32_t odds = 1 + below(4), run = 1 + below(20), count = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        made.moves[v] = !sparse || (v % run != 0 && v > 0 ? made.moves[v - 1] : below(odds) == 0);
        count += made.moves[v] ? 1 : 0;
        for (uint32_t i = 0; i < 3; i++)
            made.expected[v * 3 + i] = finite_number();
    }
    made.positions = malloc(count * 3 * sizeof(float));
    made.vertices = sparse ? malloc(count * sizeof(uint32_t)) : NULL;
    for (uint32_t v = 0, next = 0; v < vertex_count; v++) {
        if (!made.moves[v])
            continue;
        memcpy(made.positions + next * 3, made.expected + v * 3, 3 * sizeof(float));
        if (sparse)
            made.vertices[next] = v;
        next++;
    }
    if (below(5) == 0)
        memset(made.moves, 0, vertex_count);
    else
        made.target.positions = made.positions;
    made.target.vertices = made.vertices;
    made.target.count = count;
    return made;
}

static void free_target(tested_target *made)
{
    free(made->positions);
    free(made->vertices);
    free(made->expected);
    free(made->moves);
}

/* Sums in the order that the header promises, with one rounding each. */
static float morphed(float base, const tested_target *targets, const float *weights, size_t vertex,
                     size_t element)
{
    volatile float sum = base;
    for (int i = 0; i < MORPH_TARGETS; i++) {
        volatile float product = weights[i] * targets[i].expected[vertex * 3 + element];
        if (weights[i] != 0.0f && targets[i].moves[vertex])
            sum = sum + product;
    }
    return sum;
}

static void check_morph(const char *isa, uint32_t vertex_count, size_t stride, bool in_place)
{
    size_t step = stride == 0 ? 3 : stride, floats = vertex_count * step;
    float *in = malloc(floats * sizeof(float)), weights[MORPH_TARGETS];
    for (size_t i = 0; i < floats; i++)
        in[i] = finite_number();
    tested_target targets[MORPH_TARGETS];
    mrw_morph_target views[MORPH_TARGETS];
    for (int i = 0; i < MORPH_TARGETS; i++) {
        targets[i] = make_target(vertex_count);
        views[i] = targets[i].target;
        weights[i] = below(4) == 0 ? 0.0f : random_float(&random_state, -2.0f, 2.0f);
    }
    float *before = copy_of(in, floats), *out = in_place ? in : copy_of(in, floats);
    mrw_morph_job job = mrw_morph_job_default();
    job.vertex_count = vertex_count;
    job.target_count = MORPH_TARGETS;
    job.targets = views;
    job.weights = weights;
    job.positions = (mrw_stream){in, stride * sizeof(float)};
    job.out_positions = (mrw_out_stream){out, stride * sizeof(float)};
    assert_int_equal(mrw_isa_select(isa), MRW_OK);
    assert_int_equal(mrw_morph(&job), MRW_OK);
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
    for (size_t i = 0; i < floats; i++) {
        float expected = before[i];
        if (i % step < 3)
            expected = morphed(before[i], targets, weights, i / step, i % step);
        if (memcmp(&out[i], &expected, sizeof(float)) != 0)
            fail_msg("%s: float %zu, stride %zu: %.9g, not %.9g", isa, i, stride, (double)out[i],
                     (double)expected);
    }
    for (int i = 0; i < MORPH_TARGETS; i++)
        free_target(&targets[i]);
    free(before);
    free(in);
    if (!in_place)
        free(out);
}

static void morph_sums_in_order(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 255, 256, 257, 600};
    static const size_t strides[] = {0, 3, 4, 7, 10};
    for (uint32_t i = 0; mrw_isa_available(i) != NULL; i++)
        for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++)
            for (size_t s = 0; s < sizeof(strides) / sizeof(strides[0]); s++)
                for (int in_place = 0; in_place < 2; in_place++)
                    check_morph(mrw_isa_available(i), counts[k], strides[s], in_place != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_meshes),
        cmocka_unit_test(meshes_with_a_few_odd_numbers),
        cmocka_unit_test(meshes_full_of_odd_numbers),
        cmocka_unit_test(every_count),
        cmocka_unit_test(morph_sums_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
