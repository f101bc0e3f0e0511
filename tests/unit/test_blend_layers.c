/* Weights of joints and scalars, the rest pose below a threshold, additive layers; against a
 * reference in double, and with the same bits on every instruction set. */
#include <marrow/blend.h>

#include "blend/blend_input.h"
#include "pose/pose_block.h"
#include "unit/near.h"
#include "unit/random.h"

enum { MAX_JOINTS = 19, SCALARS = 3, POSES = 20, BLOCKS = 3 };

static mrw_skeleton skeleton;
static _Alignas(64) unsigned char memory[POSES + 3][2048];
static mrw_pose rest, poses[POSES], result, expected;
static float masks[POSES][MAX_JOINTS], scalar_masks[POSES][SCALARS];
static mrw_blend_layer layers[POSES], additive[2];
static mrw_blend_job job;
static uint64_t random_state;

static void lay(unsigned char *bytes, uint32_t joint_count, mrw_pose *pose)
{
    assert_int_equal(mrw_pose_init(bytes, sizeof(memory[0]), joint_count, SCALARS, pose), MRW_OK);
}

static void randomize(mrw_pose *pose)
{
    for (uint32_t i = 0; i < pose->joint_count; i++) {
        mrw_transform transform = random_transform(&random_state, 0.5f, 2.0f);
        mrw_pose_set_joint(pose, i, &transform);
    }
    for (uint32_t i = 0; i < SCALARS; i++)
        pose->scalars[i] = random_float(&random_state, -1.0f, 1.0f);
}

static void set_up_joints(uint32_t joint_count)
{
    memset(memory, 0, sizeof(memory));
    for (int i = 0; i < POSES; i++) {
        lay(memory[i], joint_count, &poses[i]);
        randomize(&poses[i]);
        layers[i] = mrw_blend_layer_default();
        layers[i].pose = &poses[i];
        layers[i].weight = 1.0f;
        for (int k = 0; k < MAX_JOINTS; k++)
            masks[i][k] = 1.0f;
        for (int k = 0; k < SCALARS; k++)
            scalar_masks[i][k] = 1.0f;
    }
    lay(memory[POSES], joint_count, &rest);
    lay(memory[POSES + 1], joint_count, &result);
    lay(memory[POSES + 2], joint_count, &expected);
    randomize(&rest);
    skeleton = (mrw_skeleton){0};
    skeleton.joint_count = joint_count;
    skeleton.scalar_count = SCALARS;
    skeleton.rest_blocks = rest.blocks;
    skeleton.rest_scalars = rest.scalars;
    for (int i = 0; i < 2; i++) {
        additive[i] = mrw_blend_layer_default();
        additive[i].pose = &poses[POSES - 1 - i];
        additive[i].weight = 1.0f;
    }
    job = mrw_blend_job_default();
    job.skeleton = &skeleton;
    job.layers = layers;
    job.layer_count = 2;
    job.out_pose = &result;
}

static int set_up(void **state)
{
    (void)state;
    random_state = 71;
    set_up_joints(MAX_JOINTS);
    return 0;
}

/* A part of 0 or 1 or between. */
static float random_part(void)
{
    uint32_t kind = random_bits(&random_state) % 4;
    return kind == 0 ? 0.0f : kind == 1 ? 1.0f : random_float(&random_state, 0.0f, 1.0f);
}

static void randomize_masks(uint32_t layer)
{
    for (int k = 0; k < MAX_JOINTS; k++)
        masks[layer][k] = random_part();
    for (int k = 0; k < SCALARS; k++)
        scalar_masks[layer][k] = random_part();
    layers[layer].joint_weights = masks[layer];
    layers[layer].scalar_weights = scalar_masks[layer];
}

static void blend_to(mrw_pose *out)
{
    job.out_pose = out;
    assert_int_equal(mrw_blend(&job), MRW_OK);
}

static void assert_same(const mrw_pose *a, const mrw_pose *b)
{
    if (a->joint_count > 0)
        assert_memory_equal(a->blocks, b->blocks,
                            mrwi_block_count(a->joint_count) * sizeof(mrw_pose_block));
    assert_memory_equal(a->scalars, b->scalars, SCALARS * sizeof(float));
}

