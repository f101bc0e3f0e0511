/* How errors are measured, as --units and --shell say it. */
#ifndef MARROW_TOOL_METRIC_H
#define MARROW_TOOL_METRIC_H

#include "input.h"

typedef struct cli_metric {
    double metres_per_unit;
    double shell_m;
    float *joint_shells_m; /* [joint_count], or NULL: shell_m for all */
} cli_metric;

#define CLI_METRIC_HELP                                                                            \
    "  --units m|cm|mm|FACTOR\n"                                                                   \
    "                       what 1 stands for in the files: metres (default), centimetres,\n"      \
    "                       millimetres, or so many metres: 0.0254 or 2.54cm\n"                    \
    "  --shell METRES|mesh  how far from a joint the points lie whose displacement is the "        \
    "error:\n"                                                                                     \
    "                       0.03 by default; mesh: as far as the farthest vertex that the joint\n" \
    "                       moves, and at least 0.03\n"

/* units and shell: the options' values, or NULL for the defaults. Returns CLI_OK, or another exit
 * status after saying on stderr what is wrong. Freed by cli_metric_free in any case. */
int cli_metric_make(const cli_input *input, const char *units, const char *shell,
                    cli_metric *out_metric);
void cli_metric_free(cli_metric *metric);

/* A note on stderr if the skeleton is of a size that metres do not explain and --units was not
 * given. */
void cli_metric_note_size(const cli_input *input, const char *units);

#endif
