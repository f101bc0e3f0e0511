/* The mathematics of skinning for eight vertices at once, one a lane.
 *
 * Each function repeats the operations of its scalar namesake in math_inline.h, skin_linear.c or
 * skin_dual_quat.c in the same order, so that a lane holds the same bits. Where it cannot, because
 * the scalar code takes another way for that vertex, it says so in a mask of odd lanes, and the
 * scalar code does them.
 */
#include "math/math_inline.h"
#include "skin/skin_vertex.h"

/* x, y and z of eight vectors. */
typedef struct lanes_vec3 {
    f8 x, y, z;
} lanes_vec3;

typedef struct lanes_quat {
    f8 x, y, z, w;
} lanes_quat;

typedef struct lanes_vertices {
    lanes_vec3 position;
    lanes_vec3 normal;  /* where the job has normals */
    lanes_vec3 tangent; /* where the job has tangents, with their handedness */
    f8 handedness;
} lanes_vertices;

/* The influences of eight neighbouring vertices. */
typedef struct lanes_influences {
    const uint16_t *joints;
    const float *weights;
    uint32_t count; /* of each vertex */
} lanes_influences;

/* --- vectors ------------------------------------------------------------------------- */

MRWI_INLINE lanes_vec3 lanes_add(lanes_vec3 a, lanes_vec3 b)
{
    return (lanes_vec3){f8_add(a.x, b.x), f8_add(a.y, b.y), f8_add(a.z, b.z)};
}

MRWI_INLINE lanes_vec3 lanes_sub(lanes_vec3 a, lanes_vec3 b)
{
    return (lanes_vec3){f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z)};
}

MRWI_INLINE lanes_vec3 lanes_scale(lanes_vec3 v, f8 factor)
{
    return (lanes_vec3){f8_mul(v.x, factor), f8_mul(v.y, factor), f8_mul(v.z, factor)};
}

MRWI_INLINE lanes_vec3 lanes_select(m8 mask, lanes_vec3 a, lanes_vec3 b)
{
    return (lanes_vec3){f8_select(mask, a.x, b.x), f8_select(mask, a.y, b.y),
                        f8_select(mask, a.z, b.z)};
}

MRWI_INLINE lanes_vec3 lanes_lerp(lanes_vec3 a, lanes_vec3 b, f8 t)
{
    f8 s = f8_sub(f8_splat(1.0f), t);
    return lanes_add(lanes_scale(a, s), lanes_scale(b, t));
}

MRWI_INLINE f8 lanes_dot(lanes_vec3 a, lanes_vec3 b)
{
    return f8_add(f8_add(f8_mul(a.x, b.x), f8_mul(a.y, b.y)), f8_mul(a.z, b.z));
}

MRWI_INLINE lanes_vec3 lanes_cross(lanes_vec3 a, lanes_vec3 b)
{
    return (lanes_vec3){f8_sub(f8_mul(a.y, b.z), f8_mul(a.z, b.y)),
                        f8_sub(f8_mul(a.z, b.x), f8_mul(a.x, b.z)),
                        f8_sub(f8_mul(a.x, b.y), f8_mul(a.y, b.x))};
}

MRWI_INLINE m8 lanes_any_nan(lanes_vec3 v)
{
    f8 sum = f8_add(f8_add(v.x, v.y), v.z); /* also of infinities of both signs */
    return m8_not(f8_equal(sum, sum));
}

/* Adds the lanes that the scalar code normalises in double to `odd`. */
MRWI_INLINE lanes_vec3 lanes_normalize(lanes_vec3 v, m8 *odd)
{
    f8 length2 = lanes_dot(v, v);
    m8 safe = m8_and(f8_less_equal(f8_splat(MRWI_SAFE_LENGTH2_MIN), length2),
                     f8_less_equal(length2, f8_splat(MRWI_SAFE_LENGTH2_MAX)));
    *odd = m8_or(*odd, m8_not(safe));
    return lanes_scale(v, f8_div(f8_splat(1.0f), f8_sqrt(length2)));
}

MRWI_INLINE f8 lanes_quat_dot(lanes_quat a, lanes_quat b)
{
    f8 xyz = f8_add(f8_add(f8_mul(a.x, b.x), f8_mul(a.y, b.y)), f8_mul(a.z, b.z));
    return f8_add(xyz, f8_mul(a.w, b.w));
}

