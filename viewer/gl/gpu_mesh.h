/* One mesh in buffers of the graphics card. */
#ifndef VIEW_GL_GPU_MESH_H
#define VIEW_GL_GPU_MESH_H

#include "core/backend.h"

#include "gl/float_texture.h"

/* Attributes have the locations of viewer/shaders/mesh_vert.glsl and, after them, of
 * marrow/shader.h. */
enum {
    VIEW_MESH_POSITION,
    VIEW_MESH_NORMAL,
    VIEW_MESH_TEXCOORD,
    VIEW_MESH_COLOR,
    VIEW_MESH_HEAT,
    VIEW_MESH_JOINTS,
    VIEW_MESH_WEIGHTS,
    VIEW_MESH_INDICES,
    VIEW_MESH_SCENE_POSITION, /* in the place of POSITION and NORMAL, from mesh_update */
    VIEW_MESH_SCENE_NORMAL,
    VIEW_MESH_BUFFER_COUNT
};

typedef struct view_gpu_mesh {
    unsigned vertex_array;
    unsigned scene_vertex_array;              /* for vertices that are in the scene already */
    unsigned buffers[VIEW_MESH_BUFFER_COUNT]; /* 0: the mesh has no such stream */
    view_float_texture morph_deltas;          /* texture 0 without morph targets */
    uint32_t vertex_count;
    uint32_t target_count;
    uint32_t influence_count; /* 4 or 8 */
} view_gpu_mesh;

/* On failure false, nothing to free, and *out_reason is one sentence in static storage. */
bool view_gpu_mesh_create(const mrw_mesh *mesh, bool skinned, view_gpu_mesh *out_mesh,
                          const char **out_reason);
void view_gpu_mesh_free(view_gpu_mesh *mesh);

void view_gpu_mesh_set_heat(view_gpu_mesh *mesh, const float *heat);
void view_gpu_mesh_set_scene_vertices(view_gpu_mesh *mesh, const float *positions,
                                      const float *normals);

/* Makes its arrays, and constants where it has none, the current ones. */
void view_gpu_mesh_bind(const view_gpu_mesh *mesh, bool in_scene);

#endif
