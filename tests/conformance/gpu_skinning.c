/* gpu_skinning FILE... [--shared]: the positions that the vertex shader computes against the CPU's.
 *
 * For each file, the rest pose and a few moments of its clips, both methods and their mean, every
 * instance: transform feedback of the shader that draws, and view_posed_vertices_mixed of the same
 * character, with the vertices in the file's order and grouped. They may differ by 1e-3 of the
 * model's size at most. With --shared all files of shared/assets/gltf are taken too. Exits with 77
 * if there is no OpenGL, or nothing to compare. */
#define _POSIX_C_SOURCE 200809L

#include "core/bounds.h"
#include "core/renderer.h"
#include "gl/context.h"
#include "gl/gl_backend.h"
#include "unit/shared_folder.h"

#include <marrow/offline/import.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-3f
#define MOMENTS 3
#define CLIPS 6 /* of a file with more: the first ones */

typedef struct gpu_subject {
    const char *path;
    const mrw_character *character;
    view_renderer *renderer;
    view_posed posed;
    float size;
    float worst; /* largest difference so far, as a share of size */
    size_t compared;
} gpu_subject;

static float largest_difference(const float *a, const float *b, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++) {
        float difference = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        if (!(difference <= largest)) /* a NaN counts too */
            largest = difference;
    }
    return largest;
}

static bool compare_instance(gpu_subject *subject, uint32_t instance, float dual_quat_weight)
{
    const mrw_mesh_instance *placed = &subject->character->instances[instance];
    size_t count = (size_t)subject->character->meshes[placed->mesh].vertex_count * 3;
    float *cpu = calloc(count + 1, sizeof(*cpu));
    float *gpu = calloc(count + 1, sizeof(*gpu));
    const char *reason = "the CPU's vertices cannot be made";
    bool ran = cpu != NULL && gpu != NULL &&
               view_posed_vertices_mixed(&subject->posed, instance, dual_quat_weight, cpu, NULL) ==
                   MRW_OK &&
               view_renderer_capture(subject->renderer, &subject->posed, instance, dual_quat_weight,
                                     gpu, &reason);
    float share = ran ? largest_difference(cpu, gpu, count) / subject->size : 0.0f;
    bool same = ran && share <= TOLERANCE;
    subject->worst = share > subject->worst ? share : subject->worst;
    subject->compared += count / 3;
    if (!ran)
        printf("FAIL %s: instance %u: %s\n", subject->path, (unsigned)instance, reason);
    else if (!same)
        printf("FAIL %s: instance %u, dual quaternion weight %g: the shader's positions differ by "
               "%g of the model's size\n",
               subject->path, (unsigned)instance, (double)dual_quat_weight, (double)share);
    free(cpu);
    free(gpu);
    return same;
}

static bool compare_moment(gpu_subject *subject, int32_t clip, double time_s)
{
    if (view_posed_update(&subject->posed, clip, time_s, false) != MRW_OK)
        return false;
    static const float weights[] = {0.0f, 0.5f, 1.0f};
    for (uint32_t i = 0; i < subject->character->instance_count; i++)
        for (size_t w = 0; w < sizeof(weights) / sizeof(weights[0]); w++)
            if (!compare_instance(subject, i, weights[w]))
                return false;
    return true;
}

static bool compare_clips(gpu_subject *subject)
{
    bool same = compare_moment(subject, -1, 0.0);
    uint32_t clip_count = subject->character->clip_count;
    for (uint32_t c = 0; same && c < clip_count && c < CLIPS; c++)
        for (int m = 0; same && m < MOMENTS; m++)
            same =
                compare_moment(subject, (int32_t)c,
                               (double)subject->character->clips[c].duration_s * m / (MOMENTS - 1));
    return same;
}

static bool compare_character(const char *path, const view_backend *backend, const mrw_scene *scene,
                              const mrw_character *character)
{
    gpu_subject subject = {path, character, NULL, {0}, 0.0f, 0.0f, 0};
    const char *reason = "the pose cannot be made";
    view_bounds bounds;
    bool same = view_posed_create(character, &subject.posed) == MRW_OK &&
                view_bounds_of_posed(&subject.posed, MRW_SKIN_LINEAR, &bounds) == MRW_OK;
    if (same) {
        mrw_vec3 size = {bounds.max.x - bounds.min.x, bounds.max.y - bounds.min.y,
                         bounds.max.z - bounds.min.z};
        subject.size = mrw_sqrt(size.x * size.x + size.y * size.y + size.z * size.z);
        subject.renderer = view_renderer_create(backend, scene, character, &reason);
    }
    if (subject.renderer == NULL) {
        printf("FAIL %s: %s\n", path, reason);
        same = false;
    } else {
        same = compare_clips(&subject);
    }
    if (same)
        printf("%s: %zu vertices, largest difference %.1e of the model's size\n", path,
               subject.compared, (double)subject.worst);
    view_renderer_free(subject.renderer);
    view_posed_free(&subject.posed);
    return same;
}

static bool compare_built(const view_backend *backend, const char *path, bool grouped)
{
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    mrw_error error = {0};
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = VIEW_MAX_INFLUENCES;
    options.group_vertices = grouped;
    bool same = false;
    if (mrw_import_file(path, NULL, &scene, &error) == MRW_OK &&
        mrw_build_character(scene, &options, &character, &error) == MRW_OK)
        same = compare_character(path, backend, scene, character);
    else
        printf("FAIL %s: %s: %s\n", path, error.detail, error.message);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return same;
}

/* The vertices in the file's order, and grouped. */
static bool compare_file(const view_backend *backend, const char *path)
{
    return compare_built(backend, path, false) && compare_built(backend, path, true);
}

static bool is_model(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0);
}

/* Adds to *failures; returns how many files were compared. */
static int compare_folder(const view_backend *backend, const char *folder, int *failures)
{
    DIR *listing = opendir(folder);
    if (listing == NULL) {
        printf("skipped: %s is not there\n", folder);
        return 0;
    }
    int count = 0;
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        char path[4096];
        if (!is_model(entry->d_name))
            continue;
        mrwi_format(path, sizeof(path), "%s/%s", folder, entry->d_name);
        count++;
        *failures += compare_file(backend, path) ? 0 : 1;
    }
    closedir(listing);
    return count;
}

int main(int argc, char **argv)
{
    view_context context;
    const char *reason = NULL;
    if (!view_context_create(&context, &reason)) {
        printf("skipped: %s\n", reason);
        return 77;
    }
    view_backend backend;
    if (!view_gl_backend_create(&backend, &reason)) {
        printf("FAIL %s\n", reason);
        view_context_free(&context);
        return 1;
    }
    int failures = 0, count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--shared") == 0) {
            char folder[4096];
            shared_path(folder, sizeof(folder), "assets/gltf");
            count += compare_folder(&backend, folder, &failures);
        } else {
            count++;
            failures += compare_file(&backend, argv[i]) ? 0 : 1;
        }
    }
    view_gl_backend_free(&backend);
    view_context_free(&context);
    printf("%d files compared, %d differ\n", count, failures);
    if (count == 0)
        return 77;
    return failures == 0 ? 0 : 1;
}
