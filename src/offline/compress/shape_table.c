/* Learning the shapes of a clip.
 *
 * Channels that take about as many bits form a class, and each class has sixteen shapes of its own:
 *
 *     channels by size ──► classes ──► shapes of each class ──► channels to the class that suits
 * them ─┐ ▲                                                                      │
 *                             └──────────────────────────────────────────────────────────────────────┘
 *
 * The shapes of a class begin as one that is wide enough for all segments. That which wastes most
 * is split, as in a decision tree: segments that take no more than so many bits at some level get a
 * shape of their own. When there are enough, the two that lose least by it are joined, until
 * sixteen are left. Everything counts whole bits in whole numbers, so the table is the same
 * everywhere.
 */
#include "offline/compress/shape_table.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_CLASSES = MRWI_PACKED_MAX_SHAPES / MRWI_PACKED_CODES,
    SPLIT_SHAPES = 40, /* before they are joined again */
    NEEDS_PER_CLASS = 500,
    CLASS_ROUNDS = 2,
    FIT_ROUNDS = 2
};

/* Segments that need the same. */
typedef struct need_count {
    mrwi_shape need;
    uint32_t count;
} need_count;

typedef struct learner {
    uint32_t channel_count, levels;
    need_count *needs;  /* those of a channel follow each other, distinct */
    uint32_t *channels; /* [channel_count + 1] where they begin */
    uint8_t *class_of;  /* [channel_count] */
    need_count *joined; /* of the class at work, distinct */
    uint32_t joined_count;
    uint8_t *shape_of; /* [joined_count] */
} learner;

typedef struct shape_class {
    mrwi_shape shapes[SPLIT_SHAPES];
    uint32_t count;
} shape_class;

/* --- shapes ------------------------------------------------------------------------------ */

static bool is_within(mrwi_shape need, mrwi_shape shape)
{
    const uint32_t tops = 0x80808080u;
    return (((shape | tops) - need) & tops) == tops;
}

static mrwi_shape shape_join(mrwi_shape a, mrwi_shape b)
{
    mrwi_shape both = 0;
    for (uint32_t level = 0; level < MRWI_PACKED_MAX_LEVELS; level++) {
        uint32_t x = mrwi_shape_width(a, level), y = mrwi_shape_width(b, level);
        both |= (x > y ? x : y) << 8 * level;
    }
    return both;
}

/* Bits of a segment. */
static uint32_t shape_bits(mrwi_shape shape, uint32_t levels)
{
    uint32_t bits = 0;
    for (uint32_t level = 0; level < levels; level++)
        bits += mrwi_shape_width(shape, level) << (levels - 1 - level);
    return bits;
}

/* Which of the shapes, cheapest first, is wide enough; `count` if none. */
static uint32_t shape_find(const mrwi_shape *shapes, uint32_t count, mrwi_shape need)
{
    uint32_t i = 0;
    while (i < count && !is_within(need, shapes[i]))
        i++;
    return i;
}

/* By their bits, then as numbers: each once. */
static void class_sort(shape_class *one, uint32_t levels)
{
    for (uint32_t i = 1; i < one->count; i++) {
        const mrwi_shape shape = one->shapes[i];
        const uint32_t bits = shape_bits(shape, levels);
        uint32_t to = i;
        for (; to > 0; to--) {
            const mrwi_shape before = one->shapes[to - 1];
            const uint32_t bits_before = shape_bits(before, levels);
            if (bits_before < bits || (bits_before == bits && before <= shape))
                break;
            one->shapes[to] = before;
        }
        one->shapes[to] = shape;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < one->count; i++)
        if (kept == 0 || one->shapes[kept - 1] != one->shapes[i])
            one->shapes[kept++] = one->shapes[i];
    one->count = kept;
}

/* --- splitting --------------------------------------------------------------------------- */

/* A way to split a shape: its needs of at most `width` at `level` get a shape of their own. */
typedef struct split {
    uint64_t saved; /* bits */
    uint32_t level, width;
} split;

