#include <marrow/skin.h>

#include "base/error.h"
#include "simd/kernels.h"

mrw_status mrw_palette_check(const mrw_palette_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (job->skin == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "skin");
    if (job->model == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "model");
    if (job->out_palette == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_palette");
    if (job->model_count < job->skin->skeleton_joint_count)
        return mrwi_fail(out_error, MRW_ERR_JOINT_COUNT, "model_count",
                         "%u matrices, the skin was built for a skeleton of %u joints",
                         job->model_count, job->skin->skeleton_joint_count);
    if (job->palette_count < job->skin->joint_count)
        return mrwi_fail(out_error, MRW_ERR_BUFFER_TOO_SMALL, "palette_count",
                         "room for %u matrices, the skin has %u joints", job->palette_count,
                         job->skin->joint_count);
    return MRW_OK;
}

/* Read from right to left, as it happens to a vertex: out of the mesh's space into the joint's as
 * it was when the mesh was bound, and from there to where the joint is now. */
mrw_status mrw_palette(const mrw_palette_job *job)
{
    mrw_status status = mrw_palette_check(job, NULL);
    if (status != MRW_OK)
        return status;
    const mrw_skin *skin = job->skin;
    mrwi_kernels_active()->palette(job->model, skin->joints, skin->inverse_binds, skin->joint_count,
                                   job->out_palette);
    return MRW_OK;
}
