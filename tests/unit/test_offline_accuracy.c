/* How far each kernel is from the same formula in double precision, over random inputs and those
 * that are hard: rotations that nearly agree, nearly opposite ones, half turns, angles of 1e-6,
 * long chains.
 *
 * The table that this program prints is docs/accuracy.md. Angles are in radians; positions are
 * relative to the size of what they are computed from. All instruction sets give the same bits, so
 * one stands for all. */
#include <marrow/marrow.h>
#include <marrow/offline/build.h>

#include "unit/near.h"
#include "unit/random.h"
#include "unit/skin_case.h"

#include <stdio.h>

enum { JOINTS = 64, ROUNDS = 400, CHAIN = 128 };

/* Prints a row and holds it to its limit. */
static void report(const char *what, double error, double limit)
{
    printf("| %s | %.1e | %.1e |\n", what, error, limit);
    assert_below(error, limit);
}

/* --- quaternions in double ------------------------------------------------------------ */

typedef struct quat {
    double x, y, z, w;
} quat;

static double dot(quat a, quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* a * s + b * t */
static quat mix(quat a, double s, quat b, double t)
{
    return (quat){a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t, a.w * s + b.w * t};
}

static quat unit(quat q)
{
    return mix(q, 1.0 / sqrt(dot(q, q)), q, 0.0);
}

static quat wide(mrw_quat q)
{
    return (quat){(double)q.x, (double)q.y, (double)q.z, (double)q.w};
}

static quat multiply(quat a, quat b)
{
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static quat conjugate(quat q)
{
    return (quat){-q.x, -q.y, -q.z, q.w};
}

/* The angle of the rotation from one to the other; exact for small ones too. */
static double angle_between(quat a, quat b)
{
    a = unit(a);
    b = unit(b);
    double sign = dot(a, b) < 0.0 ? -1.0 : 1.0;
    quat difference = mix(a, 1.0, b, -sign), sum = mix(a, 1.0, b, sign);
    return 4.0 * atan2(sqrt(dot(difference, difference)), sqrt(dot(sum, sum)));
}

static quat slerp(quat a, quat b, double t)
{
    a = unit(a);
    b = unit(b);
    if (dot(a, b) < 0.0)
        b = mix(b, -1.0, b, 0.0);
    quat difference = mix(a, 1.0, b, -1.0), sum = mix(a, 1.0, b, 1.0);
    double angle = 2.0 * atan2(sqrt(dot(difference, difference)), sqrt(dot(sum, sum)));
    if (angle < 1e-12)
        return a;
    return mix(a, sin((1.0 - t) * angle) / sin(angle), b, sin(t * angle) / sin(angle));
}

/* Which of two is the shorter way is not told by floats. */
static bool is_ambiguous(mrw_quat a, mrw_quat b)
{
    return fabs(dot(wide(a), wide(b))) < 1e-6;
}

/* A pair of each kind in turn. */
static void hard_pair(uint64_t *random, uint32_t kind, mrw_quat *a, mrw_quat *b)
{
    *a = random_quat(random);
    *b = random_quat(random);
    static const float apart[] = {1e-1f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f, 1e-7f, 0.0f};
    float scale = apart[random_bits(random) % 8];
    float sign = kind % 2 == 0 ? 1.0f : -1.0f; /* nearly the same, and its negative */
    if (kind % 4 < 2)
        *b = mrw_quat_normalize(
            (mrw_quat){sign * (a->x + scale * b->x), sign * (a->y + scale * b->y),
                       sign * (a->z + scale * b->z), sign * (a->w + scale * b->w)});
    if (kind % 4 == 2)
        a->w = 0.0f;
    if (kind % 8 == 3)
        *a = (mrw_quat){scale * a->x, scale * a->y, scale * a->z, 1.0f};
    *a = mrw_quat_normalize(*a);
}

/* --- numbers --------------------------------------------------------------------------- */

static void trigonometry(void **state)
{
    (void)state;
    uint64_t random = 1;
    double of_sin = 0.0, of_cos = 0.0, of_acos = 0.0, of_atan = 0.0;
    for (int i = 0; i < 200000; i++) {
        float range = i % 2 == 0 ? 4.0f : 1000.0f;
        float angle = random_float(&random, -range, range);
        float x = random_float(&random, -1.0f, 1.0f), y = random_float(&random, -1.0f, 1.0f);
        if (i % 4 == 0)
            x = 1.0f - x * x * 1e-4f;
        of_sin = worst(of_sin, fabs((double)mrw_sin(angle) - sin((double)angle)));
        of_cos = worst(of_cos, fabs((double)mrw_cos(angle) - cos((double)angle)));
        of_acos = worst(of_acos, fabs((double)mrw_acos(x) - acos((double)x)));
        of_atan = worst(of_atan, fabs((double)mrw_atan2(y, x) - atan2((double)y, (double)x)));
    }
    report("mrw_sin, to 1000 rad", of_sin, 2.5e-7);
    report("mrw_cos, to 1000 rad", of_cos, 2.5e-7);
    report("mrw_acos", of_acos, 1e-6);
    report("mrw_atan2", of_atan, 1e-6);
}

static void interpolation(void **state)
{
    (void)state;
    uint64_t random = 2;
    double of_slerp = 0.0, of_nlerp = 0.0;
    for (uint32_t i = 0; i < 200000; i++) {
        mrw_quat a, b;
        hard_pair(&random, i, &a, &b);
        float t = random_float(&random, 0.0f, 1.0f);
        if (is_ambiguous(a, b))
            continue;
        double sign = dot(wide(a), wide(b)) < 0.0 ? -1.0 : 1.0;
        quat straight = mix(wide(a), 1.0 - (double)t, wide(b), sign * (double)t);
        of_slerp = worst(of_slerp, angle_between(wide(mrw_quat_slerp(a, b, t)),
                                                 slerp(wide(a), wide(b), (double)t)));
        of_nlerp = worst(of_nlerp, angle_between(wide(mrw_quat_nlerp(a, b, t)), straight));
    }
    report("mrw_quat_slerp, rotation", of_slerp, 1e-6);
    report("mrw_quat_nlerp, rotation", of_nlerp, 1e-6);
}

/* --- poses ------------------------------------------------------------------------------- */

static mrw_bytes skeleton_bytes;
static mrw_skeleton skeleton;
static _Alignas(64) mrw_pose_block blocks[4][JOINTS / MRW_POSE_LANES];
static mrw_pose poses[4];

/* JOINTS joints in no hierarchy, and poses for them. */
static int set_up(void **state)
{
    (void)state;
    mrw_joint_desc joints[JOINTS];
    for (int i = 0; i < JOINTS; i++)
        joints[i] = (mrw_joint_desc){NULL, -1, mrw_transform_identity(), 0};
    for (int i = 0; i < 4; i++)
        poses[i] = (mrw_pose){JOINTS, 0, blocks[i], NULL};
    if (mrw_build_skeleton(joints, JOINTS, NULL, 0, NULL, NULL, &skeleton_bytes, NULL) != MRW_OK)
        return 1;
    return mrw_skeleton_open(skeleton_bytes.data, skeleton_bytes.size_bytes, &skeleton, NULL) !=
           MRW_OK;
}

static int tear_down(void **state)
{
    (void)state;
    mrw_bytes_free(&skeleton_bytes);
    return 0;
}

static void fill_poses(uint64_t *random)
{
    for (uint32_t j = 0; j < JOINTS; j++) {
        mrw_transform a = random_transform(random, 0.5f, 2.0f);
        mrw_transform b = random_transform(random, 0.5f, 2.0f);
        do
            hard_pair(random, random_bits(random), &a.rotation, &b.rotation);
        while (is_ambiguous(a.rotation, b.rotation));
        mrw_pose_set_joint(&poses[0], j, &a);
        mrw_pose_set_joint(&poses[1], j, &b);
    }
}

static double distance(mrw_vec3 v, double x, double y, double z)
{
    return sqrt(((double)v.x - x) * ((double)v.x - x) + ((double)v.y - y) * ((double)v.y - y) +
                ((double)v.z - z) * ((double)v.z - z));
}

static double length_of(mrw_vec3 v)
{
    return distance(v, 0.0, 0.0, 0.0);
}

/* A clip of two keys a joint, sampled between them. */
static void sampling(void **state)
{
    (void)state;
    uint64_t random = 3;
    static const float times[] = {0.0f, 1.0f};
    static float values[JOINTS][8];
    double of_rotation = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        fill_poses(&random);
        mrw_track_desc tracks[JOINTS];
        for (uint32_t j = 0; j < JOINTS; j++) {
            mrw_quat keys[2] = {mrw_pose_joint(&poses[0], j).rotation,
                                mrw_pose_joint(&poses[1], j).rotation};
            memcpy(values[j], keys, sizeof(keys));
            tracks[j] = (mrw_track_desc){MRW_TRACK_ROTATION, j, MRW_INTERPOLATION_LINEAR, 2, times,
                                         values[j]};
        }
        mrw_bytes bytes;
        mrw_clip clip;
        assert_int_equal(mrw_build_clip(&skeleton, "", tracks, JOINTS, -1.0f, NULL, &bytes, NULL),
                         MRW_OK);
        assert_int_equal(mrw_clip_open(bytes.data, bytes.size_bytes, &clip, NULL), MRW_OK);
        mrw_sample_job job = mrw_sample_job_default();
        job.clip = &clip;
        job.skeleton = &skeleton;
        job.time_s = (double)random_float(&random, 0.0f, 1.0f);
        job.out_pose = &poses[2];
        assert_int_equal(mrw_sample(&job), MRW_OK);
        for (uint32_t j = 0; j < JOINTS; j++) {
            quat expected = slerp(wide(mrw_pose_joint(&poses[0], j).rotation),
                                  wide(mrw_pose_joint(&poses[1], j).rotation), job.time_s);
            quat found = wide(mrw_pose_joint(&poses[2], j).rotation);
            of_rotation = worst(of_rotation, angle_between(found, expected));
        }
        mrw_bytes_free(&bytes);
    }
    report("mrw_sample, rotation", of_rotation, 1e-6);
}

static void blending(void **state)
{
    (void)state;
    uint64_t random = 4;
    double of_rotation = 0.0, of_place = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        fill_poses(&random);
        float s = random_float(&random, 0.01f, 2.0f), t = random_float(&random, 0.01f, 2.0f);
        const mrw_blend_layer layers[2] = {{.pose = &poses[0], .weight = s},
                                           {.pose = &poses[1], .weight = t}};
        mrw_blend_job job = mrw_blend_job_default();
        job.skeleton = &skeleton;
        job.layers = layers;
        job.layer_count = 2;
        job.out_pose = &poses[2];
        assert_int_equal(mrw_blend(&job), MRW_OK);
        double u = (double)s / ((double)s + (double)t), v = 1.0 - u;
        for (uint32_t j = 0; j < JOINTS; j++) {
            mrw_transform a = mrw_pose_joint(&poses[0], j), b = mrw_pose_joint(&poses[1], j);
            mrw_transform found = mrw_pose_joint(&poses[2], j);
            double sign = dot(wide(a.rotation), wide(b.rotation)) < 0.0 ? -1.0 : 1.0;
            quat expected = mix(wide(a.rotation), u, wide(b.rotation), sign * v);
            of_rotation = worst(of_rotation, angle_between(wide(found.rotation), expected));
            mrw_vec3 p = a.translation, q = b.translation;
            of_place =
                worst(of_place, distance(found.translation, u * (double)p.x + v * (double)q.x,
                                         u * (double)p.y + v * (double)q.y,
                                         u * (double)p.z + v * (double)q.z) /
                                    (length_of(p) + length_of(q)));
        }
    }
    report("mrw_blend, rotation", of_rotation, 1e-6);
    report("mrw_blend, translation", of_place, 5e-7);
}

