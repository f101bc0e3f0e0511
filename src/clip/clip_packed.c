/* A packed section is checked so that sampling can trust it: whatever its numbers are, no bit is
 * read outside, and every value is finite. What a segment takes follows from its widths, so the
 * offsets are known before they are read, and a file in which they differ is refused.
 */
#include "clip/clip_packed.h"

#include "asset/asset_reader.h"
#include "base/error.h"
#include "base/finite.h"
#include "clip/packed_format.h"

#include <string.h>

#define LARGEST_BASE 1e18f

/* --- the header and the parts ------------------------------------------------------------ */

static mrw_status fail(const mrw_clip *view, const void *place, const char *field,
                       const char *message, mrw_error *out_error)
{
    return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, place, field, message, out_error);
}

static mrw_status check_header(const mrw_clip *view, const mrwi_packed_header *header,
                               mrw_error *out_error)
{
    if (header->sample_count < 2 || header->sample_count > MRWI_PACKED_MAX_SAMPLES)
        return fail(view, &header->sample_count, "packed.sample_count", "not 2 to 2^24", out_error);
    if (header->segment_log2 < 1 || header->segment_log2 > MRWI_PACKED_MAX_LEVELS)
        return fail(view, &header->segment_log2, "packed.segment_log2", "not 1 to 4", out_error);
    if (header->shape_count < 1 || header->shape_count > MRWI_PACKED_MAX_SHAPES)
        return fail(view, &header->shape_count, "packed.shape_count", "not 1 to 256", out_error);
    const double rate = header->samples_per_second;
    if (!(rate >= 0.0 && rate < 1e30))
        return fail(view, &header->samples_per_second, "packed.samples_per_second",
                    "negative, or not a number", out_error);
    for (int kind = 0; kind < 4; kind++)
        if (header->exponents[kind] < -60 || header->exponents[kind] > (kind == 0 ? -16 : 40))
            return fail(view, &header->exponents[kind], "packed.exponents", "out of range",
                        out_error);
    if (header->rotation_count > view->joint_count ||
        header->translation_count > view->joint_count || header->scale_count > view->joint_count ||
        header->scalar_count > view->scalar_count)
        return fail(view, &header->rotation_count, "packed.rotation_count",
                    "more tracks than joints or scalars", out_error);
    if (header->rotation_count + header->translation_count + header->scale_count +
            header->scalar_count ==
        0)
        return fail(view, &header->rotation_count, "packed.rotation_count", "no tracks", out_error);
    return MRW_OK;
}

/* Times of their own are the first of the clip's: like those of a track. */
static mrw_status check_times(const mrw_clip *view, uint32_t sample_count, mrw_error *out_error)
{
    const float *times = view->times;
    if (view->time_count < sample_count)
        return fail(view, times, "packed.times", "fewer times than samples", out_error);
    for (uint32_t i = 0; i < sample_count; i++)
        if (!(i == 0 ? times[i] >= 0.0f : times[i] > times[i - 1]))
            return fail(view, &times[i], "packed.times", "negative, or not strictly increasing",
                        out_error);
    if (!(times[sample_count - 1] <= view->duration_s))
        return fail(view, &times[sample_count - 1], "packed.times",
                    "a sample after the clip's duration", out_error);
    return MRW_OK;
}

/* How the samples lie in time. */
static mrw_status place_samples(mrw_clip *view, double samples_per_second, mrw_error *out_error)
{
    mrw_clip_packed *packed = &view->packed;
    packed->samples_per_second = samples_per_second;
    if (samples_per_second > 0.0)
        return MRW_OK;
    const uint32_t last = packed->sample_count - 1;
    packed->times = view->times;
    mrw_status status = check_times(view, packed->sample_count, out_error);
    if (status == MRW_OK)
        packed->samples_per_second =
            last / ((double)packed->times[last] - (double)packed->times[0]);
    return status;
}

static void point_at_parts(mrw_clip *view, const uint8_t *section, const mrwi_packed_parts *parts)
{
    mrw_clip_packed *packed = &view->packed;
    packed->targets = (const uint32_t *)(const void *)(section + parts->targets);
    packed->centres = (const int8_t *)(section + parts->centres);
    packed->axes = (const int8_t *)(section + parts->axes);
    packed->bases = (const float *)(const void *)(section + parts->bases);
    packed->steps = section + parts->steps;
    packed->anchor_widths = section + parts->anchor_widths;
    packed->first_shapes = section + parts->first_shapes;
    packed->shapes = section + parts->shapes;
    packed->segments = (const uint32_t *)(const void *)(section + parts->segments);
    packed->data = section + parts->data;
}

/* The bytes between a part's end and the next one's beginning. */
static bool is_zero(const uint8_t *section, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        if (section[i] != 0)
            return false;
    return true;
}

