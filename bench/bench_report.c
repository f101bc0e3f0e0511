/* The table is as wide as its longest names; the JSON is one object with the same numbers:
 *
 *     { "version", "processor", "compiler", "runs", "isas": [..],
 *       "floors": { "arithmetic": [..], "chain_ns", "memory": [..] },
 *       "rigs": [ { "name", .., "stages": [ { "name", "isa", "min_ns", .. } ] } ] }
 */
#include "bench_report.h"

#include <stdio.h>
#include <string.h>

static const char *processor_name(void)
{
    static char name[128];
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file != NULL && name[0] == '\0' && fgets(line, sizeof(line), file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL)
            snprintf(name, sizeof(name), "%s", colon + 1 + (colon[1] == ' '));
    }
    if (file != NULL)
        fclose(file);
    name[strcspn(name, "\n")] = '\0';
    return name[0] != '\0' ? name : "unknown processor";
}

static const char *compiler_name(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}

/* Bits of the vectors of an instruction set. Scalar code is held against the least that the
 * machine has, as compilers make vectors of it. */
static uint32_t vector_bits(const char *isa)
{
    return strcmp(isa, "avx512") == 0 ? 512 : strcmp(isa, "avx2") == 0 ? 256 : 128;
}

/* --- JSON ------------------------------------------------------------------------------ */

static void print_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void json_begin(const bench_report *report)
{
    const bench_settings *settings = report->settings;
    const bench_floors *floors = report->floors;
    printf("{\n  \"version\": \"%s\",\n  \"processor\": ", mrw_version());
    print_string(processor_name());
    printf(",\n  \"compiler\": ");
    print_string(compiler_name());
    printf(",\n  \"runs\": %u,\n  \"isas\": [", settings->run_count);
    for (uint32_t i = 0; i < settings->isa_count; i++)
        printf("%s\"%s\"", i > 0 ? ", " : "", settings->isas[i]);
    printf("],\n  \"floors\": {\n    \"chain_ns\": %.6g,\n    \"arithmetic\": [", floors->chain_ns);
    const char *comma = "";
    for (uint32_t i = 0; i < BENCH_WIDTH_COUNT; i++) {
        const bench_arithmetic *width = &floors->arithmetic[i];
        if (width->operations_per_ns <= 0.0)
            continue;
        printf("%s\n      {\"bits\": %u, \"operations_per_ns\": %.6g, \"divisions_per_ns\": %.6g}",
               comma, width->bits, width->operations_per_ns, width->divisions_per_ns);
        comma = ",";
    }
    printf("\n    ],\n    \"memory\": [");
    for (uint32_t i = 0; i < BENCH_MEMORY_COUNT; i++) {
        const bench_bandwidth *memory = &floors->memory[i];
        printf("%s\n      {\"name\": \"%s\", \"size_bytes\": %zu, \"read_bytes_per_ns\": %.6g, "
               "\"write_bytes_per_ns\": %.6g}",
               i > 0 ? "," : "", memory->name, memory->size_bytes, memory->read_bytes_per_ns,
               memory->write_bytes_per_ns);
    }
    printf("\n    ]\n  },\n  \"rigs\": [");
}

static void json_result(const bench_report *report, bench_result *result)
{
    const bench_stage *stage = result->stage;
    const char *bound;
    double floor_ns =
        bench_floor_ns(report->floors, &stage->work, vector_bits(result->isa), &bound);
    double min = bench_series_min(&result->series);
    printf("      {\"name\": \"%s\", \"isa\": \"%s\", \"unit\": \"%s\", \"units\": %.0f, "
           "\"min_ns\": %.6g, "
           "\"median_ns\": %.6g, \"floor_ns\": %.6g, \"floor\": \"%s\", \"operations\": %.0f, "
           "\"bytes_read\": %.0f, \"bytes_written\": %.0f}",
           stage->name, result->isa, stage->unit, stage->unit_count, min,
           bench_series_median(&result->series), floor_ns, bound, stage->work.operations,
           stage->work.bytes_read, stage->work.bytes_written);
}

static void json_packed(const char *name, const bench_packed *packed)
{
    const mrw_pack_report *report = &packed->report;
    printf("\n      \"%s\": {\"clip\": ", name);
    print_string(packed->source->name);
    printf(", \"samples\": %u, \"samples_per_second\": %.6g, \"raw_bytes\": %zu, "
           "\"source_bytes\": %zu, \"packed_bytes\": %zu, \"largest_error_m\": %.6g},",
           report->sample_count, report->samples_per_second, report->raw_bytes,
           report->source_bytes, report->packed_bytes, report->error.largest);
}

