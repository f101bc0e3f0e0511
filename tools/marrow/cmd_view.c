#include "command.h"

#include "input.h"
#include "number_text.h"
#include "options.h"
#include "picture.h"
#include "report.h"
#include "text.h"

#include "native/window.h"

#include <marrow/offline/export.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char cmd_view_help[] =
    "usage: marrow view FILE [options]\n"
    "\n"
    "Shows FILE in a window: play its clips, mix two of them, look at bones, weights and what\n"
    "skinning does to the mesh. The file is read again when it changes on disk; another one can\n"
    "be dropped into the window. H shows what the mouse and the keys do.\n"
    "\n"
    "  --clip NAME|INDEX         the clip to begin with, by its name or its number from 0;\n"
    "                            default the first\n"
    "  --time SECONDS            begin there, paused\n"
    "  --crowd N                 N of them, 1 to 10000, in a square; the others play all clips,\n"
    "                            each from a moment of its own\n"
    "  --method lbs|dqs|blended  how vertices follow the joints: linear blend skinning\n"
    "                            (default), dual quaternion skinning, or half of each\n"
    "  --yaw DEGREES             where the camera stands: 0 in front, 90 at the character's\n"
    "                            left; default 35\n"
    "  --pitch DEGREES           how far it looks down; default 12\n"
    "  --size WxH                of the window; default what suits the screen\n"
    "  --allow-external          follow references of FILE that lead out of its own folder\n"
    "\n"
    "Without a display, `marrow render` draws the same to a file.\n"
    "\n"
    "examples:\n"
    "  marrow view Fox.glb\n"
    "  marrow view Fox.glb --clip Run --crowd 100\n";

#define NO_TIME (-DBL_MAX)

typedef struct view_options {
    const char *file;
    const char *clip;
    double time_s; /* NO_TIME: not given */
    uint32_t crowd;
    int method; /* mrw_skin_method */
    double yaw_deg;
    double pitch_deg;
    cli_size size; /* 0x0: not given */
    bool allow_external;
} view_options;

static int parse(int argc, char **argv, view_options *out)
{
    const cli_option options[] = {
        {"--clip", NULL, CLI_TEXT, &out->clip, NULL, 0, 0},
        {"--time", NULL, CLI_NUMBER, &out->time_s, NULL, 0, 0},
        {"--crowd", NULL, CLI_COUNT, &out->crowd, NULL, 1, 10000},
        {"--method", NULL, CLI_CHOICE, &out->method, "lbs|dqs|blended", 0, 0},
        {"--yaw", NULL, CLI_NUMBER, &out->yaw_deg, NULL, 0, 0},
        {"--pitch", NULL, CLI_NUMBER, &out->pitch_deg, NULL, 0, 0},
        {"--size", NULL, CLI_SIZE, &out->size, NULL, 200, 8192},
        {"--allow-external", NULL, CLI_FLAG, &out->allow_external, NULL, 0, 0},
    };
    int status = cli_options_parse(argc, argv, options, sizeof(options) / sizeof(options[0]),
                                   "FILE", &out->file);
    if (status == CLI_OK && (out->pitch_deg < -89.0 || out->pitch_deg > 89.0))
        return cli_fail_usage("view", "--pitch: %g is not between -89 and 89", out->pitch_deg);
    return status;
}

static void report(const char *message)
{
    fputs("marrow view: ", stderr);
    cli_put_text(stderr, message);
    fputc('\n', stderr);
}

static bool write_picture(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                          const char **out_reason)
{
    static mrw_error error;
    uint8_t *bytes = NULL;
    size_t size_bytes = 0;
    *out_reason = "out of memory";
    if (!cli_png_encode(rgba, width, height, &bytes, &size_bytes))
        return false;
    mrw_status status = mrw_write_file(path, bytes, size_bytes, &error);
    free(bytes);
    *out_reason = error.message;
    return status == MRW_OK;
}

/* Nothing is wrong with the file, so this is not CLI_CONTENT. */
static int fail_window(const char *reason)
{
    fputs("marrow view: no window can be opened: ", stderr);
    cli_put_text(stderr, reason);
    fputs("\n`marrow render` draws a picture or a moving picture without one: see 'marrow help "
          "render'.\n",
          stderr);
    return CLI_IO;
}

static int fail_reason(const char *path, const char *reason)
{
    mrw_error error;
    memset(&error, 0, sizeof(error));
    error.status = MRW_ERR_UNSUPPORTED;
    snprintf(error.message, sizeof(error.message), "%s", reason);
    return cli_fail("view", path, &error);
}

static bool begin(view_viewer *viewer, const view_options *options, int32_t clip)
{
    viewer->settings.method = (mrw_skin_method)options->method;
    viewer->orbit.yaw_rad = cli_radians(options->yaw_deg);
    viewer->orbit.pitch_rad = cli_radians(options->pitch_deg);
    if (options->clip != NULL)
        view_viewer_set_clip(viewer, clip);
    if (options->time_s > NO_TIME)
        view_timeline_scrub(&viewer->timeline, viewer->character, options->time_s);
    return view_viewer_set_crowd(viewer, options->crowd);
}

/* The window owns scene and character from view_window_show on. */
static int view(cli_input *input, const view_options *options, int32_t clip)
{
    const view_window_options window_options = {options->size.width, options->size.height,
                                                options->allow_external, report, write_picture};
    const char *reason = NULL;
    view_window *window = view_window_open(&window_options, &reason);
    if (window == NULL)
        return fail_window(reason);
    mrw_scene *scene = input->scene;
    mrw_character *character = input->character;
    input->scene = NULL;
    input->character = NULL;
    int status = CLI_OK;
    if (!view_window_show(window, options->file, scene, character, &reason))
        status = fail_reason(options->file, reason);
    else if (!begin(view_window_viewer(window), options, clip))
        status = cli_fail_status("view", options->file, MRW_ERR_OUT_OF_MEMORY);
    else
        view_window_run(window);
    view_window_close(window);
    return status;
}

int cmd_view(int argc, char **argv)
{
    view_options options;
    memset(&options, 0, sizeof(options));
    options.time_s = NO_TIME;
    options.crowd = 1;
    options.yaw_deg = 35.0;
    options.pitch_deg = 12.0;
    int status = parse(argc, argv, &options);
    if (status != CLI_OK)
        return status;
    cli_input_options input_options = {options.allow_external, false, VIEW_MAX_INFLUENCES, false};
    cli_input input;
    status = cli_input_load("view", options.file, &input_options, &input);
    if (status != CLI_OK)
        return status;
    int32_t clip = -1;
    if (options.clip != NULL)
        status = cli_input_find_clip(&input, options.clip, &clip);
    if (status == CLI_OK)
        status = view(&input, &options, clip);
    cli_input_free(&input);
    return status;
}