static void assert_joint_same(const mrw_pose *a, const mrw_pose *b, uint32_t joint)
{
    mrw_transform one = mrw_pose_joint(a, joint), other = mrw_pose_joint(b, joint);
    assert_memory_equal(&one, &other, sizeof(one));
}

/* --- the reference ------------------------------------------------------------------------- */

static double dot4(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void floats_of(const mrw_pose *pose, uint32_t joint, double out[10])
{
    mrw_transform transform = mrw_pose_joint(pose, joint);
    const float *floats = (const float *)&transform;
    for (int i = 0; i < 10; i++)
        out[i] = (double)floats[i];
}

typedef struct mean {
    double sum[10];
    double first[4];
    double weight;
    bool has_first;
} mean;

static void mean_add(mean *m, const mrw_pose *pose, uint32_t joint, double weight)
{
    if (!(weight > 0.0))
        return;
    double values[10];
    floats_of(pose, joint, values);
    if (!m->has_first)
        memcpy(m->first, values + 3, sizeof(m->first));
    m->has_first = true;
    double side = dot4(values + 3, m->first) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 10; i++)
        m->sum[i] += values[i] * weight * (i >= 3 && i < 7 ? side : 1.0);
    m->weight += weight;
}

static double part(const float *weights, uint32_t index)
{
    return weights == NULL ? 1.0 : (double)weights[index];
}

static void reference_mean(uint32_t joint, double out[10])
{
    mean m = {0};
    for (uint32_t i = 0; i < job.layer_count; i++)
        mean_add(&m, layers[i].pose, joint,
                 (double)layers[i].weight * part(layers[i].joint_weights, joint));
    double missing = (double)job.rest_threshold - m.weight;
    mean_add(&m, &rest, joint, m.weight == 0.0 && missing <= 0.0 ? 1.0 : missing);
    double length = sqrt(dot4(m.sum + 3, m.sum + 3));
    for (int i = 0; i < 10; i++)
        out[i] = m.sum[i] / (i >= 3 && i < 7 ? length : m.weight);
}

static void reference_add(const mrw_blend_layer *layer, uint32_t joint, double values[10])
{
    double w = (double)layer->weight * part(layer->joint_weights, joint), d[10];
    floats_of(layer->pose, joint, d);
    double side = d[6] < 0.0 ? -1.0 : 1.0;
    double r[4] = {w * side * d[3], w * side * d[4], w * side * d[5], 1.0 - w + w * side * d[6]};
    const double *q = values + 3;
    double turned[4] = {r[3] * q[0] + r[0] * q[3] + r[1] * q[2] - r[2] * q[1],
                        r[3] * q[1] + r[1] * q[3] + r[2] * q[0] - r[0] * q[2],
                        r[3] * q[2] + r[2] * q[3] + r[0] * q[1] - r[1] * q[0],
                        r[3] * q[3] - r[0] * q[0] - r[1] * q[1] - r[2] * q[2]};
    double length = sqrt(dot4(turned, turned));
    for (int i = 0; i < 4; i++)
        values[3 + i] = turned[i] / length;
    for (int i = 0; i < 3; i++) {
        values[i] += w * d[i];
        values[7 + i] *= 1.0 - w + w * d[7 + i];
    }
}

static double reference_error_of(uint32_t joint)
{
    double right[10], got[10], error = 0.0;
    reference_mean(joint, right);
    for (uint32_t i = 0; i < job.additive_layer_count; i++)
        reference_add(&additive[i], joint, right);
    floats_of(&result, joint, got);
    for (int i = 0; i < 10; i++)
        error = worst(error, fabs(got[i] - right[i]) / fmax(1.0, fabs(right[i])));
    return error;
}

static double reference_error(void)
{
    double error = 0.0;
    for (uint32_t joint = 0; joint < skeleton.joint_count; joint++)
        error = worst(error, reference_error_of(joint));
    return error;
}

/* --- tests --------------------------------------------------------------------------------- */

