/* Files of assets.
 *
 *     +--------------------+ 0
 *     | mrw_file_header    |   magic, version, sizes, checksum of the directory
 *     +--------------------+ 64
 *     | entries            |   24 bytes an asset
 *     | names              |
 *     +--------------------+ a multiple of 64
 *     | asset              |   each with the header and the checksum of its own
 *     +--------------------+
 *     | ...                |
 *     +--------------------+ size_bytes
 *
 * Only the directory is looked at, so that a mapped file of a thousand clips costs the pages of its
 * directory and of the clips that are played. Assets follow one another without gaps: that is how a
 * few comparisons prove that none reaches into another or past the end.
 */
#include <marrow/asset_file.h>

#include "asset/asset_reader.h"
#include "base/align.h"
#include "base/error.h"

#include <string.h>

_Static_assert(sizeof(mrw_file_header) == 64, "the header is 64 bytes");
_Static_assert(sizeof(mrw_file_entry) == 24, "an entry is 24 bytes");

static mrw_status fail(const mrw_file_header *header, mrw_status status, const void *place,
                       const char *detail, const char *message, mrw_error *out_error)
{
    mrwi_fail(out_error, status, "%s", "%s", detail, message);
    if (out_error != NULL)
        out_error->offset = (uint64_t)((const char *)place - (const char *)header);
    return status;
}

static mrw_status fail_entry(const mrw_file_header *header, const void *place, uint32_t index,
                             const char *field, const char *message, mrw_error *out_error)
{
    mrwi_fail(out_error, MRW_ERR_BAD_ASSET, "entries[%u].%s", "%s", index, field, message);
    if (out_error != NULL)
        out_error->offset = (uint64_t)((const char *)place - (const char *)header);
    return MRW_ERR_BAD_ASSET;
}

static uint64_t directory_bytes(const mrw_file_header *header)
{
    return (uint64_t)header->asset_count * sizeof(mrw_file_entry) + header->names_size_bytes;
}

static uint64_t first_asset_offset(const mrw_file_header *header)
{
    const uint64_t mask = MRW_ASSET_SECTION_ALIGNMENT - 1;
    return (sizeof(*header) + directory_bytes(header) + mask) & ~mask;
}

static mrw_status check_header(const mrw_file_header *header, size_t size_bytes,
                               mrw_error *out_error)
{
    if (header->magic != MRW_FILE_MAGIC)
        return mrwi_fail_at(out_error, MRW_ERR_BAD_MAGIC, 0, "header.magic");
    if (header->version != MRW_FILE_VERSION) {
        mrwi_fail(out_error, MRW_ERR_BAD_VERSION, "header.version",
                  "version %u, this library reads version %u", (uint32_t)header->version,
                  (uint32_t)MRW_FILE_VERSION);
        if (out_error != NULL)
            out_error->offset = offsetof(mrw_file_header, version);
        return MRW_ERR_BAD_VERSION;
    }
    static const uint8_t zeros[sizeof(header->reserved_tail)];
    if (header->reserved != 0)
        return fail(header, MRW_ERR_BAD_ASSET, &header->reserved, "header.reserved", "not zero",
                    out_error);
    if (memcmp(header->reserved_tail, zeros, sizeof(zeros)) != 0)
        return fail(header, MRW_ERR_BAD_ASSET, header->reserved_tail, "header.reserved_tail",
                    "not zero", out_error);
    if (header->size_bytes < first_asset_offset(header))
        return fail(header, MRW_ERR_BAD_ASSET, &header->size_bytes, "header.size_bytes",
                    "too small for the directory", out_error);
    if (header->size_bytes > size_bytes) {
        mrwi_fail(out_error, MRW_ERR_TRUNCATED, "header.size_bytes",
                  "the file has %z bytes, only %z are there", header->size_bytes,
                  (uint64_t)size_bytes);
        if (out_error != NULL)
            out_error->offset = size_bytes;
        return MRW_ERR_TRUNCATED;
    }
    if (mrw_asset_checksum(header + 1, (size_t)directory_bytes(header)) != header->checksum)
        return fail(header, MRW_ERR_BAD_CHECKSUM, &header->checksum, "header.checksum",
                    mrw_status_text(MRW_ERR_BAD_CHECKSUM), out_error);
    return MRW_OK;
}

/* Each name begins where the one before ends, as in skeletons: reading all of them is linear. */
static mrw_status check_names(const mrw_file *file, mrw_error *out_error)
{
    const mrw_file_header *header = file->header;
    size_t position = 0;
    for (uint32_t i = 0; i < file->asset_count; i++) {
        const mrw_file_entry *entry = &file->entries[i];
        if (entry->name_offset != position)
            return fail_entry(header, &entry->name_offset, i, "name_offset",
                              "names do not follow one another", out_error);
        size_t length = 0;
        if (!mrwi_asset_string(file->names + position, header->names_size_bytes - position,
                               &length))
            return fail_entry(header, file->names + position, i, "name", "not NUL-terminated UTF-8",
                              out_error);
        position += length + 1;
    }
    if (position != header->names_size_bytes)
        return fail(header, MRW_ERR_BAD_ASSET, &header->names_size_bytes, "header.names_size_bytes",
                    "bytes behind the last name", out_error);
    return MRW_OK;
}

