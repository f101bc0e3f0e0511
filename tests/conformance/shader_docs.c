/* shader_docs FILE...: what docs/shaders.md shows in C, on a driver, against the library.
 *
 * The part between the two lines of dashes is the document's, letter for letter (shader_docs.py).
 * Exits with 77 if there is no OpenGL. */
#define _POSIX_C_SOURCE 200809L

#include "core/posed.h"
#include "gl/context.h"

#include <marrow/offline/import.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- docs/shaders.md --- */
#include <epoxy/gl.h> /* or what else declares OpenGL for you */
#include <marrow/marrow.h>
#include <marrow/offline/build.h>

static const char vertex_text[] = "layout(location = 0) in vec3 position;\n"
                                  "layout(location = 1) in vec3 normal;\n"
                                  "uniform mat4 view_projection;\n"
                                  "out vec3 world_normal;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    mrw_skinned v = mrw_skin(position, normal);\n"
                                  "    world_normal = v.normal;\n"
                                  "    gl_Position = view_projection * vec4(v.position, 1.0);\n"
                                  "}\n";

static GLuint create_vertex_shader(void)
{
    const char *texts[] = {mrw_shader_version_line(MRW_GLSL_330),
                           "#define MRW_INFLUENCES 4\n"
                           "#define MRW_LOCATION 2\n",
                           mrw_shader_source(MRW_SHADER_LINEAR, MRW_GLSL_330), vertex_text};
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    glShaderSource(shader, 4, texts, NULL);
    glCompileShader(shader);
    return shader;
}

/* Influences of a mesh that was built with max_influences = 4, at the locations 2 and 3. Places
 * that the mesh does not have must hold weight 0: OpenGL would fill the fourth with 1. */
static void upload_influences(const mrw_mesh *mesh, GLuint buffer)
{
    struct influences {
        uint16_t joints[4];
        float weights[4];
    } *influences = calloc(mesh->vertex_count, sizeof(*influences));
    for (uint32_t v = 0; influences != NULL && v < mesh->vertex_count; v++)
        for (uint32_t i = 0; i < mesh->influence_count; i++) {
            influences[v].joints[i] = mesh->joints[v * mesh->influence_count + i];
            influences[v].weights[i] = mesh->weights[v * mesh->influence_count + i];
        }
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(mesh->vertex_count * sizeof(*influences)),
                 influences, GL_STATIC_DRAW);
    free(influences);
    glVertexAttribIPointer(2, 4, GL_UNSIGNED_SHORT, sizeof(*influences), NULL);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, sizeof(*influences), (void *)8);
    glEnableVertexAttribArray(2);
    glEnableVertexAttribArray(3);
}

/* Every frame: the matrices of all characters, three texels each, 256 of them in a row. */
static void upload_palette(const mrw_mat34 *palette, uint32_t count, GLuint texture)
{
    GLsizei full = (GLsizei)(count / 256), rest = (GLsizei)(count % 256);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, 3 * 256, full + 1, 0, GL_RGBA, GL_FLOAT, NULL);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 3 * 256, full, GL_RGBA, GL_FLOAT, palette);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, full, 3 * rest, 1, GL_RGBA, GL_FLOAT,
                    palette + full * 256);
}

/* character_count characters in one draw of the program in use. Each has palette_count matrices (of
 * mrw_character), this mesh's begin at palette_first (of mrw_mesh_instance). */
static void draw(GLuint program, const mrw_mesh *mesh, GLuint palette_texture,
                 uint32_t palette_first, uint32_t palette_count, uint32_t character_count)
{
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, palette_texture);
    glUniform1i(glGetUniformLocation(program, "mrw_palette"), 0);
    glUniform1i(glGetUniformLocation(program, "mrw_palette_first"), (GLint)palette_first);
    glUniform1i(glGetUniformLocation(program, "mrw_palette_stride"), (GLint)palette_count);
    glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)mesh->index_count, GL_UNSIGNED_INT, NULL,
                            (GLsizei)character_count);
}
/* --- end of what docs/shaders.md shows --- */

#define CHARACTERS 2u

static const char *const captured[] = {"gl_Position", "world_normal"};
static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static GLuint link(void)
{
    static const char *const fragment[] = {"#version 330 core\nvoid main() {}\n"};
    GLuint vertex = create_vertex_shader();
    GLuint pixel = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(pixel, 1, fragment, NULL);
    glCompileShader(pixel);
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, pixel);
    glTransformFeedbackVaryings(program, 2, captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glDeleteShader(vertex);
    glDeleteShader(pixel);
    return program;
}

static GLuint fill_buffer(GLenum target, GLuint location, const void *data, size_t size_bytes)
{
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size_bytes, data, GL_STATIC_DRAW);
    if (target == GL_ARRAY_BUFFER) {
        glVertexAttribPointer(location, 3, GL_FLOAT, GL_FALSE, 0, NULL);
        glEnableVertexAttribArray(location);
    }
    return buffer;
}

