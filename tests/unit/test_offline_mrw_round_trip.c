/* Real files as .mrw and back, meshes and all: the same arrays, and the same vertices at moments of
 * their clips, by the character and by the assets where they lie. */
#include <marrow/asset_file.h>
#include <marrow/marrow.h>
#include <marrow/offline/export.h>
#include <marrow/offline/load.h>

#include "unit/same_mesh.h"
#include "unit/shared_folder.h"

enum { MOST_CLIPS = 3, MOMENTS = 3 };

static const char *const files[] = {"Fox.glb",   "CesiumMan.glb",          "Knight.glb",
                                    "robot.glb", "AnimatedMorphCube.gltf", "MorphStressTest.gltf"};

static void *alloc(size_t count, size_t size_bytes)
{
    void *memory = aligned_alloc(64, (count * size_bytes + 64) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static mrw_file_part asset_part(const char *name, const mrw_asset_header *header)
{
    return (mrw_file_part){name, header, (size_t)header->size_bytes};
}

static mrw_bytes export_character(const mrw_scene *scene, const mrw_character *character)
{
    const uint32_t mesh_count = character->mesh_count;
    mrw_file_part *parts = alloc(
        (size_t)2 + character->clip_count + character->skin_count + mesh_count, sizeof(*parts));
    mrw_bytes *made = alloc((size_t)mesh_count + 1, sizeof(*made)), file;
    uint32_t count = 0;
    parts[count++] = asset_part("skeleton", character->skeleton.header);
    for (uint32_t i = 0; i < character->clip_count; i++)
        parts[count++] = asset_part(character->clips[i].name, character->clips[i].header);
    for (uint32_t i = 0; i < character->skin_count; i++)
        parts[count++] = asset_part(character->skins[i].name, character->skins[i].header);
    for (uint32_t i = 0; i < mesh_count; i++) {
        assert_int_equal(mrw_build_mesh(character, i, NULL, &made[i], NULL), MRW_OK);
        parts[count++] =
            (mrw_file_part){character->meshes[i].name, made[i].data, made[i].size_bytes};
    }
    assert_int_equal(mrw_build_materials(scene, NULL, &made[mesh_count], NULL), MRW_OK);
    parts[count++] =
        (mrw_file_part){"materials", made[mesh_count].data, made[mesh_count].size_bytes};
    assert_int_equal(mrw_export_file(parts, count, NULL, &file, NULL), MRW_OK);
    for (uint32_t i = 0; i <= mesh_count; i++)
        mrw_bytes_free(&made[i]);
    free(made);
    free(parts);
    return file;
}

/* --- vertices ----------------------------------------------------------------------------- */

/* A pose of a character and the matrices of its joints. */
typedef struct moment {
    void *pose_memory;
    mrw_pose pose;
    mrw_mat34 *model;
} moment;

static moment sample(const mrw_character *character, uint32_t clip, double time_s)
{
    const mrw_skeleton *skeleton = &character->skeleton;
    const size_t size = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    moment at = {.pose_memory = alloc(1, size)};
    at.model = alloc(skeleton->joint_count, sizeof(*at.model));
    assert_int_equal(mrw_pose_init(at.pose_memory, size, skeleton->joint_count,
                                   skeleton->scalar_count, &at.pose),
                     MRW_OK);
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = &character->clips[clip];
    job.skeleton = skeleton;
    job.time_s = time_s;
    job.out_pose = &at.pose;
    assert_int_equal(mrw_sample(&job), MRW_OK);
    mrw_model_job place = mrw_model_job_default();
    place.skeleton = skeleton;
    place.pose = &at.pose;
    place.out_model = at.model;
    place.model_count = skeleton->joint_count;
    assert_int_equal(mrw_model(&place), MRW_OK);
    return at;
}

static void free_moment(moment *at)
{
    free(at->pose_memory);
    free(at->model);
}

/* What is skinned: a job with vertices and influences, and its targets. */
typedef struct vertices {
    mrw_skin_job job;
    uint32_t target_count;
    mrw_morph_target *targets;
} vertices;

static vertices of_mesh(const mrw_mesh *mesh)
{
    vertices of = {mrw_skin_job_default(), mesh->target_count, NULL};
    of.job.vertex_count = mesh->vertex_count;
    of.job.influence_count = mesh->influence_count;
    of.job.joints = mesh->joints;
    of.job.weights = mesh->weights;
    of.job.positions.data = mesh->positions;
    of.job.normals.data = mesh->normals;
    of.job.tangents.data = mesh->tangents;
    of.targets = alloc(mesh->target_count, sizeof(*of.targets));
    for (uint32_t i = 0; i < mesh->target_count; i++)
        of.targets[i] = mesh->targets[i];
    return of;
}

static vertices of_asset(const mrw_mesh_asset *mesh)
{
    vertices of = {mrw_skin_job_default(), mesh->target_count, NULL};
    mrw_mesh_asset_set_job(mesh, &of.job);
    of.targets = alloc(mesh->target_count, sizeof(*of.targets));
    for (uint32_t i = 0; i < mesh->target_count; i++)
        of.targets[i] = mrw_mesh_asset_target_at(mesh, i);
    return of;
}

/* Morphed and skinned positions; frees `of`. */
static float *move(vertices *of, const mrw_character *character, const mrw_mesh_instance *instance,
                   const moment *at)
{
    const size_t count = of->job.vertex_count;
    float *out = alloc(count * 3, sizeof(float));
    of->job.normals.data = of->job.tangents.data = NULL;
    if (of->target_count > 0) {
        mrw_morph_job morph = mrw_morph_job_default();
        morph.vertex_count = of->job.vertex_count;
        morph.target_count = of->target_count;
        morph.targets = of->targets;
        morph.weights = at->pose.scalars + instance->first_scalar;
        morph.positions = of->job.positions;
        morph.out_positions.data = out;
        assert_int_equal(mrw_morph(&morph), MRW_OK);
    } else {
        memcpy(out, of->job.positions.data, count * 3 * sizeof(float));
    }
    if (instance->skin >= 0) {
        const mrw_skin *skin = &character->skins[instance->skin];
        mrw_mat34 *palette = alloc(skin->joint_count, sizeof(*palette));
        mrw_palette_job job = mrw_palette_job_default();
        job.skin = skin;
        job.model = at->model;
        job.model_count = character->skeleton.joint_count;
        job.out_palette = palette;
        job.palette_count = skin->joint_count;
        assert_int_equal(mrw_palette(&job), MRW_OK);
        of->job.palette = palette;
        of->job.palette_count = skin->joint_count;
        of->job.positions.data = out;
        of->job.out_positions.data = out;
        assert_int_equal(mrw_skin_vertices(&of->job), MRW_OK);
        free(palette);
    }
    free(of->targets);
    return out;
}

static void compare_vertices(const mrw_character *a, const mrw_character *b, const mrw_file *file)
{
    for (uint32_t m = 0; m < a->clip_count * MOMENTS && m < MOST_CLIPS * MOMENTS; m++) {
        const uint32_t clip = m / MOMENTS;
        const double time_s = 0.37 * (m % MOMENTS) * (double)a->clips[clip].duration_s;
        moment at_a = sample(a, clip, time_s), at_b = sample(b, clip, time_s);
        for (uint32_t i = 0; i < a->instance_count; i++) {
            const mrw_mesh_instance *instance = &a->instances[i];
            const void *bytes = NULL;
            size_t size_bytes = 0;
            mrw_mesh_asset asset;
            mrw_file_asset(file, MRW_ASSET_MESH, (int32_t)instance->mesh, &bytes, &size_bytes);
            assert_int_equal(mrw_mesh_asset_open(bytes, size_bytes, &asset, NULL), MRW_OK);
            vertices of_a = of_mesh(&a->meshes[instance->mesh]);
            vertices of_b = of_mesh(&b->meshes[instance->mesh]);
            vertices of_file = of_asset(&asset);
            float *moved_a = move(&of_a, a, instance, &at_a);
            float *moved_b = move(&of_b, b, &b->instances[i], &at_b);
            float *moved_file = move(&of_file, b, &b->instances[i], &at_b);
            expect_array(moved_a, moved_b, asset.vertex_count, 12);
            expect_array(moved_a, moved_file, asset.vertex_count, 12);
            free(moved_a);
            free(moved_b);
            free(moved_file);
        }
        free_moment(&at_a);
        free_moment(&at_b);
    }
}

/* --- files -------------------------------------------------------------------------------- */

static void round_trip(const char *path, bool group_vertices)
{
    mrw_build_options options = mrw_build_options_default();
    options.group_vertices = group_vertices;
    mrw_scene *scene, *scene_again;
    mrw_character *a, *b;
    mrw_error error = {0};
    mrw_file file;
    if (mrw_load_file(path, NULL, &options, &scene, &a, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    mrw_bytes bytes = export_character(scene, a);
    if (mrw_load_memory(bytes.data, bytes.size_bytes, NULL, NULL, NULL, NULL, &scene_again, &b,
                        &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    assert_int_equal(mrw_file_open(bytes.data, bytes.size_bytes, &file, NULL), MRW_OK);
    assert_int_equal(a->mesh_count, b->mesh_count);
    for (uint32_t i = 0; i < a->mesh_count; i++)
        expect_same_mesh(&a->meshes[i], &b->meshes[i]);
    assert_int_equal(a->instance_count, b->instance_count);
    expect_array(a->instances, b->instances, a->instance_count, sizeof(*a->instances));
    assert_int_equal(scene->material_count, scene_again->material_count);
    compare_vertices(a, b, &file);
    mrw_bytes_free(&bytes);
    mrw_character_free(a);
    mrw_character_free(b);
    mrw_scene_free(scene);
    mrw_scene_free(scene_again);
}

static void every_file_comes_back_as_it_was(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char folder[1024], path[1100];
        shared_path(folder, sizeof(folder), "assets/gltf");
        snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
        print_message("%s\n", files[i]);
        round_trip(path, false);
        round_trip(path, true);
    }
}

int main(void)
{
    if (!shared_is_there())
        return SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_file_comes_back_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
