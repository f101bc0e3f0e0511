#include "offline/compress/motion_samples.h"

#include <marrow/sample.h>

#include "base/error.h"

#include <string.h>

static mrw_status alloc_samples(mrwi_motion_samples *samples, mrwi_arena *arena,
                                mrw_error *out_error)
{
    uint64_t places = (uint64_t)samples->sample_count * samples->joint_count;
    uint64_t scalars = (uint64_t)samples->sample_count * samples->scalar_count;
    if (places > SIZE_MAX || scalars > SIZE_MAX)
        return mrwi_fail(out_error, MRW_ERR_LIMIT, "samples", "the clip has too many samples");
    samples->joints = mrwi_arena_alloc(arena, (size_t)places, sizeof(*samples->joints));
    samples->scalars = mrwi_arena_alloc(arena, (size_t)scalars, sizeof(*samples->scalars));
    if (samples->joints == NULL || samples->scalars == NULL)
        return mrwi_arena_fail(arena, out_error, "samples");
    return MRW_OK;
}

mrw_status mrwi_sample_motion(const mrw_skeleton *skeleton, const mrw_clip *clip,
                              double samples_per_second, uint32_t count, mrwi_arena *arena,
                              mrwi_motion_samples *out_samples, mrw_error *out_error)
{
    *out_samples = (mrwi_motion_samples){
        skeleton->joint_count, skeleton->scalar_count, count, samples_per_second, NULL, NULL};
    mrw_status status = alloc_samples(out_samples, arena, out_error);
    if (status != MRW_OK)
        return status;
    size_t pose_bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    void *memory = mrwi_arena_alloc(arena, 1, pose_bytes);
    if (memory == NULL)
        return mrwi_arena_fail(arena, out_error, "pose");
    mrw_pose pose;
    mrw_pose_init(memory, pose_bytes, skeleton->joint_count, skeleton->scalar_count, &pose);
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = clip;
    job.skeleton = skeleton;
    job.out_pose = &pose;
    status = mrw_sample_check(&job, out_error);
    for (uint32_t i = 0; i < count && status == MRW_OK; i++) {
        job.time_s = i / samples_per_second;
        status = mrw_sample(&job);
        for (uint32_t j = 0; j < skeleton->joint_count; j++)
            out_samples->joints[(size_t)i * skeleton->joint_count + j] = mrw_pose_joint(&pose, j);
        if (skeleton->scalar_count > 0)
            memcpy(out_samples->scalars + (size_t)i * skeleton->scalar_count, pose.scalars,
                   sizeof(float) * skeleton->scalar_count);
    }
    return status;
}
