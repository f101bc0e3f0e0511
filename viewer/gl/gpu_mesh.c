#include "gl/gpu_mesh.h"

#include <epoxy/gl.h>

#include <stdlib.h>
#include <string.h>

/* Streams of floats: how many a vertex, and what stands in where there is no stream. */
static const struct {
    GLint width;
    GLfloat fallback;
} streams[VIEW_MESH_JOINTS] = {{3, 0.0f}, {3, 0.0f}, {2, 0.0f}, {4, 1.0f}, {1, 0.0f}};

static void fill(view_gpu_mesh *mesh, int buffer, const void *data, size_t size_bytes, GLenum usage)
{
    if (mesh->buffers[buffer] == 0)
        glGenBuffers(1, &mesh->buffers[buffer]);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[buffer]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size_bytes, data, usage);
}

static void fill_stream(view_gpu_mesh *mesh, int stream, const float *data)
{
    if (data != NULL)
        fill(mesh, stream, data,
             (size_t)mesh->vertex_count * (size_t)streams[stream].width * sizeof(float),
             GL_STATIC_DRAW);
}

/* --- vertex arrays ----------------------------------------------------------------------- */

static void point_at(GLuint location, GLint width, unsigned buffer)
{
    if (buffer == 0)
        return;
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(location, width, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(location);
}

/* Joints, weights, then the second four of each: locations 5 to 8. */
static void point_at_influences(const view_gpu_mesh *mesh)
{
    const GLsizei count = (GLsizei)mesh->influence_count;
    for (GLsizei first = 0; first < count; first += 4) {
        const GLuint location = VIEW_MESH_JOINTS + (GLuint)first / 2;
        glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[VIEW_MESH_JOINTS]);
        glVertexAttribIPointer(location, 4, GL_UNSIGNED_SHORT, count * (GLsizei)sizeof(uint16_t),
                               (const void *)((size_t)first * sizeof(uint16_t)));
        glEnableVertexAttribArray(location);
        glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[VIEW_MESH_WEIGHTS]);
        glVertexAttribPointer(location + 1, 4, GL_FLOAT, GL_FALSE, count * (GLsizei)sizeof(float),
                              (const void *)((size_t)first * sizeof(float)));
        glEnableVertexAttribArray(location + 1);
    }
}

/* Called again when a stream appears. */
static void make_array(view_gpu_mesh *mesh, bool in_scene)
{
    unsigned *array = in_scene ? &mesh->scene_vertex_array : &mesh->vertex_array;
    if (*array == 0)
        glGenVertexArrays(1, array);
    glBindVertexArray(*array);
    for (int stream = 0; stream < VIEW_MESH_JOINTS; stream++) {
        int buffer = stream;
        if (in_scene && stream <= VIEW_MESH_NORMAL)
            buffer = VIEW_MESH_SCENE_POSITION + stream;
        point_at((GLuint)stream, streams[stream].width, mesh->buffers[buffer]);
    }
    if (!in_scene)
        point_at_influences(mesh);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->buffers[VIEW_MESH_INDICES]);
    glBindVertexArray(0);
}

/* A constant is state of the context, and undefined after drawing with an array in its place. */
void view_gpu_mesh_bind(const view_gpu_mesh *mesh, bool in_scene)
{
    glBindVertexArray(in_scene ? mesh->scene_vertex_array : mesh->vertex_array);
    for (int stream = 0; stream < VIEW_MESH_JOINTS; stream++) {
        const GLfloat value = streams[stream].fallback;
        if (mesh->buffers[stream] == 0)
            glVertexAttrib4f((GLuint)stream, value, value, value, value);
    }
}

/* --- streams -------------------------------------------------------------------------------- */

/* Influences are sorted, the heaviest first, and of any number up to 8: unused places have weight
 * 0. */
static bool fill_influences(view_gpu_mesh *gpu, const mrw_mesh *mesh, bool skinned)
{
    const size_t vertex_count = mesh->vertex_count, width = gpu->influence_count;
    uint16_t *joints = calloc(vertex_count * width + 1, sizeof(*joints));
    float *weights = calloc(vertex_count * width + 1, sizeof(*weights));
    const bool enough = joints != NULL && weights != NULL;
    for (size_t v = 0; enough && v < vertex_count; v++) {
        for (uint32_t i = 0; skinned && i < mesh->influence_count; i++) {
            joints[v * width + i] = mesh->joints[v * mesh->influence_count + i];
            weights[v * width + i] = mesh->weights[v * mesh->influence_count + i];
        }
        if (!skinned)
            weights[v * width] = 1.0f;
    }
    if (enough) {
        fill(gpu, VIEW_MESH_JOINTS, joints, vertex_count * width * sizeof(*joints), GL_STATIC_DRAW);
        fill(gpu, VIEW_MESH_WEIGHTS, weights, vertex_count * width * sizeof(*weights),
             GL_STATIC_DRAW);
    }
    free(joints);
    free(weights);
    return enough;
}

