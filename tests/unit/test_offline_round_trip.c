/* Real files through import, export and import again: nothing may get lost on the way. */
#define _POSIX_C_SOURCE 200809L

#include <marrow/offline/export.h>
#include <marrow/offline/import.h>

#include "unit/shared_folder.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_floats(const char *what, uint32_t index, const float *first, const float *second,
                          size_t count)
{
    if ((first == NULL) != (second == NULL))
        fail_msg("%s of %u: there before, gone after, or the other way", what, index);
    for (size_t i = 0; first != NULL && i < count; i++)
        if (memcmp(&first[i], &second[i], sizeof(float)) != 0)
            fail_msg("%s of %u: number %zu was %.9g and is %.9g", what, index, i, (double)first[i],
                     (double)second[i]);
}

/* Numbers, not bits: what does not move may come back as 0 where it was -0. */
static void expect_differences(uint32_t index, const float *first, const float *second,
                               size_t count)
{
    if (first == NULL)
        return;
    assert_non_null(second);
    for (size_t i = 0; i < count; i++)
        if (!(first[i] == second[i]))
            fail_msg("target of %u: number %zu was %.9g and is %.9g", index, i, (double)first[i],
                     (double)second[i]);
}

static void compare_nodes(const mrw_scene *first, const mrw_scene *second)
{
    assert_int_equal(second->node_count, first->node_count);
    for (uint32_t i = 0; i < first->node_count; i++) {
        const mrw_scene_node *a = &first->nodes[i];
        const mrw_scene_node *b = &second->nodes[i];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->parent, b->parent);
        assert_int_equal(a->mesh, b->mesh);
        assert_int_equal(a->skin, b->skin);
        assert_int_equal(a->in_scene, b->in_scene);
        assert_int_equal(a->morph_weight_count, b->morph_weight_count);
        expect_floats("translation", i, &a->local.translation.x, &b->local.translation.x, 3);
        expect_floats("scale", i, &a->local.scale.x, &b->local.scale.x, 3);
        /* Importing normalises rotations, which may turn the last bit of one that is unit already.
         */
        assert_float_equal(a->local.rotation.x, b->local.rotation.x, 1.2e-7f);
        assert_float_equal(a->local.rotation.y, b->local.rotation.y, 1.2e-7f);
        assert_float_equal(a->local.rotation.z, b->local.rotation.z, 1.2e-7f);
        assert_float_equal(a->local.rotation.w, b->local.rotation.w, 1.2e-7f);
        expect_floats("morph weights", i, a->morph_weights, b->morph_weights,
                      a->morph_weight_count);
    }
}

/* Influences come back in whole sets of four, and a joint without weight as joint 0. */
static void compare_influences(const mrw_scene_primitive *a, const mrw_scene_primitive *b)
{
    assert_true(b->influence_count >= a->influence_count);
    for (size_t v = 0; v < a->vertex_count; v++) {
        for (uint32_t i = 0; i < b->influence_count; i++) {
            size_t place_a = v * a->influence_count + i;
            size_t place_b = v * b->influence_count + i;
            float weight = i < a->influence_count ? a->weights[place_a] : 0.0f;
            if (weight > 0.0f)
                assert_int_equal(a->joints[place_a], b->joints[place_b]);
            assert_float_equal(weight, b->weights[place_b], 0.0f);
        }
    }
}

/* Whether every vertex's weights are as glTF wants them, so that they must come back as they are.
 */
static bool weights_are_right(const mrw_scene_primitive *primitive)
{
    for (size_t v = 0; v < primitive->vertex_count; v++) {
        const float *weights = primitive->weights + v * primitive->influence_count;
        const uint16_t *joints = primitive->joints + v * primitive->influence_count;
        double sum = 0.0;
        uint32_t used = 0;
        for (uint32_t i = 0; i < primitive->influence_count; i++) {
            for (uint32_t k = 0; k < i; k++)
                if (joints[i] == joints[k] && weights[i] > 0.0f && weights[k] > 0.0f)
                    return false;
            sum += (double)weights[i];
            used += weights[i] > 0.0f ? 1u : 0u;
        }
        if (sum < 1.0 - 2e-7 * used || sum > 1.0 + 2e-7 * used)
            return false;
    }
    return true;
}

static void compare_primitives(const mrw_scene_mesh *mesh, uint32_t index,
                               const mrw_scene_primitive *a, const mrw_scene_primitive *b)
{
    size_t count = a->vertex_count;
    assert_int_equal(a->topology, b->topology);
    assert_int_equal(a->material, b->material);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->index_count, b->index_count);
    assert_memory_equal(a->indices, b->indices, a->index_count * sizeof(*a->indices));
    expect_floats("positions", index, a->positions, b->positions, count * 3);
    expect_floats("normals", index, a->normals, b->normals, count * 3);
    if (a->texcoords != NULL)
        expect_floats("texcoords", index, a->texcoords, b->texcoords, count * 2);
    expect_floats("colors", index, a->colors, b->colors, count * 4);
    if (a->normals != NULL)
        expect_floats("tangents", index, a->tangents, b->tangents, count * 4);
    if (a->influence_count > 0 && weights_are_right(a))
        compare_influences(a, b);
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        expect_differences(index, a->targets[t].positions, b->targets[t].positions, count * 3);
        if (a->normals != NULL)
            expect_differences(index, a->targets[t].normals, b->targets[t].normals, count * 3);
    }
}

