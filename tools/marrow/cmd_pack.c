#define _POSIX_C_SOURCE 200809L /* sysconf */

#include "command.h"

#include "options.h"
#include "output.h"
#include "pack_run.h"
#include "report.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char cmd_pack_help[] =
    "usage: marrow pack FILE|FOLDER ... [options] -o OUT.mrw|FOLDER\n"
    "\n"
    "Packs every clip of the files, and of the .gltf, .glb, .bvh and .mrw files in the folders,\n"
    "with its skeleton and skins. Clips become as small as the tolerance allows: no point of a\n"
    "shell around a joint is farther from where the source has it, at any time, between samples\n"
    "too.\n"
    "\n"
    "  -o OUT.mrw           one file for all, which must have the same skeleton\n"
    "  -o FOLDER            a file for each in a folder that is there\n"
    "  --tolerance METRES   the largest error: 0.0001 (default), or as 0.1mm, "
    "0.01cm\n" CLI_METRIC_HELP
    "  --target max|p99     whose error keeps the tolerance: every joint's at every time\n"
    "                       (default), or that of 99 of 100 joints and samples, for comparison\n"
    "                       with what others call a tolerance\n"
    "  --preset fast|default|best\n"
    "                       how much time to spend for a smaller file\n"
    "  --meshes             keep meshes, materials and pictures too, for view and render: those "
    "of\n"
    "                       the first of the files. Default: clips, skeleton and skins alone\n"
    "  --group-vertices     with --meshes: order vertices so that a processor skins them faster\n"
    "  --storage            for disk and network: clips take a fifth less, and whoever loads the\n"
    "                       file decodes them to the same packed clips\n"
    "  --rate HZ            samples a second, 1 to 1000; default: what the keys ask for\n"
    "  --repack             pack clips that are packed already once more: the errors of both\n"
    "                       times add up. Default: they are copied as they are\n"
    "  -j N                 clips packed at the same time; default: one for each processor.\n"
    "                       The file is the same for any N\n"
    "  --report PAGE.html   the report as one page with charts too\n"
    "  --format text|json   the report on stdout: a table (default), or everything for programs\n"
    "                       (schema marrow.pack/1)\n"
    "  --allow-external     follow references of files that lead out of their own folders\n"
    "\n"
    "In one file for all, the clips of several files are called after their files: FILE where it\n"
    "has one clip, FILE/CLIP where it has more. A name that is taken gets a number: NAME.2.\n"
    "\n"
    "raw is 40 bytes a joint and sample, as all methods are compared by.\n"
    "\n"
    "examples:\n"
    "  marrow pack Fox.glb -o fox.mrw\n"
    "  marrow pack Fox.glb --meshes -o fox.mrw && marrow view fox.mrw\n"
    "  marrow pack Fox.glb --meshes --storage -o download.mrw\n"
    "  marrow pack mocap --units cm --report mocap.html -o packed/\n"
    "  marrow compare Fox.glb fox.mrw --clip Run --picture error.png\n";

#define MOST_INPUTS 4096

typedef struct pack_cli_options {
    const char *output;
    double tolerance_m;
    const char *units;
    const char *shell;
    int target;     /* mrw_pack_target */
    int preset;     /* mrw_pack_effort */
    double rate_hz; /* infinite: not given */
    bool meshes;
    bool group_vertices;
    bool storage;
    bool repack;
    uint32_t threads; /* 0: one for each processor */
    const char *page;
    int format; /* 0 text, 1 json */
    bool allow_external;
} pack_cli_options;

static bool ends_with_mrw(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".mrw") == 0;
}

