/* Structs are taken apart here: JavaScript gets plain numbers and addresses, so that no layout of a
 * struct is written down twice. The order of the arguments is that of webgl_backend.js. */
#include "web_backend.h"

#include "core/camera.h"

#include <stdlib.h>
#include <string.h>

#define IMPORTED(name) __attribute__((import_module("backend"), import_name(name))) extern

/* Each returns 0 on failure and has written why into the words. */
IMPORTED("mesh_create")
uint32_t js_mesh_create(uint32_t vertex_count, const float *positions, const float *normals,
                        const float *texcoords, const float *colors, uint32_t influence_count,
                        const uint16_t *joints, const float *weights, uint32_t index_count,
                        const uint32_t *indices, uint32_t target_count, const float *deltas);
IMPORTED("mesh_free") void js_mesh_free(uint32_t mesh);
IMPORTED("mesh_update")
uint32_t js_mesh_update(uint32_t mesh, const float *positions, const float *normals);
IMPORTED("mesh_set_heat") uint32_t js_mesh_set_heat(uint32_t mesh, const float *heat);
/* 0 without words: the picture is of an unknown kind. */
IMPORTED("texture_create") uint32_t js_texture_create(const uint8_t *bytes, uint32_t size_bytes);
IMPORTED("texture_free") void js_texture_free(uint32_t texture);
IMPORTED("share") uint32_t js_share(uint32_t what, const void *data, uint32_t texel_count);
IMPORTED("frame_begin") uint32_t js_frame_begin(uint32_t width, uint32_t height);
IMPORTED("set_skinning")
void js_set_skinning(uint32_t skinned, float dual_quat_weight, uint32_t palette_first,
                     uint32_t palette_stride, uint32_t morph_first, uint32_t morph_stride);
IMPORTED("set_surface")
void js_set_surface(uint32_t surface, const float *base_color, uint32_t texture, float alpha_cutoff,
                    float roughness, uint32_t blended, uint32_t double_sided, uint32_t mirrored);
IMPORTED("set_camera")
void js_set_camera(const float *view_projection, const mrw_vec3 *eye,
                   const mrw_vec3 *key_direction);
IMPORTED("draw_mesh")
uint32_t js_draw_mesh(uint32_t mesh, uint32_t topology, uint32_t first_index, uint32_t index_count,
                      uint32_t instance_count);
IMPORTED("draw_plain")
uint32_t js_draw_plain(const view_plain_vertex *vertices, uint32_t vertex_count,
                       const float *view_projection, uint32_t depth_test, uint32_t clear_depth);
IMPORTED("frame_end") uint32_t js_frame_end(void);
IMPORTED("capture") uint32_t js_capture(uint32_t mesh, float *out_positions);

static char words[VIEW_WEB_WORDS_BYTES];
static const char *last_error = words;

char *view_web_backend_words(void)
{
    return words;
}

static bool fail(const char *sentence)
{
    strcpy(words, sentence);
    return false;
}

/* --- meshes ------------------------------------------------------------------------ */

static void *zeroed(uint64_t count, size_t size_bytes)
{
    return count > (SIZE_MAX - 1) / size_bytes ? NULL : calloc((size_t)count + 1, size_bytes);
}

/* A vertex shader has room for 4 or 8 influences; unused places are joint 0, weight 0. */
static void pack_influences(const mrw_mesh *mesh, bool skinned, uint32_t slots, uint16_t *joints,
                            float *weights)
{
    const uint32_t given = mesh->influence_count;
    const uint32_t used = given < slots ? given : slots;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (!skinned) {
            weights[v * slots] = 1.0f;
            continue;
        }
        for (uint32_t i = 0; i < used; i++) {
            joints[v * slots + i] = mesh->joints[v * given + i];
            weights[v * slots + i] = mesh->weights[v * given + i];
        }
    }
}

/* Two texels a vertex and target: of its position and of its normal; see shader.h. */
static void pack_deltas(const mrw_mesh *mesh, float *deltas)
{
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const mrw_morph_target *target = &mesh->targets[t];
        for (uint32_t i = 0; i < mrw_morph_target_count(target, mesh->vertex_count); i++) {
            float *texels = deltas + (size_t)mrw_morph_target_vertex(target, i) * 8;
            if (target->positions != NULL)
                memcpy(texels, target->positions + (size_t)i * 3, 3 * sizeof(float));
            if (target->normals != NULL)
                memcpy(texels + 4, target->normals + (size_t)i * 3, 3 * sizeof(float));
        }
        deltas += (size_t)mesh->vertex_count * 8;
    }
}

