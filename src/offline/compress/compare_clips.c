#include <marrow/offline/compress.h>

#include "base/error.h"
#include "offline/compress/clip_comparison.h"
#include "offline/compress/clip_measure.h"
#include "offline/compress/percentile.h"
#include "offline/compress/shell_units.h"

#include <stdlib.h>
#include <string.h>

struct mrwi_comparison_owner {
    mrwi_arena arena;
};

typedef struct comparer {
    const mrw_skeleton *skeleton;
    const mrw_clip *clips[2];
    const mrw_compare_options *options;
    mrwi_arena *arena; /* of the result */
    mrwi_arena scratch;
    mrw_comparison *result;
    double *times;
    uint32_t time_count;
    float *errors;
    mrw_error *out_error;
} comparer;

/* --- times ------------------------------------------------------------------------------- */

static double longer_duration(const comparer *c)
{
    double a = (double)c->clips[0]->duration_s, b = (double)c->clips[1]->duration_s;
    return a > b ? a : b;
}

static bool jumps(const mrw_track *track)
{
    return track->interpolation == MRW_INTERPOLATION_STEP && track->key_count > 1;
}

/* Times of a clip itself: of its keys and of its samples, and those just before it jumps, where
 * what has grown since the sample before is at its largest. */
static uint64_t own_time_count(const mrw_clip *clip)
{
    uint64_t count = (uint64_t)clip->time_count + clip->packed.sample_count;
    for (uint32_t i = 0; i < clip->track_count; i++)
        if (jumps(&clip->tracks[i]))
            count += clip->tracks[i].key_count;
    return count;
}

/* Of two times: a microsecond, or what single precision tells apart. */
static double least_distance(double time)
{
    return 1e-6 + 1.2e-7 * time;
}

/* Apart from `time`, and as near before it as may be. */
static double just_before(double time)
{
    const double before = time - 2.5 * least_distance(time);
    return before > 0.0 ? before : 0.0;
}

static size_t put_own_times(const mrw_clip *clip, double *times)
{
    size_t count = 0;
    for (uint32_t i = 0; i < clip->time_count; i++)
        times[count++] = (double)clip->times[i];
    for (uint32_t i = 0; i < clip->packed.sample_count && clip->packed.times == NULL; i++)
        times[count++] = i / clip->packed.samples_per_second;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const mrw_track *track = &clip->tracks[i];
        for (uint32_t k = 1; k < track->key_count && jumps(track); k++)
            times[count++] = just_before((double)clip->times[track->times_offset + k]);
    }
    return count;
}

