/* Everything is quads and triangles in one buffer and one draw call for each clip. A vertex says
 * what the fragment's coverage is: all of it, a texel of the font's atlas, or how deep it lies in a
 * rounded box. */
#include "native/canvas.h"

#include "gl/program.h"
#include "gl/shader_sources.h"

#include <epoxy/gl.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* shape[2]: a box's radius, or one of these. */
static const float shape_glyph = -1.0f, shape_full = -2.0f;

typedef struct canvas_vertex {
    float position[2];
    float local[2]; /* from the box's centre, or in the atlas */
    float shape[3]; /* half the box's size; radius */
    uint8_t ink[4];
} canvas_vertex;

typedef struct canvas_clip {
    uint32_t first_vertex;
    bool clipped;
    view_rect inside;
} canvas_clip;

enum { CLIP_LIMIT = 64 };

struct view_canvas {
    float scale;
    uint32_t width, height;
    view_font *font;
    GLuint program, vertex_array, buffer, atlas;
    canvas_vertex *vertices;
    size_t vertex_count, capacity;
    bool out_of_memory;
    canvas_clip clips[CLIP_LIMIT];
    uint32_t clip_count;
};

bool view_rect_contains(const view_rect *rect, float x, float y)
{
    return x >= rect->x && y >= rect->y && x < rect->x + rect->width && y < rect->y + rect->height;
}

/* --- making ------------------------------------------------------------------------ */

static void attribute(GLuint location, GLint count, GLenum type, size_t offset)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, count, type, type == GL_UNSIGNED_BYTE, sizeof(canvas_vertex),
                          (const void *)offset);
}

static void make_objects(view_canvas *canvas)
{
    glGenVertexArrays(1, &canvas->vertex_array);
    glBindVertexArray(canvas->vertex_array);
    glGenBuffers(1, &canvas->buffer);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->buffer);
    attribute(0, 2, GL_FLOAT, offsetof(canvas_vertex, position));
    attribute(1, 2, GL_FLOAT, offsetof(canvas_vertex, local));
    attribute(2, 3, GL_FLOAT, offsetof(canvas_vertex, shape));
    attribute(3, 4, GL_UNSIGNED_BYTE, offsetof(canvas_vertex, ink));
    glGenTextures(1, &canvas->atlas);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, canvas->atlas);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, VIEW_FONT_ATLAS_SIDE, VIEW_FONT_ATLAS_SIDE, 0, GL_RED,
                 GL_UNSIGNED_BYTE, NULL);
}

view_canvas *view_canvas_create(float scale, const char **out_reason)
{
    *out_reason = "out of memory";
    view_canvas *canvas = calloc(1, sizeof(*canvas));
    if (canvas == NULL)
        return NULL;
    canvas->scale = scale;
    canvas->font = view_font_create(scale, out_reason);
    if (canvas->font == NULL) {
        free(canvas);
        return NULL;
    }
    make_objects(canvas);
    const char *const vertex_texts[] = {view_shader_canvas_vert};
    canvas->program = view_program_create(vertex_texts, 1, view_shader_canvas_frag, NULL);
    if (canvas->program == 0) {
        view_canvas_free(canvas);
        *out_reason = "the graphics driver refuses the shader that draws text";
        return NULL;
    }
    return canvas;
}

void view_canvas_free(view_canvas *canvas)
{
    if (canvas == NULL)
        return;
    glDeleteProgram(canvas->program);
    glDeleteVertexArrays(1, &canvas->vertex_array);
    glDeleteBuffers(1, &canvas->buffer);
    glDeleteTextures(1, &canvas->atlas);
    view_font_free(canvas->font);
    free(canvas->vertices);
    free(canvas);
}

/* --- a frame ----------------------------------------------------------------------- */

void view_canvas_begin(view_canvas *canvas, uint32_t width, uint32_t height)
{
    canvas->width = width;
    canvas->height = height;
    canvas->vertex_count = 0;
    canvas->out_of_memory = false;
    memset(&canvas->clips[0], 0, sizeof(canvas->clips[0]));
    canvas->clip_count = 1;
}

float view_canvas_width(const view_canvas *canvas)
{
    return (float)canvas->width / canvas->scale;
}

float view_canvas_height(const view_canvas *canvas)
{
    return (float)canvas->height / canvas->scale;
}

void view_canvas_clip(view_canvas *canvas, const view_rect *inside)
{
    if (canvas->clip_count == CLIP_LIMIT)
        return;
    canvas_clip *clip = &canvas->clips[canvas->clip_count++];
    memset(clip, 0, sizeof(*clip));
    clip->first_vertex = (uint32_t)canvas->vertex_count;
    clip->clipped = inside != NULL;
    if (inside != NULL)
        clip->inside = *inside;
}

