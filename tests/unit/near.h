/* Comparing numbers in tests. Each is written so that NaN fails. */
#ifndef TESTS_NEAR_H
#define TESTS_NEAR_H

#include <marrow/math.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* The larger of two errors. */
static inline double worst(double so_far, double error)
{
    return error <= so_far ? so_far : error;
}

static inline void assert_below(double value, double limit)
{
    if (!(value < limit))
        fail_msg("%.9g is not below %.9g", value, limit);
}

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %.3g", value, expected, tolerance);
}

static inline void assert_vec3(mrw_vec3 v, double x, double y, double z, double tolerance)
{
    if (!(fabs((double)v.x - x) <= tolerance && fabs((double)v.y - y) <= tolerance &&
          fabs((double)v.z - z) <= tolerance))
        fail_msg("(%.9g %.9g %.9g) is not (%.9g %.9g %.9g) within %.3g", (double)v.x, (double)v.y,
                 (double)v.z, x, y, z, tolerance);
}

static inline void assert_floats3(const float v[3], double x, double y, double z, double tolerance)
{
    assert_vec3((mrw_vec3){v[0], v[1], v[2]}, x, y, z, tolerance);
}

/* Largest difference of an element in the first column_count columns. */
static inline double mat34_difference(const mrw_mat34 *a, const mrw_mat34 *b, int column_count)
{
    double difference = 0.0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < column_count; column++)
            difference =
                worst(difference, fabs((double)a->m[row][column] - (double)b->m[row][column]));
    return difference;
}

#endif