static split best_split(const learner *l, uint32_t shape)
{
    enum { WIDTHS = MRWI_PACKED_MAX_WIDTH + 1 };
    mrwi_shape tight[MRWI_PACKED_MAX_LEVELS][WIDTHS] = {{0}};
    uint64_t counts[MRWI_PACKED_MAX_LEVELS][WIDTHS] = {{0}};
    mrwi_shape all = 0;
    for (uint32_t i = 0; i < l->joined_count; i++) {
        if (l->shape_of[i] != shape)
            continue;
        const mrwi_shape need = l->joined[i].need;
        all = shape_join(all, need);
        for (uint32_t level = 0; level < l->levels; level++) {
            const uint32_t width = mrwi_shape_width(need, level);
            tight[level][width] = shape_join(tight[level][width], need);
            counts[level][width] += l->joined[i].count;
        }
    }
    split best = {0, 0, 0};
    for (uint32_t level = 0; level < l->levels; level++) {
        mrwi_shape below = 0;
        uint64_t count = 0;
        for (uint32_t width = 0; width < mrwi_shape_width(all, level); width++) {
            below = shape_join(below, tight[level][width]);
            count += counts[level][width];
            uint64_t saved = count * (shape_bits(all, l->levels) - shape_bits(below, l->levels));
            if (saved > best.saved)
                best = (split){saved, level, width};
        }
    }
    return best;
}

/* Every need to one of the shapes, which are no wider than those need: their bits. */
static uint64_t class_fit(learner *l, shape_class *one)
{
    class_sort(one, l->levels);
    mrwi_shape tight[SPLIT_SHAPES] = {0};
    uint64_t bits = 0;
    for (uint32_t i = 0; i < l->joined_count; i++) {
        const uint32_t shape = shape_find(one->shapes, one->count, l->joined[i].need);
        l->shape_of[i] = (uint8_t)shape;
        tight[shape] = shape_join(tight[shape], l->joined[i].need);
        bits += (uint64_t)l->joined[i].count * shape_bits(one->shapes[shape], l->levels);
    }
    memcpy(one->shapes, tight, sizeof(mrwi_shape) * one->count);
    return bits;
}

static void class_split(learner *l, shape_class *out)
{
    split splits[SPLIT_SHAPES];
    mrwi_shape all = 0;
    for (uint32_t i = 0; i < l->joined_count; i++) {
        all = shape_join(all, l->joined[i].need);
        l->shape_of[i] = 0;
    }
    *out = (shape_class){{all}, 1};
    splits[0] = best_split(l, 0);
    while (out->count < SPLIT_SHAPES) {
        uint32_t worst = 0;
        for (uint32_t i = 1; i < out->count; i++)
            if (splits[i].saved > splits[worst].saved)
                worst = i;
        const split cut = splits[worst];
        if (cut.saved == 0)
            break;
        const uint32_t added = out->count++;
        out->shapes[worst] = out->shapes[added] = 0;
        for (uint32_t i = 0; i < l->joined_count; i++) {
            const mrwi_shape need = l->joined[i].need;
            if (l->shape_of[i] != worst)
                continue;
            if (mrwi_shape_width(need, cut.level) <= cut.width)
                l->shape_of[i] = (uint8_t)added;
            mrwi_shape *to = &out->shapes[l->shape_of[i]];
            *to = shape_join(*to, need);
        }
        splits[worst] = best_split(l, worst);
        splits[added] = best_split(l, added);
    }
}

/* --- joining ----------------------------------------------------------------------------- */

static void class_join(const learner *l, shape_class *one)
{
    uint64_t counts[SPLIT_SHAPES] = {0};
    for (uint32_t i = 0; i < l->joined_count; i++)
        counts[l->shape_of[i]] += l->joined[i].count;
    while (one->count > MRWI_PACKED_CODES) {
        uint64_t least = UINT64_MAX;
        uint32_t to = 0, from = 1;
        for (uint32_t a = 0; a < one->count; a++) {
            const uint32_t bits_a = shape_bits(one->shapes[a], l->levels);
            for (uint32_t b = a + 1; b < one->count; b++) {
                const uint32_t bits_b = shape_bits(one->shapes[b], l->levels);
                const uint32_t both =
                    shape_bits(shape_join(one->shapes[a], one->shapes[b]), l->levels);
                const uint64_t lost = counts[a] * (both - bits_a) + counts[b] * (both - bits_b);
                if (lost < least) {
                    least = lost;
                    to = a;
                    from = b;
                }
            }
        }
        one->shapes[to] = shape_join(one->shapes[to], one->shapes[from]);
        counts[to] += counts[from];
        one->count--;
        one->shapes[from] = one->shapes[one->count];
        counts[from] = counts[one->count];
    }
}

