/* Morph targets: the base mesh plus weighted differences.
 *
 * The loop over targets is the outer one. A face has a hundred targets of which a few are on: each
 * of those is read once from start to end, the others not at all. The sum of a
 * vertex is the same either way: ((base + w0 * d0) + w1 * d1) + ...
 */
#include <marrow/skin.h>

#include "base/error.h"
#include "base/finite.h"
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

static void copy_stream(mrw_stream in, mrw_out_stream out, size_t width, uint32_t vertex_count)
{
    for (uint32_t v = 0; v < vertex_count; v++) {
        const float *from = mrwi_stream_at(in, width, v);
        float *to = mrwi_out_stream_at(out, width, v);
        for (size_t i = 0; i < width; i++)
            to[i] = from[i];
    }
}

/* Adds weight * differences to the first three floats of each vertex. */
static void add_target(mrw_out_stream out, size_t width, const float *differences, float weight,
                       uint32_t vertex_count)
{
    if (out.data == NULL || differences == NULL)
        return;
    for (uint32_t v = 0; v < vertex_count; v++) {
        float *to = mrwi_out_stream_at(out, width, v);
        const float *difference = differences + (size_t)v * 3;
        for (int i = 0; i < 3; i++)
            to[i] += weight * difference[i];
    }
}

mrw_status mrw_morph(const mrw_morph_job *job)
{
    mrw_status status = mrw_morph_check(job, NULL);
    if (status != MRW_OK)
        return status;
    uint32_t count = job->vertex_count;
    if (count == 0)
        return MRW_OK;
    copy_stream(job->positions, job->out_positions, 3, count);
    if (job->normals.data != NULL)
        copy_stream(job->normals, job->out_normals, 3, count);
    if (job->tangents.data != NULL)
        copy_stream(job->tangents, job->out_tangents, 4, count);
    for (uint32_t i = 0; i < job->target_count; i++) {
        float weight = job->weights[i];
        if (weight == 0.0f)
            continue;
        add_target(job->out_positions, 3, job->targets[i].positions, weight, count);
        add_target(job->out_normals, 3, job->targets[i].normals, weight, count);
        add_target(job->out_tangents, 4, job->targets[i].tangents, weight, count);
    }
    return MRW_OK;
}
