/* Meshes of a character: primitives one after the other, influences as skinning wants them. */
#include <marrow/offline/build.h>

#include "unit/handmade_scene.h"

/* Builds the character and frees the scene. */
static mrw_character *build(mrw_scene *scene, uint32_t max_influences)
{
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = max_influences;
    mrw_character *character = NULL;
    mrw_error error = {0};
    if (mrw_build_character(scene, &options, &character, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    mrw_scene_free(scene);
    return character;
}

static void expect_floats(const float *values, const float *expected, size_t count)
{
    assert_non_null(values);
    for (size_t i = 0; i < count; i++)
        if (memcmp(&values[i], &expected[i], sizeof(float)) != 0)
            fail_msg("number %zu is %.9g where %.9g belongs", i, (double)values[i],
                     (double)expected[i]);
}

static void primitives_stand_one_after_the_other(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "Body", 2);
    mrw_scene_mesh *mesh = scene->meshes;
    scene->material_count = 4;
    scene->materials = mrw_scene_alloc(scene, 4, sizeof(*scene->materials));
    for (uint32_t i = 0; i < 4; i++) {
        scene->materials[i].name = "";
        scene->materials[i].base_color_image = -1;
    }
    mesh->primitives[0].material = 3;
    mesh->primitives[0].topology = MRW_TOPOLOGY_POINTS;
    mesh->primitives[1].positions[0] = 7;
    scene->nodes[0].mesh = 0;
    mrw_character *character = build(scene, 0);
    assert_int_equal(character->mesh_count, 1);
    const mrw_mesh *built = &character->meshes[0];
    assert_string_equal(built->name, "Body");
    assert_int_equal(built->vertex_count, 6);
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0.1f, -2, 7, 0, 0, 1, 0, 0, 0, 0.1f, -2};
    expect_floats(built->positions, positions, 18);
    const uint32_t indices[] = {0, 1, 2, 3, 4, 5};
    assert_int_equal(built->index_count, 6);
    assert_memory_equal(built->indices, indices, sizeof(indices));
    assert_int_equal(built->part_count, 2);
    assert_int_equal(built->parts[0].topology, MRW_TOPOLOGY_POINTS);
    assert_int_equal(built->parts[0].material, 3);
    assert_int_equal(built->parts[0].first_vertex, 0);
    assert_int_equal(built->parts[0].first_index, 0);
    assert_int_equal(built->parts[1].topology, MRW_TOPOLOGY_TRIANGLES);
    assert_int_equal(built->parts[1].material, -1);
    assert_int_equal(built->parts[1].first_vertex, 3);
    assert_int_equal(built->parts[1].vertex_count, 3);
    assert_int_equal(built->parts[1].first_index, 3);
    assert_int_equal(built->parts[1].index_count, 3);
    assert_null(built->normals);
    assert_null(built->texcoords);
    assert_int_equal(built->influence_count, 0);
    mrw_character_free(character);
}

static void attributes_of_some_primitives(void **state)
{
    (void)state;
    static const float twelve[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "", 2);
    mrw_scene_primitive *primitives = scene->meshes->primitives;
    primitives[0].normals = scene_floats(scene, twelve, 9);
    primitives[0].tangents = scene_floats(scene, twelve, 12);
    primitives[1].tangents = scene_floats(scene, twelve, 12);
    primitives[1].texcoords = scene_floats(scene, twelve, 6);
    primitives[0].colors = scene_floats(scene, twelve, 12);
    mrw_character *character = build(scene, 0);
    const mrw_mesh *mesh = &character->meshes[0];
    assert_null(mesh->normals); /* not every primitive has them */
    expect_floats(mesh->tangents, twelve, 12);
    expect_floats(mesh->tangents + 12, twelve, 12);
    const float texcoords[] = {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6};
    expect_floats(mesh->texcoords, texcoords, 12);
    const float ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    expect_floats(mesh->colors, twelve, 12);
    expect_floats(mesh->colors + 12, ones, 12);
    mrw_character_free(character);
}