static mrw_status check_places(const mrw_file *file, mrw_error *out_error)
{
    const mrw_file_header *header = file->header;
    uint64_t position = first_asset_offset(header);
    for (uint32_t i = 0; i < file->asset_count; i++) {
        const mrw_file_entry *entry = &file->entries[i];
        if (entry->kind == 0 || (i > 0 && entry->kind < entry[-1].kind))
            return fail_entry(header, &entry->kind, i, "kind", "0, or below the one before",
                              out_error);
        if (entry->offset != position)
            return fail_entry(header, &entry->offset, i, "offset",
                              "assets do not follow one another", out_error);
        if (entry->size_bytes == 0 || entry->size_bytes % MRW_ASSET_SECTION_ALIGNMENT != 0 ||
            entry->size_bytes > header->size_bytes - position)
            return fail_entry(header, &entry->size_bytes, i, "size_bytes",
                              "0, not a multiple of 64, or past the end of the file", out_error);
        position += entry->size_bytes;
    }
    if (position != header->size_bytes)
        return fail(header, MRW_ERR_BAD_ASSET, &header->size_bytes, "header.size_bytes",
                    "bytes behind the last asset", out_error);
    return MRW_OK;
}

mrw_status mrw_file_open(const void *bytes, size_t size_bytes, mrw_file *out_file,
                         mrw_error *out_error)
{
    if (bytes == NULL || out_file == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            bytes == NULL ? "bytes" : "out_file");
    memset(out_file, 0, sizeof(*out_file));
    if (!mrwi_is_aligned(bytes, MRW_ALIGNMENT))
        return mrwi_fail_at(out_error, MRW_ERR_ALIGNMENT, 0, "bytes");
    if (size_bytes < sizeof(mrw_file_header))
        return mrwi_fail_at(out_error, MRW_ERR_TRUNCATED, size_bytes, "header");
    mrw_file view;
    view.header = bytes;
    mrw_status status = check_header(view.header, size_bytes, out_error);
    if (status != MRW_OK)
        return status;
    view.asset_count = view.header->asset_count;
    view.entries = (const mrw_file_entry *)(const void *)(view.header + 1);
    view.names = (const char *)(view.entries + view.asset_count);
    status = check_names(&view, out_error);
    if (status == MRW_OK)
        status = check_places(&view, out_error);
    if (status == MRW_OK)
        *out_file = view;
    return status;
}

/* The first entry whose kind is not below. */
static uint32_t first_of_kind(const mrw_file *file, uint32_t kind)
{
    uint32_t first = 0, end = file->asset_count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (file->entries[middle].kind < kind)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static const mrw_file_entry *entry_of(const mrw_file *file, mrw_asset_kind kind, int32_t index)
{
    uint64_t place = (uint64_t)first_of_kind(file, (uint32_t)kind) + (uint32_t)index;
    if (index < 0 || place >= file->asset_count || file->entries[place].kind != (uint32_t)kind)
        return NULL;
    return &file->entries[place];
}

uint32_t mrw_file_count(const mrw_file *file, mrw_asset_kind kind)
{
    return first_of_kind(file, (uint32_t)kind + 1) - first_of_kind(file, (uint32_t)kind);
}

mrw_status mrw_file_asset(const mrw_file *file, mrw_asset_kind kind, int32_t index,
                          const void **out_bytes, size_t *out_size_bytes)
{
    if (file == NULL || out_bytes == NULL || out_size_bytes == NULL)
        return MRW_ERR_NULL_ARGUMENT;
    const mrw_file_entry *entry = entry_of(file, kind, index);
    if (entry == NULL)
        return MRW_ERR_INVALID_ARGUMENT;
    *out_bytes = (const char *)file->header + entry->offset;
    *out_size_bytes = (size_t)entry->size_bytes;
    return MRW_OK;
}

const char *mrw_file_name(const mrw_file *file, mrw_asset_kind kind, int32_t index)
{
    const mrw_file_entry *entry = entry_of(file, kind, index);
    return entry != NULL ? file->names + entry->name_offset : "";
}

int32_t mrw_file_find(const mrw_file *file, mrw_asset_kind kind, const char *name)
{
    const uint32_t first = first_of_kind(file, (uint32_t)kind);
    for (uint32_t i = first; i < file->asset_count; i++) {
        const mrw_file_entry *entry = &file->entries[i];
        if (entry->kind != (uint32_t)kind)
            break;
        if (strcmp(file->names + entry->name_offset, name) == 0)
            return (int32_t)(i - first);
    }
    return -1;
}
