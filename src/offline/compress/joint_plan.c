#include "offline/compress/joint_plan.h"

#include "base/error.h"
#include "clip/packed_format.h"

/* What single precision loses of a number, and of a rotation, and the share of the tolerance that
 * it may be. */
#define FLOAT_ROUNDING 6e-8
#define FLOAT_TURNING 4e-7
#define FLOAT_SHARE 0.3
#define SAME_SCALE 1e-6 /* of the scales of three axes to each other */

/* --- sizes ------------------------------------------------------------------------------- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double length_of(mrwi_vec3d v)
{
    return mrwi_sqrt_double(mrwi_vec3d_dot(v, v));
}

static double largest_component(mrwi_vec3d v)
{
    double x = v.x < 0 ? -v.x : v.x, y = v.y < 0 ? -v.y : v.y, z = v.z < 0 ? -v.z : v.z;
    return larger(x, larger(y, z));
}

static double largest_scale(mrw_vec3 scale)
{
    return largest_component(mrwi_vec3d_from(scale));
}

/* Scales may be anything at any sample, 0 too: of each joint the largest counts. */
static void set_gains(mrwi_motion_plan *plan, double *gains)
{
    const mrwi_motion_samples *samples = plan->samples;
    for (uint32_t i = 0; i < samples->sample_count; i++)
        for (uint32_t j = 0; j < plan->joint_count; j++) {
            mrwi_joint_plan *joint = &plan->joints[j];
            const double above = joint->parent < 0 ? 1.0 : gains[joint->parent];
            gains[j] = above * largest_scale(mrwi_motion_at(samples, i, j)->scale);
            joint->gain_above = larger(joint->gain_above, above);
            joint->gain = larger(joint->gain, gains[j]);
        }
}

/* Children come behind their parents, so one walk backwards adds up whole subtrees. */
static void set_levers(mrwi_motion_plan *plan)
{
    const mrwi_motion_samples *samples = plan->samples;
    for (uint32_t j = 0; j < plan->joint_count; j++)
        plan->joints[j].lever = plan->joints[j].shell * plan->joints[j].gain;
    for (uint32_t j = plan->joint_count; j-- > 0;) {
        mrwi_joint_plan *joint = &plan->joints[j];
        const double own = joint->gain > 0.0 ? joint->gain_above / joint->gain : 0.0;
        joint->scale_lever = joint->lever * (own > 0.0 ? own : 1.0);
        if (joint->parent < 0)
            continue;
        double reach = 0.0;
        for (uint32_t i = 0; i < samples->sample_count; i++) {
            mrwi_vec3d to = mrwi_vec3d_from(mrwi_motion_at(samples, i, j)->translation);
            reach = larger(reach, mrwi_vec3d_dot(to, to));
        }
        joint->reach = mrwi_sqrt_double(reach) * joint->gain_above;
        mrwi_joint_plan *parent = &plan->joints[joint->parent];
        parent->lever = larger(parent->lever, joint->reach + joint->lever);
    }
}

/* --- what stands still ------------------------------------------------------------------- */

/* The rotation that is nearest to all samples, as the first eigenvector of the sum of q q'. */
static mrwi_quatd mean_rotation(const mrwi_motion_samples *samples, uint32_t joint)
{
    mrwi_quatd rows[4] = {{0.0, 0.0, 0.0, 0.0}};
    for (uint32_t i = 0; i < samples->sample_count; i++) {
        const mrwi_quatd q = mrwi_quatd_from(mrwi_motion_at(samples, i, joint)->rotation);
        const double parts[4] = {q.x, q.y, q.z, q.w};
        for (int row = 0; row < 4; row++) {
            rows[row].x += parts[row] * q.x;
            rows[row].y += parts[row] * q.y;
            rows[row].z += parts[row] * q.z;
            rows[row].w += parts[row] * q.w;
        }
    }
    mrwi_quatd mean =
        mrwi_quatd_from(mrwi_motion_at(samples, samples->sample_count / 2, joint)->rotation);
    for (int round = 0; round < 6; round++)
        mean = mrwi_quatd_normalize(
            (mrwi_quatd){mrwi_quatd_dot(rows[0], mean), mrwi_quatd_dot(rows[1], mean),
                         mrwi_quatd_dot(rows[2], mean), mrwi_quatd_dot(rows[3], mean)});
    return mean;
}

