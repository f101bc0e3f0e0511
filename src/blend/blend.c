/* The weighted mean of poses, and differences on top of it.
 *
 * Weights are relative: 2 and 6 mean a quarter and three quarters. Layers without weight are passed
 * over altogether, so what they hold (a rotation on the other hemisphere, even a NaN) cannot leak
 * in, and a single layer with weight has a share of exactly 1: that is what makes both ends of a
 * crossfade exact. With masks the same holds joint by joint.
 *
 * Shares are worked out in floats, so that a kernel can do it for eight joints at once: a job's
 * weights are first multiplied by a power of two, which rounds nothing and keeps their sums and
 * products away from where floats end. Masks of 1 so give the bits of no masks.
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
    if (are_parts(weights, count))
        return MRW_OK;
    uint32_t i = 0;
    while (weights[i] >= 0.0f && weights[i] <= 1.0f)
        i++;
    bool is_number = mrwi_is_finite(weights[i]);
    mrw_status status = is_number ? MRW_ERR_INVALID_ARGUMENT : MRW_ERR_NOT_FINITE;
    return mrwi_fail(out_error, status, "%s[%u].%s[%u]", "%s", at.list, at.index, field, i,
                     is_number ? "outside 0 to 1" : mrw_status_text(status));
}

static mrw_status check_layer(const mrw_blend_job *job, const mrw_blend_layer *layer, place at,
                              mrw_error *out_error)
{
    const mrw_pose *pose = layer->pose;
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
    status = check_weight(layer->weight, at, out_error);
    if (status == MRW_OK && layer->joint_weights != NULL)
        status =
            check_parts(layer->joint_weights, pose->joint_count, at, "joint_weights", out_error);
    if (status == MRW_OK && layer->scalar_weights != NULL)
        status =
            check_parts(layer->scalar_weights, pose->scalar_count, at, "scalar_weights", out_error);
    return status;
}

static mrw_status check_layers(const mrw_blend_job *job, const mrw_blend_layer *layers,
                               uint32_t layer_count, const char *list, mrw_error *out_error)
{
    if (layers == NULL && layer_count > 0)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, list);
    for (uint32_t i = 0; i < layer_count; i++) {
        mrw_status status = check_layer(job, &layers[i], (place){list, i}, out_error);
        if (status != MRW_OK)
            return status;
    }
    return MRW_OK;
}

mrw_status mrwi_blend_check_threshold(float rest_threshold, mrw_error *out_error)
{
    if (!mrwi_is_finite(rest_threshold))
        return mrwi_fail_at(out_error, MRW_ERR_NOT_FINITE, 0, "rest_threshold");
    if (rest_threshold < 0.0f)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "rest_threshold",
                         "a threshold is at least 0");
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
    if (job->out_pose == NULL || !mrwi_pose_has_memory(job->out_pose))
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_pose");
    if (job->out_pose->joint_count != job->skeleton->joint_count)
        return mrwi_fail_at(out_error, MRW_ERR_JOINT_COUNT, 0, "out_pose.joint_count");
    if (job->out_pose->scalar_count != job->skeleton->scalar_count)
        return mrwi_fail_at(out_error, MRW_ERR_SCALAR_COUNT, 0, "out_pose.scalar_count");
    mrw_status status = check_layers(job, job->layers, job->layer_count, "layers", out_error);
    if (status == MRW_OK)
        status = mrwi_blend_check_threshold(job->rest_threshold, out_error);
    if (status == MRW_OK)
        status = check_layers(job, job->additive_layers, job->additive_layer_count,
                              "additive_layers", out_error);
    return status;
}

/* --- weights ----------------------------------------------------------------------------- */

/* 2^-e where `largest` is 1 to 2 times 2^e. As doubles, all floats but 0 have an exponent. */
static double scale_for(float largest)
{
    if (largest == 0.0f)
        return 1.0;
    double wide = (double)largest;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof(bits));
    uint64_t exponent = bits >> 52;
    bits = (2 * 1023 - exponent) << 52;
    memcpy(&wide, &bits, sizeof(wide));
    return wide;
}

static float larger(float a, float b)
{
    return a < b ? b : a;
}

