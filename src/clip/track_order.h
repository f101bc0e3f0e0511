/* The order of sampling: what stands in a clip besides its tracks follows from them. The builder
 * writes it by these functions, and mrw_clip_open works it out again and compares. */
#ifndef MRWI_TRACK_ORDER_H
#define MRWI_TRACK_ORDER_H

#include "clip/clip_format.h"

#include <string.h>

/* How a track is sampled. */
typedef enum mrwi_track_role {
    MRWI_TRACK_CONSTANT, /* its value stands in a base block */
    MRWI_TRACK_IN_LANES, /* of a group */
    MRWI_TRACK_MOVING,   /* listed in `moving` */
    MRWI_TRACK_LOOSE     /* listed in `loose` */
} mrwi_track_role;

/* Whether all keys are the same to the bit. */
static inline bool mrwi_track_stays(const mrw_track *track, const float *values)
{
    float first[MRWI_KEY_FLOATS] = {0}, other[MRWI_KEY_FLOATS] = {0};
    mrwi_track_load_key(track, values, 0, first);
    for (uint32_t k = 1; k < track->key_count; k++) {
        mrwi_track_load_key(track, values, k, other);
        if (memcmp(first, other, sizeof(first)) != 0)
            return false;
    }
    return true;
}

/* values: of the clip. Reads all keys of the track, unless one of the first differs. */
static inline mrwi_track_role mrwi_track_find_role(const mrw_track *track, const float *values)
{
    if (track->in_lanes)
        return MRWI_TRACK_IN_LANES;
    if (track->kind == MRW_TRACK_SCALAR)
        return MRWI_TRACK_LOOSE;
    if (track->key_count == 1)
        return MRWI_TRACK_CONSTANT;
    if (track->interpolation == MRW_INTERPOLATION_CUBIC)
        return MRWI_TRACK_LOOSE;
    if (mrwi_track_stays(track, values))
        return MRWI_TRACK_CONSTANT;
    return track->interpolation == MRW_INTERPOLATION_LINEAR ? MRWI_TRACK_MOVING : MRWI_TRACK_LOOSE;
}

/* The order of `moving`: what can be sampled together stands together. Whether a is before b. */
static inline bool mrwi_moving_precedes(const mrw_track *tracks, uint32_t a, uint32_t b)
{
    const mrw_track *left = &tracks[a], *right = &tracks[b];
    if (left->kind != right->kind)
        return left->kind < right->kind;
    if (left->times_offset != right->times_offset)
        return left->times_offset < right->times_offset;
    if (left->key_count != right->key_count)
        return left->key_count < right->key_count;
    return a < b;
}

/* What mrw_clip_group says of places. */
static inline uint32_t mrwi_track_place(const mrw_track *track)
{
    static const uint8_t first_streams[] = {0, 3, 7}; /* by kind, as in mrw_pose_block */
    if (track->kind == MRW_TRACK_SCALAR)
        return track->target;
    uint32_t block_floats = sizeof(mrw_pose_block) / sizeof(float);
    return track->target / MRW_POSE_LANES * block_floats +
           first_streams[track->kind] * (uint32_t)MRW_POSE_LANES + track->target % MRW_POSE_LANES;
}

static inline mrw_clip_moving mrwi_moving_of(const mrw_track *tracks, uint32_t index)
{
    mrw_clip_moving moving = {index, mrwi_track_place(&tracks[index]), tracks[index].values_offset};
    return moving;
}

/* Floats of a group in `values`. */
static inline uint64_t mrwi_group_floats(const mrw_clip_group *group)
{
    return (uint64_t)group->key_count * mrw_track_width((mrw_track_kind)group->kind) *
           MRW_CLIP_LANES;
}

