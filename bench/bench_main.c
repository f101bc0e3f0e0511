/* marrow_bench: how long each stage of the runtime takes, and how long this machine must take.
 *
 *     main ──▶ rigs ──▶ stages ──┐
 *       └────▶ floors ───────────┴──▶ report ──▶ stdout
 *
 * Runs of all stages and instruction sets take turns, so that a moment in which the machine is slow
 * spoils one run of each and not all runs of one.
 */
#include "bench_report.h"
#include "bench_rig.h"
#include "bench_stage.h"
#include "bench_time.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: marrow_bench [--quick] [--json] [--runs N] [--isa NAMES] [--filter TEXT]\n"
    "                    [--file FILE] [--rig FILE.bin] [--units N]\n"
    "\n"
    "Times each stage of the runtime on one thread, and what the machine can do at best.\n"
    "Without a file: the biped of `marrow demo`, and where the environment variable\n"
    "MARROW_SHARED names a folder, what is in it of assets/gltf/Fox.glb,\n"
    "assets/gltf/Knight.glb and lab/kernels/pab.bin.\n"
    "\n"
    "  --quick        few and short runs: shows that it works, measures little\n"
    "  --json         one JSON document instead of tables\n"
    "  --runs N       runs of each stage, 1 to 1000 (default 25)\n"
    "  --isa NAMES    instruction sets, separated by commas, or all; they take turns\n"
    "                 (default: $MARROW_ISA, or else the fastest)\n"
    "  --filter TEXT  only stages whose name contains the text\n"
    "  --file FILE    a .gltf, .glb, .bvh or .mrw\n"
    "  --rig FILE     plain numbers: see bench_rig.h\n"
    "  --units N      metres of a unit of the files that follow, for packing (default 1)\n"
    "  -h, --help     this text\n"
    "\n"
    "exit status: 0 success, 1 a file is unusable or a stage fails, 2 the command line is\n"
    "             wrong, 3 no memory\n";

enum { MAX_RIGS = 16 };

typedef struct rig_source {
    const char *path; /* NULL: the demo's biped */
    bool is_numbers;
    double metres_per_unit;
} rig_source;

typedef struct bench_options {
    bool quick, json;
    uint32_t run_count; /* 0: not given */
    const char *isas;
    const char *filter;
    double metres_per_unit; /* of the next source */
    rig_source sources[MAX_RIGS];
    uint32_t source_count;
} bench_options;

static int fail_usage(const char *what, const char *name)
{
    fprintf(stderr, "marrow_bench: %s%s\n%s", what, name, usage);
    return 2;
}

/* --- the command line ----------------------------------------------------------------- */

static bool parse_runs(const char *text, uint32_t *out_count)
{
    char *end = NULL;
    errno = 0;
    long count = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || count < 1 || count > BENCH_MAX_RUNS)
        return false;
    *out_count = (uint32_t)count;
    return true;
}

static bool parse_units(const char *text, double *out_metres)
{
    char *end = NULL;
    double metres = strtod(text, &end);
    if (end == text || *end != '\0' || !(metres > 0.0 && metres <= 1e9))
        return false;
    *out_metres = metres;
    return true;
}

/* An option with a value. Returns 0, or the exit status. */
static int take_value(bench_options *options, const char *name, const char *value)
{
    if (strcmp(name, "--runs") == 0)
        return parse_runs(value, &options->run_count)
                   ? 0
                   : fail_usage("--runs is 1 to 1000, not ", value);
    if (strcmp(name, "--units") == 0)
        return parse_units(value, &options->metres_per_unit)
                   ? 0
                   : fail_usage("--units is a number of metres, not ", value);
    if (strcmp(name, "--isa") == 0) {
        options->isas = value;
    } else if (strcmp(name, "--filter") == 0) {
        options->filter = value;
    } else {
        if (options->source_count == MAX_RIGS)
            return fail_usage("too many files: ", value);
        options->sources[options->source_count++] =
            (rig_source){value, strcmp(name, "--rig") == 0, options->metres_per_unit};
    }
    return 0;
}

static int parse(int argc, char **argv, bench_options *options)
{
    static const char *const with_value[] = {"--runs", "--isa",   "--filter",
                                             "--file", "--units", "--rig"};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            options->quick = true;
            continue;
        }
        if (strcmp(argv[i], "--json") == 0) {
            options->json = true;
            continue;
        }
        bool known = false;
        for (size_t k = 0; k < sizeof(with_value) / sizeof(with_value[0]); k++)
            known = known || strcmp(argv[i], with_value[k]) == 0;
        if (!known)
            return fail_usage("unknown argument ", argv[i]);
        if (i + 1 == argc)
            return fail_usage("there is nothing after ", argv[i]);
        int status = take_value(options, argv[i], argv[i + 1]);
        if (status != 0)
            return status;
        i++;
    }
    return 0;
}

/* The name of an instruction set of this machine, in static storage. */
static const char *find_isa(const char *name, size_t length)
{
    for (uint32_t i = 0; mrw_isa_available(i) != NULL; i++) {
        const char *isa = mrw_isa_available(i);
        if (strlen(isa) == length && memcmp(isa, name, length) == 0)
            return isa;
    }
    return NULL;
}

