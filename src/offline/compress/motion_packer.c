/* The search for steps.
 *
 *     shape:  a few rounds on some of the samples: solve, quantise, and give joints that came out
 *             better than the others coarser steps, until all are equally far off
 *     size:   all samples, every step scaled alike, until the whole keeps the limit
 *
 * The whole is judged by its largest error, after samples beyond the limit were repaired. Errors
 * grow nearly in proportion to the steps, so a few tries are enough.
 */
#include "offline/compress/motion_packer.h"

#include "base/error.h"

#include <string.h>

enum {
    SHAPE_SAMPLES = 256, /* at most */
    SHAPE_CHUNK = 16,    /* neighbours, for the twists */
    SHARE_ROUNDS = 5,
    MEND_ROUNDS = 6, /* of both samples: without other starts, with them, and to less */
    MEND_STARTS = 16,
    MEND_LOOKS = 20000, /* at joints in gaps, and a joint and sample */
    MEND_LOOKS_AT_JOINT = 3,
    MOST_LOST = 1, /* places that may stay as they are */
    BIN_COUNT = 1024,
    BINS_PER_TOLERANCE = 256,
    FIT_ROUNDS = 24
};

/* The share of errors that MRW_PACK_P99 leaves beyond the limit, and the fourth root of that
 * sought. */
#define MOST_BEYOND 0.0099
#define LEAST_BEYOND 0.0085
#define ROOT_WANTED 0.31

typedef struct error_histogram {
    uint32_t bins[BIN_COUNT];
    uint32_t count;
    double largest;
} error_histogram;

struct mrwi_motion_packer {
    const mrwi_motion_plan *plan;
    const mrwi_packer_options *options;
    mrwi_step_plan *step_plan;
    mrwi_steps steps;
    mrwi_quantiser quantiser;
    mrwi_repair *repair;
    uint32_t starts; /* of repairing a sample */
    mrwi_between *between;
    int32_t *columns[3];     /* [channel_count] the numbers of a sample and its neighbours */
    error_histogram *joints; /* [joint_count] */
    error_histogram all;
    int32_t *numbers;      /* [channel_count][sample_count] */
    float *weights;        /* [sample_count][joint_count] with which they were rounded */
    uint64_t beyond_count; /* errors beyond the limit */
    uint32_t off_count;    /* samples beyond the limit, after repair */
    uint32_t hard;         /* the last sample that was beyond it, or UINT32_MAX */
};

typedef mrwi_motion_packer motion_packer;

/* --- errors ------------------------------------------------------------------------------ */

static void histogram_clear(error_histogram *histogram)
{
    *histogram = (error_histogram){{0}, 0, 0.0};
}

static void histogram_add(error_histogram *histogram, double error)
{
    double bin = error * BINS_PER_TOLERANCE;
    histogram->bins[bin < BIN_COUNT - 1 ? (uint32_t)bin : BIN_COUNT - 1]++;
    histogram->count++;
    histogram->largest = error > histogram->largest ? error : histogram->largest;
}

/* The error that 99 of 100 do not exceed, at the upper end of its bin. */
static double histogram_p99(const error_histogram *histogram)
{
    const uint64_t wanted = (uint64_t)histogram->count * 99;
    uint64_t below = 0;
    for (uint32_t i = 0; i < BIN_COUNT - 1; i++) {
        below += histogram->bins[i];
        if (below * 100 >= wanted) {
            double end = (double)(i + 1) / BINS_PER_TOLERANCE;
            return end < histogram->largest ? end : histogram->largest;
        }
    }
    return histogram->largest;
}

static void clear_errors(motion_packer *packer)
{
    histogram_clear(&packer->all);
    for (uint32_t j = 0; j < packer->plan->joint_count; j++)
        histogram_clear(&packer->joints[j]);
    packer->off_count = 0;
    packer->beyond_count = 0;
}

static void add_errors(motion_packer *packer)
{
    for (uint32_t j = 0; j < packer->plan->joint_count; j++) {
        histogram_add(&packer->all, packer->quantiser.errors[j]);
        packer->beyond_count += packer->quantiser.errors[j] > packer->options->limit;
        histogram_add(&packer->joints[j], packer->quantiser.errors[j]);
    }
}

