/* The viewer's backend for OpenGL 3.3.
 *
 * The context that was current on creation must be current in every call, and nothing else may keep
 * state in it between view_backend's frame_begin and frame_end: every draw sets what it needs, and
 * a frame ends with depth test, culling, blending and stencil off. */
#ifndef VIEW_GL_GL_BACKEND_H
#define VIEW_GL_GL_BACKEND_H

#include "core/backend.h"

/* On failure false, and *out_reason is one sentence in static storage. */
bool view_gl_backend_create(view_backend *out_backend, const char **out_reason);

/* Frees it and what is left of its meshes and textures. Zeroed is allowed. */
void view_gl_backend_free(view_backend *backend);

/* The framebuffer object that frames are drawn to from now on: 0, as after creation, is the
 * window's own; else one with depth and stencil, such as view_framebuffer.draw_target. */
void view_gl_backend_set_target(view_backend *backend, unsigned framebuffer);

#endif
