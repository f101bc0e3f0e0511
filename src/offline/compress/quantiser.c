/* Rounding in a closed loop.
 *
 * A joint is not rounded to where its source has it in its parent, but to where it has to be in the
 * parent as the numbers before have it:
 *
 *     true model space ──▶ what is wanted of this joint, given its lossy parent ──▶ numbers
 *            ▲                                                                        │
 *            └──── error of the shell ◀── lossy model space ◀── the decoder's formula ┘
 *
 * So the orientation of a joint forgets the errors of its ancestors, and its rotation is turned a
 * little further to bring what it carries back to its place, by least squares. Errors do not add up
 * along a chain, and steps can be coarser everywhere. It is worth a quarter of the size.
 *
 * Joints whose shape changes, or that of an ancestor, are rounded to their source's local
 * transform: there an error cannot be undone by a rotation.
 */
#include "offline/compress/quantiser.h"

#include "base/error.h"

/* Numbers up to this have residuals of at most 25 bits, which is what the format has. */
#define MOST_NUMBER 8388606.0

static mrwi_mat33d scaled(mrwi_mat33d matrix, double by)
{
    for (int row = 0; row < 3 && by != 1.0; row++)
        for (int column = 0; column < 3; column++)
            matrix.m[row][column] *= by;
    return matrix;
}

static mrwi_mat33d matrix_of(mrwi_quatd rotation, mrwi_vec3d scale)
{
    mrwi_mat33d matrix = mrwi_mat33d_from_quatd(rotation);
    for (int row = 0; row < 3; row++) {
        matrix.m[row][0] *= scale.x;
        matrix.m[row][1] *= scale.y;
        matrix.m[row][2] *= scale.z;
    }
    return matrix;
}

bool mrwi_quantiser_init(mrwi_quantiser *quantiser, const mrwi_motion_plan *plan,
                         const mrwi_steps *steps, const float *weights, mrwi_arena *arena)
{
    const uint32_t joints = plan->joint_count;
    *quantiser = (mrwi_quantiser){.plan = plan, .steps = steps, .weights = weights};
    quantiser->true_rotations = mrwi_arena_alloc(arena, joints, sizeof(mrwi_quatd));
    quantiser->true_matrices = mrwi_arena_alloc(arena, joints, sizeof(mrwi_mat33d));
    quantiser->true_places = mrwi_arena_alloc(arena, joints, sizeof(mrwi_vec3d));
    quantiser->rotations = mrwi_arena_alloc(arena, joints, sizeof(mrwi_quatd));
    quantiser->matrices = mrwi_arena_alloc(arena, joints, sizeof(mrwi_mat33d));
    quantiser->places = mrwi_arena_alloc(arena, joints, sizeof(mrwi_vec3d));
    quantiser->errors = mrwi_arena_alloc(arena, joints, sizeof(double));
    quantiser->numbers = mrwi_arena_alloc(arena, plan->channel_count, sizeof(int32_t));
    quantiser->remainders = mrwi_arena_alloc(arena, plan->channel_count, sizeof(double));
    quantiser->nudges = mrwi_arena_alloc(arena, plan->channel_count, sizeof(int32_t));
    quantiser->twists = mrwi_arena_alloc(arena, plan->rotation_count, sizeof(double));
    quantiser->twists_before = mrwi_arena_alloc(arena, plan->rotation_count, sizeof(double));
    return quantiser->true_rotations != NULL && quantiser->true_matrices != NULL &&
           quantiser->true_places != NULL && quantiser->rotations != NULL &&
           quantiser->matrices != NULL && quantiser->places != NULL && quantiser->errors != NULL &&
           quantiser->numbers != NULL && quantiser->remainders != NULL &&
           quantiser->nudges != NULL && quantiser->twists != NULL &&
           quantiser->twists_before != NULL;
}

/* --- the true model space ---------------------------------------------------------------- */

static void place_truly(mrwi_quantiser *q, uint32_t j)
{
    const mrwi_joint_plan *joint = &q->plan->joints[j];
    const mrw_transform *local = mrwi_motion_at(q->plan->samples, q->sample, j);
    mrwi_quatd rotation = mrwi_quatd_from(local->rotation);
    mrwi_vec3d translation = mrwi_vec3d_from(local->translation);
    const int32_t parent = joint->parent;
    if (joint->is_rigid) {
        if (parent < 0) {
            q->true_rotations[j] = rotation;
            q->true_places[j] = translation;
        } else {
            q->true_rotations[j] = mrwi_quatd_mul(q->true_rotations[parent], rotation);
            q->true_places[j] =
                mrwi_vec3d_add(q->true_places[parent],
                               mrwi_mat33d_transform(&q->true_matrices[parent], translation));
        }
        q->true_matrices[j] = scaled(mrwi_mat33d_from_quatd(q->true_rotations[j]), joint->gain);
        return;
    }
    mrwi_mat33d matrix = matrix_of(rotation, mrwi_vec3d_from(local->scale));
    q->true_matrices[j] =
        parent < 0 ? matrix : mrwi_mat33d_product(&q->true_matrices[parent], &matrix);
    q->true_places[j] =
        parent < 0 ? translation
                   : mrwi_vec3d_add(q->true_places[parent],
                                    mrwi_mat33d_transform(&q->true_matrices[parent], translation));
}

