/* The loops that do nothing but arithmetic, or nothing but loads or stores, as compilers' vector
 * extensions: one text for each width. Where a width needs an instruction set of its own, the
 * function is compiled for that and called only if the processor has it. None is compiled for fused
 * multiply-add, because the library does without. */
#include "bench_floors.h"

#include "bench_time.h"

#include <stdbool.h>

#if defined(__x86_64__)
#define FOR_256 __attribute__((target("avx2")))
#define FOR_512 __attribute__((target("avx512f")))
#endif

#define NOINLINE __attribute__((noinline))

/* Results go here, and constants come from here, so that no compiler knows them. */
static volatile float sink;
static volatile float factor = 0.999f;
static volatile float term = 0.001f;

/* Twelve chains: more than two units with a latency of three cycles each can use, few enough for
 * sixteen registers. */
#define EACH_CHAIN(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define CHAIN_COUNT 12
#define CHAIN_BEGIN(i) r[i] = a + (float)(i);
#define CHAIN_STEP(i) r[i] = r[i] * a + b;
#define CHAIN_DIVIDE(i) r[i] = a / r[i];
#define CHAIN_END(i) end += r[i];

#define DEFINE_LOOPS(bits, target)                                                                 \
    typedef float floats_##bits __attribute__((vector_size((bits) / 8)));                          \
    typedef int32_t ints_##bits __attribute__((vector_size((bits) / 8)));                          \
                                                                                                   \
    target NOINLINE static void multiply_add_##bits(uint64_t count)                                \
    {                                                                                              \
        floats_##bits a = (floats_##bits){0} + factor, b = (floats_##bits){0} + term;              \
        floats_##bits r[CHAIN_COUNT], end = b;                                                     \
        EACH_CHAIN(CHAIN_BEGIN)                                                                    \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            EACH_CHAIN(CHAIN_STEP)                                                                 \
        }                                                                                          \
        EACH_CHAIN(CHAIN_END)                                                                      \
        sink = end[0];                                                                             \
    }                                                                                              \
                                                                                                   \
    target NOINLINE static void divide_##bits(uint64_t count)                                      \
    {                                                                                              \
        floats_##bits a = (floats_##bits){0} + factor, r[CHAIN_COUNT], end = a;                    \
        EACH_CHAIN(CHAIN_BEGIN)                                                                    \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            EACH_CHAIN(CHAIN_DIVIDE)                                                               \
        }                                                                                          \
        EACH_CHAIN(CHAIN_END)                                                                      \
        sink = end[0];                                                                             \
    }                                                                                              \
                                                                                                   \
    target NOINLINE static void read_##bits(void *memory, size_t size_bytes)                       \
    {                                                                                              \
        const ints_##bits *at = memory, *end = at + size_bytes / sizeof(*at);                      \
        ints_##bits r0 = {0}, r1 = r0, r2 = r0, r3 = r0, r4 = r0, r5 = r0, r6 = r0, r7 = r0;       \
        for (; at < end; at += 8) {                                                                \
            r0 |= at[0], r1 |= at[1], r2 |= at[2], r3 |= at[3];                                    \
            r4 |= at[4], r5 |= at[5], r6 |= at[6], r7 |= at[7];                                    \
        }                                                                                          \
        sink = (float)(r0 | r1 | r2 | r3 | r4 | r5 | r6 | r7)[0];                                  \
    }                                                                                              \
                                                                                                   \
    target NOINLINE static void write_##bits(void *memory, size_t size_bytes)                      \
    {                                                                                              \
        floats_##bits *at = memory, *end = at + size_bytes / sizeof(*at);                          \
        floats_##bits value = (floats_##bits){0} + factor;                                         \
        for (; at < end; at += 8) {                                                                \
            at[0] = value, at[1] = value, at[2] = value, at[3] = value;                            \
            at[4] = value, at[5] = value, at[6] = value, at[7] = value;                            \
        }                                                                                          \
    }

DEFINE_LOOPS(128, )
#ifdef FOR_256
DEFINE_LOOPS(256, FOR_256)
DEFINE_LOOPS(512, FOR_512)
#endif

typedef struct width_loops {
    void (*multiply_add)(uint64_t count);
    void (*divide)(uint64_t count);
    void (*read)(void *memory, size_t size_bytes);
    void (*write)(void *memory, size_t size_bytes);
} width_loops;

#define LOOPS(bits)                                                                                \
    {                                                                                              \
        multiply_add_##bits, divide_##bits, read_##bits, write_##bits                              \
    }
static const width_loops loops[] = {
    LOOPS(128),
#ifdef FOR_256
    LOOPS(256),
    LOOPS(512),
#endif
};

static uint32_t usable_widths(void)
{
#ifdef FOR_256
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return 3;
    if (__builtin_cpu_supports("avx2"))
        return 2;
#endif
    return 1;
}

NOINLINE static void wait_for_each(uint64_t count)
{
    float r = term;
    const float a = factor, b = term;
    for (uint64_t i = 0; i < count; i++)
        r = r * a + b;
    sink = r;
}

