#include "gl/program.h"

#include <epoxy/gl.h>

#include <stdio.h>

static const char version_line[] = "#version 330 core\n";

static GLuint compile(GLenum kind, const char *prelude, const char *text)
{
    const char *parts[] = {version_line, prelude != NULL ? prelude : "", text};
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 3, parts, NULL);
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

unsigned view_program_create(const char *vertex_prelude, const char *vertex, const char *fragment,
                             const char *captured)
{
    GLuint vertex_shader = compile(GL_VERTEX_SHADER, vertex_prelude, vertex);
    GLuint fragment_shader = compile(GL_FRAGMENT_SHADER, NULL, fragment);
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
