/* Shapes as grids of rings, and meshes made of them.
 *
 * A grid is a stack of rings with the same number of points, closed around. Limbs and trunks are
 * lofts: rings strung along an axis, their size read from a table of stations. Its normals are
 * those of the whole grid, so that a change of material along it makes no visible crease.
 */
#ifndef VIEW_DEMO_SHAPE_H
#define VIEW_DEMO_SHAPE_H

#include <marrow/offline/scene.h>

#define DEMO_INFLUENCES 4

/* Joints of the skin and their weights, which sum to 1; unused places hold joint 0, weight 0. */
typedef struct demo_influences {
    uint16_t joints[DEMO_INFLUENCES];
    float weights[DEMO_INFLUENCES];
} demo_influences;

/* Adds `weight` of `joint`: to its place if it is there, to a free one, or to none. */
void demo_influences_add(demo_influences *influences, uint32_t joint, float weight);
void demo_influences_normalize(demo_influences *influences);

/* The influences of a point, which lies `at` metres along the shape's axis. */
typedef demo_influences (*demo_bind)(const void *user, mrw_vec3 point, float at);

/* --- binding -------------------------------------------------------------------- */

/* demo_bind_chain: the point follows the last joint of the chain whose place it is past, and
 * changes smoothly over `blend` metres on both sides of that place. `user` is a demo_chain. */
typedef struct demo_link {
    uint32_t joint;
    float at;
    float blend; /* > 0; the first link's place and blend mean nothing */
} demo_link;

typedef struct demo_chain {
    const demo_link *links;
    uint32_t link_count;
} demo_chain;

demo_influences demo_bind_chain(const void *user, mrw_vec3 point, float at);

/* demo_bind_rigid: all of it to one joint. `user` is a uint32_t. */
demo_influences demo_bind_rigid(const void *user, mrw_vec3 point, float at);

/* --- meshes ---------------------------------------------------------------------- */

#define DEMO_MATERIAL_LIMIT 8

typedef struct demo_vertex {
    mrw_vec3 position;
    mrw_vec3 normal;
    demo_influences influences;
} demo_vertex;

typedef struct demo_part {
    demo_vertex *vertices;
    uint32_t vertex_count;
    uint32_t vertex_capacity;
    uint32_t *indices;
    uint32_t index_count;
    uint32_t index_capacity;
} demo_part;

/* A mesh under construction, one part a material. Its memory is the scene's. When memory runs out
 * `failed` is set and nothing happens any more. */
typedef struct demo_mesh {
    mrw_scene *scene;
    demo_part parts[DEMO_MATERIAL_LIMIT];
    bool failed;
} demo_mesh;

/* Writes the parts that are not empty as the primitives of *out_mesh; part i gets material i.
 * Returns false if memory ran out, here or before. */
bool demo_mesh_finish(demo_mesh *mesh, mrw_scene_mesh *out_mesh);

typedef struct demo_grid {
    uint32_t ring_count;
    uint32_t segment_count;
    mrw_vec3 *points;            /* [ring_count * segment_count] */
    demo_influences *influences; /* likewise */
    uint8_t *materials;          /* likewise: of the face to the next point and the next ring */
} demo_grid;

/* Returns false, with nothing allocated, if memory ran out. */
bool demo_grid_create(demo_mesh *mesh, uint32_t ring_count, uint32_t segment_count,
                      demo_grid *out_grid);

/* Adds the grid to the mesh. Seen from outside rings follow each other away from the eye where
 * points run counterclockwise. A ring whose points coincide becomes one vertex. mirror_joints or
 * NULL: then the grid is mirrored in x, and joint j becomes mirror_joints[j]. */
void demo_grid_add(demo_mesh *mesh, const demo_grid *grid, const uint16_t *mirror_joints);

/* --- lofts ------------------------------------------------------------------------- */

typedef struct demo_station {
    float at;               /* along the axis */
    float half_u, half_v;   /* half the size along u and v */
    float shift_u, shift_v; /* of the ring's centre */
    float square;           /* 0: an ellipse, 1: an ellipse with |x|^4 + |y|^4 = 1 for a circle */
    uint32_t material;      /* from this station to the next */
} demo_station;

typedef struct demo_loft {
    mrw_vec3 origin;
    mrw_vec3 axis, u, v; /* of unit length; u x v = axis */
    const demo_station *stations;
    uint32_t station_count;
    uint32_t segment_count;
    float spacing;             /* the largest distance between rings */
    float first_cap, last_cap; /* lengths of the rounded ends */
    demo_bind bind;
    const void *bind_user;
} demo_loft;

/* mirror_joints as for demo_grid_add, except that if it is given both sides are added. */
void demo_loft_add(demo_mesh *mesh, const demo_loft *loft, const uint16_t *mirror_joints);

/* How much further out a squarish ring lies than the circle in the direction (x, y, z) of unit
 * length; see demo_station.square. */
float demo_squareness(float x, float y, float z, float square);

#endif