static void expect_vertices(const mrw_morph_target *target, uint32_t count,
                            const uint32_t *vertices)
{
    assert_non_null(target->vertices);
    assert_int_equal(target->count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(target->vertices[i], vertices[i]);
}

static void morph_targets_cover_all_primitives(void **state)
{
    (void)state;
    static const char *const names[] = {"smile", "", "still"};
    static const float weights[] = {0, 0, 0};
    static const float nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "", 2);
    set_targets(scene, 0, 3, names, weights);
    mrw_scene_primitive *primitives = scene->meshes->primitives;
    primitives[1].targets[0].positions = scene_floats(scene, nine, 9);
    primitives[0].targets[1].normals = scene_floats(scene, nine, 9);
    primitives[0].normals = scene_floats(scene, nine, 9);
    primitives[1].normals = scene_floats(scene, nine, 9);
    primitives[0].targets[1].tangents = scene_floats(scene, nine, 9); /* the mesh has none */
    mrw_character *character = build(scene, 0);
    const mrw_mesh *mesh = &character->meshes[0];
    assert_int_equal(mesh->target_count, 3);
    assert_string_equal(mesh->target_names[0], "smile");
    assert_string_equal(mesh->target_names[1], "");
    expect_vertices(&mesh->targets[0], 3, (const uint32_t[]){3, 4, 5});
    expect_floats(mesh->targets[0].positions, nine, 9);
    assert_null(mesh->targets[0].normals);
    assert_null(mesh->targets[1].positions);
    expect_vertices(&mesh->targets[1], 3, (const uint32_t[]){0, 1, 2});
    expect_floats(mesh->targets[1].normals, nine, 9);
    assert_null(mesh->targets[1].tangents);
    assert_null(mesh->targets[2].positions);
    assert_null(mesh->targets[2].vertices);
    mrw_character_free(character);
}

/* With positions alone a listed vertex takes 16 bytes, and one of a dense target 12: of six
 * vertices four are listed (64 bytes to 72), and five are not. With normals it is 28 to 24: five
 * are. */
static void targets_are_stored_in_the_fewest_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"four", "five", "five with normals", "none"};
    static const float weights[] = {0, 0, 0, 0};
    static const float four[18] = {1, 0, 0, 0, 2, 0, 0, 0, 0, -0.0f, 0, 0, 0, 0, 3, 0, 0, 1e-45f};
    static const float five[18] = {1, 0, 0, 0, 2, 0, 4, 0, 0, -0.0f, 0, 0, 0, 0, 3, 0, 0, 5};
    static const float zeros[18] = {0};
    static const uint32_t indices[] = {0, 1, 2, 3, 4, 5};
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "", 1);
    set_targets(scene, 0, 4, names, weights);
    mrw_scene_primitive *primitive = scene->meshes->primitives;
    primitive->vertex_count = 6;
    primitive->positions = scene_floats(scene, zeros, 18);
    primitive->normals = scene_floats(scene, five, 18);
    primitive->index_count = 6;
    primitive->indices = scene_copy(scene, indices, sizeof(indices));
    primitive->targets[0].positions = scene_floats(scene, four, 18);
    primitive->targets[1].positions = scene_floats(scene, five, 18);
    primitive->targets[2].positions = scene_floats(scene, zeros, 18);
    primitive->targets[2].normals = scene_floats(scene, five, 18);
    primitive->targets[3].positions = scene_floats(scene, zeros, 18);
    mrw_character *character = build(scene, 0);
    const mrw_morph_target *targets = character->meshes[0].targets;
    const float listed_four[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 1e-45f};
    expect_vertices(&targets[0], 4, (const uint32_t[]){0, 1, 4, 5});
    expect_floats(targets[0].positions, listed_four, 12);
    assert_null(targets[1].vertices);
    expect_floats(targets[1].positions, five, 18);
    const float listed_five[15] = {1, 0, 0, 0, 2, 0, 4, 0, 0, 0, 0, 3, 0, 0, 5};
    expect_vertices(&targets[2], 5, (const uint32_t[]){0, 1, 2, 4, 5});
    expect_floats(targets[2].positions, zeros, 15);
    expect_floats(targets[2].normals, listed_five, 15);
    expect_vertices(&targets[3], 0, NULL);
    assert_int_equal(mrw_morph_check_vertices(targets, 4, 6, NULL), MRW_OK);
    mrw_character_free(character);
}

/* --- influences --------------------------------------------------------------------------- */

/* A scene whose only mesh is a triangle with these influences. */
static mrw_scene *influenced_scene(uint32_t count, const uint16_t *joints, const float *weights)
{
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "", 1);
    set_influences(scene, scene->meshes->primitives, count, joints, weights);
    scene->nodes[0].mesh = 0;
    return scene;
}

