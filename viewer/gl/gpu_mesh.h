/* One mesh instance in buffers of the graphics card. */
#ifndef VIEW_GL_GPU_MESH_H
#define VIEW_GL_GPU_MESH_H

#include <marrow/offline/build.h>

/* Attributes have the locations of viewer/shaders/mesh_vert.glsl. */
typedef struct view_gpu_mesh {
    unsigned vertex_array;
    unsigned buffers[7];
    uint32_t vertex_count;
    bool has_normals;
    float *morphed; /* [vertex_count * 6] positions, then normals; NULL without morph targets */
} view_gpu_mesh;

/* At most 4 influences a vertex are used: build the character with max_influences = 4. A rigid
 * instance gets one influence, its own matrix. Errors: OUT_OF_MEMORY. */
mrw_status view_gpu_mesh_create(const mrw_mesh *mesh, bool skinned, view_gpu_mesh *out_mesh);
void view_gpu_mesh_free(view_gpu_mesh *mesh);

/* Replaces positions and normals with those in mesh->morphed. */
void view_gpu_mesh_upload_morphed(const view_gpu_mesh *mesh);

#endif
