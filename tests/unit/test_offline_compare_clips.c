/* mrw_compare_clips against distances worked out by hand. */
#include "unit/near.h"

#include <marrow/offline/compress.h>

#include <stdlib.h>

/* A root and a joint 2 units above it. */
typedef struct two_joints {
    mrw_bytes skeleton_bytes, clip_bytes[2];
    mrw_skeleton skeleton;
    mrw_clip clips[2];
} two_joints;

static void open_clip(two_joints *two, int which, const mrw_track_desc *tracks, uint32_t count)
{
    mrw_error error;
    assert_int_equal(mrw_build_clip(&two->skeleton, "made", tracks, count, 1.0f, NULL,
                                    &two->clip_bytes[which], &error),
                     MRW_OK);
    assert_int_equal(mrw_clip_open(two->clip_bytes[which].data, two->clip_bytes[which].size_bytes,
                                   &two->clips[which], &error),
                     MRW_OK);
}

/* root_scale: of its rest pose, in which the tip stays 2 away from it. */
static two_joints make_scaled(float root_scale, const mrw_track_desc *a, uint32_t a_count,
                              const mrw_track_desc *b, uint32_t b_count)
{
    two_joints two;
    memset(&two, 0, sizeof(two));
    mrw_joint_desc joints[2];
    memset(joints, 0, sizeof(joints));
    for (int j = 0; j < 2; j++) {
        joints[j].name = j == 0 ? "root" : "tip";
        joints[j].parent = j - 1;
        joints[j].rest = mrw_transform_identity();
    }
    joints[0].rest.scale = (mrw_vec3){root_scale, root_scale, root_scale};
    joints[1].rest.translation.y = root_scale != 0.0f ? 2.0f / root_scale : 2.0f;
    const mrw_scalar_desc scalars[1] = {{.name = "smile"}};
    uint32_t order[2];
    mrw_error error;
    assert_int_equal(
        mrw_build_skeleton(joints, 2, scalars, 1, NULL, order, &two.skeleton_bytes, &error),
        MRW_OK);
    assert_int_equal(mrw_skeleton_open(two.skeleton_bytes.data, two.skeleton_bytes.size_bytes,
                                       &two.skeleton, &error),
                     MRW_OK);
    open_clip(&two, 0, a, a_count);
    open_clip(&two, 1, b, b_count);
    return two;
}

static two_joints make(const mrw_track_desc *a, uint32_t a_count, const mrw_track_desc *b,
                       uint32_t b_count)
{
    return make_scaled(1.0f, a, a_count, b, b_count);
}

static void unmake(two_joints *two)
{
    mrw_bytes_free(&two->clip_bytes[0]);
    mrw_bytes_free(&two->clip_bytes[1]);
    mrw_bytes_free(&two->skeleton_bytes);
}

static const float time_zero[1] = {0.0f};
static const float both_ends[2] = {0.0f, 1.0f};

static mrw_comparison *compare(const two_joints *two, const mrw_compare_options *options)
{
    mrw_comparison *comparison;
    mrw_error error;
    assert_int_equal(mrw_compare_clips(&two->skeleton, &two->clips[0], &two->clips[1], options,
                                       &comparison, &error),
                     MRW_OK);
    return comparison;
}

/* A root that is 0.03 too far, whatever the time: so is all that hangs on it. */
static void test_shifted(void **state)
{
    (void)state;
    static const float at[3] = {0.01f, 0.02f, -0.02f};
    const mrw_track_desc track = {
        MRW_TRACK_TRANSLATION, 0, MRW_INTERPOLATION_LINEAR, 1, time_zero, at};
    two_joints two = make(NULL, 0, &track, 1);
    mrw_compare_options options = mrw_compare_options_default();
    options.metres_per_unit = 0.01;
    mrw_comparison *comparison = compare(&two, &options);
    assert_near(comparison->all.largest, 3e-4, 1e-10);
    assert_near(comparison->all.p50, 3e-4, 1e-10);
    assert_near(comparison->all.rms, 3e-4, 1e-10);
    assert_near(comparison->joints[1].p99, 3e-4, 1e-10);
    assert_int_equal(comparison->joints[1].largest_joint, 1);
    mrw_comparison_free(comparison);
    unmake(&two);
}

/* A quarter turn about z: a point at the distance r of the axis moves by r sqrt(2). The tip is at
 * 2, and so is the farthest point of its shell that lies on an axis: (0 2.5 0) to (-2.5 0 0). */