static void expect_influences(const mrw_mesh *mesh, uint32_t count, const uint16_t *joints,
                              const float *weights)
{
    assert_int_equal(mesh->influence_count, count);
    for (size_t i = 0; i < (size_t)mesh->vertex_count * count; i++)
        if (mesh->joints[i] != joints[i])
            fail_msg("joint %zu is %u where %u belongs", i, mesh->joints[i], joints[i]);
    expect_floats(mesh->weights, weights, (size_t)mesh->vertex_count * count);
}

static const mrw_diagnostic *find_diagnostic(const mrw_character *character, const char *code)
{
    for (uint32_t i = 0; i < character->diagnostic_count; i++)
        if (strcmp(character->diagnostics[i].code, code) == 0)
            return &character->diagnostics[i];
    return NULL;
}

static void quantised_weights_are_scaled_to_one(void **state)
{
    (void)state;
    /* 127 + 127 of 255; 255 of 255; a quarter and a quarter. */
    static const uint16_t joints[] = {1, 2, 0, 0, 3, 0, 0, 0, 1, 2, 0, 0};
    static const float weights[] = {127 / 255.0f, 127 / 255.0f, 0, 0, 1, 0, 0, 0,
                                    0.25f,        0.25f,        0, 0};
    mrw_character *character = build(influenced_scene(4, joints, weights), 0);
    const uint16_t expected_joints[] = {1, 2, 3, 0, 1, 2};
    const float expected_weights[] = {0.5f, 0.5f, 1, 0, 0.5f, 0.5f};
    expect_influences(&character->meshes[0], 2, expected_joints, expected_weights);
    const mrw_diagnostic *told = find_diagnostic(character, "ACCESSOR_WEIGHTS_NON_NORMALIZED");
    assert_non_null(told);
    assert_int_equal(told->severity, MRW_SEVERITY_WARNING);
    assert_string_equal(told->where, "meshes[0].primitives[0]");
    assert_non_null(strstr(told->message, "2 of 3 vertices"));
    assert_int_equal(character->diagnostic_count, 1);
    mrw_character_free(character);
}

static void what_the_importer_has_told_is_not_told_again(void **state)
{
    (void)state;
    static const uint16_t joints[] = {0, 0, 0};
    static const float weights[] = {0.5f, 1, 1};
    mrw_scene *scene = influenced_scene(1, joints, weights);
    assert_true(mrw_scene_diagnose(scene, MRW_SEVERITY_ERROR, "ACCESSOR_WEIGHTS_NON_NORMALIZED",
                                   "accessors[0]", "told"));
    mrw_character *character = build(scene, 0);
    assert_int_equal(character->diagnostic_count, 0);
    assert_float_equal(character->meshes[0].weights[0], 1.0f, 0.0f);
    mrw_character_free(character);
}

static void one_entry_a_joint_the_heaviest_first(void **state)
{
    (void)state;
    /* Vertex 0: joint 7 twice. 1: equal weights keep their order. 2: sorted already. */
    static const uint16_t joints[] = {7, 2, 7, 4, 9, 5, 3, 6, 1, 2, 3, 4};
    static const float weights[] = {0.25f, 0.5f,  0.375f, 0.0f, 0.25f, 0.25f,
                                    0.25f, 0.25f, 0.5f,   0.5f, 0,     0};
    mrw_character *character = build(influenced_scene(4, joints, weights), 0);
    const uint16_t expected_joints[] = {7, 2, 0, 0, 9, 5, 3, 6, 1, 2, 0, 0};
    /* 0.625 + 0.5 = 1.125 */
    const float expected_weights[] = {0.625f / 1.125f, 0.5f / 1.125f, 0,    0,    0.25f, 0.25f,
                                      0.25f,           0.25f,         0.5f, 0.5f, 0,     0};
    expect_influences(&character->meshes[0], 4, expected_joints, expected_weights);
    mrw_character_free(character);
}

