/* marrow/offline/load.h: any file as a scene and a character, for programs that show what they are given.
 *
 * A file of a format that mrw_import_file reads is imported and built. A .mrw file (marrow/asset_file.h), which its first
 * bytes tell, is opened by mrw_open_character; its scene is empty but for `format`, "Marrow assets", and the materials and
 * pictures that the parts of its meshes name.
 */
#ifndef MARROW_OFFLINE_LOAD_H
#define MARROW_OFFLINE_LOAD_H

#include <marrow/offline/build.h>
#include <marrow/offline/import.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options or NULL for the defaults; of a .mrw file only memory and skip_images of import_options and max_influences of
 * build_options count. A path that is
 * no regular file (a pipe) is never taken for a .mrw file. On failure *out_scene and *out_character are NULL; on
 * success mrw_scene_free and mrw_character_free free them, in any order. Errors: those of mrw_import_file,
 * mrw_build_character and mrw_open_character. */
MRW_API mrw_status mrw_load_file(const char *path, const mrw_import_options *import_options,
                                 const mrw_build_options *build_options, mrw_scene **out_scene,
                                 mrw_character **out_character, mrw_error *out_error);

/* The same from memory; open_file as in mrw_import_memory. The bytes of a .mrw file are aligned to MRW_ALIGNMENT. */
MRW_API mrw_status mrw_load_memory(const void *bytes, size_t size_bytes, mrw_open_file open_file,
                                   void *open_file_user, const mrw_import_options *import_options,
                                   const mrw_build_options *build_options, mrw_scene **out_scene,
                                   mrw_character **out_character, mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
