/* Steps from a Lagrangian.
 *
 * A number that is rounded to a step s errs by s^2 / 12 in the mean of squares. Where the joint k
 * ends up depends on the steps of its chain, linearly in their squares:
 *
 *     error_k^2 = sum of A[k][v] s_v^2        A from how far an axis of a joint moves k
 *
 * Bits are saved with the logarithm of steps. So the steps sought are those that maximise the sum
 * of log s_v under error_k^2 <= tolerance_k^2 for each k. Of its conditions,
 *
 *     1 / s_v^2 = sum of lambda_k A[k][v],     lambda_k > 0 only where the error is at its limit
 *
 * the first gives steps from lambdas, and errors beyond the limit raise lambdas until all hold.
 *
 * The rotation of a joint makes good what its ancestors left, as the quantiser does, so what
 * it carries keeps only the part of their error that a turn cannot undo.
 */
#include "offline/compress/step_plan.h"

#define UNIFORM (1.0 / 12.0) /* the variance of rounding to 1 */
#define TWIST_CAP 8.0        /* steps of a twist to those of the swing, at most */
#define NEGLIGIBLE 1e-9      /* of the largest in a row: left out */

enum { ROUNDS_FIRST = 300, ROUNDS_AGAIN = 60 };

typedef struct step_entry {
    uint32_t variable;
    double weight;
} step_entry;

/* One row of A, or of the part that concerns the joint's place. */
typedef struct step_row {
    step_entry *entries;
    uint32_t count;
} step_row;

/* Variables: three a packed rotation, then one a packed translation. */
struct mrwi_step_plan {
    const mrwi_motion_plan *plan;
    mrwi_arena *arena;
    uint32_t variable_count;
    step_row *places; /* [joint_count] */
    step_row *rows;   /* [joint_count] */
    double *limits;   /* [joint_count] tolerance^2, adjusted */
    double *lambdas;  /* [joint_count] */
    double *squares;  /* [variable_count] s^2 */
    double *pulls;    /* [variable_count] scratch */
    double scalar_step;
    bool solved;
    double *row_scratch; /* [variable_count] */
    bool out_of_memory;
};

/* --- rows -------------------------------------------------------------------------------- */

static uint32_t rotation_variable(const mrwi_joint_plan *joint, uint32_t axis)
{
    return 3 * joint->rotation_index + axis;
}

static uint32_t translation_variable(const mrwi_motion_plan *plan, const mrwi_joint_plan *joint)
{
    return 3 * plan->rotation_count + joint->translation_index;
}

/* Which way the axis of a number turns the joint, in the joint's own space. */
static mrwi_vec3d number_axis(const mrwi_joint_plan *joint, uint32_t axis)
{
    const mrwi_vec3d unit = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    return mrwi_quatd_rotate(mrwi_quatd_conjugate(joint->chart.right), unit);
}

/* What is left, of the mean square of an error at the carrier's place, at something it carries. */
static double left_after_turn(const mrwi_joint_plan *carrier, mrwi_vec3d offset)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        mrwi_vec3d error = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
        mrwi_vec3d moment = mrwi_vec3d_cross(error, carrier->carried_sum);
        mrwi_vec3d turn = mrwi_mat33d_transform(&carrier->carried_solve, moment);
        mrwi_vec3d left = mrwi_vec3d_add(error, mrwi_vec3d_cross(turn, offset));
        sum += mrwi_vec3d_dot(left, left);
    }
    return sum / 3.0;
}

/* The joint whose numbers turn it, or NULL. */
static const mrwi_joint_plan *turner_of(const mrwi_motion_plan *plan, const mrwi_joint_plan *joint)
{
    return joint->rotation == MRWI_PART_PACKED ? joint
           : joint->carrier >= 0               ? &plan->joints[joint->carrier]
                                               : NULL;
}

typedef struct row_builder {
    mrwi_step_plan *steps;
    uint32_t *used; /* variables in the row */
    uint32_t count;
} row_builder;

static void row_add(row_builder *row, uint32_t variable, double weight)
{
    if (row->steps->row_scratch[variable] == 0.0)
        row->used[row->count++] = variable;
    row->steps->row_scratch[variable] += weight;
}

