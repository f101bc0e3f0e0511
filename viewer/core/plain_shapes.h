/* Coloured triangles that are not part of the character: bones, ground, background. */
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

/* The skeleton of a posed character: an octahedron from each joint to its child, a small one where
 * a chain ends. `size` is the model's size, for the smallest of them. Only joints of skins and what
 * lies between them are drawn; all joints if there is no skin. */
void view_plain_shapes_add_skeleton(view_plain_shapes *shapes, const view_posed *posed, float size);

/* A disc on the ground below the box, with rings and spokes, fading outwards. */
void view_plain_shapes_add_ground(view_plain_shapes *shapes, const view_bounds *bounds);

/* The background, in clip space: a vertical gradient. */
void view_plain_shapes_add_backdrop(view_plain_shapes *shapes);

#endif
