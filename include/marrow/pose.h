/* marrow/pose.h: the local pose, the one thing that sampling writes, blending
 * reads and writes, and the model stage reads.
 *
 * A pose holds everything that a clip can animate: the local transform of each joint of
 * a skeleton, and its scalars (morph weights, curves). Joints stand
 * in blocks of eight, structure of arrays, so that one instruction can work on eight
 * joints; the layout is the same on every machine:
 *
 *     block 0                                        block 1
 *     tx[8] ty[8] tz[8] rx[8] ry[8] rz[8] rw[8] sx[8] sy[8] sz[8] | tx[8] ...
 *     joints 0..7                                    joints 8..15
 *
 * Lanes past the last joint hold the identity.
 */
#ifndef MARROW_POSE_H
#define MARROW_POSE_H

#include <marrow/math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MRW_POSE_LANES 8

/* 320 bytes. */
typedef struct mrw_pose_block {
    float translation[3][MRW_POSE_LANES];
    float rotation[4][MRW_POSE_LANES]; /* x, y, z, w */
    float scale[3][MRW_POSE_LANES];
} mrw_pose_block;

/* A view on the caller's memory. */
typedef struct mrw_pose {
    uint32_t joint_count;
    uint32_t scalar_count;
    mrw_pose_block *blocks; /* [ceil(joint_count / 8)] */
    float *scalars;         /* [scalar_count] */
} mrw_pose;

/* Bytes of memory that a pose needs, a multiple of MRW_ALIGNMENT and never 0 (an empty pose takes
 * room too), except for counts above MRW_MAX_JOINTS or MRW_MAX_SCALARS: then it is 0. */
MRW_API size_t mrw_pose_size(uint32_t joint_count, uint32_t scalar_count);

/* Lays a pose into memory of at least mrw_pose_size bytes, aligned to MRW_ALIGNMENT,
 * and sets every joint to the identity and every scalar to 0.
 * Errors: NULL_ARGUMENT, INVALID_ARGUMENT (counts), BUFFER_TOO_SMALL, ALIGNMENT. */
MRW_API mrw_status mrw_pose_init(void *memory, size_t size_bytes, uint32_t joint_count,
                                 uint32_t scalar_count, mrw_pose *out_pose);

/* One joint's local transform; the identity for a joint outside the pose. */
MRW_API mrw_transform mrw_pose_joint(const mrw_pose *pose, uint32_t joint);
/* Sets it; a joint outside the pose is ignored. */
MRW_API void mrw_pose_set_joint(mrw_pose *pose, uint32_t joint, const mrw_transform *transform);
/* Copies joints and scalars. Errors: NULL_ARGUMENT, JOINT_COUNT, SCALAR_COUNT. */
MRW_API mrw_status mrw_pose_copy(const mrw_pose *source, mrw_pose *out_pose);

#ifdef __cplusplus
}
#endif

#endif
