/* What a frame is made of.
 *
 *     palette, dual quaternions, stretches, morph weights --share--> textures of all draws
 *     backdrop, ground --draw_plain-->
 *     shadow: every opaque part again, flattened onto the ground
 *     opaque parts, then blended parts
 *     bounds, in the depth of the scene; then the skeleton, over all of it
 *
 * Every mesh instance has a mesh of its own in the backend: its influences mean its own skin, and
 * heat and vertices from the CPU are an instance's. Characters of a crowd share them: one draw for
 * all.
 */
#include "core/renderer.h"

#include "core/selection.h"

#include <stdlib.h>
#include <string.h>

typedef struct instance_state {
    uint32_t mesh;           /* handle */
    uint32_t heaviest_joint; /* of its palette, by the sum of its weights */
} instance_state;

struct view_renderer {
    const view_backend *backend;
    const mrw_scene *scene;
    const mrw_character *character;
    uint32_t *images; /* [scene->image_count] handles, 0 where missing or unused */
    uint32_t missing_images;
    instance_state *instances; /* [character->instance_count] */
    uint32_t instance_count;   /* made so far */
    float *vertices;           /* [largest mesh * 6] positions, then normals; NULL until needed */
    float model_size;          /* diagonal of the rest pose's box */
    bool *shown_joints;        /* [joint_count] */
};

static const char out_of_memory[] = "out of memory";

static const char *backend_error(const view_backend *backend)
{
    const bool told = backend->last_error != NULL && *backend->last_error != NULL;
    return told ? *backend->last_error : "the graphics backend failed without saying why";
}

static float diagonal(const view_bounds *box)
{
    if (view_bounds_is_empty(box))
        return 0.0f;
    mrw_vec3 size = {box->max.x - box->min.x, box->max.y - box->min.y, box->max.z - box->min.z};
    return mrw_sqrt(size.x * size.x + size.y * size.y + size.z * size.z);
}

float view_dual_quat_weight(mrw_skin_method method, float blend)
{
    switch (method) {
    case MRW_SKIN_LINEAR:
        return 0.0f;
    case MRW_SKIN_DUAL_QUAT:
        return 1.0f;
    case MRW_SKIN_BLENDED:
        break;
    }
    return blend;
}

view_crowd_data view_crowd_of_posed(const view_posed *posed)
{
    view_crowd_data alone = {1, posed->palette, posed->dual_quats, posed->stretches,
                             posed->pose.scalars};
    return alone;
}

/* --- setting up ------------------------------------------------------------------------ */

static bool make_images(view_renderer *renderer, const char **out_reason)
{
    const mrw_scene *scene = renderer->scene;
    renderer->images = calloc((size_t)scene->image_count + 1, sizeof(*renderer->images));
    bool *tried = calloc((size_t)scene->image_count + 1, sizeof(*tried));
    bool made = renderer->images != NULL && tried != NULL;
    *out_reason = out_of_memory;
    for (uint32_t m = 0; made && m < scene->material_count; m++) {
        int32_t image = scene->materials[m].base_color_image;
        if (image < 0 || tried[image])
            continue;
        tried[image] = true;
        made = renderer->backend->texture_create(renderer->backend->user, &scene->images[image],
                                                 &renderer->images[image]);
        if (!made)
            *out_reason = backend_error(renderer->backend);
        else if (renderer->images[image] == 0)
            renderer->missing_images++;
    }
    free(tried);
    return made;
}

/* Which matrix speaks for the instance where only one can: is it a mirror? */
static bool find_heaviest_joint(const mrw_mesh *mesh, uint32_t palette_count, uint32_t *out_joint)
{
    *out_joint = 0;
    if (mesh->influence_count == 0 || palette_count < 2)
        return true;
    double *sums = calloc(palette_count, sizeof(*sums));
    if (sums == NULL)
        return false;
    const size_t count = (size_t)mesh->vertex_count * mesh->influence_count;
    for (size_t i = 0; i < count; i++)
        sums[mesh->joints[i]] += (double)mesh->weights[i];
    for (uint32_t j = 1; j < palette_count; j++)
        if (sums[j] > sums[*out_joint])
            *out_joint = j;
    free(sums);
    return true;
}

static bool is_skinned(const mrw_character *character, const mrw_mesh_instance *instance)
{
    return instance->skin >= 0 && character->meshes[instance->mesh].influence_count > 0;
}

