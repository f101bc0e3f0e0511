/* mrw_pack_clip on clips that are hard to pack: the bound holds by a measure that is the test's
 * own, at times that the packer does not look at. */
#include "unit/made_motions.h"

static void test_wild_rotations(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 5, .key_count = 60, .keys_per_second = 30.0, .bone = 0.3f, .at = wild};
    hold(&spec, mrw_pack_options_default());
}

static void test_spinning_joints(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 5, .key_count = 90, .keys_per_second = 30.0, .bone = 0.3f, .at = spinning};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.25);
}

static void test_deep_chain(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 64, .key_count = 60, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.06);
}

static void test_units(void **state)
{
    (void)state;
    const motion_spec metres = {
        .joint_count = 6, .key_count = 90, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    motion_spec centimetres = metres;
    centimetres.bone = 5.0f;
    centimetres.at = waving_in_centimetres;
    mrw_pack_options options = mrw_pack_options_default();
    const double part = hold(&metres, options);
    options.metres_per_unit = 0.01;
    assert_near(hold(&centimetres, options), part, 0.02);
}

static void test_scales(void **state)
{
    (void)state;
    motion_spec spec = {.joint_count = 5,
                        .key_count = 90,
                        .keys_per_second = 30.0,
                        .bone = 0.05f,
                        .at = scaled_through_zero};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.12);
    spec.at = scaled_unevenly;
    assert_below(hold(&spec, mrw_pack_options_default()), 0.12);
    spec.at = scaled_evenly;
    assert_below(hold(&spec, mrw_pack_options_default()), 0.12);
}

/* 10 km away single precision has steps of a millimetre: the root's keys stay, the rest is packed.
 */
static void test_far_away(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 8, .key_count = 90, .keys_per_second = 30.0, .bone = 0.05f, .at = far_away};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.15);
}

static void test_jumps(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 8,
                              .key_count = 90,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = teleporting};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.15);
}

static void test_few_keys(void **state)
{
    (void)state;
    for (uint32_t keys = 1; keys <= 4; keys++) {
        const motion_spec spec = {.joint_count = 3,
                                  .scalar_count = 2,
                                  .key_count = keys,
                                  .keys_per_second = 1.0,
                                  .bone = 0.05f,
                                  .at = waving,
                                  .scalar_at = weight};
        assert_below(hold(&spec, mrw_pack_options_default()), 1.0);
    }
}

static void test_steps_and_curves(void **state)
{
    (void)state;
    motion_spec spec = {.joint_count = 4,
                        .scalar_count = 3,
                        .key_count = 40,
                        .keys_per_second = 30.0,
                        .bone = 0.05f,
                        .at = waving,
                        .scalar_at = weight,
                        .is_step = true};
    hold(&spec, mrw_pack_options_default());
    spec.is_step = false;
    spec.is_cubic = true;
    hold(&spec, mrw_pack_options_default());
}

static void test_uneven_keys(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 4,
                              .scalar_count = 3,
                              .key_count = 40,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = waving,
                              .scalar_at = weight,
                              .is_uneven = true};
    hold(&spec, mrw_pack_options_default());
}

/* The rate of the samples need not divide the duration. */
static void test_own_rates(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 4,
                              .scalar_count = 1,
                              .key_count = 31,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = waving,
                              .scalar_at = weight};
    static const double rates[] = {1.0, 7.3, 45.0, 1000.0};
    for (int i = 0; i < 4; i++) {
        mrw_pack_options options = mrw_pack_options_default();
        options.samples_per_second = rates[i];
        hold(&spec, options);
    }
}

static void test_joints_of_their_own(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 6, .key_count = 60, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    static const float shells[6] = {0.5f, 0.0f, 0.01f, 0.1f, 0.02f, 0.3f};
    static const float tolerances[6] = {1e-3f, 1e-4f, 2e-5f, 1e-3f, 1e-4f, 5e-4f};
    mrw_pack_options options = mrw_pack_options_default();
    options.joint_shells_m = shells;
    options.joint_tolerances_m = tolerances;
    assert_below(hold(&spec, options), 0.1);
}

/* Asks for more than single precision has: nothing is lost, however it is stored. */
static void test_tiny_tolerance(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 4, .key_count = 30, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    mrw_pack_options options = mrw_pack_options_default();
    options.tolerance_m = 1e-9;
    hold(&spec, options);
}

