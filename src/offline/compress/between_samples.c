/* Where two neighbouring samples differ by nearly half a turn, what a decoder shows between them is
 * touchy: a slight error at either makes a large one there. Here is what it shows, in double
 * precision, and what the source has there by its own interpolation.
 *
 * The times are eighths of the way, so that a rotation there is the middle of two others, which
 * needs no trigonometry.
 */
#include "offline/compress/between_samples.h"

#include <marrow/sample.h>

#include "base/error.h"

enum { EIGHTHS = 8, TIMES = EIGHTHS /* 1 to 7, and one more */ };

typedef struct joint_place {
    mrwi_mat33d axes;
    mrwi_vec3d origin;
} joint_place;

/* The way from one sample to the next. */
typedef struct sample_gap {
    double shares[TIMES];  /* of the way */
    uint32_t time_count;   /* up to the end of the clip; 0: there is no such gap */
    const int32_t *other;  /* numbers of the sample at the far end */
    mrw_transform *locals; /* [TIMES][joint_count] the source's */
    joint_place *places;   /* [TIMES][joint_count] of these */
} sample_gap;

struct mrwi_between {
    const mrwi_motion_plan *plan;
    const mrwi_steps *steps;
    const mrw_skeleton *skeleton;
    const mrw_clip *source;
    uint64_t allowed; /* joints to be placed */
    mrw_pose pose;
    sample_gap gaps[2];  /* before and behind the sample */
    joint_place *places; /* [TIMES][joint_count] of the numbers */
};

mrwi_between *mrwi_between_make(const mrwi_motion_plan *plan, const mrwi_steps *steps,
                                const mrw_skeleton *skeleton, const mrw_clip *source,
                                mrwi_arena *arena)
{
    const size_t places = (size_t)TIMES * plan->joint_count;
    const size_t pose_bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    mrwi_between *between = mrwi_arena_alloc(arena, 1, sizeof(*between));
    void *pose = mrwi_arena_alloc(arena, 1, pose_bytes);
    if (between == NULL || pose == NULL)
        return NULL;
    *between = (mrwi_between){.plan = plan, .steps = steps, .skeleton = skeleton, .source = source};
    mrw_pose_init(pose, pose_bytes, skeleton->joint_count, skeleton->scalar_count, &between->pose);
    between->places = mrwi_arena_alloc(arena, places, sizeof(joint_place));
    for (int side = 0; side < 2; side++) {
        sample_gap *gap = &between->gaps[side];
        gap->locals = mrwi_arena_alloc(arena, places, sizeof(mrw_transform));
        gap->places = mrwi_arena_alloc(arena, places, sizeof(joint_place));
        if (gap->locals == NULL || gap->places == NULL)
            return NULL;
    }
    return between->places != NULL ? between : NULL;
}

/* --- places ------------------------------------------------------------------------------ */

static void place(joint_place *places, int32_t parent, uint32_t joint, mrwi_quatd rotation,
                  mrwi_vec3d translation, mrwi_vec3d scale)
{
    joint_place *at = &places[joint];
    at->axes = mrwi_mat33d_from_quatd(rotation);
    at->origin = translation;
    for (int row = 0; row < 3; row++) {
        at->axes.m[row][0] *= scale.x;
        at->axes.m[row][1] *= scale.y;
        at->axes.m[row][2] *= scale.z;
    }
    if (parent < 0)
        return;
    const joint_place *above = &places[parent];
    at->origin = mrwi_vec3d_add(above->origin, mrwi_mat33d_transform(&above->axes, translation));
    at->axes = mrwi_mat33d_product(&above->axes, &at->axes);
}

/* In tolerances. */
static double error_of(const mrwi_joint_plan *joint, const joint_place *a, const joint_place *b)
{
    const mrwi_vec3d off = mrwi_vec3d_sub(b->origin, a->origin);
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const mrwi_vec3d turned =
            mrwi_vec3d_sub(mrwi_mat33d_column(&b->axes, axis), mrwi_mat33d_column(&a->axes, axis));
        const mrwi_vec3d point = mrwi_vec3d_add(off, mrwi_vec3d_scale(turned, joint->shell));
        const double square = mrwi_vec3d_dot(point, point);
        largest = square > largest ? square : largest;
    }
    return mrwi_sqrt_double(largest) * joint->per_tolerance;
}

