/* Skinning, eight vertices a step: groups are fetched into lanes, moved by skin_lanes.inl, and
 * stored. The scalar code of skin_vertices.c does the rest: the last vertices, and groups in which
 * a vertex is odd, that is, takes another way there than its neighbours.
 */
#include "simd/simd.h"

#include "skin/skin_lanes.inl"
#include "skin/stream.h"

/* --- streams ------------------------------------------------------------------------- */

/* Four floats are read of each vector of three: a group is never the end of a stream. */
MRWI_INLINE void group_load(const float *from, size_t step, f8 out[4])
{
    f4 rows[8];
    for (size_t v = 0; v < 8; v++)
        rows[v] = f4_load(from + v * step);
    f8_transpose4(rows, out);
}

MRWI_INLINE lanes_vec3 group_load_vec3(mrw_stream stream, uint32_t first)
{
    f8 v[4];
    group_load(mrwi_stream_at(stream, 3, first), mrwi_stream_step(stream.stride_bytes, 3), v);
    return (lanes_vec3){v[0], v[1], v[2]};
}

MRWI_INLINE void group_store_vec3(mrw_out_stream stream, uint32_t first, lanes_vec3 v)
{
    float *to = mrwi_out_stream_at(stream, 3, first);
    size_t step = mrwi_stream_step(stream.stride_bytes, 3);
    const f8 lanes[4] = {v.x, v.y, v.z, v.z};
    f4 rows[8];
    f8_untranspose4(lanes, rows);
    if (step == 3) { /* the fourth float is overwritten by the next vector */
        for (size_t i = 0; i < 7; i++)
            f4_store(to + i * 3, rows[i]);
        memcpy(to + 7 * 3, &rows[7], 3 * sizeof(float));
        return;
    }
    for (size_t i = 0; i < 8; i++)
        memcpy(to + i * step, &rows[i], 3 * sizeof(float));
}

MRWI_INLINE void group_store_vec4(mrw_out_stream stream, uint32_t first, lanes_vec3 v, f8 w)
{
    float *to = mrwi_out_stream_at(stream, 4, first);
    size_t step = mrwi_stream_step(stream.stride_bytes, 4);
    const f8 lanes[4] = {v.x, v.y, v.z, w};
    f4 rows[8];
    f8_untranspose4(lanes, rows);
    for (size_t i = 0; i < 8; i++)
        f4_store(to + i * step, rows[i]);
}

MRWI_INLINE void group_load_vertices(const mrw_skin_job *job, uint32_t first,
                                     lanes_vertices *out_vertices)
{
    f8 zero = f8_zero();
    lanes_vec3 zeros = {zero, zero, zero};
    *out_vertices = (lanes_vertices){zeros, zeros, zeros, zero};
    out_vertices->position = group_load_vec3(job->positions, first);
    if (job->normals.data != NULL)
        out_vertices->normal = group_load_vec3(job->normals, first);
    if (job->tangents.data != NULL) {
        f8 v[4];
        group_load(mrwi_stream_at(job->tangents, 4, first),
                   mrwi_stream_step(job->tangents.stride_bytes, 4), v);
        out_vertices->tangent = (lanes_vec3){v[0], v[1], v[2]};
        out_vertices->handedness = v[3];
    }
}

MRWI_INLINE void group_store_vertices(const mrw_skin_job *job, uint32_t first,
                                      const lanes_vertices *vertices)
{
    group_store_vec3(job->out_positions, first, vertices->position);
    if (job->normals.data != NULL)
        group_store_vec3(job->out_normals, first, vertices->normal);
    if (job->tangents.data != NULL)
        group_store_vec4(job->out_tangents, first, vertices->tangent, vertices->handedness);
}

/* --- groups -------------------------------------------------------------------------- */

