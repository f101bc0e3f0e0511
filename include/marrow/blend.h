/* marrow/blend.h: several local poses as one; differences between poses; mirrored poses. */
#ifndef MARROW_BLEND_H
#define MARROW_BLEND_H

#include <marrow/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- blending ---------------------------------------------------------------------------- */

/* A pose with a weight for all of it, and weights for its parts: a partial pose is a layer whose
 * joint_weights are 1 for some joints (an arm and all below it) and 0 for the others. Where a
 * weight is 0 the layer is not looked at: it may hold anything there, even a NaN. A weight times
 * part that is below 2^-100 (8e-31) of the job's largest weight counts as 0. Start from
 * mrw_blend_layer_default() or from an initialiser, so that members you do not set are 0. */
typedef struct mrw_blend_layer {
    const mrw_pose *pose;
    float weight;                /* >= 0; relative to the other layers, or of an additive layer */
    const float *joint_weights;  /* [joint_count] 0 to 1, times weight; or NULL: 1 for all */
    const float *scalar_weights; /* [scalar_count] the same for scalars; or NULL */
} mrw_blend_layer;

static inline mrw_blend_layer mrw_blend_layer_default(void)
{
    mrw_blend_layer layer = {NULL, 0.0f, NULL, NULL};
    return layer;
}

/* First the weighted mean of `layers`, then `additive_layers` on top of it.
 *
 * The mean: for each joint, weights are divided by their sum; translations, scales and scalars are
 * averaged; rotations are summed on the hemisphere of the first layer with a weight there and
 * normalised (shorter-arc nlerp). A joint in which one layer has all the weight is that layer's bit
 * for bit: so is a crossfade, two layers of 1 - t and t, at t = 0 and t = 1.
 * Rotations are within 1e-6 rad of what this gives in exact arithmetic.
 *
 * The rest pose: a joint in which no layer has weight gets the rest pose. With a rest_threshold, a
 * joint whose weights sum to less than it gets the rest pose for what is missing: at a
 * threshold of 1, a layer of weight 0.3 alone is 0.3 of the layer and 0.7 of the rest pose. With
 * the default of 0, it is the layer.
 *
 * Additive layers hold differences, made by mrw_pose_make_additive, and are applied in their order:
 *
 *     translation + weight * delta.translation
 *     nlerp(identity, delta.rotation, weight) * rotation           along the shorter arc
 *     scale * ((1 - weight) + weight * delta.scale)                for each axis
 *     scalar + weight * delta.scalar
 *
 * Rotations can be put together in two orders. delta * T, used here, turns the joint about the axes
 * of its parent, in which the translation is added too; T * delta would turn it about its own axes,
 * wherever the layers below have turned them. The orders differ as soon as the pose is not the
 * reference; mrw_pose_make_additive and this function use the same one. Weights of additive layers
 * do not refer to each other; above 1 they exaggerate. */
typedef struct mrw_blend_job {
    size_t struct_size;
    const mrw_skeleton *skeleton;
    const mrw_blend_layer *layers; /* [layer_count]; may be NULL if layer_count is 0 */
    uint32_t layer_count;
    mrw_pose *out_pose;   /* may be the pose of a layer */
    float rest_threshold; /* >= 0 */
    uint32_t additive_layer_count;
    const mrw_blend_layer *additive_layers; /* [additive_layer_count]; may be NULL if that is 0 */
} mrw_blend_job;