/* --- classes ----------------------------------------------------------------------------- */

static int compare_needs(const void *a, const void *b)
{
    const mrwi_shape x = ((const need_count *)a)->need, y = ((const need_count *)b)->need;
    return x < y ? -1 : x > y;
}

/* Sorts, and makes one of those that need the same; how many are left. */
static uint32_t needs_merge(need_count *needs, uint32_t count)
{
    uint32_t kept = 0;
    if (count == 0)
        return 0;
    qsort(needs, count, sizeof(*needs), compare_needs);
    for (uint32_t i = 1; i < count; i++) {
        if (needs[i].need == needs[kept].need)
            needs[kept].count += needs[i].count;
        else
            needs[++kept] = needs[i];
    }
    return kept + 1;
}

static uint64_t learn_class(learner *l, uint32_t index, shape_class *out)
{
    l->joined_count = 0;
    for (uint32_t channel = 0; channel < l->channel_count; channel++) {
        if (l->class_of[channel] != index)
            continue;
        const uint32_t first = l->channels[channel], count = l->channels[channel + 1] - first;
        memcpy(l->joined + l->joined_count, l->needs + first, sizeof(need_count) * count);
        l->joined_count += count;
    }
    *out = (shape_class){{0}, 0};
    l->joined_count = needs_merge(l->joined, l->joined_count);
    if (l->joined_count == 0)
        return 0;
    class_split(l, out);
    class_join(l, out);
    uint64_t bits = 0;
    for (int round = 0; round < FIT_ROUNDS; round++)
        bits = class_fit(l, out);
    class_sort(out, l->levels);
    return bits;
}

/* Bits of a channel with the shapes of a class; UINT64_MAX if one of its needs has none. */
static uint64_t channel_bits(const learner *l, uint32_t channel, const shape_class *one)
{
    uint64_t bits = 0;
    for (uint32_t i = l->channels[channel]; i < l->channels[channel + 1]; i++) {
        const uint32_t shape = shape_find(one->shapes, one->count, l->needs[i].need);
        if (shape == one->count)
            return UINT64_MAX;
        bits += (uint64_t)l->needs[i].count * shape_bits(one->shapes[shape], l->levels);
    }
    return bits;
}

static void choose_classes(learner *l, const shape_class *classes, uint32_t class_count)
{
    for (uint32_t channel = 0; channel < l->channel_count; channel++) {
        uint64_t best = UINT64_MAX;
        for (uint32_t i = 0; i < class_count; i++) {
            const uint64_t bits = channel_bits(l, channel, &classes[i]);
            if (bits < best) {
                best = bits;
                l->class_of[channel] = (uint8_t)i;
            }
        }
    }
}

typedef struct channel_size {
    uint64_t bits;
    uint32_t channel;
} channel_size;

static int compare_sizes(const void *a, const void *b)
{
    const channel_size *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits < y->bits ? -1 : 1;
    return x->channel < y->channel ? -1 : x->channel > y->channel;
}

/* Puts the classes' shapes one behind the other. */
static void fill_table(const learner *l, const shape_class *classes, uint32_t class_count,
                       mrwi_shape_table *out)
{
    uint32_t firsts[MOST_CLASSES];
    out->count = 0;
    for (uint32_t i = 0; i < class_count; i++) {
        firsts[i] = out->count;
        memcpy(out->shapes + out->count, classes[i].shapes, sizeof(mrwi_shape) * classes[i].count);
        out->count += classes[i].count;
    }
    for (uint32_t channel = 0; channel < l->channel_count; channel++) {
        out->firsts[channel] = (uint8_t)firsts[l->class_of[channel]];
        out->most[channel] = (uint8_t)classes[l->class_of[channel]].count;
    }
}