static void pruning_keeps_the_heaviest_and_tells_how_much_went(void **state)
{
    (void)state;
    static const uint16_t joints[] = {1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 0, 0, 0, 0};
    static const float weights[] = {0.0625f, 0.125f, 0.25f, 0.5f, 0.0625f, 0.25f, 0.25f, 0.125f,
                                    0.25f,   0.125f, 1,     0,    0,       0,     0};
    mrw_character *character = build(influenced_scene(5, joints, weights), 4);
    const uint16_t expected_joints[] = {4, 3, 2, 1, 1, 2, 4, 3, 1, 0, 0, 0};
    /* 1 - 0.0625 and 1 - 0.125 stay. */
    const float expected_weights[] = {0.5f / 0.9375f,
                                      0.25f / 0.9375f,
                                      0.125f / 0.9375f,
                                      0.0625f / 0.9375f,
                                      0.25f / 0.875f,
                                      0.25f / 0.875f,
                                      0.25f / 0.875f,
                                      0.125f / 0.875f,
                                      1,
                                      0,
                                      0,
                                      0};
    expect_influences(&character->meshes[0], 4, expected_joints, expected_weights);
    assert_float_equal(character->meshes[0].pruned_weight, 0.125f, 0.0f);
    assert_int_equal(character->diagnostic_count, 0); /* asked for, so not odd */
    mrw_character_free(character);

    character = build(influenced_scene(5, joints, weights), 1);
    const uint16_t one_joint[] = {4, 1, 1};
    const float one_weight[] = {1, 1, 1};
    expect_influences(&character->meshes[0], 1, one_joint, one_weight);
    assert_float_equal(character->meshes[0].pruned_weight, 0.75f, 0.0f);
    mrw_character_free(character);
}

static void normalised_weights_keep_their_bits(void **state)
{
    (void)state;
    /* Vertex 0 sums to 1 - 2^-24 or so; 1 to 1 + 3e-7; 2 to 1 + 1e-6, too much for two. */
    static const uint16_t joints[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    static const float weights[] = {0.6f, 0.3f,      0.1f, 0.7000003f, 0.2f,
                                    0.1f, 0.600001f, 0.4f, 0.0f};
    mrw_character *character = build(influenced_scene(3, joints, weights), 0);
    const mrw_mesh *mesh = &character->meshes[0];
    expect_floats(mesh->weights, weights, 6);
    assert_true(mesh->weights[6] < 0.600001f);
    assert_float_equal(mesh->weights[6] + mesh->weights[7], 1.0f, 6e-8f);
    assert_non_null(find_diagnostic(character, "ACCESSOR_WEIGHTS_NON_NORMALIZED"));
    mrw_character_free(character);
}

/* 0.5 + 0.50000018 is within the tolerance of 1, but the float next to it, 1.00000024, is not. */
static void merged_weights_count_as_they_are_written(void **state)
{
    (void)state;
    static const uint16_t joints[] = {3, 3, 3, 0, 3, 0};
    static const float weights[] = {0.5f, 0.5f + 3.0f * 5.9604645e-8f, 1, 0, 1, 0};
    mrw_character *character = build(influenced_scene(2, joints, weights), 0);
    const uint16_t expected_joints[] = {3, 3, 3};
    const float expected_weights[] = {1, 1, 1};
    expect_influences(&character->meshes[0], 1, expected_joints, expected_weights);
    mrw_character_free(character);
}

static void a_vertex_without_weights_follows_the_first_joint_it_names(void **state)
{
    (void)state;
    static const uint16_t joints[] = {5, 6, 7, 8, 9, 1};
    static const float weights[] = {0, 0, -0.5f, -0.25f, -1, 2};
    mrw_character *character = build(influenced_scene(2, joints, weights), 0);
    const uint16_t expected_joints[] = {5, 7, 1};
    const float expected_weights[] = {1, 1, 1};
    expect_influences(&character->meshes[0], 1, expected_joints, expected_weights);
    const mrw_diagnostic *told = find_diagnostic(character, "MRW_VERTEX_WITHOUT_WEIGHTS");
    assert_non_null(told);
    assert_non_null(strstr(told->message, "2 of 3 vertices"));
    told = find_diagnostic(character, "ACCESSOR_WEIGHTS_NEGATIVE");
    assert_non_null(told);
    assert_non_null(strstr(told->message, "2 of 3 vertices"));
    mrw_character_free(character);
}

static void extreme_weights_stay_finite(void **state)
{
    (void)state;
    static const uint16_t joints[] = {1, 2, 1, 2, 1, 2};
    static const float weights[] = {3e38f, 3e38f, 1e-45f, 0, 1e38f, 1e-38f};
    mrw_character *character = build(influenced_scene(2, joints, weights), 0);
    const uint16_t expected_joints[] = {1, 2, 1, 0, 1, 0};
    const float expected_weights[] = {0.5f, 0.5f, 1, 0, 1, 0};
    expect_influences(&character->meshes[0], 2, expected_joints, expected_weights);
    mrw_character_free(character);
}

static void primitives_with_different_counts_become_one_width(void **state)
{
    (void)state;
    static const uint16_t joints[] = {1, 2, 3, 0, 1, 2, 3, 0, 1, 0, 0, 0};
    static const float weights[] = {0.5f, 0.25f, 0.25f, 0, 0.5f, 0.25f, 0.25f, 0, 1, 0, 0, 0};
    static const uint16_t one_joint[] = {4, 4, 4};
    static const float one_weight[] = {1, 1, 1};
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "", 3);
    mrw_scene_primitive *primitives = scene->meshes->primitives;
    set_influences(scene, &primitives[0], 1, one_joint, one_weight);
    set_influences(scene, &primitives[1], 4, joints, weights);
    mrw_character *character = build(scene, 0);
    /* The last primitive has no influences in a mesh that has some: joint 0. */
    const uint16_t expected_joints[] = {4, 0, 0, 4, 0, 0, 4, 0, 0, 1, 2, 3, 1, 2,
                                        3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const float expected_weights[] = {1,    0,     0,     1,    0,     0,     1, 0, 0,
                                      0.5f, 0.25f, 0.25f, 0.5f, 0.25f, 0.25f, 1, 0, 0,
                                      1,    0,     0,     1,    0,     0,     1, 0, 0};
    expect_influences(&character->meshes[0], 3, expected_joints, expected_weights);
    const mrw_diagnostic *told = find_diagnostic(character, "MRW_VERTEX_WITHOUT_WEIGHTS");
    assert_non_null(told);
    assert_string_equal(told->where, "meshes[0].primitives[2]");
    mrw_character_free(character);
}

/* 1000 influences, the weights rising: merge sort, the table of joints and pruning at once. */
static void hundreds_of_influences_are_sorted_too(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static uint16_t joints[3 * COUNT];
    static float weights[3 * COUNT];
    for (uint32_t v = 0; v < 3; v++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            joints[v * COUNT + i] = (uint16_t)(i % 500); /* each twice */
            weights[v * COUNT + i] = (float)(i % 500);
        }
    }
    mrw_character *character = build(influenced_scene(COUNT, joints, weights), 0);
    const mrw_mesh *mesh = &character->meshes[0];
    assert_int_equal(mesh->influence_count, 499); /* joint 0 has no weight */
    double sum = 2.0 * 499.0 * 500.0 / 2.0;
    for (uint32_t i = 0; i < 499; i++) {
        assert_int_equal(mesh->joints[2 * 499 + i], 499 - i);
        float expected = (float)((double)(2 * (499 - i)) / sum);
        assert_memory_equal(&mesh->weights[2 * 499 + i], &expected, sizeof(expected));
    }
    mrw_character_free(character);
}

