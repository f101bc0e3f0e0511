#define _POSIX_C_SOURCE 200809L /* stat with nanoseconds, opendir */

#include "native/opened_file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A .gltf with more parts than this is watched by the first of them. */
enum { PART_LIMIT = 256 };

/* --- what a file is made of ----------------------------------------------------------- */

static void free_parts(view_opened_file *file)
{
    for (uint32_t i = 0; i < file->part_count; i++)
        free(file->parts[i]);
    free(file->parts);
    file->parts = NULL;
    file->part_count = 0;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

static bool add_part(view_opened_file *file, size_t folder, const char *name)
{
    if (file->part_count == PART_LIMIT)
        return true;
    const size_t length = strlen(name);
    char *part = malloc(folder + length + 1);
    if (part == NULL)
        return false;
    memcpy(part, file->path, folder);
    memcpy(part + folder, name, length + 1);
    file->parts[file->part_count++] = part;
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

/* A scene does not name its buffers: those of a .gltf are taken to be the .bin files beside it. */
static bool add_buffers(view_opened_file *file, size_t folder)
{
    char *name = malloc(folder + 2);
    if (name == NULL)
        return false;
    memcpy(name, folder > 0 ? file->path : ".", folder > 0 ? folder : 1);
    name[folder > 0 ? folder : 1] = '\0';
    DIR *listing = opendir(name);
    free(name);
    bool complete = true;
    for (struct dirent *entry; listing != NULL && complete && (entry = readdir(listing)) != NULL;)
        if (ends_with(entry->d_name, ".bin"))
            complete = add_part(file, folder, entry->d_name);
    if (listing != NULL)
        closedir(listing);
    return complete;
}

/* In place: "my%20skin.png" is the file "my skin.png". */
static void decode(char *uri)
{
    char *out = uri;
    for (const char *at = uri; *at != '\0'; out++) {
        unsigned value;
        if (at[0] == '%' && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2]) &&
            sscanf(at + 1, "%2x", &value) == 1 && value != 0) {
            *out = (char)value;
            at += 3;
        } else {
            *out = *at++;
        }
    }
    *out = '\0';
}

static bool list_parts(view_opened_file *file, const mrw_scene *scene)
{
    const size_t folder = folder_length(file->path);
    free_parts(file);
    file->parts = calloc(PART_LIMIT, sizeof(*file->parts));
    if (file->parts == NULL || !add_part(file, 0, file->path))
        return false;
    if (ends_with(file->path, ".gltf") && !add_buffers(file, folder))
        return false;
    for (uint32_t i = 0; i < scene->image_count; i++) {
        const uint32_t before = file->part_count;
        if (scene->images[i].uri[0] != '\0' && !add_part(file, folder, scene->images[i].uri))
            return false;
        if (file->part_count > before)
            decode(file->parts[before] + folder);
    }
    return true;
}

/* --- what the disk says --------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9e3779b97f4a7c15u ^ hash >> 29;
}

/* 0: the file itself is not there, which is how some programs begin to write it anew. */
static uint64_t look(const view_opened_file *file)
{
    uint64_t hash = 1;
    for (uint32_t i = 0; i < file->part_count; i++) {
        struct stat found;
        if (stat(file->parts[i], &found) == 0) {
            hash = mix(hash, (uint64_t)found.st_size);
            hash = mix(hash, (uint64_t)found.st_mtim.tv_sec);
            hash = mix(hash, (uint64_t)found.st_mtim.tv_nsec);
            hash = mix(hash, (uint64_t)found.st_ino);
        } else if (i == 0) {
            return 0;
        }
        hash = mix(hash, i);
    }
    return hash != 0 ? hash : 1;
}

bool view_opened_file_changed(view_opened_file *file)
{
    if (file->path == NULL)
        return false;
    const uint64_t before = file->seen;
    file->seen = look(file);
    return file->seen != 0 && file->seen != file->shown && file->seen == before;
}

/* --- opening ---------------------------------------------------------------------------- */

bool view_opened_file_set(view_opened_file *file, const char *path, bool allow_external,
                          const mrw_scene *scene)
{
    view_opened_file made;
    memset(&made, 0, sizeof(made));
    made.allow_external = allow_external;
    made.path = malloc(strlen(path) + 1);
    if (made.path != NULL)
        memcpy(made.path, path, strlen(path) + 1);
    if (made.path == NULL || !list_parts(&made, scene)) {
        view_opened_file_free(&made);
        return false;
    }
    made.shown = made.seen = look(&made);
    view_opened_file_free(file);
    *file = made;
    return true;
}

void view_opened_file_free(view_opened_file *file)
{
    free_parts(file);
    free(file->path);
    memset(file, 0, sizeof(*file));
}

const char *view_opened_file_name(const view_opened_file *file)
{
    return file->path == NULL ? "" : file->path + folder_length(file->path);
}

/* "Fox.glb: meshes[0]: what is wrong" */
static void describe(const char *path, const mrw_error *error, char *out_message, size_t size)
{
    const char *name = path + folder_length(path);
    const bool is_file = strcmp(error->detail, path) == 0 || strcmp(error->detail, "file") == 0;
    const bool has_detail = error->detail[0] != '\0' && !is_file;
    char place[32] = "";
    if (error->line > 0)
        snprintf(place, sizeof(place), ":%u:%u", (unsigned)error->line, (unsigned)error->column);
    snprintf(out_message, size, "%s%s: %s%s%s", name, place, has_detail ? error->detail : "",
             has_detail ? ": " : "",
             error->message[0] != '\0' ? error->message : mrw_status_text(error->status));
}

static bool import(const char *path, bool allow_external, mrw_scene **out_scene,
                   mrw_character **out_character, mrw_error *out_error)
{
    mrw_import_options import_options = mrw_import_options_default();
    mrw_build_options build_options = mrw_build_options_default();
    import_options.allow_external = allow_external;
    build_options.max_influences = VIEW_MAX_INFLUENCES;
    mrw_status status =
        mrw_load_file(path, &import_options, &build_options, out_scene, out_character, out_error);
    out_error->status = status;
    return status == MRW_OK;
}

static bool show(view_opened_file *file, const char *path, view_viewer *viewer, bool reload,
                 char *out_message, size_t message_size)
{
    mrw_error error;
    memset(&error, 0, sizeof(error));
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    if (!import(path, file->allow_external, &scene, &character, &error)) {
        describe(path, &error, out_message, message_size);
        return false;
    }
    const char *reason = NULL;
    if (!view_viewer_open(viewer, scene, character, reload, &reason)) {
        snprintf(out_message, message_size, "%s: %s", path + folder_length(path), reason);
        return false;
    }
    return true;
}

bool view_opened_file_open(view_opened_file *file, const char *path, view_viewer *viewer,
                           char *out_message, size_t message_size)
{
    if (!show(file, path, viewer, false, out_message, message_size))
        return false;
    if (!view_opened_file_set(file, path, file->allow_external, viewer->scene)) {
        snprintf(out_message, message_size, "out of memory");
        return false;
    }
    return true;
}

bool view_opened_file_reload(view_opened_file *file, view_viewer *viewer, char *out_message,
                             size_t message_size)
{
    file->shown = file->seen;
    if (!show(file, file->path, viewer, true, out_message, message_size))
        return false;
    /* It may be made of other parts now. If not, what the disk said before it was read counts, so
     * that a change during that is noticed. */
    const uint32_t before = file->part_count;
    if (list_parts(file, viewer->scene) && file->part_count != before)
        file->shown = look(file);
    return true;
}
