#include "native/overlay.h"

#include "native/help.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN 10.0f
#define BAR_HEIGHT 48.0f
#define MESSAGE_SHOWN_S 4.0

typedef struct side_widths {
    float left, right;
} side_widths;

static side_widths widths_of(const view_canvas *canvas)
{
    bool narrow = view_canvas_width(canvas) < 800.0f;
    return (side_widths){narrow ? 178.0f : 220.0f, narrow ? 194.0f : 220.0f};
}

/* A window of a few inches has the bar alone; keys still do everything. */
static bool has_room_at_sides(const view_canvas *canvas)
{
    return view_canvas_width(canvas) >= 600.0f && view_canvas_height(canvas) >= 460.0f;
}

void view_overlay_say(view_overlay *overlay, bool is_error, double now_s, const char *text)
{
    snprintf(overlay->message, sizeof(overlay->message), "%s", text);
    overlay->message_is_error = is_error;
    overlay->message_until_s = now_s + MESSAGE_SHOWN_S;
}

/* --- names of joints --------------------------------------------------------------- */

enum { LABEL_LIMIT = 512, PLACE_COUNT = 4 };

static bool overlap(view_rect a, view_rect b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

static bool is_free(const view_panels *panels, const view_rect *taken, uint32_t taken_count,
                    view_rect wanted)
{
    for (uint32_t i = 0; i < panels->covered_count; i++)
        if (overlap(panels->covered[i], wanted))
            return false;
    for (uint32_t i = 0; i < taken_count; i++)
        if (overlap(taken[i], wanted))
            return false;
    return true;
}

/* Beside the joint, below or above it: the first place that is free. False: there is none, and the
 * name is left out, since two names over each other are none at all. */
static bool place_label(const view_panels *panels, const view_rect *taken, uint32_t taken_count,
                        float x, float y, view_rect *label)
{
    const float gap = 7.0f, w = label->width, h = label->height;
    const float places[PLACE_COUNT][2] = {{x + gap, y - 0.5f * h},
                                          {x - gap - w, y - 0.5f * h},
                                          {x - 0.5f * w, y + gap},
                                          {x - 0.5f * w, y - gap - h}};
    for (int i = 0; i < PLACE_COUNT; i++) {
        label->x = places[i][0];
        label->y = places[i][1];
        if (is_free(panels, taken, taken_count, *label))
            return true;
    }
    return false;
}

static void draw_label(view_canvas *canvas, view_rect place, bool selected, const char *text)
{
    view_canvas_box(canvas, place, 4.0f, selected ? VIEW_INK_PANEL : 0x15181fb8u);
    view_canvas_text(canvas, VIEW_TYPE_SMALL, place.x + 5.0f, roundf(place.y) + 1.0f,
                     selected ? VIEW_INK_ACCENT : VIEW_INK_TEXT, text);
}

static void draw_labels(const view_overlay *overlay, const view_viewer *viewer, view_canvas *canvas,
                        float scale)
{
    view_label labels[LABEL_LIMIT];
    view_rect taken[LABEL_LIMIT];
    uint32_t count = view_viewer_labels(viewer, labels, LABEL_LIMIT), taken_count = 0;
    count = count < LABEL_LIMIT ? count : LABEL_LIMIT;
    /* The selected joint chooses first. */
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) {
            bool selected = labels[i].joint == viewer->selected_joint;
            if (selected != (pass == 0))
                continue;
            view_rect place = {0.0f, 0.0f, 0.0f, 0.0f};
            place.width = view_canvas_text_width(canvas, VIEW_TYPE_SMALL, labels[i].text) + 10.0f;
            place.height = view_canvas_line(canvas, VIEW_TYPE_SMALL) + 3.0f;
            if (!place_label(&overlay->panels, taken, taken_count, labels[i].x / scale,
                             labels[i].y / scale, &place))
                continue;
            taken[taken_count++] = place;
            draw_label(canvas, place, selected, labels[i].text);
        }
}

/* --- left: file and clips ---------------------------------------------------------- */

static const char *clip_name(const view_viewer *viewer, int32_t clip)
{
    if (clip < 0)
        return "rest pose";
    const char *name = viewer->character->clips[clip].name;
    return name[0] != '\0' ? name : "(no name)";
}

