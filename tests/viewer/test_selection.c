/* Which joints are shown, which one is meant, what it moves. */
#include "core/selection.h"

#include "core/orbit.h"
#include "unit/near.h"
#include "viewer/viewer_case.h"

/* A pair of legs, with what rigs have besides: a root and a control that move nothing, a joint
 * between two that move something, an end that marks a tip, and a shoe that is not skinned.
 *
 *     ROOT -- HIPS -- LEFT_LEG -- LEFT_KNEE -- LEFT_FOOT -- LEFT_TIP (shoe)
 *      |        \---- RIGHT_LEG
 *      CONTROL                                   MESH
 */
enum { ROOT, HIPS, LEFT_LEG, RIGHT_LEG, LEFT_KNEE, LEFT_FOOT, LEFT_TIP, CONTROL, MESH, NODES };

static const int32_t parents[NODES] = {-1,        ROOT,      HIPS, HIPS, LEFT_LEG,
                                       LEFT_KNEE, LEFT_FOOT, ROOT, -1};
static const char *const names[NODES] = {"Root",   "Hips",  "Leg.L",   "Leg.R", "Knee.L",
                                         "Foot.L", "Tip.L", "Control", "Mesh"};
static const mrw_vec3 offsets[NODES] = {{0, 0, 0},  {0, 3, 0},  {1, 0, 0}, {-1, 0, 0}, {0, -1, 0},
                                        {0, -1, 0}, {0, -1, 0}, {2, 0, 0}, {0, 0, 0}};

static mrw_scene *scene;
static mrw_character *character;
static view_posed posed;
static bool shown[NODES];

static int make_legs(void **state)
{
    (void)state;
    scene = new_scene(NODES);
    for (int i = 0; i < NODES; i++) {
        scene->nodes[i].name = names[i];
        scene->nodes[i].parent = parents[i];
        scene->nodes[i].local.translation = offsets[i];
    }
    /* All but the mesh are the skin's joints. */
    static const int32_t joints[] = {ROOT,      HIPS,      LEFT_LEG, RIGHT_LEG,
                                     LEFT_KNEE, LEFT_FOOT, LEFT_TIP, CONTROL};
    static const uint16_t influences[] = {LEFT_LEG, 0, RIGHT_LEG, LEFT_FOOT, LEFT_FOOT, CONTROL};
    static const float weights[] = {1.0f, 0.0f, 0.6f, 0.4f, 1.0f, 0.0f};
    scene->nodes[MESH].skin = add_skin(scene, 8, joints);
    scene->nodes[MESH].mesh = add_mesh(scene, "legs", 1);
    set_influences(scene, &scene->meshes[0].primitives[0], 2, influences, weights);
    scene->nodes[LEFT_TIP].mesh = add_mesh(scene, "shoe", 1);
    character = build_character(scene);
    assert_int_equal(character->skeleton.joint_count, NODES);
    assert_int_equal(view_posed_create(character, &posed), MRW_OK);
    view_shown_joints(character, shown);
    return 0;
}

static int free_legs(void **state)
{
    (void)state;
    view_posed_free(&posed);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return 0;
}

static int32_t joint(int node)
{
    return (int32_t)joint_of(character, node);
}

static void joints_that_move_vertices_are_shown(void **state)
{
    (void)state;
    static const bool expected[NODES] = {[HIPS] = true,
                                         [LEFT_LEG] = true,
                                         [RIGHT_LEG] = true,
                                         [LEFT_KNEE] = true,
                                         [LEFT_FOOT] = true};
    for (int i = 0; i < NODES; i++)
        if (shown[joint(i)] != expected[i])
            fail_msg("%s is %s", names[i], expected[i] ? "not shown" : "shown");
}

/* A joint that lies between two and is no joint of the skin (a helper) is shown; where two skins
 * hang on a node of the scene, the node is not. */
