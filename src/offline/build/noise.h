/* Numbers that are nothing but the rounding of the program that wrote a file: 1e-17 of a radian,
 * 1e-20 m.
 *
 * No result shows them, but their squares and products are denormal, which takes a processor many
 * times as long: two of Fox.glb's clips took half as long again to blend as with zeros in the place
 * of nine such numbers. So builders leave them out. What counts as such is relative, since a model
 * may be in any unit:
 *
 *     rotation      2^-48 (3.6e-15) of a unit quaternion
 *     translation   2^-60 (8.7e-19) of the largest component of any translation of the rest pose
 *
 * A float has 24 bits, so 24 more lie between such a rotation and what turns anything by a float's
 * last bit; and its square is 2^-96, so that a weight or a time between keys may make it 30,000
 * times smaller before squares are denormal (below 2^-126). Translations end farther down because
 * joints may be scaled against each other.
 *
 * Scales stay: a joint may be scaled to 1e-20 so that it is not seen, and still have an inverse. So
 * do scalars, which mean whatever their user wants. */
#ifndef MRWI_OFFLINE_NOISE_H
#define MRWI_OFFLINE_NOISE_H

#include "pose/pose_block.h"

#define MRWI_ROTATION_NOISE 0x1p-48f
#define MRWI_TRANSLATION_NOISE 0x1p-60f

/* Writes 0 where a number is nearer to 0 than `limit`. */
static inline void mrwi_drop_noise(float *values, size_t count, float limit)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] > -limit && values[i] < limit)
            values[i] = 0.0f;
}

/* Where translations begin to count, of a skeleton with this rest pose. */
static inline float mrwi_translation_noise(const mrw_pose_block *rest_blocks, uint32_t joint_count)
{
    float largest = 0.0f;
    for (uint32_t block = 0; block < mrwi_block_count(joint_count); block++)
        for (uint32_t i = 0; i < 3 * MRW_POSE_LANES; i++) {
            float value = rest_blocks[block].translation[i / MRW_POSE_LANES][i % MRW_POSE_LANES];
            float size = value < 0.0f ? -value : value;
            largest = size > largest ? size : largest;
        }
    return largest * MRWI_TRANSLATION_NOISE;
}

#endif
