#include "gl/texture.h"

#include <epoxy/gl.h>

/* stb_image declares more than its static build defines. gcc says so at the end of the file, so
 * the pragma cannot be taken back. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#include <stb/stb_image.h>

#include <limits.h>

/* Larger pictures are refused: a header can claim anything. */
#define LARGEST_SIDE 8192

static GLuint upload(GLenum format, int width, int height, const void *rgba)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 rgba);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glGenerateMipmap(GL_TEXTURE_2D);
    return texture;
}

unsigned view_texture_white(void)
{
    static const unsigned char white[4] = {255, 255, 255, 255};
    return upload(GL_RGBA8, 1, 1, white);
}

unsigned view_texture_from_image(const mrw_scene_image *image)
{
    int width = 0, height = 0, channels = 0;
    if (image->bytes == NULL || image->size_bytes > INT_MAX)
        return 0;
    const int size = (int)image->size_bytes;
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    largest = largest < LARGEST_SIDE ? largest : LARGEST_SIDE;
    if (!stbi_info_from_memory(image->bytes, size, &width, &height, &channels) || width > largest ||
        height > largest)
        return 0;
    unsigned char *rgba = stbi_load_from_memory(image->bytes, size, &width, &height, &channels, 4);
    if (rgba == NULL)
        return 0;
    GLuint texture = upload(GL_SRGB8_ALPHA8, width, height, rgba);
    stbi_image_free(rgba);
    return texture;
}
