/* What glTF documents become: nodes, scenes, materials, images, and how data is found. */
#include "unit/gltf_text.h"

/* --- nodes ---------------------------------------------------------------------------------- */

static void nodes_keep_their_transforms(void **state)
{
    (void)state;
    mrw_scene *scene =
        load_text("{" ASSET ",'nodes':[{'name':'A','translation':[1,2,3],'rotation':[0,0,0.6,0.8],"
                  "'scale':[2,-1,0],'children':[1]},{}]}",
                  NULL, 0);
    expect_no_diagnostics(scene);
    assert_string_equal(scene->format, "glTF 2.0");
    assert_int_equal(scene->node_count, 2);
    const mrw_scene_node *a = &scene->nodes[0];
    assert_string_equal(a->name, "A");
    assert_vec3(a->local.translation, 1, 2, 3, 0);
    assert_vec3(a->local.scale, 2, -1, 0, 0);
    assert_near((double)a->local.rotation.z, 0.6, 1e-7);
    assert_near((double)a->local.rotation.w, 0.8, 1e-7);
    assert_int_equal(a->parent, -1);
    assert_int_equal(a->mesh, -1);
    assert_int_equal(a->skin, -1);
    const mrw_scene_node *child = &scene->nodes[1];
    assert_string_equal(child->name, "");
    assert_int_equal(child->parent, 0);
    assert_vec3(child->local.scale, 1, 1, 1, 0);
    assert_true(child->local.rotation.w == 1.0f);
    mrw_scene_free(scene);
}

/* Column-major: the fourth column is the translation. Turned by 90 degrees about Z, scaled 2 3 4.
 */
static void a_matrix_is_taken_apart(void **state)
{
    (void)state;
    mrw_scene *scene = load_text(
        "{" ASSET ",'nodes':[{'matrix':[0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]}]}", NULL, 0);
    expect_no_diagnostics(scene);
    const mrw_transform *local = &scene->nodes[0].local;
    assert_vec3(local->translation, 5, 6, 7, 0);
    assert_vec3(local->scale, 2, 3, 4, 1e-6);
    assert_near((double)local->rotation.z, 0.70710678, 1e-6);
    assert_near((double)local->rotation.w, 0.70710678, 1e-6);
    mrw_scene_free(scene);
}

static void a_matrix_with_shear_is_reported(void **state)
{
    (void)state;
    mrw_scene *scene =
        load_text("{" ASSET ",'nodes':[{},{'matrix':[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]},"
                  "{'matrix':[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,2],'scale':[2,2,2]}]}",
                  NULL, 0);
    const mrw_diagnostic *shear =
        expect_diagnostic(scene, "NODE_MATRIX_NON_TRS", MRW_SEVERITY_ERROR, 2);
    assert_string_equal(shear->where, "nodes[1]");
    const mrw_diagnostic *both = expect_diagnostic(scene, "NODE_MATRIX_TRS", MRW_SEVERITY_ERROR, 1);
    assert_string_equal(both->where, "nodes[2]");
    assert_vec3(scene->nodes[2].local.scale, 1, 1, 1, 0);
    mrw_scene_free(scene);
}

static void rotations_become_unit(void **state)
{
    (void)state;
    mrw_scene *scene = load_text(
        "{" ASSET
        ",'nodes':[{'rotation':[0,0,3,4]},{'rotation':[0,0,0,0]},{'rotation':[0,0,0,1.005]}]}",
        NULL, 0);
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "ROTATION_NON_UNIT", MRW_SEVERITY_ERROR, 2);
    assert_string_equal(found->where, "nodes[0]");
    assert_near((double)scene->nodes[0].local.rotation.z, 0.6, 1e-6);
    assert_true(scene->nodes[1].local.rotation.w == 1.0f); /* a zero one is the identity */
    assert_true(scene->nodes[2].local.rotation.w == 1.0f); /* within what 8 bits lose: no report */
    mrw_scene_free(scene);
}

