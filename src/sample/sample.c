/* A clip at a moment.
 *
 *     rest pose ─▶ constants ─▶ moving tracks, ─▶ loose tracks,
 *                 of the clip     eight at once     one by one
 *
 * Each step overwrites what it knows better. What never moves, as most of a real clip does not,
 * stands there in the order of a pose. Of the others those between two rotations or vectors are the
 * rule: they stand in the clip sorted by their times, so that one search serves many and eight can
 * be gathered, turned and scattered together. Nothing is remembered from one call to the next: any
 * time costs the same.
 *
 * The job may run in a hot loop and on clips from anywhere, so it checks what does not grow with
 * the clip; what does was checked by mrw_clip_open.
 */
#include <marrow/sample.h>

#include "base/error.h"
#include "pose/pose_block.h"
#include "sample/sample_kernels.h"
#include "sample/track_sample.h"
#include "simd/kernels.h"

#include <string.h>

static const char *missing_pointer(const mrw_sample_job *job)
{
    if (job->clip == NULL)
        return "clip";
    if (job->skeleton == NULL)
        return "skeleton";
    if (job->out_pose == NULL || !mrwi_pose_has_memory(job->out_pose))
        return "out_pose";
    return NULL;
}

static mrw_status fail_counts(mrw_error *out_error, mrw_status status, const char *detail,
                              uint32_t have, uint32_t want)
{
    return mrwi_fail(out_error, status, "%s", "%u, but the skeleton has %u", detail, have, want);
}

static mrw_status check_counts(const mrw_sample_job *job, mrw_error *out_error)
{
    const mrw_skeleton *skeleton = job->skeleton;
    if (job->out_pose->joint_count != skeleton->joint_count)
        return fail_counts(out_error, MRW_ERR_JOINT_COUNT, "out_pose.joint_count",
                           job->out_pose->joint_count, skeleton->joint_count);
    if (job->out_pose->scalar_count != skeleton->scalar_count)
        return fail_counts(out_error, MRW_ERR_SCALAR_COUNT, "out_pose.scalar_count",
                           job->out_pose->scalar_count, skeleton->scalar_count);
    if (job->clip->header->skeleton_id != skeleton->header->skeleton_id)
        return mrwi_fail_at(out_error, MRW_ERR_SKELETON_MISMATCH, 0, "clip");
    /* A clip's id is only what its bytes claim: the counts keep its targets inside the pose. */
    if (job->clip->joint_count != skeleton->joint_count)
        return fail_counts(out_error, MRW_ERR_JOINT_COUNT, "clip.joint_count",
                           job->clip->joint_count, skeleton->joint_count);
    if (job->clip->scalar_count != skeleton->scalar_count)
        return fail_counts(out_error, MRW_ERR_SCALAR_COUNT, "clip.scalar_count",
                           job->clip->scalar_count, skeleton->scalar_count);
    return MRW_OK;
}

mrw_status mrw_sample_check(const mrw_sample_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    const char *missing = missing_pointer(job);
    if (missing != NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, missing);
    /* x - x is 0 for every number, and NaN for an infinity or NaN. */
    if (job->time_s - job->time_s != 0.0)
        return mrwi_fail_at(out_error, MRW_ERR_NOT_FINITE, 0, "time_s");
    return check_counts(job, out_error);
}

static void write_value(mrw_pose *pose, const mrw_track *track, const float value[4])
{
    if (track->kind == MRW_TRACK_SCALAR) {
        pose->scalars[track->target] = value[0];
        return;
    }
    mrw_pose_block *block = &pose->blocks[track->target / MRW_POSE_LANES];
    uint32_t lane = track->target % MRW_POSE_LANES;
    float(*streams)[MRW_POSE_LANES] = track->kind == MRW_TRACK_TRANSLATION ? block->translation
                                      : track->kind == MRW_TRACK_ROTATION  ? block->rotation
                                                                           : block->scale;
    uint32_t width = mrw_track_width((mrw_track_kind)track->kind);
    for (uint32_t i = 0; i < width; i++)
        streams[i][lane] = value[i];
}

/* One by one: scalars, steps, splines. */
static void sample_loose(const mrwi_sample_input *in)
{
    const mrw_clip *clip = in->clip;
    const mrw_track *searched = NULL;
    mrwi_key_position position = {0, true, 0.0f, 0.0f};
    for (uint32_t i = 0; i < clip->loose_count; i++) {
        const mrw_track *track = &clip->tracks[clip->loose[i]];
        if (searched == NULL || track->times_offset != searched->times_offset ||
            track->key_count != searched->key_count)
            position =
                mrwi_find_key(clip->times + track->times_offset, track->key_count, in->time_s);
        searched = track;
        float value[4];
        mrwi_sample_track(clip, track, &position, value);
        write_value(in->out_pose, track, value);
    }
}

mrw_status mrw_sample(const mrw_sample_job *job)
{
    mrw_status status = mrw_sample_check(job, NULL);
    if (status != MRW_OK)
        return status;
    const mrw_skeleton *skeleton = job->skeleton;
    const mrwi_sample_input input = {
        job->clip, skeleton, mrw_clip_local_time(job->clip, job->time_s, job->loop), job->out_pose};
    if (skeleton->scalar_count > 0)
        memcpy(job->out_pose->scalars, skeleton->rest_scalars,
               skeleton->scalar_count * sizeof(float));
    mrwi_kernels_active()->sample(&input);
    sample_loose(&input);
    return MRW_OK;
}
