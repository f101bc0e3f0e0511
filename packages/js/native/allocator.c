/* malloc and its family for the modules. A page downloads it, so it is small: the C library's own
 * is ten times as long. Few blocks are alive at a time, since files become arenas, and characters,
 * poses and crowds one block each.
 *
 *     | before, size | ......... | before, size | .............. | ... | 0 |
 *       header         payload     header         payload                end
 *                      of 64                      of 64
 *
 * Blocks lie one behind the other from the end of the data on, and know their neighbours. What is
 * free is a list in no order, and never has a free neighbour. The smallest free block that is large
 * enough is taken; where none is, memory grows, which it never shrinks again.
 */
#if defined(__wasm__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, PAGE_BYTES = 65536, MOST_BYTES = 0x7fff0000 };

typedef struct block block;
struct block {
    uint32_t before; /* bytes of the block in front of it; 0: there is none */
    uint32_t size;   /* bytes to the next block; 0: the end of all */
    block *next;     /* in the list; NULL: the block is in use */
    block *previous;
};

extern unsigned char __heap_base;

static block list = {0, 0, &list, &list};
static block *end; /* NULL before the first call */

static block *block_at(uintptr_t address)
{
    return (block *)address;
}

static block *block_behind(block *b)
{
    return block_at((uintptr_t)b + b->size);
}

static bool is_free(const block *b)
{
    return b->next != NULL;
}

static void put_in_list(block *b)
{
    b->next = list.next;
    b->previous = &list;
    b->next->previous = b;
    list.next = b;
}

static void take_from_list(block *b)
{
    b->previous->next = b->next;
    b->next->previous = b->previous;
    b->next = NULL;
}

static void set_size(block *b, uint32_t size)
{
    b->size = size;
    block_behind(b)->before = size;
}

/* One with the free blocks on both sides. */
static void release(block *b)
{
    block *behind = block_behind(b);
    if (is_free(behind)) {
        take_from_list(behind);
        set_size(b, b->size + behind->size);
    }
    block *front = block_at((uintptr_t)b - b->before);
    if (b->before != 0 && is_free(front))
        set_size(front, front->size + b->size);
    else
        put_in_list(b);
}

/* At least `size` bytes more, as a free block. */
static bool grow(uint32_t size)
{
    if (end == NULL) { /* memory ends with the stack and the data, or somewhere behind them */
        const uintptr_t payload =
            ((uintptr_t)&__heap_base + sizeof(block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        end = block_at(payload - sizeof(block));
        const uintptr_t limit = __builtin_wasm_memory_size(0) * PAGE_BYTES;
        if (limit < (uintptr_t)end + sizeof(block) && __builtin_wasm_memory_grow(0, 1) == SIZE_MAX)
            return false;
    }
    const size_t pages = ((size_t)size + ALIGNMENT + PAGE_BYTES - 1) / PAGE_BYTES;
    if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX)
        return false;
    block *b = end;
    const uintptr_t limit = __builtin_wasm_memory_size(0) * PAGE_BYTES;
    end = block_at(limit - sizeof(block));
    set_size(b, (uint32_t)((uintptr_t)end - (uintptr_t)b));
    end->size = 0;
    end->next = NULL;
    release(b);
    return true;
}

/* The smallest that is large enough: large ones stay whole. */
static block *find(uint32_t size)
{
    block *best = NULL;
    for (block *b = list.next; b != &list; b = b->next)
        if (b->size >= size && (best == NULL || b->size < best->size)) {
            best = b;
            if (b->size == size)
                break;
        }
    return best;
}

/* Of its own name: of malloc the compiler knows more than is true here, e.g. in calloc. */
static void *allocate(size_t size_bytes)
{
    if (size_bytes > MOST_BYTES)
        return NULL;
    const uint32_t size =
        (uint32_t)(size_bytes + sizeof(block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block *b = find(size);
    if (b == NULL && grow(size))
        b = find(size);
    if (b == NULL)
        return NULL;
    take_from_list(b);
    if (b->size > size) {
        block *rest = block_at((uintptr_t)b + size);
        set_size(rest, b->size - size);
        set_size(b, size);
        put_in_list(rest);
    }
    return b + 1;
}

void *malloc(size_t size_bytes)
{
    return allocate(size_bytes);
}

void free(void *memory)
{
    if (memory != NULL)
        release((block *)memory - 1);
}

void *calloc(size_t count, size_t size_bytes)
{
    const uint64_t bytes = (uint64_t)count * size_bytes;
    void *memory = bytes <= MOST_BYTES ? allocate((size_t)bytes) : NULL;
    if (memory != NULL)
        memset(memory, 0, (size_t)bytes);
    return memory;
}

void *realloc(void *memory, size_t size_bytes)
{
    const size_t room = memory != NULL ? ((block *)memory - 1)->size - sizeof(block) : 0;
    if (memory != NULL && size_bytes <= room)
        return memory;
    void *moved = allocate(size_bytes);
    if (moved == NULL || memory == NULL)
        return moved;
    memcpy(moved, memory, room);
    free(memory);
    return moved;
}

/* All blocks are aligned as far as anything asks for. */
void *aligned_alloc(size_t alignment, size_t size_bytes)
{
    return alignment <= ALIGNMENT ? allocate(size_bytes) : NULL;
}

#endif
