/* marrow/blend.h: several local poses as one; differences between poses. */
#ifndef MARROW_BLEND_H
#define MARROW_BLEND_H

#include <marrow/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- blending ---------------------------------------------------------------------------- */

/* A pose with a weight for all of it, and weights for its parts: a partial pose is a layer whose
 * joint_weights are 1 for some joints (an arm and all below it) and 0 for the others. Where a weight
 * is 0 the layer is not looked at: it may hold anything there, even a NaN. Start from
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
 * reference; mrw_pose_make_additive and this function use the same one. Weights of additive layers do not
 * refer to each other; above 1 they exaggerate. */
typedef struct mrw_blend_job {
    size_t struct_size; /* says of which version layers are, too */
    const mrw_skeleton *skeleton;
    const mrw_blend_layer *layers; /* [layer_count]; may be NULL if layer_count is 0 */
    uint32_t layer_count;
    mrw_pose *out_pose;            /* may be the pose of a layer */
    /* Absent in the first version of this struct, in which layers had pose and weight only. */
    float rest_threshold;          /* >= 0 */
    uint32_t additive_layer_count;
    const mrw_blend_layer *additive_layers; /* [additive_layer_count]; may be NULL if that is 0 */
} mrw_blend_job;

static inline mrw_blend_job mrw_blend_job_default(void)
{
    mrw_blend_job job = {sizeof(mrw_blend_job), NULL, NULL, 0, NULL, 0.0f, 0, NULL};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_COUNT, SCALAR_COUNT, NOT_FINITE or
 * INVALID_ARGUMENT (a weight or threshold that is not finite, or negative, or a weight of a joint or
 * scalar outside 0 to 1). */
MRW_API mrw_status mrw_blend_check(const mrw_blend_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_blend(const mrw_blend_job *job);

/* --- differences ------------------------------------------------------------------------- */

/* The difference of a pose to a reference (the rest pose, the first pose of the clip), as an
 * additive layer takes it:
 *
 *     translation - reference.translation        scalar - reference.scalar
 *     rotation * reference.rotation^-1           scale / reference.scale
 *
 * A quotient that does not exist or does not fit a float is 1. On top of the reference with weight 1
 * it gives the pose back, within rounding; of a pose to itself it is exactly the identity.
 * out_pose may be either. Errors: NULL_ARGUMENT, JOINT_COUNT, SCALAR_COUNT. */
MRW_API mrw_status mrw_pose_make_additive(const mrw_pose *pose, const mrw_pose *reference,
                                          mrw_pose *out_pose);

#ifdef __cplusplus
}
#endif

#endif
