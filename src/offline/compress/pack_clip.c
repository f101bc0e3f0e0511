/* Packing a clip:
 *
 *     keys ──▶ samples ──▶ what moves, and what it moves ──▶ numbers ──▶ bits ──▶ measured
 *                joint_plan.c                   motion_packer.c   packed_section.c    │
 *                     ▲                                                               │
 *                     └───── less room for errors, or more samples, if it is off ◀────┘
 *
 * What counts is measured on the bytes, by the functions that ship: at the samples and between
 * them, against the source's own interpolation.
 */
#include <marrow/offline/compress.h>

#include "base/error.h"
#include "offline/build/clip_writer.h"
#include "offline/compress/motion_packer.h"
#include "offline/compress/pack_source.h"
#include "offline/compress/packed_section.h"

#include <string.h>
#include <time.h>

enum {
    TRY_COUNT = 6, /* at one rate */
    BETWEEN = 3,   /* times that are measured between two samples */
    MOST_PER_SECOND = 1000
};

typedef struct packer {
    const mrw_skeleton *skeleton;
    const mrw_clip *source;
    const mrw_pack_options *options;
    mrwi_pack_source tracks;
    double *shells, *tolerances; /* [joint_count] in units of the skeleton */
    mrwi_arena arena;
    mrw_error *out_error;

    mrw_bytes best; /* of the last try */
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
    if (!(options->metres_per_unit > 0.0) || options->metres_per_unit > 1e18)
        return fail_option(out_error, "metres_per_unit is above 0");
    if (!(options->tolerance_m > 0.0) || !(options->scalar_tolerance > 0.0) ||
        options->tolerance_m > 1e18)
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
    if (p->shells == NULL || p->tolerances == NULL)
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

/* The clip at this rate, with errors of at most `limit` tolerances at the samples. */
static mrw_status write_try(packer *p, double rate, double limit, mrwi_arena *arena)
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
    mrwi_pack_source_choose(&p->tracks, count, &choice);
    status = mrwi_plan_motion(p->skeleton, &samples, p->shells, p->tolerances,
                              p->options->scalar_tolerance, &choice, arena, &plan, p->out_error);
    if (status != MRW_OK)
        return status;
    const uint8_t *section = NULL;
    size_t section_bytes = 0;
    if (plan.channel_count > 0) {
        const mrwi_packer_options options = {p->options->effort, p->options->target,
                                             p->options->scalar_tolerance, limit};
        mrwi_packed_motion motion;
        bool kept;
        status = mrwi_pack_motion(&plan, &options, arena, &motion, &kept, p->out_error);
        if (status == MRW_OK)
            status = mrwi_packed_section(&motion, arena, &section, &section_bytes, p->out_error);
    }
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

/* The largest error of the bytes in tolerances (or that of the 99th percentile), and the report's
 * figures. */
static mrw_status measure_try(packer *p, double *out_error_ratio)
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
    options.between = p->options->target == MRW_PACK_P99 ? 0 : BETWEEN;
    mrw_comparison *comparison = NULL;
    status =
        mrw_compare_clips(p->skeleton, p->source, &packed, &options, &comparison, p->out_error);
    if (status != MRW_OK)
        return status;
    double ratio = comparison->scalar_largest / p->options->scalar_tolerance;
    for (uint32_t j = 0; j < comparison->joint_count; j++) {
        double error = comparison->joints[j].largest / p->options->metres_per_unit;
        if (p->options->target == MRW_PACK_LARGEST && error > ratio * p->tolerances[j])
            ratio = error / p->tolerances[j];
    }
    if (p->options->target == MRW_PACK_P99)
        ratio = comparison->all.p99 / p->options->tolerance_m;
    p->report.error = comparison->all;
    mrw_comparison_free(comparison);
    *out_error_ratio = ratio;
    return MRW_OK;
}

/* --- the tries --------------------------------------------------------------------------- */

/* At one rate: what is off is made up for by a smaller limit, unless that does not help. */
static mrw_status try_rate(packer *p, double rate, bool *out_kept)
{
    double limit = 0.9995, last = 0.0;
    *out_kept = false;
    for (int i = 0; i < TRY_COUNT; i++) {
        mrwi_arena scratch;
        mrwi_arena_init_scratch(&scratch, &p->arena);
        mrw_status status = write_try(p, rate, limit, &scratch);
        mrwi_arena_free(&scratch);
        double ratio = 0.0;
        if (status == MRW_OK)
            status = measure_try(p, &ratio);
        if (status != MRW_OK)
            return status;
        *out_kept = ratio <= 1.0;
        if (*out_kept || p->options->target == MRW_PACK_P99)
            return MRW_OK;
        if (i > 0 && ratio > 0.9 * last && ratio > 1.2)
            return MRW_OK; /* it lies between the samples */
        last = ratio;
        limit *= 0.9995 / ratio > 0.5 ? 0.9995 / ratio : 0.5;
    }
    return MRW_OK;
}

/* The source's bytes as they are. */
static mrw_status keep_source(packer *p)
{
    mrw_bytes_free(&p->best);
    mrw_status status = mrwi_write_clip(p->skeleton, p->source->name, p->tracks.tracks,
                                        p->source->track_count, p->source->duration_s, NULL, 0,
                                        &p->options->memory, &p->best, p->out_error);
    p->report.sample_count = 0;
    p->report.samples_per_second = 0.0;
    p->report.error = (mrw_error_stats){0.0, 0.0, 0.0, 0.0, 0.0, 0};
    return status;
}

static mrw_status pack(packer *p)
{
    mrw_status status =
        mrwi_pack_source_open(p->skeleton, p->source, &p->arena, &p->tracks, p->out_error);
    if (status == MRW_OK)
        status = set_joints(p);
    if (status != MRW_OK)
        return status;
    double rate = p->options->samples_per_second;
    if (rate == 0.0)
        rate = mrwi_pack_source_rate(&p->tracks);
    p->report.raw_bytes =
        (size_t)40 * p->skeleton->joint_count * mrwi_pack_source_samples(&p->tracks, rate);
    bool kept = false;
    for (;; rate *= 2.0) {
        status = try_rate(p, rate, &kept);
        if (status != MRW_OK || kept || p->options->samples_per_second != 0.0 ||
            rate * 2.0 > MOST_PER_SECOND)
            break;
    }
    p->report.kept = kept;
    bool larger = status == MRW_OK && p->best.size_bytes >= p->source->header->size_bytes;
    if (status == MRW_ERR_LIMIT || larger ||
        (status == MRW_OK && !kept && p->options->target == MRW_PACK_LARGEST)) {
        status = keep_source(p);
        p->report.kept = true;
    }
    return status;
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
    const clock_t begin = clock();
    status = pack(&p);
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
        out_report->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    }
    return MRW_OK;
}
