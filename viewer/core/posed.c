#include <core/posed.h>

#include <stdlib.h>
#include <string.h>

/* The block behind a view_posed: six arrays, each on a cache line of its own. */
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

    size_t size_bytes = 2 * padded(pose_size) + padded(model_size) + 2 * padded(palette_size) +
                        padded(dual_quats_size);
    uint8_t *memory = aligned_alloc(ARRAY_ALIGNMENT, size_bytes + ARRAY_ALIGNMENT);
    if (!memory) {
        return MRW_ERR_OUT_OF_MEMORY;
    }
    uint8_t *cursor = memory;
    void *pose_memory = take(&cursor, pose_size);
    void *other_pose_memory = take(&cursor, pose_size);
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
        status = mrw_pose_init(other_pose_memory, pose_size, skeleton->joint_count,
                               skeleton->scalar_count, &out_posed->other_pose);
    }
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

static mrw_status sample(const mrw_character *character, int32_t clip, double time_s, bool loop,
                         mrw_pose *out_pose)
{
    if (clip < 0) {
        return mrw_skeleton_rest_pose(&character->skeleton, out_pose);
    }
    if ((uint32_t)clip >= character->clip_count) {
        return MRW_ERR_INVALID_ARGUMENT;
    }
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = &character->clips[clip];
    job.skeleton = &character->skeleton;
    job.time_s = time_s;
    job.loop = loop;
    job.out_pose = out_pose;
    return mrw_sample(&job);
}

mrw_status view_posed_sample(view_posed *posed, int32_t clip, double time_s, int32_t other_clip,
                             double other_time_s, float fade, bool loop)
{
    const mrw_character *character = posed->character;
    if (other_clip < 0 || !(fade > 0.0f)) {
        return sample(character, clip, time_s, loop, &posed->pose);
    }
    if (fade >= 1.0f) {
        return sample(character, other_clip, other_time_s, loop, &posed->pose);
    }
    mrw_status status = sample(character, clip, time_s, loop, &posed->pose);
    if (status == MRW_OK) {
        status = sample(character, other_clip, other_time_s, loop, &posed->other_pose);
    }
    if (status != MRW_OK) {
        return status;
    }
    mrw_blend_layer layers[2] = {{.pose = &posed->pose, .weight = 1.0f - fade},
                                 {.pose = &posed->other_pose, .weight = fade}};
    mrw_blend_job job = mrw_blend_job_default();
    job.skeleton = &character->skeleton;
    job.layers = layers;
    job.layer_count = 2;
    job.out_pose = &posed->pose;
    return mrw_blend(&job);
}

static mrw_status update_model(view_posed *posed, const mrw_mat34 *root)
{
    mrw_model_job job = mrw_model_job_default();
    job.skeleton = &posed->character->skeleton;
    job.pose = &posed->pose;
    job.root = root;
    job.out_model = posed->model;
    job.model_count = posed->character->skeleton.joint_count;
    return mrw_model(&job);
}

static mrw_status update_palette(const view_posed *posed, const mrw_mesh_instance *instance,
                                 mrw_mat34 *out_palette)
{
    if (instance->skin < 0) {
        out_palette[0] = posed->model[instance->joint];
        return MRW_OK;
    }
    mrw_palette_job job = mrw_palette_job_default();
    job.skin = &posed->character->skins[instance->skin];
    job.model = posed->model;
    job.model_count = posed->character->skeleton.joint_count;
    job.out_palette = out_palette;
    job.palette_count = instance->palette_count;
    return mrw_palette(&job);
}

mrw_status view_posed_place(view_posed *posed, const mrw_mat34 *root, mrw_mat34 *out_palette,
                            mrw_dual_quat *out_dual_quats, mrw_mat34 *out_stretches,
                            bool *out_has_stretch)
{
    const mrw_character *character = posed->character;
    *out_has_stretch = false;
    mrw_status status = update_model(posed, root);
    for (uint32_t i = 0; status == MRW_OK && i < character->instance_count; ++i) {
        const mrw_mesh_instance *instance = &character->instances[i];
        status = update_palette(posed, instance, out_palette + instance->palette_first);
    }
    if (status != MRW_OK || character->palette_count == 0 || out_dual_quats == NULL) {
        return status;
    }
    mrw_dual_quat_job job = mrw_dual_quat_job_default();
    job.palette = out_palette;
    job.palette_count = character->palette_count;
    job.out_dual_quats = out_dual_quats;
    job.out_stretches = out_stretches;
    job.out_has_stretch = out_has_stretch;
    return mrw_palette_dual_quats(&job);
}