static int compare_times(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Ascending, and without those that are one: the same key at two rates. */
static size_t sort_times(double *times, size_t count, double end)
{
    size_t kept = 0;
    qsort(times, count, sizeof(*times), compare_times);
    for (size_t i = 0; i < count; i++) {
        double time = times[i] < end ? times[i] : end;
        if (kept == 0 || time - times[kept - 1] > least_distance(time))
            times[kept++] = time;
    }
    return kept;
}

/* Times to measure at, before those between. */
static mrw_status list_times(comparer *c, double **out_times, size_t *out_count)
{
    const double end = longer_duration(c);
    const double rate = c->options->samples_per_second;
    uint64_t count = own_time_count(c->clips[0]) + own_time_count(c->clips[1]) + 3;
    if (rate > 0.0)
        count = end * rate < 1e9 ? (uint64_t)(end * rate) + 2 : UINT64_MAX;
    double *times =
        count < SIZE_MAX ? mrwi_arena_alloc(&c->scratch, (size_t)count, sizeof(double)) : NULL;
    if (times == NULL)
        return mrwi_arena_fail(&c->scratch, c->out_error, "times");
    size_t used = 0;
    if (rate > 0.0) {
        for (; used + 1 < count; used++)
            times[used] = (double)used / rate;
    } else {
        used = put_own_times(c->clips[0], times);
        used += put_own_times(c->clips[1], times + used);
        times[used++] = 0.0;
        times[used++] = just_before(end); /* the last key may come earlier by a rounding */
    }
    times[used++] = end;
    *out_count = sort_times(times, used, end);
    *out_times = times;
    return MRW_OK;
}

static mrw_status fill_times(comparer *c)
{
    double *times = NULL;
    size_t count = 0;
    mrw_status status = list_times(c, &times, &count);
    if (status != MRW_OK)
        return status;
    const uint32_t between = c->options->between;
    uint64_t all = (count - 1) * ((uint64_t)between + 1) + 1;
    uint64_t places = all * c->skeleton->joint_count;
    if (all > UINT32_MAX || places > SIZE_MAX)
        return mrwi_fail(c->out_error, MRW_ERR_LIMIT, "times", "too many times to measure at");
    c->times = mrwi_arena_alloc(c->arena, (size_t)all, sizeof(double));
    c->errors = mrwi_arena_alloc(c->arena, (size_t)places, sizeof(float));
    if (c->times == NULL || c->errors == NULL)
        return mrwi_arena_fail(c->arena, c->out_error, "times");
    for (size_t i = 0; i < count; i++) {
        c->times[c->time_count++] = times[i];
        for (uint32_t k = 1; k <= between && i + 1 < count; k++)
            c->times[c->time_count++] =
                times[i] + (times[i + 1] - times[i]) * k / ((double)between + 1);
    }
    return MRW_OK;
}

/* --- errors ------------------------------------------------------------------------------ */

static void compare_scalars(comparer *c, const mrw_pose *a, const mrw_pose *b)
{
    for (uint32_t i = 0; i < c->skeleton->scalar_count; i++) {
        double off = (double)b->scalars[i] - (double)a->scalars[i];
        off = off < 0.0 ? -off : off;
        if (off > c->result->scalar_largest) {
            c->result->scalar_largest = off;
            c->result->scalar_largest_index = i;
        }
    }
}

static mrw_status measure_all(comparer *c)
{
    const uint32_t joints = c->skeleton->joint_count;
    double *shells = mrwi_arena_alloc(&c->scratch, joints, sizeof(double)); /* units, then radii */
    double *rows =
        mrwi_arena_alloc(&c->scratch, (size_t)MRWI_MEASURE_LANES * joints, sizeof(double));
    if (shells == NULL || rows == NULL)
        return mrwi_arena_fail(&c->scratch, c->out_error, "joints");
    const double unit = c->options->metres_per_unit;
    mrwi_shell_units(c->skeleton, unit, shells);
    for (uint32_t j = 0; j < joints; j++)
        shells[j] = (c->options->joint_shells_m != NULL ? (double)c->options->joint_shells_m[j]
                                                        : c->options->shell_m) /
                    shells[j];
    mrwi_clip_measure measure;
    mrw_status status = mrwi_clip_measure_init(&measure, c->skeleton, c->clips[0], c->clips[1],
                                               shells, &c->scratch, c->out_error);
    for (uint32_t i = 0; i < c->time_count && status == MRW_OK; i += MRWI_MEASURE_LANES) {
        const uint32_t left = c->time_count - i;
        const uint32_t count = left < MRWI_MEASURE_LANES ? left : (uint32_t)MRWI_MEASURE_LANES;
        mrwi_clip_measure_at(&measure, &c->times[i], count, rows);
        for (size_t k = 0; k < (size_t)count * joints; k++)
            c->errors[(size_t)i * joints + k] = (float)(rows[k] * unit);
        for (uint32_t lane = 0; lane < count; lane++)
            compare_scalars(c, &measure.poses[0][lane], &measure.poses[1][lane]);
    }
    return status;
}

/* --- what they come to ------------------------------------------------------------------- */

static void set_percentiles(mrw_error_stats *stats, const float *errors, size_t count, size_t *bins)
{
    double squares = 0.0;
    for (size_t i = 0; i < count; i++)
        squares += (double)errors[i] * (double)errors[i];
    stats->p99 = mrwi_percentile(errors, count, 0.99, bins);
    stats->p50 = mrwi_percentile(errors, count, 0.5, bins);
    stats->rms = __builtin_sqrt(squares / (double)count);
}

static void note_largest(mrw_error_stats *stats, double error, double time_s, uint32_t joint)
{
    if (error <= stats->largest && stats->largest_joint == joint)
        return;
    stats->largest = error;
    stats->largest_time_s = time_s;
    stats->largest_joint = joint;
}

static mrw_status note_all_largest(comparer *c)
{
    const uint32_t joints = c->skeleton->joint_count;
    mrw_error_stats *stats = mrwi_arena_alloc(c->arena, joints, sizeof(*stats));
    if (stats == NULL)
        return mrwi_arena_fail(c->arena, c->out_error, "joints");
    for (uint32_t j = 0; j < joints; j++)
        stats[j].largest_joint = UINT32_MAX;
    for (uint32_t i = 0; i < c->time_count; i++)
        for (uint32_t j = 0; j < joints; j++)
            note_largest(&stats[j], (double)c->errors[(size_t)i * joints + j], c->times[i], j);
    for (uint32_t j = 0; j < joints; j++)
        if (j == 0 || stats[j].largest > c->result->all.largest)
            c->result->all = stats[j];
    c->result->joints = stats;
    return MRW_OK;
}

static mrw_status rank_joints(comparer *c)
{
    const uint32_t joints = c->skeleton->joint_count;
    float *column = mrwi_arena_alloc(&c->scratch, c->time_count, sizeof(float));
    size_t *bins = mrwi_arena_alloc(&c->scratch, MRWI_PERCENTILE_BINS, sizeof(*bins));
    if (column == NULL || bins == NULL)
        return mrwi_arena_fail(&c->scratch, c->out_error, "joints");
    for (uint32_t j = 0; j < joints; j++) {
        for (uint32_t i = 0; i < c->time_count; i++)
            column[i] = c->errors[(size_t)i * joints + j];
        set_percentiles(&c->result->joints[j], column, c->time_count, bins);
    }
    return MRW_OK;
}

mrw_status mrwi_comparison_rank_all(mrw_comparison *comparison, mrw_error *out_error)
{
    const size_t count = (size_t)comparison->time_count * comparison->joint_count;
    mrw_status status = MRW_OK;
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, &comparison->owner->arena);
    size_t *bins = mrwi_arena_alloc(&scratch, MRWI_PERCENTILE_BINS, sizeof(*bins));
    if (bins == NULL)
        status = mrwi_arena_fail(&scratch, out_error, "joints");
    else if (count > 0)
        set_percentiles(&comparison->all, comparison->errors_m, count, bins);
    mrwi_arena_free(&scratch);
    return status;
}

