/* Each promise of scene.h is broken once, and the checker must name the thing. */
#include <marrow/offline/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define VERTICES 4

static mrw_scene_primitive valid_primitive(mrw_scene *scene)
{
    mrw_scene_primitive primitive = {0};
    primitive.topology = MRW_TOPOLOGY_TRIANGLES;
    primitive.material = 0;
    primitive.vertex_count = VERTICES;
    primitive.positions = mrw_scene_alloc(scene, VERTICES * 3, sizeof(float));
    primitive.normals = mrw_scene_alloc(scene, VERTICES * 3, sizeof(float));
    primitive.tangents = mrw_scene_alloc(scene, VERTICES * 4, sizeof(float));
    primitive.texcoords = mrw_scene_alloc(scene, VERTICES * 2, sizeof(float));
    primitive.colors = mrw_scene_alloc(scene, VERTICES * 4, sizeof(float));
    primitive.influence_count = 2;
    primitive.joints = mrw_scene_alloc(scene, VERTICES * 2, sizeof(uint16_t));
    primitive.weights = mrw_scene_alloc(scene, VERTICES * 2, sizeof(float));
    primitive.joints[7] = 1; /* the skin's last joint */
    primitive.index_count = 6;
    primitive.indices = mrw_scene_alloc(scene, 6, sizeof(uint32_t));
    primitive.indices[5] = VERTICES - 1;
    primitive.targets = mrw_scene_alloc(scene, 2, sizeof(mrw_scene_target));
    primitive.targets[0].positions = mrw_scene_alloc(scene, VERTICES * 3, sizeof(float));
    primitive.targets[1].normals = mrw_scene_alloc(scene, VERTICES * 3, sizeof(float));
    return primitive;
}

static mrw_scene_channel valid_channel(mrw_scene *scene, int32_t node, mrw_channel_path path,
                                       mrw_interpolation interpolation, uint32_t width)
{
    mrw_scene_channel channel = {node, path, interpolation, 3, width, NULL, NULL};
    channel.times = mrw_scene_alloc(scene, 3, sizeof(float));
    channel.times[1] = 0.5f;
    channel.times[2] = 1.0f;
    size_t per_key = interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1;
    channel.values = mrw_scene_alloc(scene, 3 * width * per_key, sizeof(float));
    return channel;
}

/* root > hips > knee; a node with a skinned mesh of two primitives and two morph targets; an
 * animation with a channel of each width. */
static mrw_scene *valid_scene(void)
{
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(NULL, &scene), MRW_OK);
    scene->node_count = 4;
    scene->nodes = mrw_scene_alloc(scene, 4, sizeof(*scene->nodes));
    static const int32_t parents[] = {-1, 0, 1, -1};
    for (uint32_t i = 0; i < 4; i++) {
        mrw_scene_node node = {"",   parents[i], {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, -1, -1, 0,
                               NULL, true};
        scene->nodes[i] = node;
    }
    scene->nodes[3].mesh = 0;
    scene->nodes[3].skin = 0;
    scene->nodes[3].morph_weight_count = 2;
    scene->nodes[3].morph_weights = mrw_scene_alloc(scene, 2, sizeof(float));

    scene->mesh_count = 1;
    scene->meshes = mrw_scene_alloc(scene, 1, sizeof(*scene->meshes));
    mrw_scene_mesh *mesh = scene->meshes;
    mesh->name = "";
    mesh->primitive_count = 2;
    mesh->primitives = mrw_scene_alloc(scene, 2, sizeof(*mesh->primitives));
    mesh->primitives[0] = valid_primitive(scene);
    mesh->primitives[1] = valid_primitive(scene);
    mesh->target_count = 2;
    mesh->target_names = mrw_scene_alloc(scene, 2, sizeof(char *));
    mesh->target_names[0] = "smile";
    mesh->target_names[1] = "";
    mesh->target_weights = mrw_scene_alloc(scene, 2, sizeof(float));

    scene->skin_count = 1;
    scene->skins = mrw_scene_alloc(scene, 1, sizeof(*scene->skins));
    scene->skins[0].name = "";
    scene->skins[0].joint_count = 2;
    scene->skins[0].joints = mrw_scene_alloc(scene, 2, sizeof(int32_t));
    scene->skins[0].joints[0] = 2; /* child first */
    scene->skins[0].joints[1] = 1;
    scene->skins[0].inverse_binds = mrw_scene_alloc(scene, 2, sizeof(mrw_mat34));

    scene->animation_count = 1;
    scene->animations = mrw_scene_alloc(scene, 1, sizeof(*scene->animations));
    scene->animations[0].name = "";
    scene->animations[0].channel_count = 3;
    mrw_scene_channel *channels = mrw_scene_alloc(scene, 3, sizeof(*channels));
    channels[0] = valid_channel(scene, 1, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_LINEAR, 3);
    channels[1] = valid_channel(scene, 2, MRW_CHANNEL_ROTATION, MRW_INTERPOLATION_CUBIC, 4);
    channels[2] = valid_channel(scene, 3, MRW_CHANNEL_WEIGHTS, MRW_INTERPOLATION_STEP, 2);
    scene->animations[0].channels = channels;

    scene->material_count = 1;
    scene->materials = mrw_scene_alloc(scene, 1, sizeof(*scene->materials));
    mrw_scene_material material = {"", {1, 1, 1, 1}, 0, false, false, 0.0f, 1.0f, 1.0f};
    scene->materials[0] = material;
    scene->image_count = 1;
    scene->images = mrw_scene_alloc(scene, 1, sizeof(*scene->images));
    mrw_scene_image image = {"", "missing.png", NULL, 0};
    scene->images[0] = image;
    return scene;
}

