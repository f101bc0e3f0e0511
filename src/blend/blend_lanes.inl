/* The weighted mean of local transforms, and differences on top of it, eight at a time. Each lane
 * is on its own: eight joints of one pose (blend_kernel.inl), or one joint of eight characters.
 *
 * What a lane goes through, in this order, defines its bits, wherever it is worked out:
 *
 *     weights   p[i] = weight[i] * part[i], in floats. Weights have been multiplied by a power of
 *               two, so that the largest is 1 to 2; what is then below MRWI_BLEND_LEAST is 0. A
 *               layer with p[i] = 0 is passed over.
 *     sum       P = (p[0] + p[1]) + p[2] ..., and the rest pose's weight as the last
 *     shares    s[i] = p[i] / P: exactly 1 where a layer is alone
 *     vectors   (x[0] * s[0] + x[1] * s[1]) + x[2] * s[2] ...      translation and scale
 *     rotation  (q[0] * s[0] + q[1] * s[1]) + q[2] * s[2] ..., where s is negated if the dot
 *               product of q and q[0], ((x + y) + z) + w, is below 0; q[0] is the first layer's
 *               that has weight
 *     deltas    translation + w * d, scale * ((1 - w) + w * d), normalize(nlerp * rotation)
 *     length    mrwi_quat_normalize, unless a layer is alone, whose numbers stay as they are, or a
 *               delta has done it
 *
 * mrwi_blend_shares does the first three for one joint. The functions come in pairs: the plain one
 * is for layers that have weight in all lanes, and the one called `some` looks at each lane's share
 * and gives the same bits. Sums that `some` functions add to begin with blend_nothing. */
#ifndef MRWI_BLEND_LANES_INL
#define MRWI_BLEND_LANES_INL

#include "math/math_inline.h"
#include "pose/pose_block.h"
#include "simd/simd.h"

/* --- rotations --------------------------------------------------------------------------- */

/* ((x + y) + z) + w, as mrwi_quat_dot. */
MRWI_INLINE f8 blend_dot(const f8 a[4], const f8 b[4])
{
    f8 sum = f8_add(f8_mul(a[0], b[0]), f8_mul(a[1], b[1]));
    return f8_add(f8_add(sum, f8_mul(a[2], b[2])), f8_mul(a[3], b[3]));
}

/* `share` with its sign turned where the dot product is below 0 (not where it is -0). */
MRWI_INLINE f8 blend_towards(f8 dot, f8 share)
{
    return f8_select(f8_less(dot, f8_zero()), f8_neg(share), share);
}

MRWI_INLINE m8 blend_is_safe_length2(f8 length2)
{
    return m8_and(f8_less_equal(f8_splat(MRWI_SAFE_LENGTH2_MIN), length2),
                  f8_less_equal(length2, f8_splat(MRWI_SAFE_LENGTH2_MAX)));
}

/* Writes the lanes whose length is too small, too large or no number as mrwi_quat_normalize does.
 */
static __attribute__((noinline, unused)) void blend_normalize_unsafe(const float from[4][8],
                                                                     float to[4][8])
{
    for (int lane = 0; lane < MRW_POSE_LANES; lane++) {
        mrw_quat q = {from[0][lane], from[1][lane], from[2][lane], from[3][lane]};
        if (mrwi_is_safe_length2(mrwi_quat_dot(q, q)))
            continue;
        q = mrwi_quat_normalize_slow(q);
        to[0][lane] = q.x;
        to[1][lane] = q.y;
        to[2][lane] = q.z;
        to[3][lane] = q.w;
    }
}

MRWI_INLINE void blend_mend(const f8 from[4], f8 to[4])
{
    float before[4][8], after[4][8];
    for (int i = 0; i < 4; i++) {
        f8_store(before[i], from[i]);
        f8_store(after[i], to[i]);
    }
    blend_normalize_unsafe(before, after);
    for (int i = 0; i < 4; i++)
        to[i] = f8_load(after[i]);
}

/* mrwi_quat_normalize */
MRWI_INLINE void blend_normalize(f8 q[4])
{
    f8 length2 = blend_dot(q, q);
    f8 inverse = f8_div(f8_splat(1.0f), f8_sqrt(length2));
    f8 unit[4];
    for (int i = 0; i < 4; i++)
        unit[i] = f8_mul(q[i], inverse);
    if (!m8_all(blend_is_safe_length2(length2)))
        blend_mend(q, unit);
    for (int i = 0; i < 4; i++)
        q[i] = unit[i];
}

/* The lanes of the mask. */
MRWI_INLINE void blend_normalize_some(f8 q[4], m8 mask)
{
    f8 unit[4] = {q[0], q[1], q[2], q[3]};
    blend_normalize(unit);
    for (int i = 0; i < 4; i++)
        q[i] = f8_select(mask, unit[i], q[i]);
}

