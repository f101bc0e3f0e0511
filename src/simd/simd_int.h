/* Eight integers at once, for kernels that unpack bits. As simd.h: exact on every machine, scalar
 * with MRWI_SIMD_SCALAR.
 *
 *     i8                                 8 signed integers of 32 bits
 *     i8_load  i8_store  i8_splat
 *     i8_add  i8_sub  i8_and             sums wrap
 *     i8_left(a, n)  i8_right(a, n)      n a constant; the sign fills up
 *     i8_less(a, b) -> m8
 *     i8_select(mask, a, b)              a's bits where mask has 1, b's where it has 0
 *     f8_from_i8                         rounded to nearest
 *     f8_of_bits                         the floats that have these bits
 *     i8_bytes(const uint8_t *)  i8_signed_bytes       of eight bytes
 *     i8_nibbles(uint32_t)               lane i: four bits, from the lowest on
 *     i8_lanes_below(n)                  -1 in the first n lanes, 0 elsewhere
 *     i8_look_up(table, a)               lane i: the a[i]-th four bytes of a table, little-endian
 */
#ifndef MRWI_SIMD_INT_H
#define MRWI_SIMD_INT_H

#include "simd/simd.h"

#ifdef MRWI_SIMD_SCALAR

typedef struct i8 {
    int32_t lane[8];
} i8;

#define MRWI_INT_LANES(expression)                                                                 \
    i8 r;                                                                                          \
    for (int i = 0; i < 8; i++)                                                                    \
        r.lane[i] = (expression);                                                                  \
    return r

MRWI_INLINE i8 mrwi_i8_of(const int32_t lanes[8])
{
    MRWI_INT_LANES(lanes[i]);
}

MRWI_INLINE i8 i8_load(const int32_t *from)
{
    return mrwi_i8_of(from);
}

MRWI_INLINE void i8_store(int32_t *to, i8 a)
{
    memcpy(to, a.lane, sizeof(a.lane));
}

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

MRWI_INLINE i8 i8_select(i8 mask, i8 a, i8 b)
{
    MRWI_INT_LANES((mask.lane[i] & a.lane[i]) | (~mask.lane[i] & b.lane[i]));
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

MRWI_INLINE i8 i8_nibbles(uint32_t nibbles)
{
    MRWI_INT_LANES((int32_t)(nibbles >> 4 * i & 15));
}

MRWI_INLINE i8 i8_lanes_below(int32_t n)
{
    MRWI_INT_LANES(-(i < n));
}

MRWI_INLINE i8 i8_look_up(const void *table, i8 a)
{
    i8 r;
    for (int i = 0; i < 8; i++)
        memcpy(&r.lane[i], (const uint8_t *)table + 4 * (size_t)a.lane[i], sizeof(r.lane[i]));
    return r;
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

#ifdef __AVX2__

typedef m8 mrwi_m8_anywhere __attribute__((aligned(1), may_alias));

MRWI_INLINE i8 i8_load(const int32_t *from)
{
    return *(const mrwi_m8_anywhere *)from;
}

MRWI_INLINE void i8_store(int32_t *to, i8 a)
{
    *(mrwi_m8_anywhere *)to = a;
}

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

MRWI_INLINE i8 i8_select(i8 mask, i8 a, i8 b)
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

MRWI_INLINE i8 i8_nibbles(uint32_t nibbles)
{
    const __m256i places = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    __m256i shifted = _mm256_srlv_epi32(_mm256_set1_epi32((int32_t)nibbles), places);
    return (i8)_mm256_and_si256(shifted, _mm256_set1_epi32(15));
}

MRWI_INLINE i8 i8_look_up(const void *table, i8 a)
{
    return (i8)_mm256_i32gather_epi32(table, (__m256i)a, 4);
}

MRWI_INLINE i8 i8_lanes_below(int32_t n)
{
    const i8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    return lanes < i8_splat(n);
}

#else

/* (Through memory it would be eight small stores that one large load has to wait for.) */
MRWI_INLINE i8 mrwi_i8_of(const int32_t lanes[8])
{
    const m4 low = {lanes[0], lanes[1], lanes[2], lanes[3]};
    const m4 high = {lanes[4], lanes[5], lanes[6], lanes[7]};
    return (i8){low, high};
}

#define MRWI_INT_HALVES(expression_low, expression_high)                                           \
    i8 r = {(m4)(expression_low), (m4)(expression_high)};                                          \
    return r

typedef m4 mrwi_m4_anywhere __attribute__((aligned(1), may_alias));

MRWI_INLINE i8 i8_load(const int32_t *from)
{
    MRWI_INT_HALVES(*(const mrwi_m4_anywhere *)from, *(const mrwi_m4_anywhere *)(from + 4));
}

MRWI_INLINE void i8_store(int32_t *to, i8 a)
{
    *(mrwi_m4_anywhere *)to = a.low;
    *(mrwi_m4_anywhere *)(to + 4) = a.high;
}

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

MRWI_INLINE i8 i8_select(i8 mask, i8 a, i8 b)
{
    MRWI_INT_HALVES((mask.low & a.low) | (~mask.low & b.low),
                    (mask.high & a.high) | (~mask.high & b.high));
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

MRWI_INLINE i8 i8_nibbles(uint32_t nibbles)
{
    int32_t lanes[8];
    for (int i = 0; i < 8; i++)
        lanes[i] = (int32_t)(nibbles >> 4 * i & 15);
    return mrwi_i8_of(lanes);
}

MRWI_INLINE i8 i8_lanes_below(int32_t n)
{
    const m4 low = {0, 1, 2, 3}, high = {4, 5, 6, 7};
    const m4 limit = {n, n, n, n};
    MRWI_INT_HALVES(low < limit, high < limit);
}

MRWI_INLINE i8 i8_look_up(const void *table, i8 a)
{
    int32_t indices[8], lanes[8];
    i8_store(indices, a);
    for (int i = 0; i < 8; i++)
        memcpy(&lanes[i], (const uint8_t *)table + 4 * (size_t)indices[i], sizeof(lanes[i]));
    return mrwi_i8_of(lanes);
}

#undef MRWI_INT_HALVES

#endif
#endif
#endif
