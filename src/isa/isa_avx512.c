/* x86-64 with AVX-512: the same 32-byte vectors as avx2, but 32 registers of them, and masks. */
#include "isa/isa_tables.h"

#ifdef MRWI_HAVE_AVX
#ifndef __AVX512VL__
#error "compile this file with -mavx512vl (cmake/marrow_isa.cmake)"
#endif
#define MRWI_ISA_NAME "avx512"
#define MRWI_ISA_TABLE mrwi_kernels_avx512
#include "isa/all_kernels.inl"
#endif
