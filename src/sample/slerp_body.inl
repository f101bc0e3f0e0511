/* Eight slerps at once, in single precision, without trigonometry.
 *
 * Slerp from a to b, an angle w apart, weighs a with sin((1 - t) w) / sin w and b with
 * sin(t w) / sin w. With e = 1 - cos w, and cos w is the dot product,
 *
 *     sin(t w) / sin w = t (1 + c1 e (1 + c2 e (1 + ...))),   ci = (i - t^2 / i) / (2 i + 1)
 *
 * (the hypergeometric series of sin(t w); D. Eberly, "A Fast and Accurate Algorithm for Computing
 * SLERP", 2011, uses it too). Its coefficients depend on t alone, which most tracks of a clip
 * share, and its value hardly on e: errors of the dot product, which make an arc cosine useless
 * near 0, come out shrunk to a third. e is small for real keys, so few terms are enough:
 *
 *     e <= 1/32   rotations up to 29 degrees apart      3 terms    left out: < 3e-8
 *     e <= 0.3    up to 91 degrees                      8 terms    < 3e-9
 *     else        halved first: from a to the middle or from there to b, and e <= 0.3
 *
 * Each lane takes the way that its own e asks for, whatever the others do, so a lane's bits do not
 * depend on its neighbours. Within 1e-6 rad of the true rotation (tests/unit/test_slerp_lanes.c).
 */
#include "simd/simd.h"

#define SLERP_NEAR 0.03125f
#define SLERP_FAR 0.3f

enum { SLERP_NEAR_TERMS = 3, SLERP_TERMS = 8 };

/* t, t c1, t c1 c2, ... */
MRWI_INLINE void slerp_series(f8 t, int terms, f8 out[])
{
    f8 t2 = f8_mul(t, t);
    out[0] = t;
    for (int i = 1; i <= terms; i++) {
        float n = (float)i;
        f8 c = f8_sub(f8_splat(n / (2.0f * n + 1.0f)),
                      f8_mul(t2, f8_splat(1.0f / (n * (2.0f * n + 1.0f)))));
        out[i] = f8_mul(out[i - 1], c);
    }
}

MRWI_INLINE f8 slerp_sum(const f8 series[], int terms, f8 e)
{
    f8 sum = series[terms];
    for (int i = terms - 1; i >= 0; i--)
        sum = f8_add(series[i], f8_mul(e, sum));
    return sum;
}

/* What does not depend on the rotations. */
typedef struct slerp_time {
    f8 fraction;
    f8 from[SLERP_NEAR_TERMS + 1], to[SLERP_NEAR_TERMS + 1];
    m8 on_key; /* fraction 0 */
} slerp_time;

MRWI_INLINE void slerp_time_set(slerp_time *time, f8 fraction)
{
    time->fraction = fraction;
    time->on_key = f8_equal(fraction, f8_zero());
    slerp_series(f8_sub(f8_splat(1.0f), fraction), SLERP_NEAR_TERMS, time->from);
    slerp_series(fraction, SLERP_NEAR_TERMS, time->to);
}

MRWI_INLINE f8 slerp_dot(const f8 a[4], const f8 b[4])
{
    f8 sum = f8_add(f8_mul(a[0], b[0]), f8_mul(a[1], b[1]));
    return f8_add(f8_add(sum, f8_mul(a[2], b[2])), f8_mul(a[3], b[3]));
}

/* Where e is above SLERP_FAR: the half of the arc in which the fraction lies. */
MRWI_INLINE void slerp_halve(m8 far, f8 from[4], f8 to[4], f8 *fraction)
{
    const f8 one = f8_splat(1.0f);
    f8 middle[4];
    for (int i = 0; i < 4; i++)
        middle[i] = f8_add(from[i], to[i]);
    f8 inverse = f8_div(one, f8_sqrt(slerp_dot(middle, middle)));
    f8 twice = f8_add(*fraction, *fraction);
    m8 second = f8_less(one, twice);
    m8 from_middle = m8_and(far, second);
    m8 to_middle = m8_and(far, m8_not(second));
    for (int i = 0; i < 4; i++) {
        middle[i] = f8_mul(middle[i], inverse);
        from[i] = f8_select(from_middle, middle[i], from[i]);
        to[i] = f8_select(to_middle, middle[i], to[i]);
    }
    *fraction = f8_select(far, f8_select(second, f8_sub(twice, one), twice), *fraction);
}

