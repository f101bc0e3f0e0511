/* Any bytes as a file: text, container, or neither. */
#include "fuzz/fuzz_target.h"

#include "fault/damage.h"

#include <stdlib.h>

#define LIMIT_BYTES (16u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    mrw_memory_options memory = mrw_memory_options_default();
    memory.limit_bytes = LIMIT_BYTES;
    mrw_error error = {0};
    mrw_status status = run_file(bytes, size_bytes, &memory, &error);
    if (status != MRW_OK && (error.status != status || error.message[0] == '\0'))
        abort(); /* an error must say what it is */
    return 0;
}