static void differences(void **state)
{
    (void)state;
    uint64_t random = 5;
    double of_difference = 0.0, of_sum = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        fill_poses(&random);
        float weight = random_float(&random, 0.0f, 1.0f);
        assert_int_equal(mrw_pose_make_additive(&poses[1], &poses[0], &poses[2]), MRW_OK);
        const mrw_blend_layer layer = {.pose = &poses[0], .weight = 1.0f};
        const mrw_blend_layer additive = {.pose = &poses[2], .weight = weight};
        mrw_blend_job job = mrw_blend_job_default();
        job.skeleton = &skeleton;
        job.layers = &layer;
        job.layer_count = 1;
        job.additive_layers = &additive;
        job.additive_layer_count = 1;
        job.out_pose = &poses[3];
        assert_int_equal(mrw_blend(&job), MRW_OK);
        for (uint32_t j = 0; j < JOINTS; j++) {
            quat base = unit(wide(mrw_pose_joint(&poses[0], j).rotation));
            quat pose = unit(wide(mrw_pose_joint(&poses[1], j).rotation));
            quat delta = wide(mrw_pose_joint(&poses[2], j).rotation);
            of_difference =
                worst(of_difference, angle_between(delta, multiply(pose, conjugate(base))));
            quat identity = {0.0, 0.0, 0.0, delta.w < 0.0 ? -1.0 : 1.0};
            quat part = mix(identity, 1.0 - (double)weight, delta, (double)weight);
            of_sum = worst(of_sum, angle_between(wide(mrw_pose_joint(&poses[3], j).rotation),
                                                 multiply(unit(part), base)));
        }
    }
    report("mrw_pose_make_additive, rotation", of_difference, 1e-6);
    report("mrw_blend, additive layer, rotation", of_sum, 1e-6);
}

