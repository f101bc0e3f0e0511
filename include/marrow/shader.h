/* marrow/shader.h: skinning as shader text, for your own renderer.
 *
 * A text is a library of functions that you put in front of your vertex shader:
 *
 *     version line                     mrw_shader_version_line(dialect), must be first
 *     #define MRW_INFLUENCES 8         your choices, see below; none is needed
 *     mrw_shader_source(kind, dialect) declares attributes, uniforms and mrw_skin
 *     your shader                      calls mrw_skin(position, normal)
 *
 * It computes what mrw_morph and mrw_skin_vertices compute (skin.h), in float, to a few units in
 * the last place. The three GLSL dialects are one text that looks at __VERSION__ and GL_ES; precision
 * qualifiers and sampler precision stand in it. WGSL and HLSL are the same two kernels to start from:
 * their comments say which of the choices below they have.
 *
 * What it gives:
 *
 *     struct mrw_skinned { vec3 position; vec3 normal; };   normal has no unit length
 *     mrw_skinned mrw_skin(vec3 position, vec3 normal);     skinned; the kind says how
 *     mrw_skinned mrw_morph(vec3 position, vec3 normal);    only with MRW_MORPH; call it first
 *
 * Choices (#define before the text). Where the palette lies, one of these, texture by default:
 *
 *     MRW_PALETTE_TEXTURE   float textures (RGBA32F, nearest, no mipmaps), texel i at
 *                           (i % width, i / width). Any number of joints and of characters.
 *         uniform sampler2D mrw_palette;     3 texels a matrix: its rows         LINEAR, BLENDED
 *         uniform sampler2D mrw_dual_quats;  2 texels: real, dual (x y z w)      DUAL_QUAT, BLENDED
 *         uniform sampler2D mrw_stretches;   3 texels; only with MRW_STRETCH     DUAL_QUAT, BLENDED
 *         uniform int mrw_palette_first;     matrix where this mesh's palette starts
 *         uniform int mrw_palette_stride;    added once per gl_InstanceID: one character's matrices
 *       GLSL ES 100 has float for int, no instances, and needs  uniform vec2 mrw_palette_size,
 *       mrw_dual_quats_size, mrw_stretches_size  (width and height in texels).
 *     MRW_PALETTE_UNIFORM   arrays of MRW_PALETTE_CAPACITY (which you define) joints:
 *         uniform vec4 mrw_palette[3 * MRW_PALETTE_CAPACITY];   likewise mrw_dual_quats[2 * ...],
 *         mrw_stretches[3 * ...]. Ask mrw_shader_uniform_joints how many fit.
 *     MRW_PALETTE_STORAGE   shader storage buffers (GLSL 430 or GLSL ES 310 and up), std430, arrays of
 *         vec4 at bindings MRW_PALETTE_BINDING (a number from 0 to 5, default 0), + 1 (dual
 *         quaternions), + 2 (stretches); mrw_palette_first and mrw_palette_stride as for textures.
 *
 * Influences of a vertex:
 *
 *     MRW_INFLUENCES 4 | 8  default 4. The heaviest stands first (as in mrw_mesh).
 *     default layout        in uvec4 mrw_joints; in vec4 mrw_weights;  with 8 also mrw_joints_1,
 *                           mrw_weights_1. GLSL ES 100: attribute vec4, joints as floats.
 *     MRW_INFLUENCE_PAIRS   in vec2 mrw_influence_0 ... _3 (_7): joint and weight, interleaved
 *     MRW_LOCATION n        gives the attributes the locations n, n + 1, ... in this order: joints,
 *                           weights, joints_1, weights_1, or pairs; then mrw_dual_quat_weight. A
 *                           number from 0 to 12. Not in GLSL ES 100: bind them by name there.
 *     A vertex all of whose weights are 0 keeps its place. Joints without a weight are not read.
 *
 * Normals:
 *
 *     MRW_NORMALS 0|1|2     0: not computed (zero); 1: the blended 3x3 part (MRW_NORMAL_LINEAR);
 *                           2: inverse transpose, the default (MRW_NORMAL_INVERSE_TRANSPOSE)
 *
 * Dual quaternions:
 *
 *     MRW_STRETCH           joints have scale: reads the stretches
 *     MRW_BLEND_ATTRIBUTE   BLENDED: in float mrw_dual_quat_weight a vertex; without it a uniform of
 *                           that name for all. 0 is linear, 1 dual quaternion.
 *
 * Morph targets from textures:
 *
 *     MRW_MORPH             uniform sampler2D mrw_morph_deltas; uniform sampler2D mrw_morph_weights;
 *                           uniform int mrw_morph_target_count, mrw_morph_vertex_count,
 *                           mrw_morph_first, mrw_morph_stride;
 *         Deltas: texel (target * vertex_count + vertex) * 2 the position's xyz, the next one the
 *         normal's. Weights: one texel a scalar in .x, this mesh's begin at mrw_morph_first, plus
 *         mrw_morph_stride once per gl_InstanceID. The vertex is gl_VertexID; GLSL ES 100 has
 *         an attribute float mrw_vertex_index, float uniforms, and vec2 mrw_morph_deltas_size,
 *         mrw_morph_weights_size, and at most MRW_MORPH_CAPACITY (default 64) targets.
 */
#ifndef MARROW_SHADER_H
#define MARROW_SHADER_H

#include <marrow/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mrw_shader_kind {
    MRW_SHADER_LINEAR = 0,    /* linear blend skinning */
    MRW_SHADER_DUAL_QUAT = 1, /* dual quaternion skinning */
    MRW_SHADER_BLENDED = 2    /* both, mixed by mrw_dual_quat_weight */
} mrw_shader_kind;

typedef enum mrw_shader_dialect {
    MRW_GLSL_330 = 0,    /* OpenGL 3.3; put "#version 430 core" in front for storage buffers */
    MRW_GLSL_ES_300 = 1, /* WebGL 2, OpenGL ES 3.0 */
    MRW_GLSL_ES_100 = 2, /* WebGL 1, OpenGL ES 2.0 */
    MRW_WGSL = 3,
    MRW_HLSL = 4 /* shader model 5 */
} mrw_shader_dialect;

/* The text, NUL-terminated, in static storage. NULL for a kind or dialect that is not listed above, and
 * for BLENDED in WGSL and HLSL. */
MRW_API const char *mrw_shader_source(mrw_shader_kind kind, mrw_shader_dialect dialect);

/* "#version 330 core\n", "#version 300 es\n", "#version 100\n"; "" for WGSL and HLSL, NULL for a dialect
 * that is not listed above. */
MRW_API const char *mrw_shader_version_line(mrw_shader_dialect dialect);

/* How many joints fit into uniform arrays. max_vectors: what the driver says, GL_MAX_VERTEX_UNIFORM_VECTORS
 * or GL_MAX_VERTEX_UNIFORM_COMPONENTS / 4. reserved_vectors: what your own uniforms take (a mat4 is 4).
 * 0 where nothing fits. */
MRW_API uint32_t mrw_shader_uniform_joints(mrw_shader_kind kind, bool stretch, uint32_t max_vectors,
                                           uint32_t reserved_vectors);

/* Whether joint_count joints fit, as above; if not, LIMIT and a message with both numbers and the way
 * out. Call it before compiling: a driver's own message is rarely as clear. INVALID_ARGUMENT: no such
 * kind. */
MRW_API mrw_status mrw_shader_check_uniforms(mrw_shader_kind kind, bool stretch, uint32_t joint_count,
                                             uint32_t max_vectors, uint32_t reserved_vectors,
                                             mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
