/* Every kernel, compiled for the instruction set of the file that includes this, and their table.
 * That file defines MRWI_ISA_NAME, the name, and MRWI_ISA_TABLE, the variable. */
#include "blend/blend_kernel.inl"
#include "simd/kernels.h"
#include "simd/simd.h"
#include "skin/skin_kernel.inl"

const mrwi_kernels MRWI_ISA_TABLE = {
    .name = MRWI_ISA_NAME,
    .blend = blend_blocks,
    .blend_subtract = blend_subtract_blocks,
    .skin = skin_kernel,
};