mrw_status view_posed_update_fade(view_posed *posed, int32_t clip, double time_s,
                                  int32_t other_clip, double other_time_s, float fade, bool loop)
{
    mrw_status status =
        view_posed_sample(posed, clip, time_s, other_clip, other_time_s, fade, loop);
    if (status != MRW_OK) {
        return status;
    }
    return view_posed_place(posed, NULL, posed->palette, posed->dual_quats, posed->stretches,
                            &posed->has_stretch);
}

mrw_status view_posed_update(view_posed *posed, int32_t clip, double time_s, bool loop)
{
    return view_posed_update_fade(posed, clip, time_s, -1, 0.0, 0.0f, loop);
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

/* Where all vertices share a number that a job wants one a vertex, one small table serves slice
 * after slice. */
enum { SLICE = 256 };

static uint32_t slice_count(uint32_t first, uint32_t vertex_count)
{
    uint32_t left = vertex_count - first;
    return left < SLICE ? left : SLICE;
}

static float *from_vertex(float *vectors, uint32_t vertex)
{
    return vectors != NULL ? vectors + (size_t)vertex * 3 : NULL;
}

static void fill(float table[SLICE], float value)
{
    for (uint32_t i = 0; i < SLICE; ++i) {
        table[i] = value;
    }
}

/* A rigid mesh is skinned to one joint with weight 1, so that normals have one definition. */
static mrw_status move_rigid(const mrw_mat34 *model, uint32_t vertex_count, float *positions,
                             float *normals)
{
    uint16_t joints[SLICE] = {0};
    float weights[SLICE];
    fill(weights, 1.0f);
    mrw_status status = MRW_OK;
    for (uint32_t first = 0; status == MRW_OK && first < vertex_count; first += SLICE) {
        mrw_skin_job job =
            skin_in_place(slice_count(first, vertex_count), from_vertex(positions, first),
                          from_vertex(normals, first));
        job.palette = model;
        job.palette_count = 1;
        job.influence_count = 1;
        job.joints = joints;
        job.weights = weights;
        status = mrw_skin_vertices(&job);
    }
    return status;
}

static mrw_status move_skinned(const view_posed *posed, const mrw_mesh_instance *instance,
                               const mrw_mesh *mesh, float dual_quat_weight, float *positions,
                               float *normals)
{
    bool is_mixed = dual_quat_weight > 0.0f && dual_quat_weight < 1.0f;
    float dual_quat_weights[SLICE];
    fill(dual_quat_weights, dual_quat_weight);
    mrw_status status = MRW_OK;
    for (uint32_t first = 0; status == MRW_OK && first < mesh->vertex_count;) {
        uint32_t count = is_mixed ? slice_count(first, mesh->vertex_count) : mesh->vertex_count;
        size_t first_influence = (size_t)first * mesh->influence_count;
        mrw_skin_job job =
            skin_in_place(count, from_vertex(positions, first), from_vertex(normals, first));
        job.method = is_mixed                  ? MRW_SKIN_BLENDED
                     : dual_quat_weight > 0.0f ? MRW_SKIN_DUAL_QUAT
                                               : MRW_SKIN_LINEAR;
        job.palette = posed->palette + instance->palette_first;
        job.dual_quats = posed->dual_quats + instance->palette_first;
        job.stretches = posed->has_stretch ? posed->stretches + instance->palette_first : NULL;
        job.palette_count = instance->palette_count;
        job.influence_count = mesh->influence_count;
        job.joints = mesh->joints + first_influence;
        job.weights = mesh->weights + first_influence;
        job.dual_quat_weights = dual_quat_weights;
        status = mrw_skin_vertices(&job);
        first += count;
    }
    return status;
}

mrw_status view_posed_vertices_mixed(const view_posed *posed, uint32_t instance,
                                     float dual_quat_weight, float *out_positions,
                                     float *out_normals)
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
    return move_skinned(posed, placed, mesh, dual_quat_weight, out_positions, out_normals);
}

mrw_status view_posed_vertices(const view_posed *posed, uint32_t instance, mrw_skin_method method,
                               float *out_positions, float *out_normals)
{
    float dual_quat_weight = posed->blend;
    if (method != MRW_SKIN_BLENDED) {
        dual_quat_weight = method == MRW_SKIN_DUAL_QUAT ? 1.0f : 0.0f;
    }
    return view_posed_vertices_mixed(posed, instance, dual_quat_weight, out_positions, out_normals);
}
