/* Building keyed clips: order, shared times, unit rotations, duration, errors. */
#include <marrow/offline/build.h>
#include <marrow/sample.h>

#include "clip/clip_format.h"
#include "unit/handmade_scene.h"
#include "unit/near.h"
#include "unit/random.h"

#include <stdlib.h>
#include <time.h>

static mrw_bytes skeleton_bytes;
static mrw_skeleton skeleton;

/* Three joints in a chain and two scalars. */
static int set_up(void **state)
{
    (void)state;
    mrw_joint_desc joints[] = {{"a", -1, mrw_transform_identity(), 0},
                               {"b", 0, mrw_transform_identity(), 1},
                               {"c", 1, mrw_transform_identity(), 2}};
    mrw_scalar_desc scalars[] = {{"s", 0.0f}, {"t", 0.0f}};
    if (mrw_build_skeleton(joints, 3, scalars, 2, NULL, NULL, &skeleton_bytes, NULL) != MRW_OK)
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

static mrw_clip build(const mrw_track_desc *tracks, uint32_t count, float duration_s,
                      mrw_bytes *out_bytes)
{
    mrw_clip clip = {0};
    mrw_error error = {0};
    if (mrw_build_clip(&skeleton, "wave", tracks, count, duration_s, NULL, out_bytes, &error) !=
            MRW_OK ||
        mrw_clip_open(out_bytes->data, out_bytes->size_bytes, &clip, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return clip;
}

static const float times_a[] = {0.0f, 0.5f, 1.0f};
static const float times_a_again[] = {0.0f, 0.5f, 1.0f};
static const float times_b[] = {0.0f, 0.5f};
static const float times_c[] = {0.25f, 0.5f, 1.0f};
static const float nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const float three_quats[] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};

static void tracks_come_out_sorted_and_share_times(void **state)
{
    (void)state;
    const mrw_track_desc tracks[] = {
        {MRW_TRACK_SCALAR, 1, MRW_INTERPOLATION_LINEAR, 3, times_a, nine},
        {MRW_TRACK_ROTATION, 2, MRW_INTERPOLATION_LINEAR, 3, times_a_again, three_quats},
        {MRW_TRACK_TRANSLATION, 2, MRW_INTERPOLATION_STEP, 3, times_c, nine},
        {MRW_TRACK_SCALE, 0, MRW_INTERPOLATION_LINEAR, 0, NULL, NULL}, /* left out */
        {MRW_TRACK_TRANSLATION, 0, MRW_INTERPOLATION_LINEAR, 2, times_b, nine},
        {MRW_TRACK_SCALE, 1, MRW_INTERPOLATION_LINEAR, 3, times_c, nine},
    };
    mrw_bytes bytes;
    mrw_clip clip = build(tracks, 6, -1.0f, &bytes);
    static const mrw_track expected[] = {
        {0, MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_LINEAR, 0, 2, 0, 0},
        {2, MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_STEP, 0, 3, 2, 6},
        {2, MRW_TRACK_ROTATION, MRW_INTERPOLATION_LINEAR, 0, 3, 5, 15},
        {1, MRW_TRACK_SCALE, MRW_INTERPOLATION_LINEAR, 0, 3, 2, 27},
        {1, MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR, 0, 3, 5, 36},
    };
    static const float expected_times[] = {0.0f, 0.5f, 0.25f, 0.5f, 1.0f, 0.0f, 0.5f, 1.0f};
    assert_int_equal(clip.track_count, 5);
    assert_memory_equal(clip.tracks, expected, sizeof(expected));
    assert_int_equal(clip.time_count, 8);
    assert_memory_equal(clip.times, expected_times, sizeof(expected_times));
    assert_int_equal(clip.value_count, 39);
    assert_memory_equal(clip.values + 27, nine, sizeof(nine));
    assert_string_equal(clip.name, "wave");
    assert_true(clip.header->skeleton_id == mrw_skeleton_id(&skeleton));
    assert_int_equal(clip.joint_count, 3);
    assert_int_equal(clip.scalar_count, 2);
    mrw_bytes_free(&bytes);
}

static void the_order_of_the_list_is_no_part_of_the_result(void **state)
{
    (void)state;
    const mrw_track_desc one[] = {
        {MRW_TRACK_SCALAR, 1, MRW_INTERPOLATION_LINEAR, 3, times_a, nine},
        {MRW_TRACK_SCALAR, 0, MRW_INTERPOLATION_LINEAR, 3, times_c, nine},
        {MRW_TRACK_SCALE, 0, MRW_INTERPOLATION_LINEAR, 3, times_a, nine},
    };
    const mrw_track_desc other[] = {one[2], one[1], one[0]};
    mrw_bytes one_bytes, other_bytes;
    build(one, 3, -1.0f, &one_bytes);
    build(other, 3, -1.0f, &other_bytes);
    assert_int_equal(one_bytes.size_bytes, other_bytes.size_bytes);
    assert_memory_equal(one_bytes.data, other_bytes.data, one_bytes.size_bytes);
    mrw_bytes_free(&one_bytes);
    mrw_bytes_free(&other_bytes);
}

static void rotations_are_normalised_and_tangents_are_not(void **state)
{
    (void)state;
    static const float linear[] = {0, 0, 3, 4, 0, 0, 0, 0, 0, 0.6f, 0, 0.8f};
    static const float cubic[] = {5, 0, 0, 0, 0, 0, 0, 2, 0, 7, 0, 0};
    const mrw_track_desc tracks[] = {
        {MRW_TRACK_ROTATION, 0, MRW_INTERPOLATION_LINEAR, 3, times_a, linear},
        {MRW_TRACK_ROTATION, 1, MRW_INTERPOLATION_CUBIC, 1, times_a, cubic},
        {MRW_TRACK_SCALE, 0, MRW_INTERPOLATION_LINEAR, 3, times_a, nine},
    };
    mrw_bytes bytes;
    mrw_clip clip = build(tracks, 3, -1.0f, &bytes);
    assert_near((double)clip.values[2], 0.6, 1e-7);
    assert_near((double)clip.values[3], 0.8, 1e-7);
    static const float identity_and_unit[] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f};
    assert_memory_equal(clip.values + 4, identity_and_unit, sizeof(identity_and_unit));
    static const float cubic_expected[] = {5, 0, 0, 0, 0, 0, 0, 1, 0, 7, 0, 0};
    assert_memory_equal(clip.values + 12, cubic_expected, sizeof(cubic_expected));
    assert_memory_equal(clip.values + 24, nine, sizeof(nine));
    mrw_bytes_free(&bytes);
}

static void the_duration_is_the_last_key_or_longer(void **state)
{
    (void)state;
    const mrw_track_desc track = {MRW_TRACK_SCALAR, 0, MRW_INTERPOLATION_LINEAR, 2, times_b, nine};
    mrw_bytes bytes;
    assert_true(build(&track, 1, -1.0f, &bytes).duration_s == 0.5f);
    mrw_bytes_free(&bytes);
    assert_true(build(&track, 1, 0.5f, &bytes).duration_s == 0.5f);
    mrw_bytes_free(&bytes);
    assert_true(build(&track, 1, 2.0f, &bytes).duration_s == 2.0f);
    mrw_bytes_free(&bytes);
    assert_true(build(NULL, 0, -1.0f, &bytes).duration_s == 0.0f);
    mrw_bytes_free(&bytes);
    mrw_clip clip = build(NULL, 0, 3.0f, &bytes);
    assert_true(clip.duration_s == 3.0f);
    assert_int_equal(clip.track_count, 0);
    mrw_bytes_free(&bytes);
}

static void names_may_be_anything(void **state)
{
    (void)state;
    static const char *const given[] = {NULL, "", "caf\xe9"};
    static const char *const expected[] = {"", "", "caf\xef\xbf\xbd"};
    for (int i = 0; i < 3; i++) {
        mrw_bytes bytes;
        mrw_clip clip;
        assert_int_equal(mrw_build_clip(&skeleton, given[i], NULL, 0, -1.0f, NULL, &bytes, NULL),
                         MRW_OK);
        assert_int_equal(mrw_clip_open(bytes.data, bytes.size_bytes, &clip, NULL), MRW_OK);
        assert_string_equal(clip.name, expected[i]);
        mrw_bytes_free(&bytes);
    }
}

static void assert_refused(const mrw_track_desc *tracks, uint32_t count, float duration_s,
                           mrw_status status, const char *detail)
{
    mrw_bytes bytes;
    mrw_error error = {0};
    assert_int_equal(mrw_build_clip(&skeleton, "", tracks, count, duration_s, NULL, &bytes, &error),
                     status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.detail, detail);
    assert_true(strlen(error.message) > 0);
    assert_null(bytes.data);
}

static void bad_tracks_are_named(void **state)
{
    (void)state;
    static const float same[] = {0.0f, 0.5f, 0.5f};
    static const float back[] = {0.5f, 0.25f, 1.0f};
    static const float negative[] = {-0.5f, 0.0f, 0.5f};
    static const float endless[] = {0.0f, 0.5f, INFINITY};
    static const float nan_value[] = {0, 1, NAN, 3, 4, 5, 6, 7, 8};
    const mrw_track_desc good = {MRW_TRACK_SCALE, 2, MRW_INTERPOLATION_LINEAR, 3, times_a, nine};
    mrw_track_desc tracks[2] = {good, good};
    assert_refused(tracks, 2, -1.0f, MRW_ERR_INCONSISTENT, "tracks[1]");

    tracks[1].kind = (mrw_track_kind)4;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_INVALID_VALUE, "tracks[1].kind");
    tracks[1] = good;
    tracks[1].interpolation = (mrw_interpolation)3;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_INVALID_VALUE, "tracks[1].interpolation");
    tracks[1] = good;
    tracks[1].target = 3;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_JOINT_RANGE, "tracks[1].target");
    tracks[1].kind = MRW_TRACK_SCALAR;
    tracks[1].target = 2;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_JOINT_RANGE, "tracks[1].target");
    tracks[1].key_count = 0; /* also without keys */
    assert_refused(tracks, 2, -1.0f, MRW_ERR_JOINT_RANGE, "tracks[1].target");
    tracks[1] = good;
    tracks[1].times = NULL;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_NULL_ARGUMENT, "tracks[1].times");
    tracks[1] = good;
    tracks[1].values = NULL;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_NULL_ARGUMENT, "tracks[1].values");
    tracks[1] = good;
    tracks[1].values = nan_value;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_NOT_FINITE, "tracks[1].values");
    tracks[1] = good;
    tracks[1].times = same;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_INVALID_VALUE, "tracks[1].times[2]");
    tracks[1].times = back;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_INVALID_VALUE, "tracks[1].times[1]");
    tracks[1].times = negative;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_INVALID_VALUE, "tracks[1].times");
    tracks[1].times = endless;
    assert_refused(tracks, 2, -1.0f, MRW_ERR_NOT_FINITE, "tracks[1].times");

    assert_refused(tracks, 1, 0.75f, MRW_ERR_INVALID_VALUE, "duration_s");
    assert_refused(tracks, 1, NAN, MRW_ERR_NOT_FINITE, "duration_s");
    assert_refused(NULL, 0, INFINITY, MRW_ERR_NOT_FINITE, "duration_s");
    assert_refused(NULL, 1, -1.0f, MRW_ERR_NULL_ARGUMENT, "tracks");
    mrw_bytes bytes;
    assert_int_equal(mrw_build_clip(NULL, "", NULL, 0, -1.0f, NULL, &bytes, NULL),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_build_clip(&skeleton, "", NULL, 0, -1.0f, NULL, NULL, NULL),
                     MRW_ERR_NULL_ARGUMENT);
}

