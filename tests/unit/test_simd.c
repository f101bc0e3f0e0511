/* Every function of src/simd against plain C, lane by lane. CMake compiles this program once for
 * each instruction set and once for simd_scalar.h. Numbers are of all kinds: zeros of both signs,
 * denormals, infinities, NaN. Only the sign and payload of a NaN that arithmetic made are open. */
#include "simd/simd.h"

#include "unit/near.h"
#include "unit/random.h"

#include <float.h>
#include <stdio.h>

#define ROUNDS 20000

static const float odd_floats[] = {
    0.0f,    -0.0f,    1.0f,   -1.0f,    FLT_MIN, -FLT_MIN,    FLT_MIN / 3.0f, -FLT_MIN / 3.0f,
    FLT_MAX, -FLT_MAX, 1e-45f, INFINITY, 0.1f,    16777216.0f, -INFINITY,      1e-20f,
    -1e-20f, 3e19f,    -3e19f, 1e-38f,   1.5f,    2.0f,        0.3333333f,     NAN,
};

static const double odd_doubles[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    DBL_MIN,
    -DBL_MIN / 3.0,
    DBL_MAX,
    -DBL_MAX,
    4.9e-324,
    (double)INFINITY,
    -(double)INFINITY,
    1e-160,
    -3e155,
    3.4028235677973366e38,
    1e-45,
    7e-46,
    0.1,
    1.0 / 3.0,
    1 + 0x1p-24,
    1 + 0x1.8p-23,
    3.5e38,
    1e-38,
    16777217,
    (double)NAN,
};

/* One of the odd ones, any bits, or one of a size that others can meet. */
static float any_float(uint64_t *random)
{
    uint32_t bits = random_bits(random);
    switch (random_bits(random) % 3) {
    case 0:
        return odd_floats[bits % (sizeof(odd_floats) / sizeof(odd_floats[0]))];
    case 1: {
        float x;
        memcpy(&x, &bits, sizeof(x));
        return x;
    }
    default:
        return random_float(random, -2.0f, 2.0f);
    }
}

static double any_double(uint64_t *random)
{
    uint64_t bits = (uint64_t)random_bits(random) << 32 | random_bits(random);
    switch (random_bits(random) % 4) {
    case 0:
        return odd_doubles[bits % (sizeof(odd_doubles) / sizeof(odd_doubles[0]))];
    case 1: {
        double x;
        memcpy(&x, &bits, sizeof(x));
        return x;
    }
    case 2: /* near what floats hold */
        return (double)any_float(random) * (1.0 + (double)(bits % 1024) * 0x1p-33);
    default:
        return (double)random_float(random, -2.0f, 2.0f);
    }
}

static void fail_lane(const char *text, int lane, double got, double expected)
{
    fprintf(stderr, "%s, lane %d: %a, expected %a\n", text, lane, got, expected);
    fail();
}

