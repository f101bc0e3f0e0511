/* Meshes whose vertices are grouped by joints: the same mesh in another order, and skinned to the
 * same bits. */
#include <marrow/offline/build.h>
#include <marrow/offline/import.h>

#include "unit/handmade_scene.h"
#include "unit/random.h"
#include "unit/shared_folder.h"

enum { GROUP = 8 };

static mrw_character *build(const mrw_scene *scene, uint32_t max_influences, bool grouped)
{
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = max_influences;
    options.group_vertices = grouped;
    mrw_character *character = NULL;
    mrw_error error = {0};
    if (mrw_build_character(scene, &options, &character, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return character;
}

/* --- made-up meshes ------------------------------------------------------------------------- */

static float *random_floats(mrw_scene *scene, uint64_t *random, size_t count)
{
    float *values = mrw_scene_alloc(scene, count, sizeof(*values));
    assert_non_null(values);
    for (size_t i = 0; i < count; i++)
        values[i] = random_float(random, -1.0f, 1.0f);
    return values;
}

/* A primitive of points, each with up to `influences` of `joints` joints. Neighbours share the
 * first of them now and then, as in a mesh. */
static void fill_primitive(mrw_scene *scene, mrw_scene_primitive *primitive, uint64_t *random,
                           uint32_t vertices, uint32_t influences, uint32_t joints)
{
    *primitive = (mrw_scene_primitive){.topology = MRW_TOPOLOGY_POINTS,
                                       .material = -1,
                                       .vertex_count = vertices,
                                       .influence_count = influences,
                                       .index_count = vertices};
    primitive->positions = random_floats(scene, random, (size_t)vertices * 3);
    primitive->normals = random_floats(scene, random, (size_t)vertices * 3);
    primitive->tangents = random_floats(scene, random, (size_t)vertices * 4);
    primitive->colors = random_floats(scene, random, (size_t)vertices * 4);
    primitive->indices = mrw_scene_alloc(scene, vertices, sizeof(uint32_t));
    primitive->joints = mrw_scene_alloc(scene, (size_t)vertices * influences, sizeof(uint16_t));
    primitive->weights = random_floats(scene, random, (size_t)vertices * influences);
    for (uint32_t v = 0; v < vertices; v++) {
        primitive->indices[v] = random_bits(random) % vertices;
        uint32_t base = random_bits(random) % joints;
        for (uint32_t i = 0; i < influences; i++) {
            size_t at = (size_t)v * influences + i;
            primitive->joints[at] = (uint16_t)((base + random_bits(random) % 3) % joints);
            if (primitive->weights[at] < 0.0f)
                primitive->weights[at] = 0.0f;
        }
    }
}

enum { TARGETS = 2, MOST_PRIMITIVES = 4 };

static mrw_scene *random_scene(uint64_t *random, uint32_t primitive_count, uint32_t influences)
{
    static const char *const names[TARGETS] = {"", ""};
    static const float weights[TARGETS] = {0, 0};
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "", primitive_count);
    for (uint32_t p = 0; p < primitive_count; p++) {
        mrw_scene_primitive *primitive = &scene->meshes->primitives[p];
        uint32_t vertices = random_bits(random) % 300;
        fill_primitive(scene, primitive, random, vertices, influences,
                       1 + random_bits(random) % 20);
        if (p == 1)
            primitive->texcoords = random_floats(scene, random, (size_t)vertices * 2);
    }
    set_targets(scene, 0, TARGETS, names, weights);
    for (uint32_t p = 0; p < primitive_count; p++) {
        mrw_scene_primitive *primitive = &scene->meshes->primitives[p];
        primitive->targets[p % 2].positions =
            random_floats(scene, random, (size_t)primitive->vertex_count * 3);
        primitive->targets[0].normals =
            random_floats(scene, random, (size_t)primitive->vertex_count * 3);
    }
    return scene;
}

/* --- the same mesh -------------------------------------------------------------------------- */

/* That values[remap[v]] is the source's value v. */
static void expect_moved(const char *what, const mrw_mesh *grouped, const float *values,
                         const float *source, size_t width)
{
    assert_true((values == NULL) == (source == NULL));
    for (size_t v = 0; source != NULL && v < grouped->vertex_count; v++)
        if (memcmp(values + grouped->vertex_remap[v] * width, source + v * width,
                   width * sizeof(float)) != 0)
            fail_msg("%s of vertex %zu did not come along", what, v);
}

/* One difference for each vertex, or NULL. */
static float *all_differences(const mrw_mesh *mesh, const mrw_morph_target *target,
                              const float *differences)
{
    if (differences == NULL)
        return NULL;
    float *all = calloc((size_t)mesh->vertex_count * 3 + 1, sizeof(*all));
    for (uint32_t i = 0; i < mrw_morph_target_count(target, mesh->vertex_count); i++)
        memcpy(all + (size_t)mrw_morph_target_vertex(target, i) * 3, differences + (size_t)i * 3,
               3 * sizeof(float));
    return all;
}

static void expect_same_target(const mrw_mesh *source, const mrw_mesh *grouped, uint32_t target)
{
    const mrw_morph_target *from = &source->targets[target], *to = &grouped->targets[target];
    const float *pairs[3][2] = {{from->positions, to->positions},
                                {from->normals, to->normals},
                                {from->tangents, to->tangents}};
    assert_int_equal(mrw_morph_check_vertices(to, 1, grouped->vertex_count, NULL), MRW_OK);
    assert_int_equal(from->count, to->count);
    for (int stream = 0; stream < 3; stream++) {
        float *expected = all_differences(source, from, pairs[stream][0]);
        float *moved = all_differences(grouped, to, pairs[stream][1]);
        expect_moved("target", grouped, moved, expected, 3);
        free(expected);
        free(moved);
    }
}

static void expect_parts(const mrw_mesh *source, const mrw_mesh *grouped)
{
    assert_memory_equal(source->parts, grouped->parts, source->part_count * sizeof(*source->parts));
    for (uint32_t p = 0; p < grouped->part_count; p++)
        for (uint32_t i = 0; i < grouped->parts[p].vertex_count; i++) {
            uint32_t first = grouped->parts[p].first_vertex;
            assert_in_range(grouped->source_vertices[first + i], first,
                            first + grouped->parts[p].vertex_count - 1);
        }
    for (uint32_t v = 0; v < grouped->vertex_count; v++)
        assert_int_equal(grouped->vertex_remap[grouped->source_vertices[v]], v);
    for (uint32_t i = 0; i < grouped->index_count; i++)
        assert_int_equal(grouped->source_vertices[grouped->indices[i]], source->indices[i]);
}

/* Weights in their order with their joints, the heaviest in the first place. */
static void expect_same_influences(const mrw_mesh *source, const mrw_mesh *grouped)
{
    uint32_t width = grouped->influence_count;
    assert_int_equal(width, (source->influence_count + 3) / 4 * 4);
    for (size_t v = 0; v < grouped->vertex_count; v++) {
        const uint16_t *joints = grouped->joints + v * width;
        const float *weights = grouped->weights + v * width;
        size_t from = (size_t)grouped->source_vertices[v] * source->influence_count;
        uint32_t found = 0;
        assert_true(weights[0] > 0.0f);
        for (uint32_t i = 0; i < width; i++) {
            if (weights[i] == 0.0f)
                continue;
            assert_true(found < source->influence_count);
            assert_int_equal(joints[i], source->joints[from + found]);
            assert_true(weights[i] == source->weights[from + found]);
            found++;
        }
        for (; found < source->influence_count; found++)
            assert_true(source->weights[from + found] == 0.0f);
    }
}

static void expect_same_mesh(const mrw_mesh *source, const mrw_mesh *grouped)
{
    assert_null(source->source_vertices);
    assert_null(source->vertex_remap);
    assert_int_equal(grouped->vertex_count, source->vertex_count);
    assert_int_equal(grouped->index_count, source->index_count);
    assert_int_equal(grouped->target_count, source->target_count);
    if (source->influence_count == 0) {
        assert_null(grouped->source_vertices);
        return;
    }
    expect_parts(source, grouped);
    expect_same_influences(source, grouped);
    expect_moved("positions", grouped, grouped->positions, source->positions, 3);
    expect_moved("normals", grouped, grouped->normals, source->normals, 3);
    expect_moved("tangents", grouped, grouped->tangents, source->tangents, 4);
    expect_moved("texcoords", grouped, grouped->texcoords, source->texcoords, 2);
    expect_moved("colors", grouped, grouped->colors, source->colors, 4);
    for (uint32_t t = 0; t < source->target_count; t++)
        expect_same_target(source, grouped, t);
}

static void random_meshes_are_the_same(void **state)
{
    (void)state;
    uint64_t random = 91;
    for (uint32_t round = 0; round < 60; round++) {
        mrw_scene *scene = random_scene(&random, 1 + round % MOST_PRIMITIVES, 1 + round % 11);
        uint32_t max_influences = round % 3 == 0 ? 4 : 0;
        mrw_character *source = build(scene, max_influences, false);
        mrw_character *grouped = build(scene, max_influences, true);
        mrw_character *again = build(scene, max_influences, true);
        mrw_scene_free(scene);
        expect_same_mesh(&source->meshes[0], &grouped->meshes[0]);
        assert_true(source->meshes[0].pruned_weight == grouped->meshes[0].pruned_weight);
        assert_memory_equal(grouped->meshes[0].source_vertices, again->meshes[0].source_vertices,
                            grouped->meshes[0].vertex_count * sizeof(uint32_t));
        mrw_character_free(source);
        mrw_character_free(grouped);
        mrw_character_free(again);
    }
}

/* --- what it is for --------------------------------------------------------------------------- */

/* Whole eights whose vertices name the same joints in the same places. */
static uint32_t count_uniform(const mrw_mesh *mesh)
{
    uint32_t count = 0;
    size_t bytes = mesh->influence_count * sizeof(uint16_t);
    for (uint32_t first = 0; first + GROUP <= mesh->vertex_count; first += GROUP) {
        const uint16_t *joints = mesh->joints + (size_t)first * mesh->influence_count;
        bool same = true;
        for (uint32_t v = 1; v < GROUP; v++)
            same = same && memcmp(joints, joints + v * mesh->influence_count, bytes) == 0;
        count += same ? 1 : 0;
    }
    return count;
}

/* One part of vertices with up to four joints, -1 for none; the weights fall from 4 to 1. */
static mrw_character *build_listed(const int joints[][4], uint32_t vertex_count)
{
    uint64_t random = 92;
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "", 1);
    mrw_scene_primitive *primitive = scene->meshes->primitives;
    fill_primitive(scene, primitive, &random, vertex_count, 4, 1);
    for (uint32_t i = 0; i < vertex_count * 4; i++) {
        primitive->joints[i] = (uint16_t)(joints[i / 4][i % 4] < 0 ? 0 : joints[i / 4][i % 4]);
        primitive->weights[i] = joints[i / 4][i % 4] < 0 ? 0.0f : 4.0f - (float)(i % 4);
    }
    mrw_character *character = build(scene, 0, true);
    mrw_scene_free(scene);
    return character;
}

