/* Playing, scrubbing, stepping and crossfading, on clips of 2 s, 1 s and no length at all. */
#include "core/timeline.h"

#include "unit/near.h"
#include "viewer/viewer_case.h"

enum { LONG, SHORT, STILL, CLIPS };

static mrw_scene *scene;
static mrw_character *character, *without_clips;
static view_timeline timeline;

static int make_characters(void **state)
{
    (void)state;
    static const float durations[CLIPS] = {2.0f, 1.0f, 0.0f};
    static const char *const names[CLIPS] = {"long", "short", "still"};
    scene = new_scene(1);
    without_clips = build_character(scene);
    for (int i = 0; i < CLIPS; i++) {
        const float times[] = {0.0f, durations[i]}, values[] = {0, 0, 0, 1, 2, 3};
        add_animation(scene, names[i]);
        add_channel(scene, 0, MRW_CHANNEL_TRANSLATION, MRW_INTERPOLATION_LINEAR,
                    durations[i] > 0.0f ? 2 : 1, 3, times, values);
    }
    character = build_character(scene);
    assert_int_equal(character->clip_count, CLIPS);
    return 0;
}

static int free_characters(void **state)
{
    (void)state;
    mrw_character_free(character);
    mrw_character_free(without_clips);
    mrw_scene_free(scene);
    return 0;
}

static int start(void **state)
{
    (void)state;
    timeline = view_timeline_start(character);
    return 0;
}

static void advance(double elapsed_s, double expected_s)
{
    view_timeline_advance(&timeline, character, elapsed_s);
    assert_near(timeline.time_s, expected_s, 1e-9);
}

static void the_first_clip_plays_in_a_loop(void **state)
{
    (void)state;
    assert_int_equal(timeline.clip, LONG);
    assert_true(timeline.playing && timeline.loop);
    assert_near(view_timeline_duration_s(&timeline, character), 2.0, 0.0);
    advance(0.5, 0.5);
    advance(1.0, 1.5);
    advance(0.75, 0.25);
    advance(7.0, 1.25);
    assert_true(timeline.playing);
}

static void the_end_of_a_loop_is_its_start(void **state)
{
    (void)state;
    advance(2.0, 0.0);
    advance(1.999, 1.999);
    advance(0.001, 0.0);
}

static void it_plays_backwards(void **state)
{
    (void)state;
    timeline.speed = -1.0;
    advance(0.5, 1.5);
    advance(1.75, 1.75);
    timeline.loop = false;
    advance(1.0, 0.75);
    assert_true(timeline.playing);
    advance(1.0, 0.0);
    assert_false(timeline.playing);
}

static void speed_scales_time(void **state)
{
    (void)state;
    timeline.speed = 0.25;
    advance(1.0, 0.25);
    timeline.speed = 3.0;
    advance(0.5, 1.75);
    timeline.speed = 0.0;
    advance(5.0, 1.75);
    assert_true(timeline.playing);
}

static void it_stops_at_the_end_without_a_loop(void **state)
{
    (void)state;
    timeline.loop = false;
    advance(0.0, 0.0);
    assert_true(timeline.playing);
    advance(1.5, 1.5);
    assert_true(timeline.playing);
    advance(1.5, 2.0);
    assert_false(timeline.playing);
    advance(1.0, 2.0);
}

static void playing_at_an_end_begins_at_the_other(void **state)
{
    (void)state;
    timeline.loop = false;
    advance(3.0, 2.0);
    view_timeline_toggle(&timeline, character);
    assert_true(timeline.playing);
    advance(0.25, 0.25);
    view_timeline_toggle(&timeline, character);
    assert_false(timeline.playing);
    advance(1.0, 0.25);
    timeline.speed = -1.0;
    view_timeline_scrub(&timeline, character, 0.0);
    view_timeline_toggle(&timeline, character);
    advance(0.25, 1.75);
}