/* deltas: one of the target's arrays. */
static void copy_deltas(const mrw_morph_target *target, const float *deltas, uint32_t vertex_count,
                        float *out_texels)
{
    for (uint32_t i = 0; deltas != NULL && i < mrw_morph_target_count(target, vertex_count); i++)
        memcpy(out_texels + (size_t)mrw_morph_target_vertex(target, i) * 8, deltas + (size_t)i * 3,
               3 * sizeof(float));
}

static bool fill_morph_deltas(view_gpu_mesh *gpu, const mrw_mesh *mesh, const char **out_reason)
{
    if (mesh->target_count == 0)
        return true;
    const size_t target_floats = (size_t)mesh->vertex_count * 8;
    float *texels = calloc((size_t)mesh->target_count * target_floats + 1, sizeof(*texels));
    if (texels == NULL) {
        *out_reason = "out of memory";
        return false;
    }
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const mrw_morph_target *target = &mesh->targets[t];
        float *out = texels + t * target_floats;
        copy_deltas(target, target->positions, mesh->vertex_count, out);
        copy_deltas(target, target->normals, mesh->vertex_count, out + 4);
    }
    view_float_texture_create(4, &gpu->morph_deltas);
    bool fits = view_float_texture_write(&gpu->morph_deltas, texels,
                                         (uint64_t)mesh->target_count * mesh->vertex_count * 2);
    free(texels);
    if (!fits)
        *out_reason = "a mesh has more morph targets than this driver's textures hold";
    return fits;
}

bool view_gpu_mesh_create(const mrw_mesh *mesh, bool skinned, view_gpu_mesh *out_mesh,
                          const char **out_reason)
{
    memset(out_mesh, 0, sizeof(*out_mesh));
    out_mesh->vertex_count = mesh->vertex_count;
    out_mesh->target_count = mesh->target_count;
    out_mesh->influence_count = skinned && mesh->influence_count > 4 ? 8 : 4;
    *out_reason = "out of memory";
    if (!fill_influences(out_mesh, mesh, skinned) ||
        !fill_morph_deltas(out_mesh, mesh, out_reason)) {
        view_gpu_mesh_free(out_mesh);
        return false;
    }
    fill_stream(out_mesh, VIEW_MESH_POSITION, mesh->positions);
    fill_stream(out_mesh, VIEW_MESH_NORMAL, mesh->normals);
    fill_stream(out_mesh, VIEW_MESH_TEXCOORD, mesh->texcoords);
    fill_stream(out_mesh, VIEW_MESH_COLOR, mesh->colors);
    fill(out_mesh, VIEW_MESH_INDICES, mesh->indices, mesh->index_count * sizeof(uint32_t),
         GL_STATIC_DRAW);
    make_array(out_mesh, false);
    return true;
}

void view_gpu_mesh_free(view_gpu_mesh *mesh)
{
    glDeleteBuffers(VIEW_MESH_BUFFER_COUNT, mesh->buffers);
    glDeleteVertexArrays(1, &mesh->vertex_array);
    glDeleteVertexArrays(1, &mesh->scene_vertex_array);
    if (mesh->morph_deltas.texture != 0)
        view_float_texture_free(&mesh->morph_deltas);
    memset(mesh, 0, sizeof(*mesh));
}

void view_gpu_mesh_set_heat(view_gpu_mesh *mesh, const float *heat)
{
    const bool is_new = mesh->buffers[VIEW_MESH_HEAT] == 0;
    fill(mesh, VIEW_MESH_HEAT, heat, (size_t)mesh->vertex_count * sizeof(float), GL_DYNAMIC_DRAW);
    if (!is_new)
        return;
    make_array(mesh, false);
    if (mesh->scene_vertex_array != 0)
        make_array(mesh, true);
}

void view_gpu_mesh_set_scene_vertices(view_gpu_mesh *mesh, const float *positions,
                                      const float *normals)
{
    const size_t size_bytes = (size_t)mesh->vertex_count * 3 * sizeof(float);
    fill(mesh, VIEW_MESH_SCENE_POSITION, positions, size_bytes, GL_STREAM_DRAW);
    if (normals != NULL)
        fill(mesh, VIEW_MESH_SCENE_NORMAL, normals, size_bytes, GL_STREAM_DRAW);
    if (mesh->scene_vertex_array == 0)
        make_array(mesh, true);
}
