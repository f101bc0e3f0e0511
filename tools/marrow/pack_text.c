#include "pack_run.h"

#include "table.h"
#include "text.h"

static double ratio(uint64_t raw_bytes, uint64_t packed_bytes)
{
    return packed_bytes > 0 ? (double)raw_bytes / (double)packed_bytes : 0.0;
}

static void add_error(cli_table *table, const pack_run *run, const pack_clip *clip)
{
    const mrw_error_stats *error = &clip->report.error;
    cli_table_number(table, (float)(1000.0 * error->largest), 4);
    cli_table_number(table, (float)(1000.0 * error->p99), 4);
    cli_table_cell(table, "%s",
                   error->largest > 0.0 ? pack_joint_name(run, clip, error->largest_joint) : "");
    cli_table_number(table, (float)error->largest_time_s, 2);
}

static void add_no_error(cli_table *table)
{
    cli_table_cell(table, "copied");
    for (int i = 0; i < 3; i++)
        cli_table_cell(table, "%s", "");
}

static void add_row(cli_table *table, const pack_run *run, const pack_clip *clip)
{
    const mrw_pack_report *report = &clip->report;
    const mrw_clip *source = &pack_character(run, clip)->clips[clip->clip];
    cli_table_cell(table, "%s", clip->name);
    cli_table_number(table, source->duration_s, 2);
    if (report->sample_count > 0)
        cli_table_cell(table, "%.4g", report->samples_per_second);
    else
        cli_table_cell(table, "keys");
    cli_table_cell(table, "%zu", report->raw_bytes);
    cli_table_cell(table, "%zu", report->source_bytes);
    cli_table_cell(table, "%zu", report->packed_bytes);
    if (run->for_storage)
        cli_table_cell(table, "%zu", clip->stored.size_bytes);
    cli_table_cell(table, "%.1f", ratio(report->raw_bytes, pack_written_bytes(run, clip)));
    if (report->copied)
        add_no_error(table);
    else
        add_error(table, run, clip);
    cli_table_number(table, (float)clip->seconds, 2);
}

static bool print_table(const pack_run *run)
{
    cli_table table;
    cli_table_begin(&table);
    cli_table_columns(&table, "clip", CLI_LEFT, 1);
    cli_table_columns(&table, "seconds", CLI_RIGHT, 1);
    cli_table_columns(&table, "Hz", CLI_RIGHT, 1);
    cli_table_columns(&table, "raw", CLI_RIGHT, 1);
    cli_table_columns(&table, "source", CLI_RIGHT, 1);
    cli_table_columns(&table, "packed", CLI_RIGHT, 1);
    if (run->for_storage)
        cli_table_columns(&table, "stored", CLI_RIGHT, 1);
    cli_table_columns(&table, "ratio", CLI_RIGHT, 1);
    cli_table_columns(&table, "largest mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "p99 mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "worst joint", CLI_LEFT, 1);
    cli_table_columns(&table, "at s", CLI_RIGHT, 1);
    cli_table_columns(&table, "took s", CLI_RIGHT, 1);
    for (uint32_t i = 0; i < run->clip_count; i++)
        add_row(&table, run, &run->clips[i]);
    return cli_table_print(&table, stdout, 0);
}

static void print_count(const char *before, uint32_t count, const char *one, const char *more)
{
    printf("%s%u %s", before, (unsigned)count, count == 1 ? one : more);
}

static void print_what(const pack_run *run)
{
    const mrw_character *character = run->sources[0].character;
    if (run->apart) {
        print_count(": ", run->source_count, "file", "files");
        printf(", %zu bytes\n", run->file_bytes);
        return;
    }
    printf(" (%zu bytes): skeleton of %u joints", run->file_bytes,
           (unsigned)character->skeleton.joint_count);
    print_count(", ", character->skin_count, "skin", "skins");
    if (run->with_meshes)
        print_count(", ", character->mesh_count, "mesh", "meshes");
    print_count(", ", run->clip_count, "clip", "clips");
    printf("\n");
}

static void print_worst(const pack_run *run, const pack_clip *worst)
{
    printf("largest error %.4f mm", 1000.0 * worst->report.error.largest);
    if (worst->report.error.largest > 0.0) {
        printf(": ");
        cli_put_text(stdout, pack_joint_name(run, worst, worst->report.error.largest_joint));
        printf(" in ");
        cli_put_text(stdout, worst->name);
        printf(" at %.3f s", worst->report.error.largest_time_s);
    }
    printf("\n");
}

static bool print_clips(const pack_run *run)
{
    if (!print_table(run))
        return false;
    const pack_totals totals = cli_pack_totals(run);
    printf("\n%u clip%s, %.1f s: %llu bytes raw, %llu packed, ", (unsigned)run->clip_count,
           run->clip_count == 1 ? "" : "s", totals.seconds, (unsigned long long)totals.raw_bytes,
           (unsigned long long)totals.packed_bytes);
    if (run->for_storage)
        printf("%llu stored, ", (unsigned long long)totals.stored_bytes);
    printf("%.1f : 1\n",
           ratio(totals.raw_bytes, run->for_storage ? totals.stored_bytes : totals.packed_bytes));
    if (totals.copied < run->clip_count)
        print_worst(run, &run->clips[totals.worst]);
    if (totals.copied > 0)
        printf("%u packed already: copied as %s (--repack packs again, errors add up)\n",
               (unsigned)totals.copied, totals.copied == 1 ? "it is" : "they are");
    return true;
}

bool cli_pack_print_text(const pack_run *run)
{
    if (run->clip_count > 0 && !print_clips(run))
        return false;
    printf("wrote ");
    cli_put_text(stdout, run->output);
    print_what(run);
    return true;
}