/* What slerp_unscaled has worked out. */
typedef struct slerp_ends {
    f8 from[4], to[4];
    f8 weight_from, weight_to;
} slerp_ends;

/* The rarer ways: replaces the weights of the lanes whose e is above SLERP_NEAR. */
MRWI_ONCE void slerp_wide(f8 fraction, f8 e, slerp_ends *ends)
{
    const f8 one = f8_splat(1.0f);
    m8 wide = f8_less(f8_splat(SLERP_NEAR), e);
    m8 far = f8_less(f8_splat(SLERP_FAR), e);
    if (m8_any(far)) {
        slerp_halve(far, ends->from, ends->to, &fraction);
        e = f8_select(far, f8_sub(one, slerp_dot(ends->from, ends->to)), e);
    }
    f8 series[SLERP_TERMS + 1];
    slerp_series(f8_sub(one, fraction), SLERP_TERMS, series);
    ends->weight_from = f8_select(wide, slerp_sum(series, SLERP_TERMS, e), ends->weight_from);
    slerp_series(fraction, SLERP_TERMS, series);
    ends->weight_to = f8_select(wide, slerp_sum(series, SLERP_TERMS, e), ends->weight_to);
}

MRWI_INLINE f8 slerp_mix(f8 from, f8 weight_from, f8 to, f8 weight_to)
{
    return f8_add(f8_mul(from, weight_from), f8_mul(to, weight_to));
}

/* What makes a unit quaternion of one whose squares sum to 1 + d. Its length is 1 but for rounding,
 * or for 1e-3 if the keys were off as far as a clip allows: 1 / sqrt(1 + d) = 1 - d / 2 + 3/8 d^2
 * to within 1e-8, without a root and a division. */
MRWI_INLINE f8 slerp_length_scale(f8 d)
{
    return f8_add(f8_splat(1.0f), f8_mul(d, f8_sub(f8_mul(d, f8_splat(0.375f)), f8_splat(0.5f))));
}

/* As long as `from` and `to` are, which for those of unit length is 1 but for rounding. Where the
 * fraction is 0 it is `from`. out may not be from or to. */
MRWI_INLINE void slerp_unscaled(const slerp_time *time, const f8 from[4], const f8 to[4], f8 out[4])
{
    f8 dot = slerp_dot(from, to);
    f8 side = f8_add(dot, f8_zero()); /* -0 counts as +0: no turn */
    f8 e = f8_sub(f8_splat(1.0f), f8_abs(dot));
    f8 weight_a = slerp_sum(time->from, SLERP_NEAR_TERMS, e);
    f8 weight_b = slerp_sum(time->to, SLERP_NEAR_TERMS, e);
    f8 a[4], b[4];
    for (int i = 0; i < 4; i++) {
        a[i] = from[i];
        b[i] = to[i];
    }
    if (m8_any(f8_less(f8_splat(SLERP_NEAR), e))) {
        slerp_ends ends = {.weight_from = weight_a, .weight_to = weight_b};
        for (int i = 0; i < 4; i++) {
            ends.from[i] = a[i];
            ends.to[i] = f8_flip_sign(b[i], side);
        }
        slerp_wide(time->fraction, e, &ends);
        for (int i = 0; i < 4; i++) {
            a[i] = ends.from[i];
            b[i] = ends.to[i];
        }
        weight_a = ends.weight_from;
        weight_b = ends.weight_to;
        side = f8_zero();
    }
    weight_b = f8_flip_sign(weight_b, side); /* as good as turning b, to the bit */
    for (int i = 0; i < 4; i++)
        out[i] = slerp_mix(a[i], weight_a, b[i], weight_b);
}

/* Between keys: no fraction is 0. out may not be from or to. */
MRWI_INLINE void slerp_between(const slerp_time *time, const f8 from[4], const f8 to[4], f8 out[4])
{
    slerp_unscaled(time, from, to, out);
    f8 scale = slerp_length_scale(f8_sub(slerp_dot(out, out), f8_splat(1.0f)));
    for (int i = 0; i < 4; i++)
        out[i] = f8_mul(out[i], scale);
}

/* out may not be from or to. Lanes on a key get the bits of `from`. */
MRWI_INLINE void slerp_lanes(const slerp_time *time, const f8 from[4], const f8 to[4], f8 out[4])
{
    slerp_between(time, from, to, out);
    for (int i = 0; i < 4; i++)
        out[i] = f8_select(time->on_key, from[i], out[i]);
}
