/* Assets as one .mrw file: docs/format/mrw_file_v1.md. */
#include <marrow/asset_file.h>
#include <marrow/offline/export.h>

#include "base/error.h"
#include "offline/build/asset_writer.h"
#include "offline/memory/arena.h"

#include <string.h>

typedef struct listed_part {
    const mrw_asset_header *header;
    const char *name;
    uint32_t place; /* in the caller's list: what keeps the order of a kind */
} listed_part;

static mrw_status list_parts(const mrw_file_part *parts, uint32_t count, mrwi_arena *scratch,
                             listed_part *out_list, mrw_error *out_error)
{
    for (uint32_t i = 0; i < count; i++) {
        listed_part *one = &out_list[i];
        mrw_status status =
            mrw_asset_open(parts[i].asset, parts[i].size_bytes, &one->header, out_error);
        if (status != MRW_OK)
            return status;
        one->name = mrwi_asset_name(scratch, parts[i].name);
        one->place = i;
        if (one->name == NULL)
            return mrwi_arena_fail(scratch, out_error, "names");
    }
    return MRW_OK;
}

static bool precedes(const listed_part *a, const listed_part *b)
{
    return a->header->kind != b->header->kind ? a->header->kind < b->header->kind
                                              : a->place < b->place;
}

/* Bottom-up merging: `from` and `to` change places each round. Returns the sorted one. */
static listed_part *sort_parts(listed_part *from, listed_part *to, uint32_t count)
{
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * width) {
            uint64_t middle = first + width < count ? first + width : count;
            uint64_t end = middle + width < count ? middle + width : count;
            uint64_t left = first, right = middle;
            for (uint64_t i = first; i < end; i++) {
                bool take_left =
                    left < middle && (right >= end || !precedes(&from[right], &from[left]));
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        listed_part *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

static mrw_status measure_names(const listed_part *list, uint32_t count, uint32_t *out_size,
                                mrw_error *out_error)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size += strlen(list[i].name) + 1;
    if (size > UINT32_MAX)
        return mrwi_fail(out_error, MRW_ERR_LIMIT, "names", "more than 4 GiB");
    *out_size = (uint32_t)size;
    return MRW_OK;
}

static mrw_status write_file(const listed_part *list, uint32_t count,
                             const mrw_memory_options *memory, const mrwi_arena *scratch,
                             mrw_bytes *out_file, mrw_error *out_error)
{
    uint32_t names_size = 0;
    mrw_status status = measure_names(list, count, &names_size, out_error);
    if (status != MRW_OK)
        return status;
    const size_t directory = (size_t)count * sizeof(mrw_file_entry) + names_size;
    mrwi_asset_layout layout = mrwi_asset_layout_begin(sizeof(mrw_file_header) + directory);
    const uint64_t first = mrwi_asset_layout_section(&layout, 0, 1);
    for (uint32_t i = 0; i < count; i++)
        mrwi_asset_layout_section(&layout, list[i].header->size_bytes, 1);
    if (count == 0)
        layout.end = first;
    status = mrwi_asset_alloc(&layout, memory, scratch, out_file, out_error);
    if (status != MRW_OK)
        return status;

    mrw_file_entry *entries = (mrw_file_entry *)(void *)(out_file->data + sizeof(mrw_file_header));
    char *names = (char *)(entries + count);
    uint64_t offset = first;
    uint32_t name_offset = 0;
    for (uint32_t i = 0; i < count; i++) {
        const mrw_asset_header *asset = list[i].header;
        const size_t name_size = strlen(list[i].name) + 1;
        entries[i] = (mrw_file_entry){offset, asset->size_bytes, asset->kind, name_offset};
        memcpy(names + name_offset, list[i].name, name_size);
        memcpy(out_file->data + offset, asset, (size_t)asset->size_bytes);
        offset += asset->size_bytes;
        name_offset += (uint32_t)name_size;
    }
    mrw_file_header header = {.magic = MRW_FILE_MAGIC,
                              .version = MRW_FILE_VERSION,
                              .size_bytes = out_file->size_bytes,
                              .checksum = mrw_asset_checksum(entries, directory),
                              .asset_count = count,
                              .names_size_bytes = names_size};
    memcpy(out_file->data, &header, sizeof(header));
    return MRW_OK;
}

mrw_status mrw_export_file(const mrw_file_part *parts, uint32_t part_count,
                           const mrw_memory_options *memory, mrw_bytes *out_file,
                           mrw_error *out_error)
{
    if (out_file == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "out_file", "it is NULL");
    memset(out_file, 0, sizeof(*out_file));
    if (parts == NULL && part_count > 0)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "parts", "it is NULL");
    mrwi_arena scratch;
    mrwi_arena_init(&scratch, memory);
    listed_part *list = mrwi_arena_alloc(&scratch, part_count, sizeof(*list));
    listed_part *other = mrwi_arena_alloc(&scratch, part_count, sizeof(*other));
    mrw_status status = list == NULL || other == NULL
                            ? mrwi_arena_fail(&scratch, out_error, "parts")
                            : list_parts(parts, part_count, &scratch, list, out_error);
    if (status == MRW_OK)
        status = write_file(sort_parts(list, other, part_count), part_count, memory, &scratch,
                            out_file, out_error);
    mrwi_arena_free(&scratch);
    return status;
}
