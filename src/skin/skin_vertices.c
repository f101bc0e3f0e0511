/* Skinning on the CPU: the job, its checks, and the loop over the vertices.
 *
 * The mathematics is in skin_linear.c and skin_dual_quat.c; here a vertex is fetched, sent through
 * one of them or both, and stored. A vertex is read completely before any of it is written, so
 * outputs may be the inputs, also where all attributes share one interleaved buffer.
 *
 * Vertices do not depend on each other: a job can be cut into ranges for any number of threads and
 * gives the same bits.
 */
#include <marrow/skin.h>

#include "base/error.h"
#include "math/math_inline.h"
#include "simd/kernels.h"
#include "skin/skin_influences.h"
#include "skin/skin_vertex.h"
#include "skin/stream.h"

/* --- checks ------------------------------------------------------------------------- */

static mrw_status check_choices(const mrw_skin_job *job, mrw_error *out_error)
{
    if ((uint32_t)job->method > MRW_SKIN_BLENDED)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "method", "no mrw_skin_method: %u",
                         (uint32_t)job->method);
    if ((uint32_t)job->normal_mode > MRW_NORMAL_LINEAR)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "normal_mode",
                         "no mrw_normal_mode: %u", (uint32_t)job->normal_mode);
    if (job->influence_count == 0)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "influence_count",
                         "0: a mesh without influences is not skinned");
    return MRW_OK;
}

static mrw_status check_palettes(const mrw_skin_job *job, mrw_error *out_error)
{
    bool linear = job->method != MRW_SKIN_DUAL_QUAT;
    bool dual_quat = job->method != MRW_SKIN_LINEAR;
    if (linear && job->palette == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "palette");
    if (dual_quat && job->dual_quats == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "dual_quats");
    if (linear && dual_quat && job->dual_quat_weights == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "dual_quat_weights");
    return MRW_OK;
}

mrw_status mrw_skin_check(const mrw_skin_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    mrw_status status = check_choices(job, out_error);
    if (status == MRW_OK)
        status = mrwi_check_influences(job, out_error);
    if (status != MRW_OK || job->vertex_count == 0)
        return status;
    status = check_palettes(job, out_error);
    if (status != MRW_OK)
        return status;
    mrwi_vertex_streams streams = {job->positions,     job->normals,     job->tangents,
                                   job->out_positions, job->out_normals, job->out_tangents};
    return mrwi_check_streams(&streams, out_error);
}

/* --- the loop ----------------------------------------------------------------------- */

static mrwi_vertex load_vertex(const mrw_skin_job *job, uint32_t index)
{
    mrwi_vertex vertex = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.0f};
    vertex.position = mrwi_load_vec3(mrwi_stream_at(job->positions, 3, index));
    if (job->normals.data != NULL)
        vertex.normal = mrwi_load_vec3(mrwi_stream_at(job->normals, 3, index));
    if (job->tangents.data != NULL) {
        const float *tangent = mrwi_stream_at(job->tangents, 4, index);
        vertex.tangent = mrwi_load_vec3(tangent);
        vertex.handedness = tangent[3];
    }
    return vertex;
}

static void store_vertex(const mrw_skin_job *job, uint32_t index, const mrwi_vertex *vertex)
{
    mrwi_store_vec3(mrwi_out_stream_at(job->out_positions, 3, index), vertex->position);
    if (job->out_normals.data != NULL)
        mrwi_store_vec3(mrwi_out_stream_at(job->out_normals, 3, index), vertex->normal);
    if (job->out_tangents.data != NULL) {
        float *tangent = mrwi_out_stream_at(job->out_tangents, 4, index);
        mrwi_store_vec3(tangent, vertex->tangent);
        tangent[3] = vertex->handedness;
    }
}

static bool has_weight(const mrwi_influences *influences)
{
    for (uint32_t i = 0; i < influences->count; i++)
        if (mrwi_influence_weight(influences, i) != 0.0f)
            return true;
    return false;
}

/* Both methods and a mix of the results. At the ends only one of them is computed: the bulk of a
 * mesh should not pay for its wrists. */
static void skin_blended(const mrw_skin_job *job, const mrwi_influences *influences,
                         float dual_quat_weight, mrwi_vertex *vertex)
{
    if (dual_quat_weight <= 0.0f) {
        mrwi_skin_linear(job, influences, vertex);
        return;
    }
    mrwi_vertex linear = *vertex;
    mrwi_skin_dual_quat(job, influences, vertex);
    if (dual_quat_weight >= 1.0f)
        return;
    mrwi_skin_linear(job, influences, &linear);
    vertex->position = mrwi_vec3_lerp(linear.position, vertex->position, dual_quat_weight);
    vertex->normal = mrwi_vec3_lerp(linear.normal, vertex->normal, dual_quat_weight);
    vertex->tangent = mrwi_vec3_lerp(linear.tangent, vertex->tangent, dual_quat_weight);
    mrwi_vertex_normalize(vertex);
}

static void skin_vertex(const mrw_skin_job *job, uint32_t index, mrwi_vertex *vertex)
{
    mrwi_influences influences = mrwi_influences_at(job, index);
    if (!has_weight(&influences))
        mrwi_vertex_normalize(vertex);
    else if (job->method == MRW_SKIN_LINEAR)
        mrwi_skin_linear(job, &influences, vertex);
    else if (job->method == MRW_SKIN_DUAL_QUAT)
        mrwi_skin_dual_quat(job, &influences, vertex);
    else
        skin_blended(job, &influences, job->dual_quat_weights[index], vertex);
}

void mrwi_skin_range(const mrw_skin_job *job, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        mrwi_vertex vertex = load_vertex(job, i);
        skin_vertex(job, i, &vertex);
        store_vertex(job, i, &vertex);
    }
}

mrw_status mrw_skin_vertices(const mrw_skin_job *job)
{
    mrw_status status = mrw_skin_check(job, NULL);
    if (status != MRW_OK)
        return status;
    mrwi_kernels_active()->skin(job);
    return MRW_OK;
}
