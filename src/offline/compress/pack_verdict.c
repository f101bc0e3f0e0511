#include "offline/compress/pack_verdict.h"

#include "base/error.h"
#include "offline/compress/clip_comparison.h"
#include "offline/compress/clip_measure.h"
#include "offline/compress/clip_turning.h"
#include "offline/compress/pack_try.h"
#include "offline/compress/percentile.h"

#include <string.h>

enum {
    BETWEEN = 4,      /* times that are measured between two samples */
    BETWEEN_FAST = 2, /* where time counts for more than the last byte */
    AROUND_PEAK = 7,  /* times more between each two of these, where an error has its peak */
    MOST_PARTS = 64,  /* of the time between two samples, where joints turn quickly */
    MOST_MENDED = 40, /* places between samples, at once */
    FEW_PLACES = 6    /* of them, however short the clip */
};

/* In tolerances: peaks above it are looked at. */
#define HIGH_PEAK 0.85

/* In radians: so far joints may turn from one time that is measured to the next. */
#define PART_TURN 0.2

#define WEIGHT_MARGIN 1.05
#define LEAST_OWN 0.15
#define SHELL_MARGIN 1.4
#define MOST_SHELL_RAISE 4.0
#define MOST_BY_WEIGHT 1.5

static uint32_t between_of(const mrwi_pack_job *job)
{
    return job->options->effort == MRW_PACK_FAST ? BETWEEN_FAST : BETWEEN;
}

/* *out_packed: a view of job->best. */
static mrw_status compare_try(mrwi_pack_job *job, mrw_clip *out_packed,
                              mrw_comparison **out_comparison)
{
    mrw_status status =
        mrw_clip_open(job->best.data, job->best.size_bytes, out_packed, job->out_error);
    if (status != MRW_OK)
        return status;
    mrw_compare_options options = mrw_compare_options_default();
    options.memory = job->options->memory;
    options.metres_per_unit = job->options->metres_per_unit;
    options.shell_m = job->options->shell_m;
    options.joint_shells_m = job->options->joint_shells_m;
    options.between = job->options->target == MRW_PACK_P99 ? 0 : between_of(job);
    return mrwi_compare_largest(job->skeleton, job->source, out_packed, &options, out_comparison,
                                job->out_error);
}

/* In tolerances. */
static double error_at(const mrwi_pack_job *job, const mrw_comparison *comparison, uint32_t time,
                       uint32_t joint)
{
    const float error = comparison->errors_m[(size_t)time * comparison->joint_count + joint];
    return (double)error / (job->options->metres_per_unit * job->tolerances[joint]);
}

/* --- peaks ------------------------------------------------------------------------------- */

/* Errors of all joints at one of the times of a comparison, in tolerances: where one is larger than
 * those before and behind, the largest in between, which is measured. */
typedef struct peak_finder {
    const mrwi_pack_job *job;
    const mrw_comparison *comparison;
    mrwi_arena scratch;
    mrwi_clip_measure measure;
    double *rows;                   /* [MRWI_MEASURE_LANES][joint_count] scratch */
    double *peaks;                  /* [joint_count] of a time */
    double largest, largest_time_s; /* of these */
} peak_finder;

static mrw_status peak_finder_init(peak_finder *finder, mrwi_pack_job *job, const mrw_clip *packed,
                                   const mrw_comparison *comparison)
{
    const uint32_t joints = comparison->joint_count;
    *finder = (peak_finder){.job = job, .comparison = comparison};
    mrwi_arena_init_scratch(&finder->scratch, &job->arena);
    finder->rows =
        mrwi_arena_alloc(&finder->scratch, (size_t)MRWI_MEASURE_LANES * joints, sizeof(double));
    finder->peaks = mrwi_arena_alloc(&finder->scratch, joints, sizeof(double));
    if (finder->rows == NULL || finder->peaks == NULL)
        return mrwi_arena_fail(&finder->scratch, job->out_error, "joints");
    return mrwi_clip_measure_init(&finder->measure, job->skeleton, job->source, packed, job->shells,
                                  &finder->scratch, job->out_error);
}

static void peak_finder_free(peak_finder *finder)
{
    mrwi_arena_free(&finder->scratch);
}

static bool has_peak(const peak_finder *finder, uint32_t time, uint32_t joint)
{
    const double error = finder->peaks[joint];
    return error > HIGH_PEAK &&
           error_at(finder->job, finder->comparison, time - 1, joint) <= error &&
           error_at(finder->job, finder->comparison, time + 1, joint) <= error;
}

static void note_peak(peak_finder *finder, uint32_t joint, double error, double time_s)
{
    if (error > finder->peaks[joint])
        finder->peaks[joint] = error;
    if (error > finder->largest) {
        finder->largest = error;
        finder->largest_time_s = time_s;
    }
}