/* --- the source -------------------------------------------------------------------------- */

static void place_source(mrwi_between *between, const sample_gap *gap, uint32_t k)
{
    const mrwi_motion_plan *plan = between->plan;
    const size_t first = (size_t)k * plan->joint_count;
    for (uint32_t j = 0; j < plan->joint_count; j++) {
        const mrw_transform local = mrw_pose_joint(&between->pose, j);
        gap->locals[first + j] = local;
        place(gap->places + first, plan->joints[j].parent, j, mrwi_quatd_from(local.rotation),
              mrwi_vec3d_from(local.translation), mrwi_vec3d_from(local.scale));
    }
}

static void begin_gap(mrwi_between *between, sample_gap *gap, uint32_t from, const int32_t *other,
                      double share)
{
    const mrwi_motion_samples *samples = between->plan->samples;
    gap->time_count = 0;
    gap->other = other;
    if (other == NULL)
        return;
    const double from_s = mrwi_motion_time(samples, from);
    const double to_s = mrwi_motion_time(samples, from + 1);
    for (uint32_t k = 0; k < TIMES; k++) {
        const double at = k + 1 < EIGHTHS ? (k + 1.0) / EIGHTHS : share;
        mrw_sample_job job = mrw_sample_job_default();
        job.clip = between->source;
        job.skeleton = between->skeleton;
        job.time_s = from_s + (to_s - from_s) * at;
        job.out_pose = &between->pose;
        if (job.time_s > (double)between->source->duration_s)
            continue;
        mrw_sample(&job); /* checked when the samples were taken */
        place_source(between, gap, gap->time_count);
        gap->shares[gap->time_count++] = at;
    }
}

void mrwi_between_begin(mrwi_between *between, uint32_t sample, const int32_t *const neighbours[2],
                        const double shares[2])
{
    begin_gap(between, &between->gaps[0], sample - 1, neighbours[0], shares[0]);
    begin_gap(between, &between->gaps[1], sample, neighbours[1], shares[1]);
}

/* --- the numbers ------------------------------------------------------------------------- */

static mrwi_vec3d vector_of(const mrwi_steps *steps, const uint32_t channels[3],
                            const int32_t *numbers)
{
    return (mrwi_vec3d){numbers[channels[0]] * steps->sizes[channels[0]],
                        numbers[channels[1]] * steps->sizes[channels[1]],
                        numbers[channels[2]] * steps->sizes[channels[2]]};
}

/* A share of the way along the shorter arc: exactly for a half, nearly for a short one. */
static mrwi_quatd on_the_way(mrwi_quatd a, mrwi_quatd b, double share)
{
    const double to = mrwi_quatd_dot(a, b) < 0.0 ? -share : share, from = 1.0 - share;
    return mrwi_quatd_normalize((mrwi_quatd){from * a.x + to * b.x, from * a.y + to * b.y,
                                             from * a.z + to * b.z, from * a.w + to * b.w});
}

/* At all times of the gap: the middles of middles, and what lies between them. */
static void turn(const sample_gap *gap, const mrwi_chart *chart, mrwi_vec3d from, mrwi_vec3d to,
                 mrwi_quatd out_rotations[TIMES])
{
    mrwi_quatd at[EIGHTHS + 1];
    at[0] = mrwi_chart_rotation(chart, from);
    at[EIGHTHS] = mrwi_chart_rotation(chart, to);
    for (uint32_t apart = EIGHTHS / 2; apart > 0; apart /= 2)
        for (uint32_t i = apart; i < EIGHTHS; i += 2 * apart)
            at[i] = on_the_way(at[i - apart], at[i + apart], 0.5);
    for (uint32_t k = 0; k < gap->time_count; k++) {
        const double position = gap->shares[k] * EIGHTHS;
        const uint32_t before = position < EIGHTHS - 1.0 ? (uint32_t)position : EIGHTHS - 1;
        out_rotations[k] = on_the_way(at[before], at[before + 1], position - before);
    }
}

