/* From a clip to a palette: what is done once a joint.
 *
 * The work of a stage is what its formula needs in the cheapest form we know, not what the library
 * happens to do; a share of the floor near 1 so means that only a better formula could help.
 * Counted are multiplications, additions and comparisons of single precision, and divisions and
 * square roots.
 */
#include "bench_stage.h"

#include "bench_time.h"

#include <stdlib.h>

enum {
    /* A dot product, a sign, two polynomials of the angle in place of sines, the weighted sum, and
     * its length made 1. */
    SLERP_OPERATIONS = 7 + 5 + 28 + 12 + 11,
    LERP3_OPERATIONS = 9,
    /* The weighted sum of ten numbers, a dot product and a sign for each layer but the first. */
    BLEND_LAYER_OPERATIONS = 20 + 8,
    BLEND_END_OPERATIONS = 11,
    /* Translation and scale, a rotation weighed and made unit, a product of quaternions. */
    ADDITIVE_OPERATIONS = 6 + 9 + 15 + 28,
    MATRIX_OPERATIONS = 12 + 12 + 9, /* rotation and scale to three rows */
    PRODUCT_OPERATIONS = 36 + 24 + 3 /* of two affine matrices */
};

bench_stage *bench_add_stage(bench_stages *stages, const char *name, const char *unit,
                             double unit_count, bench_work work, bench_run run)
{
    if (stages->count == BENCH_MAX_STAGES)
        abort();
    bench_stage *stage = &stages->list[stages->count++];
    *stage = (bench_stage){name, unit, unit_count, work, run, NULL, 0};
    return stage;
}

/* --- work --------------------------------------------------------------------------- */

double bench_tracks_of(const mrw_clip *clip, mrw_track_kind kind, bool moving_only)
{
    double count = 0.0;
    for (uint32_t i = 0; i < clip->track_count; i++)
        count += clip->tracks[i].kind == kind && (!moving_only || clip->tracks[i].key_count > 1);
    return count;
}

static double pose_bytes(const mrw_skeleton *skeleton)
{
    return (double)mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
}

bench_work bench_sample_work(const mrw_clip *clip, const mrw_skeleton *skeleton)
{
    double rotations = bench_tracks_of(clip, MRW_TRACK_ROTATION, true);
    double vectors = bench_tracks_of(clip, MRW_TRACK_TRANSLATION, true) +
                     bench_tracks_of(clip, MRW_TRACK_SCALE, true);
    bench_work work = {0};
    work.operations = rotations * SLERP_OPERATIONS + vectors * LERP3_OPERATIONS;
    work.divisions = rotations * 2.0;
    work.bytes_read = rotations * 32.0 + vectors * 24.0 +
                      clip->track_count * (double)sizeof(mrw_track) + pose_bytes(skeleton);
    work.bytes_written = pose_bytes(skeleton);
    return work;
}

bench_work bench_blend_work(const mrw_skeleton *skeleton, uint32_t layer_count)
{
    bench_work work = {0};
    work.operations = skeleton->joint_count *
                      ((double)layer_count * BLEND_LAYER_OPERATIONS + BLEND_END_OPERATIONS);
    work.divisions = skeleton->joint_count * 2.0;
    work.bytes_read = layer_count * pose_bytes(skeleton);
    work.bytes_written = pose_bytes(skeleton);
    return work;
}

bench_work bench_model_work(const bench_rig *rig)
{
    double joints = rig->skeleton->joint_count;
    bench_work work = {0};
    work.operations = joints * (MATRIX_OPERATIONS + PRODUCT_OPERATIONS);
    /* Down the hierarchy a multiplication and three additions wait for the parent. */
    work.chain = rig->depth * 2.0;
    work.bytes_read = pose_bytes(rig->skeleton) + joints * (4.0 + sizeof(mrw_mat34));
    work.bytes_written = joints * sizeof(mrw_mat34);
    return work;
}

bench_work bench_palette_work(const bench_rig *rig)
{
    bench_work work = {0};
    if (rig->skin != NULL) {
        double joints = rig->skin->joint_count;
        work.operations = joints * PRODUCT_OPERATIONS;
        work.bytes_read = joints * (2.0 * sizeof(mrw_mat34) + sizeof(uint32_t));
        work.bytes_written = joints * sizeof(mrw_mat34);
    }
    return work;
}

