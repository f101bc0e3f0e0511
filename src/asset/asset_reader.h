/* What the _open functions of all kinds share: the checked way from bytes to sections. */
#ifndef MRWI_ASSET_READER_H
#define MRWI_ASSET_READER_H

#include <marrow/asset.h>

/* mrw_asset_open, then: the asset is of this kind and version and holds at least a content header
 * of content_bytes, which counts the mrw_asset_header at its start. Errors: those of
 * mrw_asset_open, WRONG_KIND, BAD_VERSION, BAD_ASSET. */
mrw_status mrwi_asset_open_kind(const void *bytes, size_t size_bytes, mrw_asset_kind kind,
                                uint16_t version, size_t content_bytes,
                                const mrw_asset_header **out_header, mrw_error *out_error);

/* A section: `count` elements of element_bytes at `offset` from the start of the asset. `name` is
 * what an error calls it. Errors: BAD_ASSET (not aligned to MRW_ASSET_SECTION_ALIGNMENT, or past
 * the end). */
mrw_status mrwi_asset_section(const mrw_asset_header *header, const char *name, uint64_t offset,
                              uint64_t count, size_t element_bytes, const void **out_section,
                              mrw_error *out_error);

/* Checks a string that begins `text` and has available_bytes to the end of its section:
 * NUL-terminated, UTF-8. Writes its length without the NUL; false if it is broken. */
bool mrwi_asset_string(const char *text, size_t available_bytes, size_t *out_length);

/* Byte offset of something inside an asset. */
static inline uint64_t mrwi_asset_offset(const mrw_asset_header *header, const void *inside)
{
    return (uint64_t)((const char *)inside - (const char *)header);
}

/* Fails about one field, `detail`, that stands at `place` inside the asset. */
mrw_status mrwi_asset_fail(const mrw_asset_header *header, mrw_status status, const void *place,
                           const char *detail, const char *message, mrw_error *out_error);

/* Likewise about "array[index]field"; field is "" or begins with a dot. */
mrw_status mrwi_asset_fail_element(const mrw_asset_header *header, mrw_status status,
                                   const void *place, const char *array, uint32_t index,
                                   const char *field, const char *message, mrw_error *out_error);

/* Whether a rotation (x, y, z, w, finite) has unit length to within 1e-3. */
static inline bool mrwi_asset_is_unit(const float rotation[4])
{
    float squared =
        ((rotation[0] * rotation[0] + rotation[1] * rotation[1]) + rotation[2] * rotation[2]) +
        rotation[3] * rotation[3];
    return squared >= 0.998001f && squared <= 1.002001f;
}

#endif
