/* Skinning once more, in double precision and by other ways than the library's: inverses instead
 * of cofactors, matrices instead of quaternion products. Tests compare against it. */
#ifndef TESTS_SKIN_REFERENCE_H
#define TESTS_SKIN_REFERENCE_H

#include <marrow/skin.h>

#include <math.h>

typedef struct reference_vertex {
    double position[3];
    double normal[3];
    double tangent[3];
    double handedness;
} reference_vertex;

typedef struct reference_matrix {
    double m[3][4];
} reference_matrix;

static inline void reference_normalize(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] = length > 0.0 ? v[i] / length : 0.0;
}

static inline double reference_determinant(const reference_matrix *a)
{
    return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
           a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
           a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

/* out = 3x3 part * v (+ translation) */
static inline void reference_multiply(const reference_matrix *a, const double v[3],
                                      double translation, double out[3])
{
    double result[3];
    for (int row = 0; row < 3; row++)
        result[row] = a->m[row][0] * v[0] + a->m[row][1] * v[1] + a->m[row][2] * v[2] +
                      translation * a->m[row][3];
    for (int row = 0; row < 3; row++)
        out[row] = result[row];
}

/* Solves transpose(A) * x = v by Cramer's rule: x is the inverse transpose times v. */
static inline void reference_inverse_transpose(const reference_matrix *a, double v[3])
{
    double determinant = reference_determinant(a), x[3];
    for (int unknown = 0; unknown < 3; unknown++) {
        reference_matrix replaced;
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                replaced.m[row][column] = column == unknown ? v[row] : a->m[column][row];
        x[unknown] = reference_determinant(&replaced) / determinant;
    }
    for (int i = 0; i < 3; i++)
        v[i] = x[i];
}

static inline reference_matrix reference_blend(const mrw_mat34 *matrices, const mrw_skin_job *job,
                                               uint32_t vertex)
{
    reference_matrix sum = {{{0.0}}};
    const uint16_t *joints = job->joints;
    const float *weights = job->weights;
    for (uint32_t i = 0; i < job->influence_count; i++) {
        size_t at = (size_t)vertex * job->influence_count + i;
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                sum.m[row][column] +=
                    (double)weights[at] * (double)matrices[joints[at]].m[row][column];
    }
    return sum;
}

static inline void reference_transform(const mrw_skin_job *job, const reference_matrix *matrix,
                                       reference_vertex *vertex)
{
    reference_multiply(matrix, vertex->position, 1.0, vertex->position);
    reference_multiply(matrix, vertex->tangent, 0.0, vertex->tangent);
    if (job->normal_mode == MRW_NORMAL_LINEAR)
        reference_multiply(matrix, vertex->normal, 0.0, vertex->normal);
    else
        reference_inverse_transpose(matrix, vertex->normal);
    if (reference_determinant(matrix) < 0.0)
        vertex->handedness = -vertex->handedness;
}

static inline double reference_dot4(const double a[8], const double b[8])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* The matrix of a dual quaternion divided by the length of its real part: the rotation by the
 * usual formula, the translation from Kavan et al. 2008, algorithm 1. */
static inline reference_matrix reference_rigid(const double q[8])
{
    double length = sqrt(reference_dot4(q, q));
    double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    double dx = q[4] / length, dy = q[5] / length, dz = q[6] / length, dw = q[7] / length;
    return (reference_matrix){
        {{w * w + x * x - y * y - z * z, 2 * x * y - 2 * w * z, 2 * x * z + 2 * w * y,
          2 * (-dw * x + dx * w - dy * z + dz * y)},
         {2 * x * y + 2 * w * z, w * w - x * x + y * y - z * z, 2 * y * z - 2 * w * x,
          2 * (-dw * y + dx * z + dy * w - dz * x)},
         {2 * x * z - 2 * w * y, 2 * y * z + 2 * w * x, w * w - x * x - y * y + z * z,
          2 * (-dw * z - dx * y + dy * x + dz * w)}}};
}

static inline void reference_load_dual_quat(const mrw_dual_quat *from, double to[8])
{
    const float values[8] = {from->real.x, from->real.y, from->real.z, from->real.w,
                             from->dual.x, from->dual.y, from->dual.z, from->dual.w};
    for (int i = 0; i < 8; i++)
        to[i] = (double)values[i];
}

static inline void reference_dual_quat(const mrw_skin_job *job, uint32_t index,
                                       reference_vertex *vertex)
{
    if (job->stretches != NULL) {
        reference_matrix stretch = reference_blend(job->stretches, job, index);
        reference_transform(job, &stretch, vertex);
    }
    const uint16_t *joints = job->joints;
    const float *weights = job->weights;
    size_t first = (size_t)index * job->influence_count;
    size_t heaviest = first;
    for (size_t at = first; at < first + job->influence_count; at++)
        if (weights[at] > weights[heaviest])
            heaviest = at;
    double pivot[8], sum[8] = {0.0};
    reference_load_dual_quat(&job->dual_quats[joints[heaviest]], pivot);
    for (size_t at = first; at < first + job->influence_count; at++) {
        double q[8];
        reference_load_dual_quat(&job->dual_quats[joints[at]], q);
        double sign = reference_dot4(q, pivot) < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < 8; i++)
            sum[i] += sign * (double)weights[at] * q[i];
    }
    reference_matrix rigid = reference_rigid(sum);
    reference_multiply(&rigid, vertex->position, 1.0, vertex->position);
    reference_multiply(&rigid, vertex->normal, 0.0, vertex->normal);
    reference_multiply(&rigid, vertex->tangent, 0.0, vertex->tangent);
    reference_normalize(vertex->normal);
    reference_normalize(vertex->tangent);
}

static inline void reference_linear(const mrw_skin_job *job, uint32_t index,
                                    reference_vertex *vertex)
{
    reference_matrix matrix = reference_blend(job->palette, job, index);
    reference_transform(job, &matrix, vertex);
    reference_normalize(vertex->normal);
    reference_normalize(vertex->tangent);
}

static inline void reference_mix(const double a[3], double b[3], double t)
{
    for (int i = 0; i < 3; i++)
        b[i] = (1.0 - t) * a[i] + t * b[i];
}

/* What mrw_skin_vertices should give for a vertex with these attributes. */
static inline reference_vertex reference_skin(const mrw_skin_job *job, uint32_t index,
                                              reference_vertex bind)
{
    reference_vertex linear = bind, dual_quat = bind;
    if (job->method != MRW_SKIN_DUAL_QUAT)
        reference_linear(job, index, &linear);
    if (job->method != MRW_SKIN_LINEAR)
        reference_dual_quat(job, index, &dual_quat);
    if (job->method == MRW_SKIN_LINEAR)
        return linear;
    if (job->method == MRW_SKIN_BLENDED) {
        double b = (double)job->dual_quat_weights[index];
        reference_mix(linear.position, dual_quat.position, b);
        reference_mix(linear.normal, dual_quat.normal, b);
        reference_mix(linear.tangent, dual_quat.tangent, b);
        reference_normalize(dual_quat.normal);
        reference_normalize(dual_quat.tangent);
    }
    return dual_quat;
}

#endif
