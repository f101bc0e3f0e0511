/* mrw_pack_clip on motions that are made to break it: the bound holds by a measure that is the
 * test's own, densely between samples, for every effort; and what the tools say of it is true. */
#include "unit/made_motions.h"

#include <stdio.h>

/* --- turns ------------------------------------------------------------------------------- */

/* Several turns between two keys, of which a clip shows what is left of the last one. */
static mrw_transform turning_between_keys(uint32_t joint, double time_s, uint64_t *state)
{
    (void)state;
    mrw_transform at = placed(joint, 0.3f);
    at.rotation = turn((30.0 + 7.0 * joint) * time_s, joint % 3);
    return at;
}

/* All but half a turn from key to key: the way between them is one or the other. */
static mrw_transform turning_half(uint32_t joint, double time_s, uint64_t *state)
{
    (void)state;
    mrw_transform at = placed(joint, 0.2f);
    at.rotation = turn(3.1415926 * 0.997 * time_s * 30.0 + joint, joint % 3);
    return at;
}

static mrw_transform wildly_turning(uint32_t joint, double time_s, uint64_t *state)
{
    (void)time_s;
    mrw_transform at = placed(joint, 0.05f);
    at.rotation = random_quat(state);
    return at;
}

/* One rotation has two quaternions: each key takes the other one. */
static mrw_transform flipping_sign(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    at.rotation = turn(3.1 + 0.2 * sin(4.0 * time_s + joint), joint % 3);
    if ((int)(time_s * 30.0 + 0.5) % 2 == 1)
        at.rotation = (mrw_quat){-at.rotation.x, -at.rotation.y, -at.rotation.z, -at.rotation.w};
    return at;
}

static void test_turns_between_keys(void **state)
{
    (void)state;
    motion_spec spec = {.joint_count = 4,
                        .key_count = 30,
                        .keys_per_second = 10.0,
                        .bone = 0.3f,
                        .at = turning_between_keys};
    hold(&spec, mrw_pack_options_default());
    spec.keys_per_second = 1.0;
    hold(&spec, mrw_pack_options_default());
}

static void test_half_turns(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 3,
                              .key_count = 30,
                              .keys_per_second = 30.0,
                              .bone = 0.2f,
                              .at = turning_half};
    hold(&spec, mrw_pack_options_default());
    /* A chain of them: errors grow and shrink several times between two keys. */
    const motion_spec chain = {.joint_count = 9,
                               .key_count = 14,
                               .keys_per_second = 30.0,
                               .bone = 0.2f,
                               .at = turning_half};
    mrw_pack_options options = mrw_pack_options_default();
    options.tolerance_m = 1e-3;
    hold(&chain, options);
}

static void test_wild_chain(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 64,
                              .key_count = 6,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = wildly_turning};
    hold(&spec, mrw_pack_options_default());
}

static void test_signs_of_quaternions(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 6,
                              .key_count = 60,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = flipping_sign};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.15);
}

/* A cubic spline takes the signs as they are, and whirls from one to the other within no time. */
static void test_whirling_curves(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 6,
                              .key_count = 60,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = flipping_sign,
                              .is_cubic = true};
    mrw_pack_options options = mrw_pack_options_default();
    options.tolerance_m = 1e-2;
    hold(&spec, options);
}

/* And what hangs on it is not held in place by errors that cancel at the samples. */
static mrw_transform whirling_root(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at =
        joint == 0 ? flipping_sign(joint, time_s, state) : wild(joint, time_s, state);
    at.translation.y += (float)(0.02 * sin(9.0 * time_s + joint));
    return at;
}

static void test_below_whirls(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 4,
                              .key_count = 14,
                              .keys_per_second = 30.0,
                              .bone = 0.3f,
                              .at = whirling_root,
                              .is_cubic = true};
    mrw_pack_options options = mrw_pack_options_default();
    options.tolerance_m = 5e-3;
    hold(&spec, options);
}

/* --- scales ------------------------------------------------------------------------------ */

/* Through 0 and on to the other side, one axis after the other, of a parent and of a leaf. */
static mrw_transform mirroring(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    const float through = (float)(1.0 - time_s);
    if (joint == 1)
        at.scale = (mrw_vec3){through, 1.0f, 1.0f};
    if (joint == 3)
        at.scale = (mrw_vec3){-2.0f, through, 0.0f};
    return at;
}