static void compare_meshes(const mrw_scene *first, const mrw_scene *second)
{
    assert_int_equal(second->mesh_count, first->mesh_count);
    for (uint32_t m = 0; m < first->mesh_count; m++) {
        const mrw_scene_mesh *a = &first->meshes[m];
        const mrw_scene_mesh *b = &second->meshes[m];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->primitive_count, b->primitive_count);
        assert_int_equal(a->target_count, b->target_count);
        expect_floats("target weights", m, a->target_weights, b->target_weights, a->target_count);
        for (uint32_t t = 0; t < a->target_count; t++)
            assert_string_equal(a->target_names[t], b->target_names[t]);
        for (uint32_t p = 0; p < a->primitive_count; p++)
            compare_primitives(a, m, &a->primitives[p], &b->primitives[p]);
    }
}

static void compare_skins(const mrw_scene *first, const mrw_scene *second)
{
    assert_int_equal(second->skin_count, first->skin_count);
    for (uint32_t s = 0; s < first->skin_count; s++) {
        const mrw_scene_skin *a = &first->skins[s];
        const mrw_scene_skin *b = &second->skins[s];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->joint_count, b->joint_count);
        assert_memory_equal(a->joints, b->joints, a->joint_count * sizeof(*a->joints));
        expect_floats("inverse bind matrices", s, (const float *)a->inverse_binds,
                      (const float *)b->inverse_binds, (size_t)a->joint_count * 12);
    }
}

static void compare_animations(const mrw_scene *first, const mrw_scene *second)
{
    assert_int_equal(second->animation_count, first->animation_count);
    for (uint32_t i = 0; i < first->animation_count; i++) {
        const mrw_scene_animation *a = &first->animations[i];
        const mrw_scene_animation *b = &second->animations[i];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->channel_count, b->channel_count);
        for (uint32_t c = 0; c < a->channel_count; c++) {
            const mrw_scene_channel *x = &a->channels[c];
            const mrw_scene_channel *y = &b->channels[c];
            assert_int_equal(x->node, y->node);
            assert_int_equal(x->path, y->path);
            assert_int_equal(x->interpolation, y->interpolation);
            assert_int_equal(x->key_count, y->key_count);
            assert_int_equal(x->value_width, y->value_width);
            size_t rows =
                (size_t)x->key_count * (x->interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1);
            expect_floats("times", i, x->times, y->times, x->key_count);
            expect_floats("values", i, x->values, y->values, rows * x->value_width);
        }
    }
}

static void compare_materials(const mrw_scene *first, const mrw_scene *second)
{
    assert_int_equal(second->material_count, first->material_count);
    for (uint32_t i = 0; i < first->material_count; i++) {
        const mrw_scene_material *a = &first->materials[i];
        const mrw_scene_material *b = &second->materials[i];
        assert_string_equal(a->name, b->name);
        expect_floats("base color", i, a->base_color, b->base_color, 4);
        assert_int_equal(a->double_sided, b->double_sided);
        assert_int_equal(a->alpha_blend, b->alpha_blend);
        if (!a->alpha_blend)
            assert_float_equal(a->alpha_cutoff, b->alpha_cutoff, 0.0f);
        assert_float_equal(a->metallic, b->metallic, 0.0f);
        assert_float_equal(a->roughness, b->roughness, 0.0f);
        if (a->base_color_image >= 0 && first->images[a->base_color_image].bytes != NULL) {
            const mrw_scene_image *picture = &first->images[a->base_color_image];
            assert_true(b->base_color_image >= 0);
            const mrw_scene_image *copy = &second->images[b->base_color_image];
            assert_int_equal(picture->size_bytes, copy->size_bytes);
            assert_memory_equal(picture->bytes, copy->bytes, picture->size_bytes);
        }
    }
}

static mrw_bytes export(const mrw_scene *scene)
{
    mrw_bytes bytes;
    mrw_error error = {0};
    if (mrw_export_glb(scene, NULL, &bytes, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return bytes;
}

static void round_trip(const char *path)
{
    mrw_error error = {0};
    mrw_scene *first = NULL;
    mrw_scene *second = NULL;
    if (mrw_import_file(path, NULL, &first, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    mrw_bytes bytes = export(first);
    if (mrw_import_memory(bytes.data, bytes.size_bytes, NULL, NULL, NULL, &second, &error) !=
        MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    compare_nodes(first, second);
    compare_meshes(first, second);
    compare_skins(first, second);
    compare_animations(first, second);
    compare_materials(first, second);
    mrw_bytes_free(&bytes);
    mrw_scene_free(first);
    mrw_scene_free(second);
}

static void every_file_comes_back_as_it_was(void **state)
{
    (void)state;
    char folder[1024];
    shared_path(folder, sizeof(folder), "assets/gltf");
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    assert_true(count > 0);
    uint32_t file_count = 0;
    for (int i = 0; i < count; i++) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        if (dot != NULL && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0)) {
            char path[2048];
            snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
            print_message("%s\n", entries[i]->d_name);
            round_trip(path);
            file_count++;
        }
        free(entries[i]);
    }
    free(entries);
    assert_true(file_count > 10);
}

int main(void)
{
    if (!shared_is_there())
        return SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_file_comes_back_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
