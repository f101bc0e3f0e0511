#include <core/posed.h>

#include <stdlib.h>
#include <string.h>

/* The block behind a view_posed: five arrays, each on a cache line of its own. */
#define ARRAY_ALIGNMENT 64u

static size_t padded(size_t size_bytes)
{
    return (size_bytes + ARRAY_ALIGNMENT - 1) / ARRAY_ALIGNMENT * ARRAY_ALIGNMENT;
}

static void *take(uint8_t **cursor, size_t size_bytes)
{
    void *taken = *cursor;
    *cursor += padded(size_bytes);
    return taken;
}

mrw_status view_posed_create(const mrw_character *character, view_posed *out_posed)
{
    memset(out_posed, 0, sizeof(*out_posed));
    const mrw_skeleton *skeleton = &character->skeleton;
    size_t pose_size = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    size_t model_size = (size_t)skeleton->joint_count * sizeof(mrw_mat34);
    size_t palette_size = (size_t)character->palette_count * sizeof(mrw_mat34);
    size_t dual_quats_size = (size_t)character->palette_count * sizeof(mrw_dual_quat);

    size_t size_bytes =
        padded(pose_size) + padded(model_size) + 2 * padded(palette_size) + padded(dual_quats_size);
    uint8_t *memory = aligned_alloc(ARRAY_ALIGNMENT, size_bytes + ARRAY_ALIGNMENT);
    if (!memory) {
        return MRW_ERR_OUT_OF_MEMORY;
    }
    uint8_t *cursor = memory;
    void *pose_memory = take(&cursor, pose_size);
    out_posed->character = character;
    out_posed->blend = 0.5f;
    out_posed->memory = memory;
    out_posed->model = take(&cursor, model_size);
    out_posed->palette = take(&cursor, palette_size);
    out_posed->stretches = take(&cursor, palette_size);
    out_posed->dual_quats = take(&cursor, dual_quats_size);

    mrw_status status = mrw_pose_init(pose_memory, pose_size, skeleton->joint_count,
                                      skeleton->scalar_count, &out_posed->pose);
    if (status == MRW_OK) {
        status = view_posed_update(out_posed, -1, 0.0, false);
    }
    if (status != MRW_OK) {
        view_posed_free(out_posed);
    }
    return status;
}

void view_posed_free(view_posed *posed)
{
    free(posed->memory);
    memset(posed, 0, sizeof(*posed));
}

static mrw_status update_pose(view_posed *posed, int32_t clip, double time_s, bool loop)
{
    const mrw_character *character = posed->character;
    if (clip < 0) {
        return mrw_skeleton_rest_pose(&character->skeleton, &posed->pose);
    }
    if ((uint32_t)clip >= character->clip_count) {
        return MRW_ERR_INVALID_ARGUMENT;
    }
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = &character->clips[clip];
    job.skeleton = &character->skeleton;
    job.time_s = time_s;
    job.loop = loop;
    job.out_pose = &posed->pose;
    return mrw_sample(&job);
}

static mrw_status update_model(view_posed *posed)
{
    mrw_model_job job = mrw_model_job_default();
    job.skeleton = &posed->character->skeleton;
    job.pose = &posed->pose;
    job.out_model = posed->model;
    job.model_count = posed->character->skeleton.joint_count;
    return mrw_model(&job);
}

static mrw_status update_palette(view_posed *posed, const mrw_mesh_instance *instance)
{
    mrw_mat34 *palette = posed->palette + instance->palette_first;
    if (instance->skin < 0) {
        palette[0] = posed->model[instance->joint];
        return MRW_OK;
    }
    mrw_palette_job job = mrw_palette_job_default();
    job.skin = &posed->character->skins[instance->skin];
    job.model = posed->model;
    job.model_count = posed->character->skeleton.joint_count;
    job.out_palette = palette;
    job.palette_count = instance->palette_count;
    return mrw_palette(&job);
}

static mrw_status update_dual_quats(view_posed *posed)
{
    posed->has_stretch = false;
    if (posed->character->palette_count == 0) {
        return MRW_OK;
    }
    mrw_dual_quat_job job = mrw_dual_quat_job_default();
    job.palette = posed->palette;
    job.palette_count = posed->character->palette_count;
    job.out_dual_quats = posed->dual_quats;
    job.out_stretches = posed->stretches;
    job.out_has_stretch = &posed->has_stretch;
    return mrw_palette_dual_quats(&job);
}

mrw_status view_posed_update(view_posed *posed, int32_t clip, double time_s, bool loop)
{
    mrw_status status = update_pose(posed, clip, time_s, loop);
    if (status == MRW_OK) {
        status = update_model(posed);
    }
    for (uint32_t i = 0; status == MRW_OK && i < posed->character->instance_count; ++i) {
        status = update_palette(posed, &posed->character->instances[i]);
    }
    if (status == MRW_OK) {
        status = update_dual_quats(posed);
    }
    return status;
}