static void row_add_row(row_builder *row, const step_row *other, double factor)
{
    for (uint32_t i = 0; i < other->count; i++)
        row_add(row, other->entries[i].variable, factor * other->entries[i].weight);
}

/* Takes what was added as a row, without what is negligible; the builder goes on with it. */
static step_row row_take(row_builder *row)
{
    step_row taken = {NULL, 0};
    double largest = 0.0;
    for (uint32_t i = 0; i < row->count; i++) {
        double weight = row->steps->row_scratch[row->used[i]];
        largest = weight > largest ? weight : largest;
    }
    taken.entries = mrwi_arena_alloc(row->steps->arena, row->count, sizeof(*taken.entries));
    if (taken.entries == NULL) {
        row->steps->out_of_memory = true;
        return taken;
    }
    for (uint32_t i = 0; i < row->count; i++) {
        double weight = row->steps->row_scratch[row->used[i]];
        if (weight > NEGLIGIBLE * largest)
            taken.entries[taken.count++] = (step_entry){row->used[i], weight};
    }
    return taken;
}

static void row_clear(row_builder *row)
{
    for (uint32_t i = 0; i < row->count; i++)
        row->steps->row_scratch[row->used[i]] = 0.0;
    row->count = 0;
}

/* Of a joint whose place nothing corrects: the error of its parent's place, and that of its
 * orientation, at the joint. */
static void add_open_place(row_builder *row, const mrwi_joint_plan *joint)
{
    const mrwi_joint_plan *parent = &row->steps->plan->joints[joint->parent];
    const mrwi_joint_plan *turner = turner_of(row->steps->plan, parent);
    row_add_row(row, &row->steps->places[joint->parent], 1.0);
    for (uint32_t axis = 0; axis < 3 && turner != NULL; axis++)
        row_add(row, rotation_variable(turner, axis),
                16.0 * UNIFORM * (2.0 / 3.0) * joint->reach * joint->reach);
}

/* Where the joint is, as far as rounding moves it. */
static void add_place(row_builder *row, const mrwi_joint_plan *joint)
{
    const mrwi_motion_plan *plan = row->steps->plan;
    if (joint->translation == MRWI_PART_PACKED) {
        row_add(row, translation_variable(plan, joint),
                3.0 * UNIFORM * joint->gain_above * joint->gain_above);
        if (joint->parent >= 0 && !plan->joints[joint->parent].is_rigid)
            add_open_place(row, joint);
        return;
    }
    if (!joint->is_carried) {
        if (joint->parent >= 0)
            add_open_place(row, joint);
        return;
    }
    const mrwi_joint_plan *carrier = &plan->joints[joint->carrier];
    row_add_row(row, &row->steps->places[joint->carrier], left_after_turn(carrier, joint->offset));
    for (uint32_t axis = 0; axis < 3; axis++) {
        mrwi_vec3d moved = mrwi_vec3d_cross(number_axis(carrier, axis), joint->offset);
        /* A number is the tangent of a quarter of its angle. */
        row_add(row, rotation_variable(carrier, axis),
                16.0 * UNIFORM * mrwi_vec3d_dot(moved, moved));
    }
}

static void build_rows(mrwi_step_plan *steps, uint32_t *used)
{
    const mrwi_motion_plan *plan = steps->plan;
    row_builder row = {steps, used, 0};
    for (uint32_t j = 0; j < plan->joint_count && !steps->out_of_memory; j++) {
        const mrwi_joint_plan *joint = &plan->joints[j];
        add_place(&row, joint);
        steps->places[j] = row_take(&row);
        const mrwi_joint_plan *turner = turner_of(plan, joint);
        const double shell = joint->shell * joint->gain;
        for (uint32_t axis = 0; axis < 3 && turner != NULL; axis++)
            row_add(&row, rotation_variable(turner, axis),
                    16.0 * UNIFORM * (2.0 / 3.0) * shell * shell);
        steps->rows[j] = row_take(&row);
        row_clear(&row);
    }
}