static void upload(view_canvas *canvas)
{
    const uint8_t *atlas = view_font_changed_atlas(canvas->font);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, canvas->atlas);
    if (atlas != NULL) {
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, VIEW_FONT_ATLAS_SIDE, VIEW_FONT_ATLAS_SIDE, GL_RED,
                        GL_UNSIGNED_BYTE, atlas);
    }
    glBindVertexArray(canvas->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(canvas->vertex_count * sizeof(canvas_vertex)),
                 canvas->vertices, GL_STREAM_DRAW);
}

/* GL counts rows from the bottom. */
static void scissor(const view_canvas *canvas, const canvas_clip *clip)
{
    if (!clip->clipped) {
        glDisable(GL_SCISSOR_TEST);
        return;
    }
    const float scale = canvas->scale;
    int left = (int)lroundf(clip->inside.x * scale);
    int right = (int)lroundf((clip->inside.x + clip->inside.width) * scale);
    int top = (int)lroundf(clip->inside.y * scale);
    int bottom = (int)lroundf((clip->inside.y + clip->inside.height) * scale);
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, (int)canvas->height - bottom, right > left ? right - left : 0,
              bottom > top ? bottom - top : 0);
}

bool view_canvas_draw(view_canvas *canvas)
{
    glUseProgram(canvas->program);
    glUniform2f(glGetUniformLocation(canvas->program, "size"), (float)canvas->width,
                (float)canvas->height);
    glUniform1i(glGetUniformLocation(canvas->program, "atlas"), 0);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    upload(canvas);
    for (uint32_t i = 0; i < canvas->clip_count; i++) {
        uint32_t first = canvas->clips[i].first_vertex;
        uint32_t end = i + 1 < canvas->clip_count ? canvas->clips[i + 1].first_vertex
                                                  : (uint32_t)canvas->vertex_count;
        scissor(canvas, &canvas->clips[i]);
        if (end > first)
            glDrawArrays(GL_TRIANGLES, (GLint)first, (GLsizei)(end - first));
    }
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(0);
    return !canvas->out_of_memory;
}

/* --- shapes ------------------------------------------------------------------------ */

/* NULL if memory runs out. */
static canvas_vertex *add(view_canvas *canvas, size_t count)
{
    if (canvas->vertex_count + count > canvas->capacity) {
        size_t capacity = canvas->capacity * 2 + 1536;
        canvas_vertex *vertices = realloc(canvas->vertices, capacity * sizeof(canvas_vertex));
        if (vertices == NULL) {
            canvas->out_of_memory = true;
            return NULL;
        }
        canvas->vertices = vertices;
        canvas->capacity = capacity;
    }
    canvas_vertex *added = &canvas->vertices[canvas->vertex_count];
    canvas->vertex_count += count;
    return added;
}

static void set_ink(canvas_vertex *vertex, view_ink ink)
{
    for (int i = 0; i < 4; i++)
        vertex->ink[i] = (uint8_t)(ink >> (24 - 8 * i));
}

/* Corners of two triangles: which end of x and of y. */
static const uint8_t corner_x[6] = {0, 1, 1, 0, 1, 0}, corner_y[6] = {0, 0, 1, 0, 1, 1};

/* Pixels. */
static void set_box(canvas_vertex vertices[6], float scale, view_rect rect, float radius)
{
    const float left = roundf(rect.x * scale), right = roundf((rect.x + rect.width) * scale);
    const float top = roundf(rect.y * scale), bottom = roundf((rect.y + rect.height) * scale);
    const float x[2] = {left, right}, y[2] = {top, bottom};
    const float half_x = 0.5f * (right - left), half_y = 0.5f * (bottom - top);
    float pixels = radius * scale;
    pixels = fminf(pixels, fminf(half_x, half_y));
    for (int i = 0; i < 6; i++) {
        canvas_vertex *vertex = &vertices[i];
        vertex->position[0] = x[corner_x[i]];
        vertex->position[1] = y[corner_y[i]];
        vertex->local[0] = corner_x[i] ? half_x : -half_x;
        vertex->local[1] = corner_y[i] ? half_y : -half_y;
        vertex->shape[0] = half_x;
        vertex->shape[1] = half_y;
        vertex->shape[2] = radius > 0.0f ? pixels : shape_full;
    }
}

size_t view_canvas_box(view_canvas *canvas, view_rect rect, float radius, view_ink ink)
{
    size_t place = canvas->vertex_count;
    canvas_vertex *vertices = add(canvas, 6);
    if (vertices == NULL)
        return place;
    set_box(vertices, canvas->scale, rect, radius);
    for (int i = 0; i < 6; i++)
        set_ink(&vertices[i], ink);
    return place;
}

void view_canvas_move_box(view_canvas *canvas, size_t box, view_rect rect, float radius)
{
    if (box + 6 <= canvas->vertex_count)
        set_box(&canvas->vertices[box], canvas->scale, rect, radius);
}

