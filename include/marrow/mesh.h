/* marrow/mesh.h: meshes and materials as assets: what is drawn, as views on bytes.
 *
 * A mesh asset holds arrays that the jobs of skin.h and a renderer take where they lie: nothing is copied, so a mapped file
 * can be skinned and drawn. It says too at which joints the mesh hangs and which skin binds it. The
 * formats are docs/format/mesh_v1.md and docs/format/materials_v1.md.
 *
 *     mrw_mesh_asset mesh;
 *     mrw_mesh_asset_open(asset, size_bytes, &mesh, &error);
 *     mrw_skin_job job = mrw_skin_job_default();
 *     mrw_mesh_asset_set_job(&mesh, &job);   // vertices and influences
 *     job.palette = palette; ...             // of the skin, and where the result goes
 */
#ifndef MARROW_MESH_H
#define MARROW_MESH_H

#include <marrow/skin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MRW_MESH_VERSION 1
#define MRW_MATERIALS_VERSION 1

/* --- meshes ---------------------------------------------------------------------- */

/* A range of a mesh with one material, as it stands in the asset. Its indices count from the start of the mesh. */
typedef struct mrw_mesh_asset_part {
    uint32_t topology;     /* 0 points, 1 lines, 2 triangles: so many vertices less one */
    int32_t material;      /* of the materials beside it, or -1 */
    uint32_t first_vertex; /* where the part before ends */
    uint32_t vertex_count;
    uint32_t first_index;  /* where the part before ends */
    uint32_t index_count;
} mrw_mesh_asset_part;

/* A place where the mesh is seen, as it stands in the asset. */
typedef struct mrw_mesh_asset_instance {
    uint32_t joint;        /* of the skeleton: what carries the mesh */
    int32_t skin;          /* of the skins beside it, by index; -1: it follows its joint */
    uint32_t first_scalar; /* its target_count morph weights in a pose's scalars */
    uint32_t place;        /* among the instances of all meshes beside it: the order in which to draw */
} mrw_mesh_asset_instance;

/* A morph target as it stands in the asset; mrw_mesh_asset_target_at reads it. */
typedef struct mrw_mesh_asset_target {
    uint64_t first_vertex; /* of its list, in target_vertices */
    uint64_t first_value;  /* in target_values: all of positions, then normals, then tangents */
    uint32_t count;        /* vertices that it has differences for */
    uint32_t streams;      /* 1 positions, 2 normals, 4 tangents; 8: sparse, with a list of vertices */
    uint32_t name_offset;  /* into names */
    uint32_t reserved;     /* 0 */
} mrw_mesh_asset_target;

/* A view on the asset's bytes. Read its fields freely, write none. What it says of joints, skins and scalars
 * holds within skeleton_joint_count and skeleton_scalar_count, and influences name joints of a skin below
 * palette_count: compare these with the skeleton and skin at hand, as mrw_open_character does. */
typedef struct mrw_mesh_asset {
    const mrw_asset_header *header;
    const char *name;               /* may be "" */
    uint32_t skeleton_joint_count;  /* of the skeleton that it was built for */
    uint32_t skeleton_scalar_count;
    uint32_t vertex_count;
    const float *positions;         /* [vertex_count * 3] */
    const float *normals;           /* [vertex_count * 3], or NULL */
    const float *tangents;          /* [vertex_count * 4], or NULL */
    const float *texcoords;         /* [vertex_count * 2], or NULL */
    const float *colors;            /* [vertex_count * 4], or NULL */
    uint32_t influence_count;       /* per vertex; 0: joints and weights are NULL */
    uint32_t palette_count;         /* joints are below it */
    const void *joints;             /* [vertex_count * influence_count] of joint_format */
    const void *weights;            /* [vertex_count * influence_count] of weight_format, finite, >= 0 */
    mrw_joint_format joint_format;
    mrw_weight_format weight_format;
    const uint32_t *source_vertices; /* [vertex_count] as in mrw_mesh, < vertex_count; or NULL */
    uint32_t index_count;
    uint32_t index_size_bytes;      /* 2: uint16_t; 4: uint32_t */
    const void *indices;            /* [index_count] < vertex_count */
    uint32_t part_count;
    const mrw_mesh_asset_part *parts;
    uint32_t instance_count;
    const mrw_mesh_asset_instance *instances;
    uint32_t target_count;
    const mrw_mesh_asset_target *targets;
    const uint32_t *target_vertices;
    const float *target_values;
    const char *names;              /* of the mesh, then of the targets */
} mrw_mesh_asset;

/* Validates the bytes of a mesh asset and fills the view. Errors: those of mrw_asset_open,
 * WRONG_KIND, BAD_VERSION, BAD_ASSET, NOT_FINITE, INDEX_RANGE, JOINT_RANGE. */
MRW_API mrw_status mrw_mesh_asset_open(const void *bytes, size_t size_bytes, mrw_mesh_asset *out_mesh,
                                       mrw_error *out_error);

/* The index-th target as mrw_morph takes it, pointing into the asset; all zeros for an index
 * outside. */
MRW_API mrw_morph_target mrw_mesh_asset_target_at(const mrw_mesh_asset *mesh, uint32_t index);

/* Its name, NUL-terminated UTF-8 in the asset; "" for an index outside. */
MRW_API const char *mrw_mesh_asset_target_name(const mrw_mesh_asset *mesh, uint32_t index);

/* The index-th number of indices; 0 for one outside. */
MRW_API uint32_t mrw_mesh_asset_index(const mrw_mesh_asset *mesh, uint32_t index);

/* Sets what a job reads of a mesh: vertex_count, influence_count, joints and weights with their formats, and the
 * input streams. All else is left alone. */
MRW_API void mrw_mesh_asset_set_job(const mrw_mesh_asset *mesh, mrw_skin_job *job);

/* --- materials ------------------------------------------------------------------- */

typedef enum mrw_material_flags {
    MRW_MATERIAL_DOUBLE_SIDED = 1,
    MRW_MATERIAL_ALPHA_BLEND = 2 /* else opaque, or cut out below alpha_cutoff */
} mrw_material_flags;

/* As it stands in the asset. */
typedef struct mrw_material {
    float base_color[4];  /* linear RGBA */
    float alpha_cutoff;   /* >= 0; 0: opaque */
    float metallic;       /* 0..1 */
    float roughness;      /* 0..1 */
    int32_t base_color_image; /* or -1 */
    uint32_t flags;       /* mrw_material_flags */
    uint32_t name_offset; /* into names */
} mrw_material;

/* An encoded picture (PNG, JPEG, ...), as it stands in the asset. */
typedef struct mrw_image {
    uint64_t offset;      /* into image_bytes */
    uint64_t size_bytes;  /* 0: it was missing when the asset was made */
    uint32_t name_offset; /* into names */
    uint32_t reserved;    /* 0 */
} mrw_image;

/* A view on the asset's bytes. Read its fields freely, write none. */
typedef struct mrw_materials {
    const mrw_asset_header *header;
    uint32_t material_count;
    const mrw_material *materials;
    uint32_t image_count;
    const mrw_image *images;
    const uint8_t *image_bytes;
    const char *names; /* NUL-terminated UTF-8: of the materials, then of the pictures */
} mrw_materials;

/* Validates the bytes of a materials asset and fills the view; pictures are not decoded. Errors: those of
 * mrw_asset_open, WRONG_KIND, BAD_VERSION, BAD_ASSET, NOT_FINITE, INDEX_RANGE (a picture). */
MRW_API mrw_status mrw_materials_open(const void *bytes, size_t size_bytes,
                                      mrw_materials *out_materials, mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
