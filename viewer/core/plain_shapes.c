#include "core/plain_shapes.h"

#include <stdlib.h>
#include <string.h>

void view_plain_shapes_free(view_plain_shapes *shapes)
{
    free(shapes->vertices);
    memset(shapes, 0, sizeof(*shapes));
}

static void add_vertex(view_plain_shapes *shapes, mrw_vec3 position, const float color[4])
{
    if (shapes->vertex_count == shapes->capacity) {
        size_t capacity = shapes->capacity == 0 ? 1024 : shapes->capacity * 2;
        view_plain_vertex *grown = realloc(shapes->vertices, capacity * sizeof(*grown));
        if (grown == NULL) {
            shapes->out_of_memory = true;
            return;
        }
        shapes->vertices = grown;
        shapes->capacity = capacity;
    }
    view_plain_vertex vertex = {position, {color[0], color[1], color[2], color[3]}};
    shapes->vertices[shapes->vertex_count++] = vertex;
}

static mrw_vec3 add(mrw_vec3 a, mrw_vec3 b, float scale)
{
    mrw_vec3 sum = {a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
    return sum;
}

static mrw_vec3 cross(mrw_vec3 a, mrw_vec3 b)
{
    mrw_vec3 product = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return product;
}

static float length(mrw_vec3 v)
{
    return mrw_sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static mrw_vec3 unit_or(mrw_vec3 v, mrw_vec3 fallback)
{
    float size = length(v);
    if (!(size > 0.0f))
        return fallback;
    mrw_vec3 unit = {v.x / size, v.y / size, v.z / size};
    return unit;
}

/* A double pyramid from tail to tip; its belt lies a fifth of the way along. Each of the eight
 * faces has its own shade, so that the form reads without light. */
static void add_octahedron(view_plain_shapes *shapes, mrw_vec3 tail, mrw_vec3 tip, float width,
                           const float color[4])
{
    mrw_vec3 up = {0.0f, 1.0f, 0.0f};
    mrw_vec3 axis = unit_or(add(tip, tail, -1.0f), up);
    mrw_vec3 helper = {axis.y, axis.z, axis.x};
    mrw_vec3 sideways = {1.0f, 0.0f, 0.0f};
    mrw_vec3 side = unit_or(cross(axis, helper), sideways);
    mrw_vec3 other = cross(axis, side);
    mrw_vec3 middle = add(tail, add(tip, tail, -1.0f), 0.2f);
    mrw_vec3 belt[4] = {add(middle, side, width), add(middle, other, width),
                        add(middle, side, -width), add(middle, other, -width)};
    for (int i = 0; i < 4; i++) {
        static const float shades[4] = {1.0f, 0.86f, 0.66f, 0.80f};
        float shade[4] = {color[0] * shades[i], color[1] * shades[i], color[2] * shades[i],
                          color[3]};
        mrw_vec3 ends[2] = {tail, tip};
        for (int end = 0; end < 2; end++) {
            add_vertex(shapes, ends[end], shade);
            add_vertex(shapes, belt[i], shade);
            add_vertex(shapes, belt[(i + 1) % 4], shade);
        }
    }
}

static mrw_vec3 place_of(const view_posed *posed, uint32_t joint)
{
    const mrw_mat34 *model = &posed->model[joint];
    mrw_vec3 place = {model->m[0][3], model->m[1][3], model->m[2][3]};
    return place;
}

/* Which joints belong to the skeleton that an animator sees: those of skins, or all if there is no
 * skin. NULL if memory ran out. */
static bool *bones_of(const mrw_character *character)
{
    uint32_t count = character->skeleton.joint_count;
    bool *is_bone = calloc((size_t)count + 1, sizeof(*is_bone));
    if (is_bone == NULL)
        return NULL;
    for (uint32_t s = 0; s < character->skin_count; s++)
        for (uint32_t j = 0; j < character->skins[s].joint_count; j++)
            is_bone[character->skins[s].joints[j]] = true;
    for (uint32_t j = 0; character->skin_count == 0 && j < count; j++)
        is_bone[j] = true;
    return is_bone;
}

void view_plain_shapes_add_skeleton(view_plain_shapes *shapes, const view_posed *posed, float size)
{
    static const float bone_color[4] = {1.0f, 0.72f, 0.25f, 0.92f};
    static const float joint_color[4] = {0.98f, 0.42f, 0.28f, 1.0f};
    const mrw_skeleton *skeleton = &posed->character->skeleton;
    bool *is_bone = bones_of(posed->character);
    if (is_bone == NULL) {
        shapes->out_of_memory = true;
        return;
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (!is_bone[j])
            continue;
        mrw_vec3 tip = place_of(posed, j);
        int32_t parent = skeleton->parents[j];
        if (parent >= 0 && is_bone[parent]) {
            mrw_vec3 tail = place_of(posed, (uint32_t)parent);
            float bone_length = length(add(tip, tail, -1.0f));
            float width = 0.09f * bone_length;
            float widest = 0.02f * size;
            add_octahedron(shapes, tail, tip, width < widest ? width : widest, bone_color);
        }
        float radius = 0.008f * size;
        mrw_vec3 up = {0.0f, radius, 0.0f};
        add_octahedron(shapes, add(tip, up, -1.0f), add(tip, up, 1.0f), 0.8f * radius, joint_color);
    }
    free(is_bone);
}

#define GROUND_SEGMENTS 96
#define GROUND_RINGS 10

static mrw_vec3 ground_point(mrw_vec3 centre, float radius, int segment)
{
    float angle = 2.0f * MRW_PI * (float)(segment % GROUND_SEGMENTS) / (float)GROUND_SEGMENTS;
    mrw_vec3 point = {centre.x + radius * mrw_cos(angle), centre.y,
                      centre.z + radius * mrw_sin(angle)};
    return point;
}

/* A flat ring; its opacity goes from `inner` to `outer`. */
static void add_ring(view_plain_shapes *shapes, mrw_vec3 centre, float inner_radius,
                     float outer_radius, const float rgb[3], float inner, float outer)
{
    float inner_color[4] = {rgb[0], rgb[1], rgb[2], inner};
    float outer_color[4] = {rgb[0], rgb[1], rgb[2], outer};
    for (int i = 0; i < GROUND_SEGMENTS; i++) {
        mrw_vec3 a = ground_point(centre, inner_radius, i);
        mrw_vec3 b = ground_point(centre, inner_radius, i + 1);
        mrw_vec3 c = ground_point(centre, outer_radius, i);
        mrw_vec3 d = ground_point(centre, outer_radius, i + 1);
        add_vertex(shapes, a, inner_color);
        add_vertex(shapes, c, outer_color);
        add_vertex(shapes, d, outer_color);
        add_vertex(shapes, a, inner_color);
        add_vertex(shapes, d, outer_color);
        add_vertex(shapes, b, inner_color);
    }
}

void view_plain_shapes_add_ground(view_plain_shapes *shapes, const view_bounds *bounds)
{
    static const float floor_rgb[3] = {0.97f, 0.98f, 1.0f};
    static const float ring_rgb[3] = {0.45f, 0.50f, 0.58f};
    mrw_vec3 size = add(bounds->max, bounds->min, -1.0f);
    float radius = 1.1f * length(size);
    mrw_vec3 centre = {0.5f * (bounds->min.x + bounds->max.x), bounds->min.y - 0.002f * radius,
                       0.5f * (bounds->min.z + bounds->max.z)};
    add_ring(shapes, centre, 0.0f, radius, floor_rgb, 0.55f, 0.0f);
    for (int i = 1; i < GROUND_RINGS; i++) {
        float at = radius * (float)i / (float)GROUND_RINGS;
        float opacity = 0.22f * (1.0f - (float)i / (float)GROUND_RINGS);
        add_ring(shapes, centre, at - 0.002f * radius, at + 0.002f * radius, ring_rgb, opacity,
                 opacity);
    }
}

void view_plain_shapes_add_backdrop(view_plain_shapes *shapes)
{
    static const float top[4] = {0.62f, 0.68f, 0.76f, 1.0f};
    static const float bottom[4] = {0.88f, 0.90f, 0.92f, 1.0f};
    mrw_vec3 corners[4] = {
        {-1.0f, -1.0f, 0.0f}, {1.0f, -1.0f, 0.0f}, {1.0f, 1.0f, 0.0f}, {-1.0f, 1.0f, 0.0f}};
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; i++)
        add_vertex(shapes, corners[order[i]], corners[order[i]].y < 0.0f ? bottom : top);
}
