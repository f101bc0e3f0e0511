/* A clip asset written by hand, field by field as docs/format/clip_keyed_v1.md says. It has one
 * track of each kind and interpolation for the skeleton of handmade_skeleton.h:
 *
 *     tracks[0]  translation of joint 1, cubic    keys at 0.5 and 1.5
 *     tracks[1]  rotation of joint 0, linear      the same times
 *     tracks[2]  rotation of joint 3, cubic       the same times
 *     tracks[3]  scale of joint 2, step           a key at 0
 *     tracks[4]  scalar 0, linear                 keys at 0 and 2, the duration
 *
 * All joints are of block 0. tracks[1] moves, tracks[0], [2] and [4] are loose, tracks[3] is
 * constant.
 */
#ifndef TESTS_HANDMADE_CLIP_H
#define TESTS_HANDMADE_CLIP_H

#include "clip/clip_format.h"

#include <string.h>

enum { HANDMADE_TRACKS = 5, HANDMADE_TIMES = 5, HANDMADE_VALUES = 18 + 8 + 24 + 3 + 2 };

typedef struct handmade_clip {
    _Alignas(64) mrwi_clip_content content;
    _Alignas(64) mrw_track tracks[HANDMADE_TRACKS];
    _Alignas(64) float times[HANDMADE_TIMES];
    _Alignas(64) float values[HANDMADE_VALUES];
    _Alignas(64) char name[5];
    _Alignas(64) mrw_clip_base bases[1];
    float constants[7]; /* the first three are the clip's */
    _Alignas(64) mrw_clip_moving moving[1];
    _Alignas(64) uint32_t loose[3];
} handmade_clip;

/* The checksum again, after a test has changed something. */
static inline void handmade_clip_seal(handmade_clip *made)
{
    made->content.header.checksum = mrw_asset_checksum(
        (const char *)made + sizeof(mrw_asset_header), sizeof(*made) - sizeof(mrw_asset_header));
}

static inline void handmade_clip_init(handmade_clip *made, uint64_t skeleton_id)
{
    static const mrw_track tracks[HANDMADE_TRACKS] = {
        {1, MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_CUBIC, 0, 2, 0, 0},
        {0, MRW_TRACK_ROTATION, MRW_INTERPOLATION_LINEAR, 0, 2, 0, 18},
        {3, MRW_TRACK_ROTATION, MRW_INTERPOLATION_CUBIC, 0, 2, 0, 26},
        {2, MRW_TRACK_SCALE, MRW_INTERPOLATION_STEP, 0, 1, 2, 50},
        {0, MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR, 0, 2, 3, 53},
    };
    static const float times[HANDMADE_TIMES] = {0.5f, 1.5f, 0.0f, 0.0f, 2.0f};
    static const float values[HANDMADE_VALUES] = {
        0, 0, 0, 1, 2,    3, 4, 5,    6,                       /* in-tangent, value, out-tangent */
        7, 8, 9, 4, 5,    6, 0, 0,    0,                       /* */
        0, 0, 0, 1,                                            /* */
        0, 0, 1, 0,                                            /* half a turn about Z */
        0, 0, 0, 0, 0,    0, 0, 1,    0, 9, 0, 9,              /* tangents need no unit length */
        0, 9, 0, 9, 0.6f, 0, 0, 0.8f, 0, 0, 0, 0, 2, -2, 0.5f, /* */
        0, 1,                                                  /* */
    };
    static const mrw_clip_base base = {0, {0, 0, 1u << 2}, 0};
    static const uint32_t loose[] = {0, 2, 4};
    memset(made, 0, sizeof(*made));
    memcpy(made->tracks, tracks, sizeof(tracks));
    memcpy(made->times, times, sizeof(times));
    memcpy(made->values, values, sizeof(values));
    memcpy(made->name, "wave", sizeof(made->name));
    made->bases[0] = base;
    made->moving[0] = (mrw_clip_moving){1, 3 * 8, 18};
    memcpy(made->loose, loose, sizeof(loose));
    memcpy(made->constants, &values[50], 3 * sizeof(float));
    mrwi_clip_content *content = &made->content;
    content->encoding = MRW_CLIP_KEYED;
    content->joint_count = 4;
    content->scalar_count = 1;
    content->track_count = HANDMADE_TRACKS;
    content->time_count = HANDMADE_TIMES;
    content->value_count = HANDMADE_VALUES;
    content->name_size_bytes = sizeof(made->name);
    content->duration_s = 2.0f;
    content->tracks_offset = offsetof(handmade_clip, tracks);
    content->times_offset = offsetof(handmade_clip, times);
    content->values_offset = offsetof(handmade_clip, values);
    content->name_offset = offsetof(handmade_clip, name);
    content->bases_offset = offsetof(handmade_clip, bases);
    content->groups_offset = offsetof(handmade_clip, moving); /* none */
    content->moving_offset = offsetof(handmade_clip, moving);
    content->loose_offset = offsetof(handmade_clip, loose);
    content->base_count = 1;
    content->moving_count = 1;
    content->loose_count = 3;
    content->header.magic = MRW_ASSET_MAGIC;
    content->header.kind = MRW_ASSET_CLIP;
    content->header.version = MRW_CLIP_VERSION;
    content->header.size_bytes = sizeof(*made);
    content->header.skeleton_id = skeleton_id;
    handmade_clip_seal(made);
}

#endif
