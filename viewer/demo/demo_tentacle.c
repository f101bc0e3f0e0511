#include "demo.h"

#include "demo_curve.h"
#include "demo_shape.h"
#include "demo_vec.h"

#include <string.h>

/* The smallest thing that shows skinning: a box strip that stands on y = 0, a chain of four joints
 * in it, and a wave that runs up the chain.
 *
 *     y   1.6 .---.
 *             |   |   joint_3 from 1.2
 *         1.2 |-+-|
 *             |   |   joint_2
 *         0.8 |-+-|     between the middles of two joints' lengths a
 *             |   |   joint_1   vertex goes over from one to the other
 *         0.4 |-+-|
 *             |   |   joint_0
 *         0.0 '-+-'
 */

enum { JOINT_COUNT = 4, MESH_NODE = JOINT_COUNT, NODE_COUNT };
#define JOINT_LENGTH 0.4f
#define HEIGHT (JOINT_LENGTH * (float)JOINT_COUNT)

static const char *const joint_names[JOINT_COUNT] = {"joint_0", "joint_1", "joint_2", "joint_3"};

static bool fill_nodes(mrw_scene *scene)
{
    scene->nodes = mrw_scene_alloc(scene, NODE_COUNT, sizeof(*scene->nodes));
    if (scene->nodes == NULL)
        return false;
    scene->node_count = NODE_COUNT;
    for (int32_t i = 0; i < NODE_COUNT; i++) {
        mrw_scene_node *node = &scene->nodes[i];
        bool is_joint = i < JOINT_COUNT;
        node->name = is_joint ? joint_names[i] : "tentacle";
        node->parent = is_joint ? i - 1 : -1;
        node->local = mrw_transform_identity();
        if (is_joint && i > 0)
            node->local.translation.y = JOINT_LENGTH;
        node->mesh = is_joint ? -1 : 0;
        node->skin = is_joint ? -1 : 0;
        node->in_scene = true;
    }
    return true;
}

static bool fill_skin(mrw_scene *scene)
{
    scene->skins = mrw_scene_alloc(scene, 1, sizeof(*scene->skins));
    int32_t *joints = mrw_scene_alloc(scene, JOINT_COUNT, sizeof(*joints));
    mrw_mat34 *inverse_binds = mrw_scene_alloc(scene, JOINT_COUNT, sizeof(*inverse_binds));
    if (!scene->skins || !joints || !inverse_binds)
        return false;
    for (int32_t i = 0; i < JOINT_COUNT; i++) {
        joints[i] = i;
        inverse_binds[i] = mrw_mat34_identity();
        inverse_binds[i].m[1][3] = -JOINT_LENGTH * (float)i;
    }
    scene->skins[0] = (mrw_scene_skin){"tentacle", JOINT_COUNT, joints, inverse_binds};
    scene->skin_count = 1;
    return true;
}

/* --- mesh ------------------------------------------------------------------------------ */

/* Four sides of RING_COUNT edges each, and two ends. Neighbouring faces share no vertices: an edge
 * of the box has two normals. */
enum { SIDE_COUNT = 4, RING_COUNT = 49, END_CORNERS = 4, END_COUNT = 2 };
enum { SIDE_VERTICES = 2 * RING_COUNT, SIDE_INDICES = 6 * (RING_COUNT - 1), END_INDICES = 6 };
enum {
    VERTEX_COUNT = SIDE_COUNT * SIDE_VERTICES + END_COUNT * END_CORNERS,
    INDEX_COUNT = SIDE_COUNT * SIDE_INDICES + END_COUNT * END_INDICES
};

#define HALF_WIDTH_FOOT 0.11f
#define HALF_WIDTH_TIP 0.05f

static const demo_link links[JOINT_COUNT] = {
    {0, 0.0f, 1.0f},
    {1, JOINT_LENGTH, 0.5f * JOINT_LENGTH},
    {2, 2.0f * JOINT_LENGTH, 0.5f * JOINT_LENGTH},
    {3, 3.0f * JOINT_LENGTH, 0.5f * JOINT_LENGTH},
};

