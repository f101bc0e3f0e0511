/* What the viewer asks of a graphics API, and nothing else.
 *
 * The renderer (renderer.h) decides what is drawn, in which order and with which state; a backend
 * turns each call into a few calls of its API. There are three: OpenGL 3.3 (viewer/gl), WebGL 2
 * (viewer/web) and one that records and draws nothing (tests). Vertex shaders of both that draw are
 * mrw_shader_source(MRW_SHADER_BLENDED, ...) with VIEW_SKINNED, MRW_PALETTE_TEXTURE, MRW_STRETCH,
 * MRW_LOCATION 5, and MRW_MORPH where the mesh has targets, then viewer/shaders/mesh_vert.glsl; for
 * vertices that are in the scene already it is that file alone.
 *
 * Handles are numbers from 1 on; 0 is "none". A backend function that returns false has put one
 * sentence, in storage that lives until the next call, where `last_error` points.
 */
#ifndef VIEW_CORE_BACKEND_H
#define VIEW_CORE_BACKEND_H

#include "core/plain_shapes.h"

#include <marrow/offline/build.h>

/* Most influences a vertex that backends draw: build characters with max_influences = 8. */
#define VIEW_MAX_INFLUENCES 8

/* What the mesh is drawn as. */
typedef enum view_surface {
    VIEW_SURFACE_MATERIAL = 0, /* base colour, texture, light */
    VIEW_SURFACE_HEAT = 1,     /* the heat of each vertex as a colour, lit */
    VIEW_SURFACE_SHADOW = 2    /* flat dark, each pixel once: `flatten` has moved it to the ground */
} view_surface;

/* One mesh with one material of one or many characters: one draw call. All pointers live for the call. */
typedef struct view_draw_mesh {
    uint32_t mesh; /* handle */
    mrw_topology topology;
    uint32_t first_index;
    uint32_t index_count;

    bool skinned;             /* false: positions are in the scene already (mesh_update) */
    float dual_quat_weight;   /* 0 linear .. 1 dual quaternion */
    uint32_t palette_first;   /* matrix of the first character */
    uint32_t palette_stride;  /* matrices from one character to the next */
    uint32_t morph_first;     /* scalar of the first character */
    uint32_t morph_stride;
    uint32_t instance_count;  /* characters, >= 1 */

    const float *view_projection; /* [16] column-major */
    const float *flatten;         /* [16] before it, applied in scene space; NULL: the identity */
    mrw_vec3 eye;
    mrw_vec3 key_direction; /* unit, towards the light */

    view_surface surface;
    float base_color[4];
    uint32_t texture;    /* handle, 0: white */
    float alpha_cutoff;  /* 0: nothing is cut out */
    float roughness;
    bool blended;        /* by alpha, without writing depth */
    bool double_sided;   /* else back faces are left out */
    bool mirrored;       /* front faces are clockwise */
} view_draw_mesh;

/* Triangles of plain_shapes.h. */
typedef struct view_draw_plain {
    const view_plain_vertex *vertices;
    uint32_t vertex_count;
    const float *view_projection; /* [16] */
    bool depth_test;              /* tests and writes depth */
    bool clear_depth;             /* first: what follows is drawn over everything before */
} view_draw_plain;

/* Textures that many meshes share, written once a frame; see shader.h for the layout of texels. */
typedef enum view_shared_data {
    VIEW_PALETTE = 0,       /* mrw_mat34, 3 texels each */
    VIEW_DUAL_QUATS = 1,    /* mrw_dual_quat, 2 texels each */
    VIEW_STRETCHES = 2,     /* mrw_mat34 */
    VIEW_MORPH_WEIGHTS = 3, /* one float each; the backend makes texels of them */
    VIEW_SHARED_DATA_COUNT = 4
} view_shared_data;

typedef struct view_backend {
    void *user; /* first argument of every function */
    const char **last_error;

    /* mesh lives for the call. A mesh that is not skinned (skin -1) gets one influence of weight 1: its
     * palette is one matrix. */
    bool (*mesh_create)(void *user, const mrw_mesh *mesh, bool skinned, uint32_t *out_mesh);
    void (*mesh_free)(void *user, uint32_t mesh);
    /* Scene-space vertices from the CPU, for draws with skinned = false; normals or NULL. */
    bool (*mesh_update)(void *user, uint32_t mesh, const float *positions, const float *normals);
    /* [vertex_count] 0..1 each. */
    bool (*mesh_set_heat)(void *user, uint32_t mesh, const float *heat);

    /* Handle 0 and true: the picture cannot be shown (missing, unknown kind). A backend that decodes later
     * shows white until then. */
    bool (*texture_create)(void *user, const mrw_scene_image *image, uint32_t *out_texture);
    void (*texture_free)(void *user, uint32_t texture);

    bool (*share)(void *user, view_shared_data what, const void *data, uint32_t count);

    /* Clears colour (transparent black), depth and stencil of whatever the shell draws to. */
    bool (*frame_begin)(void *user, uint32_t width, uint32_t height);
    bool (*draw_mesh)(void *user, const view_draw_mesh *draw);
    bool (*draw_plain)(void *user, const view_draw_plain *draw);
    bool (*frame_end)(void *user);

    /* Positions that the vertex shader computes for the first character of a draw:
     * out_positions [vertex_count * 3], scene space. */
    bool (*capture)(void *user, const view_draw_mesh *draw, float *out_positions);
} view_backend;

#endif
