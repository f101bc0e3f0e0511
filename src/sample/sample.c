/* A clip at a moment.
 *
 *     rest pose ──copy──▶ pose ◀──overwrite── each track at the clip's local time
 *
 * Tracks stand sorted by kind and target, so the pose is written in order, and a track that shares
 * its times with the one before it shares the search as well: in most files that is all but the
 * first. Rotations between two keys are what takes the time; they are gathered and turned several
 * at once.
 *
 * The job may run in a hot loop and on clips from anywhere, so it checks what does not grow with
 * the clip; what does was checked by mrw_clip_open.
 */
#include <marrow/sample.h>

#include "base/error.h"
#include "math/slerp_lanes.h"
#include "pose/pose_block.h"
#include "sample/track_sample.h"

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

static void write_rotation(mrw_pose *pose, uint32_t joint, mrw_quat rotation)
{
    float(*stream)[MRW_POSE_LANES] = pose->blocks[joint / MRW_POSE_LANES].rotation;
    uint32_t lane = joint % MRW_POSE_LANES;
    stream[0][lane] = rotation.x;
    stream[1][lane] = rotation.y;
    stream[2][lane] = rotation.z;
    stream[3][lane] = rotation.w;
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

/* Rotations that wait to be turned together. */
typedef struct rotation_batch {
    mrwi_slerp_lanes lanes;
    uint32_t joints[MRWI_SLERP_LANES];
    uint32_t count;
} rotation_batch;

static void finish_batch(rotation_batch *batch, mrw_pose *pose)
{
    mrw_quat rotations[MRWI_SLERP_LANES];
    mrwi_quat_slerp_lanes(&batch->lanes, rotations);
    for (uint32_t i = 0; i < batch->count; i++)
        write_rotation(pose, batch->joints[i], rotations[i]);
    batch->count = 0;
}

static void add_to_batch(rotation_batch *batch, const mrw_clip *clip, const mrw_track *track,
                         const mrwi_key_position *position, mrw_pose *pose)
{
    const float *from = clip->values + track->values_offset + (size_t)position->key * 4;
    uint32_t lane = batch->count++;
    for (uint32_t i = 0; i < 4; i++) {
        batch->lanes.from[i][lane] = from[i];
        batch->lanes.to[i][lane] = from[4 + i];
    }
    batch->lanes.fraction[lane] = position->fraction;
    batch->joints[lane] = track->target;
    if (batch->count == MRWI_SLERP_LANES)
        finish_batch(batch, pose);
}

mrw_status mrw_sample(const mrw_sample_job *job)
{
    mrw_status status = mrw_sample_check(job, NULL);
    if (status != MRW_OK)
        return status;
    mrw_skeleton_rest_pose(job->skeleton, job->out_pose); /* cannot fail: the counts agree */

    const mrw_clip *clip = job->clip;
    float time_s = mrw_clip_local_time(clip, job->time_s, job->loop);
    const mrw_track *searched = NULL;
    mrwi_key_position position = {0, true, 0.0f, 0.0f};
    rotation_batch batch = {0};
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const mrw_track *track = &clip->tracks[i];
        if (searched == NULL || track->times_offset != searched->times_offset ||
            track->key_count != searched->key_count)
            position = mrwi_find_key(clip->times + track->times_offset, track->key_count, time_s);
        searched = track;
        if (track->kind == MRW_TRACK_ROTATION && track->interpolation == MRW_INTERPOLATION_LINEAR &&
            !position.exact) {
            add_to_batch(&batch, clip, track, &position, job->out_pose);
            continue;
        }
        float value[4];
        mrwi_sample_track(clip, track, &position, value);
        write_value(job->out_pose, track, value);
    }
    if (batch.count > 0)
        finish_batch(&batch, job->out_pose);
    return MRW_OK;
}