static void test_turned(void **state)
{
    (void)state;
    static const float turn[4] = {0.0f, 0.0f, 0.70710678f, 0.70710678f};
    const mrw_track_desc track = {MRW_TRACK_ROTATION, 0,   MRW_INTERPOLATION_LINEAR, 1,
                                  time_zero,          turn};
    two_joints two = make(NULL, 0, &track, 1);
    mrw_compare_options options = mrw_compare_options_default();
    options.shell_m = 0.5;
    mrw_comparison *comparison = compare(&two, &options);
    assert_near(comparison->joints[0].largest, 0.5 * sqrt(2.0), 1e-6);
    assert_near(comparison->joints[1].largest, 2.5 * sqrt(2.0), 1e-6);
    assert_near(comparison->all.largest, 2.5 * sqrt(2.0), 1e-6);
    assert_int_equal(comparison->all.largest_joint, 1);
    mrw_comparison_free(comparison);
    const float shells[2] = {0.25f, 0.0f};
    options.joint_shells_m = shells;
    comparison = compare(&two, &options);
    assert_near(comparison->joints[0].largest, 0.25 * sqrt(2.0), 1e-6);
    assert_near(comparison->joints[1].largest, 2.0 * sqrt(2.0), 1e-6);
    mrw_comparison_free(comparison);
    unmake(&two);
}

/* A shell has its radius in model space, whatever units the joints have there: a quarter turn moves
 * it as it does without the scale. */
static void test_scaled(void **state)
{
    (void)state;
    static const float turn[4] = {0.0f, 0.0f, 0.70710678f, 0.70710678f};
    const mrw_track_desc track = {MRW_TRACK_ROTATION, 0,   MRW_INTERPOLATION_LINEAR, 1,
                                  time_zero,          turn};
    static const float scales[] = {0.01f, 0.001f, 1000.0f};
    for (int i = 0; i < 3; i++) {
        two_joints two = make_scaled(scales[i], NULL, 0, &track, 1);
        mrw_compare_options options = mrw_compare_options_default();
        options.shell_m = 0.5;
        mrw_comparison *comparison = compare(&two, &options);
        assert_near(comparison->joints[0].largest, 0.5 * sqrt(2.0), 1e-6);
        assert_near(comparison->joints[1].largest, 2.5 * sqrt(2.0), 1e-6);
        mrw_comparison_free(comparison);
        unmake(&two);
    }
    /* Hidden at rest: what shows it has the units of the model. */
    static const float shown[3] = {1.0f, 1.0f, 1.0f};
    const mrw_track_desc hidden[2] = {
        {MRW_TRACK_SCALE, 0, MRW_INTERPOLATION_LINEAR, 1, time_zero, shown}, track};
    two_joints two = make_scaled(0.0f, hidden, 1, hidden, 2);
    mrw_compare_options options = mrw_compare_options_default();
    options.shell_m = 0.5;
    mrw_comparison *comparison = compare(&two, &options);
    assert_near(comparison->joints[1].largest, 2.5 * sqrt(2.0), 1e-6);
    mrw_comparison_free(comparison);
    unmake(&two);
}

