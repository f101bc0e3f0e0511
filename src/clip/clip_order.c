/* What stands in a clip for sampling alone, beside its tracks: groups, bases, lists.
 *
 * Which tracks are grouped is the writer's choice; each that is stands in one lane of one group,
 * and no two lanes are one. So what is looked up of a group later may be trusted like a track.
 */
#include "clip/clip_order.h"

#include "asset/asset_reader.h"
#include "base/finite.h"
#include "clip/clip_format.h"
#include "clip/track_order.h"

#include <string.h>

static mrw_status fail_entry(const mrw_clip *view, const char *list, const void *place,
                             uint32_t index, const char *message, mrw_error *out_error)
{
    return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, place, list, index, "", message,
                                   out_error);
}

/* --- groups -------------------------------------------------------------------------- */

mrw_status mrwi_clip_check_groups(const mrw_clip *view, uint32_t *out_value_end,
                                  mrw_error *out_error)
{
    uint32_t position = 0;
    for (uint32_t i = 0; i < view->group_count; i++) {
        const mrw_clip_group *group = &view->groups[i];
        if (group->kind > MRW_TRACK_SCALAR)
            return fail_entry(view, "groups", &group->kind, i, "no kind of track", out_error);
        if (group->track_count == 0 || group->track_count > MRW_CLIP_LANES)
            return fail_entry(view, "groups", &group->track_count, i, "not 1 to 8 tracks",
                              out_error);
        if (group->values_offset != position)
            return fail_entry(view, "groups", &group->values_offset, i,
                              "its values do not begin where those of the group before end",
                              out_error);
        if (mrwi_group_floats(group) > view->value_count - position)
            return fail_entry(view, "groups", &group->key_count, i,
                              "values past the end of the values", out_error);
        position += (uint32_t)mrwi_group_floats(group);
    }
    *out_value_end = position;
    return MRW_OK;
}

/* Whether the lanes past the last track hold what that holds. */
static bool repeats_last(const mrw_clip *view, const mrw_clip_group *group)
{
    const float *row = view->values + group->values_offset;
    const float *end = row + mrwi_group_floats(group);
    for (; row < end; row += MRW_CLIP_LANES)
        for (uint32_t lane = group->track_count; lane < MRW_CLIP_LANES; lane++)
            if (memcmp(&row[lane], &row[group->track_count - 1], sizeof(float)) != 0)
                return false;
    return true;
}

static mrw_status check_group(const mrw_clip *view, uint32_t index, mrw_error *out_error)
{
    const mrw_clip_group *group = &view->groups[index];
    for (uint32_t lane = 0; lane < group->track_count; lane++) {
        if (group->tracks[lane] >= view->track_count)
            return fail_entry(view, "groups", &group->tracks[lane], index, "no track of the clip",
                              out_error);
        const mrw_track *track = &view->tracks[group->tracks[lane]];
        if (!track->in_lanes || track->interpolation != MRW_INTERPOLATION_LINEAR)
            return fail_entry(view, "groups", &group->tracks[lane], index,
                              "a track that is not linear, or not in lanes", out_error);
        if (track->kind != group->kind || track->times_offset != group->times_offset ||
            track->key_count != group->key_count)
            return fail_entry(view, "groups", &group->tracks[lane], index,
                              "a track of another kind or with other times", out_error);
        if (lane > 0 && group->tracks[lane - 1] >= group->tracks[lane])
            return fail_entry(view, "groups", &group->tracks[lane], index,
                              "its tracks are out of order, or there twice", out_error);
        if (track->values_offset != group->values_offset + lane)
            return fail_entry(view, "groups", &group->tracks[lane], index,
                              "a track that has its values elsewhere", out_error);
    }
    mrw_clip_group right =
        mrwi_group_of(view->tracks, group->tracks, group->track_count, group->values_offset);
    if (memcmp(group, &right, sizeof(right)) != 0)
        return fail_entry(view, "groups", group, index, "it says other than its tracks", out_error);
    if (!repeats_last(view, group))
        return fail_entry(view, "groups", group, index,
                          "lanes without a track do not repeat the last", out_error);
    return MRW_OK;
}