static void helpers_are_shown_and_scenes_are_not(void **state)
{
    (void)state;
    enum { WORLD, ARM_A, HELPER, HAND_A, ARM_B, MESH_A, MESH_B, COUNT };
    static const int32_t above[COUNT] = {-1, WORLD, ARM_A, HELPER, WORLD, -1, -1};
    static const int32_t joints_a[] = {ARM_A, HAND_A}, joints_b[] = {ARM_B};
    static const uint16_t first[] = {0, 1, 1}, second[] = {0, 0, 0};
    static const float ones[] = {1, 1, 1};
    mrw_scene *two = new_scene(COUNT);
    for (int i = 0; i < COUNT; i++)
        two->nodes[i].parent = above[i];
    two->nodes[MESH_A].skin = add_skin(two, 2, joints_a);
    two->nodes[MESH_B].skin = add_skin(two, 1, joints_b);
    two->nodes[MESH_A].mesh = add_mesh(two, "a", 1);
    two->nodes[MESH_B].mesh = add_mesh(two, "b", 1);
    set_influences(two, &two->meshes[0].primitives[0], 1, first, ones);
    set_influences(two, &two->meshes[1].primitives[0], 1, second, ones);
    mrw_character *pair = build_character(two);
    bool seen[COUNT];
    view_shown_joints(pair, seen);
    assert_false(seen[joint_of(pair, WORLD)]);
    assert_true(seen[joint_of(pair, ARM_A)]);
    assert_true(seen[joint_of(pair, HELPER)]);
    assert_true(seen[joint_of(pair, HAND_A)]);
    assert_true(seen[joint_of(pair, ARM_B)]);
    assert_false(seen[joint_of(pair, MESH_A)]);
    mrw_character_free(pair);
    mrw_scene_free(two);
}

static void all_joints_are_shown_where_nothing_is_skinned(void **state)
{
    (void)state;
    mrw_scene *bare = new_scene(3);
    bare->nodes[2].parent = 1;
    mrw_character *bones = build_character(bare);
    bool seen[3] = {false, false, false};
    view_shown_joints(bones, seen);
    assert_true(seen[0] && seen[1] && seen[2]);
    mrw_character_free(bones);
    mrw_scene_free(bare);
}

static void heat_is_the_joints_weight(void **state)
{
    (void)state;
    float heat[6];
    assert_int_equal(view_vertex_count(character), 6);
    /* The shoe's node comes before the mesh's, so does its instance. */
    view_joint_heat(character, joint(RIGHT_LEG), heat);
    assert_floats3(heat, 0, 0, 0, 0);
    assert_floats3(heat + 3, 0, 0.6, 0, 1e-6);
    view_joint_heat(character, joint(LEFT_FOOT), heat);
    assert_floats3(heat + 3, 0, 0.4, 1, 1e-6);
    view_joint_heat(character, joint(LEFT_TIP), heat);
    assert_floats3(heat, 1, 1, 1, 0);
    assert_floats3(heat + 3, 0, 0, 0, 0);
    view_joint_heat(character, -1, heat);
    assert_floats3(heat, 0, 0, 0, 0);
    assert_floats3(heat + 3, 0, 0, 0, 0);
}

static void names_are_searched(void **state)
{
    (void)state;
    const mrw_skeleton *skeleton = &character->skeleton;
    assert_int_equal(view_find_joint(skeleton, "KNEE", -1), joint(LEFT_KNEE));
    assert_int_equal(view_find_joint(skeleton, "leg.r", -1), joint(RIGHT_LEG));
    /* Joints stand breadth-first: both legs, then what is below. */
    int32_t first = view_find_joint(skeleton, "leg", -1);
    assert_int_equal(first, joint(LEFT_LEG));
    assert_int_equal(view_find_joint(skeleton, "leg", first), joint(RIGHT_LEG));
    assert_int_equal(view_find_joint(skeleton, "leg", joint(RIGHT_LEG)), first);
    assert_int_equal(view_find_joint(skeleton, "knee", joint(LEFT_KNEE)), joint(LEFT_KNEE));
    assert_int_equal(view_find_joint(skeleton, "knee", 1000), joint(LEFT_KNEE));
    assert_int_equal(view_find_joint(skeleton, "elbow", -1), -1);
    assert_int_equal(view_find_joint(skeleton, "", -1), -1);
    assert_int_equal(view_find_joint(skeleton, "Foot.L and more", -1), -1);
}

/* --- picking --------------------------------------------------------------------------- */

static view_camera looking_from(float yaw_rad, float distance)
{
    view_orbit orbit = {{0, 1.5f, 0}, yaw_rad, 0.0f, distance, 3.0f, {0, 1.5f, 0}};
    return view_orbit_camera(&orbit, 1.0f);
}

static int32_t pick(const view_camera *camera, float x, float y)
{
    return view_pick_joint(&posed, shown, camera, x, y, 600, 600, 10.0f);
}

