/* Influences as the kernel takes them: uint16_t and float, of one vertex after the other. Where a
 * job has them so, they are used where they stand; from other formats and strides a block of
 * vertices is copied here.
 *
 *     8-bit or strided ──▶ without gaps ──▶ uint16_t, float ──▶ the kernel
 *     packed uint16_t and float ───────────────────────────────▶
 */
#include "skin/skin_influences.h"

/* So many influences at a time. */
enum { INFLUENCES_MAX = 512 };

/* What a block's influences are copied to. Of the last vertex's weights four floats are read,
 * however many it has: hence the three more. */
typedef struct influences_copy {
    _Alignas(32) union {
        uint8_t uint8[INFLUENCES_MAX];
        uint16_t uint16[INFLUENCES_MAX];
    } joint_rows;
    _Alignas(32) union {
        uint8_t unorm8[INFLUENCES_MAX];
        uint16_t unorm16[INFLUENCES_MAX];
        float floats[INFLUENCES_MAX + 3];
    } weight_rows;
    _Alignas(32) uint16_t joints[INFLUENCES_MAX];
    _Alignas(32) float weights[INFLUENCES_MAX + 3];
} influences_copy;

MRWI_INLINE void influences_copy_rows(const char *from, size_t step, size_t size, uint32_t count,
                                      void *out)
{
    for (uint32_t i = 0; i < count; i++)
        memcpy((char *)out + i * size, from + i * step, size);
}

/* `count` rows of `size` bytes that are `step` bytes apart, without what is between them: copied,
 * or, where nothing is, where they are. */
static const void *influences_rows(const void *from, size_t step, size_t size, uint32_t count,
                                   void *space)
{
    if (step == size)
        return from;
    if (size == 4) /* constants, so that a row is a load and a store and no call */
        influences_copy_rows(from, step, 4, count, space);
    else if (size == 8)
        influences_copy_rows(from, step, 8, count, space);
    else if (size == 16)
        influences_copy_rows(from, step, 16, count, space);
    else
        influences_copy_rows(from, step, size, count, space);
    return space;
}

/* Of the vertices [first, first + count). */
static const uint16_t *influences_joints(const mrw_skin_job *job, uint32_t first, uint32_t count,
                                         influences_copy *copy)
{
    size_t step = mrwi_joint_step(job);
    size_t size = job->influence_count * mrwi_joint_size(job->joint_format);
    const void *rows = influences_rows((const char *)job->joints + step * first, step, size, count,
                                       &copy->joint_rows);
    if (job->joint_format == MRW_JOINT_UINT16)
        return rows;
    const uint8_t *uint8 = rows;
    uint32_t number = count * job->influence_count;
    for (uint32_t i = 0; i < number; i++)
        copy->joints[i] = uint8[i];
    return copy->joints;
}

static const float *influences_weights(const mrw_skin_job *job, uint32_t first, uint32_t count,
                                       influences_copy *copy)
{
    size_t step = mrwi_weight_step(job);
    size_t size = job->influence_count * mrwi_weight_size(job->weight_format);
    const void *rows = influences_rows((const char *)job->weights + step * first, step, size, count,
                                       &copy->weight_rows);
    if (job->weight_format == MRW_WEIGHT_FLOAT)
        return rows;
    const uint8_t *unorm8 = rows;
    const uint16_t *unorm16 = rows;
    uint32_t number = count * job->influence_count;
    if (job->weight_format == MRW_WEIGHT_UNORM8)
        for (uint32_t i = 0; i < number; i++)
            copy->weights[i] = mrwi_weight_from_unorm8(unorm8[i]);
    else
        for (uint32_t i = 0; i < number; i++)
            copy->weights[i] = mrwi_weight_from_unorm16(unorm16[i]);
    return copy->weights;
}
