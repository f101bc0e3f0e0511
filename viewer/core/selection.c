#include "core/selection.h"

#include "core/orbit.h"

#include <float.h>
#include <string.h>

static bool is_skinned(const mrw_character *character, const mrw_mesh_instance *instance)
{
    return instance->skin >= 0 && character->meshes[instance->mesh].influence_count > 0;
}

/* --- shown joints ------------------------------------------------------------------------- */

/* What is known of a joint on the way, in the bytes that end as the answer. */
enum {
    WEIGHTED = 1,    /* moves a vertex */
    SKIN_JOINT = 2,  /* a skin names it */
    BELOW = 4,       /* something in its subtree, itself included, is weighted */
    BELOW_TWICE = 8, /* so are two of its children's */
    SHOWN = 16
};

static void mark_instance(const mrw_character *character, const mrw_mesh_instance *instance,
                          uint8_t *marks)
{
    const mrw_mesh *mesh = &character->meshes[instance->mesh];
    const mrw_skin *skin = &character->skins[instance->skin];
    for (uint32_t j = 0; j < skin->joint_count; j++)
        marks[skin->joints[j]] |= SKIN_JOINT;
    size_t count = (size_t)mesh->vertex_count * mesh->influence_count;
    for (size_t i = 0; i < count; i++)
        if (mesh->weights[i] > 0.0f)
            marks[skin->joints[mesh->joints[i]]] |= WEIGHTED | BELOW;
}

/* Joints stand parents-first: one pass up tells each what is below it, one pass down starts at the
 * topmost weighted joint, or at the joint of a skin where the ways to two weighted ones part, and
 * follows everything that leads to weight. */
void view_shown_joints(const mrw_character *character, bool *out_shown)
{
    _Static_assert(sizeof(bool) == 1, "marks lie in the caller's bools");
    const mrw_skeleton *skeleton = &character->skeleton;
    uint8_t *marks = (uint8_t *)out_shown;
    bool any = false;
    if (skeleton->joint_count == 0)
        return;
    memset(marks, 0, skeleton->joint_count);
    for (uint32_t i = 0; i < character->instance_count; i++)
        if (is_skinned(character, &character->instances[i]))
            mark_instance(character, &character->instances[i], marks);
    for (uint32_t j = skeleton->joint_count; j-- > 0;) {
        int32_t parent = skeleton->parents[j];
        if (!(marks[j] & BELOW))
            continue;
        any = true;
        if (parent >= 0)
            marks[parent] |=
                (marks[parent] & BELOW) && !(marks[parent] & WEIGHTED) ? BELOW_TWICE : BELOW;
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        int32_t parent = skeleton->parents[j];
        bool follows = parent >= 0 && (marks[parent] & SHOWN) && (marks[j] & BELOW);
        bool parts = (marks[j] & BELOW_TWICE) && (marks[j] & SKIN_JOINT);
        if ((marks[j] & WEIGHTED) || parts || follows)
            marks[j] |= SHOWN;
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        out_shown[j] = !any || (marks[j] & SHOWN);
}

/* --- picking -------------------------------------------------------------------------------- */

/* A point of the picture; depth is the distance from the eye along the view. */
typedef struct pixel {
    float x, y, depth;
} pixel;

typedef struct picture {
    const view_camera *camera;
    float width, height;
} picture;

static mrw_vec3 place_of(const view_posed *posed, uint32_t joint)
{
    const mrw_mat34 *model = &posed->model[joint];
    mrw_vec3 place = {model->m[0][3], model->m[1][3], model->m[2][3]};
    return place;
}

static float depth_of(const view_camera *camera, mrw_vec3 p)
{
    const mrw_vec3 back = camera->back, eye = camera->eye;
    return (eye.x - p.x) * back.x + (eye.y - p.y) * back.y + (eye.z - p.z) * back.z;
}

static bool project(const picture *to, mrw_vec3 point, pixel *out_pixel)
{
    out_pixel->depth = depth_of(to->camera, point);
    return view_camera_project(to->camera, point, to->width, to->height, &out_pixel->x,
                               &out_pixel->y);
}

/* The end of a bone that lies behind the eye is moved to just before it. */
static mrw_vec3 cut(const view_camera *camera, mrw_vec3 seen, mrw_vec3 hidden)
{
    float seen_depth = depth_of(camera, seen), hidden_depth = depth_of(camera, hidden);
    float t = 0.99f * seen_depth / (seen_depth - hidden_depth);
    mrw_vec3 point = {seen.x + t * (hidden.x - seen.x), seen.y + t * (hidden.y - seen.y),
                      seen.z + t * (hidden.z - seen.z)};
    return point;
}

typedef struct hit {
    float distance; /* pixels */
    float depth;
    float along; /* 0 at the joint .. 1 at the bone's end */
} hit;

/* The point of a bone that is nearest in the picture. Depth is not linear along it, its inverse is.
 */
static bool nearest_of_bone(const picture *in, mrw_vec3 joint, mrw_vec3 end, float x, float y,
                            hit *out_hit)
{
    pixel a, b;
    bool joint_is_seen = project(in, joint, &a), end_is_seen = project(in, end, &b);
    /* What is at the eye itself has a depth but no place in the picture that rounding leaves alone.
     */
    joint_is_seen = joint_is_seen && a.depth > 1e-3f * b.depth;
    end_is_seen = end_is_seen && b.depth > 1e-3f * a.depth;
    if (!joint_is_seen && !end_is_seen)
        return false;
    if (!joint_is_seen && !project(in, cut(in->camera, end, joint), &a))
        return false;
    if (!end_is_seen && !project(in, cut(in->camera, joint, end), &b))
        return false;
    float bx = b.x - a.x, by = b.y - a.y;
    float length_squared = bx * bx + by * by;
    float t = a.depth <= b.depth ? 0.0f : 1.0f; /* of a bone that is seen as a point */
    if (length_squared > 1.0f)
        t = ((x - a.x) * bx + (y - a.y) * by) / length_squared;
    t = t > 0.0f ? t : 0.0f;
    t = t < 1.0f ? t : 1.0f;
    float dx = a.x + t * bx - x, dy = a.y + t * by - y;
    out_hit->distance = mrw_sqrt(dx * dx + dy * dy);
    out_hit->depth = 1.0f / ((1.0f - t) / a.depth + t / b.depth);
    out_hit->along = t;
    return out_hit->distance <= FLT_MAX;
}

/* Bones that meet in a joint are equally near there: the joint's own bone is meant. */
static bool is_nearer(const hit *a, const hit *b)
{
    float slack = 1e-3f * b->depth;
    if (a->depth < b->depth - slack || a->depth > b->depth + slack)
        return a->depth < b->depth;
    return a->along < b->along;
}

typedef struct pick {
    int32_t joint;
    hit hit;
    float limit; /* pixels */
} pick;

/* Either lowers the limit to what is found, or takes it if it is the best within the limit. */
static void offer(pick *best, bool measure, uint32_t joint, const hit *found)
{
    if (found->distance > best->limit)
        return;
    if (measure) {
        best->limit = found->distance;
    } else if (best->joint < 0 || is_nearer(found, &best->hit)) {
        best->joint = (int32_t)joint;
        best->hit = *found;
    }
}

static void look_at_bones(const view_posed *posed, const bool *shown, const picture *in, float x,
                          float y, bool measure, pick *best)
{
    const mrw_skeleton *skeleton = &posed->character->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        int32_t parent = skeleton->parents[j];
        mrw_vec3 place = place_of(posed, j);
        hit found;
        if (!shown[j])
            continue;
        /* The joint itself, which ends its parent's bone and may have none of its own. */
        if (nearest_of_bone(in, place, place, x, y, &found))
            offer(best, measure, j, &found);
        if (parent >= 0 && shown[parent] &&
            nearest_of_bone(in, place_of(posed, (uint32_t)parent), place, x, y, &found))
            offer(best, measure, (uint32_t)parent, &found);
    }
}

