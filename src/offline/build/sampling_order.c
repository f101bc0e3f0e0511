/* Groups, lists and the final places of values.
 *
 * Linear tracks of one kind with the same times are a run. A run of four and more goes into lanes:
 *
 *     run, by joint    0 1 2 3 4 5 6 7   9 11 12   16 17 18 19 20 21 22 23   26
 *     groups          [0 1 2 3 4 5 6 7] [16 17 18 19 20 21 22 23] [9 11 12 26 (26 26 26 26)]
 *
 * Whole blocks of a pose come first, since such a group is stored as it is computed, and the rest
 * is eight by eight what it is. The lanes without a track at most double the values of a run, which
 * is why shorter runs stay by themselves.
 */
#include "offline/build/sampling_order.h"

#include "base/error.h"
#include "clip/track_order.h"

#include <stdlib.h>
#include <string.h>

enum { SHORTEST_RUN = 4 };

typedef struct run_track {
    const mrw_track *tracks;
    uint32_t index;
} run_track;

static int compare_moving(const void *left, const void *right)
{
    const run_track *a = left;
    const run_track *b = right;
    return mrwi_moving_precedes(a->tracks, a->index, b->index) ? -1 : 1;
}

static bool share_run(const mrw_track *a, const mrw_track *b)
{
    return a->kind == b->kind && a->times_offset == b->times_offset && a->key_count == b->key_count;
}

/* Joints that move, and every scalar: of its weights a mesh keeps most in one run, so that leaving
 * those out that stay would gain little. */
static bool may_be_in_lanes(const mrw_track *track, const float *values)
{
    if (track->kind == MRW_TRACK_SCALAR)
        return track->interpolation == MRW_INTERPOLATION_LINEAR;
    return mrwi_track_find_role(track, values) == MRWI_TRACK_MOVING;
}

/* --- groups -------------------------------------------------------------------------- */

typedef struct track_grouping {
    mrwi_sampling_order *order;
    uint64_t value_count;
    uint32_t rest[MRW_CLIP_LANES];
    uint32_t rest_count;
} track_grouping;

static void add_group(track_grouping *grouping, const uint32_t *indices, uint32_t count)
{
    mrwi_sampling_order *order = grouping->order;
    for (uint32_t lane = 0; lane < count; lane++) {
        mrw_track *track = &order->tracks[indices[lane]];
        track->in_lanes = 1;
        track->values_offset = (uint32_t)grouping->value_count + lane;
    }
    mrw_clip_group *group = &order->groups[order->group_count++];
    *group = mrwi_group_of(order->tracks, indices, count, (uint32_t)grouping->value_count);
    grouping->value_count += mrwi_group_floats(group);
}

/* Whether a run has the tracks of a whole block from this one on. */
static bool begins_block(const run_track *run, uint32_t count)
{
    if (count < MRW_CLIP_LANES)
        return false;
    uint32_t first = run[0].tracks[run[0].index].target;
    uint32_t last = run[0].tracks[run[MRW_CLIP_LANES - 1].index].target;
    return first % MRW_POSE_LANES == 0 && last == first + MRW_CLIP_LANES - 1;
}

static void group_run(track_grouping *grouping, const run_track *run, uint32_t count)
{
    for (int whole = 1; whole >= 0; whole--)
        for (uint32_t i = 0; i < count;) {
            uint32_t taken = begins_block(&run[i], count - i) ? MRW_CLIP_LANES : 1;
            if (whole && taken > 1) {
                uint32_t indices[MRW_CLIP_LANES];
                for (uint32_t lane = 0; lane < MRW_CLIP_LANES; lane++)
                    indices[lane] = run[i + lane].index;
                add_group(grouping, indices, MRW_CLIP_LANES);
            } else if (!whole && taken == 1) {
                grouping->rest[grouping->rest_count++] = run[i].index;
                if (grouping->rest_count == MRW_CLIP_LANES) {
                    add_group(grouping, grouping->rest, MRW_CLIP_LANES);
                    grouping->rest_count = 0;
                }
            }
            i += taken;
        }
    if (grouping->rest_count > 0)
        add_group(grouping, grouping->rest, grouping->rest_count);
    grouping->rest_count = 0;
}

/* Groups what is in long runs, and lists the joints of short ones. */
static void split_runs(track_grouping *grouping, const run_track *sorted, uint32_t count)
{
    mrwi_sampling_order *order = grouping->order;
    uint32_t length = 0;
    for (uint32_t i = 0; i < count; i += length) {
        const mrw_track *first = &order->tracks[sorted[i].index];
        for (length = 1;
             i + length < count && share_run(first, &order->tracks[sorted[i + length].index]);)
            length++;
        if (length >= SHORTEST_RUN)
            group_run(grouping, &sorted[i], length);
        else if (first->kind != MRW_TRACK_SCALAR)
            for (uint32_t k = 0; k < length; k++)
                order->moving[order->moving_count++].track = sorted[i + k].index;
    }
}

