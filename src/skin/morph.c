/* Morph targets: the base mesh plus weighted differences.
 *
 * A face has a hundred targets of which a few are on: those are read once each, the others not at
 * all. That is done for some hundred vertices at a time, so that the sums stay in the cache. The
 * sum of a vertex does not depend on it: ((base + w0 * d0) + w1 * d1) + ...
 *
 * A target that lists its vertices finds those at hand by searching in the list; nothing is
 * remembered from one range to the next.
 */
#include <marrow/skin.h>

#include "base/error.h"
#include "base/finite.h"
#include "simd/kernels.h"
#include "skin/stream.h"

#include <string.h>

/* The checks of a sparse target that cost nothing. */
static mrw_status check_sparse(const mrw_morph_target *target, uint32_t index,
                               uint32_t vertex_count, mrw_error *out_error)
{
    if (target->vertices == NULL || target->count == 0)
        return MRW_OK;
    uint32_t last = target->vertices[target->count - 1];
    if (target->count > vertex_count || last >= vertex_count)
        return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "targets[%u].vertices",
                         "%u vertices up to %u, of a mesh of %u", index, target->count, last,
                         vertex_count);
    return MRW_OK;
}

mrw_status mrw_morph_check_vertices(const mrw_morph_target *targets, uint32_t target_count,
                                    uint32_t vertex_count, mrw_error *out_error)
{
    if (target_count > 0 && targets == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "targets");
    for (uint32_t t = 0; t < target_count; t++) {
        const uint32_t *vertices = targets[t].vertices;
        for (uint32_t i = 0; vertices != NULL && i < targets[t].count; i++) {
            if (vertices[i] >= vertex_count)
                return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "targets[%u].vertices[%u]",
                                 "vertex %u of %u", t, i, vertices[i], vertex_count);
            if (i > 0 && vertices[i] <= vertices[i - 1])
                return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "targets[%u].vertices[%u]",
                                 "%u follows %u: they must increase", t, i, vertices[i],
                                 vertices[i - 1]);
        }
    }
    return MRW_OK;
}

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
    for (uint32_t i = 0; i < job->target_count; i++) {
        mrw_status status = check_sparse(&job->targets[i], i, job->vertex_count, out_error);
        if (status != MRW_OK)
            return status;
    }
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
    if (step == width && out_step == width) { /* one row */
        memmove(out.data + width * first, in.data + width * first,
                (size_t)(end - first) * width * sizeof(float));
        return;
    }
    for (uint32_t v = first; v < end; v++) {
        const float *from = in.data + step * v;
        float *to = out.data + out_step * v;
        for (size_t i = 0; i < width; i++)
            to[i] = from[i];
    }
}

/* The vertices [first, end) of a target: where its differences for them begin, and how many. */
typedef struct target_range {
    const mrw_morph_target *target;
    float weight;
    uint32_t first; /* of the mesh */
    size_t begin;   /* in the target's arrays */
    uint32_t count;
} target_range;

/* Place of the first listed vertex that is not below `vertex`, from `begin` on. */
static uint32_t find_vertex(const mrw_morph_target *target, uint32_t begin, uint32_t vertex)
{
    uint32_t end = target->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (target->vertices[middle] < vertex)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static target_range range_of_target(const mrw_morph_target *target, float weight, uint32_t first,
                                    uint32_t end)
{
    if (target->vertices == NULL)
        return (target_range){target, weight, first, first, end - first};
    uint32_t begin = find_vertex(target, 0, first);
    return (target_range){target, weight, first, begin, find_vertex(target, begin, end) - begin};
}

/* Adds weight * differences to the first three floats of each vertex. */
static void add_target(mrw_out_stream out, size_t width, const float *differences,
                       const target_range *range)
{
    if (out.data == NULL || differences == NULL || range->count == 0)
        return;
    const mrwi_kernels *kernels = mrwi_kernels_active();
    size_t step = mrwi_stream_step(out.stride_bytes, width);
    differences += range->begin * 3;
    if (range->target->vertices == NULL)
        kernels->morph_add(mrwi_out_stream_at(out, width, range->first), step, differences,
                           range->weight, range->count);
    else
        kernels->morph_add_at(out.data, step, range->target->vertices + range->begin, differences,
                              range->weight, range->count);
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
        target_range range = range_of_target(target, weight, first, end);
        add_target(job->out_positions, 3, target->positions, &range);
        add_target(job->out_normals, 3, target->normals, &range);
        add_target(job->out_tangents, 4, target->tangents, &range);
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