int32_t view_pick_joint(const view_posed *posed, const bool *shown, const view_camera *camera,
                        float x, float y, float width, float height, float radius)
{
    picture in = {camera, width, height};
    pick best = {-1, {0.0f, 0.0f, 0.0f}, radius};
    look_at_bones(posed, shown, &in, x, y, true, &best);
    best.limit = best.limit + 1.0f < radius ? best.limit + 1.0f : radius;
    look_at_bones(posed, shown, &in, x, y, false, &best);
    return best.joint;
}

/* --- searching ------------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins_with(const char *name, const char *text)
{
    while (*text != '\0' && lower(*name) == lower(*text)) {
        name++;
        text++;
    }
    return *text == '\0';
}

static bool contains(const char *name, const char *text)
{
    for (; *name != '\0'; name++)
        if (begins_with(name, text))
            return true;
    return false;
}

int32_t view_find_joint(const mrw_skeleton *skeleton, const char *text, int32_t after)
{
    const uint32_t count = skeleton->joint_count;
    uint32_t first = after >= 0 && (uint32_t)after < count ? (uint32_t)after + 1 : 0;
    for (uint32_t i = 0; *text != '\0' && i < count; i++) {
        uint32_t joint = (first + i) % count;
        if (contains(mrw_skeleton_joint_name(skeleton, joint), text))
            return (int32_t)joint;
    }
    return -1;
}

/* --- heat ------------------------------------------------------------------------------------- */

uint32_t view_vertex_count(const mrw_character *character)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < character->instance_count; i++)
        count += character->meshes[character->instances[i].mesh].vertex_count;
    return count;
}

static float heat_of_vertex(const mrw_mesh *mesh, const mrw_skin *skin, uint32_t vertex,
                            uint32_t joint)
{
    size_t first = (size_t)vertex * mesh->influence_count;
    float heat = 0.0f;
    for (uint32_t i = 0; i < mesh->influence_count; i++)
        if (skin->joints[mesh->joints[first + i]] == joint)
            heat += mesh->weights[first + i];
    return heat < 1.0f ? heat : 1.0f;
}

void view_joint_heat(const mrw_character *character, int32_t joint, float *out_heat)
{
    for (uint32_t i = 0; i < character->instance_count; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        const mrw_mesh *mesh = &character->meshes[instance->mesh];
        bool skinned = is_skinned(character, instance);
        float rigid = joint >= 0 && instance->joint == (uint32_t)joint ? 1.0f : 0.0f;
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            *out_heat++ = !skinned    ? rigid
                          : joint < 0 ? 0.0f
                                      : heat_of_vertex(mesh, &character->skins[instance->skin], v,
                                                       (uint32_t)joint);
    }
}