/* At so many times between two of the comparison's. */
static void measure_between(peak_finder *finder, double from_s, double to_s, uint32_t time_count)
{
    const uint32_t joints = finder->comparison->joint_count;
    for (uint32_t i = 1; i <= time_count; i += MRWI_MEASURE_LANES) {
        double times_s[MRWI_MEASURE_LANES];
        uint32_t count = 0;
        for (; count < MRWI_MEASURE_LANES && i + count <= time_count; count++)
            times_s[count] = from_s + (to_s - from_s) * (i + count) / (time_count + 1.0);
        mrwi_clip_measure_at(&finder->measure, times_s, count, finder->rows);
        for (uint32_t k = 0; k < count * joints; k++)
            note_peak(finder, k % joints, finder->rows[k] / finder->job->tolerances[k % joints],
                      times_s[k / joints]);
    }
}

/* Fills the peaks of a time; returns the largest. */
static double peaks_at(peak_finder *finder, uint32_t time)
{
    const mrw_comparison *comparison = finder->comparison;
    const uint32_t joints = comparison->joint_count;
    const bool is_between = time % (between_of(finder->job) + 1) != 0; /* else there is a corner */
    bool any = false;
    finder->largest = 0.0;
    for (uint32_t j = 0; j < joints; j++) {
        finder->peaks[j] = 0.0;
        note_peak(finder, j, error_at(finder->job, comparison, time, j), comparison->times_s[time]);
        any |= is_between && has_peak(finder, time, j);
    }
    if (any) {
        const double *times_s = comparison->times_s;
        measure_between(finder, times_s[time - 1], times_s[time], AROUND_PEAK);
        measure_between(finder, times_s[time], times_s[time + 1], AROUND_PEAK);
    }
    return finder->largest;
}

/* Fills the peaks between a sample and the next, whose joints turn by so much; returns the
 * largest. */
static double peaks_of_turn(peak_finder *finder, uint32_t time, double angle)
{
    const double *times_s = finder->comparison->times_s;
    const uint32_t step = between_of(finder->job) + 1;
    const double parts = angle / PART_TURN;
    finder->largest = 0.0;
    for (uint32_t j = 0; j < finder->comparison->joint_count; j++)
        finder->peaks[j] = 0.0;
    if (parts > step)
        measure_between(finder, times_s[time], times_s[time + step],
                        parts < MOST_PARTS ? (uint32_t)parts : MOST_PARTS);
    return finder->largest;
}

/* --- what errors count for --------------------------------------------------------------- */

/* Raises what errors count for at both samples around a time that is off, so that those there
 * become smaller by as much as the time is off: several times may ask for it, the largest wins. */
static void raise_weights(mrwi_pack_job *job, const mrw_comparison *comparison, const double *peaks,
                          uint32_t time)
{
    const uint32_t joints = comparison->joint_count;
    const uint32_t last = (uint32_t)(job->weight_count / joints) - 1;
    const uint32_t from =
        mrwi_pack_source_sample_at(&job->tracks, job->rate, comparison->times_s[time]);
    const uint32_t step = between_of(job) + 1, ahead = time / step * step;
    const uint32_t end = comparison->time_count - 1;
    for (uint32_t j = 0; j < joints; j++) {
        const double error = peaks[j];
        for (uint32_t s = from; error > MRWI_LARGEST_KEPT && s <= from + 1 && s <= last; s++) {
            const uint32_t at_sample = s == from ? ahead : ahead + step;
            const double own = error_at(job, comparison, at_sample < end ? at_sample : end, j);
            const size_t at = (size_t)s * joints + j;
            const double raised = WEIGHT_MARGIN * error *
                                  (own < LEAST_OWN ? 1.0 / LEAST_OWN
                                   : own > 1.0     ? 1.0
                                                   : 1.0 / own);
            const float next = (float)(raised > (double)job->weights[at] * WEIGHT_MARGIN
                                           ? raised
                                           : (double)job->weights[at] * WEIGHT_MARGIN);
            if (job->next_weights[at] < next)
                job->next_weights[at] = next;
        }
    }
}

/* Whether a joint is off though its parent is not. */
static bool is_at_fault(const mrwi_pack_job *job, const mrw_comparison *comparison, uint32_t j)
{
    const double unit = job->options->metres_per_unit;
    const int32_t parent = job->skeleton->parents[j];
    return comparison->joints[j].largest > job->tolerances[j] * unit &&
           (parent < 0 || comparison->joints[parent].largest <= job->tolerances[parent] * unit);
}

