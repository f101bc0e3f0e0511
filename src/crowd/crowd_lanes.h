/* What the kernels of this stage take. Lanes are characters: eight of them, or fewer of which the
 * last is repeated, which then write the same numbers to the same places. */
#ifndef MRWI_CROWD_LANES_H
#define MRWI_CROWD_LANES_H

#include <marrow/clip.h>
#include <marrow/math.h>
#include <marrow/pose.h>

enum { MRWI_CROWD_LANES = 8 };

_Static_assert((int)MRWI_CROWD_LANES == (int)MRW_POSE_LANES, "eight poses turn into eight lanes");

/* One joint of eight characters: a block of a pose in which each lane is a character. */
typedef mrw_pose_block mrwi_crowd_joint;

/* One matrix of eight characters. */
typedef struct mrwi_crowd_matrix {
    float m[3][4][MRWI_CROWD_LANES];
} mrwi_crowd_matrix;

/* What moves linearly in a clip at eight times. */
typedef struct mrwi_crowd_sample_input {
    const mrw_clip *clip;
    float times_s[MRWI_CROWD_LANES];    /* inside the clip */
    mrwi_crowd_joint *joints;           /* [joint_count]; the rest stays as it is */
    float (*scalars)[MRWI_CROWD_LANES]; /* [scalar_count], likewise */
} mrwi_crowd_sample_input;

/* From poses to model matrices. */
typedef struct mrwi_crowd_model_input {
    const int32_t *parents; /* [joint_count] */
    uint32_t joint_count;
    uint32_t pose_count;                      /* >= 1 */
    const mrwi_crowd_joint *poses;            /* [pose_count][joint_count] */
    const float (*shares)[MRWI_CROWD_LANES];  /* [pose_count] */
    const mrw_mat34 *roots[MRWI_CROWD_LANES]; /* all NULL, or none */
    mrwi_crowd_matrix *out_models;            /* [joint_count] */
} mrwi_crowd_model_input;

/* models[joints[i]] * inverse_binds[i], or without inverse_binds models[joints[i]] as they are;
 * without joints models[i]. */
typedef struct mrwi_crowd_palette_input {
    const mrwi_crowd_matrix *models;
    const uint32_t *joints;         /* [count], or NULL */
    const mrw_mat34 *inverse_binds; /* [count], or NULL */
    uint32_t count;
    mrw_mat34 *out_matrices[MRWI_CROWD_LANES]; /* [count] each */
} mrwi_crowd_palette_input;

#endif