static void scrubbing_stops_and_clamps(void **state)
{
    (void)state;
    view_timeline_scrub(&timeline, character, 1.25);
    assert_false(timeline.playing);
    assert_near(timeline.time_s, 1.25, 0.0);
    advance(1.0, 1.25);
    view_timeline_scrub(&timeline, character, 9.0);
    assert_near(timeline.time_s, 2.0, 0.0);
    view_timeline_scrub(&timeline, character, -9.0);
    assert_near(timeline.time_s, 0.0, 0.0);
    view_timeline_scrub(&timeline, character, (double)NAN);
    assert_near(timeline.time_s, 0.0, 0.0);
}

static void steps_are_thirtieths(void **state)
{
    (void)state;
    view_timeline_step(&timeline, character, 1);
    assert_false(timeline.playing);
    assert_near(timeline.time_s, 1.0 / 30.0, 1e-12);
    view_timeline_step(&timeline, character, -3);
    assert_near(timeline.time_s, 2.0 - 2.0 / 30.0, 1e-12);
    view_timeline_step(&timeline, character, 4);
    assert_near(timeline.time_s, 2.0 / 30.0, 1e-12);
    timeline.loop = false;
    view_timeline_step(&timeline, character, -9);
    assert_near(timeline.time_s, 0.0, 0.0);
    view_timeline_step(&timeline, character, 1000);
    assert_near(timeline.time_s, 2.0, 0.0);
}

static void a_chosen_clip_starts_at_its_start(void **state)
{
    (void)state;
    view_timeline_crossfade(&timeline, character, SHORT);
    advance(0.5, timeline.time_s + 0.5 * 2.0 / 1.5);
    view_timeline_choose(&timeline, character, SHORT);
    assert_int_equal(timeline.clip, SHORT);
    assert_int_equal(timeline.other_clip, -1);
    assert_near((double)timeline.fade, 0.0, 0.0);
    assert_near(timeline.time_s, 0.0, 0.0);
    assert_true(timeline.playing);
    view_timeline_choose(&timeline, character, CLIPS);
    assert_int_equal(timeline.clip, -1);
    view_timeline_choose(&timeline, character, -7);
    assert_int_equal(timeline.clip, -1);
}

static void clips_without_length_stand_still(void **state)
{
    (void)state;
    view_timeline_choose(&timeline, character, STILL);
    assert_near(view_timeline_duration_s(&timeline, character), 0.0, 0.0);
    advance(3.0, 0.0);
    view_timeline_step(&timeline, character, 2);
    assert_near(timeline.time_s, 0.0, 0.0);
    view_timeline_scrub(&timeline, character, 1.0);
    assert_near(timeline.time_s, 0.0, 0.0);
    timeline.loop = false;
    timeline.playing = true;
    advance(3.0, 0.0);
}

static void without_clips_it_is_the_rest_pose(void **state)
{
    (void)state;
    timeline = view_timeline_start(without_clips);
    assert_int_equal(timeline.clip, -1);
    assert_false(timeline.playing);
    view_timeline_toggle(&timeline, without_clips);
    view_timeline_advance(&timeline, without_clips, 1.0);
    assert_near(timeline.time_s, 0.0, 0.0);
    view_timeline_choose(&timeline, without_clips, 0);
    assert_int_equal(timeline.clip, -1);
    view_timeline_step(&timeline, without_clips, 1);
    view_timeline_crossfade(&timeline, without_clips, 0);
    assert_int_equal(timeline.other_clip, -1);
    assert_near(view_timeline_other_time_s(&timeline, without_clips), 0.0, 0.0);
}

static void a_crossfade_keeps_the_phase(void **state)
{
    (void)state;
    timeline.other_clip = SHORT;
    timeline.time_s = 1.5;
    assert_near(view_timeline_other_time_s(&timeline, character), 0.75, 1e-12);
    timeline.time_s = 2.0;
    assert_near(view_timeline_other_time_s(&timeline, character), 1.0, 0.0);
}

