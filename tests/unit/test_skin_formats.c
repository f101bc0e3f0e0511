/* Joints and weights in every format and stride give the bits that the same numbers give in packed
 * arrays of uint16_t and float. Buffers have exactly the size that the job needs, so that the
 * address sanitizer sees a read beyond. */
#include <marrow/skin.h>

#include "skin/skin_influences.h"
#include "unit/near.h"
#include "unit/random.h"

#include <stdlib.h>

enum { MAX_VERTICES = 70, MAX_INFLUENCES = 10, JOINTS = 12, GAPS = 3 };

static uint64_t random_state = 77;

static uint32_t below(uint32_t end)
{
    return random_bits(&random_state) % end;
}

/* --- whole numbers to weights -------------------------------------------------------- */

static void every_whole_number_is_divided_exactly(void **state)
{
    (void)state;
    for (uint32_t w = 0; w < 256; w++) {
        float expected = (float)((double)w / 255.0);
        assert_true((float)w / 255.0f == expected);
        assert_true(mrwi_weight_from_unorm8((uint8_t)w) == expected);
    }
    for (uint32_t w = 0; w < 65536; w++) {
        float expected = (float)((double)w / 65535.0);
        assert_true((float)w / 65535.0f == expected);
        assert_true(mrwi_weight_from_unorm16((uint16_t)w) == expected);
    }
}

/* --- a mesh, and its influences in a format ------------------------------------------- */

typedef struct mesh {
    mrw_skin_job job; /* packed, uint16_t and float */
    mrw_mat34 palette[JOINTS];
    mrw_dual_quat dual_quats[JOINTS];
    mrw_mat34 stretches[JOINTS];
    uint16_t joints[MAX_VERTICES * MAX_INFLUENCES];
    float weights[MAX_VERTICES * MAX_INFLUENCES];
    uint32_t numbers[MAX_VERTICES * MAX_INFLUENCES]; /* what a weight is as a whole number */
    float dual_quat_weights[MAX_VERTICES];
    float in[MAX_VERTICES * 9];
} mesh;

/* Floats: of any value. Whole numbers: 0 to `most`, by a division in double precision. */
static void make_weights(mesh *m, mrw_weight_format format, uint32_t count)
{
    uint32_t most = format == MRW_WEIGHT_UNORM8 ? 255 : 65535;
    for (uint32_t i = 0; i < count; i++) {
        m->numbers[i] = below(3) == 0 ? 0 : below(most + 1);
        m->weights[i] = (float)((double)m->numbers[i] / (double)most);
        if (format == MRW_WEIGHT_FLOAT && m->numbers[i] != 0)
            m->weights[i] = random_float(&random_state, 0.0f, 1.0f);
    }
}

/* Runs of vertices with the same joints, as in a grouped mesh, and others. */
static void make_joints(mesh *m, uint32_t vertex_count, uint32_t influence_count)
{
    uint32_t run = 1 + below(30);
    for (uint32_t v = 0; v < vertex_count; v++)
        for (uint32_t i = 0; i < influence_count; i++) {
            uint32_t at = v * influence_count + i;
            m->joints[at] =
                v % run != 0 ? m->joints[at - influence_count] : (uint16_t)below(JOINTS);
        }
}

static void make_palette(mesh *m)
{
    for (int i = 0; i < JOINTS; i++) {
        mrw_transform transform = random_transform(&random_state, 0.5f, 1.5f);
        m->palette[i] = mrw_mat34_from_transform(&transform);
        mrw_dual_quat_from_mat34(&m->palette[i], &m->dual_quats[i], &m->stretches[i]);
    }
}

static void make_vertices(mesh *m)
{
    for (uint32_t v = 0; v < MAX_VERTICES; v++)
        m->dual_quat_weights[v] = random_float(&random_state, 0.0f, 1.0f);
    for (size_t i = 0; i < sizeof(m->in) / sizeof(m->in[0]); i++)
        m->in[i] = random_float(&random_state, -1.0f, 1.0f);
}