void view_canvas_gradient(view_canvas *canvas, view_rect rect, view_ink left, view_ink right)
{
    canvas_vertex *vertices = add(canvas, 6);
    if (vertices == NULL)
        return;
    set_box(vertices, canvas->scale, rect, 0.0f);
    for (int i = 0; i < 6; i++)
        set_ink(&vertices[i], corner_x[i] ? right : left);
}

void view_canvas_triangle(view_canvas *canvas, const float corners[6], view_ink ink)
{
    canvas_vertex *vertices = add(canvas, 3);
    if (vertices == NULL)
        return;
    memset(vertices, 0, 3 * sizeof(*vertices));
    for (int i = 0; i < 3; i++) {
        vertices[i].position[0] = corners[2 * i] * canvas->scale;
        vertices[i].position[1] = corners[2 * i + 1] * canvas->scale;
        vertices[i].shape[2] = shape_full;
        set_ink(&vertices[i], ink);
    }
}

/* --- text -------------------------------------------------------------------------- */

/* pen_x, baseline: whole pixels, so that a texel is a pixel. */
static void add_glyph(view_canvas *canvas, const view_glyph *glyph, int pen_x, int baseline,
                      view_ink ink)
{
    if (glyph->width == 0)
        return;
    canvas_vertex *vertices = add(canvas, 6);
    if (vertices == NULL)
        return;
    memset(vertices, 0, 6 * sizeof(*vertices));
    for (int i = 0; i < 6; i++) {
        int x = corner_x[i] ? glyph->width : 0, y = corner_y[i] ? glyph->height : 0;
        vertices[i].position[0] = (float)(pen_x + glyph->left + x);
        vertices[i].position[1] = (float)(baseline - glyph->top + y);
        vertices[i].local[0] = (float)(glyph->atlas_x + x);
        vertices[i].local[1] = (float)(glyph->atlas_y + y);
        vertices[i].shape[2] = shape_glyph;
        set_ink(&vertices[i], ink);
    }
}

static int advance_of(view_canvas *canvas, view_type type, uint32_t code_point)
{
    return view_font_glyph(canvas->font, type, code_point)->advance;
}

static int pixels_of(view_canvas *canvas, view_type type, const char *text)
{
    int pixels = 0;
    for (uint32_t c = view_next_code_point(&text); c != 0; c = view_next_code_point(&text))
        pixels += advance_of(canvas, type, c);
    return pixels;
}

/* Draws until `end` or to the text's end; moves the pen. */
static void add_text(view_canvas *canvas, view_type type, int *pen_x, int baseline, view_ink ink,
                     const char *text, const char *end)
{
    while (text != end) {
        uint32_t c = view_next_code_point(&text);
        if (c == 0)
            return;
        const view_glyph *glyph = view_font_glyph(canvas->font, type, c);
        add_glyph(canvas, glyph, *pen_x, baseline, ink);
        *pen_x += glyph->advance;
    }
}

static int baseline_of(const view_canvas *canvas, view_type type, float y)
{
    return (int)lroundf(y * canvas->scale) + view_font_ascent(canvas->font, type);
}

float view_canvas_text(view_canvas *canvas, view_type type, float x, float y, view_ink ink,
                       const char *text)
{
    int start = (int)lroundf(x * canvas->scale), pen = start;
    add_text(canvas, type, &pen, baseline_of(canvas, type, y), ink, text, NULL);
    return (float)(pen - start) / canvas->scale;
}

float view_canvas_text_fit(view_canvas *canvas, view_type type, float x, float y, float width,
                           view_ink ink, const char *text)
{
    static const uint32_t ellipsis = 0x2026;
    int room = (int)(width * canvas->scale);
    if (pixels_of(canvas, type, text) <= room)
        return view_canvas_text(canvas, type, x, y, ink, text);
    room -= advance_of(canvas, type, ellipsis);
    const char *end = text;
    for (const char *next = text;;) {
        uint32_t c = view_next_code_point(&next);
        room -= c != 0 ? advance_of(canvas, type, c) : 0;
        if (c == 0 || room < 0)
            break;
        end = next;
    }
    int start = (int)lroundf(x * canvas->scale), pen = start;
    int baseline = baseline_of(canvas, type, y);
    add_text(canvas, type, &pen, baseline, ink, text, end);
    const view_glyph *glyph = view_font_glyph(canvas->font, type, ellipsis);
    add_glyph(canvas, glyph, pen, baseline, ink);
    return (float)(pen + glyph->advance - start) / canvas->scale;
}

float view_canvas_text_width(view_canvas *canvas, view_type type, const char *text)
{
    return (float)pixels_of(canvas, type, text) / canvas->scale;
}

float view_canvas_line(const view_canvas *canvas, view_type type)
{
    return (float)view_font_line(canvas->font, type) / canvas->scale;
}
