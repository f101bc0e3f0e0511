/* Packing a clip:
 *
 *     keys ──▶ samples ──▶ what moves, and what it moves ──▶ numbers ──▶ bits ──▶ measured
 *                joint_plan.c                   motion_packer.c   packed_section.c    │
 *                     ▲                                                               │
 *                     └───── less room for errors, or more samples, if it is off ◀────┘
 *
 * What counts is measured on the bytes, by the functions that ship: at the samples and between
 * them, against the source's own interpolation. What is off is made good where it costs the least:
 *
 *     few times are off       other roundings of the samples around them (weights of errors)
 *     something amplifies it  finer turns of the joint (a larger shell), then less room for all
 *     many times are off      a smaller limit
 *     nothing helps           the tracks at fault stay as keys; or twice as many samples
 */
#include <marrow/offline/compress.h>

#include "base/error.h"
#include "clip/packed_format.h"
#include "offline/build/asset_writer.h"
#include "offline/build/clip_writer.h"
#include "offline/compress/motion_packer.h"
#include "offline/compress/pack_source.h"
#include "offline/compress/packed_section.h"

#include <string.h>

enum {
    TRY_COUNT = 10,   /* at one rate */
    BETWEEN = 4,      /* times that are measured between two samples */
    BETWEEN_FAST = 2, /* where time counts for more than the last byte */
    MOST_PER_SECOND = 1000
};

/* Of the tolerance: what still parts may take of it; what is left where the source moves between
 * the samples otherwise than straight on, for a rate to be worth its tries; and the limit of the
 * first try. */
#define STILL_SHARE 0.15
#define MOST_BETWEEN 0.9
#define FIRST_LIMIT 0.994
#define WEIGHT_MARGIN 1.05
#define LEAST_OWN 0.15
#define SHELL_MARGIN 1.4
#define MOST_SHELL_RAISE 4.0
#define MOST_BY_WEIGHT 1.5
#define MOST_BY_CHANCE 1.08 /* above it, something amplifies what is between samples */

typedef struct packer {
    const mrw_skeleton *skeleton;
    const mrw_clip *source;
    const mrw_pack_options *options;
    mrwi_pack_source tracks;
    double *shells, *tolerances; /* [joint_count] in units of the skeleton */
    double *plan_shells;         /* [joint_count] larger where turns have to be finer */

    /* At the present rate, [sample_count][joint_count]: what errors count for, 1 but where slight
     * ones at two samples become large ones between them. */
    float *weights;
    float *next_weights;
    size_t weight_count;
    mrwi_arena weight_arena;
    uint32_t packed_part_count; /* of the last try */
    mrwi_arena arena;
    mrw_error *out_error;

    mrw_pack_effort effort; /* of the tries */
    bool was_hard;          /* some rate took many tries */
    mrw_bytes best;         /* of the last try */
    mrw_pack_report report;
} packer;

/* --- the options ------------------------------------------------------------------------- */

static mrw_status fail_option(mrw_error *out_error, const char *message)
{
    return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "options", "%s", message);
}

static mrw_status check_joints(const float *values, uint32_t count, bool zero_allowed,
                               mrw_error *out_error)
{
    for (uint32_t i = 0; values != NULL && i < count; i++)
        if (!(zero_allowed ? values[i] >= 0.0f : values[i] > 0.0f) || values[i] > 1e18f)
            return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "options",
                             "joint %u has no usable %s", i, zero_allowed ? "shell" : "tolerance");
    return MRW_OK;
}

