#include "offline/compress/motion_samples.h"

#include <marrow/math.h>
#include <marrow/sample.h>

#include "base/error.h"

#include <stddef.h>
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

/* Beyond the end of the clip, for a value and the one before: so far on that what lies between
 * them at `share` of the way is the value of the end. */
static float go_on(float from, float end, double share)
{
    return (float)((double)from + ((double)end - (double)from) / share);
}

static mrw_quat go_on_turning(mrw_quat from, mrw_quat end, double share)
{
    const float dot = from.x * end.x + from.y * end.y + from.z * end.z + from.w * end.w;
    const float sign = dot < 0.0f ? -1.0f : 1.0f;
    mrw_quat on = {go_on(from.x, sign * end.x, share), go_on(from.y, sign * end.y, share),
                   go_on(from.z, sign * end.z, share), go_on(from.w, sign * end.w, share)};
    /* Where the chord is short, it is the arc; else the last value has to do. */
    return dot * sign > 0.99f && share > 0.05 ? mrw_quat_normalize(on) : end;
}

mrw_status mrwi_sample_motion(const mrw_skeleton *skeleton, const mrw_clip *clip,
                              double samples_per_second, const float *times, uint32_t count,
                              mrwi_arena *arena, mrwi_motion_samples *out_samples,
                              mrw_error *out_error)
{
    *out_samples = (mrwi_motion_samples){skeleton->joint_count,
                                         skeleton->scalar_count,
                                         count,
                                         samples_per_second,
                                         times,
                                         NULL,
                                         NULL};
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
        job.time_s = times != NULL ? (double)times[i] : i / samples_per_second;
        status = mrw_sample(&job);
        for (uint32_t j = 0; j < skeleton->joint_count; j++)
            out_samples->joints[(size_t)i * skeleton->joint_count + j] = mrw_pose_joint(&pose, j);
        if (skeleton->scalar_count > 0)
            memcpy(out_samples->scalars + (size_t)i * skeleton->scalar_count, pose.scalars,
                   sizeof(float) * skeleton->scalar_count);
    }
    return status;
}

void mrwi_motion_go_beyond_end(mrwi_motion_samples *samples, double duration_s)
{
    const uint32_t last = samples->sample_count - 1;
    const double share = duration_s * samples->samples_per_second - (last - 1.0);
    if (last == 0 || !(share > 1e-3 && share < 0.98))
        return;
    for (uint32_t j = 0; j < samples->joint_count; j++) {
        const mrw_transform *from = mrwi_motion_at(samples, last - 1, j);
        mrw_transform *to = &samples->joints[(size_t)last * samples->joint_count + j];
        to->translation.x = go_on(from->translation.x, to->translation.x, share);
        to->translation.y = go_on(from->translation.y, to->translation.y, share);
        to->translation.z = go_on(from->translation.z, to->translation.z, share);
        to->scale.x = go_on(from->scale.x, to->scale.x, share);
        to->scale.y = go_on(from->scale.y, to->scale.y, share);
        to->scale.z = go_on(from->scale.z, to->scale.z, share);
        to->rotation = go_on_turning(from->rotation, to->rotation, share);
    }
    float *scalars = samples->scalars + (size_t)last * samples->scalar_count;
    const float *before = scalars - samples->scalar_count;
    for (uint32_t i = 0; i < samples->scalar_count; i++)
        scalars[i] = go_on(before[i], scalars[i], share);
}
