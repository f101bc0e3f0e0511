/* mrw_export_glb: what stands in the file, to the letter of its JSON and the bits of its numbers.
 * That other programs accept it is for the conformance tests. */
#include <marrow/offline/export.h>

#include "offline/export/float_text.h"
#include "unit/handmade_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSET "\"asset\":{\"version\":\"2.0\",\"generator\":\"Marrow " MRW_VERSION_STRING "\"}"

/* One triangle at the last node. */
static mrw_scene_primitive *add_triangle(mrw_scene *scene)
{
    int32_t mesh = add_mesh(scene, "", 1);
    scene->nodes[scene->node_count - 1].mesh = mesh;
    return scene->meshes[mesh].primitives;
}

/* Its skin: the first joint_count nodes. */
static void bind_triangle(mrw_scene *scene, uint32_t joint_count)
{
    int32_t joints[300];
    for (uint32_t i = 0; i < joint_count; i++)
        joints[i] = (int32_t)i;
    scene->nodes[scene->node_count - 1].skin = add_skin(scene, joint_count, joints);
}

/* --- a file taken apart ------------------------------------------------------------------- */

typedef struct glb_file {
    mrw_bytes bytes;
    char *json; /* NUL-terminated copy, without padding */
    const uint8_t *binary;
    uint32_t binary_bytes;
} glb_file;

