/* The weighted mean of poses.
 *
 * Weights are relative: 2 and 6 mean a quarter and three quarters. Layers without weight are passed
 * over altogether, so what they hold (a rotation on the other hemisphere, even a NaN) cannot leak
 * in, and a single layer with weight is copied, not averaged: that is what makes both ends of a
 * crossfade exact.
 *
 * Rotations are averaged as vectors. q and -q are one rotation but opposite vectors, so each is
 * first put on the side of the first layer that has weight; the sum then has a component of at
 * least that layer's weight along that layer's rotation, and its length is not zero. All layers
 * refer to the same one, so the result does not depend on how the sum was grouped. Normalised
 * linear interpolation is not constant in speed as slerp is, but it extends to any number of layers
 * and its path is the same arc.
 *
 * A block is read from all layers before it is written, so the result may lie in one of them.
 */
#include <marrow/blend.h>

#include "base/error.h"
#include "base/finite.h"
#include "pose/pose_block.h"

#include <string.h>

/* --- check ------------------------------------------------------------------------------- */

static mrw_status fail_layer(mrw_error *out_error, mrw_status status, uint32_t layer,
                             const char *field)
{
    return mrwi_fail(out_error, status, "layers[%u].%s", "%s", layer, field,
                     mrw_status_text(status));
}

static mrw_status check_layer(const mrw_blend_job *job, uint32_t index, mrw_error *out_error)
{
    const mrw_blend_layer *layer = &job->layers[index];
    if (layer->pose == NULL || !mrwi_pose_has_memory(layer->pose))
        return fail_layer(out_error, MRW_ERR_NULL_ARGUMENT, index, "pose");
    if (layer->pose->joint_count != job->skeleton->joint_count)
        return fail_layer(out_error, MRW_ERR_JOINT_COUNT, index, "pose.joint_count");
    if (layer->pose->scalar_count != job->skeleton->scalar_count)
        return fail_layer(out_error, MRW_ERR_SCALAR_COUNT, index, "pose.scalar_count");
    if (!mrwi_is_finite(layer->weight))
        return fail_layer(out_error, MRW_ERR_NOT_FINITE, index, "weight");
    if (layer->weight < 0.0f)
        return fail_layer(out_error, MRW_ERR_INVALID_ARGUMENT, index, "weight");
    return MRW_OK;
}

mrw_status mrw_blend_check(const mrw_blend_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (job->skeleton == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "skeleton");
    if (job->layers == NULL && job->layer_count > 0)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "layers");
    if (job->out_pose == NULL || !mrwi_pose_has_memory(job->out_pose))
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_pose");
    if (job->out_pose->joint_count != job->skeleton->joint_count)
        return mrwi_fail_at(out_error, MRW_ERR_JOINT_COUNT, 0, "out_pose.joint_count");
    if (job->out_pose->scalar_count != job->skeleton->scalar_count)
        return mrwi_fail_at(out_error, MRW_ERR_SCALAR_COUNT, 0, "out_pose.scalar_count");
    for (uint32_t i = 0; i < job->layer_count; i++) {
        mrw_status status = check_layer(job, i, out_error);
        if (status != MRW_OK)
            return status;
    }
    return MRW_OK;
}

/* --- the mean ---------------------------------------------------------------------------- */

/* The layers with weight: how many, which comes first, and the sum of their weights. In double, the
 * sum of any number of finite floats is finite. */
typedef struct weighted_layers {
    uint32_t count;
    uint32_t first;
    double weight_sum;
} weighted_layers;

static weighted_layers find_weighted(const mrw_blend_job *job)
{
    weighted_layers found = {0, 0, 0.0};
    for (uint32_t i = 0; i < job->layer_count; i++) {
        if (!(job->layers[i].weight > 0.0f))
            continue;
        if (found.count == 0)
            found.first = i;
        found.count++;
        found.weight_sum += (double)job->layers[i].weight;
    }
    return found;
}

