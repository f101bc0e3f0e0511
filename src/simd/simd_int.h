/* Eight integers at once, for kernels that unpack bits. As simd.h: exact on every machine, scalar
 * with MRWI_SIMD_SCALAR.
 *
 *     i8                                       8 signed integers of 32 bits
 *     i8_splat  i8_add  i8_sub  i8_and         sums wrap
 *     i8_left(a, n)  i8_right(a, n)            n a constant; the sign fills up
 *     i8_less(a, b) -> m8, i8_select(m, a, b)
 *     f8_from_i8                               rounded to nearest
 *     f8_of_bits                               the floats that have these bits
 *     i8_bytes(const uint8_t *)  i8_signed_bytes     of eight bytes
 *     i8_fields(uint32_t, width)               lane i: the i-th field of width <= 4 bits, from the
 * lowest i8_lanes_below(n)                        -1 in the first n lanes, 0 elsewhere i8_sums(a)
 * lane i: the sum of lanes 0 to i i8_last(a)                               lane 7
 *     i8_signed_bits(data, bits, widths)       lane i: the number of widths[i] <= 25 bits, in two's
 *                                              complement, that begins at bit bits[i] >= 0 of data;
 * 4 bytes are read at each place
 */
#ifndef MRWI_SIMD_INT_H
#define MRWI_SIMD_INT_H

#include "simd/simd.h"

/* --- what every form shares -------------------------------------------------------------- */

MRWI_INLINE int32_t mrwi_signed_bits(const uint8_t *data, int32_t bit, int32_t width)
{
    uint32_t word;
    memcpy(&word, data + (bit >> 3), sizeof(word)); /* little-endian, as the format */
    if (width == 0)
        return 0;
    return (int32_t)(word >> (bit & 7) << (32 - width)) >> (32 - width);
}

#ifdef MRWI_SIMD_SCALAR

typedef struct i8 {
    int32_t lane[8];
} i8;

#define MRWI_INT_LANES(expression)                                                                 \
    i8 r;                                                                                          \
    for (int i = 0; i < 8; i++)                                                                    \
        r.lane[i] = (expression);                                                                  \
    return r

MRWI_INLINE i8 i8_splat(int32_t x)
{
    MRWI_INT_LANES(x);
}

MRWI_INLINE i8 i8_add(i8 a, i8 b)
{
    MRWI_INT_LANES((int32_t)((uint32_t)a.lane[i] + (uint32_t)b.lane[i]));
}

MRWI_INLINE i8 i8_sub(i8 a, i8 b)
{
    MRWI_INT_LANES((int32_t)((uint32_t)a.lane[i] - (uint32_t)b.lane[i]));
}

MRWI_INLINE i8 i8_and(i8 a, i8 b)
{
    MRWI_INT_LANES(a.lane[i] & b.lane[i]);
}

MRWI_INLINE i8 i8_left(i8 a, int n)
{
    MRWI_INT_LANES((int32_t)((uint32_t)a.lane[i] << n));
}

MRWI_INLINE i8 i8_right(i8 a, int n)
{
    MRWI_INT_LANES(a.lane[i] >> n);
}

MRWI_INLINE m8 i8_less(i8 a, i8 b)
{
    m8 r;
    for (int i = 0; i < 8; i++)
        r.lane[i] = -(a.lane[i] < b.lane[i]);
    return r;
}

MRWI_INLINE i8 i8_select(m8 mask, i8 a, i8 b)
{
    MRWI_INT_LANES(mask.lane[i] ? a.lane[i] : b.lane[i]);
}

MRWI_INLINE f8 f8_from_i8(i8 a)
{
    f8 r;
    for (int i = 0; i < 8; i++)
        r.lane[i] = (float)a.lane[i];
    return r;
}

MRWI_INLINE f8 f8_of_bits(i8 a)
{
    f8 r;
    memcpy(&r, &a, sizeof(r));
    return r;
}

MRWI_INLINE i8 i8_bytes(const uint8_t *from)
{
    MRWI_INT_LANES(from[i]);
}

MRWI_INLINE i8 i8_signed_bytes(const int8_t *from)
{
    MRWI_INT_LANES(from[i]);
}

MRWI_INLINE i8 i8_fields(uint32_t fields, int width)
{
    MRWI_INT_LANES((int32_t)(fields >> (i * width) & ((1u << width) - 1)));
}