/* Rounds a ns that a loop of `count` needs. */
static double best_ns(void (*loop)(uint64_t), uint32_t run_count, double run_ns)
{
    uint64_t count = 256;
    double best = 0.0;
    for (uint32_t run = 0; run < run_count;) {
        double start = bench_now_ns();
        loop(count);
        double ns = bench_now_ns() - start;
        if (ns < run_ns / 2.0) {
            count *= 2;
            continue;
        }
        double each = ns / (double)count;
        best = run == 0 || each < best ? each : best;
        run++;
    }
    return best;
}

static double best_bytes_per_ns(void (*loop)(void *, size_t), void *memory, size_t size_bytes,
                                uint32_t run_count, double run_ns)
{
    uint64_t count = 1;
    double best = 0.0;
    for (uint32_t run = 0; run < run_count;) {
        double start = bench_now_ns();
        for (uint64_t i = 0; i < count; i++)
            loop(memory, size_bytes);
        double ns = bench_now_ns() - start;
        if (ns < run_ns / 2.0) {
            count *= 2;
            continue;
        }
        double rate = (double)size_bytes * (double)count / ns;
        best = rate > best ? rate : best;
        run++;
    }
    return best;
}

/* Half of what caches of this kind hold today at the least, and more than any holds. */
static const struct {
    const char *name;
    size_t size_bytes;
} memories[BENCH_MEMORY_COUNT] = {{"L1", (size_t)16 << 10},
                                  {"L2", (size_t)192 << 10},
                                  {"L3", (size_t)4 << 20},
                                  {"memory", (size_t)128 << 20}};

void bench_measure_floors(uint32_t run_count, double run_ns, bench_floors *out_floors)
{
    uint32_t width_count = usable_widths();
    for (uint32_t i = 0; i < BENCH_WIDTH_COUNT; i++) {
        bench_arithmetic *width = &out_floors->arithmetic[i];
        *width = (bench_arithmetic){128u << i, 0.0, 0.0};
        if (i >= width_count)
            continue;
        double each = CHAIN_COUNT * (double)width->bits / 32.0;
        width->operations_per_ns = 2.0 * each / best_ns(loops[i].multiply_add, run_count, run_ns);
        width->divisions_per_ns = each / best_ns(loops[i].divide, run_count, run_ns);
    }
    out_floors->chain_ns = best_ns(wait_for_each, run_count, run_ns);

    const width_loops *widest = &loops[width_count - 1];
    void *memory = bench_alloc(memories[BENCH_MEMORY_COUNT - 1].size_bytes, 1);
    for (uint32_t i = 0; i < BENCH_MEMORY_COUNT; i++) {
        bench_bandwidth *level = &out_floors->memory[i];
        level->name = memories[i].name;
        level->size_bytes = memories[i].size_bytes;
        level->read_bytes_per_ns =
            best_bytes_per_ns(widest->read, memory, level->size_bytes, run_count, run_ns);
        level->write_bytes_per_ns =
            best_bytes_per_ns(widest->write, memory, level->size_bytes, run_count, run_ns);
    }
}

static const bench_arithmetic *arithmetic_of(const bench_floors *floors, uint32_t vector_bits)
{
    const bench_arithmetic *found = &floors->arithmetic[0];
    for (uint32_t i = 1; i < BENCH_WIDTH_COUNT; i++) {
        if (floors->arithmetic[i].bits <= vector_bits &&
            floors->arithmetic[i].operations_per_ns > 0.0)
            found = &floors->arithmetic[i];
    }
    return found;
}

static const bench_bandwidth *memory_of(const bench_floors *floors, size_t working_set_bytes)
{
    uint32_t i = 0;
    while (i + 1 < BENCH_MEMORY_COUNT && 2 * floors->memory[i].size_bytes < working_set_bytes)
        i++;
    return &floors->memory[i];
}

double bench_floor_ns(const bench_floors *floors, const bench_work *work, uint32_t vector_bits,
                      const char **out_bound)
{
    const bench_arithmetic *arithmetic = arithmetic_of(floors, vector_bits);
    size_t working_set_bytes = work->working_set_bytes != 0
                                   ? work->working_set_bytes
                                   : (size_t)(work->bytes_read + work->bytes_written);
    const bench_bandwidth *memory = memory_of(floors, working_set_bytes);
    /* Division has a unit of its own; loads and stores have units of their own too. */
    const struct {
        const char *name;
        double ns;
    } bounds[] = {{"arithmetic", work->operations / arithmetic->operations_per_ns},
                  {"division", work->divisions / arithmetic->divisions_per_ns},
                  {"chain", work->chain * floors->chain_ns},
                  {memory->name, work->bytes_read / memory->read_bytes_per_ns},
                  {memory->name, work->bytes_written / memory->write_bytes_per_ns}};
    double floor_ns = 0.0;
    *out_bound = "";
    for (uint32_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        if (bounds[i].ns > floor_ns) {
            floor_ns = bounds[i].ns;
            *out_bound = bounds[i].name;
        }
    }
    return floor_ns;
}