static mrw_status check_gaps(const mrw_clip *view, const uint8_t *section,
                             const mrwi_packed_header *header, const mrwi_packed_parts *parts,
                             mrw_error *out_error)
{
    const uint64_t channels = view->packed.channel_count;
    const uint64_t ends[] = {parts->axes + (uint64_t)2 * header->rotation_count,
                             parts->steps + channels, parts->anchor_widths + channels,
                             parts->first_shapes + channels, parts->data + header->data_size_bytes};
    const uint64_t next[] = {parts->bases, parts->anchor_widths, parts->first_shapes, parts->shapes,
                             parts->size_bytes};
    for (int i = 0; i < 5; i++)
        if (!is_zero(section, ends[i], next[i]))
            return fail(view, section + ends[i], "packed", "something between two parts",
                        out_error);
    return MRW_OK;
}

/* --- tracks ------------------------------------------------------------------------------ */

/* Whether a joint has a constant of a kind. *base: where to look on from, for ascending joints. */
static bool is_constant(const mrw_clip *view, mrw_track_kind kind, uint32_t joint, uint32_t *base)
{
    while (*base < view->base_count && view->bases[*base].block < joint / MRW_POSE_LANES)
        (*base)++;
    return *base < view->base_count && view->bases[*base].block == joint / MRW_POSE_LANES &&
           (view->bases[*base].lanes[kind] >> joint % MRW_POSE_LANES & 1) != 0;
}

/* One kind's targets: ascending, below the limit, and none of them constant, or animated by a track
 * as well. */
static mrw_status check_targets(const mrw_clip *view, const uint32_t *targets, uint32_t count,
                                mrw_track_kind kind, mrw_error *out_error)
{
    const uint32_t limit = kind == MRW_TRACK_SCALAR ? view->scalar_count : view->joint_count;
    uint32_t track = 0, base = 0;
    while (track < view->track_count && view->tracks[track].kind < kind)
        track++;
    for (uint32_t i = 0; i < count; i++) {
        if (targets[i] >= limit)
            return fail(view, &targets[i], "packed.targets", "no joint or scalar of the skeleton",
                        out_error);
        if (i > 0 && targets[i] <= targets[i - 1])
            return fail(view, &targets[i], "packed.targets", "not ascending", out_error);
        if (kind != MRW_TRACK_SCALAR && is_constant(view, kind, targets[i], &base))
            return fail(view, &targets[i], "packed.targets", "constant as well", out_error);
        while (track < view->track_count && view->tracks[track].kind == kind &&
               view->tracks[track].target < targets[i])
            track++;
        if (track < view->track_count && view->tracks[track].kind == kind &&
            view->tracks[track].target == targets[i])
            return fail(view, &targets[i], "packed.targets", "a track animates the same",
                        out_error);
    }
    return MRW_OK;
}

static mrw_status check_all_targets(const mrw_clip *view, mrw_error *out_error)
{
    const mrw_clip_packed *packed = &view->packed;
    const mrw_track_kind kinds[] = {MRW_TRACK_ROTATION, MRW_TRACK_TRANSLATION, MRW_TRACK_SCALE,
                                    MRW_TRACK_SCALAR};
    const uint32_t counts[] = {packed->rotation_count, packed->translation_count,
                               packed->scale_count, packed->scalar_count};
    const uint32_t *targets = packed->targets;
    mrw_status status = MRW_OK;
    for (int i = 0; i < 4 && status == MRW_OK; i++) {
        status = check_targets(view, targets, counts[i], kinds[i], out_error);
        targets += counts[i];
    }
    return status;
}

static mrw_status check_channels(const mrw_clip *view, mrw_error *out_error)
{
    const mrw_clip_packed *packed = &view->packed;
    const uint32_t rotations = packed->rotation_count;
    for (uint32_t i = 0; i < rotations; i++)
        if (packed->centres[i] == 0 && packed->centres[(size_t)rotations + i] == 0 &&
            packed->centres[(size_t)2 * rotations + i] == 0 &&
            packed->centres[(size_t)3 * rotations + i] == 0)
            return fail(view, &packed->centres[i], "packed.centres", "0 0 0 0", out_error);
    for (uint32_t i = 0; i < packed->channel_count - 3 * rotations; i++) {
        const float base = packed->bases[i];
        if (!(base >= -LARGEST_BASE && base <= LARGEST_BASE))
            return fail(view, &packed->bases[i], "packed.bases", "not finite, or above 1e18",
                        out_error);
    }
    for (uint32_t i = 0; i < packed->channel_count; i++)
        if (packed->anchor_widths[i] > MRWI_PACKED_MAX_WIDTH)
            return fail(view, &packed->anchor_widths[i], "packed.anchor_widths", "more than 25",
                        out_error);
    for (uint32_t i = 0; i < MRWI_PACKED_MAX_LEVELS * packed->shape_count; i++) {
        const uint32_t level = i % MRWI_PACKED_MAX_LEVELS;
        if (packed->shapes[i] > (level < packed->segment_log2 ? MRWI_PACKED_MAX_WIDTH : 0))
            return fail(view, &packed->shapes[i], "packed.shapes",
                        "more than 25, or of a level that segments lack", out_error);
    }
    return MRW_OK;
}

