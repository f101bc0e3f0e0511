/* Choosing predictors by least squares.
 *
 * First each channel's own weights, from a few usual ones and the best: what they leave is the
 * channel's surprise. Then which channels before it share its surprises: the one that explains most
 * of what is left comes first, the weights of all that were taken are solved for anew, and so on as
 * long as one saves more bits than it takes to name it.
 */
#include "offline/compress/motion_predictors.h"

#include <string.h>

enum {
    MOST_SAMPLES = 8192, /* that are looked at, in runs */
    RUN = 64,
    FARTHEST_OTHER = 96, /* channels back */
    OWN_BITS = 18,       /* what weights of one's own cost, about */
    OTHER_BITS = 11      /* and another channel */
};

typedef struct planner {
    const int32_t *rows;
    uint32_t sample_count, channel_count;
    uint32_t used_count; /* samples that are looked at */
    uint32_t apart;      /* of so many runs one is looked at */
    float *surprises;    /* [channel_count][used_count] in whole numbers */
    double *products; /* [FARTHEST_OTHER + 1][FARTHEST_OTHER + 1], a window of sums of products */
    mrwi_predictor *predictors;
} planner;

/* --- arithmetic -------------------------------------------------------------------------- */

/* The logarithm to base two within 0.01, the same on every machine; number > 0. */
static double rough_log2(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    const double exponent = (double)((int64_t)(bits >> 52 & 0x7ff) - 1023);
    bits = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52;
    double mantissa;
    memcpy(&mantissa, &bits, sizeof(mantissa));
    const double above = mantissa - 1.0;
    return exponent + above + 0.33985 * above * (1.0 - above);
}

static int32_t weight_of(double weight)
{
    const double scaled = 32.0 * weight;
    const double limit = MRWI_WEIGHT_LIMIT;
    if (!(scaled > -limit))
        return -MRWI_WEIGHT_LIMIT;
    if (scaled > limit)
        return MRWI_WEIGHT_LIMIT;
    return (int32_t)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
}

/* matrix x = right by elimination, for a symmetric one that is made a little definite. */
static void solve(double matrix[MRWI_MOST_OTHERS][MRWI_MOST_OTHERS], double right[MRWI_MOST_OTHERS],
                  uint32_t count, double out_x[MRWI_MOST_OTHERS])
{
    for (uint32_t i = 0; i < count; i++)
        matrix[i][i] = 1.0001 * matrix[i][i] + 1e-3;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++) {
            const double factor = matrix[k][i] / matrix[i][i];
            for (uint32_t j = i; j < count; j++)
                matrix[k][j] -= factor * matrix[i][j];
            right[k] -= factor * right[i];
        }
    for (uint32_t i = count; i-- > 0;) {
        double sum = right[i];
        for (uint32_t j = i + 1; j < count; j++)
            sum -= matrix[i][j] * out_x[j];
        out_x[i] = sum / matrix[i][i];
    }
}

/* --- a channel's own past ---------------------------------------------------------------- */

/* Which sample is the one that is looked at as number `used`. The first is never one. */
static uint32_t sample_of(const planner *plan, uint32_t used)
{
    const uint32_t run = used / RUN;
    return 1 + run * plan->apart * RUN + used % RUN;
}

/* The number and those before it, of which the first stands for all that are missing. */
static void numbers_before(const planner *plan, uint32_t channel, uint32_t sample,
                           int32_t out[MRWI_PAST_ROWS + 1])
{
    for (uint32_t back = 0; back <= MRWI_PAST_ROWS; back++) {
        const uint32_t at = sample > back ? sample - back : 0;
        out[back] = plan->rows[(size_t)at * plan->channel_count + channel];
    }
}

static float surprise_of(const int32_t numbers[MRWI_PAST_ROWS + 1],
                         const int32_t own[MRWI_OWN_WEIGHTS])
{
    int64_t expected = (int64_t)32 * numbers[1];
    for (int i = 0; i < MRWI_OWN_WEIGHTS; i++)
        expected += (int64_t)own[i] * (numbers[1 + i] - numbers[2 + i]);
    return (float)((int64_t)32 * numbers[0] - expected) / 32.0f;
}