MRWI_INLINE i8 i8_lanes_below(int32_t n)
{
    MRWI_INT_LANES(-(i < n));
}

MRWI_INLINE i8 i8_sums(i8 a)
{
    int32_t sum = 0;
    MRWI_INT_LANES((sum = (int32_t)((uint32_t)sum + (uint32_t)a.lane[i])));
}

MRWI_INLINE int32_t i8_last(i8 a)
{
    return a.lane[7];
}

MRWI_INLINE i8 i8_signed_bits(const uint8_t *data, i8 bits, i8 widths)
{
    MRWI_INT_LANES(mrwi_signed_bits(data, bits.lane[i], widths.lane[i]));
}

#undef MRWI_INT_LANES

#else

#ifdef __AVX2__

typedef m8 i8;
typedef uint32_t mrwi_u8 MRWI_VECTOR(32);

#else

typedef struct i8 {
    m4 low, high;
} i8;

#endif

typedef uint32_t mrwi_u4 MRWI_VECTOR(16);

MRWI_INLINE i8 mrwi_i8_of(const int32_t lanes[8])
{
    i8 r;
    memcpy(&r, lanes, sizeof(r));
    return r;
}

#ifdef __AVX2__

MRWI_INLINE i8 i8_splat(int32_t x)
{
    return (i8)_mm256_set1_epi32(x);
}

MRWI_INLINE i8 i8_add(i8 a, i8 b)
{
    return (i8)((mrwi_u8)a + (mrwi_u8)b);
}

MRWI_INLINE i8 i8_sub(i8 a, i8 b)
{
    return (i8)((mrwi_u8)a - (mrwi_u8)b);
}

MRWI_INLINE i8 i8_and(i8 a, i8 b)
{
    return a & b;
}

MRWI_INLINE i8 i8_left(i8 a, int n)
{
    return (i8)_mm256_slli_epi32((__m256i)a, n);
}

MRWI_INLINE i8 i8_right(i8 a, int n)
{
    return (i8)_mm256_srai_epi32((__m256i)a, n);
}

MRWI_INLINE m8 i8_less(i8 a, i8 b)
{
    return a < b;
}

MRWI_INLINE i8 i8_select(m8 mask, i8 a, i8 b)
{
    return (mask & a) | (~mask & b);
}

MRWI_INLINE f8 f8_from_i8(i8 a)
{
    return (f8)_mm256_cvtepi32_ps((__m256i)a);
}

MRWI_INLINE f8 f8_of_bits(i8 a)
{
    return (f8)a;
}

