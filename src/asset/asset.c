/* The envelope.
 *
 *     +---------------------+ 0
 *     | mrw_asset_header    |   magic, kind, version, size, checksum, skeleton id
 *     +---------------------+ 64
 *     | the kind's fields   |   counts, and where each section starts
 *     +---------------------+ a multiple of 64
 *     | section             |
 *     +---------------------+ a multiple of 64
 *     | ...                 |
 *     +---------------------+ size_bytes
 *
 * An asset is validated once, when it is opened, and trusted afterwards: that is why an _open
 * function checks everything that a loop will later rely on, and why the cost of that must be
 * linear in the size of the file whatever the file says. Formats are laid out so that it is (see
 * the rule that names and values stand packed, without overlap, in docs/format/).
 *
 * Counts and offsets come from the file. They are compared in the form `count > left / size`, which
 * cannot overflow.
 */
#include <marrow/asset.h>

#include "asset/asset_reader.h"
#include "asset/hash.h"
#include "base/utf8.h"
#include "base/align.h"
#include "base/error.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Assets are little-endian and used where they lie: this machine cannot read them."
#endif

_Static_assert(sizeof(mrw_asset_header) == 64, "the header is 64 bytes");

uint64_t mrw_asset_checksum(const void *bytes, size_t size_bytes)
{
    const unsigned char *at = bytes;
    uint64_t state = mrwi_hash_begin(size_bytes);
    uint64_t word;
    for (; size_bytes >= sizeof(word); size_bytes -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        state = mrwi_hash_word(state, word);
    }
    if (size_bytes > 0) {
        word = 0;
        memcpy(&word, at, size_bytes);
        state = mrwi_hash_word(state, word);
    }
    return state;
}

static bool is_zero(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

mrw_status mrw_asset_open(const void *bytes, size_t size_bytes, const mrw_asset_header **out_header,
                          mrw_error *out_error)
{
    if (bytes == NULL || out_header == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            bytes == NULL ? "bytes" : "out_header");
    if (!mrwi_is_aligned(bytes, MRW_ALIGNMENT))
        return mrwi_fail_at(out_error, MRW_ERR_ALIGNMENT, 0, "bytes");
    if (size_bytes < sizeof(mrw_asset_header))
        return mrwi_fail_at(out_error, MRW_ERR_TRUNCATED, size_bytes, "header");

    const mrw_asset_header *header = bytes;
    if (header->magic != MRW_ASSET_MAGIC)
        return mrwi_fail_at(out_error, MRW_ERR_BAD_MAGIC, 0, "header.magic");
    if (header->size_bytes < sizeof(*header) ||
        header->size_bytes % MRW_ASSET_SECTION_ALIGNMENT != 0)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &header->size_bytes, "header.size_bytes",
                               "not a multiple of 64, or less than the header", out_error);
    if (header->size_bytes > size_bytes) {
        mrwi_fail(out_error, MRW_ERR_TRUNCATED, "header.size_bytes",
                  "the asset has %z bytes, only %z are there", header->size_bytes,
                  (uint64_t)size_bytes);
        if (out_error != NULL)
            out_error->offset = size_bytes;
        return MRW_ERR_TRUNCATED;
    }
    if (!is_zero(header->reserved, sizeof(header->reserved)))
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, header->reserved, "header.reserved",
                               "not zero", out_error);
    if (mrw_asset_checksum(header + 1, (size_t)header->size_bytes - sizeof(*header)) !=
        header->checksum)
        return mrwi_asset_fail(header, MRW_ERR_BAD_CHECKSUM, &header->checksum, "header.checksum",
                               mrw_status_text(MRW_ERR_BAD_CHECKSUM), out_error);
    *out_header = header;
    return MRW_OK;
}

mrw_status mrwi_asset_open_kind(const void *bytes, size_t size_bytes, mrw_asset_kind kind,
                                uint16_t version, size_t content_bytes,
                                const mrw_asset_header **out_header, mrw_error *out_error)
{
    const mrw_asset_header *header = NULL;
    mrw_status status = mrw_asset_open(bytes, size_bytes, &header, out_error);
    if (status != MRW_OK)
        return status;
    if (header->kind != kind) {
        mrwi_fail(out_error, MRW_ERR_WRONG_KIND, "header.kind",
                  "the asset is of kind %u, kind %u was asked for", (uint32_t)header->kind,
                  (uint32_t)kind);
        if (out_error != NULL)
            out_error->offset = offsetof(mrw_asset_header, kind);
        return MRW_ERR_WRONG_KIND;
    }
    if (header->version != version) {
        mrwi_fail(out_error, MRW_ERR_BAD_VERSION, "header.version",
                  "version %u, this library reads version %u", (uint32_t)header->version,
                  (uint32_t)version);
        if (out_error != NULL)
            out_error->offset = offsetof(mrw_asset_header, version);
        return MRW_ERR_BAD_VERSION;
    }
    if (header->size_bytes < content_bytes)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &header->size_bytes, "header.size_bytes",
                               "too small for the fields of this kind", out_error);
    *out_header = header;
    return MRW_OK;
}

mrw_status mrwi_asset_section(const mrw_asset_header *header, const char *name, uint64_t offset,
                              uint64_t count, size_t element_bytes, const void **out_section,
                              mrw_error *out_error)
{
    uint64_t size_bytes = header->size_bytes;
    if (offset % MRW_ASSET_SECTION_ALIGNMENT != 0 || offset > size_bytes ||
        count > (size_bytes - offset) / element_bytes) {
        mrwi_fail(out_error, MRW_ERR_BAD_ASSET, "%s",
                  "%z elements of %z bytes at offset %z do not lie inside the asset's %z bytes, "
                  "aligned to 64",
                  name, count, (uint64_t)element_bytes, offset, size_bytes);
        if (out_error != NULL)
            out_error->offset = offset;
        return MRW_ERR_BAD_ASSET;
    }
    *out_section = (const char *)header + offset;
    return MRW_OK;
}

bool mrwi_asset_string(const char *text, size_t available_bytes, size_t *out_length)
{
    size_t length = 0;
    while (length < available_bytes && text[length] != '\0')
        length++;
    *out_length = length;
    return length < available_bytes && mrwi_utf8_is_valid(text, length);
}

mrw_status mrwi_asset_fail(const mrw_asset_header *header, mrw_status status, const void *place,
                           const char *detail, const char *message, mrw_error *out_error)
{
    mrwi_fail(out_error, status, "%s", "%s", detail, message);
    if (out_error != NULL)
        out_error->offset = mrwi_asset_offset(header, place);
    return status;
}

mrw_status mrwi_asset_fail_element(const mrw_asset_header *header, mrw_status status,
                                   const void *place, const char *array, uint32_t index,
                                   const char *field, const char *message, mrw_error *out_error)
{
    mrwi_fail(out_error, status, "%s[%u]%s", "%s", array, index, field, message);
    if (out_error != NULL)
        out_error->offset = mrwi_asset_offset(header, place);
    return status;
}