mrw_status mrwi_clip_check_lanes(const mrw_clip *view, mrw_error *out_error)
{
    uint32_t lane_count = 0;
    for (uint32_t i = 0; i < view->group_count; i++) {
        mrw_status status = check_group(view, i, out_error);
        if (status != MRW_OK)
            return status;
        lane_count += view->groups[i].track_count;
    }
    /* Each lane has a track of its own, since that says where its values are: if there are as many
     * as tracks in lanes, all of these have one. */
    for (uint32_t i = 0; i < view->track_count; i++)
        lane_count -= view->tracks[i].in_lanes;
    if (lane_count == 0)
        return MRW_OK;
    const mrwi_clip_content *content = (const mrwi_clip_content *)view->header;
    return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &content->group_count, "group_count",
                           "a track in lanes that no group has", out_error);
}

/* --- constants -----------------------------------------------------------------------
 *
 * All tracks are known to be valid by now.
 */

/* Where the walk over the bases is among constants and tracks. */
typedef struct base_walk {
    const float *constant; /* the next */
    uint32_t tracks[3];    /* by kind: the next that was not met, */
    uint32_t ends[3];      /* and the one behind the last */
} base_walk;

static base_walk base_walk_begin(const mrw_clip *view)
{
    base_walk walk = {.constant = view->constants};
    uint32_t at = 0;
    for (uint32_t kind = 0; kind < 3; kind++) {
        walk.tracks[kind] = at;
        while (at < view->track_count && view->tracks[at].kind == kind)
            at++;
        walk.ends[kind] = at;
    }
    return walk;
}

/* Passes over the tracks of a kind with targets below `joint`, none of which is constant. */
static mrw_status pass_tracks(const mrw_clip *view, base_walk *walk, uint32_t kind, uint32_t joint,
                              mrw_error *out_error)
{
    uint32_t *at = &walk->tracks[kind];
    for (; *at < walk->ends[kind] && view->tracks[*at].target < joint; (*at)++)
        if (mrwi_track_find_role(&view->tracks[*at], view->values) == MRWI_TRACK_CONSTANT)
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &view->tracks[*at],
                                           "tracks", *at, "",
                                           "constant, but not among the constants", out_error);
    return MRW_OK;
}

/* A constant, whose numbers stand `step` floats apart. A track of the same says the same. */
static mrw_status check_constant(const mrw_clip *view, base_walk *walk, uint32_t kind,
                                 uint32_t joint, const float *first, uint32_t step,
                                 mrw_error *out_error)
{
    const uint32_t width = mrw_track_width((mrw_track_kind)kind);
    const uint32_t index = (uint32_t)(first - view->constants);
    float value[4] = {0}, key[MRWI_KEY_FLOATS];
    for (uint32_t i = 0; i < width; i++)
        value[i] = first[(size_t)i * step];
    if (!mrwi_all_finite(value, width))
        return mrwi_asset_fail_element(view->header, MRW_ERR_NOT_FINITE, first, "constants", index,
                                       "", mrw_status_text(MRW_ERR_NOT_FINITE), out_error);
    if (kind == MRW_TRACK_ROTATION && !mrwi_asset_is_unit(value))
        return fail_entry(view, "constants", first, index, "a rotation not of unit length",
                          out_error);
    mrw_status status = pass_tracks(view, walk, kind, joint, out_error);
    uint32_t *at = &walk->tracks[kind];
    if (status != MRW_OK || *at == walk->ends[kind] || view->tracks[*at].target != joint)
        return status;
    const mrw_track *track = &view->tracks[(*at)++];
    mrwi_track_load_key(track, view->values, 0, key);
    if (mrwi_track_find_role(track, view->values) != MRWI_TRACK_CONSTANT ||
        memcmp(key + mrwi_track_value_at(track), value, width * sizeof(float)) != 0)
        return fail_entry(view, "constants", first, index, "its track says otherwise", out_error);
    return MRW_OK;
}