/* By the formula of mrw_mirror_joint. */
static void mirroring(void **state)
{
    (void)state;
    uint64_t random = 6;
    mrw_mirror_joint table[JOINTS];
    uint32_t pairs[JOINTS];
    double of_rotation = 0.0;
    for (uint32_t i = 0; i < JOINTS; i++)
        pairs[i] = i ^ 1u;
    for (int round = 0; round < ROUNDS; round++) {
        fill_poses(&random);
        mrw_mirror_build_job build = mrw_mirror_build_job_default();
        build.skeleton = &skeleton;
        build.plane_normal = random_vec3(&random, 0.1f, 1.0f);
        build.pairs = pairs;
        build.out_joints = table;
        build.joint_count = JOINTS;
        assert_int_equal(mrw_mirror_build(&build), MRW_OK);
        mrw_mirror_job job = mrw_mirror_job_default();
        job.skeleton = &skeleton;
        job.joints = table;
        job.joint_count = JOINTS;
        job.pose = &poses[0];
        job.out_pose = &poses[2];
        assert_int_equal(mrw_mirror_pose(&job), MRW_OK);
        for (uint32_t j = 0; j < JOINTS; j++) {
            quat source = wide(mrw_pose_joint(&poses[0], table[j].source).rotation);
            quat expected = multiply(multiply(wide(table[j].before), source), wide(table[j].after));
            of_rotation = worst(
                of_rotation, angle_between(wide(mrw_pose_joint(&poses[2], j).rotation), expected));
        }
    }
    report("mrw_mirror_pose, rotation", of_rotation, 1e-6);
}

