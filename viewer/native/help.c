#include "native/help.h"

#include "core/commands.h"
#include "native/overlay.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct help_line {
    const char *key;
    const char *help;
} help_line;

static const help_line mouse_lines[] = {
    {"Drag", "turn around it"},     {"Right drag", "move it; Shift and drag too"},
    {"Wheel", "nearer or farther"}, {"Click", "select a joint"},
    {"Drop a file", "open it"},
};

#define KEY_LINE(name, key, shown, help) {shown, help},
static const help_line window_lines[] = {VIEW_WINDOW_KEYS(KEY_LINE)};
#undef KEY_LINE

enum {
    MOUSE_COUNT = sizeof(mouse_lines) / sizeof(mouse_lines[0]),
    WINDOW_COUNT = sizeof(window_lines) / sizeof(window_lines[0]),
    LINE_COUNT = MOUSE_COUNT + VIEW_COMMAND_COUNT + WINDOW_COUNT
};

/* A key as it is written on keyboards. */
static const char *key_cap(const char *key, char out[16])
{
    static const char *const caps[][2] = {
        {"minus", "\xe2\x88\x92"}, {"equal", "+"}, {"comma", ","},
        {"period", "."},           {"slash", "/"}, {"escape", "Esc"}};
    for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++)
        if (strcmp(key, caps[i][0]) == 0)
            return caps[i][1];
    snprintf(out, 16, "%s", key);
    out[0] = (char)toupper((unsigned char)out[0]);
    return out;
}

static help_line line_at(int index, char cap[16])
{
    if (index < MOUSE_COUNT)
        return mouse_lines[index];
    index -= MOUSE_COUNT;
    if (index < VIEW_COMMAND_COUNT)
        return (help_line){key_cap(view_command_infos[index].key, cap),
                           view_command_infos[index].help};
    return window_lines[index - VIEW_COMMAND_COUNT];
}

#define LINE_HEIGHT 20.0f
#define GAP 14.0f /* around and between the columns */

typedef struct help_layout {
    int columns;
    int rows;
    float key_widths[2];
    float help_widths[2];
    view_rect area;
} help_layout;

/* Columns are as wide as what is in them, and give way together where the window is narrow. */
static help_layout lay_out(view_canvas *canvas)
{
    help_layout layout = {0};
    const float room = view_canvas_width(canvas) - 12.0f;
    layout.columns = room >= 540.0f ? 2 : 1;
    layout.rows = (LINE_COUNT + layout.columns - 1) / layout.columns;
    for (int i = 0; i < LINE_COUNT; i++) {
        char cap[16];
        const help_line line = line_at(i, cap);
        float *key_width = &layout.key_widths[i / layout.rows];
        float *help_width = &layout.help_widths[i / layout.rows];
        float width = view_canvas_text_width(canvas, VIEW_TYPE_SMALL, line.key) + GAP;
        *key_width = fmaxf(*key_width, width);
        *help_width =
            fmaxf(*help_width, view_canvas_text_width(canvas, VIEW_TYPE_SMALL, line.help) + 1.0f);
    }
    const float others =
        GAP * (float)(layout.columns + 1) + layout.key_widths[0] + layout.key_widths[1];
    const float texts = layout.help_widths[0] + layout.help_widths[1];
    const float shrink = fminf(1.0f, (room - others) / texts);
    layout.help_widths[0] *= shrink;
    layout.help_widths[1] *= shrink;
    view_rect *area = &layout.area;
    area->width = texts * shrink + others;
    area->height = (float)layout.rows * LINE_HEIGHT + 64.0f;
    area->x = 0.5f * (view_canvas_width(canvas) - area->width);
    area->y = fmaxf(6.0f, 0.5f * (view_canvas_height(canvas) - area->height));
    return layout;
}

bool view_help_takes_press(view_panels *panels)
{
    bool pressed = view_panels_press(panels, lay_out(panels->canvas).area);
    if (pressed)
        panels->pointer.pressed = false;
    return pressed;
}

void view_help_draw(view_panels *panels)
{
    view_canvas *canvas = panels->canvas;
    const help_layout layout = lay_out(canvas);
    const view_rect area = layout.area;
    view_canvas_box(canvas, area, 10.0f, 0x11141af4u);
    view_panels_add_cover(panels, area);
    view_canvas_text(canvas, VIEW_TYPE_BOLD, area.x + GAP, area.y + 14.0f, VIEW_INK_TEXT,
                     "Mouse and keys");
    for (int i = 0; i < LINE_COUNT; i++) {
        char cap[16];
        const help_line line = line_at(i, cap);
        const int column = i / layout.rows;
        const float key_width = layout.key_widths[column];
        const float y = area.y + 46.0f + LINE_HEIGHT * (float)(i % layout.rows);
        float x = area.x + GAP;
        if (column == 1)
            x += layout.key_widths[0] + layout.help_widths[0] + GAP;
        view_canvas_text(canvas, VIEW_TYPE_SMALL, x, y, VIEW_INK_ACCENT, line.key);
        view_canvas_text_fit(canvas, VIEW_TYPE_SMALL, x + key_width, y, layout.help_widths[column],
                             VIEW_INK_TEXT, line.help);
    }
}
