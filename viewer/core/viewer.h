/* An interactive viewer without its window: one file, what is shown of it, and how it is moved.
 *
 *     shell: window, browser --events--> viewer --draws--> backend
 *                            <--texts, numbers--
 *
 * Shells read and write the public fields, forward drags, keys and clicks, and call view_viewer_frame
 * once a frame.
 */
#ifndef VIEW_CORE_VIEWER_H
#define VIEW_CORE_VIEWER_H

#include "core/commands.h"
#include "core/viewer_crowd.h"
#include "core/lost_radius.h"
#include "core/orbit.h"
#include "core/renderer.h"
#include "core/selection.h"
#include "core/timeline.h"

#include <marrow/offline/load.h>

typedef struct view_settings {
    mrw_skin_method method;
    float blend;   /* of MRW_SKIN_BLENDED: 0 linear .. 1 dual quaternion; default 0.5 */
    bool on_cpu;
    bool bones;
    bool names;    /* of shown joints; shells draw them (view_viewer_labels) */
    bool box;
    bool heat;     /* needs a selected joint */
    bool help;     /* shells draw it */
    bool dark;     /* the backdrop; no command: a shell follows the system's theme */
} view_settings;

/* What the last frame was. */
typedef struct view_stats {
    uint32_t character_count;
    uint32_t joint_count;
    uint32_t vertex_count;      /* of one character */
    view_lost_radius lost;      /* of the first character by the method in use */
    float linear_lost;          /* what linear skinning would lose */
    bool has_gpu_difference;    /* measured while on_cpu is set */
    float gpu_difference;       /* largest |GPU - CPU| of a position / the model's size */
    double evaluate_s;          /* clock time of sampling to matrices */
    double draw_s;              /* of everything after */
} view_stats;

/* Something written beside a joint. */
typedef struct view_label {
    float x, y; /* pixels */
    int32_t joint;
    const char *text;
} view_label;

typedef struct view_viewer {
    const view_backend *backend;
    double (*now_s)(void); /* a clock that does not jump; NULL: stats have no times */

    mrw_scene *scene;         /* owned; NULL: nothing is open, a frame is backdrop and ground */
    mrw_character *character; /* owned */
    view_posed posed;
    view_renderer *renderer;
    view_crowd *crowd;        /* NULL: one character */
    uint32_t crowd_count;     /* wanted, >= 1 */

    view_settings settings;
    view_timeline timeline;
    view_orbit orbit;
    bool framed;              /* false: the next frame, which knows the aspect, frames the bounds */
    view_bounds bounds;       /* of the current clip, or of the crowd */
    int32_t selected_joint;   /* -1: none */
    view_stats stats;
    struct view_viewer_internal *internal;
} view_viewer;

/* now_s may be NULL. Errors: OUT_OF_MEMORY. */
mrw_status view_viewer_create(const view_backend *backend, double (*now_s)(void), view_viewer *out_viewer);
void view_viewer_free(view_viewer *viewer);

/* Shows a file's scene and character from now on, built with max_influences = VIEW_MAX_INFLUENCES, and
 * owns them, also on failure. Keeps settings; keeps clip, time, camera and selection too where
 * `reload` is true and they still exist (clips and joints are found by name). On failure what was shown
 * before stays, and *out_reason is one sentence. */
bool view_viewer_open(view_viewer *viewer, mrw_scene *scene, mrw_character *character, bool reload,
                      const char **out_reason);

/* The same from the bytes of a file, a .mrw too. External files by open_file or NULL. out_error or NULL.
 * Errors: those of mrw_load_memory, OUT_OF_MEMORY, UNSUPPORTED (the backend cannot
 * draw it; the message is its sentence). */
mrw_status view_viewer_load(view_viewer *viewer, const void *bytes, size_t size_bytes,
                            mrw_open_file open_file, void *open_file_user, bool reload,
                            mrw_error *out_error);

void view_viewer_command(view_viewer *viewer, view_command command);
void view_viewer_set_clip(view_viewer *viewer, int32_t clip);   /* as view_timeline_choose */
void view_viewer_select(view_viewer *viewer, int32_t joint);    /* -1: nothing */
/* How many characters, and looks at all of them. False: out of memory, nothing changed. */
bool view_viewer_set_crowd(view_viewer *viewer, uint32_t count);
/* A click at pixel x, y of a width x height picture: selects the bone there, or nothing. */
void view_viewer_click(view_viewer *viewer, float x, float y, float width, float height);

/* Advances by elapsed_s, evaluates, draws. False: *out_reason is one sentence. */
bool view_viewer_frame(view_viewer *viewer, double elapsed_s, uint32_t width, uint32_t height,
                       const char **out_reason);

/* Whether the next frame will be another one although nobody does anything: shells that draw on and on
 * while this is false waste a battery. The rest pose plays, and does not move. */
bool view_viewer_moves(const view_viewer *viewer);

/* Labels of the last frame: shown joints' names if settings.names, else the selected joint's. Returns
 * how many there are; writes at most capacity of them, and leaves out any but the selected joint's. */
uint32_t view_viewer_labels(const view_viewer *viewer, view_label *out_labels, uint32_t capacity);

#endif