/* The same with a division for each component: that makes (0 0 0 w) exactly (0 0 0 1). */
MRWI_INLINE void blend_normalize_by_division(f8 q[4])
{
    f8 length2 = blend_dot(q, q);
    f8 length = f8_sqrt(length2);
    f8 unit[4];
    for (int i = 0; i < 4; i++)
        unit[i] = f8_div(q[i], length);
    if (!m8_all(blend_is_safe_length2(length2)))
        blend_mend(q, unit);
    for (int i = 0; i < 4; i++)
        q[i] = unit[i];
}

/* mrwi_quat_mul */
MRWI_INLINE void blend_multiply(const f8 a[4], const f8 b[4], f8 out[4])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        f8 sum = f8_add(f8_mul(a[3], b[i]), f8_mul(a[i], b[3]));
        out[i] = f8_sub(f8_add(sum, f8_mul(a[j], b[k])), f8_mul(a[k], b[j]));
    }
    f8 sum = f8_add(f8_mul(a[0], b[0]), f8_mul(a[1], b[1]));
    out[3] = f8_neg(f8_sub(f8_add(sum, f8_mul(a[2], b[2])), f8_mul(a[3], b[3])));
}

/* --- the mean ---------------------------------------------------------------------------- */

/* What a sum of no terms is: x + -0 is x, also if x is -0. */
MRWI_INLINE f8 blend_nothing(void)
{
    return f8_splat(-0.0f);
}

MRWI_INLINE void blend_add_rotation(f8 sum[4], const f8 reference[4], const f8 q[4], f8 share)
{
    f8 towards = blend_towards(blend_dot(q, reference), share);
    for (int i = 0; i < 4; i++)
        sum[i] = f8_add(sum[i], f8_mul(q[i], towards));
}

/* Rotations being summed, where layers have weight in some lanes. */
typedef struct blend_rotations {
    f8 sum[4];
    f8 reference[4]; /* of the first layer that has weight in the lane */
    m8 has_one;
    m8 has_more;
} blend_rotations;

MRWI_INLINE void blend_begin_rotations(blend_rotations *state)
{
    for (int i = 0; i < 4; i++)
        state->sum[i] = state->reference[i] = blend_nothing();
    state->has_one = state->has_more = f8_less(f8_zero(), f8_zero());
}

MRWI_INLINE void blend_add_some_rotations(blend_rotations *state, const f8 q[4], f8 share)
{
    m8 active = f8_less(f8_zero(), share);
    for (int i = 0; i < 4; i++)
        state->reference[i] = f8_select(state->has_one, state->reference[i], q[i]);
    state->has_more = m8_or(state->has_more, m8_and(state->has_one, active));
    state->has_one = m8_or(state->has_one, active);
    f8 towards = blend_towards(blend_dot(q, state->reference), share);
    for (int i = 0; i < 4; i++)
        state->sum[i] =
            f8_select(active, f8_add(state->sum[i], f8_mul(q[i], towards)), state->sum[i]);
}

MRWI_INLINE f8 blend_add_vector(f8 sum, f8 x, f8 share)
{
    return f8_add(sum, f8_mul(x, share));
}

/* Whatever x is in lanes without weight. */
MRWI_INLINE f8 blend_add_some_vectors(f8 sum, f8 x, f8 share)
{
    return f8_select(f8_less(f8_zero(), share), blend_add_vector(sum, x, share), sum);
}

/* --- differences ------------------------------------------------------------------------- */

/* normalize(nlerp(identity, delta, weight) * rotation); the nlerp needs no length of its own. */
MRWI_INLINE void blend_turn(f8 rotation[4], const f8 delta[4], f8 weight)
{
    f8 towards = blend_towards(delta[3], weight);
    f8 turn[4], turned[4];
    for (int i = 0; i < 4; i++)
        turn[i] = f8_mul(delta[i], towards);
    turn[3] = f8_add(f8_sub(f8_splat(1.0f), weight), turn[3]);
    blend_multiply(turn, rotation, turned);
    blend_normalize(turned);
    for (int i = 0; i < 4; i++)
        rotation[i] = turned[i];
}

MRWI_INLINE f8 blend_move(f8 translation, f8 delta, f8 weight)
{
    return f8_add(translation, f8_mul(weight, delta));
}

MRWI_INLINE f8 blend_stretch(f8 scale, f8 delta, f8 weight)
{
    return f8_mul(scale, f8_add(f8_sub(f8_splat(1.0f), weight), f8_mul(weight, delta)));
}

#endif