static void test_99th_percentile(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 8, .key_count = 200, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    made_clip made = make(&spec);
    mrw_pack_options options = mrw_pack_options_default();
    options.target = MRW_PACK_P99;
    mrw_pack_report report;
    mrw_bytes bytes = pack(&made, &options, &report);
    assert_below(report.error.p99, options.tolerance_m);
    assert_below(0.8 * options.tolerance_m, report.error.p99);
    mrw_bytes_free(&bytes);
    unmake(&made);
}

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Of the errors at the samples, each in tolerances of its joint. */
static double p99_of_ratios(const made_clip *made, const mrw_bytes *bytes,
                            const mrw_pack_options *options, uint32_t sample_count)
{
    const uint32_t joints = made->skeleton.joint_count, count = joints * sample_count;
    double *ratios = calloc(count, sizeof(double));
    mrw_clip packed;
    mrw_error error;
    assert_non_null(ratios);
    assert_int_equal(mrw_clip_open(bytes->data, bytes->size_bytes, &packed, &error), MRW_OK);
    measured left = measured_make(&made->skeleton), right = measured_make(&made->skeleton);
    for (uint32_t i = 0; i < sample_count; i++) {
        measured_at(&left, &made->clip, i / 30.0);
        measured_at(&right, &packed, i / 30.0);
        for (uint32_t j = 0; j < joints; j++)
            ratios[i * joints + j] =
                shell_distance(&left.places[j], &right.places[j], options->shell_m) /
                (double)options->joint_tolerances_m[j];
    }
    measured_free(&left);
    measured_free(&right);
    qsort(ratios, count, sizeof(double), compare_doubles);
    const double found = ratios[count * 99 / 100 - 1];
    free(ratios);
    return found;
}

/* Joints with tolerances of their own: it is the errors to these of which 99 of 100 are below 1. */
static void test_99th_percentile_of_joints(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 8, .key_count = 200, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    static const float tolerances[2][8] = {
        {1e-3f, 1e-3f, 1e-3f, 1e-3f, 1e-5f, 1e-3f, 1e-3f, 1e-3f},
        {1e-2f, 1e-2f, 5e-3f, 1e-3f, 5e-4f, 2e-4f, 1e-4f, 1e-3f}};
    made_clip made = make(&spec);
    mrw_pack_options options = mrw_pack_options_default();
    options.target = MRW_PACK_P99;
    for (int i = 0; i < 2; i++) {
        options.joint_tolerances_m = tolerances[i];
        mrw_pack_report report;
        mrw_bytes bytes = pack(&made, &options, &report);
        assert_int_equal(report.sample_count, spec.key_count);
        const double ratio = p99_of_ratios(&made, &bytes, &options, spec.key_count);
        assert_below(ratio, 1.0);
        assert_below(0.8, ratio);
        mrw_bytes_free(&bytes);
    }
    unmake(&made);
}

/* A packed clip is copied. Packed again, where that is asked for, it is a source like any other, at
 * its own rate; and its bytes if they are smaller. */
static void test_packed_source(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 8, .key_count = 100, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    made_clip made = make(&spec);
    mrw_pack_options options = mrw_pack_options_default();
    mrw_pack_report report;
    mrw_bytes once = pack(&made, &options, &report);
    made_clip second = {.skeleton = made.skeleton, .clip_bytes = once};
    mrw_error error;
    assert_int_equal(mrw_clip_open(once.data, once.size_bytes, &second.clip, &error), MRW_OK);
    assert_false(report.copied);
    static const double tolerances[] = {1e-6, 1e-3};
    for (int i = 0; i < 2; i++) {
        options.tolerance_m = tolerances[i];
        options.samples_per_second = 90.0;
        options.repack = false;
        mrw_bytes copy = pack(&second, &options, &report);
        assert_true(report.copied && report.kept);
        assert_int_equal(report.sample_count, 100);
        assert_int_equal(report.raw_bytes, 40 * 8 * 100);
        assert_true(report.error.largest == 0.0);
        assert_int_equal(copy.size_bytes, once.size_bytes);
        assert_memory_equal(copy.data, once.data, once.size_bytes);
        mrw_bytes_free(&copy);
        options.samples_per_second = 0.0;
        options.repack = true;
        mrw_bytes twice = pack(&second, &options, &report);
        assert_false(report.copied);
        assert_below(ratio_of(&second, &twice, &options, 217.0), 1.0);
        mrw_bytes_free(&twice);
    }
    mrw_bytes_free(&once);
    unmake(&made);
}

typedef struct told_progress {
    uint32_t calls, tries_done;
    double share_of_try;
} told_progress;

static void take_progress(void *user, uint32_t tries_done, double share_of_try)
{
    told_progress *told = user;
    assert_true(share_of_try >= 0.0 && share_of_try <= 1.0);
    assert_true(tries_done > told->tries_done ||
                (tries_done == told->tries_done && share_of_try >= told->share_of_try));
    *told = (told_progress){told->calls + 1, tries_done, share_of_try};
}

static void test_progress(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 8, .key_count = 100, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    made_clip made = make(&spec);
    told_progress told = {0};
    mrw_pack_options options = mrw_pack_options_default();
    options.progress = take_progress;
    options.progress_user = &told;
    mrw_pack_report report;
    mrw_bytes bytes = pack(&made, &options, &report);
    assert_true(told.calls >= 2 && told.tries_done >= 1 && told.share_of_try == 0.0);
    mrw_bytes_free(&bytes);
    unmake(&made);
}

