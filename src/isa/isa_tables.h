/* The tables that the other files of this folder define. */
#ifndef MRWI_ISA_TABLES_H
#define MRWI_ISA_TABLES_H

#include "simd/kernels.h"

/* A WebAssembly module cannot ask what its engine has: there is one module without vectors and one
 * with them, and each is downloaded, so each has one table. */
#if !defined(__wasm_simd128__)
#define MRWI_HAVE_SCALAR
extern const mrwi_kernels mrwi_kernels_scalar;
#endif

#if defined(__SSE2__) || defined(__aarch64__) || defined(__wasm_simd128__)
#define MRWI_HAVE_BASELINE
extern const mrwi_kernels mrwi_kernels_baseline;
#endif

#if defined(__x86_64__)
#define MRWI_HAVE_AVX
extern const mrwi_kernels mrwi_kernels_avx2;
extern const mrwi_kernels mrwi_kernels_avx512;
#endif

#endif
