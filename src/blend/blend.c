/* The weighted mean of poses, and differences on top of it.
 *
 * Weights are relative: 2 and 6 mean a quarter and three quarters. Layers without weight are passed
 * over altogether, so what they hold (a rotation on the other hemisphere, even a NaN) cannot leak
 * in, and a single layer with weight is copied, not averaged: that is what makes both ends of a
 * crossfade exact. With masks the same holds joint by joint.
 *
 * Rotations are averaged as vectors. q and -q are one rotation but opposite vectors, so each is
 * first put on the side of the first layer that has weight; the sum then has a component of at
 * least that layer's weight along that layer's rotation, and its length is not zero. All layers
 * refer to the same one, so the result does not depend on how the sum was grouped. Normalised
 * linear interpolation is not constant in speed as slerp is, but it extends to any number of layers
 * and its path is the same arc.
 *
 * The rest pose, where it fills what is missing to the threshold, is one more layer behind the
 * others.
 *
 * Here are the checks, what is worked out once for a pose, and the scalars; joints are the kernel's
 * (blend_kernel.inl). A block or scalar is read from all layers before it is written, so the result
 * may lie in one of them.
 */
#include <marrow/blend.h>

#include "base/error.h"
#include "base/finite.h"
#include "blend/blend_input.h"
#include "pose/pose_block.h"
#include "simd/kernels.h"

#include <float.h>
#include <string.h>

/* --- the job, of either version ---------------------------------------------------------- */

#define FIRST_JOB_SIZE offsetof(mrw_blend_job, rest_threshold)
#define FIRST_LAYER_SIZE offsetof(mrw_blend_layer, joint_weights)

static bool is_first_version(const mrw_blend_job *job)
{
    return job->struct_size < sizeof(*job);
}

static mrwi_blend_layers layers_of(const mrw_blend_job *job)
{
    bool is_first = is_first_version(job);
    return (mrwi_blend_layers){(const unsigned char *)job->layers,
                               is_first ? FIRST_LAYER_SIZE : sizeof(mrw_blend_layer),
                               job->layer_count, !is_first};
}

static mrwi_blend_layers additive_layers_of(const mrw_blend_job *job)
{
    if (is_first_version(job))
        return (mrwi_blend_layers){NULL, 0, 0, false};
    return (mrwi_blend_layers){(const unsigned char *)job->additive_layers, sizeof(mrw_blend_layer),
                               job->additive_layer_count, true};
}

/* --- check ------------------------------------------------------------------------------- */

/* Whose field: layers[3] of the job. */
typedef struct place {
    const char *list;
    uint32_t index;
} place;

static mrw_status fail_layer(mrw_error *out_error, mrw_status status, place at, const char *field,
                             const char *message)
{
    return mrwi_fail(out_error, status, "%s[%u].%s", "%s", at.list, at.index, field, message);
}

static mrw_status check_weight(float weight, place at, mrw_error *out_error)
{
    if (!mrwi_is_finite(weight))
        return fail_layer(out_error, MRW_ERR_NOT_FINITE, at, "weight",
                          mrw_status_text(MRW_ERR_NOT_FINITE));
    if (weight < 0.0f)
        return fail_layer(out_error, MRW_ERR_INVALID_ARGUMENT, at, "weight",
                          "a weight is at least 0");
    return MRW_OK;
}

/* No branch in the loop, so that compilers make vectors of it: it runs with every blend. */
static bool are_parts(const float *weights, uint32_t count)
{
    uint32_t outside = 0;
    for (uint32_t i = 0; i < count; i++)
        outside |= !(weights[i] >= 0.0f) | !(weights[i] <= 1.0f);
    return outside == 0;
}

static mrw_status check_parts(const float *weights, uint32_t count, place at, const char *field,
                              mrw_error *out_error)
{
    if (weights == NULL || are_parts(weights, count))
        return MRW_OK;
    uint32_t i = 0;
    while (weights[i] >= 0.0f && weights[i] <= 1.0f)
        i++;
    bool is_number = mrwi_is_finite(weights[i]);
    mrw_status status = is_number ? MRW_ERR_INVALID_ARGUMENT : MRW_ERR_NOT_FINITE;
    return mrwi_fail(out_error, status, "%s[%u].%s[%u]", "%s", at.list, at.index, field, i,
                     is_number ? "outside 0 to 1" : mrw_status_text(status));
}

