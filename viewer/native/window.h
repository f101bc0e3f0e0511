/* The viewer in a window of its own, through GLFW. One at a time. */
#ifndef VIEW_NATIVE_WINDOW_H
#define VIEW_NATIVE_WINDOW_H

#include "core/viewer.h"

typedef struct view_window_options {
    uint32_t width, height; /* 0: what suits the screen */
    bool allow_external;    /* see mrw_import_options: for files that are dropped or read again */
    /* Gets every message that the window shows, to keep it in a terminal; not NULL. */
    void (*report)(const char *message);
    /* Writes a picture that the person asked for: RGBA, the top row first. False: *out_reason is
     * one sentence that lives until the next call. */
    bool (*write_picture)(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                          const char **out_reason);
} view_window_options;

typedef struct view_window view_window;

/* NULL: there is no display, or nothing that draws; *out_reason is one sentence that lives until
 * the next call. */
view_window *view_window_open(const view_window_options *options, const char **out_reason);
void view_window_close(view_window *window);

/* Shows a file's scene and character, which the window owns from then on, also on failure. On
 * failure *out_reason is one sentence. */
bool view_window_show(view_window *window, const char *path, mrw_scene *scene,
                      mrw_character *character, const char **out_reason);

/* Its viewer, to set what it begins with. */
view_viewer *view_window_viewer(view_window *window);

/* Until the person closes it. */
void view_window_run(view_window *window);

#endif
