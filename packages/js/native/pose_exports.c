#include "exchange.h"

#include <stdlib.h>

mrw_status js_same_skeleton(uint64_t skeleton_id, const mrw_skeleton *skeleton, const char *detail)
{
    return skeleton_id == mrw_skeleton_id(skeleton) ? MRW_OK
                                                    : js_fail(MRW_ERR_SKELETON_MISMATCH, detail);
}

js_pose *pose_create(const mrw_skeleton *skeleton)
{
    size_t pose_bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    uint64_t header_bytes = (sizeof(js_pose) + 63) / 64 * 64;
    uint64_t model_bytes = (uint64_t)skeleton->joint_count * sizeof(mrw_mat34);
    uint8_t *memory = js_allocate(header_bytes + pose_bytes + model_bytes, "pose");
    if (!memory) {
        return NULL;
    }
    js_pose *posed = (js_pose *)memory;
    posed->skeleton = skeleton;
    posed->model = (mrw_mat34 *)(memory + header_bytes + pose_bytes);
    posed->scratch = NULL;
    posed->scratch_bytes = 0;
    mrw_status status = mrw_pose_init(memory + header_bytes, pose_bytes, skeleton->joint_count,
                                      skeleton->scalar_count, &posed->pose);
    if (status == MRW_OK) {
        status = mrw_skeleton_rest_pose(skeleton, &posed->pose);
    }
    if (status != MRW_OK) {
        js_fail(status, "pose");
        free(memory);
        return NULL;
    }
    return posed;
}

void pose_free(js_pose *posed)
{
    if (posed) {
        free(posed->scratch);
        free(posed);
    }
}

void *js_pose_scratch(js_pose *posed, uint64_t size_bytes)
{
    if (size_bytes > posed->scratch_bytes) {
        free(posed->scratch);
        posed->scratch_bytes = 0;
        posed->scratch = js_allocate(size_bytes, "pose");
        posed->scratch_bytes = posed->scratch ? (uint32_t)size_bytes : 0;
    }
    return posed->scratch;
}

void pose_read(const js_pose *posed)
{
    js_record[0] = js_address(posed->pose.scalars);
    js_record[1] = js_address(posed->model);
}

mrw_status pose_sample(js_pose *posed, const mrw_clip *clip, double time_s, bool loop)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = clip;
    job.skeleton = posed->skeleton;
    job.time_s = time_s;
    job.loop = loop;
    job.out_pose = &posed->pose;
    mrw_status status = mrw_sample(&job);
    if (status != MRW_OK) {
        mrw_sample_check(&job, &js_error);
    }
    return status;
}

mrw_status pose_rest(js_pose *posed)
{
    return mrw_skeleton_rest_pose(posed->skeleton, &posed->pose);
}

static mrw_status check_pose(const js_pose *posed, const js_pose *other)
{
    return js_same_skeleton(mrw_skeleton_id(other->skeleton), posed->skeleton, "pose");
}

mrw_status pose_copy(js_pose *posed, const js_pose *other)
{
    mrw_status status = check_pose(posed, other);
    return status == MRW_OK ? mrw_pose_copy(&other->pose, &posed->pose) : status;
}

mrw_status pose_blend(js_pose *posed, const js_pose *const *poses, const float *weights,
                      uint32_t layer_count)
{
    for (uint32_t i = 0; i < layer_count; i++) {
        mrw_status status = check_pose(posed, poses[i]);
        if (status != MRW_OK) {
            return status;
        }
    }
    mrw_blend_layer *layers =
        js_allocate((uint64_t)layer_count * sizeof(mrw_blend_layer), "layers");
    if (!layers) {
        return MRW_ERR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < layer_count; i++) {
        layers[i] = mrw_blend_layer_default();
        layers[i].pose = &poses[i]->pose;
        layers[i].weight = weights[i];
    }
    mrw_blend_job job = mrw_blend_job_default();
    job.skeleton = posed->skeleton;
    job.layers = layers;
    job.layer_count = layer_count;
    job.out_pose = &posed->pose;
    mrw_status status = mrw_blend(&job);
    if (status != MRW_OK) {
        mrw_blend_check(&job, &js_error);
    }
    free(layers);
    return status;
}

