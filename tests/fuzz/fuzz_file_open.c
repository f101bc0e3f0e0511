/* mrw_file_open and mrw_open_character, on the bytes as they are and with size and checksum put
 * right, so that damage reaches the checks behind them. */
#include <marrow/asset_file.h>
#include <marrow/offline/build.h>

#include "fault/damage.h"
#include "fuzz/fuzz_target.h"

#include <stdlib.h>
#include <string.h>

static void open_and_read(const uint8_t *bytes, size_t size_bytes)
{
    mrw_error error = {0};
    mrw_file file;
    mrw_status status = mrw_file_open(bytes, size_bytes, &file, &error);
    if (status != MRW_OK && (error.status != status || error.message[0] == '\0'))
        abort(); /* an error must say what it is */
    volatile size_t sink = 0;
    for (uint32_t i = 0; status == MRW_OK && i < file.asset_count; i++) {
        const mrw_file_entry *entry = &file.entries[i];
        sink = sink + bytes[entry->offset] + bytes[entry->offset + entry->size_bytes - 1];
        sink = sink + strlen(file.names + entry->name_offset);
        if (mrw_file_find(&file, (mrw_asset_kind)entry->kind, file.names + entry->name_offset) < 0)
            abort();
    }
    mrw_character *character = NULL;
    error = (mrw_error){0};
    status = mrw_open_character(bytes, size_bytes, NULL, &character, &error);
    if ((status == MRW_OK) != (character != NULL) || error.status != status)
        abort();
    if (character != NULL)
        run_character(character);
    mrw_character_free(character);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    /* malloc's memory is aligned to MRW_ALIGNMENT, and ends where the file does. */
    uint8_t *copy = malloc(size_bytes > 0 ? size_bytes : 1);
    if (copy == NULL)
        return 0;
    memcpy(copy, bytes, size_bytes);
    open_and_read(copy, size_bytes);
    mrw_file_header header;
    if (size_bytes >= sizeof(header)) {
        memcpy(&header, copy, sizeof(header));
        header.magic = MRW_FILE_MAGIC;
        header.version = MRW_FILE_VERSION;
        header.reserved = 0;
        header.size_bytes = size_bytes;
        memset(header.reserved_tail, 0, sizeof(header.reserved_tail));
        uint64_t directory =
            (uint64_t)header.asset_count * sizeof(mrw_file_entry) + header.names_size_bytes;
        if (directory <= size_bytes - sizeof(header))
            header.checksum = mrw_asset_checksum(copy + sizeof(header), (size_t)directory);
        memcpy(copy, &header, sizeof(header));
        open_and_read(copy, size_bytes);
    }
    free(copy);
    return 0;
}