static void test_mirroring_scales(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 5, .key_count = 61, .keys_per_second = 30.0, .bone = 0.05f, .at = mirroring};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.15);
}

static void test_steps_beside_motion(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 6,
                              .key_count = 60,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = blinking,
                              .is_scale_step = true};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.4);
    made_clip made = make(&spec);
    mrw_pack_report report;
    mrw_pack_options options = mrw_pack_options_default();
    mrw_bytes bytes = pack(&made, &options, &report);
    mrw_clip packed;
    mrw_error error;
    assert_int_equal(mrw_clip_open(bytes.data, bytes.size_bytes, &packed, &error), MRW_OK);
    assert_int_equal(packed.encoding, MRW_CLIP_PACKED);
    measured left = measured_make(&made.skeleton), right = measured_make(&made.skeleton);
    for (uint32_t i = 0; i < 6000; i++) { /* steps stay where they are, and what they are */
        const double time_s = (double)made.clip.duration_s * i / 5999.0;
        measured_at(&left, &made.clip, time_s);
        measured_at(&right, &packed, time_s);
        for (uint32_t j = 1; j < spec.joint_count; j += 2)
            assert_memory_equal(&(mrw_vec3[1]){mrw_pose_joint(&left.pose, j).scale},
                                &(mrw_vec3[1]){mrw_pose_joint(&right.pose, j).scale},
                                sizeof(mrw_vec3));
    }
    measured_free(&left);
    measured_free(&right);
    mrw_bytes_free(&bytes);
    unmake(&made);
}

/* --- units ------------------------------------------------------------------------------- */

static mrw_transform in_scaled_millimetres(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = in_metres(joint, time_s, state);
    at.translation.x *= 1000.0f;
    at.translation.y *= 1000.0f;
    if (joint == 0)
        at.scale = (mrw_vec3){0.001f, 0.001f, 0.001f};
    return at;
}

static size_t packed_size(const motion_spec *spec, const mrw_pack_options *options)
{
    made_clip made = make(spec);
    mrw_pack_report report;
    mrw_bytes bytes = pack(&made, options, &report);
    mrw_bytes_free(&bytes);
    unmake(&made);
    return report.packed_bytes;
}

/* One character in metres, in centimetres or millimetres under an armature that makes them metres,
 * and in such centimetres where a unit of model space is called a centimetre. */
static void test_armatures(void **state)
{
    (void)state;
    motion_spec spec = {
        .joint_count = 8, .key_count = 60, .keys_per_second = 30.0, .bone = 0.05f, .at = in_metres};
    mrw_pack_options options = mrw_pack_options_default();
    hold(&spec, options);
    const double metres_bytes = (double)packed_size(&spec, &options);
    const struct {
        mrw_transform (*at)(uint32_t, double, uint64_t *);
        float armature;
    } others[] = {{in_scaled_centimetres, 0.01f}, {in_scaled_millimetres, 0.001f}};
    for (int i = 0; i < 2; i++) {
        spec.at = others[i].at;
        spec.armature = others[i].armature;
        spec.bone = 0.05f / others[i].armature;
        hold(&spec, options);
        assert_near((double)packed_size(&spec, &options), metres_bytes,
                    64.0 + 0.01 * metres_bytes); /* clips end at multiples of 64 */
    }
    options.metres_per_unit = 0.01;
    spec.at = in_scaled_centimetres;
    spec.armature = 1.0f; /* what is scaled by the clip alone has a shell that is scaled with it */
    spec.bone = 5.0f;
    options.shell_m = 3.0;
    options.tolerance_m = 1e-6;
    hold(&spec, options);
}

/* --- far away ---------------------------------------------------------------------------- */

/* A hand at 10 km from the shoulder that turns it: single precision has turns of a few millimetres
 * there, and the keys themselves are what can be kept. */
static mrw_transform with_a_long_arm(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    if (joint == 3)
        at.translation.x = 10000.0f;
    return at;
}

static void test_long_arm(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 6,
                              .key_count = 60,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = with_a_long_arm};
    hold(&spec, mrw_pack_options_default());
}

