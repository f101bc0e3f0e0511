#define _POSIX_C_SOURCE 200809L

#include <marrow/offline/load.h>

#include <marrow/asset_file.h>

#include "base/error.h"
#include "offline/build/character_opener.h"
#include "offline/load/load_materials.h"
#include "offline/memory/arena.h"
#include "offline/read/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool has_magic(const void *bytes, size_t size_bytes)
{
    const uint32_t magic = MRW_FILE_MAGIC;
    return size_bytes >= sizeof(magic) && memcmp(bytes, &magic, sizeof(magic)) == 0;
}

/* Only files are looked into: what is read from a pipe is gone. */
static bool is_asset_file(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    uint8_t first[4];
    bool is_one = fread(first, sizeof(first), 1, file) == 1 && has_magic(first, sizeof(first));
    fclose(file);
    return is_one;
}

static mrw_status check_outputs(mrw_scene **out_scene, mrw_character **out_character,
                                mrw_error *out_error)
{
    if (out_scene != NULL)
        *out_scene = NULL;
    if (out_character != NULL)
        *out_character = NULL;
    if (out_scene == NULL || out_character == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            out_scene == NULL ? "out_scene" : "out_character");
    return MRW_OK;
}

static mrw_status open_assets(const void *bytes, size_t size_bytes,
                              const mrw_import_options *options,
                              const mrw_build_options *build_options, mrw_scene **out_scene,
                              mrw_character **out_character, mrw_error *out_error)
{
    const uint32_t max_influences = build_options != NULL ? build_options->max_influences : 0;
    const mrw_memory_options *memory = options != NULL ? &options->memory : NULL;
    mrw_status status =
        mrwi_open_character(bytes, size_bytes, memory, max_influences, out_character, out_error);
    if (status != MRW_OK)
        return status;
    status = mrw_scene_create(memory, out_scene);
    if (status != MRW_OK)
        mrwi_fail_at(out_error, status, 0, "scene");
    else
        status = mrwi_load_materials(bytes, size_bytes, options != NULL && options->skip_images,
                                     *out_scene, out_error);
    if (status != MRW_OK) {
        mrw_scene_free(*out_scene);
        mrw_character_free(*out_character);
        *out_scene = NULL;
        *out_character = NULL;
        return status;
    }
    (*out_scene)->format = "Marrow assets";
    return MRW_OK;
}

/* Builds what was imported, or frees it. */
static mrw_status build(const mrw_build_options *options, mrw_scene **scene,
                        mrw_character **out_character, mrw_error *out_error)
{
    mrw_status status = mrw_build_character(*scene, options, out_character, out_error);
    if (status != MRW_OK) {
        mrw_scene_free(*scene);
        *scene = NULL;
    }
    return status;
}

static mrw_status load_asset_file(const char *path, const mrw_import_options *options,
                                  const mrw_build_options *build_options, mrw_scene **out_scene,
                                  mrw_character **out_character, mrw_error *out_error)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, options != NULL ? &options->memory : NULL);
    const uint8_t *bytes = NULL;
    size_t size_bytes = 0;
    mrw_status status = mrwi_file_read(&arena, path, &bytes, &size_bytes, out_error);
    if (status == MRW_OK)
        status = open_assets(bytes, size_bytes, options, build_options, out_scene, out_character,
                             out_error);
    mrwi_arena_free(&arena);
    return status;
}

mrw_status mrw_load_file(const char *path, const mrw_import_options *import_options,
                         const mrw_build_options *build_options, mrw_scene **out_scene,
                         mrw_character **out_character, mrw_error *out_error)
{
    mrw_status status = check_outputs(out_scene, out_character, out_error);
    if (status != MRW_OK)
        return status;
    if (path == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "path");
    if (is_asset_file(path))
        return load_asset_file(path, import_options, build_options, out_scene, out_character,
                               out_error);
    status = mrw_import_file(path, import_options, out_scene, out_error);
    return status == MRW_OK ? build(build_options, out_scene, out_character, out_error) : status;
}

mrw_status mrw_load_memory(const void *bytes, size_t size_bytes, mrw_open_file open_file,
                           void *open_file_user, const mrw_import_options *import_options,
                           const mrw_build_options *build_options, mrw_scene **out_scene,
                           mrw_character **out_character, mrw_error *out_error)
{
    mrw_status status = check_outputs(out_scene, out_character, out_error);
    if (status != MRW_OK)
        return status;
    if (bytes != NULL && has_magic(bytes, size_bytes))
        return open_assets(bytes, size_bytes, import_options, build_options, out_scene,
                           out_character, out_error);
    status = mrw_import_memory(bytes, size_bytes, open_file, open_file_user, import_options,
                               out_scene, out_error);
    return status == MRW_OK ? build(build_options, out_scene, out_character, out_error) : status;
}
