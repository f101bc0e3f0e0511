/* Vectors and rotations in double precision, for the quantiser: its errors must be those of the
 * numbers that it rounds, not its own. */
#ifndef MRWI_ROTATION_DOUBLE_H
#define MRWI_ROTATION_DOUBLE_H

#include "math/math_inline.h"
#include "math/mat33d.h"

typedef struct mrwi_quatd {
    double x, y, z, w;
} mrwi_quatd;

static inline mrwi_vec3d mrwi_vec3d_add(mrwi_vec3d a, mrwi_vec3d b)
{
    return (mrwi_vec3d){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline mrwi_vec3d mrwi_vec3d_sub(mrwi_vec3d a, mrwi_vec3d b)
{
    return (mrwi_vec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline mrwi_quatd mrwi_quatd_conjugate(mrwi_quatd q)
{
    return (mrwi_quatd){-q.x, -q.y, -q.z, q.w};
}

static inline mrwi_quatd mrwi_quatd_mul(mrwi_quatd a, mrwi_quatd b)
{
    return (mrwi_quatd){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline double mrwi_quatd_dot(mrwi_quatd a, mrwi_quatd b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* The identity for a quaternion without a length. */
static inline mrwi_quatd mrwi_quatd_normalize(mrwi_quatd q)
{
    double length = mrwi_sqrt_double(mrwi_quatd_dot(q, q));
    if (!(length > 0.0))
        return (mrwi_quatd){0.0, 0.0, 0.0, 1.0};
    const double by = 1.0 / length;
    return (mrwi_quatd){q.x * by, q.y * by, q.z * by, q.w * by};
}

static inline mrwi_vec3d mrwi_quatd_rotate(mrwi_quatd q, mrwi_vec3d v)
{
    mrwi_vec3d u = {q.x, q.y, q.z};
    mrwi_vec3d twice = mrwi_vec3d_scale(mrwi_vec3d_cross(u, v), 2.0);
    return mrwi_vec3d_add(mrwi_vec3d_add(v, mrwi_vec3d_scale(twice, q.w)),
                          mrwi_vec3d_cross(u, twice));
}

static inline mrwi_vec3d mrwi_vec3d_from(mrw_vec3 v)
{
    return (mrwi_vec3d){(double)v.x, (double)v.y, (double)v.z};
}

/* Of unit length. */
static inline mrwi_quatd mrwi_quatd_from(mrw_quat q)
{
    return mrwi_quatd_normalize((mrwi_quatd){(double)q.x, (double)q.y, (double)q.z, (double)q.w});
}

static inline mrwi_vec3d mrwi_mat33d_transform(const mrwi_mat33d *matrix, mrwi_vec3d v)
{
    return (mrwi_vec3d){mrwi_vec3d_dot(mrwi_mat33d_row(matrix, 0), v),
                        mrwi_vec3d_dot(mrwi_mat33d_row(matrix, 1), v),
                        mrwi_vec3d_dot(mrwi_mat33d_row(matrix, 2), v)};
}

static inline mrwi_mat33d mrwi_mat33d_product(const mrwi_mat33d *a, const mrwi_mat33d *b)
{
    mrwi_mat33d product;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            product.m[row][column] =
                mrwi_vec3d_dot(mrwi_mat33d_row(a, row), mrwi_mat33d_column(b, column));
    return product;
}

/* The columns are where the axes go. q of unit length. */
static inline mrwi_mat33d mrwi_mat33d_from_quatd(mrwi_quatd q)
{
    const double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    const double xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (mrwi_mat33d){{{1.0 - (yy + zz), xy - wz, xz + wy},
                          {xy + wz, 1.0 - (xx + zz), yz - wx},
                          {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

#endif
