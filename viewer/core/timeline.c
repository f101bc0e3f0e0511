#include "core/timeline.h"

#define FRAMES_PER_SECOND 30.0
#define LONGEST_ELAPSED_S 3600.0 /* a window may sleep */

static bool is_clip(const mrw_character *character, int32_t clip)
{
    return clip >= 0 && (uint32_t)clip < character->clip_count;
}

static double clip_duration_s(const mrw_character *character, int32_t clip)
{
    return is_clip(character, clip) ? (double)character->clips[clip].duration_s : 0.0;
}

static double finite_or_zero(double value)
{
    return value - value == 0.0 ? value : 0.0;
}

view_timeline view_timeline_start(const mrw_character *character)
{
    bool has_clip = character->clip_count > 0;
    view_timeline timeline = {has_clip ? 0 : -1, -1, 0.0f, 0.0, 1.0, has_clip, true};
    return timeline;
}

void view_timeline_choose(view_timeline *timeline, const mrw_character *character, int32_t clip)
{
    timeline->clip = is_clip(character, clip) ? clip : -1;
    timeline->other_clip = -1;
    timeline->fade = 0.0f;
    timeline->time_s = 0.0;
}

void view_timeline_crossfade(view_timeline *timeline, const mrw_character *character,
                             int32_t other_clip)
{
    if (is_clip(character, other_clip)) {
        timeline->other_clip = other_clip;
        timeline->fade = 0.5f;
        return;
    }
    if (is_clip(character, timeline->other_clip) && timeline->fade >= 0.5f) {
        timeline->time_s = view_timeline_other_time_s(timeline, character);
        timeline->clip = timeline->other_clip;
    }
    timeline->other_clip = -1;
    timeline->fade = 0.0f;
}

double view_timeline_duration_s(const view_timeline *timeline, const mrw_character *character)
{
    double duration_s = clip_duration_s(character, timeline->clip);
    return duration_s > 0.0 ? duration_s : clip_duration_s(character, timeline->other_clip);
}

/* In [0, duration_s): the remainder of a division, exact to a few units in the last place. */
static double wrapped(double time_s, double duration_s)
{
    double turns = time_s / duration_s;
    if (!(turns > -1e15 && turns < 1e15))
        return 0.0;
    double whole = (double)(int64_t)turns;
    if (whole > turns)
        whole -= 1.0;
    time_s -= whole * duration_s;
    return time_s >= 0.0 && time_s < duration_s ? time_s : 0.0;
}

static double clamped(double time_s, double duration_s)
{
    if (!(time_s > 0.0))
        return 0.0;
    return time_s < duration_s ? time_s : duration_s;
}

/* Seconds of `clip` in one second of the clock. A blend of two cycles of one phase lasts as long as
 * their mean, weighted as they are seen. */
static double pace(const view_timeline *timeline, const mrw_character *character)
{
    double speed = finite_or_zero(timeline->speed);
    double own_s = view_timeline_duration_s(timeline, character);
    double other_s = clip_duration_s(character, timeline->other_clip);
    if (!(own_s > 0.0 && other_s > 0.0))
        return speed;
    double fade = clamped((double)timeline->fade, 1.0);
    return speed * own_s / ((1.0 - fade) * own_s + fade * other_s);
}

void view_timeline_advance(view_timeline *timeline, const mrw_character *character,
                           double elapsed_s)
{
    double duration_s = view_timeline_duration_s(timeline, character);
    if (!timeline->playing)
        return;
    double seconds = pace(timeline, character) * clamped(elapsed_s, LONGEST_ELAPSED_S);
    double time_s = finite_or_zero(timeline->time_s) + seconds;
    if (!(duration_s > 0.0)) {
        timeline->time_s = 0.0;
    } else if (timeline->loop) {
        timeline->time_s = wrapped(time_s, duration_s);
    } else {
        timeline->time_s = clamped(time_s, duration_s);
        timeline->playing = seconds < 0.0 ? time_s > 0.0 : time_s < duration_s;
    }
}

void view_timeline_toggle(view_timeline *timeline, const mrw_character *character)
{
    double duration_s = view_timeline_duration_s(timeline, character);
    timeline->playing = !timeline->playing;
    if (!timeline->playing || timeline->loop)
        return;
    if (timeline->speed < 0.0 && !(timeline->time_s > 0.0))
        timeline->time_s = duration_s;
    else if (timeline->speed >= 0.0 && !(timeline->time_s < duration_s))
        timeline->time_s = 0.0;
}

void view_timeline_scrub(view_timeline *timeline, const mrw_character *character, double time_s)
{
    timeline->playing = false;
    timeline->time_s = clamped(time_s, view_timeline_duration_s(timeline, character));
}

void view_timeline_step(view_timeline *timeline, const mrw_character *character, int32_t frames)
{
    double duration_s = view_timeline_duration_s(timeline, character);
    double time_s = finite_or_zero(timeline->time_s) + (double)frames / FRAMES_PER_SECOND;
    timeline->playing = false;
    if (!(duration_s > 0.0))
        timeline->time_s = 0.0;
    else
        timeline->time_s =
            timeline->loop ? wrapped(time_s, duration_s) : clamped(time_s, duration_s);
}

double view_timeline_other_time_s(const view_timeline *timeline, const mrw_character *character)
{
    double own_s = view_timeline_duration_s(timeline, character);
    double other_s = clip_duration_s(character, timeline->other_clip);
    double time_s = finite_or_zero(timeline->time_s);
    return own_s > 0.0 ? time_s / own_s * other_s : 0.0;
}