#define BITS_OF(T, U)                                                                              \
    static U T##_bits(T x)                                                                         \
    {                                                                                              \
        U bits;                                                                                    \
        memcpy(&bits, &x, sizeof(bits));                                                           \
        return bits;                                                                               \
    }                                                                                              \
    static T T##_of_bits(U bits)                                                                   \
    {                                                                                              \
        T x;                                                                                       \
        memcpy(&x, &bits, sizeof(x));                                                              \
        return x;                                                                                  \
    }                                                                                              \
    static void T##_same(const char *text, int lane, T got, T expected, bool arithmetic)           \
    {                                                                                              \
        bool both_nan = arithmetic && isnan(got) && isnan(expected);                               \
        if (!both_nan && T##_bits(got) != T##_bits(expected))                                      \
            fail_lane(text, lane, (double)got, (double)expected);                                  \
    }

BITS_OF(float, uint32_t)
BITS_OF(double, uint64_t)

/* Every lane of a vector of N numbers T, `expected` in terms of i. */
#define CHECK_LANES(V, T, N, vector, expected, arithmetic)                                         \
    do {                                                                                           \
        T lanes[N];                                                                                \
        V##_store(lanes, vector);                                                                  \
        for (int i = 0; i < N; i++)                                                                \
            T##_same(#vector, i, lanes[i], expected, arithmetic);                                  \
    } while (0)

/* Masks are looked at through select. */
#define CHECK_MASK(V, T, N, mask, expected)                                                        \
    CHECK_LANES(V, T, N, V##_select(mask, V##_splat(1), V##_zero()), (T)(expected), false)

#define TEST_TYPE(V, M, T, N, root, top)                                                           \
    static void V##_arithmetic(void **state)                                                       \
    {                                                                                              \
        (void)state;                                                                               \
        uint64_t random = 21;                                                                      \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            T a[N], b[N];                                                                          \
            for (int i = 0; i < N; i++) {                                                          \
                a[i] = any_##T(&random);                                                           \
                b[i] = any_##T(&random);                                                           \
            }                                                                                      \
            V va = V##_load(a), vb = V##_load(b);                                                  \
            CHECK_LANES(V, T, N, V##_add(va, vb), a[i] + b[i], true);                              \
            CHECK_LANES(V, T, N, V##_sub(va, vb), a[i] - b[i], true);                              \
            CHECK_LANES(V, T, N, V##_mul(va, vb), a[i] * b[i], true);                              \
            CHECK_LANES(V, T, N, V##_div(va, vb), a[i] / b[i], true);                              \
            CHECK_LANES(V, T, N, V##_sqrt(va), root(a[i]), true);                                  \
            CHECK_LANES(V, T, N, V##_sub(V##_mul(va, va), V##_mul(va, vb)),                        \
                        product_difference_##T(a[i], a[i], a[i], b[i]), true);                     \
            CHECK_LANES(V, T, N, V##_neg(va), T##_of_bits(T##_bits(a[i]) ^ top), false);           \
            CHECK_LANES(V, T, N, V##_abs(va), T##_of_bits(T##_bits(a[i]) & ~top), false);          \
            CHECK_LANES(V, T, N, V##_flip_sign(va, vb),                                            \
                        T##_of_bits(T##_bits(a[i]) ^ (T##_bits(b[i]) & top)), false);              \
            CHECK_LANES(V, T, N, V##_splat(a[0]), a[0], false);                                    \
            CHECK_LANES(V, T, N, V##_zero(), 0, false);                                            \
        }                                                                                          \
    }                                                                                              \
    static void V##_comparisons(void **state)                                                      \
    {                                                                                              \
        (void)state;                                                                               \
        uint64_t random = 22;                                                                      \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            T a[N], b[N];                                                                          \
            for (int i = 0; i < N; i++) {                                                          \
                a[i] = any_##T(&random);                                                           \
                b[i] = random_bits(&random) % 3 == 0 ? a[i] : any_##T(&random);                    \
            }                                                                                      \
            V va = V##_load(a), vb = V##_load(b);                                                  \
            CHECK_MASK(V, T, N, V##_less(va, vb), a[i] < b[i]);                                    \
            CHECK_MASK(V, T, N, V##_less_equal(va, vb), a[i] <= b[i]);                             \
            CHECK_MASK(V, T, N, V##_equal(va, vb), a[i] == b[i]);                                  \
            CHECK_LANES(V, T, N, V##_select(V##_less(va, vb), va, vb), a[i] < b[i] ? a[i] : b[i],  \
                        false);                                                                    \
        }                                                                                          \
    }                                                                                              \
    /* Every pattern of lanes, against every other where there are few. */                         \
    static void M##_masks(void **state)                                                            \
    {                                                                                              \
        (void)state;                                                                               \
        for (unsigned p = 0; p < 1u << N; p++) {                                                   \
            T a[N], b[N];                                                                          \
            unsigned q = (p * 37 + 11) % (1u << N);                                                \
            for (unsigned i = 0; i < N; i++) {                                                     \
                a[i] = p >> i & 1 ? -1 : 1;                                                        \
                b[i] = q >> i & 1 ? -1 : 1;                                                        \
            }                                                                                      \
            M ma = V##_less(V##_load(a), V##_zero()), mb = V##_less(V##_load(b), V##_zero());      \
            CHECK_MASK(V, T, N, ma, p >> i & 1);                                                   \
            CHECK_MASK(V, T, N, M##_and(ma, mb), (p & q) >> i & 1);                                \
            CHECK_MASK(V, T, N, M##_or(ma, mb), (p | q) >> i & 1);                                 \
            CHECK_MASK(V, T, N, M##_not(ma), ~p >> i & 1);                                         \
            assert_int_equal(M##_any(ma), p != 0);                                                 \
            assert_int_equal(M##_all(ma), p == (1u << N) - 1);                                     \
        }                                                                                          \
    }                                                                                              \
    static void V##_memory(void **state)                                                           \
    {                                                                                              \
        (void)state;                                                                               \
        T from[3 * N], to[3 * N];                                                                  \
        for (int i = 0; i < 3 * N; i++)                                                            \
            from[i] = (T)i;                                                                        \
        for (int offset = 0; offset < N; offset++) {                                               \
            for (int i = 0; i < 3 * N; i++)                                                        \
                to[i] = -1;                                                                        \
            V##_store(to + offset, V##_load(from + N - offset));                                   \
            for (int i = 0; i < 3 * N; i++) {                                                      \
                bool written = i >= offset && i < offset + N;                                      \
                assert_true(to[i] == (written ? (T)(i + N - 2 * offset) : -1));                    \
            }                                                                                      \
        }                                                                                          \
    }

/* What a fused operation would round once. In functions of their own, with each product in memory.
 */
static float product_difference_float(float a, float b, float c, float d)
{
    volatile float ab = a * b, cd = c * d;
    return ab - cd;
}

static double product_difference_double(double a, double b, double c, double d)
{
    volatile double ab = a * b, cd = c * d;
    return ab - cd;
}

TEST_TYPE(f8, m8, float, 8, sqrtf, 0x80000000u)
TEST_TYPE(f4, m4, float, 4, sqrtf, 0x80000000u)
TEST_TYPE(d4, n4, double, 4, sqrt, 0x8000000000000000u)

/* --- between types ------------------------------------------------------------------ */

static void floats_and_doubles(void **state)
{
    (void)state;
    uint64_t random = 23;
    for (int round = 0; round < ROUNDS; round++) {
        float a[4];
        double b[4];
        for (int i = 0; i < 4; i++) {
            a[i] = any_float(&random);
            b[i] = any_double(&random);
        }
        CHECK_LANES(d4, double, 4, d4_from_f4(f4_load(a)), (double)a[i], true);
        CHECK_LANES(f4, float, 4, f4_from_d4(d4_load(b)), (float)b[i], true);
    }
}

static void masks_of_floats_and_doubles(void **state)
{
    (void)state;
    for (unsigned p = 0; p < 16; p++) {
        const f4 a = f4_set(p & 1 ? -1 : 1, p & 2 ? -1 : 1, p & 4 ? -1 : 1, p & 8 ? -1 : 1);
        m4 narrow = f4_less(a, f4_zero());
        n4 wide = d4_less(d4_from_f4(a), d4_zero());
        CHECK_MASK(f4, float, 4, m4_from_n4(wide), p >> i & 1);
        CHECK_MASK(d4, double, 4, n4_from_m4(narrow), p >> i & 1);
    }
}

static void fill_counting(float *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = (float)i;
}

static void lanes_and_halves(void **state)
{
    (void)state;
    float a[8];
    fill_counting(a, 8);
    f8 v = f8_load(a);
    CHECK_LANES(f4, float, 4, f8_low(v), a[i], false);
    CHECK_LANES(f4, float, 4, f8_high(v), a[4 + i], false);
    CHECK_LANES(f8, float, 8, f8_join(f8_high(v), f8_low(v)), a[(i + 4) % 8], false);
    m8 m = f8_less(v, f8_splat(3.0f)); /* lanes 0, 1, 2 */
    CHECK_MASK(f4, float, 4, m8_low(m), i < 3);
    CHECK_MASK(f4, float, 4, m8_high(m), false);
    CHECK_MASK(f8, float, 8, m8_join(m8_high(m), m8_low(m)), i >= 4 && i < 7);
    f4 row = f4_set(5.0f, 6.0f, 7.0f, 8.0f);
    CHECK_LANES(f4, float, 4, row, (float)(5 + i), false);
    CHECK_LANES(f4, float, 4, f4_lane(row, 0), 5.0f, false);
    CHECK_LANES(f4, float, 4, f4_lane(row, 1), 6.0f, false);
    CHECK_LANES(f4, float, 4, f4_lane(row, 2), 7.0f, false);
    CHECK_LANES(f4, float, 4, f4_lane(row, 3), 8.0f, false);
}

static void pairs_of_rows(void **state)
{
    (void)state;
    float a[8];
    fill_counting(a, 8);
    f8 v = f8_load(a);
    CHECK_LANES(f8, float, 8, f8_load_twice(a + 3), a[3 + i % 4], false);
    CHECK_LANES(f8, float, 8, f8_half_lane(v, 0), a[i / 4 * 4], false);
    CHECK_LANES(f8, float, 8, f8_half_lane(v, 1), a[i / 4 * 4 + 1], false);
    CHECK_LANES(f8, float, 8, f8_half_lane(v, 2), a[i / 4 * 4 + 2], false);
    CHECK_LANES(f8, float, 8, f8_half_lane(v, 3), a[i / 4 * 4 + 3], false);

    uint64_t random = 24;
    for (int round = 0; round < ROUNDS; round++) {
        float x[8], y[8];
        for (int i = 0; i < 8; i++) {
            x[i] = any_float(&random);
            y[i] = any_float(&random);
        }
        CHECK_LANES(f8, float, 8, f8_add_fourth(f8_load(x), f8_load(y)),
                    i % 4 == 3 ? x[i] + y[i] : x[i], true);
        CHECK_LANES(f4, float, 4, f4_add_fourth(f4_load(x), f4_load(y)),
                    i == 3 ? x[i] + y[i] : x[i], true);
    }
}

static void transposes(void **state)
{
    (void)state;
    float numbers[64];
    fill_counting(numbers, 64);

    f4 rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = f4_load(numbers + 4 * i);
    f4_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int k = 0; k < 4; k++)
        CHECK_LANES(f4, float, 4, rows[k], numbers[4 * i + k], false);

    f8 wide[8];
    for (int i = 0; i < 8; i++)
        wide[i] = f8_load(numbers + 8 * i);
    f8_transpose(wide);
    for (int k = 0; k < 8; k++)
        CHECK_LANES(f8, float, 8, wide[k], numbers[8 * i + k], false);

    f8 quarters[4];
    for (int i = 0; i < 4; i++)
        quarters[i] = f8_load(numbers + 8 * i);
    f8_transpose_halves(&quarters[0], &quarters[1], &quarters[2], &quarters[3]);
    for (int k = 0; k < 4; k++)
        CHECK_LANES(f8, float, 8, quarters[k], numbers[8 * (i % 4) + i / 4 * 4 + k], false);

    f4 eight[8], back[8];
    f8 streams[4];
    for (int i = 0; i < 8; i++)
        eight[i] = f4_load(numbers + 4 * i);
    f8_transpose4(eight, streams);
    for (int k = 0; k < 4; k++)
        CHECK_LANES(f8, float, 8, streams[k], numbers[4 * i + k], false);
    f8_untranspose4(streams, back);
    for (int k = 0; k < 8; k++)
        CHECK_LANES(f4, float, 4, back[k], numbers[4 * k + i], false);

    f8 ends[2] = {f8_lows(quarters[0], quarters[1]), f8_highs(quarters[0], quarters[1])};
    float halves[2][8], stored[24];
    f8_store(halves[0], quarters[0]);
    f8_store(halves[1], quarters[1]);
    for (int k = 0; k < 2; k++)
        CHECK_LANES(f8, float, 8, ends[k], halves[i / 4][4 * k + i % 4], false);
    f8 xyz[3];
    f8_load_xyz(numbers, xyz);
    for (int k = 0; k < 3; k++)
        CHECK_LANES(f8, float, 8, xyz[k], numbers[3 * i + k], false);
    f8_store_xyz(stored, xyz);
    assert_memory_equal(stored, numbers, sizeof(stored));
}

/* What the flags of this program ask of the processor. */
static bool processor_can_run_this(void)
{
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2");
#else
    return true;
#endif
}

int main(void)
{
    if (!processor_can_run_this()) {
        printf("skipped: this processor lacks the instruction set\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f8_arithmetic),      cmocka_unit_test(f8_comparisons),
        cmocka_unit_test(m8_masks),           cmocka_unit_test(f8_memory),
        cmocka_unit_test(f4_arithmetic),      cmocka_unit_test(f4_comparisons),
        cmocka_unit_test(m4_masks),           cmocka_unit_test(f4_memory),
        cmocka_unit_test(d4_arithmetic),      cmocka_unit_test(d4_comparisons),
        cmocka_unit_test(n4_masks),           cmocka_unit_test(d4_memory),
        cmocka_unit_test(floats_and_doubles), cmocka_unit_test(masks_of_floats_and_doubles),
        cmocka_unit_test(lanes_and_halves),   cmocka_unit_test(pairs_of_rows),
        cmocka_unit_test(transposes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
