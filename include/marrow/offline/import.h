/* marrow/offline/import.h: files to scenes. */
#ifndef MARROW_OFFLINE_IMPORT_H
#define MARROW_OFFLINE_IMPORT_H

#include <marrow/offline/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the importer a file that the main file names (a buffer, a picture).
 * `path` is the URI decoded, relative, without "..", with "/" between folders. On success sets
 * *out_bytes and *out_size_bytes and returns MRW_OK; the bytes must stay until the import
 * returns (the importer copies what it keeps). Any other status means that there is no such file. */
typedef mrw_status (*mrw_open_file)(void *user, const char *path, const uint8_t **out_bytes,
                                    size_t *out_size_bytes);

typedef struct mrw_import_options {
    size_t struct_size;
    mrw_memory_options memory;
    bool allow_external; /* follow references that lead out of the file's own folder; default false.
                          * Only mrw_import_file can do it. */
    bool skip_images;    /* do not load pictures; default false */
} mrw_import_options;

static inline mrw_import_options mrw_import_options_default(void)
{
    mrw_import_options options = {sizeof(mrw_import_options), {{NULL, NULL, NULL}, 0, 0, false},
                                  false, false};
    return options;
}

/* Imports a file by its content: glTF 2.0 as .gltf or .glb, motion capture as BVH (.bvh; its lengths
 * are kept in the file's own unit, see docs/bvh.md). Files that it names are read from its own folder.
 * options or NULL for the defaults. On failure *out_scene is NULL and out_error says what, where and what to do; on success the scene holds what was odd in
 * `diagnostics`, and mrw_scene_free frees it.
 * Errors: the file and content statuses from 300 on, TRUNCATED and BAD_VERSION (of a .glb, of glTF),
 * UNSUPPORTED (data of an unknown type), those of mrw_scene_check, OUT_OF_MEMORY,
 * MEMORY_LIMIT, NULL_ARGUMENT, STRUCT_SIZE. */
MRW_API mrw_status mrw_import_file(const char *path, const mrw_import_options *options,
                                   mrw_scene **out_scene, mrw_error *out_error);

/* The same from memory. open_file or NULL: then the file must be complete in itself (a missing
 * picture is a diagnostic, a missing buffer an error). */
MRW_API mrw_status mrw_import_memory(const void *bytes, size_t size_bytes,
                                     mrw_open_file open_file, void *open_file_user,
                                     const mrw_import_options *options,
                                     mrw_scene **out_scene, mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