void mrwi_quantiser_begin(mrwi_quantiser *quantiser, uint32_t sample)
{
    quantiser->sample = sample;
    for (uint32_t j = 0; j < quantiser->plan->joint_count; j++)
        place_truly(quantiser, j);
    for (uint32_t i = 0; i < quantiser->plan->channel_count; i++)
        quantiser->nudges[i] = 0;
    for (uint32_t i = 0; i < quantiser->plan->rotation_count; i++)
        quantiser->twists_before[i] = quantiser->twists[i];
}

/* --- numbers ----------------------------------------------------------------------------- */

/* The nearest number, and what it says. */
static double round_to_step(mrwi_quantiser *q, uint32_t channel, double value)
{
    const double step = q->steps->sizes[channel];
    const double limit = MOST_NUMBER;
    double exact = value * q->steps->inverses[channel];
    exact = exact < -limit ? -limit : exact > limit ? limit : exact;
    int32_t number = (int32_t)(exact < 0.0 ? exact - 0.5 : exact + 0.5) + q->nudges[channel];
    q->numbers[channel] = number;
    q->remainders[channel] = exact - number;
    return number * step;
}

static mrwi_vec3d round_vector(mrwi_quantiser *q, const uint32_t channels[3], mrwi_vec3d base,
                               mrwi_vec3d wanted)
{
    mrwi_vec3d off = mrwi_vec3d_sub(wanted, base);
    mrwi_vec3d rounded = {round_to_step(q, channels[0], off.x),
                          round_to_step(q, channels[1], off.y),
                          round_to_step(q, channels[2], off.z)};
    return mrwi_vec3d_add(base, rounded);
}

static mrwi_vec3d quantise_translation(mrwi_quantiser *q, uint32_t j)
{
    const mrwi_motion_plan *plan = q->plan;
    const mrwi_joint_plan *joint = &plan->joints[j];
    const mrw_transform *local = mrwi_motion_at(plan->samples, q->sample, j);
    if (joint->translation == MRWI_PART_CONSTANT)
        return mrwi_vec3d_from(joint->constant.translation);
    mrwi_vec3d wanted = mrwi_vec3d_from(local->translation);
    if (joint->translation == MRWI_PART_GIVEN)
        return wanted;
    if (joint->parent >= 0 && plan->joints[joint->parent].is_rigid) {
        wanted = mrwi_quatd_rotate(mrwi_quatd_conjugate(q->rotations[joint->parent]),
                                   mrwi_vec3d_sub(q->true_places[j], q->places[joint->parent]));
        wanted = mrwi_vec3d_scale(wanted, 1.0 / plan->joints[joint->parent].gain);
    }
    return round_vector(q, joint->translation_channels,
                        mrwi_vec3d_from(joint->constant.translation), wanted);
}

static mrwi_vec3d quantise_scale(mrwi_quantiser *q, uint32_t j)
{
    const mrwi_motion_plan *plan = q->plan;
    const mrwi_joint_plan *joint = &plan->joints[j];
    const mrw_transform *local = mrwi_motion_at(plan->samples, q->sample, j);
    if (joint->scale == MRWI_PART_CONSTANT)
        return mrwi_vec3d_from(joint->constant.scale);
    if (joint->scale == MRWI_PART_GIVEN)
        return mrwi_vec3d_from(local->scale);
    return round_vector(q, joint->scale_channels, mrwi_vec3d_from(joint->constant.scale),
                        mrwi_vec3d_from(local->scale));
}

/* The joint's true rotation in model space, turned so that what it carries comes nearest to its
 * true place: its own place is off by `error`. */
static mrwi_quatd turned_back(const mrwi_joint_plan *joint, mrwi_quatd true_rotation,
                              mrwi_vec3d error)
{
    if (joint->carried_count == 0)
        return true_rotation;
    mrwi_vec3d local = mrwi_quatd_rotate(mrwi_quatd_conjugate(true_rotation), error);
    mrwi_vec3d turn =
        mrwi_mat33d_transform(&joint->carried_solve, mrwi_vec3d_cross(local, joint->carried_sum));
    mrwi_quatd by = {0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 1.0};
    return mrwi_quatd_normalize(mrwi_quatd_mul(true_rotation, by));
}

