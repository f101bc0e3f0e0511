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
    lanes_vec3 normal;  /* only where the job has normals */
    lanes_vec3 tangent; /* only where the job has tangents, as the handedness */
    f8 handedness;
} lanes_vertices;

/* The influences of eight neighbouring vertices. */
typedef struct lanes_influences {
    const uint16_t *joints;
    const float *weights;
    uint32_t step;    /* from one vertex's to the next one's */
    uint32_t count;   /* those that any of the vertices uses, >= 1 */
    bool same_joints; /* all vertices name the joints of the first */
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

/* A sum that starts with the first product may be -0 where one that starts with 0 is +0: the last
 * addition of 0 makes up for that. (Field by field: gcc copies a structure of this size with a
 * string instruction, at half the time of all the rest.) */
MRWI_INLINE void lanes_finish_blend(const f8 sums[12], lanes_mat34 *out_blend)
{
    f8 zero = f8_zero();
    for (int i = 0; i < 3; i++) {
        out_blend->row[i].x = f8_add(zero, sums[4 * i]);
        out_blend->row[i].y = f8_add(zero, sums[4 * i + 1]);
        out_blend->row[i].z = f8_add(zero, sums[4 * i + 2]);
    }
    out_blend->translation.x = f8_add(zero, sums[3]);
    out_blend->translation.y = f8_add(zero, sums[7]);
    out_blend->translation.z = f8_add(zero, sums[11]);
}

/* The sums of each vertex's matrices as they lie in memory: rows 0 and 1 in `upper`, rows 1 and 2
 * in `lower`. The loads are whole rows then, not single floats. */
MRWI_INLINE void lanes_sum_rows(const mrw_mat34 *matrices, const lanes_influences *influences,
                                uint32_t count, f8 upper[8], f8 lower[8])
{
    size_t step = influences->step;
    for (uint32_t v = 0; v < 8; v++) {
        const uint16_t *joints = influences->joints + v * step;
        const float *weights = influences->weights + v * step;
        const float *matrix = matrices[joints[0]].m[0];
        f8 weight = f8_splat(weights[0]);
        f8 upper_sum = f8_mul(weight, f8_load(matrix));
        f8 lower_sum = f8_mul(weight, f8_load(matrix + 4));
        for (uint32_t i = 1; i < count; i++) {
            matrix = matrices[joints[i]].m[0];
            weight = f8_splat(weights[i]);
            upper_sum = f8_add(upper_sum, f8_mul(weight, f8_load(matrix)));
            lower_sum = f8_add(lower_sum, f8_mul(weight, f8_load(matrix + 4)));
        }
        upper[v] = upper_sum;
        lower[v] = lower_sum;
    }
}

MRWI_INLINE f8 lanes_load_weight(const lanes_influences *influences, uint32_t i)
{
    const float *w = influences->weights + i;
    size_t step = influences->step;
    return f8_join(f4_set(w[0], w[step], w[2 * step], w[3 * step]),
                   f4_set(w[4 * step], w[5 * step], w[6 * step], w[7 * step]));
}

/* Weights i to i + 3. */
MRWI_INLINE void lanes_load_weights(const lanes_influences *influences, uint32_t i, f8 out[4])
{
    f4 rows[8];
    for (uint32_t v = 0; v < 8; v++)
        rows[v] = f4_load(influences->weights + (size_t)v * influences->step + i);
    f8_transpose4(rows, out);
}

/* The sums in lanes, where all vertices have the same joints: then a matrix is read once for all of
 * them. Meshes whose vertices are sorted by their joints come here. */
MRWI_INLINE void lanes_sum_same(const mrw_mat34 *matrices, const lanes_influences *influences,
                                f8 sums[12])
{
    f8 weights[4];
    for (uint32_t i = 0; i < influences->count; i++) {
        if (i % 4 == 0)
            lanes_load_weights(influences, i, weights);
        const float *matrix = matrices[influences->joints[i]].m[0];
        for (int k = 0; k < 12; k++) {
            f8 product = f8_mul(weights[i % 4], f8_splat(matrix[k]));
            sums[k] = i == 0 ? product : f8_add(sums[k], product);
        }
    }
}

/* The blended matrices.
 *
 * Influences without a weight are added here. Where the palette is finite they add a zero, which
 * changes no sum but -0 (lanes_finish_blend). Where it is not, 0 * infinity leaves a NaN, and the
 * position shows it (lanes_odd_position).
 *
 * All of it is inline, since a call from AVX code costs more than blending two vertices. */
MRWI_INLINE void lanes_blend(const mrw_mat34 *matrices, const lanes_influences *influences,
                             lanes_mat34 *out_blend)
{
    f8 sums[12], lower[8];
    if (influences->same_joints) {
        lanes_sum_same(matrices, influences, sums);
    } else {
        switch (influences->count) { /* constants, so that the loop is unrolled */
        case 1:
            lanes_sum_rows(matrices, influences, 1, sums, lower);
            break;
        case 2:
            lanes_sum_rows(matrices, influences, 2, sums, lower);
            break;
        case 3:
            lanes_sum_rows(matrices, influences, 3, sums, lower);
            break;
        case 4:
            lanes_sum_rows(matrices, influences, 4, sums, lower);
            break;
        default:
            lanes_sum_rows(matrices, influences, influences->count, sums, lower);
        }
        f8_transpose(sums);
        for (int i = 0; i < 4; i++)
            sums[8 + i] = f8_highs(lower[i], lower[i + 4]);
        f8_transpose_halves(&sums[8], &sums[9], &sums[10], &sums[11]);
    }
    lanes_finish_blend(sums, out_blend);
}

MRWI_INLINE lanes_vec3 lanes_transform_vector(const lanes_mat34 *matrix, lanes_vec3 v)
{
    return (lanes_vec3){lanes_dot(matrix->row[0], v), lanes_dot(matrix->row[1], v),
                        lanes_dot(matrix->row[2], v)};
}

MRWI_INLINE lanes_vec3 lanes_transform_point(const lanes_mat34 *matrix, lanes_vec3 p)
{
    return lanes_add(lanes_transform_vector(matrix, p), matrix->translation);
}

/* Where the determinant is negative. */
MRWI_INLINE m8 lanes_mirrors(const lanes_mat34 *matrix)
{
    lanes_vec3 cofactors = lanes_cross(matrix->row[1], matrix->row[2]);
    return f8_less(lanes_dot(matrix->row[0], cofactors), f8_zero());
}

/* transform_normal of skin_linear.c. */
MRWI_INLINE lanes_vec3 lanes_transform_normal(const lanes_mat34 *matrix, lanes_vec3 normal)
{
    lanes_vec3 cofactors = lanes_cross(matrix->row[1], matrix->row[2]);
    f8 determinant = lanes_dot(matrix->row[0], cofactors);
    lanes_vec3 turned = {lanes_dot(cofactors, normal),
                         lanes_dot(lanes_cross(matrix->row[2], matrix->row[0]), normal),
                         lanes_dot(lanes_cross(matrix->row[0], matrix->row[1]), normal)};
    m8 mirrors = f8_less(determinant, f8_zero());
    return lanes_scale(turned, f8_select(mirrors, f8_splat(-1.0f), f8_splat(1.0f)));
}

/* Lanes whose blend cannot be trusted. A vertex without weights has a blend of zeros, which moves
 * it to the origin, and a NaN in any element of the blend is one in the position. */
MRWI_INLINE m8 lanes_odd_position(lanes_vec3 p)
{
    f8 distance = f8_add(f8_add(f8_abs(p.x), f8_abs(p.y)), f8_abs(p.z));
    return m8_not(f8_less(f8_zero(), distance));
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
        const uint16_t *joints = influences->joints;
        if (influences->same_joints)
            q[v] = f8_splat((&dual_quats[joints[i]].real.x)[v]);
        else
            q[v] = f8_load(&dual_quats[joints[(size_t)v * influences->step + i]].real.x);
    }
    if (!influences->same_joints)
        f8_transpose(q);
    return (lanes_dual_quat){{q[0], q[1], q[2], q[3]}, {q[4], q[5], q[6], q[7]}};
}