/* --- the call ---------------------------------------------------------------------------- */

static mrw_status check(const mrw_skeleton *skeleton, const mrw_clip *a, const mrw_clip *b,
                        const mrw_compare_options *options, mrw_error *out_error)
{
    if (skeleton == NULL || a == NULL || b == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            skeleton == NULL ? "skeleton" : "clip");
    if (options->struct_size != sizeof(*options))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (!(options->metres_per_unit > 0.0) || !(options->shell_m >= 0.0) ||
        !(options->samples_per_second >= 0.0) || options->between > 64)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "options",
                         "metres_per_unit is above 0, shell_m and samples_per_second are not "
                         "below, between is at most 64");
    return MRW_OK;
}

static mrw_status compare(comparer *c, bool are_joints_ranked)
{
    mrw_status status = fill_times(c);
    if (status == MRW_OK)
        status = measure_all(c);
    if (status == MRW_OK)
        status = note_all_largest(c);
    if (status == MRW_OK && are_joints_ranked)
        status = rank_joints(c);
    return status;
}

static mrw_status make_comparison(const mrw_skeleton *skeleton, const mrw_clip *a,
                                  const mrw_clip *b, const mrw_compare_options *options,
                                  bool are_joints_ranked, mrw_comparison **out_comparison,
                                  mrw_error *out_error)
{
    mrwi_arena first;
    mrwi_arena_init(&first, &options->memory);
    mrw_comparison *result = mrwi_arena_alloc(&first, 1, sizeof(*result));
    struct mrwi_comparison_owner *owner = mrwi_arena_alloc(&first, 1, sizeof(*owner));
    *out_comparison = NULL;
    if (result == NULL || owner == NULL) {
        mrw_status status = mrwi_arena_fail(&first, out_error, "comparison");
        mrwi_arena_free(&first);
        return status;
    }
    owner->arena = first;
    comparer c = {.skeleton = skeleton,
                  .clips = {a, b},
                  .options = options,
                  .arena = &owner->arena,
                  .result = result,
                  .out_error = out_error};
    mrwi_arena_init_scratch(&c.scratch, &owner->arena);
    mrw_status status = compare(&c, are_joints_ranked);
    mrwi_arena_free(&c.scratch);
    result->joint_count = skeleton->joint_count;
    result->time_count = c.time_count;
    result->times_s = c.times;
    result->errors_m = c.errors;
    result->owner = owner;
    if (status == MRW_OK)
        *out_comparison = result;
    else
        mrw_comparison_free(result);
    return status;
}

mrw_status mrwi_compare_largest(const mrw_skeleton *skeleton, const mrw_clip *a, const mrw_clip *b,
                                const mrw_compare_options *options, mrw_comparison **out_comparison,
                                mrw_error *out_error)
{
    return make_comparison(skeleton, a, b, options, false, out_comparison, out_error);
}

mrw_status mrw_compare_clips(const mrw_skeleton *skeleton, const mrw_clip *a, const mrw_clip *b,
                             const mrw_compare_options *options, mrw_comparison **out_comparison,
                             mrw_error *out_error)
{
    const mrw_compare_options defaults = mrw_compare_options_default();
    if (out_comparison == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_comparison");
    *out_comparison = NULL;
    options = options != NULL ? options : &defaults;
    mrw_status status = check(skeleton, a, b, options, out_error);
    if (status == MRW_OK)
        status = make_comparison(skeleton, a, b, options, true, out_comparison, out_error);
    if (status != MRW_OK)
        return status;
    status = mrwi_comparison_rank_all(*out_comparison, out_error);
    if (status != MRW_OK) {
        mrw_comparison_free(*out_comparison);
        *out_comparison = NULL;
    }
    return status;
}

void mrw_comparison_free(mrw_comparison *comparison)
{
    if (comparison == NULL)
        return;
    mrwi_arena arena = comparison->owner->arena; /* it lies in what it frees */
    mrwi_arena_free(&arena);
}
