/* Arrays of floats as textures, for vertex shaders: texel i at (i % width, i / width), the layout
 * that marrow/shader.h reads. */
#ifndef VIEW_GL_FLOAT_TEXTURE_H
#define VIEW_GL_FLOAT_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct view_float_texture {
    unsigned texture;
    uint32_t channels; /* floats a texel: 1 or 4 */
    uint32_t row_count;
} view_float_texture;

/* Has one texel until it is written. */
void view_float_texture_create(uint32_t channels, view_float_texture *out_texture);
void view_float_texture_free(view_float_texture *texture);

/* Replaces the first texels: data [texel_count * channels]. False if they are more than the
 * driver's textures hold, or has memory for. Leaves the texture bound to the active unit. */
bool view_float_texture_write(view_float_texture *texture, const float *data, uint64_t texel_count);

#endif