static bool make_meshes(view_renderer *renderer, const char **out_reason)
{
    const mrw_character *character = renderer->character;
    renderer->instances =
        calloc((size_t)character->instance_count + 1, sizeof(*renderer->instances));
    *out_reason = out_of_memory;
    if (renderer->instances == NULL)
        return false;
    for (uint32_t i = 0; i < character->instance_count; i++) {
        const mrw_mesh_instance *placed = &character->instances[i];
        const mrw_mesh *mesh = &character->meshes[placed->mesh];
        instance_state *state = &renderer->instances[i];
        const bool skinned = is_skinned(character, placed);
        if (mesh->influence_count > VIEW_MAX_INFLUENCES) {
            *out_reason = "the character was built with more influences a vertex than are drawn";
            return false;
        }
        if (skinned && !find_heaviest_joint(mesh, placed->palette_count, &state->heaviest_joint))
            return false;
        if (!renderer->backend->mesh_create(renderer->backend->user, mesh, skinned, &state->mesh)) {
            *out_reason = backend_error(renderer->backend);
            return false;
        }
        renderer->instance_count++;
    }
    return true;
}

/* Vertices of all instances are counted and laid out in 32 bits (selection.h, draws). */
static bool can_be_counted(const mrw_character *character, const char **out_reason)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < character->instance_count; i++)
        count += character->meshes[character->instances[i].mesh].vertex_count;
    *out_reason = "the meshes of all nodes have more vertices than can be drawn";
    return count <= UINT32_MAX;
}

static bool look_at_model(view_renderer *renderer, const char **out_reason)
{
    view_posed rest;
    view_bounds bounds;
    mrw_status status = view_posed_create(renderer->character, &rest);
    if (status == MRW_OK) {
        status = view_bounds_of_posed(&rest, MRW_SKIN_LINEAR, &bounds);
        view_posed_free(&rest);
    }
    if (status != MRW_OK) {
        *out_reason = mrw_status_text(status);
        return false;
    }
    renderer->model_size = diagonal(&bounds);
    renderer->shown_joints = calloc((size_t)renderer->character->skeleton.joint_count + 1,
                                    sizeof(*renderer->shown_joints));
    if (renderer->shown_joints == NULL) {
        *out_reason = out_of_memory;
        return false;
    }
    view_shown_joints(renderer->character, renderer->shown_joints);
    return true;
}

view_renderer *view_renderer_create(const view_backend *backend, const mrw_scene *scene,
                                    const mrw_character *character, const char **out_reason)
{
    view_renderer *renderer = calloc(1, sizeof(*renderer));
    if (renderer == NULL) {
        *out_reason = out_of_memory;
        return NULL;
    }
    renderer->backend = backend;
    renderer->scene = scene;
    renderer->character = character;
    if (!can_be_counted(character, out_reason) || !look_at_model(renderer, out_reason) ||
        !make_images(renderer, out_reason) || !make_meshes(renderer, out_reason)) {
        view_renderer_free(renderer);
        return NULL;
    }
    return renderer;
}

void view_renderer_free(view_renderer *renderer)
{
    if (renderer == NULL)
        return;
    const view_backend *backend = renderer->backend;
    for (uint32_t i = 0; i < renderer->instance_count; i++)
        backend->mesh_free(backend->user, renderer->instances[i].mesh);
    for (uint32_t i = 0; renderer->images != NULL && i < renderer->scene->image_count; i++)
        if (renderer->images[i] != 0)
            backend->texture_free(backend->user, renderer->images[i]);
    free(renderer->instances);
    free(renderer->images);
    free(renderer->vertices);
    free(renderer->shown_joints);
    free(renderer);
}

uint32_t view_renderer_missing_images(const view_renderer *renderer)
{
    return renderer->missing_images;
}

bool view_renderer_set_heat(view_renderer *renderer, const float *heat, const char **out_reason)
{
    const mrw_character *character = renderer->character;
    for (uint32_t i = 0; i < renderer->instance_count; i++) {
        if (!renderer->backend->mesh_set_heat(renderer->backend->user, renderer->instances[i].mesh,
                                              heat)) {
            *out_reason = backend_error(renderer->backend);
            return false;
        }
        heat += character->meshes[character->instances[i].mesh].vertex_count;
    }
    return true;
}

/* --- what changes with the pose ---------------------------------------------------------- */