/* Between two rotations that are nearly half a turn apart, the way is not the source's unless both
 * are far nearer to it than the tolerance asks for. A joint that has such gets finer turns by a
 * larger shell, which costs a few bits. */
static void raise_shells(mrwi_pack_job *job, const mrw_comparison *comparison)
{
    for (uint32_t j = 0; j < comparison->joint_count; j++) {
        if (!is_at_fault(job, comparison, j))
            continue;
        const double ratio =
            comparison->joints[j].largest / (job->options->metres_per_unit * job->tolerances[j]);
        if (ratio > MRWI_MOST_BY_CHANCE) {
            job->plan_shells[j] *=
                ratio < MOST_SHELL_RAISE ? SHELL_MARGIN * ratio : MOST_SHELL_RAISE;
            job->is_work_stale = true;
        }
    }
}

/* Of several times between two samples, the last. */
static void note_off(mrwi_pack_job *job, double time_s)
{
    const mrwi_motion_samples *samples = &job->work.samples;
    const uint32_t from = mrwi_pack_source_sample_at(&job->tracks, job->rate, time_s);
    const double from_s = mrwi_motion_time(samples, from);
    const double to_s =
        mrwi_motion_time(samples, from + 1 < samples->sample_count ? from + 1 : from);
    float share = to_s > from_s ? (float)((time_s - from_s) / (to_s - from_s)) : 0.0f;
    share = share > 0.0f ? share : 0.0f;
    job->off_count += job->off_shares[from] < 0.0f;
    job->off_shares[from] = share < 1.0f ? share : 1.0f;
}

static void judge_peaks(mrwi_pack_job *job, const peak_finder *finder, uint32_t time,
                        double largest, mrwi_pack_verdict *out)
{
    out->ratio = largest > out->ratio ? largest : out->ratio;
    out->off_count += largest > MRWI_LARGEST_KEPT;
    if (largest > MRWI_LARGEST_KEPT) {
        note_off(job, finder->largest_time_s);
        raise_weights(job, finder->comparison, finder->peaks, time);
    }
}

/* Whether some rotation turns about between two times as if it had not. */
static bool has_whirls(const mrwi_pack_job *job)
{
    bool any = false;
    for (uint32_t i = 0; i < job->source->track_count; i++)
        any |= job->tracks.whirls[i];
    return any;
}

/* Where joints turn quickly, more often: errors turn with them, and grow and shrink between the
 * times of the comparison. */
static mrw_status judge_turns(mrwi_pack_job *job, peak_finder *finder, mrwi_pack_verdict *out)
{
    const uint32_t step = between_of(job) + 1;
    const mrw_comparison *comparison = finder->comparison;
    const bool whirls = has_whirls(job);
    mrwi_clip_turning turning;
    mrw_status status = mrwi_clip_turning_init(&turning, job->skeleton, job->source,
                                               &finder->scratch, job->out_error);
    for (uint32_t i = 0; i + step < comparison->time_count && status == MRW_OK; i += step) {
        const double turned = mrwi_clip_turning_to(&turning, comparison->times_s[i + step]);
        const double angle = whirls ? MOST_PARTS * PART_TURN : turned;
        judge_peaks(job, finder, i + 1, peaks_of_turn(finder, i, angle), out);
    }
    return status;
}

/* The largest peak of all times, and what is to be done where one is beyond the bound. */
static mrw_status judge_largest(mrwi_pack_job *job, const mrw_clip *packed,
                                const mrw_comparison *comparison, mrwi_pack_verdict *out)
{
    peak_finder finder;
    mrw_status status = peak_finder_init(&finder, job, packed, comparison);
    for (uint32_t i = 0; i < job->work.samples.sample_count; i++)
        job->off_shares[i] = -1.0f;
    job->off_count = 0;
    for (uint32_t i = 0; i < comparison->time_count && status == MRW_OK; i++)
        judge_peaks(job, &finder, i, peaks_at(&finder, i), out);
    if (status == MRW_OK && out->ratio <= MRWI_LARGEST_KEPT)
        status = judge_turns(job, &finder, out);
    peak_finder_free(&finder);
    return status;
}

/* Of errors, each in tolerances of its joint. */
static mrw_status judge_p99(mrwi_pack_job *job, const mrw_comparison *comparison,
                            mrwi_pack_verdict *out)
{
    const uint32_t joints = comparison->joint_count;
    const size_t count = (size_t)comparison->time_count * joints;
    mrw_status status = MRW_OK;
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, &job->arena);
    float *ratios = mrwi_arena_alloc(&scratch, count, sizeof(*ratios));
    size_t *bins = mrwi_arena_alloc(&scratch, MRWI_PERCENTILE_BINS, sizeof(*bins));
    if (ratios != NULL && bins != NULL) {
        for (uint32_t i = 0; i < comparison->time_count; i++)
            for (uint32_t j = 0; j < joints; j++)
                ratios[(size_t)i * joints + j] = (float)error_at(job, comparison, i, j);
        out->ratio = mrwi_percentile(ratios, count, 0.99, bins);
    } else {
        status = mrwi_arena_fail(&scratch, job->out_error, "joints");
    }
    mrwi_arena_free(&scratch);
    return status;
}