static bool is_folder(const char *path)
{
    struct stat about;
    const size_t length = strlen(path);
    return path[length - 1] == '/' || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

static int check_folder(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return CLI_OK;
    mrw_error error = {.status = MRW_ERR_FILE_WRITE};
    snprintf(error.message, sizeof(error.message),
             "there is no such folder: create it, or write one file, whose name ends in .mrw");
    return cli_fail("pack", path, &error);
}

static int check(const pack_cli_options *options, uint32_t input_count)
{
    if (input_count == 0)
        return cli_fail_usage("pack", "FILE is missing");
    if (options->output == NULL)
        return cli_fail_usage("pack", "-o is missing: where shall the packed clips go?");
    if (!is_folder(options->output) && !ends_with_mrw(options->output))
        return cli_fail_usage("pack",
                              "-o %s: the name of a packed file ends in .mrw, that of a folder for "
                              "one file of each in /",
                              options->output);
    if (!(options->tolerance_m > 0.0 && options->tolerance_m <= 1e9))
        return cli_fail_usage("pack", "--tolerance: %g is not a distance in metres above 0",
                              options->tolerance_m);
    if (options->group_vertices && !options->meshes)
        return cli_fail_usage("pack", "--group-vertices is about meshes, and asks for --meshes");
    if (isfinite(options->rate_hz) && !(options->rate_hz >= 1.0 && options->rate_hz <= 1000.0))
        return cli_fail_usage("pack", "--rate: %g is not between 1 and 1000", options->rate_hz);
    int status = is_folder(options->output) ? check_folder(options->output)
                                            : cli_output_check("pack", options->output);
    if (status == CLI_OK && options->page != NULL)
        status = cli_output_check("pack", options->page);
    return status;
}

static int parse(int argc, char **argv, pack_cli_options *out, const char **inputs,
                 uint32_t *out_input_count)
{
    const cli_option options[] = {
        {"--output", "-o", CLI_TEXT, &out->output, NULL, 0, 0},
        {"--tolerance", NULL, CLI_METRES, &out->tolerance_m, NULL, 0, 0},
        {"--units", NULL, CLI_TEXT, &out->units, NULL, 0, 0},
        {"--shell", NULL, CLI_TEXT, &out->shell, NULL, 0, 0},
        {"--target", NULL, CLI_CHOICE, &out->target, "max|p99", 0, 0},
        {"--preset", NULL, CLI_CHOICE, &out->preset, "fast|default|best", 0, 0},
        {"--rate", NULL, CLI_NUMBER, &out->rate_hz, NULL, 0, 0},
        {"--meshes", NULL, CLI_FLAG, &out->meshes, NULL, 0, 0},
        {"--group-vertices", NULL, CLI_FLAG, &out->group_vertices, NULL, 0, 0},
        {"--storage", NULL, CLI_FLAG, &out->storage, NULL, 0, 0},
        {"--repack", NULL, CLI_FLAG, &out->repack, NULL, 0, 0},
        {"--jobs", "-j", CLI_COUNT, &out->threads, NULL, 1, 256},
        {"--report", NULL, CLI_TEXT, &out->page, NULL, 0, 0},
        {"--format", NULL, CLI_CHOICE, &out->format, "text|json", 0, 0},
        {"--allow-external", NULL, CLI_FLAG, &out->allow_external, NULL, 0, 0},
    };
    int status = cli_options_parse_list(argc, argv, options, sizeof(options) / sizeof(options[0]),
                                        MOST_INPUTS, inputs, out_input_count);
    return status == CLI_OK ? check(out, *out_input_count) : status;
}

static uint32_t processor_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

static int set_options(const pack_cli_options *options, pack_run *run)
{
    run->metrics = calloc(run->source_count, sizeof(*run->metrics));
    if (run->metrics == NULL)
        return cli_fail_status("pack", NULL, MRW_ERR_OUT_OF_MEMORY);
    for (uint32_t i = 0; i < run->source_count; i++) {
        int status =
            cli_metric_make(&run->sources[i], options->units, options->shell, &run->metrics[i]);
        if (status != CLI_OK)
            return status;
    }
    cli_metric_note_size(&run->sources[0], options->units);
    run->options = mrw_pack_options_default();
    run->options.effort = (mrw_pack_effort)options->preset;
    run->options.target = (mrw_pack_target)options->target;
    run->options.metres_per_unit = run->metrics[0].metres_per_unit;
    run->options.tolerance_m = options->tolerance_m;
    run->options.shell_m = run->metrics[0].shell_m;
    run->options.samples_per_second = isfinite(options->rate_hz) ? options->rate_hz : 0.0;
    run->options.repack = options->repack;
    run->thread_count = options->threads > 0 ? options->threads : processor_count();
    run->with_curves = options->page != NULL;
    return CLI_OK;
}

static int print_report(const pack_run *run, bool as_json)
{
    if (as_json)
        cli_pack_print_json(run);
    else if (!cli_pack_print_text(run))
        return cli_fail_status("pack", run->output, MRW_ERR_OUT_OF_MEMORY);
    return CLI_OK;
}

int cmd_pack(int argc, char **argv)
{
    static const char *inputs[MOST_INPUTS];
    uint32_t input_count = 0;
    pack_cli_options options = {
        .tolerance_m = 1e-4, .rate_hz = HUGE_VAL, .preset = MRW_PACK_DEFAULT};
    int status = parse(argc, argv, &options, inputs, &input_count);
    if (status != CLI_OK)
        return status;
    pack_run run = {.output = options.output,
                    .apart = is_folder(options.output),
                    .with_meshes = options.meshes,
                    .group_vertices = options.group_vertices,
                    .for_storage = options.storage};
    status = cli_pack_load(inputs, input_count, options.allow_external, &run);
    if (status == CLI_OK)
        status = set_options(&options, &run);
    if (status == CLI_OK)
        status = cli_pack_work(&run);
    if (status == CLI_OK)
        status = cli_pack_write(&run);
    if (status == CLI_OK && options.page != NULL)
        status = cli_pack_write_page(&run, options.page);
    if (status == CLI_OK)
        status = print_report(&run, options.format == 1);
    cli_pack_free(&run);
    return status;
}