/* The group of 1 to 8 of a clip's tracks. */
static inline mrw_clip_group mrwi_group_of(const mrw_track *tracks, const uint32_t *indices,
                                           uint32_t count, uint32_t values_offset)
{
    const mrw_track *first = &tracks[indices[0]];
    mrw_clip_group group = {first->kind,         (uint8_t)count, 0,   first->key_count,
                            first->times_offset, values_offset,  {0}, {0}};
    for (uint32_t i = 0; i < MRW_CLIP_LANES; i++) {
        group.tracks[i] = indices[i < count ? i : count - 1];
        group.places[i] = mrwi_track_place(&tracks[group.tracks[i]]);
    }
    return group;
}

/* The streams of a kind of track in a block: width times eight floats. Not for scalars. */
static inline float *mrwi_block_streams(mrw_pose_block *block, mrw_track_kind kind)
{
    return kind == MRW_TRACK_TRANSLATION ? block->translation[0]
           : kind == MRW_TRACK_ROTATION  ? block->rotation[0]
                                         : block->scale[0];
}

/* What stands in a base block where there is no track: a quiet NaN, to the bit. */
#define MRWI_BASE_NOTHING 0x7fc00000u

/* Puts the first value of a track into the base block of its joint. */
static inline void mrwi_base_set(mrw_clip_base *base, mrw_pose_block *block, const mrw_track *track,
                                 const float *values)
{
    uint32_t lane = track->target % MRW_POSE_LANES;
    float key[MRWI_KEY_FLOATS];
    mrwi_track_load_key(track, values, 0, key);
    const float *value = key + mrwi_track_value_at(track);
    float *streams = mrwi_block_streams(block, (mrw_track_kind)track->kind);
    uint32_t width = mrw_track_width((mrw_track_kind)track->kind);
    for (uint32_t i = 0; i < width; i++)
        streams[i * MRW_POSE_LANES + lane] = value[i];
    base->lanes[track->kind] = (uint8_t)(base->lanes[track->kind] | 1u << lane);
}

/* A base without tracks. */
static inline void mrwi_base_init(mrw_clip_base *base, mrw_pose_block *block, uint32_t number)
{
    const uint32_t nothing = MRWI_BASE_NOTHING;
    memset(base, 0, sizeof(*base));
    base->block = number;
    for (size_t at = 0; at < sizeof(*block); at += sizeof(nothing))
        memcpy((char *)block + at, &nothing, sizeof(nothing));
}

/* Walks over the tracks of joints a block at a time, whatever their kinds: tracks stand sorted by
 * kind first. */
typedef struct mrwi_base_walk {
    uint32_t next[3]; /* by kind: the next track, */
    uint32_t end[3];  /* and the one behind the last */
} mrwi_base_walk;

static inline mrwi_base_walk mrwi_base_walk_begin(const mrw_track *tracks, uint32_t track_count)
{
    mrwi_base_walk walk;
    uint32_t at = 0;
    for (uint32_t kind = 0; kind < 3; kind++) {
        walk.next[kind] = at;
        while (at < track_count && tracks[at].kind == kind)
            at++;
        walk.end[kind] = at;
    }
    return walk;
}

/* The base of the next block that has tracks; false if there is none. */
static inline bool mrwi_base_walk_next(mrwi_base_walk *walk, const mrw_track *tracks,
                                       const float *values, mrw_clip_base *out_base,
                                       mrw_pose_block *out_block)
{
    uint32_t number = UINT32_MAX;
    for (uint32_t kind = 0; kind < 3; kind++)
        if (walk->next[kind] < walk->end[kind] &&
            tracks[walk->next[kind]].target / MRW_POSE_LANES < number)
            number = tracks[walk->next[kind]].target / MRW_POSE_LANES;
    if (number == UINT32_MAX)
        return false;
    mrwi_base_init(out_base, out_block, number);
    for (uint32_t kind = 0; kind < 3; kind++)
        for (; walk->next[kind] < walk->end[kind] &&
               tracks[walk->next[kind]].target / MRW_POSE_LANES == number;
             walk->next[kind]++)
            mrwi_base_set(out_base, out_block, &tracks[walk->next[kind]], values);
    return true;
}

#endif
