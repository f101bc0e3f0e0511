#include "gl/float_texture.h"

#include <epoxy/gl.h>

#include "gl/gl_errors.h"

#include <string.h>

/* Every OpenGL 3.3 has textures of this width, and one row of it holds the palette of most
 * characters. */
#define WIDTH 1024u

static GLenum format_of(const view_float_texture *texture)
{
    return texture->channels == 1 ? GL_RED : GL_RGBA;
}

/* False: the driver has no memory for it, and the texture no size. */
static bool resize(view_float_texture *texture, uint32_t width, uint32_t row_count)
{
    GLint internal_format = texture->channels == 1 ? GL_R32F : GL_RGBA32F;
    view_gl_forget_errors();
    glTexImage2D(GL_TEXTURE_2D, 0, internal_format, (GLsizei)width, (GLsizei)row_count, 0,
                 format_of(texture), GL_FLOAT, NULL);
    const bool made = view_gl_take_error() == GL_NO_ERROR;
    texture->row_count = made ? row_count : 0;
    return made;
}

void view_float_texture_create(uint32_t channels, view_float_texture *out_texture)
{
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    out_texture->texture = name;
    out_texture->channels = channels;
    resize(out_texture, 1, 1);
    out_texture->row_count = 0;
}

void view_float_texture_free(view_float_texture *texture)
{
    glDeleteTextures(1, &texture->texture);
    memset(texture, 0, sizeof(*texture));
}

bool view_float_texture_write(view_float_texture *texture, const float *data, uint64_t texel_count)
{
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (texel_count > (uint64_t)largest * WIDTH)
        return false;
    glBindTexture(GL_TEXTURE_2D, texture->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    const uint32_t full_rows = (uint32_t)(texel_count / WIDTH);
    const uint32_t rest = (uint32_t)(texel_count % WIDTH);
    if (full_rows + (rest > 0) > texture->row_count &&
        !resize(texture, WIDTH, full_rows + (rest > 0)))
        return false;
    if (full_rows > 0)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, (GLsizei)full_rows, format_of(texture),
                        GL_FLOAT, data);
    if (rest > 0)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)full_rows, (GLsizei)rest, 1, format_of(texture),
                        GL_FLOAT, data + (size_t)full_rows * WIDTH * texture->channels);
    return true;
}