static void expect_order(const mrw_mesh *mesh, const uint32_t *expected)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (mesh->source_vertices[v] != expected[v])
            fail_msg("place %u has vertex %u and not %u", v, mesh->source_vertices[v], expected[v]);
}

/* Eights of one kind come first, sorted by joint; what is over stands at the end. */
static void eights_of_one_joint(void **state)
{
    (void)state;
    int joints[20][4];
    for (int v = 0; v < 20; v++)
        for (int i = 0; i < 4; i++)
            joints[v][i] = i > 0 ? -1 : 7 - 2 * (v % 2);
    mrw_character *character = build_listed(joints, 20);
    static const uint32_t order[] = {1, 3, 5, 7,  9,  11, 13, 15, 0,  2,
                                     4, 6, 8, 10, 12, 14, 17, 19, 16, 18};
    expect_order(&character->meshes[0], order);
    assert_int_equal(count_uniform(&character->meshes[0]), 2);
    mrw_character_free(character);
}

/* 4 times 1; 2 times 1 2; 1 2 3; 1 3 2; 1 4: all but 1 4 share the list 1 2 3 2, and 1 4 does not
 * fit in it; a vertex of joint 5 never does, since the heaviest must stay first. */
static void lists_are_joined(void **state)
{
    (void)state;
    static const int joints[10][4] = {
        {1, 4, -1, -1}, {5, 1, -1, -1},  {1, 3, 2, -1},  {1, -1, -1, -1}, {1, 2, -1, -1},
        {1, 2, 3, -1},  {1, -1, -1, -1}, {1, 2, -1, -1}, {1, -1, -1, -1}, {1, -1, -1, -1}};
    mrw_character *character = build_listed(joints, 10);
    const mrw_mesh *mesh = &character->meshes[0];
    assert_int_equal(count_uniform(mesh), 1);
    assert_int_equal(mesh->influence_count, 4);
    static const uint16_t list[] = {1, 2, 3, 2};
    assert_memory_equal(mesh->joints, list, sizeof(list));
    assert_int_equal(mesh->source_vertices[8] + mesh->source_vertices[9], 0 + 1);
    static const float of_1_3_2[] = {4.0f / 9, 0, 3.0f / 9, 2.0f / 9};
    const float *weights = mesh->weights + (size_t)mesh->vertex_remap[2] * 4;
    assert_memory_equal(weights, of_1_3_2, sizeof(of_1_3_2));
    mrw_character_free(character);
}

