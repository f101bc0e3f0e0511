/* No vectors: the reference. */
#define MRWI_SIMD_SCALAR
#include "isa/isa_tables.h"

#ifdef MRWI_HAVE_SCALAR
#define MRWI_ISA_NAME "scalar"
#define MRWI_ISA_TABLE mrwi_kernels_scalar
#include "isa/all_kernels.inl"
#endif