/* Of 2 s and 1 s, a quarter of the way: one cycle lasts 1.75 s. */
static void a_crossfade_is_as_fast_as_what_is_seen(void **state)
{
    (void)state;
    timeline.other_clip = SHORT;
    timeline.fade = 0.25f;
    advance(0.875, 1.0);
    timeline.fade = 1.0f; /* all the other: 0.25 s of its one second */
    advance(0.25, 1.5);
    timeline.fade = 0.0f;
    advance(0.25, 1.75);
}

static void the_clip_that_is_seen_more_stays(void **state)
{
    (void)state;
    view_timeline_crossfade(&timeline, character, SHORT);
    assert_int_equal(timeline.other_clip, SHORT);
    assert_near((double)timeline.fade, 0.5, 0.0);
    timeline.time_s = 1.0;
    timeline.fade = 0.7f;
    view_timeline_crossfade(&timeline, character, -1);
    assert_int_equal(timeline.clip, SHORT);
    assert_int_equal(timeline.other_clip, -1);
    assert_near(timeline.time_s, 0.5, 1e-12);
    view_timeline_crossfade(&timeline, character, LONG);
    timeline.fade = 0.2f;
    view_timeline_crossfade(&timeline, character, -1);
    assert_int_equal(timeline.clip, SHORT);
    assert_near(timeline.time_s, 0.5, 1e-12);
}

/* From a still pose into a clip: the timeline is the clip's. */
static void a_still_pose_fades_into_a_clip(void **state)
{
    (void)state;
    view_timeline_choose(&timeline, character, STILL);
    view_timeline_crossfade(&timeline, character, LONG);
    assert_near(view_timeline_duration_s(&timeline, character), 2.0, 0.0);
    advance(0.5, 0.5);
    assert_near(view_timeline_other_time_s(&timeline, character), 0.5, 1e-12);
}

static void nonsense_does_no_harm(void **state)
{
    (void)state;
    advance(0.5, 0.5);
    advance((double)NAN, 0.5);
    advance(-1.0, 0.5);
    timeline.speed = (double)NAN;
    advance(1.0, 0.5);
    timeline.speed = 1e300;
    view_timeline_advance(&timeline, character, 1.0);
    assert_true(timeline.time_s >= 0.0 && timeline.time_s < 2.0);
    timeline.speed = 1.0;
    timeline.time_s = (double)INFINITY;
    view_timeline_advance(&timeline, character, 0.25);
    assert_near(timeline.time_s, 0.25, 1e-12);
    timeline.clip = 99;
    timeline.other_clip = -99;
    view_timeline_advance(&timeline, character, 0.25);
    assert_near(timeline.time_s, 0.0, 0.0);
    /* A window that slept for a year is not wound through it. */
    timeline = view_timeline_start(character);
    view_timeline_advance(&timeline, character, 3.2e7);
    assert_true(timeline.time_s >= 0.0 && timeline.time_s < 2.0);
}

#define TEST(function) cmocka_unit_test_setup(function, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_first_clip_plays_in_a_loop),
        TEST(the_end_of_a_loop_is_its_start),
        TEST(it_plays_backwards),
        TEST(speed_scales_time),
        TEST(it_stops_at_the_end_without_a_loop),
        TEST(playing_at_an_end_begins_at_the_other),
        TEST(scrubbing_stops_and_clamps),
        TEST(steps_are_thirtieths),
        TEST(a_chosen_clip_starts_at_its_start),
        TEST(clips_without_length_stand_still),
        TEST(without_clips_it_is_the_rest_pose),
        TEST(a_crossfade_keeps_the_phase),
        TEST(a_crossfade_is_as_fast_as_what_is_seen),
        TEST(the_clip_that_is_seen_more_stays),
        TEST(a_still_pose_fades_into_a_clip),
        TEST(nonsense_does_no_harm),
    };
    return cmocka_run_group_tests(tests, make_characters, free_characters);
}
