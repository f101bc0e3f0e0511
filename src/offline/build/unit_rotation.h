/* Rotations of files as assets want them. */
#ifndef MRWI_OFFLINE_UNIT_ROTATION_H
#define MRWI_OFFLINE_UNIT_ROTATION_H

#include <marrow/math.h>

/* The rotation with unit length; the identity for one of no length. One that is of unit length as
 * well as floats can say it keeps its bits, so that an asset holds what the file held and building
 * twice changes nothing. */
static inline mrw_quat mrwi_unit_rotation(mrw_quat rotation)
{
    float squared = mrw_quat_dot(rotation, rotation);
    bool is_unit = squared >= 1.0f - 1e-6f && squared <= 1.0f + 1e-6f;
    return is_unit ? rotation : mrw_quat_normalize(rotation);
}

#endif
