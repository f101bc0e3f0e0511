/* Sampling: right values at right times. The skeleton and the large clip are those of the handmade
 * headers. */
#include <marrow/sample.h>

#include "sample/track_sample.h"
#include "unit/handmade_clip.h"
#include "unit/handmade_skeleton.h"
#include "unit/near.h"
#include "unit/random.h"
#include "unit/track_lists.h"

#define DEGREES (3.14159265358979323846 / 180.0)

static handmade_skeleton skeleton_bytes;
static handmade_clip clip_bytes;
static mrw_skeleton skeleton;
static mrw_clip clip;
static mrw_track track;
static track_lists lists;
static _Alignas(64) unsigned char pose_memory[1024];
static mrw_pose pose;
static mrw_sample_job job;

static int set_up(void **state)
{
    (void)state;
    handmade_skeleton_init(&skeleton_bytes);
    assert_int_equal(mrw_skeleton_open(&skeleton_bytes, sizeof(skeleton_bytes), &skeleton, NULL),
                     MRW_OK);
    handmade_clip_init(&clip_bytes, mrw_skeleton_id(&skeleton));
    assert_int_equal(mrw_clip_open(&clip_bytes, sizeof(clip_bytes), &clip, NULL), MRW_OK);
    assert_int_equal(mrw_pose_init(pose_memory, sizeof(pose_memory), 4, 1, &pose), MRW_OK);
    job = mrw_sample_job_default();
    job.clip = &clip;
    job.skeleton = &skeleton;
    job.out_pose = &pose;
    return 0;
}

/* A clip of one track, for joint 0 or scalar 0, that ends with its last key. */
static void use_track(mrw_track_kind kind, mrw_interpolation interpolation, uint32_t key_count,
                      const float *times, const float *values)
{
    memset(&track, 0, sizeof(track));
    track.kind = (uint8_t)kind;
    track.interpolation = (uint8_t)interpolation;
    track.key_count = key_count;
    clip.track_count = 1;
    clip.tracks = &track;
    clip.times = times;
    clip.values = values;
    clip.time_count = key_count;
    clip.value_count = key_count * mrwi_track_key_floats(&track);
    clip.duration_s = times[key_count - 1];
    track_lists_fill(&lists, &clip);
}

static mrw_transform sample_joint(double time_s, uint32_t joint)
{
    job.time_s = time_s;
    assert_int_equal(mrw_sample(&job), MRW_OK);
    return mrw_pose_joint(&pose, joint);
}

static float sample_scalar(double time_s)
{
    sample_joint(time_s, 0);
    return pose.scalars[0];
}

static double turn_about_z_degrees(double time_s)
{
    mrw_quat q = sample_joint(time_s, 0).rotation;
    assert_near((double)q.x, 0.0, 0.0);
    assert_near((double)q.y, 0.0, 0.0);
    assert_near((double)mrw_quat_dot(q, q), 1.0, 1e-6);
    return 2.0 * atan2((double)q.z, (double)q.w) / DEGREES;
}

static void set_turns(float *quats, const double *degrees, int count)
{
    for (int i = 0; i < count; i++) {
        quats[4 * i + 0] = 0.0f;
        quats[4 * i + 1] = 0.0f;
        quats[4 * i + 2] = (float)sin(degrees[i] * DEGREES / 2.0);
        quats[4 * i + 3] = (float)cos(degrees[i] * DEGREES / 2.0);
    }
}

/* --- the tutorials' numbers ----------------------------------------------------------------- */

static void the_elbow_bends(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 0.2f, 0.4f};
    static const double degrees[] = {0.0, 100.0, 10.0};
    float quats[12];
    set_turns(quats, degrees, 3);
    use_track(MRW_TRACK_ROTATION, MRW_INTERPOLATION_LINEAR, 3, times, quats);
    assert_near(turn_about_z_degrees(0.05), 25.0, 1e-4);
    assert_near(turn_about_z_degrees(0.13), 65.0, 1e-4);
    assert_near(turn_about_z_degrees(0.20), 100.0, 1e-4);
    assert_near(turn_about_z_degrees(0.30), 55.0, 1e-4);
}

static void even_keys_turn_evenly(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 0.5f, 1.0f};
    static const double degrees[] = {0.0, 45.0, 90.0};
    float quats[12];
    set_turns(quats, degrees, 3);
    use_track(MRW_TRACK_ROTATION, MRW_INTERPOLATION_LINEAR, 3, times, quats);
    assert_near(turn_about_z_degrees(0.25), 22.5, 1e-4);
    assert_near(turn_about_z_degrees(0.75), 67.5, 1e-4);
}