mrw_status mrwi_pack_judge(mrwi_pack_job *job, const mrwi_pack_verdict *last,
                           mrwi_pack_verdict *out)
{
    mrw_clip packed;
    mrw_comparison *comparison = NULL;
    mrw_status status = compare_try(job, &packed, &comparison);
    if (status != MRW_OK)
        return status;
    out->ratio = comparison->scalar_largest / job->options->scalar_tolerance;
    out->time_count = comparison->time_count;
    status = job->options->target == MRW_PACK_LARGEST ? judge_largest(job, &packed, comparison, out)
                                                      : judge_p99(job, comparison, out);
    if (status == MRW_OK && (out->ratio <= 1.0 || job->options->target == MRW_PACK_P99))
        status = mrwi_comparison_rank_all(comparison, job->out_error);
    job->report.error = comparison->all;
    if (job->off_count > MOST_MENDED)
        job->mend_count = MRWI_MOST_MENDS;
    out->are_few = out->off_count > 0 &&
                   (job->off_count <= FEW_PLACES || out->off_count * 50 <= out->time_count);
    if (out->are_few && job->mend_count >= MRWI_MOST_MENDS &&
        (out->ratio > MOST_BY_WEIGHT || (last->are_few && out->ratio > 0.8 * last->ratio)))
        raise_shells(job, comparison);
    if (out->ratio <= MOST_BY_WEIGHT || !out->are_few)
        memcpy(job->weights, job->next_weights, job->weight_count * sizeof(float));
    mrw_comparison_free(comparison);
    return status;
}

mrw_status mrwi_pack_reset_weights(mrwi_pack_job *job, double rate)
{
    const uint32_t samples = mrwi_pack_source_samples(&job->tracks, rate);
    const size_t count = (size_t)job->skeleton->joint_count * samples;
    job->is_work_stale = true;
    mrwi_arena_free(&job->weight_arena);
    mrwi_arena_init_scratch(&job->weight_arena, &job->arena);
    job->weights = mrwi_arena_alloc(&job->weight_arena, count, sizeof(float));
    job->off_shares = mrwi_arena_alloc(&job->weight_arena, samples, sizeof(float));
    job->next_weights = mrwi_arena_alloc(&job->weight_arena, count, sizeof(float));
    if (job->weights == NULL || job->off_shares == NULL || job->next_weights == NULL)
        return mrwi_arena_fail(&job->weight_arena, job->out_error, "samples");
    job->weight_count = count;
    job->rate = rate;
    memcpy(job->plan_shells, job->shells, job->skeleton->joint_count * sizeof(double));
    for (size_t i = 0; i < count; i++)
        job->weights[i] = job->next_weights[i] = 1.0f;
    return MRW_OK;
}

mrw_status mrwi_pack_keep_at_fault(mrwi_pack_job *job, uint32_t *out_count)
{
    static const mrw_track_kind kinds[3] = {MRW_TRACK_ROTATION, MRW_TRACK_TRANSLATION,
                                            MRW_TRACK_SCALE};
    mrw_clip packed;
    mrw_comparison *comparison = NULL;
    mrw_status status = compare_try(job, &packed, &comparison);
    *out_count = 0;
    double largest = 0.0;
    for (uint32_t j = 0; status == MRW_OK && j < comparison->joint_count; j++) {
        const double error =
            comparison->joints[j].largest / (job->options->metres_per_unit * job->tolerances[j]);
        largest = error > largest ? error : largest;
    }
    for (uint32_t j = 0; status == MRW_OK && j < comparison->joint_count; j++) {
        const double unit = job->options->metres_per_unit;
        const double error = comparison->joints[j].largest / (unit * job->tolerances[j]);
        if (!is_at_fault(job, comparison, j) ||
            (largest > MRWI_MOST_BY_CHANCE && error < MRWI_MOST_BY_CHANCE))
            continue;
        uint32_t kept = 0;
        for (int32_t at = (int32_t)j; at >= 0 && kept == 0; at = job->skeleton->parents[at])
            for (int kind = 0; kind < 3; kind++)
                kept += mrwi_pack_source_keep(&job->tracks, kinds[kind], (uint32_t)at);
        job->is_work_stale |= kept > 0;
        *out_count += kept;
    }
    mrw_comparison_free(comparison);
    return status;
}
