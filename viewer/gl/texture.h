/* Pictures of a scene as textures. */
#ifndef VIEW_GL_TEXTURE_H
#define VIEW_GL_TEXTURE_H

#include <marrow/offline/scene.h>

/* A texture of one colour, 1 x 1. */
unsigned view_texture_white(void);

/* Decodes PNG, JPEG and what else stb_image reads, sRGB, with mipmaps. 0 if the picture is not
 * there or cannot be decoded. */
unsigned view_texture_from_image(const mrw_scene_image *image);

#endif