/* --- where a time lies ------------------------------------------------------------------------ */

static void keys_are_found_among_any_number(void **state)
{
    (void)state;
    enum { MOST = 70 };
    float times[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        times[i] = 1.0f + 0.5f * (float)i;
    for (uint32_t count = 1; count <= MOST; count++) {
        mrwi_key_position before = mrwi_find_key(times, count, 0.25f);
        assert_true(before.key == 0 && before.exact);
        for (uint32_t i = 0; i < count; i++) {
            mrwi_key_position on = mrwi_find_key(times, count, times[i]);
            assert_true(on.key == i && on.exact);
            mrwi_key_position after = mrwi_find_key(times, count, times[i] + 0.125f);
            assert_int_equal(after.key, i);
            assert_true(after.exact == (i == count - 1));
            if (!after.exact)
                assert_true(after.fraction == 0.25f && after.interval_s == 0.5f);
        }
    }
}

static void the_first_key_holds_before_and_the_last_behind(void **state)
{
    (void)state;
    static const float times[] = {1.5f, 2.5f};
    static const float values[] = {1, 0, 0, 2, 0, 0};
    use_track(MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_LINEAR, 2, times, values);
    assert_true(sample_joint(0.0, 0).translation.x == 1.0f);
    assert_true(sample_joint(1.0, 0).translation.x == 1.0f);
    assert_true(sample_joint(2.0, 0).translation.x == 1.5f);
    assert_true(sample_joint(3.0, 0).translation.x == 2.0f);
    job.loop = true;
    assert_true(sample_joint(4.5, 0).translation.x == 1.5f); /* 4.5 modulo 2.5 is 2 */
    assert_true(sample_joint(2.5, 0).translation.x == 1.0f); /* the seam is time 0 */
    assert_true(sample_joint(-0.5, 0).translation.x == 1.5f);
}

static void a_clip_longer_than_its_keys_holds_the_last(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 1.0f};
    static const float values[] = {0, 4};
    use_track(MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR, 2, times, values);
    clip.duration_s = 3.0f;
    job.loop = true;
    assert_true(sample_scalar(2.5) == 4.0f);
    assert_true(sample_scalar(3.25) == 1.0f);
}

static void a_single_key_is_a_constant(void **state)
{
    (void)state;
    static const float times[] = {0.0f};
    static const float values[] = {9, 9, 9, 1, 2, 3, 9, 9, 9};
    for (int interpolation = 0; interpolation < 3; interpolation++) {
        bool cubic = interpolation == MRW_INTERPOLATION_CUBIC;
        use_track(MRW_TRACK_TRANSLATION, (mrw_interpolation)interpolation, 1, times,
                  cubic ? values : values + 3);
        for (double time_s = -1.0; time_s < 2.0; time_s += 0.5) {
            job.loop = !job.loop;
            assert_vec3(sample_joint(time_s, 0).translation, 1, 2, 3, 0.0);
        }
    }
}

/* --- interpolations -----------------------------------------------------------------------------
 */

static void steps_change_on_the_key(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 1.0f, 2.0f};
    static const float values[] = {0, 0, 0, 10, 0, 0, 20, 0, 0};
    use_track(MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_STEP, 3, times, values);
    assert_true(sample_joint(0.0, 0).translation.x == 0.0f);
    assert_true(sample_joint((double)nextafterf(1.0f, 0.0f), 0).translation.x == 0.0f);
    assert_true(sample_joint(1.0, 0).translation.x == 10.0f);
    assert_true(sample_joint(1.999, 0).translation.x == 10.0f);
    assert_true(sample_joint(2.0, 0).translation.x == 20.0f);
}

static void rotations_take_the_shorter_arc(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 1.0f};
    static const float quats[] = {0, 0, 0, 1, 0, 0, -0.18223552f, -0.98325491f};
    use_track(MRW_TRACK_ROTATION, MRW_INTERPOLATION_LINEAR, 2, times, quats);
    mrw_quat half = sample_joint(0.5, 0).rotation; /* 10.5 of 21 degrees */
    double sign = half.w < 0.0f ? -1.0 : 1.0;
    assert_near(sign * (double)half.z, 0.0915016, 1e-6);
    assert_near(sign * (double)half.w, 0.9958049, 1e-6);
    mrw_quat end = sample_joint(1.0, 0).rotation;
    assert_memory_equal(&end, quats + 4, sizeof(end)); /* the key's own bits, sign and all */
}

