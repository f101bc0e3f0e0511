/* Clips as validated views.
 *
 * A keyed clip is a table of tracks over two arrays, times and values:
 *
 *     tracks   [ rotation of 3, 2 keys ][ rotation of 4, 2 keys ][ ... ]
 *                 |             |          |             |
 *     times    [ 0.0  0.5 ]<----|----------+             |      shared by most tracks of a file
 *     values   [ q0 q1 ]<-------+       [ q0 q1 ]<-------+
 *
 * Times may be shared, values may not: those of each track begin where those of the track before
 * end, or they are a lane of a group, where eight tracks lie side by side as sampling loads them.
 * So all tracks together have no more keys than the file has values, and validating every
 * track costs no more than reading the file, even if a hostile one points all of them at the same
 * megabytes of times.
 *
 * For sampling the tracks stand there a second time, as groups, as lists and as constants in the
 * order of a pose: what never moves is then little more than a copy, and what does can be taken
 * eight tracks at a time without looking for them (clip_order.c).
 */
#include <marrow/clip.h>

#include "asset/asset_reader.h"
#include "base/error.h"
#include "base/finite.h"
#include "clip/clip_format.h"
#include "clip/clip_head.h"
#include "clip/clip_order.h"
#include "clip/clip_packed.h"
#include "clip/track_order.h"

#include <string.h>

uint32_t mrw_track_width(mrw_track_kind kind)
{
    switch (kind) {
    case MRW_TRACK_TRANSLATION:
    case MRW_TRACK_SCALE:
        return 3;
    case MRW_TRACK_ROTATION:
        return 4;
    case MRW_TRACK_SCALAR:
        return 1;
    }
    return 0;
}

uint32_t mrw_clip_key(const mrw_clip *clip, uint32_t track, uint32_t key, float out_numbers[12])
{
    if (clip == NULL || out_numbers == NULL || track >= clip->track_count ||
        key >= clip->tracks[track].key_count)
        return 0;
    mrwi_track_load_key(&clip->tracks[track], clip->values, key, out_numbers);
    return mrwi_track_key_floats(&clip->tracks[track]);
}

uint32_t mrw_clip_constant(const mrw_clip *clip, uint32_t joint, mrw_track_kind kind,
                           float out_value[4])
{
    if (clip == NULL || out_value == NULL || (uint32_t)kind >= MRW_TRACK_SCALAR)
        return 0;
    const float *constants = clip->constants;
    for (uint32_t i = 0; i < clip->base_count; i++) {
        const mrw_clip_base *base = &clip->bases[i];
        const uint32_t lanes = base->lanes[kind];
        if (base->block == joint / MRW_POSE_LANES && (lanes >> joint % MRW_POSE_LANES & 1) != 0) {
            mrwi_base_value(base, kind, joint, constants, out_value);
            return mrw_track_width(kind);
        }
        constants += mrwi_base_floats(base);
    }
    return 0;
}

/* --- validation ---------------------------------------------------------------------- */

static mrw_status check_fields(const mrwi_clip_content *content, mrw_error *out_error)
{
    const mrw_asset_header *header = &content->header;
    if (content->encoding == MRW_CLIP_STORED)
        return mrwi_asset_fail(header, MRW_ERR_BAD_VERSION, &content->encoding, "encoding",
                               "a stored clip: decode it first (mrw_stored_clip_decode)",
                               out_error);
    if (content->encoding != MRW_CLIP_KEYED && content->encoding != MRW_CLIP_PACKED)
        return mrwi_asset_fail(header, MRW_ERR_BAD_VERSION, &content->encoding, "encoding",
                               "an encoding that this library does not know", out_error);
    if ((content->encoding == MRW_CLIP_PACKED) != (content->packed_size_bytes > 0))
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->packed_size_bytes,
                               "packed_size_bytes", "not what the encoding says", out_error);
    if (content->joint_count > MRW_MAX_JOINTS)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->joint_count, "joint_count",
                               "more than 65,535 joints", out_error);
    if (content->scalar_count > MRW_MAX_SCALARS)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->scalar_count, "scalar_count",
                               "more than 2^24 scalars", out_error);
    if (!mrwi_is_finite(content->duration_s))
        return mrwi_asset_fail(header, MRW_ERR_NOT_FINITE, &content->duration_s, "duration_s",
                               mrw_status_text(MRW_ERR_NOT_FINITE), out_error);
    if (content->duration_s < 0.0f)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->duration_s, "duration_s",
                               "negative", out_error);
    return MRW_OK;
}