/* Where the target is not a bound, the report says what was kept, and it is what is measured. */
static void test_reports_what_was_kept(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 6,
                              .key_count = 60,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = with_a_long_arm};
    made_clip made = make(&spec);
    mrw_pack_options options = mrw_pack_options_default();
    options.target = MRW_PACK_P99;
    mrw_pack_report report = {.struct_size = sizeof(report)};
    mrw_bytes bytes;
    mrw_error error;
    assert_int_equal(mrw_pack_clip(&made.skeleton, &made.clip, &options, &bytes, &report, &error),
                     MRW_OK);
    mrw_clip packed;
    assert_int_equal(mrw_clip_open(bytes.data, bytes.size_bytes, &packed, &error), MRW_OK);
    const distance_case distance = {&made.skeleton, 1.0, options.shell_m, NULL, NULL, 30.0};
    const worst_error worst = largest_distance(&distance, &made.clip, &packed);
    assert_near(report.error.largest, worst.error_m, 1e-6 * worst.error_m);
    assert_int_equal(report.kept, report.error.p99 <= options.tolerance_m);
    mrw_bytes_free(&bytes);
    unmake(&made);
}

/* --- times ------------------------------------------------------------------------------- */

static void test_slow_and_fast_keys(void **state)
{
    (void)state;
    motion_spec spec = {.joint_count = 4,
                        .scalar_count = 1,
                        .key_count = 20,
                        .keys_per_second = 1.0,
                        .bone = 0.05f,
                        .at = waving,
                        .scalar_at = weight};
    hold(&spec, mrw_pack_options_default());
    spec.keys_per_second = 1000.0;
    hold(&spec, mrw_pack_options_default());
    spec.keys_per_second = 5000.0; /* faster than samples can be */
    hold(&spec, mrw_pack_options_default());
    spec.keys_per_second = 0.1;
    hold(&spec, mrw_pack_options_default());
}

/* Two seconds that begin as they end. */
static mrw_transform circling(uint32_t joint, double time_s, uint64_t *state)
{
    (void)state;
    const double phase = 3.14159265358979 * (time_s < 1.9999 ? time_s : 0.0);
    mrw_transform at = placed(joint, 0.1f);
    at.rotation = turn(0.8 * sin(phase) + 0.3 * cos(2.0 * phase + joint), joint % 3);
    if (joint == 0)
        at.translation.z = (float)sin(phase);
    return at;
}

/* Around the seam of a loop, on both sides, a packed clip is as near to its source as elsewhere. */
static void test_seams_of_loops(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 8, .key_count = 61, .keys_per_second = 30.0, .bone = 0.1f, .at = circling};
    made_clip made = make(&spec);
    const mrw_pack_options options = mrw_pack_options_default();
    mrw_pack_report report;
    mrw_bytes bytes = pack(&made, &options, &report);
    mrw_clip packed;
    mrw_error error;
    assert_int_equal(mrw_clip_open(bytes.data, bytes.size_bytes, &packed, &error), MRW_OK);
    measured left = measured_make(&made.skeleton), right = measured_make(&made.skeleton);
    left.loop = right.loop = true;
    for (int i = -200; i <= 200; i++) {
        const double time_s = 3.0 * (double)made.clip.duration_s + i / 1000.0;
        measured_at(&left, &made.clip, time_s);
        measured_at(&right, &packed, time_s);
        for (uint32_t j = 0; j < spec.joint_count; j++)
            assert_below(shell_distance(&left.places[j], &right.places[j], options.shell_m),
                         options.tolerance_m);
    }
    /* And the jump there, which the source has not, is none that can be seen. */
    left.loop = right.loop = false;
    measured_at(&left, &packed, 0.0);
    measured_at(&right, &packed, (double)packed.duration_s);
    for (uint32_t j = 0; j < spec.joint_count; j++)
        assert_below(shell_distance(&left.places[j], &right.places[j], options.shell_m),
                     options.tolerance_m);
    measured_free(&left);
    measured_free(&right);
    mrw_bytes_free(&bytes);
    unmake(&made);
}

/* --- numbers ----------------------------------------------------------------------------- */