static void json_rig(const bench_report *report, const bench_desk *desk, bench_result *results,
                     uint32_t result_count)
{
    const bench_rig *rig = desk->rig;
    printf("%s\n    {\"name\": ", report->has_rig ? "," : "");
    print_string(rig->name);
    printf(", \"joints\": %u, \"depth\": %u, \"vertices\": %u, \"influences\": %u,\n      "
           "\"first_clip\": ",
           rig->skeleton->joint_count, rig->depth, rig->vertex_count, rig->influence_count);
    print_string(rig->first->name);
    printf(", \"second_clip\": ");
    print_string(rig->second->name);
    printf(", \"busiest_clip\": ");
    print_string(rig->busiest->name);
    putchar(',');
    json_packed("packed_first", &desk->packed);
    json_packed("packed_busiest", &desk->packed_busiest);
    printf("\n      \"stages\": [");
    for (uint32_t i = 0; i < result_count; i++) {
        printf("%s\n", i > 0 ? "," : "");
        json_result(report, &results[i]);
    }
    printf("\n    ]}");
}

/* --- the table ------------------------------------------------------------------------- */

static void table_begin(const bench_report *report)
{
    const bench_floors *floors = report->floors;
    printf("Marrow %s, %s, bench built with %s\n", mrw_version(), processor_name(),
           compiler_name());
    printf(
        "least and median of %u runs of %.1f ms or more\n\nthe machine, one thread, in this run\n",
        report->settings->run_count, report->settings->run_ns / 1e6);
    for (uint32_t i = 0; i < BENCH_WIDTH_COUNT; i++) {
        const bench_arithmetic *width = &floors->arithmetic[i];
        if (width->operations_per_ns > 0.0)
            printf("  %u bits  %7.1f billion multiplications and additions a second, not fused; "
                   "%.1f billion "
                   "divisions\n",
                   width->bits, width->operations_per_ns, width->divisions_per_ns);
    }
    printf("  chain     %7.2f ns for a multiplication and an addition that wait for each other\n",
           floors->chain_ns);
    for (uint32_t i = 0; i < BENCH_MEMORY_COUNT; i++) {
        const bench_bandwidth *memory = &floors->memory[i];
        printf("  %-8s  %7.1f GB/s read, %.1f GB/s written, over %zu KiB\n", memory->name,
               memory->read_bytes_per_ns, memory->write_bytes_per_ns, memory->size_bytes >> 10);
    }
}

static void table_packed(const bench_packed *packed)
{
    const mrw_pack_report *report = &packed->report;
    printf("%s packed: %zu bytes, %zu before, %zu raw", packed->source->name, report->packed_bytes,
           report->source_bytes, report->raw_bytes);
    if (report->sample_count > 0)
        printf("; %u samples, %.1f bytes each", report->sample_count,
               (double)report->packed_bytes / report->sample_count);
    printf("; at most %.1f um off\n", 1e6 * report->error.largest);
}

static void table_rig(const bench_report *report, const bench_desk *desk, bench_result *results,
                      uint32_t result_count)
{
    const bench_rig *rig = desk->rig;
    printf("\n%s: %u joints, %u deep; clips %s and %s, most tracks %s", rig->name,
           rig->skeleton->joint_count, rig->depth, rig->first->name, rig->second->name,
           rig->busiest->name);
    if (rig->skin != NULL)
        printf("; %u joints skin %u vertices, %u influences each", rig->skin->joint_count,
               rig->vertex_count, rig->influence_count);
    putchar('\n');
    table_packed(&desk->packed);
    if (desk->packed_busiest.source != desk->packed.source)
        table_packed(&desk->packed_busiest);
    printf("\n  %-34s %-7s %10s %10s %-10s %12s %12s %7s\n", "", "", "least", "median", "", "least",
           "bytes", "share");
    printf("  %-34s %-7s %10s %10s %-10s %12s %12s %7s %s\n", "stage", "with", "ns", "ns", "per",
           "ns a call", "a call", "%", "of");
    for (uint32_t i = 0; i < result_count; i++) {
        const bench_stage *stage = results[i].stage;
        const char *bound;
        double floor_ns =
            bench_floor_ns(report->floors, &stage->work, vector_bits(results[i].isa), &bound);
        double min = bench_series_min(&results[i].series);
        printf("  %-34s %-7s %10.3f %10.3f %-10s %12.1f %12.0f %7.1f %s\n", stage->name,
               results[i].isa, min / stage->unit_count,
               bench_series_median(&results[i].series) / stage->unit_count, stage->unit, min,
               stage->work.bytes_read + stage->work.bytes_written,
               min > 0.0 ? 100.0 * floor_ns / min : 0.0, bound);
    }
}

/* --- both -------------------------------------------------------------------------------- */

void bench_report_begin(bench_report *report)
{
    if (report->json)
        json_begin(report);
    else
        table_begin(report);
}

void bench_report_rig(bench_report *report, const bench_desk *desk, bench_result *results,
                      uint32_t result_count)
{
    if (report->json)
        json_rig(report, desk, results, result_count);
    else
        table_rig(report, desk, results, result_count);
    report->has_rig = true;
    fflush(stdout);
}

void bench_report_end(bench_report *report)
{
    if (report->json)
        printf("\n  ]\n}\n");
}
