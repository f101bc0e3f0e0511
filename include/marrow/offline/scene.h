/* marrow/offline/scene.h: what a file says, as plain arrays.
 *
 * Every importer fills a scene, every builder and exporter reads one. It is meant to be
 * read and edited: all arrays are ordinary memory that lives until mrw_scene_free; what
 * you add must come from mrw_scene_alloc (or outlive the scene). Strings are NUL-terminated
 * UTF-8, never NULL. Indices refer to the arrays of the scene; -1 means none.
 */
#ifndef MARROW_OFFLINE_SCENE_H
#define MARROW_OFFLINE_SCENE_H

#include <marrow/clip.h>
#include <marrow/math.h>
#include <marrow/offline/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- diagnostics: odd but usable content --------------------------------------- */

typedef enum mrw_severity {
    MRW_SEVERITY_ERROR = 0,
    MRW_SEVERITY_WARNING = 1,
    MRW_SEVERITY_INFO = 2
} mrw_severity;

/* "error", "warning" or "info". */
MRW_API const char *mrw_severity_name(mrw_severity severity);

/* One kind of oddity. What is found again under the same code and severity is counted, not listed:
 * `where` and `message` are those of the first. Codes that the Khronos glTF validator has
 * keep its names; ours begin with MRW_. */
typedef struct mrw_diagnostic {
    const char *code;    /* "ACCESSOR_WEIGHTS_NON_NORMALIZED" */
    mrw_severity severity;
    const char *where;   /* "meshes[0].primitives[1].attributes.WEIGHTS_0" */
    const char *message; /* one sentence: what it is, and what was done about it */
    uint32_t count;      /* >= 1 */
} mrw_diagnostic;

/* --- the scene -------------------------------------------------------------------- */

typedef struct mrw_scene_node {
    const char *name;         /* as the file has it: may be "" or shared by others */
    int32_t parent;           /* node, or -1; any order, but no cycles */
    mrw_transform local;      /* rest transform */
    int32_t mesh;             /* or -1 */
    int32_t skin;             /* or -1; the node's mesh is then skinned */
    uint32_t morph_weight_count; /* 0: the mesh's own weights count */
    float *morph_weights;
    bool in_scene;            /* reachable from the scene that the file shows */
} mrw_scene_node;

typedef enum mrw_topology {
    MRW_TOPOLOGY_POINTS = 0,
    MRW_TOPOLOGY_LINES = 1,
    MRW_TOPOLOGY_TRIANGLES = 2 /* strips and fans, loops and line strips come as plain lists */
} mrw_topology;

/* Arrays of a target: vertex_count * 3 floats each, or NULL. */
typedef struct mrw_scene_target {
    float *positions;
    float *normals;
    float *tangents;
} mrw_scene_target;

/* A part of a mesh with one material. */
typedef struct mrw_scene_primitive {
    mrw_topology topology;
    int32_t material;          /* or -1 */
    uint32_t vertex_count;
    float *positions;          /* [vertex_count * 3], never NULL */
    float *normals;            /* [vertex_count * 3], or NULL */
    float *tangents;           /* [vertex_count * 4], or NULL */
    float *texcoords;          /* [vertex_count * 2] of the set that the base colour uses, or NULL */
    float *colors;             /* [vertex_count * 4] linear RGBA, or NULL */
    uint32_t influence_count;  /* per vertex; 0 if not skinned. Any number: 4 * sets for glTF */
    uint16_t *joints;          /* [vertex_count * influence_count] index into the skin's joints */
    float *weights;            /* [vertex_count * influence_count] as the file has them */
    uint32_t index_count;
    uint32_t *indices;         /* [index_count] < vertex_count; always there, also if the file had none */
    mrw_scene_target *targets; /* [the mesh's target_count] */
} mrw_scene_primitive;

typedef struct mrw_scene_mesh {
    const char *name;
    uint32_t primitive_count;
    mrw_scene_primitive *primitives;
    uint32_t target_count;
    const char **target_names; /* [target_count] may be "" */
    float *target_weights;     /* [target_count] at rest */
} mrw_scene_mesh;

typedef struct mrw_scene_skin {
    const char *name;
    uint32_t joint_count;
    int32_t *joints;            /* [joint_count] nodes, in the order that the influences count */
    mrw_mat34 *inverse_binds;   /* [joint_count], or NULL: identity each (glTF's rule) */
} mrw_scene_skin;