/* Whether no sample is farther from a rotation than moves what is `lever` away by `still`: by the
 * chord, which is the angle where it is small. */
static bool stays_at_rotation(const mrwi_motion_samples *samples, uint32_t joint,
                              mrwi_quatd rotation, double lever, double still)
{
    for (uint32_t i = 0; i < samples->sample_count; i++) {
        mrwi_quatd q = mrwi_quatd_from(mrwi_motion_at(samples, i, joint)->rotation);
        mrwi_quatd between = mrwi_quatd_mul(mrwi_quatd_conjugate(rotation), q);
        mrwi_vec3d v = {between.x, between.y, between.z};
        if (2.0 * length_of(v) * lever > still)
            return false;
    }
    return true;
}

/* How far a sample is from a vector, of scales in the axis where it is farthest. */
static double vector_distance(const mrwi_motion_samples *samples, uint32_t sample, uint32_t joint,
                              bool scale, mrwi_vec3d from)
{
    const mrw_transform *at = mrwi_motion_at(samples, sample, joint);
    mrwi_vec3d v = mrwi_vec3d_from(scale ? at->scale : at->translation);
    mrwi_vec3d difference = mrwi_vec3d_sub(v, from);
    return scale ? largest_component(difference) : length_of(difference);
}

static bool stays_at_vector(const mrwi_motion_samples *samples, uint32_t joint, bool scale,
                            mrw_vec3 from, double lever, double still)
{
    for (uint32_t i = 0; i < samples->sample_count; i++)
        if (vector_distance(samples, i, joint, scale, mrwi_vec3d_from(from)) * lever > still)
            return false;
    return true;
}

static double vector_size(const mrwi_motion_samples *samples, uint32_t joint, bool scale)
{
    const mrwi_vec3d zero = {0.0, 0.0, 0.0};
    double size = 0.0;
    for (uint32_t i = 0; i < samples->sample_count; i++)
        size = larger(size, vector_distance(samples, i, joint, scale, zero));
    return size;
}

/* Whether the decoder's own rounding takes too much of the tolerance: then the track stays. */
static bool is_beyond_floats(double moved, const mrwi_joint_plan *joint)
{
    return moved > FLOAT_SHARE * joint->tolerance;
}

/* The middle of the box of the samples. */
static mrw_vec3 vector_middle(const mrwi_motion_samples *samples, uint32_t joint, bool scale)
{
    const mrw_transform *first = mrwi_motion_at(samples, 0, joint);
    mrw_vec3 low = scale ? first->scale : first->translation, high = low;
    for (uint32_t i = 1; i < samples->sample_count; i++) {
        const mrw_transform *at = mrwi_motion_at(samples, i, joint);
        mrw_vec3 v = scale ? at->scale : at->translation;
        low.x = v.x < low.x ? v.x : low.x;
        low.y = v.y < low.y ? v.y : low.y;
        low.z = v.z < low.z ? v.z : low.z;
        high.x = v.x > high.x ? v.x : high.x;
        high.y = v.y > high.y ? v.y : high.y;
        high.z = v.z > high.z ? v.z : high.z;
    }
    mrw_vec3 middle = {low.x + (high.x - low.x) * 0.5f, low.y + (high.y - low.y) * 0.5f,
                       low.z + (high.z - low.z) * 0.5f};
    return middle;
}

