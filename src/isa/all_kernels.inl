/* Every kernel, compiled for the instruction set of the file that includes this, and their table.
 * That file defines MRWI_ISA_NAME, the name, and MRWI_ISA_TABLE, the variable. */
#include "model/model_kernel.inl"
#include "sample/sample_kernel.inl"
#include "simd/kernels.h"
#include "simd/simd.h"
#include "skin/bounds_kernel.inl"
#include "skin/morph_kernel.inl"
#include "skin/palette_kernel.inl"
#include "skin/skin_kernel.inl"

/* A page downloads the module without vectors too, though hardly an engine needs it: there, what
 * is longest and not needed for every character is compiled for size. */
#if defined(__wasm__) && defined(MRWI_SIMD_SCALAR)
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#endif
#include "blend/blend_kernel.inl"
#include "skin/dual_quat_kernel.inl"
#if defined(__wasm__) && defined(MRWI_SIMD_SCALAR)
#pragma clang attribute pop
#endif

/* Plain C's lanes pay where the compiler makes vectors of them after all. WebAssembly without
 * vectors has none: there a crowd goes one by one (crowd.c), and that module has no lanes for it. */
#if !defined(__wasm__) || !defined(MRWI_SIMD_SCALAR)
#define MRWI_HAVE_CROWD
#include "crowd/crowd_kernel.inl"
#endif

const mrwi_kernels MRWI_ISA_TABLE = {
    .name = MRWI_ISA_NAME,
    .blend = blend_blocks,
    .blend_subtract = blend_subtract_blocks,
    .model = model_joints,
    .palette = palette_products,
    .dual_quats = dual_quat_palette,
    .skin = skin_kernel,
    .morph_add = morph_add,
    .morph_add_at = morph_add_at,
    .bounds = bounds_box,
    .sample = sample_kernel,
    .slerp = slerp_kernel,
#ifdef MRWI_HAVE_CROWD
    .crowd_turn = crowd_turn,
    .crowd_sample = crowd_sample,
    .crowd_models = crowd_models,
    .crowd_palette = crowd_palette,
#endif
};
