/* Buffers and bufferViews: where bytes are. After this file a view is a range of memory that
 * exists. */
#include "offline/import/gltf.h"

#include "base/error.h"

#include <string.h>

#define LARGEST_STRIDE 252 /* of the specification */

/* --- buffers --------------------------------------------------------------------------------- */

static mrw_status load_from_uri(mrwi_gltf *gltf, const mrwi_json_value *uri, const char *where,
                                mrwi_gltf_buffer *buffer, size_t *out_size_bytes)
{
    const char *mime_type;
    MRWI_TRY(mrwi_gltf_load_uri(gltf, uri, where, &buffer->bytes, out_size_bytes, &mime_type));
    if (mime_type[0] != '\0' && strcmp(mime_type, "application/octet-stream") != 0 &&
        strcmp(mime_type, "application/gltf-buffer") != 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "BUFFER_DATA_URI_MIME_TYPE_INVALID", where,
                           "the media type of the data URI is not application/octet-stream", 1);
    return MRW_OK;
}

/* The chunk is padded to four bytes, so it may be up to three longer. */
static void take_bin_chunk(mrwi_gltf *gltf, const char *where, mrwi_gltf_buffer *buffer)
{
    buffer->bytes = gltf->bin_chunk;
    if (gltf->bin_size_bytes > buffer->size_bytes + 3)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "BUFFER_GLB_CHUNK_TOO_BIG", where,
                           "the BIN chunk is longer than the buffer", 1);
}

static void check_not_empty(mrwi_gltf *gltf, const char *where, uint64_t size_bytes)
{
    if (size_bytes == 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "VALUE_NOT_IN_RANGE", where,
                           "byteLength must be at least 1", 1);
}

static mrw_status open_buffer(mrwi_gltf *gltf, uint32_t index)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    mrwi_gltf_buffer *buffer = &gltf->buffers[index];
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_BUFFERS, index, &object, where));
    MRWI_TRY(mrwi_gltf_required_uint(gltf, object, where, "byteLength", &buffer->size_bytes));
    check_not_empty(gltf, where, buffer->size_bytes);
    const mrwi_json_value *uri = mrwi_json_member(&gltf->json, object, "uri");
    size_t available = 0;
    if (uri != NULL) {
        MRWI_TRY(load_from_uri(gltf, uri, where, buffer, &available));
    } else if (gltf->is_glb && index == 0 && gltf->bin_chunk != NULL) {
        take_bin_chunk(gltf, where, buffer);
        available = gltf->bin_size_bytes;
    } else if (gltf->is_glb && index == 0) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "BUFFER_MISSING_GLB_DATA", where,
                           "the file has no BIN chunk for the buffer", 1);
        return MRW_OK;
    } else {
        /* Some extensions leave a buffer without data. It is an error to read from it. */
        return MRW_OK;
    }
    if (available < buffer->size_bytes)
        return mrwi_fail(gltf->out_error, MRW_ERR_OUT_OF_BOUNDS, "%s.byteLength",
                         "%z bytes of which only %z are there: the data is cut short", where,
                         buffer->size_bytes, (uint64_t)available);
    return MRW_OK;
}

/* --- bufferViews ----------------------------------------------------------------------------- */

static mrw_status read_stride(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                              mrwi_gltf_view *view)
{
    uint64_t stride;
    MRWI_TRY(mrwi_gltf_uint(gltf, object, where, "byteStride", 0, &stride));
    if (stride > UINT32_MAX)
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, where, "byteStride", object,
                              "the largest stride of the specification is 252");
    view->stride_bytes = (uint32_t)stride;
    if (mrwi_json_member(&gltf->json, object, "byteStride") == NULL)
        return MRW_OK;
    if (stride < 4 || stride > LARGEST_STRIDE)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "VALUE_NOT_IN_RANGE", where,
                           "byteStride is outside 4 to 252", 1);
    else if (stride % 4 != 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "VALUE_MULTIPLE_OF", where,
                           "byteStride is no multiple of 4", 1);
    if (stride > view->size_bytes)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", where,
                           "byteStride is larger than byteLength", 1);
    return MRW_OK;
}

static mrw_status open_view(mrwi_gltf *gltf, uint32_t index)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    mrwi_gltf_view *view = &gltf->views[index];
    int32_t buffer_index;
    uint64_t offset;
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_BUFFER_VIEWS, index, &object, where));
    MRWI_TRY(
        mrwi_gltf_required_index(gltf, object, where, "buffer", MRWI_GLTF_BUFFERS, &buffer_index));
    MRWI_TRY(mrwi_gltf_uint(gltf, object, where, "byteOffset", 0, &offset));
    MRWI_TRY(mrwi_gltf_required_uint(gltf, object, where, "byteLength", &view->size_bytes));
    check_not_empty(gltf, where, view->size_bytes);
    const mrwi_gltf_buffer *buffer = &gltf->buffers[buffer_index];
    if (offset + view->size_bytes > buffer->size_bytes)
        return mrwi_fail(gltf->out_error, MRW_ERR_OUT_OF_BOUNDS, "%s.byteLength",
                         "it reaches byte %z of buffers[%d], which has %z: "
                         "byteOffset or byteLength is too large",
                         where, offset + view->size_bytes, buffer_index, buffer->size_bytes);
    view->buffer = (uint32_t)buffer_index;
    view->bytes = buffer->bytes != NULL ? buffer->bytes + offset : NULL;
    return read_stride(gltf, object, where, view);
}

mrw_status mrwi_gltf_open_buffers(mrwi_gltf *gltf)
{
    uint32_t buffer_count = gltf->counts[MRWI_GLTF_BUFFERS];
    uint32_t view_count = gltf->counts[MRWI_GLTF_BUFFER_VIEWS];
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, buffer_count, sizeof(*gltf->buffers), "buffers",
                             &gltf->buffers));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, view_count, sizeof(*gltf->views), "bufferViews",
                             &gltf->views));
    for (uint32_t i = 0; i < buffer_count; i++)
        MRWI_TRY(open_buffer(gltf, i));
    for (uint32_t i = 0; i < view_count; i++)
        MRWI_TRY(open_view(gltf, i));
    return MRW_OK;
}