static mrw_status check_options(const mrw_skeleton *skeleton, const mrw_pack_options *options,
                                mrw_error *out_error)
{
    if (options->struct_size != sizeof(*options))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (options->effort > MRW_PACK_BEST || options->target > MRW_PACK_P99)
        return fail_option(out_error, "an effort or target that there is not");
    if (!(options->metres_per_unit >= 1e-18) || options->metres_per_unit > 1e18)
        return fail_option(out_error, "metres_per_unit is above 0");
    if (!(options->tolerance_m > 0.0) || !(options->scalar_tolerance > 0.0) ||
        options->tolerance_m > 1e18 || options->scalar_tolerance > 1e18)
        return fail_option(out_error, "tolerances are above 0");
    if (!(options->shell_m >= 0.0) || options->shell_m > 1e18)
        return fail_option(out_error, "shell_m is not below 0");
    const double rate = options->samples_per_second;
    if (rate != 0.0 && !(rate >= 1.0 && rate <= MOST_PER_SECOND))
        return fail_option(out_error, "samples_per_second is 1 to 1000, or 0");
    mrw_status status =
        check_joints(options->joint_tolerances_m, skeleton->joint_count, false, out_error);
    if (status == MRW_OK)
        status = check_joints(options->joint_shells_m, skeleton->joint_count, true, out_error);
    return status;
}

static mrw_status set_joints(packer *p)
{
    const uint32_t count = p->skeleton->joint_count;
    const mrw_pack_options *options = p->options;
    p->shells = mrwi_arena_alloc(&p->arena, count, sizeof(double));
    p->tolerances = mrwi_arena_alloc(&p->arena, count, sizeof(double));
    p->plan_shells = mrwi_arena_alloc(&p->arena, count, sizeof(double));
    if (p->shells == NULL || p->tolerances == NULL || p->plan_shells == NULL)
        return mrwi_arena_fail(&p->arena, p->out_error, "joints");
    for (uint32_t j = 0; j < count; j++) {
        double shell =
            options->joint_shells_m ? (double)options->joint_shells_m[j] : options->shell_m;
        double tolerance = options->joint_tolerances_m ? (double)options->joint_tolerances_m[j]
                                                       : options->tolerance_m;
        p->shells[j] = shell / options->metres_per_unit;
        p->tolerances[j] = tolerance / options->metres_per_unit;
    }
    return MRW_OK;
}

/* --- one try ----------------------------------------------------------------------------- */

static mrw_status alloc_choice(packer *p, mrwi_arena *arena, mrwi_part_choice *out_choice)
{
    const uint32_t joints = p->skeleton->joint_count;
    *out_choice = (mrwi_part_choice){
        mrwi_arena_alloc(arena, joints, 1), mrwi_arena_alloc(arena, joints, 1),
        mrwi_arena_alloc(arena, joints, 1), mrwi_arena_alloc(arena, p->skeleton->scalar_count, 1)};
    if (out_choice->translations == NULL || out_choice->rotations == NULL ||
        out_choice->scales == NULL || out_choice->scalars == NULL)
        return mrwi_arena_fail(arena, p->out_error, "joints");
    return MRW_OK;
}

typedef struct track_list {
    mrw_track_desc *tracks;
    float *values; /* of the constants */
    uint32_t count, value_count;
} track_list;

static const float time_zero = 0.0f;

static void add_constant(track_list *list, mrw_track_kind kind, uint32_t target, const float *value)
{
    const uint32_t width = mrw_track_width(kind);
    float *to = list->values + list->value_count;
    memcpy(to, value, sizeof(float) * width);
    list->value_count += width;
    list->tracks[list->count++] =
        (mrw_track_desc){kind, target, MRW_INTERPOLATION_LINEAR, 1, &time_zero, to};
}

/* A constant that is what the skeleton's rest pose has needs no track. */
static void add_constants(const packer *p, const mrwi_motion_plan *plan,
                          const mrwi_part_choice *choice, track_list *list)
{
    const mrw_skeleton *skeleton = p->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const mrw_transform rest = mrwi_rest_transform(skeleton, j);
        const mrw_transform *value = &plan->joints[j].constant;
        if (choice->translations[j] == MRWI_PART_CONSTANT &&
            memcmp(&rest.translation, &value->translation, sizeof(rest.translation)) != 0)
            add_constant(list, MRW_TRACK_TRANSLATION, j, &value->translation.x);
        if (choice->rotations[j] == MRWI_PART_CONSTANT &&
            memcmp(&rest.rotation, &value->rotation, sizeof(rest.rotation)) != 0)
            add_constant(list, MRW_TRACK_ROTATION, j, &value->rotation.x);
        if (choice->scales[j] == MRWI_PART_CONSTANT &&
            memcmp(&rest.scale, &value->scale, sizeof(rest.scale)) != 0)
            add_constant(list, MRW_TRACK_SCALE, j, &value->scale.x);
    }
    for (uint32_t i = 0; i < skeleton->scalar_count; i++) {
        float value = plan->samples->scalars[i];
        if (choice->scalars[i] == MRWI_PART_CONSTANT && value != skeleton->rest_scalars[i])
            add_constant(list, MRW_TRACK_SCALAR, i, &value);
    }
}

