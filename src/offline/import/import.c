/* Files to scenes: which format it is, and who reads it.
 *
 * The content decides, never the name: a .glb renamed to .gltf, or bytes that have no name, import
 * as well. What an importer is given is the same in all cases: bytes, a way to
 * open the files that they refer to, a scene to fill and scratch memory that is gone afterwards.
 * Both memories draw on one budget, so that the caller's limits hold for the whole call.
 */
#include "offline/import/importers.h"

#include "base/error.h"
#include "offline/read/file.h"
#include "offline/read/path.h"
#include "offline/scene/owner.h"

#include <string.h>

#define SUPPORTED "this version reads glTF 2.0 (.gltf, .glb), BVH (.bvh) and what it packs (.mrw)"

typedef enum file_format { FORMAT_UNKNOWN, FORMAT_GLTF, FORMAT_GLB, FORMAT_BVH } file_format;

static bool begins_with(const uint8_t *bytes, size_t size_bytes, const char *prefix)
{
    size_t length = strlen(prefix);
    return size_bytes >= length && memcmp(bytes, prefix, length) == 0;
}

/* The same in any case of letters; `word` is in lower case. */
static bool begins_with_word(const uint8_t *bytes, size_t size_bytes, const char *word)
{
    size_t i = 0;
    while (i < size_bytes && word[i] != '\0' && (bytes[i] | 0x20) == word[i])
        i++;
    return word[i] == '\0';
}

/* Index of the first byte of a text that is neither a byte order mark nor white space. */
static size_t skip_blank(const uint8_t *bytes, size_t size_bytes)
{
    size_t at = begins_with(bytes, size_bytes, "\xef\xbb\xbf") ? 3 : 0;
    while (at < size_bytes && bytes[at] != '\0' && strchr(" \t\r\n", bytes[at]) != NULL)
        at++;
    return at;
}

