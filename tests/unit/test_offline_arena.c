/* The arena: alignment, zeroes, limits, and nothing left behind. */
#include "offline/memory/arena.h"

#include "unit/handmade_scene.h"
#include "unit/near.h"

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void objects_are_aligned_zeroed_and_apart(void **state)
{
    (void)state;
    for (int separate = 0; separate < 2; separate++) {
        failing_heap heap = {0, 0, 0};
        mrw_memory_options options = failing_options(&heap);
        options.separate = separate != 0;
        mrwi_arena arena;
        mrwi_arena_init(&arena, &options);
        assert_int_equal(heap.calls, 0);
        unsigned char *objects[200];
        for (size_t i = 0; i < 200; i++) {
            objects[i] = mrwi_arena_alloc(&arena, i, 37);
            assert_non_null(objects[i]);
            assert_true(((uintptr_t)objects[i] & 63) == 0);
            assert_true(is_zero(objects[i], i * 37));
            memset(objects[i], (int)i, i * 37);
        }
        for (size_t i = 0; i < 200; i++)
            for (size_t b = 0; b < i * 37; b++)
                assert_int_equal(objects[i][b], i);
        assert_true(heap.held_bytes == arena.held_bytes);
        if (separate)
            assert_int_equal(heap.calls, 200);
        else
            assert_true(heap.calls < 20);
        mrwi_arena_free(&arena);
        assert_int_equal(heap.held_bytes, 0);

        assert_non_null(mrwi_arena_alloc(&arena, 1, 1)); /* it can be used again */
        mrwi_arena_free(&arena);
        assert_int_equal(heap.held_bytes, 0);
    }
}

static void large_objects_have_room(void **state)
{
    (void)state;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    unsigned char *small = mrwi_arena_alloc(&arena, 1, 10);
    unsigned char *large = mrwi_arena_alloc(&arena, 1, (size_t)20 << 20);
    assert_true(small != NULL && large != NULL);
    memset(large, 1, (size_t)20 << 20);
    assert_true(is_zero(small, 10));
    mrwi_arena_free(&arena);
}

static void strings_are_copied(void **state)
{
    (void)state;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    assert_string_equal(mrwi_arena_string(&arena, "collarbone", 6), "collar");
    assert_string_equal(mrwi_arena_string(&arena, NULL, 0), "");
    mrwi_arena_free(&arena);
}

static void the_byte_limit_holds(void **state)
{
    (void)state;
    failing_heap heap = {0, 0, 0};
    mrw_memory_options options = failing_options(&heap);
    options.separate = false;
    options.limit_bytes = 10000;
    mrwi_arena arena;
    mrwi_arena_init(&arena, &options);
    uint32_t objects = 0;
    while (mrwi_arena_alloc(&arena, 1, 1000) != NULL) {
        objects++;
        assert_true(heap.held_bytes <= 10000);
    }
    assert_int_equal(arena.status, MRW_ERR_MEMORY_LIMIT);
    assert_in_range(objects, 7, 10);
    mrw_error error = {0};
    assert_int_equal(mrwi_arena_fail(&arena, &error, "meshes"), MRW_ERR_MEMORY_LIMIT);
    assert_string_equal(error.detail, "meshes");
    mrwi_arena_free(&arena);
    assert_int_equal(heap.held_bytes, 0);
}

static void the_allocation_limit_holds(void **state)
{
    (void)state;
    failing_heap heap = {0, 0, 0};
    mrw_memory_options options = failing_options(&heap);
    options.allocation_limit = 3;
    mrwi_arena arena;
    mrwi_arena_init(&arena, &options);
    for (int i = 0; i < 3; i++)
        assert_non_null(mrwi_arena_alloc(&arena, 1, 8));
    assert_null(mrwi_arena_alloc(&arena, 1, 8));
    assert_int_equal(arena.status, MRW_ERR_MEMORY_LIMIT);
    assert_int_equal(heap.calls, 3);
    mrwi_arena_free(&arena);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    assert_null(mrwi_arena_alloc(&arena, SIZE_MAX / 2, 4)); /* the product overflows */
    assert_int_equal(arena.status, MRW_ERR_MEMORY_LIMIT);
    assert_null(mrwi_arena_alloc(&arena, 1, SIZE_MAX));
    assert_null(mrwi_arena_alloc(&arena, 1, (size_t)3 << 30)); /* above the default of 2 GiB */
    assert_non_null(mrwi_arena_alloc(&arena, 1, 8));
    mrwi_arena_free(&arena);
}

