/* marrow/asset.h: the envelope that every binary asset shares.
 *
 * An asset is one block of bytes: this header, then the content that its kind
 * defines (docs/format/). Little-endian, offsets from the start of the asset
 * instead of pointers, sections aligned to 64 bytes, so that a file can be mapped
 * and used where it lies. Opening one validates everything once and copies nothing.
 */
#ifndef MARROW_ASSET_H
#define MARROW_ASSET_H

#include <marrow/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MRW_ASSET_MAGIC 0x4157524du /* "MRWA" */
#define MRW_ASSET_SECTION_ALIGNMENT 64

typedef enum mrw_asset_kind {
    MRW_ASSET_SKELETON = 1,
    MRW_ASSET_CLIP = 2,
    MRW_ASSET_SKIN = 3,
    MRW_ASSET_MESH = 4,
    MRW_ASSET_MATERIALS = 5
} mrw_asset_kind;

typedef struct mrw_asset_header {
    uint32_t magic;
    uint16_t kind;         /* mrw_asset_kind */
    uint16_t version;      /* of the kind's format */
    uint64_t size_bytes;   /* of the whole asset, this header included */
    uint64_t checksum;     /* mrw_asset_checksum of the bytes after this header */
    uint64_t skeleton_id;  /* of the skeleton that this is, or was built for */
    uint8_t reserved[32];  /* zero */
} mrw_asset_header;

/* The checksum that `mrw_asset_header.checksum` holds: a 64-bit hash, not cryptographic;
 * its definition stands in docs/format/asset_v1.md. */
MRW_API uint64_t mrw_asset_checksum(const void *bytes, size_t size_bytes);

/* Validates the envelope: alignment to MRW_ALIGNMENT, magic, that size_bytes holds the
 * whole asset, checksum. On success *out_header is the header inside `bytes`.
 * Errors: NULL_ARGUMENT, ALIGNMENT, TRUNCATED, BAD_MAGIC, BAD_CHECKSUM, BAD_ASSET. */
MRW_API mrw_status mrw_asset_open(const void *bytes, size_t size_bytes,
                                  const mrw_asset_header **out_header, mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
