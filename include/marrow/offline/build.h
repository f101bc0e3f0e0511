/* marrow/offline/build.h: a scene becomes what the runtime works on.
 *
 * mrw_build_character does it all and is what most programs want. The parts can be had one by
 * one: each result is the bytes of an asset that can be written to a file as it is.
 */
#ifndef MARROW_OFFLINE_BUILD_H
#define MARROW_OFFLINE_BUILD_H

#include <marrow/clip.h>
#include <marrow/offline/scene.h>
#include <marrow/skeleton.h>
#include <marrow/skin.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mrw_build_options {
    size_t struct_size;
    mrw_memory_options memory;
    uint32_t max_influences; /* per vertex: the heaviest are kept and scaled to sum 1; 0 = all */
    bool group_vertices;     /* order the vertices of each part so that skinning is faster: mrw_mesh */
} mrw_build_options;

static inline mrw_build_options mrw_build_options_default(void)
{
    mrw_build_options options = {sizeof(mrw_build_options), {{NULL, NULL, NULL}, 0, 0, false}, 0,
                                 false};
    return options;
}

/* A range of a mesh with one material. Its indices count from the start of the mesh. */
typedef struct mrw_mesh_part {
    mrw_topology topology;
    int32_t material;      /* of the scene, or -1 */
    uint32_t first_vertex; /* vertices of one primitive of the file, in its order unless grouped */
    uint32_t vertex_count;
    uint32_t first_index;
    uint32_t index_count;
} mrw_mesh_part;

/* A mesh ready for the jobs of skin.h: the primitives of a scene mesh one after the other.
 *
 * Influences of a vertex are merged (one entry a joint), sorted by weight, the heaviest first,
 * and scaled to sum 1 (left bit for bit where they do so within 2e-7 a weight, glTF's tolerance);
 * unused places hold joint 0, weight 0. A vertex without any weight is bound to the first joint
 * that it names, joint 0 if it names none.
 *
 * With group_vertices most eights of vertices (0 to 7, 8 to 15, ...) name the same joints in the same
 * places, and skinning reads a matrix once for all eight. All arrays, indices and morph
 * targets are in that order; each vertex comes out of skinning with the same bits as without. Its
 * influences may then have weight 0 between others, with a joint that others of its eight need;
 * the heaviest is still first. influence_count is a multiple of 4. */
typedef struct mrw_mesh {
    const char *name;
    uint32_t part_count;
    const mrw_mesh_part *parts;
    uint32_t vertex_count;
    const float *positions;  /* [vertex_count * 3] */
    const float *normals;    /* [vertex_count * 3]; NULL unless every primitive has them */
    const float *tangents;   /* [vertex_count * 4]; likewise */
    const float *texcoords;  /* [vertex_count * 2]; NULL if no primitive has them, else 0 where missing */
    const float *colors;     /* [vertex_count * 4]; NULL if no primitive has them, else 1 where missing */
    uint32_t influence_count; /* largest of the mesh after merging; 0 if it has none */
    const uint16_t *joints;  /* [vertex_count * influence_count] index into a skin */
    const float *weights;    /* [vertex_count * influence_count] */
    const uint32_t *source_vertices; /* [vertex_count] which one of the file's order each is, its primitives
                              * one after the other (mrw_stream_scatter); NULL: that order itself */
    const uint32_t *vertex_remap; /* [vertex_count] the inverse: where each of the file's is; or NULL */
    float pruned_weight;     /* largest sum of weights that max_influences took from a vertex */
    uint32_t target_count;
    const mrw_morph_target *targets; /* [target_count]; sparse where that takes fewer bytes */
    const char *const *target_names; /* [target_count] */
    uint32_t index_count;
    const uint32_t *indices; /* [index_count] < vertex_count */
} mrw_mesh;

/* A mesh at a node of the scene. */
typedef struct mrw_mesh_instance {
    uint32_t mesh;          /* of the character */
    int32_t skin;           /* of the character; -1: a rigid mesh that follows its joint */
    uint32_t joint;         /* of the skeleton: the node that carries the mesh */
    uint32_t first_scalar;  /* the mesh's target_count morph weights in the pose's scalars */
    uint32_t palette_first; /* where this instance's matrices start in a palette of the whole */
    uint32_t palette_count; /* character: the skin's joint_count, or 1 (the joint's model matrix) */
} mrw_mesh_instance;

