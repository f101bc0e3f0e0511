#define _POSIX_C_SOURCE 200809L /* posix_memalign */

#include "viewer/null_backend.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- loud ------------------------------------------------------------------------------ */

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "null backend, %s: ", __func__);                                       \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= -FLT_MAX && values[i] <= FLT_MAX))
            return false;
    return true;
}

static bool all_shares(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= 0.0f && values[i] <= 1.0001f))
            return false;
    return true;
}

/* Whether this call goes on. */
static bool counted(null_backend *null)
{
    static char sentence[64];
    if (++null->calls != null->fail_at)
        return true;
    snprintf(sentence, sizeof(sentence), "call %u of the backend failed", (unsigned)null->calls);
    null->last_error = sentence;
    return false;
}

/* Zeroed. Not one of the allocations that failing_memory.h makes fail: a backend's failures have a
 * counter of their own. */
static void *allocate(size_t count, size_t size_bytes)
{
    void *memory = NULL;
    CHECK(posix_memalign(&memory, 64, count * size_bytes + 1) == 0, "out of memory");
    memset(memory, 0, count * size_bytes + 1);
    return memory;
}

static void *copy(const void *bytes, size_t count, size_t size_bytes)
{
    void *copied = allocate(count, size_bytes);
    if (count > 0)
        memcpy(copied, bytes, count * size_bytes);
    return copied;
}

/* --- meshes ---------------------------------------------------------------------------- */

static null_mesh *find(null_backend *null, uint32_t handle)
{
    CHECK(handle >= 1 && handle <= NULL_MESHES && null->meshes[handle - 1].alive,
          "there is no mesh %u", (unsigned)handle);
    return &null->meshes[handle - 1];
}

static void check_mesh(const mrw_mesh *mesh, bool skinned)
{
    CHECK(mesh->vertex_count == 0 || mesh->positions != NULL, "a mesh without positions");
    CHECK(all_finite(mesh->positions, (size_t)mesh->vertex_count * 3), "positions");
    CHECK(mesh->normals == NULL || all_finite(mesh->normals, (size_t)mesh->vertex_count * 3),
          "normals");
    CHECK(!skinned || (mesh->influence_count >= 1 && mesh->influence_count <= VIEW_MAX_INFLUENCES),
          "%u influences", (unsigned)mesh->influence_count);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        CHECK(mesh->indices[i] < mesh->vertex_count, "index %u", (unsigned)mesh->indices[i]);
    for (uint32_t p = 0; p < mesh->part_count; p++)
        CHECK(mesh->parts[p].first_index <= mesh->index_count &&
                  mesh->parts[p].index_count <= mesh->index_count - mesh->parts[p].first_index,
              "part %u", (unsigned)p);
}

static void copy_influences(null_mesh *kept, const mrw_mesh *mesh)
{
    size_t count = (size_t)mesh->vertex_count * kept->influence_count;
    kept->palette_count = 1;
    if (kept->skinned) {
        kept->joints = copy(mesh->joints, count, sizeof(uint16_t));
        kept->weights = copy(mesh->weights, count, sizeof(float));
        CHECK(all_shares(kept->weights, count), "weights");
        for (size_t i = 0; i < count; i++)
            if (kept->joints[i] >= kept->palette_count)
                kept->palette_count = kept->joints[i] + 1u;
        return;
    }
    kept->joints = allocate(count, sizeof(uint16_t));
    kept->weights = allocate(count, sizeof(float));
    for (size_t i = 0; i < count; i++)
        kept->weights[i] = 1.0f;
}

/* One difference for each vertex, or NULL. */
static float *copy_target(const mrw_morph_target *target, uint32_t vertex_count)
{
    if (target->positions == NULL)
        return NULL;
    float *positions = allocate((size_t)vertex_count * 3, sizeof(*positions));
    for (uint32_t i = 0; i < mrw_morph_target_count(target, vertex_count); i++)
        memcpy(positions + (size_t)mrw_morph_target_vertex(target, i) * 3,
               target->positions + (size_t)i * 3, 3 * sizeof(float));
    return positions;
}

