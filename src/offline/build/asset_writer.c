#include "offline/build/asset_writer.h"

#include "base/utf8.h"
#include "base/align.h"
#include "base/error.h"

#include <string.h>

/* Far above any real asset, far below where sums of a few sections could overflow. */
#define LARGEST_ASSET_BYTES ((uint64_t)1 << 40)

mrwi_asset_layout mrwi_asset_layout_begin(size_t content_bytes)
{
    mrwi_asset_layout layout = {content_bytes, false};
    return layout;
}

uint64_t mrwi_asset_layout_section(mrwi_asset_layout *layout, uint64_t count, size_t element_bytes)
{
    uint64_t mask = MRW_ASSET_SECTION_ALIGNMENT - 1;
    uint64_t offset = (layout->end + mask) & ~mask;
    if (layout->too_large || count > (LARGEST_ASSET_BYTES - offset) / element_bytes) {
        layout->too_large = true;
        return 0;
    }
    layout->end = offset + count * element_bytes;
    return offset;
}

/* What is left of the caller's limits. False if a limit is used up: 0 would mean "no limit". */
static bool remaining_options(const mrwi_arena *scratch, mrw_memory_options *options)
{
    if (scratch == NULL)
        return true;
    const mrwi_arena *account = scratch->lender != NULL ? scratch->lender : scratch;
    options->allocator = account->allocator;
    if (account->allocation_count >= account->allocation_limit ||
        account->held_bytes >= account->limit_bytes)
        return false;
    options->limit_bytes = account->limit_bytes - account->held_bytes;
    return true;
}

mrw_status mrwi_asset_alloc(const mrwi_asset_layout *layout, const mrw_memory_options *memory,
                            const mrwi_arena *scratch, mrw_bytes *out_bytes, mrw_error *out_error)
{
    memset(out_bytes, 0, sizeof(*out_bytes));
    if (layout->too_large || layout->end > SIZE_MAX / 2)
        return mrwi_fail_at(out_error, MRW_ERR_LIMIT, 0, "asset size");
    size_t size_bytes = mrwi_align_up((size_t)layout->end, MRW_ASSET_SECTION_ALIGNMENT);
    mrw_memory_options options = memory != NULL ? *memory : mrw_memory_options_default();
    if (!remaining_options(scratch, &options))
        return mrwi_fail_at(out_error, MRW_ERR_MEMORY_LIMIT, 0, "asset");

    mrw_status status;
    mrw_allocator allocator;
    void *block = mrwi_block_alloc(&options, size_bytes, &allocator, &status);
    if (block == NULL)
        return mrwi_fail_at(out_error, status, 0, "asset");
    out_bytes->data = block;
    out_bytes->size_bytes = size_bytes;
    out_bytes->allocator = allocator;
    return MRW_OK;
}

void mrwi_asset_finish(mrw_bytes *bytes, mrw_asset_kind kind, uint16_t version,
                       uint64_t skeleton_id)
{
    mrw_asset_header header = {0};
    header.magic = MRW_ASSET_MAGIC;
    header.kind = (uint16_t)kind;
    header.version = version;
    header.size_bytes = bytes->size_bytes;
    header.checksum =
        mrw_asset_checksum(bytes->data + sizeof(header), bytes->size_bytes - sizeof(header));
    header.skeleton_id = skeleton_id;
    memcpy(bytes->data, &header, sizeof(header));
}

const char *mrwi_asset_name(mrwi_arena *arena, const char *name)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    const size_t replacement_bytes = sizeof(replacement) - 1;
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0)
        return "";
    if (mrwi_utf8_is_valid(name, length))
        return mrwi_arena_string(arena, name, length);

    char *clean = mrwi_arena_alloc(arena, length + 1, replacement_bytes);
    if (clean == NULL)
        return NULL;
    size_t written = 0;
    for (size_t at = 0; at < length;) {
        size_t bytes = mrwi_utf8_character(name + at, length - at);
        const char *source = bytes != 0 ? name + at : replacement;
        size_t source_bytes = bytes != 0 ? bytes : replacement_bytes;
        memcpy(clean + written, source, source_bytes);
        written += source_bytes;
        at += bytes != 0 ? bytes : 1;
    }
    return clean;
}
