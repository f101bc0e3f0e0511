/* What mrw_blend has worked out once for a pose and the kernel needs for each block. */
#ifndef MRWI_BLEND_INPUT_H
#define MRWI_BLEND_INPUT_H

#include <marrow/blend.h>

/* Layers whose shares are computed once. For layers beyond, the division is made again for each
 * block: slower, the same bits. */
enum { MRWI_BLEND_SHARES = 16 };

/* Layers in memory. Those of the first version of the struct are shorter. */
typedef struct mrwi_blend_layers {
    const unsigned char *bytes;
    size_t stride;
    uint32_t count;
    bool has_parts; /* the struct has joint_weights and scalar_weights */
} mrwi_blend_layers;

typedef struct mrwi_blend_input {
    mrwi_blend_layers layers;
    mrwi_blend_layers additive;
    const mrw_pose_block *rest_blocks;
    const float *rest_scalars;
    uint32_t joint_count;
    uint32_t first;                      /* the first layer with weight */
    uint32_t second;                     /* the second, if there are two and nothing else; or 0 */
    bool is_masked;                      /* a layer with weight has joint_weights */
    const mrw_pose_block *single_blocks; /* where joints have no weights: the only pose, or NULL */
    const float *single_scalars;         /* its scalars, where scalars have no weights */
    double threshold;
    double weight_sum;               /* of layers and rest pose, if there were no masks */
    float rest_share;                /* the same: the rest pose's, or 0 */
    float shares[MRWI_BLEND_SHARES]; /* the same: of the first layers */
    mrw_pose_block *out_blocks;
} mrwi_blend_input;

static inline const mrw_pose *mrwi_blend_pose(const mrwi_blend_layers *layers, uint32_t index)
{
    return ((const mrw_blend_layer *)(const void *)(layers->bytes + index * layers->stride))->pose;
}

static inline float mrwi_blend_weight(const mrwi_blend_layers *layers, uint32_t index)
{
    return ((const mrw_blend_layer *)(const void *)(layers->bytes + index * layers->stride))
        ->weight;
}

static inline const float *mrwi_blend_joint_weights(const mrwi_blend_layers *layers, uint32_t index)
{
    if (!layers->has_parts)
        return NULL;
    return ((const mrw_blend_layer *)(const void *)(layers->bytes + index * layers->stride))
        ->joint_weights;
}

static inline const float *mrwi_blend_scalar_weights(const mrwi_blend_layers *layers,
                                                     uint32_t index)
{
    if (!layers->has_parts)
        return NULL;
    return ((const mrw_blend_layer *)(const void *)(layers->bytes + index * layers->stride))
        ->scalar_weights;
}

static inline float mrwi_blend_share(const mrwi_blend_input *input, uint32_t index)
{
    if (index < MRWI_BLEND_SHARES)
        return input->shares[index];
    return (float)((double)mrwi_blend_weight(&input->layers, index) / input->weight_sum);
}

#endif