/* --- single calls ------------------------------------------------------------------- */

mrw_status bench_sample_at(const bench_rig *rig, const mrw_clip *clip, double time_s,
                           mrw_pose *out_pose)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = clip;
    job.skeleton = rig->skeleton;
    job.time_s = time_s;
    job.loop = true;
    job.out_pose = out_pose;
    return mrw_sample(&job);
}

mrw_status bench_blend_poses(const bench_rig *rig, const mrw_pose *a, const mrw_pose *b,
                             float share, mrw_pose *out_pose)
{
    const mrw_blend_layer layers[] = {{.pose = a, .weight = 1.0f - share},
                                      {.pose = b, .weight = share}};
    mrw_blend_job job = mrw_blend_job_default();
    job.skeleton = rig->skeleton;
    job.layers = layers;
    job.layer_count = 2;
    job.out_pose = out_pose;
    return mrw_blend(&job);
}

mrw_status bench_model_of(bench_desk *desk, const mrw_pose *pose)
{
    mrw_model_job job = mrw_model_job_default();
    job.skeleton = desk->rig->skeleton;
    job.pose = pose;
    job.out_model = desk->model;
    job.model_count = job.skeleton->joint_count;
    return mrw_model(&job);
}

mrw_status bench_palette_of(bench_desk *desk, mrw_mat34 *out_palette)
{
    mrw_palette_job job = mrw_palette_job_default();
    job.skin = desk->rig->skin;
    job.model = desk->model;
    job.model_count = desk->rig->skeleton->joint_count;
    job.out_palette = out_palette;
    job.palette_count = job.skin->joint_count;
    return mrw_palette(&job);
}

mrw_status bench_pose_to_palette(bench_desk *desk, const mrw_pose *pose, mrw_mat34 *out_palette)
{
    mrw_pose_palette_job job = mrw_pose_palette_job_default();
    job.skeleton = desk->rig->skeleton;
    job.pose = pose;
    job.skin = desk->rig->skin;
    job.out_model = desk->model;
    job.model_count = job.skeleton->joint_count;
    job.out_palette = out_palette;
    job.palette_count = job.skin->joint_count;
    return mrw_pose_palette(&job);
}

/* --- stages -------------------------------------------------------------------------- */

static bool sample_in_sequence(bench_desk *desk, const mrw_clip *clip, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++) {
        desk->time_s += 1.0 / 60.0;
        status = bench_sample_at(desk->rig, clip, desk->time_s, &desk->sampled);
    }
    return status == MRW_OK;
}

static bool run_sequence(bench_desk *desk, uint64_t call_count)
{
    return sample_in_sequence(desk, desk->rig->first, call_count);
}

static bool run_busiest_sequence(bench_desk *desk, uint64_t call_count)
{
    return sample_in_sequence(desk, desk->rig->busiest, call_count);
}

static bool sample_randomly(bench_desk *desk, const mrw_clip *clip, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++) {
        float time_s = desk->random_times[desk->next_time++ % BENCH_TIMES] * clip->duration_s;
        status = bench_sample_at(desk->rig, clip, (double)time_s, &desk->sampled);
    }
    return status == MRW_OK;
}

static bool run_random(bench_desk *desk, uint64_t call_count)
{
    return sample_randomly(desk, desk->rig->first, call_count);
}

static bool run_busiest(bench_desk *desk, uint64_t call_count)
{
    return sample_randomly(desk, desk->rig->busiest, call_count);
}

/* additive: one more layer, or NULL. */
static bool blend(bench_desk *desk, const mrw_blend_layer *layers, uint32_t layer_count,
                  const mrw_blend_layer *additive, uint64_t call_count)
{
    mrw_blend_job job = mrw_blend_job_default();
    job.skeleton = desk->rig->skeleton;
    job.layers = layers;
    job.layer_count = layer_count;
    job.additive_layers = additive;
    job.additive_layer_count = additive != NULL ? 1 : 0;
    job.out_pose = &desk->blended;
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = mrw_blend(&job);
    return status == MRW_OK;
}

static bool run_blend_2(bench_desk *desk, uint64_t call_count)
{
    const mrw_blend_layer layers[] = {{.pose = &desk->poses[0], .weight = 0.6f},
                                      {.pose = &desk->poses[1], .weight = 0.4f}};
    return blend(desk, layers, 2, NULL, call_count);
}