/* Only the influences are made each time: this test is run on emulated machines too. */
static void make_mesh(mesh *m, uint32_t vertex_count, uint32_t influence_count,
                      mrw_weight_format format)
{
    if (m->job.struct_size == 0) {
        make_palette(m);
        make_vertices(m);
    }
    make_joints(m, vertex_count, influence_count);
    make_weights(m, format, vertex_count * influence_count);
    mrw_skin_job *job = &m->job;
    *job = mrw_skin_job_default();
    job->method = (mrw_skin_method)below(3);
    job->palette = m->palette;
    job->dual_quats = m->dual_quats;
    job->stretches = below(2) ? m->stretches : NULL;
    job->palette_count = JOINTS;
    job->vertex_count = vertex_count;
    job->influence_count = influence_count;
    job->joints = m->joints;
    job->weights = m->weights;
    job->dual_quat_weights = m->dual_quat_weights;
    job->positions.data = m->in;
    job->normals.data = m->in + MAX_VERTICES * 3;
}

/* One array in a format. */
typedef struct layout {
    size_t size;         /* of a number */
    size_t stride_bytes; /* 0: packed */
    size_t first;        /* byte of an interleaved buffer where the first number stands */
} layout;

static void put_joint(unsigned char *to, mrw_joint_format format, uint16_t joint)
{
    uint8_t narrow = (uint8_t)joint;
    if (format == MRW_JOINT_UINT8)
        memcpy(to, &narrow, sizeof(narrow));
    else
        memcpy(to, &joint, sizeof(joint));
}

static void put_weight(unsigned char *to, mrw_weight_format format, const mesh *m, uint32_t i)
{
    uint8_t byte = (uint8_t)m->numbers[i];
    uint16_t two = (uint16_t)m->numbers[i];
    if (format == MRW_WEIGHT_UNORM8)
        memcpy(to, &byte, sizeof(byte));
    else if (format == MRW_WEIGHT_UNORM16)
        memcpy(to, &two, sizeof(two));
    else
        memcpy(to, &m->weights[i], sizeof(float));
}

/* Bytes from the first number to the last one's end. */
static size_t layout_size(const layout *of, uint32_t vertex_count, uint32_t influence_count)
{
    size_t row = of->size * influence_count;
    size_t step = of->stride_bytes != 0 ? of->stride_bytes : row;
    return vertex_count == 0 ? 0 : step * (vertex_count - 1) + row;
}

static unsigned char *layout_at(unsigned char *bytes, const layout *of, uint32_t influence_count,
                                uint32_t vertex, uint32_t i)
{
    size_t row = of->size * influence_count;
    size_t step = of->stride_bytes != 0 ? of->stride_bytes : row;
    return bytes + of->first + step * vertex + of->size * i;
}

/* The mesh's job with its influences in a format. Both arrays may be in one buffer. */
typedef struct stored {
    mrw_skin_job job;
    unsigned char *joint_bytes, *weight_bytes;
} stored;

/* arrangement: 0 packed, 1 with gaps, 2 one interleaved buffer. What is between the numbers is
 * 0xff: wrong as a joint, and NaN as a float. */
static stored store(const mesh *m, mrw_joint_format joint_format, mrw_weight_format weight_format,
                    int arrangement)
{
    uint32_t vertices = m->job.vertex_count, influences = m->job.influence_count;
    layout joints = {mrwi_joint_size(joint_format), 0, 0};
    layout weights = {mrwi_weight_size(weight_format), 0, 0};
    size_t joint_row = joints.size * influences, weight_row = weights.size * influences;
    bool interleaved = arrangement == 2;
    if (arrangement == 1) {
        joints.stride_bytes = joint_row + joints.size * (1 + below(GAPS));
        weights.stride_bytes = weight_row + weights.size * (1 + below(GAPS));
    }
    if (interleaved) { /* a multiple of four, as beside positions; the joints after the weights */
        joints.stride_bytes = weights.stride_bytes = (weight_row + joint_row + 2 + 12) / 4 * 4;
        joints.first = (weight_row + 1) / 2 * 2;
    }
    size_t joint_size = joints.first + layout_size(&joints, vertices, influences);
    size_t weight_size = layout_size(&weights, vertices, influences);
    stored s = {m->job, malloc(joint_size), NULL};
    memset(s.joint_bytes, 0xff, joint_size);
    s.weight_bytes = s.joint_bytes;
    if (!interleaved) {
        s.weight_bytes = malloc(weight_size);
        memset(s.weight_bytes, 0xff, weight_size);
    }
    for (uint32_t v = 0; v < vertices; v++)
        for (uint32_t i = 0; i < influences; i++) {
            uint32_t from = v * influences + i;
            put_joint(layout_at(s.joint_bytes, &joints, influences, v, i), joint_format,
                      m->joints[from]);
            put_weight(layout_at(s.weight_bytes, &weights, influences, v, i), weight_format, m,
                       from);
        }
    s.job.joints = s.joint_bytes + joints.first;
    s.job.joint_format = joint_format;
    s.job.joint_stride_bytes = joints.stride_bytes;
    s.job.weights = s.weight_bytes;
    s.job.weight_format = weight_format;
    s.job.weight_stride_bytes = weights.stride_bytes;
    return s;
}

