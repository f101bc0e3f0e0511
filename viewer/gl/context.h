/* An OpenGL 3.3 core context without a window, through EGL. Works without a display and, on
 * Mesa, without a graphics card. */
#ifndef VIEW_GL_CONTEXT_H
#define VIEW_GL_CONTEXT_H

#include <stdbool.h>

typedef struct view_context {
    void *display; /* EGLDisplay */
    void *context; /* EGLContext, current on the calling thread */
} view_context;

/* Makes a context current. On failure returns false and *out_reason is one sentence in static
 * storage: what is missing and what to install. */
bool view_context_create(view_context *out_context, const char **out_reason);
void view_context_free(view_context *context);

#endif
