/* One frame, in this order:
 *
 *     palette, dual quaternions, stretches --> texture buffers
 *     morphed vertices of instances with targets --> their buffers
 *     backdrop, ground --> plain shapes
 *     shadow: every mesh again, flattened onto the ground, each pixel once (stencil)
 *     opaque parts, then blended parts, then the skeleton over all
 *     resolve the samples, read the pixels
 */
#include "gl/renderer.h"

#include "gl/framebuffer.h"
#include "gl/gpu_mesh.h"
#include "core/plain_shapes.h"
#include "gl/program.h"
#include "gl/shader_sources.h"
#include "gl/texture.h"

#include <epoxy/gl.h>

#include <stdlib.h>
#include <string.h>

enum { PALETTE, DUAL_QUATS, STRETCHES, BUFFER_TEXTURE_COUNT };
enum { BASE_COLOR_UNIT = BUFFER_TEXTURE_COUNT };

struct view_renderer {
    const mrw_scene *scene;
    const mrw_character *character;
    GLuint mesh_program;
    GLuint plain_program;
    GLuint buffers[BUFFER_TEXTURE_COUNT];
    GLuint buffer_textures[BUFFER_TEXTURE_COUNT];
    GLuint white;
    GLuint *images; /* [scene->image_count] 0 where missing */
    uint32_t missing_images;
    view_gpu_mesh *meshes; /* [character->instance_count] */
    uint32_t mesh_count;   /* made so far */
    GLuint plain_vertex_array;
    GLuint plain_buffer;
    view_framebuffer framebuffer;
    bool has_framebuffer;
};

/* --- setting up ----------------------------------------------------------------- */

static GLint uniform(GLuint program, const char *name)
{
    return glGetUniformLocation(program, name);
}

static bool make_programs(view_renderer *renderer)
{
    renderer->mesh_program = view_program_create(view_shader_skinning, view_shader_mesh_vert,
                                                 view_shader_mesh_frag, "scene_position");
    renderer->plain_program =
        view_program_create(NULL, view_shader_plain_vert, view_shader_plain_frag, NULL);
    if (renderer->mesh_program == 0 || renderer->plain_program == 0)
        return false;
    static const char *const samplers[] = {"palette", "dual_quats", "stretches",
                                           "base_color_texture"};
    glUseProgram(renderer->mesh_program);
    for (GLint unit = 0; unit < 4; unit++)
        glUniform1i(uniform(renderer->mesh_program, samplers[unit]), unit);
    return true;
}

static void make_buffer_textures(view_renderer *renderer)
{
    glGenBuffers(BUFFER_TEXTURE_COUNT, renderer->buffers);
    glGenTextures(BUFFER_TEXTURE_COUNT, renderer->buffer_textures);
    for (int i = 0; i < BUFFER_TEXTURE_COUNT; i++) {
        glBindBuffer(GL_TEXTURE_BUFFER, renderer->buffers[i]);
        glBindTexture(GL_TEXTURE_BUFFER, renderer->buffer_textures[i]);
        glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, renderer->buffers[i]);
    }
}

static void make_plain_buffer(view_renderer *renderer)
{
    glGenVertexArrays(1, &renderer->plain_vertex_array);
    glGenBuffers(1, &renderer->plain_buffer);
    glBindVertexArray(renderer->plain_vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->plain_buffer);
    const GLsizei stride = sizeof(view_plain_vertex);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, NULL);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, (const void *)sizeof(mrw_vec3));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
}

static bool make_images(view_renderer *renderer)
{
    const mrw_scene *scene = renderer->scene;
    renderer->white = view_texture_white();
    renderer->images = calloc((size_t)scene->image_count + 1, sizeof(*renderer->images));
    if (renderer->images == NULL)
        return false;
    for (uint32_t m = 0; m < scene->material_count; m++) {
        int32_t image = scene->materials[m].base_color_image;
        if (image < 0 || renderer->images[image] != 0)
            continue;
        renderer->images[image] = view_texture_from_image(&scene->images[image]);
        if (renderer->images[image] == 0)
            renderer->missing_images++;
    }
    return true;
}

static bool make_meshes(view_renderer *renderer)
{
    const mrw_character *character = renderer->character;
    renderer->meshes = calloc((size_t)character->instance_count + 1, sizeof(*renderer->meshes));
    if (renderer->meshes == NULL)
        return false;
    for (uint32_t i = 0; i < character->instance_count; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        if (view_gpu_mesh_create(&character->meshes[instance->mesh], instance->skin >= 0,
                                 &renderer->meshes[i]) != MRW_OK)
            return false;
        renderer->mesh_count++;
    }
    return true;
}

