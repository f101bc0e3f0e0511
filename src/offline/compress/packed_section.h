/* The packed section of a clip from the numbers that it says: docs/format/clip_packed_v1.md. */
#ifndef MRWI_PACKED_SECTION_H
#define MRWI_PACKED_SECTION_H

#include "offline/compress/packed_motion.h"
#include "offline/memory/arena.h"

/* The bytes of the section, in the arena: those of the size of segments that makes the fewest.
 * Errors: LIMIT for numbers that no width is enough for or more than 4 GiB; OUT_OF_MEMORY,
 * MEMORY_LIMIT. */
mrw_status mrwi_packed_section(const mrwi_packed_motion *motion, mrwi_arena *arena,
                               const uint8_t **out_bytes, size_t *out_size_bytes,
                               mrw_error *out_error);

/* Whether a channel jumps by more than its residuals can say: then mrwi_packed_section fails with
 * MRW_ERR_LIMIT. */
bool mrwi_packed_unfit(const mrwi_packed_motion *motion, uint32_t channel);

#endif
