/* Real files of many exporters. The counts are those that the Khronos validator gives, and those of
 * the lists in the JSON text. */
#include <marrow/offline/import.h>

#include "unit/near.h"
#include "unit/shared_folder.h"

typedef struct file_counts {
    const char *name;
    uint32_t nodes, meshes, primitives, skins, joints, animations, materials, images;
    uint32_t vertices, triangles;
    const char *diagnostic; /* the only code that is reported, or NULL */
} file_counts;

static const file_counts files[] = {
    {"01_morphed_cube.gltf", 2, 1, 1, 0, 0, 1, 1, 0, 24, 12, NULL},
    {"03_all_animations.gltf", 4, 3, 3, 0, 0, 3, 1, 0, 518, 976, NULL},
    {"03_skinned_cylinder.gltf", 8, 1, 1, 1, 4, 1, 1, 0, 750, 316, NULL},
    {"06_parent-inverse-anim.gltf", 12, 10, 10, 0, 0, 5, 1, 0, 240, 120, NULL},
    {"AnimatedMorphCube.gltf", 1, 1, 1, 0, 0, 1, 1, 0, 24, 12, NULL},
    {"BrainStem.glb", 22, 1, 59, 1, 18, 1, 59, 0, 34159, 61666, "NODE_SKINNED_MESH_NON_ROOT"},
    {"CesiumMan.glb", 21, 1, 1, 1, 19, 1, 1, 1, 3273, 4672, "NODE_SKINNED_MESH_NON_ROOT"},
    {"Fox.glb", 26, 1, 1, 1, 24, 3, 1, 1, 1728, 576, NULL},
    {"Knight.glb", 57, 15, 15, 1, 41, 76, 1, 1, 7024, 6952, "NODE_SKINNED_MESH_NON_ROOT"},
    {"MorphPrimitivesTest.gltf", 2, 1, 2, 0, 0, 0, 2, 1, 30, 32, "IO_ERROR"},
    {"MorphStressTest.gltf", 1, 1, 2, 0, 0, 3, 2, 3, 1528, 2412, NULL},
    {"RiggedSimple.glb", 6, 1, 1, 1, 4, 1, 0, 0, 960, 892, "NODE_SKINNED_MESH_NON_ROOT"},
    {"Rogue.glb", 54, 12, 12, 1, 41, 76, 1, 1, 5901, 6377, "NODE_SKINNED_MESH_NON_ROOT"},
    {"SimpleMorph.gltf", 1, 1, 1, 0, 0, 1, 0, 0, 3, 1, NULL},
    {"SimpleSkin.gltf", 3, 1, 1, 1, 2, 1, 0, 0, 10, 8, "ACCESSOR_JOINTS_USED_ZERO_WEIGHT"},
    {"box_animated.gltf", 4, 2, 2, 0, 0, 1, 2, 0, 320, 254, NULL},
    {"interpolation_test.gltf", 12, 10, 10, 0, 0, 9, 10, 1, 220, 110, "IO_ERROR"},
    {"robot.glb", 58, 14, 19, 1, 43, 14, 3, 0, 7218, 3238, "NODE_SKINNED_MESH_NON_ROOT"},
};

static mrw_scene *load(const char *name)
{
    char relative[256], path[1024];
    snprintf(relative, sizeof(relative), "assets/gltf/%s", name);
    shared_path(path, sizeof(path), relative);
    mrw_scene *scene;
    mrw_error error = {0};
    if (mrw_import_file(path, NULL, &scene, &error) != MRW_OK)
        fail_msg("%s: %s: %s", name, error.detail, error.message);
    return scene;
}

static void compare(const char *name, const char *what, uint32_t count, uint32_t expected)
{
    if (count != expected)
        fail_msg("%s has %u %s, not %u", name, count, what, expected);
}

static void compare_geometry(const mrw_scene *scene, const file_counts *file)
{
    uint32_t primitives = 0, vertices = 0, indices = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        primitives += scene->meshes[m].primitive_count;
        for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++) {
            vertices += scene->meshes[m].primitives[p].vertex_count;
            indices += scene->meshes[m].primitives[p].index_count;
        }
    }
    compare(file->name, "primitives", primitives, file->primitives);
    compare(file->name, "vertices", vertices, file->vertices);
    compare(file->name, "indices", indices, file->triangles * 3);
}

static void every_file_has_its_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        const file_counts *file = &files[i];
        mrw_scene *scene = load(file->name);
        compare(file->name, "nodes", scene->node_count, file->nodes);
        compare(file->name, "meshes", scene->mesh_count, file->meshes);
        compare(file->name, "skins", scene->skin_count, file->skins);
        if (file->skins > 0)
            compare(file->name, "joints", scene->skins[0].joint_count, file->joints);
        compare(file->name, "animations", scene->animation_count, file->animations);
        compare(file->name, "materials", scene->material_count, file->materials);
        compare(file->name, "images", scene->image_count, file->images);
        compare_geometry(scene, file);
        compare(file->name, "diagnostics", scene->diagnostic_count, file->diagnostic != NULL);
        if (file->diagnostic != NULL)
            assert_string_equal(scene->diagnostics[0].code, file->diagnostic);
        mrw_scene_free(scene);
    }
}

static float last_key(const mrw_scene_animation *animation)
{
    float last = 0.0f;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const mrw_scene_channel *channel = &animation->channels[i];
        if (channel->times[channel->key_count - 1] > last)
            last = channel->times[channel->key_count - 1];
    }
    return last;
}

/* From the file's README: Survey, Walk and Run; the times are the `max` of its time accessors. */
static void the_fox_has_its_clips(void **state)
{
    (void)state;
    mrw_scene *scene = load("Fox.glb");
    static const char *const names[] = {"Survey", "Walk", "Run"};
    static const double durations[] = {3.4166667461395264, 0.7083333134651184, 1.1583333015441895};
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(scene->animations[i].name, names[i]);
        assert_near((double)last_key(&scene->animations[i]), durations[i], 1e-6);
    }
    assert_int_equal(scene->meshes[0].primitives[0].influence_count, 4);
    assert_non_null(scene->meshes[0].primitives[0].texcoords);
    assert_memory_equal(scene->images[0].bytes, "\x89PNG", 4);
    mrw_scene_free(scene);
}

static void options_about_pictures_hold(void **state)
{
    (void)state;
    char path[1024];
    shared_path(path, sizeof(path), "assets/gltf/interpolation_test.gltf");
    mrw_import_options options = mrw_import_options_default();
    options.skip_images = true;
    mrw_scene *scene;
    assert_int_equal(mrw_import_file(path, &options, &scene, NULL), MRW_OK);
    assert_int_equal(scene->diagnostic_count, 0); /* nobody looked for l.jpg */
    assert_string_equal(scene->images[0].uri, "l.jpg");
    mrw_scene_free(scene);
}

int main(void)
{
    if (!shared_is_there())
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_has_its_counts),
        cmocka_unit_test(the_fox_has_its_clips),
        cmocka_unit_test(options_about_pictures_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
