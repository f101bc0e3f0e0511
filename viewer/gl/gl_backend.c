#include "gl/gl_backend.h"

#include "core/camera.h"

#include "gl/float_texture.h"
#include "gl/framebuffer.h"
#include "gl/gl_errors.h"
#include "gl/gpu_mesh.h"
#include "gl/mesh_program.h"
#include "gl/program.h"
#include "gl/shader_sources.h"
#include "gl/texture.h"

#include <epoxy/gl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct gl_backend {
    const char *error; /* what view_backend.last_error points to */
    char message[160];
    GLuint target;
    view_mesh_program programs[VIEW_FORM_COUNT]; /* made when the first mesh needs them */
    view_float_texture shared[VIEW_SHARED_DATA_COUNT];
    GLuint white;
    view_gpu_mesh *meshes; /* [mesh_capacity] the handle is the index + 1; vertex_array 0: free */
    uint32_t mesh_capacity;
    GLuint plain_program;
    GLint plain_view_projection;
    GLuint plain_vertex_array;
    GLuint plain_buffer;
    view_framebuffer captured_on; /* nothing is drawn on it */
} gl_backend;

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const char refused[] = "the driver refuses the shaders; its words stand on standard error";

static bool fail(gl_backend *gl, const char *reason)
{
    gl->error = reason;
    return false;
}

static bool check_errors(gl_backend *gl, const char *when)
{
    const unsigned error = view_gl_take_error();
    if (error == GL_NO_ERROR)
        return true;
    snprintf(gl->message, sizeof(gl->message), "OpenGL reports error 0x%04x while %s", error, when);
    return fail(gl, gl->message);
}

/* Reading errors waits for the driver, so frames are only looked at in debug builds. */
static bool check_frame(gl_backend *gl)
{
#ifdef NDEBUG
    (void)gl;
    return true;
#else
    return check_errors(gl, "drawing a frame");
#endif
}

/* --- meshes and textures ------------------------------------------------------------------ */

static view_gpu_mesh *mesh_at(gl_backend *gl, uint32_t handle)
{
    return &gl->meshes[handle - 1];
}

static bool find_free_mesh(gl_backend *gl, uint32_t *out_handle)
{
    uint32_t i = 0;
    while (i < gl->mesh_capacity && gl->meshes[i].vertex_array != 0)
        i++;
    *out_handle = i + 1;
    if (i < gl->mesh_capacity)
        return true;
    const uint32_t capacity = gl->mesh_capacity == 0 ? 16 : gl->mesh_capacity * 2;
    view_gpu_mesh *grown = realloc(gl->meshes, capacity * sizeof(*grown));
    if (grown == NULL)
        return fail(gl, "out of memory");
    memset(grown + gl->mesh_capacity, 0, (capacity - gl->mesh_capacity) * sizeof(*grown));
    gl->meshes = grown;
    gl->mesh_capacity = capacity;
    return true;
}

static bool gl_mesh_create(void *user, const mrw_mesh *mesh, bool skinned, uint32_t *out_mesh)
{
    gl_backend *gl = user;
    view_gl_forget_errors();
    if (!find_free_mesh(gl, out_mesh) ||
        !view_gpu_mesh_create(mesh, skinned, mesh_at(gl, *out_mesh), &gl->error))
        return false;
    if (check_errors(gl, "taking in a mesh"))
        return true;
    view_gpu_mesh_free(mesh_at(gl, *out_mesh));
    return false;
}

static void gl_mesh_free(void *user, uint32_t mesh)
{
    view_gpu_mesh_free(mesh_at(user, mesh));
}

static bool gl_mesh_update(void *user, uint32_t mesh, const float *positions, const float *normals)
{
    view_gpu_mesh_set_scene_vertices(mesh_at(user, mesh), positions, normals);
    return true;
}

static bool gl_mesh_set_heat(void *user, uint32_t mesh, const float *heat)
{
    view_gpu_mesh_set_heat(mesh_at(user, mesh), heat);
    return true;
}

