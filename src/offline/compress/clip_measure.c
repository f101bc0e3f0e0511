#include "offline/compress/clip_measure.h"

#include <marrow/sample.h>

#include "base/error.h"
#include "offline/compress/rotation_double.h"

/* Model space in double, so that what is measured is the clips' difference and not the measure's.
 */
typedef struct mrwi_measured_place {
    mrwi_mat33d axes;
    mrwi_vec3d origin;
} measured_place;

static mrw_sample_job job_of(const mrwi_clip_measure *measure, int side, double time_s)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = measure->clips[side];
    job.skeleton = measure->skeleton;
    job.time_s = time_s;
    job.out_pose = (mrw_pose *)&measure->poses[side];
    return job;
}

mrw_status mrwi_clip_measure_init(mrwi_clip_measure *measure, const mrw_skeleton *skeleton,
                                  const mrw_clip *a, const mrw_clip *b, const double *shells,
                                  mrwi_arena *arena, mrw_error *out_error)
{
    *measure = (mrwi_clip_measure){.skeleton = skeleton, .clips = {a, b}, .shells = shells};
    size_t bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    for (int side = 0; side < 2; side++) {
        void *memory = mrwi_arena_alloc(arena, 1, bytes);
        measure->places[side] =
            mrwi_arena_alloc(arena, skeleton->joint_count, sizeof(measured_place));
        if (memory == NULL || measure->places[side] == NULL)
            return mrwi_arena_fail(arena, out_error, "pose");
        mrw_pose_init(memory, bytes, skeleton->joint_count, skeleton->scalar_count,
                      &measure->poses[side]);
        mrw_sample_job job = job_of(measure, side, 0.0);
        mrw_status status = mrw_sample_check(&job, out_error);
        if (status != MRW_OK)
            return status;
    }
    return MRW_OK;
}

/* Of a quaternion of any length, without its root. */
static mrwi_mat33d axes_of(mrwi_quatd q)
{
    const double square = mrwi_quatd_dot(q, q), s = square > 0.0 ? 2.0 / square : 0.0;
    const double x = q.x * s, y = q.y * s, z = q.z * s;
    const double xx = q.x * x, yy = q.y * y, zz = q.z * z, xy = q.x * y, xz = q.x * z;
    const double yz = q.y * z, wx = q.w * x, wy = q.w * y, wz = q.w * z;
    return (mrwi_mat33d){{{1.0 - (yy + zz), xy - wz, xz + wy},
                          {xy + wz, 1.0 - (xx + zz), yz - wx},
                          {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

static void place_joint(measured_place *places, int32_t parent, uint32_t joint, mrw_transform local)
{
    const mrwi_quatd rotation = {(double)local.rotation.x, (double)local.rotation.y,
                                 (double)local.rotation.z, (double)local.rotation.w};
    const double scale[3] = {(double)local.scale.x, (double)local.scale.y, (double)local.scale.z};
    measured_place place = {
        axes_of(rotation),
        {(double)local.translation.x, (double)local.translation.y, (double)local.translation.z}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            place.axes.m[row][column] *= scale[column];
    if (parent >= 0) {
        const measured_place *above = &places[parent];
        place.origin =
            mrwi_vec3d_add(above->origin, mrwi_mat33d_transform(&above->axes, place.origin));
        place.axes = mrwi_mat33d_product(&above->axes, &place.axes);
    }
    places[joint] = place;
}

static double shell_distance(const measured_place *a, const measured_place *b, double shell)
{
    mrwi_vec3d off = mrwi_vec3d_sub(b->origin, a->origin);
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        mrwi_vec3d turned =
            mrwi_vec3d_sub(mrwi_mat33d_column(&b->axes, axis), mrwi_mat33d_column(&a->axes, axis));
        mrwi_vec3d point = mrwi_vec3d_add(off, mrwi_vec3d_scale(turned, shell));
        double square = mrwi_vec3d_dot(point, point);
        largest = square > largest ? square : largest;
    }
    return mrwi_sqrt_double(largest);
}

void mrwi_clip_measure_at(mrwi_clip_measure *measure, double time_s, double *out_errors)
{
    const mrw_skeleton *skeleton = measure->skeleton;
    for (int side = 0; side < 2; side++) {
        mrw_sample_job job = job_of(measure, side, time_s);
        mrw_sample(&job); /* checked at the start */
        for (uint32_t j = 0; j < skeleton->joint_count; j++)
            place_joint(measure->places[side], skeleton->parents[j], j,
                        mrw_pose_joint(&measure->poses[side], j));
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        out_errors[j] =
            shell_distance(&measure->places[0][j], &measure->places[1][j], measure->shells[j]);
}