/* Numbers in float against numbers in double; a sum of quaternions that nearly cancel loses some.
 */
static void any_blend_agrees_with_the_reference(void **state)
{
    (void)state;
    double error = 0.0;
    for (int round = 0; round < 2000; round++) {
        job.layer_count = random_bits(&random_state) % POSES;
        job.rest_threshold = round % 3 == 0 ? random_float(&random_state, 0.0f, 2.0f) : 0.0f;
        for (uint32_t i = 0; i < job.layer_count; i++) {
            layers[i].weight = random_part();
            layers[i].joint_weights = NULL;
            if (round % 2 == 0)
                randomize_masks(i);
        }
        job.additive_layers = additive;
        job.additive_layer_count = (uint32_t)round % 5 % 3;
        additive[0].weight = random_float(&random_state, 0.0f, 1.5f);
        additive[0].joint_weights = round % 2 == 0 ? masks[5] : NULL;
        blend_to(&result);
        error = worst(error, reference_error());
    }
    assert_below(error, 3e-6);
}

static void set_odd(mrw_pose *pose)
{
    static const float odd[] = {0.0f,  -0.0f,  1e-45f, -1e-40f, 1e-20f, 1e-16f,
                                3e38f, -3e38f, 1.0f,   -1.0f,   1e18f,  -1e-30f};
    for (int i = 0; i < 12; i++) {
        uint32_t joint = random_bits(&random_state) % pose->joint_count;
        uint32_t stream = random_bits(&random_state) % 10;
        float *block = (float *)&pose->blocks[joint / MRW_POSE_LANES];
        block[stream * MRW_POSE_LANES + joint % MRW_POSE_LANES] =
            odd[random_bits(&random_state) % 12];
    }
}

static void blend_on_all_instruction_sets(void)
{
    assert_int_equal(mrw_isa_select("scalar"), MRW_OK);
    blend_to(&expected);
    const char *name;
    for (uint32_t i = 0; (name = mrw_isa_available(i)) != NULL; i++) {
        assert_int_equal(mrw_isa_select(name), MRW_OK);
        blend_to(&result);
        assert_same(&result, &expected);
    }
}

static void subtract_on_all_instruction_sets(void)
{
    assert_int_equal(mrw_isa_select("scalar"), MRW_OK);
    assert_int_equal(mrw_pose_make_additive(&poses[0], &poses[1], &expected), MRW_OK);
    const char *name;
    for (uint32_t i = 0; (name = mrw_isa_available(i)) != NULL; i++) {
        assert_int_equal(mrw_isa_select(name), MRW_OK);
        assert_int_equal(mrw_pose_make_additive(&poses[0], &poses[1], &result), MRW_OK);
        assert_same(&result, &expected);
    }
}

/* With numbers that leave the fast way of normalising; but without those that end in NaN, whose
 * bits nobody promises. */
static void instruction_sets_agree(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 600; round++) {
        set_up_joints(round % (MAX_JOINTS + 1));
        job.layer_count = 1 + random_bits(&random_state) % 4;
        for (uint32_t i = 0; i < job.layer_count; i++) {
            layers[i].weight = random_part();
            if (round % 3 == 0)
                randomize_masks(i);
            if (round % 4 == 0 && skeleton.joint_count > 0)
                set_odd(&poses[i]);
        }
        job.rest_threshold = round % 5 == 0 ? 1.0f : 0.0f;
        job.additive_layers = additive;
        job.additive_layer_count = round % 4 == 0 ? 0 : round % 3;
        blend_on_all_instruction_sets();
        if (round % 4 != 0)
            subtract_on_all_instruction_sets();
    }
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
}

/* Shares that are worked out once, and those for layers beyond the sixteenth, are the same. */
static void masks_of_one_change_nothing(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 200; round++) {
        job.layer_count = 2 + round % (POSES - 2);
        job.rest_threshold = round % 2 == 0 ? 0.0f : 15.0f;
        for (uint32_t i = 0; i < job.layer_count; i++) {
            layers[i].weight = random_float(&random_state, 0.1f, 1.0f);
            layers[i].joint_weights = layers[i].scalar_weights = NULL;
        }
        blend_to(&expected);
        for (int k = 0; k < MAX_JOINTS; k++)
            masks[1][k] = 1.0f;
        layers[1].joint_weights = masks[1];
        layers[1].scalar_weights = scalar_masks[1];
        blend_to(&result);
        assert_same(&result, &expected);
    }
}