static inline mrw_blend_job mrw_blend_job_default(void)
{
    mrw_blend_job job = {sizeof(mrw_blend_job), NULL, NULL, 0, NULL, 0.0f, 0, NULL};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_COUNT, SCALAR_COUNT, NOT_FINITE or
 * INVALID_ARGUMENT (a weight or threshold that is not finite, or negative, or a weight of a joint
 * or scalar outside 0 to 1). */
MRW_API mrw_status mrw_blend_check(const mrw_blend_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_blend(const mrw_blend_job *job);

/* --- differences ------------------------------------------------------------------------- */

/* The difference of a pose to a reference (the rest pose, the first pose of the clip), as an
 * additive layer takes it:
 *
 *     translation - reference.translation        scalar - reference.scalar
 *     rotation * reference.rotation^-1           scale / reference.scale
 *
 * A quotient that does not exist or does not fit a float is 1. On top of the reference with weight
 * 1 it gives the pose back, within rounding; of a pose to itself it is exactly the identity.
 * out_pose may be either. Errors: NULL_ARGUMENT, JOINT_COUNT, SCALAR_COUNT. */
MRW_API mrw_status mrw_pose_make_additive(const mrw_pose *pose, const mrw_pose *reference,
                                          mrw_pose *out_pose);

/* --- mirrored poses ---------------------------------------------------------------------- */

/* 1. Find pairs, by name or by the places of the rest pose, or fill them yourself.
 * 2. mrw_mirror_build makes a table of them, once a skeleton.
 * 3. mrw_mirror_pose mirrors any pose of the skeleton with the table.
 *
 * What is mirrored is the movement away from the rest pose, in the axes of the scene: if the left
 * hand turns inwards by 30 degrees, the right hand then turns inwards by 30 degrees, whichever way
 * the axes of the two joints look. So the rest pose is its own mirror image, and it should be
 * symmetric; where it is not, what is asymmetric about it stays.
 *
 * pairs[joint] is the joint on the other side, or the joint itself on the middle line, and must go
 * both ways: pairs[pairs[joint]] == joint. A joint whose pair does not hang from its parent's pair
 * (a sword in one hand) has no mirror image: it and all below it keep their local transforms and
 * move with their parent. Signs of scales in the rest pose count (rigs whose one side is scaled by
 * -1), other scales do not turn axes: a rig that is sheared is mirrored only nearly. */

/* Pairs joints whose names differ only in their side: `left` and `right` anywhere, in lower, upper
 * or mixed case (LeftArm, arm_left, Bip01 Left Hand), and `l` and `r` that stand alone (Arm.L,
 * l_arm, arm_l, arm-l.001, "Bip01 L Hand") or are told by case (lHand, handR). A joint whose
 * partner does not exist or is paired already stays alone. `out_paired_count` (or NULL) gets the
 * number of joints that have a partner; 0 means that names do not tell. Errors: NULL_ARGUMENT,
 * JOINT_COUNT (pair_count is not the skeleton's joint_count). */
MRW_API mrw_status mrw_mirror_pairs_by_name(const mrw_skeleton *skeleton, uint32_t *out_pairs,
                                            uint32_t pair_count, uint32_t *out_paired_count);
/* The same for scalars (smile_L, browLeft), in time quadratic in their number.
 * Errors: NULL_ARGUMENT, SCALAR_COUNT. */
MRW_API mrw_status mrw_mirror_scalars_by_name(const mrw_skeleton *skeleton, uint32_t *out_pairs,
                                              uint32_t pair_count, uint32_t *out_paired_count);

/* One joint of the table. Read it if you like; mrw_mirror_build fills it. 56 bytes. */
typedef struct mrw_mirror_joint {
    mrw_quat before; /* rotation = before * rotation of source * after */
    mrw_quat after;
    mrw_vec3 scale; /* scale[i] = scale of source[scale_axes[i]] * this */
    float
        translation_sign; /* translation - rest = sign * before * (translation - rest) of source */
    uint32_t source;      /* the joint on the other side */
    uint8_t scale_axes[3];
    uint8_t is_kept; /* 1: it has no mirror image */
} mrw_mirror_joint;

/* Pairs joints by where they stand in the rest pose: top down, children of a pair with those
 * whose places are mirror images within tolerance_m, across the plane through the origin of the
 * scene; of several, the nearest, and of those about as near the first. `workspace` is memory for
 * pair_count joints, for instance the table that is to be built; its content is not kept. Takes
 * time quadratic in pair_count. Errors: NULL_ARGUMENT, JOINT_COUNT, INVALID_ARGUMENT (the normal is
 * zero, or tolerance_m negative), NOT_FINITE. */
MRW_API mrw_status mrw_mirror_pairs_by_place(const mrw_skeleton *skeleton, mrw_vec3 plane_normal,
                                             float tolerance_m, mrw_mirror_joint *workspace,
                                             uint32_t *out_pairs, uint32_t pair_count,
                                             uint32_t *out_paired_count);

typedef struct mrw_mirror_build_job {
    size_t struct_size;
    const mrw_skeleton *skeleton;
    mrw_vec3 plane_normal;        /* of any length above 0; the default is X: left is right */
    const uint32_t *pairs;        /* [joint_count] */
    mrw_mirror_joint *out_joints; /* [joint_count] */
    uint32_t joint_count;         /* of both; the skeleton's */
} mrw_mirror_build_job;

static inline mrw_mirror_build_job mrw_mirror_build_job_default(void)
{
    mrw_mirror_build_job job = {
        sizeof(mrw_mirror_build_job), NULL, {1.0f, 0.0f, 0.0f}, NULL, NULL, 0};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_COUNT, JOINT_RANGE (a pair outside the skeleton),
 * INVALID_ARGUMENT (the normal is zero, or pairs do not go both ways), NOT_FINITE. */
MRW_API mrw_status mrw_mirror_build_check(const mrw_mirror_build_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_mirror_build(const mrw_mirror_build_job *job);

typedef struct mrw_mirror_job {
    size_t struct_size;
    const mrw_skeleton *skeleton;
    const mrw_mirror_joint *joints; /* [joint_count] from mrw_mirror_build with this skeleton */
    uint32_t joint_count;
    const uint32_t *scalar_pairs; /* [scalar_count], or NULL: scalars stay */
    const mrw_pose *pose;
    mrw_pose *out_pose; /* may be `pose` */
} mrw_mirror_job;

static inline mrw_mirror_job mrw_mirror_job_default(void)
{
    mrw_mirror_job job = {sizeof(mrw_mirror_job), NULL, NULL, 0, NULL, NULL, NULL};
    return job;
}

/* Mirroring twice gives the pose back, within rounding.
 * Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_COUNT, SCALAR_COUNT, JOINT_RANGE (joints were built for
 * another skeleton), INVALID_ARGUMENT (scalar_pairs that do not go both ways). */
MRW_API mrw_status mrw_mirror_check(const mrw_mirror_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_mirror_pose(const mrw_mirror_job *job);

#ifdef __cplusplus
}
#endif

#endif