mrwi_step_plan *mrwi_step_plan_make(const mrwi_motion_plan *plan, double scalar_tolerance,
                                    mrwi_arena *arena)
{
    mrwi_step_plan *steps = mrwi_arena_alloc(arena, 1, sizeof(*steps));
    if (steps == NULL)
        return NULL;
    steps->plan = plan;
    steps->arena = arena;
    steps->scalar_step = 2.0 * scalar_tolerance; /* rounding is off by half of it at most */
    steps->variable_count = 3 * plan->rotation_count + plan->translation_count;
    steps->places = mrwi_arena_alloc(arena, plan->joint_count, sizeof(*steps->places));
    steps->rows = mrwi_arena_alloc(arena, plan->joint_count, sizeof(*steps->rows));
    steps->limits = mrwi_arena_alloc(arena, plan->joint_count, sizeof(double));
    steps->lambdas = mrwi_arena_alloc(arena, plan->joint_count, sizeof(double));
    steps->squares = mrwi_arena_alloc(arena, steps->variable_count, sizeof(double));
    steps->pulls = mrwi_arena_alloc(arena, steps->variable_count, sizeof(double));
    steps->row_scratch = mrwi_arena_alloc(arena, steps->variable_count, sizeof(double));
    uint32_t *used = mrwi_arena_alloc(arena, steps->variable_count, sizeof(*used));
    if (steps->places == NULL || steps->rows == NULL || steps->limits == NULL ||
        steps->lambdas == NULL || steps->squares == NULL || steps->pulls == NULL ||
        steps->row_scratch == NULL || used == NULL)
        return NULL;
    for (uint32_t j = 0; j < plan->joint_count; j++) {
        steps->limits[j] = plan->joints[j].tolerance * plan->joints[j].tolerance;
        steps->lambdas[j] = 1.0 / steps->limits[j];
    }
    build_rows(steps, used);
    return steps->out_of_memory ? NULL : steps;
}

void mrwi_step_plan_adjust(mrwi_step_plan *steps, uint32_t joint, double factor)
{
    const double tolerance = steps->plan->joints[joint].tolerance;
    const double least = 1e-3 * tolerance * tolerance, most = 1e3 * tolerance * tolerance;
    double limit = steps->limits[joint] * factor * factor;
    steps->limits[joint] = limit < least ? least : limit > most ? most : limit;
}

/* --- the solution ------------------------------------------------------------------------ */

static void steps_from_lambdas(mrwi_step_plan *steps)
{
    const mrwi_motion_plan *plan = steps->plan;
    for (uint32_t v = 0; v < steps->variable_count; v++)
        steps->pulls[v] = 0.0;
    for (uint32_t j = 0; j < plan->joint_count; j++)
        for (uint32_t i = 0; i < steps->rows[j].count; i++)
            steps->pulls[steps->rows[j].entries[i].variable] +=
                steps->lambdas[j] * steps->rows[j].entries[i].weight;
    for (uint32_t v = 0; v < steps->variable_count; v++) {
        double logs = v < 3 * plan->rotation_count ? 1.0 : 3.0; /* a translation is three numbers */
        steps->squares[v] = logs / (steps->pulls[v] > 1e-300 ? steps->pulls[v] : 1e-300);
    }
    for (uint32_t r = 0; r < plan->rotation_count; r++) {
        double *s = &steps->squares[3 * r];
        double cap = (s[0] < s[1] ? s[0] : s[1]) * TWIST_CAP * TWIST_CAP;
        s[2] = s[2] < cap ? s[2] : cap;
    }
}

/* The largest error to its limit, squared. */
static double raise_lambdas(mrwi_step_plan *steps)
{
    double largest = 0.0;
    for (uint32_t j = 0; j < steps->plan->joint_count; j++) {
        double error = 0.0;
        for (uint32_t i = 0; i < steps->rows[j].count; i++)
            error += steps->rows[j].entries[i].weight *
                     steps->squares[steps->rows[j].entries[i].variable];
        double ratio = error / steps->limits[j];
        largest = ratio > largest ? ratio : largest;
        double lambda = steps->lambdas[j] * mrwi_sqrt_double(ratio > 1e-6 ? ratio : 1e-6);
        double least = 1e-12 / steps->limits[j];
        steps->lambdas[j] = lambda > least ? lambda : least;
    }
    return largest;
}

