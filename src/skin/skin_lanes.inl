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

/* The influences of eight neighbouring vertices. Where a joint's matrix or dual quaternion stands
 * in the palette, counted in floats: what is left of that to do takes as long as a multiplication.
 */
typedef struct lanes_influences {
    const uint32_t *places;
    const float *weights;
    size_t step;      /* from one vertex's to the next one's */
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

/* Sums of matrices on their way into lanes: element k % 4 of row k / 4. A group whose vertices have
 * the same joints is in lanes at once. Of others each line holds a row of vertex k % 4, and that of
 * the vertex four after it: so it is stored as it is summed, and only halves are left to turn. */
typedef struct lanes_sums {
    f8 line[12];
} lanes_sums;

/* The sum of one vertex's matrices as they lie in memory: rows 0 and 1, and row 2. */
MRWI_INLINE void lanes_sum_vertex(const float *matrices, const uint32_t *places,
                                  const float *weights, uint32_t count, bool of_four, f8 *out_upper,
                                  f4 *out_lower)
{
    /* Of four weights each is shuffled: loads are what the rest of this waits for. */
    f8 four = of_four ? f8_load_twice(weights) : f8_zero();
    f8 weight = of_four ? f8_half_lane(four, 0) : f8_splat(weights[0]);
    const float *matrix = matrices + places[0];
    f8 upper = f8_mul(weight, f8_load(matrix));
    f4 lower = f4_mul(f8_low(weight), f4_load(matrix + 8));
    for (uint32_t i = 1; i < count; i++) {
        weight = of_four ? f8_half_lane(four, (int)i) : f8_splat(weights[i]);
        matrix = matrices + places[i];
        upper = f8_add(upper, f8_mul(weight, f8_load(matrix)));
        lower = f4_add(lower, f4_mul(f8_low(weight), f4_load(matrix + 8)));
    }
    *out_upper = upper;
    *out_lower = lower;
}

MRWI_INLINE void lanes_sum_rows(const float *matrices, const lanes_influences *influences,
                                uint32_t count, lanes_sums *out_sums)
{
    size_t step = influences->step;
    bool of_four = step == 4;
    for (uint32_t v = 0; v < 4; v++) {
        const uint32_t *places = influences->places + v * step;
        const float *weights = influences->weights + v * step;
        f8 upper, other_upper;
        f4 lower, other_lower;
        lanes_sum_vertex(matrices, places, weights, count, of_four, &upper, &lower);
        lanes_sum_vertex(matrices, places + 4 * step, weights + 4 * step, count, of_four,
                         &other_upper, &other_lower);
        out_sums->line[v] = f8_lows(upper, other_upper);
        out_sums->line[4 + v] = f8_highs(upper, other_upper);
        out_sums->line[8 + v] = f8_join(lower, other_lower);
    }
}

MRWI_INLINE f8 lanes_load_weight(const lanes_influences *influences, uint32_t i)
{
    const float *w = influences->weights + i;
    size_t step = influences->step;
    return f8_join(f4_set(w[0], w[step], w[2 * step], w[3 * step]),
                   f4_set(w[4 * step], w[5 * step], w[6 * step], w[7 * step]));
}

/* Weights i to i + 3: of a vertex with fewer the next one's follow, also behind the eighth. */
MRWI_INLINE void lanes_load_four_weights(const lanes_influences *influences, uint32_t i, f8 out[4])
{
    f4 rows[8];
    for (uint32_t v = 0; v < 8; v++)
        rows[v] = f4_load(influences->weights + v * influences->step + i);
    f8_transpose4(rows, out);
}

/* At least the first `count` of them. */
MRWI_INLINE void lanes_load_weights(const lanes_influences *influences, uint32_t count, f8 out[8])
{
    out[0] = lanes_load_weight(influences, 0);
    if (count > 1)
        lanes_load_four_weights(influences, 0, out);
    if (count > 4)
        lanes_load_four_weights(influences, 4, out + 4);
}

/* Where all vertices have the same joints a matrix is read once for all of them. Meshes whose
 * vertices are sorted by their joints come here. */
MRWI_INLINE void lanes_sum_same(const float *matrices, const lanes_influences *influences,
                                uint32_t count, lanes_sums *out_sums)
{
    f8 weights[8];
    lanes_load_weights(influences, count, weights);
    const float *matrix[8];
    for (uint32_t i = 0; i < count; i++)
        matrix[i] = matrices + influences->places[i];
    for (int k = 0; k < 12; k++) {
        f8 sum = f8_mul(weights[0], f8_splat(matrix[0][k]));
        for (uint32_t i = 1; i < count; i++)
            sum = f8_add(sum, f8_mul(weights[i], f8_splat(matrix[i][k])));
        out_sums->line[k] = sum;
    }
}

/* Influences without a weight are added here. Where the palette is finite they add a zero, which
 * changes nothing but the sign of a zero (mrwi_vertex_transform). Where it is not, 0 * infinity
 * leaves a NaN, and the position shows it (lanes_odd_position). */
MRWI_INLINE void lanes_sum(const float *matrices, const lanes_influences *influences,
                           uint32_t count, lanes_sums *out_sums)
{
    if (influences->same_joints)
        lanes_sum_same(matrices, influences, count, out_sums);
    else
        lanes_sum_rows(matrices, influences, count, out_sums);
}

/* Four influences are what most meshes have: with constants the loops are unrolled. All of it is
 * inline, since a call from AVX code costs more than blending two vertices. */
MRWI_INLINE void lanes_blend(const float *matrices, const lanes_influences *influences,
                             lanes_sums *out_sums)
{
    if (influences->step != 4) {
        lanes_sum(matrices, influences, influences->count, out_sums);
        return;
    }
    lanes_influences four = *influences;
    four.step = 4;
    switch (four.count) {
    case 1:
        lanes_sum(matrices, &four, 1, out_sums);
        break;
    case 2:
        lanes_sum(matrices, &four, 2, out_sums);
        break;
    case 3:
        lanes_sum(matrices, &four, 3, out_sums);
        break;
    default:
        lanes_sum(matrices, &four, 4, out_sums);
    }
}

/* The blended matrices. (Field by field: gcc copies a structure of this size with a string
 * instruction, at half the time of all the rest.) */
MRWI_INLINE void lanes_load_blend(const lanes_sums *sums, bool in_lanes, lanes_mat34 *out_blend)
{
    f8 m[12];
    for (int k = 0; k < 12; k++)
        m[k] = sums->line[k];
    if (!in_lanes)
        for (int k = 0; k < 12; k += 4)
            f8_transpose_halves(&m[k], &m[k + 1], &m[k + 2], &m[k + 3]);
    for (int i = 0; i < 3; i++) {
        out_blend->row[i].x = m[4 * i];
        out_blend->row[i].y = m[4 * i + 1];
        out_blend->row[i].z = m[4 * i + 2];
    }
    out_blend->translation.x = m[3];
    out_blend->translation.y = m[7];
    out_blend->translation.z = m[11];
}

MRWI_INLINE lanes_vec3 lanes_positive_zeros(lanes_vec3 v)
{
    f8 zero = f8_zero();
    return lanes_add(v, (lanes_vec3){zero, zero, zero});
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

/* The real parts of influence i. */
MRWI_INLINE lanes_quat lanes_load_real(const float *dual_quats, const lanes_influences *influences,
                                       uint32_t i)
{
    const uint32_t *places = influences->places + i;
    const float *real = dual_quats + places[0];
    if (influences->same_joints)
        return (lanes_quat){f8_splat(real[0]), f8_splat(real[1]), f8_splat(real[2]),
                            f8_splat(real[3])};
    f4 rows[8];
    for (uint32_t v = 0; v < 8; v++)
        rows[v] = f4_load(dual_quats + places[v * influences->step]);
    f8 q[4];
    f8_transpose4(rows, q);
    return (lanes_quat){q[0], q[1], q[2], q[3]};
}

/* The real parts of each vertex's heaviest influence. */
MRWI_INLINE lanes_quat lanes_pivot(const float *dual_quats, const lanes_influences *influences)
{
    f4 rows[8];
    for (uint32_t v = 0; v < 8; v++) {
        const float *weights = influences->weights + v * influences->step;
        uint32_t heaviest = 0;
        for (uint32_t i = 1; i < influences->count; i++)
            heaviest = weights[i] > weights[heaviest] ? i : heaviest;
        rows[v] = f4_load(dual_quats + influences->places[v * influences->step + heaviest]);
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

/* The weights, negative for quaternions on the other side than the pivot. In nearly every mesh the
 * influences are sorted, and the first is the pivot: then it is loaded only once. */
MRWI_INLINE void lanes_dual_quat_factors(const float *dual_quats,
                                         const lanes_influences *influences, uint32_t count,
                                         f8 out_factors[8])
{
    f8 zero = f8_zero();
    lanes_load_weights(influences, count, out_factors);
    m8 first_is_lighter = f8_less(zero, zero);
    for (uint32_t i = 1; i < count; i++)
        first_is_lighter = m8_or(first_is_lighter, f8_less(out_factors[0], out_factors[i]));
    lanes_quat first = lanes_load_real(dual_quats, influences, 0), pivot = first;
    if (m8_any(first_is_lighter))
        pivot = lanes_pivot(dual_quats, influences);
    for (uint32_t i = 0; i < count; i++) {
        lanes_quat real = i == 0 ? first : lanes_load_real(dual_quats, influences, i);
        m8 far_side = f8_less(lanes_quat_dot(real, pivot), zero);
        out_factors[i] = f8_select(far_side, f8_neg(out_factors[i]), out_factors[i]);
    }
}

/* As for matrices: summed as they lie in memory, and then turned into lanes. */
MRWI_INLINE void lanes_sum_dual_quats(const float *dual_quats, const lanes_influences *influences,
                                      uint32_t count, lanes_dual_quat *out_sum)
{
    f8 factors[8], q[8];
    lanes_dual_quat_factors(dual_quats, influences, count, factors);
    if (influences->same_joints) {
        for (uint32_t k = 0; k < 8; k++) {
            q[k] = f8_zero();
            for (uint32_t i = 0; i < count; i++)
                q[k] = f8_add(q[k],
                              f8_mul(factors[i], f8_splat(dual_quats[influences->places[i] + k])));
        }
    } else {
        float of_vertex[8][8];
        for (uint32_t i = 0; i < count; i++)
            f8_store(of_vertex[i], factors[i]);
        for (uint32_t v = 0; v < 8; v++) {
            const uint32_t *places = influences->places + v * influences->step;
            q[v] = f8_zero();
            for (uint32_t i = 0; i < count; i++)
                q[v] = f8_add(q[v],
                              f8_mul(f8_splat(of_vertex[i][v]), f8_load(dual_quats + places[i])));
        }
        f8_transpose(q);
    }
    out_sum->real = (lanes_quat){q[0], q[1], q[2], q[3]};
    out_sum->dual = (lanes_quat){q[4], q[5], q[6], q[7]};
}

MRWI_INLINE void lanes_blend_dual_quats(const float *dual_quats, const lanes_influences *influences,
                                        lanes_dual_quat *out_sum)
{
    if (influences->step != 4) {
        lanes_sum_dual_quats(dual_quats, influences, influences->count, out_sum);
        return;
    }
    if (influences->count == 1) /* (of 2 and 3 there are too few) */
        lanes_sum_dual_quats(dual_quats, influences, 1, out_sum);
    else
        lanes_sum_dual_quats(dual_quats, influences, 4, out_sum);
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
