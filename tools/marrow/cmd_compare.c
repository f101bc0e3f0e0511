#include "command.h"

#include "compare_run.h"
#include "options.h"
#include "output.h"
#include "report.h"
#include "skeleton_difference.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char cmd_compare_help[] =
    "usage: marrow compare A B [options]\n"
    "\n"
    "How far the clips of file B are from those of file A: for each joint the displacement of\n"
    "points on a shell around it, through the whole hierarchy, at every key and sample of both\n"
    "and three times between each two. Both files need the same skeleton.\n"
    "\n"
    "  --clip NAME|INDEX    this clip of A and the one of B with its name; without it all clips\n"
    "                       that have a name in common\n"
    "  --with NAME|INDEX    another clip of B\n" CLI_METRIC_HELP
    "  --rate HZ            so many times a second instead of the clips' own, and three between\n"
    "  --limit METRES       exit status 1 if the largest error is larger; 0.1mm is 0.0001 too\n"
    "  --joints N           how many of the worst joints to list; default 10\n"
    "  --picture FILE.png   a picture of one pair: error over time of every joint\n"
    "  --format text|json   tables for people (default), or everything for programs\n"
    "                       (schema marrow.compare/1)\n"
    "  --allow-external     follow references of a file that lead out of its own folder\n"
    "\n"
    "examples:\n"
    "  marrow compare Fox.glb fox.mrw\n"
    "  marrow compare Fox.glb fox.mrw --clip Run --picture error.png\n"
    "  marrow compare Fox.glb Fox.glb --clip Walk --with Run\n";

typedef struct compare_options {
    const char *clip;
    const char *with;
    const char *units;
    const char *shell;
    double rate_hz;
    double limit_m;
    uint32_t joints;
    const char *picture;
    int format; /* 0 text, 1 json */
    bool allow_external;
} compare_options;

static int check_picture(const char *path)
{
#ifdef MARROW_HAVE_RENDER
    const size_t length = strlen(path);
    if (length <= 4 || strcmp(path + length - 4, ".png") != 0)
        return cli_fail_usage("compare", "--picture %s: the picture is a .png", path);
    return cli_output_check("compare", path);
#else
    (void)path;
    return cli_fail_usage("compare", "--picture: this build cannot draw. Install libepoxy-dev "
                                     "libegl-dev libspng-dev libwebp-dev libstb-dev, then "
                                     "configure and build again");
#endif
}

static int parse(int argc, char **argv, compare_options *out, const char *files[2])
{
    const cli_option options[] = {
        {"--clip", NULL, CLI_TEXT, &out->clip, NULL, 0, 0},
        {"--with", NULL, CLI_TEXT, &out->with, NULL, 0, 0},
        {"--units", NULL, CLI_TEXT, &out->units, NULL, 0, 0},
        {"--shell", NULL, CLI_TEXT, &out->shell, NULL, 0, 0},
        {"--rate", NULL, CLI_NUMBER, &out->rate_hz, NULL, 0, 0},
        {"--limit", NULL, CLI_METRES, &out->limit_m, NULL, 0, 0},
        {"--joints", NULL, CLI_COUNT, &out->joints, NULL, 1, 65535},
        {"--picture", NULL, CLI_TEXT, &out->picture, NULL, 0, 0},
        {"--format", NULL, CLI_CHOICE, &out->format, "text|json", 0, 0},
        {"--allow-external", NULL, CLI_FLAG, &out->allow_external, NULL, 0, 0},
    };
    uint32_t count = 0;
    int status = cli_options_parse_list(argc, argv, options, sizeof(options) / sizeof(options[0]),
                                        2, files, &count);
    if (status != CLI_OK)
        return status;
    if (count < 2)
        return cli_fail_usage("compare", "two files are needed: marrow compare A B (for two clips "
                                         "of one file, name it twice)");
    if (out->with != NULL && out->clip == NULL)
        return cli_fail_usage("compare", "--with needs --clip: which clip of %s?", files[0]);
    if (!(out->rate_hz >= 0.0 && out->rate_hz <= 100000.0))
        return cli_fail_usage("compare", "--rate: %g is not between 0 and 100000", out->rate_hz);
    if (!(out->limit_m >= 0.0))
        return cli_fail_usage("compare", "--limit: %g is below 0", out->limit_m);
    return out->picture != NULL ? check_picture(out->picture) : CLI_OK;
}