static mrw_status check_layer(const mrw_blend_job *job, const mrwi_blend_layers *layers, place at,
                              mrw_error *out_error)
{
    const mrw_pose *pose = mrwi_blend_pose(layers, at.index);
    mrw_status status = MRW_OK;
    const char *field = NULL;
    if (pose == NULL || !mrwi_pose_has_memory(pose)) {
        status = MRW_ERR_NULL_ARGUMENT;
        field = "pose";
    } else if (pose->joint_count != job->skeleton->joint_count) {
        status = MRW_ERR_JOINT_COUNT;
        field = "pose.joint_count";
    } else if (pose->scalar_count != job->skeleton->scalar_count) {
        status = MRW_ERR_SCALAR_COUNT;
        field = "pose.scalar_count";
    }
    if (status != MRW_OK)
        return fail_layer(out_error, status, at, field, mrw_status_text(status));
    status = check_weight(mrwi_blend_weight(layers, at.index), at, out_error);
    if (status == MRW_OK)
        status = check_parts(mrwi_blend_joint_weights(layers, at.index), pose->joint_count, at,
                             "joint_weights", out_error);
    if (status == MRW_OK)
        status = check_parts(mrwi_blend_scalar_weights(layers, at.index), pose->scalar_count, at,
                             "scalar_weights", out_error);
    return status;
}

static mrw_status check_layers(const mrw_blend_job *job, const mrwi_blend_layers *layers,
                               const char *list, mrw_error *out_error)
{
    if (layers->bytes == NULL && layers->count > 0)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, list);
    for (uint32_t i = 0; i < layers->count; i++) {
        mrw_status status = check_layer(job, layers, (place){list, i}, out_error);
        if (status != MRW_OK)
            return status;
    }
    return MRW_OK;
}

static mrw_status check_threshold(const mrw_blend_job *job, mrw_error *out_error)
{
    if (is_first_version(job))
        return MRW_OK;
    if (!mrwi_is_finite(job->rest_threshold))
        return mrwi_fail_at(out_error, MRW_ERR_NOT_FINITE, 0, "rest_threshold");
    if (job->rest_threshold < 0.0f)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "rest_threshold",
                         "a threshold is at least 0");
    return MRW_OK;
}

mrw_status mrw_blend_check(const mrw_blend_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job) && job->struct_size != FIRST_JOB_SIZE)
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (job->skeleton == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "skeleton");
    if (job->out_pose == NULL || !mrwi_pose_has_memory(job->out_pose))
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_pose");
    if (job->out_pose->joint_count != job->skeleton->joint_count)
        return mrwi_fail_at(out_error, MRW_ERR_JOINT_COUNT, 0, "out_pose.joint_count");
    if (job->out_pose->scalar_count != job->skeleton->scalar_count)
        return mrwi_fail_at(out_error, MRW_ERR_SCALAR_COUNT, 0, "out_pose.scalar_count");
    mrwi_blend_layers layers = layers_of(job);
    mrw_status status = check_layers(job, &layers, "layers", out_error);
    if (status == MRW_OK)
        status = check_threshold(job, out_error);
    mrwi_blend_layers additive = additive_layers_of(job);
    if (status == MRW_OK)
        status = check_layers(job, &additive, "additive_layers", out_error);
    return status;
}

/* --- once for a pose --------------------------------------------------------------------- */

static bool is_any_masked(const mrwi_blend_layers *layers)
{
    for (uint32_t i = 0; i < layers->count; i++)
        if (mrwi_blend_weight(layers, i) > 0.0f && mrwi_blend_joint_weights(layers, i) != NULL)
            return true;
    return false;
}

/* What the rest pose gets where layers have `sum`: what is missing to the threshold, and 1 where
 * there is nothing else. The kernel's blend_rest_weight is the same. */
