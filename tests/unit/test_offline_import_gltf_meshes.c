/* Meshes and skins of glTF documents: every way in which a file may store vertices, indices and
 * influences, and the plain arrays that come out. */
#include "unit/gltf_text.h"

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

/* A document with one mesh of one primitive. `views` are bufferViews of the file "x.bin". */
#define MESH(views, accessors, primitive, byte_length)                                             \
    "{" ASSET ",'buffers':[{'uri':'x.bin','byteLength':" byte_length "}],'bufferViews':[" views    \
    "],'accessors':[" accessors "],'meshes':[{'primitives':[" primitive "]}]}"

#define VIEW "{'buffer':0,'byteLength':36}"
#define POSITIONS "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}"

/* --- vertices ------------------------------------------------------------------------------- */

static void positions_and_made_up_indices(void **state)
{
    (void)state;
    text_file file = FILE_OF("x.bin", triangle);
    mrw_scene *scene =
        load_text(MESH(VIEW, POSITIONS, "{'attributes':{'POSITION':0}}", "36"), &file, 1);
    expect_no_diagnostics(scene);
    const mrw_scene_primitive *primitive = &scene->meshes[0].primitives[0];
    assert_int_equal(primitive->vertex_count, 3);
    assert_floats(primitive->positions, triangle, 9);
    assert_null(primitive->normals);
    assert_null(primitive->tangents);
    assert_null(primitive->texcoords);
    assert_null(primitive->colors);
    assert_int_equal(primitive->influence_count, 0);
    assert_int_equal(primitive->material, -1);
    assert_int_equal(primitive->topology, MRW_TOPOLOGY_TRIANGLES);
    assert_int_equal(primitive->index_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(primitive->indices[i], i);
    mrw_scene_free(scene);
}

/* Position and normal of a vertex side by side, 24 bytes apart, behind 4 bytes of something else.
 */
static void interleaved_attributes(void **state)
{
    (void)state;
    const float data[] = {99, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0};
    text_file file = FILE_OF("x.bin", data);
    mrw_scene *scene = load_text(
        MESH("{'buffer':0,'byteOffset':4,'byteLength':72,'byteStride':24}",
             POSITIONS
             ",{'bufferView':0,'byteOffset':12,'componentType':5126,'count':3,'type':'VEC3'}",
             "{'attributes':{'POSITION':0,'NORMAL':1}}", "76"),
        &file, 1);
    expect_no_diagnostics(scene);
    assert_floats(scene->meshes[0].primitives[0].positions, triangle, 9);
    assert_floats(scene->meshes[0].primitives[0].normals, (float[]){0, 0, 1, 0, 1, 0, 1, 0, 0}, 9);
    mrw_scene_free(scene);
}

/* Every component type as a colour or texture coordinate: the formulas of section 3.11. */
static void integers_are_normalized(void **state)
{
    (void)state;
    struct {
        float positions[9];
        uint8_t colors[12];    /* VEC4 */
        uint16_t texcoords[6]; /* VEC2 */
        int8_t normals[12];    /* VEC3 in four bytes */
        int16_t tangents[12];  /* VEC4 */
    } data = {{0},
              {0, 51, 255, 102, 255, 255, 255, 0, 1, 2, 3, 4},
              {0, 65535, 13107, 26214, 1, 2},
              {127, 0, 0, 0, -127, 0, 0, 0, 0, -128, 0, 0},
              {32767, 0, 0, 32767, -32767, 0, 0, -32767, 0, -32768, 0, 32767}};
    text_file file = {"x.bin", &data, sizeof(data)};
    mrw_scene *scene = load_text(
        "{" ASSET ",'extensionsUsed':['KHR_mesh_quantization'],"
        "'buffers':[{'uri':'x.bin','byteLength':96}],'bufferViews':["
        "{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':12},"
        "{'buffer':0,'byteOffset':48,'byteLength':12},"
        "{'buffer':0,'byteOffset':60,'byteLength':12,'byteStride':4},"
        "{'buffer':0,'byteOffset':72,'byteLength':24}],'accessors':[" POSITIONS ","
        "{'bufferView':1,'componentType':5121,'normalized':true,'count':3,'type':'VEC4'},"
        "{'bufferView':2,'componentType':5123,'normalized':true,'count':3,'type':'VEC2'},"
        "{'bufferView':3,'componentType':5120,'normalized':true,'count':3,'type':'VEC3'},"
        "{'bufferView':4,'componentType':5122,'normalized':true,'count':3,'type':'VEC4'}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':1,'TEXCOORD_0':2,"
        "'NORMAL':3,'TANGENT':4}}]}]}",
        &file, 1);
    expect_no_diagnostics(scene);
    const mrw_scene_primitive *primitive = &scene->meshes[0].primitives[0];
    assert_floats(primitive->colors,
                  (float[]){0, 51.0f / 255, 1, 102.0f / 255, 1, 1, 1, 0, 1.0f / 255, 2.0f / 255,
                            3.0f / 255, 4.0f / 255},
                  12);
    assert_floats(primitive->texcoords,
                  (float[]){0, 1, 13107.0f / 65535, 26214.0f / 65535, 1.0f / 65535, 2.0f / 65535},
                  6);
    assert_floats(primitive->normals, (float[]){1, 0, 0, -1, 0, 0, 0, -1, 0}, 9);
    assert_floats(primitive->tangents, (float[]){1, 0, 0, 1, -1, 0, 0, -1, 0, -1, 0, 1}, 12);
    mrw_scene_free(scene);
}

/* KHR_mesh_quantization: plain integers mean their value. */
static void quantized_positions(void **state)
{
    (void)state;
    const int16_t data[] = {-32768, 0, 7, 99, 32767, -1, 2, 99, 3, 4, 5, 99};
    text_file file = FILE_OF("x.bin", data);
    const float expected[] = {-32768, 0, 7, 32767, -1, 2, 3, 4, 5};
    const char *without = MESH("{'buffer':0,'byteLength':24,'byteStride':8}",
                               "{'bufferView':0,'componentType':5122,'count':3,'type':'VEC3'}",
                               "{'attributes':{'POSITION':0}}", "24");
    char with[1024];
    snprintf(with, sizeof(with),
             "{'extensionsRequired':['KHR_mesh_quantization'],"
             "'extensionsUsed':['KHR_mesh_quantization'],%s",
             without + 1);
    mrw_scene *scene = load_text(with, &file, 1);
    expect_no_diagnostics(scene);
    assert_floats(scene->meshes[0].primitives[0].positions, expected, 9);
    mrw_scene_free(scene);
    scene = load_text(without, &file, 1); /* not allowed without the extension, yet clear */
    expect_diagnostic(scene, "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
                      MRW_SEVERITY_ERROR, 1);
    assert_floats(scene->meshes[0].primitives[0].positions, expected, 9);
    mrw_scene_free(scene);
}

static void colors_of_three_components_are_opaque(void **state)
{
    (void)state;
    const float data[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5f, 0.25f, 1, -1, 2, 0, 1, 1, 1};
    text_file file = FILE_OF("x.bin", data);
    mrw_scene *scene =
        load_text(MESH(VIEW ",{'buffer':0,'byteOffset':36,'byteLength':36}",
                       POSITIONS ",{'bufferView':1,'componentType':5126,'count':3,'type':'VEC3'}",
                       "{'attributes':{'POSITION':0,'COLOR_0':1}}", "72"),
                  &file, 1);
    expect_diagnostic(scene, "ACCESSOR_NON_CLAMPED", MRW_SEVERITY_ERROR, 2);
    assert_floats(scene->meshes[0].primitives[0].colors,
                  (float[]){0.5f, 0.25f, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1}, 12);
    mrw_scene_free(scene);
}

static void the_texture_chooses_its_coordinates(void **state)
{
    (void)state;
    const float data[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    text_file file = FILE_OF("x.bin", data);
#define TEXTURED(set)                                                                              \
    "{" ASSET ",'buffers':[{'uri':'x.bin','byteLength':84}],'bufferViews':[" VIEW                  \
    ",{'buffer':0,'byteOffset':36,'byteLength':48}],'accessors':[" POSITIONS                       \
    ",{'bufferView':1,'componentType':5126,'count':3,'type':'VEC2'},"                              \
    "{'bufferView':1,'byteOffset':24,'componentType':5126,'count':3,'type':'VEC2'}],"              \
    "'textures':[{}],'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,"         \
    "'texCoord':" set "}}}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"                 \
    "'TEXCOORD_0':1,'TEXCOORD_1':2},'material':0}]}]}"
    mrw_scene *scene = load_text(TEXTURED("1"), &file, 1);
    expect_no_diagnostics(scene);
    assert_floats(scene->meshes[0].primitives[0].texcoords, data + 15, 6);
    mrw_scene_free(scene);
    scene = load_text(TEXTURED("2"), &file, 1);
    expect_diagnostic(scene, "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", MRW_SEVERITY_ERROR, 1);
    assert_null(scene->meshes[0].primitives[0].texcoords);
    mrw_scene_free(scene);
}

static void numbers_that_are_none_do_not_come_through(void **state)
{
    (void)state;
    const float data[] = {0, NAN, 0, INFINITY, 0, 0, 0, 1, -INFINITY};
    text_file file = FILE_OF("x.bin", data);
    mrw_scene *scene =
        load_text(MESH(VIEW, POSITIONS, "{'attributes':{'POSITION':0}}", "36"), &file, 1);
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "ACCESSOR_INVALID_FLOAT", MRW_SEVERITY_ERROR, 3);
    assert_string_equal(found->where, "accessors[0]");
    assert_floats(scene->meshes[0].primitives[0].positions, (float[]){0, 0, 0, 0, 0, 0, 0, 1, 0},
                  9);
    mrw_scene_free(scene);
}

static void odd_normals_and_tangents_are_reported(void **state)
{
    (void)state;
    const float data[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, /* positions */
                          0, 0, 2, 0, 0, 1, 0, 0, 0, /* normals */
                          1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, -3 /* tangents */};
    text_file file = FILE_OF("x.bin", data);
    mrw_scene *scene =
        load_text(MESH(VIEW ",{'buffer':0,'byteOffset':36,'byteLength':36},"
                            "{'buffer':0,'byteOffset':72,'byteLength':48}",
                       POSITIONS ",{'bufferView':1,'componentType':5126,'count':3,'type':'VEC3'},"
                                 "{'bufferView':2,'componentType':5126,'count':3,'type':'VEC4'}",
                       "{'attributes':{'POSITION':0,'NORMAL':1,'TANGENT':2}}", "120"),
                  &file, 1);
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "ACCESSOR_VECTOR3_NON_UNIT", MRW_SEVERITY_ERROR, 2);
    assert_string_equal(found->where, "meshes[0].primitives[0].attributes.NORMAL");
    expect_diagnostic(scene, "ACCESSOR_INVALID_SIGN", MRW_SEVERITY_ERROR, 2);
    const float *tangents = scene->meshes[0].primitives[0].tangents;
    assert_true(tangents[3] == 1.0f && tangents[7] == 1.0f && tangents[11] == -1.0f);
    mrw_scene_free(scene);
}