/* A point between two joints, t of the way, a few pixels aside. */
static int32_t pick_between(const view_camera *camera, int from, int to, float t, float aside)
{
    mrw_vec3 a = joint_place(&posed, (uint32_t)joint(from));
    mrw_vec3 b = joint_place(&posed, (uint32_t)joint(to));
    mrw_vec3 p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
    float x, y;
    assert_true(view_camera_project(camera, p, 600, 600, &x, &y));
    return pick(camera, x + aside, y);
}

static void a_bone_is_its_joints(void **state)
{
    (void)state;
    view_camera camera = looking_from(0.0f, 12.0f);
    assert_int_equal(pick_between(&camera, LEFT_LEG, LEFT_KNEE, 0.5f, 0.0f), joint(LEFT_LEG));
    assert_int_equal(pick_between(&camera, LEFT_LEG, LEFT_KNEE, 0.5f, 8.0f), joint(LEFT_LEG));
    assert_int_equal(pick_between(&camera, LEFT_LEG, LEFT_KNEE, 0.5f, 12.0f), -1);
    assert_int_equal(pick_between(&camera, LEFT_KNEE, LEFT_FOOT, 0.3f, -5.0f), joint(LEFT_KNEE));
    assert_int_equal(pick_between(&camera, HIPS, RIGHT_LEG, 0.5f, 0.0f), joint(HIPS));
    assert_int_equal(pick(&camera, 5.0f, 5.0f), -1);
}

/* Where bones meet the joint's own is meant, also at the end of a chain. */
static void a_joint_is_itself(void **state)
{
    (void)state;
    view_camera camera = looking_from(0.3f, 12.0f);
    static const int nodes[] = {HIPS, LEFT_LEG, RIGHT_LEG, LEFT_KNEE, LEFT_FOOT};
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
        assert_int_equal(pick_between(&camera, nodes[i], nodes[i], 0.0f, 0.0f), joint(nodes[i]));
}

static void what_is_not_shown_is_not_picked(void **state)
{
    (void)state;
    view_camera camera = looking_from(0.0f, 12.0f);
    assert_int_equal(pick_between(&camera, CONTROL, CONTROL, 0.0f, 0.0f), -1);
    assert_int_equal(pick_between(&camera, ROOT, HIPS, 0.4f, 0.0f), -1);
    assert_int_equal(pick_between(&camera, LEFT_FOOT, LEFT_TIP, 0.6f, 0.0f), -1);
}

/* From the left side both legs lie behind each other. */
static void the_nearer_of_two_is_picked(void **state)
{
    (void)state;
    const float right_angle = MRW_PI / 2.0f;
    view_camera left = looking_from(right_angle, 12.0f), right = looking_from(-right_angle, 12.0f);
    assert_int_equal(pick_between(&left, LEFT_LEG, LEFT_LEG, 0.0f, 0.0f), joint(LEFT_LEG));
    assert_int_equal(pick_between(&right, RIGHT_LEG, RIGHT_LEG, 0.0f, 0.0f), joint(RIGHT_LEG));
    assert_int_equal(pick_between(&right, LEFT_LEG, LEFT_KNEE, 0.6f, 0.0f), joint(LEFT_LEG));
}

/* The eye is among the bones: what is behind it is not in the picture, and a bone that passes it is
 * cut. */
static void what_is_behind_the_eye_is_not_picked(void **state)
{
    (void)state;
    view_orbit orbit = {{-3.0f, 3.0f, 0}, MRW_PI / 2.0f, 0.0f, 3.0f, 3.0f, {0, 1.5f, 0}};
    view_camera camera = view_orbit_camera(&orbit, 1.0f); /* at the hips, looking along -x */
    assert_int_equal(pick(&camera, 300, 300), joint(HIPS));
    assert_int_equal(pick(&camera, 300, 450), -1);
    orbit.target.x = -5.0f; /* beyond the right leg */
    camera = view_orbit_camera(&orbit, 1.0f);
    assert_int_equal(pick(&camera, 300, 300), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_that_move_vertices_are_shown),
        cmocka_unit_test(helpers_are_shown_and_scenes_are_not),
        cmocka_unit_test(all_joints_are_shown_where_nothing_is_skinned),
        cmocka_unit_test(heat_is_the_joints_weight),
        cmocka_unit_test(names_are_searched),
        cmocka_unit_test(a_bone_is_its_joints),
        cmocka_unit_test(a_joint_is_itself),
        cmocka_unit_test(what_is_not_shown_is_not_picked),
        cmocka_unit_test(the_nearer_of_two_is_picked),
        cmocka_unit_test(what_is_behind_the_eye_is_not_picked),
    };
    return cmocka_run_group_tests(tests, make_legs, free_legs);
}