static void equal_neighbours_stay_bit_for_bit(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 1.0f};
    uint64_t random = 81;
    for (int round = 0; round < 2000; round++) {
        float value = random_float(&random, -1000.0f, 1000.0f);
        float values[2] = {value, value};
        use_track(MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR, 2, times, values);
        assert_true(sample_scalar((double)random_float(&random, 0.0f, 1.0f)) == value);
    }
}

static void far_apart_values_do_not_overflow(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 1.0f};
    static const float values[] = {3e38f, -3e38f};
    use_track(MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR, 2, times, values);
    assert_near((double)sample_scalar(0.25), 1.5e38, 1e32);
}

/* Appendix C of glTF 2.0. From 0 with an out-tangent of 3 per second to 2 with an in-tangent of 0
 * in 2 s: 3 * 2 * (u^3 - 2 u^2 + u) + 2 * (3 u^2 - 2 u^3), at u = 1/4: 0.84375 + 0.3125. */
static void cubic_tangents_are_scaled_by_the_interval(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 2.0f};
    static const float values[] = {0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0};
    use_track(MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_CUBIC, 2, times, values);
    assert_true(sample_joint(0.0, 0).translation.x == 0.0f);
    assert_near((double)sample_joint(0.5, 0).translation.x, 1.15625, 1e-6);
    assert_near((double)sample_joint(1.0, 0).translation.x, 1.75, 1e-6);
    assert_near((double)sample_joint(1.5, 0).translation.x, 1.96875, 1e-6);
    assert_true(sample_joint(2.0, 0).translation.x == 2.0f);
}

/* In-tangents count at the end of an interval, out-tangents at its start. A track through 0, 8, 0
 * at 0, 2, 4 s with in-tangent 16 and out-tangent -4 per second at the middle key: u = 1/2 before
 * it: 8 / 2 - 2 * 16 / 8 = 0; after it: 8 / 2 - 2 * 4 / 8 = 3. */
static void cubic_tangents_belong_to_their_side(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 2.0f, 4.0f};
    static const float values[] = {99, 0, 0, 16, 8, -4, 0, 0, 99};
    use_track(MRW_TRACK_SCALAR, MRW_INTERPOLATION_CUBIC, 3, times, values);
    assert_near((double)sample_scalar(1.0), 0.0, 1e-6);
    assert_near((double)sample_scalar(3.0), 3.0, 1e-6);
    assert_true(sample_scalar(2.0) == 8.0f);
}

/* Without tangents, u = 1/4 mixes 27/32 and 5/32 of the identity and a quarter turn about Z. */
static void cubic_rotations_are_normalised(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 1.0f};
    static const float values[] = {0, 0, 0, 0, 0, 0, 0,           1,           0, 0, 0, 0,
                                   0, 0, 0, 0, 0, 0, 0.70710677f, 0.70710677f, 0, 0, 0, 0};
    use_track(MRW_TRACK_ROTATION, MRW_INTERPOLATION_CUBIC, 2, times, values);
    mrw_quat q = sample_joint(0.25, 0).rotation;
    assert_near((double)q.z, 0.1150159, 1e-6);
    assert_near((double)q.w, 0.9933637, 1e-6);
    q = sample_joint(0.5, 0).rotation;
    assert_near((double)q.z, 0.3826834, 1e-6);
    assert_near((double)q.w, 0.9238795, 1e-6);
    q = sample_joint(0.75, 0).rotation;
    assert_near((double)q.z, 0.6210857, 1e-6);
    assert_near((double)q.w, 0.7837427, 1e-6);
}

/* The signs of cubic keys are part of the curve: from q to -q at u = 1/4, 27/32 - 5/32 of q
 * remain and are normalised to q; in the middle nothing remains, which gives the identity. */
static void cubic_rotations_are_not_flipped(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 1.0f};
    static const float values[] = {0, 0, 0, 0, 1,  0, 0, 0, 0, 0, 0, 0,
                                   0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0};
    use_track(MRW_TRACK_ROTATION, MRW_INTERPOLATION_CUBIC, 2, times, values);
    assert_near((double)sample_joint(0.25, 0).rotation.x, 1.0, 1e-6);
    assert_near((double)sample_joint(0.75, 0).rotation.x, -1.0, 1e-6);
    assert_true(sample_joint(0.5, 0).rotation.w == 1.0f);
}