static mrw_status list_tracks(packer *p, const mrwi_motion_plan *plan,
                              const mrwi_part_choice *choice, mrwi_arena *arena,
                              track_list *out_list)
{
    const size_t joints = p->skeleton->joint_count, scalars = p->skeleton->scalar_count;
    *out_list = (track_list){mrwi_arena_alloc(arena, 3 * joints + scalars + p->source->track_count,
                                              sizeof(mrw_track_desc)),
                             mrwi_arena_alloc(arena, 10 * joints + scalars, sizeof(float)), 0, 0};
    if (out_list->tracks == NULL || out_list->values == NULL)
        return mrwi_arena_fail(arena, p->out_error, "tracks");
    add_constants(p, plan, choice, out_list);
    for (uint32_t i = 0; i < p->source->track_count; i++) {
        const mrw_track_desc *track = &p->tracks.tracks[i];
        const uint8_t *places[] = {choice->translations, choice->rotations, choice->scales,
                                   choice->scalars};
        if (places[track->kind][track->target] == MRWI_PART_GIVEN)
            out_list->tracks[out_list->count++] = *track;
    }
    return MRW_OK;
}

/* Leaves the tracks as they are whose numbers no width can say. False if there are none. */
static bool keep_unfit(packer *p, const mrwi_motion_plan *plan, const mrwi_packed_motion *motion)
{
    const uint32_t counts[4] = {plan->rotation_count, plan->translation_count, plan->scale_count,
                                plan->scalar_count};
    static const mrw_track_kind kinds[4] = {MRW_TRACK_ROTATION, MRW_TRACK_TRANSLATION,
                                            MRW_TRACK_SCALE, MRW_TRACK_SCALAR};
    const uint32_t *target = motion->targets;
    uint32_t first = 0;
    bool any = false;
    for (int kind = 0; kind < 4; kind++) {
        const uint32_t components = kind == 3 ? 1 : 3;
        for (uint32_t i = 0; i < counts[kind]; i++, target++)
            for (uint32_t k = 0; k < components; k++)
                if (mrwi_packed_unfit(motion, kind == 3
                                                  ? first + i
                                                  : mrwi_packed_channel(first, counts[kind], i, k)))
                    any |= mrwi_pack_source_keep(&p->tracks, kinds[kind], *target);
        first += components * counts[kind];
    }
    return any;
}

/* The section of the plan's channels. *out_again: it cannot be, but without some tracks it may. */
static mrw_status write_section(packer *p, const mrwi_motion_plan *plan, double limit,
                                mrwi_arena *arena, const uint8_t **out_section,
                                size_t *out_section_bytes, bool *out_again)
{
    const mrwi_packer_options options = {p->effort, p->options->target,
                                         p->options->scalar_tolerance, limit, p->weights};
    p->packed_part_count = plan->rotation_count + plan->translation_count + plan->scale_count;
    mrwi_packed_motion motion;
    bool kept; /* what counts is measured */
    mrw_status status = mrwi_pack_motion(plan, &options, arena, &motion, &kept, p->out_error);
    if (status == MRW_OK)
        status = mrwi_packed_section(&motion, arena, out_section, out_section_bytes, p->out_error);
    else
        return status;
    *out_again = status == MRW_ERR_LIMIT && keep_unfit(p, plan, &motion);
    return status;
}