/* Weights of any size share as their ratios say, with masks too; what is 2^-100 of the largest does
 * not count any more. */
static void weights_of_any_size_share(void **state)
{
    (void)state;
    static const float sizes[] = {1e-45f, 1e-38f, 1e-20f, 1.0f, 1e20f, 3e38f};
    for (int i = 0; i < 6; i++) {
        layers[0].weight = layers[1].weight = sizes[i];
        masks[0][7] = masks[1][7] = 1e-25f;
        masks[0][8] = 0.0f;
        masks[1][8] = 1e-25f;
        masks[0][9] = masks[1][9] = 1e-31f;
        masks[0][10] = 1e-40f;
        layers[0].joint_weights = masks[0];
        layers[1].joint_weights = masks[1];
        blend_to(&result);
        assert_below(reference_error_of(0), 1e-6);
        assert_below(reference_error_of(7), 1e-6);
        assert_joint_same(&result, &poses[1], 8);
        assert_joint_same(&result, &rest, 9);
        assert_joint_same(&result, &poses[1], 10);
    }
}

/* What other kernels take from here is what mrw_blend does. */
static void shares_are_those_of_a_blend(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 500; round++) {
        float weights[POSES], shares[POSES], value = -0.0f;
        job.layer_count = round % POSES;
        job.rest_threshold = round % 3 == 0 ? random_float(&random_state, 0.0f, 9.0f) : 0.0f;
        for (uint32_t i = 0; i < job.layer_count; i++)
            layers[i].weight = weights[i] = random_part();
        blend_to(&result);
        float of_rest = mrwi_blend_shares(weights, job.layer_count, job.rest_threshold, shares);
        double sum = (double)of_rest;
        for (uint32_t i = 0; i < job.layer_count; i++) {
            sum += (double)shares[i];
            if (shares[i] > 0.0f)
                value += poses[i].scalars[1] * shares[i];
        }
        if (of_rest > 0.0f)
            value += rest.scalars[1] * of_rest;
        assert_near(sum, 1.0, 2e-6);
        assert_true(value == result.scalars[1]);
    }
}

/* Longer than what the kernel takes at once: 150 joints, of which each does as the one 16 before.
 */
static void long_poses_are_blended_to_the_end(void **state)
{
    (void)state;
    enum { LONG = 150, LONG_BLOCKS = 19 };
    static _Alignas(64) mrw_pose_block blocks[3][LONG_BLOCKS];
    static float long_masks[LONG];
    set_up_joints(16);
    randomize_masks(1);
    job.additive_layers = additive;
    job.additive_layer_count = 1;
    blend_to(&expected);
    mrw_pose long_poses[3];
    const mrw_pose *sources[3] = {&poses[0], &poses[1], additive[0].pose};
    for (int i = 0; i < 3; i++) {
        for (int b = 0; b < LONG_BLOCKS; b++)
            blocks[i][b] = sources[i]->blocks[b % 2];
        long_poses[i] = (mrw_pose){LONG, SCALARS, blocks[i], sources[i]->scalars};
    }
    for (int k = 0; k < LONG; k++)
        long_masks[k] = masks[1][k % 16];
    skeleton.joint_count = LONG;
    skeleton.rest_blocks = blocks[0];
    layers[0].pose = &long_poses[0];
    layers[1].pose = &long_poses[1];
    layers[1].joint_weights = long_masks;
    additive[0].pose = &long_poses[2];
    job.out_pose = &long_poses[1];
    assert_int_equal(mrw_blend(&job), MRW_OK);
    for (uint32_t joint = 0; joint < LONG; joint++) {
        mrw_transform one = mrw_pose_joint(&long_poses[1], joint);
        mrw_transform other = mrw_pose_joint(&expected, joint % 16);
        assert_memory_equal(&one, &other, sizeof(one));
    }
}

