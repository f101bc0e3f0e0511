/* What the parts of mrw_export_glb share while a file is made. */
#ifndef MRWI_OFFLINE_GLB_H
#define MRWI_OFFLINE_GLB_H

#include <marrow/offline/export.h>

#include "offline/export/json_text.h"
#include "offline/memory/arena.h"

#define MRWI_GLB_NONE UINT32_MAX

/* --- accessors: numbers in the binary chunk ------------------------------------------- */

/* glTF's componentType. */
typedef enum mrwi_glb_component {
    MRWI_GLB_UINT8 = 5121,
    MRWI_GLB_UINT16 = 5123,
    MRWI_GLB_UINT32 = 5125,
    MRWI_GLB_FLOAT = 5126
} mrwi_glb_component;

/* What an accessor is for decides what glTF asks of it; two uses never share one. */
typedef enum mrwi_glb_use {
    MRWI_GLB_USE_POSITIONS,            /* vertex attribute, with bounds */
    MRWI_GLB_USE_VERTICES,             /* any other vertex attribute */
    MRWI_GLB_USE_POSITION_DIFFERENCES, /* of a morph target, with bounds; sparse if that is smaller
                                        */
    MRWI_GLB_USE_DIFFERENCES,          /* any other of a morph target; likewise */
    MRWI_GLB_USE_INDICES,
    MRWI_GLB_USE_TIMES,  /* with bounds */
    MRWI_GLB_USE_VALUES, /* of keys */
    MRWI_GLB_USE_MATRICES
} mrwi_glb_use;

typedef struct mrwi_glb_accessor {
    const void *data; /* must stay until the file is assembled */
    uint32_t count;
    mrwi_glb_component component;
    uint32_t width; /* components of an element: 1 scalar, 2, 3, 4, 16 a matrix */
    mrwi_glb_use use;
} mrwi_glb_accessor;

/* Where the numbers of an accessor are. */
typedef struct mrwi_glb_storage {
    uint32_t view;         /* of all elements, or of those of a sparse accessor that are not 0 */
    uint32_t sparse_count; /* 0: all elements */
    uint32_t sparse_view;  /* of the indices of these */
    mrwi_glb_component sparse_component;
} mrwi_glb_storage;

typedef struct mrwi_glb_view {
    const void *data;
    uint64_t offset; /* in the binary chunk, a multiple of 4 */
    uint64_t size_bytes;
    uint32_t target; /* glTF's bufferView.target, 0 if it has none */
} mrwi_glb_view;

/* --- the file being made -------------------------------------------------------------- */

typedef struct mrwi_glb {
    const mrw_scene *scene;
    mrwi_arena *arena; /* scratch: everything is freed when the file is assembled */
    mrw_error *out_error;
    bool failed;    /* memory ran out: arena->status says why */
    bool too_large; /* a number does not fit a .glb */

    mrwi_json_text json;
    mrwi_glb_view *views;
    uint32_t view_count;
    uint32_t view_capacity;
    uint64_t binary_bytes;
    mrwi_glb_accessor *accessors;
    mrwi_glb_storage *accessor_storage; /* of each */
    uint64_t *accessor_hashes;
    uint32_t accessor_count;
    uint32_t accessor_capacity;
    uint32_t *table; /* [table_size] accessor + 1 by hash, open addressing; 0 is free */
    uint32_t table_size;

    /* Numbers in the file, or MRWI_GLB_NONE for what is left out. */
    uint32_t *mesh_numbers;  /* [mesh_count] */
    uint32_t *image_numbers; /* [the scene's image_count] */
    uint32_t image_count;    /* of those that are written */
    bool *skinned_meshes;    /* [mesh_count] used under a skin, and has influences */
} mrwi_glb;

/* count * size_bytes zeroed bytes, or NULL: then glb->failed is set. */
void *mrwi_glb_alloc(mrwi_glb *glb, size_t count, size_t size_bytes);

/* Number of an accessor with this content: a new one, or one that has the same bytes and use. */
uint32_t mrwi_glb_add_accessor(mrwi_glb *glb, const mrwi_glb_accessor *accessor);
/* Number of a new view of bytes that no accessor reads. */
uint32_t mrwi_glb_add_view(mrwi_glb *glb, const void *data, uint64_t size_bytes, uint32_t target);
/* "accessors", "bufferViews" and "buffers": last, when all are known. */
void mrwi_glb_write_accessors(mrwi_glb *glb);

/* Decide what is left out, and number the rest. false if memory ran out. */
bool mrwi_glb_number_images(mrwi_glb *glb);
bool mrwi_glb_number_meshes(mrwi_glb *glb);

/* --- the sections of the file ------------------------------------------------------------ */

/* "scene", "scenes", "nodes" and "skins". Errors: INCONSISTENT, see export_glb.c. */
mrw_status mrwi_glb_write_nodes(mrwi_glb *glb);
void mrwi_glb_write_meshes(mrwi_glb *glb);
void mrwi_glb_write_animations(mrwi_glb *glb);
/* "materials", "textures" and "images". */
void mrwi_glb_write_materials(mrwi_glb *glb);

#endif
