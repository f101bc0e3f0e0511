/* Blending, eight joints at a time.
 *
 *     layers ─▶ mean (plain, masked, or one pose as it is) ─▶ additive layers ─▶ block of the
 * result
 *
 * All of a block is read before it is written, so the result may lie in one of the layers.
 *
 * Whatever the number of lanes, each joint sees the operations in the order in which they are
 * written here; a sum begins with 0 + the first term, which makes of a -0 a 0. */
#include "blend/blend_input.h"
#include "math/math_inline.h"
#include "pose/pose_block.h"
#include "simd/simd.h"

typedef struct blend_joints {
    f8 translation[3];
    f8 rotation[4];
    f8 scale[3];
} blend_joints;

/* --- blocks ------------------------------------------------------------------------------ */

MRWI_INLINE blend_joints blend_load(const mrw_pose_block *block)
{
    blend_joints joints;
    for (int i = 0; i < 3; i++) {
        joints.translation[i] = f8_load(block->translation[i]);
        joints.scale[i] = f8_load(block->scale[i]);
    }
    for (int i = 0; i < 4; i++)
        joints.rotation[i] = f8_load(block->rotation[i]);
    return joints;
}

MRWI_INLINE void blend_store(mrw_pose_block *block, const blend_joints *joints)
{
    for (int i = 0; i < 3; i++) {
        f8_store(block->translation[i], joints->translation[i]);
        f8_store(block->scale[i], joints->scale[i]);
    }
    for (int i = 0; i < 4; i++)
        f8_store(block->rotation[i], joints->rotation[i]);
}

MRWI_INLINE blend_joints blend_select(m8 mask, const blend_joints *a, const blend_joints *b)
{
    blend_joints joints;
    for (int i = 0; i < 3; i++) {
        joints.translation[i] = f8_select(mask, a->translation[i], b->translation[i]);
        joints.scale[i] = f8_select(mask, a->scale[i], b->scale[i]);
    }
    for (int i = 0; i < 4; i++)
        joints.rotation[i] = f8_select(mask, a->rotation[i], b->rotation[i]);
    return joints;
}

/* Lanes past the last joint become the identity. Shares that sum to 1 only nearly would make their
 * scale 1 only nearly. */
