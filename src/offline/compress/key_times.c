#include "offline/compress/key_times.h"

#include "clip/track_order.h"

#include <stdlib.h>
#include <string.h>

static int compare_times(const void *left, const void *right)
{
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* A curve that is no line between its keys. */
static bool is_bent(const mrw_clip *clip, const mrw_track *track)
{
    return track->interpolation == MRW_INTERPOLATION_CUBIC &&
           mrwi_track_find_role(track, clip->values) != MRWI_TRACK_CONSTANT;
}

/* Steps are never samples, what stays needs none, and most tracks have the times of the one
 * before. */
static bool has_new_times(const mrw_clip *clip, uint32_t index)
{
    const mrw_track *track = &clip->tracks[index];
    const bool is_known = index > 0 && track[-1].times_offset == track->times_offset &&
                          track[-1].interpolation == track->interpolation;
    return !is_known && track->interpolation == MRW_INTERPOLATION_LINEAR && track->key_count > 1;
}

const float *mrwi_key_times(const mrw_clip *clip, mrwi_arena *arena, uint32_t *out_count)
{
    uint64_t most = 0;
    bool are_bent = false;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        are_bent |= is_bent(clip, &clip->tracks[i]);
        most += has_new_times(clip, i) ? clip->tracks[i].key_count : 0;
    }
    *out_count = 0;
    float *times = most <= SIZE_MAX ? mrwi_arena_alloc(arena, (size_t)most, sizeof(float)) : NULL;
    if (times == NULL || are_bent)
        return times;
    size_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const mrw_track *track = &clip->tracks[i];
        if (!has_new_times(clip, i))
            continue;
        memcpy(times + count, clip->times + track->times_offset, track->key_count * sizeof(float));
        count += track->key_count;
    }
    if (count > 1)
        qsort(times, count, sizeof(float), compare_times);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || times[i] > times[*out_count - 1])
            times[(*out_count)++] = times[i];
    return times;
}
