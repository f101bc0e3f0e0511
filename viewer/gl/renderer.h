/* Draws a posed character into memory. Needs a current context (context.h).
 *
 * Skinning happens in the vertex shader: the palette of the whole character goes into a
 * texture buffer once a frame, each instance knows where its matrices start. Morph targets are
 * applied on the CPU and only the instances that have some are uploaded again.
 */
#ifndef VIEW_GL_RENDERER_H
#define VIEW_GL_RENDERER_H

#include "core/camera.h"
#include "core/posed.h"

typedef struct view_renderer view_renderer;

typedef struct view_frame {
    uint32_t width; /* pixels */
    uint32_t height;
    const view_camera *camera;
    const view_bounds *bounds; /* of the whole motion: where the ground lies and how large it is */
    mrw_skin_method method;    /* MRW_SKIN_LINEAR or MRW_SKIN_DUAL_QUAT */
    bool skeleton;             /* draw the bones over the mesh */
    bool transparent;          /* no backdrop and no ground */
} view_frame;

/* Uploads meshes and textures. The character must have at most 4 influences a vertex
 * (mrw_build_options.max_influences). scene and character must outlive the renderer. On failure
 * NULL, and *out_reason is one sentence in static storage. */
view_renderer *view_renderer_create(const mrw_scene *scene, const mrw_character *character,
                                    const char **out_reason);
void view_renderer_free(view_renderer *renderer);

/* How many pictures of the scene could not be shown (missing, or of an unknown kind). */
uint32_t view_renderer_missing_images(const view_renderer *renderer);

/* Draws into out_rgba [height * width * 4], the top row first, sRGB, alpha not premultiplied.
 * Returns false, with *out_reason as above, if the size is more than the driver can draw or memory
 * ran out. */
bool view_renderer_draw(view_renderer *renderer, const view_posed *posed, const view_frame *frame,
                        uint8_t *out_rgba, const char **out_reason);

/* The scene-space positions that the vertex shader computes for one instance, by transform
 * feedback: out_positions [vertex_count * 3]. For tests, and for showing how far the two paths
 * differ. */
bool view_renderer_capture(view_renderer *renderer, const view_posed *posed, uint32_t instance,
                           mrw_skin_method method, float *out_positions);

#endif
