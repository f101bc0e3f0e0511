#include "offline/compress/percentile.h"

#include <string.h>

/* Of numbers that are not negative the order of bits is that of values. */
static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* The number of rank `rank`: bits from the highest downwards, 11 at a time. */
static double ranked(const float *values, size_t count, size_t rank, size_t *bins)
{
    uint32_t prefix = 0;
    for (int shift = 21; shift >= -1; shift -= 11) {
        const uint32_t low = shift < 0 ? 0 : (uint32_t)shift;
        const uint32_t high = shift == 21 ? 32 : low + (shift < 0 ? 10 : 11);
        memset(bins, 0, MRWI_PERCENTILE_BINS * sizeof(*bins));
        for (size_t i = 0; i < count; i++) {
            const uint32_t bits = bits_of(values[i]);
            if (shift == 21 || bits >> high == prefix >> high)
                bins[(bits >> low) & (MRWI_PERCENTILE_BINS - 1)]++;
        }
        uint32_t bin = 0;
        while (rank >= bins[bin])
            rank -= bins[bin++];
        prefix = prefix | bin << low;
    }
    float value;
    memcpy(&value, &prefix, sizeof(value));
    return (double)value;
}

double mrwi_percentile(const float *values, size_t count, double share,
                       size_t bins[MRWI_PERCENTILE_BINS])
{
    const double rank = share * (double)count;
    const size_t below = (size_t)rank;
    const size_t at = below > 0 && (double)below == rank ? below - 1
                      : below < count                    ? below
                                                         : count - 1;
    return ranked(values, count, at, bins);
}