/* What the weights leave goes to out_surprises; returns about how many bits it takes. */
static double try_own(const planner *plan, uint32_t channel, const int32_t own[MRWI_OWN_WEIGHTS],
                      float *out_surprises)
{
    double sum = 0.0;
    for (uint32_t used = 0; used < plan->used_count; used++) {
        int32_t numbers[MRWI_PAST_ROWS + 1];
        numbers_before(plan, channel, sample_of(plan, used), numbers);
        const float surprise = surprise_of(numbers, own);
        out_surprises[used] = surprise;
        sum += (double)(surprise < 0.0f ? -surprise : surprise);
    }
    return plan->sample_count * rough_log2(sum / plan->used_count + 0.3);
}

static void best_own(const planner *plan, uint32_t channel, int32_t out_own[MRWI_OWN_WEIGHTS])
{
    double matrix[MRWI_MOST_OTHERS][MRWI_MOST_OTHERS] = {{0}}, right[MRWI_MOST_OTHERS] = {0};
    double weights[MRWI_MOST_OTHERS];
    for (uint32_t used = 0; used < plan->used_count; used++) {
        int32_t numbers[MRWI_PAST_ROWS + 1];
        numbers_before(plan, channel, sample_of(plan, used), numbers);
        double steps[MRWI_PAST_ROWS];
        for (int i = 0; i < MRWI_PAST_ROWS; i++)
            steps[i] = numbers[i] - numbers[i + 1];
        for (int i = 0; i < MRWI_OWN_WEIGHTS; i++) {
            right[i] += steps[0] * steps[1 + i];
            for (int j = 0; j < MRWI_OWN_WEIGHTS; j++)
                matrix[i][j] += steps[1 + i] * steps[1 + j];
        }
    }
    solve(matrix, right, MRWI_OWN_WEIGHTS, weights);
    for (int i = 0; i < MRWI_OWN_WEIGHTS; i++)
        out_own[i] = weight_of(weights[i]);
}

static void choose_own(planner *plan, uint32_t channel, float *scratch)
{
    mrwi_predictor *one = &plan->predictors[channel];
    float *surprises = plan->surprises + (size_t)channel * plan->used_count;
    double least = 0.0;
    for (uint32_t form = 0; form <= MRWI_PREDICTOR_FORMS; form++) {
        int32_t own[MRWI_OWN_WEIGHTS];
        if (form < MRWI_PREDICTOR_FORMS)
            for (int i = 0; i < MRWI_OWN_WEIGHTS; i++)
                own[i] = mrwi_predictor_forms[form][i];
        else
            best_own(plan, channel, own);
        const double bits =
            try_own(plan, channel, own, scratch) + (form < MRWI_PREDICTOR_FORMS ? 0 : OWN_BITS);
        if (form > 0 && bits >= least)
            continue;
        least = bits;
        one->form = form;
        memcpy(one->own, own, sizeof(own));
        memcpy(surprises, scratch, plan->used_count * sizeof(float));
    }
}

/* --- other channels ---------------------------------------------------------------------- */

/* Sums of products of surprises of the channels from `first` to `channel`; only that channel's are
 * new. */
static double *product(const planner *plan, uint32_t a, uint32_t b)
{
    const uint32_t size = FARTHEST_OTHER + 1;
    return &plan->products[(size_t)(a % size) * size + b % size];
}

static void multiply_channel(const planner *plan, uint32_t first, uint32_t channel)
{
    const float *mine = plan->surprises + (size_t)channel * plan->used_count;
    for (uint32_t other = first; other <= channel; other++) {
        const float *theirs = plan->surprises + (size_t)other * plan->used_count;
        double sum = 0.0;
        for (uint32_t used = 0; used < plan->used_count; used++)
            sum += (double)mine[used] * (double)theirs[used];
        *product(plan, channel, other) = *product(plan, other, channel) = sum;
    }
}