static void grouped(char out[16], uint32_t number)
{
    if (number >= 1000000)
        snprintf(out, 16, "%u,%03u,%03u", (unsigned)(number / 1000000),
                 (unsigned)(number / 1000 % 1000), (unsigned)(number % 1000));
    else if (number >= 1000)
        snprintf(out, 16, "%u,%03u", (unsigned)(number / 1000), (unsigned)(number % 1000));
    else
        snprintf(out, 16, "%u", (unsigned)number);
}

static void file_rows(view_overlay *overlay, const view_viewer *viewer)
{
    const view_stats *stats = &viewer->stats;
    char joints[16], vertices[16], text[96];
    view_panel_title(&overlay->panels, overlay->file_name);
    grouped(joints, stats->joint_count);
    grouped(vertices, stats->vertex_count);
    snprintf(text, sizeof(text), "%s joints, %s vertices", joints, vertices);
    view_panel_note(&overlay->panels, VIEW_INK_DIM, text);
    if (stats->character_count > 1) {
        snprintf(text, sizeof(text), "%u characters", (unsigned)stats->character_count);
        view_panel_note(&overlay->panels, VIEW_INK_DIM, text);
    }
    snprintf(text, sizeof(text), "pose %.2f, draw %.*f ms", stats->evaluate_s * 1e3,
             stats->draw_s < 0.01 ? 1 : 0, stats->draw_s * 1e3);
    if (overlay->frames_per_s > 0.0f)
        snprintf(text, sizeof(text), "%.0f fps, pose %.2f ms", (double)overlay->frames_per_s,
                 stats->evaluate_s * 1e3);
    view_panel_note(&overlay->panels, VIEW_INK_DIM, text);
}

/* A click plays the clip; "mix" at its end crossfades with it, and ends that. */
static void clip_row(view_overlay *overlay, view_viewer *viewer, view_rect row, view_rect list,
                     int32_t clip)
{
    view_panels *panels = &overlay->panels;
    const view_timeline *timeline = &viewer->timeline;
    const float mix_width = 36.0f;
    view_rect wide = {row.x - 6.0f, row.y, row.width + 12.0f, row.height};
    view_rect mix = {row.x + row.width - mix_width + 4.0f, row.y + 2.0f, mix_width,
                     row.height - 4.0f};
    const bool is_current = timeline->clip == clip,
               is_other = clip >= 0 && timeline->other_clip == clip;
    const bool in_list = view_rect_contains(&list, panels->pointer.x, panels->pointer.y);
    const bool hovered = in_list && view_panels_hover(panels, wide);
    const bool can_mix = clip >= 0 && timeline->clip >= 0 && !is_current;
    const bool pressed =
        view_rect_contains(&list, panels->pointer.press_x, panels->pointer.press_y) &&
        view_panels_press(panels, wide);
    if (is_current || hovered)
        view_canvas_box(panels->canvas, wide, 5.0f, is_current ? VIEW_INK_CHOSEN : VIEW_INK_HOVER);
    const bool shows_mix = can_mix && (hovered || is_other);
    char duration[24] = "";
    if (clip >= 0)
        snprintf(duration, sizeof(duration), "%.2f s",
                 (double)viewer->character->clips[clip].duration_s);
    float taken =
        shows_mix ? mix_width : view_canvas_text_width(panels->canvas, VIEW_TYPE_SMALL, duration);
    float text_y = row.y + 0.5f * (row.height - view_canvas_line(panels->canvas, VIEW_TYPE_TEXT));
    view_canvas_text_fit(panels->canvas, VIEW_TYPE_TEXT, row.x, text_y, row.width - taken - 6.0f,
                         is_current || is_other ? VIEW_INK_ACCENT : VIEW_INK_TEXT,
                         clip_name(viewer, clip));
    bool mixed = false;
    if (shows_mix)
        mixed = view_button(panels, mix, is_other, "mix") && pressed;
    else
        view_canvas_text(
            panels->canvas, VIEW_TYPE_SMALL, row.x + row.width - taken,
            row.y + 0.5f * (row.height - view_canvas_line(panels->canvas, VIEW_TYPE_SMALL)),
            VIEW_INK_DIM, duration);
    if (mixed) {
        view_timeline_crossfade(&viewer->timeline, viewer->character, is_other ? -1 : clip);
    } else if (pressed) {
        view_viewer_set_clip(viewer, clip);
    }
}

