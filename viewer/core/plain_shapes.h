/* Coloured triangles that are not part of the character: bones, bounds, ground, background. */
#ifndef VIEW_CORE_PLAIN_SHAPES_H
#define VIEW_CORE_PLAIN_SHAPES_H

#include "core/bounds.h"

typedef struct view_plain_vertex {
    mrw_vec3 position;
    float color[4]; /* sRGB and alpha, as drawn */
} view_plain_vertex;

/* A growing list of triangles. Zeroed is empty. */
typedef struct view_plain_shapes {
    view_plain_vertex *vertices;
    size_t vertex_count;
    size_t capacity;
    bool out_of_memory; /* what was added since then is lost */
} view_plain_shapes;

void view_plain_shapes_free(view_plain_shapes *shapes);

/* The skeleton of a posed character, of the joints in `shown` (view_shown_joints): an octahedron from
 * each joint to its child, a small one at each joint. The selected joint (-1: none) and the bones that
 * it moves have another colour. `size` is the model's size: joints and the widest bones are a share of
 * it. `rim` gets the same shapes a little larger and dark, to be drawn below. */
void view_plain_shapes_add_skeleton(view_plain_shapes *bones, view_plain_shapes *rim,
                                    const view_posed *posed, const bool *shown, float size,
                                    int32_t selected_joint);

/* The twelve edges of the box; nothing if it is empty. */
void view_plain_shapes_add_box(view_plain_shapes *shapes, const view_bounds *bounds);

/* A disc on the ground below the box, with rings, fading outwards. dark: for a dark background. */
void view_plain_shapes_add_ground(view_plain_shapes *shapes, const view_bounds *bounds, bool dark);

/* The background, in clip space: a vertical gradient. */
void view_plain_shapes_add_backdrop(view_plain_shapes *shapes, bool dark);

#endif