/* The second part begins in the middle of an eight: a few of its vertices fill that up. */
static void groups_stand_at_multiples_of_eight(void **state)
{
    (void)state;
    uint64_t random = 93;
    mrw_scene *scene = new_scene(1);
    add_mesh(scene, "", 2);
    mrw_scene_primitive *primitives = scene->meshes->primitives;
    fill_primitive(scene, &primitives[0], &random, 11, 1, 1);
    fill_primitive(scene, &primitives[1], &random, 40, 1, 1);
    for (uint32_t v = 0; v < 40; v++)
        primitives[1].joints[v] = (uint16_t)(2 + v % 2);
    mrw_character *character = build(scene, 0, true);
    mrw_scene_free(scene);
    const mrw_mesh *mesh = &character->meshes[0];
    assert_int_equal(mesh->vertex_count, 51);
    assert_int_equal(count_uniform(mesh), 1 + 4);
    mrw_character_free(character);
}

/* --- skinning -----------------------------------------------------------------------------------
 */

enum { JOINTS = 80 };

static mrw_mat34 palette[JOINTS];
static mrw_dual_quat dual_quats[JOINTS];
static mrw_mat34 stretches[JOINTS];

static void make_palette(uint64_t *random)
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        mrw_transform transform = random_transform(random, 0.5f, 1.5f);
        palette[i] = mrw_mat34_from_transform(&transform);
        mrw_dual_quat_from_mat34(&palette[i], &dual_quats[i], &stretches[i]);
    }
}