/* Checks the scene, which it frees. */
static void expect(mrw_scene *scene, mrw_status status, const char *detail, const char *message)
{
    mrw_error error = {0};
    mrw_status found = mrw_scene_check(scene, &error);
    assert_string_equal(error.detail, detail);
    assert_string_equal(mrw_status_name(found), mrw_status_name(status));
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.message, message));
    mrw_scene_free(scene);
}

/* BREAK(statement about `scene`, status, detail, part of the message) */
#define BREAK(statement, status, detail, message)                                                  \
    do {                                                                                           \
        mrw_scene *scene = valid_scene();                                                          \
        statement;                                                                                 \
        expect(scene, status, detail, message);                                                    \
    } while (0)

static void the_valid_scene_is_valid(void **state)
{
    (void)state;
    mrw_scene *scene = valid_scene();
    mrw_error error = {0};
    assert_int_equal(mrw_scene_check(scene, &error), MRW_OK);
    assert_int_equal(error.status, MRW_OK);
    /* A skin without inverse bind matrices, a mesh without optional arrays: normal. */
    scene->skins[0].inverse_binds = NULL;
    scene->meshes[0].primitives[1].normals = NULL;
    scene->meshes[0].primitives[1].colors = NULL;
    scene->meshes[0].primitives[1].material = -1;
    scene->animations[0].channel_count = 0;
    assert_int_equal(mrw_scene_check(scene, NULL), MRW_OK);
    mrw_scene_free(scene);
    assert_int_equal(mrw_scene_check(NULL, &error), MRW_ERR_NULL_ARGUMENT);
}