/* --- passes ------------------------------------------------------------------------------ */

static void reset_twists(motion_packer *packer)
{
    for (uint32_t i = 0; i < packer->plan->rotation_count; i++)
        packer->quantiser.twists[i] = 0.0;
}

/* Some of the samples, in chunks all over the clip. */
static void pass_over_some(motion_packer *packer)
{
    const uint32_t count = packer->plan->samples->sample_count;
    const uint32_t chunk_count = (count + SHAPE_CHUNK - 1) / SHAPE_CHUNK;
    const uint32_t taken = chunk_count < SHAPE_SAMPLES / SHAPE_CHUNK
                               ? chunk_count
                               : (uint32_t)(SHAPE_SAMPLES / SHAPE_CHUNK);
    clear_errors(packer);
    for (uint32_t i = 0; i < taken; i++) {
        uint32_t first = (uint32_t)((uint64_t)i * chunk_count / taken) * SHAPE_CHUNK;
        reset_twists(packer);
        for (uint32_t s = first; s < first + SHAPE_CHUNK && s < count; s++) {
            mrwi_quantiser_begin(&packer->quantiser, s);
            mrwi_quantise_sample(&packer->quantiser);
            add_errors(packer);
        }
    }
}

/* One sample, by other roundings if it is beyond the limit. What errors count for is a wish: where
 * it cannot be, they count for what they are. */
static bool quantise_within(motion_packer *packer, uint32_t sample, double limit)
{
    for (int wish = 1; wish >= 0; wish--) {
        packer->quantiser.weights = wish == 1 ? packer->options->weights : NULL;
        mrwi_quantiser_begin(&packer->quantiser, sample);
        mrwi_quantise_sample(&packer->quantiser);
        if (!(limit > 0.0) ||
            mrwi_repair_sample(packer->repair, &packer->quantiser, limit, packer->starts))
            return true;
    }
    return false;
}

static void keep_numbers(motion_packer *packer, uint32_t sample)
{
    const uint32_t count = packer->plan->samples->sample_count;
    for (uint32_t c = 0; c < packer->plan->channel_count; c++)
        packer->numbers[(size_t)c * count + sample] = packer->quantiser.numbers[c];
}

/* All samples, their numbers kept. limit: 0 for no repair. Stops early, with off_count above
 * `patience`, where too many samples are beyond it. */
static void pass_over_all(motion_packer *packer, double limit, uint32_t patience)
{
    const uint32_t count = packer->plan->samples->sample_count;
    clear_errors(packer);
    reset_twists(packer);
    for (uint32_t s = 0; s < count && packer->off_count <= patience; s++) {
        if (!quantise_within(packer, s, limit)) {
            packer->off_count++;
            packer->hard = s;
        }
        add_errors(packer);
        keep_numbers(packer, s);
    }
}

/* --- the search -------------------------------------------------------------------------- */

/* The size with which 99 of 100 errors are below `goal`, all joints alike. */
static double find_shape(motion_packer *packer, double goal, uint32_t rounds)
{
    double size = goal;
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < 2; i++) {
            mrwi_step_plan_solve(packer->step_plan, size, &packer->steps);
            pass_over_some(packer);
            double p99 = histogram_p99(&packer->all);
            if (!(p99 > 0.0))
                return size;
            size *= goal / p99;
        }
        if (round + 1 == rounds)
            break;
        for (uint32_t j = 0; j < packer->plan->joint_count; j++) {
            double p99 = histogram_p99(&packer->joints[j]);
            mrwi_step_plan_adjust(packer->step_plan, j,
                                  goal / (p99 > 0.25 * goal ? p99 : 0.25 * goal));
        }
    }
    return size;
}

/* Smaller or larger sizes until the largest error is just below the limit. */
static void fit_without_repair(motion_packer *packer, double size, double limit)
{
    double kept = 0.0;
    for (uint32_t round = 0; round < 8; round++) {
        mrwi_step_plan_solve(packer->step_plan, size, &packer->steps);
        pass_over_all(packer, 0.0, UINT32_MAX - 1);
        const double error = packer->all.largest;
        if (error <= limit) {
            if (error > 0.96 * limit || !(error > 0.0))
                return;
            kept = size;
            size *= 1.0 + 0.7 * (limit / error - 1.0);
        } else {
            size *= kept > 0.0 ? (kept / size + 1.0) / 2.0 : 0.99 * limit / error;
        }
    }
    mrwi_step_plan_solve(packer->step_plan, kept > 0.0 ? kept : size, &packer->steps);
    pass_over_all(packer, 0.0, UINT32_MAX - 1);
}

