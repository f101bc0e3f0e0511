#define _POSIX_C_SOURCE 200809L /* isatty, fileno, clock_gettime */

#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Work that is over sooner shows nothing, and the line is drawn no more often than it can be read.
 */
#define FIRST_SHOWN_S 0.5
#define REDRAWN_S 0.1

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void cli_progress_begin(cli_progress *progress, const char *what, uint32_t total)
{
    progress->what = what;
    progress->total = total;
    progress->enabled = total > 0 && isatty(fileno(stderr));
    progress->shown = false;
    progress->started_s = now_s();
    progress->drawn_s = progress->started_s + FIRST_SHOWN_S - REDRAWN_S;
}

void cli_progress_update(cli_progress *progress, uint32_t done)
{
    cli_progress_update_share(progress, done, (double)done / progress->total);
}

void cli_progress_update_share(cli_progress *progress, uint32_t done, double share)
{
    if (!progress->enabled || !(share > 0.0)) {
        return;
    }
    double time_s = now_s();
    if (time_s - progress->drawn_s < REDRAWN_S) {
        return;
    }
    progress->drawn_s = time_s;
    progress->shown = true;
    double left_s = (time_s - progress->started_s) * (1.0 - share) / share;
    fprintf(stderr, "\r%s %3.0f %%", progress->what, 100.0 * share);
    if (progress->total > 1) {
        fprintf(stderr, "  %u/%u", (unsigned)done, (unsigned)progress->total);
    }
    fprintf(stderr, "  %.0f s left\x1b[K", left_s);
    fflush(stderr);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->shown) {
        fputs("\r\x1b[K", stderr);
        fflush(stderr);
    }
    progress->enabled = false;
    progress->shown = false;
}