static bool share(const view_renderer *renderer, view_shared_data what, const void *data,
                  uint64_t count, const char **out_reason)
{
    if (count == 0)
        return true;
    if (count > UINT32_MAX) {
        *out_reason = "the crowd has more matrices than can be counted: make it smaller";
        return false;
    }
    if (renderer->backend->share(renderer->backend->user, what, data, (uint32_t)count))
        return true;
    *out_reason = backend_error(renderer->backend);
    return false;
}

static bool share_crowd(const view_renderer *renderer, const view_crowd_data *crowd,
                        float dual_quat_weight, const char **out_reason)
{
    const uint64_t matrices = (uint64_t)crowd->count * renderer->character->palette_count;
    const uint64_t scalars = (uint64_t)crowd->count * renderer->character->skeleton.scalar_count;
    if (!share(renderer, VIEW_PALETTE, crowd->palette, matrices, out_reason) ||
        !share(renderer, VIEW_MORPH_WEIGHTS, crowd->scalars, scalars, out_reason))
        return false;
    return !(dual_quat_weight > 0.0f) ||
           (share(renderer, VIEW_DUAL_QUATS, crowd->dual_quats, matrices, out_reason) &&
            share(renderer, VIEW_STRETCHES, crowd->stretches, matrices, out_reason));
}

static bool make_vertices(view_renderer *renderer)
{
    const mrw_character *character = renderer->character;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < character->mesh_count; i++)
        if (character->meshes[i].vertex_count > largest)
            largest = character->meshes[i].vertex_count;
    renderer->vertices = calloc((size_t)largest * 6 + 1, sizeof(float));
    return renderer->vertices != NULL;
}

/* The first character's vertices by the CPU. */
static bool update_vertices(view_renderer *renderer, const view_posed *posed,
                            float dual_quat_weight, const char **out_reason)
{
    *out_reason = out_of_memory;
    if (renderer->vertices == NULL && !make_vertices(renderer))
        return false;
    for (uint32_t i = 0; i < renderer->instance_count; i++) {
        const mrw_mesh *mesh = &renderer->character->meshes[renderer->character->instances[i].mesh];
        float *normals =
            mesh->normals != NULL ? renderer->vertices + (size_t)mesh->vertex_count * 3 : NULL;
        mrw_status status =
            view_posed_vertices_mixed(posed, i, dual_quat_weight, renderer->vertices, normals);
        if (status != MRW_OK) {
            *out_reason = mrw_status_text(status);
            return false;
        }
        if (!renderer->backend->mesh_update(renderer->backend->user, renderer->instances[i].mesh,
                                            renderer->vertices, normals)) {
            *out_reason = backend_error(renderer->backend);
            return false;
        }
    }
    return true;
}

/* --- materials ------------------------------------------------------------------------------ */

/* A part without a material. glTF says white; a white model on a light ground shows no form. */
static const mrw_scene_material plain_material = {
    "", {0.80f, 0.80f, 0.80f, 1.0f}, -1, false, false, 0.0f, 0.0f, 1.0f};

static const mrw_scene_material *material_of(const view_renderer *renderer,
                                             const mrw_mesh_part *part)
{
    return part->material < 0 ? &plain_material : &renderer->scene->materials[part->material];
}

static void set_material(const view_renderer *renderer, const mrw_scene_material *material,
                         view_draw_mesh *draw)
{
    int32_t image = material->base_color_image;
    memcpy(draw->base_color, material->base_color, sizeof(draw->base_color));
    draw->texture = image >= 0 ? renderer->images[image] : 0;
    draw->alpha_cutoff = material->alpha_blend ? 0.0f : material->alpha_cutoff;
    draw->roughness = material->roughness;
    draw->blended = material->alpha_blend && draw->surface == VIEW_SURFACE_MATERIAL;
    draw->double_sided = material->double_sided;
}

/* --- drawing ---------------------------------------------------------------------------------- */

typedef struct frame_state {
    view_renderer *renderer;
    const view_posed *posed;
    const view_crowd_data *crowd;
    const view_frame *frame;
    const char **out_reason;
} frame_state;

