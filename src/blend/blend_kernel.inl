/* Blending, eight joints at a time, some blocks after the other:
 *
 *     sums of all layers ─▶ differences ─▶ unit length of rotations
 *
 * each as a loop of its own, so that what the processor works on at once are several blocks and not
 * one chain. Of each stream all layers are read before it is written, so the result may lie in one
 * of them; where it lies in a difference, sums are put aside. blend_lanes.inl says what is
 * computed. */
#include "blend/blend_input.h"
#include "blend/blend_lanes.inl"

/* --- blocks ------------------------------------------------------------------------------ */

typedef struct blend_vectors {
    f8 translation[3];
    f8 scale[3];
} blend_vectors;

MRWI_INLINE void blend_load_rotation(const mrw_pose_block *block, f8 q[4])
{
    for (int i = 0; i < 4; i++)
        q[i] = f8_load(block->rotation[i]);
}

MRWI_INLINE void blend_store_rotation(mrw_pose_block *block, const f8 q[4])
{
    for (int i = 0; i < 4; i++)
        f8_store(block->rotation[i], q[i]);
}

MRWI_INLINE void blend_store_vectors(mrw_pose_block *block, const blend_vectors *vectors)
{
    for (int i = 0; i < 3; i++) {
        f8_store(block->translation[i], vectors->translation[i]);
        f8_store(block->scale[i], vectors->scale[i]);
    }
}

/* Lanes past the last joint become the identity. Shares that sum to 1 only nearly would make their
 * scale 1 only nearly. */