static void arrays_and_texts_must_be_there(void **state)
{
    (void)state;
    const mrw_status null = MRW_ERR_NULL_ARGUMENT;
    BREAK(scene->generator = NULL, null, "generator", "NULL");
    BREAK(scene->nodes = NULL, null, "nodes", "NULL");
    BREAK(scene->nodes[2].name = NULL, null, "nodes[2].name", "NULL");
    BREAK(scene->nodes[3].morph_weights = NULL, null, "nodes[3].morph_weights", "NULL");
    BREAK(scene->meshes[0].name = NULL, null, "meshes[0].name", "NULL");
    BREAK(scene->meshes[0].primitives = NULL, null, "meshes[0].primitives", "NULL");
    BREAK(scene->meshes[0].target_names = NULL, null, "meshes[0].target_names", "NULL");
    BREAK(scene->meshes[0].target_weights = NULL, null, "meshes[0].target_weights", "NULL");
    BREAK(scene->meshes[0].target_names[1] = NULL, null, "meshes[0].target_names[1]", "NULL");
    BREAK(scene->meshes[0].primitives[1].positions = NULL, null,
          "meshes[0].primitives[1].positions", "NULL");
    BREAK(scene->meshes[0].primitives[1].indices = NULL, null, "meshes[0].primitives[1].indices",
          "NULL");
    BREAK(scene->meshes[0].primitives[1].joints = NULL, null, "meshes[0].primitives[1].joints",
          "NULL");
    BREAK(scene->meshes[0].primitives[1].weights = NULL, null, "meshes[0].primitives[1].weights",
          "NULL");
    BREAK(scene->meshes[0].primitives[1].targets = NULL, null, "meshes[0].primitives[1].targets",
          "NULL");
    BREAK(scene->skins[0].joints = NULL, null, "skins[0].joints", "NULL");
    BREAK(scene->skins[0].name = NULL, null, "skins[0].name", "NULL");
    BREAK(scene->animations[0].channels = NULL, null, "animations[0].channels", "NULL");
    BREAK(scene->animations[0].channels[2].times = NULL, null, "animations[0].channels[2].times",
          "NULL");
    BREAK(scene->animations[0].channels[2].values = NULL, null, "animations[0].channels[2].values",
          "NULL");
    BREAK(scene->animations[0].name = NULL, null, "animations[0].name", "NULL");
    BREAK(scene->materials[0].name = NULL, null, "materials[0].name", "NULL");
    BREAK(scene->images[0].uri = NULL, null, "images[0].uri", "NULL");
}

static void indices_must_be_in_range(void **state)
{
    (void)state;
    const mrw_status range = MRW_ERR_INDEX_RANGE;
    BREAK(scene->nodes[2].parent = 4, range, "nodes[2].parent", "4 of 4 nodes");
    BREAK(scene->nodes[2].parent = -2, range, "nodes[2].parent", "-2 of 4 nodes");
    BREAK(scene->nodes[0].mesh = 1, range, "nodes[0].mesh", "1 of 1 meshes");
    BREAK(scene->nodes[0].skin = 7, range, "nodes[0].skin", "7 of 1 skins");
    BREAK(scene->meshes[0].primitives[1].material = 1, range, "meshes[0].primitives[1].material",
          "1 of 1 materials");
    BREAK(scene->meshes[0].primitives[1].indices[4] = VERTICES, range,
          "meshes[0].primitives[1].indices[4]", "4 of 4 vertices");
    BREAK(scene->meshes[0].primitives[0].indices[0] = VERTICES, range,
          "meshes[0].primitives[0].indices[0]", "4 of 4 vertices");
    BREAK(scene->meshes[0].primitives[1].joints[5] = 2, range, "meshes[0].primitives[1].joints[5]",
          "joint 2 of the 2 joints of skins[0], under which nodes[3]");
    BREAK(scene->skins[0].joints[1] = 4, range, "skins[0].joints[1]", "4 of 4 nodes");
    BREAK(scene->skins[0].joints[0] = -1, range, "skins[0].joints[0]", "-1 of 4 nodes");
    BREAK(scene->animations[0].channels[1].node = 4, range, "animations[0].channels[1].node",
          "4 of 4 nodes");
    BREAK(scene->animations[0].channels[1].node = -1, range, "animations[0].channels[1].node",
          "-1 of 4 nodes");
    BREAK(scene->materials[0].base_color_image = 1, range, "materials[0].base_color_image",
          "1 of 1 images");
}

static void joints_beyond_the_skin_are_fine_without_a_skin(void **state)
{
    (void)state;
    mrw_scene *scene = valid_scene();
    scene->meshes[0].primitives[0].joints[0] = 65535;
    scene->nodes[3].skin = -1;
    assert_int_equal(mrw_scene_check(scene, NULL), MRW_OK);
    mrw_scene_free(scene);
}

