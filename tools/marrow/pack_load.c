#define _POSIX_C_SOURCE 200809L /* stat */

#include "pack_run.h"

#include "command.h"
#include "report.h"
#include "skeleton_difference.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- paths -------------------------------------------------------------------------------- */

typedef struct path_list {
    char **paths;
    uint32_t count;
    uint32_t capacity;
} path_list;

static void free_paths(path_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
}

/* Takes `path` over, which came from malloc; false if it is NULL or memory runs out. */
static bool add_path(path_list *list, char *path)
{
    if (path != NULL && list->count == list->capacity) {
        uint32_t capacity = list->capacity * 2 + 16;
        char **paths = realloc(list->paths, capacity * sizeof(*paths));
        if (paths != NULL) {
            list->paths = paths;
            list->capacity = capacity;
        }
    }
    if (path == NULL || list->count == list->capacity) {
        free(path);
        return false;
    }
    list->paths[list->count++] = path;
    return true;
}

static char *joined(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    size_t size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%s", folder, slash, name);
    return path;
}

/* Whether a name ends so, in any case of letters: recorders write .BVH too. */
static bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), ending_length = strlen(ending);
    if (length <= ending_length)
        return false;
    name += length - ending_length;
    for (size_t i = 0; i < ending_length; i++) {
        const char c = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
        if (c != ending[i])
            return false;
    }
    return true;
}

static bool has_known_ending(const char *name)
{
    static const char *const endings[] = {".gltf", ".glb", ".bvh", ".mrw"};
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (name[0] != '.' && ends_with(name, endings[i]))
            return true;
    return false;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int fail_folder(const char *path, mrw_status status, const char *message)
{
    mrw_error error = {.status = status};
    snprintf(error.message, sizeof(error.message), "%s", message);
    return cli_fail("pack", path, &error);
}

/* The files of a folder, not of those in it, sorted by name. */
static int list_folder(const char *path, path_list *list)
{
    DIR *folder = opendir(path);
    if (folder == NULL)
        return fail_folder(path, MRW_ERR_FILE_READ, strerror(errno));
    const uint32_t first = list->count;
    const struct dirent *entry;
    bool complete = true;
    while (complete && (entry = readdir(folder)) != NULL)
        if (has_known_ending(entry->d_name))
            complete = add_path(list, joined(path, entry->d_name));
    closedir(folder);
    if (!complete)
        return cli_fail_status("pack", path, MRW_ERR_OUT_OF_MEMORY);
    if (list->count == first)
        return fail_folder(path, MRW_ERR_FILE_NOT_FOUND,
                           "the folder has no .gltf, .glb, .bvh or .mrw in it (folders in it are "
                           "not looked into: name them)");
    qsort(list->paths + first, list->count - first, sizeof(*list->paths), compare_paths);
    return CLI_OK;
}

static int list_paths(const char *const *paths, uint32_t count, path_list *list)
{
    int status = CLI_OK;
    for (uint32_t i = 0; i < count && status == CLI_OK; i++) {
        struct stat about;
        if (stat(paths[i], &about) == 0 && S_ISDIR(about.st_mode)) {
            status = list_folder(paths[i], list);
        } else {
            char *copy = malloc(strlen(paths[i]) + 1);
            if (copy != NULL)
                strcpy(copy, paths[i]);
            if (!add_path(list, copy))
                status = cli_fail_status("pack", paths[i], MRW_ERR_OUT_OF_MEMORY);
        }
    }
    return status;
}

/* --- sources ------------------------------------------------------------------------------ */

static int check_skeleton(const pack_run *run, const cli_input *input)
{
    const mrw_skeleton *first = &run->sources[0].character->skeleton;
    const mrw_skeleton *skeleton = &input->character->skeleton;
    char buffer[CLI_DIFFERENCE_SIZE];
    const char *why = cli_skeleton_difference(first, skeleton, buffer);
    if (why == NULL && cli_rest_pose_differs(first, skeleton))
        why = "the names are the same, the rest poses (lengths of bones, say) are not";
    if (why == NULL)
        return CLI_OK;
    mrw_error error = {.status = MRW_ERR_SKELETON_MISMATCH};
    snprintf(error.message, sizeof(error.message),
             "its skeleton is not that of %.50s: %.100s; pack it into a file of its own, or all "
             "with -o FOLDER/",
             run->sources[0].path, why);
    return cli_fail("pack", input->path, &error);
}

/* The sources keep pointing at the paths. */
static int load_sources(const path_list *list, bool allow_external, pack_run *run)
{
    const cli_input_options options = {allow_external, !run->with_meshes, 0, run->group_vertices};
    run->sources = calloc((size_t)list->count + 1, sizeof(*run->sources));
    if (run->sources == NULL)
        return cli_fail_status("pack", NULL, MRW_ERR_OUT_OF_MEMORY);
    for (uint32_t i = 0; i < list->count; i++) {
        cli_input *input = &run->sources[i];
        int status = cli_input_load("pack", list->paths[i], &options, input);
        if (status != CLI_OK)
            return status;
        list->paths[i] = NULL; /* the run's from here on */
        run->source_count = i + 1;
        if (!run->apart)
            status = check_skeleton(run, input);
        if (status != CLI_OK)
            return status;
    }
    return CLI_OK;
}

/* One file takes the meshes of its first source: there have to be some. */
static int check_meshes(const pack_run *run)
{
    if (run->apart || run->sources[0].character->mesh_count > 0)
        return CLI_OK;
    return cli_fail_usage("pack", "--meshes: %s has no mesh%s", run->sources[0].path,
                          run->source_count > 1 ? "; name the file that has some first" : "");
}

/* Whoever packs a .mrw again may not think of what it had. */
static void note_left_meshes(const pack_run *run)
{
    for (uint32_t i = 0; i < run->source_count; i++) {
        const cli_input *input = &run->sources[i];
        const bool is_packed = input->scene->node_count == 0;
        if (!is_packed || input->character->mesh_count == 0)
            continue;
        fputs("marrow pack: note: ", stderr);
        cli_put_text(stderr, input->path);
        fputs(" has meshes; --meshes keeps them\n", stderr);
        return;
    }
}

/* --- clips -------------------------------------------------------------------------------- */

static bool is_taken(const pack_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->clip_count; i++)
        if (strcmp(run->clips[i].name, name) == 0)
            return true;
    return false;
}