/* A vector part of a joint at a time, `share` of the way. */
static mrwi_vec3d vector_at(const mrwi_between *between, mrwi_part part, mrw_vec3 constant,
                            mrw_vec3 given, const uint32_t channels[3],
                            const int32_t *const numbers[2], double share)
{
    if (part != MRWI_PART_PACKED)
        return mrwi_vec3d_from(part == MRWI_PART_GIVEN ? given : constant);
    const mrwi_vec3d from = vector_of(between->steps, channels, numbers[0]);
    const mrwi_vec3d to = vector_of(between->steps, channels, numbers[1]);
    return mrwi_vec3d_add(
        mrwi_vec3d_from(constant),
        mrwi_vec3d_add(mrwi_vec3d_scale(from, 1.0 - share), mrwi_vec3d_scale(to, share)));
}

/* Places a joint at all times of a gap. */
static void place_at_all(mrwi_between *between, const sample_gap *gap, uint32_t j,
                         const int32_t *const numbers[2])
{
    const mrwi_motion_plan *plan = between->plan;
    const mrwi_joint_plan *joint = &plan->joints[j];
    mrwi_quatd rotations[TIMES];
    if (joint->rotation == MRWI_PART_PACKED)
        turn(gap, &joint->chart, vector_of(between->steps, joint->rotation_channels, numbers[0]),
             vector_of(between->steps, joint->rotation_channels, numbers[1]), rotations);
    for (uint32_t k = 0; k < gap->time_count; k++) {
        const mrw_transform *local = &gap->locals[(size_t)k * plan->joint_count + j];
        const double share = gap->shares[k];
        const mrwi_quatd rotation = joint->rotation == MRWI_PART_PACKED ? rotations[k]
                                    : joint->rotation == MRWI_PART_GIVEN
                                        ? mrwi_quatd_from(local->rotation)
                                        : mrwi_quatd_from(joint->constant.rotation);
        place(between->places + (size_t)k * plan->joint_count, joint->parent, j, rotation,
              vector_at(between, joint->translation, joint->constant.translation,
                        local->translation, joint->translation_channels, numbers, share),
              vector_at(between, joint->scale, joint->constant.scale, local->scale,
                        joint->scale_channels, numbers, share));
    }
}

void mrwi_between_allow(mrwi_between *between, uint64_t joint_count)
{
    between->allowed = joint_count;
}

double mrwi_between_beyond(mrwi_between *between, const int32_t *numbers, double limit,
                           double for_being_off, double most, uint32_t *out_first)
{
    const mrwi_motion_plan *plan = between->plan;
    uint32_t first = plan->joint_count;
    double sum = 0.0;
    if (between->allowed < 2 * (uint64_t)plan->joint_count) {
        between->allowed = 0;
        sum = most;
        first = 0;
    }
    for (int side = 0; side < 2 && sum < most; side++) {
        const sample_gap *gap = &between->gaps[side];
        const int32_t *const ends[2] = {side == 0 ? gap->other : numbers,
                                        side == 0 ? numbers : gap->other};
        for (uint32_t j = 0; j < plan->joint_count && gap->time_count > 0 && sum < most; j++) {
            place_at_all(between, gap, j, ends);
            between->allowed--;
            for (uint32_t k = 0; k < gap->time_count; k++) {
                const size_t at = (size_t)k * plan->joint_count + j;
                const double error =
                    error_of(&plan->joints[j], &gap->places[at], &between->places[at]);
                if (error > limit) {
                    sum += (error - limit) * (error - limit) + for_being_off;
                    first = j < first ? j : first;
                }
            }
        }
    }
    if (out_first != NULL)
        *out_first = first;
    return sum;
}
