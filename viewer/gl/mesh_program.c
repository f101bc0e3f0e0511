#include "gl/mesh_program.h"

#include <epoxy/gl.h>
#include <marrow/shader.h>

#include "gl/program.h"
#include "gl/shader_sources.h"

/* MRW_LOCATION is where the attributes of mesh_vert.glsl end. */
#define CHOICES                                                                                    \
    "#define VIEW_SKINNED\n"                                                                       \
    "#define MRW_PALETTE_TEXTURE\n"                                                                \
    "#define MRW_STRETCH\n"                                                                        \
    "#define MRW_LOCATION 5\n"

static const char *const choices[VIEW_FORM_COUNT] = {
    "",
    CHOICES "#define MRW_INFLUENCES 4\n",
    CHOICES "#define MRW_INFLUENCES 8\n",
    CHOICES "#define MRW_INFLUENCES 4\n#define MRW_MORPH\n",
    CHOICES "#define MRW_INFLUENCES 8\n#define MRW_MORPH\n",
};

static const struct {
    const char *name;
    GLint unit;
} samplers[] = {
    {"base_color_texture", VIEW_UNIT_BASE_COLOR},
    {"mrw_palette", VIEW_UNIT_SHARED + VIEW_PALETTE},
    {"mrw_dual_quats", VIEW_UNIT_SHARED + VIEW_DUAL_QUATS},
    {"mrw_stretches", VIEW_UNIT_SHARED + VIEW_STRETCHES},
    {"mrw_morph_weights", VIEW_UNIT_SHARED + VIEW_MORPH_WEIGHTS},
    {"mrw_morph_deltas", VIEW_UNIT_MORPH_DELTAS},
};

bool view_mesh_program_create(view_mesh_form form, view_mesh_program *out_program)
{
    const bool skinned = form != VIEW_FORM_SCENE;
    const char *texts[3] = {choices[form],
                            skinned ? mrw_shader_source(MRW_SHADER_BLENDED, MRW_GLSL_330) : "",
                            view_shader_mesh_vert};
    GLuint program = view_program_create(texts, 3, view_shader_mesh_frag, "scene_position");
    if (program == 0)
        return false;
    glUseProgram(program);
    for (size_t i = 0; i < sizeof(samplers) / sizeof(samplers[0]); i++)
        glUniform1i(glGetUniformLocation(program, samplers[i].name), samplers[i].unit);
    view_mesh_program made = {
        program,
        glGetUniformLocation(program, "view_projection"),
        glGetUniformLocation(program, "eye"),
        glGetUniformLocation(program, "key_direction"),
        glGetUniformLocation(program, "surface"),
        glGetUniformLocation(program, "base_color"),
        glGetUniformLocation(program, "alpha_cutoff"),
        glGetUniformLocation(program, "is_blended"),
        glGetUniformLocation(program, "has_normals"),
        glGetUniformLocation(program, "roughness"),
        glGetUniformLocation(program, "mrw_palette_first"),
        glGetUniformLocation(program, "mrw_palette_stride"),
        glGetUniformLocation(program, "mrw_dual_quat_weight"),
        glGetUniformLocation(program, "mrw_morph_first"),
        glGetUniformLocation(program, "mrw_morph_stride"),
        glGetUniformLocation(program, "mrw_morph_target_count"),
        glGetUniformLocation(program, "mrw_morph_vertex_count"),
    };
    *out_program = made;
    return true;
}
