#include "bench_rig.h"

#include "bench_time.h"

#include <demo/demo.h>
#include <marrow/offline/offline.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static mrw_status load_character(const char *path, mrw_character **out_character,
                                 mrw_error *out_error)
{
    mrw_scene *scene = NULL;
    mrw_status status;
    if (path != NULL) {
        mrw_import_options options = mrw_import_options_default();
        options.skip_images = true;
        status = mrw_load_file(path, &options, NULL, &scene, out_character, out_error);
    } else {
        status = mrw_scene_create(NULL, &scene);
        if (status == MRW_OK && !demo_fill_biped(scene))
            status = MRW_ERR_OUT_OF_MEMORY;
        if (status == MRW_OK)
            status = mrw_build_character(scene, NULL, out_character, out_error);
    }
    mrw_scene_free(scene);
    return status;
}

static const mrw_mesh_instance *largest_instance(const mrw_character *character)
{
    const mrw_mesh_instance *largest = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < character->instance_count; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        const mrw_mesh *mesh = &character->meshes[instance->mesh];
        if (instance->skin >= 0 && mesh->influence_count > 0 && mesh->vertex_count > most) {
            largest = instance;
            most = mesh->vertex_count;
        }
    }
    return largest;
}

bool bench_rig_load(const char *path, bench_rig *out_rig)
{
    *out_rig = (bench_rig){.name = path != NULL ? file_name(path) : "demo biped"};
    mrw_error error = {0};
    mrw_status status = load_character(path, &out_rig->character, &error);
    if (status != MRW_OK) {
        fprintf(stderr, "marrow_bench: %s: %s: %s\n", out_rig->name, mrw_status_text(status),
                error.message);
        return false;
    }
    const mrw_character *character = out_rig->character;
    out_rig->skeleton = &character->skeleton;
    out_rig->clip_count = character->clip_count;
    out_rig->clips = character->clips;
    const mrw_mesh_instance *instance = largest_instance(character);
    if (instance != NULL) {
        const mrw_mesh *mesh = &character->meshes[instance->mesh];
        out_rig->skin = &character->skins[instance->skin];
        out_rig->vertex_count = mesh->vertex_count;
        out_rig->influence_count = mesh->influence_count;
        out_rig->positions = mesh->positions;
        out_rig->normals = mesh->normals;
        out_rig->tangents = mesh->tangents;
        out_rig->joints = mesh->joints;
        out_rig->weights = mesh->weights;
    }
    if (bench_rig_complete(out_rig))
        return true;
    bench_rig_free(out_rig);
    return false;
}

static bool is_walk(const char *name)
{
    static const char walk[] = "walk";
    for (size_t i = 0; walk[i] != '\0'; i++) {
        if (tolower((unsigned char)name[i]) != walk[i])
            return false;
    }
    return true;
}

static void choose_clips(bench_rig *rig)
{
    uint32_t first = 0, busiest = 0;
    for (uint32_t i = rig->clip_count; i-- > 0;) {
        if (is_walk(rig->clips[i].name))
            first = i;
        if (rig->clips[i].track_count >= rig->clips[busiest].track_count)
            busiest = i;
    }
    rig->first = &rig->clips[first];
    rig->second = &rig->clips[(first + 1) % rig->clip_count];
    rig->busiest = &rig->clips[busiest];
}

static uint32_t depth_of(const mrw_skeleton *skeleton)
{
    uint32_t *depths = bench_alloc(skeleton->joint_count, sizeof(*depths));
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        int32_t parent = skeleton->parents[i];
        depths[i] = parent < 0 ? 1 : depths[parent] + 1;
        deepest = depths[i] > deepest ? depths[i] : deepest;
    }
    return deepest;
}

/* Vectors of unit length, `width` floats apart; a fourth number is 1. */
static const float *made_up_directions(uint32_t count, uint32_t width)
{
    bench_random random = {width};
    float *directions = bench_alloc((size_t)count * width, sizeof(*directions));
    for (uint32_t i = 0; i < count; i++) {
        float *v = directions + (size_t)i * width;
        float length2 = 0.0f;
        for (uint32_t k = 0; k < 3; k++) {
            v[k] = bench_random_next(&random) - 0.501f;
            length2 += v[k] * v[k];
        }
        float scale = 1.0f / mrw_sqrt(length2);
        for (uint32_t k = 0; k < 3; k++)
            v[k] *= scale;
        if (width == 4)
            v[3] = 1.0f;
    }
    return directions;
}

static const float *made_up_differences(uint32_t count, uint64_t seed)
{
    bench_random random = {seed};
    float *differences = bench_alloc((size_t)count * 3, sizeof(*differences));
    for (size_t i = 0; i < (size_t)count * 3; i++)
        differences[i] = 0.02f * (bench_random_next(&random) - 0.5f);
    return differences;
}

/* A tenth of the vertices: of each 160 two runs of eight, as a file lists the parts of a face. */
static const uint32_t *made_up_vertices(uint32_t count, uint32_t target, uint32_t *out_count)
{
    uint32_t *vertices = bench_alloc(count, sizeof(*vertices));
    uint32_t listed = 0;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t place = (v + target * 24) % 160;
        if (place < 8 || (place >= 50 && place < 58))
            vertices[listed++] = v;
    }
    *out_count = listed;
    return vertices;
}

bool bench_rig_complete(bench_rig *rig)
{
    if (rig->clip_count == 0 || rig->skeleton->joint_count == 0) {
        fprintf(stderr, "marrow_bench: %s: there is no clip to play\n", rig->name);
        return false;
    }
    choose_clips(rig);
    rig->depth = depth_of(rig->skeleton);
    if (rig->skin == NULL)
        return true;
    if (rig->normals == NULL)
        rig->normals = made_up_directions(rig->vertex_count, 3);
    if (rig->tangents == NULL)
        rig->tangents = made_up_directions(rig->vertex_count, 4);
    for (uint32_t i = 0; i < BENCH_MORPH_TARGETS; i++) {
        rig->targets[i].positions = made_up_differences(rig->vertex_count, 2 * i);
        rig->targets[i].normals = made_up_differences(rig->vertex_count, 2 * i + 1);
        rig->sparse_targets[i] = rig->targets[i];
        rig->sparse_targets[i].vertices =
            made_up_vertices(rig->vertex_count, i, &rig->sparse_targets[i].count);
    }
    return bench_rig_group(rig);
}

void bench_rig_free(bench_rig *rig)
{
    mrw_character_free(rig->character);
    mrw_character_free(rig->grouped_character);
    bench_rig_free_parts(rig->parts);
    *rig = (bench_rig){0};
}