static void of_two_parents_the_first_counts(void **state)
{
    (void)state;
    mrw_scene *scene =
        load_text("{" ASSET ",'nodes':[{'children':[2]},{'children':[2]},{}]}", NULL, 0);
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "NODE_PARENT_OVERRIDE", MRW_SEVERITY_ERROR, 1);
    assert_string_equal(found->where, "nodes[1].children[0]");
    assert_int_equal(scene->nodes[2].parent, 0);
    mrw_scene_free(scene);
}

/* A chain as long as a file may be: nothing recurses. */
static void a_chain_of_a_hundred_thousand_nodes_loads(void **state)
{
    (void)state;
    const uint32_t count = 100000;
    char *text = malloc((size_t)count * 32 + 100);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (uint32_t i = 0; i + 1 < count; i++)
        at += (size_t)sprintf(text + at, "{\"children\":[%u]},", i + 1);
    at += (size_t)sprintf(text + at, "{}]}");
    mrw_scene *scene;
    assert_int_equal(mrw_import_memory(text, at, NULL, NULL, NULL, &scene, NULL), MRW_OK);
    assert_int_equal(scene->node_count, count);
    assert_int_equal(scene->nodes[count - 1].parent, count - 2);
    assert_true(scene->nodes[count - 1].in_scene);
    mrw_scene_free(scene);
    free(text);
}

/* --- scenes --------------------------------------------------------------------------------- */

static void assert_shown(const char *text, const char *expected)
{
    mrw_scene *scene = load_text(text, NULL, 0);
    assert_int_equal(scene->node_count, strlen(expected));
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].in_scene != (expected[i] == '1'))
            fail_msg("%s: node %u", text, i);
    mrw_scene_free(scene);
}

#define FOUR_NODES "'nodes':[{'children':[1]},{},{'children':[3]},{}]"

static void the_shown_scene_marks_its_nodes(void **state)
{
    (void)state;
    assert_shown("{" ASSET "," FOUR_NODES "}", "1111");
    assert_shown("{" ASSET "," FOUR_NODES ",'scenes':[{'nodes':[2]},{'nodes':[0]}]}", "0011");
    assert_shown("{" ASSET "," FOUR_NODES ",'scenes':[{'nodes':[2]},{'nodes':[0]}],'scene':1}",
                 "1100");
    assert_shown("{" ASSET "," FOUR_NODES ",'scenes':[{}]}", "0000");
    assert_shown("{" ASSET "," FOUR_NODES ",'scenes':[{'nodes':[0,2]}],'scene':0}", "1111");
}

static void odd_scenes_are_reported(void **state)
{
    (void)state;
    mrw_scene *scene =
        load_text("{" ASSET "," FOUR_NODES ",'scenes':[{'nodes':[3]}],'scene':5}", NULL, 0);
    expect_diagnostic(scene, "UNRESOLVED_REFERENCE", MRW_SEVERITY_ERROR, 1);
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "SCENE_NON_ROOT_NODE", MRW_SEVERITY_ERROR, 1);
    assert_string_equal(found->where, "scenes[0].nodes[0]");
    assert_true(scene->nodes[3].in_scene);
    assert_false(scene->nodes[2].in_scene);
    assert_int_equal(scene->nodes[3].parent, 2);
    mrw_scene_free(scene);
}

/* --- materials and images ------------------------------------------------------------------- */

static void materials_have_their_defaults(void **state)
{
    (void)state;
    mrw_scene *scene = load_text(
        "{" ASSET ",'materials':[{},{'name':'M','doubleSided':true,'alphaMode':'MASK',"
        "'pbrMetallicRoughness':{'baseColorFactor':[0.5,0.25,1,0.75],'metallicFactor':0,"
        "'roughnessFactor':0.5}},{'alphaMode':'MASK','alphaCutoff':0.25},{'alphaMode':'BLEND'}]}",
        NULL, 0);
    expect_no_diagnostics(scene);
    assert_int_equal(scene->material_count, 4);
    const mrw_scene_material *plain = &scene->materials[0];
    assert_floats(plain->base_color, (float[]){1, 1, 1, 1}, 4);
    assert_int_equal(plain->base_color_image, -1);
    assert_false(plain->double_sided || plain->alpha_blend);
    assert_true(plain->alpha_cutoff == 0.0f && plain->metallic == 1.0f && plain->roughness == 1.0f);
    const mrw_scene_material *full = &scene->materials[1];
    assert_string_equal(full->name, "M");
    assert_floats(full->base_color, (float[]){0.5f, 0.25f, 1, 0.75f}, 4);
    assert_true(full->double_sided && full->alpha_cutoff == 0.5f);
    assert_true(full->metallic == 0.0f && full->roughness == 0.5f);
    assert_true(scene->materials[2].alpha_cutoff == 0.25f);
    assert_true(scene->materials[3].alpha_blend);
    mrw_scene_free(scene);
}

