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
 *     few times are off       other roundings of the samples around them (between_samples.c)
 *     that does not do        errors there count for more (weights); finer turns of a joint that
 *                             amplifies them (a larger shell); then less room for all
 *     many times are off      a smaller limit
 *     nothing helps           the tracks at fault stay as keys; or twice as many samples
 */
#include <marrow/offline/compress.h>

#include "base/error.h"
#include "offline/build/asset_writer.h"
#include "offline/compress/pack_search.h"
#include "offline/compress/shell_units.h"

#include <string.h>

enum { MOST_PER_SECOND = 1000 };

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

static mrw_status set_joints(mrwi_pack_job *job)
{
    const uint32_t count = job->skeleton->joint_count;
    const mrw_pack_options *options = job->options;
    job->shells = mrwi_arena_alloc(&job->arena, count, sizeof(double));
    job->tolerances = mrwi_arena_alloc(&job->arena, count, sizeof(double));
    job->plan_shells = mrwi_arena_alloc(&job->arena, count, sizeof(double));
    if (job->shells == NULL || job->tolerances == NULL || job->plan_shells == NULL)
        return mrwi_arena_fail(&job->arena, job->out_error, "joints");
    mrwi_shell_units(job->skeleton, options->metres_per_unit, job->shells);
    for (uint32_t j = 0; j < count; j++) {
        double shell =
            options->joint_shells_m ? (double)options->joint_shells_m[j] : options->shell_m;
        double tolerance = options->joint_tolerances_m ? (double)options->joint_tolerances_m[j]
                                                       : options->tolerance_m;
        job->shells[j] = shell / job->shells[j];
        job->tolerances[j] = tolerance / options->metres_per_unit;
    }
    return MRW_OK;
}

/* --- the call ---------------------------------------------------------------------------- */

/* The source's bytes as they are. */
static mrw_status keep_source(mrwi_pack_job *job)
{
    const mrw_asset_header *header = job->source->header;
    const mrwi_asset_layout layout = {.end = header->size_bytes};
    mrw_bytes_free(&job->best);
    job->report.sample_count = job->source->packed.sample_count;
    job->report.samples_per_second = job->source->packed.samples_per_second;
    job->report.error = (mrw_error_stats){0.0, 0.0, 0.0, 0.0, 0.0, 0};
    job->report.kept = true;
    mrw_status status =
        mrwi_asset_alloc(&layout, &job->options->memory, &job->arena, &job->best, job->out_error);
    if (status == MRW_OK)
        memcpy(job->best.data, header, (size_t)header->size_bytes);
    return status;
}

/* What is packed already: nothing reads it, so nothing else would find that it is another's. */
static mrw_status copy_packed(mrwi_pack_job *job)
{
    if (job->source->header->skeleton_id != mrw_skeleton_id(job->skeleton))
        return mrwi_fail_at(job->out_error, MRW_ERR_SKELETON_MISMATCH, 0, "source");
    return keep_source(job);
}

static mrw_status pack(mrwi_pack_job *job)
{
    mrw_status status = mrwi_pack_source_open(job->skeleton, job->source, &job->arena, &job->tracks,
                                              job->out_error);
    if (status == MRW_OK)
        status = set_joints(job);
    if (status != MRW_OK)
        return status;
    job->report.copied = job->source->packed.sample_count > 0 && !job->options->repack;
    double rate = job->options->samples_per_second;
    if (rate == 0.0 || job->report.copied)
        rate = mrwi_pack_source_rate(&job->tracks);
    job->report.raw_bytes =
        (size_t)40 * job->skeleton->joint_count * mrwi_pack_source_samples(&job->tracks, rate);
    if (job->report.copied)
        return copy_packed(job);
    bool kept = false;
    status = mrwi_pack_search(job, rate, &kept);
    job->report.kept = kept;
    const bool is_packed = status == MRW_OK && job->best.data != NULL &&
                           job->best.size_bytes < job->source->header->size_bytes &&
                           (kept || job->options->target == MRW_PACK_P99);
    return is_packed || (status != MRW_OK && status != MRW_ERR_LIMIT) ? status : keep_source(job);
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
    mrwi_pack_job job = {
        .skeleton = skeleton, .source = source, .options = options, .out_error = out_error};
    mrwi_arena_init(&job.arena, &options->memory);
    mrwi_arena_init_scratch(&job.weight_arena, &job.arena);
    mrwi_arena_init_scratch(&job.work.arena, &job.arena);
    status = pack(&job);
    mrwi_arena_free(&job.work.arena);
    mrwi_arena_free(&job.weight_arena);
    mrwi_arena_free(&job.arena);
    if (status != MRW_OK) {
        mrw_bytes_free(&job.best);
        return status;
    }
    *out_clip = job.best;
    if (out_report != NULL) {
        *out_report = job.report;
        out_report->struct_size = sizeof(*out_report);
        out_report->source_bytes = (size_t)source->header->size_bytes;
        out_report->packed_bytes = job.best.size_bytes;
    }
    return MRW_OK;
}
