/* Fewer keys for a track that stays keyed. */
#ifndef MRWI_KEY_REDUCTION_H
#define MRWI_KEY_REDUCTION_H

#include <marrow/offline/build.h>

#include "offline/memory/arena.h"

/* Leaves out the keys without which the track stays within `tolerance` of itself: rad for a
 * rotation, units for a translation, the number for a scale and a scalar. *out_track: the track as
 * it is, or arrays in the arena. False if memory ran out. */
bool mrwi_reduce_keys(const mrw_track_desc *track, double tolerance, mrwi_arena *arena,
                      mrw_track_desc *out_track);

#endif