static bool mesh_create(void *user, const mrw_mesh *mesh, bool skinned, uint32_t *out_mesh)
{
    null_backend *null = user;
    uint32_t handle = 0;
    if (!counted(null))
        return false;
    check_mesh(mesh, skinned);
    while (handle < NULL_MESHES && null->meshes[handle].alive)
        handle++;
    CHECK(handle < NULL_MESHES, "too many meshes");
    null_mesh *kept = &null->meshes[handle];
    memset(kept, 0, sizeof(*kept));
    kept->alive = true;
    kept->skinned = skinned;
    kept->has_normals = mesh->normals != NULL;
    kept->vertex_count = mesh->vertex_count;
    kept->influence_count = skinned ? mesh->influence_count : 1;
    kept->index_count = mesh->index_count;
    kept->positions = copy(mesh->positions, (size_t)mesh->vertex_count * 3, sizeof(float));
    copy_influences(kept, mesh);
    kept->target_count = mesh->target_count;
    kept->targets = allocate(mesh->target_count, sizeof(*kept->targets));
    for (uint32_t t = 0; t < mesh->target_count; t++)
        kept->targets[t] = copy_target(&mesh->targets[t], mesh->vertex_count);
    *out_mesh = handle + 1;
    return true;
}

static void mesh_free(void *user, uint32_t mesh)
{
    null_mesh *kept = find(user, mesh);
    for (uint32_t t = 0; t < kept->target_count; t++)
        free(kept->targets[t]);
    free(kept->targets);
    free(kept->positions);
    free(kept->joints);
    free(kept->weights);
    free(kept->heat);
    memset(kept, 0, sizeof(*kept));
}

static bool mesh_update(void *user, uint32_t mesh, const float *positions, const float *normals)
{
    null_backend *null = user;
    if (!counted(null))
        return false;
    null_mesh *kept = find(null, mesh);
    size_t count = (size_t)kept->vertex_count * 3;
    CHECK(all_finite(positions, count), "positions");
    CHECK((normals != NULL) == kept->has_normals, "normals come and go");
    CHECK(normals == NULL || all_finite(normals, count), "normals");
    kept->updated = true;
    return true;
}

static bool mesh_set_heat(void *user, uint32_t mesh, const float *heat)
{
    null_backend *null = user;
    if (!counted(null))
        return false;
    null_mesh *kept = find(null, mesh);
    CHECK(all_shares(heat, kept->vertex_count), "heat is not between 0 and 1");
    free(kept->heat);
    kept->heat = copy(heat, kept->vertex_count, sizeof(float));
    return true;
}

/* --- textures and what is shared ------------------------------------------------------- */

static bool texture_create(void *user, const mrw_scene_image *image, uint32_t *out_texture)
{
    null_backend *null = user;
    uint32_t handle = 0;
    if (!counted(null))
        return false;
    *out_texture = 0;
    if (image->bytes == NULL || image->size_bytes < 4)
        return true;
    bool is_png = memcmp(image->bytes, "\x89PNG", 4) == 0;
    if (!is_png && memcmp(image->bytes, "\xff\xd8\xff", 3) != 0)
        return true;
    while (handle < NULL_TEXTURES && null->textures[handle])
        handle++;
    CHECK(handle < NULL_TEXTURES, "too many textures");
    null->textures[handle] = true;
    *out_texture = handle + 1;
    return true;
}

static void texture_free(void *user, uint32_t texture)
{
    null_backend *null = user;
    CHECK(texture >= 1 && texture <= NULL_TEXTURES && null->textures[texture - 1],
          "there is no texture %u", (unsigned)texture);
    null->textures[texture - 1] = false;
}

static bool share(void *user, view_shared_data what, const void *data, uint32_t count)
{
    static const size_t sizes[VIEW_SHARED_DATA_COUNT] = {sizeof(mrw_mat34), sizeof(mrw_dual_quat),
                                                         sizeof(mrw_mat34), sizeof(float)};
    null_backend *null = user;
    if (!counted(null))
        return false;
    CHECK(what >= 0 && what < VIEW_SHARED_DATA_COUNT, "kind %d", (int)what);
    CHECK(data != NULL && count > 0, "nothing to share");
    CHECK(all_finite(data, count * sizes[what] / sizeof(float)), "kind %d is not finite",
          (int)what);
    free(null->shared[what]);
    null->shared[what] = copy(data, count, sizes[what]);
    null->shared_count[what] = count;
    return true;
}

/* --- drawing --------------------------------------------------------------------------- */

static bool frame_begin(void *user, uint32_t width, uint32_t height)
{
    null_backend *null = user;
    CHECK(!null->in_frame, "the frame before has not ended");
    CHECK(width > 0 && height > 0, "%u x %u", (unsigned)width, (unsigned)height);
    if (!counted(null))
        return false;
    null->in_frame = true;
    null->width = width;
    null->height = height;
    memset(null->draws, 0, sizeof(null->draws));
    null->characters = 0;
    null->cpu_draws = 0;
    null->plain_draws = 0;
    null->plain_vertices = 0;
    return true;
}