/* The name of a format that people have animations in, for a message that helps; or NULL. */
static const char *foreign_format(const uint8_t *bytes, size_t size_bytes)
{
    static const char *const known[][2] = {
        {"Kaydara FBX Binary", "a binary FBX file"},
        {"; FBX", "an FBX file"},
        {"BLENDER", "a Blender file"},
        {"<?xml", "an XML file, perhaps COLLADA"},
        {"PK\x03\x04", "a zip archive: unpack it first"},
        {"INTERQUAKEMODEL", "an IQM file"},
        {"MRWF", "a .mrw file, which holds no scene: mrw_load_file opens it"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (begins_with(bytes, size_bytes, known[i][0]))
            return known[i][1];
    return NULL;
}

static file_format detect(const uint8_t *bytes, size_t size_bytes)
{
    if (begins_with(bytes, size_bytes, "glTF"))
        return FORMAT_GLB;
    size_t at = skip_blank(bytes, size_bytes);
    if (at < size_bytes && (bytes[at] == '{' || bytes[at] == '['))
        return FORMAT_GLTF;
    if (begins_with_word(bytes + at, size_bytes - at, "hierarchy"))
        return FORMAT_BVH;
    return FORMAT_UNKNOWN;
}

static mrw_status fail_unknown(const mrwi_import_source *source, mrw_error *out_error)
{
    size_t size_bytes = source->size_bytes;
    if (skip_blank(source->bytes, size_bytes) == size_bytes)
        return mrwi_fail(out_error, MRW_ERR_UNKNOWN_FORMAT, "file", "it is empty; " SUPPORTED);
    if (size_bytes < 4 && memcmp(source->bytes, "glTF", size_bytes) == 0)
        return mrwi_fail(out_error, MRW_ERR_TRUNCATED, "header",
                         "the file ends in the first word of a .glb header");
    const char *foreign = foreign_format(source->bytes, size_bytes);
    if (foreign != NULL)
        return mrwi_fail(out_error, MRW_ERR_UNKNOWN_FORMAT, "file", "it looks like %s; " SUPPORTED,
                         foreign);
    return mrwi_fail(out_error, MRW_ERR_UNKNOWN_FORMAT, "file",
                     "its format is not recognised; " SUPPORTED);
}

static mrw_status import_source(const mrwi_import_source *source, mrw_error *out_error)
{
    mrw_status status;
    switch (detect(source->bytes, source->size_bytes)) {
    case FORMAT_GLTF:
        status = mrwi_import_gltf(source, out_error);
        break;
    case FORMAT_GLB:
        status = mrwi_import_glb(source, out_error);
        break;
    case FORMAT_BVH:
        status = mrwi_import_bvh(source, out_error);
        break;
    default:
        return fail_unknown(source, out_error);
    }
    if (status != MRW_OK)
        return status;
    return mrw_scene_check(source->scene, out_error);
}

/* --- the files that the main file names ---------------------------------------------------- */

typedef struct folder {
    mrwi_arena *arena;
    const char *main_path;
} folder;

static mrw_status open_beside(void *user, const char *path, const uint8_t **out_bytes,
                              size_t *out_size_bytes)
{
    const folder *place = user;
    char *joined = mrwi_path_beside(place->arena, place->main_path, path);
    if (joined == NULL)
        return place->arena->status;
    return mrwi_file_read(place->arena, joined, out_bytes, out_size_bytes, NULL);
}

/* --- entry -------------------------------------------------------------------------------- */

/* The scene, its scratch memory, and what the options say; the bytes are the caller's to set. */
static mrw_status begin(const mrw_import_options *options, mrw_scene **out_scene,
                        mrwi_arena *scratch, mrwi_import_source *source, mrw_error *out_error)
{
    mrw_import_options defaults = mrw_import_options_default();
    if (options == NULL)
        options = &defaults;
    if (options->struct_size != sizeof(*options))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "options.struct_size");
    mrw_status status = mrw_scene_create(&options->memory, out_scene);
    if (status != MRW_OK)
        return mrwi_fail_at(out_error, status, 0, "scene");
    memset(source, 0, sizeof(*source));
    source->scene = *out_scene;
    source->arena = &(*out_scene)->owner->arena;
    source->scratch = scratch;
    source->skip_images = options->skip_images;
    mrwi_arena_init_scratch(scratch, source->arena);
    return MRW_OK;
}

static mrw_status finish(mrw_status status, mrwi_import_source *source, mrw_scene **out_scene)
{
    mrwi_arena_free(source->scratch);
    if (status != MRW_OK) {
        mrw_scene_free(*out_scene);
        *out_scene = NULL;
    }
    return status;
}

mrw_status mrw_import_file(const char *path, const mrw_import_options *options,
                           mrw_scene **out_scene, mrw_error *out_error)
{
    if (out_scene == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_scene");
    *out_scene = NULL;
    if (path == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "path");
    mrwi_arena scratch;
    mrwi_import_source source;
    mrw_status status = begin(options, out_scene, &scratch, &source, out_error);
    if (status != MRW_OK)
        return status;
    folder place = {&scratch, path};
    source.path = path;
    source.open_file = open_beside;
    source.open_file_user = &place;
    source.allow_external = options != NULL && options->allow_external;
    status = mrwi_file_read(&scratch, path, &source.bytes, &source.size_bytes, out_error);
    if (status == MRW_OK)
        status = import_source(&source, out_error);
    return finish(status, &source, out_scene);
}

mrw_status mrw_import_memory(const void *bytes, size_t size_bytes, mrw_open_file open_file,
                             void *open_file_user, const mrw_import_options *options,
                             mrw_scene **out_scene, mrw_error *out_error)
{
    if (out_scene == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_scene");
    *out_scene = NULL;
    if (bytes == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "bytes");
    mrwi_arena scratch;
    mrwi_import_source source;
    mrw_status status = begin(options, out_scene, &scratch, &source, out_error);
    if (status != MRW_OK)
        return status;
    source.bytes = bytes;
    source.size_bytes = size_bytes;
    source.open_file = open_file;
    source.open_file_user = open_file_user;
    status = import_source(&source, out_error);
    return finish(status, &source, out_scene);
}