/* The clip at this rate, with errors of at most `limit` tolerances at the samples. */
static mrw_status write_once(packer *p, double rate, double limit, mrwi_arena *arena,
                             bool *out_again)
{
    mrwi_part_choice choice;
    mrwi_motion_samples samples;
    mrwi_motion_plan plan;
    track_list tracks;
    const uint32_t count = mrwi_pack_source_samples(&p->tracks, rate);
    mrw_status status = alloc_choice(p, arena, &choice);
    if (status == MRW_OK)
        status =
            mrwi_sample_motion(p->skeleton, p->source, rate, count, arena, &samples, p->out_error);
    if (status != MRW_OK)
        return status;
    mrwi_motion_go_beyond_end(&samples, (double)p->source->duration_s);
    mrwi_pack_source_choose(&p->tracks, count, &choice);
    const bool has_keys = p->source->packed.sample_count == 0;
    status = mrwi_plan_motion(p->skeleton, &samples, p->plan_shells, p->tolerances,
                              p->options->scalar_tolerance, STILL_SHARE * limit * limit, has_keys,
                              &choice, arena, &plan, p->out_error);
    if (status != MRW_OK)
        return status;
    const uint8_t *section = NULL;
    size_t section_bytes = 0;
    if (plan.channel_count > 0)
        status = write_section(p, &plan, limit, arena, &section, &section_bytes, out_again);
    if (status == MRW_OK)
        status = list_tracks(p, &plan, &choice, arena, &tracks);
    if (status != MRW_OK)
        return status;
    p->report.sample_count = count;
    p->report.samples_per_second = rate;
    mrw_bytes_free(&p->best);
    return mrwi_write_clip(p->skeleton, p->source->name, tracks.tracks, tracks.count,
                           p->source->duration_s, section, section_bytes, &p->options->memory,
                           &p->best, p->out_error);
}

static mrw_status write_try(packer *p, double rate, double limit)
{
    for (;;) {
        bool again = false;
        mrwi_arena scratch;
        mrwi_arena_init_scratch(&scratch, &p->arena);
        mrw_status status = write_once(p, rate, limit, &scratch, &again);
        mrwi_arena_free(&scratch);
        if (!again)
            return status;
    }
}

/* --- measuring --------------------------------------------------------------------------- */

/* How a try came out, in tolerances. */
typedef struct outcome {
    double limit;                   /* asked for */
    double ratio;                   /* of the largest error, or that of the 99th percentile */
    uint32_t off_count, time_count; /* times beyond the bound; all */
    bool are_few;                   /* these times */
} outcome;

static uint32_t between_of(const packer *p)
{
    return p->options->effort == MRW_PACK_FAST ? BETWEEN_FAST : BETWEEN;
}

static mrw_status compare_try(packer *p, mrw_comparison **out_comparison)
{
    mrw_clip packed;
    mrw_status status = mrw_clip_open(p->best.data, p->best.size_bytes, &packed, p->out_error);
    if (status != MRW_OK)
        return status;
    mrw_compare_options options = mrw_compare_options_default();
    options.memory = p->options->memory;
    options.metres_per_unit = p->options->metres_per_unit;
    options.shell_m = p->options->shell_m;
    options.joint_shells_m = p->options->joint_shells_m;
    options.between = p->options->target == MRW_PACK_P99 ? 0 : between_of(p);
    return mrw_compare_clips(p->skeleton, p->source, &packed, &options, out_comparison,
                             p->out_error);
}

/* In tolerances. */
static double error_at(const packer *p, const mrw_comparison *comparison, uint32_t time,
                       uint32_t joint)
{
    const float error = comparison->errors_m[(size_t)time * comparison->joint_count + joint];
    return (double)error / (p->options->metres_per_unit * p->tolerances[joint]);
}

/* The error that a time stands for: where it is larger than those before and behind, the top of the
 * parabola through the three, which lies between the times that are measured. */
static double peak_at(const packer *p, const mrw_comparison *comparison, uint32_t time,
                      uint32_t joint)
{
    const double error = error_at(p, comparison, time, joint);
    const bool is_between = time % (between_of(p) + 1) != 0; /* else there is a corner */
    if (error < 0.9 || !is_between)
        return error;
    const double before = error_at(p, comparison, time - 1, joint);
    const double behind = error_at(p, comparison, time + 1, joint);
    if (before > error || behind > error || before + behind == 2.0 * error)
        return error;
    return error + (behind - before) * (behind - before) / (8.0 * (2.0 * error - before - behind));
}

