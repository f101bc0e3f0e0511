#include "command.h"

#include "inspection.h"
#include "options.h"
#include "report.h"

#include <stddef.h>

const char cmd_inspect_help[] =
    "usage: marrow inspect FILE [options]\n"
    "\n"
    "Shows what is in FILE: the skeleton as a tree, skins, meshes and how many joints move\n"
    "their vertices, clips with their tracks and keys, and whatever is odd.\n"
    "\n"
    "  --all               show every joint, also of a skeleton that fills many screens\n"
    "  --format text|json  for people (default), or everything for programs\n"
    "                      (schema marrow.inspect/1)\n"
    "  --allow-external    follow references of FILE that lead out of its own folder\n"
    "\n"
    "examples:\n"
    "  marrow inspect Fox.glb\n"
    "  marrow inspect Fox.glb --format json\n";

static int print_inspection(const cli_input *input, bool all_joints, bool as_json)
{
    inspection facts;
    if (!cli_inspection_make(input, &facts)) {
        return cli_fail_status("inspect", input->path, MRW_ERR_OUT_OF_MEMORY);
    }
    int status = CLI_OK;
    if (as_json) {
        cli_inspection_print_json(&facts);
    } else if (!cli_inspection_print_text(&facts, all_joints)) {
        status = cli_fail_status("inspect", input->path, MRW_ERR_OUT_OF_MEMORY);
    }
    cli_inspection_free(&facts);
    return status;
}

int cmd_inspect(int argc, char **argv)
{
    const char *file = NULL;
    bool all_joints = false;
    bool allow_external = false;
    int format = 0;
    const cli_option options[] = {
        {"--all", NULL, CLI_FLAG, &all_joints, NULL, 0, 0},
        {"--format", NULL, CLI_CHOICE, &format, "text|json", 0, 0},
        {"--allow-external", NULL, CLI_FLAG, &allow_external, NULL, 0, 0},
    };
    int status =
        cli_options_parse(argc, argv, options, sizeof(options) / sizeof(options[0]), "FILE", &file);
    if (status != CLI_OK) {
        return status;
    }
    cli_input_options input_options = {allow_external, false, 0, false};
    cli_input input;
    status = cli_input_load("inspect", file, &input_options, &input);
    if (status != CLI_OK) {
        return status;
    }
    status = print_inspection(&input, all_joints, format == 1);
    cli_input_free(&input);
    return status;
}