static bool mesh_create(void *user, const mrw_mesh *mesh, bool skinned, uint32_t *out_mesh)
{
    (void)user;
    const uint32_t slots = skinned && mesh->influence_count > 4 ? 8 : 4;
    const uint64_t places = (uint64_t)mesh->vertex_count * slots;
    const uint64_t delta_count = (uint64_t)mesh->vertex_count * mesh->target_count;
    uint16_t *joints = zeroed(places, sizeof(*joints));
    float *weights = zeroed(places, sizeof(*weights));
    float *deltas = zeroed(delta_count, 8 * sizeof(*deltas));
    bool made = joints != NULL && weights != NULL && deltas != NULL;
    if (made) {
        pack_influences(mesh, skinned, slots, joints, weights);
        pack_deltas(mesh, deltas);
        *out_mesh = js_mesh_create(mesh->vertex_count, mesh->positions, mesh->normals,
                                   mesh->texcoords, mesh->colors, slots, joints, weights,
                                   mesh->index_count, mesh->indices, mesh->target_count, deltas);
        made = *out_mesh != 0;
    } else {
        fail("the page has no memory left for this mesh");
    }
    free(joints);
    free(weights);
    free(deltas);
    return made;
}

static void mesh_free(void *user, uint32_t mesh)
{
    (void)user;
    js_mesh_free(mesh);
}

static bool mesh_update(void *user, uint32_t mesh, const float *positions, const float *normals)
{
    (void)user;
    return js_mesh_update(mesh, positions, normals) != 0;
}

static bool mesh_set_heat(void *user, uint32_t mesh, const float *heat)
{
    (void)user;
    return js_mesh_set_heat(mesh, heat) != 0;
}

/* --- textures ----------------------------------------------------------------------- */

static bool texture_create(void *user, const mrw_scene_image *image, uint32_t *out_texture)
{
    (void)user;
    *out_texture = image->bytes == NULL || image->size_bytes == 0
                       ? 0
                       : js_texture_create(image->bytes, (uint32_t)image->size_bytes);
    return true;
}

static void texture_free(void *user, uint32_t texture)
{
    (void)user;
    js_texture_free(texture);
}

static bool share(void *user, view_shared_data what, const void *data, uint32_t count)
{
    (void)user;
    static const uint32_t texels[VIEW_SHARED_DATA_COUNT] = {3, 2, 3, 1};
    if (count > UINT32_MAX / 3)
        return fail("this is more than a texture holds: show fewer characters");
    return js_share((uint32_t)what, data, count * texels[what]) != 0;
}

/* --- drawing ------------------------------------------------------------------------- */

static bool frame_begin(void *user, uint32_t width, uint32_t height)
{
    (void)user;
    return js_frame_begin(width, height) != 0;
}

static void set_skinning(const view_draw_mesh *draw)
{
    js_set_skinning(draw->skinned, draw->dual_quat_weight, draw->palette_first,
                    draw->palette_stride, draw->morph_first, draw->morph_stride);
}

static bool draw_mesh(void *user, const view_draw_mesh *draw)
{
    (void)user;
    set_skinning(draw);
    js_set_surface((uint32_t)draw->surface, draw->base_color, draw->texture, draw->alpha_cutoff,
                   draw->roughness, draw->blended, draw->double_sided, draw->mirrored);
    float flattened[16];
    if (draw->flatten != NULL)
        view_matrix_mul(draw->view_projection, draw->flatten, flattened);
    js_set_camera(draw->flatten != NULL ? flattened : draw->view_projection, &draw->eye,
                  &draw->key_direction);
    return js_draw_mesh(draw->mesh, (uint32_t)draw->topology, draw->first_index, draw->index_count,
                        draw->instance_count) != 0;
}

static bool draw_plain(void *user, const view_draw_plain *draw)
{
    (void)user;
    return js_draw_plain(draw->vertices, draw->vertex_count, draw->view_projection,
                         draw->depth_test, draw->clear_depth) != 0;
}

static bool frame_end(void *user)
{
    (void)user;
    return js_frame_end() != 0;
}

static bool capture(void *user, const view_draw_mesh *draw, float *out_positions)
{
    (void)user;
    set_skinning(draw);
    return js_capture(draw->mesh, out_positions) != 0;
}

const view_backend *view_web_backend(void)
{
    static const view_backend backend = {
        .last_error = &last_error,
        .mesh_create = mesh_create,
        .mesh_free = mesh_free,
        .mesh_update = mesh_update,
        .mesh_set_heat = mesh_set_heat,
        .texture_create = texture_create,
        .texture_free = texture_free,
        .share = share,
        .frame_begin = frame_begin,
        .draw_mesh = draw_mesh,
        .draw_plain = draw_plain,
        .frame_end = frame_end,
        .capture = capture,
    };
    return &backend;
}