/* Smaller sizes until every sample can be repaired, that which could not be before all others.
 * Where that takes too long, some sample has an error that no number near it can undo: then steps
 * that need no repair. */
static void fit_with_repair(motion_packer *packer, double size, double shrink)
{
    const double limit = packer->options->limit;
    const double first = size;
    packer->hard = UINT32_MAX;
    for (uint32_t round = 0; round < FIT_ROUNDS; round++) {
        mrwi_step_plan_solve(packer->step_plan, size, &packer->steps);
        if (packer->hard == UINT32_MAX || quantise_within(packer, packer->hard, limit)) {
            pass_over_all(packer, limit, 0);
            if (packer->off_count == 0)
                return;
        }
        size *= shrink;
    }
    fit_without_repair(packer, 0.7 * first, limit);
}

/* All samples repaired as far as can be, and larger sizes until as many errors as may be are beyond
 * the limit. Their share grows with a high power of the size; its fourth root is nearly straight.
 */
static void fit_share(motion_packer *packer, double shape_size, double limit)
{
    double low = shape_size, high = 0.0, low_root = 0.0, high_root = 0.0, size = 1.16 * low;
    for (uint32_t round = 0; round < SHARE_ROUNDS; round++) {
        mrwi_step_plan_solve(packer->step_plan, size, &packer->steps);
        pass_over_all(packer, limit, UINT32_MAX - 1);
        const double share = (double)packer->beyond_count / (double)packer->all.count;
        const double root = mrwi_sqrt_double(mrwi_sqrt_double(share));
        if (share <= MOST_BEYOND && share >= LEAST_BEYOND)
            return;
        if (share > MOST_BEYOND) {
            high = size;
            high_root = root;
        } else {
            low = size;
            low_root = root;
        }
        size = high == 0.0 ? 1.06 * size
                           : low + (high - low) * (ROOT_WANTED - low_root) / (high_root - low_root);
    }
    if (size != low) {
        mrwi_step_plan_solve(packer->step_plan, low, &packer->steps);
        pass_over_all(packer, limit, UINT32_MAX - 1);
    }
}

static void seek_steps(motion_packer *packer)
{
    const double limit = packer->options->limit;
    if (packer->options->target == MRW_PACK_P99) {
        fit_share(packer, find_shape(packer, limit, 4), limit);
    } else if (packer->options->effort == MRW_PACK_FAST) {
        fit_with_repair(packer, find_shape(packer, 0.85 * limit, 2), 0.95);
    } else if (packer->options->effort == MRW_PACK_BEST) {
        packer->starts = 120;
        fit_with_repair(packer, find_shape(packer, 1.25 * limit, 5), 0.985);
    } else {
        packer->starts = 40;
        fit_with_repair(packer, find_shape(packer, 1.08 * limit, 4), 0.97);
    }
}

static size_t weights_size(const motion_packer *packer)
{
    return sizeof(float) * packer->plan->joint_count * packer->plan->samples->sample_count;
}

void mrwi_motion_packer_search(mrwi_motion_packer *packer)
{
    seek_steps(packer);
    memcpy(packer->weights, packer->options->weights, weights_size(packer));
}

bool mrwi_motion_packer_round_again(mrwi_motion_packer *packer)
{
    const size_t joints = packer->plan->joint_count;
    for (uint32_t s = 0; s < packer->plan->samples->sample_count; s++) {
        const float *weights = packer->options->weights + s * joints;
        if (memcmp(packer->weights + s * joints, weights, sizeof(float) * joints) == 0)
            continue;
        if (!quantise_within(packer, s, packer->options->limit))
            return false;
        keep_numbers(packer, s);
    }
    memcpy(packer->weights, packer->options->weights, weights_size(packer));
    return true;
}

/* --- between samples --------------------------------------------------------------------- */

