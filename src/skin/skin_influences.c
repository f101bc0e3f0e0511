#include "skin/skin_influences.h"

#include "base/error.h"
#include "base/finite.h"

/* One of the two arrays. */
typedef struct influence_array {
    const char *name, *stride_name;
    const void *data;
    size_t stride_bytes;
    size_t size; /* of a number, which is its alignment too */
} influence_array;

static mrw_status check_array(const influence_array *array, uint32_t influence_count,
                              mrw_error *out_error)
{
    if (array->data == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, array->name);
    if ((uintptr_t)array->data % array->size != 0)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, array->name,
                         "the address is no multiple of %z", (uint64_t)array->size);
    if (array->stride_bytes == 0)
        return MRW_OK;
    if (array->stride_bytes % array->size != 0 ||
        array->stride_bytes / array->size < influence_count)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, array->stride_name,
                         "%z is no multiple of %z of at least %z", (uint64_t)array->stride_bytes,
                         (uint64_t)array->size, (uint64_t)array->size * influence_count);
    return MRW_OK;
}

mrw_status mrwi_check_influences(const mrw_skin_job *job, mrw_error *out_error)
{
    if ((uint32_t)job->joint_format > MRW_JOINT_UINT8)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "joint_format",
                         "no mrw_joint_format: %u", (uint32_t)job->joint_format);
    if ((uint32_t)job->weight_format > MRW_WEIGHT_UNORM16)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "weight_format",
                         "no mrw_weight_format: %u", (uint32_t)job->weight_format);
    if (job->vertex_count == 0)
        return MRW_OK;
    influence_array joints = {"joints", "joint_stride_bytes", job->joints, job->joint_stride_bytes,
                              mrwi_joint_size(job->joint_format)};
    influence_array weights = {"weights", "weight_stride_bytes", job->weights,
                               job->weight_stride_bytes, mrwi_weight_size(job->weight_format)};
    mrw_status status = check_array(&joints, job->influence_count, out_error);
    return status == MRW_OK ? check_array(&weights, job->influence_count, out_error) : status;
}

static mrw_status check_vertex(const mrw_skin_job *job, uint32_t vertex, mrw_error *out_error)
{
    mrwi_influences influences = mrwi_influences_at(job, vertex);
    for (uint32_t i = 0; i < influences.count; i++) {
        uint32_t joint = mrwi_influence_joint(&influences, i);
        float weight = mrwi_influence_weight(&influences, i);
        if (joint >= job->palette_count)
            return mrwi_fail(out_error, MRW_ERR_JOINT_RANGE, "vertices[%u].joints[%u]",
                             "joint %u of %u", vertex, i, joint, job->palette_count);
        if (!mrwi_is_finite(weight))
            return mrwi_fail(out_error, MRW_ERR_NOT_FINITE, "vertices[%u].weights[%u]", "%s",
                             vertex, i, mrw_status_text(MRW_ERR_NOT_FINITE));
        if (weight < 0.0f)
            return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "vertices[%u].weights[%u]",
                             "a weight is negative", vertex, i);
    }
    return MRW_OK;
}

mrw_status mrw_skin_check_influences(const mrw_skin_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    mrw_status status = mrwi_check_influences(job, out_error);
    for (uint32_t v = 0; v < job->vertex_count && status == MRW_OK; v++)
        status = check_vertex(job, v, out_error);
    return status;
}
