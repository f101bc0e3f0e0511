/* Scenes made by hand, for the tests of what reads scenes. */
#ifndef TEST_HANDMADE_SCENE_H
#define TEST_HANDMADE_SCENE_H

#include <marrow/offline/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Nodes without names, parents or transforms, all shown. */
static inline mrw_scene *new_scene(uint32_t node_count)
{
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(NULL, &scene), MRW_OK);
    scene->node_count = node_count;
    scene->nodes = mrw_scene_alloc(scene, node_count, sizeof(*scene->nodes));
    assert_non_null(scene->nodes);
    for (uint32_t i = 0; i < node_count; i++) {
        mrw_scene_node node = {"", -1, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, -1, -1, 0, NULL, true};
        scene->nodes[i] = node;
    }
    return scene;
}

/* A copy in the scene's memory. */
static inline void *scene_copy(mrw_scene *scene, const void *bytes, size_t size_bytes)
{
    void *copy = mrw_scene_alloc(scene, 1, size_bytes);
    assert_non_null(copy);
    memcpy(copy, bytes, size_bytes);
    return copy;
}

static inline float *scene_floats(mrw_scene *scene, const float *values, size_t count)
{
    return scene_copy(scene, values, count * sizeof(*values));
}

/* `count` more elements of zeros at the end of one of the scene's arrays; returns the new array. */
static inline void *scene_grow(mrw_scene *scene, const void *array, uint32_t old_count,
                               uint32_t count, size_t size_bytes)
{
    uint8_t *grown = mrw_scene_alloc(scene, (size_t)old_count + count, size_bytes);
    assert_non_null(grown);
    if (old_count > 0)
        memcpy(grown, array, old_count * size_bytes);
    return grown;
}

/* A new mesh of primitive_count triangles with the corners (0,0,0) (1,0,0) (0,0.1,-2); returns its
 * index. */
static inline int32_t add_mesh(mrw_scene *scene, const char *name, uint32_t primitive_count)
{
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0.1f, -2};
    static const uint32_t indices[] = {0, 1, 2};
    uint32_t index = scene->mesh_count;
    scene->meshes = scene_grow(scene, scene->meshes, index, 1, sizeof(*scene->meshes));
    scene->mesh_count++;
    mrw_scene_mesh *mesh = &scene->meshes[index];
    mesh->name = name;
    mesh->primitive_count = primitive_count;
    mesh->primitives = mrw_scene_alloc(scene, primitive_count, sizeof(*mesh->primitives));
    for (uint32_t i = 0; i < primitive_count; i++) {
        mrw_scene_primitive *primitive = &mesh->primitives[i];
        primitive->topology = MRW_TOPOLOGY_TRIANGLES;
        primitive->material = -1;
        primitive->vertex_count = 3;
        primitive->positions = scene_floats(scene, positions, 9);
        primitive->index_count = 3;
        primitive->indices = scene_copy(scene, indices, sizeof(indices));
    }
    return (int32_t)index;
}

/* Influences of a triangle: 3 * count of each. */
static inline void set_influences(mrw_scene *scene, mrw_scene_primitive *primitive, uint32_t count,
                                  const uint16_t *joints, const float *weights)
{
    primitive->influence_count = count;
    primitive->joints = scene_copy(scene, joints, 3 * count * sizeof(*joints));
    primitive->weights = scene_floats(scene, weights, 3 * count);
}

/* Morph targets of a mesh, which move nothing yet. */
static inline void set_targets(mrw_scene *scene, int32_t mesh, uint32_t count,
                               const char *const *names, const float *weights)
{
    mrw_scene_mesh *target_mesh = &scene->meshes[mesh];
    target_mesh->target_count = count;
    target_mesh->target_names = scene_copy(scene, names, count * sizeof(*names));
    target_mesh->target_weights = scene_floats(scene, weights, count);
    for (uint32_t i = 0; i < target_mesh->primitive_count; i++)
        target_mesh->primitives[i].targets =
            mrw_scene_alloc(scene, count, sizeof(mrw_scene_target));
}

/* A new skin; returns its index. */
static inline int32_t add_skin(mrw_scene *scene, uint32_t joint_count, const int32_t *joints)
{
    uint32_t index = scene->skin_count;
    scene->skins = scene_grow(scene, scene->skins, index, 1, sizeof(*scene->skins));
    scene->skin_count++;
    scene->skins[index].name = "";
    scene->skins[index].joint_count = joint_count;
    scene->skins[index].joints = scene_copy(scene, joints, joint_count * sizeof(*joints));
    return (int32_t)index;
}

/* A new animation; returns its index. */
static inline int32_t add_animation(mrw_scene *scene, const char *name)
{
    uint32_t index = scene->animation_count;
    scene->animations = scene_grow(scene, scene->animations, index, 1, sizeof(*scene->animations));
    scene->animation_count++;
    scene->animations[index].name = name;
    return (int32_t)index;
}

/* A channel of the newest animation. */
static inline void add_channel(mrw_scene *scene, int32_t node, mrw_channel_path path,
                               mrw_interpolation interpolation, uint32_t key_count, uint32_t width,
                               const float *times, const float *values)
{
    mrw_scene_animation *animation = &scene->animations[scene->animation_count - 1];
    uint32_t index = animation->channel_count;
    animation->channels =
        scene_grow(scene, animation->channels, index, 1, sizeof(*animation->channels));
    animation->channel_count++;
    size_t rows = (size_t)key_count * (interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1);
    mrw_scene_channel channel = {node, path, interpolation, key_count, width, NULL, NULL};
    channel.times = scene_floats(scene, times, key_count);
    channel.values = scene_floats(scene, values, rows * width);
    animation->channels[index] = channel;
}

/* An allocator whose Nth call fails, and that knows what it has handed out. */
typedef struct failing_heap {
    size_t held_bytes;
    uint32_t calls;
    uint32_t fail_at; /* 1-based; 0: none */
} failing_heap;

static inline void *failing_allocate(void *user, size_t size_bytes)
{
    failing_heap *heap = user;
    if (++heap->calls == heap->fail_at)
        return NULL;
    heap->held_bytes += size_bytes;
    return aligned_alloc(64, (size_bytes + 63) / 64 * 64);
}

static inline void failing_release(void *user, void *memory, size_t size_bytes)
{
    failing_heap *heap = user;
    heap->held_bytes -= size_bytes;
    free(memory);
}

static inline mrw_memory_options failing_options(failing_heap *heap)
{
    mrw_memory_options options = mrw_memory_options_default();
    options.allocator.user = heap;
    options.allocator.allocate = failing_allocate;
    options.allocator.release = failing_release;
    options.separate = true;
    return options;
}

#endif
