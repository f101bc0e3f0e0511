/* What builders leave out: numbers too small to show, whose products are denormal. */
#include <marrow/offline/build.h>

#include "unit/near.h"

static const mrw_vec3 one = {1.0f, 1.0f, 1.0f};

static mrw_skeleton build_skeleton(const mrw_transform *rests, uint32_t count, mrw_bytes *out_bytes)
{
    mrw_joint_desc joints[4] = {{0}};
    for (uint32_t i = 0; i < count; i++)
        joints[i] = (mrw_joint_desc){NULL, (int32_t)i - 1, rests[i], 0};
    mrw_skeleton skeleton = {0};
    mrw_error error = {0};
    if (mrw_build_skeleton(joints, count, NULL, 0, NULL, NULL, out_bytes, &error) != MRW_OK ||
        mrw_skeleton_open(out_bytes->data, out_bytes->size_bytes, &skeleton, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return skeleton;
}

static mrw_clip build_clip(const mrw_skeleton *skeleton, const mrw_track_desc *track,
                           mrw_bytes *out_bytes)
{
    mrw_clip clip = {0};
    mrw_error error = {0};
    if (mrw_build_clip(skeleton, "", track, 1, -1.0f, NULL, out_bytes, &error) != MRW_OK ||
        mrw_clip_open(out_bytes->data, out_bytes->size_bytes, &clip, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return clip;
}

static void assert_rest(const mrw_skeleton *skeleton, uint32_t joint, const mrw_transform *expected)
{
    const mrw_pose rest = {skeleton->joint_count, 0,
                           (mrw_pose_block *)(uintptr_t)skeleton->rest_blocks, NULL};
    mrw_transform found = mrw_pose_joint(&rest, joint);
    assert_memory_equal(&found, expected, sizeof(found));
}

/* In both signs, as denormals too; what might show keeps its bits. */
static void a_rest_pose_has_none(void **state)
{
    (void)state;
    const float tiny = 1e-20f;
    const mrw_transform rests[] = {
        {{tiny, 2.0f, -tiny}, {tiny, -tiny, 1e-41f, 1.0f}, one},
        {{tiny, tiny, tiny}, {1.0f, 3e-15f, -3e-15f, -tiny}, {tiny, 1.0f, 1e-41f}},
        {{2e-18f, 1.7e-18f, -1e-41f}, {4e-15f, 0.6f, 0.8f, -4e-15f}, one},
    };
    const mrw_transform expected[] = {
        {{0.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, one},
        {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}, {tiny, 1.0f, 1e-41f}},
        {{2e-18f, 0.0f, 0.0f}, {4e-15f, 0.6f, 0.8f, -4e-15f}, one},
    };
    mrw_bytes bytes;
    mrw_skeleton skeleton = build_skeleton(rests, 3, &bytes);
    for (uint32_t i = 0; i < 3; i++)
        assert_rest(&skeleton, i, &expected[i]);
    mrw_bytes_free(&bytes);
}

/* A character in units as large as the distance to a galaxy is a character. */
static void translations_count_in_their_own_unit(void **state)
{
    (void)state;
    const mrw_transform rests[] = {
        {{1e-20f, 2e-20f, -3e-21f}, {0.0f, 0.0f, 0.0f, 1.0f}, one},
        {{1e-30f, -1e-39f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, one},
    };
    const mrw_transform expected = {{1e-30f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, one};
    mrw_bytes bytes;
    mrw_skeleton skeleton = build_skeleton(rests, 2, &bytes);
    assert_rest(&skeleton, 0, &rests[0]);
    assert_rest(&skeleton, 1, &expected);
    mrw_bytes_free(&bytes);
}

static void assert_keys(mrw_track_kind kind, mrw_interpolation interpolation, uint32_t key_count,
                        const float *values, const float *expected)
{
    static const float times[] = {0.0f, 1.0f, 1000.0f};
    const mrw_transform rest = {{0.0f, 4.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, one};
    const mrw_track_desc track = {kind, 0, interpolation, key_count, times, values};
    mrw_bytes skeleton_bytes, bytes, again_bytes;
    mrw_skeleton skeleton = build_skeleton(&rest, 1, &skeleton_bytes);
    mrw_clip clip = build_clip(&skeleton, &track, &bytes);
    assert_memory_equal(clip.values, expected, clip.value_count * sizeof(float));

    const mrw_track_desc of_clip = {kind, 0, interpolation, key_count, times, clip.values};
    build_clip(&skeleton, &of_clip, &again_bytes);
    assert_int_equal(bytes.size_bytes, again_bytes.size_bytes);
    assert_memory_equal(bytes.data, again_bytes.data, bytes.size_bytes);
    mrw_bytes_free(&skeleton_bytes);
    mrw_bytes_free(&bytes);
    mrw_bytes_free(&again_bytes);
}

static void keys_have_none(void **state)
{
    (void)state;
    const float turns[] = {1e-20f, -1e-20f, 0.6f, 0.8f, 4e-15f, 0.0f, 1e-30f, 1.0f};
    const float no_turns[] = {0.0f, 0.0f, 0.6f, 0.8f, 4e-15f, 0.0f, 0.0f, 1.0f};
    assert_keys(MRW_TRACK_ROTATION, MRW_INTERPOLATION_LINEAR, 2, turns, no_turns);
    const float moves[] = {1e-20f, -4e-18f, 1.0f, 3e-18f, -3e-18f, 1e-41f};
    const float no_moves[] = {0.0f, -4e-18f, 1.0f, 0.0f, 0.0f, 0.0f};
    assert_keys(MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_STEP, 2, moves, no_moves);
    const float scales[] = {1e-20f, 1.0f, 1e-41f};
    assert_keys(MRW_TRACK_SCALE, MRW_INTERPOLATION_LINEAR, 1, scales, scales);
}

/* A tangent of 1e-17 a second turns by 1e-14 between two keys that are 1000 seconds apart. */
static void tangents_count_for_the_time_between_keys(void **state)
{
    (void)state;
    const float in_a_second[] = {1e-17f, 0.0f, 0.0f, 5.0f, 0.0f, 0.0f,
                                 0.0f,   1.0f, 0.0f, 0.0f, 0.0f, -1e-17f};
    const float expected[] = {0.0f, 0.0f, 0.0f, 5.0f, 0.0f, 0.0f,
                              0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    assert_keys(MRW_TRACK_ROTATION, MRW_INTERPOLATION_CUBIC, 1, in_a_second, expected);
    float in_longer[36], expected_in_longer[36];
    for (int k = 0; k < 3; k++) {
        memcpy(in_longer + 12 * k, in_a_second, sizeof(in_a_second));
        memcpy(expected_in_longer + 12 * k, in_a_second, sizeof(in_a_second));
        in_longer[12 * k + 1] = 1e-18f;
    }
    assert_keys(MRW_TRACK_ROTATION, MRW_INTERPOLATION_CUBIC, 3, in_longer, expected_in_longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rest_pose_has_none),
        cmocka_unit_test(translations_count_in_their_own_unit),
        cmocka_unit_test(keys_have_none),
        cmocka_unit_test(tangents_count_for_the_time_between_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
