/* The texts stand in shaders/, where people can read and copy them; the build makes strings of
 * them.
 *
 *     begin_linear.glsl       dialect   palette   influences   morph   linear
 *     begin_dual_quat.glsl    dialect   palette   influences   morph            dual_quat
 *     begin_blended.glsl      dialect   palette   influences   morph   linear   dual_quat   blended
 *
 * The three dialects of GLSL are one text, as its preprocessor can tell them apart. WGSL has no
 * preprocessor and HLSL other names for everything: they are files of their own.
 */
#include <marrow/shader.h>

#include "base/error.h"
#include "shader/shader_texts.h"

const char *mrw_shader_source(mrw_shader_kind kind, mrw_shader_dialect dialect)
{
    static const char *const glsl[] = {mrwi_shader_text_glsl_linear,
                                       mrwi_shader_text_glsl_dual_quat,
                                       mrwi_shader_text_glsl_blended};
    static const char *const wgsl[] = {mrwi_shader_text_wgsl_linear,
                                       mrwi_shader_text_wgsl_dual_quat, NULL};
    static const char *const hlsl[] = {mrwi_shader_text_hlsl_linear,
                                       mrwi_shader_text_hlsl_dual_quat, NULL};
    if ((uint32_t)kind > MRW_SHADER_BLENDED)
        return NULL;
    switch (dialect) {
    case MRW_GLSL_330:
    case MRW_GLSL_ES_300:
    case MRW_GLSL_ES_100:
        return glsl[kind];
    case MRW_WGSL:
        return wgsl[kind];
    case MRW_HLSL:
        return hlsl[kind];
    default:
        return NULL;
    }
}

const char *mrw_shader_version_line(mrw_shader_dialect dialect)
{
    switch (dialect) {
    case MRW_GLSL_330:
        return "#version 330 core\n";
    case MRW_GLSL_ES_300:
        return "#version 300 es\n";
    case MRW_GLSL_ES_100:
        return "#version 100\n";
    case MRW_WGSL:
    case MRW_HLSL:
        return "";
    default:
        return NULL;
    }
}

/* --- uniform arrays ----------------------------------------------------------------- */

/* A matrix is three rows, a dual quaternion two. 0 for a kind that does not exist. */
static uint32_t vectors_per_joint(mrw_shader_kind kind, bool stretch)
{
    uint32_t dual_quat = stretch ? 5 : 2;
    switch (kind) {
    case MRW_SHADER_LINEAR:
        return 3;
    case MRW_SHADER_DUAL_QUAT:
        return dual_quat;
    case MRW_SHADER_BLENDED:
        return 3 + dual_quat;
    default:
        return 0;
    }
}

uint32_t mrw_shader_uniform_joints(mrw_shader_kind kind, bool stretch, uint32_t max_vectors,
                                   uint32_t reserved_vectors)
{
    uint32_t each = vectors_per_joint(kind, stretch);
    if (each == 0 || max_vectors <= reserved_vectors)
        return 0;
    return (max_vectors - reserved_vectors) / each;
}

mrw_status mrw_shader_check_uniforms(mrw_shader_kind kind, bool stretch, uint32_t joint_count,
                                     uint32_t max_vectors, uint32_t reserved_vectors,
                                     mrw_error *out_error)
{
    uint32_t each = vectors_per_joint(kind, stretch);
    if (each == 0)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "kind", "no mrw_shader_kind: %u",
                         (uint32_t)kind);
    uint32_t room = mrw_shader_uniform_joints(kind, stretch, max_vectors, reserved_vectors);
    if (joint_count <= room)
        return MRW_OK;
    return mrwi_fail(
        out_error, MRW_ERR_LIMIT, "joint_count",
        "%u joints do not fit into uniform arrays: at %u vectors a joint, the driver's "
        "%u vectors less %u of others hold %u joints; put the palette into a texture "
        "(MRW_PALETTE_TEXTURE)",
        joint_count, each, max_vectors, reserved_vectors, room);
}
