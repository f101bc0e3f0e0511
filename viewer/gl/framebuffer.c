#include "gl/framebuffer.h"

#include <epoxy/gl.h>

#include <string.h>

#define WANTED_SAMPLES 4

static void storage(GLuint renderbuffer, GLint samples, GLenum format, uint32_t width,
                    uint32_t height)
{
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, (GLsizei)width,
                                     (GLsizei)height);
}

bool view_framebuffer_create(uint32_t width, uint32_t height, view_framebuffer *out_framebuffer)
{
    GLint largest = 0, samples = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    memset(out_framebuffer, 0, sizeof(*out_framebuffer));
    if (width > (uint32_t)largest || height > (uint32_t)largest)
        return false;
    samples = samples < WANTED_SAMPLES ? samples : WANTED_SAMPLES;

    view_framebuffer made = {width, height, 0, 0, {0, 0, 0}};
    glGenRenderbuffers(3, made.renderbuffers);
    storage(made.renderbuffers[0], samples, GL_RGBA8, width, height);
    storage(made.renderbuffers[1], samples, GL_DEPTH24_STENCIL8, width, height);
    storage(made.renderbuffers[2], 0, GL_RGBA8, width, height);

    glGenFramebuffers(1, &made.resolve_target);
    glBindFramebuffer(GL_FRAMEBUFFER, made.resolve_target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              made.renderbuffers[2]);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glGenFramebuffers(1, &made.draw_target);
    glBindFramebuffer(GL_FRAMEBUFFER, made.draw_target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              made.renderbuffers[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              made.renderbuffers[1]);
    complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    *out_framebuffer = made;
    if (!complete)
        view_framebuffer_free(out_framebuffer);
    return complete;
}

void view_framebuffer_free(view_framebuffer *framebuffer)
{
    glDeleteFramebuffers(1, &framebuffer->draw_target);
    glDeleteFramebuffers(1, &framebuffer->resolve_target);
    glDeleteRenderbuffers(3, framebuffer->renderbuffers);
    memset(framebuffer, 0, sizeof(*framebuffer));
}

static void swap_rows(uint8_t *a, uint8_t *b, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        uint8_t kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Blending onto an empty picture, and the average over samples at an edge, leave colours multiplied
 * by alpha. PNG and WebP hold them undivided: without this, edges would have dark fringes. */
static void divide_by_alpha(uint8_t *rgba, size_t pixel_count)
{
    for (size_t i = 0; i < pixel_count; i++) {
        uint8_t *pixel = rgba + i * 4;
        const unsigned alpha = pixel[3];
        if (alpha == 0 || alpha == 255)
            continue;
        for (int c = 0; c < 3; c++) {
            unsigned divided = (pixel[c] * 255u + alpha / 2u) / alpha;
            pixel[c] = (uint8_t)(divided < 255u ? divided : 255u);
        }
    }
}

void view_framebuffer_read(const view_framebuffer *framebuffer, uint8_t *out_rgba)
{
    GLint width = (GLint)framebuffer->width, height = (GLint)framebuffer->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer->draw_target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer->resolve_target);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer->resolve_target);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, out_rgba);
    divide_by_alpha(out_rgba, (size_t)framebuffer->width * framebuffer->height);
    /* OpenGL's first row is the lowest. */
    size_t row_bytes = (size_t)framebuffer->width * 4;
    for (uint32_t i = 0; i < framebuffer->height / 2; i++)
        swap_rows(out_rgba + i * row_bytes, out_rgba + (framebuffer->height - 1 - i) * row_bytes,
                  row_bytes);
}
