#include "core/viewer_internal.h"

#define FADE_STEP 0.1f

static const double speeds[] = {0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0};
#define SPEED_COUNT ((int)(sizeof(speeds) / sizeof(speeds[0])))

/* To the next speed of the list; backwards stays backwards. */
static void change_speed(view_timeline *timeline, bool faster)
{
    bool backwards = timeline->speed < 0.0;
    double speed = backwards ? -timeline->speed : timeline->speed;
    double next = speed;
    for (int i = 0; i < SPEED_COUNT; i++) {
        double candidate = speeds[faster ? SPEED_COUNT - 1 - i : i];
        if (faster ? candidate > speed * 1.001 : candidate < speed * 0.999)
            next = candidate;
    }
    timeline->speed = backwards ? -next : next;
}

/* The rest pose comes between the last clip and the first. */
static void choose_clip(view_viewer *viewer, int32_t step)
{
    int32_t count = (int32_t)viewer->character->clip_count + 1;
    int32_t at = viewer->timeline.clip + 1;
    view_viewer_set_clip(viewer, (at + step + count) % count - 1);
}

static void toggle_crossfade(view_viewer *viewer)
{
    view_timeline *timeline = &viewer->timeline;
    int32_t count = (int32_t)viewer->character->clip_count;
    if (timeline->other_clip >= 0) {
        view_timeline_crossfade(timeline, viewer->character, -1);
        return;
    }
    int32_t next = count > 0 ? (timeline->clip + 1) % count : -1;
    if (next >= 0 && next != timeline->clip)
        view_timeline_crossfade(timeline, viewer->character, next);
}

static void change_fade(view_timeline *timeline, float step)
{
    if (timeline->other_clip < 0)
        return;
    float fade = timeline->fade + step;
    fade = fade > 0.5f * FADE_STEP ? fade : 0.0f; /* sums of tenths end where they should */
    timeline->fade = fade < 1.0f - 0.5f * FADE_STEP ? fade : 1.0f;
}

static void select_next(view_viewer *viewer)
{
    const uint32_t count = viewer->character->skeleton.joint_count;
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t joint = (uint32_t)(viewer->selected_joint + (int32_t)i) % count;
        if (viewer->internal->shown[joint]) {
            view_viewer_select(viewer, (int32_t)joint);
            return;
        }
    }
}

static void toggle_heat(view_viewer *viewer)
{
    viewer->settings.heat = !viewer->settings.heat;
    if (viewer->settings.heat && viewer->selected_joint < 0)
        select_next(viewer);
}

static mrw_skin_method next_method(mrw_skin_method method)
{
    switch (method) {
    case MRW_SKIN_LINEAR:
        return MRW_SKIN_DUAL_QUAT;
    case MRW_SKIN_DUAL_QUAT:
        return MRW_SKIN_BLENDED;
    case MRW_SKIN_BLENDED:
        break;
    }
    return MRW_SKIN_LINEAR;
}

/* Those that need a file. */
static void run_on_character(view_viewer *viewer, view_command command)
{
    view_timeline *timeline = &viewer->timeline;
    const mrw_character *character = viewer->character;
    switch (command) {
    case VIEW_PLAY:
        view_timeline_toggle(timeline, character);
        break;
    case VIEW_STEP_BACK:
        view_timeline_step(timeline, character, -1);
        break;
    case VIEW_STEP_ON:
        view_timeline_step(timeline, character, 1);
        break;
    case VIEW_TO_START:
        timeline->time_s = 0.0;
        break;
    case VIEW_NEXT_CLIP:
        choose_clip(viewer, 1);
        break;
    case VIEW_PREVIOUS_CLIP:
        choose_clip(viewer, -1);
        break;
    case VIEW_CROSSFADE:
        toggle_crossfade(viewer);
        break;
    case VIEW_FADE_LESS:
        change_fade(timeline, -FADE_STEP);
        break;
    case VIEW_FADE_MORE:
        change_fade(timeline, FADE_STEP);
        break;
    case VIEW_NEXT_JOINT:
        select_next(viewer);
        break;
    case VIEW_HEAT:
        toggle_heat(viewer);
        break;
    default:
        break;
    }
}

void view_viewer_command(view_viewer *viewer, view_command command)
{
    view_settings *settings = &viewer->settings;
    view_viewer_sanitize(viewer);
    switch (command) {
    case VIEW_SLOWER:
        change_speed(&viewer->timeline, false);
        break;
    case VIEW_FASTER:
        change_speed(&viewer->timeline, true);
        break;
    case VIEW_LOOP:
        viewer->timeline.loop = !viewer->timeline.loop;
        break;
    case VIEW_BONES:
        settings->bones = !settings->bones;
        break;
    case VIEW_NAMES:
        settings->names = !settings->names;
        break;
    case VIEW_BOX:
        settings->box = !settings->box;
        break;
    case VIEW_DESELECT:
        view_viewer_select(viewer, -1);
        break;
    case VIEW_METHOD:
        settings->method = next_method(settings->method);
        break;
    case VIEW_CPU:
        settings->on_cpu = !settings->on_cpu;
        break;
    case VIEW_FRAME:
        viewer->framed = false;
        break;
    case VIEW_HELP:
        settings->help = !settings->help;
        break;
    default:
        if (viewer->character != NULL)
            run_on_character(viewer, command);
        break;
    }
}