/* From deep blue at the foot through teal to a warm tip; linear RGBA. */
static void write_colour(float share, float out_colour[4])
{
    static const float at[4] = {0.0f, 0.4f, 0.75f, 1.0f};
    static const float channels[3][4] = {
        {0.03f, 0.02f, 0.55f, 0.95f}, {0.05f, 0.42f, 0.50f, 0.25f}, {0.30f, 0.45f, 0.20f, 0.08f}};
    for (int i = 0; i < 3; i++)
        out_colour[i] = demo_profile(at, channels[i], 4, share);
    out_colour[3] = 1.0f;
}

static void write_vertex(mrw_scene_primitive *part, mrw_vec3 position, mrw_vec3 normal)
{
    static const demo_chain chain = {links, JOINT_COUNT};
    uint32_t vertex = part->vertex_count++;
    demo_influences influences = demo_bind_chain(&chain, position, position.y);
    memcpy(part->positions + vertex * 3, &position, sizeof(position));
    memcpy(part->normals + vertex * 3, &normal, sizeof(normal));
    write_colour(position.y / HEIGHT, part->colors + vertex * 4);
    memcpy(part->joints + vertex * DEMO_INFLUENCES, influences.joints, sizeof(influences.joints));
    memcpy(part->weights + vertex * DEMO_INFLUENCES, influences.weights,
           sizeof(influences.weights));
}

static void write_quad(mrw_scene_primitive *part, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t corners[6] = {a, b, c, a, c, d};
    memcpy(part->indices + part->index_count, corners, sizeof(corners));
    part->index_count += 6;
}

/* (x, z) turned by `quarter` quarters of a turn about Y. */
static mrw_vec3 turned(float x, float y, float z, uint32_t quarter)
{
    for (; quarter > 0; quarter--) {
        float old_x = x;
        x = z;
        z = -old_x;
    }
    return demo_vec(x, y, z);
}

/* The side that looks along +Z, turned. */
static void write_side(mrw_scene_primitive *part, uint32_t quarter)
{
    const float slope = (HALF_WIDTH_FOOT - HALF_WIDTH_TIP) / HEIGHT;
    mrw_vec3 out = demo_normalize(demo_vec(0.0f, slope, 1.0f));
    mrw_vec3 normal = turned(out.x, out.y, out.z, quarter);
    uint32_t first = part->vertex_count;
    for (uint32_t ring = 0; ring < RING_COUNT; ring++) {
        float y = HEIGHT * (float)ring / (float)(RING_COUNT - 1);
        float half = HALF_WIDTH_FOOT - slope * y;
        write_vertex(part, turned(-half, y, half, quarter), normal);
        write_vertex(part, turned(half, y, half, quarter), normal);
    }
    for (uint32_t i = first; i + 2 < first + SIDE_VERTICES; i += 2)
        write_quad(part, i, i + 1, i + 3, i + 2);
}

static void write_end(mrw_scene_primitive *part, float y, float half, float up)
{
    uint32_t first = part->vertex_count;
    for (uint32_t quarter = 0; quarter < END_CORNERS; quarter++)
        write_vertex(part, turned(half, y, half, quarter), demo_vec(0.0f, up, 0.0f));
    if (up > 0.0f)
        write_quad(part, first, first + 1, first + 2, first + 3);
    else
        write_quad(part, first + 3, first + 2, first + 1, first);
}