MRWI_INLINE void blend_pad(blend_joints *joints, uint32_t block, uint32_t joint_count)
{
    static const float lanes[MRW_POSE_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t first = block * MRW_POSE_LANES;
    if (joint_count >= first + MRW_POSE_LANES)
        return;
    m8 used = f8_less(f8_load(lanes), f8_splat((float)(joint_count - first)));
    blend_joints identity;
    for (int i = 0; i < 3; i++) {
        identity.translation[i] = f8_zero();
        identity.scale[i] = f8_splat(1.0f);
        identity.rotation[i] = f8_zero();
    }
    identity.rotation[3] = f8_splat(1.0f);
    *joints = blend_select(used, joints, &identity);
}

/* A layer's weights of the joints of a block; 0 in lanes past the last joint. */
MRWI_INLINE f8 blend_load_weights(const float *weights, uint32_t block, uint32_t joint_count)
{
    uint32_t first = block * MRW_POSE_LANES;
    if (weights == NULL)
        return f8_splat(1.0f);
    if (joint_count >= first + MRW_POSE_LANES)
        return f8_load(weights + first);
    float tail[MRW_POSE_LANES] = {0};
    for (uint32_t i = first; i < joint_count; i++)
        tail[i - first] = weights[i];
    return f8_load(tail);
}

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

/* --- the mean with one share for all joints ---------------------------------------------- */

/* Adds a block times its share. Its rotation's comes apart, since its sign may be another. */
MRWI_INLINE void blend_add(blend_joints *sum, const mrw_pose_block *block, f8 share,
                           f8 rotation_share)
{
    for (int i = 0; i < 3; i++) {
        sum->translation[i] =
            f8_add(sum->translation[i], f8_mul(f8_load(block->translation[i]), share));
        sum->scale[i] = f8_add(sum->scale[i], f8_mul(f8_load(block->scale[i]), share));
    }
    for (int i = 0; i < 4; i++)
        sum->rotation[i] =
            f8_add(sum->rotation[i], f8_mul(f8_load(block->rotation[i]), rotation_share));
}

MRWI_INLINE void blend_add_towards(blend_joints *sum, const mrw_pose_block *block,
                                   const f8 reference[4], float share)
{
    f8 rotation[4];
    for (int i = 0; i < 4; i++)
        rotation[i] = f8_load(block->rotation[i]);
    f8 shares = f8_splat(share);
    blend_add(sum, block, shares, blend_towards(blend_dot(rotation, reference), shares));
}

MRWI_INLINE blend_joints blend_mean(const mrwi_blend_input *input, uint32_t b)
{
    const mrwi_blend_layers *layers = &input->layers;
    const mrw_pose_block *block = &mrwi_blend_pose(layers, input->first)->blocks[b];
    f8 reference[4];
    for (int i = 0; i < 4; i++)
        reference[i] = f8_load(block->rotation[i]);
    blend_joints sum;
    for (int i = 0; i < 3; i++)
        sum.translation[i] = sum.scale[i] = sum.rotation[i] = f8_zero();
    sum.rotation[3] = f8_zero();
    f8 share = f8_splat(mrwi_blend_share(input, input->first));
    blend_add(&sum, block, share, share);
    for (uint32_t i = input->first + 1; i < layers->count; i++)
        if (mrwi_blend_weight(layers, i) > 0.0f)
            blend_add_towards(&sum, &mrwi_blend_pose(layers, i)->blocks[b], reference,
                              mrwi_blend_share(input, i));
    if (input->rest_share > 0.0f)
        blend_add_towards(&sum, &input->rest_blocks[b], reference, input->rest_share);
    blend_normalize(sum.rotation);
    return sum;
}

/* --- the mean with shares of each joint -------------------------------------------------- */

/* Weights are multiplied and summed in double, where neither vanishes nor overflows. Masks of 1
 * then give the same shares as none. */
typedef struct blend_weights {
    d4 low, high;
} blend_weights;

MRWI_INLINE blend_weights blend_weigh(const mrwi_blend_input *input, uint32_t layer, f8 of_joints)
{
    d4 weight = d4_splat((double)mrwi_blend_weight(&input->layers, layer));
    blend_weights product = {d4_mul(weight, d4_from_f4(f8_low(of_joints))),
                             d4_mul(weight, d4_from_f4(f8_high(of_joints)))};
    return product;
}

MRWI_INLINE f8 blend_shares(blend_weights weights, blend_weights sums)
{
    return f8_join(f4_from_d4(d4_div(weights.low, sums.low)),
                   f4_from_d4(d4_div(weights.high, sums.high)));
}

/* The rest pose's weight where layers have `sum`: what is missing to the threshold, and 1 where
 * there is nothing else. */
MRWI_INLINE d4 blend_rest_weight(d4 sum, double threshold)
{
    d4 limit = d4_splat(threshold);
    d4 missing = d4_select(d4_less(sum, limit), d4_sub(limit, sum), d4_zero());
    n4 alone = d4_equal(d4_add(sum, missing), d4_zero());
    return d4_select(alone, d4_splat(1.0), missing);
}

typedef struct blend_masked_sum {
    blend_joints sum;
    blend_joints first; /* each joint of the first layer that has weight there */
    m8 has_one;
    m8 has_more;
} blend_masked_sum;

/* Lanes that are not active stay as they are, whatever the block holds. */
MRWI_INLINE void blend_add_masked(blend_masked_sum *state, const mrw_pose_block *block, m8 active,
                                  f8 share)
{
    blend_joints joints = blend_load(block);
    state->first = blend_select(state->has_one, &state->first, &joints);
    state->has_more = m8_or(state->has_more, m8_and(state->has_one, active));
    state->has_one = m8_or(state->has_one, active);
    f8 towards = blend_towards(blend_dot(joints.rotation, state->first.rotation), share);
    blend_joints sum = state->sum;
    blend_add(&sum, block, share, towards);
    state->sum = blend_select(active, &sum, &state->sum);
}

static __attribute__((noinline, unused)) void blend_mean_masked(const mrwi_blend_input *input,
                                                                uint32_t b, blend_joints *out_mean)
{
    const mrwi_blend_layers *layers = &input->layers;
    blend_weights sums = {d4_zero(), d4_zero()};
    for (uint32_t i = input->first; i < layers->count; i++) {
        if (!(mrwi_blend_weight(layers, i) > 0.0f))
            continue;
        const float *of_joints = mrwi_blend_joint_weights(layers, i);
        blend_weights weights =
            blend_weigh(input, i, blend_load_weights(of_joints, b, input->joint_count));
        sums.low = d4_add(sums.low, weights.low);
        sums.high = d4_add(sums.high, weights.high);
    }
    blend_weights rest = {blend_rest_weight(sums.low, input->threshold),
                          blend_rest_weight(sums.high, input->threshold)};
    sums.low = d4_add(sums.low, rest.low);
    sums.high = d4_add(sums.high, rest.high);

    blend_masked_sum state;
    for (int i = 0; i < 3; i++)
        state.sum.translation[i] = state.sum.scale[i] = state.sum.rotation[i] = f8_zero();
    state.sum.rotation[3] = f8_zero();
    state.first = state.sum;
    state.has_one = state.has_more = f8_less(f8_zero(), f8_zero());
    for (uint32_t i = input->first; i < layers->count; i++) {
        if (!(mrwi_blend_weight(layers, i) > 0.0f))
            continue;
        f8 of_joints =
            blend_load_weights(mrwi_blend_joint_weights(layers, i), b, input->joint_count);
        m8 active = f8_less(f8_zero(), of_joints);
        if (m8_any(active))
            blend_add_masked(&state, &mrwi_blend_pose(layers, i)->blocks[b], active,
                             blend_shares(blend_weigh(input, i, of_joints), sums));
    }
    f8 rest_share = blend_shares(rest, sums);
    m8 rest_active = f8_less(f8_zero(), rest_share);
    if (m8_any(rest_active))
        blend_add_masked(&state, &input->rest_blocks[b], rest_active, rest_share);
    if (m8_any(state.has_more))
        blend_normalize(state.sum.rotation);
    *out_mean = blend_select(state.has_more, &state.sum, &state.first);
}

/* --- additive layers --------------------------------------------------------------------- */

/* nlerp(identity, delta, weight), not yet of unit length. */
MRWI_INLINE void blend_weigh_rotation(f8 delta[4], f8 weight)
{
    f8 towards = blend_towards(delta[3], weight);
    for (int i = 0; i < 4; i++)
        delta[i] = f8_mul(delta[i], towards);
    delta[3] = f8_add(f8_sub(f8_splat(1.0f), weight), delta[3]);
}

MRWI_INLINE void blend_apply_delta(blend_joints *joints, const mrw_pose_block *block, f8 weight)
{
    m8 active = f8_less(f8_zero(), weight);
    blend_joints delta = blend_load(block);
    f8 rest_of_1 = f8_sub(f8_splat(1.0f), weight);
    blend_joints sum;
    for (int i = 0; i < 3; i++) {
        sum.translation[i] = f8_add(joints->translation[i], f8_mul(weight, delta.translation[i]));
        f8 factor = f8_add(rest_of_1, f8_mul(weight, delta.scale[i]));
        sum.scale[i] = f8_mul(joints->scale[i], factor);
    }
    blend_weigh_rotation(delta.rotation, weight);
    blend_multiply(delta.rotation, joints->rotation, sum.rotation);
    blend_normalize(sum.rotation);
    *joints = blend_select(active, &sum, joints);
}

static __attribute__((noinline, unused)) void blend_apply_deltas(const mrwi_blend_input *input,
                                                                 uint32_t b, blend_joints *joints)
{
    for (uint32_t i = 0; i < input->additive.count; i++) {
        float weight = mrwi_blend_weight(&input->additive, i);
        if (!(weight > 0.0f))
            continue;
        f8 of_joints = blend_load_weights(mrwi_blend_joint_weights(&input->additive, i), b,
                                          input->joint_count);
        blend_apply_delta(joints, &mrwi_blend_pose(&input->additive, i)->blocks[b],
                          f8_mul(f8_splat(weight), of_joints));
    }
}

/* --- the kernels ------------------------------------------------------------------------- */

static __attribute__((noinline, unused)) void
blend_any_blocks(const mrwi_blend_input *input, uint32_t first_block, uint32_t end_block)
{
    for (uint32_t b = first_block; b < end_block; b++) {
        blend_joints joints;
        if (input->single_blocks != NULL)
            joints = blend_load(&input->single_blocks[b]);
        else if (input->is_masked)
            blend_mean_masked(input, b, &joints);
        else
            joints = blend_mean(input, b);
        if (input->additive.count > 0)
            blend_apply_deltas(input, b, &joints);
        blend_pad(&joints, b, input->joint_count);
        blend_store(&input->out_blocks[b], &joints);
    }
}

/* The commonest blend, two layers and nothing else: blend_mean with everything in registers, and
 * rotations stored before the rest is loaded. */
MRWI_INLINE f8 blend_two_streams(const float *a, const float *b, f8 share_a, f8 share_b)
{
    f8 first = f8_add(f8_zero(), f8_mul(f8_load(a), share_a));
    return f8_add(first, f8_mul(f8_load(b), share_b));
}

MRWI_INLINE void blend_two(const mrw_pose_block *a, const mrw_pose_block *b, f8 share_a, f8 share_b,
                           mrw_pose_block *out)
{
    f8 from[4], to[4], sum[4];
    for (int i = 0; i < 4; i++) {
        from[i] = f8_load(a->rotation[i]);
        to[i] = f8_load(b->rotation[i]);
    }
    f8 towards = blend_towards(blend_dot(to, from), share_b);
    for (int i = 0; i < 4; i++)
        sum[i] = f8_add(f8_add(f8_zero(), f8_mul(from[i], share_a)), f8_mul(to[i], towards));
    blend_normalize(sum);
    for (int i = 0; i < 4; i++)
        f8_store(out->rotation[i], sum[i]);
    for (int i = 0; i < 3; i++) {
        f8 translation = blend_two_streams(a->translation[i], b->translation[i], share_a, share_b);
        f8 scale = blend_two_streams(a->scale[i], b->scale[i], share_a, share_b);
        f8_store(out->translation[i], translation);
        f8_store(out->scale[i], scale);
    }
}

static void blend_two_blocks(const mrwi_blend_input *input, uint32_t first_block,
                             uint32_t end_block)
{
    const mrw_pose_block *a = mrwi_blend_pose(&input->layers, input->first)->blocks;
    const mrw_pose_block *b = mrwi_blend_pose(&input->layers, input->second)->blocks;
    f8 share_a = f8_splat(mrwi_blend_share(input, input->first));
    f8 share_b = f8_splat(mrwi_blend_share(input, input->second));
    mrw_pose_block *out = input->out_blocks;
    for (uint32_t i = first_block; i < end_block; i++)
        blend_two(&a[i], &b[i], share_a, share_b, &out[i]);
    if (end_block > first_block && input->joint_count < end_block * MRW_POSE_LANES)
        mrwi_block_pad(out, input->joint_count);
}

static void blend_blocks(const mrwi_blend_input *input, uint32_t first_block, uint32_t end_block)
{
    if (input->second > 0)
        blend_two_blocks(input, first_block, end_block);
    else
        blend_any_blocks(input, first_block, end_block);
}

/* rotation * reference^-1 */
MRWI_INLINE void blend_turn_between(const f8 reference[4], const f8 rotation[4], f8 out[4])
{
    f8 back[4] = {f8_neg(reference[0]), f8_neg(reference[1]), f8_neg(reference[2]), reference[3]};
    blend_multiply(rotation, back, out);
    blend_normalize_by_division(out);
}

/* scale / reference; 1 where that is no number or does not fit. */
MRWI_INLINE f8 blend_ratio(f8 reference, f8 scale)
{
    f8 ratio = f8_div(scale, reference);
    return f8_select(f8_less_equal(f8_abs(ratio), f8_splat(FLT_MAX)), ratio, f8_splat(1.0f));
}

static void blend_subtract_blocks(const mrw_pose_block *blocks, const mrw_pose_block *reference,
                                  uint32_t joint_count, mrw_pose_block *out_blocks)
{
    for (uint32_t b = 0; b < mrwi_block_count(joint_count); b++) {
        blend_joints joints = blend_load(&blocks[b]);
        blend_joints from = blend_load(&reference[b]);
        blend_joints delta;
        for (int i = 0; i < 3; i++) {
            delta.translation[i] = f8_sub(joints.translation[i], from.translation[i]);
            delta.scale[i] = blend_ratio(from.scale[i], joints.scale[i]);
        }
        blend_turn_between(from.rotation, joints.rotation, delta.rotation);
        blend_pad(&delta, b, joint_count);
        blend_store(&out_blocks[b], &delta);
    }
}
