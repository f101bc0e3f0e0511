/* Results for people, and for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench_floors.h"
#include "bench_stage.h"
#include "bench_time.h"

#include <stdbool.h>

#define BENCH_MAX_ISAS 8

typedef struct bench_settings {
    uint32_t run_count;
    double run_ns; /* that a run takes at least */
    uint32_t isa_count;
    const char *isas[BENCH_MAX_ISAS];
} bench_settings;

/* What one stage took with one instruction set, a call. */
typedef struct bench_result {
    const bench_stage *stage;
    const char *isa;
    bench_series series;
} bench_result;

/* One of the two is printed: a table as it is measured, or one JSON document. */
typedef struct bench_report {
    bool json;
    bool has_rig;
    const bench_settings *settings;
    const bench_floors *floors;
} bench_report;

void bench_report_begin(bench_report *report);
void bench_report_rig(bench_report *report, const bench_desk *desk, bench_result *results,
                      uint32_t result_count);
void bench_report_end(bench_report *report);

#endif
