/* simd.h over the vector types of gcc and clang. Include simd.h.
 *
 * Compilers turn +, < and shuffles of these types into the instructions of the machine that the
 * file is compiled for. A type wider than its registers they handle badly (gcc takes such vectors
 * through memory and compares them lane by lane), so without 32-byte registers f8 and d4 are pairs.
 * What has no operator comes from the machine's own header.
 */
#ifndef MRWI_SIMD_VECTOR_H
#define MRWI_SIMD_VECTOR_H

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/* That 32-byte vectors would be passed in other registers with AVX than without: no function here
 * is called. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define MRWI_VECTOR(size_bytes) __attribute__((vector_size(size_bytes)))

typedef float f4 MRWI_VECTOR(16);
typedef int32_t m4 MRWI_VECTOR(16);
typedef double mrwi_d2 MRWI_VECTOR(16);
typedef int64_t mrwi_n2 MRWI_VECTOR(16);

#ifdef __AVX2__
typedef float f8 MRWI_VECTOR(32);
typedef int32_t m8 MRWI_VECTOR(32);
typedef double d4 MRWI_VECTOR(32);
typedef int64_t n4 MRWI_VECTOR(32);
#else
typedef struct f8 {
    f4 low, high;
} f8;

typedef struct m8 {
    m4 low, high;
} m8;

typedef struct d4 {
    mrwi_d2 low, high;
} d4;

typedef struct n4 {
    mrwi_n2 low, high;
} n4;
#endif

/* --- what has no operator ------------------------------------------------------------ */

#if defined(__SSE2__)

MRWI_INLINE f4 f4_sqrt(f4 a)
{
    return (f4)_mm_sqrt_ps(a);
}

MRWI_INLINE mrwi_d2 mrwi_d2_sqrt(mrwi_d2 a)
{
    return (mrwi_d2)_mm_sqrt_pd(a);
}

MRWI_INLINE bool m4_any(m4 a)
{
    return _mm_movemask_epi8((__m128i)a) != 0;
}

MRWI_INLINE bool m4_all(m4 a)
{
    return _mm_movemask_epi8((__m128i)a) == 0xffff;
}

MRWI_INLINE mrwi_d2 mrwi_d2_from_low(f4 a)
{
    return (mrwi_d2)_mm_cvtps_pd(a);
}

MRWI_INLINE mrwi_d2 mrwi_d2_from_high(f4 a)
{
    return (mrwi_d2)_mm_cvtps_pd(_mm_movehl_ps(a, a));
}

