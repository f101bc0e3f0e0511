#include "demo_biped.h"

#include "demo.h"
#include "demo_vec.h"

/* --- joints -------------------------------------------------------------------------------- */

/* The arms point 40 degrees below the horizontal: halfway between where they are raised and where
 * they hang, so that neither stretches the shoulder far. */
#define ARM_OUT 0.76604444f
#define ARM_DOWN 0.64278761f

typedef struct joint_desc {
    const char *name;
    int32_t parent;
} joint_desc;

static const joint_desc joints[BIPED_JOINT_COUNT] = {
    [BIPED_HIPS] = {"hips", -1},
    [BIPED_SPINE] = {"spine", BIPED_HIPS},
    [BIPED_CHEST] = {"chest", BIPED_SPINE},
    [BIPED_NECK] = {"neck", BIPED_CHEST},
    [BIPED_HEAD] = {"head", BIPED_NECK},
    [BIPED_ANTENNA] = {"antenna", BIPED_HEAD},
    [BIPED_ANTENNA_TIP] = {"antenna_tip", BIPED_ANTENNA},

    [BIPED_LEFT_SHOULDER] = {"left_shoulder", BIPED_CHEST},
    [BIPED_LEFT_UPPER_ARM] = {"left_upper_arm", BIPED_LEFT_SHOULDER},
    [BIPED_LEFT_FOREARM] = {"left_forearm", BIPED_LEFT_UPPER_ARM},
    [BIPED_LEFT_HAND] = {"left_hand", BIPED_LEFT_FOREARM},
    [BIPED_LEFT_FINGERS] = {"left_fingers", BIPED_LEFT_HAND},
    [BIPED_LEFT_THUMB] = {"left_thumb", BIPED_LEFT_HAND},
    [BIPED_RIGHT_SHOULDER] = {"right_shoulder", BIPED_CHEST},
    [BIPED_RIGHT_UPPER_ARM] = {"right_upper_arm", BIPED_RIGHT_SHOULDER},
    [BIPED_RIGHT_FOREARM] = {"right_forearm", BIPED_RIGHT_UPPER_ARM},
    [BIPED_RIGHT_HAND] = {"right_hand", BIPED_RIGHT_FOREARM},
    [BIPED_RIGHT_FINGERS] = {"right_fingers", BIPED_RIGHT_HAND},
    [BIPED_RIGHT_THUMB] = {"right_thumb", BIPED_RIGHT_HAND},

    [BIPED_LEFT_THIGH] = {"left_thigh", BIPED_HIPS},
    [BIPED_LEFT_SHIN] = {"left_shin", BIPED_LEFT_THIGH},
    [BIPED_LEFT_FOOT] = {"left_foot", BIPED_LEFT_SHIN},
    [BIPED_LEFT_TOES] = {"left_toes", BIPED_LEFT_FOOT},
    [BIPED_RIGHT_THIGH] = {"right_thigh", BIPED_HIPS},
    [BIPED_RIGHT_SHIN] = {"right_shin", BIPED_RIGHT_THIGH},
    [BIPED_RIGHT_FOOT] = {"right_foot", BIPED_RIGHT_SHIN},
    [BIPED_RIGHT_TOES] = {"right_toes", BIPED_RIGHT_FOOT},
};

#define SHOULDER_X 0.178f
#define SHOULDER_Y 1.268f

/* In scene space, of the joints in the middle and on the left. */
static const mrw_vec3 places[BIPED_JOINT_COUNT] = {
    [BIPED_HIPS] = {0.0f, 0.900f, 0.0f},
    [BIPED_SPINE] = {0.0f, 0.985f, 0.0f},
    [BIPED_CHEST] = {0.0f, 1.105f, 0.0f},
    [BIPED_NECK] = {0.0f, 1.335f, 0.0f},
    [BIPED_HEAD] = {0.0f, 1.385f, 0.0f},
    [BIPED_ANTENNA] = {-0.080f, 1.668f, -0.030f},
    [BIPED_ANTENNA_TIP] = {-0.090f, 1.712f, -0.037f},
    [BIPED_LEFT_SHOULDER] = {0.050f, 1.275f, 0.0f},
    [BIPED_LEFT_UPPER_ARM] = {SHOULDER_X, SHOULDER_Y, 0.0f},
    [BIPED_LEFT_FOREARM] = {SHOULDER_X, SHOULDER_Y, 0.0f},
    [BIPED_LEFT_HAND] = {SHOULDER_X, SHOULDER_Y, 0.0f},
    [BIPED_LEFT_FINGERS] = {SHOULDER_X, SHOULDER_Y, 0.0f},
    [BIPED_LEFT_THUMB] = {SHOULDER_X, SHOULDER_Y, 0.042f},
    [BIPED_LEFT_THIGH] = {0.088f, 0.860f, 0.0f},
    [BIPED_LEFT_SHIN] = {0.088f, 0.475f, 0.0f},
    [BIPED_LEFT_FOOT] = {0.088f, 0.090f, 0.0f},
    [BIPED_LEFT_TOES] = {0.088f, 0.030f, 0.112f},
};