/* Scrolled by the wheel, and to the clip that a key has chosen. */
static void scroll_list(view_overlay *overlay, const view_viewer *viewer, view_rect list,
                        uint32_t row_count)
{
    const view_pointer *pointer = &overlay->panels.pointer;
    const float largest = fmaxf(0.0f, VIEW_ROW * (float)row_count - list.height);
    if (view_rect_contains(&list, pointer->x, pointer->y))
        overlay->list_scroll -= pointer->wheel * 2.0f * VIEW_ROW;
    if (overlay->listed_clip != viewer->timeline.clip) {
        overlay->listed_clip = viewer->timeline.clip;
        float top = VIEW_ROW * (float)(overlay->listed_clip + 1);
        overlay->list_scroll = fminf(overlay->list_scroll, top);
        overlay->list_scroll = fmaxf(overlay->list_scroll, top + VIEW_ROW - list.height);
    }
    overlay->list_scroll = fmaxf(0.0f, fminf(largest, overlay->list_scroll));
}

static void draw_scroll_bar(const view_overlay *overlay, view_rect list, uint32_t row_count)
{
    const float all = VIEW_ROW * (float)row_count;
    if (all <= list.height)
        return;
    view_rect bar = {list.x + list.width + 8.0f, list.y + list.height * overlay->list_scroll / all,
                     3.0f, list.height * list.height / all};
    view_canvas_box(overlay->panels.canvas, bar, 1.5f, 0xffffff50u);
}

static void clip_list(view_overlay *overlay, view_viewer *viewer, float height)
{
    view_panels *panels = &overlay->panels;
    const uint32_t row_count = viewer->character->clip_count + 1;
    float wanted = VIEW_ROW * (float)row_count;
    view_rect list = view_panel_row(panels, fmaxf(VIEW_ROW, fminf(wanted, height)));
    scroll_list(overlay, viewer, list, row_count);
    view_rect clip = {list.x - 6.0f, list.y, list.width + 12.0f, list.height};
    view_canvas_clip(panels->canvas, &clip);
    for (uint32_t i = 0; i < row_count; i++) {
        view_rect row = {list.x, list.y + VIEW_ROW * (float)i - overlay->list_scroll, list.width,
                         VIEW_ROW};
        if (overlap(row, list))
            clip_row(overlay, viewer, row, clip, (int32_t)i - 1);
    }
    view_canvas_clip(panels->canvas, NULL);
    draw_scroll_bar(overlay, list, row_count);
}

static void crossfade_rows(view_overlay *overlay, view_viewer *viewer)
{
    view_panels *panels = &overlay->panels;
    view_timeline *timeline = &viewer->timeline;
    view_panel_heading(panels, "Crossfade");
    if (timeline->other_clip < 0) {
        view_panel_note(panels, VIEW_INK_DIM, "mix a clip in, or press X");
        return;
    }
    view_panel_slider(panels, &timeline->fade);
    view_rect row = view_panel_row(panels, 17.0f);
    char text[96];
    snprintf(text, sizeof(text), "%.0f %% %s", (double)timeline->fade * 100.0,
             clip_name(viewer, timeline->other_clip));
    view_canvas_text_fit(panels->canvas, VIEW_TYPE_SMALL, row.x, row.y, row.width, VIEW_INK_DIM,
                         text);
}

static void draw_left(view_overlay *overlay, view_viewer *viewer)
{
    view_panels *panels = &overlay->panels;
    const bool can_fade = viewer->character->clip_count > 1;
    view_panel_open(panels, MARGIN, MARGIN, widths_of(panels->canvas).left);
    file_rows(overlay, viewer);
    view_panel_heading(panels, "Clips");
    const float end = view_canvas_height(panels->canvas) - BAR_HEIGHT - MARGIN - VIEW_PADDING;
    clip_list(overlay, viewer, end - panels->y - (can_fade ? 74.0f : 0.0f));
    if (can_fade)
        crossfade_rows(overlay, viewer);
    view_panel_close(panels);
}

