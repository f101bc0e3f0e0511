/* The order of sampling: what stands in a clip besides its tracks follows from them. The builder
 * writes it by these functions, and mrw_clip_open works it out again and compares. */
#ifndef MRWI_TRACK_ORDER_H
#define MRWI_TRACK_ORDER_H

#include "clip/clip_format.h"

#include <string.h>

/* How a track is sampled. */
typedef enum mrwi_track_role {
    MRWI_TRACK_CONSTANT, /* its value stands among the constants */
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

/* --- constants ------------------------------------------------------------------------ */

static inline uint32_t mrwi_lane_count(uint32_t lanes)
{
    uint32_t count = 0;
    for (; lanes != 0; lanes &= lanes - 1)
        count++;
    return count;
}

/* Floats of a base among the constants. */
static inline uint32_t mrwi_base_floats(const mrw_clip_base *base)
{
    return 3 * mrwi_lane_count(base->lanes[MRW_TRACK_TRANSLATION]) +
           4 * mrwi_lane_count(base->lanes[MRW_TRACK_ROTATION]) +
           3 * mrwi_lane_count(base->lanes[MRW_TRACK_SCALE]);
}

/* The constant of a joint of the base, which has one of this kind. Number i of the joint with the
 * r-th bit of n in `lanes` stands i n + r floats behind where the kind begins. constants: the
 * base's. */
static inline void mrwi_base_value(const mrw_clip_base *base, mrw_track_kind kind, uint32_t joint,
                                   const float *constants, float out_value[4])
{
    const uint32_t lanes = base->lanes[kind], count = mrwi_lane_count(lanes);
    const float *first = constants + mrwi_lane_count(lanes & ((1u << joint % MRW_POSE_LANES) - 1));
    for (uint32_t before = 0; before < (uint32_t)kind; before++)
        first +=
            (size_t)mrw_track_width((mrw_track_kind)before) * mrwi_lane_count(base->lanes[before]);
    for (uint32_t i = 0; i < mrw_track_width(kind); i++)
        out_value[i] = first[(size_t)i * count];
}

#endif