static void another_skeleton_refuses_the_clip(void **state)
{
    (void)state;
    mrw_joint_desc joints[] = {{"a", -1, mrw_transform_identity(), 0},
                               {"b", 0, mrw_transform_identity(), 1},
                               {"c", 0, mrw_transform_identity(), 2}};
    mrw_scalar_desc scalars[] = {{"s", 0.0f}, {"t", 0.0f}};
    mrw_bytes other_bytes, clip_bytes;
    mrw_skeleton other;
    assert_int_equal(mrw_build_skeleton(joints, 3, scalars, 2, NULL, NULL, &other_bytes, NULL),
                     MRW_OK);
    assert_int_equal(mrw_skeleton_open(other_bytes.data, other_bytes.size_bytes, &other, NULL),
                     MRW_OK);
    mrw_clip clip = build(NULL, 0, 1.0f, &clip_bytes);
    _Alignas(64) unsigned char memory[1024];
    mrw_pose pose;
    assert_int_equal(mrw_pose_init(memory, sizeof(memory), 3, 2, &pose), MRW_OK);
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = &clip;
    job.skeleton = &other;
    job.out_pose = &pose;
    assert_int_equal(mrw_sample(&job), MRW_ERR_SKELETON_MISMATCH);
    job.skeleton = &skeleton;
    assert_int_equal(mrw_sample(&job), MRW_OK);
    mrw_bytes_free(&clip_bytes);
    mrw_bytes_free(&other_bytes);
}