/* --- right: what is shown and how --------------------------------------------------- */

static void show_rows(view_panels *panels, view_viewer *viewer)
{
    view_settings *settings = &viewer->settings;
    if (view_panel_toggle(panels, "Bones", "B", settings->bones))
        view_viewer_command(viewer, VIEW_BONES);
    if (view_panel_toggle(panels, "Joint names", "N", settings->names))
        view_viewer_command(viewer, VIEW_NAMES);
    if (view_panel_toggle(panels, "Bounds", "O", settings->box))
        view_viewer_command(viewer, VIEW_BOX);
    if (view_panel_toggle(panels, "Weights", "W", settings->heat))
        view_viewer_command(viewer, VIEW_HEAT);
}

static void percent_value(view_panels *panels, const char *name, view_ink ink, float part)
{
    char text[24];
    snprintf(text, sizeof(text), "%.1f %%", (double)part * 100.0);
    view_panel_value(panels, name, ink, text);
}

static void skinning_rows(view_panels *panels, view_viewer *viewer)
{
    static const char *const words[] = {"Linear", "Dual quat", "Blend"};
    static const mrw_skin_method methods[] = {MRW_SKIN_LINEAR, MRW_SKIN_DUAL_QUAT,
                                              MRW_SKIN_BLENDED};
    view_settings *settings = &viewer->settings;
    const view_stats *stats = &viewer->stats;
    int chosen = 0;
    for (int i = 0; i < 3; i++)
        chosen = settings->method == methods[i] ? i : chosen;
    view_panel_heading(panels, "Skinning");
    int clicked = view_panel_choice(panels, words, 3, chosen);
    if (clicked >= 0)
        settings->method = methods[clicked];
    view_panel_gap(panels, 3.0f);
    if (settings->method == MRW_SKIN_BLENDED)
        view_panel_slider(panels, &settings->blend);
    const float lost = stats->lost.largest;
    percent_value(panels, "largest radius lost", lost > 0.1f ? VIEW_INK_WARNING : VIEW_INK_TEXT,
                  lost);
    if (settings->method != MRW_SKIN_LINEAR)
        percent_value(panels, "by linear skinning", VIEW_INK_DIM, stats->linear_lost);
    if (view_panel_toggle(panels, "Skin on the CPU", "C", settings->on_cpu))
        view_viewer_command(viewer, VIEW_CPU);
    if (settings->on_cpu && stats->has_gpu_difference) {
        char text[24];
        snprintf(text, sizeof(text), "%.1e", (double)stats->gpu_difference);
        view_panel_value(panels, "GPU difference", VIEW_INK_TEXT, text);
    }
}

/* The colours of heat_color in viewer/shaders/mesh_frag.glsl, from no weight to all of it. */
static void heat_legend(view_panels *panels)
{
    static const float stops[] = {0.0f, 0.35f, 0.7f, 1.0f};
    static const view_ink inks[] = {0x214dc7ffu, 0x26bdd6ffu, 0xfae04dffu, 0xe0291fffu};
    const view_rect row = view_panel_row(panels, 17.0f);
    const float word = view_canvas_text_width(panels->canvas, VIEW_TYPE_SMALL, "none") + 6.0f;
    const float length = row.width - 2.0f * word, left = row.x + word;
    for (int i = 0; i < 3; i++) {
        view_rect part = {left + stops[i] * length, row.y + 6.0f,
                          (stops[i + 1] - stops[i]) * length, 6.0f};
        view_canvas_gradient(panels->canvas, part, inks[i], inks[i + 1]);
    }
    view_canvas_text(panels->canvas, VIEW_TYPE_SMALL, row.x, row.y + 1.0f, VIEW_INK_DIM, "none");
    view_canvas_text(panels->canvas, VIEW_TYPE_SMALL, left + length + 6.0f, row.y + 1.0f,
                     VIEW_INK_DIM, "all");
}

