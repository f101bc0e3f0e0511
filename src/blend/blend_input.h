/* What mrw_blend has worked out once for a pose and the kernel needs for each block. */
#ifndef MRWI_BLEND_INPUT_H
#define MRWI_BLEND_INPUT_H

#include <marrow/blend.h>

/* A weight below this share of the largest is 0: weights stay far from where floats lose precision.
 * 2^-100. */
#define MRWI_BLEND_LEAST 0x1p-100f

/* The shares of one joint that a mean is made of, as mrw_blend has them without weights of joints:
 * 1 for a layer that is alone, 0 for one that is passed over. Returns the rest pose's, which comes
 * last. Weights and threshold are finite and not negative. */
float mrwi_blend_shares(const float *weights, uint32_t count, float rest_threshold,
                        float *out_shares);

/* The rest_threshold of a job: finite and not negative. */
mrw_status mrwi_blend_check_threshold(float rest_threshold, mrw_error *out_error);

/* Layers that are worked out once. Those beyond are worked out again for each block: slower, the
 * same bits. */
enum { MRWI_BLEND_LISTED = 16 };

/* A layer with weight, or the rest pose. */
typedef struct mrwi_blend_entry {
    const mrw_pose_block *blocks; /* NULL: no layer after all */
    const float *scalars;
    const float *joint_weights;  /* or NULL */
    const float *scalar_weights; /* or NULL */
    float weight;                /* scaled; of additive layers, as it is */
    float share;                 /* of all weight, if there were no weights of parts */
} mrwi_blend_entry;

typedef struct mrwi_blend_list {
    const mrw_blend_layer *layers; /* all of the caller's */
    uint32_t beyond; /* the first layer that is not listed; behind the last if all are */
    uint32_t listed_count;
    uint32_t count; /* entries: those listed, and all layers beyond */
    mrwi_blend_entry listed[MRWI_BLEND_LISTED];
    bool has_joint_weights;
    bool has_scalar_weights;
    double scale;     /* of weights */
    float weight_sum; /* scaled, with the rest pose's; divides weights to shares */
} mrwi_blend_list;

typedef struct mrwi_blend_input {
    mrwi_blend_list layers;
    mrwi_blend_list additive;
    mrwi_blend_entry rest; /* what fills up to the threshold */
    float threshold;       /* scaled */
    float rest_alone;      /* the rest pose's weight where layers have none */
    uint32_t joint_count;
    mrw_pose_block *out_blocks;
} mrwi_blend_input;

/* Entry i of those beyond the listed ones. */
mrwi_blend_entry mrwi_blend_entry_beyond(const mrwi_blend_list *list, uint32_t i);

static inline mrwi_blend_entry mrwi_blend_entry_at(const mrwi_blend_list *list, uint32_t i)
{
    return i < MRWI_BLEND_LISTED ? list->listed[i] : mrwi_blend_entry_beyond(list, i);
}

#endif
