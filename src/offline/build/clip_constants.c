#include "offline/build/clip_constants.h"

#include <stdlib.h>
#include <string.h>

static uint32_t block_of(const mrwi_clip_constant *constant)
{
    return constant->joint / MRW_POSE_LANES;
}

static int compare_places(const void *left, const void *right)
{
    const mrwi_clip_constant *a = left;
    const mrwi_clip_constant *b = right;
    if (block_of(a) != block_of(b))
        return block_of(a) < block_of(b) ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->joint < b->joint ? -1 : 1;
}

/* The streams of one kind of a block: returns how many constants there are. */
static uint32_t add_streams(const mrwi_clip_constant *first, uint32_t most, mrw_clip_base *base,
                            mrwi_clip_constants *constants)
{
    uint32_t count = 0;
    for (;
         count < most && first[count].kind == first->kind && block_of(&first[count]) == base->block;
         count++)
        base->lanes[first->kind] =
            (uint8_t)(base->lanes[first->kind] | 1u << first[count].joint % MRW_POSE_LANES);
    for (uint32_t i = 0; i < mrw_track_width(first->kind); i++)
        for (uint32_t k = 0; k < count; k++)
            constants->numbers[constants->number_count++] = first[k].value[i];
    return count;
}

mrw_status mrwi_order_constants(mrwi_clip_constant *list, uint32_t count, mrwi_arena *arena,
                                mrwi_clip_constants *out_constants, mrw_error *out_error)
{
    *out_constants =
        (mrwi_clip_constants){mrwi_arena_alloc(arena, count, sizeof(*out_constants->bases)),
                              mrwi_arena_alloc(arena, (size_t)4 * count, sizeof(float)), 0, 0};
    if (out_constants->bases == NULL || out_constants->numbers == NULL)
        return mrwi_arena_fail(arena, out_error, "constants");
    if (count > 1)
        qsort(list, count, sizeof(*list), compare_places);
    for (uint32_t i = 0; i < count;) {
        mrw_clip_base *base = &out_constants->bases[out_constants->base_count++];
        *base = (mrw_clip_base){.block = block_of(&list[i])};
        while (i < count && block_of(&list[i]) == base->block)
            i += add_streams(&list[i], count - i, base, out_constants);
    }
    return MRW_OK;
}