/* Just before a step: the tip is 1 ahead of where it was, and jumps back to it. */
static void test_steps(void **state)
{
    (void)state;
    static const float way[6] = {0.0f, 2.0f, 0.0f, 1.0f, 2.0f, 0.0f};
    static const float scales[6] = {1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    const mrw_track_desc tracks[2] = {
        {MRW_TRACK_TRANSLATION, 1, MRW_INTERPOLATION_LINEAR, 2, both_ends, way},
        {MRW_TRACK_SCALE, 0, MRW_INTERPOLATION_STEP, 2, both_ends, scales}};
    two_joints two = make(tracks + 1, 1, tracks, 2);
    mrw_comparison *comparison = compare(&two, NULL);
    assert_near(comparison->all.largest, 1.0, 1e-5);
    assert_near((double)comparison->errors_m[2 * comparison->time_count - 1], 0.0, 0.0);
    mrw_comparison_free(comparison);
    unmake(&two);
}

/* An error that grows from 0 to 1 in 101 times: percentiles are times, rms is sqrt(1 / 3) nearly.
 */
static void test_growing(void **state)
{
    (void)state;
    static const float way[6] = {0.0f, 2.0f, 0.0f, 1.0f, 2.0f, 0.0f};
    static const float smile[2] = {0.0f, -0.75f};
    const mrw_track_desc tracks[2] = {
        {MRW_TRACK_TRANSLATION, 1, MRW_INTERPOLATION_LINEAR, 2, both_ends, way},
        {MRW_TRACK_SCALAR, 0, MRW_INTERPOLATION_LINEAR, 2, both_ends, smile}};
    two_joints two = make(NULL, 0, tracks, 2);
    mrw_compare_options options = mrw_compare_options_default();
    options.samples_per_second = 20.0;
    options.between = 4;
    mrw_comparison *comparison = compare(&two, &options);
    assert_int_equal(comparison->time_count, 101);
    assert_int_equal(comparison->joint_count, 2);
    for (uint32_t i = 0; i < 101; i++) {
        assert_near(comparison->times_s[i], i / 100.0, 1e-12);
        assert_near((double)comparison->errors_m[2 * i], 0.0, 0.0);
        assert_near((double)comparison->errors_m[2 * i + 1], i / 100.0, 1e-6);
    }
    const mrw_error_stats *tip = &comparison->joints[1];
    assert_near(tip->largest, 1.0, 1e-6);
    assert_near(tip->largest_time_s, 1.0, 1e-12);
    assert_near(tip->p99, 0.99, 1e-6);          /* the 100th of 101: 99 % are 99.99 of them */
    assert_near(tip->p50, 0.5, 1e-6);           /* the 51st */
    assert_near(tip->rms, sqrt(0.335), 1e-6);   /* sum of squares 100 101 201 / 6 / 100^2 / 101 */
    assert_near(comparison->all.p50, 0.0, 0.0); /* of 202, 102 are 0 */
    assert_near(comparison->scalar_largest, 0.75, 1e-6);
    assert_int_equal(comparison->scalar_largest_index, 0);
    mrw_comparison_free(comparison);
    unmake(&two);
}

/* Without a rate: at all keys of both, just before the end, and evenly between all these. */
static void test_times_of_keys(void **state)
{
    (void)state;
    static const float times[3] = {0.0f, 0.25f, 1.0f};
    static const float way[9] = {0.0f, 2.0f, 0.0f, 1.0f, 2.0f, 0.0f, 0.0f, 2.0f, 0.0f};
    const mrw_track_desc track = {
        MRW_TRACK_TRANSLATION, 1, MRW_INTERPOLATION_LINEAR, 3, times, way};
    two_joints two = make(NULL, 0, &track, 1);
    mrw_compare_options options = mrw_compare_options_default();
    options.between = 1;
    mrw_comparison *comparison = compare(&two, &options);
    assert_int_equal(comparison->time_count, 7);
    const double before = comparison->times_s[4];
    assert_true(before < 1.0 - 1e-6 && before > 1.0 - 4e-6);
    const double expected[7] = {
        0.0, 0.125, 0.25, (0.25 + before) / 2.0, before, (before + 1.0) / 2.0, 1.0};
    for (uint32_t i = 0; i < 7; i++)
        assert_near(comparison->times_s[i], expected[i], 1e-9);
    assert_near(comparison->all.largest_time_s, 0.25, 1e-9);
    assert_near(comparison->all.largest, 1.0, 1e-6);
    mrw_comparison_free(comparison);
    unmake(&two);
}

static void test_refusals(void **state)
{
    (void)state;
    two_joints two = make(NULL, 0, NULL, 0);
    mrw_comparison *comparison;
    mrw_error error;
    mrw_compare_options options = mrw_compare_options_default();
    assert_int_equal(
        mrw_compare_clips(&two.skeleton, NULL, &two.clips[1], &options, &comparison, &error),
        MRW_ERR_NULL_ARGUMENT);
    options.between = 65;
    assert_int_equal(mrw_compare_clips(&two.skeleton, &two.clips[0], &two.clips[1], &options,
                                       &comparison, &error),
                     MRW_ERR_INVALID_ARGUMENT);
    options = mrw_compare_options_default();
    options.metres_per_unit = (double)NAN;
    assert_int_equal(mrw_compare_clips(&two.skeleton, &two.clips[0], &two.clips[1], &options,
                                       &comparison, &error),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_null(comparison);
    options = mrw_compare_options_default();
    for (uint64_t limit = 1; limit < 100; limit++) {
        options.memory.separate = true;
        options.memory.allocation_limit = limit;
        mrw_status status = mrw_compare_clips(&two.skeleton, &two.clips[0], &two.clips[1], &options,
                                              &comparison, &error);
        if (status == MRW_OK)
            break;
        assert_null(comparison);
    }
    mrw_comparison_free(comparison);
    unmake(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shifted),  cmocka_unit_test(test_turned),
        cmocka_unit_test(test_scaled),   cmocka_unit_test(test_steps),
        cmocka_unit_test(test_growing),  cmocka_unit_test(test_times_of_keys),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
