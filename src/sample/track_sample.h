/* One track at one time. */
#ifndef MRWI_TRACK_SAMPLE_H
#define MRWI_TRACK_SAMPLE_H

#include <marrow/clip.h>

#include "sample/key_position.h"

/* The value there of a loose track: a linear one is a scalar's: mrw_track_width floats. Rotations
 * come out with unit length. */
void mrwi_sample_track(const mrw_clip *clip, const mrw_track *track,
                       const mrwi_key_position *position, float out_value[4]);

#endif
