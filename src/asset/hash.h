/* The 64-bit hash behind mrw_asset_checksum and skeleton ids, one 8-byte word at a time.
 * docs/format/asset_v1.md defines it for other implementations. */
#ifndef MRWI_ASSET_HASH_H
#define MRWI_ASSET_HASH_H

#include <marrow/base.h>

#define MRWI_HASH_MULTIPLIER 0x9e3779b97f4a7c15u

/* Every step is a bijection of the state and of the word: two inputs of one size that differ in a
 * single word never have the same hash. */
static inline uint64_t mrwi_hash_word(uint64_t state, uint64_t word)
{
    uint64_t mixed = (state ^ word) * MRWI_HASH_MULTIPLIER;
    return mixed ^ (mixed >> 32);
}

/* The state before the first word. The size stands in it, so that the zeros that fill up the
 * last word are no ambiguity. */
static inline uint64_t mrwi_hash_begin(uint64_t size_bytes)
{
    return mrwi_hash_word(0, size_bytes);
}

#endif