static mrw_status check_base(const mrw_clip *view, uint32_t index, base_walk *walk,
                             mrw_error *out_error)
{
    const mrw_clip_base *base = &view->bases[index];
    if (index > 0 && base->block <= base[-1].block)
        return fail_entry(view, "bases", base, index, "not ascending", out_error);
    if (base->block > MRW_MAX_JOINTS / MRW_POSE_LANES || base->reserved != 0 ||
        (base->lanes[0] | base->lanes[1] | base->lanes[2]) == 0)
        return fail_entry(view, "bases", base, index, "no block, or one without constants",
                          out_error);
    mrw_status status = MRW_OK;
    for (uint32_t kind = 0; kind < 3; kind++) {
        const uint32_t lanes = base->lanes[kind], count = mrwi_lane_count(lanes);
        const float *first = walk->constant;
        for (uint32_t lane = 0; lane < MRW_POSE_LANES && status == MRW_OK; lane++) {
            const uint32_t joint = base->block * MRW_POSE_LANES + lane;
            if ((lanes >> lane & 1) == 0)
                continue;
            if (joint >= view->joint_count)
                return fail_entry(view, "bases", base, index, "no joint of the skeleton",
                                  out_error);
            status = check_constant(view, walk, kind, joint, first++, count, out_error);
        }
        walk->constant += (size_t)mrw_track_width((mrw_track_kind)kind) * count;
    }
    return status;
}

static mrw_status check_bases(const mrw_clip *view, mrw_error *out_error)
{
    base_walk walk = base_walk_begin(view);
    mrw_status status = MRW_OK;
    for (uint32_t i = 0; i < view->base_count && status == MRW_OK; i++)
        status = check_base(view, i, &walk, out_error);
    for (uint32_t kind = 0; kind < 3 && status == MRW_OK; kind++)
        status = pass_tracks(view, &walk, kind, UINT32_MAX, out_error);
    return status;
}

/* --- lists ---------------------------------------------------------------------------
 *
 * What stands there follows from the tracks, so it is worked out again and compared.
 */

/* An entry of a list. Strictly ascending entries that all belong there are all that belong there if
 * their number is right. */
static mrw_status check_entry(const mrw_clip *view, const char *list, const void *place,
                              uint32_t index, uint32_t track, mrwi_track_role role,
                              mrw_error *out_error)
{
    if (track >= view->track_count)
        return fail_entry(view, list, place, index, "no track of the clip", out_error);
    if (mrwi_track_find_role(&view->tracks[track], view->values) != role)
        return fail_entry(view, list, place, index, "a track of the other list, or of none",
                          out_error);
    return MRW_OK;
}

static mrw_status check_moving(const mrw_clip *view, mrw_error *out_error)
{
    for (uint32_t i = 0; i < view->moving_count; i++) {
        const mrw_clip_moving *moving = &view->moving[i];
        mrw_status status =
            check_entry(view, "moving", moving, i, moving->track, MRWI_TRACK_MOVING, out_error);
        if (status != MRW_OK)
            return status;
        mrw_clip_moving right = mrwi_moving_of(view->tracks, moving->track);
        if (memcmp(moving, &right, sizeof(right)) != 0)
            return fail_entry(view, "moving", moving, i, "it says other than its track", out_error);
        if (i > 0 && !mrwi_moving_precedes(view->tracks, moving[-1].track, moving->track))
            return fail_entry(view, "moving", moving, i, "out of order, or there twice", out_error);
    }
    return MRW_OK;
}

static mrw_status check_loose(const mrw_clip *view, mrw_error *out_error)
{
    for (uint32_t i = 0; i < view->loose_count; i++) {
        const uint32_t *loose = &view->loose[i];
        mrw_status status =
            check_entry(view, "loose", loose, i, *loose, MRWI_TRACK_LOOSE, out_error);
        if (status != MRW_OK)
            return status;
        if (i > 0 && loose[-1] >= *loose)
            return fail_entry(view, "loose", loose, i, "out of order, or there twice", out_error);
    }
    return MRW_OK;
}

static mrw_status check_lists(const mrw_clip *view, mrw_error *out_error)
{
    uint32_t counts[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < view->track_count; i++)
        counts[mrwi_track_find_role(&view->tracks[i], view->values)]++;
    const mrwi_clip_content *content = (const mrwi_clip_content *)view->header;
    if (view->moving_count != counts[MRWI_TRACK_MOVING])
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &content->moving_count,
                               "moving_count", "not the number of tracks that move", out_error);
    if (view->loose_count != counts[MRWI_TRACK_LOOSE])
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &content->loose_count,
                               "loose_count", "not the number of loose tracks", out_error);
    mrw_status status = check_moving(view, out_error);
    if (status == MRW_OK)
        status = check_loose(view, out_error);
    return status;
}

mrw_status mrwi_clip_check_order(const mrw_clip *view, mrw_error *out_error)
{
    mrw_status status = check_bases(view, out_error);
    if (status == MRW_OK)
        status = check_lists(view, out_error);
    return status;
}