static mrw_status make_groups(track_grouping *grouping, const float *values, mrwi_arena *arena,
                              mrw_error *out_error)
{
    mrwi_sampling_order *order = grouping->order;
    run_track *sorted = mrwi_arena_alloc(arena, order->track_count, sizeof(*sorted));
    order->groups = mrwi_arena_alloc(arena, order->track_count, sizeof(*order->groups));
    order->moving = mrwi_arena_alloc(arena, order->track_count, sizeof(*order->moving));
    if (sorted == NULL || order->groups == NULL || order->moving == NULL)
        return mrwi_arena_fail(arena, out_error, "tracks");
    uint32_t count = 0;
    for (uint32_t i = 0; i < order->track_count; i++)
        if (may_be_in_lanes(&order->tracks[i], values))
            sorted[count++] = (run_track){order->tracks, i};
    if (count > 1)
        qsort(sorted, count, sizeof(*sorted), compare_moving);
    split_runs(grouping, sorted, count);
    return MRW_OK;
}

/* --- values -------------------------------------------------------------------------- */

/* The values of tracks outside of lanes stand behind those of groups, in the order of tracks. */
static mrw_status place_others(track_grouping *grouping, mrw_error *out_error)
{
    mrwi_sampling_order *order = grouping->order;
    for (uint32_t i = 0; i < order->track_count && grouping->value_count <= UINT32_MAX; i++) {
        mrw_track *track = &order->tracks[i];
        if (track->in_lanes)
            continue;
        track->values_offset = (uint32_t)grouping->value_count;
        grouping->value_count += (uint64_t)track->key_count * mrwi_track_key_floats(track);
    }
    if (grouping->value_count > UINT32_MAX)
        return mrwi_fail(out_error, MRW_ERR_LIMIT, "tracks", "more than 2^32 numbers in one clip");
    order->value_count = (uint32_t)grouping->value_count;
    return MRW_OK;
}

static void fill_empty_lanes(const mrw_clip_group *group, float *values)
{
    float *row = values + group->values_offset;
    const float *end = row + mrwi_group_floats(group);
    for (; row < end; row += MRW_CLIP_LANES)
        for (uint32_t lane = group->track_count; lane < MRW_CLIP_LANES; lane++)
            row[lane] = row[group->track_count - 1];
}

static void move_values(mrwi_sampling_order *order, const mrw_track *from_tracks,
                        const float *from_values)
{
    for (uint32_t i = 0; i < order->track_count; i++) {
        const mrw_track *track = &order->tracks[i];
        uint32_t floats = track->key_count * mrwi_track_key_floats(track);
        size_t step = track->in_lanes ? MRW_CLIP_LANES : 1;
        for (uint32_t k = 0; k < floats; k++)
            order->values[track->values_offset + k * step] =
                from_values[from_tracks[i].values_offset + k];
    }
    for (uint32_t i = 0; i < order->group_count; i++)
        fill_empty_lanes(&order->groups[i], order->values);
}

/* --- the whole ----------------------------------------------------------------------- */

static void list_tracks(mrwi_sampling_order *order)
{
    for (uint32_t i = 0; i < order->moving_count; i++)
        order->moving[i] = mrwi_moving_of(order->tracks, order->moving[i].track);
    for (uint32_t i = 0; i < order->track_count; i++)
        if (mrwi_track_find_role(&order->tracks[i], order->values) == MRWI_TRACK_LOOSE)
            order->loose[order->loose_count++] = i;
}

mrw_status mrwi_order_sampling(const mrw_track *tracks, uint32_t track_count, const float *values,
                               mrwi_arena *arena, mrwi_sampling_order *out_order,
                               mrw_error *out_error)
{
    memset(out_order, 0, sizeof(*out_order));
    out_order->track_count = track_count;
    out_order->tracks = mrwi_arena_alloc(arena, track_count, sizeof(*tracks));
    out_order->loose = mrwi_arena_alloc(arena, track_count, sizeof(*out_order->loose));
    if (out_order->tracks == NULL || out_order->loose == NULL)
        return mrwi_arena_fail(arena, out_error, "tracks");
    if (track_count > 0)
        memcpy(out_order->tracks, tracks, track_count * sizeof(*tracks));
    track_grouping grouping = {.order = out_order};
    mrw_status status = make_groups(&grouping, values, arena, out_error);
    if (status == MRW_OK)
        status = place_others(&grouping, out_error);
    if (status != MRW_OK)
        return status;
    out_order->values = mrwi_arena_alloc(arena, out_order->value_count, sizeof(float));
    if (out_order->values == NULL)
        return mrwi_arena_fail(arena, out_error, "tracks");
    move_values(out_order, tracks, values);
    list_tracks(out_order);
    return MRW_OK;
}
