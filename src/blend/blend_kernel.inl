/* Blending, eight joints at a time.
 *
 *     layers ─▶ rotations: sum ─▶ differences ─▶ unit length ─▶ stored
 *     layers ─▶ translations and scales: sum ─▶ differences ─▶ stored
 *
 * One after the other, so that sums stay in registers; the processor starts with the second while
 * it still takes roots for the first. Of each stream all layers are read before it is written, so
 * the result may lie in one of them. blend_lanes.inl says what is computed. */
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

/* --- the commonest: few layers, one share for all joints, nothing else ------------------- */

/* Eight numbers of a stream, `offset` bytes into each block; -0 + x is left out. */
MRWI_INLINE f8 blend_few_streams(const mrwi_blend_entry *layers, uint32_t count, size_t offset)
{
    f8 sum = f8_zero();
    for (uint32_t i = 0; i < count; i++) {
        const float *stream =
            (const float *)(const void *)((const unsigned char *)layers[i].blocks + offset);
        f8 term = f8_mul(f8_load(stream), f8_splat(layers[i].share));
        sum = i == 0 ? term : f8_add(sum, term);
    }
    return sum;
}

MRWI_INLINE void blend_few(const mrwi_blend_entry *layers, uint32_t count, uint32_t b,
                           mrw_pose_block *out)
{
    f8 reference[4], sum[4];
    blend_load_rotation(&layers[0].blocks[b], reference);
    for (int i = 0; i < 4; i++)
        sum[i] = f8_mul(reference[i], f8_splat(layers[0].share));
    for (uint32_t i = 1; i < count; i++) {
        f8 q[4];
        blend_load_rotation(&layers[i].blocks[b], q);
        blend_add_rotation(sum, reference, q, f8_splat(layers[i].share));
    }
    if (count > 1)
        blend_normalize(sum);
    blend_store_rotation(out, sum);
    for (int i = 0; i < 3; i++) {
        size_t at = b * sizeof(*out) + (size_t)i * sizeof(out->translation[0]);
        f8_store(out->translation[i],
                 blend_few_streams(layers, count, at + offsetof(mrw_pose_block, translation)));
        f8_store(out->scale[i],
                 blend_few_streams(layers, count, at + offsetof(mrw_pose_block, scale)));
    }
}

/* `count` is a constant for the compiler. */
MRWI_INLINE void blend_few_blocks(const mrwi_blend_input *input, uint32_t count,
                                  uint32_t first_block, uint32_t end_block)
{
    mrwi_blend_entry layers[4];
    for (uint32_t i = 0; i < count; i++)
        layers[i] = input->layers.listed[i];
    mrw_pose_block *out = input->out_blocks;
    for (uint32_t b = first_block; b < end_block; b++)
        blend_few(layers, count, b, &out[b]);
}

/* --- any blend --------------------------------------------------------------------------- */

/* In how many of a block's lanes a layer has weight. */
typedef enum blend_cover { BLEND_NONE, BLEND_SOME, BLEND_ALL } blend_cover;

/* A layer's part of a block. */
typedef struct blend_part {
    const mrw_pose_block *block;
    f8 share;
    blend_cover cover;
} blend_part;

/* The parts of all listed layers of a block, and what those beyond need. */
typedef struct blend_parts {
    f8 weight_sum;
    blend_part listed[MRWI_BLEND_LISTED];
    blend_part rest;
} blend_parts;

MRWI_INLINE blend_cover blend_cover_of(f8 share)
{
    m8 active = f8_less(f8_zero(), share);
    return m8_all(active) ? BLEND_ALL : m8_any(active) ? BLEND_SOME : BLEND_NONE;
}

