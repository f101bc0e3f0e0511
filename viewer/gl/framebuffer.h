/* Where frames are drawn to: a multisampled target, and the one that it is resolved into. */
#ifndef VIEW_GL_FRAMEBUFFER_H
#define VIEW_GL_FRAMEBUFFER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct view_framebuffer {
    uint32_t width;
    uint32_t height;
    unsigned draw_target; /* framebuffer objects */
    unsigned resolve_target;
    unsigned renderbuffers[3]; /* colour, depth and stencil, resolved colour */
} view_framebuffer;

/* False if the driver cannot draw at this size. */
bool view_framebuffer_create(uint32_t width, uint32_t height, view_framebuffer *out_framebuffer);
void view_framebuffer_free(view_framebuffer *framebuffer);

/* Resolves and reads the picture, the top row first. */
void view_framebuffer_read(const view_framebuffer *framebuffer, uint8_t *out_rgba);

#endif
