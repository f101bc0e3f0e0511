/* Laying out and finishing the bytes of an asset, in three steps:
 *
 *     mrwi_asset_layout layout = mrwi_asset_layout_begin(sizeof(content));
 *     content.parents_offset = mrwi_asset_layout_section(&layout, count, sizeof(int32_t));
 *     ...
 *     status = mrwi_asset_alloc(&layout, memory, &scratch, out_bytes, out_error);
 *     ... write the content header at out_bytes->data and the sections at their offsets ...
 *     mrwi_asset_finish(out_bytes, kind, version, skeleton_id);
 */
#ifndef MRWI_OFFLINE_ASSET_WRITER_H
#define MRWI_OFFLINE_ASSET_WRITER_H

#include <marrow/offline/build.h>

#include "offline/memory/arena.h"

typedef struct mrwi_asset_layout {
    uint64_t end;   /* of the last section */
    bool too_large; /* an asset that long cannot be */
} mrwi_asset_layout;

/* content_bytes: of the kind's fields, the mrw_asset_header at their start included. */
mrwi_asset_layout mrwi_asset_layout_begin(size_t content_bytes);

/* The offset of a new section, aligned to 64. */
uint64_t mrwi_asset_layout_section(mrwi_asset_layout *layout, uint64_t count, size_t element_bytes);

/* One zeroed block for all of it. memory or NULL for the defaults; what `scratch`, or NULL, holds
 * already counts towards its limits. Errors: LIMIT, OUT_OF_MEMORY, MEMORY_LIMIT; *out_bytes is
 * empty then. */
mrw_status mrwi_asset_alloc(const mrwi_asset_layout *layout, const mrw_memory_options *memory,
                            const mrwi_arena *scratch, mrw_bytes *out_bytes, mrw_error *out_error);

/* Fills the mrw_asset_header. Everything behind it must be written by now. */
void mrwi_asset_finish(mrw_bytes *bytes, mrw_asset_kind kind, uint16_t version,
                       uint64_t skeleton_id);

/* A copy of a name in the arena: NULL becomes "", and bytes that are not UTF-8 become U+FFFD. NULL
 * if memory ran out. */
const char *mrwi_asset_name(mrwi_arena *arena, const char *name);

#endif