/* Everything the runtime needs of one file. */
typedef struct mrw_character {
    mrw_skeleton skeleton;
    uint32_t node_count;
    const int32_t *node_to_joint; /* [node_count] joint of each scene node, -1 if it does not matter */
    uint32_t clip_count;
    const mrw_clip *clips;        /* [clip_count] in the file's order */
    const uint64_t *stored_bytes; /* [clip_count] of the stored clip that each was decoded from, 0: it
                                   * was none; NULL: the character was built of a scene */
    uint32_t skin_count;
    const mrw_skin *skins;        /* [skin_count] in the file's order */
    uint32_t mesh_count;
    const mrw_mesh *meshes;       /* [mesh_count] in the file's order */
    uint32_t instance_count;
    const mrw_mesh_instance *instances; /* nodes of the shown scene with a mesh, in the file's order */
    uint32_t palette_count;       /* matrices of all instances together */

    uint32_t diagnostic_count;    /* what building found odd; the scene has its own */
    const mrw_diagnostic *diagnostics;

    struct mrwi_character_owner *owner; /* internal */
} mrw_character;

/* Builds it; the scene may be freed afterwards. Joints are the joints of all skins, the shown nodes
 * that carry a mesh or are animated, and the ancestors of these; every shown node where there is
 * neither a skin nor a mesh. options or NULL for the defaults. On
 * failure *out_character is NULL. Errors: those of mrw_scene_check, LIMIT (65,535
 * joints), OUT_OF_MEMORY, MEMORY_LIMIT. */
MRW_API mrw_status mrw_build_character(const mrw_scene *scene, const mrw_build_options *options,
                                       mrw_character **out_character, mrw_error *out_error);

/* A character of the assets in the bytes of a .mrw file (marrow/asset_file.h): its one skeleton, and the clips, skins and
 * meshes that were built for it, under the names that the file gives them. The bytes are
 * copied, stored clips (marrow/stored_clip.h) decoded. It comes from no scene: node_count is 0, and what the materials of meshes look like is read by mrw_materials_open,
 * or by mrw_load_file into its scene. A file packed without meshes gives a character without. Every asset is
 * validated, and that they fit one another. memory or NULL for the defaults. On failure *out_character is NULL. Errors: those of
 * mrw_file_open, mrw_skeleton_open, mrw_clip_open, mrw_skin_open, mrw_mesh_asset_open and mrw_materials_open (detail
 * names the asset), INCONSISTENT (no skeleton, or several; several assets of materials), SKELETON_MISMATCH,
 * BAD_ASSET and INDEX_RANGE (a mesh names a skin or material that is not there), LIMIT, OUT_OF_MEMORY, MEMORY_LIMIT. */
MRW_API mrw_status mrw_open_character(const void *file_bytes, size_t size_bytes,
                                      const mrw_memory_options *memory,
                                      mrw_character **out_character, mrw_error *out_error);

/* Frees the character and everything in it. NULL is allowed. */
MRW_API void mrw_character_free(mrw_character *character);

/* Index of the clip with this name, -1 if there is none. */
MRW_API int32_t mrw_character_find_clip(const mrw_character *character, const char *name);

/* --- the parts --------------------------------------------------------------------- */

/* Bytes of an asset, aligned to 64. Freed by mrw_bytes_free. */
typedef struct mrw_bytes {
    uint8_t *data;
    size_t size_bytes;
    mrw_allocator allocator; /* that made them */
} mrw_bytes;

MRW_API void mrw_bytes_free(mrw_bytes *bytes);

/* A joint as a program describes it. */
typedef struct mrw_joint_desc {
    const char *name;    /* or NULL, which is ""; see below */
    int32_t parent;      /* index in the same array, any order; -1 for a root */
    mrw_transform rest;
    int32_t source_node; /* kept as it is in the skeleton's source_nodes; 0 if there is no source */
} mrw_joint_desc;

typedef struct mrw_scalar_desc {
    const char *name;
    float rest;
} mrw_scalar_desc;

