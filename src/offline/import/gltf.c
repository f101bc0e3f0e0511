/* glTF 2.0: the order in which a document becomes a scene.
 *
 *     text -> JSON -> document: lists, version, extensions
 *                        |
 *                     buffers, bufferViews -> accessors      (gltf_buffers, gltf_accessors)
 *                        |
 *     images -> materials -> meshes -> nodes -> skins -> animations
 *
 * Each arrow is one file of this folder. Everything that a file claims (sizes, offsets, counts,
 * indices) is checked in the left half, once, against the bytes that are really there; the right
 * half copies. What is copied has another shape than in the file: accessors become plain arrays of
 * floats, strips and fans become lists, matrices become translation, rotation and scale.
 *
 * What contradicts itself or leads nowhere is refused, with the path of the property. What is only
 * odd is repaired by a rule that the diagnostic names; where the Khronos validator has a code
 * for it, it is used with the validator's severity, so that its documentation can be
 * looked up. A severity of "error" therefore means that the file is invalid, not that it was
 * refused.
 */
#include "offline/import/gltf.h"

#include "base/error.h"
#include "offline/read/text_place.h"

#include <string.h>

void mrwi_gltf_init(mrwi_gltf *gltf, const mrwi_import_source *source, mrw_error *out_error)
{
    memset(gltf, 0, sizeof(*gltf));
    gltf->source = source;
    gltf->scene = source->scene;
    gltf->arena = source->arena;
    gltf->scratch = source->scratch;
    gltf->out_error = out_error;
}

static mrw_status parse(mrwi_gltf *gltf, const char *text, size_t length)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "INVALID_JSON", "JSON",
                           "the text begins with a byte order mark; it is skipped", 1);
        text += 3;
        length -= 3;
        gltf->json_offset += 3;
    }
    mrw_status status = mrwi_json_parse(gltf->scratch, text, length, &gltf->json, gltf->out_error);
    if (status == MRW_ERR_JSON_SYNTAX && gltf->out_error != NULL)
        gltf->out_error->offset += gltf->json_offset;
    if (status != MRW_OK)
        return status;
    if (gltf->json.duplicate_key != NULL) {
        char message[MRWI_GLTF_WHERE];
        mrw_error place = {0};
        mrwi_text_set_place(text, gltf->json.duplicate_key->start, &place);
        mrwi_format(message, sizeof(message),
                    "an object has a key twice, at line %u, column %u; the last one counts",
                    place.line, place.column);
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "MRW_JSON_DUPLICATE_KEY", "JSON", message,
                           gltf->json.duplicate_key_count);
    }
    return MRW_OK;
}

mrw_status mrwi_gltf_import(mrwi_gltf *gltf, const char *text, size_t length)
{
    MRWI_TRY(parse(gltf, text, length));
    MRWI_TRY(mrwi_gltf_open_document(gltf));
    MRWI_TRY(mrwi_gltf_open_buffers(gltf));
    MRWI_TRY(mrwi_gltf_open_accessors(gltf));
    MRWI_TRY(mrwi_gltf_import_images(gltf));
    MRWI_TRY(mrwi_gltf_import_materials(gltf));
    MRWI_TRY(mrwi_gltf_import_meshes(gltf));
    MRWI_TRY(mrwi_gltf_import_nodes(gltf));
    MRWI_TRY(mrwi_gltf_import_skins(gltf));
    MRWI_TRY(mrwi_gltf_bind_skins(gltf));
    MRWI_TRY(mrwi_gltf_import_animations(gltf));
    if (gltf->diagnose_failed)
        return mrwi_arena_fail(gltf->arena, gltf->out_error, "diagnostics");
    return MRW_OK;
}

mrw_status mrwi_import_gltf(const mrwi_import_source *source, mrw_error *out_error)
{
    mrwi_gltf gltf;
    mrwi_gltf_init(&gltf, source, out_error);
    return mrwi_gltf_import(&gltf, (const char *)source->bytes, source->size_bytes);
}
