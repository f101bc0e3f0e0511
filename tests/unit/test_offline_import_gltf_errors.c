/* What is refused, and how exactly it is said: status, the path of the property, the words, and
 * line and column where the JSON text has the mistake. */
#define _POSIX_C_SOURCE 200809L

#include "unit/gltf_text.h"

#include <unistd.h>

typedef struct refusal {
    const char *text; /* what follows the asset */
    mrw_status status;
    const char *detail;
    const char *words;
} refusal;

#define SOME_VIEW                                                                                  \
    "'buffers':[{'uri':'x.bin','byteLength':16}],'bufferViews':[{'buffer':0,'byteLength':16}],"

static const refusal refusals[] = {
    /* indices */
    {"'nodes':[{},{'mesh':7}],'meshes':[{'primitives':[]},{'primitives':[]}]", MRW_ERR_INDEX_RANGE,
     "nodes[1].mesh", "7 of 2"},
    {"'nodes':[{'children':[0]}]", MRW_ERR_NODE_CYCLE, "nodes[0].children[0]", "own ancestor"},
    {"'nodes':[{},{'children':[0,9]}]", MRW_ERR_INDEX_RANGE, "nodes[1].children[1]", "9 of 2"},
    {"'nodes':[{'children':[-1]}]", MRW_ERR_INVALID_VALUE, "nodes[0].children[0]", "whole number"},
    {"'nodes':[{'children':[0.5]}]", MRW_ERR_INVALID_VALUE, "nodes[0].children[0]", "whole number"},
    {"'nodes':[{'children':['a']}]", MRW_ERR_WRONG_TYPE, "nodes[0].children[0]", "a number"},
    {"'scenes':[{'nodes':[3]}]", MRW_ERR_INDEX_RANGE, "scenes[0].nodes[0]", "3 of 0"},
    {"'nodes':[{}],'skins':[{'joints':[0,1]}]", MRW_ERR_INDEX_RANGE, "skins[0].joints[1]",
     "1 of 1"},
    {SOME_VIEW "'accessors':[{'bufferView':7,'componentType':5126,'count':1,'type':'SCALAR'}]",
     MRW_ERR_INDEX_RANGE, "accessors[0].bufferView", "7 of 1"},
    /* types and missing properties */
    {"'nodes':{}", MRW_ERR_WRONG_TYPE, "nodes", "an array"},
    {"'nodes':[1]", MRW_ERR_WRONG_TYPE, "nodes[0]", "an object"},
    {"'nodes':[{'translation':[1,2]}]", MRW_ERR_INVALID_VALUE, "nodes[0].translation",
     "2 numbers where 3 belong"},
    {"'nodes':[{'translation':[1,2,'x']}]", MRW_ERR_WRONG_TYPE, "nodes[0].translation[2]",
     "a number"},
    {"'nodes':[{'scale':[1,1e39,1]}]", MRW_ERR_INVALID_VALUE, "nodes[0].scale[1]", "too large"},
    {"'skins':[{}]", MRW_ERR_MISSING_PROPERTY, "skins[0].joints", "at least one joint"},
    {"'meshes':[{}]", MRW_ERR_MISSING_PROPERTY, "meshes[0].primitives", "missing"},
    {"'buffers':[{'uri':'x.bin'}]", MRW_ERR_MISSING_PROPERTY, "buffers[0].byteLength", "missing"},
    {"'accessors':[{'componentType':5126,'count':1}]", MRW_ERR_MISSING_PROPERTY,
     "accessors[0].type", "SCALAR"},
    /* bounds */
    {"'buffers':[{'uri':'x.bin','byteLength':17}]", MRW_ERR_OUT_OF_BOUNDS, "buffers[0].byteLength",
     "17 bytes of which only 16 are there"},
    {"'buffers':[{'uri':'x.bin','byteLength':16}],'bufferViews':[{'buffer':0,'byteOffset':8,"
     "'byteLength':9}]",
     MRW_ERR_OUT_OF_BOUNDS, "bufferViews[0].byteLength", "byte 17 of buffers[0], which has 16"},
    {SOME_VIEW "'accessors':[{'bufferView':0,'byteOffset':4,'componentType':5126,'count':1,"
               "'type':'VEC4'}]",
     MRW_ERR_OUT_OF_BOUNDS, "accessors[0]", "byte 20 of bufferViews[0], which has 16"},
    {SOME_VIEW "'accessors':[{'bufferView':0,'componentType':5126,'count':4294967295,"
               "'type':'MAT4'}]",
     MRW_ERR_OUT_OF_BOUNDS, "accessors[0]", "which has 16"},
    {SOME_VIEW "'accessors':[{'bufferView':0,'byteOffset':9007199254740992,'componentType':5126,"
               "'count':1,'type':'SCALAR'}]",
     MRW_ERR_OUT_OF_BOUNDS, "accessors[0]", "which has 16"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':4294967296,'type':'SCALAR'}]",
     MRW_ERR_LIMIT, "accessors[0].count", "2^32"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':3,'type':'SCALAR','sparse':{'count':2,"
               "'indices':{'bufferView':0,'byteOffset':15,'componentType':5121},"
               "'values':{'bufferView':0}}}]",
     MRW_ERR_OUT_OF_BOUNDS, "accessors[0].sparse.indices", "byte 17 of bufferViews[0]"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':1,'type':'SCALAR','sparse':{'count':2,"
               "'indices':{'bufferView':0,'componentType':5121},'values':{'bufferView':0}}}]",
     MRW_ERR_INCONSISTENT, "accessors[0].sparse.count", "2 elements are replaced of the 1"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':1,'type':'VEC3','sparse':{'count':1,"
               "'indices':{'bufferView':0,'byteOffset':15,'componentType':5121},"
               "'values':{'bufferView':0}}}],'meshes':[{'primitives':[{'attributes':"
               "{'POSITION':0}}]}]",
     MRW_ERR_INDEX_RANGE, "accessors[0].sparse.indices[0]", "255 of 1"},
    /* meshes */
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':3,'type':'VEC2'}],'meshes':[{"
               "'primitives':[{'attributes':{'POSITION':0}}]}]",
     MRW_ERR_INVALID_VALUE, "meshes[0].primitives[0].attributes.POSITION", "VEC3"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':3,'type':'VEC3'},{'componentType':5126,"
               "'count':2,'type':'VEC3'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
               "'NORMAL':1}}]}]",
     MRW_ERR_INCONSISTENT, "meshes[0].primitives[0].attributes.NORMAL",
     "its accessor has 2 elements, POSITION has 3"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':2,'type':'VEC3'},{'bufferView':0,"
               "'byteOffset':12,'componentType':5121,'count':4,'type':'SCALAR'}],'meshes':[{"
               "'primitives':[{'attributes':{'POSITION':0},'indices':1}]}]",
     MRW_ERR_INDEX_RANGE, "meshes[0].primitives[0].indices", "index 3 is 255 of 2"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':2,'type':'VEC3'}],'meshes':[{"
               "'primitives':[{'attributes':{'POSITION':0},'mode':7}]}]",
     MRW_ERR_INVALID_VALUE, "meshes[0].primitives[0].mode", "7 is no mode"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':2,'type':'VEC3'}],'meshes':[{"
               "'primitives':[{'attributes':{'POSITION':0,'JOINTS_99':0}}]}]",
     MRW_ERR_LIMIT, "meshes[0].primitives[0].attributes.JOINTS_", "64 influences"},
    {SOME_VIEW "'accessors':[{'componentType':5126,'count':2,'type':'VEC3'},{'componentType':5126,"
               "'count':2,'type':'VEC4'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
               "'JOINTS_0':1,'WEIGHTS_0':1}}]}]",
     MRW_ERR_INVALID_VALUE, "meshes[0].primitives[0].attributes.JOINTS_0", "8- or 16-bit unsigned"},
    {"'accessors':[{'componentType':1,'count':2,'type':'VEC3'}],'meshes':[{'primitives':[{"
     "'attributes':{'POSITION':0}}]}]",
     MRW_ERR_UNSUPPORTED, "accessors[0]", "unknown"},
    {"'buffers':[{'byteLength':36}],'bufferViews':[{'buffer':0,'byteLength':36}],'accessors':[{"
     "'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}],'meshes':[{'primitives':[{"
     "'attributes':{'POSITION':0}}]}]",
     MRW_ERR_MISSING_PROPERTY, "accessors[0].bufferView", "no data"},
    {"'accessors':[{'componentType':5126,'count':4000000000,'type':'VEC3'}],'meshes':[{"
     "'primitives':[{'attributes':{'POSITION':0}}]}]",
     MRW_ERR_LIMIT, "accessors[0].count", "no bufferView to hold them"},
    /* animations */
    {"'animations':[{'channels':[{'sampler':2,'target':{}}],'samplers':[]}]", MRW_ERR_INDEX_RANGE,
     "animations[0].channels[0].sampler", "2 of 0"},
    {"'animations':[{'channels':[{'target':{}}],'samplers':[]}]", MRW_ERR_MISSING_PROPERTY,
     "animations[0].channels[0].sampler", "missing"},
    {"'nodes':[{}],'accessors':[{'componentType':5126,'count':2,'type':'SCALAR'},{"
     "'componentType':5126,'count':1,'type':'VEC3'}],'animations':[{'channels':[{'sampler':0,"
     "'target':{'node':0,'path':'scale'}}],'samplers':[{'input':0,'output':1}]}]",
     MRW_ERR_INCONSISTENT, "animations[0].samplers[0].output", "1 values where 2 keys need 2"},
    {"'nodes':[{}],'accessors':[{'componentType':5126,'count':2,'type':'SCALAR'}],'animations':[{"
     "'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],'samplers':[{'input':0,"
     "'output':0}]}]",
     MRW_ERR_INVALID_VALUE, "animations[0].samplers[0].output", "3 components"},
    {"'nodes':[{}],'accessors':[{'componentType':5123,'count':2,'type':'SCALAR'}],'animations':[{"
     "'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],'samplers':[{'input':0,"
     "'output':0}]}]",
     MRW_ERR_INVALID_VALUE, "animations[0].samplers[0].input", "SCALAR of floats"},
    /* places */
    {"'buffers':[{'uri':'gone.bin','byteLength':1}]", MRW_ERR_FILE_NOT_FOUND, "buffers[0].uri",
     "gone.bin: the file does not exist"},
    {"'buffers':[{'uri':'../x.bin','byteLength':1}]", MRW_ERR_EXTERNAL_REFERENCE, "buffers[0].uri",
     "../x.bin: a path that leads out"},
    {"'buffers':[{'uri':'http://a/x.bin','byteLength':1}]", MRW_ERR_EXTERNAL_REFERENCE,
     "buffers[0].uri", "http://a/x.bin: only files"},
    {"'buffers':[{'uri':'data:;base64,A*==','byteLength':1}]", MRW_ERR_INVALID_VALUE,
     "buffers[0].uri", "at its character 1"},
    {"'buffers':[{'uri':7,'byteLength':1}]", MRW_ERR_WRONG_TYPE, "buffers[0].uri", "a string"},
    /* extensions */
    {"'extensionsRequired':['KHR_materials_unlit','KHR_draco_mesh_compression']",
     MRW_ERR_UNSUPPORTED_EXTENSION, "extensionsRequired[1]", "KHR_draco_mesh_compression"},
    {"'extensionsRequired':['EXT_meshopt_compression']", MRW_ERR_UNSUPPORTED_EXTENSION,
     "extensionsRequired[0]", "EXT_meshopt_compression"},
};