static const char picture[] = "not really a PNG";

static void images_come_from_three_places(void **state)
{
    (void)state;
    text_file files[] = {FILE_OF("my pic.png", picture), FILE_OF("x.bin", picture)};
    mrw_scene *scene = load_text(
        "{" ASSET
        ",'images':[{'uri':'my%20pic.png','name':'P'},{'uri':'data:image/png;base64,AQID'},"
        "{'bufferView':0,'mimeType':'image/png'}],'buffers':[{'uri':'x.bin','byteLength':16}],"
        "'bufferViews':[{'buffer':0,'byteOffset':4,'byteLength':6}],"
        "'textures':[{'source':2},{}],'materials':["
        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}},"
        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':1}}}]}",
        files, 2);
    expect_no_diagnostics(scene);
    assert_int_equal(scene->image_count, 3);
    assert_string_equal(scene->images[0].name, "P");
    assert_string_equal(scene->images[0].uri, "my%20pic.png");
    assert_int_equal(scene->images[0].size_bytes, sizeof(picture));
    assert_memory_equal(scene->images[0].bytes, picture, sizeof(picture));
    assert_string_equal(scene->images[1].uri, "");
    assert_int_equal(scene->images[1].size_bytes, 3);
    assert_memory_equal(scene->images[1].bytes, "\x01\x02\x03", 3);
    assert_int_equal(scene->images[2].size_bytes, 6);
    assert_memory_equal(scene->images[2].bytes, "really", 6);
    assert_int_equal(scene->materials[0].base_color_image, 2);
    assert_int_equal(scene->materials[1].base_color_image, -1);
    mrw_scene_free(scene);
}

static void a_missing_picture_is_no_error(void **state)
{
    (void)state;
    mrw_scene *scene = load_text("{" ASSET ",'images':[{'uri':'gone.png'},{'uri':'../out.png'},"
                                 "{'uri':'data:image/png;base64,!'},{},{'bufferView':3}]}",
                                 NULL, 0);
    assert_int_equal(scene->image_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_null(scene->images[i].bytes);
    const mrw_diagnostic *gone = expect_diagnostic(scene, "IO_ERROR", MRW_SEVERITY_ERROR, 1);
    assert_string_equal(gone->where, "images[0].uri");
    assert_non_null(strstr(gone->message, "gone.png"));
    const mrw_diagnostic *outside =
        expect_diagnostic(scene, "MRW_EXTERNAL_REFERENCE", MRW_SEVERITY_ERROR, 1);
    assert_non_null(strstr(outside->message, "../out.png"));
    expect_diagnostic(scene, "INVALID_URI", MRW_SEVERITY_ERROR, 1);
    expect_diagnostic(scene, "ONE_OF_MISMATCH", MRW_SEVERITY_ERROR, 1);
    expect_diagnostic(scene, "UNRESOLVED_REFERENCE", MRW_SEVERITY_ERROR, 1);
    mrw_scene_free(scene);
}

static mrw_status refuse_to_open(void *user, const char *path, const uint8_t **out_bytes,
                                 size_t *out_size_bytes)
{
    (void)path;
    (void)out_bytes;
    (void)out_size_bytes;
    ++*(int *)user;
    return MRW_ERR_FILE_NOT_FOUND;
}

static void skipped_images_are_not_opened(void **state)
{
    (void)state;
    mrw_import_options options = mrw_import_options_default();
    options.skip_images = true;
    char *text = double_quotes("{" ASSET ",'images':[{'uri':'a.png'},{'uri':'../b.png'}]}");
    int opened = 0;
    mrw_scene *scene;
    assert_int_equal(
        mrw_import_memory(text, strlen(text), refuse_to_open, &opened, &options, &scene, NULL),
        MRW_OK);
    assert_int_equal(opened, 0);
    expect_no_diagnostics(scene);
    assert_string_equal(scene->images[0].uri, "a.png");
    mrw_scene_free(scene);
    free(text);
}

/* --- the document --------------------------------------------------------------------------- */

static void the_document_says_who_wrote_it(void **state)
{
    (void)state;
    mrw_scene *scene =
        load_text("{'asset':{'version':'2.0','generator':'G\\u00fc','copyright':'C'}}", NULL, 0);
    assert_string_equal(scene->generator, "G\xc3\xbc");
    assert_string_equal(scene->copyright, "C");
    assert_int_equal(scene->node_count, 0);
    mrw_scene_free(scene);
}

static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    mrw_scene *scene = load_text("\xef\xbb\xbf {" ASSET "}", NULL, 0);
    expect_diagnostic(scene, "INVALID_JSON", MRW_SEVERITY_ERROR, 1);
    mrw_scene_free(scene);
}