static bool run_blend_4(bench_desk *desk, uint64_t call_count)
{
    const mrw_blend_layer layers[] = {{.pose = &desk->poses[0], .weight = 0.4f},
                                      {.pose = &desk->poses[1], .weight = 0.3f},
                                      {.pose = &desk->poses[2], .weight = 0.2f},
                                      {.pose = &desk->poses[3], .weight = 0.1f}};
    return blend(desk, layers, 4, NULL, call_count);
}

/* The second layer moves the later half of the joints and lets go of the rest, an upper body above
 * legs. */
static bool run_blend_masked(bench_desk *desk, uint64_t call_count)
{
    const mrw_blend_layer layers[] = {
        {.pose = &desk->poses[0], .weight = 0.6f},
        {.pose = &desk->poses[1], .weight = 0.4f, .joint_weights = desk->joint_weights}};
    return blend(desk, layers, 2, NULL, call_count);
}

static bool run_blend_additive(bench_desk *desk, uint64_t call_count)
{
    const mrw_blend_layer layers[] = {{.pose = &desk->poses[0], .weight = 0.6f},
                                      {.pose = &desk->poses[1], .weight = 0.4f}};
    const mrw_blend_layer additive = {.pose = &desk->difference, .weight = 0.7f};
    return blend(desk, layers, 2, &additive, call_count);
}

static bool run_model(bench_desk *desk, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = bench_model_of(desk, &desk->poses[0]);
    return status == MRW_OK;
}

static bool run_model_faint(bench_desk *desk, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = bench_model_of(desk, &desk->faint);
    return status == MRW_OK;
}

static bool run_palette(bench_desk *desk, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = bench_palette_of(desk, desk->palette);
    return status == MRW_OK;
}

static bool run_pose_palette(bench_desk *desk, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = bench_pose_to_palette(desk, &desk->poses[0], desk->palette);
    return status == MRW_OK;
}

static bool run_dual_quats(bench_desk *desk, uint64_t call_count)
{
    mrw_dual_quat_job job = mrw_dual_quat_job_default();
    job.palette = desk->palette;
    job.palette_count = desk->rig->skin->joint_count;
    job.out_dual_quats = desk->dual_quats;
    job.out_stretches = desk->stretches;
    job.out_has_stretch = &desk->has_stretch;
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = mrw_palette_dual_quats(&job);
    return status == MRW_OK;
}

/* --- the desk ------------------------------------------------------------------------ */

static bool make_pose(const bench_rig *rig, mrw_pose *out_pose)
{
    uint32_t joints = rig->skeleton->joint_count, scalars = rig->skeleton->scalar_count;
    size_t size_bytes = mrw_pose_size(joints, scalars);
    return mrw_pose_init(bench_alloc(size_bytes, 1), size_bytes, joints, scalars, out_pose) ==
           MRW_OK;
}

/* Translations so small that what becomes of them further down has no full precision, as
 * exporters leave them behind where they mean 0. */
static void make_faint(mrw_pose *pose)
{
    for (uint32_t i = 0; i < pose->joint_count; i++) {
        mrw_transform transform = mrw_pose_joint(pose, i);
        transform.translation = (mrw_vec3){1e-20f, -1e-20f, 1e-20f};
        transform.rotation = (mrw_quat){1e-20f, 1e-20f, -1e-20f, 1.0f};
        mrw_pose_set_joint(pose, i, &transform);
    }
}

static bool fill_poses(bench_desk *desk)
{
    const bench_rig *rig = desk->rig;
    for (int i = 0; i < BENCH_POSES; i++) {
        const mrw_clip *clip = i % 2 == 0 ? rig->first : rig->second;
        double time_s = (double)clip->duration_s * (0.21 + 0.17 * i);
        if (!make_pose(rig, &desk->poses[i]) ||
            bench_sample_at(rig, clip, time_s, &desk->poses[i]) != MRW_OK)
            return false;
    }
    if (!make_pose(rig, &desk->sampled) || !make_pose(rig, &desk->sampled_too) ||
        !make_pose(rig, &desk->blended) || !make_pose(rig, &desk->faint) ||
        !make_pose(rig, &desk->difference) ||
        mrw_pose_make_additive(&desk->poses[3], &desk->poses[2], &desk->difference) != MRW_OK)
        return false;
    desk->joint_weights = bench_alloc(rig->skeleton->joint_count, sizeof(float));
    for (uint32_t i = rig->skeleton->joint_count / 2; i < rig->skeleton->joint_count; i++)
        desk->joint_weights[i] = i % 3 == 0 ? 0.5f : 1.0f;
    make_faint(&desk->faint);
    bench_random random = {1};
    for (int i = 0; i < BENCH_TIMES; i++)
        desk->random_times[i] = bench_random_next(&random);
    return true;
}