/* The file ends in 255, which is an index too. */
static const uint8_t sixteen_bytes[16] = {[15] = 255};

static void refused_with_place_and_reason(void **state)
{
    (void)state;
    text_file file = FILE_OF("x.bin", sixteen_bytes);
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        char text[2048];
        snprintf(text, sizeof(text), "{" ASSET ",%s}", refusals[i].text);
        refuse_text(text, &file, 1, refusals[i].status, refusals[i].detail, refusals[i].words);
    }
}

static void versions_are_refused(void **state)
{
    (void)state;
    refuse_text("{}", NULL, 0, MRW_ERR_MISSING_PROPERTY, "asset.version", "is this a glTF file?");
    refuse_text("{'asset':{'version':'1.0'}}", NULL, 0, MRW_ERR_BAD_VERSION, "asset.version",
                "glTF 1.0");
    refuse_text("{'asset':{'version':'2'}}", NULL, 0, MRW_ERR_INVALID_VALUE, "asset.version",
                "2.0");
    refuse_text("{'asset':{'version':2.0}}", NULL, 0, MRW_ERR_WRONG_TYPE, "asset.version",
                "a string");
    refuse_text("{'asset':{'version':'2.0','minVersion':'2.1'}}", NULL, 0, MRW_ERR_INCONSISTENT,
                "asset.minVersion", "larger");
    refuse_text("[]", NULL, 0, MRW_ERR_WRONG_TYPE, "JSON", "an object");
}