/* Raises what errors count for at both samples around a time that is off, so that those there
 * become smaller by as much as the time is off: several times may ask for it, the largest wins. */
static void raise_weights(packer *p, const mrw_comparison *comparison, uint32_t time)
{
    const uint32_t joints = comparison->joint_count, last = p->report.sample_count - 1;
    const double position = comparison->times_s[time] * p->report.samples_per_second;
    const uint32_t from = position < last ? (uint32_t)position : last;
    const uint32_t step = between_of(p) + 1, ahead = time / step * step;
    const uint32_t end = comparison->time_count - 1;
    for (uint32_t j = 0; j < joints; j++) {
        const double error = peak_at(p, comparison, time, j);
        for (uint32_t s = from; error > 1.0 && s <= from + 1 && s <= last; s++) {
            const uint32_t at_sample = s == from ? ahead : ahead + step;
            const double own = error_at(p, comparison, at_sample < end ? at_sample : end, j);
            const size_t at = (size_t)s * joints + j;
            const double raised = WEIGHT_MARGIN * error *
                                  (own < LEAST_OWN ? 1.0 / LEAST_OWN
                                   : own > 1.0     ? 1.0
                                                   : 1.0 / own);
            const float next = (float)(raised > (double)p->weights[at] * WEIGHT_MARGIN
                                           ? raised
                                           : (double)p->weights[at] * WEIGHT_MARGIN);
            if (p->next_weights[at] < next)
                p->next_weights[at] = next;
        }
    }
}

/* Whether a joint is off though its parent is not. */
static bool is_at_fault(const packer *p, const mrw_comparison *comparison, uint32_t j)
{
    const double unit = p->options->metres_per_unit;
    const int32_t parent = p->skeleton->parents[j];
    return comparison->joints[j].largest > p->tolerances[j] * unit &&
           (parent < 0 || comparison->joints[parent].largest <= p->tolerances[parent] * unit);
}

/* Between two rotations that are nearly half a turn apart, the way is not the source's unless both
 * are far nearer to it than the tolerance asks for. A joint that has such gets finer turns by a
 * larger shell, which costs a few bits. */
static void raise_shells(packer *p, const mrw_comparison *comparison)
{
    for (uint32_t j = 0; j < comparison->joint_count; j++) {
        if (!is_at_fault(p, comparison, j))
            continue;
        const double ratio =
            comparison->joints[j].largest / (p->options->metres_per_unit * p->tolerances[j]);
        if (ratio > MOST_BY_CHANCE)
            p->plan_shells[j] *= ratio < MOST_SHELL_RAISE ? SHELL_MARGIN * ratio : MOST_SHELL_RAISE;
    }
}

static mrw_status measure_try(packer *p, const outcome *last, outcome *out)
{
    mrw_comparison *comparison = NULL;
    mrw_status status = compare_try(p, &comparison);
    if (status != MRW_OK)
        return status;
    out->ratio = comparison->scalar_largest / p->options->scalar_tolerance;
    out->time_count = comparison->time_count;
    const bool is_bound = p->options->target == MRW_PACK_LARGEST;
    for (uint32_t i = 0; i < comparison->time_count && is_bound; i++) {
        double largest = 0.0;
        for (uint32_t j = 0; j < comparison->joint_count; j++) {
            double error = peak_at(p, comparison, i, j);
            largest = error > largest ? error : largest;
        }
        out->ratio = largest > out->ratio ? largest : out->ratio;
        out->off_count += largest > 1.0;
        if (largest > 1.0)
            raise_weights(p, comparison, i);
    }
    if (!is_bound)
        out->ratio = comparison->all.p99 / p->options->tolerance_m;
    p->report.error = comparison->all;
    out->are_few = out->off_count > 0 && out->off_count * 50 <= out->time_count;
    if (out->are_few &&
        (out->ratio > MOST_BY_WEIGHT || (last->are_few && out->ratio > 0.8 * last->ratio)))
        raise_shells(p, comparison);
    if (out->ratio <= MOST_BY_WEIGHT || !out->are_few)
        memcpy(p->weights, p->next_weights, p->weight_count * sizeof(float));
    mrw_comparison_free(comparison);
    return status;
}