static void free_stored(stored *s)
{
    if (s->weight_bytes != s->joint_bytes)
        free(s->weight_bytes);
    free(s->joint_bytes);
}

/* --- every format against the default one --------------------------------------------- */

static void skin(const mrw_skin_job *job, float out[MAX_VERTICES * 6])
{
    mrw_skin_job to = *job;
    memset(out, 0, MAX_VERTICES * 6 * sizeof(float));
    to.out_positions.data = out;
    to.out_normals.data = out + MAX_VERTICES * 3;
    assert_int_equal(mrw_skin_vertices(&to), MRW_OK);
}

static void check_stored(const mesh *m, const stored *s)
{
    static float expected[MAX_VERTICES * 6], out[MAX_VERTICES * 6];
    skin(&m->job, expected);
    skin(&s->job, out);
    if (memcmp(out, expected, sizeof(out)) != 0)
        fail_msg("%s: %u vertices of %u influences, formats %d and %d, strides %zu and %zu",
                 mrw_isa_name(), s->job.vertex_count, s->job.influence_count,
                 (int)s->job.joint_format, (int)s->job.weight_format, s->job.joint_stride_bytes,
                 s->job.weight_stride_bytes);
    mrw_box boxes[JOINTS + 1], expected_boxes[JOINTS + 1];
    assert_int_equal(mrw_joint_boxes(&m->job, expected_boxes), MRW_OK);
    assert_int_equal(mrw_joint_boxes(&s->job, boxes), MRW_OK);
    assert_memory_equal(boxes, expected_boxes, sizeof(boxes));
    assert_int_equal(mrw_skin_check_influences(&s->job, NULL), MRW_OK);
}

static void check_count(uint32_t vertex_count, uint32_t influence_count)
{
    static mesh m;
    for (int joint = MRW_JOINT_UINT16; joint <= MRW_JOINT_UINT8; joint++)
        for (int weight = MRW_WEIGHT_FLOAT; weight <= MRW_WEIGHT_UNORM16; weight++)
            for (int arrangement = 0; arrangement < 3; arrangement++) {
                make_mesh(&m, vertex_count, influence_count, (mrw_weight_format)weight);
                stored s =
                    store(&m, (mrw_joint_format)joint, (mrw_weight_format)weight, arrangement);
                check_stored(&m, &s);
                free_stored(&s);
            }
}

static void every_format_gives_the_same_bits(void **state)
{
    (void)state;
    for (uint32_t i = 0; mrw_isa_available(i) != NULL; i++) {
        assert_int_equal(mrw_isa_select(mrw_isa_available(i)), MRW_OK);
        for (uint32_t vertices = 0; vertices <= MAX_VERTICES; vertices++)
            for (uint32_t influences = 1; influences <= MAX_INFLUENCES; influences++)
                check_count(vertices, influences);
    }
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
}