MRWI_INLINE void blend_pad(mrw_pose_block *blocks, uint32_t first_block, uint32_t end_block,
                           uint32_t joint_count)
{
    static const float lanes[MRW_POSE_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (joint_count >= end_block * MRW_POSE_LANES || first_block == end_block)
        return;
    mrw_pose_block *block = &blocks[end_block - 1];
    uint32_t used_count = joint_count - (end_block - 1) * MRW_POSE_LANES;
    m8 used = f8_less(f8_load(lanes), f8_splat((float)used_count));
    f8 zero = f8_zero(), one = f8_splat(1.0f);
    for (int i = 0; i < 3; i++) {
        f8_store(block->translation[i], f8_select(used, f8_load(block->translation[i]), zero));
        f8_store(block->rotation[i], f8_select(used, f8_load(block->rotation[i]), zero));
        f8_store(block->scale[i], f8_select(used, f8_load(block->scale[i]), one));
    }
    f8_store(block->rotation[3], f8_select(used, f8_load(block->rotation[3]), one));
}

/* --- weights of a block ------------------------------------------------------------------ */

MRWI_INLINE m8 blend_is_active(f8 share)
{
    return f8_less(f8_zero(), share);
}

/* A layer's weights of the joints of a block; 0 in lanes past the last joint. */
MRWI_INLINE f8 blend_load_weights(const float *weights, uint32_t block, uint32_t joint_count)
{
    uint32_t first = block * MRW_POSE_LANES;
    if (joint_count >= first + MRW_POSE_LANES)
        return f8_load(weights + first);
    float tail[MRW_POSE_LANES] = {0};
    for (uint32_t i = first; i < joint_count; i++)
        tail[i - first] = weights[i];
    return f8_load(tail);
}

MRWI_INLINE f8 blend_weigh(const mrwi_blend_entry *entry, uint32_t b, uint32_t joint_count)
{
    f8 weight = f8_splat(entry->weight);
    if (entry->joint_weights == NULL)
        return weight;
    f8 product = f8_mul(weight, blend_load_weights(entry->joint_weights, b, joint_count));
    return f8_select(f8_less_equal(f8_splat(MRWI_BLEND_LEAST), product), product, f8_zero());
}

/* The rest pose's weight where layers have `sum`. */
MRWI_INLINE f8 blend_weigh_rest(const mrwi_blend_input *input, f8 sum)
{
    f8 threshold = f8_splat(input->threshold);
    f8 missing = f8_select(f8_less(sum, threshold), f8_sub(threshold, sum), f8_zero());
    return f8_select(f8_less(f8_zero(), sum), missing, f8_splat(input->rest_alone));
}

/* --- the mean: few layers ---------------------------------------------------------------- */

/* So many blocks at a time that those at which the processor still sums need not wait for the roots
 * of others. */
enum { BLEND_CHUNK = 16 };

/* Layers, the rest pose behind them, with their shares of each block; or of all in the first. */
typedef struct blend_few {
    const mrw_pose_block *blocks[MRWI_BLEND_LISTED + 1];
    f8 shares[MRWI_BLEND_LISTED + 1][BLEND_CHUNK];
    bool is_full[BLEND_CHUNK]; /* all have weight in all lanes of the block */
} blend_few;

/* Of `count` layers the shares s, of all lanes. */
MRWI_INLINE void blend_few_full(const mrw_pose_block *const *blocks, const f8 *s, uint32_t count,
                                uint32_t b, mrw_pose_block *out)
{
    f8 reference[4], sum[4];
    blend_load_rotation(&blocks[0][b], reference);
    for (int i = 0; i < 4; i++)
        sum[i] = f8_mul(reference[i], s[0]);
    for (uint32_t i = 1; i < count; i++) {
        f8 q[4];
        blend_load_rotation(&blocks[i][b], q);
        blend_add_rotation(sum, reference, q, s[i]);
    }
    blend_store_rotation(out, sum);
    for (int k = 0; k < 3; k++) {
        f8 t = f8_mul(f8_load(blocks[0][b].translation[k]), s[0]);
        f8 r = f8_mul(f8_load(blocks[0][b].scale[k]), s[0]);
        for (uint32_t i = 1; i < count; i++) {
            t = blend_add_vector(t, f8_load(blocks[i][b].translation[k]), s[i]);
            r = blend_add_vector(r, f8_load(blocks[i][b].scale[k]), s[i]);
        }
        f8_store(out->translation[k], t);
        f8_store(out->scale[k], r);
    }
}

/* The same for layers that have no weight in some lanes. Returns those with several. */
MRWI_INLINE m8 blend_few_some(const mrw_pose_block *const *blocks, const f8 *s, uint32_t count,
                              uint32_t b, mrw_pose_block *out)
{
    blend_rotations state;
    blend_begin_rotations(&state);
    for (uint32_t i = 0; i < count; i++) {
        f8 q[4];
        blend_load_rotation(&blocks[i][b], q);
        blend_add_some_rotations(&state, q, s[i]);
    }
    blend_store_rotation(out, state.sum);
    for (int k = 0; k < 3; k++) {
        f8 t = blend_nothing(), r = blend_nothing();
        for (uint32_t i = 0; i < count; i++) {
            t = blend_add_some_vectors(t, f8_load(blocks[i][b].translation[k]), s[i]);
            r = blend_add_some_vectors(r, f8_load(blocks[i][b].scale[k]), s[i]);
        }
        f8_store(out->translation[k], t);
        f8_store(out->scale[k], r);
    }
    return state.has_more;
}

/* `count` is a constant for the compiler where it is small. */
MRWI_INLINE void blend_sum_few(const blend_few *few, uint32_t count, bool is_masked, uint32_t first,
                               uint32_t end, mrw_pose_block *out, m8 *is_raw)
{
    m8 none = f8_less(f8_zero(), f8_zero());
    const mrw_pose_block *blocks[MRWI_BLEND_LISTED + 1];
    f8 s[MRWI_BLEND_LISTED + 1];
    for (uint32_t i = 0; i < count; i++) {
        blocks[i] = few->blocks[i];
        s[i] = few->shares[i][0];
    }
    for (uint32_t b = first; b < end; b++) {
        for (uint32_t i = 0; i < count && is_masked; i++)
            s[i] = few->shares[i][b - first];
        is_raw[b - first] = count > 1 ? m8_not(none) : none;
        if (!is_masked || few->is_full[b - first])
            blend_few_full(blocks, s, count, b, &out[b - first]);
        else
            is_raw[b - first] = blend_few_some(blocks, s, count, b, &out[b - first]);
    }
}

/* Puts the rest pose behind the layers; returns how many that are. */
MRWI_INLINE uint32_t blend_gather(const mrwi_blend_input *input, blend_few *few)
{
    uint32_t count = input->layers.count;
    for (uint32_t i = 0; i < count; i++) {
        few->blocks[i] = input->layers.listed[i].blocks;
        few->shares[i][0] = f8_splat(input->layers.listed[i].share);
    }
    few->blocks[count] = input->rest.blocks;
    few->shares[count][0] = f8_splat(input->rest.share);
    return input->rest.share > 0.0f ? count + 1 : count;
}

/* The same with weights of joints. */
MRWI_INLINE uint32_t blend_gather_masked(const mrwi_blend_input *input, uint32_t first,
                                         uint32_t end, blend_few *few)
{
    uint32_t count = input->layers.count, block_count = end - first;
    f8 sums[BLEND_CHUNK];
    for (uint32_t b = 0; b < block_count; b++)
        sums[b] = f8_zero();
    for (uint32_t i = 0; i < count; i++) {
        const mrwi_blend_entry *entry = &input->layers.listed[i];
        few->blocks[i] = entry->blocks;
        for (uint32_t b = 0; b < block_count; b++) {
            few->shares[i][b] = blend_weigh(entry, first + b, input->joint_count);
            sums[b] = f8_add(sums[b], few->shares[i][b]);
        }
    }
    few->blocks[count] = input->rest.blocks;
    m8 has_rest = f8_less(f8_zero(), f8_zero());
    for (uint32_t b = 0; b < block_count; b++) {
        few->shares[count][b] = blend_weigh_rest(input, sums[b]);
        sums[b] = f8_add(sums[b], few->shares[count][b]);
        has_rest = m8_or(has_rest, blend_is_active(few->shares[count][b]));
    }
    count += m8_any(has_rest);
    for (uint32_t b = 0; b < block_count; b++) {
        m8 is_full = m8_not(f8_less(f8_zero(), f8_zero()));
        for (uint32_t i = 0; i < count; i++) {
            few->shares[i][b] = f8_div(few->shares[i][b], sums[b]);
            is_full = m8_and(is_full, blend_is_active(few->shares[i][b]));
        }
        few->is_full[b] = m8_all(is_full);
    }
    return count;
}

#ifdef __wasm__

/* A page downloads each loop, and hardly blends but two poses without weights of joints. */
MRWI_CALLED void blend_sum_some(const blend_few *few, uint32_t count, bool is_masked,
                                uint32_t first, uint32_t end, mrw_pose_block *out, m8 *is_raw)
{
    blend_sum_few(few, count, is_masked, first, end, out, is_raw);
}

static void blend_sum_listed(const mrwi_blend_input *input, uint32_t first, uint32_t end,
                             mrw_pose_block *out, m8 *is_raw)
{
    blend_few few;
    const bool is_masked = input->layers.has_joint_weights;
    const uint32_t count =
        is_masked ? blend_gather_masked(input, first, end, &few) : blend_gather(input, &few);
    if (count == 2 && !is_masked)
        blend_sum_few(&few, 2, false, first, end, out, is_raw);
    else
        blend_sum_some(&few, count, is_masked, first, end, out, is_raw);
}

#else

/* A loop each for the commonest numbers of poses, without a loop over poses in it. */
static void blend_sum_listed(const mrwi_blend_input *input, uint32_t first, uint32_t end,
                             mrw_pose_block *out, m8 *is_raw)
{
    blend_few few;
    if (!input->layers.has_joint_weights) {
        uint32_t count = blend_gather(input, &few);
        if (count == 2)
            blend_sum_few(&few, 2, false, first, end, out, is_raw);
        else if (count == 3)
            blend_sum_few(&few, 3, false, first, end, out, is_raw);
        else if (count == 4)
            blend_sum_few(&few, 4, false, first, end, out, is_raw);
        else
            blend_sum_few(&few, count, false, first, end, out, is_raw);
    } else {
        uint32_t count = blend_gather_masked(input, first, end, &few);
        if (count == 2)
            blend_sum_few(&few, 2, true, first, end, out, is_raw);
        else if (count == 3)
            blend_sum_few(&few, 3, true, first, end, out, is_raw);
        else if (count == 4)
            blend_sum_few(&few, 4, true, first, end, out, is_raw);
        else
            blend_sum_few(&few, count, true, first, end, out, is_raw);
    }
}

#endif

/* --- the mean: more layers than are listed ------------------------------------------------ */

MRWI_INLINE f8 blend_sum_weights(const mrwi_blend_input *input, uint32_t b)
{
    f8 sum = f8_zero();
    for (uint32_t i = 0; i < input->layers.count; i++) {
        mrwi_blend_entry entry = mrwi_blend_entry_at(&input->layers, i);
        sum = f8_add(sum, blend_weigh(&entry, b, input->joint_count));
    }
    return sum;
}

MRWI_INLINE void blend_add_some_block(blend_rotations *rotations, blend_vectors *vectors,
                                      const mrw_pose_block *block, f8 share)
{
    f8 q[4];
    blend_load_rotation(block, q);
    blend_add_some_rotations(rotations, q, share);
    for (int k = 0; k < 3; k++) {
        f8 *t = &vectors->translation[k], *s = &vectors->scale[k];
        *t = blend_add_some_vectors(*t, f8_load(block->translation[k]), share);
        *s = blend_add_some_vectors(*s, f8_load(block->scale[k]), share);
    }
}

static __attribute__((noinline, unused)) void blend_sum_many(const mrwi_blend_input *input,
                                                             uint32_t first, uint32_t end,
                                                             mrw_pose_block *out, m8 *is_raw)
{
    for (uint32_t b = first; b < end; b++) {
        f8 sum = blend_sum_weights(input, b);
        f8 rest = blend_weigh_rest(input, sum);
        sum = f8_add(sum, rest);
        blend_rotations rotations;
        blend_vectors vectors;
        blend_begin_rotations(&rotations);
        for (int k = 0; k < 3; k++)
            vectors.translation[k] = vectors.scale[k] = blend_nothing();
        for (uint32_t i = 0; i < input->layers.count; i++) {
            mrwi_blend_entry entry = mrwi_blend_entry_at(&input->layers, i);
            f8 share = f8_div(blend_weigh(&entry, b, input->joint_count), sum);
            if (entry.blocks != NULL)
                blend_add_some_block(&rotations, &vectors, &entry.blocks[b], share);
        }
        blend_add_some_block(&rotations, &vectors, &input->rest.blocks[b], f8_div(rest, sum));
        blend_store_rotation(&out[b - first], rotations.sum);
        blend_store_vectors(&out[b - first], &vectors);
        is_raw[b - first] = rotations.has_more;
    }
}

/* --- differences ------------------------------------------------------------------------- */

/* Takes from is_raw the lanes that the difference turns: they get unit length with it. */
MRWI_INLINE void blend_add_difference(const mrw_pose_block *delta, f8 weight, mrw_pose_block *block,
                                      m8 *is_raw)
{
    m8 active = blend_is_active(weight);
    f8 turn[4], q[4], turned[4];
    blend_load_rotation(delta, turn);
    blend_load_rotation(block, q);
    for (int i = 0; i < 4; i++)
        turned[i] = q[i];
    blend_turn(turned, turn, weight);
    for (int i = 0; i < 4; i++)
        f8_store(block->rotation[i], f8_select(active, turned[i], q[i]));
    for (int i = 0; i < 3; i++) {
        f8 t = f8_load(block->translation[i]), s = f8_load(block->scale[i]);
        f8 moved = blend_move(t, f8_load(delta->translation[i]), weight);
        f8 stretched = blend_stretch(s, f8_load(delta->scale[i]), weight);
        f8_store(block->translation[i], f8_select(active, moved, t));
        f8_store(block->scale[i], f8_select(active, stretched, s));
    }
    *is_raw = m8_and(*is_raw, m8_not(active));
}

static void blend_add_differences(const mrwi_blend_input *input, uint32_t first_block,
                                  uint32_t end_block, mrw_pose_block *out, m8 *is_raw)
{
    for (uint32_t i = 0; i < input->additive.count; i++) {
        const mrwi_blend_entry entry = mrwi_blend_entry_at(&input->additive, i);
        if (entry.blocks == NULL)
            continue;
        for (uint32_t b = first_block; b < end_block; b++) {
            f8 weight = blend_weigh(&entry, b, input->joint_count);
            if (m8_any(blend_is_active(weight)))
                blend_add_difference(&entry.blocks[b], weight, &out[b - first_block],
                                     &is_raw[b - first_block]);
        }
    }
}

/* --- the kernels ------------------------------------------------------------------------- */

MRWI_INLINE void blend_normalize_block(mrw_pose_block *block, m8 is_raw)
{
    f8 q[4];
    blend_load_rotation(block, q);
    if (m8_all(is_raw))
        blend_normalize(q);
    else if (m8_any(is_raw))
        blend_normalize_some(q, is_raw);
    blend_store_rotation(block, q);
}

/* Whether the result lies in a difference, which is read after sums are written. */
static bool blend_is_out_difference(const mrwi_blend_input *input)
{
    for (uint32_t i = 0; i < input->additive.count; i++)
        if (mrwi_blend_entry_at(&input->additive, i).blocks == input->out_blocks)
            return true;
    return false;
}

static void blend_chunk(const mrwi_blend_input *input, uint32_t first_block, uint32_t end_block,
                        mrw_pose_block *out)
{
    m8 is_raw[BLEND_CHUNK];
    if (input->layers.count <= MRWI_BLEND_LISTED)
        blend_sum_listed(input, first_block, end_block, out, is_raw);
    else
        blend_sum_many(input, first_block, end_block, out, is_raw);
    blend_add_differences(input, first_block, end_block, out, is_raw);
    for (uint32_t b = 0; b < end_block - first_block; b++)
        blend_normalize_block(&out[b], is_raw[b]);
}

static __attribute__((noinline, unused)) void
blend_chunk_aside(const mrwi_blend_input *input, uint32_t first_block, uint32_t end_block)
{
    mrw_pose_block blocks[BLEND_CHUNK];
    blend_chunk(input, first_block, end_block, blocks);
    memcpy(&input->out_blocks[first_block], blocks, (end_block - first_block) * sizeof(*blocks));
}

static void blend_blocks(const mrwi_blend_input *input, uint32_t first_block, uint32_t end_block)
{
    bool is_aside = blend_is_out_difference(input);
    for (uint32_t b = first_block; b < end_block; b += BLEND_CHUNK) {
        uint32_t end = end_block - b < BLEND_CHUNK ? end_block : b + BLEND_CHUNK;
        if (is_aside)
            blend_chunk_aside(input, b, end);
        else
            blend_chunk(input, b, end, &input->out_blocks[b]);
    }
    blend_pad(input->out_blocks, first_block, end_block, input->joint_count);
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
        const mrw_pose_block *to = &blocks[b], *from = &reference[b];
        f8 rotation[4], back[4], turn[4];
        blend_load_rotation(to, rotation);
        blend_load_rotation(from, back);
        blend_turn_between(back, rotation, turn);
        blend_vectors delta;
        for (int i = 0; i < 3; i++) {
            delta.translation[i] =
                f8_sub(f8_load(to->translation[i]), f8_load(from->translation[i]));
            delta.scale[i] = blend_ratio(f8_load(from->scale[i]), f8_load(to->scale[i]));
        }
        blend_store_rotation(&out_blocks[b], turn);
        blend_store_vectors(&out_blocks[b], &delta);
    }
    blend_pad(out_blocks, 0, mrwi_block_count(joint_count), joint_count);
}