static void choose_rotation(const mrwi_motion_samples *samples, uint32_t j, mrw_quat rest,
                            double share, bool may_give, mrwi_joint_plan *joint)
{
    const double still = share * joint->tolerance;
    mrwi_quatd mean = mean_rotation(samples, j);
    mrw_quat as_float = {(float)mean.x, (float)mean.y, (float)mean.z, (float)mean.w};
    joint->constant.rotation = as_float;
    if (joint->rotation == MRWI_PART_GIVEN)
        return;
    if (stays_at_rotation(samples, j, mrwi_quatd_from(rest), joint->lever, still)) {
        joint->rotation = MRWI_PART_CONSTANT;
        joint->constant.rotation = rest;
    } else if (stays_at_rotation(samples, j, mean, joint->lever, still)) {
        joint->rotation = MRWI_PART_CONSTANT;
    } else if (joint->rotation == MRWI_PART_SPARSE ||
               (may_give && is_beyond_floats(FLOAT_TURNING * joint->lever, joint))) {
        joint->rotation = MRWI_PART_GIVEN;
    }
}

static void choose_translation(const mrwi_motion_samples *samples, uint32_t j, mrw_vec3 rest,
                               double share, bool may_give, mrwi_joint_plan *joint)
{
    const double still = share * joint->tolerance;
    joint->constant.translation = vector_middle(samples, j, false);
    if (joint->translation == MRWI_PART_GIVEN)
        return;
    const double gain = joint->gain_above;
    if (stays_at_vector(samples, j, false, rest, gain, still)) {
        joint->translation = MRWI_PART_CONSTANT;
        joint->constant.translation = rest;
    } else if (stays_at_vector(samples, j, false, joint->constant.translation, gain, still)) {
        joint->translation = MRWI_PART_CONSTANT;
    } else if (joint->translation == MRWI_PART_SPARSE ||
               (may_give &&
                is_beyond_floats(FLOAT_ROUNDING * gain * vector_size(samples, j, false), joint))) {
        joint->translation = MRWI_PART_GIVEN;
    }
}

static void choose_scale(const mrwi_motion_samples *samples, uint32_t j, mrw_vec3 rest,
                         double share, bool may_give, mrwi_joint_plan *joint)
{
    const double still = share * joint->tolerance;
    joint->constant.scale = vector_middle(samples, j, true);
    if (joint->scale == MRWI_PART_GIVEN)
        return;
    const double lever = joint->scale_lever;
    if (stays_at_vector(samples, j, true, rest, lever, still)) {
        joint->scale = MRWI_PART_CONSTANT;
        joint->constant.scale = rest;
    } else if (stays_at_vector(samples, j, true, joint->constant.scale, lever, still)) {
        joint->scale = MRWI_PART_CONSTANT;
    } else if (joint->scale == MRWI_PART_SPARSE ||
               (may_give &&
                is_beyond_floats(FLOAT_ROUNDING * lever * vector_size(samples, j, true), joint))) {
        joint->scale = MRWI_PART_GIVEN;
    }
}

