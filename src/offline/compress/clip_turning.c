#include "offline/compress/clip_turning.h"

#include <marrow/sample.h>

#include "base/error.h"
#include "offline/compress/rotation_double.h"

static mrw_sample_job job_of(const mrwi_clip_turning *turning, int side, double time_s)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = turning->clip;
    job.skeleton = turning->skeleton;
    job.time_s = time_s;
    job.out_pose = (mrw_pose *)&turning->poses[side];
    return job;
}

mrw_status mrwi_clip_turning_init(mrwi_clip_turning *turning, const mrw_skeleton *skeleton,
                                  const mrw_clip *clip, mrwi_arena *arena, mrw_error *out_error)
{
    const size_t bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    *turning = (mrwi_clip_turning){.skeleton = skeleton, .clip = clip};
    turning->angles = mrwi_arena_alloc(arena, skeleton->joint_count, sizeof(double));
    if (turning->angles == NULL)
        return mrwi_arena_fail(arena, out_error, "joints");
    for (int side = 0; side < 2; side++) {
        void *memory = mrwi_arena_alloc(arena, 1, bytes);
        if (memory == NULL)
            return mrwi_arena_fail(arena, out_error, "pose");
        mrw_pose_init(memory, bytes, skeleton->joint_count, skeleton->scalar_count,
                      &turning->poses[side]);
    }
    mrw_sample_job job = job_of(turning, 0, 0.0);
    mrw_status status = mrw_sample_check(&job, out_error);
    return status == MRW_OK ? mrw_sample(&job) : status;
}

/* By the sine of half the angle, within a twentieth: half a turn has the sine 1 and is pi. */
static double angle_between(mrw_quat a, mrw_quat b)
{
    const double dot = mrwi_quatd_dot(mrwi_quatd_from(a), mrwi_quatd_from(b));
    const double square = 1.0 - dot * dot; /* of the sine of half the angle */
    const double sine = square > 0.0 ? mrwi_sqrt_double(square) : 0.0;
    return 2.0 * sine * (1.0 + 0.5708 * sine * sine);
}

double mrwi_clip_turning_to(mrwi_clip_turning *turning, double time_s)
{
    const mrw_skeleton *skeleton = turning->skeleton;
    mrw_sample_job job = job_of(turning, 1, time_s);
    double largest = 0.0;
    mrw_sample(&job); /* checked at the start */
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const int32_t parent = skeleton->parents[j];
        turning->angles[j] = (parent >= 0 ? turning->angles[parent] : 0.0) +
                             angle_between(mrw_pose_joint(&turning->poses[0], j).rotation,
                                           mrw_pose_joint(&turning->poses[1], j).rotation);
        largest = turning->angles[j] > largest ? turning->angles[j] : largest;
    }
    const mrw_pose last = turning->poses[0];
    turning->poses[0] = turning->poses[1];
    turning->poses[1] = last;
    return largest;
}