static double rest_weight(double sum, double threshold)
{
    double missing = sum < threshold ? threshold - sum : 0.0;
    return sum + missing == 0.0 ? 1.0 : missing;
}

/* In double, the sum of any number of finite floats is finite. */
static void weigh_layers(mrwi_blend_input *input)
{
    const mrwi_blend_layers *layers = &input->layers;
    uint32_t weighted_count = 0;
    uint32_t last = 0;
    double sum = 0.0;
    for (uint32_t i = 0; i < layers->count; i++) {
        float weight = mrwi_blend_weight(layers, i);
        if (!(weight > 0.0f))
            continue;
        if (weighted_count++ == 0)
            input->first = i;
        last = i;
        sum += (double)weight;
    }
    double rest = rest_weight(sum, input->threshold);
    input->weight_sum = sum + rest;
    input->rest_share = rest > 0.0 ? (float)(rest / input->weight_sum) : 0.0f;
    for (uint32_t i = 0; i < layers->count && i < MRWI_BLEND_SHARES; i++)
        input->shares[i] = (float)((double)mrwi_blend_weight(layers, i) / input->weight_sum);
    if (weighted_count == 2 && !(input->rest_share > 0.0f) && !input->is_masked &&
        input->additive.count == 0)
        input->second = last;
    if (weighted_count == 0) {
        input->single_blocks = input->rest_blocks;
        input->single_scalars = input->rest_scalars;
    } else if (weighted_count == 1 && !(input->rest_share > 0.0f)) {
        const mrw_pose *pose = mrwi_blend_pose(layers, input->first);
        input->single_blocks = input->is_masked ? NULL : pose->blocks;
        input->single_scalars = pose->scalars;
    }
}

static void prepare(const mrw_blend_job *job, mrwi_blend_input *input)
{
    input->layers = layers_of(job);
    input->additive = additive_layers_of(job);
    input->rest_blocks = job->skeleton->rest_blocks;
    input->rest_scalars = job->skeleton->rest_scalars;
    input->joint_count = job->skeleton->joint_count;
    input->first = input->second = 0;
    input->is_masked = is_any_masked(&input->layers);
    input->single_blocks = NULL;
    input->single_scalars = NULL;
    input->threshold = is_first_version(job) ? 0.0 : (double)job->rest_threshold;
    input->out_blocks = job->out_pose->blocks;
    weigh_layers(input);
}

/* --- scalars ----------------------------------------------------------------------------- */

/* A layer's weight of one scalar. */
static double weigh_scalar(const mrwi_blend_layers *layers, uint32_t layer, uint32_t scalar)
{
    float weight = mrwi_blend_weight(layers, layer);
    const float *parts = mrwi_blend_scalar_weights(layers, layer);
    return weight > 0.0f ? (double)weight * (parts == NULL ? 1.0 : (double)parts[scalar]) : 0.0;
}

/* As the kernel's mean of a joint: the first with weight alone as it is, else a sum of shares. */
static float blend_scalar(const mrwi_blend_input *input, float rest, uint32_t scalar)
{
    const mrwi_blend_layers *layers = &input->layers;
    double weight_sum = 0.0;
    for (uint32_t i = input->first; i < layers->count; i++)
        weight_sum += weigh_scalar(layers, i, scalar);
    double of_rest = rest_weight(weight_sum, input->threshold);
    weight_sum += of_rest;

    uint32_t count = 0;
    float first = 0.0f, sum = 0.0f;
    for (uint32_t i = input->first; i < layers->count; i++) {
        double weight = weigh_scalar(layers, i, scalar);
        if (!(weight > 0.0))
            continue;
        float value = mrwi_blend_pose(layers, i)->scalars[scalar];
        first = count++ == 0 ? value : first;
        sum += value * (float)(weight / weight_sum);
    }
    float rest_share = (float)(of_rest / weight_sum);
    if (rest_share > 0.0f) {
        first = count++ == 0 ? rest : first;
        sum += rest * rest_share;
    }
    return count == 1 ? first : sum;
}

