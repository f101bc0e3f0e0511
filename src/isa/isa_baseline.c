/* What every machine of this kind has. */
#include "isa/isa_tables.h"

#if defined(__SSE2__)
#define MRWI_ISA_NAME "sse2"
#elif defined(__aarch64__)
#define MRWI_ISA_NAME "neon"
#elif defined(__wasm_simd128__)
#define MRWI_ISA_NAME "wasm128"
#endif

#ifdef MRWI_HAVE_BASELINE
#define MRWI_ISA_TABLE mrwi_kernels_baseline
#include "isa/all_kernels.inl"
#endif