/* 60,000 scalar tracks, each with times of its own or all with the same: quadratic work would take
 * minutes. */
static void many_tracks_are_quick(void **state)
{
    (void)state;
    enum { COUNT = 60000 };
    mrw_scalar_desc *scalars = calloc(COUNT, sizeof(*scalars));
    mrw_track_desc *tracks = calloc(COUNT, sizeof(*tracks));
    float(*times)[2] = calloc(COUNT, sizeof(*times));
    assert_true(scalars != NULL && tracks != NULL && times != NULL);
    mrw_bytes wide_bytes;
    mrw_skeleton wide;
    assert_int_equal(mrw_build_skeleton(NULL, 0, scalars, COUNT, NULL, NULL, &wide_bytes, NULL),
                     MRW_OK);
    assert_int_equal(mrw_skeleton_open(wide_bytes.data, wide_bytes.size_bytes, &wide, NULL),
                     MRW_OK);
    for (uint32_t different = 0; different < 2; different++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            times[i][1] = 1.0f + (float)(different * i) * 0.001f;
            mrw_track_desc track = {MRW_TRACK_SCALAR, COUNT - 1 - i, MRW_INTERPOLATION_LINEAR, 2,
                                    times[i],         nine};
            tracks[i] = track;
        }
        clock_t start = clock();
        mrw_bytes bytes;
        mrw_clip clip;
        assert_int_equal(mrw_build_clip(&wide, "", tracks, COUNT, -1.0f, NULL, &bytes, NULL),
                         MRW_OK);
        assert_int_equal(mrw_clip_open(bytes.data, bytes.size_bytes, &clip, NULL), MRW_OK);
        assert_below((double)(clock() - start) / CLOCKS_PER_SEC, 20.0);
        assert_int_equal(clip.track_count, COUNT);
        assert_int_equal(clip.time_count, different ? 2 * COUNT : 2);
        mrw_bytes_free(&bytes);
    }
    mrw_bytes_free(&wide_bytes);
    free(scalars);
    free(tracks);
    free(times);
}