/* The same without scalar_weights: shares are those of the joints. */
static void mean_of_scalars(const mrw_blend_job *job, const mrwi_blend_input *input, uint32_t first,
                            uint32_t count, float *out_means)
{
    const mrwi_blend_layers *layers = &input->layers;
    memset(out_means, 0, count * sizeof(float));
    for (uint32_t i = input->first; i < layers->count; i++) {
        if (!(mrwi_blend_weight(layers, i) > 0.0f))
            continue;
        const float *scalars = mrwi_blend_pose(layers, i)->scalars + first;
        float share = mrwi_blend_share(input, i);
        for (uint32_t k = 0; k < count; k++)
            out_means[k] += scalars[k] * share;
    }
    const float *rest = job->skeleton->rest_scalars + first;
    for (uint32_t k = 0; k < count && input->rest_share > 0.0f; k++)
        out_means[k] += rest[k] * input->rest_share;
}

static float add_scalars(const mrwi_blend_layers *layers, float sum, uint32_t scalar)
{
    for (uint32_t i = 0; i < layers->count; i++) {
        double weight = weigh_scalar(layers, i, scalar);
        if (weight > 0.0)
            sum += (float)weight * mrwi_blend_pose(layers, i)->scalars[scalar];
    }
    return sum;
}

static bool has_scalar_weights(const mrwi_blend_layers *layers)
{
    for (uint32_t i = 0; i < layers->count; i++)
        if (mrwi_blend_weight(layers, i) > 0.0f && mrwi_blend_scalar_weights(layers, i) != NULL)
            return true;
    return false;
}

/* A few at a time: each layer's stand side by side, and the result may be one of the layers. */
static void blend_scalars(const mrw_blend_job *job, const mrwi_blend_input *input)
{
    enum { CHUNK = 64 };
    float means[CHUNK];
    uint32_t scalar_count = job->skeleton->scalar_count;
    bool is_masked = has_scalar_weights(&input->layers);
    for (uint32_t first = 0; first < scalar_count; first += CHUNK) {
        uint32_t count = scalar_count - first < CHUNK ? scalar_count - first : CHUNK;
        if (is_masked)
            for (uint32_t k = 0; k < count; k++)
                means[k] = blend_scalar(input, job->skeleton->rest_scalars[first + k], first + k);
        else if (input->single_scalars != NULL)
            memcpy(means, input->single_scalars + first, count * sizeof(float));
        else
            mean_of_scalars(job, input, first, count, means);
        for (uint32_t k = 0; k < count && input->additive.count > 0; k++)
            means[k] = add_scalars(&input->additive, means[k], first + k);
        memcpy(job->out_pose->scalars + first, means, count * sizeof(float));
    }
}

mrw_status mrw_blend(const mrw_blend_job *job)
{
    mrw_status status = mrw_blend_check(job, NULL);
    if (status != MRW_OK)
        return status;
    mrwi_blend_input input;
    prepare(job, &input);
    mrwi_kernels_active()->blend(&input, 0, mrwi_block_count(input.joint_count));
    blend_scalars(job, &input);
    return MRW_OK;
}

/* --- differences ------------------------------------------------------------------------- */

mrw_status mrw_pose_make_additive(const mrw_pose *pose, const mrw_pose *reference,
                                  mrw_pose *out_pose)
{
    if (pose == NULL || reference == NULL || out_pose == NULL || !mrwi_pose_has_memory(pose) ||
        !mrwi_pose_has_memory(reference) || !mrwi_pose_has_memory(out_pose))
        return MRW_ERR_NULL_ARGUMENT;
    if (reference->joint_count != pose->joint_count || out_pose->joint_count != pose->joint_count)
        return MRW_ERR_JOINT_COUNT;
    if (reference->scalar_count != pose->scalar_count ||
        out_pose->scalar_count != pose->scalar_count)
        return MRW_ERR_SCALAR_COUNT;
    mrwi_kernels_active()->blend_subtract(pose->blocks, reference->blocks, pose->joint_count,
                                          out_pose->blocks);
    for (uint32_t i = 0; i < pose->scalar_count; i++)
        out_pose->scalars[i] = pose->scalars[i] - reference->scalars[i];
    return MRW_OK;
}
