/* What the model kernel takes. */
#ifndef MRWI_MODEL_INPUT_H
#define MRWI_MODEL_INPUT_H

#include <marrow/math.h>

struct mrw_pose_block;

/* Joints [first_joint, end_joint); with members, of these only the ones whose bit is set: one byte
 * for each block of the pose, the lowest bit its first joint. The parents of all of them are among
 * them and stand before them, or their matrices are there already. */
typedef struct mrwi_model_input {
    const struct mrw_pose_block *blocks;
    const int32_t *parents;
    const mrw_mat34 *root;  /* or NULL */
    const uint8_t *members; /* or NULL */
    uint32_t first_joint;
    uint32_t end_joint;
} mrwi_model_input;

#endif
