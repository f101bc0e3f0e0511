/* marrow/offline/export.h: scenes to files. */
#ifndef MARROW_OFFLINE_EXPORT_H
#define MARROW_OFFLINE_EXPORT_H

#include <marrow/offline/build.h>
#include <marrow/offline/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the scene as one binary glTF 2.0 file (.glb) into memory: materials, morph targets, skins
 * and animations are kept, pictures embedded. If the scene passes mrw_scene_check the file has no
 * error for the Khronos validator; the same scene gives the same bytes. Where glTF asks for more
 * than a scene, the least is changed (directions and rotations get unit length, weights sum 1, colours
 * 0..1, joints a common root); what it cannot say is left out (meshes and animations without
 * content, pictures that are neither PNG nor JPEG). memory or NULL for the defaults.
 * Errors: those of mrw_scene_check, INCONSISTENT also for a skin that names a node twice, LIMIT
 * (4 GiB), OUT_OF_MEMORY, MEMORY_LIMIT. *out_file is empty then; else mrw_bytes_free frees it. */
MRW_API mrw_status mrw_export_glb(const mrw_scene *scene, const mrw_memory_options *memory,
                                  mrw_bytes *out_file, mrw_error *out_error);

/* An asset on its way into a file. */
typedef struct mrw_file_part {
    const char *name;  /* or NULL, which is ""; bytes that are not UTF-8 become U+FFFD */
    const void *asset; /* bytes of a skeleton, clip or skin, aligned to MRW_ALIGNMENT */
    size_t size_bytes; /* that are there: at least the asset's own */
} mrw_file_part;

/* Puts assets into one .mrw file (marrow/asset_file.h), those of one kind in the order of the list. The same list gives the
 * same bytes. memory or NULL for the defaults. Errors: those of mrw_asset_open, LIMIT,
 * OUT_OF_MEMORY, MEMORY_LIMIT. *out_file is empty then; else mrw_bytes_free frees it. */
MRW_API mrw_status mrw_export_file(const mrw_file_part *parts, uint32_t part_count,
                                   const mrw_memory_options *memory, mrw_bytes *out_file,
                                   mrw_error *out_error);

/* Writes bytes to a file, replacing it in one step where the system allows it: a failure leaves the
 * old file as it was. Devices, pipes and links (/dev/stdout) are written to. bytes may be NULL if size_bytes
 * is 0. Errors: NULL_ARGUMENT, FILE_WRITE with the path and the system's reason in the error. */
MRW_API mrw_status mrw_write_file(const char *path, const void *bytes, size_t size_bytes,
                                  mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
