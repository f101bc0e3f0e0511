/* What the files of the glTF importer share: the document being read, its properties with checks
 * and messages, and its data. */
#ifndef MRWI_OFFLINE_GLTF_H
#define MRWI_OFFLINE_GLTF_H

#include "offline/import/importers.h"
#include "offline/read/json.h"

/* Room for "meshes[4294967295].primitives[4294967295].attributes.WEIGHTS_0" and more. */
#define MRWI_GLTF_WHERE 128

/* The top-level arrays that others point into. */
typedef enum mrwi_gltf_list {
    MRWI_GLTF_ACCESSORS,
    MRWI_GLTF_ANIMATIONS,
    MRWI_GLTF_BUFFERS,
    MRWI_GLTF_BUFFER_VIEWS,
    MRWI_GLTF_IMAGES,
    MRWI_GLTF_MATERIALS,
    MRWI_GLTF_MESHES,
    MRWI_GLTF_NODES,
    MRWI_GLTF_SCENES,
    MRWI_GLTF_SKINS,
    MRWI_GLTF_TEXTURES,
    MRWI_GLTF_LIST_COUNT
} mrwi_gltf_list;

typedef struct mrwi_gltf_buffer {
    const uint8_t *bytes; /* NULL: the file has no data for it */
    uint64_t size_bytes;
} mrwi_gltf_buffer;

typedef struct mrwi_gltf_view {
    const uint8_t *bytes; /* NULL where the buffer's are */
    uint64_t size_bytes;
    uint32_t stride_bytes; /* 0: tightly packed */
    uint32_t buffer;
} mrwi_gltf_view;

/* Component types as glTF numbers them. */
#define MRWI_GLTF_BYTE 5120
#define MRWI_GLTF_UNSIGNED_BYTE 5121
#define MRWI_GLTF_SHORT 5122
#define MRWI_GLTF_UNSIGNED_SHORT 5123
#define MRWI_GLTF_UNSIGNED_INT 5125
#define MRWI_GLTF_FLOAT 5126

/* An accessor whose bounds are checked: element i is at bytes + i * stride_bytes. */
typedef struct mrwi_gltf_accessor {
    const uint8_t *bytes; /* NULL: there is no data for it, or it is sparse and not resolved yet */
    size_t stride_bytes;  /* 0: every element is the same, zeros */
    uint32_t count;
    uint32_t component;       /* one of the above, 0 if unknown */
    uint32_t component_count; /* of an element: 1 to 16, 0 if unknown */
    uint32_t element_bytes;   /* that are read */
    uint32_t packed_bytes;    /* from one element to the next where they are tightly packed */
    bool is_matrix;
    bool normalized;

    bool is_sparse;
    const uint8_t *base_bytes; /* what some elements are replaced of, stride_bytes apart */
    uint32_t sparse_count;
    uint32_t sparse_index_component;
    const uint8_t *sparse_indices;
    const uint8_t *sparse_values; /* packed_bytes apart */
} mrwi_gltf_accessor;

typedef struct mrwi_gltf {
    const mrwi_import_source *source;
    mrw_scene *scene;
    mrwi_arena *arena;
    mrwi_arena *scratch;
    mrw_error *out_error;

    mrwi_json json;
    size_t json_offset; /* where the JSON text begins in the file */
    bool is_glb;
    const uint8_t *bin_chunk; /* or NULL */
    size_t bin_size_bytes;

    const mrwi_json_value *lists[MRWI_GLTF_LIST_COUNT]; /* an array, or NULL */
    uint32_t counts[MRWI_GLTF_LIST_COUNT];
    mrwi_gltf_buffer *buffers;
    mrwi_gltf_view *views;
    mrwi_gltf_accessor *accessors;

    /* Between the stages. */
    int32_t *image_sources;  /* [textures] image, or -1 */
    uint32_t *texcoord_sets; /* [materials] of the base colour; UINT32_MAX: no texture */
    bool *has_matrix;        /* [nodes] */
    bool has_mesh_quantization;
    bool diagnose_failed; /* a diagnostic found no memory */
} mrwi_gltf;

/* --- gltf.c -------------------------------------------------------------------------------------
 */

/* Nothing read yet. */
void mrwi_gltf_init(mrwi_gltf *gltf, const mrwi_import_source *source, mrw_error *out_error);

/* Everything, from the JSON text; the container's chunks are set already. */
mrw_status mrwi_gltf_import(mrwi_gltf *gltf, const char *text, size_t length);

/* --- gltf_property.c: properties of JSON objects ----------------------------------------------
 *
 * `where` is the path of the object, "nodes[3]", "" for the root; together with `key` it is
 * the `detail` of an error. Place and message are set. */

/* Fails at where.key. `value`, or NULL, is where line and column point. */
mrw_status mrwi_gltf_fail(const mrwi_gltf *gltf, mrw_status status, const char *where,
                          const char *key, const mrwi_json_value *value, const char *message);

/* Element `index` of a top-level list; it is an object. WRONG_TYPE otherwise. Writes its path. */
mrw_status mrwi_gltf_item(const mrwi_gltf *gltf, mrwi_gltf_list list, uint32_t index,
                          const mrwi_json_value **out_object, char out_where[MRWI_GLTF_WHERE]);
const char *mrwi_gltf_list_name(mrwi_gltf_list list);

/* A member that is an array or object; NULL if it is not there. WRONG_TYPE otherwise. */
mrw_status mrwi_gltf_container(const mrwi_gltf *gltf, const mrwi_json_value *object,
                               const char *where, const char *key, mrwi_json_type type,
                               const mrwi_json_value **out_value);

/* An element of an array `where.key` that must be an object. */
mrw_status mrwi_gltf_object_at(const mrwi_gltf *gltf, const mrwi_json_value *array,
                               const char *where, uint32_t index,
                               const mrwi_json_value **out_object);