/* A vertex buffer as a graphics program has it: skinned where it is. */
static void an_interleaved_vertex_buffer_is_skinned_in_place(void **state)
{
    (void)state;
    typedef struct vertex {
        float position[3], normal[3];
        uint8_t joints[4], weights[4];
    } vertex;
    static mesh m;
    make_mesh(&m, MAX_VERTICES, 4, MRW_WEIGHT_UNORM8);
    static vertex vertices[MAX_VERTICES];
    static float expected[MAX_VERTICES * 6];
    skin(&m.job, expected);
    for (uint32_t isa = 0; mrw_isa_available(isa) != NULL; isa++) {
        for (uint32_t v = 0; v < MAX_VERTICES; v++) {
            memcpy(vertices[v].position, m.job.positions.data + 3 * v, 12);
            memcpy(vertices[v].normal, m.job.normals.data + 3 * v, 12);
            for (uint32_t i = 0; i < 4; i++) {
                vertices[v].joints[i] = (uint8_t)m.joints[4 * v + i];
                vertices[v].weights[i] = (uint8_t)m.numbers[4 * v + i];
            }
        }
        mrw_skin_job job = m.job;
        job.joints = vertices[0].joints;
        job.joint_format = MRW_JOINT_UINT8;
        job.weights = vertices[0].weights;
        job.weight_format = MRW_WEIGHT_UNORM8;
        job.joint_stride_bytes = job.weight_stride_bytes = sizeof(vertex);
        job.positions = (mrw_stream){vertices[0].position, sizeof(vertex)};
        job.normals = (mrw_stream){vertices[0].normal, sizeof(vertex)};
        job.out_positions = (mrw_out_stream){vertices[0].position, sizeof(vertex)};
        job.out_normals = (mrw_out_stream){vertices[0].normal, sizeof(vertex)};
        assert_int_equal(mrw_isa_select(mrw_isa_available(isa)), MRW_OK);
        assert_int_equal(mrw_skin_vertices(&job), MRW_OK);
        assert_int_equal(mrw_isa_select(NULL), MRW_OK);
        for (uint32_t v = 0; v < MAX_VERTICES; v++) {
            assert_memory_equal(vertices[v].position, expected + 3 * v, 12);
            assert_memory_equal(vertices[v].normal, expected + 3 * (MAX_VERTICES + v), 12);
            for (uint32_t i = 0; i < 4; i++) {
                assert_int_equal(vertices[v].joints[i], m.joints[4 * v + i]);
                assert_int_equal(vertices[v].weights[i], m.numbers[4 * v + i]);
            }
        }
    }
}

/* --- checks --------------------------------------------------------------------------- */

/* All three functions that read influences say the same of them. */
static void expect_error(const mrw_skin_job *job, mrw_status expected, const char *detail)
{
    mrw_error error = {0};
    mrw_box boxes[JOINTS + 1];
    assert_int_equal(mrw_skin_check(job, &error), expected);
    assert_string_equal(error.detail, detail);
    memset(&error, 0, sizeof(error));
    assert_int_equal(mrw_skin_check_influences(job, &error), expected);
    assert_string_equal(error.detail, detail);
    assert_int_equal(mrw_joint_boxes(job, boxes), expected);
    assert_int_equal(mrw_skin_vertices(job), expected);
}

static void what_a_job_says_of_its_influences_is_checked(void **state)
{
    (void)state;
    static mesh m;
    static float out[MAX_VERTICES * 6];
    make_mesh(&m, 5, 4, MRW_WEIGHT_FLOAT);
    m.job.out_positions.data = out;
    m.job.out_normals.data = out + MAX_VERTICES * 3;
    const struct {
        mrw_joint_format joint_format;
        mrw_weight_format weight_format;
        size_t joints_at, weights_at; /* bytes after an aligned address */
        size_t joint_stride, weight_stride;
        const char *wrong; /* NULL: nothing */
    } cases[] = {
        {MRW_JOINT_UINT16, MRW_WEIGHT_FLOAT, 0, 0, 8, 16, NULL},
        {MRW_JOINT_UINT16, MRW_WEIGHT_FLOAT, 2, 4, 10, 20, NULL},
        {MRW_JOINT_UINT8, MRW_WEIGHT_UNORM8, 1, 3, 5, 7, NULL},
        {MRW_JOINT_UINT8, MRW_WEIGHT_UNORM16, 1, 2, 4, 8, NULL},
        {(mrw_joint_format)2, MRW_WEIGHT_FLOAT, 0, 0, 0, 0, "joint_format"},
        {(mrw_joint_format)-1, MRW_WEIGHT_FLOAT, 0, 0, 0, 0, "joint_format"},
        {MRW_JOINT_UINT16, (mrw_weight_format)3, 0, 0, 0, 0, "weight_format"},
        {MRW_JOINT_UINT16, MRW_WEIGHT_FLOAT, 1, 0, 0, 0, "joints"},
        {MRW_JOINT_UINT16, MRW_WEIGHT_FLOAT, 0, 2, 0, 0, "weights"},
        {MRW_JOINT_UINT16, MRW_WEIGHT_UNORM16, 0, 1, 0, 0, "weights"},
        {MRW_JOINT_UINT16, MRW_WEIGHT_FLOAT, 0, 0, 6, 0, "joint_stride_bytes"},
        {MRW_JOINT_UINT16, MRW_WEIGHT_FLOAT, 0, 0, 9, 0, "joint_stride_bytes"},
        {MRW_JOINT_UINT8, MRW_WEIGHT_FLOAT, 0, 0, 3, 0, "joint_stride_bytes"},
        {MRW_JOINT_UINT8, MRW_WEIGHT_FLOAT, 0, 0, 0, 12, "weight_stride_bytes"},
        {MRW_JOINT_UINT8, MRW_WEIGHT_FLOAT, 0, 0, 0, 18, "weight_stride_bytes"},
        {MRW_JOINT_UINT8, MRW_WEIGHT_UNORM16, 0, 0, 0, 9, "weight_stride_bytes"},
        {MRW_JOINT_UINT8, MRW_WEIGHT_UNORM16, 0, 0, 0, 6, "weight_stride_bytes"},
        {MRW_JOINT_UINT8, MRW_WEIGHT_UNORM8, 0, 0, 0, 3, "weight_stride_bytes"},
    };
    _Alignas(8) static unsigned char zeros[256];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mrw_skin_job job = m.job;
        job.joints = zeros + cases[i].joints_at;
        job.weights = zeros + cases[i].weights_at;
        job.joint_format = cases[i].joint_format;
        job.weight_format = cases[i].weight_format;
        job.joint_stride_bytes = cases[i].joint_stride;
        job.weight_stride_bytes = cases[i].weight_stride;
        if (cases[i].wrong == NULL)
            expect_error(&job, MRW_OK, "");
        else
            expect_error(&job, MRW_ERR_INVALID_ARGUMENT, cases[i].wrong);
    }
}

