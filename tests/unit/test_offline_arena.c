/* The arena: limits, and scratch memory that draws on another arena's. */
#include "offline/memory/arena.h"

#include "unit/handmade_scene.h"

static void limits_on_bytes_hold(void **state)
{
    (void)state;
    mrw_memory_options options = mrw_memory_options_default();
    options.limit_bytes = 10000;
    mrwi_arena arena;
    mrwi_arena_init(&arena, &options);
    assert_non_null(mrwi_arena_alloc(&arena, 100, 50));
    assert_null(mrwi_arena_alloc(&arena, 100, 50));
    assert_int_equal(arena.status, MRW_ERR_MEMORY_LIMIT);
    assert_true(arena.held_bytes <= 10000);
    assert_null(mrwi_arena_alloc(&arena, SIZE_MAX / 2, 3)); /* the product overflows */
    mrwi_arena_free(&arena);
    assert_non_null(mrwi_arena_alloc(&arena, 100, 50)); /* empty again, and usable */
    mrwi_arena_free(&arena);
}

static void scratch_counts_against_its_lender(void **state)
{
    (void)state;
    failing_heap heap = {0};
    mrw_memory_options options = failing_options(&heap);
    options.limit_bytes = 10000;
    mrwi_arena arena, scratch, inner;
    mrwi_arena_init(&arena, &options);
    mrwi_arena_init_scratch(&scratch, &arena);
    mrwi_arena_init_scratch(&inner, &scratch); /* scratch of scratch draws on the same */
    assert_non_null(mrwi_arena_alloc(&arena, 1, 3000));
    assert_non_null(mrwi_arena_alloc(&scratch, 1, 3000));
    assert_non_null(mrwi_arena_alloc(&inner, 1, 3000));
    assert_int_equal(arena.held_bytes, heap.held_bytes);
    assert_int_equal(arena.allocation_count, 3);
    assert_null(mrwi_arena_alloc(&inner, 1, 3000));
    assert_int_equal(inner.status, MRW_ERR_MEMORY_LIMIT);
    mrwi_arena_free(&inner);
    assert_non_null(mrwi_arena_alloc(&arena, 1, 3000)); /* what was given back can be had again */
    mrwi_arena_free(&scratch);
    assert_int_equal(arena.held_bytes, heap.held_bytes);
    mrwi_arena_free(&arena);
    assert_int_equal(heap.held_bytes, 0);
}

static void limits_on_allocations_are_shared(void **state)
{
    (void)state;
    mrw_memory_options options = mrw_memory_options_default();
    options.separate = true;
    options.allocation_limit = 2;
    mrwi_arena arena, scratch;
    mrwi_arena_init(&arena, &options);
    mrwi_arena_init_scratch(&scratch, &arena);
    assert_non_null(mrwi_arena_alloc(&scratch, 1, 1));
    assert_non_null(mrwi_arena_alloc(&arena, 1, 1));
    assert_null(mrwi_arena_alloc(&scratch, 1, 1));
    mrwi_arena_free(&scratch);
    assert_null(mrwi_arena_alloc(&arena, 1, 1)); /* made is made: only bytes come back */
    assert_int_equal(arena.status, MRW_ERR_MEMORY_LIMIT);
    mrwi_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_on_bytes_hold),
        cmocka_unit_test(scratch_counts_against_its_lender),
        cmocka_unit_test(limits_on_allocations_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