/* Bases and, behind them, as many constants as they say. */
static mrw_status find_bases(const mrwi_clip_content *content, const void **out_bases,
                             uint32_t *out_constant_count, mrw_error *out_error)
{
    mrw_status status =
        mrwi_asset_section(&content->header, "bases", content->bases_offset, content->base_count,
                           sizeof(mrw_clip_base), out_bases, out_error);
    const mrw_clip_base *bases = *out_bases;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < content->base_count && status == MRW_OK; i++)
        bytes += mrwi_base_floats(&bases[i]) * sizeof(float);
    *out_constant_count = (uint32_t)(bytes / sizeof(float));
    bytes += (uint64_t)content->base_count * sizeof(mrw_clip_base);
    return status != MRW_OK
               ? status
               : mrwi_asset_section(&content->header, "constants", content->bases_offset, bytes, 1,
                                    out_bases, out_error);
}

/* Points the view at the sections; what is in them is not looked at yet. */
static mrw_status find_sections(const mrwi_clip_content *content, mrw_clip *view,
                                mrw_error *out_error)
{
    const mrw_asset_header *header = &content->header;
    const void *tracks = NULL;
    const void *times = NULL;
    const void *values = NULL;
    const void *name = NULL;
    mrw_status status =
        mrwi_asset_section(header, "tracks", content->tracks_offset, content->track_count,
                           sizeof(mrw_track), &tracks, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "times", content->times_offset, content->time_count,
                                    sizeof(float), &times, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "values", content->values_offset, content->value_count,
                                    sizeof(float), &values, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "name", content->name_offset, content->name_size_bytes,
                                    1, &name, out_error);
    const void *bases = NULL;
    uint32_t constant_count = 0;
    const void *groups = NULL;
    const void *moving = NULL;
    const void *loose = NULL;
    if (status == MRW_OK)
        status = find_bases(content, &bases, &constant_count, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "groups", content->groups_offset, content->group_count,
                                    sizeof(mrw_clip_group), &groups, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "moving", content->moving_offset, content->moving_count,
                                    sizeof(mrw_clip_moving), &moving, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "loose", content->loose_offset, content->loose_count,
                                    sizeof(uint32_t), &loose, out_error);
    if (status != MRW_OK)
        return status;

    view->header = header;
    view->encoding = (mrw_clip_encoding)content->encoding;
    view->joint_count = content->joint_count;
    view->scalar_count = content->scalar_count;
    view->track_count = content->track_count;
    view->duration_s = content->duration_s;
    view->name = name;
    view->tracks = tracks;
    view->times = times;
    view->values = values;
    view->time_count = content->time_count;
    view->value_count = content->value_count;
    view->base_count = content->base_count;
    view->constant_count = constant_count;
    view->group_count = content->group_count;
    view->moving_count = content->moving_count;
    view->loose_count = content->loose_count;
    view->bases = bases;
    view->constants = (const float *)(view->bases + view->base_count);
    view->groups = groups;
    view->moving = moving;
    view->loose = loose;
    return MRW_OK;
}

static mrw_status check_name(const mrw_clip *view, const mrwi_clip_content *content,
                             mrw_error *out_error)
{
    size_t length = 0;
    if (!mrwi_asset_string(view->name, content->name_size_bytes, &length) ||
        length + 1 != content->name_size_bytes)
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, view->name, "name",
                               "not NUL-terminated UTF-8 of name_size_bytes", out_error);
    return MRW_OK;
}

static mrw_status fail_track(const mrw_clip *view, const void *place, uint32_t index,
                             const char *field, const char *message, mrw_error *out_error)
{
    return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, place, "tracks", index, field,
                                   message, out_error);
}

/* Whether track a stands before track b in the order of kind, then target. */
static bool track_precedes(const mrw_track *a, const mrw_track *b)
{
    return a->kind != b->kind ? a->kind < b->kind : a->target < b->target;
}

/* The track's own fields. *value_position is where its values must begin unless they stand in
 * lanes, and becomes their end. */
