/* marrow/asset_file.h: several assets in one file, as a program loads or maps it.
 *
 * A .mrw file begins with a directory: kind, name and place of each asset, sorted by kind. Opening one
 * validates the directory and copies nothing; the assets lie where they are, aligned to 64 bytes, and
 * are opened one by one by mrw_skeleton_open, mrw_clip_open, mrw_skin_open, mrw_mesh_asset_open and
 * mrw_materials_open when they are needed:
 *
 *     mrw_file file;
 *     const void *asset;
 *     size_t size_bytes;
 *     mrw_file_open(bytes, bytes_size, &file, &error);
 *     mrw_file_asset(&file, MRW_ASSET_CLIP, mrw_file_find(&file, MRW_ASSET_CLIP, "Walk"), &asset, &size_bytes);
 *     mrw_clip_open(asset, size_bytes, &clip, &error);
 *
 * A clip may be a stored one (mrw_is_stored_clip), which is decoded before it is opened: marrow/stored_clip.h.
 *
 * `marrow pack` and mrw_export_file write such files. The format is docs/format/mrw_file_v1.md.
 */
#ifndef MARROW_ASSET_FILE_H
#define MARROW_ASSET_FILE_H

#include <marrow/asset.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MRW_FILE_MAGIC 0x4657524du /* "MRWF" */
#define MRW_FILE_VERSION 1

/* The first 64 bytes of a file. */
typedef struct mrw_file_header {
    uint32_t magic;
    uint16_t version;
    uint16_t reserved;        /* 0 */
    uint64_t size_bytes;      /* of the whole file, this header included */
    uint64_t checksum;        /* mrw_asset_checksum of the directory: entries and names */
    uint32_t asset_count;
    uint32_t names_size_bytes;
    uint8_t reserved_tail[32]; /* zero */
} mrw_file_header;

/* One asset, as it stands in the file. */
typedef struct mrw_file_entry {
    uint64_t offset;      /* from the start of the file, a multiple of 64 */
    uint64_t size_bytes;  /* > 0, a multiple of 64 */
    uint32_t kind;        /* mrw_asset_kind; kinds that a reader does not know are left alone */
    uint32_t name_offset; /* into the names */
} mrw_file_entry;

/* A view on the file's bytes. Read its fields freely, write none. */
typedef struct mrw_file {
    const mrw_file_header *header;
    uint32_t asset_count;
    const mrw_file_entry *entries; /* [asset_count] ascending kinds */
    const char *names;             /* NUL-terminated UTF-8, one after the other */
} mrw_file;

/* Validates header and directory and fills the view, in a time that the number of assets and the
 * length of their names decide: the assets themselves are not read. Errors: NULL_ARGUMENT,
 * ALIGNMENT (16 bytes), TRUNCATED, BAD_MAGIC, BAD_VERSION, BAD_CHECKSUM, BAD_ASSET. */
MRW_API mrw_status mrw_file_open(const void *bytes, size_t size_bytes, mrw_file *out_file,
                                 mrw_error *out_error);

/* How many assets of a kind there are. */
MRW_API uint32_t mrw_file_count(const mrw_file *file, mrw_asset_kind kind);

/* Where the index-th asset of a kind lies. Errors: NULL_ARGUMENT, INVALID_ARGUMENT (there is none:
 * so a result of mrw_file_find can be handed on as it is). */
MRW_API mrw_status mrw_file_asset(const mrw_file *file, mrw_asset_kind kind, int32_t index,
                                  const void **out_bytes, size_t *out_size_bytes);

/* Its name; "" for an index outside. */
MRW_API const char *mrw_file_name(const mrw_file *file, mrw_asset_kind kind, int32_t index);

/* Index of the first asset of a kind with this name, -1 if there is none. Linear in their number. */
MRW_API int32_t mrw_file_find(const mrw_file *file, mrw_asset_kind kind, const char *name);

#ifdef __cplusplus
}
#endif

#endif