MRWI_INLINE lanes_vec3 lanes_quat_rotate(lanes_quat q, lanes_vec3 v)
{
    lanes_vec3 u = {q.x, q.y, q.z};
    lanes_vec3 c = lanes_cross(u, v);
    lanes_vec3 twice = lanes_add(c, c);
    lanes_vec3 turned = lanes_add(v, lanes_scale(twice, q.w));
    return lanes_add(turned, lanes_cross(u, twice));
}

/* --- linear -------------------------------------------------------------------------- */

/* The three rows' linear part, and the translation. */
typedef struct lanes_mat34 {
    lanes_vec3 row[3];
    lanes_vec3 translation;
} lanes_mat34;

/* The blended matrices. A matrix is summed as it lies in memory, two rows in one register and one
 * in half of one, and the eight sums are turned into lanes at the end: the loads are whole rows
 * then, not single floats.
 *
 * Influences without a weight are added here. Where the palette is finite they add a zero, which
 * changes no sum but -0, and the last addition makes that +0, as starting from +0 does. Where it is
 * not, 0 * infinity leaves a NaN, and the position shows it (lanes_skin_linear). */
MRWI_INLINE void lanes_blend(const mrw_mat34 *matrices, lanes_influences influences,
                             lanes_mat34 *out_blend)
{
    f8 upper[8];
    f4 lower[8];
    for (uint32_t v = 0; v < 8; v++) {
        const uint16_t *joints = influences.joints + (size_t)v * influences.count;
        const float *weights = influences.weights + (size_t)v * influences.count;
        const float *matrix = matrices[joints[0]].m[0];
        f8 weight = f8_splat(weights[0]);
        f8 upper_sum = f8_mul(weight, f8_load(matrix));
        f4 lower_sum = f4_mul(f8_low(weight), f4_load(matrix + 8));
        for (uint32_t i = 1; i < influences.count; i++) {
            matrix = matrices[joints[i]].m[0];
            weight = f8_splat(weights[i]);
            upper_sum = f8_add(upper_sum, f8_mul(weight, f8_load(matrix)));
            lower_sum = f4_add(lower_sum, f4_mul(f8_low(weight), f4_load(matrix + 8)));
        }
        upper[v] = upper_sum;
        lower[v] = lower_sum;
    }
    f8 last[4];
    f8_transpose(upper);
    f8_transpose4(lower, last);
    f8 zero = f8_zero();
    const f8 *const rows[3] = {upper, upper + 4, last};
    for (int i = 0; i < 3; i++)
        out_blend->row[i] = (lanes_vec3){f8_add(zero, rows[i][0]), f8_add(zero, rows[i][1]),
                                         f8_add(zero, rows[i][2])};
    out_blend->translation =
        (lanes_vec3){f8_add(zero, upper[3]), f8_add(zero, upper[7]), f8_add(zero, last[3])};
}

/* One body for each count up to 8, so that the inner loop is unrolled, and one for all others. */
static void lanes_blend_any(const mrw_mat34 *matrices, const lanes_influences *influences,
                            lanes_mat34 *out_blend)
{
    lanes_influences known = *influences;
#define SKIN_BLEND_CASE(number)                                                                    \
    case number:                                                                                   \
        known.count = number;                                                                      \
        lanes_blend(matrices, known, out_blend);                                                   \
        return
    switch (influences->count) {
        SKIN_BLEND_CASE(1);
        SKIN_BLEND_CASE(2);
        SKIN_BLEND_CASE(3);
        SKIN_BLEND_CASE(4);
        SKIN_BLEND_CASE(5);
        SKIN_BLEND_CASE(6);
        SKIN_BLEND_CASE(7);
        SKIN_BLEND_CASE(8);
    default:
        lanes_blend(matrices, known, out_blend);
    }
#undef SKIN_BLEND_CASE
}

MRWI_INLINE lanes_vec3 lanes_transform_vector(const lanes_mat34 *matrix, lanes_vec3 v)
{
    return (lanes_vec3){lanes_dot(matrix->row[0], v), lanes_dot(matrix->row[1], v),
                        lanes_dot(matrix->row[2], v)};
}