MRWI_INLINE f4 mrwi_f4_from_d2(mrwi_d2 low, mrwi_d2 high)
{
    return (f4)_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

#elif defined(__aarch64__)

MRWI_INLINE f4 f4_sqrt(f4 a)
{
    return (f4)vsqrtq_f32((float32x4_t)a);
}

MRWI_INLINE mrwi_d2 mrwi_d2_sqrt(mrwi_d2 a)
{
    return (mrwi_d2)vsqrtq_f64((float64x2_t)a);
}

MRWI_INLINE bool m4_any(m4 a)
{
    return vmaxvq_u32((uint32x4_t)a) != 0;
}

MRWI_INLINE bool m4_all(m4 a)
{
    return vminvq_u32((uint32x4_t)a) != 0;
}

MRWI_INLINE mrwi_d2 mrwi_d2_from_low(f4 a)
{
    return (mrwi_d2)vcvt_f64_f32(vget_low_f32((float32x4_t)a));
}

MRWI_INLINE mrwi_d2 mrwi_d2_from_high(f4 a)
{
    return (mrwi_d2)vcvt_high_f64_f32((float32x4_t)a);
}

MRWI_INLINE f4 mrwi_f4_from_d2(mrwi_d2 low, mrwi_d2 high)
{
    return (f4)vcvt_high_f32_f64(vcvt_f32_f64((float64x2_t)low), (float64x2_t)high);
}

#elif defined(__wasm_simd128__)

MRWI_INLINE f4 f4_sqrt(f4 a)
{
    return (f4)wasm_f32x4_sqrt((v128_t)a);
}

MRWI_INLINE mrwi_d2 mrwi_d2_sqrt(mrwi_d2 a)
{
    return (mrwi_d2)wasm_f64x2_sqrt((v128_t)a);
}

MRWI_INLINE bool m4_any(m4 a)
{
    return wasm_v128_any_true((v128_t)a);
}

MRWI_INLINE bool m4_all(m4 a)
{
    return wasm_i32x4_all_true((v128_t)a);
}

MRWI_INLINE mrwi_d2 mrwi_d2_from_low(f4 a)
{
    return (mrwi_d2)wasm_f64x2_promote_low_f32x4((v128_t)a);
}

MRWI_INLINE mrwi_d2 mrwi_d2_from_high(f4 a)
{
    return mrwi_d2_from_low(__builtin_shufflevector(a, a, 2, 3, 2, 3));
}

MRWI_INLINE f4 mrwi_f4_from_d2(mrwi_d2 low, mrwi_d2 high)
{
    f4 a = (f4)wasm_f32x4_demote_f64x2_zero((v128_t)low);
    f4 b = (f4)wasm_f32x4_demote_f64x2_zero((v128_t)high);
    return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}

#endif

/* --- one vector ---------------------------------------------------------------------- */

/* (memcpy would do too, but makes gcc load and store such vectors as integers, and without AVX by
 * two instructions.) */
#define MRWI_VECTOR_TYPE(V, M, T, splat, sign)                                                     \
    typedef V V##_anywhere __attribute__((aligned(1), may_alias));                                 \
    MRWI_INLINE V V##_load(const T *from)                                                          \
    {                                                                                              \
        return *(const V##_anywhere *)from;                                                        \
    }                                                                                              \
    MRWI_INLINE void V##_store(T *to, V a)                                                         \
    {                                                                                              \
        *(V##_anywhere *)to = a;                                                                   \
    }                                                                                              \
    MRWI_INLINE V V##_splat(T x)                                                                   \
    {                                                                                              \
        return (V)splat;                                                                           \
    }                                                                                              \
    MRWI_INLINE V V##_zero(void)                                                                   \
    {                                                                                              \
        return (V){0};                                                                             \
    }                                                                                              \
    MRWI_INLINE V V##_add(V a, V b)                                                                \
    {                                                                                              \
        return a + b;                                                                              \
    }                                                                                              \
    MRWI_INLINE V V##_sub(V a, V b)                                                                \
    {                                                                                              \
        return a - b;                                                                              \
    }                                                                                              \
    MRWI_INLINE V V##_mul(V a, V b)                                                                \
    {                                                                                              \
        return a * b;                                                                              \
    }                                                                                              \
    MRWI_INLINE V V##_div(V a, V b)                                                                \
    {                                                                                              \
        return a / b;                                                                              \
    }                                                                                              \
    MRWI_INLINE V V##_neg(V a)                                                                     \
    {                                                                                              \
        return (V)((M)a ^ sign);                                                                   \
    }                                                                                              \
    MRWI_INLINE V V##_abs(V a)                                                                     \
    {                                                                                              \
        return (V)((M)a & ~sign);                                                                  \
    }                                                                                              \
    MRWI_INLINE V V##_flip_sign(V a, V b)                                                          \
    {                                                                                              \
        return (V)((M)a ^ ((M)b & sign));                                                          \
    }                                                                                              \
    MRWI_INLINE M V##_less(V a, V b)                                                               \
    {                                                                                              \
        return (M)(a < b);                                                                         \
    }                                                                                              \
    MRWI_INLINE M V##_less_equal(V a, V b)                                                         \
    {                                                                                              \
        return (M)(a <= b);                                                                        \
    }                                                                                              \
    MRWI_INLINE M V##_equal(V a, V b)                                                              \
    {                                                                                              \
        return (M)(a == b);                                                                        \
    }                                                                                              \
    MRWI_INLINE M M##_and(M a, M b)                                                                \
    {                                                                                              \
        return a & b;                                                                              \
    }                                                                                              \
    MRWI_INLINE M M##_or(M a, M b)                                                                 \
    {                                                                                              \
        return a | b;                                                                              \
    }                                                                                              \
    MRWI_INLINE M M##_not(M a)                                                                     \
    {                                                                                              \
        return ~a;                                                                                 \
    }

/* (Without AVX2, where the instruction is missing or, on older machines, slower.) */
#define MRWI_VECTOR_SELECT(V, M)                                                                   \
    MRWI_INLINE V V##_select(M mask, V a, V b)                                                     \
    {                                                                                              \
        return (V)((mask & (M)a) | (~mask & (M)b));                                                \
    }

#define MRWI_SIGN_FLOAT INT32_MIN
#define MRWI_SIGN_DOUBLE INT64_MIN
#define MRWI_LIST(...)                                                                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

MRWI_VECTOR_TYPE(f4, m4, float, MRWI_LIST(x, x, x, x), MRWI_SIGN_FLOAT)

/* Adding -0 changes nothing, not even a zero's sign. */
MRWI_INLINE f4 f4_add_fourth(f4 a, f4 b)
{
    f4 nothing = f4_splat(-0.0f);
    return a + __builtin_shufflevector(nothing, b, 0, 1, 2, 7);
}

#ifdef __AVX2__

MRWI_VECTOR_TYPE(f8, m8, float, MRWI_LIST(x, x, x, x, x, x, x, x), MRWI_SIGN_FLOAT)
MRWI_VECTOR_TYPE(d4, n4, double, MRWI_LIST(x, x, x, x), MRWI_SIGN_DOUBLE)

MRWI_INLINE f4 f4_select(m4 mask, f4 a, f4 b)
{
    return (f4)_mm_blendv_ps(b, a, (__m128)mask);
}

MRWI_INLINE f8 f8_select(m8 mask, f8 a, f8 b)
{
    return (f8)_mm256_blendv_ps(b, a, (__m256)mask);
}

MRWI_INLINE d4 d4_select(n4 mask, d4 a, d4 b)
{
    return (d4)_mm256_blendv_pd(b, a, (__m256d)mask);
}

MRWI_INLINE f8 f8_sqrt(f8 a)
{
    return (f8)_mm256_sqrt_ps(a);
}

MRWI_INLINE d4 d4_sqrt(d4 a)
{
    return (d4)_mm256_sqrt_pd(a);
}

MRWI_INLINE bool m8_any(m8 a)
{
    return !_mm256_testz_si256((__m256i)a, (__m256i)a);
}

MRWI_INLINE bool m8_all(m8 a)
{
    return _mm256_movemask_epi8((__m256i)a) == -1;
}

MRWI_INLINE bool n4_any(n4 a)
{
    return m8_any((m8)a);
}

MRWI_INLINE bool n4_all(n4 a)
{
    return m8_all((m8)a);
}

MRWI_INLINE f4 f8_low(f8 a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

MRWI_INLINE f4 f8_high(f8 a)
{
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

MRWI_INLINE f8 f8_join(f4 low, f4 high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

MRWI_INLINE m4 m8_low(m8 a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

MRWI_INLINE m4 m8_high(m8 a)
{
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

MRWI_INLINE m8 m8_join(m4 low, m4 high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

MRWI_INLINE f8 f8_load_twice(const float *from)
{
    return (f8)_mm256_broadcast_ps((const __m128 *)from);
}

MRWI_INLINE f8 f8_half_lane(f8 a, int lane)
{
    switch (lane) {
    case 0:
        return __builtin_shufflevector(a, a, 0, 0, 0, 0, 4, 4, 4, 4);
    case 1:
        return __builtin_shufflevector(a, a, 1, 1, 1, 1, 5, 5, 5, 5);
    case 2:
        return __builtin_shufflevector(a, a, 2, 2, 2, 2, 6, 6, 6, 6);
    default:
        return __builtin_shufflevector(a, a, 3, 3, 3, 3, 7, 7, 7, 7);
    }
}

MRWI_INLINE f8 f8_add_fourth(f8 a, f8 b)
{
    f8 nothing = f8_splat(-0.0f);
    return a + __builtin_shufflevector(nothing, b, 0, 1, 2, 11, 4, 5, 6, 15);
}

MRWI_INLINE d4 d4_from_f4(f4 a)
{
    return (d4)_mm256_cvtps_pd(a);
}

MRWI_INLINE f4 f4_from_d4(d4 a)
{
    return (f4)_mm256_cvtpd_ps(a);
}

MRWI_INLINE m4 m4_from_n4(n4 a)
{
    m8 halves = (m8)a;
    return __builtin_shufflevector(halves, halves, 0, 2, 4, 6);
}

MRWI_INLINE n4 n4_from_m4(m4 a)
{
    return (n4)_mm256_cvtepi32_epi64((__m128i)a);
}

MRWI_INLINE void f8_transpose_halves(f8 *a, f8 *b, f8 *c, f8 *d)
{
    f8 ab0 = __builtin_shufflevector(*a, *b, 0, 8, 1, 9, 4, 12, 5, 13);
    f8 ab2 = __builtin_shufflevector(*a, *b, 2, 10, 3, 11, 6, 14, 7, 15);
    f8 cd0 = __builtin_shufflevector(*c, *d, 0, 8, 1, 9, 4, 12, 5, 13);
    f8 cd2 = __builtin_shufflevector(*c, *d, 2, 10, 3, 11, 6, 14, 7, 15);
    *a = __builtin_shufflevector(ab0, cd0, 0, 1, 8, 9, 4, 5, 12, 13);
    *b = __builtin_shufflevector(ab0, cd0, 2, 3, 10, 11, 6, 7, 14, 15);
    *c = __builtin_shufflevector(ab2, cd2, 0, 1, 8, 9, 4, 5, 12, 13);
    *d = __builtin_shufflevector(ab2, cd2, 2, 3, 10, 11, 6, 7, 14, 15);
}

#else

MRWI_VECTOR_TYPE(mrwi_d2, mrwi_n2, double, MRWI_LIST(x, x), MRWI_SIGN_DOUBLE)
MRWI_VECTOR_SELECT(f4, m4)
MRWI_VECTOR_SELECT(mrwi_d2, mrwi_n2)

MRWI_INLINE bool mrwi_n2_any(mrwi_n2 a)
{
    return m4_any((m4)a);
}

MRWI_INLINE bool mrwi_n2_all(mrwi_n2 a)
{
    return m4_all((m4)a);
}

/* --- pairs --------------------------------------------------------------------------- */

#define MRWI_PAIR_TYPE(V, M, T, N, half, half_mask)                                                \
    MRWI_INLINE V V##_load(const T *from)                                                          \
    {                                                                                              \
        return (V){half##_load(from), half##_load(from + N / 2)};                                  \
    }                                                                                              \
    MRWI_INLINE void V##_store(T *to, V a)                                                         \
    {                                                                                              \
        half##_store(to, a.low);                                                                   \
        half##_store(to + N / 2, a.high);                                                          \
    }                                                                                              \
    MRWI_INLINE V V##_splat(T x)                                                                   \
    {                                                                                              \
        half low = half##_splat(x);                                                                \
        return (V){low, low};                                                                      \
    }                                                                                              \
    MRWI_INLINE V V##_zero(void)                                                                   \
    {                                                                                              \
        return (V){half##_zero(), half##_zero()};                                                  \
    }                                                                                              \
    MRWI_PAIR_OF_TWO(V, V, half, add)                                                              \
    MRWI_PAIR_OF_TWO(V, V, half, sub)                                                              \
    MRWI_PAIR_OF_TWO(V, V, half, mul)                                                              \
    MRWI_PAIR_OF_TWO(V, V, half, div)                                                              \
    MRWI_PAIR_OF_TWO(V, V, half, flip_sign)                                                        \
    MRWI_PAIR_OF_TWO(M, V, half, less)                                                             \
    MRWI_PAIR_OF_TWO(M, V, half, less_equal)                                                       \
    MRWI_PAIR_OF_TWO(M, V, half, equal)                                                            \
    MRWI_PAIR_OF_TWO(M, M, half_mask, and)                                                         \
    MRWI_PAIR_OF_TWO(M, M, half_mask, or)                                                          \
    MRWI_PAIR_OF_ONE(V, half, sqrt)                                                                \
    MRWI_PAIR_OF_ONE(V, half, neg)                                                                 \
    MRWI_PAIR_OF_ONE(V, half, abs)                                                                 \
    MRWI_PAIR_OF_ONE(M, half_mask, not )                                                           \
    MRWI_INLINE V V##_select(M mask, V a, V b)                                                     \
    {                                                                                              \
        return (V){half##_select(mask.low, a.low, b.low),                                          \
                   half##_select(mask.high, a.high, b.high)};                                      \
    }                                                                                              \
    MRWI_INLINE bool M##_any(M a)                                                                  \
    {                                                                                              \
        return half_mask##_any(a.low | a.high);                                                    \
    }                                                                                              \
    MRWI_INLINE bool M##_all(M a)                                                                  \
    {                                                                                              \
        return half_mask##_all(a.low & a.high);                                                    \
    }

#define MRWI_PAIR_OF_TWO(R, V, half, operation)                                                    \
    MRWI_INLINE R V##_##operation(V a, V b)                                                        \
    {                                                                                              \
        return (R){half##_##operation(a.low, b.low), half##_##operation(a.high, b.high)};          \
    }

#define MRWI_PAIR_OF_ONE(V, half, operation)                                                       \
    MRWI_INLINE V V##_##operation(V a)                                                             \
    {                                                                                              \
        return (V){half##_##operation(a.low), half##_##operation(a.high)};                         \
    }

MRWI_PAIR_TYPE(f8, m8, float, 8, f4, m4)
MRWI_PAIR_TYPE(d4, n4, double, 4, mrwi_d2, mrwi_n2)

MRWI_INLINE f4 f8_low(f8 a)
{
    return a.low;
}

MRWI_INLINE f4 f8_high(f8 a)
{
    return a.high;
}

MRWI_INLINE f8 f8_join(f4 low, f4 high)
{
    return (f8){low, high};
}

MRWI_INLINE m4 m8_low(m8 a)
{
    return a.low;
}

MRWI_INLINE m4 m8_high(m8 a)
{
    return a.high;
}

MRWI_INLINE m8 m8_join(m4 low, m4 high)
{
    return (m8){low, high};
}

MRWI_INLINE f8 f8_load_twice(const float *from)
{
    f4 half = f4_load(from);
    return (f8){half, half};
}

MRWI_INLINE f8 f8_half_lane(f8 a, int lane)
{
    return (f8){f4_splat(a.low[lane]), f4_splat(a.high[lane])};
}

MRWI_INLINE f8 f8_add_fourth(f8 a, f8 b)
{
    return (f8){f4_add_fourth(a.low, b.low), f4_add_fourth(a.high, b.high)};
}

MRWI_INLINE d4 d4_from_f4(f4 a)
{
    return (d4){mrwi_d2_from_low(a), mrwi_d2_from_high(a)};
}

MRWI_INLINE f4 f4_from_d4(d4 a)
{
    return mrwi_f4_from_d2(a.low, a.high);
}

MRWI_INLINE m4 m4_from_n4(n4 a)
{
    return __builtin_shufflevector((m4)a.low, (m4)a.high, 0, 2, 4, 6);
}

MRWI_INLINE n4 n4_from_m4(m4 a)
{
    return (n4){(mrwi_n2)__builtin_shufflevector(a, a, 0, 0, 1, 1),
                (mrwi_n2)__builtin_shufflevector(a, a, 2, 2, 3, 3)};
}

#endif

/* --- lanes --------------------------------------------------------------------------- */

MRWI_INLINE f4 f4_set(float a, float b, float c, float d)
{
    return (f4){a, b, c, d};
}

MRWI_INLINE f4 f4_lane(f4 v, int lane)
{
    return f4_splat(v[lane]);
}

MRWI_INLINE void f4_transpose(f4 *a, f4 *b, f4 *c, f4 *d)
{
    f4 ab0 = __builtin_shufflevector(*a, *b, 0, 4, 1, 5);
    f4 ab2 = __builtin_shufflevector(*a, *b, 2, 6, 3, 7);
    f4 cd0 = __builtin_shufflevector(*c, *d, 0, 4, 1, 5);
    f4 cd2 = __builtin_shufflevector(*c, *d, 2, 6, 3, 7);
    *a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    *c = __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5);
    *d = __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7);
}

#ifndef __AVX2__
MRWI_INLINE void f8_transpose_halves(f8 *a, f8 *b, f8 *c, f8 *d)
{
    f4_transpose(&a->low, &b->low, &c->low, &d->low);
    f4_transpose(&a->high, &b->high, &c->high, &d->high);
}
#endif

/* The low or the high halves of both: for 32-byte registers one shuffle, where gcc makes five
 * instructions of taking them apart and joining them. */
MRWI_INLINE f8 f8_lows(f8 a, f8 b)
{
#ifdef __AVX2__
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
#else
    return f8_join(f8_low(a), f8_low(b));
#endif
}

MRWI_INLINE f8 f8_highs(f8 a, f8 b)
{
#ifdef __AVX2__
    return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
#else
    return f8_join(f8_high(a), f8_high(b));
#endif
}

/* The corners first, so that what remains to turn are four blocks of four. */
MRWI_INLINE void f8_transpose(f8 rows[8])
{
    f8 left[4], right[4];
    for (int i = 0; i < 4; i++) {
        left[i] = f8_lows(rows[i], rows[i + 4]);
        right[i] = f8_highs(rows[i], rows[i + 4]);
    }
    f8_transpose_halves(&left[0], &left[1], &left[2], &left[3]);
    f8_transpose_halves(&right[0], &right[1], &right[2], &right[3]);
    for (int i = 0; i < 4; i++) {
        rows[i] = left[i];
        rows[i + 4] = right[i];
    }
}

MRWI_INLINE void f8_transpose4(const f4 in[8], f8 out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = f8_join(in[i], in[i + 4]);
    f8_transpose_halves(&out[0], &out[1], &out[2], &out[3]);
}

MRWI_INLINE void f8_untranspose4(const f8 in[4], f4 out[8])
{
    f8 turned[4] = {in[0], in[1], in[2], in[3]};
    f8_transpose_halves(&turned[0], &turned[1], &turned[2], &turned[3]);
    for (int i = 0; i < 4; i++) {
        out[i] = f8_low(turned[i]);
        out[i + 4] = f8_high(turned[i]);
    }
}

/* In each half: lanes i and j of a, then k and l of b. */
#ifdef __AVX2__
#define MRWI_SHUFFLE_HALVES(a, b, i, j, k, l)                                                      \
    __builtin_shufflevector(a, b, i, j, 8 + k, 8 + l, 4 + i, 4 + j, 12 + k, 12 + l)
#else
#define MRWI_SHUFFLE_HALVES(a, b, i, j, k, l)                                                      \
    ((f8){__builtin_shufflevector((a).low, (b).low, i, j, 4 + k, 4 + l),                           \
          __builtin_shufflevector((a).high, (b).high, i, j, 4 + k, 4 + l)})
#endif

/* Each half has four vectors in three registers: x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3. */
MRWI_INLINE void f8_load_xyz(const float *from, f8 out[3])
{
    f8 a = f8_join(f4_load(from), f4_load(from + 12));
    f8 b = f8_join(f4_load(from + 4), f4_load(from + 16));
    f8 c = f8_join(f4_load(from + 8), f4_load(from + 20));
    f8 x2_y2_x3_y3 = MRWI_SHUFFLE_HALVES(b, c, 2, 3, 1, 2);
    f8 y0_z0_y1_z1 = MRWI_SHUFFLE_HALVES(a, b, 1, 2, 0, 1);
    out[0] = MRWI_SHUFFLE_HALVES(a, x2_y2_x3_y3, 0, 3, 0, 2);
    out[1] = MRWI_SHUFFLE_HALVES(y0_z0_y1_z1, x2_y2_x3_y3, 0, 2, 1, 3);
    out[2] = MRWI_SHUFFLE_HALVES(y0_z0_y1_z1, c, 1, 3, 0, 3);
}

MRWI_INLINE void f8_store_xyz(float *to, const f8 in[3])
{
    f8 x0_x2_y0_y2 = MRWI_SHUFFLE_HALVES(in[0], in[1], 0, 2, 0, 2);
    f8 y1_y3_z1_z3 = MRWI_SHUFFLE_HALVES(in[1], in[2], 1, 3, 1, 3);
    f8 z0_z2_x1_x3 = MRWI_SHUFFLE_HALVES(in[2], in[0], 0, 2, 1, 3);
    f8 a = MRWI_SHUFFLE_HALVES(x0_x2_y0_y2, z0_z2_x1_x3, 0, 2, 0, 2);
    f8 b = MRWI_SHUFFLE_HALVES(y1_y3_z1_z3, x0_x2_y0_y2, 0, 2, 1, 3);
    f8 c = MRWI_SHUFFLE_HALVES(z0_z2_x1_x3, y1_y3_z1_z3, 1, 3, 1, 3);
    /* (Halves: to store a high one costs no shuffle, and to bring two halves together does.) */
    const f8 turned[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        f4_store(to + 4 * i, f8_low(turned[i]));
        f4_store(to + 12 + 4 * i, f8_high(turned[i]));
    }
}

#endif
