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
 * faces has its own shade, so that the form reads without light; with `flat` they are all alike. */
static void add_octahedron(view_plain_shapes *shapes, mrw_vec3 tail, mrw_vec3 tip, float width,
                           const float color[4], bool flat)
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
        float shade = flat ? 1.0f : shades[i];
        float shaded[4] = {color[0] * shade, color[1] * shade, color[2] * shade, color[3]};
        mrw_vec3 ends[2] = {tail, tip};
        for (int end = 0; end < 2; end++) {
            add_vertex(shapes, ends[end], shaded);
            add_vertex(shapes, belt[i], shaded);
            add_vertex(shapes, belt[(i + 1) % 4], shaded);
        }
    }
}

static const float rim_color[4] = {0.10f, 0.11f, 0.14f, 1.0f};

/* The same form again in the rim, larger by `rim_width` on every side. */
static void add_rimmed(view_plain_shapes *bones, view_plain_shapes *rim, mrw_vec3 tail,
                       mrw_vec3 tip, float width, float rim_width, const float color[4])
{
    mrw_vec3 up = {0.0f, 1.0f, 0.0f};
    mrw_vec3 axis = unit_or(add(tip, tail, -1.0f), up);
    add_octahedron(bones, tail, tip, width, color, false);
    add_octahedron(rim, add(tail, axis, -1.5f * rim_width), add(tip, axis, 1.5f * rim_width),
                   width + 1.5f * rim_width, rim_color, true);
}

static mrw_vec3 place_of(const view_posed *posed, uint32_t joint)
{
    const mrw_mat34 *model = &posed->model[joint];
    mrw_vec3 place = {model->m[0][3], model->m[1][3], model->m[2][3]};
    return place;
}

static void add_joint(view_plain_shapes *bones, view_plain_shapes *rim, mrw_vec3 place,
                      float radius, float rim_width, const float color[4])
{
    mrw_vec3 up = {0.0f, radius, 0.0f};
    add_rimmed(bones, rim, add(place, up, -1.0f), add(place, up, 1.0f), 0.8f * radius, rim_width,
               color);
}

void view_plain_shapes_add_skeleton(view_plain_shapes *bones, view_plain_shapes *rim,
                                    const view_posed *posed, const bool *shown, float size,
                                    int32_t selected_joint)
{
    static const float bone_color[4] = {1.0f, 0.80f, 0.36f, 1.0f};
    static const float joint_color[4] = {0.98f, 0.42f, 0.28f, 1.0f};
    static const float selected_color[4] = {0.30f, 0.85f, 1.0f, 1.0f};
    const mrw_skeleton *skeleton = &posed->character->skeleton;
    const float radius = 0.008f * size, rim_width = 0.0022f * size;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const bool selected = (int32_t)j == selected_joint;
        if (!shown[j] && !selected)
            continue;
        mrw_vec3 tip = place_of(posed, j);
        int32_t parent = skeleton->parents[j];
        if (parent >= 0 && shown[parent]) {
            mrw_vec3 tail = place_of(posed, (uint32_t)parent);
            float width = 0.09f * length(add(tip, tail, -1.0f));
            float widest = 0.02f * size;
            add_rimmed(bones, rim, tail, tip, width < widest ? width : widest, rim_width,
                       parent == selected_joint ? selected_color : bone_color);
        }
        add_joint(bones, rim, tip, selected ? 1.6f * radius : radius, rim_width,
                  selected ? selected_color : joint_color);
    }
}

/* --- bounds ------------------------------------------------------------------------------ */