/* The channel that explains most of what the chosen ones leave; *out_gain is how much. */
static uint32_t best_other(const planner *plan, uint32_t first, uint32_t channel,
                           const mrwi_predictor *one, const double weights[MRWI_MOST_OTHERS],
                           double *out_gain)
{
    uint32_t best = channel;
    *out_gain = 0.0;
    for (uint32_t other = first; other < channel; other++) {
        double shared = *product(plan, channel, other);
        for (uint32_t i = 0; i < one->other_count; i++)
            shared -= weights[i] * *product(plan, one->others[i].channel, other);
        const double gain = shared * shared / (*product(plan, other, other) + 1e-9);
        if (gain > *out_gain) {
            *out_gain = gain;
            best = other;
        }
    }
    return best;
}

static void choose_others(const planner *plan, uint32_t first, uint32_t channel)
{
    mrwi_predictor *one = &plan->predictors[channel];
    double weights[MRWI_MOST_OTHERS] = {0};
    double left = *product(plan, channel, channel);
    const double noise = 0.08 * plan->used_count; /* of rounding: what nothing explains */
    while (one->other_count < MRWI_MOST_OTHERS) {
        double gain;
        const uint32_t other = best_other(plan, first, channel, one, weights, &gain);
        if (other == channel)
            break;
        const double after = left > gain ? left - gain : 0.0;
        if (0.5 * plan->sample_count * rough_log2((left + noise) / (after + noise)) < OTHER_BITS)
            break;
        one->others[one->other_count++].channel = other;
        double matrix[MRWI_MOST_OTHERS][MRWI_MOST_OTHERS], right[MRWI_MOST_OTHERS];
        for (uint32_t i = 0; i < one->other_count; i++) {
            right[i] = *product(plan, channel, one->others[i].channel);
            for (uint32_t j = 0; j < one->other_count; j++)
                matrix[i][j] = *product(plan, one->others[i].channel, one->others[j].channel);
        }
        left = *product(plan, channel, channel);
        double explained[MRWI_MOST_OTHERS];
        memcpy(explained, right, sizeof(explained));
        solve(matrix, right, one->other_count, weights);
        for (uint32_t i = 0; i < one->other_count; i++)
            left -= weights[i] * explained[i];
        left = left > 0.0 ? left : 0.0;
    }
    for (uint32_t i = 0; i < one->other_count; i++)
        one->others[i].weight = weight_of(weights[i]);
}

mrw_status mrwi_plan_predictors(const int32_t *rows, uint32_t sample_count, uint32_t channel_count,
                                mrwi_arena *arena, mrwi_predictor *predictors, mrw_error *out_error)
{
    planner plan = {.rows = rows,
                    .sample_count = sample_count,
                    .channel_count = channel_count,
                    .used_count = sample_count - 1,
                    .apart = 1,
                    .predictors = predictors};
    if (plan.used_count > MOST_SAMPLES) {
        plan.apart = (plan.used_count + MOST_SAMPLES - 1) / MOST_SAMPLES;
        plan.used_count = plan.used_count / (plan.apart * RUN) * RUN;
    }
    const size_t window = FARTHEST_OTHER + 1;
    plan.surprises =
        mrwi_arena_alloc(arena, channel_count, (size_t)plan.used_count * sizeof(float));
    plan.products = mrwi_arena_alloc(arena, window * window, sizeof(double));
    float *scratch = mrwi_arena_alloc(arena, plan.used_count, sizeof(float));
    if (plan.surprises == NULL || plan.products == NULL || scratch == NULL)
        return mrwi_arena_fail(arena, out_error, "predictors");
    memset(predictors, 0, (size_t)channel_count * sizeof(*predictors));
    for (uint32_t channel = 0; channel < channel_count; channel++) {
        const uint32_t first = channel > FARTHEST_OTHER ? channel - FARTHEST_OTHER : 0;
        choose_own(&plan, channel, scratch);
        multiply_channel(&plan, first, channel);
        choose_others(&plan, first, channel);
    }
    return MRW_OK;
}
