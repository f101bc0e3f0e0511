/* Any bytes behind the word that makes them BVH. */
#include "fuzz/fuzz_target.h"

#include "fault/damage.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_BYTES (16u << 20)
#define WORD "HIERARCHY"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    bool begun = size_bytes >= strlen(WORD) && memcmp(bytes, WORD, strlen(WORD)) == 0;
    size_t begin = begun ? 0 : strlen(WORD);
    char *text = malloc(begin + size_bytes);
    if (text == NULL)
        return 0;
    memcpy(text, WORD, begin);
    memcpy(text + begin, bytes, size_bytes);

    mrw_memory_options memory = mrw_memory_options_default();
    memory.limit_bytes = LIMIT_BYTES;
    mrw_error error = {0};
    mrw_status status = run_file(text, begin + size_bytes, &memory, &error);
    free(text);
    if (status != MRW_OK && (error.status != status || error.message[0] == '\0'))
        abort(); /* an error must say what it is */
    return 0;
}
