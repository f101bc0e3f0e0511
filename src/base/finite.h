/* isfinite without <math.h>, and exact: a float is finite unless its exponent is all ones. */
#ifndef MRWI_BASE_FINITE_H
#define MRWI_BASE_FINITE_H

#include <marrow/base.h>

#include <string.h>

static inline bool mrwi_is_finite(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return (bits & 0x7f800000u) != 0x7f800000u;
}

static inline bool mrwi_all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!mrwi_is_finite(values[i]))
            return false;
    return true;
}

#endif
