/* Vectors for the kernels: the same functions over two headers.
 *
 *     f8  8 floats    8 joints of a pose block, or 8 vertices       m8  its mask
 *     f4  4 floats    a row of a matrix                             m4
 *     d4  4 doubles   what f4 is not exact enough for               n4
 *
 * simd_vector.h   gcc's and clang's vector types, which they compile for every instruction set
 * simd_scalar.h   structs: the reference, and what other compilers get. simd_lane_begin.inl
 *                 compiles a text over f8 for one lane of it
 *
 * A kernel (src/STAGE/NAME_kernel.inl) is written once over these names and compiled once for each
 * file of src/isa. Results have the same bits everywhere, since there is nothing here that could
 * differ: every lane is IEEE arithmetic on its own, no fused multiply-add, no estimates, no sum
 * across lanes. There is no min and max either, which machines define differently for NaN and
 * zeros: write the comparison and select. What a machine leaves open is the sign and payload of a
 * NaN that arithmetic makes.
 *
 * For V one of f8, f4, d4, with mask M and number T:
 *
 *     V_load(const T *)  V_store(T *, V)       any alignment
 *     V_splat(T)  V_zero()
 *     V_add  V_sub  V_mul  V_div  V_sqrt       one rounding each
 *     V_neg  V_abs                             bits: the sign alone changes, of zeros and NaN too
 *     V_flip_sign(a, b)                        a, its sign turned where b's sign bit is set
 *     V_less  V_less_equal  V_equal            to M; false where either is NaN
 *     V_select(M, a, b)                        a's lanes where set, b's elsewhere; bits
 *     M_and  M_or  M_not                       masks: all bits of a lane or none
 *     M_any  M_all                             to bool
 *
 * and between them:
 *
 *     f4_set(a, b, c, d)
 *     f4_lane(v, i)                            all lanes v's lane i, a constant
 *     f4_transpose(&a, &b, &c, &d)             in place
 *     f8_load_twice(const float *)             four floats, in both halves
 *     f8_half_lane(v, i)                       all lanes of each half its lane i, a constant
 *     f4_add_fourth(a, b)  f8_add_fourth       a + b in the last lane (of each half), a elsewhere
 *     f8_transpose_halves(&a, &b, &c, &d)      f4_transpose of the low halves, and of the high ones
 *     f8_low  f8_high  f8_join(low, high)      f8 from and to f4; m8_low, m8_high, m8_join
 *     f8_lows(a, b)  f8_highs(a, b)            the low halves of both, the high halves of both
 *     f8_load_xyz(from, out)                   eight vectors of three floats to f8 out[3]
 *     f8_store_xyz(to, in)                     f8 in[3] to eight vectors of three floats
 *     f8_transpose(rows)                       f8 rows[8], in place
 *     f8_transpose4(in, out)                   f4 in[8] to f8 out[4]: out[k]'s lane i is in[i]'s k
 *     f8_untranspose4(in, out)                 f8 in[4] to f4 out[8]: back
 *     d4_from_f4  f4_from_d4                   exact, and rounded
 *     m4_from_n4  n4_from_m4
 */
#ifndef MRWI_SIMD_H
#define MRWI_SIMD_H

#if !defined(MRWI_SIMD_SCALAR) && !defined(__SSE2__) && !defined(__aarch64__) &&                   \
    !defined(__wasm_simd128__)
#define MRWI_SIMD_SCALAR
#endif
#if !defined(MRWI_SIMD_SCALAR) && !(defined(__clang__) ? __clang_major__ >= 14 : __GNUC__ >= 12)
#define MRWI_SIMD_SCALAR
#endif

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Sanitizers check every access to a lane of simd_scalar.h: all in one function, a kernel takes
 * clang minutes and gigabytes. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define MRWI_INLINE static inline __attribute__((unused))
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define MRWI_INLINE static inline __attribute__((unused))
#endif
#ifndef MRWI_INLINE
#define MRWI_INLINE static inline __attribute__((always_inline))
#endif

/* A part of a kernel that is long and called from several places. */
#define MRWI_CALLED static __attribute__((noinline, unused))

/* One that is called from several places, or contains a loop over lanes. Without vectors each copy
 * of it would be thousands of instructions. */
#ifdef MRWI_SIMD_SCALAR
#define MRWI_PART MRWI_CALLED
#else
#define MRWI_PART MRWI_INLINE
#endif

/* One of which a page downloads a single copy. Vectors that its caller passes by address are copies
 * for the call: others would be in memory all along. */
#ifdef __wasm__
#define MRWI_ONCE MRWI_CALLED
#else
#define MRWI_ONCE MRWI_PART
#endif

/* Before a loop of eight in such a part: it stays one there. */
#ifdef __wasm__
#define MRWI_ONCE_LOOP _Pragma("clang loop unroll(disable)")
#else
#define MRWI_ONCE_LOOP
#endif

#ifdef MRWI_SIMD_SCALAR
#include "simd/simd_scalar.h"
#else
#include "simd/simd_vector.h"
#endif

#endif