view_renderer *view_renderer_create(const mrw_scene *scene, const mrw_character *character,
                                    const char **out_reason)
{
    GLint largest_texels = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &largest_texels);
    if ((uint64_t)character->palette_count * 3 > (uint64_t)largest_texels) {
        *out_reason =
            "the character has more skin matrices than this driver's texture buffers hold";
        return NULL;
    }
    *out_reason = "out of memory";
    view_renderer *renderer = calloc(1, sizeof(*renderer));
    if (renderer == NULL)
        return NULL;
    renderer->scene = scene;
    renderer->character = character;
    bool made = make_programs(renderer);
    if (!made)
        *out_reason = "the driver refuses the shaders; its words stand above";
    make_buffer_textures(renderer);
    make_plain_buffer(renderer);
    made = made && make_images(renderer) && make_meshes(renderer);
    if (!made) {
        view_renderer_free(renderer);
        return NULL;
    }
    return renderer;
}

void view_renderer_free(view_renderer *renderer)
{
    if (renderer == NULL)
        return;
    for (uint32_t i = 0; i < renderer->mesh_count; i++)
        view_gpu_mesh_free(&renderer->meshes[i]);
    if (renderer->images != NULL)
        glDeleteTextures((GLsizei)renderer->scene->image_count, renderer->images);
    if (renderer->has_framebuffer)
        view_framebuffer_free(&renderer->framebuffer);
    glDeleteTextures(1, &renderer->white);
    glDeleteTextures(BUFFER_TEXTURE_COUNT, renderer->buffer_textures);
    glDeleteBuffers(BUFFER_TEXTURE_COUNT, renderer->buffers);
    glDeleteBuffers(1, &renderer->plain_buffer);
    glDeleteVertexArrays(1, &renderer->plain_vertex_array);
    glDeleteProgram(renderer->mesh_program);
    glDeleteProgram(renderer->plain_program);
    free(renderer->meshes);
    free(renderer->images);
    free(renderer);
}

uint32_t view_renderer_missing_images(const view_renderer *renderer)
{
    return renderer->missing_images;
}

/* --- what changes with the pose --------------------------------------------------- */

static void upload_pose(view_renderer *renderer, const view_posed *posed, mrw_skin_method method)
{
    const size_t count = posed->character->palette_count;
    const void *data[BUFFER_TEXTURE_COUNT] = {posed->palette, posed->dual_quats, posed->stretches};
    const size_t sizes[BUFFER_TEXTURE_COUNT] = {sizeof(mrw_mat34), sizeof(mrw_dual_quat),
                                                sizeof(mrw_mat34)};
    for (int i = 0; i < BUFFER_TEXTURE_COUNT; i++) {
        glBindBuffer(GL_TEXTURE_BUFFER, renderer->buffers[i]);
        glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(count * sizes[i]), data[i], GL_STREAM_DRAW);
        glActiveTexture((GLenum)(GL_TEXTURE0 + i));
        glBindTexture(GL_TEXTURE_BUFFER, renderer->buffer_textures[i]);
    }
    glUseProgram(renderer->mesh_program);
    glUniform1i(uniform(renderer->mesh_program, "skin_method"), method == MRW_SKIN_DUAL_QUAT);
}

static bool upload_morphs(view_renderer *renderer, const view_posed *posed)
{
    for (uint32_t i = 0; i < renderer->mesh_count; i++) {
        const view_gpu_mesh *mesh = &renderer->meshes[i];
        if (mesh->morphed == NULL)
            continue;
        float *normals = mesh->has_normals ? mesh->morphed + (size_t)mesh->vertex_count * 3 : NULL;
        if (view_posed_morph(posed, i, mesh->morphed, normals) != MRW_OK)
            return false;
        view_gpu_mesh_upload_morphed(mesh);
    }
    return true;
}

/* A rigid mesh is moved by its matrix, whatever the method: dual quaternions and stretch say
 * the same with more rounding. */
static void use_instance(const view_renderer *renderer, uint32_t i, mrw_skin_method method)
{
    const mrw_mesh_instance *instance = &renderer->character->instances[i];
    GLuint program = renderer->mesh_program;
    bool dual_quat = method == MRW_SKIN_DUAL_QUAT && instance->skin >= 0;
    glUniform1i(uniform(program, "skin_method"), dual_quat);
    glUniform1i(uniform(program, "palette_first"), (GLint)instance->palette_first);
    glUniform1i(uniform(program, "has_normals"), renderer->meshes[i].has_normals);
    glBindVertexArray(renderer->meshes[i].vertex_array);
}

/* --- materials --------------------------------------------------------------------- */