static void a_heap_that_fails_is_reported(void **state)
{
    (void)state;
    failing_heap heap = {0, 0, 2};
    mrw_memory_options options = failing_options(&heap);
    mrwi_arena arena;
    mrwi_arena_init(&arena, &options);
    assert_non_null(mrwi_arena_alloc(&arena, 1, 8));
    assert_null(mrwi_arena_alloc(&arena, 1, 8));
    assert_int_equal(arena.status, MRW_ERR_OUT_OF_MEMORY);
    mrwi_arena_free(&arena);
    assert_int_equal(heap.held_bytes, 0);
}

static void scratch_counts_against_its_lender(void **state)
{
    (void)state;
    failing_heap heap = {0, 0, 0};
    mrw_memory_options options = failing_options(&heap);
    options.limit_bytes = 4096;
    mrwi_arena arena, scratch, deeper;
    mrwi_arena_init(&arena, &options);
    mrwi_arena_init_scratch(&scratch, &arena);
    mrwi_arena_init_scratch(&deeper, &scratch);
    assert_non_null(mrwi_arena_alloc(&arena, 1, 1024));
    assert_non_null(mrwi_arena_alloc(&scratch, 1, 1024));
    assert_non_null(mrwi_arena_alloc(&deeper, 1, 1024));
    assert_null(mrwi_arena_alloc(&scratch, 1, 1024));
    assert_int_equal(scratch.status, MRW_ERR_MEMORY_LIMIT);
    mrwi_arena_free(&deeper);
    mrwi_arena_free(&scratch);
    assert_true(heap.held_bytes == arena.held_bytes);
    assert_non_null(mrwi_arena_alloc(&arena, 1, 2048));
    assert_int_equal(arena.allocation_count, 4);
    mrwi_arena_free(&arena);
    assert_int_equal(heap.held_bytes, 0);
}

static void a_block_is_zeroed_and_limited(void **state)
{
    (void)state;
    failing_heap heap = {0, 0, 0};
    mrw_memory_options options = failing_options(&heap);
    options.limit_bytes = 1000;
    mrw_allocator allocator;
    mrw_status status;
    unsigned char *block = mrwi_block_alloc(&options, 1000, &allocator, &status);
    assert_non_null(block);
    assert_int_equal(status, MRW_OK);
    assert_true(is_zero(block, 1000));
    assert_ptr_equal(allocator.user, &heap);
    allocator.release(allocator.user, block, 1000);
    assert_null(mrwi_block_alloc(&options, 1001, &allocator, &status));
    assert_int_equal(status, MRW_ERR_MEMORY_LIMIT);
    heap.fail_at = 2;
    assert_null(mrwi_block_alloc(&options, 1, &allocator, &status));
    assert_int_equal(status, MRW_ERR_OUT_OF_MEMORY);

    block = mrwi_block_alloc(NULL, 100, &allocator, &status); /* the C library's */
    assert_true(block != NULL && ((uintptr_t)block & 63) == 0);
    allocator.release(allocator.user, block, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_aligned_zeroed_and_apart),
        cmocka_unit_test(large_objects_have_room),
        cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(the_byte_limit_holds),
        cmocka_unit_test(the_allocation_limit_holds),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(a_heap_that_fails_is_reported),
        cmocka_unit_test(scratch_counts_against_its_lender),
        cmocka_unit_test(a_block_is_zeroed_and_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
