/* Draws posed characters through a backend: what, in which order, with which state.
 *
 * A frame: palette, dual quaternions, stretches and morph weights of all characters --> shared textures;
 * backdrop, ground; shadow; opaque parts, then blended parts; bounds; the skeleton over all.
 */
#ifndef VIEW_CORE_RENDERER_H
#define VIEW_CORE_RENDERER_H

#include "core/backend.h"
#include "core/camera.h"
#include "core/posed.h"

typedef struct view_renderer view_renderer;

/* The matrices of `count` characters of one kind, one after the other. A single posed character is
 * view_crowd_of_posed(posed). */
typedef struct view_crowd_data {
    uint32_t count;                  /* >= 1 */
    const mrw_mat34 *palette;        /* [count * character->palette_count] in scene space */
    const mrw_dual_quat *dual_quats; /* likewise */
    const mrw_mat34 *stretches;      /* likewise */
    const float *scalars;            /* [count * skeleton.scalar_count] morph weights */
} view_crowd_data;

typedef struct view_frame {
    uint32_t width; /* pixels */
    uint32_t height;
    const view_camera *camera;
    const view_bounds *bounds; /* of the whole motion: where the ground lies and how large it is */
    float dual_quat_weight;    /* 0 linear blend skinning .. 1 dual quaternion skinning */
    bool on_cpu;               /* draw the vertices that view_posed_vertices gives, of the first character */
    bool heat;                 /* draw the heat that view_renderer_set_heat gave */
    bool skeleton;             /* draw the bones over the mesh */
    int32_t selected_joint;    /* drawn in another colour; -1: none */
    bool box;                  /* draw `bounds` */
    bool transparent;          /* no backdrop and no ground */
    bool dark;                 /* else a light backdrop */
} view_frame;

/* dual_quat_weight of a method: 0, 1, or `blend`. */
float view_dual_quat_weight(mrw_skin_method method, float blend);

view_crowd_data view_crowd_of_posed(const view_posed *posed);

/* Uploads meshes and textures. Backend, scene and character must outlive the renderer; the character must
 * have at most VIEW_MAX_INFLUENCES influences a vertex. On failure NULL, and *out_reason is one
 * sentence that lives until the next call. */
view_renderer *view_renderer_create(const view_backend *backend, const mrw_scene *scene,
                                    const mrw_character *character, const char **out_reason);
void view_renderer_free(view_renderer *renderer);

/* How many pictures of the scene could not be shown (missing, or of an unknown kind). */
uint32_t view_renderer_missing_images(const view_renderer *renderer);

/* For each instance of the character, [vertex_count] of its mesh, one after the other. */
bool view_renderer_set_heat(view_renderer *renderer, const float *heat, const char **out_reason);

/* Draws one frame into the backend's target. `posed` is the first character: the one whose skeleton is
 * drawn and whose vertices on_cpu means; `crowd` or NULL, which is that character alone. */
bool view_renderer_draw(view_renderer *renderer, const view_posed *posed, const view_crowd_data *crowd,
                        const view_frame *frame, const char **out_reason);

/* The scene-space positions that the vertex shader computes for one instance:
 * out_positions [vertex_count * 3]. */
bool view_renderer_capture(view_renderer *renderer, const view_posed *posed, uint32_t instance,
                           float dual_quat_weight, float *out_positions, const char **out_reason);

#endif