static bool gl_texture_create(void *user, const mrw_scene_image *image, uint32_t *out_texture)
{
    view_gl_forget_errors();
    *out_texture = view_texture_from_image(image);
    if (check_errors(user, "taking in a picture"))
        return true;
    glDeleteTextures(1, out_texture);
    return false;
}

static void gl_texture_free(void *user, uint32_t texture)
{
    (void)user;
    glDeleteTextures(1, &texture);
}

static bool gl_share(void *user, view_shared_data what, const void *data, uint32_t count)
{
    static const uint32_t texels[VIEW_SHARED_DATA_COUNT] = {3, 2, 3, 1};
    gl_backend *gl = user;
    return view_float_texture_write(&gl->shared[what], data, (uint64_t)count * texels[what]) ||
           fail(gl,
                "the characters have more matrices than this driver's textures hold: draw fewer");
}

/* --- frames --------------------------------------------------------------------------------- */

static bool gl_frame_begin(void *user, uint32_t width, uint32_t height)
{
    gl_backend *gl = user;
    glBindFramebuffer(GL_FRAMEBUFFER, gl->target);
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glStencilMask(0xff);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    /* Colour by alpha; alpha adds up, so that a transparent picture keeps its own. */
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    return true;
}

static bool gl_frame_end(void *user)
{
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    glDepthMask(GL_TRUE);
    glBindVertexArray(0);
    glActiveTexture(GL_TEXTURE0);
    return check_frame(user);
}

static void enable(GLenum what, bool on)
{
    if (on)
        glEnable(what);
    else
        glDisable(what);
}

static void bind_texture(int unit, GLuint texture)
{
    glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
    glBindTexture(GL_TEXTURE_2D, texture);
}

static view_mesh_form form_of(const view_gpu_mesh *mesh, bool skinned)
{
    if (!skinned)
        return VIEW_FORM_SCENE;
    if (mesh->target_count > 0)
        return mesh->influence_count == 8 ? VIEW_FORM_MORPHED_8 : VIEW_FORM_MORPHED_4;
    return mesh->influence_count == 8 ? VIEW_FORM_SKINNED_8 : VIEW_FORM_SKINNED_4;
}

/* Program, arrays and whatever moves the vertices. NULL if the driver refuses. */
static const view_mesh_program *use_mesh(gl_backend *gl, const view_draw_mesh *draw)
{
    const view_gpu_mesh *mesh = mesh_at(gl, draw->mesh);
    const view_mesh_form form = form_of(mesh, draw->skinned);
    view_mesh_program *program = &gl->programs[form];
    if (program->program == 0 && !view_mesh_program_create(form, program)) {
        fail(gl, refused);
        return NULL;
    }
    glUseProgram(program->program);
    glUniform1i(program->palette_first, (GLint)draw->palette_first);
    glUniform1i(program->palette_stride, (GLint)draw->palette_stride);
    glUniform1f(program->dual_quat_weight, draw->dual_quat_weight);
    glUniform1i(program->morph_first, (GLint)draw->morph_first);
    glUniform1i(program->morph_stride, (GLint)draw->morph_stride);
    glUniform1i(program->morph_target_count, (GLint)mesh->target_count);
    glUniform1i(program->morph_vertex_count, (GLint)mesh->vertex_count);
    for (int i = 0; draw->skinned && i < VIEW_SHARED_DATA_COUNT; i++)
        bind_texture(VIEW_UNIT_SHARED + i, gl->shared[i].texture);
    if (draw->skinned && mesh->target_count > 0)
        bind_texture(VIEW_UNIT_MORPH_DELTAS, mesh->morph_deltas.texture);
    view_gpu_mesh_bind(mesh, !draw->skinned);
    return program;
}