/* --- the tries --------------------------------------------------------------------------- */

static mrw_status reset_weights(packer *p, double rate)
{
    const size_t count =
        (size_t)p->skeleton->joint_count * mrwi_pack_source_samples(&p->tracks, rate);
    mrwi_arena_free(&p->weight_arena);
    mrwi_arena_init_scratch(&p->weight_arena, &p->arena);
    p->weights = mrwi_arena_alloc(&p->weight_arena, count, sizeof(float));
    p->next_weights = mrwi_arena_alloc(&p->weight_arena, count, sizeof(float));
    if (p->weights == NULL || p->next_weights == NULL)
        return mrwi_arena_fail(&p->weight_arena, p->out_error, "samples");
    p->weight_count = count;
    memcpy(p->plan_shells, p->shells, p->skeleton->joint_count * sizeof(double));
    for (size_t i = 0; i < count; i++)
        p->weights[i] = p->next_weights[i] = 1.0f;
    return MRW_OK;
}

/* Keeps the tracks of joints that are off where their parents are not, or of their nearest
 * ancestors that still have some to keep. Returns how many. */
static mrw_status keep_tracks_at_fault(packer *p, uint32_t *out_count)
{
    static const mrw_track_kind kinds[3] = {MRW_TRACK_ROTATION, MRW_TRACK_TRANSLATION,
                                            MRW_TRACK_SCALE};
    mrw_comparison *comparison = NULL;
    mrw_status status = compare_try(p, &comparison);
    *out_count = 0;
    double largest = 0.0;
    for (uint32_t j = 0; status == MRW_OK && j < comparison->joint_count; j++) {
        const double error =
            comparison->joints[j].largest / (p->options->metres_per_unit * p->tolerances[j]);
        largest = error > largest ? error : largest;
    }
    for (uint32_t j = 0; status == MRW_OK && j < comparison->joint_count; j++) {
        const double unit = p->options->metres_per_unit;
        const double error = comparison->joints[j].largest / (unit * p->tolerances[j]);
        if (!is_at_fault(p, comparison, j) || (largest > MOST_BY_CHANCE && error < MOST_BY_CHANCE))
            continue;
        uint32_t kept = 0;
        for (int32_t at = (int32_t)j; at >= 0 && kept == 0; at = p->skeleton->parents[at])
            for (int kind = 0; kind < 3; kind++)
                kept += mrwi_pack_source_keep(&p->tracks, kinds[kind], (uint32_t)at);
        *out_count += kept;
    }
    mrw_comparison_free(comparison);
    return status;
}

/* The next limit after two tries; 0 if no limit will do. A part of the errors stays whatever the
 * limit, the rest is some tolerances for each of the limit. */
static double next_limit(const outcome *last, const outcome *now)
{
    if (now->ratio < 1.2)
        return now->limit * 0.985 / now->ratio;
    if (last->ratio == 0.0 || last->limit == now->limit)
        return 0.5 * now->limit;
    const double slope = (last->ratio - now->ratio) / (last->limit - now->limit);
    const double between = now->ratio - slope * now->limit;
    if (!(slope > 0.0) || between > MOST_BETWEEN)
        return 0.0;
    const double limit = (0.97 - between) / slope;
    return limit < 0.9 * now->limit ? limit : 0.9 * now->limit;
}

/* What the first try at a rate came to. */
typedef struct first_try {
    double ratio;
    size_t size_bytes;
} first_try;

/* With the tracks that are left: few times that are off are made up for by what errors count for
 * there, or by finer turns of a joint; many by a smaller limit; unless that does not help. */
