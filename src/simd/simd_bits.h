/* Eight numbers of a few bits, each right behind the one before, as one vector.
 *
 *     bit   0    5      12  15       23            a run: its widths are 5 7 3 8 ...
 *           |----|------|---|--------|----- ...
 *
 * Four runs share a vector of widths, for one takes no more than a byte: byte n of lane i is the
 * width of number i in run n. As all eight have less than 256 bits, sums of four runs at once do
 * not run into each other.
 *
 *     bit_runs_of(i8 widths)                     each 0 to 25
 *     bit_runs_add(runs, uint32_t sums[4])       adds how many bits each run has
 *     bit_runs_begin(runs, const uint32_t at[4]) -> bit_places: run n begins at bit at[n]
 *     bit_places_read(places, n, data)           the numbers of run n in data, in two's
 *                                                complement; n a constant. 16 bytes may be read
 *                                                where any of them begins
 *
 * A gather takes longer than all the rest. But the last of four numbers begins at most 7 + 3 * 25
 * bits behind the byte in which the first begins: 16 bytes hold all four, and where the machine
 * shuffles bytes, that brings each to its lane.
 */
#ifndef MRWI_SIMD_BITS_H
#define MRWI_SIMD_BITS_H

#include "simd/simd_int.h"

#if defined(__AVX2__) && !defined(MRWI_SIMD_SCALAR)

/* Four lanes of bytes, for a half; and the same in each half. */
#define MRWI_HALF_OF(a, b, c, d) _mm_setr_epi32((int)(a), (int)(b), (int)(c), (int)(d))
#define MRWI_HALVES_OF(a, b, c, d) _mm256_broadcastsi128_si256(MRWI_HALF_OF(a, b, c, d))

typedef struct bit_runs {
    __m256i places; /* in bits, each half from a byte of its own */
    __m256i unused; /* of 32 bits */
    __m128i totals; /* of run n in lane n */
    __m128i high;   /* from the low half's byte to the high half's, of run n in lane n */
} bit_runs;

typedef struct bit_places {
    __m256i bytes, shifts, unused;
    uint32_t low[4], high[4]; /* bytes at which a run's halves are loaded */
} bit_places;

MRWI_INLINE bit_runs bit_runs_of(i8 widths)
{
    /* Each byte of the last lane, in a lane of its own. */
    const __m128i last = MRWI_HALF_OF(0xffffff0c, 0xffffff0d, 0xffffff0e, 0xffffff0f);
    const __m256i high_half = _mm256_setr_epi32(0, 0, 0, 0, -1, -1, -1, -1);
    const __m256i sevens = _mm256_and_si256(high_half, _mm256_set1_epi8(7));
    const __m256i each = (__m256i)widths;
    __m256i ends = _mm256_add_epi32(each, _mm256_slli_si256(each, 4));
    ends = _mm256_add_epi32(ends, _mm256_slli_si256(ends, 8));
    __m256i below = _mm256_permutevar8x32_epi32(ends, _mm256_set1_epi32(3));
    __m128i low_ends = _mm256_castsi256_si128(ends);
    __m128i all_ends = _mm_add_epi32(low_ends, _mm256_extracti128_si256(ends, 1));
    bit_runs runs;
    runs.places = _mm256_add_epi32(_mm256_sub_epi32(ends, each), _mm256_and_si256(below, sevens));
    runs.unused = _mm256_sub_epi32(_mm256_set1_epi8(32), each);
    runs.totals = _mm_shuffle_epi8(all_ends, last);
    runs.high = _mm_srli_epi32(_mm_shuffle_epi8(low_ends, last), 3);
    return runs;
}

MRWI_INLINE void bit_runs_add(const bit_runs *runs, uint32_t sums[4])
{
    __m128i *to = (__m128i *)(void *)sums;
    _mm_storeu_si128(to, _mm_add_epi32(_mm_loadu_si128(to), runs->totals));
}