/* --- pairs -------------------------------------------------------------------------------- */

static int check_skeletons(const compare_run *run)
{
    const mrw_skeleton *a = &run->inputs[0].character->skeleton;
    const mrw_skeleton *b = &run->inputs[1].character->skeleton;
    char buffer[CLI_DIFFERENCE_SIZE];
    const char *why = cli_skeleton_difference(a, b, buffer);
    if (why != NULL) {
        mrw_error error = {.status = MRW_ERR_SKELETON_MISMATCH};
        snprintf(error.message, sizeof(error.message),
                 "its skeleton is not that of %.60s: %.110s; only clips of one skeleton can be "
                 "compared",
                 run->inputs[0].path, why);
        return cli_fail("compare", run->inputs[1].path, &error);
    }
    if (cli_rest_pose_differs(a, b)) {
        fputs("marrow compare: note: the rest poses differ; both clips play on that of ", stderr);
        cli_put_text(stderr, run->inputs[0].path);
        fputc('\n', stderr);
    }
    return CLI_OK;
}

static void add_pair(compare_run *run, int32_t a, int32_t b)
{
    run->pairs[run->pair_count++] = (compare_pair){{a, b}, NULL};
}

static int pair_named(const compare_options *options, compare_run *run)
{
    int32_t a = -1, b = -1;
    int status = cli_input_find_clip(&run->inputs[0], options->clip, &a);
    if (status != CLI_OK)
        return status;
    const mrw_character *other = run->inputs[1].character;
    const char *name = run->inputs[0].character->clips[a].name;
    if (options->with == NULL && other->clip_count == 1)
        b = 0; /* whatever its name is */
    else
        status =
            cli_input_find_clip(&run->inputs[1], options->with != NULL ? options->with : name, &b);
    if (status == CLI_OK)
        add_pair(run, a, b);
    return status;
}

static int pair_all(compare_run *run)
{
    const mrw_character *a = run->inputs[0].character, *b = run->inputs[1].character;
    uint32_t alone = 0;
    if (a->clip_count == 1 && b->clip_count == 1) {
        add_pair(run, 0, 0);
        return CLI_OK;
    }
    for (uint32_t i = 0; i < a->clip_count; i++) {
        int32_t other = mrw_character_find_clip(b, a->clips[i].name);
        if (other >= 0)
            add_pair(run, (int32_t)i, other);
        else
            alone++;
    }
    if (run->pair_count == 0)
        return cli_fail_usage("compare",
                              "no clip of %s has the name of one of %s: say which with "
                              "--clip and --with",
                              run->inputs[0].path, run->inputs[1].path);
    if (alone > 0)
        fprintf(stderr, "marrow compare: note: %u of %u clips are not in the second file\n",
                (unsigned)alone, (unsigned)a->clip_count);
    return CLI_OK;
}

static int choose_pairs(const compare_options *options, compare_run *run)
{
    run->pairs = calloc((size_t)run->inputs[0].character->clip_count + 1, sizeof(*run->pairs));
    if (run->pairs == NULL)
        return cli_fail_status("compare", run->inputs[0].path, MRW_ERR_OUT_OF_MEMORY);
    int status = options->clip != NULL ? pair_named(options, run) : pair_all(run);
    if (status == CLI_OK && options->picture != NULL && run->pair_count > 1)
        return cli_fail_usage("compare",
                              "--picture shows one pair of clips: say which with --clip");
    return status;
}