void cli_pack_stem(const char *path, char out[PACK_STEM_SIZE])
{
    const char *slash = strrchr(path, '/');
    snprintf(out, PACK_STEM_SIZE, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot != NULL && dot != out)
        *dot = '\0';
}

/* What a clip is called: by itself where there is one file, by its file where that has but one
 * clip, else by both. Then "name.2", "name.3", ... */
static char *name_clip(const pack_run *run, const cli_input *input, uint32_t clip)
{
    char base[512], stem[PACK_STEM_SIZE];
    const char *own = input->character->clips[clip].name;
    cli_pack_stem(input->path, stem);
    if (run->source_count == 1 && !run->apart)
        snprintf(base, sizeof(base), "%.240s", own[0] ? own : "clip");
    else if (input->character->clip_count == 1)
        snprintf(base, sizeof(base), "%s", stem);
    else
        snprintf(base, sizeof(base), "%s/%.240s", stem, own[0] ? own : "clip");
    char *name = malloc(sizeof(base) + 16);
    if (name == NULL)
        return NULL;
    strcpy(name, base);
    for (unsigned number = 2; is_taken(run, name); number++)
        snprintf(name, sizeof(base) + 16, "%s.%u", base, number);
    return name;
}

/* A file of its own says which it is without telling it in the name of each clip. */
static const char *name_in_file(const pack_run *run, const pack_clip *clip)
{
    const cli_input *input = &run->sources[clip->source];
    if (!run->apart)
        return clip->name;
    const char *own = input->character->clips[clip->clip].name;
    if (input->character->clip_count == 1)
        return own[0] ? own : clip->name;
    char stem[PACK_STEM_SIZE];
    cli_pack_stem(input->path, stem);
    return clip->name + strlen(stem) + 1;
}

