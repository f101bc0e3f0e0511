/* Laying out assets. */
#include "offline/build/asset_writer.h"

#include "unit/near.h"

static void sections_stand_at_multiples_of_64(void **state)
{
    (void)state;
    mrwi_asset_layout layout = mrwi_asset_layout_begin(100);
    assert_int_equal(mrwi_asset_layout_section(&layout, 3, 4), 128);
    assert_int_equal(mrwi_asset_layout_section(&layout, 0, 4), 192);
    assert_int_equal(mrwi_asset_layout_section(&layout, 64, 1), 192);
    assert_int_equal(mrwi_asset_layout_section(&layout, 1, 1), 256);
    mrw_bytes bytes;
    assert_int_equal(mrwi_asset_alloc(&layout, NULL, NULL, &bytes, NULL), MRW_OK);
    assert_int_equal(bytes.size_bytes, 320);
    for (size_t i = 0; i < 320; i++)
        assert_int_equal(bytes.data[i], 0);
    mrwi_asset_finish(&bytes, MRW_ASSET_CLIP, 7, 0x1234);
    const mrw_asset_header *header = NULL;
    assert_int_equal(mrw_asset_open(bytes.data, bytes.size_bytes, &header, NULL), MRW_OK);
    assert_int_equal(header->kind, MRW_ASSET_CLIP);
    assert_int_equal(header->version, 7);
    assert_int_equal(header->skeleton_id, 0x1234);
    mrw_bytes_free(&bytes);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    mrw_bytes bytes;
    mrw_error error;
    mrwi_asset_layout layout = mrwi_asset_layout_begin(64);
    mrwi_asset_layout_section(&layout, UINT64_MAX / 2, 8);
    mrwi_asset_layout_section(&layout, 1, 1); /* what follows does not make it good */
    assert_int_equal(mrwi_asset_alloc(&layout, NULL, NULL, &bytes, &error), MRW_ERR_LIMIT);
    assert_string_equal(error.detail, "asset size");
    assert_null(bytes.data);
    layout = mrwi_asset_layout_begin(64);
    mrwi_asset_layout_section(&layout, 3, (size_t)1 << 30); /* above the default of 2 GiB */
    assert_int_equal(mrwi_asset_alloc(&layout, NULL, NULL, &bytes, &error), MRW_ERR_MEMORY_LIMIT);
}

static void scratch_counts_towards_the_limits(void **state)
{
    (void)state;
    mrw_memory_options memory = mrw_memory_options_default();
    memory.separate = true;
    memory.limit_bytes = 1000;
    memory.allocation_limit = 2;
    mrwi_asset_layout layout = mrwi_asset_layout_begin(640);
    mrw_bytes bytes;
    for (int depth = 0; depth < 2; depth++) { /* the limits' own arena, or one that borrows them */
        mrwi_arena owner, borrower;
        mrwi_arena_init(&owner, &memory);
        mrwi_arena_init_scratch(&borrower, &owner);
        mrwi_arena *scratch = depth == 0 ? &owner : &borrower;
        assert_non_null(mrwi_arena_alloc(scratch, 1, 200));
        assert_int_equal(mrwi_asset_alloc(&layout, &memory, scratch, &bytes, NULL), MRW_OK);
        mrw_bytes_free(&bytes);
        mrwi_arena_free(scratch);
        owner.allocation_count = 0;
        assert_non_null(mrwi_arena_alloc(scratch, 1, 400));
        assert_int_equal(mrwi_asset_alloc(&layout, &memory, scratch, &bytes, NULL),
                         MRW_ERR_MEMORY_LIMIT);
        mrwi_arena_free(scratch);
        owner.allocation_count = 0;
        assert_non_null(mrwi_arena_alloc(scratch, 1, 1));
        assert_non_null(mrwi_arena_alloc(scratch, 1, 1));
        assert_int_equal(mrwi_asset_alloc(&layout, &memory, scratch, &bytes, NULL),
                         MRW_ERR_MEMORY_LIMIT);
        mrwi_arena_free(scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_stand_at_multiples_of_64),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(scratch_counts_towards_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
