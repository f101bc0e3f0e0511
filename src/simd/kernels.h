/* The kernels, as one table for each instruction set. */
#ifndef MRWI_KERNELS_H
#define MRWI_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mrw_dual_quat;
struct mrw_mat34;
struct mrw_pose_block;
struct mrwi_blend_input;
struct mrw_skin_job;
struct mrwi_crowd_model_input;
struct mrwi_crowd_palette_input;
struct mrwi_crowd_sample_input;
struct mrwi_model_input;
struct mrwi_sample_input;
struct mrwi_slerp_input;

/* The inner loops of the stages. Each is described by the header of its stage; its body is
 * src/STAGE/NAME_kernel.inl, and src/isa compiles that for each instruction set. They trust what
 * they are given: the stage's public function has checked it. */
typedef struct mrwi_kernels {
    const char *name; /* what mrw_isa_name says */

    /* blend: blocks of a pose from those of its layers; of a pose minus a reference. */
    void (*blend)(const struct mrwi_blend_input *input, uint32_t first_block, uint32_t end_block);
    void (*blend_subtract)(const struct mrw_pose_block *blocks,
                           const struct mrw_pose_block *reference, uint32_t joint_count,
                           struct mrw_pose_block *out_blocks);

    /* model: the joints that the input names. palette: model[joints[i]] * inverse_binds[i].
     * dual_quats: mrw_dual_quat_from_mat34 of each matrix; out_stretches may be NULL; whether any
     * is not rigid. */
    void (*model)(const struct mrwi_model_input *input, struct mrw_mat34 *out_model);
    void (*palette)(const struct mrw_mat34 *model, const uint32_t *joints,
                    const struct mrw_mat34 *inverse_binds, uint32_t count,
                    struct mrw_mat34 *out_palette);
    bool (*dual_quats)(const struct mrw_mat34 *palette, uint32_t count,
                       struct mrw_dual_quat *out_dual_quats, struct mrw_mat34 *out_stretches);

    /* skin: the vertices of a job. morph_add: weight * differences, packed vectors of three, added
     * to vectors that are `step` floats apart; morph_add_at: to those vectors whose numbers are
     * given, strictly increasing. bounds: low and high grown by such vectors. */
    void (*skin)(const struct mrw_skin_job *job);
    void (*morph_add)(float *to, size_t step, const float *differences, float weight,
                      uint32_t vertex_count);
    void (*morph_add_at)(float *to, size_t step, const uint32_t *vertices, const float *differences,
                         float weight, uint32_t count);
    void (*bounds)(const float *from, size_t step, uint32_t vertex_count, float low[3],
                   float high[3]);

    /* sample: what stands still and what moves linearly; eight slerps. */
    void (*sample)(const struct mrwi_sample_input *in);
    void (*slerp)(const struct mrwi_slerp_input *in, float out[4][8]);

    /* crowd: eight poses to joints of eight characters, or what moves linearly in a clip at eight
     * times; model matrices of these; and matrices of each character. All NULL where eight in
     * lanes take longer than one by one. */
    void (*crowd_turn)(const struct mrw_pose_block *const blocks[8], uint32_t joint_count,
                       struct mrw_pose_block *out_joints);
    void (*crowd_sample)(const struct mrwi_crowd_sample_input *in);
    void (*crowd_models)(const struct mrwi_crowd_model_input *in);
    void (*crowd_palette)(const struct mrwi_crowd_palette_input *in);
} mrwi_kernels;

/* Those of the best instruction set that this machine has, or that mrw_isa_select has asked for. */
const mrwi_kernels *mrwi_kernels_active(void);

#endif
