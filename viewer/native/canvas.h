/* Boxes, triangles and text over the picture, in points: a point is one pixel of an ordinary screen
 * and `scale` pixels of a dense one. x right, y down, from the top left. */
#ifndef VIEW_NATIVE_CANVAS_H
#define VIEW_NATIVE_CANVAS_H

#include "native/font.h"

#include <stddef.h>

typedef struct view_rect {
    float x, y, width, height;
} view_rect;

bool view_rect_contains(const view_rect *rect, float x, float y);

/* 0xRRGGBBAA, sRGB as drawn. */
typedef uint32_t view_ink;

typedef struct view_canvas view_canvas;

/* An OpenGL context must be current. On failure NULL, and *out_reason is one sentence in static
 * storage. */
view_canvas *view_canvas_create(float scale, const char **out_reason);
void view_canvas_free(view_canvas *canvas);

/* Forgets what was drawn; the size of the picture in pixels. */
void view_canvas_begin(view_canvas *canvas, uint32_t width, uint32_t height);
/* Draws all of it into the framebuffer that is bound. False if memory ran out. */
bool view_canvas_draw(view_canvas *canvas);

float view_canvas_width(const view_canvas *canvas);
float view_canvas_height(const view_canvas *canvas);

/* What follows is only drawn inside; NULL: everywhere. */
void view_canvas_clip(view_canvas *canvas, const view_rect *inside);

/* A box with rounded corners. Its edges lie on whole pixels. Returns what view_canvas_move_box
 * wants. */
size_t view_canvas_box(view_canvas *canvas, view_rect rect, float radius, view_ink ink);
/* Gives a box of this frame another place and size: a panel is as high as what was put on it. */
void view_canvas_move_box(view_canvas *canvas, size_t box, view_rect rect, float radius);
/* From the left ink to the right ink. */
void view_canvas_gradient(view_canvas *canvas, view_rect rect, view_ink left, view_ink right);
void view_canvas_triangle(view_canvas *canvas, const float corners[6], view_ink ink);

/* One line; y is its top. Returns its width. */
float view_canvas_text(view_canvas *canvas, view_type type, float x, float y, view_ink ink,
                       const char *text);
/* The same, cut short with an ellipsis where it is wider than `width`. */
float view_canvas_text_fit(view_canvas *canvas, view_type type, float x, float y, float width,
                           view_ink ink, const char *text);
float view_canvas_text_width(view_canvas *canvas, view_type type, const char *text);
float view_canvas_line(const view_canvas *canvas, view_type type);

#endif
