/* Skinning and morph targets: what is done once a vertex. */
#include "bench_stage.h"

#include "bench_time.h"

#include <marrow/offline/build.h>

enum {
    /* By the formulas of skin.h: three rows of four numbers summed over the influences; point and
     * vector by a matrix; a length made 1; the cofactors that turn normals exactly. */
    ROWS_OPERATIONS = 24, /* an influence */
    POINT_OPERATIONS = 18,
    VECTOR_OPERATIONS = 15 + 8,
    COFACTOR_OPERATIONS = 27,
    /* The same for dual quaternions: sign and sum, then a length made 1, and a motion. */
    DUAL_OPERATIONS = 7 + 1 + 16, /* an influence */
    DUAL_END_OPERATIONS = 7 + 8 + 22,
    DUAL_POINT_OPERATIONS = 30 + 3
};

/* What a stage takes; GROUPED: the vertices in the order of their joints; BYTES: joints and weights
 * of 8 bits. */
typedef enum vertex_streams {
    POSITIONS = 1,
    NORMALS = 2,
    TANGENTS = 4,
    GROUPED = 8,
    BYTES = 16
} vertex_streams;

static bool skin(bench_desk *desk, mrw_skin_method method, mrw_normal_mode mode, int streams,
                 uint64_t call_count)
{
    const bench_rig *rig = desk->rig;
    mrw_skin_job job = mrw_skin_job_default();
    job.method = method;
    job.normal_mode = mode;
    job.palette = desk->palette;
    job.dual_quats = desk->dual_quats;
    job.stretches = desk->has_stretch ? desk->stretches : NULL;
    job.palette_count = rig->skin->joint_count;
    job.vertex_count = rig->vertex_count;
    job.influence_count = rig->influence_count;
    job.joints = rig->joints;
    job.weights = rig->weights;
    job.positions.data = rig->positions;
    job.out_positions.data = desk->out_positions;
    if ((streams & NORMALS) != 0) {
        job.normals.data = rig->normals;
        job.out_normals.data = desk->out_normals;
    }
    if ((streams & TANGENTS) != 0) {
        job.tangents.data = rig->tangents;
        job.out_tangents.data = desk->out_tangents;
    }
    if ((streams & GROUPED) != 0) {
        job.influence_count = rig->grouped->influence_count;
        job.joints = rig->grouped->joints;
        job.weights = rig->grouped->weights;
        job.positions.data = rig->grouped->positions;
        job.normals.data = (streams & NORMALS) != 0 ? rig->grouped->normals : NULL;
        job.tangents.data = (streams & TANGENTS) != 0 ? rig->grouped->tangents : NULL;
    }
    if ((streams & BYTES) != 0) {
        bool is_grouped = (streams & GROUPED) != 0;
        job.joints = is_grouped ? desk->grouped_bytes.joints : desk->bytes.joints;
        job.weights = is_grouped ? desk->grouped_bytes.weights : desk->bytes.weights;
        job.joint_format = MRW_JOINT_UINT8;
        job.weight_format = MRW_WEIGHT_UNORM8;
    }
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = mrw_skin_vertices(&job);
    return status == MRW_OK;
}

#define DEFINE_SKIN(name, method, mode, streams)                                                   \
    static bool name(bench_desk *desk, uint64_t call_count)                                        \
    {                                                                                              \
        return skin(desk, method, mode, streams, call_count);                                      \
    }

DEFINE_SKIN(run_positions, MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR, POSITIONS)
DEFINE_SKIN(run_normals, MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR, POSITIONS | NORMALS)
DEFINE_SKIN(run_tangents, MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR, POSITIONS | NORMALS | TANGENTS)
DEFINE_SKIN(run_exact_normals, MRW_SKIN_LINEAR, MRW_NORMAL_INVERSE_TRANSPOSE, POSITIONS | NORMALS)
DEFINE_SKIN(run_exact_tangents, MRW_SKIN_LINEAR, MRW_NORMAL_INVERSE_TRANSPOSE,
            POSITIONS | NORMALS | TANGENTS)