/* A stride that would be right if the size of a vertex's influences had not run over. */
static void a_stride_is_compared_without_overflow(void **state)
{
    (void)state;
    static mesh m;
    static float out[MAX_VERTICES * 6];
    make_mesh(&m, 1, 1, MRW_WEIGHT_FLOAT);
    m.job.out_positions.data = out;
    m.job.out_normals.data = out + MAX_VERTICES * 3;
    m.job.influence_count = 0x80000000u;
    m.job.joint_stride_bytes = 4;
    expect_error(&m.job, MRW_ERR_INVALID_ARGUMENT, "joint_stride_bytes");
}

static void there_may_be_any_number_of_influences(void **state)
{
    (void)state;
    static mesh m;
    enum { MANY = 1000 };
    static uint16_t joints[MANY];
    static float weights[MANY];
    static uint8_t narrow_joints[MANY], narrow_weights[MANY];
    make_mesh(&m, 1, 1, MRW_WEIGHT_FLOAT);
    for (uint32_t i = 0; i < MANY; i++) {
        narrow_joints[i] = (uint8_t)(joints[i] = (uint16_t)below(JOINTS));
        narrow_weights[i] = (uint8_t)below(3);
        weights[i] = (float)narrow_weights[i] / 255.0f;
    }
    m.job.influence_count = MANY;
    m.job.joints = joints;
    m.job.weights = weights;
    stored s = {m.job, NULL, NULL};
    s.job.joints = narrow_joints;
    s.job.joint_format = MRW_JOINT_UINT8;
    s.job.weights = narrow_weights;
    s.job.weight_format = MRW_WEIGHT_UNORM8;
    check_stored(&m, &s);
}

static void whole_numbers_are_looked_at_one_by_one(void **state)
{
    (void)state;
    static mesh m;
    make_mesh(&m, 9, 3, MRW_WEIGHT_UNORM8);
    stored s = store(&m, MRW_JOINT_UINT8, MRW_WEIGHT_UNORM8, 1);
    s.joint_bytes[s.job.joint_stride_bytes * 7 + 2] = JOINTS;
    mrw_error error = {0};
    assert_int_equal(mrw_skin_check_influences(&s.job, &error), MRW_ERR_JOINT_RANGE);
    assert_string_equal(error.detail, "vertices[7].joints[2]");
    free_stored(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_whole_number_is_divided_exactly),
        cmocka_unit_test(every_format_gives_the_same_bits),
        cmocka_unit_test(an_interleaved_vertex_buffer_is_skinned_in_place),
        cmocka_unit_test(what_a_job_says_of_its_influences_is_checked),
        cmocka_unit_test(a_stride_is_compared_without_overflow),
        cmocka_unit_test(there_may_be_any_number_of_influences),
        cmocka_unit_test(whole_numbers_are_looked_at_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
