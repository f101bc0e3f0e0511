/* Damaging assets: every truncation, and flipped bits with a checksum that is right again, so that
 * the checks behind the checksum meet them. */
#ifndef TESTS_ASSET_DAMAGE_H
#define TESTS_ASSET_DAMAGE_H

#include <marrow/asset.h>

#include "unit/near.h"

#include <stdlib.h>

/* Opens bytes, and reads everything that the view points to if they are accepted. */
typedef mrw_status open_function(const void *bytes, size_t size_bytes, mrw_error *out_error);

/* Each prefix of the asset, in a block of exactly its size, so that a sanitizer sees every read
 * past it. */
static inline void assert_truncations_refused(const void *asset, size_t size_bytes,
                                              open_function *open)
{
    for (size_t size = 0; size < size_bytes; size++) {
        void *copy = malloc(size > 0 ? size : 1);
        assert_non_null(copy);
        memcpy(copy, asset, size);
        mrw_error error;
        assert_int_equal(open(copy, size, &error), MRW_ERR_TRUNCATED);
        assert_int_equal(error.status, MRW_ERR_TRUNCATED);
        free(copy);
    }
}

/* Makes the checksum right again. */
static inline void seal_asset(void *asset)
{
    mrw_asset_header *header = asset;
    header->checksum = mrw_asset_checksum(header + 1, (size_t)header->size_bytes - sizeof(*header));
}

static inline void *copy_with_flipped_bit(const void *asset, size_t size_bytes, size_t bit,
                                          bool sealed)
{
    unsigned char *copy = malloc(size_bytes);
    assert_non_null(copy);
    memcpy(copy, asset, size_bytes);
    copy[bit / 8] = (unsigned char)(copy[bit / 8] ^ (1u << (bit % 8)));
    if (sealed) {
        mrw_asset_header *header = (mrw_asset_header *)(void *)copy;
        header->checksum = mrw_asset_checksum(copy + sizeof(*header), size_bytes - sizeof(*header));
    }
    return copy;
}

/* Every single flipped bit behind the header breaks the checksum. Sealed again, it is refused with
 * a reason or it is another valid asset, and reading all of that stays inside the block. */
static inline void assert_flips_harmless(const void *asset, size_t size_bytes, open_function *open)
{
    for (size_t bit = 0; bit < size_bytes * 8; bit++) {
        mrw_error error;
        void *damaged = copy_with_flipped_bit(asset, size_bytes, bit, false);
        if (bit / 8 >= sizeof(mrw_asset_header))
            assert_int_equal(open(damaged, size_bytes, &error), MRW_ERR_BAD_CHECKSUM);
        else
            open(damaged, size_bytes, &error);
        free(damaged);

        damaged = copy_with_flipped_bit(asset, size_bytes, bit, true);
        error.status = MRW_OK;
        mrw_status status = open(damaged, size_bytes, &error);
        assert_int_equal(status, error.status);
        if (status != MRW_OK && (error.detail[0] == '\0' || error.message[0] == '\0'))
            fail_msg("bit %zu is refused without a reason", bit);
        free(damaged);
    }
}

#endif