/* A whole number from 0 to 2^53; `fallback` if it is not there. */
mrw_status mrwi_gltf_uint(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                          const char *key, uint64_t fallback, uint64_t *out_number);
/* The same, but it must be there. */
mrw_status mrwi_gltf_required_uint(const mrwi_gltf *gltf, const mrwi_json_value *object,
                                   const char *where, const char *key, uint64_t *out_number);

/* An index into a list of the document; -1 if it is not there. */
mrw_status mrwi_gltf_index(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                           const char *key, mrwi_gltf_list list, int32_t *out_index);
mrw_status mrwi_gltf_required_index(const mrwi_gltf *gltf, const mrwi_json_value *object,
                                    const char *where, const char *key, mrwi_gltf_list list,
                                    int32_t *out_index);
/* The same for a value that is not in an object (an element of an array). */
mrw_status mrwi_gltf_index_value(const mrwi_gltf *gltf, const mrwi_json_value *value,
                                 const char *where, mrwi_gltf_list list, int32_t *out_index);
/* The same, but one that leads nowhere becomes -1 and a diagnostic. */
void mrwi_gltf_soft_index(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                          const char *key, mrwi_gltf_list list, int32_t *out_index);

/* A finite float; out is left alone if it is not there. */
mrw_status mrwi_gltf_float(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                           const char *key, float *out_number);
/* An array of exactly `count` finite floats; *out_present says whether it is there. */
mrw_status mrwi_gltf_floats(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                            const char *key, uint32_t count, float *out_numbers, bool *out_present);
/* A finite float that is an element of the array `where`. */
mrw_status mrwi_gltf_float_value(const mrwi_gltf *gltf, const mrwi_json_value *value,
                                 const char *where, uint32_t index, float *out_number);

/* A string in the scene's memory; "" if it is not there or no string. */
mrw_status mrwi_gltf_string(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *key,
                            const char **out_string);

/* Adds a diagnostic, `count` times. */
void mrwi_gltf_diagnose(mrwi_gltf *gltf, mrw_severity severity, const char *code, const char *where,
                        const char *message, uint32_t count);

/* Memory of the scene or scratch memory; on failure the error is filled and *out is NULL. */
mrw_status mrwi_gltf_alloc(const mrwi_gltf *gltf, mrwi_arena *arena, size_t count,
                           size_t size_bytes, const char *where, void *out);

/* --- gltf_uri.c: data that lies outside the JSON text ------------------------------------------
 */

/* The bytes of a data URI or of another file, in scratch memory or the caller's. Errors name
 * `where`.uri. *out_mime_type, or NULL, is the media type of a data URI, "" otherwise. */
mrw_status mrwi_gltf_load_uri(const mrwi_gltf *gltf, const mrwi_json_value *uri, const char *where,
                              const uint8_t **out_bytes, size_t *out_size_bytes,
                              const char **out_mime_type);

/* --- gltf_document.c ----------------------------------------------------------------------------
 */

/* Finds the top-level arrays and checks version and extensions. */
mrw_status mrwi_gltf_open_document(mrwi_gltf *gltf);

/* --- gltf_buffers.c: buffers and bufferViews ----------------------------------------------------
 */

mrw_status mrwi_gltf_open_buffers(mrwi_gltf *gltf);

/* --- gltf_accessors.c
 * ----------------------------------------------------------------------------- */

/* Reads and checks all accessors. */
mrw_status mrwi_gltf_open_accessors(mrwi_gltf *gltf);

/* The accessor `index`, ready to be read; sparse ones are put together. Fails if it has no data or
 * its type is unknown. */
mrw_status mrwi_gltf_accessor_open(mrwi_gltf *gltf, int32_t index,
                                   const mrwi_gltf_accessor **out_accessor);

/* All elements as floats, the first component_count of them in each group of `width`. Numbers
 * that are not finite come through. */
void mrwi_gltf_read_floats(const mrwi_gltf_accessor *accessor, uint32_t width, float *out_values);

/* The same, but numbers that are not finite become 0, and a diagnostic says so. */
void mrwi_gltf_read_finite(mrwi_gltf *gltf, int32_t index, uint32_t width, float *out_values);

/* One component as a whole number; for integer types only. */
uint32_t mrwi_gltf_read_uint(const mrwi_gltf_accessor *accessor, uint32_t element,
                             uint32_t component);

/* --- one file a subject; in the order in which they run
 * ------------------------------------------- */

mrw_status mrwi_gltf_import_images(mrwi_gltf *gltf);
mrw_status mrwi_gltf_import_materials(mrwi_gltf *gltf);
mrw_status mrwi_gltf_import_meshes(mrwi_gltf *gltf);
mrw_status mrwi_gltf_import_nodes(mrwi_gltf *gltf);
mrw_status mrwi_gltf_import_skins(mrwi_gltf *gltf);
mrw_status mrwi_gltf_bind_skins(mrwi_gltf *gltf);
mrw_status mrwi_gltf_import_animations(mrwi_gltf *gltf);

/* Joints and weights of a primitive, all sets. */
mrw_status mrwi_gltf_import_influences(mrwi_gltf *gltf, const mrwi_json_value *attributes,
                                       const char *where, mrw_scene_primitive *primitive);

/* Indices of a primitive as a plain list, from any of the seven modes. */
mrw_status mrwi_gltf_import_indices(mrwi_gltf *gltf, const mrwi_json_value *object,
                                    const char *where, mrw_scene_primitive *primitive);

/* Makes the keys of a channel finite, sorted and unique. key_count may become 0. */
mrw_status mrwi_gltf_repair_keys(mrwi_gltf *gltf, const char *where, mrw_scene_channel *channel);

#endif