/* Positions, then normals where the mesh has them. */
static float *skin(const mrw_mesh *mesh, mrw_skin_method method)
{
    size_t count = (size_t)mesh->vertex_count * 3;
    float *out = calloc(2 * count + 1, sizeof(*out));
    float *mix = calloc(mesh->vertex_count + 1, sizeof(*mix));
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        mix[v] = 0.25f;
    mrw_skin_job job = mrw_skin_job_default();
    job.method = method;
    job.palette = palette;
    job.dual_quats = dual_quats;
    job.stretches = stretches;
    job.palette_count = JOINTS;
    job.vertex_count = mesh->vertex_count;
    job.influence_count = mesh->influence_count;
    job.joints = mesh->joints;
    job.weights = mesh->weights;
    job.dual_quat_weights = mix;
    job.positions.data = mesh->positions;
    job.out_positions.data = out;
    if (mesh->normals != NULL) {
        job.normals.data = mesh->normals;
        job.out_normals.data = out + count;
    }
    assert_int_equal(mrw_skin_vertices(&job), MRW_OK);
    free(mix);
    return out;
}

static void expect_same_skinning(const mrw_mesh *source, const mrw_mesh *grouped)
{
    size_t count = (size_t)source->vertex_count * 3;
    for (int method = MRW_SKIN_LINEAR; method <= MRW_SKIN_BLENDED; method++) {
        float *expected = skin(source, (mrw_skin_method)method);
        float *moved = skin(grouped, (mrw_skin_method)method);
        expect_moved("skinned positions", grouped, moved, expected, 3);
        expect_moved("skinned normals", grouped, moved + count, expected + count, 3);
        free(expected);
        free(moved);
    }
}

static void skins_to_the_same_bits(void **state)
{
    (void)state;
    uint64_t random = 94;
    for (uint32_t round = 0; round < 30; round++) {
        make_palette(&random);
        mrw_scene *scene = random_scene(&random, 1 + round % MOST_PRIMITIVES, 1 + round % 9);
        mrw_character *source = build(scene, 0, false);
        mrw_character *grouped = build(scene, 0, true);
        mrw_scene_free(scene);
        for (uint32_t i = 0; mrw_isa_available(i) != NULL; i++) {
            assert_int_equal(mrw_isa_select(mrw_isa_available(i)), MRW_OK);
            expect_same_skinning(&source->meshes[0], &grouped->meshes[0]);
        }
        assert_int_equal(mrw_isa_select(NULL), MRW_OK);
        mrw_character_free(source);
        mrw_character_free(grouped);
    }
}