static mrw_status try_tracks(packer *p, double rate, first_try *first, bool *out_kept)
{
    outcome last = {0};
    double limit = FIRST_LIMIT;
    uint32_t in_vain = 0;
    mrw_status status = reset_weights(p, rate);
    *out_kept = false;
    for (int i = 0; i < TRY_COUNT && limit > 1e-3 && status == MRW_OK; i++) {
        outcome now = {.limit = limit};
        p->was_hard |= i >= 3;
        status = write_try(p, rate, limit);
        if (status == MRW_OK)
            status = measure_try(p, &last, &now);
        if (status != MRW_OK)
            return status;
        if (first->size_bytes == 0)
            *first = (first_try){now.ratio, p->best.size_bytes};
        *out_kept = now.ratio <= 1.0;
        if (*out_kept || p->options->target == MRW_PACK_P99)
            return MRW_OK;
        if (!now.are_few)
            limit = next_limit(&last, &now);
        else if (i >= 2)
            limit *= 0.85;
        if (now.are_few && last.are_few && now.ratio > 0.9 * last.ratio &&
            now.ratio > MOST_BY_CHANCE)
            in_vain++;
        if (in_vain == 5)
            return MRW_OK; /* it lies between samples, and no number will do */
        last = now;
    }
    return status;
}

static mrw_status try_rate(packer *p, double rate, first_try *out_first, bool *out_kept)
{
    *out_first = (first_try){0.0, 0};
    mrwi_pack_source_keep_none(&p->tracks);
    for (;;) {
        uint32_t more = 0;
        mrw_status status = try_tracks(p, rate, out_first, out_kept);
        if (status != MRW_OK || *out_kept || p->options->target == MRW_PACK_P99)
            return status;
        status = keep_tracks_at_fault(p, &more);
        if (status != MRW_OK || more == 0)
            return status;
    }
}

/* Whether twice the rate is not worth a try: nothing had to be left as keys, or not for much; or
 * it would be larger; or the last doubling did not bring the clips together. */
static bool are_rates_tried(const packer *p, double rate, const first_try *before,
                            const first_try *first, bool kept, size_t smallest)
{
    return p->options->target == MRW_PACK_P99 || p->options->samples_per_second != 0.0 ||
           rate * 2.0 > MOST_PER_SECOND ||
           (kept && p->best.size_bytes < first->size_bytes + first->size_bytes / 2) ||
           first->size_bytes * 3 / 2 >= smallest ||
           (before->size_bytes > 0 && first->ratio > 0.7 * before->ratio);
}

/* The smallest of what keeps the tolerance, at this rate and its multiples. */
static mrw_status try_rates(packer *p, double rate, bool *out_kept)
{
    packer best = {0};
    first_try before = {0.0, 0};
    size_t smallest = (size_t)p->source->header->size_bytes;
    mrw_status status;
    for (;; rate *= 2.0) {
        first_try first;
        bool kept;
        status = try_rate(p, rate, &first, &kept);
        if (status != MRW_OK)
            break;
        const bool are_tried = are_rates_tried(p, rate, &before, &first, kept, smallest);
        if (kept && p->best.size_bytes < smallest) {
            mrw_bytes_free(&best.best);
            best.best = p->best;
            best.report = p->report;
            smallest = p->best.size_bytes;
            p->best = (mrw_bytes){0};
        }
        before = first;
        if (are_tried)
            break;
    }
    *out_kept = best.best.data != NULL;
    if (*out_kept) {
        mrw_bytes_free(&p->best);
        p->best = best.best;
        p->report = best.report;
    }
    return *out_kept ? MRW_OK : status;
}

/* Coarse numbers, repaired, are touchy where something amplifies errors between samples. There the
 * easier way to numbers, which leaves more room, may come out smaller. */
static mrw_status try_efforts(packer *p, double rate, bool *out_kept)
{
    p->effort = p->options->effort;
    mrw_status status = try_rates(p, rate, out_kept);
    if (status != MRW_OK || !p->was_hard || p->effort == MRW_PACK_FAST ||
        p->options->target == MRW_PACK_P99)
        return status;
    const packer before = *p;
    const bool was_kept = *out_kept;
    p->best = (mrw_bytes){0};
    p->effort = MRW_PACK_FAST;
    status = try_rates(p, rate, out_kept);
    const bool is_better =
        status == MRW_OK && *out_kept && (!was_kept || p->best.size_bytes < before.best.size_bytes);
    mrw_bytes worse = is_better ? before.best : p->best;
    mrw_bytes_free(&worse);
    if (!is_better) {
        p->best = before.best;
        p->report = before.report;
        *out_kept = was_kept;
    }
    return status;
}

