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
#define KEY_WIDTH 74.0f

static int column_count(const view_canvas *canvas)
{
    return view_canvas_width(canvas) >= 560.0f ? 2 : 1;
}

static view_rect help_area(const view_canvas *canvas)
{
    const int columns = column_count(canvas), rows = (LINE_COUNT + columns - 1) / columns;
    view_rect area;
    area.width = fminf(view_canvas_width(canvas) - 12.0f, columns == 2 ? 740.0f : 380.0f);
    area.height = (float)rows * LINE_HEIGHT + 64.0f;
    area.x = 0.5f * (view_canvas_width(canvas) - area.width);
    area.y = fmaxf(6.0f, 0.5f * (view_canvas_height(canvas) - area.height));
    return area;
}

bool view_help_takes_press(view_panels *panels)
{
    bool pressed = view_panels_press(panels, help_area(panels->canvas));
    if (pressed)
        panels->pointer.pressed = false;
    return pressed;
}

void view_help_draw(view_panels *panels)
{
    view_canvas *canvas = panels->canvas;
    const view_rect area = help_area(canvas);
    const int columns = column_count(canvas), rows = (LINE_COUNT + columns - 1) / columns;
    const float column_width = (area.width - 16.0f * (float)(columns + 1)) / (float)columns;
    view_canvas_box(canvas, area, 10.0f, 0x11141af4u);
    view_panels_add_cover(panels, area);
    view_canvas_text(canvas, VIEW_TYPE_BOLD, area.x + 16.0f, area.y + 14.0f, VIEW_INK_TEXT,
                     "Mouse and keys");
    for (int i = 0; i < LINE_COUNT; i++) {
        char cap[16];
        const help_line line = line_at(i, cap);
        float x = area.x + 16.0f + (column_width + 16.0f) * (float)(i / rows);
        float y = area.y + 46.0f + LINE_HEIGHT * (float)(i % rows);
        view_canvas_text_fit(canvas, VIEW_TYPE_SMALL, x, y, KEY_WIDTH - 6.0f, VIEW_INK_ACCENT,
                             line.key);
        view_canvas_text_fit(canvas, VIEW_TYPE_SMALL, x + KEY_WIDTH, y, column_width - KEY_WIDTH,
                             VIEW_INK_TEXT, line.help);
    }
}