DEFINE_SKIN(run_dual_quat, MRW_SKIN_DUAL_QUAT, MRW_NORMAL_LINEAR, POSITIONS | NORMALS)
DEFINE_SKIN(run_grouped_positions, MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR, POSITIONS | GROUPED)
DEFINE_SKIN(run_grouped_normals, MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR, POSITIONS | NORMALS | GROUPED)
DEFINE_SKIN(run_grouped_dual_quat, MRW_SKIN_DUAL_QUAT, MRW_NORMAL_LINEAR,
            POSITIONS | NORMALS | GROUPED)
DEFINE_SKIN(run_bytes, MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR, POSITIONS | NORMALS | BYTES)
DEFINE_SKIN(run_grouped_bytes, MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR,
            POSITIONS | NORMALS | GROUPED | BYTES)

static bool morph(bench_desk *desk, const mrw_morph_target *targets, uint64_t call_count)
{
    static const float weights[BENCH_MORPH_TARGETS] = {0.5f, 0.25f, 0.75f, 1.0f};
    const bench_rig *rig = desk->rig;
    mrw_morph_job job = mrw_morph_job_default();
    job.vertex_count = rig->vertex_count;
    job.target_count = BENCH_MORPH_TARGETS;
    job.targets = targets;
    job.weights = weights;
    job.positions.data = rig->positions;
    job.normals.data = rig->normals;
    job.out_positions.data = desk->out_positions;
    job.out_normals.data = desk->out_normals;
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = mrw_morph(&job);
    return status == MRW_OK;
}

static bool run_morph(bench_desk *desk, uint64_t call_count)
{
    return morph(desk, desk->rig->targets, call_count);
}

static bool run_sparse_morph(bench_desk *desk, uint64_t call_count)
{
    return morph(desk, desk->rig->sparse_targets, call_count);
}

/* Targets of positions and normals that have differences for `listed` vertices together. */
static bench_work morph_work(const bench_rig *rig, double listed)
{
    double floats = 6.0 * rig->vertex_count;
    bench_work work = {0};
    work.operations = 6.0 * listed * 2.0;
    work.bytes_read = (floats + 6.0 * listed) * sizeof(float);
    work.bytes_written = floats * sizeof(float);
    return work;
}

/* Floats of a vertex that come in, and go out. */
static double floats_of(int streams)
{
    return 3.0 + ((streams & NORMALS) != 0 ? 3.0 : 0.0) + ((streams & TANGENTS) != 0 ? 4.0 : 0.0);
}

static bench_work vertex_work(const bench_rig *rig, int streams, double operations,
                              double divisions)
{
    double vertices = rig->vertex_count, influences = rig->influence_count;
    size_t influence_bytes = (streams & BYTES) != 0 ? 2 : sizeof(uint16_t) + sizeof(float);
    bench_work work = {0};
    work.operations = vertices * operations;
    work.divisions = vertices * divisions;
    work.bytes_read =
        vertices * (floats_of(streams) * sizeof(float) + influences * (double)influence_bytes);
    work.bytes_written = vertices * floats_of(streams) * sizeof(float);
    return work;
}

static void add_linear(const bench_rig *rig, bench_stages *stages, const char *name, int streams,
                       double extra_operations, bench_run run)
{
    double vectors =
        ((streams & NORMALS) != 0 ? 1.0 : 0.0) + ((streams & TANGENTS) != 0 ? 1.0 : 0.0);
    double operations = (double)rig->influence_count * ROWS_OPERATIONS + POINT_OPERATIONS +
                        vectors * VECTOR_OPERATIONS + extra_operations;
    bench_add_stage(stages, name, "vertex", rig->vertex_count,
                    vertex_work(rig, streams, operations, 2.0 * vectors), run);
}