/* mrwi_vertex_transform. */
MRWI_INLINE void lanes_transform(const mrw_skin_job *job, const lanes_mat34 *matrix,
                                 lanes_vertices *vertices)
{
    vertices->position =
        lanes_add(lanes_transform_vector(matrix, vertices->position), matrix->translation);
    bool has_normals = job->normals.data != NULL, has_tangents = job->tangents.data != NULL;
    if (!has_normals && !has_tangents)
        return;
    lanes_vec3 cofactors = lanes_cross(matrix->row[1], matrix->row[2]);
    m8 mirrors = f8_less(lanes_dot(matrix->row[0], cofactors), f8_zero());
    if (has_normals && job->normal_mode == MRW_NORMAL_LINEAR) {
        vertices->normal = lanes_transform_vector(matrix, vertices->normal);
    } else if (has_normals) {
        lanes_vec3 turned = {
            lanes_dot(cofactors, vertices->normal),
            lanes_dot(lanes_cross(matrix->row[2], matrix->row[0]), vertices->normal),
            lanes_dot(lanes_cross(matrix->row[0], matrix->row[1]), vertices->normal)};
        vertices->normal = lanes_scale(turned, f8_select(mirrors, f8_splat(-1.0f), f8_splat(1.0f)));
    }
    if (has_tangents) {
        vertices->tangent = lanes_transform_vector(matrix, vertices->tangent);
        vertices->handedness =
            f8_select(mirrors, f8_neg(vertices->handedness), vertices->handedness);
    }
}

MRWI_INLINE void lanes_normalize_vertices(const mrw_skin_job *job, lanes_vertices *vertices,
                                          m8 *odd)
{
    if (job->normals.data != NULL)
        vertices->normal = lanes_normalize(vertices->normal, odd);
    if (job->tangents.data != NULL)
        vertices->tangent = lanes_normalize(vertices->tangent, odd);
}

/* A vertex without weights has a blend of zeros, which would move it to the origin, and a NaN in
 * any element of the blend is one in the position: what comes out there is odd. */
MRWI_INLINE void lanes_skin_linear(const mrw_skin_job *job, const lanes_influences *influences,
                                   lanes_vertices *vertices, m8 *odd)
{
    lanes_mat34 blend;
    lanes_blend_any(job->palette, influences, &blend);
    lanes_transform(job, &blend, vertices);
    lanes_vec3 p = vertices->position;
    f8 distance = f8_add(f8_add(f8_abs(p.x), f8_abs(p.y)), f8_abs(p.z));
    *odd = m8_or(*odd, m8_not(f8_less(f8_zero(), distance)));
    lanes_normalize_vertices(job, vertices, odd);
}

/* --- dual quaternions ---------------------------------------------------------------- */

typedef struct lanes_dual_quat {
    lanes_quat real, dual;
} lanes_dual_quat;

MRWI_INLINE lanes_dual_quat lanes_load_dual_quat(const mrw_dual_quat *dual_quats,
                                                 const lanes_influences *influences, uint32_t i)
{
    f8 q[8];
    for (uint32_t v = 0; v < 8; v++) {
        uint16_t joint = influences->joints[(size_t)v * influences->count + i];
        q[v] = f8_load(&dual_quats[joint].real.x);
    }
    f8_transpose(q);
    return (lanes_dual_quat){{q[0], q[1], q[2], q[3]}, {q[4], q[5], q[6], q[7]}};
}

MRWI_INLINE f8 lanes_load_weight(const lanes_influences *influences, uint32_t i)
{
    const float *w = influences->weights + i;
    size_t step = influences->count;
    return f8_join(f4_set(w[0], w[step], w[2 * step], w[3 * step]),
                   f4_set(w[4 * step], w[5 * step], w[6 * step], w[7 * step]));
}

/* The real parts of each vertex's heaviest influence. */
MRWI_INLINE lanes_quat lanes_pivot(const mrw_dual_quat *dual_quats,
                                   const lanes_influences *influences)
{
    f4 rows[8];
    for (uint32_t v = 0; v < 8; v++) {
        const float *weights = influences->weights + (size_t)v * influences->count;
        uint32_t heaviest = 0;
        for (uint32_t i = 1; i < influences->count; i++)
            heaviest = weights[i] > weights[heaviest] ? i : heaviest;
        uint16_t joint = influences->joints[(size_t)v * influences->count + heaviest];
        rows[v] = f4_load(&dual_quats[joint].real.x);
    }
    f8 q[4];
    f8_transpose4(rows, q);
    return (lanes_quat){q[0], q[1], q[2], q[3]};
}

MRWI_INLINE lanes_quat lanes_quat_add_scaled(lanes_quat sum, lanes_quat q, f8 factor)
{
    return (lanes_quat){f8_add(sum.x, f8_mul(factor, q.x)), f8_add(sum.y, f8_mul(factor, q.y)),
                        f8_add(sum.z, f8_mul(factor, q.z)), f8_add(sum.w, f8_mul(factor, q.w))};
}

