/* Some lanes of eight, whose numbers stand side by side in memory. As simd.h: exact on every
 * machine, scalar with MRWI_SIMD_SCALAR.
 *
 *     lanes 0 0 1 0 1 1 0 0     over  u0 u1 u2 u3 u4 u5 u6 u7     from  a b c
 *                               to    u0 u1 a  u3 b  c  u6 u7
 */
#ifndef MRWI_SIMD_SPREAD_H
#define MRWI_SIMD_SPREAD_H

#include "simd/simd_int.h"

#if defined(__AVX2__) && !defined(MRWI_SIMD_SCALAR)

/* Which of the eight floats that end with a stream's last one belongs to a lane: those before may
 * be anything. */
typedef struct spread {
    m8 is_set;
    i8 places;
    uint32_t count;
} spread;

MRWI_INLINE spread spread_of(uint32_t lanes)
{
    /* In bytes: 1 for each lane that is set; how many up to each are. */
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t in_place = (uint64_t)lanes * ones & 0x8040201008040201u;
    const uint64_t set = (in_place + 0x7f7f7f7f7f7f7f7fu) >> 7 & ones;
    const uint64_t ranks = set * ones;
    const uint32_t count = (uint32_t)(ranks >> 56);
    const uint64_t places = ranks + (uint64_t)(7 - count) * ones;
    spread result = {i8_less(i8_splat(0), i8_bytes((const uint8_t *)&set)),
                     i8_bytes((const uint8_t *)&places), count};
    return result;
}

#endif

/* Spreads stream_count streams of the numbers of `lanes`, at least one and at most seven of eight,
 * over streams of eight. Before `from` stand at least seven floats of whatever. Returns the end of
 * what was read. */
MRWI_INLINE const float *f8_spread(const float *from, uint32_t lanes, const float *over,
                                   int stream_count, float *to)
{
#if defined(__AVX2__) && !defined(MRWI_SIMD_SCALAR)
    const spread how = spread_of(lanes);
    for (int i = 0; i < stream_count; i++) {
        from += how.count;
        const __m256 numbers = _mm256_loadu_ps(from - 8);
        const f8 placed = (f8)_mm256_permutevar8x32_ps(numbers, (__m256i)how.places);
        f8_store(to + i * 8, f8_select(how.is_set, placed, f8_load(over + i * 8)));
    }
    return from;
#else
    uint32_t count = 0;
    for (int i = 0; i < stream_count; i++)
        f8_store(to + i * 8, f8_load(over + i * 8));
    for (uint32_t lane = 0; lane < 8; lane++)
        count += lanes >> lane & 1;
    for (uint32_t lane = 0, rank = 0; lane < 8; lane++) {
        if ((lanes >> lane & 1) == 0)
            continue;
        for (int i = 0; i < stream_count; i++)
            to[(uint32_t)i * 8 + lane] = from[(uint32_t)i * count + rank];
        rank++;
    }
    return from + (size_t)stream_count * count;
#endif
}

#endif