static void line_and_column_point_at_the_value(void **state)
{
    (void)state;
    char *text = double_quotes("{\n  " ASSET ",\n  'nodes': [\n    {},\n    {'mesh': 4}\n  ]\n}\n");
    mrw_scene *scene;
    mrw_error error = {0};
    assert_int_equal(mrw_import_memory(text, strlen(text), NULL, NULL, NULL, &scene, &error),
                     MRW_ERR_INDEX_RANGE);
    assert_int_equal(error.line, 5);
    assert_int_equal(error.column, 14);
    assert_int_equal(error.offset, strstr(text, "4}") - text);
    free(text);
}

static void broken_json_has_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
    } cases[] = {
        {"{\"asset\":{\"version\":\"2.0\"}", 1, 27},
        {"{\"asset\":\n {\"version\" \"2.0\"}}", 2, 13},
        {"{\"asset\":{\"version\":\"2.0\"},}", 1, 28},
        {"{\"asset\":{\"version\":\"2.0\"}}\n\n}", 3, 1},
        {"\xef\xbb\xbf{\"asset\":\n@}", 2, 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mrw_scene *scene;
        mrw_error error = {0};
        assert_int_equal(mrw_import_memory(cases[i].text, strlen(cases[i].text), NULL, NULL, NULL,
                                           &scene, &error),
                         MRW_ERR_JSON_SYNTAX);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
    }
}

