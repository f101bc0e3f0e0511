/* One mesh to be skinned by the library and by a shader text, and what the library makes of it.
 *
 * The palette holds some characters one after the other. Between and behind their matrices stand
 * matrices of NaN, and every unused influence names one: a shader that reads what it must not, or
 * at the wrong place, gives NaN. */
#ifndef TESTS_CONFORMANCE_SHADER_CASE_H
#define TESTS_CONFORMANCE_SHADER_CASE_H

#include <marrow/offline/build.h>
#include <marrow/skin.h>

#define SHADER_CASE_CHARACTERS 3

typedef struct shader_case {
    char name[256];
    float size; /* of the model: differences of positions are shares of it */
    uint32_t vertex_count;
    uint32_t influence_count; /* 4 or 8 */
    float *positions;         /* [vertex_count * 3] */
    float *normals;           /* [vertex_count * 3] 0 where the mesh has none */
    uint16_t *joints;         /* [vertex_count * influence_count] */
    float *weights;           /* [vertex_count * influence_count] */
    float *dual_quat_weights; /* [vertex_count] 0 .. 1, what MRW_BLEND_ATTRIBUTE reads */

    uint32_t target_count;
    const mrw_morph_target *targets; /* not owned */
    uint32_t scalar_first;           /* where the first character's morph weights start */
    uint32_t scalar_stride;          /* from one character to the next */
    float *scalars;                  /* [SHADER_CASE_CHARACTERS * scalar_stride] */

    uint32_t joint_count;    /* of a character, with the one of NaN */
    uint32_t palette_first;  /* where the first character's matrices start */
    uint32_t palette_stride; /* from one character to the next */
    uint32_t palette_count;  /* all there are */
    mrw_mat34 *palette;      /* [palette_count] */
    mrw_dual_quat *dual_quats;
    mrw_mat34 *stretches;
    bool has_stretch;
} shader_case;

/* The case of instance `instance` of the character: in its rest pose, and in the middle of its
 * first and of its last clip. The mesh must outlive the case. False where memory is short or a call
 * fails. */
bool shader_case_create(const char *name, const mrw_character *character, uint32_t instance,
                        uint32_t influence_count, shader_case *out_case);

/* 500 vertices and 40 joints at random, with scale, mirrors, shear, weightless vertices and 5
 * targets. */
bool shader_case_create_random(uint32_t influence_count, shader_case *out_case);

void shader_case_free(shader_case *subject);

/* What the library makes of one of the characters. dual_quat_weight: a number for all vertices, or
 * below 0 for the case's own. with_morph, with_stretch: whether these are applied. out_positions,
 * out_normals [vertex_count * 3]; normals are of unit length, or 0. */
bool shader_case_expect(const shader_case *subject, uint32_t character, mrw_skin_method method,
                        mrw_normal_mode normal_mode, bool with_morph, bool with_stretch,
                        float dual_quat_weight, float *out_positions, float *out_normals);

#endif