/* --- matrices -------------------------------------------------------------------------- */

/* T * R * S with the rotation as it is, of unit length but for its last bits. */
static reference_matrix matrix_of(const mrw_transform *t)
{
    quat q = wide(t->rotation);
    double sx = (double)t->scale.x, sy = (double)t->scale.y, sz = (double)t->scale.z;
    return (reference_matrix){
        {{sx * (1.0 - 2.0 * (q.y * q.y + q.z * q.z)), sy * 2.0 * (q.x * q.y - q.w * q.z),
          sz * 2.0 * (q.x * q.z + q.w * q.y), (double)t->translation.x},
         {sx * 2.0 * (q.x * q.y + q.w * q.z), sy * (1.0 - 2.0 * (q.x * q.x + q.z * q.z)),
          sz * 2.0 * (q.y * q.z - q.w * q.x), (double)t->translation.y},
         {sx * 2.0 * (q.x * q.z - q.w * q.y), sy * 2.0 * (q.y * q.z + q.w * q.x),
          sz * (1.0 - 2.0 * (q.x * q.x + q.y * q.y)), (double)t->translation.z}}};
}

static reference_matrix product(const reference_matrix *a, const reference_matrix *b)
{
    reference_matrix c;
    for (int column = 0; column < 4; column++) {
        double in[3] = {b->m[0][column], b->m[1][column], b->m[2][column]}, out[3];
        reference_multiply(a, in, column == 3 ? 1.0 : 0.0, out);
        for (int row = 0; row < 3; row++)
            c.m[row][column] = out[row];
    }
    return c;
}

/* The largest difference in some columns. */
static double difference(const mrw_mat34 *found, const reference_matrix *expected, int first,
                         int end)
{
    double largest = 0.0;
    for (int row = 0; row < 3; row++)
        for (int column = first; column < end; column++)
            largest =
                worst(largest, fabs((double)found->m[row][column] - expected->m[row][column]));
    return largest;
}

/* A chain of rotations and translations of about a unit: the element of a rotation is wrong by
 * about the angle in radians, and a place relative to the length of the chain up to it. */
