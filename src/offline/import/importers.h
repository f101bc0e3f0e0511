/* Between the public functions and the importers of formats. */
#ifndef MRWI_OFFLINE_IMPORTERS_H
#define MRWI_OFFLINE_IMPORTERS_H

#include <marrow/offline/import.h>

#include "offline/memory/arena.h"

/* Passes a failure on. */
#define MRWI_TRY(expression)                                                                       \
    do {                                                                                           \
        mrw_status mrwi_try_status = (expression);                                                 \
        if (mrwi_try_status != MRW_OK)                                                             \
            return mrwi_try_status;                                                                \
    } while (0)

/* What an importer is given. */
typedef struct mrwi_import_source {
    const uint8_t *bytes; /* of the main file */
    size_t size_bytes;
    const char *path;        /* of the main file, or NULL: it came from memory */
    mrw_open_file open_file; /* or NULL */
    void *open_file_user;
    bool allow_external;
    bool skip_images;
    mrw_scene *scene;    /* to be filled */
    mrwi_arena *arena;   /* the scene's */
    mrwi_arena *scratch; /* freed after the import */
} mrwi_import_source;

/* glTF 2.0 as JSON text, or in its binary container. */
mrw_status mrwi_import_gltf(const mrwi_import_source *source, mrw_error *out_error);
mrw_status mrwi_import_glb(const mrwi_import_source *source, mrw_error *out_error);

/* Motion capture as BVH text. */
mrw_status mrwi_import_bvh(const mrwi_import_source *source, mrw_error *out_error);

#endif