/* A beam along one axis (0 x, 1 y, 2 z) between two points that differ in it alone. */
static void add_beam(view_plain_shapes *shapes, mrw_vec3 from, mrw_vec3 to, int axis,
                     float half_width, const float color[4])
{
    mrw_vec3 u = {axis == 0 ? 0.0f : half_width, axis == 0 ? half_width : 0.0f, 0.0f};
    mrw_vec3 v = {0.0f, axis == 2 ? half_width : 0.0f, axis == 2 ? 0.0f : half_width};
    mrw_vec3 around[4] = {
        add(u, v, 1.0f), add(v, u, -1.0f), {-u.x - v.x, -u.y - v.y, -u.z - v.z}, add(u, v, -1.0f)};
    for (int i = 0; i < 4; i++) {
        mrw_vec3 a = around[i], b = around[(i + 1) % 4];
        add_vertex(shapes, add(from, a, 1.0f), color);
        add_vertex(shapes, add(to, a, 1.0f), color);
        add_vertex(shapes, add(to, b, 1.0f), color);
        add_vertex(shapes, add(from, a, 1.0f), color);
        add_vertex(shapes, add(to, b, 1.0f), color);
        add_vertex(shapes, add(from, b, 1.0f), color);
    }
}

static mrw_vec3 corner_of(const view_bounds *bounds, int bits)
{
    mrw_vec3 corner = {(bits & 1) ? bounds->max.x : bounds->min.x,
                       (bits & 2) ? bounds->max.y : bounds->min.y,
                       (bits & 4) ? bounds->max.z : bounds->min.z};
    return corner;
}

void view_plain_shapes_add_box(view_plain_shapes *shapes, const view_bounds *bounds)
{
    static const float line_color[4] = {0.16f, 0.30f, 0.55f, 1.0f};
    if (view_bounds_is_empty(bounds))
        return;
    const float half_width = 0.0012f * length(add(bounds->max, bounds->min, -1.0f));
    for (int axis = 0; axis < 3; axis++)
        for (int bits = 0; bits < 8; bits++)
            if (!(bits & (1 << axis)))
                add_beam(shapes, corner_of(bounds, bits), corner_of(bounds, bits | (1 << axis)),
                         axis, half_width, line_color);
}

/* --- surroundings -------------------------------------------------------------------------- */

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

void view_plain_shapes_add_ground(view_plain_shapes *shapes, const view_bounds *bounds, bool dark)
{
    static const float floor_rgb[2][3] = {{0.97f, 0.98f, 1.0f}, {0.33f, 0.36f, 0.41f}};
    static const float ring_rgb[2][3] = {{0.45f, 0.50f, 0.58f}, {0.62f, 0.67f, 0.75f}};
    view_bounds box = *bounds;
    if (view_bounds_is_empty(bounds)) { /* the unit cube that the camera looks at then */
        box.min = (mrw_vec3){-0.5f, -0.5f, -0.5f};
        box.max = (mrw_vec3){0.5f, 0.5f, 0.5f};
    }
    float radius = 1.1f * length(add(box.max, box.min, -1.0f));
    mrw_vec3 centre = {0.5f * (box.min.x + box.max.x), box.min.y - 0.002f * radius,
                       0.5f * (box.min.z + box.max.z)};
    add_ring(shapes, centre, 0.0f, radius, floor_rgb[dark], 0.55f, 0.0f);
    for (int i = 1; i < GROUND_RINGS; i++) {
        float at = radius * (float)i / (float)GROUND_RINGS;
        float opacity = 0.22f * (1.0f - (float)i / (float)GROUND_RINGS);
        add_ring(shapes, centre, at - 0.002f * radius, at + 0.002f * radius, ring_rgb[dark],
                 opacity, opacity);
    }
}

void view_plain_shapes_add_backdrop(view_plain_shapes *shapes, bool dark)
{
    static const float top[2][4] = {{0.62f, 0.68f, 0.76f, 1.0f}, {0.10f, 0.11f, 0.14f, 1.0f}};
    static const float bottom[2][4] = {{0.88f, 0.90f, 0.92f, 1.0f}, {0.23f, 0.25f, 0.29f, 1.0f}};
    mrw_vec3 corners[4] = {
        {-1.0f, -1.0f, 0.0f}, {1.0f, -1.0f, 0.0f}, {1.0f, 1.0f, 0.0f}, {-1.0f, 1.0f, 0.0f}};
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; i++)
        add_vertex(shapes, corners[order[i]],
                   corners[order[i]].y < 0.0f ? bottom[dark] : top[dark]);
}