static mrw_status check_track(const mrw_clip *view, uint32_t index, uint32_t *value_position,
                              mrw_error *out_error)
{
    const mrw_track *track = &view->tracks[index];
    if (track->kind > MRW_TRACK_SCALAR)
        return fail_track(view, &track->kind, index, ".kind", "no kind of track", out_error);
    if (track->interpolation > MRW_INTERPOLATION_CUBIC)
        return fail_track(view, &track->interpolation, index, ".interpolation",
                          "no kind of interpolation", out_error);
    if (track->in_lanes > 1)
        return fail_track(view, &track->in_lanes, index, ".in_lanes", "neither 0 nor 1", out_error);
    uint32_t target_count =
        track->kind == MRW_TRACK_SCALAR ? view->scalar_count : view->joint_count;
    if (track->target >= target_count)
        return fail_track(view, &track->target, index, ".target",
                          "no joint or scalar of the skeleton", out_error);
    if (index > 0 && !track_precedes(track - 1, track))
        return fail_track(view, track, index, "", "not sorted by kind and target, or there twice",
                          out_error);
    if (track->key_count == 0)
        return fail_track(view, &track->key_count, index, ".key_count", "0", out_error);
    if (track->times_offset > view->time_count ||
        track->key_count > view->time_count - track->times_offset)
        return fail_track(view, &track->times_offset, index, ".times_offset",
                          "times past the end of the times", out_error);
    if (track->in_lanes)
        return MRW_OK; /* mrwi_clip_check_lanes looks at its values */
    if (track->values_offset != *value_position)
        return fail_track(view, &track->values_offset, index, ".values_offset",
                          "not where the values of the track before end", out_error);
    uint32_t key_floats = mrwi_track_key_floats(track);
    if (track->key_count > (view->value_count - *value_position) / key_floats)
        return fail_track(view, &track->values_offset, index, ".values_offset",
                          "values past the end of the values", out_error);
    *value_position += track->key_count * key_floats;
    return MRW_OK;
}

static mrw_status check_times(const mrw_clip *view, uint32_t index, mrw_error *out_error)
{
    const mrw_track *track = &view->tracks[index];
    const float *times = view->times + track->times_offset;
    for (uint32_t k = 0; k < track->key_count; k++) {
        if (!mrwi_is_finite(times[k]))
            return mrwi_asset_fail_element(view->header, MRW_ERR_NOT_FINITE, &times[k], "tracks",
                                           index, ".times", mrw_status_text(MRW_ERR_NOT_FINITE),
                                           out_error);
        if (k == 0 ? times[k] < 0.0f : times[k] <= times[k - 1])
            return fail_track(view, &times[k], index, ".times",
                              "negative, or not strictly increasing", out_error);
    }
    if (times[track->key_count - 1] > view->duration_s)
        return fail_track(view, &times[track->key_count - 1], index, ".times",
                          "a key after the clip's duration", out_error);
    return MRW_OK;
}

static mrw_status check_values(const mrw_clip *view, uint32_t index, mrw_error *out_error)
{
    const mrw_track *track = &view->tracks[index];
    uint32_t key_floats = mrwi_track_key_floats(track);
    uint32_t step = track->in_lanes ? MRW_CLIP_LANES : 1;
    for (uint32_t k = 0; k < track->key_count; k++) {
        float key[MRWI_KEY_FLOATS];
        mrwi_track_load_key(track, view->values, k, key);
        const float *place = view->values + track->values_offset + (size_t)k * key_floats * step;
        if (!mrwi_all_finite(key, key_floats))
            return mrwi_asset_fail_element(view->header, MRW_ERR_NOT_FINITE, place, "tracks", index,
                                           ".values", mrw_status_text(MRW_ERR_NOT_FINITE),
                                           out_error);
        if (track->kind == MRW_TRACK_ROTATION &&
            !mrwi_asset_is_unit(key + mrwi_track_value_at(track)))
            return fail_track(view, place, index, ".values", "a rotation not of unit length",
                              out_error);
    }
    return MRW_OK;
}