static uint32_t u32_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* Exports, checks the container, frees the scene. */
static glb_file export(mrw_scene *scene)
{
    glb_file file = {{NULL, 0, {NULL, NULL, NULL}}, NULL, NULL, 0};
    mrw_error error = {0};
    mrw_status status = mrw_export_glb(scene, NULL, &file.bytes, &error);
    if (status != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    mrw_scene_free(scene);
    const uint8_t *data = file.bytes.data;
    assert_memory_equal(data, "glTF", 4);
    assert_int_equal(u32_at(data + 4), 2);
    assert_int_equal(u32_at(data + 8), file.bytes.size_bytes);
    uint32_t json_bytes = u32_at(data + 12);
    assert_int_equal(json_bytes % 4, 0);
    assert_memory_equal(data + 16, "JSON", 4);
    file.json = malloc(json_bytes + 1);
    assert_non_null(file.json);
    memcpy(file.json, data + 20, json_bytes);
    while (json_bytes > 0 && file.json[json_bytes - 1] == ' ')
        json_bytes--;
    file.json[json_bytes] = '\0';
    size_t end = 20 + u32_at(data + 12);
    if (end < file.bytes.size_bytes) {
        file.binary_bytes = u32_at(data + end);
        assert_memory_equal(data + end + 4, "BIN\0", 4);
        file.binary = data + end + 8;
        end += 8 + file.binary_bytes;
    }
    assert_int_equal(end, file.bytes.size_bytes);
    return file;
}

static void free_file(glb_file *file)
{
    free(file->json);
    mrw_bytes_free(&file->bytes);
}

static void expect_json(const glb_file *file, const char *part)
{
    if (strstr(file->json, part) == NULL)
        fail_msg("no\n  %s\nin\n  %s", part, file->json);
}

static void expect_no_json(const glb_file *file, const char *part)
{
    if (strstr(file->json, part) != NULL)
        fail_msg("there is\n  %s\nin\n  %s", part, file->json);
}

static void expect_floats(const glb_file *file, size_t offset, const float *values, size_t count)
{
    assert_true(offset + count * sizeof(*values) <= file->binary_bytes);
    for (size_t i = 0; i < count; i++) {
        float found;
        memcpy(&found, file->binary + offset + i * sizeof(found), sizeof(found));
        if (memcmp(&found, &values[i], sizeof(found)) != 0)
            fail_msg("number %zu is %.9g where %.9g belongs", i, (double)found, (double)values[i]);
    }
}

/* --- tests -------------------------------------------------------------------------------- */

static void floats_are_short_and_exact(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.0f, "0"},
        {-0.0f, "-0"},
        {1.0f, "1"},
        {-2.5f, "-2.5"},
        {0.1f, "0.1"},
        {100.0f, "100"},
        {1.0f / 3.0f, "0.33333334"},
        {16777216.0f, "16777216"},
        {0.00001f, "0.00001"},
        {1.5e-7f, "1.5e-7"},
        {2e20f, "2e20"},
        {3.40282347e38f, "3.4028235e38"}, /* the largest */
        {1.40129846e-45f, "1e-45"},       /* the smallest */
        {1.17549435e-38f, "1.1754944e-38"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[MRWI_FLOAT_TEXT_BYTES];
        assert_int_equal(mrwi_float_text(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
    /* A walk through all exponents and many mantissas. */
    uint32_t bits = 1;
    for (uint32_t i = 0; i < 20000; i++, bits = bits * 1664525u + 1013904223u) {
        float value;
        memcpy(&value, &bits, sizeof(value));
        if ((bits & 0x7f800000u) == 0x7f800000u)
            continue;
        char text[MRWI_FLOAT_TEXT_BYTES];
        assert_true(mrwi_float_text(value, text) < MRWI_FLOAT_TEXT_BYTES);
        float back = strtof(text, NULL);
        assert_memory_equal(&back, &value, sizeof(value));
    }
}

static void an_empty_scene_is_a_file_without_numbers(void **state)
{
    (void)state;
    glb_file file = export(new_scene(0));
    assert_string_equal(file.json, "{" ASSET "}");
    assert_int_equal(file.binary_bytes, 0);
    free_file(&file);
}

static void a_triangle_to_the_letter(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(1);
    add_triangle(scene);
    scene->nodes[0].name = "Tri";
    scene->meshes->name = "Mesh";
    glb_file file = export(scene);
    assert_string_equal(
        file.json,
        "{" ASSET ",\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"name\":\"Tri\",\"mesh\":0}],"
        "\"meshes\":[{\"name\":\"Mesh\",\"primitives\":[{\"attributes\":{\"POSITION\":0},"
        "\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
        "\"min\":[0,0,-2],\"max\":[1,0.1,0]},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6,\"target\":34963}],"
        "\"buffers\":[{\"byteLength\":44}]}");
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0.1f, -2};
    expect_floats(&file, 0, positions, 9);
    assert_memory_equal(file.binary + 36, "\0\0\1\0\2\0\0\0", 8);
    free_file(&file);
}

static void transforms_keep_their_bits_and_defaults_are_left_out(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(3);
    scene->nodes[0].parent = 1; /* child first */
    scene->nodes[1].local.translation.x = -0.0f;
    scene->nodes[1].local.scale.y = 0.3333333f;
    scene->nodes[2].local.rotation.w = 1.0005f; /* not unit enough for glTF */
    glb_file file = export(scene);
    expect_json(&file, "\"scenes\":[{\"nodes\":[1,2]}]");
    expect_json(&file, "\"nodes\":[{},{\"children\":[0],\"translation\":[-0,0,0],"
                       "\"scale\":[1,0.3333333,1]},{}]");
    free_file(&file);
}

static void names_are_escaped_and_made_valid(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(1);
    scene->nodes[0].name = "a\"b\\c\n\x01 \xc3\xa4 \xff\xe2\x82";
    scene->copyright = "me";
    glb_file file = export(scene);
    expect_json(&file, "\"copyright\":\"me\"");
    expect_json(&file, "\"name\":\"a\\\"b\\\\c\\u000a\\u0001 \xc3\xa4 "
                       "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    free_file(&file);
}

static void nodes_outside_the_scene_stay_outside(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(3);
    scene->nodes[0].in_scene = false;
    scene->nodes[2].parent = 0; /* shown, below a root that is not: glTF lists the root */
    glb_file file = export(scene);
    expect_json(&file, "\"scenes\":[{\"nodes\":[0,1]}]");
    free_file(&file);
    scene = new_scene(1);
    scene->nodes[0].in_scene = false;
    file = export(scene);
    expect_no_json(&file, "scene");
    free_file(&file);
}

static void influences_come_in_sets_of_four(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(7);
    for (uint32_t i = 1; i < 6; i++)
        scene->nodes[i].parent = 0;
    add_triangle(scene);
    bind_triangle(scene, 6);
    static const uint16_t joints[] = {1, 2, 3, 4, 5, 5, 9, 0, 0, 0, 0, 1, 0, 0, 0};
    static const float weights[] = {0.2f, 0.2f, 0.2f,  0.2f,  0.2f, 1, 0, 0,
                                    0,    0,    0.25f, 0.75f, 0,    0, 0};
    set_influences(scene, scene->meshes->primitives, 5, joints, weights);
    scene->meshes->primitives->joints[6] = 4; /* without a weight: becomes 0 */
    glb_file file = export(scene);
    expect_json(&file, "\"skins\":[{\"joints\":[0,1,2,3,4,5]}]");
    expect_json(&file, "\"mesh\":0,\"skin\":0");
    expect_json(&file, "\"JOINTS_0\":1,\"WEIGHTS_0\":2,\"JOINTS_1\":3,\"WEIGHTS_1\":4}");
    expect_json(&file, "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"}");
    assert_memory_equal(file.binary + 36, "\1\2\3\4\5\0\0\0\0\1\0\0", 12);
    const float set_0[] = {0.2f, 0.2f, 0.2f, 0.2f, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0};
    expect_floats(&file, 48, set_0, 12);
    assert_memory_equal(file.binary + 96, "\5\0\0\0\0\0\0\0\0\0\0\0", 12);
    const float set_1[] = {0.2f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    expect_floats(&file, 108, set_1, 12);
    free_file(&file);
}

static void weights_that_gltf_refuses_are_put_in_order(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(3);
    scene->nodes[1].parent = 0;
    add_triangle(scene);
    bind_triangle(scene, 2);
    static const uint16_t joints[] = {0, 1, 0, 1, 1, 0};
    static const float weights[] = {0.25f, 0.25f, 0.5f, 0.5f, 0, 0}; /* short, fine, none */
    set_influences(scene, scene->meshes->primitives, 2, joints, weights);
    scene->meshes->primitives->joints[2] = 1; /* vertex 1 names joint 1 twice */
    glb_file file = export(scene);
    assert_memory_equal(file.binary + 36, "\0\1\0\0\1\0\0\0\1\0\0\0", 12);
    const float expected[] = {0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    expect_floats(&file, 48, expected, 12);
    free_file(&file);
}

static void joints_above_255_take_16_bits(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(301);
    for (uint32_t i = 1; i < 300; i++)
        scene->nodes[i].parent = 0;
    add_triangle(scene);
    bind_triangle(scene, 300);
    static const uint16_t joints[] = {299, 0, 43};
    static const float weights[] = {1, 1, 1};
    set_influences(scene, scene->meshes->primitives, 1, joints, weights);
    glb_file file = export(scene);
    expect_json(&file, "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"VEC4\"}");
    const uint16_t expected[] = {299, 0, 0, 0, 0, 0, 0, 0, 43, 0, 0, 0};
    assert_memory_equal(file.binary + 36, expected, sizeof(expected));
    free_file(&file);
}

static void inverse_binds_are_column_major(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(2);
    add_triangle(scene);
    bind_triangle(scene, 1);
    static const uint16_t joints[] = {0, 0, 0};
    static const float weights[] = {1, 1, 1};
    set_influences(scene, scene->meshes->primitives, 1, joints, weights);
    scene->skins->inverse_binds = mrw_scene_alloc(scene, 1, sizeof(mrw_mat34));
    for (uint32_t r = 0; r < 3; r++)
        for (uint32_t c = 0; c < 4; c++)
            scene->skins->inverse_binds->m[r][c] = (float)(10 * r + c);
    glb_file file = export(scene);
    expect_json(&file, "\"skins\":[{\"joints\":[0],\"inverseBindMatrices\":0}]");
    expect_json(&file, "\"count\":1,\"type\":\"MAT4\"");
    const float expected[] = {0, 10, 20, 0, 1, 11, 21, 0, 2, 12, 22, 0, 3, 13, 23, 1};
    expect_floats(&file, 0, expected, 16);
    free_file(&file);
}

static void joints_in_several_trees_get_a_common_root(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(4);
    scene->nodes[1].in_scene = false; /* a joint that the scene does not show: it must */
    add_triangle(scene);
    bind_triangle(scene, 2);
    static const uint16_t joints[] = {0, 1, 0};
    static const float weights[] = {1, 1, 1};
    set_influences(scene, scene->meshes->primitives, 1, joints, weights);
    glb_file file = export(scene);
    expect_json(&file, "\"scenes\":[{\"nodes\":[2,3,4]}]");
    expect_json(&file, "{},{},{},{\"mesh\":0,\"skin\":0},{\"children\":[0,1]}]");
    free_file(&file);
}

static void a_joint_twice_in_a_skin_is_refused(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(3);
    bind_triangle(scene, 2);
    scene->skins->joints[1] = 0;
    mrw_bytes bytes;
    mrw_error error = {0};
    assert_int_equal(mrw_export_glb(scene, NULL, &bytes, &error), MRW_ERR_INCONSISTENT);
    assert_string_equal(error.detail, "skins[0].joints[1]");
    assert_null(bytes.data);
    scene->skins->joints[1] = 9;
    assert_int_equal(mrw_export_glb(scene, NULL, &bytes, &error), MRW_ERR_INDEX_RANGE);
    assert_int_equal(mrw_export_glb(scene, NULL, NULL, &error), MRW_ERR_NULL_ARGUMENT);
    mrw_scene_free(scene);
}

static void morph_targets_keep_their_names(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(1);
    mrw_scene_primitive *primitive = add_triangle(scene);
    static const float differences[] = {0, 0, 0, 0, 0, 0, 0, 0, 0.5f};
    static const float rest[] = {0.25f, 0};
    static const char *const names[] = {"", "smile"};
    static const float node_rest[] = {1, 0.5f};
    set_targets(scene, 0, 2, names, rest);
    scene->nodes[0].morph_weight_count = 2;
    scene->nodes[0].morph_weights = scene_floats(scene, node_rest, 2);
    primitive->targets[0].positions = scene_floats(scene, differences, 9);
    primitive->targets[0].normals = scene_floats(scene, differences, 9); /* no base: left out */
    glb_file file = export(scene);
    expect_json(&file, "\"targets\":[{\"POSITION\":2},{\"POSITION\":3}]}]");
    expect_json(&file, "\"weights\":[0.25,0],\"extras\":{\"targetNames\":[\"\",\"smile\"]}}]");
    expect_json(&file, "{\"mesh\":0,\"weights\":[1,0.5]}");
    expect_json(&file, "\"min\":[0,0,0],\"max\":[0,0,0.5]"); /* of the differences */
    expect_json(&file, "\"min\":[0,0,0],\"max\":[0,0,0]");
    free_file(&file);
}

enum { FEW_MOVED = 3 };

/* `vertex_count` points, of which a target moves three. */
static mrw_scene *points_moved_a_little(uint32_t vertex_count, const uint32_t moved[FEW_MOVED])
{
    static const char *const names[] = {""};
    static const float rest[] = {0};
    mrw_scene *scene = new_scene(1);
    mrw_scene_primitive *primitive = add_triangle(scene);
    primitive->topology = MRW_TOPOLOGY_POINTS;
    primitive->vertex_count = vertex_count;
    primitive->positions = mrw_scene_alloc(scene, (size_t)vertex_count * 3, sizeof(float));
    for (uint32_t i = 0; i < vertex_count; i++)
        primitive->positions[(size_t)i * 3] = (float)i;
    set_targets(scene, 0, 1, names, rest);
    float *differences = mrw_scene_alloc(scene, (size_t)vertex_count * 3, sizeof(float));
    for (uint32_t i = 0; i < FEW_MOVED; i++)
        differences[(size_t)moved[i] * 3 + i] = 0.5f + (float)i;
    primitive->targets[0].positions = differences;
    return scene;
}

static void targets_that_move_little_are_sparse(void **state)
{
    (void)state;
    /* View 0 is that of the positions, 1 that of the three indices. */
    static const uint32_t near[FEW_MOVED] = {2, 50, 99};
    glb_file file = export(points_moved_a_little(100, near));
    expect_json(&file, "{\"componentType\":5126,\"count\":100,\"type\":\"VEC3\",\"min\":[0,0,0],"
                       "\"max\":[0.5,1.5,2.5],\"sparse\":{\"count\":3,\"indices\":{"
                       "\"bufferView\":2,\"componentType\":5121},\"values\":{\"bufferView\":3}}}");
    expect_json(&file, "{\"buffer\":0,\"byteOffset\":1208,\"byteLength\":3},"
                       "{\"buffer\":0,\"byteOffset\":1212,\"byteLength\":36}");
    static const uint8_t indices[FEW_MOVED] = {2, 50, 99};
    static const float values[9] = {0.5f, 0, 0, 0, 1.5f, 0, 0, 0, 2.5f};
    assert_memory_equal(file.binary + 1208, indices, sizeof(indices));
    assert_memory_equal(file.binary + 1212, values, sizeof(values));
    free_file(&file);

    static const uint32_t far[FEW_MOVED] = {0, 300, 399};
    file = export(points_moved_a_little(400, far));
    expect_json(&file, "\"bufferView\":2,\"componentType\":5123}");
    static const uint8_t wide[6] = {0, 0, 300 & 255, 1, 399 & 255, 1};
    assert_memory_equal(file.binary + 4808, wide, sizeof(wide));
    free_file(&file);

    static const uint32_t farthest[FEW_MOVED] = {1, 2, 65536};
    file = export(points_moved_a_little(65537, farthest));
    expect_json(&file, "\"bufferView\":2,\"componentType\":5125}");
    free_file(&file);

    static const uint32_t small[FEW_MOVED] = {0, 1, 2}; /* a list would not pay */
    file = export(points_moved_a_little(19, small));
    expect_json(&file, "\"componentType\":5126,\"count\":19,\"type\":\"VEC3\",\"min\":[0,0,0],"
                       "\"max\":[0.5,1.5,2.5]}");
    free_file(&file);
}

static void animations_share_times_and_keep_interpolations(void **state)
{
    (void)state;
    static const float values[36] = {1, 2, 3, 1, 0, 0, 0, 0, 1, 0, 0, 0};
    static const float times[] = {0, 0.5f, 2};
    static const float one_cubic_key[] = {9, 9, 9, 4, 5, 6, 9, 9, 9};
    mrw_scene *scene = new_scene(2);
    add_animation(scene, "nothing"); /* cannot be written: left out */
    add_animation(scene, "walk");
    add_channel(scene, 0, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_LINEAR, 3, 3, times, values);
    add_channel(scene, 0, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_STEP, 3, 3, times, values);
    add_channel(scene, 1, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_CUBIC, 3, 3, times, values);
    add_channel(scene, 0, MRW_CHANNEL_SCALE, MRW_INTERPOLATION_LINEAR, 3, 3, times, values);
    add_channel(scene, 1, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_CUBIC, 1, 3, times,
                one_cubic_key);
    glb_file file = export(scene);
    expect_json(&file, "\"animations\":[{\"name\":\"walk\",\"channels\":["
                       "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
                       "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"scale\"}},"
                       "{\"sampler\":2,\"target\":{\"node\":1,\"path\":\"scale\"}},"
                       "{\"sampler\":3,\"target\":{\"node\":1,\"path\":\"translation\"}}],"
                       "\"samplers\":[{\"input\":0,\"output\":1},"
                       "{\"input\":0,\"output\":1,\"interpolation\":\"STEP\"},"
                       "{\"input\":0,\"output\":2,\"interpolation\":\"CUBICSPLINE\"},"
                       "{\"input\":3,\"output\":4,\"interpolation\":\"STEP\"}]}]");
    expect_json(&file, "\"count\":3,\"type\":\"SCALAR\",\"min\":[0],\"max\":[2]}");
    expect_json(&file, "\"count\":9,\"type\":\"VEC3\"}");
    expect_floats(&file, 0, times, 3);
    expect_floats(&file, 12, values, 9);
    expect_floats(&file, 12 + 36, values, 27);
    expect_floats(&file, 12 + 36 + 108 + 4, one_cubic_key + 3, 3);
    free_file(&file);
}

static void children_are_listed_in_the_order_of_the_file(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(5);
    scene->nodes[0].parent = 4;
    scene->nodes[1].parent = 0;
    scene->nodes[2].parent = 0;
    scene->nodes[3].parent = 0;
    glb_file file = export(scene);
    expect_json(&file, "\"scenes\":[{\"nodes\":[4]}],"
                       "\"nodes\":[{\"children\":[1,2,3]},{},{},{},{\"children\":[0]}]");
    free_file(&file);
}

static void topologies_and_the_first_material(void **state)
{
    (void)state;
    static const uint32_t line[] = {0, 2};
    mrw_scene *scene = new_scene(1);
    scene->nodes[0].mesh = add_mesh(scene, "", 3);
    mrw_scene_primitive *primitives = scene->meshes->primitives;
    primitives[0].topology = MRW_TOPOLOGY_POINTS;
    primitives[1].topology = MRW_TOPOLOGY_LINES;
    primitives[1].index_count = 2;
    primitives[1].indices = scene_copy(scene, line, sizeof(line));
    primitives[2].material = 0;
    scene->material_count = 1;
    scene->materials = mrw_scene_alloc(scene, 1, sizeof(*scene->materials));
    mrw_scene_material material = {"", {1, 1, 1, 1}, -1, false, false, 0, 1, 1};
    scene->materials[0] = material;
    glb_file file = export(scene);
    expect_json(&file, "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":0},"
                       "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"mode\":1},"
                       "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":0}]");
    expect_json(&file, "\"materials\":[{\"pbrMetallicRoughness\":{}}]");
    free_file(&file);
}

/* 65535 is no index in 16 bits: it would start a new primitive. */
static void indices_take_32_bits_where_16_do_not_do(void **state)
{
    (void)state;
    for (uint32_t vertex_count = UINT16_MAX; vertex_count <= UINT16_MAX + 1; vertex_count++) {
        mrw_scene *scene = new_scene(1);
        mrw_scene_primitive *triangle = add_triangle(scene);
        triangle->vertex_count = vertex_count;
        triangle->positions = mrw_scene_alloc(scene, vertex_count, 3 * sizeof(float));
        triangle->indices[1] = vertex_count - 1;
        glb_file file = export(scene);
        bool narrow = vertex_count == UINT16_MAX;
        expect_json(&file, narrow ? "\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\""
                                  : "\"componentType\":5125,\"count\":3,\"type\":\"SCALAR\"");
        const uint8_t *indices = file.binary + (size_t)vertex_count * 12;
        assert_memory_equal(indices, narrow ? "\0\0\xfe\xff\2\0" : "\0\0\0\0\xff\xff\0\0", 6);
        free_file(&file);
    }
}

static void a_joint_twice_in_a_vertex_is_merged(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(3);
    scene->nodes[1].parent = 0;
    add_triangle(scene);
    bind_triangle(scene, 2);
    static const uint16_t joints[] = {1, 1, 0, 1, 0, 1};
    static const float weights[] = {0.25f, 0.75f, 0.5f, 0.5f, 0.25f, 0.75f};
    set_influences(scene, scene->meshes->primitives, 2, joints, weights);
    glb_file file = export(scene);
    const float expected[] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.75f, 0.25f, 0, 0};
    expect_floats(&file, 48, expected, 12);
    free_file(&file);
}

static void rotation_keys_get_unit_length(void **state)
{
    (void)state;
    static const float times[] = {0, 1};
    static const float linear[] = {0, 0, 0, 1, 0, 0, 3, 4};
    static const float cubic[] = {9, 9, 9, 9, 0, 0, 0, 2, 7, 7, 7, 7,
                                  6, 6, 6, 6, 0, 0, 0, 0, 5, 5, 5, 5};
    mrw_scene *scene = new_scene(2);
    add_animation(scene, "");
    add_channel(scene, 0, MRW_CHANNEL_ROTATION, MRW_INTERPOLATION_LINEAR, 2, 4, times, linear);
    add_channel(scene, 1, MRW_CHANNEL_ROTATION, MRW_INTERPOLATION_CUBIC, 2, 4, times, cubic);
    add_channel(scene, 1, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_STEP, 2, 3, times, cubic);
    glb_file file = export(scene);
    expect_json(&file, "\"animations\":[{\"channels\":[{\"sampler\":0");
    expect_json(&file,
                "{\"sampler\":2,"); /* another path of node 1, another node's path: no duplicate */
    const float fixed_linear[] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f};
    const float fixed_cubic[] = {9, 9, 9, 9, 0, 0, 0, 1, 7, 7, 7, 7,
                                 6, 6, 6, 6, 0, 0, 0, 1, 5, 5, 5, 5};
    expect_floats(&file, 8, fixed_linear, 8);
    expect_floats(&file, 40, fixed_cubic, 24);
    free_file(&file);
}

static void materials_and_pictures_go_along(void **state)
{
    (void)state;
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2};
    mrw_scene *scene = new_scene(1);
    mrw_scene_primitive *primitive = add_triangle(scene);
    primitive->material = 1;
    static const uint8_t jpeg[] = {0xff, 0xd8, 0xff};
    static const uint8_t other[] = {'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'E', 'B', 'P'};
    scene->image_count = 4;
    scene->images = mrw_scene_alloc(scene, 4, sizeof(*scene->images));
    mrw_scene_image missing = {"missing", "missing.png", NULL, 0};
    mrw_scene_image picture = {"skin", "", png, sizeof(png)};
    scene->images[0] = missing;
    mrw_scene_image photo = {"", "", jpeg, sizeof(jpeg)};
    mrw_scene_image unknown = {"", "", other, sizeof(other)}; /* glTF does not allow it */
    scene->images[1] = picture;
    scene->images[2] = unknown;
    scene->images[3] = photo;
    scene->material_count = 3;
    scene->materials = mrw_scene_alloc(scene, 3, sizeof(*scene->materials));
    mrw_scene_material plain = {"plain", {1, 1, 1, 1}, 0, false, false, 0, 1, 1};
    mrw_scene_material cut = {"", {1, 0.5f, 2, 1}, 1, true, false, 0.25f, 0, 0.5f};
    mrw_scene_material glass = {"glass", {1, 1, 1, 0.1f}, -1, false, true, 0.5f, 1, 1};
    scene->materials[0] = plain;
    scene->materials[1] = cut;
    scene->materials[2] = glass;
    glb_file file = export(scene);
    expect_json(&file, "\"materials\":[{\"name\":\"plain\",\"pbrMetallicRoughness\":{}},"
                       "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.5,1,1],"
                       "\"baseColorTexture\":{\"index\":0},\"metallicFactor\":0,"
                       "\"roughnessFactor\":0.5},\"alphaMode\":\"MASK\",\"alphaCutoff\":0.25,"
                       "\"doubleSided\":true},"
                       "{\"name\":\"glass\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
                       "[1,1,1,0.1]},\"alphaMode\":\"BLEND\"}],"
                       "\"textures\":[{\"source\":0},{\"source\":1}],"
                       "\"images\":[{\"name\":\"skin\",\"mimeType\":\"image/png\","
                       "\"bufferView\":3},"
                       "{\"mimeType\":\"image/jpeg\",\"bufferView\":4}]");
    /* The textured primitive had no coordinates and needs some. */
    expect_json(&file, "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"indices\":2,"
                       "\"material\":1");
    expect_json(&file, "{\"buffer\":0,\"byteOffset\":68,\"byteLength\":10},"
                       "{\"buffer\":0,\"byteOffset\":80,\"byteLength\":3}");
    assert_memory_equal(file.binary + 68, png, sizeof(png));
    free_file(&file);
}

static void directions_and_colours_are_made_valid(void **state)
{
    (void)state;
    static const float normals[] = {0, 0, 2, 0, 0, 0, 0, 1, 0};
    static const float tangents[] = {1, 0, 0, 1, 0, 3e-30f, 4e-30f, 0.5f, 1, 0, 0, -1};
    static const float colors[] = {1, 1, 1, 1, 2, -1, 0.5f, 1, 0, 0, 0, 0};
    mrw_scene *scene = new_scene(1);
    mrw_scene_primitive *primitive = add_triangle(scene);
    primitive->normals = scene_floats(scene, normals, 9);
    primitive->tangents = scene_floats(scene, tangents, 12);
    primitive->colors = scene_floats(scene, colors, 12);
    glb_file file = export(scene);
    const float fixed_normals[] = {0, 0, 1, 0, 0, 1, 0, 1, 0};
    const float fixed_tangents[] = {1, 0, 0, 1, 0, 0.6f, 0.8f, 1, 1, 0, 0, -1};
    const float fixed_colors[] = {1, 1, 1, 1, 1, 0, 0.5f, 1, 0, 0, 0, 0};
    expect_floats(&file, 36, fixed_normals, 9);
    expect_floats(&file, 72, fixed_tangents, 12);
    expect_floats(&file, 120, fixed_colors, 12);
    free_file(&file);
}

/* What glTF cannot say: a mesh without primitives, a primitive without vertices. */
static void empty_meshes_are_left_out(void **state)
{
    (void)state;
    mrw_scene *scene = new_scene(2);
    mrw_scene_primitive *triangle = add_triangle(scene);
    mrw_scene_mesh *meshes = mrw_scene_alloc(scene, 2, sizeof(*meshes));
    mrw_scene_primitive *primitives = mrw_scene_alloc(scene, 2, sizeof(*primitives));
    primitives[0].material = -1;
    primitives[1] = *triangle;
    meshes[0].name = "empty";
    meshes[1].name = "full";
    meshes[1].primitive_count = 2;
    meshes[1].primitives = primitives;
    scene->meshes = meshes;
    scene->mesh_count = 2;
    scene->nodes[0].mesh = 0;
    scene->nodes[1].mesh = 1;
    glb_file file = export(scene);
    expect_json(&file, "\"nodes\":[{},{\"mesh\":0}]");
    expect_json(&file, "\"meshes\":[{\"name\":\"full\",\"primitives\":[{\"attributes\":"
                       "{\"POSITION\":0},\"indices\":1}]}]");
    free_file(&file);
}

/* A scene with something of everything. */
static mrw_scene *rich_scene(void)
{
    static const uint16_t joints[] = {0, 1, 1, 0, 0, 0};
    static const float weights[] = {0.5f, 0.25f, 1, 0, 1, 0};
    static const float times[] = {0, 0.5f};
    static const float values[] = {1, 2, 3, 4, 5, 6};
    mrw_scene *scene = new_scene(3);
    scene->nodes[1].parent = 0;
    add_triangle(scene);
    bind_triangle(scene, 2);
    set_influences(scene, scene->meshes->primitives, 2, joints, weights);
    add_animation(scene, "move");
    add_channel(scene, 1, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_LINEAR, 2, 3, times, values);
    return scene;
}

static void the_same_scene_gives_the_same_bytes(void **state)
{
    (void)state;
    glb_file first = export(rich_scene());
    glb_file second = export(rich_scene());
    assert_int_equal(first.bytes.size_bytes, second.bytes.size_bytes);
    assert_memory_equal(first.bytes.data, second.bytes.data, first.bytes.size_bytes);
    free_file(&first);
    free_file(&second);
}

static void every_failing_allocation_is_an_error_without_a_leak(void **state)
{
    (void)state;
    mrw_scene *scene = rich_scene();
    mrw_status status = MRW_ERR_OUT_OF_MEMORY;
    uint32_t nth = 0;
    while (status != MRW_OK) {
        failing_heap heap = {0, 0, ++nth};
        mrw_memory_options options = failing_options(&heap);
        mrw_bytes bytes;
        mrw_error error = {0};
        status = mrw_export_glb(scene, &options, &bytes, &error);
        assert_true(status == MRW_OK || status == MRW_ERR_OUT_OF_MEMORY);
        assert_int_equal(error.status, status);
        mrw_bytes_free(&bytes);
        assert_int_equal(heap.held_bytes, 0);
    }
    assert_true(nth > 10);
    mrw_scene_free(scene);
}

static void the_memory_limit_holds(void **state)
{
    (void)state;
    mrw_scene *scene = rich_scene();
    mrw_memory_options options = mrw_memory_options_default();
    options.limit_bytes = 2000;
    mrw_bytes bytes;
    assert_int_equal(mrw_export_glb(scene, &options, &bytes, NULL), MRW_ERR_MEMORY_LIMIT);
    assert_null(bytes.data);
    mrw_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_short_and_exact),
        cmocka_unit_test(an_empty_scene_is_a_file_without_numbers),
        cmocka_unit_test(a_triangle_to_the_letter),
        cmocka_unit_test(transforms_keep_their_bits_and_defaults_are_left_out),
        cmocka_unit_test(names_are_escaped_and_made_valid),
        cmocka_unit_test(nodes_outside_the_scene_stay_outside),
        cmocka_unit_test(influences_come_in_sets_of_four),
        cmocka_unit_test(weights_that_gltf_refuses_are_put_in_order),
        cmocka_unit_test(joints_above_255_take_16_bits),
        cmocka_unit_test(inverse_binds_are_column_major),
        cmocka_unit_test(joints_in_several_trees_get_a_common_root),
        cmocka_unit_test(a_joint_twice_in_a_skin_is_refused),
        cmocka_unit_test(morph_targets_keep_their_names),
        cmocka_unit_test(targets_that_move_little_are_sparse),
        cmocka_unit_test(animations_share_times_and_keep_interpolations),
        cmocka_unit_test(children_are_listed_in_the_order_of_the_file),
        cmocka_unit_test(topologies_and_the_first_material),
        cmocka_unit_test(indices_take_32_bits_where_16_do_not_do),
        cmocka_unit_test(a_joint_twice_in_a_vertex_is_merged),
        cmocka_unit_test(rotation_keys_get_unit_length),
        cmocka_unit_test(materials_and_pictures_go_along),
        cmocka_unit_test(directions_and_colours_are_made_valid),
        cmocka_unit_test(empty_meshes_are_left_out),
        cmocka_unit_test(the_same_scene_gives_the_same_bytes),
        cmocka_unit_test(every_failing_allocation_is_an_error_without_a_leak),
        cmocka_unit_test(the_memory_limit_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