static void failing_memory_leaks_nothing(void **state)
{
    (void)state;
    const mrw_track_desc tracks[] = {
        {MRW_TRACK_SCALAR, 1, MRW_INTERPOLATION_LINEAR, 3, times_a, nine},
        {MRW_TRACK_SCALE, 1, MRW_INTERPOLATION_LINEAR, 3, times_c, nine},
    };
    mrw_bytes bytes;
    mrw_status status = MRW_ERR_OUT_OF_MEMORY;
    uint32_t failures = 0;
    for (uint32_t fail_at = 1; status != MRW_OK; fail_at++) {
        failing_heap heap = {0, 0, fail_at};
        mrw_memory_options memory = failing_options(&heap);
        status = mrw_build_clip(&skeleton, "w\xff", tracks, 2, -1.0f, &memory, &bytes, NULL);
        if (status == MRW_OK) {
            assert_int_equal(heap.held_bytes, bytes.size_bytes);
            mrw_bytes_free(&bytes);
        } else {
            assert_int_equal(status, MRW_ERR_OUT_OF_MEMORY);
            assert_null(bytes.data);
            failures++;
        }
        assert_int_equal(heap.held_bytes, 0);
    }
    /* Name, tracks, constants, two lists for the times, tracks and values before any is in lanes,
     * what is written of both, three lists, one to sort, bases and their numbers, asset. */
    assert_int_equal(failures, 16);

    status = MRW_ERR_MEMORY_LIMIT;
    mrw_memory_options memory = mrw_memory_options_default();
    for (memory.limit_bytes = 64; status != MRW_OK; memory.limit_bytes += 64) {
        status = mrw_build_clip(&skeleton, "w", tracks, 2, -1.0f, &memory, &bytes, NULL);
        assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
    }
    mrw_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracks_come_out_sorted_and_share_times),
        cmocka_unit_test(the_order_of_the_list_is_no_part_of_the_result),
        cmocka_unit_test(rotations_are_normalised_and_tangents_are_not),
        cmocka_unit_test(the_duration_is_the_last_key_or_longer),
        cmocka_unit_test(names_may_be_anything),
        cmocka_unit_test(bad_tracks_are_named),
        cmocka_unit_test(another_skeleton_refuses_the_clip),
        cmocka_unit_test(many_tracks_are_quick),
        cmocka_unit_test(failing_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