static bool fail_backend(const frame_state *state)
{
    *state->out_reason = backend_error(state->renderer->backend);
    return false;
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
static void flatten_matrix(mrw_vec3 light, float ground, float out[16])
{
    if (light.y < 0.3f)
        light.y = 0.3f; /* a camera that looks up would cast endless shadows */
    float x = light.x / light.y, z = light.z / light.y;
    float flatten[16] = {1.0f, 0.0f, 0.0f, 0.0f, -x,         0.0f,   -z,         0.0f,
                         0.0f, 0.0f, 1.0f, 0.0f, x * ground, ground, z * ground, 1.0f};
    memcpy(out, flatten, sizeof(flatten));
}

/* How an instance's vertices move: all but surface, view and material. */
static view_draw_mesh draw_of_instance(const view_renderer *renderer, const view_posed *posed,
                                       uint32_t i, uint32_t character_count, float dual_quat_weight)
{
    const mrw_character *character = renderer->character;
    const mrw_mesh_instance *placed = &character->instances[i];
    const instance_state *state = &renderer->instances[i];
    view_draw_mesh draw;
    memset(&draw, 0, sizeof(draw));
    draw.mesh = state->mesh;
    draw.skinned = true;
    /* A rigid mesh is moved by its matrix, whatever the method: dual quaternions and stretch say
     * the same with more rounding. */
    if (is_skinned(character, placed) && dual_quat_weight > 0.0f)
        draw.dual_quat_weight = dual_quat_weight < 1.0f ? dual_quat_weight : 1.0f;
    draw.palette_first = placed->palette_first;
    draw.palette_stride = character->palette_count;
    draw.morph_first = placed->first_scalar;
    draw.morph_stride = character->skeleton.scalar_count;
    draw.instance_count = character_count;
    const mrw_mat34 *heaviest = &posed->palette[placed->palette_first + state->heaviest_joint];
    draw.mirrored = mrw_mat34_determinant(heaviest) < 0.0f;
    return draw;
}

/* One part of all characters. With on_cpu the first one's vertices lie in the scene already and
 * only the others are skinned by the backend. */
static bool draw_part(const frame_state *state, const view_draw_mesh *part)
{
    const view_backend *backend = state->renderer->backend;
    if (part->index_count == 0)
        return true;
    if (!state->frame->on_cpu)
        return backend->draw_mesh(backend->user, part) || fail_backend(state);
    view_draw_mesh first = *part, others = *part;
    first.skinned = false;
    first.instance_count = 1;
    others.palette_first += part->palette_stride;
    others.morph_first += part->morph_stride;
    others.instance_count -= 1;
    if (!backend->draw_mesh(backend->user, &first))
        return fail_backend(state);
    return others.instance_count == 0 || backend->draw_mesh(backend->user, &others) ||
           fail_backend(state);
}

enum { OPAQUE_PARTS = 1, BLENDED_PARTS = 2 };

static bool draw_meshes(const frame_state *state, view_surface surface, int which)
{
    const view_renderer *renderer = state->renderer;
    const view_frame *frame = state->frame;
    const mrw_character *character = renderer->character;
    float flatten[16];
    mrw_vec3 light = key_direction(frame->camera);
    if (surface == VIEW_SURFACE_SHADOW)
        flatten_matrix(light, frame->bounds->min.y, flatten);
    for (uint32_t i = 0; i < character->instance_count; i++) {
        const mrw_mesh *mesh = &character->meshes[character->instances[i].mesh];
        view_draw_mesh draw = draw_of_instance(renderer, state->posed, i, state->crowd->count,
                                               frame->dual_quat_weight);
        draw.view_projection = frame->camera->view_projection;
        draw.flatten = surface == VIEW_SURFACE_SHADOW ? flatten : NULL;
        draw.eye = frame->camera->eye;
        draw.key_direction = light;
        draw.surface = surface;
        for (uint32_t p = 0; p < mesh->part_count; p++) {
            const mrw_mesh_part *part = &mesh->parts[p];
            const mrw_scene_material *material = material_of(renderer, part);
            if (!(which & (material->alpha_blend ? BLENDED_PARTS : OPAQUE_PARTS)))
                continue;
            set_material(renderer, material, &draw);
            draw.topology = part->topology;
            draw.first_index = part->first_index;
            draw.index_count = part->index_count;
            if (!draw_part(state, &draw))
                return false;
        }
    }
    return true;
}

/* Weights are looked at on all of the surface: glass too is drawn opaque then. */
static bool draw_character(const frame_state *state)
{
    if (state->frame->heat)
        return draw_meshes(state, VIEW_SURFACE_HEAT, OPAQUE_PARTS | BLENDED_PARTS);
    return draw_meshes(state, VIEW_SURFACE_MATERIAL, OPAQUE_PARTS) &&
           draw_meshes(state, VIEW_SURFACE_MATERIAL, BLENDED_PARTS);
}

/* Draws the shapes and frees them. */
static bool draw_shapes(const frame_state *state, view_plain_shapes *shapes,
                        const float *view_projection, bool depth_test, bool clear_depth)
{
    const view_backend *backend = state->renderer->backend;
    view_draw_plain draw = {shapes->vertices, (uint32_t)shapes->vertex_count, view_projection,
                            depth_test, clear_depth};
    bool drawn = !shapes->out_of_memory;
    if (!drawn)
        *state->out_reason = out_of_memory;
    else if (shapes->vertex_count > 0 && !backend->draw_plain(backend->user, &draw))
        drawn = fail_backend(state);
    view_plain_shapes_free(shapes);
    return drawn;
}

static bool draw_surroundings(const frame_state *state)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    view_plain_shapes backdrop = {0}, ground = {0};
    view_plain_shapes_add_backdrop(&backdrop, state->frame->dark);
    if (!draw_shapes(state, &backdrop, identity, false, false))
        return false;
    view_plain_shapes_add_ground(&ground, state->frame->bounds, state->frame->dark);
    return draw_shapes(state, &ground, state->frame->camera->view_projection, false, false);
}