static int choose_isas(const char *names, bench_settings *settings)
{
    if (names == NULL || names[0] == '\0') {
        settings->isas[settings->isa_count++] = mrw_isa_name();
        return 0;
    }
    if (strcmp(names, "all") == 0) {
        for (uint32_t i = 0; mrw_isa_available(i) != NULL && i < BENCH_MAX_ISAS; i++)
            settings->isas[settings->isa_count++] = mrw_isa_available(i);
        return 0;
    }
    for (const char *at = names; *at != '\0';) {
        size_t length = strcspn(at, ",");
        const char *isa = find_isa(at, length);
        if (isa == NULL || settings->isa_count == BENCH_MAX_ISAS) {
            fprintf(stderr, "marrow_bench: no instruction set '%.*s' here; there are", (int)length,
                    at);
            for (uint32_t i = 0; mrw_isa_available(i) != NULL; i++)
                fprintf(stderr, " %s", mrw_isa_available(i));
            fputc('\n', stderr);
            return 2;
        }
        settings->isas[settings->isa_count++] = isa;
        at += length + (at[length] == ',');
    }
    return 0;
}

static void add_shared(bench_options *options, const char *folder, const char *file,
                       bool is_numbers, double metres_per_unit)
{
    size_t size_bytes = strlen(folder) + strlen(file) + 2;
    char *path = bench_alloc(size_bytes, 1);
    snprintf(path, size_bytes, "%s/%s", folder, file);
    FILE *there = fopen(path, "rb");
    if (there == NULL)
        return;
    fclose(there);
    options->sources[options->source_count++] = (rig_source){path, is_numbers, metres_per_unit};
}

static void add_default_sources(bench_options *options)
{
    options->sources[options->source_count++] = (rig_source){NULL, false, 1.0};
    const char *folder = getenv("MARROW_SHARED");
    if (folder == NULL || folder[0] == '\0')
        return;
    add_shared(options, folder, "assets/gltf/Fox.glb", false, 0.01);
    add_shared(options, folder, "assets/gltf/Knight.glb", false, 1.0);
    add_shared(options, folder, "lab/kernels/pab.bin", true, 1.0);
}

/* --- measuring -------------------------------------------------------------------------- */

/* How many calls take run_ns, or as many as the stage can do in one; they warm everything up
 * besides. 0 if the stage fails. */
static uint64_t calls_of_run(const bench_stage *stage, bench_desk *desk, double run_ns)
{
    if (stage->most_calls > 0)
        return stage->most_calls;
    for (uint64_t count = 1;; count *= 2) {
        double start = bench_now_ns();
        if (!stage->run(desk, count))
            return 0;
        double ns = bench_now_ns() - start;
        if (ns >= run_ns / 2.0)
            return (uint64_t)((double)count * run_ns / ns) + 1;
    }
}

static bool measure(const bench_settings *settings, bench_desk *desk, bench_result *results,
                    uint32_t result_count)
{
    uint64_t *calls = bench_alloc(result_count, sizeof(*calls));
    for (uint32_t run = 0; run < settings->run_count; run++) {
        for (uint32_t i = 0; i < result_count; i++) {
            const bench_stage *stage = results[i].stage;
            bool good = mrw_isa_select(results[i].isa) == MRW_OK;
            if (good && run == 0)
                calls[i] = calls_of_run(stage, desk, settings->run_ns);
            good = good && calls[i] > 0;
            if (stage->before_run != NULL)
                stage->before_run();
            double start = bench_now_ns();
            good = good && stage->run(desk, calls[i]);
            if (!good) {
                fprintf(stderr, "marrow_bench: %s fails with %s\n", stage->name, results[i].isa);
                return false;
            }
            bench_series_add(&results[i].series, (bench_now_ns() - start) / (double)calls[i]);
        }
    }
    return true;
}

static bool measure_rig(const bench_options *options, bench_report *report, const bench_rig *rig)
{
    const bench_settings *settings = report->settings;
    bench_stages *stages = bench_alloc(1, sizeof(*stages));
    bench_desk *desk = bench_desk_create(rig, stages);
    if (desk == NULL) {
        fprintf(stderr, "marrow_bench: %s cannot be posed\n", rig->name);
        return false;
    }
    bench_result *results =
        bench_alloc((size_t)BENCH_MAX_STAGES * BENCH_MAX_ISAS, sizeof(*results));
    uint32_t count = 0;
    for (uint32_t i = 0; i < stages->count; i++) {
        if (options->filter != NULL && strstr(stages->list[i].name, options->filter) == NULL)
            continue;
        for (uint32_t isa = 0; isa < settings->isa_count; isa++)
            results[count++] = (bench_result){&stages->list[i], settings->isas[isa], {0, NULL}};
    }
    if (!measure(settings, desk, results, count))
        return false;
    bench_report_rig(report, desk, results, count);
    return true;
}

static bool run_all(const bench_options *options, bench_report *report)
{
    for (uint32_t i = 0; i < options->source_count; i++) {
        const rig_source *source = &options->sources[i];
        bench_rig rig;
        if (!(source->is_numbers ? bench_rig_load_numbers(source->path, &rig)
                                 : bench_rig_load(source->path, &rig)))
            return false;
        rig.metres_per_unit = source->metres_per_unit;
        bool good = measure_rig(options, report, &rig);
        bench_rig_free(&rig);
        if (!good)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    bench_options options = {.metres_per_unit = 1.0};
    int status = parse(argc, argv, &options);
    bench_settings settings = {0};
    if (status == 0)
        status = choose_isas(options.isas != NULL ? options.isas : getenv("MARROW_ISA"), &settings);
    if (status != 0)
        return status;
    if (options.source_count == 0)
        add_default_sources(&options);
    settings.run_count = options.run_count != 0 ? options.run_count : options.quick ? 3 : 25;
    settings.run_ns = options.quick ? 1e4 : 2e6;

    bench_floors floors;
    bench_measure_floors(options.quick ? 2 : 15, settings.run_ns, &floors);
    bench_report report = {options.json, false, &settings, &floors};
    bench_report_begin(&report);
    bool good = run_all(&options, &report);
    if (good)
        bench_report_end(&report);
    bench_free_all();
    return good ? 0 : 1;
}