static void a_primitive_without_positions_is_left_out(void **state)
{
    (void)state;
    text_file file = FILE_OF("x.bin", triangle);
    mrw_scene *scene = load_text(
        MESH(VIEW, POSITIONS, "{'attributes':{}},{'attributes':{'POSITION':0}}", "36"), &file, 1);
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "MESH_PRIMITIVE_NO_POSITION", MRW_SEVERITY_WARNING, 1);
    assert_string_equal(found->where, "meshes[0].primitives[0].attributes");
    assert_int_equal(scene->meshes[0].primitive_count, 1);
    mrw_scene_free(scene);
}

/* --- sparse accessors ------------------------------------------------------------------------ */

/* Values for elements 0 and 2, behind indices of each width. */
static void assert_sparse(const char *index_type, size_t index_bytes, bool base)
{
    uint8_t data[36 + 8 + 24] = {0};
    const float base_values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const float values[6] = {-1, -2, -3, -7, -8, -9};
    memcpy(data, base_values, 36);
    data[36 + index_bytes] = 2;
    memcpy(data + 44, values, 24);
    text_file file = FILE_OF("x.bin", data);
    char text[1024];
    snprintf(text, sizeof(text),
             MESH(VIEW ",{'buffer':0,'byteOffset':36,'byteLength':8},"
                       "{'buffer':0,'byteOffset':44,'byteLength':24}",
                  "{%s'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':2,"
                  "'indices':{'bufferView':1,'componentType':%s},'values':{'bufferView':2}}}",
                  "{'attributes':{'POSITION':0}}", "68"),
             base ? "'bufferView':0," : "", index_type);
    mrw_scene *scene = load_text(text, &file, 1);
    expect_no_diagnostics(scene);
    float expected[9] = {-1, -2, -3, 0, 0, 0, -7, -8, -9};
    if (base)
        memcpy(expected + 3, base_values + 3, 12);
    assert_floats(scene->meshes[0].primitives[0].positions, expected, 9);
    mrw_scene_free(scene);
}

