#include <marrow/skin.h>

#include <marrow/model.h>

#include "base/error.h"
#include "model/model_input.h"
#include "simd/kernels.h"

static mrw_model_job model_job(const mrw_pose_palette_job *job)
{
    mrw_model_job model = mrw_model_job_default();
    model.skeleton = job->skeleton;
    model.pose = job->pose;
    model.root = job->root;
    model.out_model = job->out_model;
    model.model_count = job->model_count;
    return model;
}

static mrw_palette_job palette_job(const mrw_pose_palette_job *job)
{
    mrw_palette_job palette = mrw_palette_job_default();
    palette.skin = job->skin;
    palette.model = job->out_model;
    palette.model_count = job->skeleton->joint_count;
    palette.out_palette = job->out_palette;
    palette.palette_count = job->palette_count;
    return palette;
}

mrw_status mrw_pose_palette_check(const mrw_pose_palette_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    mrw_model_job model = model_job(job);
    mrw_status status = mrw_model_check(&model, out_error);
    if (status != MRW_OK)
        return status;
    mrw_palette_job palette = palette_job(job);
    status = mrw_palette_check(&palette, out_error);
    if (status != MRW_OK)
        return status;
    if (job->out_dual_quats == NULL && (job->out_stretches != NULL || job->out_has_stretch != NULL))
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_dual_quats");
    return MRW_OK;
}

mrw_status mrw_pose_palette(const mrw_pose_palette_job *job)
{
    mrw_status status = mrw_pose_palette_check(job, NULL);
    if (status != MRW_OK)
        return status;
    const mrwi_kernels *kernels = mrwi_kernels_active();
    const mrw_skin *skin = job->skin;
    mrwi_model_input input = {job->pose->blocks,         job->skeleton->parents, job->root, NULL, 0,
                              job->skeleton->joint_count};
    kernels->model(&input, job->out_model);
    kernels->palette(job->out_model, skin->joints, skin->inverse_binds, skin->joint_count,
                     job->out_palette);
    if (job->out_dual_quats == NULL)
        return MRW_OK;
    bool has_stretch = kernels->dual_quats(job->out_palette, skin->joint_count, job->out_dual_quats,
                                           job->out_stretches);
    if (job->out_has_stretch != NULL)
        *job->out_has_stretch = has_stretch;
    return MRW_OK;
}
