/* Writing clips of either encoding. */
#ifndef MRWI_OFFLINE_CLIP_WRITER_H
#define MRWI_OFFLINE_CLIP_WRITER_H

#include <marrow/offline/build.h>

/* mrw_build_clip with a packed section (docs/format/clip_packed_v1.md); keyed if its size is 0.
 * With drops_still the tracks of joints with one key are constants and not tracks. */
mrw_status mrwi_write_clip(const mrw_skeleton *skeleton, const char *name,
                           const mrw_track_desc *tracks, uint32_t track_count, float duration_s,
                           bool drops_still, const void *packed, size_t packed_size_bytes,
                           const mrw_memory_options *memory, mrw_bytes *out_clip,
                           mrw_error *out_error);

#endif
