/* fuzz_make_corpus FOLDER: writes what the fuzzers start from, one folder below FOLDER for each. */
#define _POSIX_C_SOURCE 200809L

#include "fault/documents.h"

#include <marrow/offline/build.h>
#include <marrow/offline/export.h>
#include <marrow/offline/import.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *root;

static _Noreturn void stop(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void make_folder(const char *name)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    mkdir(path, 0777); /* it may be there already: writing into it is what tells */
}

static void write_seed(const char *folder, const char *name, const void *bytes, size_t size_bytes)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s/%s", root, folder, name);
    mrw_error error = {0};
    if (mrw_write_file(path, bytes, size_bytes, &error) != MRW_OK)
        stop(error.detail, error.message);
}

static void write_asset(const char *folder, const char *name, const mrw_asset_header *header)
{
    write_seed(folder, name, header, (size_t)header->size_bytes);
}

/* All assets of a character in one file. */
static void write_file_of(const char *name, const mrw_character *character)
{
    mrw_file_part parts[64];
    uint32_t count = 0;
    const mrw_asset_header *skeleton = character->skeleton.header;
    parts[count++] = (mrw_file_part){name, skeleton, (size_t)skeleton->size_bytes};
    for (uint32_t i = 0; i < character->clip_count && count < 32; i++)
        parts[count++] = (mrw_file_part){character->clips[i].name, character->clips[i].header,
                                         (size_t)character->clips[i].header->size_bytes};
    for (uint32_t i = 0; i < character->skin_count && count < 64; i++)
        parts[count++] = (mrw_file_part){character->skins[i].name, character->skins[i].header,
                                         (size_t)character->skins[i].header->size_bytes};
    mrw_bytes file;
    mrw_error error = {0};
    if (mrw_export_file(parts, count, NULL, &file, &error) != MRW_OK)
        stop(error.detail, error.message);
    write_seed("file_open", name, file.data, file.size_bytes);
    mrw_bytes_free(&file);
}

/* A document, and everything that comes of it. */
static void write_document(const char *format, const char *name, document doc)
{
    mrw_scene *scene;
    mrw_character *character;
    mrw_bytes exported;
    mrw_error error = {0};
    write_seed(format, name, doc.bytes, doc.size_bytes);
    if (mrw_import_memory(doc.bytes, doc.size_bytes, NULL, NULL, NULL, &scene, &error) != MRW_OK ||
        mrw_export_glb(scene, NULL, &exported, &error) != MRW_OK ||
        mrw_build_character(scene, NULL, &character, &error) != MRW_OK)
        stop(error.detail, error.message);
    char exported_name[64];
    snprintf(exported_name, sizeof(exported_name), "%s.glb", name);
    write_seed("gltf", exported_name, exported.data, exported.size_bytes);
    write_seed("glb", name, exported.data, exported.size_bytes);
    write_asset("skeleton_open", name, character->skeleton.header);
    for (uint32_t i = 0; i < character->clip_count; i++)
        write_asset("clip_open", name, character->clips[i].header);
    for (uint32_t i = 0; i < character->skin_count; i++)
        write_asset("skin_open", name, character->skins[i].header);
    write_file_of(name, character);
    mrw_character_free(character);
    mrw_bytes_free(&exported);
    mrw_scene_free(scene);
    document_free(&doc);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        stop("usage", "fuzz_make_corpus FOLDER");
    root = argv[1];
    static const char *const folders[] = {"",          "gltf",     "glb", "bvh", "skeleton_open",
                                          "clip_open", "skin_open", "file_open"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        make_folder(folders[i]);
    write_document("gltf", "skinned", document_skinned_text());
    write_document("gltf", "morph", document_morph_text());
    write_document("bvh", "motion", document_motion_text());
    document binary = document_skinned_binary();
    write_seed("glb", "skinned_binary", binary.bytes, binary.size_bytes);
    document_free(&binary);
    return 0;
}
