#include "command.h"

#include "input.h"
#include "number_text.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "progress.h"
#include "report.h"

#include "core/bounds.h"
#include "core/camera.h"
#include "core/viewer_crowd.h"
#include "core/posed.h"
#include "core/renderer.h"
#include "core/selection.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/gl_backend.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    "  --method lbs|dqs|blended\n"
    "                       how vertices follow the joints: linear blend skinning (default),\n"
    "                       dual quaternion skinning, or a mix of both\n"
    "  --blend W            the mix of --method blended: 0 lbs to 1 dqs; default 0.5\n"
    "  --cpu                skin vertices on the CPU, not in the vertex shader\n"
    "  --skeleton           draw the bones over the mesh\n"
    "  --heat JOINT         draw how much a joint, by its name or its number from 0, moves each\n"
    "                       vertex: from blue over yellow to red, grey where it does not\n"
    "  --box                draw the bounds of the whole motion\n"
    "  --crowd N            N of them, 1 to 10000, in a square; the others play all clips, each\n"
    "                       from a moment of its own\n"
    "  --yaw DEGREES        where the camera stands: 0 in front, 90 at the character's left;\n"
    "                       default 35\n"
    "  --pitch DEGREES      how far it looks down; default 12\n"
    "  --transparent        no backdrop and no ground\n"
    "  --allow-external     follow references of FILE that lead out of its own folder\n"
    "\n"
    "Vertices are drawn with at most 8 influences each; a warning tells if that took any weight\n"
    "away.\n"
    "\n"
    "examples:\n"
    "  marrow render Fox.glb --clip Run --time 0.2 -o fox.png\n"
    "  marrow render Fox.glb --clip Walk --frames 24 --skeleton -o walk.webp\n"
    "  marrow render Fox.glb --clip Survey --heat b_Neck_04 -o neck.png\n"
    "  marrow render walk.bvh --clip 0 --time 2 -o walk.png\n";

#define BOUNDS_SAMPLES 32
#define NO_BLEND (-DBL_MAX)

typedef struct render_options {
    const char *file;
    const char *output;
    const char *clip;
    double time_s;
    uint32_t frames; /* 0: one still picture */
    cli_size size;
    int method;   /* mrw_skin_method */
    double blend; /* NO_BLEND: not given */
    bool on_cpu;
    bool skeleton;
    const char *heat; /* joint */
    bool box;
    uint32_t crowd;
    double yaw_deg;
    double pitch_deg;
    bool transparent;
    bool allow_external;
} render_options;

/* What stays the same for all frames. */
typedef struct render_run {
    const render_options *options;
    int32_t clip;
    int32_t joint; /* of --heat, or -1 */
    view_posed posed;
    view_bounds bounds;
    view_crowd *crowd; /* NULL: one character */
    view_camera camera;
    view_framebuffer framebuffer;
    view_backend backend;
    view_renderer *renderer;
    uint8_t *rgba;
} render_run;

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static int check_blend(render_options *options)
{
    if (options->blend == NO_BLEND) {
        options->blend = 0.5;
        return CLI_OK;
    }
    if (options->method != MRW_SKIN_BLENDED)
        return cli_fail_usage("render", "--blend needs --method blended");
    if (options->blend < 0.0 || options->blend > 1.0)
        return cli_fail_usage("render", "--blend: %g is not between 0 and 1", options->blend);
    return CLI_OK;
}

