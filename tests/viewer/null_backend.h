/* A backend that draws nothing and believes nothing: it keeps what it is given, checks every
 * handle, pointer and range of every call, and ends the program with a sentence at the first
 * mistake.
 *
 * capture computes with mrw_morph and mrw_skin_vertices from what was shared, so that what the
 * viewer says about the difference between GPU and CPU can be right or wrong here too.
 */
#ifndef TESTS_VIEWER_NULL_BACKEND_H
#define TESTS_VIEWER_NULL_BACKEND_H

#include "core/backend.h"

enum { NULL_MESHES = 256, NULL_TEXTURES = 256 };

/* A copy of what mesh_create was given. Not alive: the handle is free. */
typedef struct null_mesh {
    bool alive;
    bool skinned;
    bool updated;
    bool has_normals;
    float *heat; /* [vertex_count], or NULL: never set */
    uint32_t vertex_count;
    uint32_t influence_count; /* 1 if it is not skinned */
    uint32_t palette_count;   /* the largest joint of an influence, and one more */
    uint32_t target_count;
    uint32_t index_count;
    float *positions;
    uint16_t *joints;
    float *weights;
    float **targets; /* [target_count] positions, or NULL */
} null_mesh;

typedef struct null_backend {
    view_backend backend; /* give its address to the viewer */
    const char *last_error;

    uint32_t calls;   /* of functions that may fail, so far */
    uint32_t fail_at; /* this one fails; 0: none */
    bool cannot_capture;

    null_mesh meshes[NULL_MESHES]; /* handle - 1 */
    bool textures[NULL_TEXTURES];  /* handle - 1 */
    void *shared[VIEW_SHARED_DATA_COUNT];
    uint32_t shared_count[VIEW_SHARED_DATA_COUNT];

    bool in_frame;
    uint32_t frames; /* ended ones */
    uint32_t captures;
    /* Of the last frame, or the one being drawn. */
    uint32_t width, height;
    uint32_t draws[3];   /* by view_surface */
    uint32_t characters; /* most of a draw */
    uint32_t cpu_draws;  /* with skinned = false */
    uint32_t plain_draws;
    uint32_t plain_vertices;
    float dual_quat_weight; /* of the last skinned draw */
    float view_projection[16];
} null_backend;

void null_backend_init(null_backend *null);

/* Ends the program unless every mesh and texture was freed. */
void null_backend_finish(null_backend *null);

/* Meshes and textures that are alive. */
uint32_t null_backend_held(const null_backend *null);

#endif