/* A skeleton from any list of joints. Joints come out breadth-first: roots, their children, ...,
 * siblings in the order of the list. out_order, or NULL: [joint_count] the new index of each
 * joint of the list. Rotations are normalised. What is only the rounding of whoever wrote the numbers
 * becomes 0, since denormal products are slow: components of rotations below 2^-48 (3.6e-15), and
 * of translations below 2^-60 (8.7e-19) of the largest one in the list. No result shows it.
 *
 * Names of joints are made unique: the first of a name keeps it, the others become "name.2",
 * "name.3", ..., passing over what another joint of the list is called; "" counts as "joint". Bytes
 * that are not UTF-8 become U+FFFD. Errors: NULL_ARGUMENT, NODE_CYCLE, INDEX_RANGE, NOT_FINITE,
 * LIMIT, OUT_OF_MEMORY, MEMORY_LIMIT. */
MRW_API mrw_status mrw_build_skeleton(const mrw_joint_desc *joints, uint32_t joint_count,
                                      const mrw_scalar_desc *scalars, uint32_t scalar_count,
                                      const mrw_memory_options *memory, uint32_t *out_order,
                                      mrw_bytes *out_skeleton, mrw_error *out_error);

/* Keys of one track as a program describes it; see mrw_track for the meaning. Rotations are normalised.
 * Components of rotations and translations that are too small to show become 0, as in
 * mrw_build_skeleton; of tangents, which are multiplied by a time, those below that divided by the
 * clip's duration if it is above a second. */
typedef struct mrw_track_desc {
    mrw_track_kind kind;
    uint32_t target; /* joint or scalar of the skeleton */
    mrw_interpolation interpolation;
    uint32_t key_count;   /* 0: the track is left out */
    const float *times;   /* [key_count] >= 0, strictly increasing */
    const float *values;
} mrw_track_desc;

/* A keyed clip. Equal time arrays are stored once. name or NULL, which is "". duration_s: at least
 * the last key's time; a negative value means exactly that. Errors: NULL_ARGUMENT, JOINT_RANGE (a
 * target), INCONSISTENT (a track twice), INVALID_VALUE (times, a duration before the last key, a kind
 * or interpolation), NOT_FINITE, LIMIT, OUT_OF_MEMORY, MEMORY_LIMIT. */
MRW_API mrw_status mrw_build_clip(const mrw_skeleton *skeleton, const char *name,
                                  const mrw_track_desc *tracks, uint32_t track_count,
                                  float duration_s, const mrw_memory_options *memory,
                                  mrw_bytes *out_clip, mrw_error *out_error);

/* A skin. inverse_binds or NULL: then they are the inverses of the skeleton's rest pose in model
 * space (a joint without an inverse, scaled to 0, gets the identity). Errors: INVALID_ARGUMENT (no
 * joint), JOINT_RANGE, NOT_FINITE, LIMIT, OUT_OF_MEMORY. */
MRW_API mrw_status mrw_build_skin(const mrw_skeleton *skeleton, const char *name,
                                  const uint32_t *joints, const mrw_mat34 *inverse_binds,
                                  uint32_t joint_count, const mrw_memory_options *memory,
                                  mrw_bytes *out_skin, mrw_error *out_error);

/* One mesh of a character, and its instances, as the bytes of a mesh asset (marrow/mesh.h). It names skins and
 * materials by their index in the character and its scene: a file has to have them in that order. Errors:
 * NULL_ARGUMENT, INVALID_ARGUMENT (no such mesh), LIMIT, OUT_OF_MEMORY, MEMORY_LIMIT. */
MRW_API mrw_status mrw_build_mesh(const mrw_character *character, uint32_t mesh,
                                  const mrw_memory_options *memory, mrw_bytes *out_mesh,
                                  mrw_error *out_error);

/* The materials of a scene, and the pictures of their base colours as they are, as the bytes of a materials asset
 * (marrow/mesh.h). Errors: NULL_ARGUMENT, INDEX_RANGE (a picture), NOT_FINITE and INVALID_VALUE (a number of a material), LIMIT,
 * OUT_OF_MEMORY, MEMORY_LIMIT. */
MRW_API mrw_status mrw_build_materials(const mrw_scene *scene, const mrw_memory_options *memory,
                                       mrw_bytes *out_materials, mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
