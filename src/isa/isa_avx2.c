/* x86-64 with 32-byte vectors: Intel since 2013, AMD since 2015. */
#include "isa/isa_tables.h"

#ifdef MRWI_HAVE_AVX
#ifndef __AVX2__
#error "compile this file with -mavx2 (cmake/marrow_isa.cmake)"
#endif
#define MRWI_ISA_NAME "avx2"
#define MRWI_ISA_TABLE mrwi_kernels_avx2
#include "isa/all_kernels.inl"
#endif