/* --- codes ------------------------------------------------------------------------------- */

static double power_of_two(int32_t exponent)
{
    double power = 1.0;
    for (; exponent > 0; exponent--)
        power *= 2.0;
    for (; exponent < 0; exponent++)
        power *= 0.5;
    return power;
}

static double size_of_code(uint32_t code, int32_t exponent)
{
    return (1.0 + code % 16 / 16.0) * power_of_two((int32_t)(code / 16) + exponent);
}

/* The largest step that is not above `size`; the smallest there is, if all are. */
static uint8_t code_of_size(double size, int32_t exponent)
{
    uint32_t low = 0, high = 255;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (size_of_code(middle, exponent) <= size)
            low = middle;
        else
            high = middle - 1;
    }
    return (uint8_t)low;
}

/* A kind's exponent: the codes of its largest step are the last ones, so that those of all its
 * steps, up to 2^15 times smaller, are codes too. */
static int8_t exponent_below(double largest, int32_t most)
{
    int32_t exponent = most;
    while (exponent > -60 && power_of_two(exponent + 15) > largest)
        exponent--;
    return (int8_t)exponent;
}

/* One kind of channels: [first, end) from sizes to codes, and to what these mean. */
static void set_codes(mrwi_steps *steps, uint32_t kind, uint32_t first, uint32_t end, int32_t most)
{
    double largest = 0.0;
    for (uint32_t i = first; i < end; i++)
        largest = steps->sizes[i] > largest ? steps->sizes[i] : largest;
    steps->exponents[kind] = exponent_below(largest, most);
    for (uint32_t i = first; i < end; i++) {
        steps->codes[i] = code_of_size(steps->sizes[i], steps->exponents[kind]);
        steps->sizes[i] = size_of_code(steps->codes[i], steps->exponents[kind]);
        steps->inverses[i] = 1.0 / steps->sizes[i];
    }
}

static void set_sizes(const mrwi_step_plan *steps, const mrwi_joint_plan *joint, double size,
                      mrwi_steps *out_steps)
{
    const mrwi_motion_plan *plan = steps->plan;
    for (uint32_t i = 0; i < 3; i++) {
        if (joint->rotation == MRWI_PART_PACKED)
            out_steps->sizes[joint->rotation_channels[i]] =
                size * mrwi_sqrt_double(steps->squares[rotation_variable(joint, i)]);
        if (joint->translation == MRWI_PART_PACKED)
            out_steps->sizes[joint->translation_channels[i]] =
                size * mrwi_sqrt_double(steps->squares[translation_variable(plan, joint)]);
        if (joint->scale == MRWI_PART_PACKED)
            out_steps->sizes[joint->scale_channels[i]] =
                size * joint->tolerance / (joint->scale_lever > 0.0 ? joint->scale_lever : 1.0);
    }
}

void mrwi_step_plan_solve(mrwi_step_plan *steps, double size, mrwi_steps *out_steps)
{
    const mrwi_motion_plan *plan = steps->plan;
    int rounds = steps->solved ? ROUNDS_AGAIN : ROUNDS_FIRST;
    steps->solved = true;
    for (int round = 0; round < rounds; round++) {
        steps_from_lambdas(steps);
        if (raise_lambdas(steps) < 1.002 && round > 20)
            break;
    }
    steps_from_lambdas(steps);
    for (uint32_t j = 0; j < plan->joint_count; j++)
        set_sizes(steps, &plan->joints[j], size, out_steps);
    for (uint32_t i = 0; i < plan->scalar_count; i++)
        out_steps->sizes[mrwi_scalar_channel(plan, i)] = steps->scalar_step;
    const uint32_t translations = 3 * plan->rotation_count;
    const uint32_t scales = translations + 3 * plan->translation_count;
    const uint32_t scalars = scales + 3 * plan->scale_count;
    set_codes(out_steps, 0, 0, translations, -16);
    set_codes(out_steps, 1, translations, scales, 40);
    set_codes(out_steps, 2, scales, scalars, 40);
    set_codes(out_steps, 3, scalars, plan->channel_count, 40);
}
