#include <marrow/skin.h>

#include "base/error.h"
#include "simd/kernels.h"

mrw_status mrw_palette_dual_quats_check(const mrw_dual_quat_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (job->palette_count > 0 && job->palette == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "palette");
    if (job->palette_count > 0 && job->out_dual_quats == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_dual_quats");
    return MRW_OK;
}

mrw_status mrw_palette_dual_quats(const mrw_dual_quat_job *job)
{
    mrw_status status = mrw_palette_dual_quats_check(job, NULL);
    if (status != MRW_OK)
        return status;
    bool has_stretch = mrwi_kernels_active()->dual_quats(job->palette, job->palette_count,
                                                         job->out_dual_quats, job->out_stretches);
    if (job->out_has_stretch != NULL)
        *job->out_has_stretch = has_stretch;
    return MRW_OK;
}
