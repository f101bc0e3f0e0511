/* A shader text on a real driver: compiled with some of its choices, fed with a case, and what
 * comes out of it caught by transform feedback. */
#ifndef TESTS_CONFORMANCE_SHADER_GPU_H
#define TESTS_CONFORMANCE_SHADER_GPU_H

#include "conformance/shader_case.h"

#include <marrow/shader.h>

typedef enum palette_place { PALETTE_TEXTURE, PALETTE_UNIFORM, PALETTE_STORAGE } palette_place;

typedef struct shader_choices {
    mrw_shader_kind kind;
    mrw_shader_dialect dialect;
    palette_place place; /* PALETTE_STORAGE stands in GLSL 430 */
    bool pairs;
    int normals; /* MRW_NORMALS */
    bool blend_attribute;
    bool location;
    bool stretch;
    bool morph;
    uint32_t influences;
} shader_choices;

typedef struct shader_gpu shader_gpu;

/* A context of OpenGL (3.3 core or more), or of OpenGL ES 3. NULL if there is none; *out_reason
 * says why. */
shader_gpu *shader_gpu_create(bool es, const char **out_reason);
void shader_gpu_free(shader_gpu *gpu);

/* Whether the context can compile and run such a text. */
bool shader_gpu_can(const shader_gpu *gpu, const shader_choices *choices);

/* Vectors of uniforms that a vertex shader may have. */
uint32_t shader_gpu_max_vectors(const shader_gpu *gpu);
/* Those of them that the texts here use for other things than the palette. */
#define SHADER_GPU_RESERVED_VECTORS 8u

/* The text's outputs for character_count of the case's characters, the first of which is
 * first_character: position and normal of each vertex, six floats, as the shader gives them.
 * dual_quat_weight: the uniform of BLENDED. Says on stderr what fails. */
bool shader_gpu_run(shader_gpu *gpu, const shader_choices *choices, const shader_case *subject,
                    uint32_t first_character, uint32_t character_count, float dual_quat_weight,
                    float *out);

/* The same for a whole vertex shader of GLSL 430 that a translator made: storage or uniform buffers
 * at bindings 0 and 1 for the kind's palette, attributes position, normal, joints, weights,
 * joints_1, weights_1 at locations 0 to 5, outputs _vs2fs_location0 and 1. All the case's
 * characters; needs a context that shader_gpu_can run storage buffers with. */
bool shader_gpu_run_translated(shader_gpu *gpu, const shader_choices *choices, const char *text,
                               const shader_case *subject, float *out);

#endif
