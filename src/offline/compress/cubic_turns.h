/* Cubic rotations that whirl between their keys. */
#ifndef MRWI_CUBIC_TURNS_H
#define MRWI_CUBIC_TURNS_H

#include <marrow/offline/build.h>

/* Whether a cubic rotation comes near to the quaternion 0, or turns by more than some 120 degrees
 * in a sixteenth of the time between two keys: as where these have opposite signs. Such a turn can
 * be quicker than anything that measures it. */
bool mrwi_cubic_whirls(const mrw_track_desc *track);

#endif