static const int32_t *take_column(const motion_packer *packer, uint32_t sample, int32_t *column)
{
    const uint32_t count = packer->plan->samples->sample_count;
    if (sample >= count) /* that before the first, too */
        return NULL;
    for (uint32_t c = 0; c < packer->plan->channel_count; c++)
        column[c] = packer->numbers[(size_t)c * count + sample];
    return column;
}

static double share_to_look_at(const float *off_shares, uint32_t sample)
{
    return off_shares[sample] >= 0.0f ? (double)off_shares[sample] : 0.5;
}

/* Whether a sample and both sides of it keep the limit then. Other numbers are kept if they do, or
 * if at least the sample is as good as all are. */
static bool mend_sample(motion_packer *packer, uint32_t sample, const float *off_shares,
                        double limit, uint32_t starts, bool *out_changed)
{
    mrwi_quantiser *quantiser = &packer->quantiser;
    const int32_t *numbers = take_column(packer, sample, packer->columns[0]);
    const int32_t *const neighbours[2] = {take_column(packer, sample - 1, packer->columns[1]),
                                          take_column(packer, sample + 1, packer->columns[2])};
    const double shares[2] = {sample > 0 ? share_to_look_at(off_shares, sample - 1) : 0.5,
                              share_to_look_at(off_shares, sample)};
    mrwi_between_begin(packer->between, sample, neighbours, shares);
    quantiser->weights = NULL;
    mrwi_quantiser_begin(quantiser, sample);
    mrwi_quantiser_hold(quantiser, numbers);
    mrwi_repair_look_between(packer->repair, packer->between);
    const bool is_mended = mrwi_repair_sample(packer->repair, quantiser, limit, starts);
    mrwi_repair_look_between(packer->repair, NULL);
    for (uint32_t j = 0; j < packer->plan->joint_count; j++)
        if (quantiser->errors[j] > packer->options->limit)
            return false;
    for (uint32_t c = 0; c < packer->plan->channel_count; c++)
        *out_changed |= quantiser->numbers[c] != numbers[c];
    keep_numbers(packer, sample);
    return is_mended;
}

bool mrwi_motion_packer_mend(mrwi_motion_packer *packer, const float *off_shares, double limit)
{
    const uint32_t count = packer->plan->samples->sample_count;
    const uint32_t joints = packer->plan->joint_count;
    uint32_t lost_count = 0;
    bool changed = false;
    mrwi_between_allow(packer->between,
                       MEND_LOOKS + (uint64_t)MEND_LOOKS_AT_JOINT * joints * count);
    for (uint32_t s = 0; s + 1 < count && lost_count <= MOST_LOST; s++) {
        bool is_mended = !(off_shares[s] >= 0.0f);
        for (uint32_t i = 0; i < MEND_ROUNDS && !is_mended; i++)
            is_mended = mend_sample(packer, i % 2 == 0 ? s + 1 : s, off_shares,
                                    i < 4 ? limit : 0.5 * (limit + packer->options->limit),
                                    i < 2 ? 0 : MEND_STARTS, &changed);
        lost_count += !is_mended;
    }
    return changed && lost_count <= MOST_LOST;
}

/* --- the result -------------------------------------------------------------------------- */

mrwi_motion_packer *mrwi_motion_packer_make(const mrwi_motion_plan *plan,
                                            const mrwi_packer_options *options, mrwi_arena *arena)
{
    motion_packer *packer = mrwi_arena_alloc(arena, 1, sizeof(*packer));
    if (packer == NULL)
        return NULL;
    packer->plan = plan;
    packer->options = options;
    packer->steps.codes = mrwi_arena_alloc(arena, plan->channel_count, 1);
    packer->steps.sizes = mrwi_arena_alloc(arena, plan->channel_count, sizeof(double));
    packer->steps.inverses = mrwi_arena_alloc(arena, plan->channel_count, sizeof(double));
    packer->joints = mrwi_arena_alloc(arena, plan->joint_count, sizeof(*packer->joints));
    uint64_t number_count = (uint64_t)plan->channel_count * plan->samples->sample_count;
    packer->numbers = number_count > SIZE_MAX
                          ? NULL
                          : mrwi_arena_alloc(arena, (size_t)number_count, sizeof(int32_t));
    packer->weights = mrwi_arena_alloc(arena, weights_size(packer), 1);
    packer->step_plan =
        mrwi_step_plan_make(plan, options->limit * options->scalar_tolerance, arena);
    packer->repair = mrwi_repair_make(plan, options->target == MRW_PACK_P99 ? 1e-2 : 1e-4, arena);
    packer->between =
        mrwi_between_make(plan, &packer->steps, options->skeleton, options->source, arena);
    for (int i = 0; i < 3; i++)
        packer->columns[i] = mrwi_arena_alloc(arena, plan->channel_count, sizeof(int32_t));
    const bool is_made =
        packer->between != NULL && packer->columns[0] != NULL && packer->columns[1] != NULL &&
        packer->columns[2] != NULL && packer->steps.codes != NULL && packer->steps.sizes != NULL &&
        packer->steps.inverses != NULL && packer->joints != NULL && packer->numbers != NULL &&
        packer->weights != NULL && packer->step_plan != NULL && packer->repair != NULL &&
        mrwi_quantiser_init(&packer->quantiser, plan, &packer->steps, options->weights, arena);
    return is_made ? packer : NULL;
}

