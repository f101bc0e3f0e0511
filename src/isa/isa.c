/* Which instruction set.
 *
 *     isa_scalar.c     \
 *     isa_baseline.c    |  all_kernels.inl: the same bodies,
 *     isa_avx2.c        |  each file with flags of its own  --> one table each
 *     isa_avx512.c     /                                            |
 *                                                                   v
 *                       active: the last table that this processor has
 *
 * All tables give the same bits, so which one is active is a matter of speed alone. That makes the
 * one variable of the library harmless: threads that find it unset all store the same pointer.
 */
#include <marrow/base.h>

#include "isa/isa_tables.h"
#include "simd/kernels.h"

#include <string.h>

#ifdef MRWI_HAVE_AVX
#include <cpuid.h>

/* Bits of cpuid's leaves and of the register that says which vectors the system saves. */
enum {
    LEAF1_ECX_OSXSAVE = 1 << 27,
    LEAF7_EBX_AVX2 = 1 << 5,
    LEAF7_EBX_AVX512 = 1 << 16 | 1 << 17 | 1 << 30, /* F, DQ, BW; VL is the sign bit */
    SAVED_AVX = 1 << 1 | 1 << 2,
    SAVED_AVX512 = SAVED_AVX | 1 << 5 | 1 << 6 | 1 << 7
};

static bool has_all(uint32_t bits, uint32_t wanted)
{
    return (bits & wanted) == wanted;
}

/* The system must save the registers too when it switches threads. (Not by __builtin_cpu_supports:
 * that needs a constructor of libgcc.) */
static bool processor_has(uint32_t leaf7_ebx, uint32_t saved)
{
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has_all(c, LEAF1_ECX_OSXSAVE))
        return false;
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (!has_all(low, saved) || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return false;
    return has_all(b, leaf7_ebx);
}

static bool has_avx2(void)
{
    return processor_has(LEAF7_EBX_AVX2, SAVED_AVX);
}

static bool has_avx512(void)
{
    return processor_has((uint32_t)LEAF7_EBX_AVX2 | (uint32_t)LEAF7_EBX_AVX512 | 1u << 31,
                         SAVED_AVX512);
}
#endif

typedef struct choice {
    const mrwi_kernels *kernels;
    bool (*has)(void); /* NULL: every machine that this build is for */
} choice;

/* From the simplest to the fastest. */
static const choice choices[] = {
#ifdef MRWI_HAVE_SCALAR
    {&mrwi_kernels_scalar, NULL},
#endif
#ifdef MRWI_HAVE_BASELINE
    {&mrwi_kernels_baseline, NULL},
#endif
#ifdef MRWI_HAVE_AVX
    {&mrwi_kernels_avx2, has_avx2},
    {&mrwi_kernels_avx512, has_avx512},
#endif
};

enum { CHOICES = sizeof(choices) / sizeof(choices[0]) };

static const mrwi_kernels *active;

static bool is_available(const choice *one)
{
    return one->has == NULL || one->has();
}

static const mrwi_kernels *find_best(void)
{
    const mrwi_kernels *best = choices[0].kernels;
    for (int i = 1; i < CHOICES; i++)
        if (is_available(&choices[i]))
            best = choices[i].kernels;
    return best;
}

const mrwi_kernels *mrwi_kernels_active(void)
{
    const mrwi_kernels *kernels = __atomic_load_n(&active, __ATOMIC_RELAXED);
    if (kernels == NULL) {
        kernels = find_best();
        __atomic_store_n(&active, kernels, __ATOMIC_RELAXED);
    }
    return kernels;
}

const char *mrw_isa_name(void)
{
    return mrwi_kernels_active()->name;
}

const char *mrw_isa_available(uint32_t index)
{
    for (int i = 0; i < CHOICES; i++)
        if (is_available(&choices[i]) && index-- == 0)
            return choices[i].kernels->name;
    return NULL;
}

mrw_status mrw_isa_select(const char *name_or_null)
{
    const mrwi_kernels *kernels = name_or_null == NULL ? find_best() : NULL;
    for (int i = 0; i < CHOICES && kernels == NULL; i++) {
        if (strcmp(choices[i].kernels->name, name_or_null) != 0)
            continue;
        if (!is_available(&choices[i]))
            return MRW_ERR_UNSUPPORTED;
        kernels = choices[i].kernels;
    }
    if (kernels == NULL)
        return MRW_ERR_INVALID_ARGUMENT;
    __atomic_store_n(&active, kernels, __ATOMIC_RELAXED);
    return MRW_OK;
}
