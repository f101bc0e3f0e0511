/* Shader programs from texts. */
#ifndef VIEW_GL_PROGRAM_H
#define VIEW_GL_PROGRAM_H

#include <stdint.h>

#define VIEW_PROGRAM_MAX_TEXTS 6

/* Compiles and links, as GLSL 330. The vertex shader is the texts one after the other, at most
 * VIEW_PROGRAM_MAX_TEXTS. `captured` (or NULL) names the varying that transform feedback records.
 * Returns 0 on failure, after writing the compiler's words to stderr: our own shaders not compiling
 * is a fault of the driver or of ours, and those words are what a bug report needs. */
unsigned view_program_create(const char *const *vertex_texts, uint32_t vertex_text_count,
                             const char *fragment, const char *captured);

#endif