static void hierarchies(void **state)
{
    (void)state;
    uint64_t random = 7;
    double of_step = 0.0, of_long = 0.0, of_place = 0.0;
    static mrw_mat34 model[CHAIN];
    for (int round = 0; round < ROUNDS; round++) {
        mrw_joint_desc joints[CHAIN];
        for (int i = 0; i < CHAIN; i++) {
            mrw_transform rest = random_transform(&random, 1.0f, 1.0f);
            mrw_quat other;
            hard_pair(&random, (uint32_t)i, &rest.rotation, &other);
            joints[i] = (mrw_joint_desc){NULL, i - 1, rest, 0};
        }
        mrw_bytes bytes;
        mrw_skeleton chain;
        assert_int_equal(mrw_build_skeleton(joints, CHAIN, NULL, 0, NULL, NULL, &bytes, NULL),
                         MRW_OK);
        assert_int_equal(mrw_skeleton_open(bytes.data, bytes.size_bytes, &chain, NULL), MRW_OK);
        const mrw_pose rest = {CHAIN, 0, (mrw_pose_block *)(uintptr_t)chain.rest_blocks, NULL};
        mrw_model_job job = mrw_model_job_default();
        job.skeleton = &chain;
        job.pose = &rest;
        job.out_model = model;
        job.model_count = CHAIN;
        assert_int_equal(mrw_model(&job), MRW_OK);
        reference_matrix expected = {{{1.0}, {0.0, 1.0}, {0.0, 0.0, 1.0}}};
        double length = 0.0;
        for (int i = 0; i < CHAIN; i++) {
            reference_matrix local = matrix_of(&joints[i].rest);
            expected = product(&expected, &local);
            length += length_of(joints[i].rest.translation);
            double of_rotation = difference(&model[i], &expected, 0, 3);
            of_step = worst(of_step, of_rotation / (i + 1));
            of_long = worst(of_long, of_rotation);
            of_place = worst(of_place, difference(&model[i], &expected, 3, 4) / length);
        }
        mrw_bytes_free(&bytes);
    }
    report("mrw_model, rotation, for each joint of the chain", of_step, 1e-6);
    report("mrw_model, 128 joints deep, rotation", of_long, 5e-6);
    report("mrw_model, 128 joints deep, place", of_place, 1e-6);
}

static void palettes(void **state)
{
    (void)state;
    uint64_t random = 8;
    double of_palette = 0.0, of_rotation = 0.0, of_stretched = 0.0;
    for (int i = 0; i < 20000; i++) {
        mrw_transform ta = random_transform(&random, 1.0f, 1.0f);
        mrw_transform tb = random_transform(&random, 0.5f, 2.0f);
        mrw_mat34 model = mrw_mat34_from_transform(&ta), bind = mrw_mat34_from_transform(&tb),
                  found;
        uint32_t joint = 0;
        mrw_skin skin = {0};
        skin.joint_count = skin.skeleton_joint_count = 1;
        skin.joints = &joint;
        skin.inverse_binds = &bind;
        mrw_palette_job job = mrw_palette_job_default();
        job.skin = &skin;
        job.model = &model;
        job.model_count = job.palette_count = 1;
        job.out_palette = &found;
        assert_int_equal(mrw_palette(&job), MRW_OK);
        reference_matrix a, b;
        for (int k = 0; k < 12; k++) {
            a.m[k / 4][k % 4] = (double)model.m[k / 4][k % 4];
            b.m[k / 4][k % 4] = (double)bind.m[k / 4][k % 4];
        }
        reference_matrix expected = product(&a, &b);
        of_palette = worst(of_palette, difference(&found, &expected, 0, 4) / 8.0);

        /* Two matrices: a rotation, and one with a stretch that must come back. */
        const mrw_mat34 two[2] = {model, found};
        mrw_dual_quat duals[2];
        mrw_mat34 stretches[2];
        mrw_dual_quat_job convert = mrw_dual_quat_job_default();
        convert.palette = two;
        convert.palette_count = 2;
        convert.out_dual_quats = duals;
        convert.out_stretches = stretches;
        assert_int_equal(mrw_palette_dual_quats(&convert), MRW_OK);
        of_rotation = worst(of_rotation, angle_between(wide(duals[0].real), wide(ta.rotation)));
        double dual[8];
        reference_load_dual_quat(&duals[1], dual);
        reference_matrix rigid = reference_rigid(dual), stretch, back;
        for (int k = 0; k < 12; k++)
            stretch.m[k / 4][k % 4] = (double)stretches[1].m[k / 4][k % 4];
        back = product(&rigid, &stretch);
        of_stretched = worst(of_stretched, difference(&found, &back, 0, 4) / 8.0);
    }
    report("mrw_palette", of_palette, 5e-7);
    report("mrw_palette_dual_quats, rotation", of_rotation, 1e-6);
    report("mrw_palette_dual_quats, with stretches", of_stretched, 1e-6);
}

