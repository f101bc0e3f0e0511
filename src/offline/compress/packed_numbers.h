/* The numbers of a packed clip, as they are predicted and quantised. */
#ifndef MRWI_PACKED_NUMBERS_H
#define MRWI_PACKED_NUMBERS_H

#include <marrow/clip.h>

#include "offline/memory/arena.h"

/* out_rows: [segment_count * 2^segment_log2 + 1][channel_count]; samples behind the last are 0 but
 * for the last of all, the closing anchors. Errors: OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_packed_numbers(const mrw_clip_packed *packed, mrwi_arena *arena, int32_t **out_rows,
                               mrw_error *out_error);

#endif
