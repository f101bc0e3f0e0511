#include "command.h"

#include "input.h"
#include "options.h"
#include "picture.h"
#include "progress.h"
#include "report.h"

#include "core/bounds.h"
#include "core/camera.h"
#include "core/posed.h"
#include "gl/context.h"
#include "gl/renderer.h"

#include <marrow/offline/export.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char cmd_render_help[] =
    "usage: marrow render FILE [options] -o PICTURE\n"
    "\n"
    "Draws FILE without a window: a .png of one moment, or with --frames a .webp that moves\n"
    "through one loop of a clip. The camera is framed on the whole motion.\n"
    "\n"
    "  -o PICTURE           where to write: a name that ends in .png or .webp\n"
    "  --clip NAME|INDEX    the clip, by its name or its number from 0; without it the rest\n"
    "                       pose, or with --frames the first clip\n"
    "  --time SECONDS       from the clip's start; default 0. Outside the clip it wraps\n"
    "  --frames N           N pictures evenly over one loop, 2 to 1000; needs a .webp\n"
    "  --size WxH           in pixels; default 640x640\n"
    "  --method lbs|dqs     how vertices follow the joints: linear blend skinning (default) or\n"
    "                       dual quaternion skinning\n"
    "  --skeleton           draw the bones over the mesh\n"
    "  --yaw DEGREES        where the camera stands: 0 in front, 90 at the character's left;\n"
    "                       default 35\n"
    "  --pitch DEGREES      how far it looks down; default 12\n"
    "  --transparent        no backdrop and no ground\n"
    "  --allow-external     follow references of FILE that lead out of its own folder\n"
    "\n"
    "Vertices are skinned in the vertex shader with at most 4 influences each; a warning tells\n"
    "if that took any weight away.\n"
    "\n"
    "examples:\n"
    "  marrow render Fox.glb --clip Run --time 0.2 -o fox.png\n"
    "  marrow render Fox.glb --clip Walk --frames 24 --skeleton -o walk.webp\n";

#define MAX_INFLUENCES 4
#define BOUNDS_SAMPLES 32

typedef struct render_options {
    const char *file;
    const char *output;
    const char *clip;
    double time_s;
    uint32_t frames; /* 0: one still picture */
    cli_size size;
    int method; /* mrw_skin_method */
    bool skeleton;
    double yaw_deg;
    double pitch_deg;
    bool transparent;
    bool allow_external;
} render_options;

/* What stays the same for all frames. */
typedef struct render_run {
    const render_options *options;
    int32_t clip;
    view_posed posed;
    view_bounds bounds;
    view_camera camera;
    view_renderer *renderer;
    uint8_t *rgba;
} render_run;

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static int parse(int argc, char **argv, render_options *out)
{
    const cli_option options[] = {
        {"--output", "-o", CLI_TEXT, &out->output, NULL, 0, 0},
        {"--clip", NULL, CLI_TEXT, &out->clip, NULL, 0, 0},
        {"--time", NULL, CLI_NUMBER, &out->time_s, NULL, 0, 0},
        {"--frames", NULL, CLI_COUNT, &out->frames, NULL, 2, 1000},
        {"--size", NULL, CLI_SIZE, &out->size, NULL, 16, 8192},
        {"--method", NULL, CLI_CHOICE, &out->method, "lbs|dqs", 0, 0},
        {"--skeleton", NULL, CLI_FLAG, &out->skeleton, NULL, 0, 0},
        {"--yaw", NULL, CLI_NUMBER, &out->yaw_deg, NULL, 0, 0},
        {"--pitch", NULL, CLI_NUMBER, &out->pitch_deg, NULL, 0, 0},
        {"--transparent", NULL, CLI_FLAG, &out->transparent, NULL, 0, 0},
        {"--allow-external", NULL, CLI_FLAG, &out->allow_external, NULL, 0, 0},
    };
    int status = cli_options_parse(argc, argv, options, sizeof(options) / sizeof(options[0]),
                                   "FILE", &out->file);
    if (status != CLI_OK)
        return status;
    if (out->output == NULL)
        return cli_fail_usage("render", "-o is missing: where shall the picture go?");
    if (out->frames == 0 && !ends_with(out->output, ".png"))
        return cli_fail_usage("render",
                              "%s: a still picture is a .png; --frames N makes a moving .webp",
                              out->output);
    if (out->frames > 0 && !ends_with(out->output, ".webp"))
        return cli_fail_usage("render", "%s: a moving picture (--frames) is a .webp", out->output);
    if (out->pitch_deg < -89.0 || out->pitch_deg > 89.0)
        return cli_fail_usage("render", "--pitch: %g is not between -89 and 89", out->pitch_deg);
    return CLI_OK;
}