static void add_skin_stages(bench_desk *desk, bench_stages *stages)
{
    const bench_rig *rig = desk->rig;
    double joints = rig->skeleton->joint_count, matrices = rig->skin->joint_count;
    bench_work palette = bench_palette_work(rig), both = bench_model_work(rig);
    both.operations += palette.operations;
    both.bytes_read += palette.bytes_read;
    both.bytes_written += palette.bytes_written;
    bench_add_stage(stages, "palette", "joint", matrices, palette, run_palette);
    bench_add_stage(stages, "model and palette", "joint", joints, both, run_pose_palette);
    /* Six lengths and products for the test, the matrix to a quaternion, the dual part. */
    bench_work dual = {0};
    dual.operations = matrices * (6 * 6 + 15 + 28);
    dual.divisions = matrices * 2.0;
    dual.bytes_read = matrices * sizeof(mrw_mat34);
    dual.bytes_written = matrices * (sizeof(mrw_dual_quat) + sizeof(mrw_mat34));
    bench_add_stage(stages, "dual quaternions", "joint", matrices, dual, run_dual_quats);
}

bool bench_add_pose_stages(bench_desk *desk, bench_stages *stages)
{
    const bench_rig *rig = desk->rig;
    const mrw_skeleton *skeleton = rig->skeleton;
    double joints = skeleton->joint_count;
    if (!fill_poses(desk))
        return false;
    desk->model = bench_alloc(skeleton->joint_count, sizeof(*desk->model));
    if (bench_model_of(desk, &desk->poses[0]) != MRW_OK)
        return false;
    bench_work sample = bench_sample_work(rig->first, skeleton);
    bench_work busiest = bench_sample_work(rig->busiest, skeleton);
    busiest.working_set_bytes = (size_t)busiest.bytes_written + rig->busiest->header->size_bytes;
    bench_add_stage(stages, "sample in sequence", "joint", joints, sample, run_sequence);
    bench_add_stage(stages, "sample anywhere", "joint", joints, sample, run_random);
    bench_add_stage(stages, "sample in sequence, most tracks", "joint", joints, busiest,
                    run_busiest_sequence);
    bench_add_stage(stages, "sample anywhere, most tracks", "joint", joints, busiest, run_busiest);
    bench_add_stage(stages, "blend 2", "joint", joints, bench_blend_work(skeleton, 2), run_blend_2);
    bench_add_stage(stages, "blend 4", "joint", joints, bench_blend_work(skeleton, 4), run_blend_4);
    bench_work masked = bench_blend_work(skeleton, 2), additive = bench_blend_work(skeleton, 3);
    masked.operations += 4.0 * joints;
    masked.bytes_read += 4.0 * joints;
    additive.operations += (ADDITIVE_OPERATIONS - BLEND_LAYER_OPERATIONS) * joints;
    additive.divisions += 2.0 * joints;
    bench_add_stage(stages, "blend 2, joint weights", "joint", joints, masked, run_blend_masked);
    bench_add_stage(stages, "blend 2, 1 additive", "joint", joints, additive, run_blend_additive);
    bench_add_stage(stages, "model", "joint", joints, bench_model_work(rig), run_model);
    bench_add_stage(stages, "model, tiny numbers", "joint", joints, bench_model_work(rig),
                    run_model_faint);
    if (rig->skin == NULL)
        return true;
    uint32_t matrices = rig->skin->joint_count;
    desk->palette = bench_alloc(matrices, sizeof(*desk->palette));
    desk->dual_quats = bench_alloc(matrices, sizeof(*desk->dual_quats));
    desk->stretches = bench_alloc(matrices, sizeof(*desk->stretches));
    add_skin_stages(desk, stages);
    return bench_palette_of(desk, desk->palette) == MRW_OK && run_dual_quats(desk, 1);
}
