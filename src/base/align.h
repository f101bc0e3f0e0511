/* Alignment and overflow-safe sizes. */
#ifndef MRWI_BASE_ALIGN_H
#define MRWI_BASE_ALIGN_H

#include <marrow/base.h>

static inline bool mrwi_is_aligned(const void *pointer, size_t alignment)
{
    return ((uintptr_t)pointer & (alignment - 1)) == 0;
}

/* The next multiple of a power of two. The caller knows that it does not overflow. */
static inline size_t mrwi_align_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

/* count * size_bytes into *out_bytes; false if that does not fit a size_t. */
static inline bool mrwi_mul_size(size_t count, size_t size_bytes, size_t *out_bytes)
{
    if (size_bytes != 0 && count > SIZE_MAX / size_bytes)
        return false;
    *out_bytes = count * size_bytes;
    return true;
}

#endif