static bool scalar_moves(const mrwi_motion_samples *samples, uint32_t scalar, double still)
{
    float low = samples->scalars[scalar], high = low;
    for (uint32_t i = 1; i < samples->sample_count; i++) {
        float x = samples->scalars[(size_t)i * samples->scalar_count + scalar];
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    return (double)high - (double)low > still;
}

/* --- what carries what ------------------------------------------------------------------- */

/* One scale for all axes, which mirrors none of them; 0 if it is another one. */
static double even_scale(mrw_vec3 scale)
{
    const double size = ((double)scale.x + (double)scale.y + (double)scale.z) / 3.0;
    const mrwi_vec3d middle = {size, size, size};
    const mrwi_vec3d off = mrwi_vec3d_sub(mrwi_vec3d_from(scale), middle);
    return size > 0.0 && largest_component(off) <= SAME_SCALE * size ? size : 0.0;
}

static void set_rigid(mrwi_joint_plan *joint, const mrwi_joint_plan *above)
{
    const double scale =
        joint->scale == MRWI_PART_CONSTANT ? even_scale(joint->constant.scale) : 0.0;
    joint->is_rigid = (above == NULL || above->is_rigid) && scale > 0.0 && !joint->whirls;
    if (joint->is_rigid)
        joint->gain = (above != NULL ? above->gain : 1.0) * scale;
}

/* Parents are done before. */
static void set_carrier(mrwi_motion_plan *plan, uint32_t j)
{
    mrwi_joint_plan *joint = &plan->joints[j];
    const mrwi_joint_plan *above = joint->parent >= 0 ? &plan->joints[joint->parent] : NULL;
    set_rigid(joint, above);
    joint->carrier = -1;
    joint->is_carried =
        joint->translation == MRWI_PART_CONSTANT && above != NULL && joint->is_rigid;
    if (joint->is_carried)
        joint->offset = mrwi_vec3d_scale(mrwi_vec3d_from(joint->constant.translation), above->gain);
    for (int32_t p = joint->parent; p >= 0; p = plan->joints[p].parent) {
        const mrwi_joint_plan *ancestor = &plan->joints[p];
        if (ancestor->rotation == MRWI_PART_PACKED) {
            joint->carrier = p;
            return;
        }
        if (ancestor->rotation != MRWI_PART_CONSTANT ||
            ancestor->translation != MRWI_PART_CONSTANT) {
            joint->is_carried = false;
            continue;
        }
        const double gain = ancestor->parent >= 0 ? plan->joints[ancestor->parent].gain : 1.0;
        joint->offset = mrwi_vec3d_add(
            mrwi_vec3d_scale(mrwi_vec3d_from(ancestor->constant.translation), gain),
            mrwi_quatd_rotate(mrwi_quatd_from(ancestor->constant.rotation), joint->offset));
    }
    joint->is_carried = false;
}

static mrw_status list_carried(mrwi_motion_plan *plan, mrwi_arena *arena, mrw_error *out_error)
{
    uint32_t total = 0;
    for (uint32_t j = 0; j < plan->joint_count; j++)
        if (plan->joints[j].is_carried) {
            plan->joints[plan->joints[j].carrier].carried_count++;
            total++;
        }
    plan->carried = mrwi_arena_alloc(arena, total, sizeof(*plan->carried));
    if (plan->carried == NULL)
        return mrwi_arena_fail(arena, out_error, "joints");
    uint32_t next = 0;
    for (uint32_t j = 0; j < plan->joint_count; j++) {
        plan->joints[j].first_carried = next;
        next += plan->joints[j].carried_count;
        plan->joints[j].carried_count = 0;
    }
    for (uint32_t j = 0; j < plan->joint_count; j++)
        if (plan->joints[j].is_carried) {
            mrwi_joint_plan *carrier = &plan->joints[plan->joints[j].carrier];
            plan->carried[carrier->first_carried + carrier->carried_count++] =
                (mrwi_carried){j, plan->joints[j].offset};
        }
    return MRW_OK;
}

/* --- charts ------------------------------------------------------------------------------ */

/* The sum of |b|^2 - b b' over what a joint carries: how much a turn about an axis moves it. */
static mrwi_mat33d turning_moment(const mrwi_motion_plan *plan, const mrwi_joint_plan *joint,
                                  double shell_share)
{
    const double shell = joint->shell * joint->gain;
    double diagonal = shell_share * shell * shell;
    mrwi_mat33d moment = {{{diagonal, 0.0, 0.0}, {0.0, diagonal, 0.0}, {0.0, 0.0, diagonal}}};
    for (uint32_t i = 0; i < joint->carried_count; i++) {
        mrwi_vec3d b = plan->carried[joint->first_carried + i].offset;
        const double parts[3] = {b.x, b.y, b.z};
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                moment.m[row][column] +=
                    (row == column ? mrwi_vec3d_dot(b, b) : 0.0) - parts[row] * parts[column];
    }
    return moment;
}

/* The axis about which a turn moves the least: along the bone. The last eigenvector of the moment
 * is the first of its trace minus it. */
static mrwi_vec3d twist_axis(const mrwi_mat33d *moment, mrwi_vec3d start)
{
    const double trace = moment->m[0][0] + moment->m[1][1] + moment->m[2][2];
    mrwi_vec3d axis = start;
    for (int round = 0; round < 100; round++) {
        mrwi_vec3d next =
            mrwi_vec3d_sub(mrwi_vec3d_scale(axis, trace), mrwi_mat33d_transform(moment, axis));
        double length = length_of(next);
        if (!(length > 0.0))
            return start;
        axis = mrwi_vec3d_scale(next, 1.0 / length);
    }
    return axis;
}

/* Where the axis y of the model stands in the mean rotation of a joint that no other turns: the
 * whole figure turns about it. */
static mrwi_vec3d upright_axis(const mrwi_motion_plan *plan, uint32_t j, mrwi_quatd mean)
{
    mrwi_quatd above = {0.0, 0.0, 0.0, 1.0};
    for (int32_t p = plan->joints[j].parent; p >= 0; p = plan->joints[p].parent)
        above = mrwi_quatd_mul(mrwi_quatd_from(plan->joints[p].constant.rotation), above);
    mrwi_vec3d up = {0.0, 1.0, 0.0};
    return mrwi_quatd_rotate(mrwi_quatd_conjugate(mrwi_quatd_mul(above, mean)), up);
}

static void set_chart(mrwi_motion_plan *plan, uint32_t j)
{
    mrwi_joint_plan *joint = &plan->joints[j];
    mrwi_quatd mean = mrwi_quatd_from(joint->constant.rotation);
    mrwi_mat33d moment = turning_moment(plan, joint, 1.0);
    mrwi_vec3d axis = {1.0, 0.0, 0.0};
    joint->carried_sum = (mrwi_vec3d){0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < joint->carried_count; i++)
        joint->carried_sum =
            mrwi_vec3d_add(joint->carried_sum, plan->carried[joint->first_carried + i].offset);
    if (joint->carrier < 0)
        axis = upright_axis(plan, j, mean);
    else if (joint->carried_count > 0)
        axis = twist_axis(&moment, length_of(joint->carried_sum) > 0.0 ? joint->carried_sum : axis);
    joint->chart = mrwi_chart_make(mean, axis);

    moment = turning_moment(plan, joint, 0.1);
    mrwi_mat33d cofactors = mrwi_mat33d_cofactors(&moment);
    double determinant = mrwi_mat33d_determinant(&moment, &cofactors);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            joint->carried_solve.m[row][column] =
                determinant > 0.0 ? cofactors.m[row][column] / determinant : 0.0;
}

/* --- the plan ---------------------------------------------------------------------------- */

mrw_transform mrwi_rest_transform(const mrw_skeleton *skeleton, uint32_t joint)
{
    const mrw_pose_block *block = &skeleton->rest_blocks[joint / MRW_POSE_LANES];
    uint32_t lane = joint % MRW_POSE_LANES;
    mrw_transform rest = {
        {block->translation[0][lane], block->translation[1][lane], block->translation[2][lane]},
        {block->rotation[0][lane], block->rotation[1][lane], block->rotation[2][lane],
         block->rotation[3][lane]},
        {block->scale[0][lane], block->scale[1][lane], block->scale[2][lane]},
    };
    return rest;
}

static void choose_parts(const mrw_skeleton *skeleton, mrwi_motion_plan *plan, double still_share,
                         bool may_give, mrwi_part_choice *choice)
{
    for (uint32_t j = 0; j < plan->joint_count; j++) {
        mrwi_joint_plan *joint = &plan->joints[j];
        mrw_transform at_rest = mrwi_rest_transform(skeleton, j);
        joint->whirls = choice->rotations[j] == MRWI_PART_WHIRLING;
        joint->rotation = joint->whirls ? MRWI_PART_GIVEN : (mrwi_part)choice->rotations[j];
        joint->translation = (mrwi_part)choice->translations[j];
        joint->scale = (mrwi_part)choice->scales[j];
        choose_rotation(plan->samples, j, at_rest.rotation, still_share, may_give, joint);
        choose_translation(plan->samples, j, at_rest.translation, still_share, may_give, joint);
        choose_scale(plan->samples, j, at_rest.scale, still_share, may_give, joint);
        choice->rotations[j] = (uint8_t)joint->rotation;
        choice->translations[j] = (uint8_t)joint->translation;
        choice->scales[j] = (uint8_t)joint->scale;
        if (joint->rotation == MRWI_PART_PACKED)
            joint->rotation_index = plan->rotation_count++;
        if (joint->translation == MRWI_PART_PACKED)
            joint->translation_index = plan->translation_count++;
        if (joint->scale == MRWI_PART_PACKED)
            joint->scale_index = plan->scale_count++;
    }
}

/* Once all parts are chosen. */
static void set_channels(mrwi_motion_plan *plan)
{
    const uint32_t translations = 3 * plan->rotation_count;
    const uint32_t scales = translations + 3 * plan->translation_count;
    for (uint32_t j = 0; j < plan->joint_count; j++) {
        mrwi_joint_plan *joint = &plan->joints[j];
        for (uint32_t i = 0; i < 3; i++) {
            joint->rotation_channels[i] =
                mrwi_packed_channel(0, plan->rotation_count, joint->rotation_index, i);
            joint->translation_channels[i] = mrwi_packed_channel(
                translations, plan->translation_count, joint->translation_index, i);
            joint->scale_channels[i] =
                mrwi_packed_channel(scales, plan->scale_count, joint->scale_index, i);
        }
    }
}

static void choose_scalars(mrwi_motion_plan *plan, double still, mrwi_part_choice *choice)
{
    for (uint32_t i = 0; i < plan->samples->scalar_count; i++) {
        if (choice->scalars[i] != MRWI_PART_GIVEN && !scalar_moves(plan->samples, i, still))
            choice->scalars[i] = MRWI_PART_CONSTANT;
        if (choice->scalars[i] == MRWI_PART_SPARSE)
            choice->scalars[i] = MRWI_PART_GIVEN;
        if (choice->scalars[i] == MRWI_PART_PACKED)
            plan->packed_scalars[plan->scalar_count++] = i;
    }
}

mrw_status mrwi_plan_motion(const mrw_skeleton *skeleton, const mrwi_motion_samples *samples,
                            const double *shells, const double *tolerances, double scalar_tolerance,
                            double still_share, bool may_give, mrwi_part_choice *choice,
                            mrwi_arena *arena, mrwi_motion_plan *out_plan, mrw_error *out_error)
{
    *out_plan = (mrwi_motion_plan){samples, skeleton->joint_count, NULL, NULL, 0, 0, 0, 0, NULL, 0};
    mrwi_joint_plan *joints =
        mrwi_arena_alloc(arena, skeleton->joint_count, sizeof(*out_plan->joints));
    out_plan->joints = joints;
    out_plan->packed_scalars =
        mrwi_arena_alloc(arena, skeleton->scalar_count, sizeof(*out_plan->packed_scalars));
    if (joints == NULL || out_plan->packed_scalars == NULL)
        return mrwi_arena_fail(arena, out_error, "joints");
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        joints[j].parent = skeleton->parents[j];
        joints[j].shell = shells[j];
        joints[j].tolerance = tolerances[j];
        joints[j].per_tolerance = 1.0 / tolerances[j];
    }
    double *gains = mrwi_arena_alloc(arena, skeleton->joint_count, sizeof(double));
    if (gains == NULL)
        return mrwi_arena_fail(arena, out_error, "joints");
    set_gains(out_plan, gains);
    set_levers(out_plan);
    choose_parts(skeleton, out_plan, still_share, may_give, choice);
    set_channels(out_plan);
    choose_scalars(out_plan, still_share * scalar_tolerance, choice);
    out_plan->channel_count =
        3 * (out_plan->rotation_count + out_plan->translation_count + out_plan->scale_count) +
        out_plan->scalar_count;
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        set_carrier(out_plan, j);
    mrw_status status = list_carried(out_plan, arena, out_error);
    for (uint32_t j = 0; j < skeleton->joint_count && status == MRW_OK; j++)
        if (joints[j].rotation == MRWI_PART_PACKED)
            set_chart(out_plan, j);
    return status;
}