mrw_status view_posed_morph(const view_posed *posed, uint32_t instance, float *out_positions,
                            float *out_normals)
{
    const mrw_character *character = posed->character;
    if (instance >= character->instance_count) {
        return MRW_ERR_INVALID_ARGUMENT;
    }
    const mrw_mesh_instance *placed = &character->instances[instance];
    const mrw_mesh *mesh = &character->meshes[placed->mesh];
    if (out_normals && !mesh->normals) {
        return MRW_ERR_INVALID_ARGUMENT;
    }
    if (mesh->vertex_count == 0) {
        return MRW_OK;
    }
    mrw_morph_job job = mrw_morph_job_default();
    job.vertex_count = mesh->vertex_count;
    job.target_count = mesh->target_count;
    job.targets = mesh->targets;
    job.weights = posed->pose.scalars + placed->first_scalar;
    job.positions.data = mesh->positions;
    job.out_positions.data = out_positions;
    if (out_normals) {
        job.normals.data = mesh->normals;
        job.out_normals.data = out_normals;
    }
    return mrw_morph(&job);
}

/* A skin job from the vertices at positions and normals to the same place. */
static mrw_skin_job skin_in_place(uint32_t vertex_count, float *positions, float *normals)
{
    mrw_skin_job job = mrw_skin_job_default();
    job.vertex_count = vertex_count;
    job.positions.data = positions;
    job.normals.data = normals;
    job.out_positions.data = positions;
    job.out_normals.data = normals;
    return job;
}

/* A rigid mesh is skinned to one joint with weight 1, so that normals have one definition. The
 * influences are the same for every vertex: one small table serves slice after slice. */
static mrw_status move_rigid(const mrw_mat34 *model, uint32_t vertex_count, float *positions,
                             float *normals)
{
    enum { SLICE = 256 };
    uint16_t joints[SLICE] = {0};
    float weights[SLICE];
    for (uint32_t i = 0; i < SLICE; ++i) {
        weights[i] = 1.0f;
    }
    mrw_status status = MRW_OK;
    for (uint32_t first = 0; status == MRW_OK && first < vertex_count; first += SLICE) {
        uint32_t left = vertex_count - first;
        size_t offset = (size_t)first * 3;
        mrw_skin_job job = skin_in_place(left < SLICE ? left : SLICE, positions + offset,
                                         normals ? normals + offset : NULL);
        job.palette = model;
        job.palette_count = 1;
        job.influence_count = 1;
        job.joints = joints;
        job.weights = weights;
        status = mrw_skin_vertices(&job);
    }
    return status;
}

/* `first`: the slice's first vertex. dual_quat_weights: of the slice, for MRW_SKIN_BLENDED. */
static mrw_status move_slice(const view_posed *posed, const mrw_mesh_instance *instance,
                             const mrw_mesh *mesh, mrw_skin_method method, uint32_t first,
                             uint32_t vertex_count, const float *dual_quat_weights,
                             float *positions, float *normals)
{
    size_t offset = (size_t)first * 3;
    mrw_skin_job job =
        skin_in_place(vertex_count, positions + offset, normals ? normals + offset : NULL);
    job.method = method;
    job.dual_quat_weights = dual_quat_weights;
    job.palette = posed->palette + instance->palette_first;
    job.dual_quats = posed->dual_quats + instance->palette_first;
    job.stretches = posed->has_stretch ? posed->stretches + instance->palette_first : NULL;
    job.palette_count = instance->palette_count;
    job.influence_count = mesh->influence_count;
    job.joints = mesh->joints + (size_t)first * mesh->influence_count;
    job.weights = mesh->weights + (size_t)first * mesh->influence_count;
    return mrw_skin_vertices(&job);
}

/* One blend for every vertex: a small table serves slice after slice. */
static mrw_status move_blended(const view_posed *posed, const mrw_mesh_instance *instance,
                               const mrw_mesh *mesh, float *positions, float *normals)
{
    enum { SLICE = 256 };
    float blends[SLICE];
    for (uint32_t i = 0; i < SLICE; ++i) {
        blends[i] = posed->blend;
    }
    mrw_status status = MRW_OK;
    for (uint32_t first = 0; status == MRW_OK && first < mesh->vertex_count; first += SLICE) {
        uint32_t left = mesh->vertex_count - first;
        status = move_slice(posed, instance, mesh, MRW_SKIN_BLENDED, first,
                            left < SLICE ? left : SLICE, blends, positions, normals);
    }
    return status;
}

mrw_status view_posed_vertices(const view_posed *posed, uint32_t instance, mrw_skin_method method,
                               float *out_positions, float *out_normals)
{
    mrw_status status = view_posed_morph(posed, instance, out_positions, out_normals);
    if (status != MRW_OK) {
        return status;
    }
    const mrw_mesh_instance *placed = &posed->character->instances[instance];
    const mrw_mesh *mesh = &posed->character->meshes[placed->mesh];
    if (mesh->vertex_count == 0) {
        return MRW_OK;
    }
    if (placed->skin < 0 || mesh->influence_count == 0) {
        return move_rigid(&posed->model[placed->joint], mesh->vertex_count, out_positions,
                          out_normals);
    }
    if (method == MRW_SKIN_BLENDED) {
        return move_blended(posed, placed, mesh, out_positions, out_normals);
    }
    return move_slice(posed, placed, mesh, method, 0, mesh->vertex_count, NULL, out_positions,
                      out_normals);
}