MRWI_INLINE bit_places bit_runs_begin(const bit_runs *runs, const uint32_t at[4])
{
    const __m128i lowest = _mm_set1_epi32(0x0c080400);
    __m128i from = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i low = _mm_srli_epi32(from, 3);
    __m128i shifts = _mm_shuffle_epi8(_mm_and_si128(from, _mm_set1_epi32(7)), lowest);
    __m256i all = _mm256_add_epi32(runs->places, _mm256_broadcastd_epi32(shifts));
    bit_places places;
    places.bytes = _mm256_and_si256(_mm256_srli_epi32(all, 3), _mm256_set1_epi8(31));
    places.shifts = _mm256_and_si256(all, _mm256_set1_epi8(7));
    places.unused = runs->unused;
    _mm_storeu_si128((__m128i *)(void *)places.low, low);
    _mm_storeu_si128((__m128i *)(void *)places.high, _mm_add_epi32(low, runs->high));
    return places;
}

MRWI_INLINE i8 bit_places_read(const bit_places *places, int n, const uint8_t *data)
{
    /* Byte n of each lane, four times; and with zeros above it. */
    const __m256i fill = _mm256_add_epi8(MRWI_HALVES_OF(0, 0x04040404, 0x08080808, 0x0c0c0c0c),
                                         _mm256_set1_epi8((char)n));
    const __m256i take = _mm256_add_epi32(
        MRWI_HALVES_OF(0xffffff00, 0xffffff04, 0xffffff08, 0xffffff0c), _mm256_set1_epi32(n));
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)(data + places->low[n]));
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(data + places->high[n]));
    __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    __m256i bytes =
        _mm256_add_epi32(_mm256_shuffle_epi8(places->bytes, fill), _mm256_set1_epi32(0x03020100));
    __m256i words = _mm256_srlv_epi32(_mm256_shuffle_epi8(both, bytes),
                                      _mm256_shuffle_epi8(places->shifts, take));
    __m256i unused = _mm256_shuffle_epi8(places->unused, take);
    /* A shift to the left by 32 gives 0, and 0 shifted to the right by 32 is 0: no bits. */
    return (i8)_mm256_srav_epi32(_mm256_sllv_epi32(words, unused), unused);
}

#undef MRWI_HALF_OF
#undef MRWI_HALVES_OF

#elif defined(__aarch64__) && !defined(MRWI_SIMD_SCALAR)

typedef struct bit_runs {
    uint32x4_t places[2]; /* in bits, each half from a byte of its own */
    uint32x4_t unused[2]; /* of 32 bits */
    uint32_t totals;
    uint32_t high; /* bytes from where the low half is loaded to where the high one is */
} bit_runs;

typedef struct bit_places {
    uint32x4_t bytes[2], shifts[2], unused[2];
    uint32_t low[4], high;
} bit_places;

MRWI_INLINE bit_runs bit_runs_of(i8 widths)
{
    const uint32x4_t zero = vdupq_n_u32(0);
    const uint32x4_t each[2] = {(uint32x4_t)widths.low, (uint32x4_t)widths.high};
    uint32x4_t ends[2];
    bit_runs runs;
    for (int half = 0; half < 2; half++) {
        ends[half] = vaddq_u32(each[half], vextq_u32(zero, each[half], 3));
        ends[half] = vaddq_u32(ends[half], vextq_u32(zero, ends[half], 2));
        runs.places[half] = vsubq_u32(ends[half], each[half]);
        runs.unused[half] = vsubq_u32(vdupq_n_u32(0x20202020), each[half]);
    }
    const uint32_t below = vgetq_lane_u32(ends[0], 3);
    runs.places[1] = vaddq_u32(runs.places[1], vdupq_n_u32(below & 0x07070707));
    runs.totals = below + vgetq_lane_u32(ends[1], 3);
    runs.high = below >> 3 & 0x1f1f1f1f;
    return runs;
}

MRWI_INLINE void bit_runs_add(const bit_runs *runs, uint32_t sums[4])
{
    for (int n = 0; n < 4; n++)
        sums[n] += runs->totals >> 8 * n & 255;
}