static float scaled(float weight, double scale)
{
    float product = (float)((double)weight * scale);
    return product >= MRWI_BLEND_LEAST ? product : 0.0f;
}

/* What the rest pose gets where layers have `sum`: what is missing to the threshold, and all where
 * there is nothing else. The kernel's blend_weigh_rest is the same. */
static float rest_weight(float sum, float threshold)
{
    if (sum > 0.0f)
        return sum < threshold ? threshold - sum : 0.0f;
    return threshold > 0.0f ? threshold : 1.0f;
}

float mrwi_blend_shares(const float *weights, uint32_t count, float rest_threshold,
                        float *out_shares)
{
    float largest = rest_threshold;
    for (uint32_t i = 0; i < count; i++)
        largest = larger(largest, weights[i]);
    double scale = scale_for(largest);
    float sum = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        out_shares[i] = scaled(weights[i], scale);
        sum += out_shares[i];
    }
    float rest = rest_weight(sum, scaled(rest_threshold, scale));
    sum += rest;
    for (uint32_t i = 0; i < count; i++)
        out_shares[i] /= sum;
    return rest / sum;
}

/* --- once for a pose --------------------------------------------------------------------- */

static mrwi_blend_entry entry_of(const mrw_blend_layer *layer, float weight)
{
    return (mrwi_blend_entry){layer->pose->blocks,
                              layer->pose->scalars,
                              layer->joint_weights,
                              layer->scalar_weights,
                              weight,
                              0.0f};
}

/* The layers that have weight; shares are found when all weight is known. */
static void list_layers(mrwi_blend_list *list, const mrw_blend_layer *layers, uint32_t count,
                        double scale)
{
    float sum = 0.0f;
    uint32_t listed_count = 0, beyond = count;
    list->has_joint_weights = list->has_scalar_weights = false;
    for (uint32_t i = 0; i < count; i++) {
        float weight = scaled(layers[i].weight, scale);
        if (!(weight > 0.0f))
            continue;
        sum += weight;
        if (layers[i].joint_weights != NULL)
            list->has_joint_weights = true;
        if (layers[i].scalar_weights != NULL)
            list->has_scalar_weights = true;
        if (listed_count == MRWI_BLEND_LISTED)
            continue;
        list->listed[listed_count++] = entry_of(&layers[i], weight);
        if (listed_count == MRWI_BLEND_LISTED)
            beyond = i + 1;
    }
    list->layers = layers;
    list->scale = scale;
    list->weight_sum = sum;
    list->beyond = beyond;
    list->listed_count = listed_count;
    list->count = listed_count + (count - beyond);
}

mrwi_blend_entry mrwi_blend_entry_beyond(const mrwi_blend_list *list, uint32_t i)
{
    const mrw_blend_layer *layer = &list->layers[list->beyond + (i - MRWI_BLEND_LISTED)];
    float weight = scaled(layer->weight, list->scale);
    mrwi_blend_entry entry = entry_of(layer, weight);
    entry.share = weight / list->weight_sum;
    if (!(weight > 0.0f))
        entry.blocks = NULL;
    return entry;
}

/* The rest pose, alone or in addition. */
static void share_weight(mrwi_blend_input *input, const mrw_skeleton *skeleton)
{
    mrwi_blend_list *list = &input->layers;
    mrwi_blend_entry *rest = &input->rest;
    float weight = rest_weight(list->weight_sum, input->threshold);
    list->weight_sum += weight;
    *rest = (mrwi_blend_entry){skeleton->rest_blocks,    skeleton->rest_scalars, NULL, NULL, weight,
                               weight / list->weight_sum};
    for (uint32_t i = 0; i < list->listed_count; i++)
        list->listed[i].share = list->listed[i].weight / list->weight_sum;
    if (list->listed_count > 0)
        return;
    list->listed[0] = *rest;
    list->count = list->listed_count = 1;
    rest->share = 0.0f;
}

