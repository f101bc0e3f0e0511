/* The materials of a .mrw file as those of a scene. */
#ifndef MRWI_OFFLINE_LOAD_MATERIALS_H
#define MRWI_OFFLINE_LOAD_MATERIALS_H

#include <marrow/offline/scene.h>

/* `bytes` is a file that mrw_open_character has accepted; what is kept is copied. skip_images:
 * pictures are without their bytes. Errors: OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_load_materials(const void *bytes, size_t size_bytes, bool skip_images,
                               mrw_scene *scene, mrw_error *out_error);

#endif