static void duplicate_keys_are_reported(void **state)
{
    (void)state;
    mrw_scene *scene = load_text("{" ASSET ",\n'nodes':[{}],\n 'nodes':[{},{}]}", NULL, 0);
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "MRW_JSON_DUPLICATE_KEY", MRW_SEVERITY_WARNING, 1);
    assert_non_null(strstr(found->message, "line 3, column 3"));
    assert_int_equal(scene->node_count, 2);
    mrw_scene_free(scene);
}

static void extensions_are_told_apart(void **state)
{
    (void)state;
    mrw_scene *scene = load_text("{" ASSET ",'extensionsUsed':['KHR_materials_unlit','ABC_new',"
                                 "'KHR_draco_mesh_compression'],"
                                 "'extensionsRequired':['KHR_materials_clearcoat',"
                                 "'KHR_texture_transform','KHR_mesh_quantization']}",
                                 NULL, 0);
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "UNSUPPORTED_EXTENSION", MRW_SEVERITY_INFO, 2);
    assert_string_equal(found->where, "extensionsUsed[1]");
    assert_non_null(strstr(found->message, "ABC_new"));
    mrw_scene_free(scene);
}

static void newer_minor_versions_load(void **state)
{
    (void)state;
    mrw_scene *scene = load_text("{'asset':{'version':'2.1'}}", NULL, 0);
    expect_diagnostic(scene, "UNKNOWN_ASSET_MINOR_VERSION", MRW_SEVERITY_WARNING, 1);
    mrw_scene_free(scene);
}

/* --- the binary container ------------------------------------------------------------------- */

static size_t put_chunk(uint8_t *out, const char *type, const void *bytes, size_t size_bytes,
                        char padding)
{
    size_t padded = (size_bytes + 3) / 4 * 4;
    for (uint32_t i = 0; i < 4; i++)
        out[i] = (uint8_t)(padded >> (8 * i));
    memcpy(out + 4, type, 4);
    memset(out + 8, padding, padded);
    memcpy(out + 8, bytes, size_bytes);
    return padded + 8;
}

static void put_header(uint8_t *out, size_t size_bytes)
{
    memcpy(out, "glTF\x02\0\0\0", 8);
    for (uint32_t i = 0; i < 4; i++)
        out[8 + i] = (uint8_t)(size_bytes >> (8 * i));
}

static const char glb_text[] =
    "{" ASSET ",'buffers':[{'byteLength':5}],'bufferViews':[{'buffer':0,'byteLength':5}],"
    "'images':[{'bufferView':0,'mimeType':'image/png'}]}";