MRWI_INLINE const mrwi_blend_entry *blend_entry(const mrwi_blend_list *list, uint32_t i,
                                                mrwi_blend_entry *room)
{
    if (i < MRWI_BLEND_LISTED)
        return &list->listed[i];
    *room = mrwi_blend_entry_beyond(list, i);
    return room;
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

static __attribute__((noinline, unused)) void blend_weigh_masked(const mrwi_blend_input *input,
                                                                 uint32_t b, blend_parts *parts)
{
    const mrwi_blend_list *layers = &input->layers;
    mrwi_blend_entry room;
    f8 sum = f8_zero();
    for (uint32_t i = 0; i < layers->count; i++) {
        const mrwi_blend_entry *entry = blend_entry(layers, i, &room);
        f8 weight = blend_weigh(entry, b, input->joint_count);
        sum = f8_add(sum, weight);
        if (i < MRWI_BLEND_LISTED)
            parts->listed[i].share = weight;
    }
    f8 rest = blend_weigh_rest(input, sum);
    sum = f8_add(sum, rest);
    parts->weight_sum = sum;
    for (uint32_t i = 0; i < layers->count && i < MRWI_BLEND_LISTED; i++) {
        blend_part *part = &parts->listed[i];
        part->block = &layers->listed[i].blocks[b];
        part->share = f8_div(part->share, sum);
        part->cover = blend_cover_of(part->share);
    }
    parts->rest = (blend_part){&input->rest.blocks[b], f8_div(rest, sum), BLEND_NONE};
    parts->rest.cover = blend_cover_of(parts->rest.share);
}

MRWI_INLINE void blend_weigh_plain(const mrwi_blend_input *input, uint32_t b, blend_parts *parts)
{
    const mrwi_blend_list *layers = &input->layers;
    for (uint32_t i = 0; i < layers->count && i < MRWI_BLEND_LISTED; i++) {
        const mrwi_blend_entry *entry = &layers->listed[i];
        parts->listed[i] = (blend_part){&entry->blocks[b], f8_splat(entry->share), BLEND_ALL};
    }
    parts->weight_sum = f8_splat(layers->weight_sum);
    parts->rest = (blend_part){&input->rest.blocks[b], f8_splat(input->rest.share),
                               input->rest.share > 0.0f ? BLEND_ALL : BLEND_NONE};
}

static __attribute__((noinline, unused)) void blend_part_beyond(const mrwi_blend_input *input,
                                                                const blend_parts *parts,
                                                                uint32_t i, uint32_t b,
                                                                blend_part *out)
{
    mrwi_blend_entry entry = mrwi_blend_entry_beyond(&input->layers, i);
    if (entry.blocks == NULL) {
        out->cover = BLEND_NONE;
        return;
    }
    out->block = &entry.blocks[b];
    out->share = f8_div(blend_weigh(&entry, b, input->joint_count), parts->weight_sum);
    out->cover = blend_cover_of(out->share);
}

/* Layer i, and behind the last layer the rest pose. */
MRWI_INLINE const blend_part *blend_part_at(const mrwi_blend_input *input, const blend_parts *parts,
                                            uint32_t i, uint32_t b, blend_part *room)
{
    if (i == input->layers.count)
        return &parts->rest;
    if (i < MRWI_BLEND_LISTED)
        return &parts->listed[i];
    blend_part_beyond(input, parts, i, b, room);
    return room;
}

/* Sums, and the lanes whose sum has yet to get unit length. */
MRWI_INLINE m8 blend_sum_rotations(const mrwi_blend_input *input, const blend_parts *parts,
                                   uint32_t b, f8 sum[4])
{
    blend_rotations state;
    blend_begin_rotations(&state);
    m8 everywhere = m8_not(state.has_one);
    blend_part room;
    bool is_full = false; /* has_one is everywhere */
    for (uint32_t i = 0; i <= input->layers.count; i++) {
        const blend_part *part = blend_part_at(input, parts, i, b, &room);
        if (part->cover == BLEND_NONE)
            continue;
        f8 q[4];
        blend_load_rotation(part->block, q);
        if (part->cover == BLEND_ALL && is_full) {
            blend_add_rotation(state.sum, state.reference, q, part->share);
            state.has_more = everywhere;
        } else {
            blend_add_some_rotations(&state, q, part->share);
            is_full = is_full || part->cover == BLEND_ALL;
        }
    }
    for (int i = 0; i < 4; i++)
        sum[i] = state.sum[i];
    return state.has_more;
}

MRWI_INLINE void blend_sum_vectors(const mrwi_blend_input *input, const blend_parts *parts,
                                   uint32_t b, blend_vectors *sum)
{
    for (int k = 0; k < 3; k++)
        sum->translation[k] = sum->scale[k] = blend_nothing();
    blend_part room;
    for (uint32_t i = 0; i <= input->layers.count; i++) {
        const blend_part *part = blend_part_at(input, parts, i, b, &room);
        if (part->cover == BLEND_NONE)
            continue;
        const mrw_pose_block *block = part->block;
        f8 share = part->share;
        for (int k = 0; k < 3; k++) {
            f8 t = f8_load(block->translation[k]), s = f8_load(block->scale[k]);
            if (part->cover == BLEND_ALL) {
                sum->translation[k] = blend_add_vector(sum->translation[k], t, share);
                sum->scale[k] = blend_add_vector(sum->scale[k], s, share);
            } else {
                sum->translation[k] = blend_add_some_vectors(sum->translation[k], t, share);
                sum->scale[k] = blend_add_some_vectors(sum->scale[k], s, share);
            }
        }
    }
}

/* Turns by the differences, and returns which lanes still have no unit length. */
MRWI_INLINE m8 blend_turn_block(const mrwi_blend_input *input, uint32_t b, m8 is_raw,
                                f8 rotation[4])
{
    mrwi_blend_entry room;
    for (uint32_t i = 0; i < input->additive.count; i++) {
        const mrwi_blend_entry *entry = blend_entry(&input->additive, i, &room);
        if (entry->blocks == NULL)
            continue;
        f8 weight = blend_weigh(entry, b, input->joint_count);
        m8 active = f8_less(f8_zero(), weight);
        f8 delta[4], turned[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
        blend_load_rotation(&entry->blocks[b], delta);
        blend_turn(turned, delta, weight);
        for (int k = 0; k < 4; k++)
            rotation[k] = f8_select(active, turned[k], rotation[k]);
        is_raw = m8_and(is_raw, m8_not(active));
    }
    return is_raw;
}

MRWI_INLINE void blend_move_block(const mrwi_blend_input *input, uint32_t b, blend_vectors *vectors)
{
    mrwi_blend_entry room;
    for (uint32_t i = 0; i < input->additive.count; i++) {
        const mrwi_blend_entry *entry = blend_entry(&input->additive, i, &room);
        if (entry->blocks == NULL)
            continue;
        const mrw_pose_block *block = &entry->blocks[b];
        f8 weight = blend_weigh(entry, b, input->joint_count);
        m8 active = f8_less(f8_zero(), weight);
        for (int k = 0; k < 3; k++) {
            f8 *t = &vectors->translation[k], *s = &vectors->scale[k];
            *t = f8_select(active, blend_move(*t, f8_load(block->translation[k]), weight), *t);
            *s = f8_select(active, blend_stretch(*s, f8_load(block->scale[k]), weight), *s);
        }
    }
}

static __attribute__((noinline, unused)) void
blend_any_blocks(const mrwi_blend_input *input, uint32_t first_block, uint32_t end_block)
{
    blend_parts parts;
    for (uint32_t b = first_block; b < end_block; b++) {
        if (input->layers.has_joint_weights)
            blend_weigh_masked(input, b, &parts);
        else
            blend_weigh_plain(input, b, &parts);
        f8 rotation[4];
        m8 is_raw = blend_sum_rotations(input, &parts, b, rotation);
        is_raw = blend_turn_block(input, b, is_raw, rotation);
        blend_normalize_some(rotation, is_raw);
        blend_store_rotation(&input->out_blocks[b], rotation);
        blend_vectors vectors;
        blend_sum_vectors(input, &parts, b, &vectors);
        blend_move_block(input, b, &vectors);
        blend_store_vectors(&input->out_blocks[b], &vectors);
    }
}

/* --- the kernels ------------------------------------------------------------------------- */

static void blend_blocks(const mrwi_blend_input *input, uint32_t first_block, uint32_t end_block)
{
    bool is_plain = !input->layers.has_joint_weights && !(input->rest.share > 0.0f) &&
                    input->additive.count == 0;
    uint32_t count = input->layers.count;
    if (is_plain && count == 2)
        blend_few_blocks(input, 2, first_block, end_block);
    else if (is_plain && count == 3)
        blend_few_blocks(input, 3, first_block, end_block);
    else if (is_plain && count == 4)
        blend_few_blocks(input, 4, first_block, end_block);
    else
        blend_any_blocks(input, first_block, end_block);
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