/* skin_blended of skin_vertices.c. Both ends are exact there, so lanes at an end are selected. */
MRWI_INLINE void group_mix(const mrw_skin_job *job, f8 dual_quat_weight,
                           const lanes_vertices *linear, lanes_vertices *vertices, m8 *odd)
{
    m8 is_linear = f8_less_equal(dual_quat_weight, f8_zero());
    m8 is_end = m8_or(is_linear, f8_less_equal(f8_splat(1.0f), dual_quat_weight));
    lanes_vertices mixed = *vertices;
    m8 odd_mix = f8_less(f8_zero(), f8_zero());
    mixed.position = lanes_lerp(linear->position, vertices->position, dual_quat_weight);
    if (job->normals.data != NULL)
        mixed.normal = lanes_lerp(linear->normal, vertices->normal, dual_quat_weight);
    if (job->tangents.data != NULL)
        mixed.tangent = lanes_lerp(linear->tangent, vertices->tangent, dual_quat_weight);
    lanes_normalize_vertices(job, &mixed, &odd_mix);
    odd_mix = m8_or(odd_mix, lanes_any_nan(mixed.position));
    *odd = m8_or(*odd, m8_and(odd_mix, m8_not(is_end)));
#define SKIN_PICK(field)                                                                           \
    lanes_select(is_end, lanes_select(is_linear, linear->field, vertices->field), mixed.field)
    vertices->position = SKIN_PICK(position);
    if (job->normals.data != NULL)
        vertices->normal = SKIN_PICK(normal);
    if (job->tangents.data != NULL) {
        vertices->tangent = SKIN_PICK(tangent);
        vertices->handedness = f8_select(is_linear, linear->handedness, vertices->handedness);
    }
#undef SKIN_PICK
}

MRWI_INLINE void group_skin_blended(const mrw_skin_job *job, const lanes_influences *influences,
                                    uint32_t first, lanes_vertices *vertices, m8 *odd)
{
    f8 dual_quat_weight = f8_load(job->dual_quat_weights + first);
    if (m8_all(f8_less_equal(dual_quat_weight, f8_zero()))) {
        lanes_skin_linear(job, influences, vertices, odd);
        return;
    }
    lanes_vertices linear = *vertices;
    lanes_skin_dual_quat(job, influences, vertices, odd);
    if (m8_all(f8_less_equal(f8_splat(1.0f), dual_quat_weight)))
        return;
    lanes_skin_linear(job, influences, &linear, odd);
    group_mix(job, dual_quat_weight, &linear, vertices, odd);
}

/* Everything is read before anything is written. */
MRWI_INLINE void group_skin(const mrw_skin_job *job, mrw_skin_method method, uint32_t first)
{
    size_t at = (size_t)first * job->influence_count;
    lanes_influences influences = {job->joints + at, job->weights + at, job->influence_count};
    lanes_vertices vertices;
    m8 odd = f8_less(f8_zero(), f8_zero());
    group_load_vertices(job, first, &vertices);
    if (method == MRW_SKIN_LINEAR)
        lanes_skin_linear(job, &influences, &vertices, &odd);
    else if (method == MRW_SKIN_DUAL_QUAT)
        lanes_skin_dual_quat(job, &influences, &vertices, &odd);
    else
        group_skin_blended(job, &influences, first, &vertices, &odd);
    if (m8_any(odd))
        mrwi_skin_range(job, first, first + 8);
    else
        group_store_vertices(job, first, &vertices);
}

/* At least one vertex is left to the scalar code, so that reading four floats of its neighbour's
 * three ends inside the streams. */
MRWI_INLINE void skin_groups(const mrw_skin_job *job, mrw_skin_method method)
{
    uint32_t first = 0;
    for (; job->vertex_count - first > 8; first += 8)
        group_skin(job, method, first);
    mrwi_skin_range(job, first, job->vertex_count);
}

static void skin_kernel(const mrw_skin_job *job)
{
#ifdef MRWI_SIMD_SCALAR
    mrwi_skin_range(job, 0, job->vertex_count);
#else
    if (job->method == MRW_SKIN_LINEAR)
        skin_groups(job, MRW_SKIN_LINEAR);
    else if (job->method == MRW_SKIN_DUAL_QUAT)
        skin_groups(job, MRW_SKIN_DUAL_QUAT);
    else
        skin_groups(job, MRW_SKIN_BLENDED);
#endif
}