/* Smaller than a normal float, and larger by all that a float has beside it. */
static mrw_transform tiny_and_large(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    const float tiny = 1e-42f * (float)(int)(1.0 + 30.0 * time_s);
    if (joint == 1)
        at.translation = (mrw_vec3){tiny, -tiny, 0.0f};
    if (joint == 2)
        at.scale = (mrw_vec3){tiny, tiny, tiny};
    if (joint == 3)
        at.rotation = mrw_quat_normalize((mrw_quat){tiny, -tiny, 1.0f, tiny});
    if (joint == 5)
        at.translation.y = 1e15f * (float)sin(time_s);
    return at;
}

static float tiny_weight(uint32_t scalar, double time_s)
{
    return scalar == 0 ? 1e-41f * (float)(30.0 * time_s)
                       : (float)((scalar % 2 == 0 ? 1e6 : -5.0) * sin(3.0 * time_s + scalar));
}

static void test_denormals(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 6,
                              .scalar_count = 4,
                              .key_count = 40,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = tiny_and_large,
                              .scalar_at = tiny_weight};
    hold(&spec, mrw_pack_options_default());
}

/* Nothing that is not a number becomes a clip, so none can be packed. */
static mrw_transform with_nan(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    if (time_s > 0.5)
        at.translation.x = NAN;
    return at;
}

static mrw_transform with_infinity(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    if (time_s > 0.5)
        at.scale.y = INFINITY;
    return at;
}

static float infinite_weight(uint32_t scalar, double time_s)
{
    return time_s > 0.5 ? -INFINITY : weight(scalar, time_s);
}

static void test_not_numbers(void **state)
{
    (void)state;
    motion_spec spec = {.joint_count = 2,
                        .scalar_count = 1,
                        .key_count = 30,
                        .keys_per_second = 30.0,
                        .bone = 0.05f,
                        .at = with_nan,
                        .scalar_at = weight};
    for (int i = 0; i < 3; i++) {
        made_clip made = {0};
        mrw_error error;
        make_skeleton(&spec, &made);
        assert_int_equal(try_make_clip(&spec, &made, &error), MRW_ERR_NOT_FINITE);
        unmake(&made);
        spec.at = i == 0 ? with_infinity : waving;
        spec.scalar_at = i == 0 ? weight : infinite_weight;
    }
}

/* --- many -------------------------------------------------------------------------------- */

static float many_weights(uint32_t scalar, double time_s)
{
    return (float)(0.5 + 0.5 * sin((0.1 + 0.03 * scalar) * time_s * 6.0));
}

static void test_morph_weights(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 1,
                              .scalar_count = 130,
                              .key_count = 60,
                              .keys_per_second = 30.0,
                              .at = waving,
                              .scalar_at = many_weights};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.25);
}

static void test_one_joint(void **state)
{
    (void)state;
    const motion_spec spec = {
        .joint_count = 1, .key_count = 300, .keys_per_second = 30.0, .at = waving};
    assert_below(hold(&spec, mrw_pack_options_default()), 0.2);
}

static void test_thousands_of_joints(void **state)
{
    (void)state;
    const motion_spec spec = {.joint_count = 2000,
                              .key_count = 5,
                              .keys_per_second = 30.0,
                              .bone = 0.05f,
                              .at = waving,
                              .is_flat = true};
    made_clip made = make(&spec);
    mrw_pack_options options = mrw_pack_options_default();
    options.effort = MRW_PACK_FAST;
    mrw_pack_report report;
    mrw_bytes bytes = pack(&made, &options, &report);
    assert_below(ratio_of(&made, &bytes, &options, 30.0 * 5.0), 1.0);
    mrw_bytes_free(&bytes);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_between_keys),
        cmocka_unit_test(test_half_turns),
        cmocka_unit_test(test_wild_chain),
        cmocka_unit_test(test_signs_of_quaternions),
        cmocka_unit_test(test_whirling_curves),
        cmocka_unit_test(test_below_whirls),
        cmocka_unit_test(test_mirroring_scales),
        cmocka_unit_test(test_steps_beside_motion),
        cmocka_unit_test(test_armatures),
        cmocka_unit_test(test_long_arm),
        cmocka_unit_test(test_reports_what_was_kept),
        cmocka_unit_test(test_slow_and_fast_keys),
        cmocka_unit_test(test_seams_of_loops),
        cmocka_unit_test(test_denormals),
        cmocka_unit_test(test_not_numbers),
        cmocka_unit_test(test_morph_weights),
        cmocka_unit_test(test_one_joint),
        cmocka_unit_test(test_thousands_of_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