/* A framebuffer for a context without a window; what is drawn into it is not looked at. */
static void bind_framebuffer(void)
{
    GLuint framebuffer = 0, renderbuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    glEnable(GL_RASTERIZER_DISCARD);
}

/* Positions of the corners of all triangles of both characters, against the library. */
static float largest_difference(const view_posed posed[CHARACTERS], const mrw_mesh *mesh,
                                uint32_t instance, const float *corners)
{
    float largest = 0.0f;
    float *positions = malloc((size_t)mesh->vertex_count * 3 * sizeof(float));
    float *normals = malloc((size_t)mesh->vertex_count * 3 * sizeof(float));
    for (uint32_t c = 0; c < CHARACTERS; c++) {
        if (!positions || !normals ||
            view_posed_vertices(&posed[c], instance, MRW_SKIN_LINEAR, positions, normals) != MRW_OK)
            largest = INFINITY;
        for (uint32_t i = 0; i < mesh->index_count && largest < INFINITY; i++, corners += 7)
            for (uint32_t k = 0; k < 3; k++) {
                float apart = fabsf(corners[k] - positions[mesh->indices[i] * 3 + k]);
                largest = apart <= largest ? largest : apart;
            }
    }
    free(positions);
    free(normals);
    return largest;
}

static float skin_and_compare(const mrw_character *character, uint32_t instance,
                              const view_posed posed[CHARACTERS], const mrw_mat34 *palette)
{
    const mrw_mesh *mesh = &character->meshes[character->instances[instance].mesh];
    size_t vertices_size = (size_t)mesh->vertex_count * 12;
    size_t corners_size = (size_t)mesh->index_count * CHARACTERS * 7 * sizeof(float);
    GLuint buffer = 0, texture = 0, array = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    fill_buffer(GL_ARRAY_BUFFER, 0, mesh->positions, vertices_size);
    fill_buffer(GL_ARRAY_BUFFER, 1, mesh->normals, vertices_size);
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, 0, mesh->indices, (size_t)mesh->index_count * 4);
    glGenBuffers(1, &buffer);
    upload_influences(mesh, buffer);
    glGenTextures(1, &texture);
    upload_palette(palette, character->palette_count * CHARACTERS, texture);

    GLuint program = link();
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "view_projection"), 1, GL_FALSE, identity);
    GLuint caught = fill_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 0, NULL, corners_size);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, caught);
    glBeginTransformFeedback(GL_TRIANGLES);
    draw(program, mesh, texture, character->instances[instance].palette_first,
         character->palette_count, CHARACTERS);
    glEndTransformFeedback();
    const float *corners = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                                            (GLsizeiptr)corners_size, GL_MAP_READ_BIT);
    float apart = INFINITY;
    if (corners != NULL && glGetError() == GL_NO_ERROR)
        apart = largest_difference(posed, mesh, instance, corners);
    glDeleteProgram(program);
    return apart;
}

static bool check_character(const char *path, const mrw_character *character)
{
    view_posed posed[CHARACTERS] = {{0}};
    size_t size_bytes = character->palette_count * sizeof(mrw_mat34);
    mrw_mat34 *palette = malloc(size_bytes * CHARACTERS);
    bool good = palette != NULL;
    for (uint32_t c = 0; good && c < CHARACTERS; c++) {
        good = view_posed_create(character, &posed[c]) == MRW_OK &&
               view_posed_update(&posed[c], 0, 0.3 + c, true) == MRW_OK;
        if (good)
            memcpy(palette + c * character->palette_count, posed[c].palette, size_bytes);
    }
    for (uint32_t i = 0; good && i < character->instance_count; i++) {
        float apart = skin_and_compare(character, i, posed, palette);
        good = apart < 1e-5f; /* the demo characters are less than 2 m tall */
        printf("%s, instance %u: largest difference %.1e m\n", path, (unsigned)i, (double)apart);
    }
    free(palette);
    for (uint32_t c = 0; c < CHARACTERS; c++)
        view_posed_free(&posed[c]);
    return good;
}

static bool check_file(const char *path)
{
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = 4;
    bool good = mrw_import_file(path, NULL, &scene, NULL) == MRW_OK &&
                mrw_build_character(scene, &options, &character, NULL) == MRW_OK &&
                check_character(path, character);
    mrw_character_free(character);
    mrw_scene_free(scene);
    if (!good)
        printf("FAIL %s\n", path);
    return good;
}

int main(int argc, char **argv)
{
    view_context context;
    const char *reason = NULL;
    if (!view_context_create(&context, &reason)) {
        printf("skipped: %s\n", reason);
        return 77;
    }
    bind_framebuffer();
    bool good = argc > 1;
    for (int i = 1; i < argc; i++)
        good = check_file(argv[i]) && good;
    view_context_free(&context);
    return good ? 0 : 1;
}
