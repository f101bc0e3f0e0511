#include "native/panel.h"

#include <math.h>
#include <string.h>

#define CORNER 8.0f
#define SMALL_CORNER 5.0f

/* --- the pointer ------------------------------------------------------------------- */

void view_panels_begin(view_panels *panels, view_canvas *canvas)
{
    panels->canvas = canvas;
    panels->covered_count = 0;
}

void view_panels_end(view_panels *panels)
{
    panels->pointer.pressed = false;
    panels->pointer.wheel = 0.0f;
    if (!panels->pointer.down)
        panels->dragged = NULL;
}

bool view_panels_cover(const view_panels *panels, float x, float y)
{
    for (uint32_t i = 0; i < panels->covered_count; i++)
        if (view_rect_contains(&panels->covered[i], x, y))
            return true;
    return false;
}

void view_panels_add_cover(view_panels *panels, view_rect rect)
{
    if (panels->covered_count < VIEW_COVERED_LIMIT)
        panels->covered[panels->covered_count++] = rect;
}

bool view_panels_hover(const view_panels *panels, view_rect rect)
{
    return panels->dragged == NULL && !panels->pointer.down &&
           view_rect_contains(&rect, panels->pointer.x, panels->pointer.y);
}

bool view_panels_press(const view_panels *panels, view_rect rect)
{
    return panels->pointer.pressed && panels->dragged == NULL &&
           view_rect_contains(&rect, panels->pointer.press_x, panels->pointer.press_y);
}

/* --- panels ------------------------------------------------------------------------ */

void view_panel_open(view_panels *panels, float x, float y, float width)
{
    panels->panel = (view_rect){x, y, width, 0.0f};
    panels->y = y + VIEW_PADDING;
    panels->background = view_canvas_box(panels->canvas, panels->panel, CORNER, VIEW_INK_PANEL);
}

float view_panel_close(view_panels *panels)
{
    view_rect panel = panels->panel;
    panel.height = panels->y + VIEW_PADDING - panel.y;
    view_canvas_move_box(panels->canvas, panels->background, panel, CORNER);
    view_panels_add_cover(panels, panel);
    return panel.height;
}

view_rect view_panel_row(view_panels *panels, float height)
{
    view_rect row = {panels->panel.x + VIEW_PADDING, panels->y,
                     panels->panel.width - 2.0f * VIEW_PADDING, height};
    panels->y += height;
    return row;
}

void view_panel_gap(view_panels *panels, float height)
{
    panels->y += height;
}

/* --- text -------------------------------------------------------------------------- */

static float middle(const view_panels *panels, view_type type, view_rect rect)
{
    return rect.y + 0.5f * (rect.height - view_canvas_line(panels->canvas, type));
}

static void left_text(view_panels *panels, view_type type, view_rect rect, view_ink ink,
                      const char *text)
{
    view_canvas_text_fit(panels->canvas, type, rect.x, middle(panels, type, rect), rect.width, ink,
                         text);
}

void view_centered_text(view_panels *panels, view_type type, view_rect rect, view_ink ink,
                        const char *text)
{
    float width = fminf(view_canvas_text_width(panels->canvas, type, text), rect.width);
    view_canvas_text_fit(panels->canvas, type, rect.x + 0.5f * (rect.width - width),
                         middle(panels, type, rect), rect.width, ink, text);
}

/* Returns how wide it is. */
static float right_text(view_panels *panels, view_type type, view_rect rect, view_ink ink,
                        const char *text)
{
    float width = fminf(view_canvas_text_width(panels->canvas, type, text), rect.width);
    view_canvas_text_fit(panels->canvas, type, rect.x + rect.width - width,
                         middle(panels, type, rect), rect.width, ink, text);
    return width;
}

void view_panel_title(view_panels *panels, const char *text)
{
    left_text(panels, VIEW_TYPE_BOLD, view_panel_row(panels, 20.0f), VIEW_INK_TEXT, text);
}

void view_panel_heading(view_panels *panels, const char *text)
{
    view_panel_gap(panels, 8.0f);
    left_text(panels, VIEW_TYPE_BOLD, view_panel_row(panels, VIEW_ROW), VIEW_INK_TEXT, text);
}

void view_panel_note(view_panels *panels, view_ink ink, const char *text)
{
    left_text(panels, VIEW_TYPE_SMALL, view_panel_row(panels, 17.0f), ink, text);
}

void view_panel_value(view_panels *panels, const char *name, view_ink ink, const char *value)
{
    view_rect row = view_panel_row(panels, 20.0f);
    float taken = right_text(panels, VIEW_TYPE_TEXT, row, ink, value);
    row.width -= taken + 8.0f;
    left_text(panels, VIEW_TYPE_SMALL, row, VIEW_INK_DIM, name);
}

/* --- controls ---------------------------------------------------------------------- */