static mrwi_quatd quantise_rotation(mrwi_quantiser *q, uint32_t j, mrwi_vec3d place)
{
    const mrwi_motion_plan *plan = q->plan;
    const mrwi_joint_plan *joint = &plan->joints[j];
    const mrw_transform *local = mrwi_motion_at(plan->samples, q->sample, j);
    if (joint->rotation == MRWI_PART_CONSTANT)
        return mrwi_quatd_from(joint->constant.rotation);
    mrwi_quatd wanted = mrwi_quatd_from(local->rotation);
    if (joint->rotation == MRWI_PART_GIVEN)
        return wanted;
    if (joint->is_rigid) {
        wanted = turned_back(joint, q->true_rotations[j], mrwi_vec3d_sub(place, q->true_places[j]));
        if (joint->parent >= 0)
            wanted = mrwi_quatd_mul(mrwi_quatd_conjugate(q->rotations[joint->parent]), wanted);
    }
    const uint32_t index = joint->rotation_index;
    mrwi_vec3d numbers = mrwi_chart_numbers(&joint->chart, wanted, q->twists_before[index]);
    q->twists[index] = numbers.z;
    const mrwi_vec3d zero = {0.0, 0.0, 0.0};
    numbers = round_vector(q, joint->rotation_channels, zero, numbers);
    return mrwi_chart_rotation(&joint->chart, numbers);
}

/* --- joints ------------------------------------------------------------------------------ */

/* How far the farthest of three points on the shell is off, in tolerances. */
static double shell_error(const mrwi_quantiser *q, uint32_t j)
{
    const mrwi_joint_plan *joint = &q->plan->joints[j];
    mrwi_vec3d off = mrwi_vec3d_sub(q->places[j], q->true_places[j]);
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        mrwi_vec3d turned = mrwi_vec3d_sub(mrwi_mat33d_column(&q->matrices[j], axis),
                                           mrwi_mat33d_column(&q->true_matrices[j], axis));
        mrwi_vec3d point = mrwi_vec3d_add(off, mrwi_vec3d_scale(turned, joint->shell));
        double square = mrwi_vec3d_dot(point, point);
        largest = square > largest ? square : largest;
    }
    return mrwi_sqrt_double(largest) * joint->per_tolerance;
}

void mrwi_quantise_joint(mrwi_quantiser *q, uint32_t j)
{
    const mrwi_joint_plan *joint = &q->plan->joints[j];
    const int32_t parent = joint->parent;
    mrwi_vec3d translation = quantise_translation(q, j);
    q->places[j] = parent < 0
                       ? translation
                       : mrwi_vec3d_add(q->places[parent],
                                        mrwi_mat33d_transform(&q->matrices[parent], translation));
    mrwi_quatd rotation = quantise_rotation(q, j, q->places[j]);
    if (joint->is_rigid) {
        q->rotations[j] = parent < 0 ? rotation : mrwi_quatd_mul(q->rotations[parent], rotation);
        q->matrices[j] = scaled(mrwi_mat33d_from_quatd(q->rotations[j]), joint->gain);
    } else {
        mrwi_mat33d matrix = matrix_of(rotation, quantise_scale(q, j));
        q->matrices[j] = parent < 0 ? matrix : mrwi_mat33d_product(&q->matrices[parent], &matrix);
    }
    q->errors[j] = shell_error(q, j);
    if (q->weights != NULL)
        q->errors[j] *= (double)q->weights[(size_t)q->sample * q->plan->joint_count + j];
}

static void nudge(mrwi_quantiser *q, mrwi_part part, const uint32_t channels[3],
                  const int32_t *numbers)
{
    for (uint32_t i = 0; i < 3 && part == MRWI_PART_PACKED; i++)
        q->nudges[channels[i]] += numbers[channels[i]] - q->numbers[channels[i]];
}

void mrwi_quantiser_hold(mrwi_quantiser *quantiser, const int32_t *numbers)
{
    mrwi_quantise_sample(quantiser); /* of the scalars */
    for (uint32_t j = 0; j < quantiser->plan->joint_count; j++) {
        const mrwi_joint_plan *joint = &quantiser->plan->joints[j];
        mrwi_quantise_joint(quantiser, j);
        nudge(quantiser, joint->rotation, joint->rotation_channels, numbers);
        nudge(quantiser, joint->translation, joint->translation_channels, numbers);
        nudge(quantiser, joint->scale, joint->scale_channels, numbers);
        mrwi_quantise_joint(quantiser, j);
    }
}

static void quantise_scalars(mrwi_quantiser *q)
{
    const mrwi_motion_plan *plan = q->plan;
    const mrwi_motion_samples *samples = plan->samples;
    for (uint32_t i = 0; i < plan->scalar_count; i++) {
        size_t at = (size_t)q->sample * samples->scalar_count + plan->packed_scalars[i];
        round_to_step(q, mrwi_scalar_channel(plan, i), (double)samples->scalars[at]);
    }
}

void mrwi_quantise_sample(mrwi_quantiser *quantiser)
{
    for (uint32_t j = 0; j < quantiser->plan->joint_count; j++)
        mrwi_quantise_joint(quantiser, j);
    quantise_scalars(quantiser);
}
