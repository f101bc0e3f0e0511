#include "viewer/failing_memory.h"

#include <stddef.h>

static uint32_t count, failing;
static int is_lasting;

void failing_memory_start(uint32_t fail_at, int lasting)
{
    count = 0;
    failing = fail_at;
    is_lasting = lasting;
}

uint32_t failing_memory_stop(void)
{
    failing = 0;
    return count;
}

static int fails(void)
{
    count++;
    return failing != 0 && (count == failing || (is_lasting && count > failing));
}

/* The linker gives these their names. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size)
{
    return fails() ? NULL : __real_calloc(number, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}
