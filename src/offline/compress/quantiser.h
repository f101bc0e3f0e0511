/* Samples to numbers, one sample after the other, root first. */
#ifndef MRWI_QUANTISER_H
#define MRWI_QUANTISER_H

#include "offline/compress/step_plan.h"

/* One sample at work. */
typedef struct mrwi_quantiser {
    const mrwi_motion_plan *plan;
    const mrwi_steps *steps;
    const float *weights; /* [sample_count][joint_count] what errors count for; NULL: 1 */
    uint32_t sample;

    /* The source's model space. Rigid joints have a rotation, others a matrix. */
    mrwi_quatd *true_rotations; /* [joint_count] */
    mrwi_mat33d *true_matrices; /* [joint_count] */
    mrwi_vec3d *true_places;    /* [joint_count] */
    /* What comes of the numbers. */
    mrwi_quatd *rotations; /* [joint_count] */
    mrwi_mat33d *matrices; /* [joint_count] */
    mrwi_vec3d *places;    /* [joint_count] */
    double *errors;        /* [joint_count] of the shell, in tolerances */

    int32_t *numbers;   /* [channel_count] */
    double *remainders; /* [channel_count] what was to be rounded, above the number */
    int32_t *nudges;    /* [channel_count] added to what rounding gives: 0 unless repaired */
    double *twists;     /* [rotation_count] of this sample */
    double *twists_before;
} mrwi_quantiser;

/* False if memory ran out. */
bool mrwi_quantiser_init(mrwi_quantiser *quantiser, const mrwi_motion_plan *plan,
                         const mrwi_steps *steps, const float *weights, mrwi_arena *arena);

/* Goes to a sample: its true model space; no nudges. Twists go on from the sample before. */
void mrwi_quantiser_begin(mrwi_quantiser *quantiser, uint32_t sample);

/* Rounds one joint's parts, given its parent's, and measures its error. */
void mrwi_quantise_joint(mrwi_quantiser *quantiser, uint32_t joint);

/* Rounds all joints to these numbers, [channel_count], by nudges. */
void mrwi_quantiser_hold(mrwi_quantiser *quantiser, const int32_t *numbers);

/* Rounds all joints, and the scalars. */
void mrwi_quantise_sample(mrwi_quantiser *quantiser);

#endif