typedef enum mrw_channel_path {
    MRW_CHANNEL_TRANSLATION = 0,
    MRW_CHANNEL_ROTATION = 1,
    MRW_CHANNEL_SCALE = 2,
    MRW_CHANNEL_WEIGHTS = 3 /* all morph weights of the node at once */
} mrw_channel_path;

typedef struct mrw_scene_channel {
    int32_t node;
    mrw_channel_path path;
    mrw_interpolation interpolation;
    uint32_t key_count;   /* >= 1 */
    uint32_t value_width; /* floats of one value: 3, 4, 3, or the number of morph weights */
    float *times;         /* [key_count] seconds, >= 0, strictly increasing */
    float *values;        /* [key_count * value_width], three times that for CUBIC: for each
                           * key its in-tangent, value and out-tangent, value_width floats each */
} mrw_scene_channel;

typedef struct mrw_scene_animation {
    const char *name;
    uint32_t channel_count; /* may be 0 */
    mrw_scene_channel *channels;
    float sample_rate_hz;   /* keys a second where the source was sampled so (BVH); 0: unknown */
} mrw_scene_animation;

typedef struct mrw_scene_material {
    const char *name;
    float base_color[4];      /* linear RGBA */
    int32_t base_color_image; /* or -1 */
    bool double_sided;
    bool alpha_blend;         /* else opaque, or cut out below alpha_cutoff */
    float alpha_cutoff;       /* 0: opaque */
    float metallic;           /* 0..1 */
    float roughness;          /* 0..1 */
} mrw_scene_material;

/* An encoded picture (PNG, JPEG, ...). */
typedef struct mrw_scene_image {
    const char *name;
    const char *uri;        /* "" if it was embedded */
    const uint8_t *bytes;   /* or NULL if it could not be found: a diagnostic says so */
    size_t size_bytes;
} mrw_scene_image;

typedef struct mrw_scene {
    const char *format;     /* "glTF 2.0", "BVH" */
    const char *generator;  /* the tool that wrote the file, may be "" */
    const char *copyright;  /* may be "" */

    uint32_t node_count;
    mrw_scene_node *nodes;
    uint32_t mesh_count;
    mrw_scene_mesh *meshes;
    uint32_t skin_count;
    mrw_scene_skin *skins;
    uint32_t animation_count;
    mrw_scene_animation *animations;
    uint32_t material_count;
    mrw_scene_material *materials;
    uint32_t image_count;
    mrw_scene_image *images;

    uint32_t diagnostic_count;
    mrw_diagnostic *diagnostics;

    struct mrwi_scene_owner *owner; /* internal: the memory of all the above */
} mrw_scene;

/* An empty scene, to be filled by hand. memory or NULL for the defaults. Errors:
 * NULL_ARGUMENT, OUT_OF_MEMORY, MEMORY_LIMIT. *out_scene is NULL on failure. */
MRW_API mrw_status mrw_scene_create(const mrw_memory_options *memory, mrw_scene **out_scene);

/* Frees the scene and everything in it. NULL is allowed. */
MRW_API void mrw_scene_free(mrw_scene *scene);

/* count * size_bytes zeroed bytes that live as long as the scene, aligned to 64; NULL if the
 * memory or the limit is exhausted (or the product overflows). A pointer to 0 bytes is not NULL. */
MRW_API void *mrw_scene_alloc(mrw_scene *scene, size_t count, size_t size_bytes);

/* A copy of text in the scene's memory, or NULL. */
MRW_API const char *mrw_scene_string(mrw_scene *scene, const char *text);

/* Adds a diagnostic, or counts it if the code and severity are there already. `code` must have
 * static storage; `where` and `message` are copied. Returns false if memory ran out. */
MRW_API bool mrw_scene_diagnose(mrw_scene *scene, mrw_severity severity, const char *code,
                                const char *where, const char *message);

/* Checks that the scene keeps the promises of its comments: indices in range, no cycle among
 * the nodes, finite numbers, unit rotations, increasing key times, counts that fit. Importers do
 * this before they return and builders before they start. Errors: NULL_ARGUMENT,
 * INDEX_RANGE, NODE_CYCLE, NOT_FINITE, INCONSISTENT, INVALID_VALUE, OUT_OF_MEMORY. */
MRW_API mrw_status mrw_scene_check(const mrw_scene *scene, mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