static void numbers_must_be_finite(void **state)
{
    (void)state;
    const mrw_status bad = MRW_ERR_NOT_FINITE;
    BREAK(scene->nodes[1].local.translation.y = INFINITY, bad, "nodes[1].translation", "");
    BREAK(scene->nodes[1].local.rotation.w = NAN, bad, "nodes[1].rotation", "");
    BREAK(scene->nodes[1].local.scale.z = -INFINITY, bad, "nodes[1].scale", "");
    BREAK(scene->nodes[3].morph_weights[1] = NAN, bad, "nodes[3].morph_weights", "");
    BREAK(scene->meshes[0].target_weights[1] = NAN, bad, "meshes[0].target_weights[1]", "");
    BREAK(scene->meshes[0].primitives[1].positions[11] = NAN, bad,
          "meshes[0].primitives[1].positions[11]", "");
    BREAK(scene->meshes[0].primitives[0].normals[0] = NAN, bad,
          "meshes[0].primitives[0].normals[0]", "");
    BREAK(scene->meshes[0].primitives[0].tangents[15] = NAN, bad,
          "meshes[0].primitives[0].tangents[15]", "");
    BREAK(scene->meshes[0].primitives[0].texcoords[7] = NAN, bad,
          "meshes[0].primitives[0].texcoords[7]", "");
    BREAK(scene->meshes[0].primitives[0].colors[15] = NAN, bad,
          "meshes[0].primitives[0].colors[15]", "");
    BREAK(scene->meshes[0].primitives[0].weights[7] = NAN, bad,
          "meshes[0].primitives[0].weights[7]", "");
    BREAK(scene->meshes[0].primitives[0].targets[1].normals[11] = NAN, bad,
          "meshes[0].primitives[0].targets[1].normals[11]", "");
    BREAK(scene->skins[0].inverse_binds[1].m[2][3] = NAN, bad, "skins[0].inverse_binds[1]", "");
    BREAK(scene->animations[0].channels[0].times[2] = INFINITY, bad,
          "animations[0].channels[0].times[2]", "");
    /* the last number of a cubic channel: 3 keys * 3 values * 4 floats */
    BREAK(scene->animations[0].channels[1].values[35] = NAN, bad,
          "animations[0].channels[1].values[35]", "");
    BREAK(scene->materials[0].base_color[3] = NAN, bad, "materials[0].base_color", "");
    BREAK(scene->materials[0].alpha_cutoff = NAN, bad, "materials[0].alpha_cutoff", "");
}

static void values_must_be_allowed(void **state)
{
    (void)state;
    const mrw_status invalid = MRW_ERR_INVALID_VALUE;
    BREAK(scene->nodes[1].local.rotation.w = 1.002f, invalid, "nodes[1].rotation", "unit length");
    BREAK(scene->nodes[1].local.rotation.w = 0.998f, invalid, "nodes[1].rotation", "unit length");
    BREAK(scene->nodes[1].local.rotation.w = 0.0f, invalid, "nodes[1].rotation", "unit length");
    BREAK(scene->nodes[1].local.rotation.x = 3e38f, invalid, "nodes[1].rotation", "unit length");
    BREAK(scene->animations[0].channels[0].times[0] = -0.1f, invalid,
          "animations[0].channels[0].times[0]", "negative");
    BREAK(scene->animations[0].channels[0].times[2] = 0.5f, invalid,
          "animations[0].channels[0].times[2]", "not after");
    BREAK(scene->animations[0].channels[0].path = (mrw_channel_path)4, invalid,
          "animations[0].channels[0].path", "4 is no path");
    BREAK(scene->animations[0].channels[0].interpolation = (mrw_interpolation)3, invalid,
          "animations[0].channels[0].interpolation", "3 is no interpolation");
    BREAK(scene->meshes[0].primitives[0].topology = (mrw_topology)3, invalid,
          "meshes[0].primitives[0].topology", "3 is no topology");
    BREAK(scene->materials[0].metallic = 1.5f, invalid, "materials[0].metallic", "0..1");
    BREAK(scene->materials[0].roughness = -0.5f, invalid, "materials[0].roughness", "0..1");
    BREAK(scene->materials[0].alpha_cutoff = -0.5f, invalid, "materials[0].alpha_cutoff",
          "negative");
}

