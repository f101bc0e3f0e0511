/* Time, what a series of measurements says, and memory that is given back at the end. */
#ifndef BENCH_TIME_H
#define BENCH_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_MAX_RUNS 1000

/* Nanoseconds that a processor has spent on this thread: what other programs take away of a run
 * that outlasts their turns does not count. */
double bench_now_ns(void);

/* The measurements of one thing, each the mean of many calls. */
typedef struct bench_series {
    uint32_t count;
    double *ns; /* [BENCH_MAX_RUNS] */
} bench_series;

void bench_series_add(bench_series *series, double ns);
/* The least: what the machine does when nothing else is in the way. */
double bench_series_min(const bench_series *series);
/* Sorts the series. */
double bench_series_median(bench_series *series);

/* count * size_bytes zeroed bytes, aligned to 64, that live until bench_free_all. Ends the program
 * with status 3 where there are none. */
void *bench_alloc(size_t count, size_t size_bytes);
void bench_free_all(void);

/* Numbers that are the same in each run: in [0, 1). */
typedef struct bench_random {
    uint64_t state;
} bench_random;

float bench_random_next(bench_random *random);

#endif