static void sparse_accessors_are_put_together(void **state)
{
    (void)state;
    for (int base = 0; base < 2; base++) {
        assert_sparse("5121", 1, base != 0);
        assert_sparse("5123", 2, base != 0);
        assert_sparse("5125", 4, base != 0);
    }
}

static void an_accessor_without_data_is_zeros(void **state)
{
    (void)state;
    mrw_scene *scene = load_text("{" ASSET ",'accessors':[{'componentType':5126,'count':2,"
                                 "'type':'VEC3'}],'meshes':[{'primitives':[{'attributes':"
                                 "{'POSITION':0},'mode':0}]}]}",
                                 NULL, 0);
    assert_floats(scene->meshes[0].primitives[0].positions, (float[6]){0}, 6);
    mrw_scene_free(scene);
}

/* Sixteen million vertices out of nothing: within a limit the answer is an error, quickly. */
static void claimed_counts_meet_the_memory_limit(void **state)
{
    (void)state;
    char *text = double_quotes("{" ASSET ",'accessors':[{'componentType':5126,'count':16777216,"
                               "'type':'VEC3'}],'meshes':[{'primitives':[{'attributes':"
                               "{'POSITION':0}}]}]}");
    mrw_import_options options = mrw_import_options_default();
    options.memory.limit_bytes = 1 << 20;
    mrw_scene *scene;
    mrw_error error = {0};
    assert_int_equal(mrw_import_memory(text, strlen(text), NULL, NULL, &options, &scene, &error),
                     MRW_ERR_MEMORY_LIMIT);
    assert_string_equal(error.detail, "meshes[0].primitives[0].attributes.POSITION");
    free(text);
}

