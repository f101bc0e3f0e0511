/* What the machine can do at best, measured in the same run as what is held against it: arithmetic
 * by width of a vector, and reading and writing by the size of what is read and written. */
#ifndef BENCH_FLOORS_H
#define BENCH_FLOORS_H

#include <stddef.h>
#include <stdint.h>

enum { BENCH_WIDTH_COUNT = 3, BENCH_MEMORY_COUNT = 4 };

typedef struct bench_arithmetic {
    uint32_t bits;            /* of a vector: 128, 256, 512 */
    double operations_per_ns; /* multiplications and additions, not fused; 0: no such vectors */
    double divisions_per_ns;
} bench_arithmetic;

typedef struct bench_bandwidth {
    const char *name;
    size_t size_bytes;        /* that were read or written again and again */
    double read_bytes_per_ns; /* with the widest vectors */
    double write_bytes_per_ns;
} bench_bandwidth;

typedef struct bench_floors {
    bench_arithmetic arithmetic[BENCH_WIDTH_COUNT];
    double chain_ns; /* a multiplication and an addition, one waiting for the other */
    bench_bandwidth memory[BENCH_MEMORY_COUNT];
} bench_floors;

/* run_count: how often each is measured; the best counts. */
void bench_measure_floors(uint32_t run_count, double run_ns, bench_floors *out_floors);

/* What one call of something must do at the least. */
typedef struct bench_work {
    double operations; /* additions, multiplications, comparisons, of single precision */
    double divisions;  /* and square roots, which cost about the same */
    double chain;      /* multiplications and additions that must wait for each other, in pairs */
    double bytes_read;
    double bytes_written;
    size_t working_set_bytes; /* what calls in a row touch; 0: the bytes read and written */
} bench_work;

/* The least time that the machine needs for it, in ns: the largest of arithmetic, chain and memory.
 * out_bound names which. vector_bits: of the instruction set that is asked about. */
double bench_floor_ns(const bench_floors *floors, const bench_work *work, uint32_t vector_bits,
                      const char **out_bound);

#endif
