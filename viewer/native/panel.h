/* A small immediate-mode interface: each frame says again what is on its panels, and a control
 * answers at once whether it was used. Points, as in canvas.h. */
#ifndef VIEW_NATIVE_PANEL_H
#define VIEW_NATIVE_PANEL_H

#include "native/canvas.h"

/* The inks of everything. */
#define VIEW_INK_PANEL 0x15181fe0u
#define VIEW_INK_TEXT 0xe9ecf1ffu
#define VIEW_INK_DIM 0x9da6b5ffu
#define VIEW_INK_ACCENT 0x58b0ffffu
#define VIEW_INK_WELL 0xffffff1eu /* what a slider slides in */
#define VIEW_INK_HOVER 0xffffff14u
#define VIEW_INK_CHOSEN 0x58b0ff40u
#define VIEW_INK_WARNING 0xffc663ffu
#define VIEW_INK_ERROR 0xff8080ffu

#define VIEW_ROW 24.0f
#define VIEW_PADDING 12.0f

/* The pointer since the last frame. */
typedef struct view_pointer {
    float x, y;
    bool pressed; /* the left button went down, at press_x, press_y */
    float press_x, press_y;
    bool down;
    float wheel; /* notches; away from the person is positive */
} view_pointer;

enum { VIEW_COVERED_LIMIT = 16 };

typedef struct view_panels {
    view_canvas *canvas;
    view_pointer pointer;
    const void *dragged;                   /* which slider the pointer holds; NULL: none */
    view_rect covered[VIEW_COVERED_LIMIT]; /* where this frame's panels lie */
    uint32_t covered_count;
    view_rect panel; /* the one that is being filled */
    float y;         /* where its next row begins */
    size_t background;
} view_panels;

void view_panels_begin(view_panels *panels, view_canvas *canvas);
/* What the pointer did has been seen. */
void view_panels_end(view_panels *panels);
/* Whether a point belongs to a panel and not to the picture. */
bool view_panels_cover(const view_panels *panels, float x, float y);
void view_panels_add_cover(view_panels *panels, view_rect rect);

/* Whether the pointer is over / was pressed in a rectangle, and no slider is held. */
bool view_panels_hover(const view_panels *panels, view_rect rect);
bool view_panels_press(const view_panels *panels, view_rect rect);

/* A panel of this width that is as high as its rows. */
void view_panel_open(view_panels *panels, float x, float y, float width);
/* Returns its height. */
float view_panel_close(view_panels *panels);
/* The next row of the panel, between its paddings. */
view_rect view_panel_row(view_panels *panels, float height);
void view_panel_gap(view_panels *panels, float height);

void view_panel_title(view_panels *panels, const char *text);
void view_panel_heading(view_panels *panels, const char *text);
void view_panel_note(view_panels *panels, view_ink ink, const char *text);
/* A name and a value at the right. */
void view_panel_value(view_panels *panels, const char *name, view_ink ink, const char *value);
/* A switch. True: it was clicked; the caller changes the value. key or "". */
bool view_panel_toggle(view_panels *panels, const char *name, const char *key, bool on);
/* Some words of which one is chosen. Returns the one that was clicked, else -1. */
int view_panel_choice(view_panels *panels, const char *const *words, int count, int chosen);
/* 0..1; true: it was moved. */
bool view_panel_slider(view_panels *panels, float *value);

/* Controls at a place of their own. `id` is any address that is the slider's alone. */
bool view_slider(view_panels *panels, const void *id, view_rect rect, float *value);
bool view_button(view_panels *panels, view_rect rect, bool on, const char *word);
/* The line of text in the middle of a rectangle. */
void view_centered_text(view_panels *panels, view_type type, view_rect rect, view_ink ink,
                        const char *text);

#endif
