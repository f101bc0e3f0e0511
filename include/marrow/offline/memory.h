/* marrow/offline/memory.h: where the offline library gets its memory, and how much.
 *
 * A result of the offline library (a scene, a character, exported bytes) owns everything
 * it points to and is freed by one call. What a call may take is limited, so that
 * a hostile file ends in an error and not in swapping.
 */
#ifndef MARROW_OFFLINE_MEMORY_H
#define MARROW_OFFLINE_MEMORY_H

#include <marrow/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `allocate` returns size_bytes of memory aligned to 64 bytes, or NULL. `release` takes
 * back what allocate gave, with the same size. Both NULL: the C library's. They are called only
 * by the thread that works with the result. */
typedef struct mrw_allocator {
    void *user;
    void *(*allocate)(void *user, size_t size_bytes);
    void (*release)(void *user, void *memory, size_t size_bytes);
} mrw_allocator;

typedef struct mrw_memory_options {
    mrw_allocator allocator;
    uint64_t limit_bytes;      /* that a call may hold; 0 means the default of 2 GiB */
    uint64_t allocation_limit; /* allocations that a call may make; 0 means any number */
    bool separate;             /* each object in an allocation of its own instead of large
                                * chunks: for tests that look for leaks and overruns */
} mrw_memory_options;

static inline mrw_memory_options mrw_memory_options_default(void)
{
    mrw_memory_options options = {{NULL, NULL, NULL}, 0, 0, false};
    return options;
}

#ifdef __cplusplus
}
#endif

#endif