static void check_range(const null_backend *null, view_shared_data what, uint32_t first,
                        uint32_t stride, uint32_t characters, uint32_t count)
{
    uint64_t end = (uint64_t)first + (uint64_t)stride * (characters - 1) + count;
    CHECK(end <= null->shared_count[what], "draws read %llu of kind %d, %u are shared",
          (unsigned long long)end, (int)what, (unsigned)null->shared_count[what]);
}

/* What a vertex shader reads. */
static void check_skinning(null_backend *null, const view_draw_mesh *draw)
{
    const null_mesh *mesh = find(null, draw->mesh);
    CHECK(draw->instance_count >= 1, "no character");
    CHECK(draw->dual_quat_weight >= 0.0f && draw->dual_quat_weight <= 1.0f, "method %g",
          (double)draw->dual_quat_weight);
    if (!draw->skinned) {
        CHECK(mesh->updated, "mesh %u has no vertices from the CPU", (unsigned)draw->mesh);
        CHECK(draw->instance_count == 1, "vertices from the CPU are one character's");
        return;
    }
    check_range(null, VIEW_PALETTE, draw->palette_first, draw->palette_stride, draw->instance_count,
                mesh->palette_count);
    if (draw->dual_quat_weight > 0.0f) {
        check_range(null, VIEW_DUAL_QUATS, draw->palette_first, draw->palette_stride,
                    draw->instance_count, mesh->palette_count);
        check_range(null, VIEW_STRETCHES, draw->palette_first, draw->palette_stride,
                    draw->instance_count, mesh->palette_count);
    }
    if (mesh->target_count > 0)
        check_range(null, VIEW_MORPH_WEIGHTS, draw->morph_first, draw->morph_stride,
                    draw->instance_count, mesh->target_count);
}

static void check_surface(null_backend *null, const view_draw_mesh *draw)
{
    const null_mesh *mesh = find(null, draw->mesh);
    const mrw_vec3 light = draw->key_direction;
    float length = light.x * light.x + light.y * light.y + light.z * light.z;
    CHECK(length > 0.999f && length < 1.001f, "the light's direction has length %g",
          (double)length);
    CHECK(all_finite(&draw->eye.x, 3), "the eye");
    CHECK(draw->surface >= 0 && draw->surface <= VIEW_SURFACE_SHADOW, "surface %d",
          (int)draw->surface);
    CHECK(draw->surface != VIEW_SURFACE_HEAT || mesh->heat != NULL, "mesh %u has no heat",
          (unsigned)draw->mesh);
    CHECK((draw->flatten != NULL) == (draw->surface == VIEW_SURFACE_SHADOW), "flatten");
    CHECK(draw->flatten == NULL || all_finite(draw->flatten, 16), "flatten");
    CHECK(all_finite(draw->base_color, 4), "the base colour");
    CHECK(draw->alpha_cutoff >= 0.0f, "the cutoff");
    CHECK(draw->texture <= NULL_TEXTURES &&
              (draw->texture == 0 || null->textures[draw->texture - 1]),
          "there is no texture %u", (unsigned)draw->texture);
}

static bool draw_mesh(void *user, const view_draw_mesh *draw)
{
    null_backend *null = user;
    const null_mesh *mesh = find(null, draw->mesh);
    uint32_t corners = draw->topology == MRW_TOPOLOGY_TRIANGLES ? 3
                       : draw->topology == MRW_TOPOLOGY_LINES   ? 2
                                                                : 1;
    CHECK(null->in_frame, "outside of a frame");
    CHECK(draw->index_count > 0 && draw->first_index <= mesh->index_count &&
              draw->index_count <= mesh->index_count - draw->first_index,
          "indices %u + %u of %u", (unsigned)draw->first_index, (unsigned)draw->index_count,
          (unsigned)mesh->index_count);
    CHECK(draw->index_count % corners == 0, "%u indices", (unsigned)draw->index_count);
    CHECK(all_finite(draw->view_projection, 16), "the camera");
    check_skinning(null, draw);
    check_surface(null, draw);
    if (!counted(null))
        return false;
    null->draws[draw->surface]++;
    if (draw->instance_count > null->characters)
        null->characters = draw->instance_count;
    if (draw->skinned)
        null->dual_quat_weight = draw->dual_quat_weight;
    else
        null->cpu_draws++;
    memcpy(null->view_projection, draw->view_projection, sizeof(null->view_projection));
    return true;
}

