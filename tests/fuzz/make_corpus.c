/* fuzz_make_corpus FOLDER: writes what the fuzzers start from, one folder below FOLDER for each. */
#define _POSIX_C_SOURCE 200809L

#include "fault/documents.h"
#include "unit/random.h"

#include <marrow/offline/build.h>
#include <marrow/offline/compress.h>
#include <marrow/offline/export.h>
#include <marrow/offline/import.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

enum { MOST_MADE = 16 };

/* The assets of meshes and materials; returns how many. */
static uint32_t make_meshes(const char *name, const mrw_scene *scene,
                            const mrw_character *character, mrw_bytes *out_made)
{
    uint32_t count = 0;
    mrw_error error = {0};
    for (uint32_t i = 0; i < character->mesh_count && count + 1 < MOST_MADE; i++) {
        if (mrw_build_mesh(character, i, NULL, &out_made[count], &error) != MRW_OK)
            stop(error.detail, error.message);
        write_seed("mesh_open", name, out_made[count].data, out_made[count].size_bytes);
        count++;
    }
    if (mrw_build_materials(scene, NULL, &out_made[count], &error) != MRW_OK)
        stop(error.detail, error.message);
    write_seed("materials_open", name, out_made[count].data, out_made[count].size_bytes);
    return count + 1;
}

/* All assets of a character in one file. */
static void write_file_of(const char *name, const mrw_scene *scene, const mrw_character *character)
{
    mrw_file_part parts[64 + MOST_MADE];
    mrw_bytes made[MOST_MADE];
    uint32_t count = 0;
    const mrw_asset_header *skeleton = character->skeleton.header;
    parts[count++] = (mrw_file_part){name, skeleton, (size_t)skeleton->size_bytes};
    for (uint32_t i = 0; i < character->clip_count && count < 32; i++)
        parts[count++] = (mrw_file_part){character->clips[i].name, character->clips[i].header,
                                         (size_t)character->clips[i].header->size_bytes};
    for (uint32_t i = 0; i < character->skin_count && count < 64; i++)
        parts[count++] = (mrw_file_part){character->skins[i].name, character->skins[i].header,
                                         (size_t)character->skins[i].header->size_bytes};
    const uint32_t made_count = make_meshes(name, scene, character, made);
    for (uint32_t i = 0; i < made_count; i++)
        parts[count++] = (mrw_file_part){name, made[i].data, made[i].size_bytes};
    mrw_bytes file;
    mrw_error error = {0};
    if (mrw_export_file(parts, count, NULL, &file, &error) != MRW_OK)
        stop(error.detail, error.message);
    write_seed("file_open", name, file.data, file.size_bytes);
    mrw_bytes_free(&file);
    for (uint32_t i = 0; i < made_count; i++)
        mrw_bytes_free(&made[i]);
}

/* --- packed clips ------------------------------------------------------------------------ */

enum { MOST_KEYS = 70, MOST_WIDTH = 4 };

/* A way at random with small steps, so that packing it is worth it. */
static void fill_keys(mrw_track_desc *track, float *values, uint64_t *random)
{
    const uint32_t width = mrw_track_width(track->kind);
    float at[MOST_WIDTH] = {1.0f, 1.0f, 1.0f, 1.0f};
    for (uint32_t k = 0; k < track->key_count; k++)
        for (uint32_t i = 0; i < width; i++) {
            at[i] += random_float(random, -0.05f, 0.05f);
            values[k * width + i] = at[i];
        }
    for (uint32_t k = 0; k < track->key_count && track->kind == MRW_TRACK_ROTATION; k++) {
        float *key = values + k * width;
        mrw_quat q = mrw_quat_normalize((mrw_quat){key[0], key[1], key[2], key[3]});
        memcpy(key, &q, sizeof(q));
    }
    track->values = values;
}

static void write_stored(const char *name, const void *clip, size_t size_bytes)
{
    mrw_bytes stored;
    mrw_error error = {0};
    if (mrw_store_clip(clip, size_bytes, NULL, &stored, &error) != MRW_OK)
        stop(error.detail, error.message);
    write_seed("stored_open", name, stored.data, stored.size_bytes);
    mrw_bytes_free(&stored);
}