/* Metres to go from there along the arm. */
static const float along_arm[BIPED_JOINT_COUNT] = {
    [BIPED_LEFT_FOREARM] = 0.265f,
    [BIPED_LEFT_HAND] = 0.505f,
    [BIPED_LEFT_FINGERS] = 0.605f,
    [BIPED_LEFT_THUMB] = 0.553f,
};

static const uint16_t mirror[BIPED_JOINT_COUNT] = {
    BIPED_HIPS,          BIPED_SPINE,          BIPED_CHEST,
    BIPED_NECK,          BIPED_HEAD,           BIPED_ANTENNA,
    BIPED_ANTENNA_TIP,   BIPED_RIGHT_SHOULDER, BIPED_RIGHT_UPPER_ARM,
    BIPED_RIGHT_FOREARM, BIPED_RIGHT_HAND,     BIPED_RIGHT_FINGERS,
    BIPED_RIGHT_THUMB,   BIPED_LEFT_SHOULDER,  BIPED_LEFT_UPPER_ARM,
    BIPED_LEFT_FOREARM,  BIPED_LEFT_HAND,      BIPED_LEFT_FINGERS,
    BIPED_LEFT_THUMB,    BIPED_RIGHT_THIGH,    BIPED_RIGHT_SHIN,
    BIPED_RIGHT_FOOT,    BIPED_RIGHT_TOES,     BIPED_LEFT_THIGH,
    BIPED_LEFT_SHIN,     BIPED_LEFT_FOOT,      BIPED_LEFT_TOES,
};

int32_t biped_parent(uint32_t joint)
{
    return joints[joint].parent;
}

mrw_vec3 biped_rest_place(uint32_t joint)
{
    bool is_right = mirror[joint] < joint;
    uint32_t listed = is_right ? mirror[joint] : joint;
    mrw_vec3 arm = demo_scale(biped_arm_direction(), along_arm[listed]);
    mrw_vec3 place = demo_add(places[listed], arm);
    if (is_right)
        place.x = -place.x;
    return place;
}

const uint16_t *biped_mirror(void)
{
    return mirror;
}

mrw_vec3 biped_arm_direction(void)
{
    return (mrw_vec3){ARM_OUT, -ARM_DOWN, 0.0f};
}

static mrw_vec3 rest_translation(uint32_t joint)
{
    int32_t parent = biped_parent(joint);
    mrw_vec3 place = biped_rest_place(joint);
    return parent < 0 ? place : demo_sub(place, biped_rest_place((uint32_t)parent));
}

/* --- the scene ------------------------------------------------------------------------------ */

/* Nodes are the joints, in their order, then the one that carries the mesh. */
enum { MESH_NODE = BIPED_JOINT_COUNT, NODE_COUNT };

static bool fill_nodes(mrw_scene *scene)
{
    scene->nodes = mrw_scene_alloc(scene, NODE_COUNT, sizeof(*scene->nodes));
    if (scene->nodes == NULL)
        return false;
    scene->node_count = NODE_COUNT;
    for (uint32_t i = 0; i < NODE_COUNT; i++) {
        mrw_scene_node *node = &scene->nodes[i];
        bool is_joint = i < BIPED_JOINT_COUNT;
        node->name = is_joint ? joints[i].name : "biped";
        node->parent = is_joint ? joints[i].parent : -1;
        node->local = mrw_transform_identity();
        if (is_joint)
            node->local.translation = rest_translation(i);
        node->mesh = is_joint ? -1 : 0;
        node->skin = is_joint ? -1 : 0;
        node->in_scene = true;
    }
    return true;
}

static bool fill_skin(mrw_scene *scene)
{
    mrw_scene_skin *skin = mrw_scene_alloc(scene, 1, sizeof(*skin));
    int32_t *skin_joints = mrw_scene_alloc(scene, BIPED_JOINT_COUNT, sizeof(*skin_joints));
    mrw_mat34 *inverse_binds = mrw_scene_alloc(scene, BIPED_JOINT_COUNT, sizeof(*inverse_binds));
    if (!skin || !skin_joints || !inverse_binds)
        return false;
    for (uint32_t i = 0; i < BIPED_JOINT_COUNT; i++) {
        mrw_vec3 place = biped_rest_place(i);
        skin_joints[i] = (int32_t)i;
        inverse_binds[i] = mrw_mat34_identity();
        inverse_binds[i].m[0][3] = -place.x;
        inverse_binds[i].m[1][3] = -place.y;
        inverse_binds[i].m[2][3] = -place.z;
    }
    *skin = (mrw_scene_skin){"biped", BIPED_JOINT_COUNT, skin_joints, inverse_binds};
    scene->skins = skin;
    scene->skin_count = 1;
    return true;
}

