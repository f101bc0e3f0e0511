/* marrow/offline/export.h: scenes to files. */
#ifndef MARROW_OFFLINE_EXPORT_H
#define MARROW_OFFLINE_EXPORT_H

#include <marrow/offline/build.h>
#include <marrow/offline/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the scene as one binary glTF 2.0 file (.glb) into memory. Valid by the
 * Khronos validator if the scene passes mrw_scene_check; the same scene gives the same bytes.
 * Materials, morph targets, skins and animations are kept; images embedded. memory or NULL.
 * Errors: those of mrw_scene_check, LIMIT (4 GiB), OUT_OF_MEMORY. */
MRW_API mrw_status mrw_export_glb(const mrw_scene *scene, const mrw_memory_options *memory,
                                  mrw_bytes *out_file, mrw_error *out_error);

/* Writes bytes to a file, replacing it in one step where the system allows it. Errors: FILE_WRITE, with
 * the path and the system's reason in the error. */
MRW_API mrw_status mrw_write_file(const char *path, const void *bytes, size_t size_bytes,
                                  mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