/* Joints 0 to 6 of one pose, 7 to 12 of the other, and nobody's: the rest pose. Bit for bit, and
 * what stands where a layer has no part does not matter. */
static void partial_poses_are_put_together(void **state)
{
    (void)state;
    for (uint32_t joint = 0; joint < MAX_JOINTS; joint++) {
        masks[0][joint] = joint < 7 ? 0.3f : 0.0f;
        masks[1][joint] = joint >= 7 && joint < 13 ? 1.0f : 0.0f;
    }
    mrw_transform nothing = {{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}, {NAN, INFINITY, NAN}};
    mrw_pose_set_joint(&poses[0], 8, &nothing);
    mrw_pose_set_joint(&poses[1], 2, &nothing);
    scalar_masks[0][0] = scalar_masks[1][1] = scalar_masks[0][2] = scalar_masks[1][2] = 0.0f;
    poses[0].scalars[0] = NAN;
    layers[0].joint_weights = masks[0];
    layers[1].joint_weights = masks[1];
    layers[0].scalar_weights = scalar_masks[0];
    layers[1].scalar_weights = scalar_masks[1];
    blend_to(&result);
    for (uint32_t joint = 0; joint < MAX_JOINTS; joint++)
        assert_joint_same(&result, joint < 7 ? &poses[0] : joint < 13 ? &poses[1] : &rest, joint);
    assert_true(result.scalars[0] == poses[1].scalars[0]);
    assert_true(result.scalars[1] == poses[0].scalars[1]);
    assert_true(result.scalars[2] == rest.scalars[2]);
    job.out_pose = &poses[1];
    assert_int_equal(mrw_blend(&job), MRW_OK);
    assert_same(&poses[1], &result);
}

