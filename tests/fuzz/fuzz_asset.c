#include "fuzz/fuzz_asset.h"

#include "fault/damage.h"
#include "fault/documents.h"

#include <stdlib.h>
#include <string.h>

/* Made once and never freed: a fuzzer runs until it is stopped. Static, so that it is no leak. */
static mrw_character *character;

static void make_character(void)
{
    document doc = document_skinned_text();
    mrw_scene *scene;
    if (mrw_import_memory(doc.bytes, doc.size_bytes, NULL, NULL, NULL, &scene, NULL) != MRW_OK ||
        mrw_build_character(scene, NULL, &character, NULL) != MRW_OK)
        abort();
    mrw_scene_free(scene);
    document_free(&doc);
}

static void open_and_run(const uint8_t *bytes, size_t size_bytes, mrw_asset_kind kind)
{
    mrw_error error = {0};
    mrw_status status = run_asset(character, bytes, size_bytes, kind, &error);
    if (status != MRW_OK && (error.status != status || error.message[0] == '\0'))
        abort(); /* an error must say what it is */
}

void fuzz_asset(const uint8_t *bytes, size_t size_bytes, mrw_asset_kind kind)
{
    if (character == NULL)
        make_character();
    /* malloc's memory is aligned to MRW_ALIGNMENT, and ends where the asset does. */
    uint8_t *copy = malloc(size_bytes > 0 ? size_bytes : 1);
    if (copy == NULL)
        return;
    memcpy(copy, bytes, size_bytes);
    open_and_run(copy, size_bytes, kind);
    if (size_bytes >= sizeof(mrw_asset_header)) {
        mrw_asset_header header;
        memcpy(&header, copy, sizeof(header));
        header.magic = MRW_ASSET_MAGIC;
        header.kind = (uint16_t)kind;
        header.size_bytes = size_bytes;
        header.skeleton_id = mrw_skeleton_id(&character->skeleton);
        header.checksum = mrw_asset_checksum(copy + sizeof(header), size_bytes - sizeof(header));
        memset(header.reserved, 0, sizeof(header.reserved));
        memcpy(copy, &header, sizeof(header));
        open_and_run(copy, size_bytes, kind);
    }
    free(copy);
}
