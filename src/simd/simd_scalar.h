/* simd.h as structs. Include simd.h. */
#ifndef MRWI_SIMD_SCALAR_H
#define MRWI_SIMD_SCALAR_H

typedef struct f8 {
    float lane[8];
} f8;

/* One lane, for simd_lane_begin.inl. */
typedef struct f1 {
    float lane[1];
} f1;

typedef struct f4 {
    float lane[4];
} f4;

typedef struct d4 {
    double lane[4];
} d4;

/* -1 or 0 a lane. */
typedef struct m8 {
    int32_t lane[8];
} m8;

typedef struct m1 {
    int32_t lane[1];
} m1;

typedef struct m4 {
    int32_t lane[4];
} m4;

typedef struct n4 {
    int64_t lane[4];
} n4;

/* The bits of numbers. */
MRWI_INLINE int32_t mrwi_float_bits(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

MRWI_INLINE float mrwi_float_of_bits(int32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

MRWI_INLINE int64_t mrwi_double_bits(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

MRWI_INLINE double mrwi_double_of_bits(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

/* A statement for each lane i, a constant. (Not a loop: compilers take structs apart into variables
 * before they unroll loops, and gcc needs twice as long where it cannot.) */
#define MRWI_LANE(number, statement)                                                               \
    do {                                                                                           \
        enum { i = number };                                                                       \
        statement;                                                                                 \
    } while (0)
#define MRWI_EACH_1(statement) MRWI_LANE(0, statement)
#define MRWI_EACH_4(statement)                                                                     \
    MRWI_LANE(0, statement);                                                                       \
    MRWI_LANE(1, statement);                                                                       \
    MRWI_LANE(2, statement);                                                                       \
    MRWI_LANE(3, statement)
#define MRWI_EACH_8(statement)                                                                     \
    MRWI_EACH_4(statement);                                                                        \
    MRWI_LANE(4, statement);                                                                       \
    MRWI_LANE(5, statement);                                                                       \
    MRWI_LANE(6, statement);                                                                       \
    MRWI_LANE(7, statement)

/* Before a loop over lanes that is to stay one. */
#ifdef __clang__
#define MRWI_KEEP_LOOP _Pragma("clang loop unroll(disable)")
#else
#define MRWI_KEEP_LOOP _Pragma("GCC unroll 1")
#endif

/* Lane i of count vectors as an f1 each, and back. */
#define MRWI_TAKE_LANE(count, from, i, out)                                                        \
    for (int k = 0; k < (count); k++)                                                              \
    (out)[k].lane[0] = (from)[k].lane[i]
#define MRWI_PUT_LANE(count, from, i, out)                                                         \
    for (int k = 0; k < (count); k++)                                                              \
    (out)[k].lane[i] = (from)[k].lane[0]

/* A function of V with one line for each lane i, into r. */
#define MRWI_LANES(V, N, expression)                                                               \
    V r;                                                                                           \
    MRWI_EACH_##N(r.lane[i] = expression);                                                         \
    return r

#define MRWI_SCALAR_TYPE(V, M, T, I, N, bits, of_bits, square_root)                                \
    MRWI_INLINE V V##_load(const T *from)                                                          \
    {                                                                                              \
        MRWI_LANES(V, N, from[i]);                                                                 \
    }                                                                                              \
    MRWI_INLINE void V##_store(T *to, V a)                                                         \
    {                                                                                              \
        MRWI_EACH_##N(to[i] = a.lane[i]);                                                          \
    }                                                                                              \
    MRWI_INLINE V V##_splat(T x)                                                                   \
    {                                                                                              \
        MRWI_LANES(V, N, x);                                                                       \
    }                                                                                              \
    MRWI_INLINE V V##_zero(void)                                                                   \
    {                                                                                              \
        MRWI_LANES(V, N, 0);                                                                       \
    }                                                                                              \
    MRWI_INLINE V V##_add(V a, V b)                                                                \
    {                                                                                              \
        MRWI_LANES(V, N, a.lane[i] + b.lane[i]);                                                   \
    }                                                                                              \
    MRWI_INLINE V V##_sub(V a, V b)                                                                \
    {                                                                                              \
        MRWI_LANES(V, N, a.lane[i] - b.lane[i]);                                                   \
    }                                                                                              \
    MRWI_INLINE V V##_mul(V a, V b)                                                                \
    {                                                                                              \
        MRWI_LANES(V, N, a.lane[i] * b.lane[i]);                                                   \
    }                                                                                              \
    MRWI_INLINE V V##_div(V a, V b)                                                                \
    {                                                                                              \
        MRWI_LANES(V, N, a.lane[i] / b.lane[i]);                                                   \
    }                                                                                              \
    MRWI_INLINE V V##_sqrt(V a)                                                                    \
    {                                                                                              \
        MRWI_LANES(V, N, square_root(a.lane[i]));                                                  \
    }                                                                                              \
    MRWI_INLINE V V##_neg(V a)                                                                     \
    {                                                                                              \
        MRWI_LANES(V, N, of_bits(bits(a.lane[i]) ^ bits((T)-0.0)));                                \
    }                                                                                              \
    MRWI_INLINE V V##_abs(V a)                                                                     \
    {                                                                                              \
        MRWI_LANES(V, N, of_bits(bits(a.lane[i]) & ~bits((T)-0.0)));                               \
    }                                                                                              \
    MRWI_INLINE V V##_flip_sign(V a, V b)                                                          \
    {                                                                                              \
        MRWI_LANES(V, N, of_bits(bits(a.lane[i]) ^ (bits(b.lane[i]) & bits((T)-0.0))));            \
    }                                                                                              \
    MRWI_INLINE M V##_less(V a, V b)                                                               \
    {                                                                                              \
        MRWI_LANES(M, N, -(I)(a.lane[i] < b.lane[i]));                                             \
    }                                                                                              \
    MRWI_INLINE M V##_less_equal(V a, V b)                                                         \
    {                                                                                              \
        MRWI_LANES(M, N, -(I)(a.lane[i] <= b.lane[i]));                                            \
    }                                                                                              \
    MRWI_INLINE M V##_equal(V a, V b)                                                              \
    {                                                                                              \
        MRWI_LANES(M, N, -(I)(a.lane[i] == b.lane[i]));                                            \
    }                                                                                              \
    MRWI_INLINE V V##_select(M mask, V a, V b)                                                     \
    {                                                                                              \
        MRWI_LANES(V, N,                                                                           \
                   of_bits((bits(a.lane[i]) & mask.lane[i]) | (bits(b.lane[i]) & ~mask.lane[i]))); \
    }                                                                                              \
    MRWI_INLINE M M##_and(M a, M b)                                                                \
    {                                                                                              \
        MRWI_LANES(M, N, a.lane[i] & b.lane[i]);                                                   \
    }                                                                                              \
    MRWI_INLINE M M##_or(M a, M b)                                                                 \
    {                                                                                              \
        MRWI_LANES(M, N, a.lane[i] | b.lane[i]);                                                   \
    }                                                                                              \
    MRWI_INLINE M M##_not(M a)                                                                     \
    {                                                                                              \
        MRWI_LANES(M, N, ~a.lane[i]);                                                              \
    }                                                                                              \
    MRWI_INLINE bool M##_any(M a)                                                                  \
    {                                                                                              \
        I all = 0;                                                                                 \
        MRWI_EACH_##N(all |= a.lane[i]);                                                           \
        return all != 0;                                                                           \
    }                                                                                              \
    MRWI_INLINE bool M##_all(M a)                                                                  \
    {                                                                                              \
        return !M##_any(M##_not(a));                                                               \
    }

MRWI_SCALAR_TYPE(f8, m8, float, int32_t, 8, mrwi_float_bits, mrwi_float_of_bits, __builtin_sqrtf)
MRWI_SCALAR_TYPE(f1, m1, float, int32_t, 1, mrwi_float_bits, mrwi_float_of_bits, __builtin_sqrtf)
MRWI_SCALAR_TYPE(f4, m4, float, int32_t, 4, mrwi_float_bits, mrwi_float_of_bits, __builtin_sqrtf)
MRWI_SCALAR_TYPE(d4, n4, double, int64_t, 4, mrwi_double_bits, mrwi_double_of_bits, __builtin_sqrt)

/* --- between types ------------------------------------------------------------------ */

MRWI_INLINE f4 f4_set(float a, float b, float c, float d)
{
    return (f4){{a, b, c, d}};
}

MRWI_INLINE f4 f4_lane(f4 v, int lane)
{
    return f4_splat(v.lane[lane]);
}

MRWI_INLINE void f4_transpose(f4 *a, f4 *b, f4 *c, f4 *d)
{
    const f4 rows[4] = {*a, *b, *c, *d};
    f4 *columns[4] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            columns[k]->lane[i] = rows[i].lane[k];
}

MRWI_INLINE f4 f8_low(f8 a)
{
    return f4_load(a.lane);
}

MRWI_INLINE f4 f8_high(f8 a)
{
    return f4_load(a.lane + 4);
}

MRWI_INLINE f8 f8_join(f4 low, f4 high)
{
    MRWI_LANES(f8, 8, i < 4 ? low.lane[i % 4] : high.lane[i % 4]);
}

MRWI_INLINE m4 m8_low(m8 a)
{
    MRWI_LANES(m4, 4, a.lane[i]);
}

MRWI_INLINE m4 m8_high(m8 a)
{
    MRWI_LANES(m4, 4, a.lane[4 + i]);
}

MRWI_INLINE m8 m8_join(m4 low, m4 high)
{
    MRWI_LANES(m8, 8, i < 4 ? low.lane[i % 4] : high.lane[i % 4]);
}

MRWI_INLINE f8 f8_load_twice(const float *from)
{
    MRWI_LANES(f8, 8, from[i % 4]);
}

MRWI_INLINE f8 f8_half_lane(f8 a, int lane)
{
    MRWI_LANES(f8, 8, a.lane[i / 4 * 4 + lane]);
}

MRWI_INLINE f4 f4_add_fourth(f4 a, f4 b)
{
    MRWI_LANES(f4, 4, i == 3 ? a.lane[i] + b.lane[i] : a.lane[i]);
}

MRWI_INLINE f8 f8_add_fourth(f8 a, f8 b)
{
    MRWI_LANES(f8, 8, i % 4 == 3 ? a.lane[i] + b.lane[i] : a.lane[i]);
}

MRWI_INLINE void f8_transpose_halves(f8 *a, f8 *b, f8 *c, f8 *d)
{
    const f8 rows[4] = {*a, *b, *c, *d};
    f8 *columns[4] = {a, b, c, d};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++)
            columns[k]->lane[i] = rows[i % 4].lane[i / 4 * 4 + k];
}

MRWI_INLINE f8 f8_lows(f8 a, f8 b)
{
    return f8_join(f8_low(a), f8_low(b));
}

MRWI_INLINE f8 f8_highs(f8 a, f8 b)
{
    return f8_join(f8_high(a), f8_high(b));
}

MRWI_INLINE void f8_transpose(f8 rows[8])
{
    f8 columns[8];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++)
            columns[k].lane[i] = rows[i].lane[k];
    memcpy(rows, columns, sizeof(columns));
}

MRWI_INLINE void f8_transpose4(const f4 in[8], f8 out[4])
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++)
            out[k].lane[i] = in[i].lane[k];
}

MRWI_INLINE void f8_untranspose4(const f8 in[4], f4 out[8])
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++)
            out[i].lane[k] = in[k].lane[i];
}

MRWI_INLINE d4 d4_from_f4(f4 a)
{
    MRWI_LANES(d4, 4, (double)a.lane[i]);
}

MRWI_INLINE f4 f4_from_d4(d4 a)
{
    MRWI_LANES(f4, 4, (float)a.lane[i]);
}

MRWI_INLINE m4 m4_from_n4(n4 a)
{
    MRWI_LANES(m4, 4, (int32_t)a.lane[i]);
}

MRWI_INLINE n4 n4_from_m4(m4 a)
{
    MRWI_LANES(n4, 4, a.lane[i]);
}

MRWI_INLINE void f8_load_xyz(const float *from, f8 out[3])
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            out[k].lane[i] = from[3 * i + k];
}

MRWI_INLINE void f8_store_xyz(float *to, const f8 in[3])
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            to[3 * i + k] = in[k].lane[i];
}

#endif