/* --- topologies ------------------------------------------------------------------------------ */

typedef struct mode_case {
    const char *mode;
    mrw_topology topology;
    uint8_t indices[12];
    uint32_t count;
    uint32_t expected[18];
    uint32_t expected_count;
    const char *code; /* of the diagnostic, or NULL */
} mode_case;

static const mode_case mode_cases[] = {
    {"0", MRW_TOPOLOGY_POINTS, {3, 1}, 2, {3, 1}, 2, NULL},
    {"1", MRW_TOPOLOGY_LINES, {0, 1, 2, 3}, 4, {0, 1, 2, 3}, 4, NULL},
    {"1", MRW_TOPOLOGY_LINES, {0, 1, 2}, 3, {0, 1}, 2, "MESH_PRIMITIVE_INCOMPATIBLE_MODE"},
    {"2", MRW_TOPOLOGY_LINES, {0, 1, 2}, 3, {0, 1, 1, 2, 2, 0}, 6, NULL},
    {"3", MRW_TOPOLOGY_LINES, {0, 1, 2}, 3, {0, 1, 1, 2}, 4, NULL},
    {"3", MRW_TOPOLOGY_LINES, {0}, 1, {0}, 0, "MESH_PRIMITIVE_INCOMPATIBLE_MODE"},
    {"4", MRW_TOPOLOGY_TRIANGLES, {0, 1, 2, 3, 2, 1}, 6, {0, 1, 2, 3, 2, 1}, 6, NULL},
    {"4",
     MRW_TOPOLOGY_TRIANGLES,
     {0, 1, 2, 3},
     4,
     {0, 1, 2},
     3,
     "MESH_PRIMITIVE_INCOMPATIBLE_MODE"},
    /* the second triangle of a strip is turned over, so that both face the same way */
    {"5", MRW_TOPOLOGY_TRIANGLES, {0, 1, 2, 3, 4}, 5, {0, 1, 2, 1, 3, 2, 2, 3, 4}, 9, NULL},
    {"6", MRW_TOPOLOGY_TRIANGLES, {0, 1, 2, 3, 4}, 5, {1, 2, 0, 2, 3, 0, 3, 4, 0}, 9, NULL},
    {"5",
     MRW_TOPOLOGY_TRIANGLES,
     {0, 1, 2, 255, 2, 3, 4, 1},
     8,
     {0, 1, 2, 2, 3, 4, 3, 1, 4},
     9,
     "ACCESSOR_INDEX_PRIMITIVE_RESTART"},
    {"2",
     MRW_TOPOLOGY_LINES,
     {0, 1, 2, 255, 3, 4},
     6,
     {0, 1, 1, 2, 2, 0, 3, 4, 4, 3},
     10,
     "ACCESSOR_INDEX_PRIMITIVE_RESTART"},
};