static void set_x(mrw_pose *pose, float x)
{
    mrw_transform transform = {{x, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (uint32_t i = 0; i < pose->joint_count; i++)
        mrw_pose_set_joint(pose, i, &transform);
    pose->scalars[0] = x;
}

/* 0.3 of 10 and 0.7 of 0; with a mask of a half, 0.15 and 0.85; above the threshold, all of 10. */
static void the_rest_pose_fills_what_is_missing(void **state)
{
    (void)state;
    set_x(&rest, 0.0f);
    set_x(&poses[0], 10.0f);
    job.layer_count = 1;
    job.rest_threshold = 1.0f;
    layers[0].weight = 0.3f;
    blend_to(&result);
    assert_near((double)mrw_pose_joint(&result, 4).translation.x, 3.0, 1e-6);
    assert_near((double)result.scalars[0], 3.0, 1e-6);
    masks[0][4] = scalar_masks[0][0] = 0.5f;
    layers[0].joint_weights = masks[0];
    layers[0].scalar_weights = scalar_masks[0];
    blend_to(&result);
    assert_near((double)mrw_pose_joint(&result, 4).translation.x, 1.5, 1e-6);
    assert_near((double)mrw_pose_joint(&result, 5).translation.x, 3.0, 1e-6);
    assert_near((double)result.scalars[0], 1.5, 1e-6);
    layers[0].weight = 1.0f;
    blend_to(&result);
    assert_near((double)mrw_pose_joint(&result, 4).translation.x, 5.0, 1e-6);
    assert_joint_same(&result, &poses[0], 5);
    layers[0].weight = 0.0f;
    blend_to(&result);
    assert_same(&result, &rest);
}

static const mrw_quat about_x = {0.70710678f, 0.0f, 0.0f, 0.70710678f};
static const mrw_quat about_z = {0.0f, 0.0f, 0.70710678f, 0.70710678f};

/* A quarter turn about Z below, a quarter turn about the parent's X on top: what pointed along X
 * points along Y after the first and along Z after the second. In the other order it would be Y. */
static void differences_turn_about_the_parents_axes(void **state)
{
    (void)state;
    mrw_transform base = {{1, 2, 3}, about_z, {2, 2, 2}}, delta = {{4, 0, 0}, about_x, {3, 1, 1}};
    mrw_pose_set_joint(&poses[0], 9, &base);
    mrw_pose_set_joint(&poses[1], 9, &delta);
    poses[0].scalars[1] = 0.25f;
    poses[1].scalars[1] = 0.5f;
    job.layer_count = 1;
    additive[0].pose = &poses[1];
    job.additive_layers = additive;
    job.additive_layer_count = 1;
    blend_to(&result);
    mrw_transform joint = mrw_pose_joint(&result, 9);
    assert_vec3(mrw_quat_rotate(joint.rotation, (mrw_vec3){1, 0, 0}), 0, 0, 1, 1e-6);
    assert_vec3(joint.translation, 5, 2, 3, 1e-6);
    assert_vec3(joint.scale, 6, 2, 2, 1e-6);
    assert_near((double)result.scalars[1], 0.75, 1e-7);
    /* Half of it, also if the difference is written the long way round: 45 degrees about X. */
    delta.rotation = (mrw_quat){-about_x.x, 0, 0, -about_x.w};
    mrw_pose_set_joint(&poses[1], 9, &delta);
    additive[0].weight = 0.5f;
    blend_to(&result);
    joint = mrw_pose_joint(&result, 9);
    double half = sqrt(0.5);
    assert_vec3(mrw_quat_rotate(joint.rotation, (mrw_vec3){1, 0, 0}), 0, half, half, 1e-6);
    assert_vec3(joint.translation, 3, 2, 3, 1e-6);
    assert_vec3(joint.scale, 4, 2, 2, 1e-6);
}

static void differences_without_weight_do_not_leak(void **state)
{
    (void)state;
    mrw_transform nothing = {{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}, {NAN, INFINITY, NAN}};
    mrw_pose_set_joint(&poses[1], 3, &nothing);
    masks[1][3] = 0.0f;
    job.layer_count = 1;
    additive[0].pose = &poses[1];
    additive[0].joint_weights = masks[1];
    job.additive_layers = additive;
    job.additive_layer_count = 1;
    blend_to(&result);
    assert_joint_same(&result, &poses[0], 3);
    additive[0].weight = 0.0f;
    blend_to(&result);
    assert_same(&result, &poses[0]);
}

static void the_result_may_be_a_difference(void **state)
{
    (void)state;
    job.additive_layers = additive;
    job.additive_layer_count = 2;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 2; i++)
            randomize(&poses[POSES - 1 - i]);
        job.layer_count = (uint32_t)round % 4;
        mrw_pose *out = &poses[POSES - 1 - round % 2];
        blend_to(&expected);
        blend_to(out);
        assert_same(out, &expected);
    }
}

static void of_a_pose_to_itself_there_is_no_difference(void **state)
{
    (void)state;
    mrw_pose identity;
    lay(memory[POSES], MAX_JOINTS, &identity);
    for (int round = 0; round < 500; round++) {
        randomize(&poses[0]);
        assert_int_equal(mrw_pose_make_additive(&poses[0], &poses[0], &result), MRW_OK);
        for (uint32_t joint = 0; joint < MAX_JOINTS; joint++) {
            mrw_transform t = mrw_pose_joint(&result, joint);
            assert_vec3(t.translation, 0, 0, 0, 0.0);
            assert_vec3(t.scale, 1, 1, 1, 0.0);
            assert_true(t.rotation.x == 0.0f && t.rotation.y == 0.0f && t.rotation.z == 0.0f);
            assert_true(t.rotation.w == 1.0f);
        }
        assert_true(result.scalars[0] == 0.0f);
    }
}

