/* marrow.compare/1: add members, never change one. Distances in metres. */
#include "compare_run.h"

#include "json_writer.h"

static void print_stats(cli_json *json, const mrw_skeleton *skeleton, const mrw_error_stats *stats)
{
    cli_json_float(json, "largest_m", (float)stats->largest);
    cli_json_string(json, "largest_joint", mrw_skeleton_joint_name(skeleton, stats->largest_joint));
    cli_json_float(json, "largest_time_s", (float)stats->largest_time_s);
    cli_json_float(json, "p99_m", (float)stats->p99);
    cli_json_float(json, "p50_m", (float)stats->p50);
    cli_json_float(json, "rms_m", (float)stats->rms);
}

static void print_pair(cli_json *json, const compare_run *run, const compare_pair *pair)
{
    const mrw_skeleton *skeleton = &run->inputs[0].character->skeleton;
    const mrw_comparison *comparison = pair->comparison;
    cli_json_object(json, NULL, CLI_JSON_LINES);
    cli_json_string(json, "a", compare_clip(run, pair, 0)->name);
    cli_json_string(json, "b", compare_clip(run, pair, 1)->name);
    cli_json_unsigned(json, "time_count", comparison->time_count);
    print_stats(json, skeleton, &comparison->all);
    cli_json_float(json, "scalar_largest", (float)comparison->scalar_largest);
    cli_json_array(json, "joints", CLI_JSON_LINES);
    for (uint32_t j = 0; j < comparison->joint_count; j++) {
        const mrw_error_stats *stats = &comparison->joints[j];
        cli_json_object(json, NULL, CLI_JSON_INLINE);
        cli_json_string(json, "name", mrw_skeleton_joint_name(skeleton, j));
        cli_json_float(json, "largest_m", (float)stats->largest);
        cli_json_float(json, "largest_time_s", (float)stats->largest_time_s);
        cli_json_float(json, "p99_m", (float)stats->p99);
        cli_json_float(json, "p50_m", (float)stats->p50);
        cli_json_float(json, "rms_m", (float)stats->rms);
        cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_end(json);
}

void cli_compare_print_json(const compare_run *run)
{
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_object(&json, NULL, CLI_JSON_LINES);
    cli_json_string(&json, "schema", "marrow.compare/1");
    cli_json_string(&json, "file_a", run->inputs[0].path);
    cli_json_string(&json, "file_b", run->inputs[1].path);
    cli_json_float(&json, "metres_per_unit", (float)run->metric.metres_per_unit);
    cli_json_array(&json, "pairs", CLI_JSON_LINES);
    for (uint32_t i = 0; i < run->pair_count; i++)
        print_pair(&json, run, &run->pairs[i]);
    cli_json_end(&json);
    cli_json_end(&json);
    cli_json_finish(&json);
}