static void all_modes_become_lists(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(mode_cases) / sizeof(mode_cases[0]); i++) {
        const mode_case *c = &mode_cases[i];
        text_file file = FILE_OF("x.bin", c->indices);
        char text[1024];
        snprintf(text, sizeof(text),
                 MESH("{'buffer':0,'byteLength':12}",
                      "{'componentType':5126,'count':5,'type':'VEC3'},"
                      "{'bufferView':0,'componentType':5121,'count':%u,'type':'SCALAR'}",
                      "{'attributes':{'POSITION':0},'indices':1,'mode':%s}", "12"),
                 c->count, c->mode);
        mrw_scene *scene = load_text(text, &file, 1);
        const mrw_scene_primitive *primitive = &scene->meshes[0].primitives[0];
        assert_int_equal(primitive->topology, c->topology);
        assert_int_equal(primitive->index_count, c->expected_count);
        for (uint32_t k = 0; k < c->expected_count; k++)
            if (primitive->indices[k] != c->expected[k])
                fail_msg("case %zu, index %u: %u", i, k, primitive->indices[k]);
        if (c->code == NULL)
            expect_no_diagnostics(scene);
        else
            assert_string_equal(scene->diagnostics[0].code, c->code);
        mrw_scene_free(scene);
    }
}

static void indices_of_every_width(void **state)
{
    (void)state;
    const uint32_t data[] = {0x00010002u, 0x00000000u, 2, 1, 0};
    text_file file = FILE_OF("x.bin", data);
    static const char *const accessors[] = {
        "{'bufferView':0,'componentType':5123,'count':3,'type':'SCALAR'}",
        "{'bufferView':0,'byteOffset':8,'componentType':5125,'count':3,'type':'SCALAR'}"};
    for (size_t i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof(text),
                 MESH("{'buffer':0,'byteLength':20}",
                      "{'componentType':5126,'count':3,'type':'VEC3'},%s",
                      "{'attributes':{'POSITION':0},'indices':1}", "20"),
                 accessors[i]);
        mrw_scene *scene = load_text(text, &file, 1);
        for (uint32_t k = 0; k < 3; k++)
            assert_int_equal(scene->meshes[0].primitives[0].indices[k], 2 - k);
        mrw_scene_free(scene);
    }
}

/* --- morph targets --------------------------------------------------------------------------- */

