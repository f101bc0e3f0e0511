/* The arithmetic of marrow/math.h as inline functions, for the loops of the other stages.
 *
 * Each does exactly what the public function of the same name does; those are wrappers around
 * these. Sums are written with their brackets: ((a + b) + c) + d. That order is part of the
 * contract, because vector kernels must repeat it to the last bit.
 */
#ifndef MRWI_MATH_INLINE_H
#define MRWI_MATH_INLINE_H

#include <marrow/math.h>

#include <float.h>
#include <string.h>

/* Intermediate results wider than their type (x87) would break bit-exactness. */
_Static_assert(FLT_EVAL_METHOD == 0, "floats must be evaluated as floats, e.g. with -mfpmath=sse");

/* Square root as one instruction, correctly rounded; -fno-math-errno keeps it from being a
 * call into libm. */
static inline float mrwi_sqrt(float x)
{
    return __builtin_sqrtf(x);
}

static inline double mrwi_sqrt_double(double x)
{
    return __builtin_sqrt(x);
}

static inline float mrwi_abs(float x)
{
    return __builtin_fabsf(x);
}

/* --- vectors ------------------------------------------------------------------------ */

static inline mrw_vec3 mrwi_vec3_add(mrw_vec3 a, mrw_vec3 b)
{
    return (mrw_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline mrw_vec3 mrwi_vec3_sub(mrw_vec3 a, mrw_vec3 b)
{
    return (mrw_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline mrw_vec3 mrwi_vec3_scale(mrw_vec3 v, float factor)
{
    return (mrw_vec3){v.x * factor, v.y * factor, v.z * factor};
}

/* a * (1 - t) + b * t: exact at both ends. */
static inline mrw_vec3 mrwi_vec3_lerp(mrw_vec3 a, mrw_vec3 b, float t)
{
    float s = 1.0f - t;
    return (mrw_vec3){a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
}

static inline float mrwi_vec3_dot(mrw_vec3 a, mrw_vec3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline mrw_vec3 mrwi_vec3_cross(mrw_vec3 a, mrw_vec3 b)
{
    return (mrw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* --- normalising -------------------------------------------------------------------- */

/* Squared lengths in this range can be divided by without loss; outside it the slow
 * functions below take over. */
#define MRWI_SAFE_LENGTH2_MIN 1e-30f
#define MRWI_SAFE_LENGTH2_MAX 1e30f

static inline bool mrwi_is_safe_length2(float length2)
{
    return length2 >= MRWI_SAFE_LENGTH2_MIN && length2 <= MRWI_SAFE_LENGTH2_MAX;
}

/* In double, where squares of floats neither vanish nor overflow. */
mrw_quat mrwi_quat_normalize_slow(mrw_quat q);
mrw_vec3 mrwi_vec3_normalize_slow(mrw_vec3 v);

static inline mrw_quat mrwi_quat_normalize(mrw_quat q)
{
    float length2 = ((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w;
    if (!mrwi_is_safe_length2(length2))
        return mrwi_quat_normalize_slow(q);
    float inverse = 1.0f / mrwi_sqrt(length2);
    return (mrw_quat){q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

/* Unit length; zero for a vector of zero or non-finite length. */
static inline mrw_vec3 mrwi_vec3_normalize(mrw_vec3 v)
{
    float length2 = mrwi_vec3_dot(v, v);
    if (!mrwi_is_safe_length2(length2))
        return mrwi_vec3_normalize_slow(v);
    return mrwi_vec3_scale(v, 1.0f / mrwi_sqrt(length2));
}

/* --- quaternions -------------------------------------------------------------------- */

static inline mrw_quat mrwi_quat_conjugate(mrw_quat q)
{
    return (mrw_quat){-q.x, -q.y, -q.z, q.w};
}

static inline float mrwi_quat_dot(mrw_quat a, mrw_quat b)
{
    return ((a.x * b.x + a.y * b.y) + a.z * b.z) + a.w * b.w;
}

/* Every component is add, add, subtract; w would rather be ww - xx - yy - zz. It is turned round
 * because gcc 12, at -O3 with FMA instructions, fuses a mixed row of additions and subtractions
 * (vfmsubadd) in spite of -ffp-contract=off. */
static inline mrw_quat mrwi_quat_mul(mrw_quat a, mrw_quat b)
{
    return (mrw_quat){
        ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
        ((a.w * b.y + a.y * b.w) + a.z * b.x) - a.x * b.z,
        ((a.w * b.z + a.z * b.w) + a.x * b.y) - a.y * b.x,
        -(((a.x * b.x + a.y * b.y) + a.z * b.z) - a.w * b.w),
    };
}

/* v + 2 w (u x v) + 2 u x (u x v), with q = (u, w): 18 multiplications instead of the 32 of
 * q v q*. */
static inline mrw_vec3 mrwi_quat_rotate(mrw_quat q, mrw_vec3 v)
{
    mrw_vec3 u = {q.x, q.y, q.z};
    mrw_vec3 c = mrwi_vec3_cross(u, v);
    mrw_vec3 twice = mrwi_vec3_add(c, c);
    mrw_vec3 turned = mrwi_vec3_add(v, mrwi_vec3_scale(twice, q.w));
    return mrwi_vec3_add(turned, mrwi_vec3_cross(u, twice));
}

static inline mrw_quat mrwi_quat_nlerp(mrw_quat a, mrw_quat b, float t)
{
    float s = 1.0f - t;
    float signed_t = mrwi_quat_dot(a, b) < 0.0f ? -t : t;
    mrw_quat sum = {a.x * s + b.x * signed_t, a.y * s + b.y * signed_t, a.z * s + b.z * signed_t,
                    a.w * s + b.w * signed_t};
    return mrwi_quat_normalize(sum);
}

/* --- affine matrices ---------------------------------------------------------------- */

static inline mrw_mat34 mrwi_mat34_from_transform(const mrw_transform *transform)
{
    mrw_quat q = transform->rotation;
    mrw_vec3 s = transform->scale;
    mrw_vec3 t = transform->translation;
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (mrw_mat34){{
        {(1.0f - (yy + zz)) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, t.x},
        {(xy + wz) * s.x, (1.0f - (xx + zz)) * s.y, (yz - wx) * s.z, t.y},
        {(xz - wy) * s.x, (yz + wx) * s.y, (1.0f - (xx + yy)) * s.z, t.z},
    }};
}

/* A row at a time: gcc and clang make one instruction of each operation where the machine has one,
 * and four where it has not; left to themselves they do not see it. The same operations for each
 * element either way. */
typedef float mrwi_row __attribute__((vector_size(16)));

static inline mrw_mat34 mrwi_mat34_mul(const mrw_mat34 *a, const mrw_mat34 *b)
{
    mrwi_row rows[3];
    memcpy(rows, b->m, sizeof(rows));
    mrw_mat34 product;
    for (int row = 0; row < 3; row++) {
        const float *r = a->m[row];
        mrwi_row sum = (r[0] * rows[0] + r[1] * rows[1]) + r[2] * rows[2];
        memcpy(product.m[row], &sum, sizeof(sum));
        product.m[row][3] = sum[3] + r[3];
    }
    return product;
}

static inline mrw_vec3 mrwi_mat34_transform_vector(const mrw_mat34 *matrix, mrw_vec3 v)
{
    const float(*m)[4] = matrix->m;
    return (mrw_vec3){(m[0][0] * v.x + m[0][1] * v.y) + m[0][2] * v.z,
                      (m[1][0] * v.x + m[1][1] * v.y) + m[1][2] * v.z,
                      (m[2][0] * v.x + m[2][1] * v.y) + m[2][2] * v.z};
}

static inline mrw_vec3 mrwi_mat34_transform_point(const mrw_mat34 *matrix, mrw_vec3 p)
{
    mrw_vec3 turned = mrwi_mat34_transform_vector(matrix, p);
    return (mrw_vec3){turned.x + matrix->m[0][3], turned.y + matrix->m[1][3],
                      turned.z + matrix->m[2][3]};
}

/* Row `row` of the cofactor matrix of the 3x3 part: the cross product of the other two rows.
 * The cofactor matrix is the inverse transpose times the determinant, and exists for every
 * matrix. */
static inline mrw_vec3 mrwi_mat34_cofactor_row(const mrw_mat34 *matrix, int row)
{
    const float *a = matrix->m[(row + 1) % 3];
    const float *b = matrix->m[(row + 2) % 3];
    return mrwi_vec3_cross((mrw_vec3){a[0], a[1], a[2]}, (mrw_vec3){b[0], b[1], b[2]});
}

static inline float mrwi_mat34_determinant(const mrw_mat34 *matrix)
{
    const float *r = matrix->m[0];
    return mrwi_vec3_dot((mrw_vec3){r[0], r[1], r[2]}, mrwi_mat34_cofactor_row(matrix, 0));
}

#endif