/* A class costs 64 bytes, and is worth them if about so many needs come to it: for all clips looked
 * at, half or twice as many classes took up to 1 % more. */
static uint32_t count_classes(const learner *l, uint32_t segment_count)
{
    const uint64_t needs = (uint64_t)l->channel_count * segment_count;
    uint32_t classes = 1;
    while (classes < MOST_CLASSES && 2 * classes <= l->channel_count &&
           needs > (uint64_t)NEEDS_PER_CLASS * classes)
        classes *= 2;
    return classes;
}

static void learn_classes(learner *l, const channel_size *sizes, uint32_t class_count,
                          mrwi_shape_table *out)
{
    shape_class classes[MOST_CLASSES];
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < l->channel_count; i++)
        l->class_of[sizes[i].channel] = (uint8_t)((uint64_t)i * class_count / l->channel_count);
    for (int round = 0; round < CLASS_ROUNDS; round++) {
        uint64_t bits = 0;
        for (uint32_t i = 0; i < class_count; i++)
            bits += learn_class(l, i, &classes[i]);
        if (bits < least) {
            least = bits;
            fill_table(l, classes, class_count, out);
        }
        if (class_count == 1)
            break;
        choose_classes(l, classes, class_count);
    }
}

/* --- the table --------------------------------------------------------------------------- */

static mrw_status learner_init(learner *l, const mrwi_shape *needs, uint32_t segment_count,
                               channel_size **out_sizes, mrwi_arena *arena, mrw_error *out_error)
{
    const uint32_t channels = l->channel_count;
    const size_t all = (size_t)channels * segment_count;
    l->needs = mrwi_arena_alloc(arena, all, sizeof(need_count));
    l->joined = mrwi_arena_alloc(arena, all, sizeof(need_count));
    l->shape_of = mrwi_arena_alloc(arena, all, 1);
    l->channels = mrwi_arena_alloc(arena, (size_t)channels + 1, sizeof(uint32_t));
    l->class_of = mrwi_arena_alloc(arena, channels, 1);
    *out_sizes = mrwi_arena_alloc(arena, channels, sizeof(channel_size));
    if (l->needs == NULL || l->joined == NULL || l->shape_of == NULL || l->channels == NULL ||
        l->class_of == NULL || *out_sizes == NULL)
        return mrwi_arena_fail(arena, out_error, "packed");
    for (uint32_t channel = 0; channel < channels; channel++) {
        need_count *to = l->needs + l->channels[channel];
        uint64_t bits = 0;
        for (uint32_t s = 0; s < segment_count; s++) {
            to[s] = (need_count){needs[(size_t)channel * segment_count + s], 1};
            bits += shape_bits(to[s].need, l->levels);
        }
        l->channels[channel + 1] = l->channels[channel] + needs_merge(to, segment_count);
        (*out_sizes)[channel] = (channel_size){bits, channel};
    }
    qsort(*out_sizes, channels, sizeof(channel_size), compare_sizes);
    return MRW_OK;
}

mrw_status mrwi_learn_shapes(const mrwi_shape *needs, uint32_t channel_count,
                             uint32_t segment_count, uint32_t levels, mrwi_arena *arena,
                             mrwi_shape_table *out_table, mrw_error *out_error)
{
    learner l = {.channel_count = channel_count, .levels = levels};
    channel_size *sizes;
    mrwi_arena scratch;
    out_table->firsts = mrwi_arena_alloc(arena, channel_count, 1);
    out_table->most = mrwi_arena_alloc(arena, channel_count, 1);
    if (out_table->firsts == NULL || out_table->most == NULL)
        return mrwi_arena_fail(arena, out_error, "packed");
    mrwi_arena_init_scratch(&scratch, arena);
    mrw_status status = learner_init(&l, needs, segment_count, &sizes, &scratch, out_error);
    if (status == MRW_OK)
        learn_classes(&l, sizes, count_classes(&l, segment_count), out_table);
    mrwi_arena_free(&scratch);
    return status;
}

uint32_t mrwi_shape_code(const mrwi_shape_table *table, uint32_t channel, mrwi_shape need)
{
    return shape_find(table->shapes + table->firsts[channel], table->most[channel], need);
}
