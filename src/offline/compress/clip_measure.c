#include "offline/compress/clip_measure.h"

#include <marrow/sample.h>

#include "base/error.h"
#include "math/math_inline.h"

/* A number at each of the times. */
typedef double lanes __attribute__((vector_size(8 * MRWI_MEASURE_LANES)));

typedef struct lanes_vec3 {
    lanes x, y, z;
} lanes_vec3;

/* Model space in double, so that what is measured is the clips' difference and not the measure's.
 */
typedef struct mrwi_measured_place {
    lanes_vec3 axes[3]; /* where x, y and z go */
    lanes_vec3 origin;
} measured_place;

static mrw_sample_job job_of(const mrwi_clip_measure *measure, int side, uint32_t lane,
                             double time_s)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = measure->clips[side];
    job.skeleton = measure->skeleton;
    job.time_s = time_s;
    job.out_pose = (mrw_pose *)&measure->poses[side][lane];
    return job;
}

mrw_status mrwi_clip_measure_init(mrwi_clip_measure *measure, const mrw_skeleton *skeleton,
                                  const mrw_clip *a, const mrw_clip *b, const double *shells,
                                  mrwi_arena *arena, mrw_error *out_error)
{
    *measure = (mrwi_clip_measure){.skeleton = skeleton, .clips = {a, b}, .shells = shells};
    size_t bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    for (int side = 0; side < 2; side++) {
        measure->places[side] =
            mrwi_arena_alloc(arena, skeleton->joint_count, sizeof(measured_place));
        for (uint32_t lane = 0; lane < MRWI_MEASURE_LANES; lane++) {
            void *memory = mrwi_arena_alloc(arena, 1, bytes);
            if (memory == NULL || measure->places[side] == NULL)
                return mrwi_arena_fail(arena, out_error, "pose");
            mrw_pose_init(memory, bytes, skeleton->joint_count, skeleton->scalar_count,
                          &measure->poses[side][lane]);
        }
        mrw_sample_job job = job_of(measure, side, 0, 0.0);
        mrw_status status = mrw_sample_check(&job, out_error);
        if (status != MRW_OK)
            return status;
    }
    return MRW_OK;
}

static lanes_vec3 add(lanes_vec3 a, lanes_vec3 b)
{
    return (lanes_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static lanes_vec3 subtract(lanes_vec3 a, lanes_vec3 b)
{
    return (lanes_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static lanes_vec3 scaled(lanes_vec3 v, lanes by)
{
    return (lanes_vec3){v.x * by, v.y * by, v.z * by};
}

static lanes_vec3 turned(const lanes_vec3 axes[3], lanes_vec3 v)
{
    return add(add(scaled(axes[0], v.x), scaled(axes[1], v.y)), scaled(axes[2], v.z));
}

static lanes load(const float *first, const float *second)
{
    return (lanes){(double)*first, (double)*second};
}

/* Of a quaternion of any length, without its root. */
static void set_axes(lanes_vec3 axes[3], lanes qx, lanes qy, lanes qz, lanes qw)
{
    const lanes square = qx * qx + qy * qy + qz * qz + qw * qw;
    lanes s;
    for (int i = 0; i < MRWI_MEASURE_LANES; i++)
        s[i] = square[i] > 0.0 ? 2.0 / square[i] : 0.0;
    const lanes x = qx * s, y = qy * s, z = qz * s;
    const lanes xx = qx * x, yy = qy * y, zz = qz * z, xy = qx * y, xz = qx * z;
    const lanes yz = qy * z, wx = qw * x, wy = qw * y, wz = qw * z;
    axes[0] = (lanes_vec3){1.0 - (yy + zz), xy + wz, xz - wy};
    axes[1] = (lanes_vec3){xy - wz, 1.0 - (xx + zz), yz + wx};
    axes[2] = (lanes_vec3){xz + wy, yz - wx, 1.0 - (xx + yy)};
}

static void place_joint(measured_place *places, int32_t parent, uint32_t joint,
                        const mrw_pose poses[MRWI_MEASURE_LANES])
{
    const uint32_t lane = joint % MRW_POSE_LANES;
    const mrw_pose_block *first = &poses[0].blocks[joint / MRW_POSE_LANES];
    const mrw_pose_block *second = &poses[1].blocks[joint / MRW_POSE_LANES];
    lanes numbers[10];
    for (int i = 0; i < 3; i++) {
        numbers[i] = load(&first->translation[i][lane], &second->translation[i][lane]);
        numbers[7 + i] = load(&first->scale[i][lane], &second->scale[i][lane]);
    }
    for (int i = 0; i < 4; i++)
        numbers[3 + i] = load(&first->rotation[i][lane], &second->rotation[i][lane]);
    measured_place place;
    set_axes(place.axes, numbers[3], numbers[4], numbers[5], numbers[6]);
    place.origin = (lanes_vec3){numbers[0], numbers[1], numbers[2]};
    for (int axis = 0; axis < 3; axis++)
        place.axes[axis] = scaled(place.axes[axis], numbers[7 + axis]);
    if (parent >= 0) {
        const measured_place *above = &places[parent];
        place.origin = add(above->origin, turned(above->axes, place.origin));
        for (int axis = 0; axis < 3; axis++)
            place.axes[axis] = turned(above->axes, place.axes[axis]);
    }
    places[joint] = place;
}

/* The squares of how far the farthest of three points is off. */
static lanes shell_squares(const measured_place *a, const measured_place *b, double shell)
{
    const lanes_vec3 off = subtract(b->origin, a->origin);
    const lanes radius = {shell, shell};
    lanes largest = {0.0, 0.0};
    for (int axis = 0; axis < 3; axis++) {
        const lanes_vec3 point = add(off, scaled(subtract(b->axes[axis], a->axes[axis]), radius));
        const lanes square = point.x * point.x + point.y * point.y + point.z * point.z;
        for (int i = 0; i < MRWI_MEASURE_LANES; i++)
            largest[i] = square[i] > largest[i] ? square[i] : largest[i];
    }
    return largest;
}

void mrwi_clip_measure_at(mrwi_clip_measure *measure, const double *times_s, uint32_t count,
                          double *out_errors)
{
    const mrw_skeleton *skeleton = measure->skeleton;
    for (int side = 0; side < 2; side++) {
        for (uint32_t lane = 0; lane < count; lane++) {
            mrw_sample_job job = job_of(measure, side, lane, times_s[lane]);
            mrw_sample(&job); /* checked at the start */
        }
        for (uint32_t j = 0; j < skeleton->joint_count; j++)
            place_joint(measure->places[side], skeleton->parents[j], j, measure->poses[side]);
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const lanes squares =
            shell_squares(&measure->places[0][j], &measure->places[1][j], measure->shells[j]);
        for (uint32_t lane = 0; lane < count; lane++)
            out_errors[(size_t)lane * skeleton->joint_count + j] = mrwi_sqrt_double(squares[lane]);
    }
}