/* Long work should not end in "no such folder". */
static int check_output(const char *path)
{
    mrw_error error;
    memset(&error, 0, sizeof(error));
    error.status = MRW_ERR_FILE_WRITE;
    struct stat found;
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
        snprintf(error.message, sizeof(error.message), "is a folder: name a file in it");
        return cli_fail("render", path, &error);
    }
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path)
        return CLI_OK;
    size_t length = (size_t)(slash - path);
    char *folder = malloc(length + 1);
    if (folder == NULL)
        return cli_fail_status("render", path, MRW_ERR_OUT_OF_MEMORY);
    memcpy(folder, path, length);
    folder[length] = '\0';
    bool exists = stat(folder, &found) == 0 && S_ISDIR(found.st_mode);
    free(folder);
    if (exists)
        return CLI_OK;
    snprintf(error.message, sizeof(error.message),
             "its folder does not exist: create it, or write elsewhere");
    return cli_fail("render", path, &error);
}

static int choose_clip(const cli_input *input, render_run *run)
{
    run->clip = -1;
    if (run->options->clip != NULL)
        return cli_input_find_clip(input, run->options->clip, &run->clip);
    if (run->options->frames == 0)
        return CLI_OK;
    if (input->character->clip_count == 0)
        return cli_fail_usage("render", "%s has no clip to move through: leave out --frames",
                              input->path);
    run->clip = 0;
    return CLI_OK;
}

static void warn(const char *format, double value)
{
    fputs("marrow render: warning: ", stderr);
    fprintf(stderr, format, value);
    fputc('\n', stderr);
}

static void warn_of_losses(const cli_input *input, const render_run *run)
{
    float pruned = 0.0f;
    for (uint32_t i = 0; i < input->character->mesh_count; i++) {
        float here = input->character->meshes[i].pruned_weight;
        pruned = here > pruned ? here : pruned;
    }
    if (pruned > 0.0f)
        warn("vertices have more than 4 influences; up to %.1f %% of a vertex's weight is left out",
             100.0 * (double)pruned);
    uint32_t missing = view_renderer_missing_images(run->renderer);
    if (missing > 0)
        warn("%.0f pictures are missing or cannot be decoded: their surfaces stay plain",
             (double)missing);
}

static int fail_reason(const char *path, const char *reason)
{
    mrw_error error;
    memset(&error, 0, sizeof(error));
    error.status = MRW_ERR_UNSUPPORTED;
    snprintf(error.message, sizeof(error.message), "%s", reason);
    return cli_fail("render", path, &error);
}

/* Everything but the first frame's pixels. On failure the caller still frees the run. */
static int prepare(const cli_input *input, render_run *run)
{
    const render_options *options = run->options;
    mrw_status status = view_posed_create(input->character, &run->posed);
    if (status == MRW_OK)
        status = view_bounds_of_clip(&run->posed, run->clip, (mrw_skin_method)options->method,
                                     BOUNDS_SAMPLES, &run->bounds);
    if (status != MRW_OK)
        return cli_fail_status("render", input->path, status);
    const float to_radians = MRW_PI / 180.0f;
    run->camera = view_camera_frame(&run->bounds, (float)options->yaw_deg * to_radians,
                                    (float)options->pitch_deg * to_radians,
                                    (float)options->size.width / (float)options->size.height);
    const char *reason = NULL;
    run->renderer = view_renderer_create(input->scene, input->character, &reason);
    if (run->renderer == NULL)
        return fail_reason(input->path, reason);
    warn_of_losses(input, run);
    run->rgba = malloc((size_t)options->size.width * options->size.height * 4);
    if (run->rgba == NULL)
        return cli_fail_status("render", input->path, MRW_ERR_OUT_OF_MEMORY);
    return CLI_OK;
}

static int draw(const cli_input *input, render_run *run, double time_s)
{
    const render_options *options = run->options;
    mrw_status status = view_posed_update(&run->posed, run->clip, time_s, true);
    if (status != MRW_OK)
        return cli_fail_status("render", input->path, status);
    /* A file without meshes is its skeleton. */
    bool bones = options->skeleton || input->character->instance_count == 0;
    view_frame frame = {options->size.width,
                        options->size.height,
                        &run->camera,
                        &run->bounds,
                        (mrw_skin_method)options->method,
                        bones,
                        options->transparent};
    const char *reason = NULL;
    if (!view_renderer_draw(run->renderer, &run->posed, &frame, run->rgba, &reason))
        return fail_reason(input->path, reason);
    return CLI_OK;
}