/* Not even to be copied. */
static void test_packed_source_of_another_skeleton(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 8, .key_count = 100, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    motion_spec other_spec = spec;
    other_spec.joint_count = 9;
    made_clip made = make(&spec), other = make(&other_spec);
    mrw_pack_options options = mrw_pack_options_default();
    mrw_pack_report report;
    mrw_bytes once = pack(&made, &options, &report), bytes;
    mrw_clip packed;
    mrw_error error;
    assert_int_equal(mrw_clip_open(once.data, once.size_bytes, &packed, &error), MRW_OK);
    assert_int_equal(mrw_pack_clip(&other.skeleton, &packed, &options, &bytes, NULL, &error),
                     MRW_ERR_SKELETON_MISMATCH);
    mrw_bytes_free(&once);
    unmake(&other);
    unmake(&made);
}

/* --- refusals ---------------------------------------------------------------------------- */

static void expect(const made_clip *made, const mrw_pack_options *options, mrw_status expected)
{
    mrw_bytes bytes;
    mrw_error error;
    memset(&bytes, 1, sizeof(bytes));
    assert_int_equal(mrw_pack_clip(&made->skeleton, &made->clip, options, &bytes, NULL, &error),
                     expected);
    assert_null(bytes.data);
}

static void test_invalid_options(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 3, .key_count = 10, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    made_clip made = make(&spec);
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        mrw_pack_options options = mrw_pack_options_default();
        options.tolerance_m = bad[i];
        expect(&made, &options, MRW_ERR_INVALID_ARGUMENT);
        options = mrw_pack_options_default();
        options.scalar_tolerance = bad[i];
        expect(&made, &options, MRW_ERR_INVALID_ARGUMENT);
        options = mrw_pack_options_default();
        options.metres_per_unit = bad[i];
        expect(&made, &options, MRW_ERR_INVALID_ARGUMENT);
        if (i > 0) {
            options = mrw_pack_options_default();
            options.shell_m = bad[i];
            expect(&made, &options, MRW_ERR_INVALID_ARGUMENT);
            options = mrw_pack_options_default();
            options.samples_per_second = bad[i];
            expect(&made, &options, MRW_ERR_INVALID_ARGUMENT);
        }
        const float values[3] = {1.0f, 1.0f, (float)bad[i]};
        options = mrw_pack_options_default();
        options.joint_tolerances_m = values;
        expect(&made, &options, MRW_ERR_INVALID_ARGUMENT);
    }
    mrw_pack_options options = mrw_pack_options_default();
    options.struct_size = 3;
    expect(&made, &options, MRW_ERR_STRUCT_SIZE);
    options = mrw_pack_options_default();
    options.effort = (mrw_pack_effort)7;
    expect(&made, &options, MRW_ERR_INVALID_ARGUMENT);
    options = mrw_pack_options_default();
    options.target = (mrw_pack_target)7;
    expect(&made, &options, MRW_ERR_INVALID_ARGUMENT);
    unmake(&made);
}

static void test_wrong_skeleton(void **state)
{
    (void)state;
    motion_spec spec = {
        .joint_count = 3, .key_count = 10, .keys_per_second = 30.0, .bone = 0.05f, .at = waving};
    made_clip made = make(&spec);
    spec.joint_count = 4;
    made_clip other = make(&spec);
    const made_clip mixed = {.skeleton = other.skeleton, .clip = made.clip};
    expect(&mixed, NULL, MRW_ERR_SKELETON_MISMATCH);
    unmake(&made);
    unmake(&other);
}

/* --- failing allocations ----------------------------------------------------------------- */

/* Each allocation fails once: the call says so and leaks nothing (which the sanitizers watch). */
static void test_failing_allocations(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 3,
                              .scalar_count = 1,
                              .key_count = 12,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = waving,
                              .scalar_at = weight};
    made_clip made = make(&spec);
    mrw_pack_options options = mrw_pack_options_default();
    options.memory.separate = true;
    mrw_status status = MRW_ERR_OUT_OF_MEMORY;
    uint32_t refused = 0;
    for (uint64_t limit = 1; status != MRW_OK && limit < 2000; limit++) {
        mrw_bytes bytes;
        mrw_error error;
        options.memory.allocation_limit = limit;
        status = mrw_pack_clip(&made.skeleton, &made.clip, &options, &bytes, NULL, &error);
        if (status == MRW_OK) {
            mrw_bytes_free(&bytes);
            break;
        }
        assert_true(status == MRW_ERR_OUT_OF_MEMORY || status == MRW_ERR_MEMORY_LIMIT);
        assert_null(bytes.data);
        refused++;
    }
    assert_int_equal(status, MRW_OK);
    assert_true(refused > 10);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wild_rotations),
        cmocka_unit_test(test_spinning_joints),
        cmocka_unit_test(test_deep_chain),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_few_keys),
        cmocka_unit_test(test_steps_and_curves),
        cmocka_unit_test(test_uneven_keys),
        cmocka_unit_test(test_own_rates),
        cmocka_unit_test(test_joints_of_their_own),
        cmocka_unit_test(test_tiny_tolerance),
        cmocka_unit_test(test_99th_percentile),
        cmocka_unit_test(test_99th_percentile_of_joints),
        cmocka_unit_test(test_packed_source),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_packed_source_of_another_skeleton),
        cmocka_unit_test(test_invalid_options),
        cmocka_unit_test(test_wrong_skeleton),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
