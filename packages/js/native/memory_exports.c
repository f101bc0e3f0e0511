#include "exchange.h"

#include <stdlib.h>
#include <string.h>

mrw_error js_error;
uint32_t js_record[JS_RECORD_FIELDS];

/* JavaScript reads the error by these offsets. */
_Static_assert(offsetof(mrw_error, offset) == 16, "heap.js knows the layout");
_Static_assert(offsetof(mrw_error, detail) == 24, "heap.js knows the layout");
_Static_assert(offsetof(mrw_error, message) == 152, "heap.js knows the layout");

mrw_status js_fail(mrw_status status, const char *detail)
{
    memset(&js_error, 0, sizeof(js_error));
    js_error.status = status;
    size_t length = strlen(detail);
    if (length >= sizeof(js_error.detail)) {
        length = sizeof(js_error.detail) - 1;
    }
    memcpy(js_error.detail, detail, length);
    return status;
}

uint32_t js_address(const void *pointer)
{
    return (uint32_t)(uintptr_t)pointer;
}

void *js_allocate(uint64_t size_bytes, const char *what)
{
    const uint64_t alignment = 64;
    uint64_t padded = (size_bytes + alignment) / alignment * alignment;
    void *memory = padded <= UINT32_MAX ? aligned_alloc(alignment, (size_t)padded) : NULL;
    if (!memory) {
        js_fail(MRW_ERR_OUT_OF_MEMORY, what);
    }
    return memory;
}

/* --- exports ------------------------------------------------------------------------------ */

const mrw_error *error_address(void)
{
    return &js_error;
}

const uint32_t *record_address(void)
{
    return js_record;
}

const char *status_name(mrw_status status)
{
    return mrw_status_name(status);
}

const char *status_text(mrw_status status)
{
    return mrw_status_text(status);
}

const char *version(void)
{
    return mrw_version();
}

bool has_simd(void)
{
#if defined(__wasm_simd128__)
    return true;
#else
    return false;
#endif
}

void *memory_allocate(uint32_t size_bytes)
{
    return js_allocate(size_bytes, "memory");
}

void memory_release(void *memory)
{
    free(memory);
}