static void nearly_unit_rotations_pass(void **state)
{
    (void)state;
    mrw_scene *scene = valid_scene();
    scene->nodes[1].local.rotation.w = 1.0009f;
    scene->nodes[2].local.rotation.w = -0.9991f;
    assert_int_equal(mrw_scene_check(scene, NULL), MRW_OK);
    mrw_scene_free(scene);
}

static void counts_must_fit(void **state)
{
    (void)state;
    const mrw_status inconsistent = MRW_ERR_INCONSISTENT;
    BREAK(scene->nodes[3].morph_weight_count = 1, inconsistent, "nodes[3].morph_weights",
          "1 weights, but the node's mesh has 2");
    BREAK(scene->nodes[0].morph_weight_count = 1, inconsistent, "nodes[0].morph_weights",
          "has 0 morph targets");
    BREAK(scene->meshes[0].primitives[0].index_count = 5, inconsistent,
          "meshes[0].primitives[0].index_count", "5 is no multiple of 3");
    BREAK(scene->skins[0].joint_count = 0, inconsistent, "skins[0].joints", "at least one");
    BREAK(scene->animations[0].channels[0].key_count = 0, inconsistent,
          "animations[0].channels[0].key_count", "at least one key");
    BREAK(scene->animations[0].channels[0].value_width = 4, inconsistent,
          "animations[0].channels[0].value_width", "4 where the property has 3");
    BREAK(scene->animations[0].channels[2].value_width = 3, inconsistent,
          "animations[0].channels[2].value_width", "3 where the property has 2");
    BREAK(scene->animations[0].channels[2].node = 1, inconsistent, "animations[0].channels[2].node",
          "nodes[1] has no morph targets");
    BREAK(scene->nodes[2].in_scene = false, inconsistent, "nodes[2].in_scene", "node 1");
}

static void cycles_are_found(void **state)
{
    (void)state;
    BREAK(scene->nodes[3].parent = 3, MRW_ERR_NODE_CYCLE, "nodes[3].parent", "own ancestor");
    BREAK(scene->nodes[0].parent = 2, MRW_ERR_NODE_CYCLE, "nodes[0].parent", "own ancestor");
    /* 0 hangs below the ring 1 > 2 > 1 and is not part of it. */
    BREAK(scene->nodes[0].parent = 1;
          scene->nodes[1].parent = 2, MRW_ERR_NODE_CYCLE, "nodes[1].parent", "own ancestor");
}

/* A chain of two million nodes, child before parent: neither recursion nor a walk to the root from
 * each node would come back from it. */
static void a_long_chain_takes_linear_time(void **state)
{
    (void)state;
    mrw_scene *scene = NULL;
    assert_int_equal(mrw_scene_create(NULL, &scene), MRW_OK);
    const uint32_t count = 2000000;
    scene->nodes = mrw_scene_alloc(scene, count, sizeof(*scene->nodes));
    scene->node_count = count;
    for (uint32_t i = 0; i < count; i++) {
        mrw_scene_node node = {
            "", (int32_t)i + 1, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, -1, -1, 0, NULL, true};
        scene->nodes[i] = node;
    }
    scene->nodes[count - 1].parent = -1;
    assert_int_equal(mrw_scene_check(scene, NULL), MRW_OK);
    scene->nodes[count - 1].parent = 1000000;
    expect(scene, MRW_ERR_NODE_CYCLE, "nodes[1000000].parent", "own ancestor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_valid_scene_is_valid),
        cmocka_unit_test(arrays_and_texts_must_be_there),
        cmocka_unit_test(indices_must_be_in_range),
        cmocka_unit_test(joints_beyond_the_skin_are_fine_without_a_skin),
        cmocka_unit_test(numbers_must_be_finite),
        cmocka_unit_test(values_must_be_allowed),
        cmocka_unit_test(nearly_unit_rotations_pass),
        cmocka_unit_test(counts_must_fit),
        cmocka_unit_test(cycles_are_found),
        cmocka_unit_test(a_long_chain_takes_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