/* --- segments ---------------------------------------------------------------------------- */

/* Bits of all residuals of a segment, from its codes; UINT64_MAX if one has no shape or is not of a
 * channel. */
static uint64_t residual_bits(const mrw_clip_packed *packed, uint32_t segment, const uint8_t *codes)
{
    const uint32_t padded = (packed->channel_count + 7) / 8 * 8;
    uint64_t row_bits[MRWI_PACKED_MAX_LEVELS] = {0};
    for (uint32_t channel = 0; channel < packed->channel_count; channel++) {
        uint32_t shape = packed->first_shapes[channel] + mrwi_packed_code(codes, channel);
        if (shape >= packed->shape_count)
            return UINT64_MAX;
        for (uint32_t level = 0; level < packed->segment_log2; level++)
            row_bits[level] += packed->shapes[MRWI_PACKED_MAX_LEVELS * shape + level];
    }
    for (uint32_t channel = packed->channel_count; channel < padded; channel++)
        if (mrwi_packed_code(codes, channel) != 0)
            return UINT64_MAX;
    uint64_t bits = 0;
    for (uint32_t level = 0; level < packed->segment_log2; level++)
        bits += row_bits[level] * mrwi_packed_rows(packed->sample_count,
                                                   segment << packed->segment_log2,
                                                   packed->segment_log2, level);
    return bits;
}

static void measure_segments(mrw_clip_packed *packed, uint32_t data_bytes)
{
    uint64_t anchor_bits = 0;
    for (uint32_t i = 0; i < packed->channel_count; i++)
        anchor_bits += packed->anchor_widths[i];
    packed->anchor_bytes = (uint32_t)((anchor_bits + 7) / 8);
    packed->mean_segment_bytes = data_bytes / packed->segment_count;
}

mrw_status mrwi_clip_check_segments(const mrw_clip *view, const void *section, mrw_error *out_error)
{
    const mrw_clip_packed *packed = &view->packed;
    const uint64_t data_bytes = ((const mrwi_packed_header *)section)->data_size_bytes;
    const uint64_t code_bytes = mrwi_packed_code_bytes(packed->channel_count);
    uint64_t end = 0;
    for (uint32_t s = 0; s < packed->segment_count; s++) {
        if (packed->segments[s] != end)
            return fail(view, &packed->segments[s], "packed.segments",
                        "not where the segment before ends", out_error);
        if (end + packed->anchor_bytes + code_bytes > data_bytes)
            return fail(view, &packed->segments[s], "packed.segments", "past the end of the data",
                        out_error);
        uint64_t bits = residual_bits(packed, s, packed->data + end + packed->anchor_bytes);
        if (bits == UINT64_MAX)
            return fail(view, packed->data + end, "packed.data", "a code without a shape",
                        out_error);
        end += packed->anchor_bytes + code_bytes + (bits + 7) / 8;
    }
    if (packed->segments[packed->segment_count] != end || end + packed->anchor_bytes != data_bytes)
        return fail(view, &packed->segments[packed->segment_count], "packed.segments",
                    "the closing anchors are not the end of the data", out_error);
    return MRW_OK;
}

mrw_status mrwi_clip_open_packed(mrw_clip *view, const void *section, uint64_t size_bytes,
                                 mrw_error *out_error)
{
    const mrwi_packed_header *header = section;
    if (size_bytes < sizeof(*header))
        return fail(view, section, "packed", "shorter than its header", out_error);
    mrw_status status = check_header(view, header, out_error);
    if (status != MRW_OK)
        return status;
    mrwi_packed_parts parts;
    if (!mrwi_packed_layout(header, &parts) || parts.size_bytes != size_bytes)
        return fail(view, section, "packed", "its parts do not fill it", out_error);
    view->packed = (mrw_clip_packed){
        .sample_count = header->sample_count,
        .segment_log2 = header->segment_log2,
        .shape_count = header->shape_count,
        .segment_count = mrwi_packed_segment_count(header->sample_count, header->segment_log2),
        .rotation_count = header->rotation_count,
        .translation_count = header->translation_count,
        .scale_count = header->scale_count,
        .scalar_count = header->scalar_count,
        .channel_count =
            3 * (header->rotation_count + header->translation_count + header->scale_count) +
            header->scalar_count,
    };
    memcpy(view->packed.exponents, header->exponents, sizeof(header->exponents));
    point_at_parts(view, section, &parts);
    status = place_samples(view, header->samples_per_second, out_error);
    if (status == MRW_OK)
        status = check_gaps(view, section, header, &parts, out_error);
    if (status == MRW_OK)
        status = check_all_targets(view, out_error);
    if (status == MRW_OK)
        status = check_channels(view, out_error);
    if (status == MRW_OK)
        measure_segments(&view->packed, header->data_size_bytes);
    return status;
}