static int write_picture(const char *path, const uint8_t *bytes, size_t size_bytes)
{
    mrw_error error;
    if (mrw_write_file(path, bytes, size_bytes, &error) != MRW_OK)
        return cli_fail("render", path, &error);
    printf("wrote %s (%zu bytes)\n", path, size_bytes);
    return CLI_OK;
}

static int render_still(const cli_input *input, render_run *run)
{
    const render_options *options = run->options;
    int status = draw(input, run, options->time_s);
    if (status != CLI_OK)
        return status;
    uint8_t *bytes = NULL;
    size_t size_bytes = 0;
    if (!cli_png_encode(run->rgba, options->size.width, options->size.height, &bytes, &size_bytes))
        return cli_fail_status("render", input->path, MRW_ERR_OUT_OF_MEMORY);
    status = write_picture(options->output, bytes, size_bytes);
    free(bytes);
    return status;
}

/* A clip of zero length still makes a picture: its frames last a tenth of a second. */
static double loop_duration_s(const cli_input *input, const render_run *run)
{
    double duration_s = (double)input->character->clips[run->clip].duration_s;
    return duration_s > 0.0 ? duration_s : 0.1 * run->options->frames;
}

static int add_frames(const cli_input *input, render_run *run, cli_webp *webp)
{
    const uint32_t count = run->options->frames;
    const double duration_s = loop_duration_s(input, run);
    cli_progress progress;
    cli_progress_begin(&progress, "rendering", count);
    int status = CLI_OK;
    for (uint32_t i = 0; i < count && status == CLI_OK; i++) {
        double time_s = duration_s * i / count;
        status = draw(input, run, run->options->time_s + time_s);
        if (status == CLI_OK && !cli_webp_add(webp, run->rgba, (int)(time_s * 1000.0)))
            status = cli_fail_status("render", input->path, MRW_ERR_OUT_OF_MEMORY);
        cli_progress_update(&progress, i + 1);
    }
    cli_progress_end(&progress);
    return status;
}

static int render_moving(const cli_input *input, render_run *run)
{
    const render_options *options = run->options;
    cli_webp *webp = cli_webp_begin(options->size.width, options->size.height);
    if (webp == NULL)
        return cli_fail_status("render", input->path, MRW_ERR_OUT_OF_MEMORY);
    int status = add_frames(input, run, webp);
    uint8_t *bytes = NULL;
    size_t size_bytes = 0;
    if (status == CLI_OK &&
        !cli_webp_finish(webp, (int)(loop_duration_s(input, run) * 1000.0), &bytes, &size_bytes))
        status = cli_fail_status("render", input->path, MRW_ERR_OUT_OF_MEMORY);
    cli_webp_free(webp);
    if (status == CLI_OK)
        status = write_picture(options->output, bytes, size_bytes);
    free(bytes);
    return status;
}

static int render(const cli_input *input, const render_options *options)
{
    render_run run;
    memset(&run, 0, sizeof(run));
    run.options = options;
    int status = choose_clip(input, &run);
    if (status != CLI_OK)
        return status;
    view_context context;
    const char *reason = NULL;
    if (!view_context_create(&context, &reason))
        return fail_reason(NULL, reason);
    status = prepare(input, &run);
    if (status == CLI_OK)
        status = options->frames > 0 ? render_moving(input, &run) : render_still(input, &run);
    free(run.rgba);
    view_renderer_free(run.renderer);
    view_posed_free(&run.posed);
    view_context_free(&context);
    return status;
}

int cmd_render(int argc, char **argv)
{
    render_options options;
    memset(&options, 0, sizeof(options));
    options.size = (cli_size){640, 640};
    options.yaw_deg = 35.0;
    options.pitch_deg = 12.0;
    int status = parse(argc, argv, &options);
    if (status == CLI_OK)
        status = check_output(options.output);
    if (status != CLI_OK)
        return status;
    cli_input_options input_options = {options.allow_external, false, MAX_INFLUENCES};
    cli_input input;
    status = cli_input_load("render", options.file, &input_options, &input);
    if (status != CLI_OK)
        return status;
    status = render(&input, &options);
    cli_input_free(&input);
    return status;
}