static const mrw_scene_material *material_of(const view_renderer *renderer,
                                             const mrw_mesh_part *part)
{
    static const mrw_scene_material plain = {
        "", {0.80f, 0.80f, 0.80f, 1.0f}, -1, true, false, 0.0f, 0.0f, 1.0f};
    return part->material < 0 ? &plain : &renderer->scene->materials[part->material];
}

static void use_material(const view_renderer *renderer, const mrw_scene_material *material,
                         bool mirrored)
{
    GLuint program = renderer->mesh_program;
    int32_t image = material->base_color_image;
    GLuint texture = image >= 0 ? renderer->images[image] : 0;
    glActiveTexture(GL_TEXTURE0 + BASE_COLOR_UNIT);
    glBindTexture(GL_TEXTURE_2D, texture != 0 ? texture : renderer->white);
    glUniform4fv(uniform(program, "base_color"), 1, material->base_color);
    glUniform1f(uniform(program, "alpha_cutoff"),
                material->alpha_blend ? 0.0f : material->alpha_cutoff);
    glUniform1i(uniform(program, "is_blended"), material->alpha_blend);
    glUniform1f(uniform(program, "roughness"), material->roughness);
    if (material->double_sided) {
        glDisable(GL_CULL_FACE);
    } else {
        glEnable(GL_CULL_FACE);
        glFrontFace(mirrored ? GL_CW : GL_CCW);
    }
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

/* --- drawing ------------------------------------------------------------------------ */

enum { OPAQUE_PARTS, BLENDED_PARTS };

static void draw_meshes(const view_renderer *renderer, const view_posed *posed,
                        mrw_skin_method method, int which)
{
    const mrw_character *character = renderer->character;
    for (uint32_t i = 0; i < character->instance_count; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        const mrw_mesh *mesh = &character->meshes[instance->mesh];
        bool mirrored = mrw_mat34_determinant(&posed->palette[instance->palette_first]) < 0.0f;
        use_instance(renderer, i, method);
        for (uint32_t p = 0; p < mesh->part_count; p++) {
            const mrw_mesh_part *part = &mesh->parts[p];
            const mrw_scene_material *material = material_of(renderer, part);
            if (material->alpha_blend != (which == BLENDED_PARTS))
                continue;
            use_material(renderer, material, mirrored);
            glDrawElements(primitive_of(part->topology), (GLsizei)part->index_count,
                           GL_UNSIGNED_INT, (const void *)(part->first_index * sizeof(uint32_t)));
        }
    }
}

static const mrw_vec3 light_from_camera = {0.50f, 0.72f, 0.48f}; /* right, up, towards the eye */

static mrw_vec3 key_direction(const view_camera *camera)
{
    const mrw_vec3 l = light_from_camera;
    mrw_vec3 d = {l.x * camera->right.x + l.y * camera->up.x + l.z * camera->back.x,
                  l.x * camera->right.y + l.y * camera->up.y + l.z * camera->back.y,
                  l.x * camera->right.z + l.y * camera->up.z + l.z * camera->back.z};
    float length = mrw_sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    mrw_vec3 unit = {d.x / length, d.y / length, d.z / length};
    return unit;
}

/* Flattens along the light onto the plane y = ground: a point p lands on
 * p - light * (p.y - ground) / light.y. */
static void shadow_matrix(const view_camera *camera, float ground, float out[16])
{
    mrw_vec3 light = key_direction(camera);
    if (light.y < 0.3f)
        light.y = 0.3f; /* a camera that looks up would cast endless shadows */
    float x = light.x / light.y, z = light.z / light.y;
    float flatten[16] = {1.0f, 0.0f, 0.0f, 0.0f, -x,         0.0f,   -z,         0.0f,
                         0.0f, 0.0f, 1.0f, 0.0f, x * ground, ground, z * ground, 1.0f};
    view_matrix_mul(camera->view_projection, flatten, out);
}

static void draw_shadow(const view_renderer *renderer, const view_posed *posed,
                        const view_frame *frame)
{
    float flattened[16];
    shadow_matrix(frame->camera, frame->bounds->min.y, flattened);
    glUseProgram(renderer->mesh_program);
    glUniformMatrix4fv(uniform(renderer->mesh_program, "view_projection"), 1, GL_FALSE, flattened);
    glUniform1i(uniform(renderer->mesh_program, "is_shadow"), 1);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    draw_meshes(renderer, posed, frame->method, OPAQUE_PARTS);
    glDisable(GL_STENCIL_TEST);
    glUniform1i(uniform(renderer->mesh_program, "is_shadow"), 0);
}

static void draw_character(const view_renderer *renderer, const view_posed *posed,
                           const view_frame *frame)
{
    GLuint program = renderer->mesh_program;
    mrw_vec3 light = key_direction(frame->camera);
    glUseProgram(program);
    glUniformMatrix4fv(uniform(program, "view_projection"), 1, GL_FALSE,
                       frame->camera->view_projection);
    glUniform3f(uniform(program, "eye"), frame->camera->eye.x, frame->camera->eye.y,
                frame->camera->eye.z);
    glUniform3f(uniform(program, "key_direction"), light.x, light.y, light.z);
    glEnable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    draw_meshes(renderer, posed, frame->method, OPAQUE_PARTS);
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    draw_meshes(renderer, posed, frame->method, BLENDED_PARTS);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
}

static void draw_plain(const view_renderer *renderer, const view_plain_shapes *shapes,
                       const float view_projection[16])
{
    glUseProgram(renderer->plain_program);
    glUniformMatrix4fv(uniform(renderer->plain_program, "view_projection"), 1, GL_FALSE,
                       view_projection);
    glBindVertexArray(renderer->plain_vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->plain_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(shapes->vertex_count * sizeof(view_plain_vertex)),
                 shapes->vertices, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)shapes->vertex_count);
}