static void the_container_is_read(void **state)
{
    (void)state;
    uint8_t file[1024];
    char *json = double_quotes(glb_text);
    size_t size = 12;
    size += put_chunk(file + size, "JSON", json, strlen(json), ' ');
    size += put_chunk(file + size, "BIN", "hello", 5, '\0');
    size += put_chunk(file + size, "XYZ1", "ignored", 7, '\0');
    put_header(file, size);
    mrw_scene *scene;
    mrw_error error = {0};
    assert_int_equal(mrw_import_memory(file, size, NULL, NULL, NULL, &scene, &error), MRW_OK);
    assert_int_equal(scene->images[0].size_bytes, 5);
    assert_memory_equal(scene->images[0].bytes, "hello", 5);
    const mrw_diagnostic *unknown =
        expect_diagnostic(scene, "GLB_UNKNOWN_CHUNK_TYPE", MRW_SEVERITY_WARNING, 1);
    assert_string_equal(unknown->where, "chunks[2]");
    mrw_scene_free(scene);

    /* Data behind the end is no part of the file. */
    memset(file + size, 'x', 7);
    assert_int_equal(mrw_import_memory(file, size + 7, NULL, NULL, NULL, &scene, &error), MRW_OK);
    expect_diagnostic(scene, "GLB_EXTRA_DATA", MRW_SEVERITY_WARNING, 1);
    mrw_scene_free(scene);
    free(json);
}

static void nul_padding_of_the_text_is_reported(void **state)
{
    (void)state;
    uint8_t file[256];
    const char *json = "{\"asset\":{\"version\":\"2.0\"}}  ";
    assert_int_equal(strlen(json) % 4, 1); /* three bytes of padding */
    size_t size = 12 + put_chunk(file + 12, "JSON", json, strlen(json), '\0');
    put_header(file, size);
    mrw_scene *scene;
    assert_int_equal(mrw_import_memory(file, size, NULL, NULL, NULL, &scene, NULL), MRW_OK);
    expect_diagnostic(scene, "MRW_GLB_JSON_PADDING", MRW_SEVERITY_WARNING, 1);
    mrw_scene_free(scene);
}

static void every_truncation_of_the_container_is_refused(void **state)
{
    (void)state;
    uint8_t file[1024];
    char *json = double_quotes(glb_text);
    size_t size = 12;
    size += put_chunk(file + size, "JSON", json, strlen(json), ' ');
    size_t json_end = size;
    size += put_chunk(file + size, "BIN", "hello", 5, '\0');
    put_header(file, size);
    for (size_t length = 0; length < size; length++) {
        uint8_t *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, file, length);
        mrw_scene *scene;
        mrw_error error = {0};
        mrw_status status = mrw_import_memory(copy, length, NULL, NULL, NULL, &scene, &error);
        assert_int_equal(status, length == 0 ? MRW_ERR_UNKNOWN_FORMAT : MRW_ERR_TRUNCATED);
        /* A header that was made to fit helps only where the JSON chunk ends: then the file is
         * whole, but the picture's buffer has no data. */
        if (length >= 20) {
            put_header(copy, length);
            status = mrw_import_memory(copy, length, NULL, NULL, NULL, &scene, &error);
            assert_int_equal(status, length == json_end ? MRW_OK : MRW_ERR_TRUNCATED);
            if (status == MRW_OK)
                expect_diagnostic(scene, "BUFFER_MISSING_GLB_DATA", MRW_SEVERITY_ERROR, 1);
            mrw_scene_free(scene);
        }
        free(copy);
    }
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_keep_their_transforms),
        cmocka_unit_test(a_matrix_is_taken_apart),
        cmocka_unit_test(a_matrix_with_shear_is_reported),
        cmocka_unit_test(rotations_become_unit),
        cmocka_unit_test(of_two_parents_the_first_counts),
        cmocka_unit_test(a_chain_of_a_hundred_thousand_nodes_loads),
        cmocka_unit_test(the_shown_scene_marks_its_nodes),
        cmocka_unit_test(odd_scenes_are_reported),
        cmocka_unit_test(materials_have_their_defaults),
        cmocka_unit_test(images_come_from_three_places),
        cmocka_unit_test(a_missing_picture_is_no_error),
        cmocka_unit_test(skipped_images_are_not_opened),
        cmocka_unit_test(the_document_says_who_wrote_it),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(duplicate_keys_are_reported),
        cmocka_unit_test(extensions_are_told_apart),
        cmocka_unit_test(newer_minor_versions_load),
        cmocka_unit_test(the_container_is_read),
        cmocka_unit_test(nul_padding_of_the_text_is_reported),
        cmocka_unit_test(every_truncation_of_the_container_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