/* A clip of a skeleton, all of its joints and scalars moving. Of two kinds its keys, and so its
 * samples, do not stand at even distances. */
static void write_packed(const char *name, const mrw_skeleton *skeleton, uint32_t key_count,
                         uint32_t kind_count)
{
    const uint32_t targets = skeleton->joint_count * kind_count + skeleton->scalar_count;
    mrw_track_desc *tracks = calloc(targets, sizeof(*tracks));
    float *values = calloc((size_t)targets * MOST_KEYS * MOST_WIDTH, sizeof(float));
    float times[MOST_KEYS];
    uint64_t random = 1 + key_count;
    if (tracks == NULL || values == NULL)
        stop(name, "out of memory");
    for (uint32_t k = 0; k < key_count; k++)
        times[k] = ((float)k + (kind_count == 2 ? (float)(k % 3) * 0.25f : 0.0f)) / 30.0f;
    static const mrw_track_kind kinds[] = {MRW_TRACK_ROTATION, MRW_TRACK_TRANSLATION,
                                           MRW_TRACK_SCALE};
    for (uint32_t i = 0; i < targets; i++) {
        const bool is_scalar = i >= skeleton->joint_count * kind_count;
        tracks[i].kind = is_scalar ? MRW_TRACK_SCALAR : kinds[i % kind_count];
        tracks[i].target = is_scalar ? i - skeleton->joint_count * kind_count : i / kind_count;
        tracks[i].interpolation = MRW_INTERPOLATION_LINEAR;
        tracks[i].key_count = key_count;
        tracks[i].times = times;
        fill_keys(&tracks[i], values + (size_t)i * MOST_KEYS * MOST_WIDTH, &random);
    }
    mrw_bytes keyed, packed;
    mrw_clip clip;
    mrw_error error = {0};
    mrw_pack_options options = mrw_pack_options_default();
    options.tolerance_m = 1e-3;
    if (mrw_build_clip(skeleton, name, tracks, targets, -1.0f, NULL, &keyed, &error) != MRW_OK ||
        mrw_clip_open(keyed.data, keyed.size_bytes, &clip, &error) != MRW_OK ||
        mrw_pack_clip(skeleton, &clip, &options, &packed, NULL, &error) != MRW_OK ||
        mrw_clip_open(packed.data, packed.size_bytes, &clip, &error) != MRW_OK)
        stop(error.detail, error.message);
    if (clip.encoding != MRW_CLIP_PACKED)
        stop(name, "it was not packed");
    if ((clip.packed.times != NULL) != (kind_count == 2))
        stop(name, "its samples stand at other times than its keys");
    write_seed("clip_open", name, packed.data, packed.size_bytes);
    write_stored(name, packed.data, packed.size_bytes);
    mrw_bytes_free(&packed);
    mrw_bytes_free(&keyed);
    free(values);
    free(tracks);
}

/* --- documents --------------------------------------------------------------------------- */

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
    for (uint32_t i = 0; i < character->clip_count; i++) {
        const mrw_asset_header *header = character->clips[i].header;
        write_asset("clip_open", name, header);
        write_stored(name, header, (size_t)header->size_bytes);
    }
    for (uint32_t i = 0; i < character->skin_count; i++)
        write_asset("skin_open", name, character->skins[i].header);
    write_file_of(name, scene, character);
    char packed_name[64];
    for (uint32_t kinds = 1; kinds <= 3; kinds++) {
        snprintf(packed_name, sizeof(packed_name), "%s_packed_%u", name, (unsigned)kinds);
        write_packed(packed_name, &character->skeleton, 20 * kinds + 7, kinds);
    }
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
    static const char *const folders[] = {"",          "gltf",          "glb",
                                          "bvh",       "skeleton_open", "clip_open",
                                          "skin_open", "mesh_open",     "materials_open",
                                          "file_open", "stored_open"};
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