static void a_difference_added_gives_the_pose_back(void **state)
{
    (void)state;
    job.layer_count = 1;
    additive[0].pose = &poses[2];
    job.additive_layers = additive;
    job.additive_layer_count = 1;
    double error = 0.0;
    for (int round = 0; round < 500; round++) {
        randomize(&poses[0]);
        randomize(&poses[1]);
        assert_int_equal(mrw_pose_make_additive(&poses[1], &poses[0], &poses[2]), MRW_OK);
        blend_to(&result);
        for (uint32_t joint = 0; joint < MAX_JOINTS; joint++) {
            double got[10], right[10];
            floats_of(&result, joint, got);
            floats_of(&poses[1], joint, right);
            double side = dot4(got + 3, right + 3) < 0.0 ? -1.0 : 1.0;
            for (int i = 0; i < 10; i++)
                error = worst(error, fabs(got[i] * (i >= 3 && i < 7 ? side : 1.0) - right[i]));
        }
    }
    assert_below(error, 1e-6);
}

/* x / 0 does not exist, 1e30 / 1e-30 fits no float. */
static void quotients_of_scales_are_finite(void **state)
{
    (void)state;
    mrw_transform zero = {{0, 0, 0}, {0, 0, 0, 1}, {0, 1e-30f, -2}};
    mrw_transform scaled = {{0, 0, 0}, {0, 0, 0, 1}, {5, 1e30f, 6}};
    mrw_pose_set_joint(&poses[0], 0, &zero);
    mrw_pose_set_joint(&poses[1], 0, &scaled);
    assert_int_equal(mrw_pose_make_additive(&poses[1], &poses[0], &poses[1]), MRW_OK);
    assert_vec3(mrw_pose_joint(&poses[1], 0).scale, 1, 1, -3, 0.0);
}

static void assert_refused(mrw_status status, const char *detail)
{
    mrw_error error = {0};
    assert_int_equal(mrw_blend_check(&job, &error), status);
    assert_string_equal(error.detail, detail);
    assert_int_equal(mrw_blend(&job), status);
    set_up(NULL);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    masks[1][18] = 1.5f;
    layers[1].joint_weights = masks[1];
    assert_refused(MRW_ERR_INVALID_ARGUMENT, "layers[1].joint_weights[18]");
    masks[0][3] = NAN;
    layers[0].joint_weights = masks[0];
    assert_refused(MRW_ERR_NOT_FINITE, "layers[0].joint_weights[3]");
    scalar_masks[0][2] = -0.1f;
    layers[0].scalar_weights = scalar_masks[0];
    assert_refused(MRW_ERR_INVALID_ARGUMENT, "layers[0].scalar_weights[2]");
    job.rest_threshold = INFINITY;
    assert_refused(MRW_ERR_NOT_FINITE, "rest_threshold");
    job.rest_threshold = -1.0f;
    assert_refused(MRW_ERR_INVALID_ARGUMENT, "rest_threshold");
    job.additive_layer_count = 1;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "additive_layers");
    job.additive_layers = additive;
    job.additive_layer_count = 2;
    additive[1].weight = -0.5f;
    assert_refused(MRW_ERR_INVALID_ARGUMENT, "additive_layers[1].weight");
    mrw_pose other = poses[0];
    other.joint_count = 1;
    assert_int_equal(mrw_pose_make_additive(&poses[0], &other, &result), MRW_ERR_JOINT_COUNT);
    other = poses[0];
    other.scalar_count = 0;
    assert_int_equal(mrw_pose_make_additive(&poses[0], &poses[1], &other), MRW_ERR_SCALAR_COUNT);
    assert_int_equal(mrw_pose_make_additive(NULL, &poses[1], &result), MRW_ERR_NULL_ARGUMENT);
}

#define TEST(function) cmocka_unit_test_setup(function, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(any_blend_agrees_with_the_reference),
        TEST(instruction_sets_agree),
        TEST(masks_of_one_change_nothing),
        TEST(weights_of_any_size_share),
        TEST(shares_are_those_of_a_blend),
        TEST(long_poses_are_blended_to_the_end),
        TEST(partial_poses_are_put_together),
        TEST(the_rest_pose_fills_what_is_missing),
        TEST(differences_turn_about_the_parents_axes),
        TEST(differences_without_weight_do_not_leak),
        TEST(the_result_may_be_a_difference),
        TEST(of_a_pose_to_itself_there_is_no_difference),
        TEST(a_difference_added_gives_the_pose_back),
        TEST(quotients_of_scales_are_finite),
        TEST(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
