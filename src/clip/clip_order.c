/* What stands in a clip for sampling alone, beside its tracks: groups, bases, lists.
 *
 * Which tracks are grouped is the writer's choice; each that is stands in one lane of one group,
 * and no two lanes are one. So what is looked up of a group later may be trusted like a track.
 */
#include "clip/clip_order.h"

#include "asset/asset_reader.h"
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

/* --- bases and lists -----------------------------------------------------------------
 *
 * What stands there follows from the tracks, so it is worked out again and compared. All tracks
 * are known to be valid by now.
 */

static mrw_status check_bases(const mrw_clip *view, mrw_error *out_error)
{
    mrwi_base_walk walk = mrwi_base_walk_begin(view->tracks, view->track_count);
    mrw_clip_base base;
    mrw_pose_block block;
    uint32_t i = 0;
    bool more;
    for (; (more = mrwi_base_walk_next(&walk, view->tracks, view->values, &base, &block)) &&
           i < view->base_count;
         i++) {
        if (memcmp(&base, &view->bases[i], sizeof(base)) != 0)
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &view->bases[i],
                                           "bases", i, "", "not the next block with tracks",
                                           out_error);
        if (memcmp(&block, &view->base_blocks[i], sizeof(block)) != 0)
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &view->base_blocks[i],
                                           "base_blocks", i, "",
                                           "not the first values of its tracks", out_error);
    }
    const mrwi_clip_content *content = (const mrwi_clip_content *)view->header;
    if (more || i != view->base_count)
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &content->base_count, "base_count",
                               "not the number of blocks with tracks", out_error);
    return MRW_OK;
}

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
