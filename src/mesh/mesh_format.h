/* The bytes of mesh and materials assets, version 1. docs/format/mesh_v1.md and
 * docs/format/materials_v1.md say what each field means. */
#ifndef MRWI_MESH_FORMAT_H
#define MRWI_MESH_FORMAT_H

#include <marrow/mesh.h>

/* What a mesh may have or lack. */
typedef enum mrwi_mesh_streams {
    MRWI_MESH_NORMALS = 1,
    MRWI_MESH_TANGENTS = 2,
    MRWI_MESH_TEXCOORDS = 4,
    MRWI_MESH_COLORS = 8,
    MRWI_MESH_SOURCE_VERTICES = 16,
    MRWI_MESH_ALL_STREAMS = 31
} mrwi_mesh_streams;

typedef enum mrwi_target_streams {
    MRWI_TARGET_POSITIONS = 1,
    MRWI_TARGET_NORMALS = 2,
    MRWI_TARGET_TANGENTS = 4,
    MRWI_TARGET_SPARSE = 8,
    MRWI_TARGET_ALL_STREAMS = 15
} mrwi_target_streams;

typedef struct mrwi_mesh_content {
    mrw_asset_header header;
    uint32_t vertex_count;
    uint32_t index_count;
    uint32_t part_count;
    uint32_t instance_count;
    uint32_t target_count;
    uint32_t influence_count;
    uint32_t palette_count;
    uint32_t skeleton_joint_count;
    uint32_t skeleton_scalar_count;
    uint8_t streams;       /* mrwi_mesh_streams */
    uint8_t joint_format;  /* mrw_joint_format */
    uint8_t weight_format; /* mrw_weight_format */
    uint8_t index_size_bytes;
    uint32_t names_size_bytes; /* with the NULs */
    uint32_t reserved;         /* 0 */
    uint64_t target_vertex_count;
    uint64_t target_value_count;
    uint64_t positions_offset;
    uint64_t normals_offset;
    uint64_t tangents_offset;
    uint64_t texcoords_offset;
    uint64_t colors_offset;
    uint64_t joints_offset;
    uint64_t weights_offset;
    uint64_t source_vertices_offset;
    uint64_t indices_offset;
    uint64_t parts_offset;
    uint64_t instances_offset;
    uint64_t targets_offset;
    uint64_t target_vertices_offset;
    uint64_t target_values_offset;
    uint64_t names_offset;
} mrwi_mesh_content;

typedef struct mrwi_materials_content {
    mrw_asset_header header;
    uint32_t material_count;
    uint32_t image_count;
    uint32_t names_size_bytes; /* with the NULs */
    uint32_t reserved;         /* 0 */
    uint64_t image_size_bytes;
    uint64_t materials_offset;
    uint64_t images_offset;
    uint64_t names_offset;
    uint64_t image_bytes_offset;
} mrwi_materials_content;

_Static_assert(sizeof(mrwi_mesh_content) == 248, "no padding");
_Static_assert(sizeof(mrw_mesh_asset_part) == 24, "no padding");
_Static_assert(sizeof(mrw_mesh_asset_instance) == 16, "no padding");
_Static_assert(sizeof(mrw_mesh_asset_target) == 32, "no padding");
_Static_assert(sizeof(mrwi_materials_content) == 120, "no padding");
_Static_assert(sizeof(mrw_material) == 40, "no padding");
_Static_assert(sizeof(mrw_image) == 24, "no padding");

/* Which field of a material is outside its range; NULL: none. */
static inline const char *mrwi_material_fault(float alpha_cutoff, float metallic, float roughness)
{
    if (!(alpha_cutoff >= 0.0f)) /* one above 1 cuts out all */
        return ".alpha_cutoff";
    if (!(metallic >= 0.0f && metallic <= 1.0f))
        return ".metallic";
    return !(roughness >= 0.0f && roughness <= 1.0f) ? ".roughness" : NULL;
}

/* Vectors of differences of a target. */
static inline uint32_t mrwi_target_stream_count(uint32_t streams)
{
    return (streams & 1) + (streams >> 1 & 1) + (streams >> 2 & 1);
}

#endif
