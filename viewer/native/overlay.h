/* What lies over the picture: clips at the left, switches at the right, time at the bottom, names
 * of joints, messages, help. Controls change the viewer at once; the next frame shows it. */
#ifndef VIEW_NATIVE_OVERLAY_H
#define VIEW_NATIVE_OVERLAY_H

#include "core/viewer.h"
#include "native/panel.h"

enum { VIEW_MESSAGE_SIZE = 640 };

typedef struct view_overlay {
    view_panels panels;
    const char *file_name;           /* of what is shown */
    bool hidden;                     /* nothing but messages and help */
    char message[VIEW_MESSAGE_SIZE]; /* "": none */
    bool message_is_error;           /* stays until it is clicked or something else is said */
    double message_until_s;          /* of others */
    float frames_per_s;              /* 0: unknown */
    float list_scroll;               /* points by which the list of clips is moved up */
    int32_t listed_clip;             /* the list was last scrolled to it */
} view_overlay;

void view_overlay_say(view_overlay *overlay, bool is_error, double now_s, const char *text);

/* Adds everything to a canvas that has begun. scale: pixels of a point. */
void view_overlay_draw(view_overlay *overlay, view_viewer *viewer, view_canvas *canvas, float scale,
                       double now_s);

/* Keys that the window has beside those of commands.h: KEY(NAME, key, shown key, help). */
#define VIEW_WINDOW_KEYS(KEY)                                                                      \
    KEY(PICTURE, "p", "P", "save a picture; with Shift, the window")                               \
    KEY(PANELS, "u", "U", "hide or show the panels")                                               \
    KEY(QUIT, "q", "Q", "quit")

#endif