/* --- vertices ----------------------------------------------------------------------------- */

static double vector_error(const float *found, const double *expected)
{
    double x = (double)found[0] - expected[0], y = (double)found[1] - expected[1];
    double z = (double)found[2] - expected[2];
    return sqrt(x * x + y * y + z * z);
}

/* The size is 4: vertices within 1.8 of the joint, joints within 3.5 of the origin. */
static void skin_with(mrw_skin_method method, mrw_normal_mode mode, double *out_place,
                      double *out_normal)
{
    static skin_case c;
    uint64_t random = 9;
    *out_place = *out_normal = 0.0;
    for (int round = 0; round < ROUNDS / 4; round++) {
        skin_case_init(&c, &random, 40, 1 + (uint32_t)round % 8);
        skin_case_palette(&c, &random, 1.5f, 0.8f, 1.2f, false);
        c.job.method = method;
        c.job.normal_mode = mode;
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        for (uint32_t v = 0; v < c.job.vertex_count; v++) {
            reference_vertex bind = {.handedness = 1.0};
            for (uint32_t i = 0; i < 3; i++) {
                bind.position[i] = (double)c.positions[3 * v + i];
                bind.normal[i] = (double)c.normals[3 * v + i];
                bind.tangent[i] = (double)c.tangents[4 * v + i];
            }
            reference_vertex expected = reference_skin(&c.job, v, bind);
            *out_place =
                worst(*out_place, vector_error(c.out_positions + 3 * v, expected.position) / 4.0);
            *out_normal = worst(*out_normal, vector_error(c.out_normals + 3 * v, expected.normal));
        }
    }
}

static void skinning(void **state)
{
    (void)state;
    double place, normal;
    skin_with(MRW_SKIN_LINEAR, MRW_NORMAL_INVERSE_TRANSPOSE, &place, &normal);
    report("mrw_skin_vertices, linear, position", place, 1e-6);
    report("mrw_skin_vertices, linear, normal by the inverse transpose", normal, 1e-6);
    skin_with(MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR, &place, &normal);
    report("mrw_skin_vertices, linear, normal by the matrix", normal, 1e-6);
    skin_with(MRW_SKIN_DUAL_QUAT, MRW_NORMAL_INVERSE_TRANSPOSE, &place, &normal);
    report("mrw_skin_vertices, dual quaternions, position", place, 1e-6);
    report("mrw_skin_vertices, dual quaternions, normal", normal, 1e-6);
}

static void morphing(void **state)
{
    (void)state;
    enum { TARGETS = 8, FLOATS = 3 * 64 };
    static float base[FLOATS], targets[TARGETS][FLOATS], found[FLOATS];
    uint64_t random = 10;
    double error = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        mrw_morph_target list[TARGETS] = {{0}};
        float weights[TARGETS];
        for (int i = 0; i < FLOATS; i++)
            base[i] = random_float(&random, -1.0f, 1.0f);
        for (int t = 0; t < TARGETS; t++) {
            weights[t] = random_float(&random, 0.0f, 1.0f);
            list[t].positions = targets[t];
            for (int i = 0; i < FLOATS; i++)
                targets[t][i] = random_float(&random, -1.0f, 1.0f);
        }
        mrw_morph_job job = mrw_morph_job_default();
        job.vertex_count = FLOATS / 3;
        job.target_count = TARGETS;
        job.targets = list;
        job.weights = weights;
        job.positions.data = base;
        job.out_positions.data = found;
        assert_int_equal(mrw_morph(&job), MRW_OK);
        for (int i = 0; i < FLOATS; i++) {
            double expected = (double)base[i], size = 1.0;
            for (int t = 0; t < TARGETS; t++) {
                expected += (double)weights[t] * (double)targets[t][i];
                size += (double)weights[t];
            }
            error = worst(error, fabs((double)found[i] - expected) / size);
        }
    }
    report("mrw_morph, 8 targets, position", error, 5e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trigonometry), cmocka_unit_test(interpolation),
        cmocka_unit_test(sampling),     cmocka_unit_test(blending),
        cmocka_unit_test(differences),  cmocka_unit_test(mirroring),
        cmocka_unit_test(hierarchies),  cmocka_unit_test(palettes),
        cmocka_unit_test(skinning),     cmocka_unit_test(morphing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