static void use_view(const view_mesh_program *program, const view_draw_mesh *draw)
{
    float flattened[16];
    view_matrix_mul(draw->view_projection, draw->flatten != NULL ? draw->flatten : identity,
                    flattened);
    glUniformMatrix4fv(program->view_projection, 1, GL_FALSE, flattened);
    glUniform3f(program->eye, draw->eye.x, draw->eye.y, draw->eye.z);
    glUniform3f(program->key_direction, draw->key_direction.x, draw->key_direction.y,
                draw->key_direction.z);
}

static void use_surface(gl_backend *gl, const view_mesh_program *program,
                        const view_draw_mesh *draw)
{
    const int normal_buffer = draw->skinned ? VIEW_MESH_NORMAL : VIEW_MESH_SCENE_NORMAL;
    glUniform1i(program->surface, (GLint)draw->surface);
    glUniform1i(program->has_normals, mesh_at(gl, draw->mesh)->buffers[normal_buffer] != 0);
    glUniform4fv(program->base_color, 1, draw->base_color);
    glUniform1f(program->alpha_cutoff, draw->alpha_cutoff);
    glUniform1i(program->is_blended, draw->blended);
    glUniform1f(program->roughness, draw->roughness);
    bind_texture(VIEW_UNIT_BASE_COLOR, draw->texture != 0 ? draw->texture : gl->white);
}

/* A shadow darkens each pixel once: the stencil remembers which ones are done. */
static void use_state(const view_draw_mesh *draw)
{
    const bool shadow = draw->surface == VIEW_SURFACE_SHADOW;
    enable(GL_STENCIL_TEST, shadow);
    glStencilFunc(GL_EQUAL, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    enable(GL_DEPTH_TEST, !shadow);
    glDepthMask(!draw->blended && !shadow);
    enable(GL_BLEND, shadow || draw->blended);
    enable(GL_CULL_FACE, !draw->double_sided);
    glFrontFace(draw->mirrored ? GL_CW : GL_CCW);
}

static GLenum primitive_of(mrw_topology topology)
{
    switch (topology) {
    case MRW_TOPOLOGY_POINTS:
        return GL_POINTS;
    case MRW_TOPOLOGY_LINES:
        return GL_LINES;
    case MRW_TOPOLOGY_TRIANGLES:
        break;
    }
    return GL_TRIANGLES;
}

static bool gl_draw_mesh(void *user, const view_draw_mesh *draw)
{
    gl_backend *gl = user;
    const view_mesh_program *program = use_mesh(gl, draw);
    if (program == NULL)
        return false;
    use_view(program, draw);
    use_surface(gl, program, draw);
    use_state(draw);
    glDrawElementsInstanced(primitive_of(draw->topology), (GLsizei)draw->index_count,
                            GL_UNSIGNED_INT, (const void *)(draw->first_index * sizeof(uint32_t)),
                            (GLsizei)draw->instance_count);
    return true;
}

static bool gl_draw_plain(void *user, const view_draw_plain *draw)
{
    gl_backend *gl = user;
    glDepthMask(GL_TRUE);
    if (draw->clear_depth)
        glClear(GL_DEPTH_BUFFER_BIT);
    enable(GL_DEPTH_TEST, draw->depth_test);
    enable(GL_BLEND, true);
    enable(GL_STENCIL_TEST, false);
    enable(GL_CULL_FACE, false);
    glUseProgram(gl->plain_program);
    glUniformMatrix4fv(gl->plain_view_projection, 1, GL_FALSE, draw->view_projection);
    glBindVertexArray(gl->plain_vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->plain_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(draw->vertex_count * sizeof(view_plain_vertex)),
                 draw->vertices, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)draw->vertex_count);
    return true;
}

/* Without a window there is no framebuffer, and OpenGL draws nothing on nothing: not even with
 * rasterization off. */
static bool bind_captured_on(gl_backend *gl)
{
    if (gl->captured_on.draw_target == 0 && !view_framebuffer_create(1, 1, &gl->captured_on))
        return fail(gl, "the driver cannot make a framebuffer");
    glBindFramebuffer(GL_FRAMEBUFFER, gl->captured_on.draw_target);
    return true;
}

