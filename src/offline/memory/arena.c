#include "offline/memory/arena.h"

#include "base/align.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define OBJECT_ALIGNMENT 64
#define DEFAULT_LIMIT_BYTES (2ull << 30)
#define FIRST_CHUNK_BYTES ((size_t)16 << 10)
#define LARGEST_CHUNK_BYTES ((size_t)4 << 20)

/* A chunk is this header, padded to one cache line, and the objects behind it. */
struct mrwi_arena_chunk {
    mrwi_arena_chunk *next;
    size_t size_bytes; /* with the header */
};

static void *default_allocate(void *user, size_t size_bytes)
{
    (void)user;
    return aligned_alloc(OBJECT_ALIGNMENT, mrwi_align_up(size_bytes, OBJECT_ALIGNMENT));
}

static void default_release(void *user, void *memory, size_t size_bytes)
{
    (void)user;
    (void)size_bytes;
    free(memory);
}

static mrw_allocator allocator_or_default(const mrw_allocator *allocator)
{
    if (allocator->allocate != NULL && allocator->release != NULL)
        return *allocator;
    mrw_allocator fallback = {NULL, default_allocate, default_release};
    return fallback;
}

void mrwi_arena_init(mrwi_arena *arena, const mrw_memory_options *options)
{
    mrw_memory_options defaults = mrw_memory_options_default();
    if (options == NULL)
        options = &defaults;
    memset(arena, 0, sizeof(*arena));
    arena->allocator = allocator_or_default(&options->allocator);
    arena->limit_bytes = options->limit_bytes != 0 ? options->limit_bytes : DEFAULT_LIMIT_BYTES;
    arena->allocation_limit =
        options->allocation_limit != 0 ? options->allocation_limit : UINT64_MAX;
    arena->separate = options->separate;
    arena->status = MRW_OK;
}

void mrwi_arena_init_scratch(mrwi_arena *arena, mrwi_arena *lender)
{
    memset(arena, 0, sizeof(*arena));
    arena->allocator = lender->allocator;
    arena->separate = lender->separate;
    arena->lender = lender->lender != NULL ? lender->lender : lender;
    arena->status = MRW_OK;
}

void mrwi_arena_free(mrwi_arena *arena)
{
    /* The arena may itself lie in one of its chunks: take what is needed first. */
    mrw_allocator allocator = arena->allocator;
    mrwi_arena_chunk *chunk = arena->chunks;
    if (arena->lender != NULL)
        arena->lender->held_bytes -= arena->held_bytes;
    arena->chunks = NULL;
    arena->chunk_used = 0;
    arena->chunk_capacity = 0;
    arena->held_bytes = 0;
    while (chunk != NULL) {
        mrwi_arena_chunk *next = chunk->next;
        allocator.release(allocator.user, chunk, chunk->size_bytes);
        chunk = next;
    }
}

/* Opens a chunk with room for at least object_bytes (a multiple of the alignment). */
static bool open_chunk(mrwi_arena *arena, size_t object_bytes)
{
    mrwi_arena *account = arena->lender != NULL ? arena->lender : arena;
    size_t payload = object_bytes;
    if (!arena->separate) {
        size_t grown = arena->chunk_capacity == 0 ? FIRST_CHUNK_BYTES : arena->chunk_capacity * 2;
        if (grown > LARGEST_CHUNK_BYTES)
            grown = LARGEST_CHUNK_BYTES;
        if (payload < grown)
            payload = grown;
    }
    size_t total = payload + OBJECT_ALIGNMENT;
    uint64_t left = account->limit_bytes - account->held_bytes;
    if (total > left) {
        /* Near the limit a chunk is no larger than what it is opened for. */
        total = object_bytes + OBJECT_ALIGNMENT;
        if (total > left) {
            arena->status = MRW_ERR_MEMORY_LIMIT;
            return false;
        }
    }
    if (account->allocation_count >= account->allocation_limit) {
        arena->status = MRW_ERR_MEMORY_LIMIT;
        return false;
    }
    mrwi_arena_chunk *chunk = arena->allocator.allocate(arena->allocator.user, total);
    if (chunk == NULL) {
        arena->status = MRW_ERR_OUT_OF_MEMORY;
        return false;
    }
    chunk->next = arena->chunks;
    chunk->size_bytes = total;
    arena->chunks = chunk;
    arena->chunk_used = 0;
    arena->chunk_capacity = total - OBJECT_ALIGNMENT;
    arena->held_bytes += total;
    arena->allocation_count++;
    if (account != arena) {
        account->held_bytes += total;
        account->allocation_count++;
    }
    return true;
}

void *mrwi_arena_alloc(mrwi_arena *arena, size_t count, size_t size_bytes)
{
    size_t bytes;
    if (!mrwi_mul_size(count, size_bytes, &bytes) || bytes > SIZE_MAX / 2) {
        arena->status = MRW_ERR_MEMORY_LIMIT;
        return NULL;
    }
    /* With `separate` the block ends where the object does, so that an overrun is seen. */
    size_t taken = arena->separate ? bytes : mrwi_align_up(bytes, OBJECT_ALIGNMENT);
    bool fits = arena->chunks != NULL && taken <= arena->chunk_capacity - arena->chunk_used;
    if ((arena->separate || !fits) && !open_chunk(arena, taken))
        return NULL;
    unsigned char *memory =
        (unsigned char *)arena->chunks + OBJECT_ALIGNMENT + arena->chunk_used;
    arena->chunk_used += taken;
    memset(memory, 0, bytes);
    return memory;
}

char *mrwi_arena_string(mrwi_arena *arena, const char *text, size_t length)
{
    char *copy = mrwi_arena_alloc(arena, length + 1, 1);
    if (copy != NULL && length > 0)
        memcpy(copy, text, length);
    return copy;
}

mrw_status mrwi_arena_fail(const mrwi_arena *arena, mrw_error *out_error, const char *detail)
{
    return mrwi_fail_at(out_error, arena->status, 0, detail);
}

void *mrwi_block_alloc(const mrw_memory_options *options, size_t size_bytes,
                       mrw_allocator *out_allocator, mrw_status *out_status)
{
    mrw_memory_options defaults = mrw_memory_options_default();
    if (options == NULL)
        options = &defaults;
    *out_allocator = allocator_or_default(&options->allocator);
    uint64_t limit = options->limit_bytes != 0 ? options->limit_bytes : DEFAULT_LIMIT_BYTES;
    if (size_bytes > limit) {
        *out_status = MRW_ERR_MEMORY_LIMIT;
        return NULL;
    }
    void *memory = out_allocator->allocate(out_allocator->user, size_bytes);
    if (memory == NULL) {
        *out_status = MRW_ERR_OUT_OF_MEMORY;
        return NULL;
    }
    memset(memory, 0, size_bytes);
    *out_status = MRW_OK;
    return memory;
}