MRWI_INLINE void lanes_add_dual_quat(lanes_dual_quat *sum, lanes_dual_quat q, lanes_quat pivot,
                                     f8 weight)
{
    m8 far_side = f8_less(lanes_quat_dot(q.real, pivot), f8_zero());
    f8 factor = f8_select(far_side, f8_neg(weight), weight);
    sum->real = lanes_quat_add_scaled(sum->real, q.real, factor);
    sum->dual = lanes_quat_add_scaled(sum->dual, q.dual, factor);
}

/* In nearly every mesh the influences are sorted, and the first is the pivot: then it is loaded
 * only once. */
MRWI_INLINE void lanes_blend_dual_quats(const mrw_dual_quat *dual_quats,
                                        const lanes_influences *influences,
                                        lanes_dual_quat *out_sum)
{
    f8 zero = f8_zero();
    uint32_t count = influences->count;
    m8 first_is_lighter = f8_less(zero, zero);
    f8 first_weight = lanes_load_weight(influences, 0);
    for (uint32_t i = 1; i < count; i++)
        first_is_lighter =
            m8_or(first_is_lighter, f8_less(first_weight, lanes_load_weight(influences, i)));
    lanes_dual_quat q = lanes_load_dual_quat(dual_quats, influences, 0);
    lanes_quat pivot = q.real;
    if (m8_any(first_is_lighter))
        pivot = lanes_pivot(dual_quats, influences);
    lanes_dual_quat sum = {{zero, zero, zero, zero}, {zero, zero, zero, zero}};
    lanes_add_dual_quat(&sum, q, pivot, first_weight);
    for (uint32_t i = 1; i < count; i++) {
        q = lanes_load_dual_quat(dual_quats, influences, i);
        lanes_add_dual_quat(&sum, q, pivot, lanes_load_weight(influences, i));
    }
    *out_sum = sum;
}

MRWI_INLINE lanes_vec3 lanes_translation_of(const lanes_dual_quat *dual_quat)
{
    lanes_vec3 r = {dual_quat->real.x, dual_quat->real.y, dual_quat->real.z};
    lanes_vec3 d = {dual_quat->dual.x, dual_quat->dual.y, dual_quat->dual.z};
    lanes_vec3 straight =
        lanes_sub(lanes_scale(d, dual_quat->real.w), lanes_scale(r, dual_quat->dual.w));
    return lanes_scale(lanes_add(straight, lanes_cross(r, d)), f8_splat(2.0f));
}

/* Odd are sums without a length, which move nothing (also those of vertices without weights), and
 * NaN that an influence without a weight may have brought in. */
MRWI_INLINE void lanes_move_rigidly(const mrw_skin_job *job, const lanes_dual_quat *sum,
                                    lanes_vertices *vertices, m8 *odd)
{
    f8 zero = f8_zero();
    f8 length2 = lanes_quat_dot(sum->real, sum->real);
    f8 inverse = f8_div(f8_splat(1.0f), f8_sqrt(length2));
    lanes_dual_quat unit = {{zero, zero, zero, zero}, {zero, zero, zero, zero}};
    unit.real = lanes_quat_add_scaled(unit.real, sum->real, inverse);
    unit.dual = lanes_quat_add_scaled(unit.dual, sum->dual, inverse);
    lanes_vec3 p =
        lanes_add(lanes_quat_rotate(unit.real, vertices->position), lanes_translation_of(&unit));
    *odd = m8_or(*odd, m8_or(m8_not(f8_less(zero, length2)), lanes_any_nan(p)));
    vertices->position = p;
    if (job->normals.data != NULL)
        vertices->normal = lanes_quat_rotate(unit.real, vertices->normal);
    if (job->tangents.data != NULL)
        vertices->tangent = lanes_quat_rotate(unit.real, vertices->tangent);
}

MRWI_INLINE void lanes_skin_dual_quat(const mrw_skin_job *job, const lanes_influences *influences,
                                      lanes_vertices *vertices, m8 *odd)
{
    if (job->stretches != NULL) {
        lanes_mat34 stretch;
        lanes_blend_any(job->stretches, influences, &stretch);
        lanes_transform(job, &stretch, vertices);
    }
    lanes_dual_quat sum;
    lanes_blend_dual_quats(job->dual_quats, influences, &sum);
    lanes_move_rigidly(job, &sum, vertices, odd);
    lanes_normalize_vertices(job, vertices, odd);
}