static void a_mesh_without_vertices_is_a_mesh(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "none", 0);
    add_mesh(scene, "empty", 1);
    scene->meshes[1].primitives[0].vertex_count = 0;
    scene->meshes[1].primitives[0].index_count = 0;
    scene->nodes[0].mesh = 1;
    mrw_character *character = build(scene, 0);
    assert_int_equal(character->mesh_count, 2);
    assert_int_equal(character->meshes[0].part_count, 0);
    assert_int_equal(character->meshes[1].part_count, 1);
    assert_int_equal(character->meshes[1].vertex_count, 0);
    assert_int_equal(character->instance_count, 1);
    mrw_character_free(character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives_stand_one_after_the_other),
        cmocka_unit_test(attributes_of_some_primitives),
        cmocka_unit_test(morph_targets_cover_all_primitives),
        cmocka_unit_test(targets_are_stored_in_the_fewest_bytes),
        cmocka_unit_test(quantised_weights_are_scaled_to_one),
        cmocka_unit_test(what_the_importer_has_told_is_not_told_again),
        cmocka_unit_test(one_entry_a_joint_the_heaviest_first),
        cmocka_unit_test(pruning_keeps_the_heaviest_and_tells_how_much_went),
        cmocka_unit_test(normalised_weights_keep_their_bits),
        cmocka_unit_test(merged_weights_count_as_they_are_written),
        cmocka_unit_test(a_vertex_without_weights_follows_the_first_joint_it_names),
        cmocka_unit_test(extreme_weights_stay_finite),
        cmocka_unit_test(primitives_with_different_counts_become_one_width),
        cmocka_unit_test(hundreds_of_influences_are_sorted_too),
        cmocka_unit_test(a_mesh_without_vertices_is_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