/* The source's bytes as they are. */
static mrw_status keep_source(packer *p)
{
    const mrw_asset_header *header = p->source->header;
    const mrwi_asset_layout layout = {.end = header->size_bytes};
    mrw_bytes_free(&p->best);
    p->report.sample_count = p->source->packed.sample_count;
    p->report.samples_per_second = p->source->packed.samples_per_second;
    p->report.error = (mrw_error_stats){0.0, 0.0, 0.0, 0.0, 0.0, 0};
    p->report.kept = true;
    mrw_status status =
        mrwi_asset_alloc(&layout, &p->options->memory, &p->arena, &p->best, p->out_error);
    if (status == MRW_OK)
        memcpy(p->best.data, header, (size_t)header->size_bytes);
    return status;
}

/* What is packed already: nothing reads it, so nothing else would find that it is another's. */
static mrw_status copy_packed(packer *p)
{
    if (p->source->header->skeleton_id != mrw_skeleton_id(p->skeleton))
        return mrwi_fail_at(p->out_error, MRW_ERR_SKELETON_MISMATCH, 0, "source");
    return keep_source(p);
}

static mrw_status pack(packer *p)
{
    mrw_status status =
        mrwi_pack_source_open(p->skeleton, p->source, &p->arena, &p->tracks, p->out_error);
    if (status == MRW_OK)
        status = set_joints(p);
    if (status != MRW_OK)
        return status;
    p->report.copied = p->source->packed.sample_count > 0 && !p->options->repack;
    double rate = p->options->samples_per_second;
    if (rate == 0.0 || p->report.copied)
        rate = mrwi_pack_source_rate(&p->tracks);
    p->report.raw_bytes =
        (size_t)40 * p->skeleton->joint_count * mrwi_pack_source_samples(&p->tracks, rate);
    if (p->report.copied)
        return copy_packed(p);
    bool kept = false;
    status = try_efforts(p, rate, &kept);
    p->report.kept = kept;
    const bool is_packed = status == MRW_OK && p->best.data != NULL &&
                           p->best.size_bytes < p->source->header->size_bytes &&
                           (kept || p->options->target == MRW_PACK_P99);
    return is_packed || (status != MRW_OK && status != MRW_ERR_LIMIT) ? status : keep_source(p);
}

mrw_status mrw_pack_clip(const mrw_skeleton *skeleton, const mrw_clip *source,
                         const mrw_pack_options *options, mrw_bytes *out_clip,
                         mrw_pack_report *out_report, mrw_error *out_error)
{
    const mrw_pack_options defaults = mrw_pack_options_default();
    if (out_clip == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_clip");
    memset(out_clip, 0, sizeof(*out_clip));
    if (skeleton == NULL || source == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            skeleton == NULL ? "skeleton" : "source");
    options = options != NULL ? options : &defaults;
    if (out_report != NULL && out_report->struct_size != sizeof(*out_report))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "out_report");
    mrw_status status = check_options(skeleton, options, out_error);
    if (status != MRW_OK)
        return status;
    packer p = {.skeleton = skeleton, .source = source, .options = options, .out_error = out_error};
    mrwi_arena_init(&p.arena, &options->memory);
    mrwi_arena_init_scratch(&p.weight_arena, &p.arena);
    status = pack(&p);
    mrwi_arena_free(&p.weight_arena);
    mrwi_arena_free(&p.arena);
    if (status != MRW_OK) {
        mrw_bytes_free(&p.best);
        return status;
    }
    *out_clip = p.best;
    if (out_report != NULL) {
        *out_report = p.report;
        out_report->struct_size = sizeof(*out_report);
        out_report->source_bytes = (size_t)source->header->size_bytes;
        out_report->packed_bytes = p.best.size_bytes;
    }
    return MRW_OK;
}