/* Two sources of one folder can differ in the ending alone. */
static int check_stems(const pack_run *run)
{
    char stem[PACK_STEM_SIZE], other[PACK_STEM_SIZE];
    for (uint32_t i = 0; i < run->source_count; i++) {
        cli_pack_stem(run->sources[i].path, stem);
        for (uint32_t k = 0; k < i; k++) {
            cli_pack_stem(run->sources[k].path, other);
            if (strcmp(stem, other) == 0)
                return cli_fail_usage("pack",
                                      "%s and %s would both become %s.mrw: pack one of "
                                      "them apart",
                                      run->sources[k].path, run->sources[i].path, stem);
        }
    }
    return CLI_OK;
}

static int list_clips(pack_run *run)
{
    size_t count = 0;
    for (uint32_t i = 0; i < run->source_count; i++)
        count += run->sources[i].character->clip_count;
    const bool has_meshes = run->sources[0].character->mesh_count > 0;
    if (count == 0 && !(has_meshes && run->with_meshes))
        return cli_fail_usage("pack", "%s has no clip: there is nothing to pack%s",
                              run->sources[0].path,
                              has_meshes ? "; its meshes are kept with --meshes" : "");
    run->clips = calloc(count + 1, sizeof(*run->clips));
    if (run->clips == NULL)
        return cli_fail_status("pack", NULL, MRW_ERR_OUT_OF_MEMORY);
    for (uint32_t i = 0; i < run->source_count; i++) {
        for (uint32_t k = 0; k < run->sources[i].character->clip_count; k++) {
            pack_clip *clip = &run->clips[run->clip_count];
            clip->source = i;
            clip->clip = k;
            clip->name = name_clip(run, &run->sources[i], k);
            if (clip->name == NULL)
                return cli_fail_status("pack", NULL, MRW_ERR_OUT_OF_MEMORY);
            clip->name_in_file = name_in_file(run, clip);
            run->clip_count++;
        }
    }
    return CLI_OK;
}

int cli_pack_load(const char *const *paths, uint32_t path_count, bool allow_external, pack_run *run)
{
    path_list list = {NULL, 0, 0};
    int status = list_paths(paths, path_count, &list);
    if (status == CLI_OK)
        status = load_sources(&list, allow_external, run);
    if (status == CLI_OK && run->with_meshes)
        status = check_meshes(run);
    else if (status == CLI_OK)
        note_left_meshes(run);
    if (status == CLI_OK && run->apart)
        status = check_stems(run);
    if (status == CLI_OK)
        status = list_clips(run);
    free_paths(&list);
    return status;
}

void cli_pack_free(pack_run *run)
{
    for (uint32_t i = 0; i < run->clip_count; i++) {
        mrw_bytes_free(&run->clips[i].bytes);
        mrw_bytes_free(&run->clips[i].stored);
        free(run->clips[i].name);
    }
    free(run->clips);
    for (uint32_t i = 0; i < run->source_count; i++) {
        char *path = (char *)run->sources[i].path;
        cli_input_free(&run->sources[i]);
        free(path);
        if (run->metrics != NULL)
            cli_metric_free(&run->metrics[i]);
    }
    free(run->sources);
    free(run->metrics);
}

pack_totals cli_pack_totals(const pack_run *run)
{
    pack_totals totals = {0};
    for (uint32_t i = 0; i < run->clip_count; i++) {
        const pack_clip *clip = &run->clips[i];
        totals.raw_bytes += clip->report.raw_bytes;
        totals.source_bytes += clip->report.source_bytes;
        totals.packed_bytes += clip->report.packed_bytes;
        totals.stored_bytes += clip->stored.size_bytes;
        totals.samples += clip->report.sample_count;
        totals.work_seconds += clip->seconds;
        totals.copied += clip->report.copied;
        totals.seconds += (double)pack_character(run, clip)->clips[clip->clip].duration_s;
        if (clip->report.error.largest > run->clips[totals.worst].report.error.largest)
            totals.worst = i;
    }
    return totals;
}
