#include "gl/program.h"

#include <epoxy/gl.h>
#include <marrow/shader.h>

#include <stdio.h>

static GLuint compile(GLenum kind, const char *const *texts, uint32_t text_count)
{
    const char *parts[VIEW_PROGRAM_MAX_TEXTS + 1];
    parts[0] = mrw_shader_version_line(MRW_GLSL_330);
    for (uint32_t i = 0; i < text_count; i++)
        parts[i + 1] = texts[i];
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, (GLsizei)text_count + 1, parts, NULL);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled != GL_TRUE) {
        char log[2048] = "";
        glGetShaderInfoLog(shader, sizeof(log), NULL, log);
        fprintf(stderr, "shader does not compile:\n%s\n", log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

unsigned view_program_create(const char *const *vertex_texts, uint32_t vertex_text_count,
                             const char *fragment, const char *captured)
{
    GLuint vertex_shader = compile(GL_VERTEX_SHADER, vertex_texts, vertex_text_count);
    GLuint fragment_shader = compile(GL_FRAGMENT_SHADER, &fragment, 1);
    GLuint program = 0;
    if (vertex_shader != 0 && fragment_shader != 0) {
        program = glCreateProgram();
        glAttachShader(program, vertex_shader);
        glAttachShader(program, fragment_shader);
        if (captured != NULL)
            glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
        glLinkProgram(program);
        GLint linked = GL_FALSE;
        glGetProgramiv(program, GL_LINK_STATUS, &linked);
        if (linked != GL_TRUE) {
            char log[2048] = "";
            glGetProgramInfoLog(program, sizeof(log), NULL, log);
            fprintf(stderr, "shaders do not link:\n%s\n", log);
            glDeleteProgram(program);
            program = 0;
        }
    }
    glDeleteShader(vertex_shader);
    glDeleteShader(fragment_shader);
    return program;
}
