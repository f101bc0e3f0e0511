/* The number that a share of many does not exceed, in passes over them and without sorting. */
#ifndef MRWI_PERCENTILE_H
#define MRWI_PERCENTILE_H

#include <stddef.h>
#include <stdint.h>

enum { MRWI_PERCENTILE_BINS = 2048 };

/* values: [count], at least one, none of them negative or NaN. share: 0 to 1. bins: scratch. */
double mrwi_percentile(const float *values, size_t count, double share,
                       size_t bins[MRWI_PERCENTILE_BINS]);

#endif
