/* Completes a clip that a test has put together without the builder: what stands in the asset for
 * the order of sampling, worked out from its tracks. */
#ifndef TESTS_TRACK_LISTS_H
#define TESTS_TRACK_LISTS_H

#include "clip/track_order.h"

enum { TRACK_LISTS_MOST = 1024, TRACK_LISTS_VALUES = 1 << 16 };

typedef struct track_lists {
    mrw_track tracks[TRACK_LISTS_MOST];
    float values[TRACK_LISTS_VALUES];
    mrw_clip_base bases[TRACK_LISTS_MOST];
    float constants[TRACK_LISTS_MOST * 4];
    mrw_clip_group groups[TRACK_LISTS_MOST];
    mrw_clip_moving moving[TRACK_LISTS_MOST];
    uint32_t loose[TRACK_LISTS_MOST];
} track_lists;

/* Up to eight linear tracks of one kind with the times of track `first`, it and others behind it
 * that are in no group yet. Constant ones of joints stay out. */
static inline uint32_t track_lists_find_group(const mrw_clip *clip, const mrw_track *tracks,
                                              uint32_t first, uint32_t out_indices[8])
{
    uint32_t count = 0;
    for (uint32_t i = first; i < clip->track_count && count < 8; i++) {
        mrwi_track_role role = mrwi_track_find_role(&clip->tracks[i], clip->values);
        bool moves = clip->tracks[i].kind == MRW_TRACK_SCALAR
                         ? clip->tracks[i].interpolation == MRW_INTERPOLATION_LINEAR
                         : role == MRWI_TRACK_MOVING;
        if (moves && !tracks[i].in_lanes && clip->tracks[i].kind == clip->tracks[first].kind &&
            clip->tracks[i].times_offset == clip->tracks[first].times_offset &&
            clip->tracks[i].key_count == clip->tracks[first].key_count)
            out_indices[count++] = i;
    }
    return count;
}

/* Puts tracks into lanes, `fewest` and more at a time. Returns where the values of groups end. */
static inline uint32_t track_lists_group(track_lists *lists, mrw_clip *clip, uint32_t fewest)
{
    uint32_t at = 0, indices[8];
    memcpy(lists->tracks, clip->tracks, clip->track_count * sizeof(mrw_track));
    for (uint32_t i = 0; i < clip->track_count; i++) {
        uint32_t count = track_lists_find_group(clip, lists->tracks, i, indices);
        if (count < fewest || indices[0] != i)
            continue;
        mrw_clip_group *group = &lists->groups[clip->group_count++];
        *group = mrwi_group_of(clip->tracks, indices, count, at);
        for (uint32_t lane = 0; lane < 8; lane++) {
            const mrw_track *track = &clip->tracks[group->tracks[lane]];
            lists->tracks[group->tracks[lane]].in_lanes = 1;
            if (lane < count)
                lists->tracks[group->tracks[lane]].values_offset = at + lane;
            for (uint32_t k = 0; k < mrwi_group_floats(group) / 8; k++)
                lists->values[at + k * 8 + lane] = clip->values[track->values_offset + k];
        }
        at += (uint32_t)mrwi_group_floats(group);
    }
    return at;
}

/* The constant track of a kind and joint, or NULL. */
static inline const mrw_track *track_lists_constant(const mrw_clip *clip, uint32_t kind,
                                                    uint32_t joint)
{
    for (uint32_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i].kind == kind && clip->tracks[i].target == joint &&
            mrwi_track_find_role(&clip->tracks[i], clip->values) == MRWI_TRACK_CONSTANT)
            return &clip->tracks[i];
    return NULL;
}

/* The constants of a block: stream after stream the numbers of the joints that have one. */
static inline void track_lists_add_base(track_lists *lists, mrw_clip *clip, uint32_t block)
{
    mrw_clip_base base = {.block = block};
    for (uint32_t kind = 0; kind < 3; kind++)
        for (uint32_t i = 0; i < mrw_track_width((mrw_track_kind)kind); i++)
            for (uint32_t lane = 0; lane < 8; lane++) {
                const mrw_track *track = track_lists_constant(clip, kind, block * 8 + lane);
                float key[MRWI_KEY_FLOATS];
                if (track == NULL)
                    continue;
                mrwi_track_load_key(track, clip->values, 0, key);
                lists->constants[clip->constant_count++] = key[mrwi_track_value_at(track) + i];
                base.lanes[kind] = (uint8_t)(base.lanes[kind] | 1u << lane);
            }
    if ((base.lanes[0] | base.lanes[1] | base.lanes[2]) != 0)
        lists->bases[clip->base_count++] = base;
}

/* The clip points into the lists from then on, with its tracks and values too. Its tracks are valid
 * and sorted, and few; those that share times with `fewest` - 1 others go into lanes. */
static inline void track_lists_fill_from(track_lists *lists, mrw_clip *clip, uint32_t fewest)
{
    clip->base_count = clip->constant_count = clip->group_count = clip->moving_count =
        clip->loose_count = 0;
    uint32_t at = track_lists_group(lists, clip, fewest);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        mrw_track *track = &lists->tracks[i];
        uint32_t floats = track->key_count * mrwi_track_key_floats(track);
        if (track->in_lanes)
            continue;
        memcpy(lists->values + at, clip->values + track->values_offset, floats * sizeof(float));
        track->values_offset = at;
        at += floats;
    }
    clip->tracks = lists->tracks;
    clip->values = lists->values;
    clip->value_count = at;
    for (uint32_t block = 0; block * 8 < clip->joint_count; block++)
        track_lists_add_base(lists, clip, block);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        mrwi_track_role role = mrwi_track_find_role(&clip->tracks[i], clip->values);
        if (role == MRWI_TRACK_LOOSE)
            lists->loose[clip->loose_count++] = i;
        if (role != MRWI_TRACK_MOVING)
            continue;
        uint32_t place = clip->moving_count++;
        for (; place > 0 && mrwi_moving_precedes(clip->tracks, i, lists->moving[place - 1].track);
             place--)
            lists->moving[place] = lists->moving[place - 1];
        lists->moving[place] = mrwi_moving_of(clip->tracks, i);
    }
    clip->bases = lists->bases;
    clip->constants = lists->constants;
    clip->groups = lists->groups;
    clip->moving = lists->moving;
    clip->loose = lists->loose;
}

static inline void track_lists_fill(track_lists *lists, mrw_clip *clip)
{
    track_lists_fill_from(lists, clip, 4);
}

#endif
