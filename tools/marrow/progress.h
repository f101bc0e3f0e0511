/* A line on stderr that tells how far long work is: "rendering  42 %  101/240  3 s left", without
 * the count where the work is one thing.
 * It appears only if stderr is a terminal and the work takes longer than a moment, and is erased at
 * the end. */
#ifndef MARROW_TOOL_PROGRESS_H
#define MARROW_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
    const char *what;
    uint32_t total;
    bool enabled;
    bool shown;
    double started_s;
    double drawn_s;
} cli_progress;

/* `what` must stay valid: "rendering". */
void cli_progress_begin(cli_progress *progress, const char *what, uint32_t total);
void cli_progress_update(cli_progress *progress, uint32_t done);
/* The same where things take differently long: so many are done, and this share, 0..1, of the work.
 */
void cli_progress_update_share(cli_progress *progress, uint32_t done, double share);
/* Erases the line. Call it before anything else is written to stderr. */
void cli_progress_end(cli_progress *progress);

#endif
