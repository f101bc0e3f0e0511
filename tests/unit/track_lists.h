/* Completes a clip that a test has put together without the builder: what stands in the asset for
 * the order of sampling, worked out from its tracks. */
#ifndef TESTS_TRACK_LISTS_H
#define TESTS_TRACK_LISTS_H

#include "clip/track_order.h"

enum { TRACK_LISTS_MOST = 1024, TRACK_LISTS_BLOCKS = 64 };

typedef struct track_lists {
    mrw_clip_base bases[TRACK_LISTS_BLOCKS];
    mrw_pose_block base_blocks[TRACK_LISTS_BLOCKS];
    mrw_clip_moving moving[TRACK_LISTS_MOST];
    uint32_t loose[TRACK_LISTS_MOST];
} track_lists;

/* The clip points into the lists from then on. Its tracks are valid and sorted, and few. */
static inline void track_lists_fill(track_lists *lists, mrw_clip *clip)
{
    clip->base_count = clip->moving_count = clip->loose_count = 0;
    mrwi_base_walk walk = mrwi_base_walk_begin(clip->tracks, clip->track_count);
    while (mrwi_base_walk_next(&walk, clip->tracks, clip->values, &lists->bases[clip->base_count],
                               &lists->base_blocks[clip->base_count]))
        clip->base_count++;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        mrwi_track_role role = mrwi_track_find_role(&clip->tracks[i], clip->values);
        if (role == MRWI_TRACK_LOOSE)
            lists->loose[clip->loose_count++] = i;
        if (role != MRWI_TRACK_MOVING)
            continue;
        uint32_t at = clip->moving_count++;
        for (; at > 0 && mrwi_moving_precedes(clip->tracks, i, lists->moving[at - 1].track); at--)
            lists->moving[at] = lists->moving[at - 1];
        lists->moving[at] = mrwi_moving_of(clip->tracks, i);
    }
    clip->bases = lists->bases;
    clip->base_blocks = lists->base_blocks;
    clip->moving = lists->moving;
    clip->loose = lists->loose;
}

#endif