/* Skinned vertices go back to the file's order, packed or into a wider vertex. */
static void results_go_back_to_the_files_order(void **state)
{
    (void)state;
    uint64_t random = 96;
    make_palette(&random);
    mrw_scene *scene = random_scene(&random, 3, 4);
    mrw_character *source = build(scene, 0, false);
    mrw_character *grouped = build(scene, 0, true);
    mrw_scene_free(scene);
    const mrw_mesh *mesh = &grouped->meshes[0];
    uint32_t count = mesh->vertex_count;
    float *expected = skin(&source->meshes[0], MRW_SKIN_LINEAR);
    float *moved = skin(mesh, MRW_SKIN_LINEAR);
    float *back = calloc((size_t)count * 5, sizeof(*back));
    mrw_stream from = {moved, 0};
    mrw_out_stream packed = {back, 0}, wide = {back, 5 * sizeof(float)};
    assert_int_equal(mrw_stream_scatter(from, 3, mesh->source_vertices, count, packed), MRW_OK);
    assert_memory_equal(back, expected, (size_t)count * 3 * sizeof(float));
    memset(back, 0, (size_t)count * 5 * sizeof(float));
    assert_int_equal(mrw_stream_scatter(from, 3, mesh->source_vertices, count, wide), MRW_OK);
    for (size_t v = 0; v < count; v++) {
        assert_memory_equal(back + v * 5, expected + v * 3, 3 * sizeof(float));
        assert_true(back[v * 5 + 3] == 0.0f && back[v * 5 + 4] == 0.0f);
    }
    free(expected);
    free(moved);
    free(back);
    mrw_character_free(source);
    mrw_character_free(grouped);
}

static void scattering_is_checked(void **state)
{
    (void)state;
    static const float from[6] = {1, 2, 3, 4, 5, 6};
    static const uint32_t places[2] = {1, 0}, beyond[2] = {1, 2};
    float to[6] = {0};
    mrw_stream in = {from, 0}, none = {NULL, 0}, uneven = {from, 13};
    mrw_out_stream out = {to, 0}, narrow = {to, 8};
    assert_int_equal(mrw_stream_scatter(none, 3, NULL, 0, out), MRW_OK);
    assert_int_equal(mrw_stream_scatter(none, 3, places, 2, out), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_stream_scatter(in, 3, NULL, 2, out), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_stream_scatter(in, 0, places, 2, out), MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_stream_scatter(uneven, 3, places, 2, out), MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_stream_scatter(in, 3, places, 2, narrow), MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_stream_scatter(in, 3, beyond, 2, out), MRW_ERR_INDEX_RANGE);
    assert_int_equal(mrw_stream_scatter(in, 3, places, 2, out), MRW_OK);
    static const float expected[6] = {4, 5, 6, 1, 2, 3};
    assert_memory_equal(to, expected, sizeof(expected));
}

/* --- real files ---------------------------------------------------------------------------------
 */

typedef struct uniform_counts {
    uint32_t eights, before, after;
} uniform_counts;

static uniform_counts compare_file(const char *name)
{
    char path[1024];
    char relative[128];
    mrwi_format(relative, sizeof(relative), "assets/gltf/%s", name);
    shared_path(path, sizeof(path), relative);
    mrw_scene *scene = NULL;
    mrw_error error = {0};
    if (mrw_import_file(path, NULL, &scene, &error) != MRW_OK)
        fail_msg("%s: %s", name, error.message);
    mrw_character *source = build(scene, 0, false);
    mrw_character *grouped = build(scene, 0, true);
    mrw_scene_free(scene);
    uniform_counts counts = {0, 0, 0};
    for (uint32_t m = 0; m < source->mesh_count; m++) {
        expect_same_mesh(&source->meshes[m], &grouped->meshes[m]);
        if (source->meshes[m].influence_count == 0)
            continue;
        expect_same_skinning(&source->meshes[m], &grouped->meshes[m]);
        counts.eights += source->meshes[m].vertex_count / GROUP;
        counts.before += count_uniform(&source->meshes[m]);
        counts.after += count_uniform(&grouped->meshes[m]);
    }
    printf("%s: of %u eights %u have the same joints, %u before\n", name, counts.eights,
           counts.after, counts.before);
    mrw_character_free(source);
    mrw_character_free(grouped);
    return counts;
}

/* At least as many as a throw-away program with the same idea reached. */
static void real_files(void **state)
{
    (void)state;
    if (!shared_is_there())
        skip();
    uint64_t random = 95;
    make_palette(&random);
    assert_true(compare_file("Fox.glb").after >= 208);
    assert_true(compare_file("CesiumMan.glb").after >= 382);
    assert_true(compare_file("Knight.glb").after >= 454);
    uniform_counts counts = compare_file("BrainStem.glb"); /* one joint a vertex, 59 parts */
    assert_true(counts.after > counts.before);
    compare_file("robot.glb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_are_the_same),
        cmocka_unit_test(eights_of_one_joint),
        cmocka_unit_test(lists_are_joined),
        cmocka_unit_test(groups_stand_at_multiples_of_eight),
        cmocka_unit_test(skins_to_the_same_bits),
        cmocka_unit_test(results_go_back_to_the_files_order),
        cmocka_unit_test(scattering_is_checked),
        cmocka_unit_test(real_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
