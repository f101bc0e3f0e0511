/* How far two clips are apart, worked out here and not by the code that is tested: hierarchy and
 * distances in double, from the poses that the library samples. */
#ifndef TESTS_CLIP_DISTANCE_H
#define TESTS_CLIP_DISTANCE_H

#include <marrow/clip.h>
#include <marrow/sample.h>
#include <marrow/skeleton.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns where the axes go, and the origin. */
typedef struct place {
    double axes[3][3], origin[3];
} place;

typedef struct measured {
    const mrw_skeleton *skeleton;
    mrw_pose pose;
    void *pose_memory;
    place *places;
    bool loop;
} measured;

static inline measured measured_make(const mrw_skeleton *skeleton)
{
    measured m = {.skeleton = skeleton};
    const size_t size = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    m.pose_memory = aligned_alloc(64, (size + 63) / 64 * 64);
    m.places = calloc(skeleton->joint_count, sizeof(*m.places));
    if (m.pose_memory == NULL || m.places == NULL ||
        mrw_pose_init(m.pose_memory, size, skeleton->joint_count, skeleton->scalar_count,
                      &m.pose) != MRW_OK)
        abort();
    return m;
}

static inline void measured_free(measured *m)
{
    free(m->pose_memory);
    free(m->places);
}

/* Rows of the rotation matrix of a quaternion of any length. */
static inline void rotation_rows(mrw_quat q, double out[3][3])
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double s = 2.0 / (x * x + y * y + z * z + w * w);
    const double rows[3][3] = {
        {1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
        {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
        {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}};
    memcpy(out, rows, sizeof(rows));
}

static inline void place_joint(measured *m, uint32_t joint)
{
    const mrw_transform local = mrw_pose_joint(&m->pose, joint);
    const double scale[3] = {(double)local.scale.x, (double)local.scale.y, (double)local.scale.z};
    const double at[3] = {(double)local.translation.x, (double)local.translation.y,
                          (double)local.translation.z};
    const int32_t parent = m->skeleton->parents[joint];
    place above = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    if (parent >= 0)
        above = m->places[parent];
    double rows[3][3];
    rotation_rows(local.rotation, rows);
    place *to = &m->places[joint];
    for (int i = 0; i < 3; i++) {
        to->origin[i] = above.origin[i];
        for (int k = 0; k < 3; k++) {
            to->origin[i] += above.axes[k][i] * at[k];
            to->axes[k][i] = 0.0;
            for (int n = 0; n < 3; n++)
                to->axes[k][i] += above.axes[n][i] * rows[n][k] * scale[k];
        }
    }
}

static inline void measured_at(measured *m, const mrw_clip *clip, double time_s)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = clip;
    job.skeleton = m->skeleton;
    job.time_s = time_s;
    job.loop = m->loop;
    job.out_pose = &m->pose;
    if (mrw_sample(&job) != MRW_OK)
        abort();
    for (uint32_t j = 0; j < m->skeleton->joint_count; j++)
        place_joint(m, j);
}

/* Metres of model space in a unit of a joint at rest, its largest scales and its ancestors' in a
 * row; what is smaller than 1/2000 of its parent is hidden, and counts as 1. */
static inline double joint_unit_m(const mrw_skeleton *skeleton, uint32_t joint,
                                  double metres_per_unit)
{
    double unit = metres_per_unit;
    for (int32_t at = (int32_t)joint; at >= 0; at = skeleton->parents[at]) {
        const mrw_pose_block *block = &skeleton->rest_blocks[at / MRW_POSE_LANES];
        double largest = 0.0;
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fabs((double)block->scale[i][at % MRW_POSE_LANES]));
        unit *= largest < 1.0 / 2000.0 ? 1.0 : largest;
    }
    return unit;
}

/* The largest distance of three points of a shell. */
static inline double shell_distance(const place *a, const place *b, double shell)
{
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        double square = 0.0;
        for (int i = 0; i < 3; i++) {
            double off = a->origin[i] - b->origin[i] + shell * (a->axes[k][i] - b->axes[k][i]);
            square += off * off;
        }
        largest = fmax(largest, square);
    }
    return sqrt(largest);
}

typedef struct worst_error {
    double error_m, time_s; /* with ratios: in tolerances */
    uint32_t joint;
} worst_error;

/* How the distance of two clips is measured. */
typedef struct distance_case {
    const mrw_skeleton *skeleton;
    double metres_per_unit, shell_m;
    const float *shells_m;     /* [joint_count] or NULL */
    const float *tolerances_m; /* [joint_count]: errors are ratios to these; or NULL */
    double times_per_second;
} distance_case;

static inline worst_error largest_distance(const distance_case *one, const mrw_clip *a,
                                           const mrw_clip *b)
{
    const mrw_skeleton *skeleton = one->skeleton;
    measured left = measured_make(skeleton), right = measured_make(skeleton);
    double *units = calloc(skeleton->joint_count, sizeof(double));
    worst_error found = {0.0, 0.0, 0};
    if (units == NULL)
        abort();
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        units[j] = joint_unit_m(skeleton, j, one->metres_per_unit);
    const double end = (double)a->duration_s;
    const uint64_t count = (uint64_t)(end * one->times_per_second) + 2;
    for (uint64_t i = 0; i < count; i++) {
        double time_s = (double)i / one->times_per_second;
        time_s = time_s < end ? time_s : end;
        measured_at(&left, a, time_s);
        measured_at(&right, b, time_s);
        for (uint32_t j = 0; j < skeleton->joint_count; j++) {
            double shell = one->shells_m != NULL ? (double)one->shells_m[j] : one->shell_m;
            double error = one->metres_per_unit *
                           shell_distance(&left.places[j], &right.places[j], shell / units[j]);
            if (one->tolerances_m != NULL)
                error /= (double)one->tolerances_m[j];
            if (error > found.error_m)
                found = (worst_error){error, time_s, j};
        }
    }
    free(units);
    measured_free(&left);
    measured_free(&right);
    return found;
}

#endif