static bool draw_surroundings(const view_renderer *renderer, const view_frame *frame)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    view_plain_shapes backdrop = {0}, ground = {0};
    view_plain_shapes_add_backdrop(&backdrop);
    view_plain_shapes_add_ground(&ground, frame->bounds);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    draw_plain(renderer, &backdrop, identity);
    draw_plain(renderer, &ground, frame->camera->view_projection);
    bool complete = !backdrop.out_of_memory && !ground.out_of_memory;
    view_plain_shapes_free(&backdrop);
    view_plain_shapes_free(&ground);
    return complete;
}

static bool draw_skeleton(const view_renderer *renderer, const view_posed *posed,
                          const view_frame *frame)
{
    const view_bounds *box = frame->bounds;
    mrw_vec3 size = {box->max.x - box->min.x, box->max.y - box->min.y, box->max.z - box->min.z};
    view_plain_shapes bones = {0};
    view_plain_shapes_add_skeleton(&bones, posed,
                                   mrw_sqrt(size.x * size.x + size.y * size.y + size.z * size.z));
    /* Over the mesh, but bones hide each other. */
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    draw_plain(renderer, &bones, frame->camera->view_projection);
    bool complete = !bones.out_of_memory;
    view_plain_shapes_free(&bones);
    return complete;
}

static bool use_framebuffer(view_renderer *renderer, uint32_t width, uint32_t height)
{
    bool fits = renderer->has_framebuffer && renderer->framebuffer.width == width &&
                renderer->framebuffer.height == height;
    if (!fits) {
        if (renderer->has_framebuffer)
            view_framebuffer_free(&renderer->framebuffer);
        renderer->has_framebuffer = view_framebuffer_create(width, height, &renderer->framebuffer);
    }
    if (!renderer->has_framebuffer)
        return false;
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->framebuffer.draw_target);
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
    return true;
}

bool view_renderer_draw(view_renderer *renderer, const view_posed *posed, const view_frame *frame,
                        uint8_t *out_rgba, const char **out_reason)
{
    if (!use_framebuffer(renderer, frame->width, frame->height)) {
        *out_reason = "the driver cannot draw a picture of this size: make it smaller";
        return false;
    }
    *out_reason = "out of memory";
    glDepthMask(GL_TRUE);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    /* Colour by alpha; alpha adds up, so that a transparent picture keeps its own. */
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    upload_pose(renderer, posed, frame->method);
    if (!upload_morphs(renderer, posed))
        return false;
    if (!frame->transparent) {
        if (!draw_surroundings(renderer, frame))
            return false;
        draw_shadow(renderer, posed, frame);
    }
    draw_character(renderer, posed, frame);
    if (frame->skeleton && !draw_skeleton(renderer, posed, frame))
        return false;
    view_framebuffer_read(&renderer->framebuffer, out_rgba);
    return true;
}

bool view_renderer_capture(view_renderer *renderer, const view_posed *posed, uint32_t instance,
                           mrw_skin_method method, float *out_positions)
{
    /* Nothing is drawn, but without a window there is no framebuffer to not draw on. */
    if (!renderer->has_framebuffer && !use_framebuffer(renderer, 1, 1))
        return false;
    if (instance >= renderer->mesh_count || !upload_morphs(renderer, posed))
        return false;
    const uint32_t count = renderer->meshes[instance].vertex_count;
    const GLsizeiptr size = (GLsizeiptr)((size_t)count * 3 * sizeof(float));
    upload_pose(renderer, posed, method);
    use_instance(renderer, instance, method);

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
    return glGetError() == GL_NO_ERROR;
}