static void joint_rows(view_panels *panels, const view_viewer *viewer)
{
    const mrw_skeleton *skeleton = &viewer->character->skeleton;
    view_panel_heading(panels, "Joint");
    if (viewer->selected_joint < 0) {
        view_panel_note(panels, VIEW_INK_DIM, "click one to select it");
        return;
    }
    const uint32_t joint = (uint32_t)viewer->selected_joint;
    char text[160] = "a root";
    if (skeleton->parents[joint] >= 0)
        snprintf(text, sizeof(text), "child of %s",
                 mrw_skeleton_joint_name(skeleton, (uint32_t)skeleton->parents[joint]));
    view_rect row = view_panel_row(panels, 20.0f);
    view_canvas_text_fit(panels->canvas, VIEW_TYPE_TEXT, row.x, row.y, row.width, VIEW_INK_ACCENT,
                         mrw_skeleton_joint_name(skeleton, joint));
    view_panel_note(panels, VIEW_INK_DIM, text);
    if (viewer->settings.heat)
        heat_legend(panels);
}

static void draw_right(view_overlay *overlay, view_viewer *viewer)
{
    view_panels *panels = &overlay->panels;
    const float width = widths_of(panels->canvas).right;
    view_panel_open(panels, view_canvas_width(panels->canvas) - width - MARGIN, MARGIN, width);
    show_rows(panels, viewer);
    skinning_rows(panels, viewer);
    joint_rows(panels, viewer);
    view_panel_close(panels);
}

/* --- bottom: time ------------------------------------------------------------------- */

typedef enum transport_icon {
    ICON_START,
    ICON_BACK,
    ICON_PLAY,
    ICON_PAUSE,
    ICON_ON
} transport_icon;

/* A triangle that points left (-1) or right (1), `half` points high and wide on each side. */
static void arrow(view_canvas *canvas, float x, float y, float half, float direction, view_ink ink)
{
    const float corners[6] = {x - half * direction, y - half * 1.1f,      x - half * direction,
                              y + half * 1.1f,      x + half * direction, y};
    view_canvas_triangle(canvas, corners, ink);
}

static void bar(view_canvas *canvas, float x, float y, float half, view_ink ink)
{
    view_canvas_box(canvas, (view_rect){x - 1.5f, y - half * 1.1f, 3.0f, half * 2.2f}, 0.0f, ink);
}

static bool icon_button(view_panels *panels, view_rect rect, transport_icon icon)
{
    view_canvas *canvas = panels->canvas;
    const float x = rect.x + 0.5f * rect.width, y = rect.y + 0.5f * rect.height;
    const view_ink ink = VIEW_INK_TEXT;
    bool pressed = view_button(panels, rect, false, "");
    switch (icon) {
    case ICON_START:
        bar(canvas, x - 6.0f, y, 5.5f, ink);
        arrow(canvas, x + 2.0f, y, 5.5f, -1.0f, ink);
        break;
    case ICON_BACK:
        arrow(canvas, x - 3.0f, y, 5.5f, -1.0f, ink);
        bar(canvas, x + 6.0f, y, 5.5f, ink);
        break;
    case ICON_PLAY:
        arrow(canvas, x + 1.0f, y, 7.0f, 1.0f, VIEW_INK_ACCENT);
        break;
    case ICON_PAUSE:
        bar(canvas, x - 4.0f, y, 6.5f, VIEW_INK_ACCENT);
        bar(canvas, x + 4.0f, y, 6.5f, VIEW_INK_ACCENT);
        break;
    case ICON_ON:
        bar(canvas, x - 6.0f, y, 5.5f, ink);
        arrow(canvas, x + 3.0f, y, 5.5f, 1.0f, ink);
        break;
    }
    return pressed;
}

/* Returns where it ends. */
static float transport_buttons(view_panels *panels, view_viewer *viewer, float x, float y)
{
    const float side = 28.0f;
    const transport_icon icons[] = {ICON_START, ICON_BACK,
                                    viewer->timeline.playing ? ICON_PAUSE : ICON_PLAY, ICON_ON};
    static const view_command commands[] = {VIEW_TO_START, VIEW_STEP_BACK, VIEW_PLAY, VIEW_STEP_ON};
    for (int i = 0; i < 4; i++, x += side)
        if (icon_button(panels, (view_rect){x, y - 0.5f * side, side, side}, icons[i]))
            view_viewer_command(viewer, commands[i]);
    return x;
}