static bool gl_capture(void *user, const view_draw_mesh *draw, float *out_positions)
{
    gl_backend *gl = user;
    const uint32_t count = mesh_at(gl, draw->mesh)->vertex_count;
    const GLsizeiptr size = (GLsizeiptr)((size_t)count * 3 * sizeof(float));
    if (count == 0)
        return true;
    view_gl_forget_errors();
    if (!bind_captured_on(gl) || use_mesh(gl, draw) == NULL)
        return false;
    GLuint captured = 0;
    glGenBuffers(1, &captured);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, captured);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, size, NULL, GL_STREAM_READ);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, (GLsizei)count);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, size, out_positions);
    glDeleteBuffers(1, &captured);
    glBindVertexArray(0);
    glActiveTexture(GL_TEXTURE0);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->target);
    return check_errors(gl, "reading vertices back");
}

/* --- the whole ---------------------------------------------------------------------------- */

static bool make_plain(gl_backend *gl)
{
    const char *vertex = view_shader_plain_vert;
    gl->plain_program = view_program_create(&vertex, 1, view_shader_plain_frag, NULL);
    gl->plain_view_projection = glGetUniformLocation(gl->plain_program, "view_projection");
    glGenVertexArrays(1, &gl->plain_vertex_array);
    glGenBuffers(1, &gl->plain_buffer);
    glBindVertexArray(gl->plain_vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->plain_buffer);
    const GLsizei stride = sizeof(view_plain_vertex);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, NULL);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, (const void *)sizeof(mrw_vec3));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glBindVertexArray(0);
    return gl->plain_program != 0;
}

bool view_gl_backend_create(view_backend *out_backend, const char **out_reason)
{
    memset(out_backend, 0, sizeof(*out_backend));
    gl_backend *gl = calloc(1, sizeof(*gl));
    if (gl == NULL) {
        *out_reason = "out of memory";
        return false;
    }
    view_backend backend = {gl,
                            &gl->error,
                            gl_mesh_create,
                            gl_mesh_free,
                            gl_mesh_update,
                            gl_mesh_set_heat,
                            gl_texture_create,
                            gl_texture_free,
                            gl_share,
                            gl_frame_begin,
                            gl_draw_mesh,
                            gl_draw_plain,
                            gl_frame_end,
                            gl_capture};
    *out_backend = backend;
    gl->white = view_texture_white();
    for (int i = 0; i < VIEW_SHARED_DATA_COUNT; i++)
        view_float_texture_create(i == VIEW_MORPH_WEIGHTS ? 1 : 4, &gl->shared[i]);
    /* The commonest form stands for all: what compiles it compiles the others. */
    if (!make_plain(gl) ||
        !view_mesh_program_create(VIEW_FORM_SKINNED_4, &gl->programs[VIEW_FORM_SKINNED_4])) {
        *out_reason = refused;
        view_gl_backend_free(out_backend);
        return false;
    }
    return true;
}

void view_gl_backend_free(view_backend *backend)
{
    gl_backend *gl = backend->user;
    memset(backend, 0, sizeof(*backend));
    if (gl == NULL)
        return;
    for (uint32_t i = 0; i < gl->mesh_capacity; i++)
        view_gpu_mesh_free(&gl->meshes[i]);
    for (int i = 0; i < VIEW_FORM_COUNT; i++)
        glDeleteProgram(gl->programs[i].program);
    for (int i = 0; i < VIEW_SHARED_DATA_COUNT; i++)
        view_float_texture_free(&gl->shared[i]);
    view_framebuffer_free(&gl->captured_on);
    glDeleteTextures(1, &gl->white);
    glDeleteBuffers(1, &gl->plain_buffer);
    glDeleteVertexArrays(1, &gl->plain_vertex_array);
    glDeleteProgram(gl->plain_program);
    free(gl->meshes);
    free(gl);
}

void view_gl_backend_set_target(view_backend *backend, unsigned framebuffer)
{
    gl_backend *gl = backend->user;
    gl->target = framebuffer;
}
