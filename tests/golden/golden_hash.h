/* FNV-1a over bytes. */
#ifndef TESTS_GOLDEN_HASH_H
#define TESTS_GOLDEN_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct hash {
    uint64_t value;
} hash;

static inline hash hash_begin(void)
{
    return (hash){0xcbf29ce484222325u};
}

static inline void hash_add(hash *h, const void *values, size_t size_bytes)
{
    const unsigned char *bytes = values;
    for (size_t i = 0; i < size_bytes; i++)
        h->value = (h->value ^ bytes[i]) * 0x100000001b3u;
}

#endif
