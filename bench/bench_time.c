#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "bench_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void bench_series_add(bench_series *series, double ns)
{
    if (series->ns == NULL)
        series->ns = bench_alloc(BENCH_MAX_RUNS, sizeof(*series->ns));
    if (series->count < BENCH_MAX_RUNS)
        series->ns[series->count++] = ns;
}

double bench_series_min(const bench_series *series)
{
    double least = series->count > 0 ? series->ns[0] : 0.0;
    for (uint32_t i = 1; i < series->count; i++)
        least = series->ns[i] < least ? series->ns[i] : least;
    return least;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_series_median(bench_series *series)
{
    if (series->count == 0)
        return 0.0;
    qsort(series->ns, series->count, sizeof(*series->ns), compare);
    return series->ns[series->count / 2];
}

/* Each piece of memory begins with the way to the one before it. */
static void *last_piece;

enum { PIECE_ALIGNMENT = 64 };

void *bench_alloc(size_t count, size_t size_bytes)
{
    size_t bytes = (count * size_bytes + 2 * PIECE_ALIGNMENT - 1) & ~(size_t)(PIECE_ALIGNMENT - 1);
    unsigned char *piece = aligned_alloc(PIECE_ALIGNMENT, bytes);
    if (piece == NULL) {
        fprintf(stderr, "marrow_bench: no memory for %zu bytes\n", bytes);
        exit(3);
    }
    memset(piece, 0, bytes);
    memcpy(piece, &last_piece, sizeof(last_piece));
    last_piece = piece;
    return piece + PIECE_ALIGNMENT;
}

void bench_free_all(void)
{
    while (last_piece != NULL) {
        void *piece = last_piece;
        memcpy(&last_piece, piece, sizeof(last_piece));
        free(piece);
    }
}

/* Steele, Lea and Flood's splitmix64. */
float bench_random_next(bench_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (float)((z ^ (z >> 31)) >> 40) * (1.0f / 16777216.0f);
}
