/* What becomes of each joint of a clip: which of its parts are packed, in which numbers, and what
 * they move. It stays as it is while the steps are sought. */
#ifndef MRWI_JOINT_PLAN_H
#define MRWI_JOINT_PLAN_H

#include "offline/compress/joint_chart.h"
#include "offline/compress/motion_samples.h"

typedef enum mrwi_part {
    MRWI_PART_GIVEN,    /* as the source has it: a track that stays keyed */
    MRWI_PART_CONSTANT, /* one value for all times */
    MRWI_PART_PACKED,
    MRWI_PART_SPARSE,  /* given if it moves: its few keys take less room than samples */
    MRWI_PART_WHIRLING /* given; and what it carries is not held in place by samples alone */
} mrwi_part;

/* A joint whose place another one's rotation carries, rigidly, and where it stands in it. */
typedef struct mrwi_carried {
    uint32_t joint;
    mrwi_vec3d offset;
} mrwi_carried;

typedef struct mrwi_joint_plan {
    int32_t parent;
    mrwi_part translation, rotation, scale;
    mrw_transform constant;                                  /* of the parts that are */
    uint32_t rotation_index, translation_index, scale_index; /* among those packed */
    uint32_t rotation_channels[3], translation_channels[3], scale_channels[3];
    double shell;         /* in units of the joint */
    double tolerance;     /* in units of the skeleton */
    double per_tolerance; /* 1 / tolerance */
    double gain_above;    /* the largest scale of model space to its parent, at any sample */
    double reach;         /* to its parent at most, in model space */
    double lever;         /* how far what it turns reaches, in model space */
    double scale_lever;   /* what a scale of 1 more moves, in model space */

    mrwi_chart chart;
    bool whirls;       /* its rotation is MRWI_PART_WHIRLING */
    bool is_rigid;     /* neither it nor an ancestor changes its shape: errors can be made good */
    double gain;       /* of rigid ones: the scale of the joint and its ancestors, of all axes */
    int32_t carrier;   /* the nearest ancestor whose rotation is packed, or -1 */
    bool is_carried;   /* rigidly by that one, at `offset` */
    mrwi_vec3d offset; /* in the carrier's axes, as long as in model space */
    uint32_t first_carried, carried_count; /* if its rotation is packed: those that it carries */
    /* The least squares of turning those back to where they should be: of offsets b, the sum of b,
     * and the inverse of the sum of |b|^2 - b b', with something for the shell. */
    mrwi_vec3d carried_sum;
    mrwi_mat33d carried_solve;
} mrwi_joint_plan;

typedef struct mrwi_motion_plan {
    const mrwi_motion_samples *samples;
    uint32_t joint_count;
    mrwi_joint_plan *joints;
    mrwi_carried *carried;
    uint32_t rotation_count, translation_count, scale_count, scalar_count;
    uint32_t *packed_scalars; /* [scalar_count] */
    uint32_t channel_count;
} mrwi_motion_plan;

/* Which parts of the joints and which scalars the samples may replace: [joint_count] and
 * [scalar_count]; parts that are MRWI_PART_GIVEN stay that, and none is MRWI_PART_SPARSE or
 * MRWI_PART_WHIRLING once there is a plan. */
typedef struct mrwi_part_choice {
    uint8_t *translations, *rotations, *scales, *scalars;
} mrwi_part_choice;

/* shells: [joint_count], in the units of each joint. tolerances: [joint_count], in those of the
 * skeleton. What moves its points less than `still_share` of the tolerance stands still. Parts of
 * `choice` that are MRWI_PART_PACKED or MRWI_PART_SPARSE but hardly move become constant, in
 * `choice` too; and with may_give those that single precision cannot decode well enough,
 * MRWI_PART_GIVEN. */
mrw_status mrwi_plan_motion(const mrw_skeleton *skeleton, const mrwi_motion_samples *samples,
                            const double *shells, const double *tolerances, double scalar_tolerance,
                            double still_share, bool may_give, mrwi_part_choice *choice,
                            mrwi_arena *arena, mrwi_motion_plan *out_plan, mrw_error *out_error);

/* A joint of the skeleton's rest pose. */
mrw_transform mrwi_rest_transform(const mrw_skeleton *skeleton, uint32_t joint);

static inline uint32_t mrwi_scalar_channel(const mrwi_motion_plan *plan, uint32_t index)
{
    return plan->channel_count - plan->scalar_count + index;
}

#endif
