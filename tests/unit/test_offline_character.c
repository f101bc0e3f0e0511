/* mrw_build_character: which nodes become joints, what binds meshes to them, what channels become.
 */
#include <marrow/offline/build.h>

#include "unit/handmade_scene.h"

/* Builds the character and frees the scene. */
static mrw_character *build(mrw_scene *scene)
{
    mrw_character *character = NULL;
    mrw_error error = {0};
    if (mrw_build_character(scene, NULL, &character, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    mrw_scene_free(scene);
    return character;
}

static const mrw_diagnostic *find_diagnostic(const mrw_character *character, const char *code)
{
    for (uint32_t i = 0; i < character->diagnostic_count; i++)
        if (strcmp(character->diagnostics[i].code, code) == 0)
            return &character->diagnostics[i];
    return NULL;
}

/* --- joints ------------------------------------------------------------------------------- */

/* The skeleton's joints by name, in order; and that the map to nodes and back agrees. */
static void expect_joints(const mrw_character *character, uint32_t count, const char *const *names)
{
    assert_int_equal(character->skeleton.joint_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(mrw_skeleton_joint_name(&character->skeleton, i), names[i]);
        assert_int_equal(character->node_to_joint[character->skeleton.source_nodes[i]], i);
    }
    uint32_t mapped = 0;
    for (uint32_t i = 0; i < character->node_count; i++)
        mapped += character->node_to_joint[i] >= 0 ? 1u : 0u;
    assert_int_equal(mapped, count);
}

static void joints_helpers_and_ancestors_stay_others_go(void **state)
{
    (void)state;
    /* root > hips > helper > knee(joint) > toe, root > lamp; hips is a joint too; the knee comes
     * first in the skin, and nodes stand in no order. */
    enum { KNEE, LAMP, HELPER, ROOT, TOE, HIPS };
    static const char *const names[] = {"knee", "lamp", "helper", "root", "toe", "hips"};
    static const int32_t parents[] = {HELPER, ROOT, HIPS, -1, KNEE, ROOT};
    static const int32_t joints[] = {KNEE, HIPS};
    mrw_scene *scene = new_scene(6);
    for (uint32_t i = 0; i < 6; i++) {
        scene->nodes[i].name = names[i];
        scene->nodes[i].parent = parents[i];
        scene->nodes[i].local.translation.x = (float)i;
    }
    add_skin(scene, 2, joints);
    mrw_character *character = build(scene);
    static const char *const expected[] = {"root", "hips", "helper", "knee"};
    expect_joints(character, 4, expected);
    assert_int_equal(character->node_count, 6);
    assert_int_equal(character->node_to_joint[LAMP], -1);
    assert_int_equal(character->node_to_joint[TOE], -1);
    for (int32_t i = 0; i < 4; i++)
        assert_int_equal(character->skeleton.parents[i], i - 1);
    assert_float_equal(character->skeleton.rest_blocks[0].translation[0][2], HELPER, 0.0f);
    /* The influences count in the skin's order, the skeleton in its own. */
    assert_int_equal(character->skin_count, 1);
    assert_int_equal(character->skins[0].joint_count, 2);
    assert_int_equal(character->skins[0].joints[0], 3);
    assert_int_equal(character->skins[0].joints[1], 1);
    mrw_character_free(character);
}

static void animated_nodes_and_mesh_nodes_matter(void **state)
{
    (void)state;
    static const float time = 0;
    static const float value[3] = {0};
    mrw_scene *scene = new_scene(6);
    static const char *const names[] = {"animated", "plain", "mesh",
                                        "hidden",   "above", "hidden mesh"};
    for (uint32_t i = 0; i < 6; i++)
        scene->nodes[i].name = names[i];
    scene->nodes[0].parent = 4;
    scene->nodes[3].in_scene = false;
    scene->nodes[5].in_scene = false;
    add_mesh(scene, "", 1);
    scene->nodes[2].mesh = 0;
    scene->nodes[5].mesh = 0;
    add_animation(scene, "");
    add_channel(scene, 0, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_STEP, 1, 3, &time, value);
    add_channel(scene, 3, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_STEP, 1, 3, &time, value);
    mrw_character *character = build(scene);
    static const char *const expected[] = {"mesh", "above", "animated"};
    expect_joints(character, 3, expected);
    assert_int_equal(character->instance_count, 1);
    mrw_character_free(character);
}

static void skin_joints_outside_the_shown_scene_matter(void **state)
{
    (void)state;
    static const int32_t joints[] = {1};
    static const float time = 1;
    static const float value[3] = {0};
    mrw_scene *scene = new_scene(3);
    scene->nodes[0].name = "above";
    scene->nodes[1].name = "joint";
    scene->nodes[2].name = "shown";
    scene->nodes[1].parent = 0;
    scene->nodes[0].in_scene = false;
    scene->nodes[1].in_scene = false;
    add_skin(scene, 1, joints);
    add_animation(scene, "");
    add_channel(scene, 1, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_STEP, 1, 3, &time, value);
    mrw_character *character = build(scene);
    static const char *const expected[] = {"above", "joint"};
    expect_joints(character, 2, expected);
    /* It is a joint, so its animation counts although the scene does not show it. */
    assert_int_equal(character->clips[0].track_count, 1);
    assert_int_equal(character->diagnostic_count, 0);
    mrw_character_free(character);
}

static void a_bare_hierarchy_is_kept_whole(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(3);
    scene->nodes[0].parent = 2;
    scene->nodes[1].in_scene = false;
    scene->nodes[0].name = "child";
    scene->nodes[2].name = "root";
    mrw_character *character = build(scene);
    static const char *const expected[] = {"root", "child"};
    expect_joints(character, 2, expected);
    mrw_character_free(character);
    character = build(new_scene(0));
    assert_int_equal(character->skeleton.joint_count, 0);
    mrw_character_free(character);
}

static void an_animation_without_meshes_keeps_the_whole_hierarchy(void **state)
{
    (void)state;
    static const float time = 0;
    static const float value[3] = {0};
    mrw_scene *scene = new_scene(3);
    static const char *const names[] = {"tip", "hinge", "beside"};
    for (uint32_t i = 0; i < 3; i++)
        scene->nodes[i].name = names[i];
    scene->nodes[0].parent = 1;
    add_animation(scene, "");
    add_channel(scene, 1, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_STEP, 1, 3, &time, value);
    mrw_character *character = build(scene);
    static const char *const expected[] = {"hinge", "beside", "tip"};
    expect_joints(character, 3, expected);
    mrw_character_free(character);
}

static void names_come_out_unique(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(4);
    scene->nodes[0].name = "arm";
    scene->nodes[1].name = "arm";
    mrw_character *character = build(scene);
    assert_string_equal(mrw_skeleton_joint_name(&character->skeleton, 0), "arm");
    for (uint32_t i = 0; i < 4; i++) {
        const char *name = mrw_skeleton_joint_name(&character->skeleton, i);
        assert_true(name[0] != '\0');
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(name, mrw_skeleton_joint_name(&character->skeleton, k));
    }
    mrw_character_free(character);
}

/* --- instances and skins ------------------------------------------------------------------ */

static void each_node_with_a_mesh_is_an_instance(void **state)
{
    (void)state;
    /* Nodes 0 and 1 are joints; one mesh hangs under skin 0, under skin 1 and rigidly, another has
     * no influences but a skin. */
    static const int32_t two[] = {0, 1};
    static const int32_t one[] = {1};
    static const uint16_t joints[] = {0, 0, 0};
    static const float weights[] = {1, 1, 1};
    static const char *const names[] = {"a", "b"};
    static const float rest[] = {0.25f, 0.75f};
    static const float node_rest[] = {0.5f, 1};
    mrw_scene *scene = new_scene(6);
    scene->nodes[1].parent = 0;
    add_mesh(scene, "skinned", 1);
    set_influences(scene, scene->meshes->primitives, 1, joints, weights);
    set_targets(scene, 0, 2, names, rest);
    add_mesh(scene, "rigid", 1);
    int32_t skin_0 = add_skin(scene, 2, two);
    int32_t skin_1 = add_skin(scene, 1, one);
    scene->nodes[2].mesh = 0;
    scene->nodes[2].skin = skin_1;
    scene->nodes[3].mesh = 1;
    scene->nodes[3].skin = skin_0;
    scene->nodes[4].mesh = 0;
    scene->nodes[5].mesh = 0;
    scene->nodes[5].skin = skin_0;
    scene->nodes[5].morph_weight_count = 2;
    scene->nodes[5].morph_weights = scene_floats(scene, node_rest, 2);
    mrw_character *character = build(scene);
    static const mrw_mesh_instance expected[] = {
        /* mesh, skin, joint, first scalar, palette first, palette count */
        {0, 1, 0, 0, 0, 1},
        {1, -1, 0, 2, 1, 1},
        {0, -1, 0, 2, 2, 1},
        {0, 0, 0, 4, 3, 2},
    };
    assert_int_equal(character->instance_count, 4);
    assert_int_equal(character->palette_count, 5);
    for (uint32_t i = 0; i < 4; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        assert_int_equal(instance->mesh, expected[i].mesh);
        assert_int_equal(instance->skin, expected[i].skin);
        assert_int_equal(instance->joint, character->node_to_joint[i + 2]);
        assert_int_equal(instance->first_scalar, expected[i].first_scalar);
        assert_int_equal(instance->palette_first, expected[i].palette_first);
        assert_int_equal(instance->palette_count, expected[i].palette_count);
    }
    const float scalars[] = {0.25f, 0.75f, 0.25f, 0.75f, 0.5f, 1};
    assert_int_equal(character->skeleton.scalar_count, 6);
    assert_memory_equal(character->skeleton.rest_scalars, scalars, sizeof(scalars));
    mrw_character_free(character);
}

static void scalars_are_named_after_joint_and_target(void **state)
{
    (void)state;
    static const char *const names[] = {"smile", "", "smile"};
    static const float rest[] = {0, 0, 0};
    mrw_scene *scene = new_scene(2);
    scene->nodes[0].name = "Head";
    scene->nodes[1].name = "Head";
    add_mesh(scene, "", 1);
    set_targets(scene, 0, 3, names, rest);
    scene->nodes[0].mesh = 0;
    scene->nodes[1].mesh = 0;
    mrw_character *character = build(scene);
    const mrw_skeleton *skeleton = &character->skeleton;
    assert_string_equal(mrw_skeleton_joint_name(skeleton, 0), "Head");
    assert_string_equal(mrw_skeleton_joint_name(skeleton, 1), "Head.2");
    static const char *const expected[] = {"Head.smile",   "Head.1",   "Head.smile",
                                           "Head.2.smile", "Head.2.1", "Head.2.smile"};
    assert_int_equal(skeleton->scalar_count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_string_equal(mrw_skeleton_scalar_name(skeleton, i), expected[i]);
    mrw_character_free(character);
}

static void inverse_binds_of_the_file_or_the_identity(void **state)
{
    (void)state;
    static const int32_t joints[] = {0, 1};
    mrw_scene *scene = new_scene(2);
    scene->nodes[0].local.translation.x = 5; /* the rest pose is not asked */
    add_skin(scene, 2, joints);
    add_skin(scene, 2, joints);
    scene->skins[1].name = "bound";
    scene->skins[1].inverse_binds = mrw_scene_alloc(scene, 2, sizeof(mrw_mat34));
    for (uint32_t i = 0; i < 24; i++)
        (&scene->skins[1].inverse_binds[0].m[0][0])[i] = 0.1f * (float)i;
    mrw_character *character = build(scene);
    mrw_mat34 identity = mrw_mat34_identity();
    assert_memory_equal(&character->skins[0].inverse_binds[0], &identity, sizeof(identity));
    assert_memory_equal(&character->skins[0].inverse_binds[1], &identity, sizeof(identity));
    assert_string_equal(character->skins[1].name, "bound");
    for (uint32_t i = 0; i < 24; i++) {
        float expected = 0.1f * (float)i;
        assert_memory_equal(&(&character->skins[1].inverse_binds[0].m[0][0])[i], &expected,
                            sizeof(expected));
    }
    mrw_character_free(character);
}

/* --- clips -------------------------------------------------------------------------------- */

static const mrw_track *find_track(const mrw_clip *clip, mrw_track_kind kind, uint32_t target)
{
    for (uint32_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i].kind == kind && clip->tracks[i].target == target)
            return &clip->tracks[i];
    fail_msg("no track of kind %d for %u", (int)kind, target);
    return NULL;
}

static void expect_track(const mrw_clip *clip, const mrw_track *track,
                         mrw_interpolation interpolation, uint32_t key_count, const float *times,
                         const float *values)
{
    assert_int_equal(track->interpolation, interpolation);
    assert_int_equal(track->key_count, key_count);
    size_t rows = (size_t)key_count * (interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1);
    size_t count = rows * mrw_track_width((mrw_track_kind)track->kind);
    assert_memory_equal(clip->times + track->times_offset, times, key_count * sizeof(float));
    size_t key_floats = count / key_count;
    for (uint32_t k = 0; k < key_count; k++) {
        float key[12];
        assert_int_equal(mrw_clip_key(clip, (uint32_t)(track - clip->tracks), k, key), key_floats);
        assert_memory_equal(key, values + k * key_floats, key_floats * sizeof(float));
    }
}

static void channels_become_tracks_of_joints(void **state)
{
    (void)state;
    static const float times[] = {0.5f, 1.5f};
    static const float moves[] = {1, 2, 3, 4, 5, 6};
    static const float turns[] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f};
    static const float late[] = {0.25f, 3.0f};
    mrw_scene *scene = new_scene(3);
    scene->nodes[0].parent = 1; /* joint 2: after both roots */
    add_animation(scene, "walk");
    add_channel(scene, 0, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_LINEAR, 2, 3, times, moves);
    add_channel(scene, 1, MRW_CHANNEL_ROTATION, MRW_INTERPOLATION_LINEAR, 2, 4, times, turns);
    add_channel(scene, 2, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_STEP, 2, 3, late, moves);
    add_animation(scene, "");
    add_animation(scene, "walk");
    mrw_character *character = build(scene);
    assert_int_equal(character->clip_count, 3);
    const mrw_clip *clip = &character->clips[0];
    assert_string_equal(clip->name, "walk");
    assert_int_equal(clip->track_count, 3);
    assert_float_equal(clip->duration_s, 3.0f, 0.0f);
    expect_track(clip, find_track(clip, MRW_TRACK_TRANSLATION, 2), MRW_INTERPOLATION_LINEAR, 2,
                 times, moves);
    expect_track(clip, find_track(clip, MRW_TRACK_ROTATION, 0), MRW_INTERPOLATION_LINEAR, 2, times,
                 turns);
    expect_track(clip, find_track(clip, MRW_TRACK_SCALE, 1), MRW_INTERPOLATION_STEP, 2, late,
                 moves);
    assert_int_equal(character->clips[1].track_count, 0);
    assert_float_equal(character->clips[1].duration_s, 0.0f, 0.0f);
    assert_int_equal(mrw_character_find_clip(character, "walk"), 0);
    assert_int_equal(mrw_character_find_clip(character, ""), 1);
    assert_int_equal(mrw_character_find_clip(character, "run"), -1);
    mrw_character_free(character);
}

static void morph_weights_are_split_into_scalars(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    static const float rest[] = {0, 0};
    static const float times[] = {0, 1};
    /* per key: value of a, value of b */
    static const float linear[] = {0.1f, 0.2f, 0.3f, 0.4f};
    /* per key: in-tangents a b, values a b, out-tangents a b */
    static const float cubic[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    mrw_scene *scene = new_scene(2);
    add_mesh(scene, "", 1);
    set_targets(scene, 0, 2, names, rest);
    scene->nodes[0].mesh = 0;
    scene->nodes[1].mesh = 0;
    add_animation(scene, "");
    add_channel(scene, 1, MRW_CHANNEL_WEIGHTS, MRW_INTERPOLATION_CUBIC, 2, 2, times, cubic);
    add_channel(scene, 0, MRW_CHANNEL_WEIGHTS, MRW_INTERPOLATION_LINEAR, 2, 2, times, linear);
    mrw_character *character = build(scene);
    const mrw_clip *clip = &character->clips[0];
    assert_int_equal(clip->scalar_count, 4);
    assert_int_equal(clip->track_count, 4);
    const float linear_a[] = {0.1f, 0.3f};
    const float linear_b[] = {0.2f, 0.4f};
    const float cubic_a[] = {1, 3, 5, 7, 9, 11};
    const float cubic_b[] = {2, 4, 6, 8, 10, 12};
    expect_track(clip, find_track(clip, MRW_TRACK_SCALAR, 0), MRW_INTERPOLATION_LINEAR, 2, times,
                 linear_a);
    expect_track(clip, find_track(clip, MRW_TRACK_SCALAR, 1), MRW_INTERPOLATION_LINEAR, 2, times,
                 linear_b);
    expect_track(clip, find_track(clip, MRW_TRACK_SCALAR, 2), MRW_INTERPOLATION_CUBIC, 2, times,
                 cubic_a);
    expect_track(clip, find_track(clip, MRW_TRACK_SCALAR, 3), MRW_INTERPOLATION_CUBIC, 2, times,
                 cubic_b);
    mrw_character_free(character);
}

static void channels_that_cannot_be_used_are_told(void **state)
{
    (void)state;
    static const float times[] = {0, 1};
    static const float long_times[] = {0, 9};
    static const float first[] = {1, 1, 1, 2, 2, 2};
    static const float second[] = {3, 3, 3, 4, 4, 4};
    mrw_scene *scene = new_scene(2);
    scene->nodes[1].in_scene = false;
    for (uint32_t i = 0; i < 2;
         i++) { /* twice: the second animation is no duplicate of the first */
        add_animation(scene, "");
        add_channel(scene, 0, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_LINEAR, 2, 3, times, first);
        add_channel(scene, 0, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_STEP, 2, 3, times, second);
        add_channel(scene, 1, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_STEP, 2, 3, long_times, first);
    }
    mrw_character *character = build(scene);
    for (uint32_t i = 0; i < 2; i++) {
        const mrw_clip *clip = &character->clips[i];
        assert_int_equal(clip->track_count, 1);
        expect_track(clip, &clip->tracks[0], MRW_INTERPOLATION_LINEAR, 2, times, first);
        assert_float_equal(clip->duration_s, 9.0f, 0.0f); /* the file's clip is that long */
    }
    const mrw_diagnostic *told = find_diagnostic(character, "ANIMATION_DUPLICATE_TARGETS");
    assert_non_null(told);
    assert_int_equal(told->severity, MRW_SEVERITY_WARNING);
    assert_string_equal(told->where, "animations[0].channels[1]");
    assert_int_equal(told->count, 2);
    told = find_diagnostic(character, "MRW_ANIMATION_CHANNEL_IGNORED");
    assert_non_null(told);
    assert_int_equal(told->severity, MRW_SEVERITY_INFO);
    assert_string_equal(told->where, "animations[0].channels[2]");
    assert_int_equal(told->count, 2);
    mrw_character_free(character);
}

/* --- errors ------------------------------------------------------------------------------- */

static void mistakes_are_statuses(void **state)
{
    (void)state;
    mrw_character *character = (mrw_character *)state;
    mrw_error error = {0};
    mrw_scene *scene = new_scene(1);
    assert_int_equal(mrw_build_character(NULL, NULL, &character, &error), MRW_ERR_NULL_ARGUMENT);
    assert_null(character);
    assert_int_equal(mrw_build_character(scene, NULL, NULL, &error), MRW_ERR_NULL_ARGUMENT);
    mrw_build_options options = mrw_build_options_default();
    options.struct_size = 0;
    assert_int_equal(mrw_build_character(scene, &options, &character, &error), MRW_ERR_STRUCT_SIZE);
    scene->nodes[0].parent = 0;
    assert_int_equal(mrw_build_character(scene, NULL, &character, &error), MRW_ERR_NODE_CYCLE);
    assert_string_equal(error.detail, "nodes[0].parent");
    mrw_scene_free(scene);
    mrw_character_free(NULL);
}

static void too_many_joints_are_refused(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(MRW_MAX_JOINTS + 1);
    mrw_character *character = NULL;
    mrw_error error = {0};
    assert_int_equal(mrw_build_character(scene, NULL, &character, &error), MRW_ERR_LIMIT);
    assert_string_equal(error.detail, "nodes");
    scene->nodes[0].in_scene = false;
    assert_int_equal(mrw_build_character(scene, NULL, &character, &error), MRW_OK);
    assert_int_equal(character->skeleton.joint_count, MRW_MAX_JOINTS);
    mrw_character_free(character);
    mrw_scene_free(scene);
}

/* A scene with something of everything that is built. */
static mrw_scene *rich_scene(void)
{
    static const int32_t skin_joints[] = {1, 0};
    static const uint16_t joints[] = {0, 1, 1, 0, 0, 0};
    static const float weights[] = {0.5f, 0.25f, 1, 0, 0, 0};
    static const char *const names[] = {"a", "b"};
    static const float rest[] = {0, 0.5f};
    static const float times[] = {0, 1};
    static const float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    mrw_scene *scene = new_scene(3);
    scene->nodes[1].parent = 0;
    add_mesh(scene, "Body", 2);
    set_influences(scene, scene->meshes->primitives, 2, joints, weights);
    set_targets(scene, 0, 2, names, rest);
    scene->meshes->primitives[0].targets[1].positions = mrw_scene_alloc(scene, 9, sizeof(float));
    scene->nodes[2].mesh = 0;
    scene->nodes[2].skin = add_skin(scene, 2, skin_joints);
    add_animation(scene, "move");
    add_channel(scene, 1, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_LINEAR, 2, 3, times, values);
    add_channel(scene, 2, MRW_CHANNEL_WEIGHTS, MRW_INTERPOLATION_LINEAR, 2, 2, times, values);
    return scene;
}

static void every_failing_allocation_is_an_error_without_a_leak(void **state)
{
    (void)state;
    mrw_scene *scene = rich_scene();
    mrw_status status = MRW_ERR_OUT_OF_MEMORY;
    uint32_t nth = 0;
    while (status != MRW_OK) {
        failing_heap heap = {0, 0, ++nth};
        mrw_build_options options = mrw_build_options_default();
        options.memory = failing_options(&heap);
        mrw_character *character = NULL;
        mrw_error error = {0};
        status = mrw_build_character(scene, &options, &character, &error);
        assert_true(status == MRW_OK || status == MRW_ERR_OUT_OF_MEMORY);
        assert_int_equal(error.status, status);
        assert_true((character != NULL) == (status == MRW_OK));
        mrw_character_free(character);
        assert_int_equal(heap.held_bytes, 0);
    }
    assert_true(nth > 30);
    mrw_scene_free(scene);
}

/* The limit is on everything that the call holds, whoever in it allocates. */
static void the_memory_limit_holds(void **state)
{
    (void)state;
    mrw_scene *scene = rich_scene();
    mrw_status status = MRW_ERR_MEMORY_LIMIT;
    uint64_t limit_bytes = 500;
    for (; status != MRW_OK; limit_bytes += 500) {
        failing_heap heap = {0, 0, 0};
        mrw_build_options options = mrw_build_options_default();
        options.memory = failing_options(&heap);
        options.memory.limit_bytes = limit_bytes;
        mrw_character *character = NULL;
        status = mrw_build_character(scene, &options, &character, NULL);
        assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
        assert_true(heap.held_bytes <= limit_bytes);
        mrw_character_free(character);
        assert_int_equal(heap.held_bytes, 0);
    }
    assert_true(limit_bytes > 2000);
    mrw_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_helpers_and_ancestors_stay_others_go),
        cmocka_unit_test(animated_nodes_and_mesh_nodes_matter),
        cmocka_unit_test(skin_joints_outside_the_shown_scene_matter),
        cmocka_unit_test(a_bare_hierarchy_is_kept_whole),
        cmocka_unit_test(an_animation_without_meshes_keeps_the_whole_hierarchy),
        cmocka_unit_test(names_come_out_unique),
        cmocka_unit_test(each_node_with_a_mesh_is_an_instance),
        cmocka_unit_test(scalars_are_named_after_joint_and_target),
        cmocka_unit_test(inverse_binds_of_the_file_or_the_identity),
        cmocka_unit_test(channels_become_tracks_of_joints),
        cmocka_unit_test(morph_weights_are_split_into_scalars),
        cmocka_unit_test(channels_that_cannot_be_used_are_told),
        cmocka_unit_test(mistakes_are_statuses),
        cmocka_unit_test(too_many_joints_are_refused),
        cmocka_unit_test(every_failing_allocation_is_an_error_without_a_leak),
        cmocka_unit_test(the_memory_limit_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