static bool fill_mesh(mrw_scene *scene)
{
    demo_mesh mesh = {.scene = scene};
    biped_add_body(&mesh);
    biped_add_head(&mesh);
    scene->meshes = mrw_scene_alloc(scene, 1, sizeof(*scene->meshes));
    if (scene->meshes == NULL)
        return false;
    scene->mesh_count = 1;
    scene->meshes[0].name = "biped";
    return demo_mesh_finish(&mesh, &scene->meshes[0]);
}

/* Linear colours. */
static const mrw_scene_material materials[] = {
    [BIPED_SUIT] = {"suit", {0.86f, 0.19f, 0.06f, 1.0f}, -1, false, false, 0.0f, 0.0f, 0.75f},
    [BIPED_JOINTS] =
        {"joints", {0.035f, 0.045f, 0.075f, 1.0f}, -1, false, false, 0.0f, 0.0f, 0.85f},
    [BIPED_SHELL] = {"shell", {0.86f, 0.80f, 0.70f, 1.0f}, -1, false, false, 0.0f, 0.0f, 0.5f},
    [BIPED_VISOR] = {"visor", {0.010f, 0.030f, 0.050f, 1.0f}, -1, false, false, 0.0f, 0.0f, 0.15f},
    [BIPED_EYES] = {"eyes", {0.25f, 0.95f, 1.0f, 1.0f}, -1, false, false, 0.0f, 0.0f, 0.4f},
};

enum { MATERIAL_COUNT = sizeof(materials) / sizeof(materials[0]) };

static bool fill_materials(mrw_scene *scene)
{
    scene->materials = mrw_scene_alloc(scene, MATERIAL_COUNT, sizeof(*scene->materials));
    if (scene->materials == NULL)
        return false;
    scene->material_count = MATERIAL_COUNT;
    for (uint32_t i = 0; i < MATERIAL_COUNT; i++)
        scene->materials[i] = materials[i];
    return true;
}

/* --- clips -------------------------------------------------------------------------------------
 */

/* Channel 0 moves the hips, channel 1 + j turns joint j. */
enum { CHANNEL_COUNT = 1 + BIPED_JOINT_COUNT };

static bool create_channels(mrw_scene *scene, float *times, uint32_t key_count,
                            mrw_scene_animation *animation)
{
    animation->channel_count = CHANNEL_COUNT;
    animation->channels =
        mrw_scene_alloc(scene, animation->channel_count, sizeof(*animation->channels));
    if (animation->channels == NULL)
        return false;
    for (uint32_t i = 0; i < CHANNEL_COUNT; i++) {
        uint32_t width = i == 0 ? 3 : 4;
        mrw_scene_channel channel = {i == 0 ? BIPED_HIPS : (int32_t)(i - 1),
                                     i == 0 ? MRW_CHANNEL_TRANSLATION : MRW_CHANNEL_ROTATION,
                                     MRW_INTERPOLATION_LINEAR,
                                     key_count,
                                     width,
                                     times,
                                     mrw_scene_alloc(scene, (size_t)key_count * width, 4)};
        if (channel.values == NULL)
            return false;
        animation->channels[i] = channel;
    }
    return true;
}

static void write_key(mrw_scene_animation *animation, uint32_t key, const biped_pose *pose)
{
    float *hips = animation->channels[0].values + key * 3;
    hips[0] = pose->hips.x;
    hips[1] = pose->hips.y;
    hips[2] = pose->hips.z;
    for (uint32_t i = 0; i < BIPED_JOINT_COUNT; i++) {
        float *rotation = animation->channels[1 + i].values + key * 4;
        rotation[0] = pose->rotations[i].x;
        rotation[1] = pose->rotations[i].y;
        rotation[2] = pose->rotations[i].z;
        rotation[3] = pose->rotations[i].w;
    }
}

static bool fill_animation(mrw_scene *scene, const biped_motion *motion,
                           mrw_scene_animation *animation)
{
    uint32_t intervals = motion->key_interval_count;
    float *times = mrw_scene_alloc(scene, intervals + 1, sizeof(*times));
    if (times == NULL || !create_channels(scene, times, intervals + 1, animation))
        return false;
    animation->name = motion->name;
    for (uint32_t key = 0; key <= intervals; key++) {
        biped_controls controls;
        biped_pose pose;
        times[key] = motion->duration_s * (float)key / (float)intervals;
        motion->controls_at((float)(key % intervals) / (float)intervals, &controls);
        biped_solve(&controls, &pose);
        write_key(animation, key, &pose);
    }
    return true;
}

static bool fill_animations(mrw_scene *scene)
{
    scene->animations = mrw_scene_alloc(scene, BIPED_MOTION_COUNT, sizeof(*scene->animations));
    if (scene->animations == NULL)
        return false;
    scene->animation_count = BIPED_MOTION_COUNT;
    for (uint32_t i = 0; i < BIPED_MOTION_COUNT; i++)
        if (!fill_animation(scene, &biped_motions()[i], &scene->animations[i]))
            return false;
    return true;
}

bool demo_fill_biped(mrw_scene *scene)
{
    return fill_materials(scene) && fill_nodes(scene) && fill_skin(scene) && fill_mesh(scene) &&
           fill_animations(scene);
}
