/* Shader programs from the embedded sources. */
#ifndef VIEW_GL_PROGRAM_H
#define VIEW_GL_PROGRAM_H

/* Compiles and links; the vertex shader is `vertex_prelude` (or NULL) followed by `vertex`.
 * `captured` (or NULL) names the varying that transform feedback records. Returns 0 on
 * failure, after writing the compiler's words to stderr: our own shaders not compiling is a
 * fault of the driver or of ours, and those words are what a bug report needs. */
unsigned view_program_create(const char *vertex_prelude, const char *vertex, const char *fragment,
                             const char *captured);

#endif
