/* The bytes of a clip asset, version 1, keyed. docs/format/clip_keyed_v1.md says what each field
 * means. */
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
} mrwi_clip_content;

_Static_assert(sizeof(mrwi_clip_content) == 128, "no padding");
_Static_assert(sizeof(mrw_track) == 20, "no padding");

#endif
