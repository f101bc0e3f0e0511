/* The times of a clip's keys, where nothing is lost between them. */
#ifndef MRWI_KEY_TIMES_H
#define MRWI_KEY_TIMES_H

#include <marrow/clip.h>

#include "offline/memory/arena.h"

/* All different times at which linear tracks have keys, ascending; none if there is a track that
 * moves otherwise between its keys (jumps do not count: they are no samples). NULL if memory ran
 * out. */
const float *mrwi_key_times(const mrw_clip *clip, mrwi_arena *arena, uint32_t *out_count);

#endif
