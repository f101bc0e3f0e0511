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
    BIN_COUNT = 1024,
    BINS_PER_TOLERANCE = 256,
    REPAIR_ROUNDS = 12,
    FIT_ROUNDS = 14
};

typedef struct error_histogram {
    uint32_t bins[BIN_COUNT];
    uint32_t count;
    double largest;
} error_histogram;

typedef struct motion_packer {
    const mrwi_motion_plan *plan;
    const mrwi_packer_options *options;
    mrwi_step_plan *step_plan;
    mrwi_steps steps;
    mrwi_quantiser quantiser;
    mrwi_repair *repair;
    error_histogram *joints; /* [joint_count] */
    error_histogram all;
    int32_t *numbers;   /* [channel_count][sample_count] */
    uint32_t off_count; /* samples beyond the limit, after repair */
} motion_packer;

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
}

static void add_errors(motion_packer *packer)
{
    for (uint32_t j = 0; j < packer->plan->joint_count; j++) {
        histogram_add(&packer->all, packer->quantiser.errors[j]);
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
            mrwi_repair_sample(packer->repair, &packer->quantiser, limit, REPAIR_ROUNDS))
            return true;
    }
    return false;
}

/* All samples, their numbers kept. limit: 0 for no repair. Stops early, with off_count above
 * `patience`, where too many samples are beyond it. */
static void pass_over_all(motion_packer *packer, double limit, uint32_t patience)
{
    const uint32_t count = packer->plan->samples->sample_count;
    clear_errors(packer);
    reset_twists(packer);
    for (uint32_t s = 0; s < count && packer->off_count <= patience; s++) {
        if (!quantise_within(packer, s, limit))
            packer->off_count++;
        add_errors(packer);
        for (uint32_t c = 0; c < packer->plan->channel_count; c++)
            packer->numbers[(size_t)c * count + s] = packer->quantiser.numbers[c];
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

/* Smaller or larger sizes until the statistic is just below the limit. */
static bool fit_without_repair(motion_packer *packer, double size, double goal)
{
    /* A percentile moves evenly with the size, the largest error jumps. */
    const double close = packer->options->target == MRW_PACK_P99 ? 0.99 : 0.96;
    double kept = 0.0;
    for (uint32_t round = 0; round < 8; round++) {
        mrwi_step_plan_solve(packer->step_plan, size, &packer->steps);
        pass_over_all(packer, 0.0, UINT32_MAX - 1);
        double error = packer->options->target == MRW_PACK_P99 ? histogram_p99(&packer->all)
                                                               : packer->all.largest;
        if (error <= goal) {
            if (error > close * goal || !(error > 0.0))
                return true;
            kept = size;
            size *= 1.0 + 0.7 * (goal / error - 1.0);
        } else {
            size *= kept > 0.0 ? (kept / size + 1.0) / 2.0 : 0.99 * goal / error;
        }
    }
    if (!(kept > 0.0))
        kept = size;
    mrwi_step_plan_solve(packer->step_plan, kept, &packer->steps);
    pass_over_all(packer, 0.0, UINT32_MAX - 1);
    return (packer->options->target == MRW_PACK_P99 ? histogram_p99(&packer->all)
                                                    : packer->all.largest) <= goal;
}

/* Smaller sizes until every sample can be repaired. Where that takes too long, some sample has an
 * error that no number near it can undo: then steps that need no repair. */
static bool fit_with_repair(motion_packer *packer, double size, double shrink)
{
    const double limit = packer->options->limit;
    const double first = size;
    for (uint32_t round = 0; round < FIT_ROUNDS; round++) {
        mrwi_step_plan_solve(packer->step_plan, size, &packer->steps);
        pass_over_all(packer, limit, 0);
        if (packer->off_count == 0)
            return true;
        size *= shrink;
    }
    return fit_without_repair(packer, 0.7 * first, limit);
}

static bool search(motion_packer *packer)
{
    const double limit = packer->options->limit;
    if (packer->options->target == MRW_PACK_P99)
        return fit_without_repair(packer, find_shape(packer, limit, 4), limit);
    if (packer->options->effort == MRW_PACK_FAST)
        return fit_with_repair(packer, find_shape(packer, 0.85 * limit, 2), 0.95);
    if (packer->options->effort == MRW_PACK_BEST)
        return fit_with_repair(packer, find_shape(packer, 1.15 * limit, 5), 0.98);
    return fit_with_repair(packer, find_shape(packer, 0.96 * limit, 4), 0.96);
}

/* --- the result -------------------------------------------------------------------------- */

static bool alloc_packer(motion_packer *packer, mrwi_arena *arena)
{
    const mrwi_motion_plan *plan = packer->plan;
    packer->steps.codes = mrwi_arena_alloc(arena, plan->channel_count, 1);
    packer->steps.sizes = mrwi_arena_alloc(arena, plan->channel_count, sizeof(double));
    packer->joints = mrwi_arena_alloc(arena, plan->joint_count, sizeof(*packer->joints));
    uint64_t number_count = (uint64_t)plan->channel_count * plan->samples->sample_count;
    packer->numbers = number_count > SIZE_MAX
                          ? NULL
                          : mrwi_arena_alloc(arena, (size_t)number_count, sizeof(int32_t));
    packer->step_plan = mrwi_step_plan_make(
        plan, packer->options->limit * packer->options->scalar_tolerance, arena);
    packer->repair = mrwi_repair_make(plan, arena);
    return packer->steps.codes != NULL && packer->steps.sizes != NULL && packer->joints != NULL &&
           packer->numbers != NULL && packer->step_plan != NULL && packer->repair != NULL &&
           mrwi_quantiser_init(&packer->quantiser, plan, &packer->steps, packer->options->weights,
                               arena);
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

static mrw_status fill_motion(const motion_packer *packer, mrwi_arena *arena,
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

mrw_status mrwi_pack_motion(const mrwi_motion_plan *plan, const mrwi_packer_options *options,
                            mrwi_arena *arena, mrwi_packed_motion *out_motion, bool *out_kept,
                            mrw_error *out_error)
{
    motion_packer *packer = mrwi_arena_alloc(arena, 1, sizeof(*packer));
    if (packer == NULL)
        return mrwi_arena_fail(arena, out_error, "packed");
    packer->plan = plan;
    packer->options = options;
    if (!alloc_packer(packer, arena))
        return mrwi_arena_fail(arena, out_error, "packed");
    *out_kept = search(packer);
    return fill_motion(packer, arena, out_motion, out_error);
}