/* What answers to the pointer lights up over the whole width of the panel. */
static void light_up(view_panels *panels, view_rect rect)
{
    if (!view_panels_hover(panels, rect))
        return;
    view_rect wide = {rect.x - 6.0f, rect.y, rect.width + 12.0f, rect.height};
    view_canvas_box(panels->canvas, wide, SMALL_CORNER, VIEW_INK_HOVER);
}

bool view_panel_toggle(view_panels *panels, const char *name, const char *key, bool on)
{
    const view_rect row = view_panel_row(panels, VIEW_ROW);
    const float width = 26.0f, height = 14.0f, knob = 10.0f;
    const view_rect well = {row.x + row.width - width, row.y + 0.5f * (row.height - height), width,
                            height};
    light_up(panels, row);
    view_canvas_box(panels->canvas, well, 0.5f * height, on ? VIEW_INK_ACCENT : 0xffffff38u);
    const float at = on ? well.x + width - knob - 2.0f : well.x + 2.0f;
    view_canvas_box(panels->canvas, (view_rect){at, well.y + 2.0f, knob, knob}, 0.5f * knob,
                    on ? 0x10141bffu : 0xd5dae2ffu);
    view_rect words = row;
    words.width -= width + 8.0f;
    words.width -= right_text(panels, VIEW_TYPE_SMALL, words, VIEW_INK_DIM, key) + 6.0f;
    left_text(panels, VIEW_TYPE_TEXT, words, VIEW_INK_TEXT, name);
    return view_panels_press(panels, row);
}

int view_panel_choice(view_panels *panels, const char *const *words, int count, int chosen)
{
    const view_rect row = view_panel_row(panels, VIEW_ROW);
    float words_width = 0.0f;
    for (int i = 0; i < count; i++)
        words_width += view_canvas_text_width(panels->canvas, VIEW_TYPE_SMALL, words[i]);
    const float spare = (row.width - words_width) / (float)count;
    int clicked = -1;
    view_canvas_box(panels->canvas, row, SMALL_CORNER, VIEW_INK_WELL);
    view_rect cell = row;
    for (int i = 0; i < count; i++, cell.x += cell.width) {
        cell.width = view_canvas_text_width(panels->canvas, VIEW_TYPE_SMALL, words[i]) + spare;
        view_rect inner = {cell.x + 2.0f, cell.y + 2.0f, cell.width - 4.0f, cell.height - 4.0f};
        if (i == chosen)
            view_canvas_box(panels->canvas, inner, SMALL_CORNER - 1.0f, VIEW_INK_ACCENT);
        else if (view_panels_hover(panels, cell))
            view_canvas_box(panels->canvas, inner, SMALL_CORNER - 1.0f, VIEW_INK_HOVER);
        view_centered_text(panels, VIEW_TYPE_SMALL, cell, i == chosen ? 0x0d1117ffu : VIEW_INK_TEXT,
                           words[i]);
        if (view_panels_press(panels, cell))
            clicked = i;
    }
    return clicked;
}

bool view_slider(view_panels *panels, const void *id, view_rect rect, float *value)
{
    const float thickness = 4.0f, knob = 14.0f;
    const float left = rect.x + 0.5f * knob, length = rect.width - knob;
    const float middle_y = rect.y + 0.5f * rect.height;
    bool moved = false;
    if (view_panels_press(panels, rect))
        panels->dragged = id;
    if (panels->dragged == id) {
        float wanted = fmaxf(0.0f, fminf(1.0f, (panels->pointer.x - left) / length));
        moved = wanted != *value;
        *value = wanted;
    }
    const float shown = fmaxf(0.0f, fminf(1.0f, *value));
    const bool lit = panels->dragged == id || view_panels_hover(panels, rect);
    view_rect well = {left, middle_y - 0.5f * thickness, length, thickness};
    view_canvas_box(panels->canvas, well, 0.5f * thickness, 0xffffff38u);
    well.width *= shown;
    view_canvas_box(panels->canvas, well, 0.5f * thickness, VIEW_INK_ACCENT);
    view_rect grip = {left + length * shown - 0.5f * knob, middle_y - 0.5f * knob, knob, knob};
    view_canvas_box(panels->canvas, grip, 0.5f * knob, lit ? 0xffffffffu : 0xd5dae2ffu);
    return moved;
}

bool view_panel_slider(view_panels *panels, float *value)
{
    return view_slider(panels, value, view_panel_row(panels, VIEW_ROW), value);
}

bool view_button(view_panels *panels, view_rect rect, bool on, const char *word)
{
    if (on)
        view_canvas_box(panels->canvas, rect, SMALL_CORNER, VIEW_INK_CHOSEN);
    else if (view_panels_hover(panels, rect))
        view_canvas_box(panels->canvas, rect, SMALL_CORNER, VIEW_INK_WELL);
    view_centered_text(panels, VIEW_TYPE_SMALL, rect, on ? VIEW_INK_ACCENT : VIEW_INK_TEXT, word);
    return view_panels_press(panels, rect);
}
