/* 3x3 matrices in double precision, for the few functions that take a matrix apart: there the
 * squares and triple products of a scale of 0.01, or of 1e-15, must not drown. */
#ifndef MRWI_MATH_MAT33D_H
#define MRWI_MATH_MAT33D_H

#include <marrow/math.h>

#include "base/finite.h"
#include "math/math_inline.h"

#include <string.h>

typedef struct mrwi_vec3d {
    double x, y, z;
} mrwi_vec3d;

typedef struct mrwi_mat33d {
    double m[3][3]; /* [row][column] */
} mrwi_mat33d;

static inline double mrwi_vec3d_dot(mrwi_vec3d a, mrwi_vec3d b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline mrwi_vec3d mrwi_vec3d_cross(mrwi_vec3d a, mrwi_vec3d b)
{
    return (mrwi_vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline mrwi_vec3d mrwi_vec3d_scale(mrwi_vec3d v, double factor)
{
    return (mrwi_vec3d){v.x * factor, v.y * factor, v.z * factor};
}

/* A unit vector at right angles to the unit vector v: across the axis that v leans to least. */
static inline mrwi_vec3d mrwi_vec3d_perpendicular(mrwi_vec3d v)
{
    double ax = v.x < 0.0 ? -v.x : v.x, ay = v.y < 0.0 ? -v.y : v.y, az = v.z < 0.0 ? -v.z : v.z;
    mrwi_vec3d axis = {0.0, 0.0, 0.0};
    if (ax <= ay && ax <= az)
        axis.x = 1.0;
    else if (ay <= az)
        axis.y = 1.0;
    else
        axis.z = 1.0;
    mrwi_vec3d across = mrwi_vec3d_cross(v, axis);
    return mrwi_vec3d_scale(across, 1.0 / mrwi_sqrt_double(mrwi_vec3d_dot(across, across)));
}

/* Whether all twelve elements are finite. */
static inline bool mrwi_mat34_is_finite(const mrw_mat34 *matrix)
{
    return mrwi_all_finite(&matrix->m[0][0], 12);
}

static inline mrwi_mat33d mrwi_mat33d_from_mat34(const mrw_mat34 *matrix)
{
    mrwi_mat33d result;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            result.m[row][column] = (double)matrix->m[row][column];
    return result;
}

static inline mrwi_vec3d mrwi_mat33d_row(const mrwi_mat33d *matrix, int row)
{
    return (mrwi_vec3d){matrix->m[row][0], matrix->m[row][1], matrix->m[row][2]};
}

static inline mrwi_vec3d mrwi_mat33d_column(const mrwi_mat33d *matrix, int column)
{
    return (mrwi_vec3d){matrix->m[0][column], matrix->m[1][column], matrix->m[2][column]};
}

/* The inverse transpose times the determinant. */
static inline mrwi_mat33d mrwi_mat33d_cofactors(const mrwi_mat33d *matrix)
{
    mrwi_mat33d cofactors;
    for (int row = 0; row < 3; row++) {
        mrwi_vec3d c = mrwi_vec3d_cross(mrwi_mat33d_row(matrix, (row + 1) % 3),
                                        mrwi_mat33d_row(matrix, (row + 2) % 3));
        cofactors.m[row][0] = c.x;
        cofactors.m[row][1] = c.y;
        cofactors.m[row][2] = c.z;
    }
    return cofactors;
}

static inline double mrwi_mat33d_determinant(const mrwi_mat33d *matrix,
                                             const mrwi_mat33d *cofactors)
{
    return mrwi_vec3d_dot(mrwi_mat33d_row(matrix, 0), mrwi_mat33d_row(cofactors, 0));
}

/* Square root of the sum of squares of the elements. */
static inline double mrwi_mat33d_norm(const mrwi_mat33d *matrix)
{
    double sum = 0.0;
    for (int row = 0; row < 3; row++) {
        mrwi_vec3d r = mrwi_mat33d_row(matrix, row);
        sum += mrwi_vec3d_dot(r, r);
    }
    return mrwi_sqrt_double(sum);
}

/* Largest element of transpose(M) * M - 1 with which mrw_dual_quat_from_mat34 takes the series
 * instead of the iteration. What the series leave out is then below 5/16 (3e-4)^3 = 9e-12, where a
 * float rounds to 3e-8. */
#define MRWI_NEAR_RIGID 1e-4

/* What an element of a stretch may differ from the identity's and still be called rounding. */
#define MRWI_RIGID_TOLERANCE 1e-5f

/* The unit quaternion of a rotation matrix, w >= 0. */
mrw_quat mrwi_quat_from_rotation(const mrwi_mat33d *rotation);

#endif
