/* What `marrow compare` works on: two files, pairs of their clips, and how far each pair is apart.
 */
#ifndef MARROW_TOOL_COMPARE_RUN_H
#define MARROW_TOOL_COMPARE_RUN_H

#include "input.h"
#include "metric.h"

#include <marrow/offline/compress.h>

typedef struct compare_pair {
    int32_t clips[2]; /* of either file */
    mrw_comparison *comparison;
} compare_pair;

typedef struct compare_run {
    cli_input inputs[2];
    cli_metric metric;
    double limit_m;       /* that --limit says; 0: none */
    uint32_t shown_count; /* worst joints in the text */
    uint32_t pair_count;
    compare_pair *pairs;
} compare_run;

static inline const mrw_clip *compare_clip(const compare_run *run, const compare_pair *pair,
                                           int side)
{
    return &run->inputs[side].character->clips[pair->clips[side]];
}

/* Text returns false if memory ran out. */
bool cli_compare_print_text(const compare_run *run);
void cli_compare_print_json(const compare_run *run);

/* Error over time of each joint as a PNG, of a run with one pair: freed by the caller with free().
 * False if memory ran out. */
bool cli_compare_draw(const compare_run *run, uint8_t **out_bytes, size_t *out_size_bytes);

#endif
