/* The binary container: a header, then chunks, each padded to four bytes.
 *
 *     "glTF"  version  length | length  "JSON"  text ... | length  "BIN\0"  bytes ...
 *      4       4        4        4       4                  4       4
 *
 * Lengths are believed only as far as there are bytes. Chunks of other types are for extensions
 * and are passed over. */
#include "offline/import/gltf.h"

#include "base/error.h"

#include <string.h>

#define HEADER_BYTES 12
#define CHUNK_HEADER_BYTES 8
#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN 0x004e4942u

typedef struct chunks {
    const uint8_t *json;
    size_t json_bytes;
    size_t json_offset;
    const uint8_t *bin;
    size_t bin_bytes;
} chunks;

static uint32_t read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static mrw_status fail(const mrwi_gltf *gltf, mrw_status status, size_t offset, const char *detail,
                       const char *message)
{
    mrwi_fail(gltf->out_error, status, "%s", "%s", detail, message);
    if (gltf->out_error != NULL)
        gltf->out_error->offset = offset;
    return status;
}

static mrw_status read_header(mrwi_gltf *gltf, size_t *out_end)
{
    const mrwi_import_source *source = gltf->source;
    size_t size_bytes = source->size_bytes;
    if (size_bytes < HEADER_BYTES)
        return fail(gltf, MRW_ERR_TRUNCATED, size_bytes, "header",
                    "the file is too short for the header of a .glb");
    uint32_t version = read_u32(source->bytes + 4);
    if (version != 2)
        return mrwi_fail(gltf->out_error, MRW_ERR_BAD_VERSION, "header.version",
                         "the container has version %u; only 2 is supported", version);
    uint32_t length = read_u32(source->bytes + 8);
    if (length > size_bytes) {
        mrwi_fail(gltf->out_error, MRW_ERR_TRUNCATED, "header.length",
                  "the file has %z bytes of the %u that its header promises: it is cut short",
                  (uint64_t)size_bytes, length);
        return MRW_ERR_TRUNCATED;
    }
    if (length < HEADER_BYTES + CHUNK_HEADER_BYTES)
        return fail(gltf, MRW_ERR_TRUNCATED, 8, "header.length",
                    "the length is too small for a file with a JSON chunk");
    if (length < size_bytes)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "GLB_EXTRA_DATA", "header.length",
                           "there is more data after the end of the container; it is ignored", 1);
    *out_end = length;
    return MRW_OK;
}

static void take_chunk(mrwi_gltf *gltf, chunks *found, uint32_t type, size_t offset, size_t length,
                       uint32_t number, const char *where)
{
    const uint8_t *bytes = gltf->source->bytes + offset;
    if (type == CHUNK_JSON && found->json == NULL) {
        found->json = bytes;
        found->json_bytes = length;
        found->json_offset = offset;
    } else if (type == CHUNK_BIN && found->bin == NULL) {
        found->bin = bytes;
        found->bin_bytes = length;
        if (number != 1)
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "GLB_UNEXPECTED_BIN_CHUNK", where,
                               "the BIN chunk is not the second one; it is used", 1);
    } else if (type == CHUNK_JSON || type == CHUNK_BIN) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "GLB_DUPLICATE_CHUNK", where,
                           "there is a second chunk of this type; it is ignored", 1);
    } else {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "GLB_UNKNOWN_CHUNK_TYPE", where,
                           "the type of this chunk is unknown; it is ignored", 1);
    }
}

static mrw_status read_chunks(mrwi_gltf *gltf, size_t end, chunks *found)
{
    const uint8_t *bytes = gltf->source->bytes;
    uint32_t number = 0;
    for (size_t at = HEADER_BYTES; at < end; number++) {
        char where[MRWI_GLTF_WHERE];
        mrwi_format(where, sizeof(where), "chunks[%u]", number);
        if (end - at < CHUNK_HEADER_BYTES)
            return fail(gltf, MRW_ERR_TRUNCATED, at, where,
                        "the file ends in the middle of a chunk's header");
        uint32_t length = read_u32(bytes + at);
        uint32_t type = read_u32(bytes + at + 4);
        at += CHUNK_HEADER_BYTES;
        if (length > end - at)
            return fail(gltf, MRW_ERR_TRUNCATED, at - CHUNK_HEADER_BYTES, where,
                        "the chunk is longer than what is left of the file");
        if (number == 0 && type != CHUNK_JSON)
            return fail(gltf, MRW_ERR_INVALID_VALUE, at - 4, where,
                        "the first chunk is not of type JSON");
        if (length % 4 != 0)
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "GLB_CHUNK_LENGTH_UNALIGNED", where,
                               "the chunk's length is no multiple of 4", 1);
        take_chunk(gltf, found, type, at, length, number, where);
        at += length;
    }
    return MRW_OK;
}

/* Padding should be spaces. Some exporters write the NUL bytes that belong behind binary data. */
static void strip_padding(mrwi_gltf *gltf, chunks *found)
{
    size_t padding = 0;
    while (padding < 3 && padding < found->json_bytes &&
           found->json[found->json_bytes - 1 - padding] == '\0')
        padding++;
    found->json_bytes -= padding;
    if (padding > 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "MRW_GLB_JSON_PADDING", "chunks[0]",
                           "the JSON text is padded with NUL bytes instead of spaces", 1);
}

mrw_status mrwi_import_glb(const mrwi_import_source *source, mrw_error *out_error)
{
    mrwi_gltf gltf;
    mrwi_gltf_init(&gltf, source, out_error);
    gltf.is_glb = true;
    size_t end = 0;
    chunks found = {0};
    MRWI_TRY(read_header(&gltf, &end));
    MRWI_TRY(read_chunks(&gltf, end, &found));
    strip_padding(&gltf, &found);
    gltf.json_offset = found.json_offset;
    gltf.bin_chunk = found.bin;
    gltf.bin_size_bytes = found.bin_bytes;
    return mrwi_gltf_import(&gltf, (const char *)found.json, found.json_bytes);
}
