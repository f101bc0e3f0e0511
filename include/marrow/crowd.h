/* marrow/crowd.h: many characters of one skeleton in one call, from clips to palettes.
 *
 *     for each character:   layers ──▶ blend ──▶ model matrices ──▶ palettes
 *
 * Bit for bit what mrw_sample, mrw_blend, mrw_model and mrw_palette give for one character after
 * the other, in less time: eight characters stand in the lanes of the machine's vectors, so that
 * nobody waits for a parent's matrix. It is fastest where many play the same clips, at whatever
 * times and weights; the order of the characters does not matter for that.
 *
 * A job names a range of the characters. Ranges that do not overlap may run at the same time on
 * different threads, each with scratch memory of its own, and the results do not depend on where
 * the ranges are cut. Ranges of a few dozen characters or more are worth a thread's while.
 *
 *     enum { COUNT = 1000, LAYERS = 2 };
 *     static mrw_crowd_layer layers[COUNT * LAYERS];   // clip, time_s, weight, loop of each
 *     mrw_crowd_part part = {&skin, 0};
 *     mrw_crowd_job job = mrw_crowd_job_default();
 *     job.skeleton = &skeleton;
 *     job.parts = &part;
 *     job.part_count = 1;
 *     job.layers = layers;
 *     job.layer_count = LAYERS;
 *     job.character_count = COUNT;
 *     job.scratch_size_bytes = mrw_crowd_scratch_size(&skeleton, LAYERS);
 *     job.scratch = malloc(job.scratch_size_bytes);
 *     job.out_palettes = palettes;                     // [COUNT * skin.joint_count]
 *     mrw_status status = mrw_crowd(&job);
 */
#ifndef MARROW_CROWD_H
#define MARROW_CROWD_H

#include <marrow/clip.h>
#include <marrow/skeleton.h>
#include <marrow/skin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Characters up to the last one. */
#define MRW_ALL_CHARACTERS 0xffffffffu

/* What a character plays: a clip at a time, as mrw_sample takes it, and its weight, as mrw_blend
 * does. Without a clip it is the rest pose. Layers of weight 0 take no time. */
typedef struct mrw_crowd_layer {
    const mrw_clip *clip; /* or NULL */
    double time_s;
    float weight; /* >= 0; relative to the character's other layers */
    bool loop;
} mrw_crowd_layer;

/* A part of a character's palette: the matrices of a skin, or, for what hangs rigidly from a joint,
 * the model matrix of that joint. */
typedef struct mrw_crowd_part {
    const mrw_skin *skin; /* or NULL: one matrix, of the joint */
    uint32_t joint;       /* read only without a skin */
} mrw_crowd_part;

/* P, the matrices of one character's palette, is the sum of the parts' counts: part after part,
 * each as mrw_palette writes it. mrw_palette_dual_quats takes the palettes of any number of
 * characters at once. Everything belongs to the caller and is only read but for scratch and results,
 * which must not overlap with each other or with what is read. */
typedef struct mrw_crowd_job {
    size_t struct_size;
    const mrw_skeleton *skeleton;
    const mrw_crowd_part *parts; /* [part_count]; may be NULL if that is 0 */
    uint32_t part_count;
    uint32_t layer_count;          /* of each character; without any all stand in the rest pose */
    const mrw_crowd_layer *layers; /* [character_count * layer_count], character after character */
    float rest_threshold;          /* >= 0; as in mrw_blend_job */
    uint32_t character_count;      /* of all arrays here */
    uint32_t first_character;      /* default 0 */
    uint32_t end_character;        /* behind the last; default MRW_ALL_CHARACTERS */
    const mrw_mat34 *roots;        /* [character_count] before every root joint; or NULL */
    void *scratch;                 /* aligned to MRW_ALIGNMENT; its content is not kept */
    size_t scratch_size_bytes;     /* at least mrw_crowd_scratch_size */

    /* Where the characters of the range are written; each may be NULL. */
    mrw_mat34 *out_palettes; /* [character_count * P] */
    mrw_mat34 *out_models;   /* [character_count * joint_count] */
    float *out_scalars;      /* [character_count * scalar_count] */
} mrw_crowd_job;

static inline mrw_crowd_job mrw_crowd_job_default(void)
{
    mrw_crowd_job job = {sizeof(mrw_crowd_job), NULL, NULL, 0, 0, NULL, 0.0f, 0, 0,
                         MRW_ALL_CHARACTERS, NULL, NULL, 0, NULL, NULL, NULL};
    return job;
}

/* Bytes of scratch memory for one call, whatever the number of characters: for 67 joints and two
 * layers about 125 KB. 0 if they do not fit a size_t. */
MRW_API size_t mrw_crowd_scratch_size(const mrw_skeleton *skeleton, uint32_t layer_count);

/* Looks at the layers of the range only. Errors: NULL_ARGUMENT, STRUCT_SIZE, INVALID_ARGUMENT (the
 * range, a weight or the threshold), NOT_FINITE (a time, a weight or the threshold),
 * SKELETON_MISMATCH, JOINT_COUNT and SCALAR_COUNT (a clip or skin), JOINT_RANGE (a part's joint),
 * BUFFER_TOO_SMALL and ALIGNMENT (scratch). */
MRW_API mrw_status mrw_crowd_check(const mrw_crowd_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_crowd(const mrw_crowd_job *job);

#ifdef __cplusplus
}
#endif

#endif