static float share_of(const mrw_blend_layer *layer, double weight_sum)
{
    return (float)((double)layer->weight / weight_sum);
}

static void add_stream(float *sum, const float *stream, float share)
{
    for (uint32_t lane = 0; lane < MRW_POSE_LANES; lane++)
        sum[lane] += stream[lane] * share;
}

static mrw_quat load_rotation(const mrw_pose_block *block, uint32_t lane)
{
    return (mrw_quat){block->rotation[0][lane], block->rotation[1][lane], block->rotation[2][lane],
                      block->rotation[3][lane]};
}

static void add_rotations(mrw_pose_block *sum, const mrw_pose_block *block,
                          const mrw_pose_block *reference, float share)
{
    for (uint32_t lane = 0; lane < MRW_POSE_LANES; lane++) {
        float dot = mrw_quat_dot(load_rotation(block, lane), load_rotation(reference, lane));
        float signed_share = dot < 0.0f ? -share : share;
        for (uint32_t i = 0; i < 4; i++)
            sum->rotation[i][lane] += block->rotation[i][lane] * signed_share;
    }
}

static void normalize_rotations(mrw_pose_block *block)
{
    for (uint32_t lane = 0; lane < MRW_POSE_LANES; lane++) {
        mrw_quat unit = mrw_quat_normalize(load_rotation(block, lane));
        block->rotation[0][lane] = unit.x;
        block->rotation[1][lane] = unit.y;
        block->rotation[2][lane] = unit.z;
        block->rotation[3][lane] = unit.w;
    }
}

static void blend_block(const mrw_blend_job *job, const weighted_layers *weighted, uint32_t b)
{
    mrw_pose_block sum;
    memset(&sum, 0, sizeof(sum));
    const mrw_pose_block *reference = &job->layers[weighted->first].pose->blocks[b];
    for (uint32_t i = weighted->first; i < job->layer_count; i++) {
        const mrw_blend_layer *layer = &job->layers[i];
        if (!(layer->weight > 0.0f))
            continue;
        float share = share_of(layer, weighted->weight_sum);
        const mrw_pose_block *block = &layer->pose->blocks[b];
        for (uint32_t axis = 0; axis < 3; axis++) {
            add_stream(sum.translation[axis], block->translation[axis], share);
            add_stream(sum.scale[axis], block->scale[axis], share);
        }
        add_rotations(&sum, block, reference, share);
    }
    normalize_rotations(&sum);
    job->out_pose->blocks[b] = sum;
}

static float blend_scalar(const mrw_blend_job *job, const weighted_layers *weighted,
                          uint32_t scalar)
{
    float sum = 0.0f;
    for (uint32_t i = weighted->first; i < job->layer_count; i++) {
        const mrw_blend_layer *layer = &job->layers[i];
        if (layer->weight > 0.0f)
            sum += layer->pose->scalars[scalar] * share_of(layer, weighted->weight_sum);
    }
    return sum;
}

mrw_status mrw_blend(const mrw_blend_job *job)
{
    mrw_status status = mrw_blend_check(job, NULL);
    if (status != MRW_OK)
        return status;
    weighted_layers weighted = find_weighted(job);
    if (weighted.count == 0)
        return mrw_skeleton_rest_pose(job->skeleton, job->out_pose);
    if (weighted.count == 1)
        return mrw_pose_copy(job->layers[weighted.first].pose, job->out_pose);

    uint32_t block_count = mrwi_block_count(job->skeleton->joint_count);
    for (uint32_t b = 0; b < block_count; b++)
        blend_block(job, &weighted, b);
    /* Shares that sum to 1 only nearly would make the padding's scale 1 only nearly. */
    mrwi_block_pad(job->out_pose->blocks, job->skeleton->joint_count);
    for (uint32_t i = 0; i < job->skeleton->scalar_count; i++)
        job->out_pose->scalars[i] = blend_scalar(job, &weighted, i);
    return MRW_OK;
}