/* Marks at the finest of these intervals that leaves room between them. */
static void draw_ticks(view_canvas *canvas, view_rect track, double duration_s)
{
    static const double intervals_s[] = {1.0 / 30.0, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0};
    const float knob = 14.0f, left = track.x + 0.5f * knob, length = track.width - knob;
    for (uint32_t i = 0; i < sizeof(intervals_s) / sizeof(intervals_s[0]); i++) {
        if ((double)length * intervals_s[i] < 7.0 * duration_s)
            continue;
        for (int k = 0; k * intervals_s[i] <= duration_s * 1.0001; k++) {
            float x = left + (float)(k * intervals_s[i] / duration_s) * length;
            view_canvas_box(canvas,
                            (view_rect){x - 0.5f, track.y + track.height - 5.0f, 1.0f, 4.0f}, 0.0f,
                            0xffffff48u);
        }
        return;
    }
}

static void time_track(view_panels *panels, view_viewer *viewer, view_rect rect)
{
    view_timeline *timeline = &viewer->timeline;
    const double duration_s = view_timeline_duration_s(timeline, viewer->character);
    float value = duration_s > 0.0 ? (float)(timeline->time_s / duration_s) : 0.0f;
    if (duration_s > 0.0)
        draw_ticks(panels->canvas, rect, duration_s);
    if (view_slider(panels, timeline, rect, &value))
        view_timeline_scrub(timeline, viewer->character, (double)value * duration_s);
}

/* Slower, the speed (a click makes it 1 again), faster; whether it loops; help. */
static void right_buttons(view_panels *panels, view_viewer *viewer, float x, float y)
{
    const float height = 24.0f, top = y - 0.5f * height;
    view_timeline *timeline = &viewer->timeline;
    char speed[16];
    snprintf(speed, sizeof(speed), "%.3g\xc3\x97", timeline->speed);
    if (view_button(panels, (view_rect){x, top, 24.0f, height}, false, "\xe2\x88\x92"))
        view_viewer_command(viewer, VIEW_SLOWER);
    if (view_button(panels, (view_rect){x + 24.0f, top, 40.0f, height}, false, speed))
        timeline->speed = 1.0;
    if (view_button(panels, (view_rect){x + 64.0f, top, 24.0f, height}, false, "+"))
        view_viewer_command(viewer, VIEW_FASTER);
    if (view_button(panels, (view_rect){x + 94.0f, top, 40.0f, height}, timeline->loop, "loop"))
        view_viewer_command(viewer, VIEW_LOOP);
    if (view_button(panels, (view_rect){x + 140.0f, top, 40.0f, height}, viewer->settings.help,
                    "help"))
        view_viewer_command(viewer, VIEW_HELP);
}

static void draw_bar(view_overlay *overlay, view_viewer *viewer)
{
    view_panels *panels = &overlay->panels;
    const float width = view_canvas_width(panels->canvas);
    const view_rect area = {0.0f, view_canvas_height(panels->canvas) - BAR_HEIGHT, width,
                            BAR_HEIGHT};
    const float y = area.y + 0.5f * area.height, right_width = 190.0f, time_width = 96.0f;
    view_canvas_box(panels->canvas, area, 0.0f, VIEW_INK_PANEL);
    view_panels_add_cover(panels, area);
    float x = transport_buttons(panels, viewer, MARGIN, y) + 4.0f;
    char text[48];
    snprintf(text, sizeof(text), "%.2f / %.2f s", viewer->timeline.time_s,
             view_timeline_duration_s(&viewer->timeline, viewer->character));
    view_centered_text(panels, VIEW_TYPE_SMALL, (view_rect){x, area.y, time_width, area.height},
                       VIEW_INK_TEXT, text);
    x += time_width + 2.0f;
    const bool has_buttons = width - right_width - x > 60.0f;
    const float track_end = has_buttons ? width - right_width - 4.0f : width - MARGIN;
    if (track_end - x > 40.0f)
        time_track(panels, viewer, (view_rect){x, y - 16.0f, track_end - x, 32.0f});
    if (has_buttons)
        right_buttons(panels, viewer, width - right_width, y);
}