static bool draw_box(const frame_state *state)
{
    view_plain_shapes box = {0};
    view_plain_shapes_add_box(&box, state->frame->bounds);
    return draw_shapes(state, &box, state->frame->camera->view_projection, true, false);
}

/* Over the mesh, but bones hide each other. The rim is drawn first: it shows around all of the
 * bones, so that they stand out from a mesh of any colour. */
static bool draw_skeleton(const frame_state *state)
{
    const float *view_projection = state->frame->camera->view_projection;
    const float whole = diagonal(state->frame->bounds);
    float size = state->renderer->model_size;
    if (!(size > 0.0f) || (whole > 0.0f && whole < size))
        size = whole;
    view_plain_shapes bones = {0}, rim = {0};
    view_plain_shapes_add_skeleton(&bones, &rim, state->posed, state->renderer->shown_joints, size,
                                   state->frame->selected_joint);
    bool drawn = draw_shapes(state, &rim, view_projection, true, true);
    return draw_shapes(state, &bones, view_projection, true, true) && drawn;
}

static bool draw_all(const frame_state *state)
{
    const view_frame *frame = state->frame;
    return (frame->transparent ||
            (draw_surroundings(state) && draw_meshes(state, VIEW_SURFACE_SHADOW, OPAQUE_PARTS))) &&
           draw_character(state) && (!frame->box || draw_box(state)) &&
           (!frame->skeleton || draw_skeleton(state));
}

bool view_renderer_draw(view_renderer *renderer, const view_posed *posed,
                        const view_crowd_data *crowd, const view_frame *frame,
                        const char **out_reason)
{
    const view_backend *backend = renderer->backend;
    const view_crowd_data alone = view_crowd_of_posed(posed);
    const frame_state state = {renderer, posed, crowd != NULL ? crowd : &alone, frame, out_reason};
    if (!share_crowd(renderer, state.crowd, frame->dual_quat_weight, out_reason) ||
        (frame->on_cpu && !update_vertices(renderer, posed, frame->dual_quat_weight, out_reason)))
        return false;
    if (!backend->frame_begin(backend->user, frame->width, frame->height))
        return fail_backend(&state);
    bool drawn = draw_all(&state);
    bool ended = backend->frame_end(backend->user);
    return drawn && (ended || fail_backend(&state));
}

bool view_renderer_capture(view_renderer *renderer, const view_posed *posed, uint32_t instance,
                           float dual_quat_weight, float *out_positions, const char **out_reason)
{
    const view_backend *backend = renderer->backend;
    const view_crowd_data alone = view_crowd_of_posed(posed);
    if (instance >= renderer->instance_count) {
        *out_reason = "the character has no such mesh instance";
        return false;
    }
    if (!share_crowd(renderer, &alone, dual_quat_weight, out_reason))
        return false;
    view_draw_mesh draw = draw_of_instance(renderer, posed, instance, 1, dual_quat_weight);
    if (backend->capture(backend->user, &draw, out_positions))
        return true;
    *out_reason = backend_error(backend);
    return false;
}