/* Where the values of all tracks lie: of those in lanes first, of the others behind them. */
static mrw_status check_places(const mrw_clip *view, mrw_error *out_error)
{
    uint32_t value_position = 0;
    mrw_status status = mrwi_clip_check_groups(view, &value_position, out_error);
    for (uint32_t i = 0; i < view->track_count && status == MRW_OK; i++)
        status = check_track(view, i, &value_position, out_error);
    if (status != MRW_OK)
        return status;
    if (value_position != view->value_count) {
        const mrwi_clip_content *content = (const mrwi_clip_content *)view->header;
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &content->value_count,
                               "value_count", "values that belong to no track", out_error);
    }
    return mrwi_clip_check_lanes(view, out_error);
}

/* Only now: while tracks may share values, looking at all keys of each has no bound. */
static mrw_status check_keys(const mrw_clip *view, mrw_error *out_error)
{
    mrw_status status = MRW_OK;
    for (uint32_t i = 0; i < view->track_count && status == MRW_OK; i++) {
        status = check_times(view, i, out_error);
        if (status == MRW_OK)
            status = check_values(view, i, out_error);
    }
    return status;
}

/* *out_section is NULL in a keyed clip. */
static mrw_status open_packed(const mrwi_clip_content *content, mrw_clip *view,
                              const void **out_section, mrw_error *out_error)
{
    *out_section = NULL;
    if (content->encoding != MRW_CLIP_PACKED)
        return MRW_OK;
    mrw_status status = mrwi_asset_section(view->header, "packed", content->packed_offset,
                                           content->packed_size_bytes, 1, out_section, out_error);
    if (status != MRW_OK)
        return status;
    return mrwi_clip_open_packed(view, *out_section, content->packed_size_bytes, out_error);
}

/* Everything but the segments of the packed section. */
static mrw_status open_content(const mrwi_clip_content *content, mrw_clip *view,
                               const void **out_section, mrw_error *out_error)
{
    mrw_status status = check_fields(content, out_error);
    if (status == MRW_OK)
        status = find_sections(content, view, out_error);
    if (status == MRW_OK)
        status = check_name(view, content, out_error);
    if (status == MRW_OK)
        status = check_places(view, out_error);
    if (status == MRW_OK)
        status = check_keys(view, out_error);
    if (status == MRW_OK)
        status = mrwi_clip_check_order(view, out_error);
    if (status == MRW_OK)
        status = open_packed(content, view, out_section, out_error);
    return status;
}

/* Whether none of the other sections, not even an empty one, reaches into the packed one or lies
 * behind it. */
static bool is_last_section(const mrwi_clip_content *content, const mrw_clip *view,
                            const void *section)
{
    const void *const ends[] = {
        view->tracks + view->track_count,       view->times + view->time_count,
        view->values + view->value_count,       view->name + content->name_size_bytes,
        view->constants + view->constant_count, view->groups + view->group_count,
        view->moving + view->moving_count,      view->loose + view->loose_count};
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if ((uintptr_t)ends[i] > (uintptr_t)section)
            return false;
    return true;
}

mrw_status mrwi_clip_open_head(const mrw_asset_header *header, mrw_clip *out_clip,
                               mrw_error *out_error)
{
    const mrwi_clip_content *content = (const mrwi_clip_content *)header;
    const void *section = NULL;
    memset(out_clip, 0, sizeof(*out_clip));
    mrw_status status = open_content(content, out_clip, &section, out_error);
    if (status == MRW_OK && section != NULL && !is_last_section(content, out_clip, section))
        status = mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->packed_offset,
                                 "packed_offset", "not the last section", out_error);
    return status;
}

mrw_status mrw_clip_open(const void *bytes, size_t size_bytes, mrw_clip *out_clip,
                         mrw_error *out_error)
{
    if (out_clip == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_clip");
    memset(out_clip, 0, sizeof(*out_clip));
    const mrw_asset_header *header = NULL;
    mrw_status status = mrwi_asset_open_kind(bytes, size_bytes, MRW_ASSET_CLIP, MRW_CLIP_VERSION,
                                             sizeof(mrwi_clip_content), &header, out_error);
    if (status != MRW_OK)
        return status;

    const mrwi_clip_content *content = (const mrwi_clip_content *)header;
    mrw_clip view = {0};
    const void *section = NULL;
    status = open_content(content, &view, &section, out_error);
    if (status == MRW_OK && section != NULL)
        status = mrwi_clip_check_segments(&view, section, out_error);
    if (status == MRW_OK)
        *out_clip = view;
    return status;
}
