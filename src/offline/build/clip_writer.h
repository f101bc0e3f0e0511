/* Writing clips of either encoding. */
#ifndef MRWI_OFFLINE_CLIP_WRITER_H
#define MRWI_OFFLINE_CLIP_WRITER_H

#include <marrow/offline/build.h>

/* What makes a clip packed: docs/format/clip_packed_v1.md. */
typedef struct mrwi_packed_part {
    const void *section;
    size_t size_bytes;
    const float *times; /* [time_count] of the samples, if they have times of their own; or NULL */
    uint32_t time_count;
} mrwi_packed_part;

/* mrw_build_clip, of a packed clip unless `packed` is NULL. With drops_still the tracks of joints
 * with one key are constants and not tracks. */
mrw_status mrwi_write_clip(const mrw_skeleton *skeleton, const char *name,
                           const mrw_track_desc *tracks, uint32_t track_count, float duration_s,
                           bool drops_still, const mrwi_packed_part *packed,
                           const mrw_memory_options *memory, mrw_bytes *out_clip,
                           mrw_error *out_error);

#endif