/* --- messages ------------------------------------------------------------------------ */

enum { MESSAGE_LINES = 8 };

/* Breaks at the last space that still fits. Returns the number of lines. */
static uint32_t wrap(view_canvas *canvas, const char *text, float width,
                     char lines[MESSAGE_LINES][VIEW_MESSAGE_SIZE])
{
    uint32_t count = 0;
    while (*text != '\0' && count < MESSAGE_LINES) {
        char *line = lines[count];
        size_t fitting = 0;
        for (size_t end = strcspn(text, " ");; end += 1 + strcspn(text + end + 1, " ")) {
            memcpy(line, text, end);
            line[end] = '\0';
            if (fitting > 0 && view_canvas_text_width(canvas, VIEW_TYPE_TEXT, line) > width)
                break;
            fitting = end;
            if (text[end] == '\0')
                break;
        }
        line[fitting] = '\0';
        text += fitting;
        text += strspn(text, " ");
        count++;
    }
    return count;
}

static void draw_message(view_overlay *overlay, double now_s)
{
    view_panels *panels = &overlay->panels;
    view_canvas *canvas = panels->canvas;
    if (!overlay->message_is_error && now_s > overlay->message_until_s)
        overlay->message[0] = '\0';
    if (overlay->message[0] == '\0')
        return;
    static char lines[MESSAGE_LINES][VIEW_MESSAGE_SIZE];
    side_widths sides = {0.0f, 0.0f};
    if (has_room_at_sides(canvas))
        sides = widths_of(canvas);
    const float line = 20.0f, from = sides.left + 2.0f * MARGIN;
    const float room = view_canvas_width(canvas) - sides.right - 2.0f * MARGIN - from;
    const float text_room = fminf(room, 560.0f) - 2.0f * VIEW_PADDING;
    uint32_t count = wrap(canvas, overlay->message, text_room, lines);
    float widest = 0.0f;
    for (uint32_t i = 0; i < count; i++)
        widest = fmaxf(widest, view_canvas_text_width(canvas, VIEW_TYPE_TEXT, lines[i]));
    widest = fminf(widest, text_room);
    view_rect box = {0.0f, 0.0f, widest + 2.0f * VIEW_PADDING, line * (float)count + 16.0f};
    box.x = from + 0.5f * (room - box.width);
    box.y = view_canvas_height(canvas) - BAR_HEIGHT - MARGIN - box.height;
    view_canvas_box(canvas, box, 8.0f, overlay->message_is_error ? 0x2a1416f0u : VIEW_INK_PANEL);
    view_panels_add_cover(panels, box);
    for (uint32_t i = 0; i < count; i++)
        view_canvas_text_fit(canvas, VIEW_TYPE_TEXT, box.x + VIEW_PADDING,
                             box.y + 9.0f + line * (float)i, widest + 1.0f,
                             overlay->message_is_error ? VIEW_INK_ERROR : VIEW_INK_TEXT, lines[i]);
    if (view_panels_press(panels, box))
        overlay->message[0] = '\0';
}

void view_overlay_draw(view_overlay *overlay, view_viewer *viewer, view_canvas *canvas, float scale,
                       double now_s)
{
    view_panels *panels = &overlay->panels;
    if (viewer->character != NULL)
        draw_labels(overlay, viewer, canvas, scale);
    view_panels_begin(panels, canvas);
    if (viewer->settings.help && view_help_takes_press(panels))
        view_viewer_command(viewer, VIEW_HELP);
    if (!overlay->hidden && viewer->character != NULL) {
        if (has_room_at_sides(canvas)) {
            draw_left(overlay, viewer);
            draw_right(overlay, viewer);
        }
        draw_bar(overlay, viewer);
    }
    draw_message(overlay, now_s);
    if (viewer->settings.help)
        view_help_draw(panels);
    view_panels_end(panels);
}