/* The real parts of each vertex's heaviest influence. */
MRWI_INLINE lanes_quat lanes_pivot(const mrw_dual_quat *dual_quats,
                                   const lanes_influences *influences)
{
    f4 rows[8];
    for (uint32_t v = 0; v < 8; v++) {
        const float *weights = influences->weights + (size_t)v * influences->step;
        uint32_t heaviest = 0;
        for (uint32_t i = 1; i < influences->count; i++)
            heaviest = weights[i] > weights[heaviest] ? i : heaviest;
        uint16_t joint = influences->joints[(size_t)v * influences->step + heaviest];
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

/* The unit dual quaternion. Odd are sums without a length: they move nothing (also those of
 * vertices without weights). */
MRWI_INLINE void lanes_normalize_dual_quat(lanes_dual_quat *dual_quat, m8 *odd)
{
    f8 zero = f8_zero();
    lanes_quat zeros = {zero, zero, zero, zero};
    f8 length2 = lanes_quat_dot(dual_quat->real, dual_quat->real);
    f8 inverse = f8_div(f8_splat(1.0f), f8_sqrt(length2));
    dual_quat->real = lanes_quat_add_scaled(zeros, dual_quat->real, inverse);
    dual_quat->dual = lanes_quat_add_scaled(zeros, dual_quat->dual, inverse);
    *odd = m8_or(*odd, m8_not(f8_less(zero, length2)));
}
