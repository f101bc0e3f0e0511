/* The bytes of a clip asset, version 1. docs/format/clip_keyed_v1.md says what each field means. */
#ifndef MRWI_CLIP_FORMAT_H
#define MRWI_CLIP_FORMAT_H

#include <marrow/clip.h>

typedef struct mrwi_clip_content {
    mrw_asset_header header;
    uint32_t encoding; /* mrw_clip_encoding */
    uint32_t joint_count;
    uint32_t scalar_count;
    uint32_t track_count;
    uint32_t time_count;
    uint32_t value_count;
    uint32_t name_size_bytes; /* with the NUL */
    float duration_s;
    uint64_t tracks_offset;
    uint64_t times_offset;
    uint64_t values_offset;
    uint64_t name_offset;
    uint32_t base_count;
    uint32_t moving_count;
    uint32_t loose_count;
    uint32_t group_count;
    uint64_t bases_offset;
    uint64_t moving_offset;
    uint64_t loose_offset;
    uint64_t groups_offset;
    uint64_t packed_offset;
    uint64_t packed_size_bytes;
} mrwi_clip_content;

_Static_assert(sizeof(mrwi_clip_content) == 192, "no padding");
_Static_assert(sizeof(mrw_track) == 20, "no padding");
_Static_assert(sizeof(mrw_clip_base) == 8, "no padding");
_Static_assert(sizeof(mrw_clip_group) == 80, "no padding");
_Static_assert(sizeof(mrw_clip_moving) == 12, "no padding");

/* Floats of one key: its value, or in-tangent, value and out-tangent. */
static inline uint32_t mrwi_track_key_floats(const mrw_track *track)
{
    uint32_t width = mrw_track_width((mrw_track_kind)track->kind);
    return track->interpolation == MRW_INTERPOLATION_CUBIC ? 3 * width : width;
}

/* Where in a key the value stands. */
static inline uint32_t mrwi_track_value_at(const mrw_track *track)
{
    if (track->interpolation != MRW_INTERPOLATION_CUBIC)
        return 0;
    return mrw_track_width((mrw_track_kind)track->kind);
}

enum { MRWI_KEY_FLOATS = 12 }; /* the most of a key: a rotation between its tangents */

/* The numbers of a key, which may be a lane of a group. values: of the clip. */
static inline void mrwi_track_load_key(const mrw_track *track, const float *values, uint32_t key,
                                       float out_numbers[MRWI_KEY_FLOATS])
{
    uint32_t count = mrwi_track_key_floats(track);
    uint32_t step = track->in_lanes ? MRW_CLIP_LANES : 1;
    const float *from = values + track->values_offset + (size_t)key * count * step;
    for (uint32_t i = 0; i < count; i++)
        out_numbers[i] = from[(size_t)i * step];
}

#endif
