#include "gl/gpu_mesh.h"

#include <epoxy/gl.h>

#include <stdlib.h>
#include <string.h>

enum { POSITION, NORMAL, JOINTS, WEIGHTS, TEXCOORD, COLOR, ATTRIBUTE_COUNT };
enum { INDICES = ATTRIBUTE_COUNT, INFLUENCES = 4 };

static GLsizeiptr float_bytes(uint32_t vertex_count, uint32_t width)
{
    return (GLsizeiptr)((size_t)vertex_count * width * sizeof(float));
}

/* A stream of floats, or one value for all vertices where the mesh has none. That value is state of
 * the context and not of the vertex array, but every mesh sets the same one for a location. */
static void set_floats(view_gpu_mesh *mesh, GLuint location, uint32_t width, const float *data,
                       float fallback)
{
    if (data == NULL) {
        glVertexAttrib4f(location, fallback, fallback, fallback, fallback);
        return;
    }
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[location]);
    glBufferData(GL_ARRAY_BUFFER, float_bytes(mesh->vertex_count, width), data, GL_STATIC_DRAW);
    glVertexAttribPointer(location, (GLint)width, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(location);
}

/* Influences are sorted, the heaviest first, and of any number: the first four are taken. */
static mrw_status set_influences(view_gpu_mesh *gpu, const mrw_mesh *mesh, bool skinned)
{
    size_t count = mesh->vertex_count;
    uint16_t *joints = calloc(count * INFLUENCES + 1, sizeof(*joints));
    float *weights = calloc(count * INFLUENCES + 1, sizeof(*weights));
    if (joints == NULL || weights == NULL) {
        free(joints);
        free(weights);
        return MRW_ERR_OUT_OF_MEMORY;
    }
    uint32_t used = mesh->influence_count < INFLUENCES ? mesh->influence_count : INFLUENCES;
    for (size_t v = 0; v < count; v++) {
        for (uint32_t i = 0; skinned && i < used; i++) {
            joints[v * INFLUENCES + i] = mesh->joints[v * mesh->influence_count + i];
            weights[v * INFLUENCES + i] = mesh->weights[v * mesh->influence_count + i];
        }
        if (!skinned)
            weights[v * INFLUENCES] = 1.0f;
    }
    glBindBuffer(GL_ARRAY_BUFFER, gpu->buffers[JOINTS]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * INFLUENCES * sizeof(*joints)), joints,
                 GL_STATIC_DRAW);
    glVertexAttribIPointer(JOINTS, INFLUENCES, GL_UNSIGNED_SHORT, 0, NULL);
    glEnableVertexAttribArray(JOINTS);
    set_floats(gpu, WEIGHTS, INFLUENCES, weights, 0.0f);
    free(joints);
    free(weights);
    return MRW_OK;
}

mrw_status view_gpu_mesh_create(const mrw_mesh *mesh, bool skinned, view_gpu_mesh *out_mesh)
{
    memset(out_mesh, 0, sizeof(*out_mesh));
    out_mesh->vertex_count = mesh->vertex_count;
    out_mesh->has_normals = mesh->normals != NULL;
    glGenVertexArrays(1, &out_mesh->vertex_array);
    glGenBuffers(ATTRIBUTE_COUNT + 1, out_mesh->buffers);
    glBindVertexArray(out_mesh->vertex_array);
    set_floats(out_mesh, POSITION, 3, mesh->positions, 0.0f);
    set_floats(out_mesh, NORMAL, 3, mesh->normals, 0.0f);
    set_floats(out_mesh, TEXCOORD, 2, mesh->texcoords, 0.0f);
    set_floats(out_mesh, COLOR, 4, mesh->colors, 1.0f);
    mrw_status status = set_influences(out_mesh, mesh, skinned);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, out_mesh->buffers[INDICES]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(mesh->index_count * sizeof(uint32_t)),
                 mesh->indices, GL_STATIC_DRAW);
    glBindVertexArray(0);
    if (status == MRW_OK && mesh->target_count > 0) {
        out_mesh->morphed = calloc((size_t)mesh->vertex_count * 6 + 1, sizeof(float));
        if (out_mesh->morphed == NULL)
            status = MRW_ERR_OUT_OF_MEMORY;
    }
    if (status != MRW_OK)
        view_gpu_mesh_free(out_mesh);
    return status;
}

void view_gpu_mesh_free(view_gpu_mesh *mesh)
{
    glDeleteBuffers(ATTRIBUTE_COUNT + 1, mesh->buffers);
    glDeleteVertexArrays(1, &mesh->vertex_array);
    free(mesh->morphed);
    memset(mesh, 0, sizeof(*mesh));
}

void view_gpu_mesh_upload_morphed(const view_gpu_mesh *mesh)
{
    GLsizeiptr size = float_bytes(mesh->vertex_count, 3);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[POSITION]);
    glBufferSubData(GL_ARRAY_BUFFER, 0, size, mesh->morphed);
    if (!mesh->has_normals)
        return;
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[NORMAL]);
    glBufferSubData(GL_ARRAY_BUFFER, 0, size, mesh->morphed + (size_t)mesh->vertex_count * 3);
}