/* A time that is a key's gives the key's bits, for every kind and interpolation. */
static void keys_are_exact(void **state)
{
    (void)state;
    enum { KEYS = 9 };
    uint64_t random = 82;
    for (int round = 0; round < 300; round++) {
        float times[KEYS];
        float values[KEYS * 12];
        mrw_track_kind kind = (mrw_track_kind)(round % 4);
        mrw_interpolation interpolation = (mrw_interpolation)(round / 4 % 3);
        uint32_t width = mrw_track_width(kind);
        uint32_t groups = interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1;
        for (uint32_t k = 0; k < KEYS; k++)
            times[k] = (k > 0 ? times[k - 1] : 0.0f) + random_float(&random, 0.001f, 0.5f);
        for (uint32_t i = 0; i < KEYS * groups; i++) {
            mrw_quat q = random_quat(&random);
            memcpy(values + i * width, &q, width * sizeof(float));
        }
        use_track(kind, interpolation, KEYS, times, values);
        for (uint32_t k = 0; k < KEYS; k++) {
            mrw_transform got = sample_joint((double)times[k], 0);
            const void *value = kind == MRW_TRACK_TRANSLATION ? (const void *)&got.translation
                                : kind == MRW_TRACK_ROTATION  ? (const void *)&got.rotation
                                : kind == MRW_TRACK_SCALE     ? (const void *)&got.scale
                                                              : (const void *)pose.scalars;
            assert_memory_equal(value, values + (k * groups + groups / 2) * width,
                                width * sizeof(float));
        }
    }
}

static void rotations_have_unit_length(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 0.7f};
    uint64_t random = 83;
    for (int round = 0; round < 3000; round++) {
        float values[24];
        for (int i = 0; i < 24; i++)
            values[i] = random_float(&random, -3.0f, 3.0f);
        mrw_interpolation interpolation = (mrw_interpolation)(1 + round % 2);
        for (int i = interpolation == MRW_INTERPOLATION_CUBIC ? 1 : 0; i < 6; i += 3) {
            mrw_quat q = random_quat(&random);
            memcpy(values + 4 * i, &q, sizeof(q));
        }
        if (interpolation == MRW_INTERPOLATION_LINEAR)
            memcpy(values + 4, values + 12, 4 * sizeof(float));
        use_track(MRW_TRACK_ROTATION, interpolation, 2, times, values);
        mrw_quat q = sample_joint((double)random_float(&random, 0.0f, 0.7f), 0).rotation;
        assert_near((double)mrw_quat_dot(q, q), 1.0, 2e-6);
    }
}

/* --- whole poses
 * ---------------------------------------------------------------------------------- */

static void every_track_reaches_its_target(void **state)
{
    (void)state;
    mrw_transform at_1 = sample_joint(1.0, 1);
    /* Cubic at u = 1/2 over 1 s: (1 + 4) / 2 + (4 - 7) / 8, (2 + 5) / 2 + (5 - 8) / 8, ... */
    assert_vec3(at_1.translation, 2.125, 3.125, 4.125, 1e-6);
    mrw_transform root = mrw_pose_joint(&pose, 0);
    assert_near((double)root.rotation.z, sqrt(0.5), 1e-6); /* half of half a turn */
    assert_near((double)root.rotation.w, sqrt(0.5), 1e-6);
    assert_vec3(mrw_pose_joint(&pose, 2).scale, 2, -2, 0.5, 0.0);
    assert_true(pose.scalars[0] == 0.5f);
    /* Joint 3: ((0 0 0 1) + (.6 0 0 .8)) / 2 + ((0 9 0 9) - (0 9 0 9)) / 8, normalised. */
    mrw_quat hand = mrw_pose_joint(&pose, 3).rotation;
    assert_near((double)hand.x, 0.3 / sqrt(0.9), 1e-6);
    assert_near((double)hand.w, 0.9 / sqrt(0.9), 1e-6);
}

static void what_no_track_animates_keeps_the_rest_pose(void **state)
{
    (void)state;
    memset(pose.blocks, 0x7f, sizeof(mrw_pose_block));
    pose.scalars[0] = 99.0f;
    mrw_transform arm = sample_joint(1.0, 1);
    assert_vec3(arm.scale, 1, 1, 1, 0.0);
    assert_true(arm.rotation.w == 1.0f);
    clip.track_count = 0;
    track_lists_fill(&lists, &clip);
    sample_joint(1.0, 0);
    assert_memory_equal(pose.blocks, skeleton.rest_blocks, sizeof(mrw_pose_block));
    assert_true(pose.scalars[0] == 0.25f);
}