MRWI_INLINE i8 i8_bytes(const uint8_t *from)
{
    return (i8)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

MRWI_INLINE i8 i8_signed_bytes(const int8_t *from)
{
    return (i8)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

MRWI_INLINE i8 i8_fields(uint32_t fields, int width)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i shifts = _mm256_mullo_epi32(lanes, _mm256_set1_epi32(width));
    __m256i shifted = _mm256_srlv_epi32(_mm256_set1_epi32((int32_t)fields), shifts);
    return (i8)_mm256_and_si256(shifted, _mm256_set1_epi32((1 << width) - 1));
}

MRWI_INLINE i8 i8_lanes_below(int32_t n)
{
    const i8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    return lanes < i8_splat(n);
}

MRWI_INLINE i8 i8_sums(i8 a)
{
    __m256i v = (__m256i)a;
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    __m256i low = _mm256_permute2x128_si256(v, v, 0x08); /* zeros, and the low half above them */
    return (i8)_mm256_add_epi32(v, _mm256_shuffle_epi32(low, 0xff));
}

MRWI_INLINE int32_t i8_last(i8 a)
{
    return a[7];
}

MRWI_INLINE i8 i8_signed_bits(const uint8_t *data, i8 bits, i8 widths)
{
    __m256i words = _mm256_i32gather_epi32((const int *)(const void *)data,
                                           _mm256_srli_epi32((__m256i)bits, 3), 1);
    __m256i shifted =
        _mm256_srlv_epi32(words, _mm256_and_si256((__m256i)bits, _mm256_set1_epi32(7)));
    __m256i unused = _mm256_sub_epi32(_mm256_set1_epi32(32), (__m256i)widths);
    /* A shift to the left by 32 gives 0, and 0 shifted to the right by 32 is 0: no bits. */
    return (i8)_mm256_srav_epi32(_mm256_sllv_epi32(shifted, unused), unused);
}

#else

#define MRWI_INT_HALVES(expression_low, expression_high)                                           \
    i8 r = {(m4)(expression_low), (m4)(expression_high)};                                          \
    return r

MRWI_INLINE i8 i8_splat(int32_t x)
{
    const m4 half = {x, x, x, x};
    MRWI_INT_HALVES(half, half);
}

MRWI_INLINE i8 i8_add(i8 a, i8 b)
{
    MRWI_INT_HALVES((mrwi_u4)a.low + (mrwi_u4)b.low, (mrwi_u4)a.high + (mrwi_u4)b.high);
}

MRWI_INLINE i8 i8_sub(i8 a, i8 b)
{
    MRWI_INT_HALVES((mrwi_u4)a.low - (mrwi_u4)b.low, (mrwi_u4)a.high - (mrwi_u4)b.high);
}

MRWI_INLINE i8 i8_and(i8 a, i8 b)
{
    MRWI_INT_HALVES(a.low & b.low, a.high & b.high);
}

MRWI_INLINE i8 i8_left(i8 a, int n)
{
    MRWI_INT_HALVES((mrwi_u4)a.low << n, (mrwi_u4)a.high << n);
}

MRWI_INLINE i8 i8_right(i8 a, int n)
{
    MRWI_INT_HALVES(a.low >> n, a.high >> n);
}

MRWI_INLINE m8 i8_less(i8 a, i8 b)
{
    return m8_join(a.low < b.low, a.high < b.high);
}

MRWI_INLINE i8 i8_select(m8 mask, i8 a, i8 b)
{
    m4 low = m8_low(mask), high = m8_high(mask);
    MRWI_INT_HALVES((low & a.low) | (~low & b.low), (high & a.high) | (~high & b.high));
}

MRWI_INLINE f8 f8_from_i8(i8 a)
{
    return f8_join(__builtin_convertvector(a.low, f4), __builtin_convertvector(a.high, f4));
}

MRWI_INLINE f8 f8_of_bits(i8 a)
{
    return f8_join((f4)a.low, (f4)a.high);
}

MRWI_INLINE i8 i8_bytes(const uint8_t *from)
{
    const int32_t lanes[8] = {from[0], from[1], from[2], from[3],
                              from[4], from[5], from[6], from[7]};
    return mrwi_i8_of(lanes);
}

MRWI_INLINE i8 i8_signed_bytes(const int8_t *from)
{
    const int32_t lanes[8] = {from[0], from[1], from[2], from[3],
                              from[4], from[5], from[6], from[7]};
    return mrwi_i8_of(lanes);
}

MRWI_INLINE i8 i8_fields(uint32_t fields, int width)
{
    int32_t lanes[8];
    for (int i = 0; i < 8; i++)
        lanes[i] = (int32_t)(fields >> (i * width) & ((1u << width) - 1));
    return mrwi_i8_of(lanes);
}

MRWI_INLINE i8 i8_lanes_below(int32_t n)
{
    const m4 low = {0, 1, 2, 3}, high = {4, 5, 6, 7};
    const m4 limit = {n, n, n, n};
    MRWI_INT_HALVES(low < limit, high < limit);
}

MRWI_INLINE i8 i8_sums(i8 a)
{
    int32_t lanes[8];
    memcpy(lanes, &a, sizeof(lanes));
    for (int i = 1; i < 8; i++)
        lanes[i] = (int32_t)((uint32_t)lanes[i] + (uint32_t)lanes[i - 1]);
    return mrwi_i8_of(lanes);
}

MRWI_INLINE int32_t i8_last(i8 a)
{
    return a.high[3];
}

MRWI_INLINE i8 i8_signed_bits(const uint8_t *data, i8 bits, i8 widths)
{
    int32_t bit[8], width[8], lanes[8];
    memcpy(bit, &bits, sizeof(bit));
    memcpy(width, &widths, sizeof(width));
    for (int i = 0; i < 8; i++)
        lanes[i] = mrwi_signed_bits(data, bit[i], width[i]);
    return mrwi_i8_of(lanes);
}

#undef MRWI_INT_HALVES

#endif
#endif
#endif
