/* Data that the JSON text refers to: "data:...;base64,..." or a file beside it. */
#include "offline/import/gltf.h"

#include "base/error.h"
#include "offline/read/base64.h"
#include "offline/read/path.h"

#include <string.h>

/* Texts of URIs are shown up to this length: a data URI may be megabytes long. */
#define SHOWN_URI_BYTES 80

static bool begins_with_data(const char *uri, size_t length)
{
    static const char scheme[] = "data:";
    if (length < sizeof(scheme) - 1)
        return false;
    for (size_t i = 0; i < sizeof(scheme) - 1; i++) {
        char c = uri[i] >= 'A' && uri[i] <= 'Z' ? (char)(uri[i] + ('a' - 'A')) : uri[i];
        if (c != scheme[i])
            return false;
    }
    return true;
}

static mrw_status fail_uri(const mrwi_gltf *gltf, mrw_status status, const char *where,
                           const char *uri, const char *reason)
{
    char shown[SHOWN_URI_BYTES];
    mrwi_format(shown, sizeof(shown), "%s", uri);
    return mrwi_fail(gltf->out_error, status, "%s.uri", "%s: %s", where, shown, reason);
}

/* What stands before the comma: "data:" media type, parameters, and perhaps ";base64" (RFC 2397).
 */
static mrw_status load_data_uri(const mrwi_gltf *gltf, char *uri, size_t length, const char *where,
                                const uint8_t **out_bytes, size_t *out_size_bytes,
                                const char **out_mime_type)
{
    static const char marker[] = ";base64";
    const size_t marker_length = sizeof(marker) - 1;
    char *comma = memchr(uri, ',', length);
    if (comma == NULL)
        return fail_uri(gltf, MRW_ERR_INVALID_VALUE, where, uri,
                        "a data URI has a comma before its data");
    *comma = '\0';
    const char *text = comma + 1;
    size_t text_length = length - (size_t)(text - uri);
    size_t head = (size_t)(comma - uri);
    bool base64 =
        head >= marker_length && memcmp(comma - marker_length, marker, marker_length) == 0;
    uint8_t *bytes;
    size_t bound = base64 ? mrwi_base64_bound(text_length) : text_length;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, bound, 1, where, &bytes));
    if (!base64)
        *out_size_bytes = mrwi_percent_decode(text, text_length, (char *)bytes);
    else if (!mrwi_base64_decode(text, text_length, bytes, out_size_bytes))
        return mrwi_fail(gltf->out_error, MRW_ERR_INVALID_VALUE, "%s.uri",
                         "the base64 text is broken at its character %z", where,
                         (uint64_t)*out_size_bytes);
    *out_bytes = bytes;

    char *mime_type = uri + strlen("data:");
    char *parameters = strchr(mime_type, ';');
    if (parameters != NULL)
        *parameters = '\0';
    if (out_mime_type != NULL)
        *out_mime_type = mime_type;
    return MRW_OK;
}

static mrw_status load_file(const mrwi_gltf *gltf, const char *uri, size_t length,
                            const char *where, const uint8_t **out_bytes, size_t *out_size_bytes)
{
    const mrwi_import_source *source = gltf->source;
    char *path;
    const char *reason;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, length + 1, 1, where, &path));
    mrw_status status = mrwi_path_from_uri(uri, length, source->allow_external, path, &reason);
    if (status != MRW_OK)
        return fail_uri(gltf, status, where, uri, reason);
    if (source->open_file == NULL)
        return fail_uri(gltf, MRW_ERR_FILE_NOT_FOUND, where, path,
                        "this is another file, and no way to open it was given");
    status = source->open_file(source->open_file_user, path, out_bytes, out_size_bytes);
    if (status != MRW_OK)
        return fail_uri(gltf, status, where, path, mrw_status_text(status));
    return MRW_OK;
}

mrw_status mrwi_gltf_load_uri(const mrwi_gltf *gltf, const mrwi_json_value *uri, const char *where,
                              const uint8_t **out_bytes, size_t *out_size_bytes,
                              const char **out_mime_type)
{
    if (out_mime_type != NULL)
        *out_mime_type = "";
    if (!mrwi_json_is(uri, MRWI_JSON_STRING))
        return mrwi_gltf_fail(gltf, MRW_ERR_WRONG_TYPE, where, "uri", uri, "it must be a string");
    size_t length;
    char *text = mrwi_json_string(&gltf->json, uri, gltf->scratch, &length);
    if (text == NULL)
        return mrwi_arena_fail(gltf->scratch, gltf->out_error, where);
    if (begins_with_data(text, length))
        return load_data_uri(gltf, text, length, where, out_bytes, out_size_bytes, out_mime_type);
    return load_file(gltf, text, length, where, out_bytes, out_size_bytes);
}
