/* Morph targets: the base mesh plus weighted differences.
 *
 * A face has a hundred targets of which a few are on: those are read once each, the others not at
 * all. That is done for some hundred vertices at a time, so that the sums stay in the cache. The
 * sum of a vertex does not depend on it: ((base + w0 * d0) + w1 * d1) + ...
 */
#include <marrow/skin.h>

#include "base/error.h"
#include "base/finite.h"
#include "simd/kernels.h"
#include "skin/stream.h"

mrw_status mrw_morph_check(const mrw_morph_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (job->target_count > 0 && job->targets == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "targets");
    if (job->target_count > 0 && job->weights == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "weights");
    for (uint32_t i = 0; i < job->target_count; i++)
        if (!mrwi_is_finite(job->weights[i]))
            return mrwi_fail(out_error, MRW_ERR_NOT_FINITE, "weights[%u]", "%s", i,
                             mrw_status_text(MRW_ERR_NOT_FINITE));
    if (job->vertex_count == 0)
        return MRW_OK;
    mrwi_vertex_streams streams = {job->positions,     job->normals,     job->tangents,
                                   job->out_positions, job->out_normals, job->out_tangents};
    return mrwi_check_streams(&streams, out_error);
}

static void copy_stream(mrw_stream in, mrw_out_stream out, size_t width, uint32_t first,
                        uint32_t end)
{
    size_t step = mrwi_stream_step(in.stride_bytes, width);
    size_t out_step = mrwi_stream_step(out.stride_bytes, width);
    if (in.data == out.data && step == out_step)
        return;
    for (uint32_t v = first; v < end; v++) {
        const float *from = in.data + step * v;
        float *to = out.data + out_step * v;
        for (size_t i = 0; i < width; i++)
            to[i] = from[i];
    }
}

/* Adds weight * differences to the first three floats of each vertex. */
static void add_target(mrw_out_stream out, size_t width, const float *differences, float weight,
                       uint32_t first, uint32_t end)
{
    if (out.data == NULL || differences == NULL)
        return;
    mrwi_kernels_active()->morph_add(mrwi_out_stream_at(out, width, first),
                                     mrwi_stream_step(out.stride_bytes, width),
                                     differences + (size_t)first * 3, weight, end - first);
}

static void morph_range(const mrw_morph_job *job, uint32_t first, uint32_t end)
{
    copy_stream(job->positions, job->out_positions, 3, first, end);
    if (job->normals.data != NULL)
        copy_stream(job->normals, job->out_normals, 3, first, end);
    if (job->tangents.data != NULL)
        copy_stream(job->tangents, job->out_tangents, 4, first, end);
    for (uint32_t i = 0; i < job->target_count; i++) {
        float weight = job->weights[i];
        if (weight == 0.0f)
            continue;
        const mrw_morph_target *target = &job->targets[i];
        add_target(job->out_positions, 3, target->positions, weight, first, end);
        add_target(job->out_normals, 3, target->normals, weight, first, end);
        add_target(job->out_tangents, 4, target->tangents, weight, first, end);
    }
}

/* Vertices at a time: with all attributes 10 KiB of sums. */
enum { MORPH_RANGE = 256 };

mrw_status mrw_morph(const mrw_morph_job *job)
{
    mrw_status status = mrw_morph_check(job, NULL);
    if (status != MRW_OK)
        return status;
    uint32_t count = job->vertex_count;
    for (uint32_t first = 0; first < count; first += MORPH_RANGE) {
        uint32_t left = count - first;
        morph_range(job, first, first + (left < MORPH_RANGE ? left : MORPH_RANGE));
        if (left <= MORPH_RANGE)
            break; /* before `first` can overflow */
    }
    return MRW_OK;
}