static int parse(int argc, char **argv, render_options *out)
{
    const cli_option options[] = {
        {"--output", "-o", CLI_TEXT, &out->output, NULL, 0, 0},
        {"--clip", NULL, CLI_TEXT, &out->clip, NULL, 0, 0},
        {"--time", NULL, CLI_NUMBER, &out->time_s, NULL, 0, 0},
        {"--frames", NULL, CLI_COUNT, &out->frames, NULL, 2, 1000},
        {"--size", NULL, CLI_SIZE, &out->size, NULL, 16, 8192},
        {"--method", NULL, CLI_CHOICE, &out->method, "lbs|dqs|blended", 0, 0},
        {"--blend", NULL, CLI_NUMBER, &out->blend, NULL, 0, 0},
        {"--cpu", NULL, CLI_FLAG, &out->on_cpu, NULL, 0, 0},
        {"--skeleton", NULL, CLI_FLAG, &out->skeleton, NULL, 0, 0},
        {"--heat", NULL, CLI_TEXT, &out->heat, NULL, 0, 0},
        {"--box", NULL, CLI_FLAG, &out->box, NULL, 0, 0},
        {"--crowd", NULL, CLI_COUNT, &out->crowd, NULL, 1, 10000},
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
    return check_blend(out);
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
        warn("vertices have more than 8 influences; up to %.1f %% of a vertex's weight is left out",
             100.0 * (double)pruned);
    uint32_t missing = view_renderer_missing_images(run->renderer);
    if (missing > 0)
        warn(missing == 1
                 ? "%.0f picture is missing or cannot be decoded: its surfaces stay plain"
                 : "%.0f pictures are missing or cannot be decoded: their surfaces stay plain",
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

/* The box that every character of a crowd stays in: of all the clips that some of them plays. */
static mrw_status bounds_of_crowd(render_run *run, view_bounds *out_bounds)
{
    const uint32_t clip_count = run->posed.character->clip_count;
    if (clip_count == 0)
        return view_bounds_of_clip(&run->posed, -1, MRW_SKIN_LINEAR, 1, out_bounds);
    *out_bounds = view_bounds_empty();
    for (uint32_t i = 0; i < clip_count && i < run->options->crowd; i++) {
        view_bounds one;
        mrw_status status =
            view_bounds_of_clip(&run->posed, (int32_t)i, MRW_SKIN_LINEAR, BOUNDS_SAMPLES, &one);
        if (status != MRW_OK)
            return status;
        if (!view_bounds_is_empty(&one)) {
            view_bounds_add(out_bounds, one.min);
            view_bounds_add(out_bounds, one.max);
        }
    }
    return MRW_OK;
}

static mrw_status make_crowd(const cli_input *input, render_run *run)
{
    view_bounds one;
    mrw_status status = bounds_of_crowd(run, &one);
    if (status != MRW_OK)
        return status;
    run->crowd = view_crowd_create(input->character, run->options->crowd, &one);
    if (run->crowd == NULL)
        return MRW_ERR_OUT_OF_MEMORY;
    run->bounds = view_crowd_bounds(run->crowd);
    return MRW_OK;
}

static int frame_camera(const cli_input *input, render_run *run)
{
    const render_options *options = run->options;
    mrw_status status = view_posed_create(input->character, &run->posed);
    run->posed.blend = (float)options->blend;
    if (status == MRW_OK)
        status = view_bounds_of_clip(&run->posed, run->clip, (mrw_skin_method)options->method,
                                     BOUNDS_SAMPLES, &run->bounds);
    if (status == MRW_OK && options->crowd > 1)
        status = make_crowd(input, run);
    if (status != MRW_OK)
        return cli_fail_status("render", input->path, status);
    run->camera = view_camera_frame(&run->bounds, cli_radians(options->yaw_deg),
                                    cli_radians(options->pitch_deg),
                                    (float)options->size.width / (float)options->size.height);
    return CLI_OK;
}

static int set_heat(const cli_input *input, render_run *run)
{
    if (run->joint < 0)
        return CLI_OK;
    float *heat = calloc((size_t)view_vertex_count(input->character) + 1, sizeof(*heat));
    if (heat == NULL)
        return cli_fail_status("render", input->path, MRW_ERR_OUT_OF_MEMORY);
    view_joint_heat(input->character, run->joint, heat);
    const char *reason = NULL;
    bool set = view_renderer_set_heat(run->renderer, heat, &reason);
    free(heat);
    return set ? CLI_OK : fail_reason(input->path, reason);
}

/* Everything but the first frame's pixels. On failure the caller still frees the run. */
static int prepare(const cli_input *input, render_run *run)
{
    const cli_size size = run->options->size;
    int status = frame_camera(input, run);
    if (status != CLI_OK)
        return status;
    const char *reason = NULL;
    if (!view_framebuffer_create(size.width, size.height, &run->framebuffer))
        return fail_reason(input->path,
                           "the driver cannot draw a picture of this size: make it smaller");
    if (!view_gl_backend_create(&run->backend, &reason))
        return fail_reason(input->path, reason);
    view_gl_backend_set_target(&run->backend, run->framebuffer.draw_target);
    run->renderer = view_renderer_create(&run->backend, input->scene, input->character, &reason);
    if (run->renderer == NULL)
        return fail_reason(input->path, reason);
    warn_of_losses(input, run);
    run->rgba = malloc((size_t)size.width * size.height * 4);
    if (run->rgba == NULL)
        return cli_fail_status("render", input->path, MRW_ERR_OUT_OF_MEMORY);
    return set_heat(input, run);
}

static view_frame describe_frame(const cli_input *input, const render_run *run)
{
    const render_options *options = run->options;
    view_frame frame;
    memset(&frame, 0, sizeof(frame));
    frame.width = options->size.width;
    frame.height = options->size.height;
    frame.camera = &run->camera;
    frame.bounds = &run->bounds;
    frame.dual_quat_weight =
        view_dual_quat_weight((mrw_skin_method)options->method, (float)options->blend);
    frame.on_cpu = options->on_cpu;
    frame.heat = run->joint >= 0;
    /* A file without meshes is its skeleton. */
    frame.skeleton = options->skeleton || input->character->instance_count == 0;
    frame.selected_joint = run->joint;
    frame.box = options->box;
    frame.transparent = options->transparent;
    return frame;
}

static int draw(const cli_input *input, render_run *run, double time_s)
{
    view_crowd_data crowd;
    mrw_status status = view_posed_update(&run->posed, run->clip, time_s, true);
    if (status == MRW_OK && run->crowd != NULL) {
        status = view_crowd_update(run->crowd, &run->posed, time_s,
                                   run->options->method != MRW_SKIN_LINEAR);
        crowd = view_crowd_matrices(run->crowd);
    }
    if (status != MRW_OK)
        return cli_fail_status("render", input->path, status);
    const view_frame frame = describe_frame(input, run);
    const char *reason = NULL;
    if (!view_renderer_draw(run->renderer, &run->posed, run->crowd != NULL ? &crowd : NULL, &frame,
                            &reason))
        return fail_reason(input->path, reason);
    view_framebuffer_read(&run->framebuffer, run->rgba);
    return CLI_OK;
}

static void free_run(render_run *run)
{
    free(run->rgba);
    view_renderer_free(run->renderer);
    view_gl_backend_free(&run->backend);
    view_framebuffer_free(&run->framebuffer);
    view_crowd_free(run->crowd);
    view_posed_free(&run->posed);
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
    status = cli_output_write("render", options->output, bytes, size_bytes);
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
        status = cli_output_write("render", options->output, bytes, size_bytes);
    free(bytes);
    return status;
}

static int render(const cli_input *input, const render_options *options)
{
    render_run run;
    memset(&run, 0, sizeof(run));
    run.options = options;
    run.joint = -1;
    int status = choose_clip(input, &run);
    if (status == CLI_OK && options->heat != NULL)
        status = cli_input_find_joint(input, options->heat, &run.joint);
    if (status != CLI_OK)
        return status;
    view_context context;
    const char *reason = NULL;
    if (!view_context_create(&context, &reason))
        return fail_reason(NULL, reason);
    status = prepare(input, &run);
    if (status == CLI_OK)
        status = options->frames > 0 ? render_moving(input, &run) : render_still(input, &run);
    free_run(&run);
    view_context_free(&context);
    return status;
}

int cmd_render(int argc, char **argv)
{
    render_options options;
    memset(&options, 0, sizeof(options));
    options.size = (cli_size){640, 640};
    options.blend = NO_BLEND;
    options.crowd = 1;
    options.yaw_deg = 35.0;
    options.pitch_deg = 12.0;
    int status = parse(argc, argv, &options);
    if (status == CLI_OK)
        status = cli_output_check("render", options.output);
    if (status != CLI_OK)
        return status;
    cli_input_options input_options = {options.allow_external, false, VIEW_MAX_INFLUENCES, false};
    cli_input input;
    status = cli_input_load("render", options.file, &input_options, &input);
    if (status != CLI_OK)
        return status;
    status = render(&input, &options);
    cli_input_free(&input);
    return status;
}
