#include "command.h"

#include "input.h"
#include "moment.h"
#include "options.h"
#include "report.h"

#include <stddef.h>
#include <stdio.h>

const char cmd_pose_help[] =
    "usage: marrow pose FILE [options]\n"
    "\n"
    "Evaluates FILE at one moment and prints its joints: what each is relative to its\n"
    "parent, and its place in the scene.\n"
    "\n"
    "  --clip NAME|INDEX   the clip, by its name or its number from 0; without it comes the\n"
    "                      rest pose\n"
    "  --time SECONDS      from the clip's start; default 0. Outside the clip the nearest end\n"
    "                      counts\n"
    "  --loop              outside the clip the time wraps instead\n"
    "  --vertices          print the moved vertices of each mesh too\n"
    "  --method lbs|dqs    how vertices follow the joints: linear blend skinning (default) or\n"
    "                      dual quaternion skinning\n"
    "  --morphs            print the morph weights too\n"
    "  --format text|json  a table for people (default), or everything for programs\n"
    "                      (schema marrow.pose/1)\n"
    "  --allow-external    follow references of FILE that lead out of its own folder\n"
    "\n"
    "examples:\n"
    "  marrow pose Fox.glb --clip Walk --time 0.25\n"
    "  marrow pose Fox.glb --clip 1 --time 3 --loop --vertices --format json\n";

typedef struct pose_options {
    const char *file;
    const char *clip;
    double time_s;
    bool loop;
    bool vertices;
    bool morphs;
    bool allow_external;
    int method; /* mrw_skin_method */
    int format; /* 0 text, 1 json */
} pose_options;

static int parse(int argc, char **argv, pose_options *out)
{
    const cli_option options[] = {
        {"--clip", NULL, CLI_TEXT, &out->clip, NULL, 0, 0},
        {"--time", NULL, CLI_NUMBER, &out->time_s, NULL, 0, 0},
        {"--loop", NULL, CLI_FLAG, &out->loop, NULL, 0, 0},
        {"--vertices", NULL, CLI_FLAG, &out->vertices, NULL, 0, 0},
        {"--method", NULL, CLI_CHOICE, &out->method, "lbs|dqs", 0, 0},
        {"--morphs", NULL, CLI_FLAG, &out->morphs, NULL, 0, 0},
        {"--format", NULL, CLI_CHOICE, &out->format, "text|json", 0, 0},
        {"--allow-external", NULL, CLI_FLAG, &out->allow_external, NULL, 0, 0},
    };
    return cli_options_parse(argc, argv, options, sizeof(options) / sizeof(options[0]), "FILE",
                             &out->file);
}

static int print_moment(const cli_input *input, const pose_options *options)
{
    cli_moment_request request = {-1,
                                  options->time_s,
                                  options->loop,
                                  options->vertices,
                                  options->morphs,
                                  options->method == 0 ? MRW_SKIN_LINEAR : MRW_SKIN_DUAL_QUAT};
    if (options->clip) {
        int status = cli_input_find_clip(input, options->clip, &request.clip);
        if (status != CLI_OK) {
            return status;
        }
    }
    cli_moment moment;
    int status = cli_moment_evaluate(input, &request, &moment);
    if (status != CLI_OK) {
        return status;
    }
    if (options->format == 1) {
        cli_moment_print_json(&moment);
    } else if (!cli_moment_print_text(&moment)) {
        status = cli_fail_status("pose", input->path, MRW_ERR_OUT_OF_MEMORY);
    }
    cli_moment_free(&moment);
    return status;
}

int cmd_pose(int argc, char **argv)
{
    pose_options options = {0};
    int status = parse(argc, argv, &options);
    if (status != CLI_OK) {
        return status;
    }
    if (!options.clip && (options.time_s != 0.0 || options.loop)) {
        fputs("marrow pose: note: without --clip comes the rest pose, at any time\n", stderr);
    }
    cli_input_options input_options = {options.allow_external, true, 0, false};
    cli_input input;
    status = cli_input_load("pose", options.file, &input_options, &input);
    if (status != CLI_OK) {
        return status;
    }
    status = print_moment(&input, &options);
    cli_input_free(&input);
    return status;
}