static bool draw_plain(void *user, const view_draw_plain *draw)
{
    null_backend *null = user;
    CHECK(null->in_frame, "outside of a frame");
    CHECK(draw->vertex_count > 0 && draw->vertex_count % 3 == 0, "%u vertices",
          (unsigned)draw->vertex_count);
    CHECK(all_finite(draw->view_projection, 16), "the camera");
    for (uint32_t i = 0; i < draw->vertex_count; i++)
        CHECK(all_finite(&draw->vertices[i].position.x, 3) &&
                  all_shares(draw->vertices[i].color, 4),
              "vertex %u", (unsigned)i);
    if (!counted(null))
        return false;
    null->plain_draws++;
    null->plain_vertices += draw->vertex_count;
    return true;
}

static bool frame_end(void *user)
{
    null_backend *null = user;
    CHECK(null->in_frame, "no frame has begun");
    null->in_frame = false;
    if (!counted(null))
        return false;
    null->frames++;
    return true;
}

/* --- capture --------------------------------------------------------------------------- */

/* mrw_morph wants the targets as mrw_mesh has them. */
static void morph(const null_backend *null, const null_mesh *mesh, const view_draw_mesh *draw,
                  float *positions)
{
    const float *weights = (const float *)null->shared[VIEW_MORPH_WEIGHTS] + draw->morph_first;
    for (uint32_t t = 0; t < mesh->target_count; t++)
        for (size_t i = 0; mesh->targets[t] != NULL && i < (size_t)mesh->vertex_count * 3; i++)
            positions[i] += weights[t] * mesh->targets[t][i];
}

static bool capture(void *user, const view_draw_mesh *draw, float *out_positions)
{
    null_backend *null = user;
    const null_mesh *mesh = find(null, draw->mesh);
    CHECK(!null->in_frame, "in the middle of a frame");
    CHECK(draw->skinned, "nothing to compute");
    check_skinning(null, draw);
    if (null->cannot_capture) {
        null->last_error = "this backend cannot read back";
        return false;
    }
    if (!counted(null))
        return false;
    memcpy(out_positions, mesh->positions, (size_t)mesh->vertex_count * 3 * sizeof(float));
    if (mesh->target_count > 0)
        morph(null, mesh, draw, out_positions);
    float *blends = copy(mesh->positions, mesh->vertex_count, sizeof(float));
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        blends[i] = draw->dual_quat_weight;
    mrw_skin_job job = mrw_skin_job_default();
    job.method = draw->dual_quat_weight > 0.0f ? MRW_SKIN_BLENDED : MRW_SKIN_LINEAR;
    job.palette = (const mrw_mat34 *)null->shared[VIEW_PALETTE] + draw->palette_first;
    if (job.method == MRW_SKIN_BLENDED) {
        job.dual_quats = (const mrw_dual_quat *)null->shared[VIEW_DUAL_QUATS] + draw->palette_first;
        job.stretches = (const mrw_mat34 *)null->shared[VIEW_STRETCHES] + draw->palette_first;
    }
    job.palette_count = mesh->palette_count;
    job.vertex_count = mesh->vertex_count;
    job.influence_count = mesh->influence_count;
    job.joints = mesh->joints;
    job.weights = mesh->weights;
    job.dual_quat_weights = blends;
    job.positions.data = out_positions;
    job.out_positions.data = out_positions;
    CHECK(mrw_skin_vertices(&job) == MRW_OK, "the skin job is wrong");
    free(blends);
    null->captures++;
    return true;
}

/* --- beginning and end ----------------------------------------------------------------- */

void null_backend_init(null_backend *null)
{
    memset(null, 0, sizeof(*null));
    const view_backend functions = {
        null,          &null->last_error, mesh_create,  mesh_free, mesh_update,
        mesh_set_heat, texture_create,    texture_free, share,     frame_begin,
        draw_mesh,     draw_plain,        frame_end,    capture};
    null->backend = functions;
}

uint32_t null_backend_held(const null_backend *null)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < NULL_MESHES; i++)
        held += null->meshes[i].alive;
    for (uint32_t i = 0; i < NULL_TEXTURES; i++)
        held += null->textures[i];
    return held;
}

void null_backend_finish(null_backend *null)
{
    CHECK(!null->in_frame, "the last frame has not ended");
    CHECK(null_backend_held(null) == 0, "%u meshes and textures were not freed",
          (unsigned)null_backend_held(null));
    for (int i = 0; i < VIEW_SHARED_DATA_COUNT; i++)
        free(null->shared[i]);
    memset(null, 0, sizeof(*null));
}
