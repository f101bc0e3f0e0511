#include "compare_run.h"

#include "table.h"
#include "text.h"

#include <stdlib.h>

static const char *joint_name(const compare_run *run, uint32_t joint)
{
    return mrw_skeleton_joint_name(&run->inputs[0].character->skeleton, joint);
}

static void put_clip(const compare_run *run, const compare_pair *pair, int side)
{
    const char *name = compare_clip(run, pair, side)->name;
    cli_put_text(stdout, run->inputs[side].path);
    printf(", clip %d", pair->clips[side]);
    if (name[0]) {
        printf(" \"");
        cli_put_text(stdout, name);
        printf("\"");
    }
}

static void add_number(cli_table *table, double metres)
{
    cli_table_number(table, (float)(1000.0 * metres), 4);
}

/* --- one pair ------------------------------------------------------------------------------- */

typedef struct ranked_joint {
    uint32_t joint;
    double largest;
} ranked_joint;

static int compare_ranked(const void *a, const void *b)
{
    const ranked_joint *left = a, *right = b;
    if (left->largest != right->largest)
        return left->largest < right->largest ? 1 : -1;
    return left->joint < right->joint ? -1 : 1;
}

static bool print_joints(const compare_run *run, const mrw_comparison *comparison)
{
    const uint32_t count = comparison->joint_count;
    ranked_joint *ranked = calloc((size_t)count + 1, sizeof(*ranked));
    if (ranked == NULL)
        return false;
    for (uint32_t j = 0; j < count; j++)
        ranked[j] = (ranked_joint){j, comparison->joints[j].largest};
    qsort(ranked, count, sizeof(*ranked), compare_ranked);
    const uint32_t shown = run->shown_count < count ? run->shown_count : count;
    printf("\n%s\n", shown < count ? "worst joints" : "joints");
    cli_table table;
    cli_table_begin(&table);
    cli_table_columns(&table, "#", CLI_RIGHT, 1);
    cli_table_columns(&table, "joint", CLI_LEFT, 1);
    cli_table_columns(&table, "largest mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "at s", CLI_RIGHT, 1);
    cli_table_columns(&table, "p99 mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "p50 mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "rms mm", CLI_RIGHT, 1);
    for (uint32_t i = 0; i < shown; i++) {
        const mrw_error_stats *stats = &comparison->joints[ranked[i].joint];
        cli_table_cell(&table, "%u", (unsigned)ranked[i].joint);
        cli_table_cell(&table, "%s", joint_name(run, ranked[i].joint));
        add_number(&table, stats->largest);
        cli_table_number(&table, (float)stats->largest_time_s, 3);
        add_number(&table, stats->p99);
        add_number(&table, stats->p50);
        add_number(&table, stats->rms);
    }
    free(ranked);
    bool complete = cli_table_print(&table, stdout, 2);
    if (shown < count)
        printf("  ... and %u more: --joints N shows them\n", (unsigned)(count - shown));
    return complete;
}

static bool print_pair(const compare_run *run, const compare_pair *pair)
{
    const mrw_comparison *comparison = pair->comparison;
    const mrw_error_stats *all = &comparison->all;
    put_clip(run, pair, 0);
    printf("\n");
    put_clip(run, pair, 1);
    printf("\n  %u joints at %u times from 0 to %.3f s\n\n", (unsigned)comparison->joint_count,
           (unsigned)comparison->time_count,
           comparison->time_count > 0 ? comparison->times_s[comparison->time_count - 1] : 0.0);
    printf("  largest %10.4f mm", 1000.0 * all->largest);
    if (all->largest > 0.0) {
        printf("  ");
        cli_put_text(stdout, joint_name(run, all->largest_joint));
        printf(" at %.3f s", all->largest_time_s);
    }
    printf("\n  p99     %10.4f mm\n  p50     %10.4f mm\n  rms     %10.4f mm\n", 1000.0 * all->p99,
           1000.0 * all->p50, 1000.0 * all->rms);
    if (comparison->scalar_largest > 0.0) {
        printf("  morph weights: largest difference %.6f, ", comparison->scalar_largest);
        cli_put_text(stdout, mrw_skeleton_scalar_name(&run->inputs[0].character->skeleton,
                                                      comparison->scalar_largest_index));
        printf("\n");
    }
    return print_joints(run, comparison);
}

/* --- many ----------------------------------------------------------------------------------- */

static bool print_pairs(const compare_run *run)
{
    cli_table table;
    cli_table_begin(&table);
    cli_table_columns(&table, "clip", CLI_LEFT, 1);
    cli_table_columns(&table, "seconds", CLI_RIGHT, 1);
    cli_table_columns(&table, "times", CLI_RIGHT, 1);
    cli_table_columns(&table, "largest mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "p99 mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "p50 mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "rms mm", CLI_RIGHT, 1);
    cli_table_columns(&table, "worst joint", CLI_LEFT, 1);
    cli_table_columns(&table, "at s", CLI_RIGHT, 1);
    uint32_t worst = 0;
    for (uint32_t i = 0; i < run->pair_count; i++) {
        const compare_pair *pair = &run->pairs[i];
        const mrw_error_stats *all = &pair->comparison->all;
        const mrw_clip *clip = compare_clip(run, pair, 0);
        cli_table_cell(&table, "%s", clip->name[0] ? clip->name : "(no name)");
        cli_table_number(&table, clip->duration_s, 3);
        cli_table_cell(&table, "%u", (unsigned)pair->comparison->time_count);
        add_number(&table, all->largest);
        add_number(&table, all->p99);
        add_number(&table, all->p50);
        add_number(&table, all->rms);
        cli_table_cell(&table, "%s", all->largest > 0.0 ? joint_name(run, all->largest_joint) : "");
        cli_table_number(&table, (float)all->largest_time_s, 3);
        if (all->largest > run->pairs[worst].comparison->all.largest)
            worst = i;
    }
    cli_put_text(stdout, run->inputs[0].path);
    printf("\n");
    cli_put_text(stdout, run->inputs[1].path);
    printf("\n\n");
    bool complete = cli_table_print(&table, stdout, 2);
    const mrw_error_stats *all = &run->pairs[worst].comparison->all;
    printf("\nlargest error of %u clips: %.4f mm, in ", (unsigned)run->pair_count,
           1000.0 * all->largest);
    cli_put_text(stdout, compare_clip(run, &run->pairs[worst], 0)->name);
    printf("\n");
    return complete;
}

bool cli_compare_print_text(const compare_run *run)
{
    return run->pair_count == 1 ? print_pair(run, &run->pairs[0]) : print_pairs(run);
}