MRWI_INLINE bit_places bit_runs_begin(const bit_runs *runs, const uint32_t at[4])
{
    bit_places places;
    uint32_t shifts = 0;
    for (int n = 0; n < 4; n++) {
        places.low[n] = at[n] >> 3;
        shifts |= (at[n] & 7) << 8 * n;
    }
    places.high = runs->high;
    for (int half = 0; half < 2; half++) {
        uint32x4_t all = vaddq_u32(runs->places[half], vdupq_n_u32(shifts));
        places.bytes[half] = vandq_u32(vshrq_n_u32(all, 3), vdupq_n_u32(0x1f1f1f1f));
        places.shifts[half] = vandq_u32(all, vdupq_n_u32(0x07070707));
        places.unused[half] = runs->unused[half];
    }
    return places;
}

/* Byte n of each lane. */
MRWI_INLINE int32x4_t mrwi_byte_of_lanes(uint32x4_t bytes, int n)
{
    uint32x4_t shifted = vshlq_u32(bytes, vdupq_n_s32(-8 * n));
    return vreinterpretq_s32_u32(vandq_u32(shifted, vdupq_n_u32(255)));
}

MRWI_INLINE m4 mrwi_bit_half(const bit_places *places, int half, int n, const uint8_t *from)
{
    int32x4_t first = mrwi_byte_of_lanes(places->bytes[half], n);
    uint32x4_t bytes =
        vmlaq_u32(vdupq_n_u32(0x03020100), vreinterpretq_u32_s32(first), vdupq_n_u32(0x01010101));
    uint32x4_t words =
        vreinterpretq_u32_u8(vqtbl1q_u8(vld1q_u8(from), vreinterpretq_u8_u32(bytes)));
    int32x4_t shifts = mrwi_byte_of_lanes(places->shifts[half], n);
    int32x4_t unused = mrwi_byte_of_lanes(places->unused[half], n);
    words = vshlq_u32(vshlq_u32(words, vnegq_s32(shifts)), unused); /* by 32: 0 */
    return (m4)vshlq_s32(vreinterpretq_s32_u32(words), vnegq_s32(unused));
}

MRWI_INLINE i8 bit_places_read(const bit_places *places, int n, const uint8_t *data)
{
    const uint8_t *low = data + places->low[n];
    i8 r = {mrwi_bit_half(places, 0, n, low),
            mrwi_bit_half(places, 1, n, low + (places->high >> 8 * n & 255))};
    return r;
}

#else

typedef struct bit_runs {
    uint32_t widths[8];
} bit_runs;

typedef struct bit_places {
    uint32_t widths[8];
    uint32_t at[4];
} bit_places;

MRWI_INLINE bit_runs bit_runs_of(i8 widths)
{
    bit_runs runs;
    memcpy(&runs, &widths, sizeof(runs));
    return runs;
}

MRWI_INLINE void bit_runs_add(const bit_runs *runs, uint32_t sums[4])
{
    uint32_t totals = 0;
    for (int i = 0; i < 8; i++)
        totals += runs->widths[i];
    for (int n = 0; n < 4; n++)
        sums[n] += totals >> 8 * n & 255;
}

MRWI_INLINE bit_places bit_runs_begin(const bit_runs *runs, const uint32_t at[4])
{
    bit_places places;
    memcpy(places.widths, runs->widths, sizeof(places.widths));
    memcpy(places.at, at, sizeof(places.at));
    return places;
}

MRWI_INLINE i8 bit_places_read(const bit_places *places, int n, const uint8_t *data)
{
    int32_t numbers[8];
    uint32_t bit = places->at[n];
    for (int i = 0; i < 8; i++) {
        const uint32_t width = places->widths[i] >> 8 * n & 255;
        uint32_t word;
        memcpy(&word, data + (bit >> 3), sizeof(word)); /* little-endian, as the format */
        /* In two steps: a shift by 32 is not defined, and with no bits that is the sum. */
        numbers[i] = (int32_t)(word >> (bit & 7) << 1 << (31 - width)) >> 1 >> (31 - width);
        bit += width;
    }
    return mrwi_i8_of(numbers);
}

#endif
#endif