static void prepare(const mrw_blend_job *job, mrwi_blend_input *input)
{
    float largest = job->rest_threshold;
    for (uint32_t i = 0; i < job->layer_count; i++)
        largest = larger(largest, job->layers[i].weight);
    double scale = scale_for(largest);
    list_layers(&input->layers, job->layers, job->layer_count, scale);
    list_layers(&input->additive, job->additive_layers, job->additive_layer_count, 1.0);
    input->threshold = scaled(job->rest_threshold, scale);
    input->rest_alone = rest_weight(0.0f, input->threshold);
    input->joint_count = job->skeleton->joint_count;
    input->out_blocks = job->out_pose->blocks;
    share_weight(input, job->skeleton);
}

/* --- scalars ----------------------------------------------------------------------------- */

/* A layer's weight of one scalar. */
static float weigh_scalar(const mrwi_blend_entry *entry, uint32_t scalar)
{
    if (entry->scalar_weights == NULL)
        return entry->weight;
    float product = entry->weight * entry->scalar_weights[scalar];
    return product >= MRWI_BLEND_LEAST ? product : 0.0f;
}

/* As the kernel's mean of a joint. */
static float blend_scalar(const mrwi_blend_input *input, uint32_t scalar)
{
    const mrwi_blend_list *layers = &input->layers;
    float weight_sum = 0.0f;
    for (uint32_t i = 0; i < layers->count; i++) {
        mrwi_blend_entry entry = mrwi_blend_entry_at(layers, i);
        weight_sum += weigh_scalar(&entry, scalar);
    }
    float of_rest = rest_weight(weight_sum, input->threshold);
    weight_sum += of_rest;
    float sum = -0.0f;
    for (uint32_t i = 0; i < layers->count; i++) {
        mrwi_blend_entry entry = mrwi_blend_entry_at(layers, i);
        float weight = weigh_scalar(&entry, scalar);
        if (weight > 0.0f)
            sum += entry.scalars[scalar] * (weight / weight_sum);
    }
    if (of_rest > 0.0f)
        sum += input->rest.scalars[scalar] * (of_rest / weight_sum);
    return sum;
}

static void add_shares(const mrwi_blend_entry *entry, uint32_t first, uint32_t count, float *sums)
{
    if (!(entry->share > 0.0f))
        return;
    for (uint32_t k = 0; k < count; k++)
        sums[k] += entry->scalars[first + k] * entry->share;
}

/* The same without scalar_weights: shares are those of the joints. */
static void mean_of_scalars(const mrwi_blend_input *input, uint32_t first, uint32_t count,
                            float *out_means)
{
    for (uint32_t k = 0; k < count; k++)
        out_means[k] = -0.0f;
    for (uint32_t i = 0; i < input->layers.count; i++) {
        mrwi_blend_entry entry = mrwi_blend_entry_at(&input->layers, i);
        add_shares(&entry, first, count, out_means);
    }
    add_shares(&input->rest, first, count, out_means);
}

static float add_scalars(const mrwi_blend_list *additive, float sum, uint32_t scalar)
{
    for (uint32_t i = 0; i < additive->count; i++) {
        mrwi_blend_entry entry = mrwi_blend_entry_at(additive, i);
        float weight = weigh_scalar(&entry, scalar);
        if (weight > 0.0f)
            sum += weight * entry.scalars[scalar];
    }
    return sum;
}

/* A few at a time: each layer's stand side by side, and the result may be one of the layers. */
static void blend_scalars(const mrwi_blend_input *input, uint32_t scalar_count, float *out_scalars)
{
    enum { CHUNK = 64 };
    float means[CHUNK];
    for (uint32_t first = 0; first < scalar_count; first += CHUNK) {
        uint32_t count = scalar_count - first < CHUNK ? scalar_count - first : CHUNK;
        if (input->layers.has_scalar_weights)
            for (uint32_t k = 0; k < count; k++)
                means[k] = blend_scalar(input, first + k);
        else
            mean_of_scalars(input, first, count, means);
        for (uint32_t k = 0; k < count && input->additive.count > 0; k++)
            means[k] = add_scalars(&input->additive, means[k], first + k);
        memcpy(out_scalars + first, means, count * sizeof(float));
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
    blend_scalars(&input, job->skeleton->scalar_count, job->out_pose->scalars);
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