static int measure(const compare_options *options, compare_run *run)
{
    mrw_compare_options compare = mrw_compare_options_default();
    compare.metres_per_unit = run->metric.metres_per_unit;
    compare.shell_m = run->metric.shell_m;
    compare.joint_shells_m = run->metric.joint_shells_m;
    compare.samples_per_second = options->rate_hz;
    for (uint32_t i = 0; i < run->pair_count; i++) {
        compare_pair *pair = &run->pairs[i];
        mrw_error error = {0};
        if (mrw_compare_clips(&run->inputs[0].character->skeleton, compare_clip(run, pair, 0),
                              compare_clip(run, pair, 1), &compare, &pair->comparison,
                              &error) != MRW_OK)
            return cli_fail("compare", run->inputs[1].path, &error);
        if (!isfinite(pair->comparison->all.rms)) {
            error.status = MRW_ERR_NOT_FINITE;
            snprintf(error.detail, sizeof(error.detail), "clip %.100s",
                     compare_clip(run, pair, 1)->name);
            snprintf(error.message, sizeof(error.message),
                     "joints are farther away than a float can hold: the transforms or keys are "
                     "too large");
            return cli_fail("compare", run->inputs[1].path, &error);
        }
    }
    return CLI_OK;
}

/* --- results ------------------------------------------------------------------------------ */

static int write_picture(const compare_run *run, const char *path)
{
#ifdef MARROW_HAVE_RENDER
    uint8_t *bytes = NULL;
    size_t size_bytes = 0;
    if (!cli_compare_draw(run, &bytes, &size_bytes))
        return cli_fail_status("compare", path, MRW_ERR_OUT_OF_MEMORY);
    int status = cli_output_save("compare", path, bytes, size_bytes);
    free(bytes);
    return status;
#else
    (void)run;
    (void)path;
    return CLI_USAGE;
#endif
}

/* Whether --limit is kept; says so if not. */
static int check_limit(const compare_run *run)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < run->pair_count; i++)
        if (run->pairs[i].comparison->all.largest > largest)
            largest = run->pairs[i].comparison->all.largest;
    if (run->limit_m == 0.0 || largest <= run->limit_m)
        return CLI_OK;
    fprintf(stderr, "marrow compare: the largest error, %.4g mm, is above the limit of %.4g mm\n",
            1000.0 * largest, 1000.0 * run->limit_m);
    return CLI_CONTENT;
}

static int report(const compare_options *options, const compare_run *run)
{
    int status = CLI_OK;
    if (options->picture != NULL)
        status = write_picture(run, options->picture);
    if (status != CLI_OK)
        return status;
    if (options->format == 1)
        cli_compare_print_json(run);
    else if (!cli_compare_print_text(run))
        return cli_fail_status("compare", run->inputs[0].path, MRW_ERR_OUT_OF_MEMORY);
    return check_limit(run);
}

static int compare_files(const compare_options *options, const char *const files[2],
                         compare_run *run)
{
    const cli_input_options input_options = {options->allow_external, true, 0, false};
    int status = cli_input_load("compare", files[0], &input_options, &run->inputs[0]);
    if (status == CLI_OK)
        status = cli_input_load("compare", files[1], &input_options, &run->inputs[1]);
    if (status == CLI_OK)
        status = check_skeletons(run);
    if (status == CLI_OK)
        status = choose_pairs(options, run);
    if (status == CLI_OK)
        status = cli_metric_make(&run->inputs[0], options->units, options->shell, &run->metric);
    if (status == CLI_OK)
        cli_metric_note_size(&run->inputs[0], options->units);
    if (status == CLI_OK)
        status = measure(options, run);
    return status == CLI_OK ? report(options, run) : status;
}

int cmd_compare(int argc, char **argv)
{
    const char *files[2] = {NULL, NULL};
    compare_options options = {.joints = 10};
    int status = parse(argc, argv, &options, files);
    if (status != CLI_OK)
        return status;
    compare_run run = {.limit_m = options.limit_m, .shown_count = options.joints};
    status = compare_files(&options, files, &run);
    for (uint32_t i = 0; i < run.pair_count; i++)
        mrw_comparison_free(run.pairs[i].comparison);
    free(run.pairs);
    cli_metric_free(&run.metric);
    for (int side = 0; side < 2; side++)
        cli_input_free(&run.inputs[side]);
    return status;
}
