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

#elif defined(__wasm_simd128__) && !defined(MRWI_SIMD_SCALAR)

/* Of a half's lanes: of the four floats that end with the last one of its lanes that which
 * belongs to a lane, as places of its bytes; negative in the others. */
MRWI_INLINE v128_t spread_of_half(uint32_t lanes, uint32_t *out_count)
{
    /* By the lanes: places of their floats' first bytes, from lane 0's, the lowest byte, on. */
    static const uint32_t places[16] = {
        0x80808080, 0x8080800c, 0x80800c80, 0x80800c08, 0x800c8080, 0x800c8008,
        0x800c0880, 0x800c0804, 0x0c808080, 0x0c808008, 0x0c800880, 0x0c800804,
        0x0c088080, 0x0c088004, 0x0c080480, 0x0c080400,
    };
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const v128_t four = wasm_i32x4_splat((int32_t)places[lanes]);
    *out_count = counts[lanes];
    return wasm_i8x16_add(
        wasm_i8x16_shuffle(four, four, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
        wasm_i32x4_splat(0x03020100));
}

MRWI_INLINE void spread_half(const float *end, v128_t places, const float *over, float *to)
{
    const v128_t is_other = wasm_i8x16_lt(places, wasm_i8x16_splat(0));
    const v128_t placed = wasm_i8x16_swizzle(wasm_v128_load(end - 4), places); /* or 0 */
    wasm_v128_store(to, wasm_v128_or(placed, wasm_v128_and(wasm_v128_load(over), is_other)));
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
#elif defined(__wasm_simd128__) && !defined(MRWI_SIMD_SCALAR)
    uint32_t low_count, high_count;
    const v128_t low = spread_of_half(lanes & 15, &low_count);
    const v128_t high = spread_of_half(lanes >> 4, &high_count);
    const uint32_t count = low_count + high_count;
    for (int i = 0; i < stream_count; i++) {
        const float *stream = from + (uint32_t)i * count;
        spread_half(stream + low_count, low, over + i * 8, to + i * 8);
        spread_half(stream + count, high, over + i * 8 + 4, to + i * 8 + 4);
    }
    return from + (uint32_t)stream_count * count;
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
