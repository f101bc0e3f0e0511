/* The rotations of a joint as three numbers: docs/format/clip_packed_v1.md, "What the numbers
 * mean".
 *
 *     rotation = L X B',   X = swing(a, b) twist(c),   each number the tangent of a quarter of an
 * angle
 *
 * A quaternion (0 0 sin cos) has tan(angle / 4) = sin / (1 + cos) of half the angle, so no
 * trigonometry is needed in either direction. */
#ifndef MRWI_JOINT_CHART_H
#define MRWI_JOINT_CHART_H

#include "offline/compress/rotation_double.h"

#include <stdint.h>

typedef struct mrwi_chart {
    int8_t centre[4]; /* L as it is written */
    int8_t axis[2];   /* u, v */
    mrwi_quatd left;  /* L of unit length */
    mrwi_quatd right; /* B' of unit length */
} mrwi_chart;

/* A chart around `mean` whose twist turns about `axis` (of the joint; any length but 0). */
mrwi_chart mrwi_chart_make(mrwi_quatd mean, mrwi_vec3d axis);

/* The numbers of a rotation. A twist has two of them, a turn apart: that nearer to `near` is taken,
 * unless it comes close to the end of the numbers. */
static inline mrwi_vec3d mrwi_chart_numbers(const mrwi_chart *chart, mrwi_quatd rotation,
                                            double near)
{
    mrwi_quatd x = mrwi_quatd_mul(mrwi_quatd_mul(mrwi_quatd_conjugate(chart->left), rotation),
                                  mrwi_quatd_conjugate(chart->right));
    /* Of the twist (0 0 z w) / cosine; sin / (1 + cos) of it and -(1 + cos) / sin, each where it
     * does not cancel. */
    const double cosine = mrwi_sqrt_double(x.z * x.z + x.w * x.w);
    const bool has_twist = cosine > 1e-9;
    const double z = has_twist ? x.z : 0.0, w = has_twist ? x.w : 1.0,
                 length = has_twist ? cosine : 1.0;
    const double scale = 1.0 / (length * (1.0 + cosine));
    mrwi_vec3d numbers = {(x.x * w - x.y * z) * scale, (x.x * z + x.y * w) * scale, 0.0};
    numbers.z = w >= 0.0 ? z / (length + w) : z != 0.0 ? (length - w) / z : 1e9;
    const double c = numbers.z;
    const double first = c > near ? c - near : near - c;
    const double end = 4.0; /* 304 degrees of twist */
    if (first < 1.0 && c <= end && c >= -end)
        return numbers; /* the other one is at least 2 away from it */
    const double other = w < 0.0 ? -z / (length - w) : z != 0.0 ? -(length + w) / z : 1e9;
    const double second = other > near ? other - near : near - other;
    bool take_other = second < first;
    if (take_other ? (other > end || other < -end) : (c > end || c < -end))
        take_other = !take_other;
    numbers.z = take_other ? other : c;
    return numbers;
}

static inline mrwi_quatd mrwi_chart_rotation(const mrwi_chart *chart, mrwi_vec3d numbers)
{
    const double a = numbers.x, b = numbers.y, c = numbers.z;
    const double m = a * a + b * b, k = c * c;
    const double scale = 1.0 / ((1.0 + m) * (1.0 + k));
    const double sx = 2.0 * a * scale, sy = 2.0 * b * scale, sw = (1.0 - m) * scale;
    const double tz = 2.0 * c, tw = 1.0 - k;
    mrwi_quatd x = {sx * tw + sy * tz, sy * tw - sx * tz, sw * tz, sw * tw};
    return mrwi_quatd_mul(mrwi_quatd_mul(chart->left, x), chart->right);
}

#endif