static bool fill_mesh(mrw_scene *scene)
{
    scene->meshes = mrw_scene_alloc(scene, 1, sizeof(*scene->meshes));
    mrw_scene_primitive *part = mrw_scene_alloc(scene, 1, sizeof(*part));
    if (scene->meshes == NULL || part == NULL)
        return false;
    part->topology = MRW_TOPOLOGY_TRIANGLES;
    part->positions = mrw_scene_alloc(scene, VERTEX_COUNT * 3, sizeof(float));
    part->normals = mrw_scene_alloc(scene, VERTEX_COUNT * 3, sizeof(float));
    part->colors = mrw_scene_alloc(scene, VERTEX_COUNT * 4, sizeof(float));
    part->influence_count = DEMO_INFLUENCES;
    part->joints = mrw_scene_alloc(scene, VERTEX_COUNT * DEMO_INFLUENCES, sizeof(uint16_t));
    part->weights = mrw_scene_alloc(scene, VERTEX_COUNT * DEMO_INFLUENCES, sizeof(float));
    part->indices = mrw_scene_alloc(scene, INDEX_COUNT, sizeof(uint32_t));
    if (!part->positions || !part->normals || !part->colors || !part->joints || !part->weights ||
        !part->indices)
        return false;
    for (uint32_t quarter = 0; quarter < SIDE_COUNT; quarter++)
        write_side(part, quarter);
    write_end(part, 0.0f, HALF_WIDTH_FOOT, -1.0f);
    write_end(part, HEIGHT, HALF_WIDTH_TIP, 1.0f);
    scene->meshes[0].name = "tentacle";
    scene->meshes[0].primitives = part;
    scene->meshes[0].primitive_count = 1;
    scene->mesh_count = 1;
    return true;
}

static bool fill_material(mrw_scene *scene)
{
    scene->materials = mrw_scene_alloc(scene, 1, sizeof(*scene->materials));
    if (scene->materials == NULL)
        return false;
    scene->material_count = 1;
    scene->materials[0] = (mrw_scene_material){
        .name = "skin",
        .base_color = {1.0f, 1.0f, 1.0f, 1.0f},
        .base_color_image = -1,
        .roughness = 0.6f,
    };
    return true;
}

/* --- clip -------------------------------------------------------------------------------- */

enum { KEY_INTERVALS = 32 };

#define DURATION_S 2.0f

/* Each joint bends like the one below it, but a little later and further. */
static mrw_quat bend_at(uint32_t joint, float phase)
{
    float wave_phase = phase - 0.16f * (float)joint;
    float sideways = demo_radians(3.0f + 10.0f * (float)joint) * demo_wave(wave_phase);
    float forward = demo_radians(1.0f + 4.0f * (float)joint) * demo_wave(wave_phase + 0.25f);
    return demo_rotation(forward, 0.0f, sideways);
}

static bool fill_channel(mrw_scene *scene, uint32_t joint, float *times, mrw_scene_channel *channel)
{
    float *values = mrw_scene_alloc(scene, (KEY_INTERVALS + 1) * 4, sizeof(float));
    if (values == NULL)
        return false;
    for (uint32_t key = 0; key <= KEY_INTERVALS; key++) {
        mrw_quat q = bend_at(joint, (float)(key % KEY_INTERVALS) / (float)KEY_INTERVALS);
        memcpy(values + key * 4, &q, sizeof(q));
    }
    *channel = (mrw_scene_channel){
        (int32_t)joint, MRW_CHANNEL_ROTATION, MRW_INTERPOLATION_LINEAR, KEY_INTERVALS + 1, 4, times,
        values};
    return true;
}

static bool fill_animation(mrw_scene *scene)
{
    mrw_scene_channel *channels = mrw_scene_alloc(scene, JOINT_COUNT, sizeof(*channels));
    float *times = mrw_scene_alloc(scene, KEY_INTERVALS + 1, sizeof(*times));
    scene->animations = mrw_scene_alloc(scene, 1, sizeof(*scene->animations));
    if (!channels || !times || !scene->animations)
        return false;
    for (uint32_t key = 0; key <= KEY_INTERVALS; key++)
        times[key] = DURATION_S * (float)key / (float)KEY_INTERVALS;
    for (uint32_t joint = 0; joint < JOINT_COUNT; joint++)
        if (!fill_channel(scene, joint, times, &channels[joint]))
            return false;
    scene->animations[0] = (mrw_scene_animation){"bend", JOINT_COUNT, channels, 0.0f};
    scene->animation_count = 1;
    return true;
}

bool demo_fill_tentacle(mrw_scene *scene)
{
    return fill_material(scene) && fill_nodes(scene) && fill_skin(scene) && fill_mesh(scene) &&
           fill_animation(scene);
}
