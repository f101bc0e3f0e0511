/* The binary container behind a header that fits, so that damage reaches the chunks, the JSON text
 * and the data. */
#include "fuzz/fuzz_target.h"

#include "fault/damage.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_BYTES (16u << 20)
#define HEADER_BYTES 12

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < HEADER_BYTES)
        return 0;
    uint8_t *copy = malloc(size_bytes);
    if (copy == NULL)
        return 0;
    memcpy(copy, bytes, size_bytes);
    memcpy(copy, "glTF\x02\0\0\0", 8);
    for (uint32_t i = 0; i < 4; i++)
        copy[8 + i] = (uint8_t)(size_bytes >> (8 * i));

    mrw_memory_options memory = mrw_memory_options_default();
    memory.limit_bytes = LIMIT_BYTES;
    mrw_error error = {0};
    mrw_status status = run_file(copy, size_bytes, &memory, &error);
    free(copy);
    if (status != MRW_OK && (error.status != status || error.message[0] == '\0'))
        abort();
    return 0;
}