static void morph_targets_and_their_weights(void **state)
{
    (void)state;
    text_file file = FILE_OF("x.bin", triangle);
    mrw_scene *scene = load_text(
        "{" ASSET ",'buffers':[{'uri':'x.bin','byteLength':36}],'bufferViews':[" VIEW
        "],'accessors':[" POSITIONS "],'meshes':[{'weights':[0.5,0.25],'extras':{'targetNames':"
        "['smile']},'primitives':[{'attributes':{'POSITION':0},'targets':[{'POSITION':0},{}]},"
        "{'attributes':{'POSITION':0},'targets':[{'NORMAL':0,'POSITION':0}]}]}],"
        "'nodes':[{'mesh':0,'weights':[1]},{'mesh':0}]}",
        &file, 1);
    const mrw_scene_mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->target_count, 2);
    assert_string_equal(mesh->target_names[0], "smile");
    assert_string_equal(mesh->target_names[1], "");
    assert_floats(mesh->target_weights, (float[]){0.5f, 0.25f}, 2);
    assert_floats(mesh->primitives[0].targets[0].positions, triangle, 9);
    assert_null(mesh->primitives[0].targets[0].normals);
    assert_null(mesh->primitives[0].targets[1].positions);
    assert_floats(mesh->primitives[1].targets[0].positions, triangle, 9);
    assert_null(mesh->primitives[1].targets[0].normals); /* there is no normal to change */
    assert_null(mesh->primitives[1].targets[1].positions);
    expect_diagnostic(scene, "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", MRW_SEVERITY_ERROR, 1);
    expect_diagnostic(scene, "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", MRW_SEVERITY_ERROR, 1);
    const mrw_diagnostic *weights =
        expect_diagnostic(scene, "NODE_WEIGHTS_INVALID", MRW_SEVERITY_ERROR, 1);
    assert_string_equal(weights->where, "nodes[0].weights");
    assert_int_equal(scene->nodes[0].morph_weight_count, 2);
    assert_floats(scene->nodes[0].morph_weights, (float[]){1, 0}, 2);
    assert_int_equal(scene->nodes[1].morph_weight_count, 0);
    mrw_scene_free(scene);
}

/* --- skins and influences -------------------------------------------------------------------- */

/* Three vertices with two sets: bytes and floats, shorts and normalised bytes. */
typedef struct skinned_data {
    uint8_t joints0[12];
    float weights0[12];
    uint16_t joints1[12];
    uint8_t weights1[12];
    float inverse_binds[32];
} skinned_data;