static void fill_joint(const mrwi_motion_plan *plan, uint32_t j, uint32_t *targets, float *bases,
                       int8_t *centres, int8_t *axes)
{
    const mrwi_joint_plan *joint = &plan->joints[j];
    const uint32_t rotations = plan->rotation_count, translations = plan->translation_count;
    if (joint->rotation == MRWI_PART_PACKED) {
        targets[joint->rotation_index] = j;
        for (uint32_t i = 0; i < 4; i++)
            centres[i * rotations + joint->rotation_index] = joint->chart.centre[i];
        for (uint32_t i = 0; i < 2; i++)
            axes[i * rotations + joint->rotation_index] = joint->chart.axis[i];
    }
    if (joint->translation == MRWI_PART_PACKED) {
        const mrw_vec3 base = joint->constant.translation;
        const float parts[3] = {base.x, base.y, base.z};
        targets[rotations + joint->translation_index] = j;
        for (uint32_t i = 0; i < 3; i++)
            bases[joint->translation_channels[i] - 3 * rotations] = parts[i];
    }
    if (joint->scale == MRWI_PART_PACKED) {
        const mrw_vec3 base = joint->constant.scale;
        const float parts[3] = {base.x, base.y, base.z};
        targets[rotations + translations + joint->scale_index] = j;
        for (uint32_t i = 0; i < 3; i++)
            bases[joint->scale_channels[i] - 3 * rotations] = parts[i];
    }
}

mrw_status mrwi_motion_packer_fill(const mrwi_motion_packer *packer, mrwi_arena *arena,
                                   mrwi_packed_motion *out_motion, mrw_error *out_error)
{
    const mrwi_motion_plan *plan = packer->plan;
    const uint32_t joint_parts = plan->rotation_count + plan->translation_count + plan->scale_count;
    uint32_t *targets =
        mrwi_arena_alloc(arena, (size_t)joint_parts + plan->scalar_count, sizeof(*targets));
    int8_t *centres = mrwi_arena_alloc(arena, plan->rotation_count, 4);
    int8_t *axes = mrwi_arena_alloc(arena, plan->rotation_count, 2);
    float *bases = mrwi_arena_alloc(arena, plan->channel_count, sizeof(*bases));
    if (targets == NULL || centres == NULL || axes == NULL || bases == NULL)
        return mrwi_arena_fail(arena, out_error, "packed");
    for (uint32_t j = 0; j < plan->joint_count; j++)
        fill_joint(plan, j, targets, bases, centres, axes);
    for (uint32_t i = 0; i < plan->scalar_count; i++)
        targets[joint_parts + i] = plan->packed_scalars[i];
    *out_motion = (mrwi_packed_motion){plan->samples->sample_count,
                                       plan->samples->samples_per_second,
                                       plan->rotation_count,
                                       plan->translation_count,
                                       plan->scale_count,
                                       plan->scalar_count,
                                       {0, 0, 0, 0},
                                       targets,
                                       centres,
                                       axes,
                                       bases,
                                       packer->steps.codes,
                                       packer->numbers};
    memcpy(out_motion->exponents, packer->steps.exponents, sizeof(out_motion->exponents));
    return MRW_OK;
}