static bench_bytes bytes_of(const uint16_t *joints, const float *weights, size_t count)
{
    bench_bytes bytes = {bench_alloc(count, 1), bench_alloc(count, 1)};
    for (size_t i = 0; i < count; i++) {
        bytes.joints[i] = (uint8_t)joints[i];
        bytes.weights[i] = (uint8_t)(weights[i] * 255.0f + 0.5f);
    }
    return bytes;
}

static void add_byte_stages(bench_desk *desk, bench_stages *stages)
{
    const bench_rig *rig = desk->rig;
    if (rig->skin->joint_count > 256)
        return;
    const mrw_mesh *grouped = rig->grouped;
    desk->bytes =
        bytes_of(rig->joints, rig->weights, (size_t)rig->vertex_count * rig->influence_count);
    desk->grouped_bytes = bytes_of(grouped->joints, grouped->weights,
                                   (size_t)grouped->vertex_count * grouped->influence_count);
    add_linear(rig, stages, "skin, 8-bit: + normals", POSITIONS | NORMALS | BYTES, 0.0, run_bytes);
    add_linear(rig, stages, "skin, grouped, 8-bit: + normals", POSITIONS | NORMALS | BYTES, 0.0,
               run_grouped_bytes);
}

bool bench_add_vertex_stages(bench_desk *desk, bench_stages *stages)
{
    const bench_rig *rig = desk->rig;
    if (rig->skin == NULL)
        return true;
    desk->out_positions = bench_alloc((size_t)rig->vertex_count * 3, sizeof(float));
    desk->out_normals = bench_alloc((size_t)rig->vertex_count * 3, sizeof(float));
    desk->out_tangents = bench_alloc((size_t)rig->vertex_count * 4, sizeof(float));

    add_linear(rig, stages, "skin: positions", POSITIONS, 0.0, run_positions);
    add_linear(rig, stages, "skin: + normals", POSITIONS | NORMALS, 0.0, run_normals);
    add_linear(rig, stages, "skin: + normals, tangents", POSITIONS | NORMALS | TANGENTS, 0.0,
               run_tangents);
    add_linear(rig, stages, "skin: + exact normals", POSITIONS | NORMALS, COFACTOR_OPERATIONS,
               run_exact_normals);
    add_linear(rig, stages, "skin: + exact normals, tangents", POSITIONS | NORMALS | TANGENTS,
               COFACTOR_OPERATIONS, run_exact_tangents);

    double dual = (double)rig->influence_count * DUAL_OPERATIONS + DUAL_END_OPERATIONS +
                  2.0 * DUAL_POINT_OPERATIONS;
    bench_add_stage(stages, "skin: dual quaternions, + normals", "vertex", rig->vertex_count,
                    vertex_work(rig, POSITIONS | NORMALS, dual, 3.0), run_dual_quat);

    add_linear(rig, stages, "skin, grouped: positions", POSITIONS, 0.0, run_grouped_positions);
    add_linear(rig, stages, "skin, grouped: + normals", POSITIONS | NORMALS, 0.0,
               run_grouped_normals);
    bench_add_stage(stages, "skin, grouped: dual quaternions, + normals", "vertex",
                    rig->vertex_count, vertex_work(rig, POSITIONS | NORMALS, dual, 3.0),
                    run_grouped_dual_quat);
    add_byte_stages(desk, stages);

    double listed = (double)rig->vertex_count * BENCH_MORPH_TARGETS;
    bench_add_stage(stages, "morph: 4 targets, + normals", "vertex", rig->vertex_count,
                    morph_work(rig, listed), run_morph);
    double few = 0.0;
    for (uint32_t i = 0; i < BENCH_MORPH_TARGETS; i++)
        few += rig->sparse_targets[i].count;
    bench_work work = morph_work(rig, few);
    work.bytes_read += few * sizeof(uint32_t);
    bench_add_stage(stages, "morph: 4 sparse targets, + normals", "vertex", rig->vertex_count, work,
                    run_sparse_morph);
    return true;
}