static const skinned_data skinned = {
    {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
    {0.5f, 0.25f, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
    {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {51, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1, /* a translation */
     2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1},
};

#define SKINNED_VIEWS                                                                              \
    "{'buffer':0,'byteLength':12},{'buffer':0,'byteOffset':12,'byteLength':48},"                   \
    "{'buffer':0,'byteOffset':60,'byteLength':24},{'buffer':0,'byteOffset':84,'byteLength':12},"   \
    "{'buffer':0,'byteOffset':96,'byteLength':128}"
#define SKINNED_ACCESSORS                                                                          \
    "{'componentType':5126,'count':3,'type':'VEC3'},"                                              \
    "{'bufferView':0,'componentType':5121,'count':3,'type':'VEC4'},"                               \
    "{'bufferView':1,'componentType':5126,'count':3,'type':'VEC4'},"                               \
    "{'bufferView':2,'componentType':5123,'count':3,'type':'VEC4'},"                               \
    "{'bufferView':3,'componentType':5121,'normalized':true,'count':3,'type':'VEC4'},"             \
    "{'bufferView':4,'componentType':5126,'count':2,'type':'MAT4'}"
#define SKINNED(attributes, nodes, skins)                                                          \
    "{" ASSET ",'buffers':[{'uri':'x.bin','byteLength':224}],'bufferViews':[" SKINNED_VIEWS        \
    "],'accessors':[" SKINNED_ACCESSORS                                                            \
    "],'meshes':[{'primitives':[{'attributes':{'POSITION':0," attributes "}}]}],'nodes':[" nodes   \
    "],'skins':[" skins "]}"
#define BOTH_SETS "'JOINTS_0':1,'WEIGHTS_0':2,'JOINTS_1':3,'WEIGHTS_1':4"

static void all_sets_stand_side_by_side(void **state)
{
    (void)state;
    text_file file = {"x.bin", &skinned, sizeof(skinned)};
    mrw_scene *scene = load_text(SKINNED(BOTH_SETS, "{'mesh':0,'skin':0},{'children':[2]},{}",
                                         "{'name':'S','joints':[2,1],'inverseBindMatrices':5}"),
                                 &file, 1);
    const mrw_scene_primitive *primitive = &scene->meshes[0].primitives[0];
    assert_int_equal(primitive->influence_count, 8);
    const uint16_t joints[24] = {0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    assert_memory_equal(primitive->joints, joints, sizeof(joints));
    const float weights[24] = {0.5f, 0.25f, 0, 0, 51.0f / 255, 0, 0, 0, 1};
    assert_floats(primitive->weights, weights, 24);
    /* vertex 0: 0.5 + 0.25 + 0.2 is not 1; vertex 2 has no weight at all */
    const mrw_diagnostic *sums =
        expect_diagnostic(scene, "ACCESSOR_WEIGHTS_NON_NORMALIZED", MRW_SEVERITY_ERROR, 2);
    assert_string_equal(sums->where, "meshes[0].primitives[0].attributes.WEIGHTS_0");
    /* vertex 0 names joint 1 with both sets */
    expect_diagnostic(scene, "ACCESSOR_JOINTS_INDEX_DUPLICATE", MRW_SEVERITY_ERROR, 1);
    const mrw_scene_skin *skin = &scene->skins[0];
    assert_string_equal(skin->name, "S");
    assert_int_equal(skin->joint_count, 2);
    assert_int_equal(skin->joints[0], 2);
    assert_int_equal(skin->joints[1], 1);
    assert_floats(&skin->inverse_binds[0].m[0][0], (float[]){1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7},
                  12);
    assert_floats(&skin->inverse_binds[1].m[0][0], (float[]){2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0},
                  12);
    mrw_scene_free(scene);
}

static void a_skin_without_matrices_has_none(void **state)
{
    (void)state;
    mrw_scene *scene = load_text("{" ASSET ",'nodes':[{}],'skins':[{'joints':[0]}]}", NULL, 0);
    expect_no_diagnostics(scene);
    assert_null(scene->skins[0].inverse_binds);
    mrw_scene_free(scene);
}

static void half_a_set_is_left_out(void **state)
{
    (void)state;
    text_file file = {"x.bin", &skinned, sizeof(skinned)};
    mrw_scene *scene =
        load_text(SKINNED("'JOINTS_0':1,'WEIGHTS_0':2,'JOINTS_1':3",
                          "{'mesh':0,'skin':0},{'children':[2]},{}", "{'joints':[2,1]}"),
                  &file, 1);
    expect_diagnostic(scene, "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", MRW_SEVERITY_ERROR, 1);
    assert_int_equal(scene->meshes[0].primitives[0].influence_count, 4);
    mrw_scene_free(scene);
}

static void negative_and_wrong_weights_become_zero(void **state)
{
    (void)state;
    skinned_data data = skinned;
    data.weights0[0] = -0.5f;
    data.weights0[1] = NAN;
    text_file file = {"x.bin", &data, sizeof(data)};
    mrw_scene *scene =
        load_text(SKINNED("'JOINTS_0':1,'WEIGHTS_0':2", "{'mesh':0,'skin':0},{},{'children':[1]}",
                          "{'joints':[2,1]}"),
                  &file, 1);
    expect_diagnostic(scene, "ACCESSOR_WEIGHTS_NEGATIVE", MRW_SEVERITY_ERROR, 1);
    expect_diagnostic(scene, "ACCESSOR_INVALID_FLOAT", MRW_SEVERITY_ERROR, 1);
    assert_floats(scene->meshes[0].primitives[0].weights, (float[]){0, 0, 0, 0}, 4);
    mrw_scene_free(scene);
}

static void joints_outside_the_skin(void **state)
{
    (void)state;
    text_file file = {"x.bin", &skinned, sizeof(skinned)};
    /* Two skins: the smaller one decides. Vertex 0 needs joint 1. */
    refuse_text(SKINNED(BOTH_SETS, "{'mesh':0,'skin':1},{'mesh':0,'skin':0},{}",
                        "{'joints':[2]},{'joints':[2,1]}"),
                &file, 1, MRW_ERR_INDEX_RANGE, "meshes[0].primitives[0].attributes.JOINTS_0",
                "vertex 0 is bound to joint 1 of 1: skins[0], which nodes[1]");
    /* Without weight it does not matter. */
    skinned_data data = skinned;
    data.joints0[3] = 9;
    text_file odd = {"x.bin", &data, sizeof(data)};
    mrw_scene *scene = load_text(
        SKINNED("'JOINTS_0':1,'WEIGHTS_0':2", "{'mesh':0,'skin':0},{},{}", "{'joints':[2,1]}"),
        &odd, 1);
    expect_diagnostic(scene, "ACCESSOR_JOINTS_INDEX_OOB", MRW_SEVERITY_ERROR, 1);
    expect_diagnostic(scene, "ACCESSOR_JOINTS_USED_ZERO_WEIGHT", MRW_SEVERITY_WARNING, 1);
    expect_diagnostic(scene, "SKIN_NO_COMMON_ROOT", MRW_SEVERITY_ERROR, 1);
    assert_int_equal(scene->meshes[0].primitives[0].joints[3], 0);
    mrw_scene_free(scene);
}

static void nodes_of_skinned_meshes_are_looked_at(void **state)
{
    (void)state;
    text_file file = {"x.bin", &skinned, sizeof(skinned)};
    mrw_scene *scene = load_text(
        SKINNED(BOTH_SETS,
                "{'children':[1]},{'mesh':0,'skin':0,'translation':[1,0,0]},{'mesh':0},{'skin':0},"
                "{'children':[5]},{}",
                "{'joints':[4,5]}"),
        &file, 1);
    const mrw_diagnostic *parent =
        expect_diagnostic(scene, "NODE_SKINNED_MESH_NON_ROOT", MRW_SEVERITY_WARNING, 1);
    assert_string_equal(parent->where, "nodes[1]");
    expect_diagnostic(scene, "NODE_SKINNED_MESH_LOCAL_TRANSFORMS", MRW_SEVERITY_WARNING, 1);
    const mrw_diagnostic *bare =
        expect_diagnostic(scene, "NODE_SKINNED_MESH_WITHOUT_SKIN", MRW_SEVERITY_WARNING, 1);
    assert_string_equal(bare->where, "nodes[2]");
    expect_diagnostic(scene, "UNSATISFIED_DEPENDENCY", MRW_SEVERITY_ERROR, 1);
    assert_int_equal(scene->nodes[3].skin, -1);
    mrw_scene_free(scene);
}

static void inverse_binds_are_checked(void **state)
{
    (void)state;
    skinned_data data = skinned;
    text_file file = {"x.bin", &data, sizeof(data)};
    const char *two = SKINNED("'JOINTS_0':1,'WEIGHTS_0':2", "{},{'children':[0]}",
                              "{'joints':[0,1],'inverseBindMatrices':5}");
    data.inverse_binds[15] = 2;
    mrw_scene *scene = load_text(two, &file, 1);
    expect_diagnostic(scene, "ACCESSOR_INVALID_IBM", MRW_SEVERITY_ERROR, 1);
    mrw_scene_free(scene);
    data.inverse_binds[16 + 5] = INFINITY;
    refuse_text(two, &file, 1, MRW_ERR_INVALID_VALUE, "skins[0].inverseBindMatrices", "matrix 1");
    refuse_text(SKINNED("'JOINTS_0':1,'WEIGHTS_0':2", "{},{},{}",
                        "{'joints':[0,1,2],'inverseBindMatrices':5}"),
                &file, 1, MRW_ERR_INCONSISTENT, "skins[0].inverseBindMatrices",
                "2 matrices for 3 joints");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_and_made_up_indices),
        cmocka_unit_test(interleaved_attributes),
        cmocka_unit_test(integers_are_normalized),
        cmocka_unit_test(quantized_positions),
        cmocka_unit_test(colors_of_three_components_are_opaque),
        cmocka_unit_test(the_texture_chooses_its_coordinates),
        cmocka_unit_test(numbers_that_are_none_do_not_come_through),
        cmocka_unit_test(odd_normals_and_tangents_are_reported),
        cmocka_unit_test(a_primitive_without_positions_is_left_out),
        cmocka_unit_test(sparse_accessors_are_put_together),
        cmocka_unit_test(an_accessor_without_data_is_zeros),
        cmocka_unit_test(claimed_counts_meet_the_memory_limit),
        cmocka_unit_test(all_modes_become_lists),
        cmocka_unit_test(indices_of_every_width),
        cmocka_unit_test(morph_targets_and_their_weights),
        cmocka_unit_test(all_sets_stand_side_by_side),
        cmocka_unit_test(a_skin_without_matrices_has_none),
        cmocka_unit_test(half_a_set_is_left_out),
        cmocka_unit_test(negative_and_wrong_weights_become_zero),
        cmocka_unit_test(joints_outside_the_skin),
        cmocka_unit_test(nodes_of_skinned_meshes_are_looked_at),
        cmocka_unit_test(inverse_binds_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
