/* The arena that a result of the offline library lives in.
 *
 * Every importer and builder allocates here and nowhere else: the caller's limits hold,
 * failure needs no cleaning up beyond mrwi_arena_free, and a result is freed by one call.
 * Memory comes in chunks that double in size; with `separate` every object is an allocation of
 * its own, so that a test can fail the Nth one and a sanitizer sees the end of each array.
 */
#ifndef MRWI_OFFLINE_ARENA_H
#define MRWI_OFFLINE_ARENA_H

#include <marrow/offline/memory.h>

typedef struct mrwi_arena_chunk mrwi_arena_chunk;

typedef struct mrwi_arena {
    mrw_allocator allocator;
    uint64_t limit_bytes;
    uint64_t allocation_limit;
    bool separate;
    struct mrwi_arena *lender; /* whose limits count, or NULL: its own */

    mrwi_arena_chunk *chunks; /* the newest first */
    size_t chunk_used;        /* bytes of the newest chunk that are taken */
    size_t chunk_capacity;
    uint64_t held_bytes;
    uint64_t allocation_count;
    mrw_status status; /* MRW_OK, or why the last allocation failed: OUT_OF_MEMORY, MEMORY_LIMIT */
} mrwi_arena;

/* options or NULL for the defaults. Allocates nothing yet. */
void mrwi_arena_init(mrwi_arena *arena, const mrw_memory_options *options);

/* An arena for what a call needs besides its result: its memory and allocations count against
 * the limits of `lender`, the result's arena, until it is freed. The lender must outlive it; it may be scratch itself. */
void mrwi_arena_init_scratch(mrwi_arena *arena, mrwi_arena *lender);

/* Gives back everything. The arena is empty afterwards and can be used again. */
void mrwi_arena_free(mrwi_arena *arena);

/* count * size_bytes zeroed bytes, aligned to 64; never NULL for 0 bytes. NULL when the memory, a
 * limit or size_t is exhausted: arena->status says which. */
void *mrwi_arena_alloc(mrwi_arena *arena, size_t count, size_t size_bytes);

/* A NUL-terminated copy of `length` bytes. NULL as above. */
char *mrwi_arena_string(mrwi_arena *arena, const char *text, size_t length);

/* Fills *out_error for a failed allocation of something named `detail`; returns arena->status. */
mrw_status mrwi_arena_fail(const mrwi_arena *arena, mrw_error *out_error, const char *detail);

/* One block outside any arena, under the same options: for results handed out as mrw_bytes.
 * Zeroed. The allocator in use (the default filled in) goes to *out_allocator. NULL as above, with the
 * reason in *out_status. */
void *mrwi_block_alloc(const mrw_memory_options *options, size_t size_bytes,
                       mrw_allocator *out_allocator, mrw_status *out_status);

#endif
