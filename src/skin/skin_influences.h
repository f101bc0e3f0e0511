/* The influences of vertices: joints and weights, in each of the formats that a job may have. */
#ifndef MRWI_SKIN_INFLUENCES_H
#define MRWI_SKIN_INFLUENCES_H

#include <marrow/skin.h>

static inline size_t mrwi_joint_size(mrw_joint_format format)
{
    return format == MRW_JOINT_UINT8 ? sizeof(uint8_t) : sizeof(uint16_t);
}

static inline size_t mrwi_weight_size(mrw_weight_format format)
{
    if (format == MRW_WEIGHT_UNORM8)
        return sizeof(uint8_t);
    return format == MRW_WEIGHT_UNORM16 ? sizeof(uint16_t) : sizeof(float);
}

/* w / 255 and w / 65535, each rounded once, without a division: the factor is the sum of a number
 * so short that w times it is exact, and of the rest. The rest is 2^-16 of it or less, so its
 * rounding is far below that of the sum. The unit test compares every w. */
static inline float mrwi_weight_from_unorm8(uint8_t w)
{
    return (float)w * 0x1.01p-8f + (float)w * 0x1.0101p-24f;
}

static inline float mrwi_weight_from_unorm16(uint16_t w)
{
    return (float)w * 0x1p-16f + (float)w * 0x1.0001p-32f;
}

/* The influences of one vertex, where they stand. */
typedef struct mrwi_influences {
    const void *joints;
    const void *weights;
    mrw_joint_format joint_format;
    mrw_weight_format weight_format;
    uint32_t count;
} mrwi_influences;

static inline uint32_t mrwi_influence_joint(const mrwi_influences *influences, uint32_t i)
{
    if (influences->joint_format == MRW_JOINT_UINT8)
        return ((const uint8_t *)influences->joints)[i];
    return ((const uint16_t *)influences->joints)[i];
}

static inline float mrwi_influence_weight(const mrwi_influences *influences, uint32_t i)
{
    if (influences->weight_format == MRW_WEIGHT_UNORM8)
        return mrwi_weight_from_unorm8(((const uint8_t *)influences->weights)[i]);
    if (influences->weight_format == MRW_WEIGHT_UNORM16)
        return mrwi_weight_from_unorm16(((const uint16_t *)influences->weights)[i]);
    return ((const float *)influences->weights)[i];
}

/* Bytes from a vertex to the next one. */
static inline size_t mrwi_joint_step(const mrw_skin_job *job)
{
    if (job->joint_stride_bytes != 0)
        return job->joint_stride_bytes;
    return job->influence_count * mrwi_joint_size(job->joint_format);
}

static inline size_t mrwi_weight_step(const mrw_skin_job *job)
{
    if (job->weight_stride_bytes != 0)
        return job->weight_stride_bytes;
    return job->influence_count * mrwi_weight_size(job->weight_format);
}

static inline mrwi_influences mrwi_influences_at(const mrw_skin_job *job, uint32_t vertex)
{
    return (mrwi_influences){(const char *)job->joints + mrwi_joint_step(job) * vertex,
                             (const char *)job->weights + mrwi_weight_step(job) * vertex,
                             job->joint_format, job->weight_format, job->influence_count};
}

/* What a job says about its influences, not the joints and weights themselves. Errors:
 * INVALID_ARGUMENT (a format, an alignment, a stride), NULL_ARGUMENT (joints, weights; not where
 * there are no vertices). */
mrw_status mrwi_check_influences(const mrw_skin_job *job, mrw_error *out_error);

#endif