static void tracks_that_share_times_and_those_that_do_not(void **state)
{
    (void)state;
    static const float times[] = {0.0f, 1.0f, 2.0f, 0.0f, 4.0f};
    static const float values[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 5, 5, 5, 6, 6, 6, 0, 0, 0, 8, 8, 8};
    static const mrw_track tracks[] = {
        {0, MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_LINEAR, 0, 3, 0, 0},
        {1, MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_LINEAR, 0, 2, 0,
         9}, /* the first two of them */
        {2, MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_LINEAR, 0, 2, 3, 15},
    };
    clip.track_count = 3;
    clip.tracks = tracks;
    clip.times = times;
    clip.values = values;
    clip.duration_s = 4.0f;
    track_lists_fill(&lists, &clip);
    assert_true(sample_joint(1.5, 0).translation.y == 1.5f);
    assert_true(mrw_pose_joint(&pose, 1).translation.y == 6.0f);
    assert_true(mrw_pose_joint(&pose, 2).translation.y == 3.0f);
}

static void padding_stays_the_identity(void **state)
{
    (void)state;
    sample_joint(1.0, 0);
    for (int lane = 4; lane < 8; lane++) {
        assert_true(pose.blocks[0].rotation[3][lane] == 1.0f);
        assert_true(pose.blocks[0].scale[2][lane] == 1.0f);
        assert_true(pose.blocks[0].translation[0][lane] == 0.0f);
    }
}

/* --- errors
 * ----------------------------------------------------------------------------------------- */

static void assert_refused(mrw_status status, const char *detail)
{
    mrw_error error = {0};
    assert_int_equal(mrw_sample_check(&job, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.detail, detail);
    assert_int_equal(mrw_sample_check(&job, NULL), status);
    assert_int_equal(mrw_sample(&job), status);
    set_up(NULL);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    assert_int_equal(mrw_sample_check(&job, NULL), MRW_OK);
    mrw_error error;
    assert_int_equal(mrw_sample_check(NULL, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_sample(NULL), MRW_ERR_NULL_ARGUMENT);
    job.struct_size = 0;
    assert_refused(MRW_ERR_STRUCT_SIZE, "struct_size");
    job.clip = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "clip");
    job.skeleton = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "skeleton");
    job.out_pose = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "out_pose");
    pose.scalars = NULL;
    assert_refused(MRW_ERR_NULL_ARGUMENT, "out_pose");
    job.time_s = (double)NAN;
    assert_refused(MRW_ERR_NOT_FINITE, "time_s");
    job.time_s = (double)-INFINITY;
    assert_refused(MRW_ERR_NOT_FINITE, "time_s");
    pose.joint_count = 3;
    assert_refused(MRW_ERR_JOINT_COUNT, "out_pose.joint_count");
    pose.scalar_count = 0;
    assert_refused(MRW_ERR_SCALAR_COUNT, "out_pose.scalar_count");
    clip_bytes.content.header.skeleton_id++;
    assert_refused(MRW_ERR_SKELETON_MISMATCH, "clip");
    clip.joint_count = 5;
    assert_refused(MRW_ERR_JOINT_COUNT, "clip.joint_count");
    clip.scalar_count = 2;
    assert_refused(MRW_ERR_SCALAR_COUNT, "clip.scalar_count");
}

static void empty_is_normal(void **state)
{
    (void)state;
    skeleton.joint_count = clip.joint_count = pose.joint_count = 0;
    skeleton.scalar_count = clip.scalar_count = pose.scalar_count = 0;
    pose.blocks = NULL;
    pose.scalars = NULL;
    clip.track_count = 0;
    clip.duration_s = 0.0f;
    track_lists_fill(&lists, &clip);
    job.time_s = 1.0;
    assert_int_equal(mrw_sample(&job), MRW_OK);
}

#define TEST(function) cmocka_unit_test_setup(function, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_elbow_bends),
        TEST(even_keys_turn_evenly),
        TEST(keys_are_found_among_any_number),
        TEST(the_first_key_holds_before_and_the_last_behind),
        TEST(a_clip_longer_than_its_keys_holds_the_last),
        TEST(a_single_key_is_a_constant),
        TEST(steps_change_on_the_key),
        TEST(rotations_take_the_shorter_arc),
        TEST(equal_neighbours_stay_bit_for_bit),
        TEST(far_apart_values_do_not_overflow),
        TEST(cubic_tangents_are_scaled_by_the_interval),
        TEST(cubic_tangents_belong_to_their_side),
        TEST(cubic_rotations_are_normalised),
        TEST(cubic_rotations_are_not_flipped),
        TEST(keys_are_exact),
        TEST(rotations_have_unit_length),
        TEST(every_track_reaches_its_target),
        TEST(what_no_track_animates_keeps_the_rest_pose),
        TEST(tracks_that_share_times_and_those_that_do_not),
        TEST(padding_stays_the_identity),
        TEST(mistakes_are_named),
        TEST(empty_is_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
