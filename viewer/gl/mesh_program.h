/* The program that draws meshes, in as many forms as there are kinds of vertices. */
#ifndef VIEW_GL_MESH_PROGRAM_H
#define VIEW_GL_MESH_PROGRAM_H

#include "core/backend.h"

/* Texture units of the samplers. */
enum {
    VIEW_UNIT_BASE_COLOR = 0,
    VIEW_UNIT_SHARED = 1, /* + view_shared_data */
    VIEW_UNIT_MORPH_DELTAS = VIEW_UNIT_SHARED + VIEW_SHARED_DATA_COUNT
};

typedef enum view_mesh_form {
    VIEW_FORM_SCENE = 0, /* positions are in the scene already */
    VIEW_FORM_SKINNED_4 = 1,
    VIEW_FORM_SKINNED_8 = 2,
    VIEW_FORM_MORPHED_4 = 3, /* morph targets, then skinned */
    VIEW_FORM_MORPHED_8 = 4,
    VIEW_FORM_COUNT = 5
} view_mesh_form;

/* Locations of uniforms, -1 where a form has none. */
typedef struct view_mesh_program {
    unsigned program; /* 0: not made yet */
    int view_projection;
    int eye;
    int key_direction;
    int surface;
    int base_color;
    int alpha_cutoff;
    int is_blended;
    int has_normals;
    int roughness;
    int palette_first;
    int palette_stride;
    int dual_quat_weight;
    int morph_first;
    int morph_stride;
    int morph_target_count;
    int morph_vertex_count;
} view_mesh_program;

/* False if the driver refuses the shaders; its words stand on stderr then. */
bool view_mesh_program_create(view_mesh_form form, view_mesh_program *out_program);

#endif
