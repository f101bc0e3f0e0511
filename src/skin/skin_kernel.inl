/* Skinning, eight vertices a step: groups are fetched into lanes, moved by skin_lanes.inl, and
 * stored. The scalar code of skin_vertices.c does the rest: the last vertices, and groups in which
 * a vertex is odd, that is, takes another way there than its neighbours.
 */
#include "simd/simd.h"
#include "skin/skin_vertex.h"

#ifndef MRWI_SIMD_SCALAR

#include "skin/skin_influences.inl"
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
    const float *from = mrwi_stream_at(stream, 3, first);
    size_t step = mrwi_stream_step(stream.stride_bytes, 3);
    f8 v[4];
    if (step == 3)
        f8_load_xyz(from, v);
    else
        group_load(from, step, v);
    return (lanes_vec3){v[0], v[1], v[2]};
}

MRWI_INLINE void group_store_vec3(mrw_out_stream stream, uint32_t first, lanes_vec3 v)
{
    float *to = mrwi_out_stream_at(stream, 3, first);
    size_t step = mrwi_stream_step(stream.stride_bytes, 3);
    const f8 lanes[4] = {v.x, v.y, v.z, v.z};
    if (step == 3) {
        f8_store_xyz(to, lanes);
        return;
    }
    f4 rows[8];
    f8_untranspose4(lanes, rows);
    for (size_t i = 0; i < 8; i++) {
        float row[4];
        f4_store(row, rows[i]);
        memcpy(to + i * step, row, 3 * sizeof(float));
    }
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

/* --- blocks --------------------------------------------------------------------------- */

enum {
    BLOCK_GROUPS = 8,
    BLOCK_VERTICES = 8 * BLOCK_GROUPS,
    BLOCK_INFLUENCES = INFLUENCES_MAX / BLOCK_VERTICES
};

/* Several groups on their way. Every step is done for all of them before the next one: the steps of
 * one group wait for each other, more than a hundred cycles in all, and the processor fills that
 * time only with what stands nearby. */
typedef struct skin_block {
    const mrw_skin_job *job;
    uint32_t first;         /* vertex */
    uint32_t count;         /* groups */
    const uint16_t *joints; /* from the first vertex on: the job's, or in the copy */
    const float *weights;
    influences_copy copy;
    _Alignas(32) uint32_t places[BLOCK_VERTICES * BLOCK_INFLUENCES];
    uint32_t used[BLOCK_GROUPS]; /* influences, lanes_influences.count */
    bool same_joints[BLOCK_GROUPS];
    lanes_sums sums[BLOCK_GROUPS];
    lanes_dual_quat dual_quats[BLOCK_GROUPS];
    lanes_vertices vertices[BLOCK_GROUPS];
    lanes_vertices linear[BLOCK_GROUPS]; /* blended: the one method's while the other one works */
    m8 odd[BLOCK_GROUPS];
} skin_block;

/* --- influences ---------------------------------------------------------------------- */

/* Of a vertex's influences the last ones are without a weight in most meshes: those that have none
 * in all eight vertices are left out. */
MRWI_INLINE uint32_t group_used_influences(const float *weights, size_t step)
{
    uint32_t count = 1;
    if (step != 4) {
        for (size_t i = 0; i < 8 * step; i++)
            if (weights[i] != 0.0f && i % step >= count)
                count = (uint32_t)(i % step) + 1;
        return count;
    }
    f8 sums = f8_abs(f8_load(weights));
    for (int i = 1; i < 4; i++)
        sums = f8_add(sums, f8_abs(f8_load(weights + 8 * i)));
    float columns[4];
    uint32_t bits[4];
    f4_store(columns, f4_add(f8_low(sums), f8_high(sums)));
    memcpy(bits, columns, sizeof(bits)); /* floats compare by branches, often guessed wrong */
    for (uint32_t i = 1; i < 4; i++)
        count = bits[i] != 0 ? i + 1 : count;
    return count;
}

/* Looked at only where it costs next to nothing: four joints are one number of 64 bits, and
 * where the first and the last vertex differ, as in meshes that are not sorted, that is all. */
MRWI_INLINE bool group_has_same_joints(const uint16_t *joints, size_t step)
{
    if (step % 4 != 0)
        return false;
    for (size_t i = 0; i < step; i += 4) {
        uint64_t first, other, different = 0;
        memcpy(&first, joints + i, sizeof(first));
        memcpy(&other, joints + 7 * step + i, sizeof(other));
        if (first != other)
            return false;
        for (size_t v = 1; v < 7; v++) {
            memcpy(&other, joints + v * step + i, sizeof(other));
            different |= first ^ other;
        }
        if (different != 0)
            return false;
    }
    return true;
}

MRWI_INLINE lanes_influences group_influences(const skin_block *block, uint32_t g, size_t step)
{
    return (lanes_influences){block->places + 8 * g * step, block->weights + 8 * g * step, step,
                              block->used[g], block->same_joints[g]};
}

/* `step` influences a vertex, palettes of so many floats a joint. */
MRWI_INLINE void block_load_steps(skin_block *block, uint32_t step, uint32_t joint_floats)
{
    const uint16_t *joints = block->joints;
    const float *weights = block->weights;
    uint32_t count = block->count;
    for (uint32_t i = 0; i < 8 * count * step; i++)
        block->places[i] = joints[i] * joint_floats;
    for (uint32_t g = 0; g < count; g++) {
        block->used[g] = group_used_influences(weights + 8 * g * step, step);
        block->same_joints[g] = group_has_same_joints(joints + 8 * g * step, step);
    }
}

static void block_load_influences(skin_block *block, uint32_t joint_floats)
{
    if (block->job->influence_count == 4) /* a constant, so that loops are unrolled */
        block_load_steps(block, 4, joint_floats);
    else
        block_load_steps(block, block->job->influence_count, joint_floats);
}

/* For each group g of a block. */
#define EACH_GROUP(block, g) for (uint32_t g = 0; g < (block)->count; g++)

MRWI_INLINE void group_load_vertices(const mrw_skin_job *job, uint32_t first, bool normals,
                                     bool tangents, lanes_vertices *out_vertices)
{
    out_vertices->position = group_load_vec3(job->positions, first);
    if (normals)
        out_vertices->normal = group_load_vec3(job->normals, first);
    if (!tangents)
        return;
    f8 v[4];
    group_load(mrwi_stream_at(job->tangents, 4, first),
               mrwi_stream_step(job->tangents.stride_bytes, 4), v);
    out_vertices->tangent = (lanes_vec3){v[0], v[1], v[2]};
    out_vertices->handedness = v[3];
}

/* mrwi_vertex_normalize on the way. */
MRWI_INLINE void group_store(const skin_block *block, uint32_t g, bool normals, bool tangents)
{
    const mrw_skin_job *job = block->job;
    const lanes_vertices *vertices = &block->vertices[g];
    uint32_t first = block->first + 8 * g;
    m8 odd = block->odd[g];
    lanes_vec3 normal, tangent;
    if (normals)
        normal = lanes_normalize(vertices->normal, &odd);
    if (tangents)
        tangent = lanes_normalize(vertices->tangent, &odd);
    if (m8_any(odd)) {
        mrwi_skin_range(job, first, first + 8);
        return;
    }
    group_store_vec3(job->out_positions, first, vertices->position);
    if (normals)
        group_store_vec3(job->out_normals, first, normal);
    if (tangents)
        group_store_vec4(job->out_tangents, first, tangent, vertices->handedness);
}

MRWI_INLINE void block_store_streams(const skin_block *block, bool normals, bool tangents)
{
    EACH_GROUP(block, g)
    group_store(block, g, normals, tangents);
}

/* What a job has stands in the calls as constants, here and below: then the loops are without
 * branches, and what is not there takes no registers. */
static void block_store(const skin_block *block)
{
    bool normals = block->job->normals.data != NULL;
    if (block->job->tangents.data != NULL)
        block_store_streams(block, normals, true);
    else if (normals)
        block_store_streams(block, true, false);
    else
        block_store_streams(block, false, false);
}

/* Loads the vertices; mrwi_vertex_transform with their blends. */
MRWI_INLINE void block_transform_streams(const skin_block *block, bool normals, bool exact,
                                         bool tangents, lanes_vertices *vertices)
{
    const mrw_skin_job *job = block->job;
    EACH_GROUP(block, g)
    {
        lanes_mat34 matrix;
        lanes_load_blend(&block->sums[g], block->same_joints[g], &matrix);
        lanes_vertices *group = &vertices[g];
        group_load_vertices(job, block->first + 8 * g, normals, tangents, group);
        group->position = lanes_positive_zeros(lanes_transform_point(&matrix, group->position));
        if (normals && exact)
            group->normal = lanes_positive_zeros(lanes_transform_normal(&matrix, group->normal));
        else if (normals)
            group->normal = lanes_positive_zeros(lanes_transform_vector(&matrix, group->normal));
        if (!tangents)
            continue;
        group->tangent = lanes_positive_zeros(lanes_transform_vector(&matrix, group->tangent));
        group->handedness =
            f8_select(lanes_mirrors(&matrix), f8_neg(group->handedness), group->handedness);
    }
}

MRWI_INLINE void block_blend(skin_block *block, const float *matrices, size_t step)
{
    EACH_GROUP(block, g)
    {
        lanes_influences influences = group_influences(block, g, step);
        lanes_blend(matrices, &influences, &block->sums[g]);
    }
}

static void block_transform(skin_block *block, const mrw_mat34 *matrices, lanes_vertices *vertices)
{
    const mrw_skin_job *job = block->job;
    block_load_influences(block, sizeof(mrw_mat34) / sizeof(float));
    if (job->influence_count == 4)
        block_blend(block, matrices->m[0], 4);
    else
        block_blend(block, matrices->m[0], job->influence_count);
    bool normals = job->normals.data != NULL;
    bool exact = job->normal_mode == MRW_NORMAL_INVERSE_TRANSPOSE;
    if (job->tangents.data != NULL)
        block_transform_streams(block, normals, exact, true, vertices);
    else if (normals)
        block_transform_streams(block, true, exact, false, vertices);
    else
        block_transform_streams(block, false, false, false, vertices);
}

static void block_skin_linear(skin_block *block, lanes_vertices *vertices)
{
    block_transform(block, block->job->palette, vertices);
    EACH_GROUP(block, g)
    block->odd[g] = m8_or(block->odd[g], lanes_odd_position(vertices[g].position));
}

static void block_move_rigidly(skin_block *block, lanes_vertices *vertices)
{
    const mrw_skin_job *job = block->job;
    EACH_GROUP(block, g)
    {
        const lanes_dual_quat *unit = &block->dual_quats[g];
        lanes_vec3 turned = lanes_quat_rotate(unit->real, vertices[g].position);
        vertices[g].position = lanes_add(turned, lanes_translation_of(unit));
        /* An influence without a weight may have brought in a NaN. */
        block->odd[g] = m8_or(block->odd[g], lanes_any_nan(vertices[g].position));
    }
    if (job->normals.data != NULL)
        EACH_GROUP(block, g)
    vertices[g].normal = lanes_quat_rotate(block->dual_quats[g].real, vertices[g].normal);
    if (job->tangents.data != NULL)
        EACH_GROUP(block, g)
    vertices[g].tangent = lanes_quat_rotate(block->dual_quats[g].real, vertices[g].tangent);
}

MRWI_INLINE void block_blend_dual_quats(skin_block *block, size_t step)
{
    EACH_GROUP(block, g)
    {
        lanes_influences influences = group_influences(block, g, step);
        lanes_blend_dual_quats(&block->job->dual_quats->real.x, &influences, &block->dual_quats[g]);
    }
}

static void block_skin_dual_quat(skin_block *block, lanes_vertices *vertices)
{
    const mrw_skin_job *job = block->job;
    if (job->stretches != NULL)
        block_transform(block, job->stretches, vertices);
    else
        EACH_GROUP(block, g)
    group_load_vertices(job, block->first + 8 * g, job->normals.data != NULL,
                        job->tangents.data != NULL, &vertices[g]);
    block_load_influences(block, sizeof(mrw_dual_quat) / sizeof(float));
    if (job->influence_count == 4)
        block_blend_dual_quats(block, 4);
    else
        block_blend_dual_quats(block, job->influence_count);
    EACH_GROUP(block, g)
    lanes_normalize_dual_quat(&block->dual_quats[g], &block->odd[g]);
    block_move_rigidly(block, vertices);
}

/* --- both methods ---------------------------------------------------------------------- */

/* a where the weight is at an end, exact there as in skin_blended of skin_vertices.c. */
typedef struct mix_lanes {
    f8 weight; /* of the dual quaternions */
    m8 is_linear, is_end;
} mix_lanes;

MRWI_INLINE mix_lanes mix_lanes_of(const skin_block *block, uint32_t g)
{
    f8 weight = f8_load(block->job->dual_quat_weights + block->first + 8 * g);
    m8 is_linear = f8_less_equal(weight, f8_zero());
    return (mix_lanes){weight, is_linear, m8_or(is_linear, f8_less_equal(f8_splat(1.0f), weight))};
}

MRWI_INLINE lanes_vec3 mix_pick(mix_lanes mix, lanes_vec3 linear, lanes_vec3 dual_quat,
                                lanes_vec3 mixed)
{
    return lanes_select(mix.is_end, lanes_select(mix.is_linear, linear, dual_quat), mixed);
}

/* The lanes are normalised later, as those of one method are: at the ends for the first time. */
MRWI_INLINE lanes_vec3 mix_direction(mix_lanes mix, lanes_vec3 linear, lanes_vec3 dual_quat,
                                     m8 *odd)
{
    lanes_vec3 from = lanes_normalize(linear, odd), to = lanes_normalize(dual_quat, odd);
    return mix_pick(mix, linear, dual_quat, lanes_lerp(from, to, mix.weight));
}

static void block_mix(skin_block *block)
{
    EACH_GROUP(block, g)
    {
        const lanes_vertices *linear = &block->linear[g];
        lanes_vertices *vertices = &block->vertices[g];
        mix_lanes mix = mix_lanes_of(block, g);
        lanes_vec3 position = lanes_lerp(linear->position, vertices->position, mix.weight);
        m8 nan = m8_and(lanes_any_nan(position), m8_not(mix.is_end));
        block->odd[g] = m8_or(block->odd[g], nan);
        vertices->position = mix_pick(mix, linear->position, vertices->position, position);
        if (block->job->normals.data != NULL)
            vertices->normal = mix_direction(mix, linear->normal, vertices->normal, &block->odd[g]);
        if (block->job->tangents.data == NULL)
            continue;
        vertices->tangent = mix_direction(mix, linear->tangent, vertices->tangent, &block->odd[g]);
        vertices->handedness = f8_select(mix.is_linear, linear->handedness, vertices->handedness);
    }
}

/* What is at one end in the whole block is computed by one method only. */
static void block_skin_blended(skin_block *block)
{
    bool all_linear = true, all_dual_quat = true;
    EACH_GROUP(block, g)
    {
        mix_lanes mix = mix_lanes_of(block, g);
        all_linear = all_linear && m8_all(mix.is_linear);
        all_dual_quat = all_dual_quat && m8_all(f8_less_equal(f8_splat(1.0f), mix.weight));
    }
    if (all_linear) {
        block_skin_linear(block, block->vertices);
        return;
    }
    block_skin_dual_quat(block, block->vertices);
    if (all_dual_quat)
        return;
    block_skin_linear(block, block->linear);
    block_mix(block);
}

/* --- the job --------------------------------------------------------------------------- */

/* Everything of a block is read before anything of it is written. */
static void block_skin(skin_block *block)
{
    block->joints = influences_joints(block->job, block->first, 8 * block->count, &block->copy);
    block->weights = influences_weights(block->job, block->first, 8 * block->count, &block->copy);
    EACH_GROUP(block, g)
    block->odd[g] = f8_less(f8_zero(), f8_zero());
    if (block->job->method == MRW_SKIN_LINEAR)
        block_skin_linear(block, block->vertices);
    else if (block->job->method == MRW_SKIN_DUAL_QUAT)
        block_skin_dual_quat(block, block->vertices);
    else
        block_skin_blended(block);
    block_store(block);
}

/* At least one vertex is left to the scalar code, so that reading four floats of its neighbour's
 * three ends inside the streams. So are meshes with more influences than anybody draws. */
static void skin_kernel(const mrw_skin_job *job)
{
    skin_block block;
    block.job = job;
    uint32_t groups = job->vertex_count > 0 ? (job->vertex_count - 1) / 8 : 0;
    if (job->influence_count > BLOCK_INFLUENCES)
        groups = 0;
    for (uint32_t group = 0; group < groups; group += block.count) {
        block.first = 8 * group;
        block.count = groups - group < BLOCK_GROUPS ? groups - group : BLOCK_GROUPS;
        block_skin(&block);
    }
    mrwi_skin_range(job, 8 * groups, job->vertex_count);
}

#undef EACH_GROUP

#else

static void skin_kernel(const mrw_skin_job *job)
{
    mrwi_skin_range(job, 0, job->vertex_count);
}

#endif