void pose_joint(const js_pose *posed, uint32_t joint, mrw_transform *out)
{
    *out = mrw_pose_joint(&posed->pose, joint);
}

void pose_set_joint(js_pose *posed, uint32_t joint, const mrw_transform *transform)
{
    mrw_transform unit = *transform;
    unit.rotation = mrw_quat_normalize(unit.rotation);
    mrw_pose_set_joint(&posed->pose, joint, &unit);
}

mrw_status pose_model(js_pose *posed)
{
    mrw_model_job job = mrw_model_job_default();
    job.skeleton = posed->skeleton;
    job.pose = &posed->pose;
    job.out_model = posed->model;
    job.model_count = posed->skeleton->joint_count;
    mrw_status status = mrw_model(&job);
    return status == MRW_OK ? MRW_OK : js_fail(status, "pose");
}

/* --- palettes ----------------------------------------------------------------------------- */

mrw_status js_put_palette(const mrw_skin *skin, const mrw_mat34 *model, uint32_t model_count,
                          mrw_mat34 *out_palette)
{
    mrw_palette_job job = mrw_palette_job_default();
    job.skin = skin;
    job.model = model;
    job.model_count = model_count;
    job.out_palette = out_palette;
    job.palette_count = skin->joint_count;
    return mrw_palette(&job);
}

mrw_status js_put_instance(const mrw_character *character, const mrw_mesh_instance *instance,
                           const mrw_mat34 *model, mrw_mat34 *out_palette)
{
    if (instance->skin < 0) {
        out_palette[0] = model[instance->joint];
        return MRW_OK;
    }
    return js_put_palette(&character->skins[instance->skin], model, character->skeleton.joint_count,
                          out_palette);
}

const mrw_mat34 *pose_palette(js_pose *posed, const mrw_skin *skin)
{
    uint64_t bytes = (uint64_t)skin->joint_count * sizeof(mrw_mat34);
    mrw_mat34 *palette = NULL;
    if (js_same_skeleton(skin->header->skeleton_id, posed->skeleton, "skin") == MRW_OK) {
        palette = js_pose_scratch(posed, bytes);
    }
    if (!palette) {
        return NULL;
    }
    mrw_status status = js_put_palette(skin, posed->model, posed->skeleton->joint_count, palette);
    if (status != MRW_OK) {
        js_fail(status, "skin");
        return NULL;
    }
    return palette;
}

mrw_status pose_dual_quats(js_pose *posed, const mrw_skin *skin)
{
    uint64_t count = skin->joint_count;
    uint64_t dual_quat_bytes = count * sizeof(mrw_dual_quat);
    uint64_t matrix_bytes = count * sizeof(mrw_mat34);
    uint8_t *memory = NULL;
    if (js_same_skeleton(skin->header->skeleton_id, posed->skeleton, "skin") == MRW_OK) {
        memory = js_pose_scratch(posed, dual_quat_bytes + 2 * matrix_bytes);
    }
    if (!memory) {
        return js_error.status;
    }
    mrw_mat34 *stretches = (mrw_mat34 *)(memory + dual_quat_bytes);
    mrw_mat34 *palette = (mrw_mat34 *)(memory + dual_quat_bytes + matrix_bytes);
    mrw_status status = js_put_palette(skin, posed->model, posed->skeleton->joint_count, palette);
    bool has_stretch = false;
    if (status == MRW_OK) {
        mrw_dual_quat_job job = mrw_dual_quat_job_default();
        job.palette = palette;
        job.palette_count = skin->joint_count;
        job.out_dual_quats = (mrw_dual_quat *)memory;
        job.out_stretches = stretches;
        job.out_has_stretch = &has_stretch;
        status = mrw_palette_dual_quats(&job);
    }
    js_record[0] = js_address(memory);
    js_record[1] = js_address(stretches);
    js_record[2] = has_stretch;
    return status == MRW_OK ? MRW_OK : js_fail(status, "skin");
}