/* --- formats, files, arguments ---------------------------------------------------------------- */

static void other_formats_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "empty"},
        {" \n\t", "empty"},
        {"Kaydara FBX Binary  ", "FBX"},
        {"hello", "not recognised"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mrw_scene *scene;
        mrw_error error = {0};
        assert_int_equal(
            mrw_import_memory(cases[i][0], strlen(cases[i][0]), NULL, NULL, NULL, &scene, &error),
            MRW_ERR_UNKNOWN_FORMAT);
        assert_non_null(strstr(error.message, cases[i][1]));
        assert_non_null(strstr(error.message, ".glb")); /* what would work */
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void files_are_found_beside_the_main_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/marrow_import_XXXXXX";
    assert_non_null(mkdtemp(folder));
    char main_path[64], data_path[64], inner_path[64];
    snprintf(main_path, sizeof(main_path), "%s/a b.gltf", folder);
    snprintf(data_path, sizeof(data_path), "%s/x y.png", folder);
    snprintf(inner_path, sizeof(inner_path), "%s/gone.gltf", folder);
    char *text = double_quotes("{" ASSET ",'images':[{'uri':'x%20y.png'}]}");
    write_file(main_path, text);
    write_file(data_path, "12345");
    mrw_scene *scene;
    mrw_error error = {0};
    assert_int_equal(mrw_import_file(main_path, NULL, &scene, &error), MRW_OK);
    assert_int_equal(scene->images[0].size_bytes, 5);
    mrw_scene_free(scene);

    assert_int_equal(mrw_import_file(inner_path, NULL, &scene, &error), MRW_ERR_FILE_NOT_FOUND);
    assert_string_equal(error.detail, inner_path);
    assert_null(scene);
    assert_int_equal(mrw_import_file(folder, NULL, &scene, &error), MRW_ERR_FILE_READ);
    assert_non_null(strstr(error.message, "folder"));

    /* A path out of the folder is followed only if the caller says so. */
    char *outside = double_quotes("{" ASSET ",'buffers':[{'uri':'../%s/x y.png','byteLength':5}]}");
    char outside_text[256];
    snprintf(outside_text, sizeof(outside_text), outside, strrchr(folder, '/') + 1);
    write_file(main_path, outside_text);
    assert_int_equal(mrw_import_file(main_path, NULL, &scene, &error), MRW_ERR_EXTERNAL_REFERENCE);
    mrw_import_options options = mrw_import_options_default();
    options.allow_external = true;
    assert_int_equal(mrw_import_file(main_path, &options, &scene, &error), MRW_OK);
    mrw_scene_free(scene);
    free(outside);
    free(text);
    unlink(main_path);
    unlink(data_path);
    rmdir(folder);
}

/* A device has no size that could be asked for: the memory limit ends the reading. */
static void endless_files_meet_the_memory_limit(void **state)
{
    (void)state;
    if (access("/dev/zero", R_OK) != 0)
        skip();
    mrw_import_options options = mrw_import_options_default();
    options.memory.limit_bytes = 1 << 20;
    mrw_scene *scene;
    mrw_error error = {0};
    assert_int_equal(mrw_import_file("/dev/zero", &options, &scene, &error), MRW_ERR_MEMORY_LIMIT);
    assert_null(scene);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    mrw_scene *scene = (mrw_scene *)1;
    mrw_import_options zeroed = {0};
    assert_int_equal(mrw_import_file("x", NULL, NULL, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_import_file(NULL, NULL, &scene, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_null(scene);
    assert_int_equal(mrw_import_memory(NULL, 0, NULL, NULL, NULL, &scene, NULL),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_import_memory("x", 1, NULL, NULL, NULL, NULL, NULL),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_import_memory("x", 1, NULL, NULL, &zeroed, &scene, NULL),
                     MRW_ERR_STRUCT_SIZE);
    assert_int_equal(mrw_import_file("x", &zeroed, &scene, NULL), MRW_ERR_STRUCT_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_with_place_and_reason),
        cmocka_unit_test(versions_are_refused),
        cmocka_unit_test(line_and_column_point_at_the_value),
        cmocka_unit_test(broken_json_has_line_and_column),
        cmocka_unit_test(other_formats_are_named),
        cmocka_unit_test(files_are_found_beside_the_main_file),
        cmocka_unit_test(endless_files_meet_the_memory_limit),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
