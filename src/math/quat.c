#include <marrow/math.h>

#include "base/finite.h"
#include "math/math_inline.h"
#include "math/trig.h"

mrw_quat mrw_quat_identity(void)
{
    return (mrw_quat){0.0f, 0.0f, 0.0f, 1.0f};
}

mrw_quat mrw_quat_from_axis_angle(mrw_vec3 axis, float angle_rad)
{
    mrw_vec3 unit = mrwi_vec3_normalize(axis);
    bool zero_axis = unit.x == 0.0f && unit.y == 0.0f && unit.z == 0.0f;
    if (zero_axis || !mrwi_is_finite(angle_rad))
        return mrw_quat_identity();
    double half = 0.5 * (double)angle_rad;
    double sine = mrwi_sin_double(half);
    return mrwi_quat_normalize(
        (mrw_quat){(float)((double)unit.x * sine), (float)((double)unit.y * sine),
                   (float)((double)unit.z * sine), (float)mrwi_cos_double(half)});
}

mrw_quat mrwi_quat_normalize_slow(mrw_quat q)
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double length2 = ((x * x + y * y) + z * z) + w * w;
    if (!(length2 > 0.0 && length2 <= DBL_MAX))
        return mrw_quat_identity();
    double length = mrwi_sqrt_double(length2);
    return (mrw_quat){(float)(x / length), (float)(y / length), (float)(z / length),
                      (float)(w / length)};
}

mrw_vec3 mrwi_vec3_normalize_slow(mrw_vec3 v)
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    double length2 = (x * x + y * y) + z * z;
    if (!(length2 > 0.0 && length2 <= DBL_MAX))
        return (mrw_vec3){0.0f, 0.0f, 0.0f};
    double length = mrwi_sqrt_double(length2);
    return (mrw_vec3){(float)(x / length), (float)(y / length), (float)(z / length)};
}

mrw_quat mrw_quat_normalize(mrw_quat q)
{
    return mrwi_quat_normalize(q);
}

mrw_quat mrw_quat_conjugate(mrw_quat q)
{
    return mrwi_quat_conjugate(q);
}

float mrw_quat_dot(mrw_quat a, mrw_quat b)
{
    return mrwi_quat_dot(a, b);
}

mrw_quat mrw_quat_mul(mrw_quat a, mrw_quat b)
{
    return mrwi_quat_mul(a, b);
}

mrw_vec3 mrw_quat_rotate(mrw_quat q, mrw_vec3 v)
{
    return mrwi_quat_rotate(q, v);
}

/* The angle between two unit quaternions, from the chords to b and to -b: the arc cosine of
 * the dot product would lose half of its digits where they nearly agree, which is where the
 * keys of real clips are. In [0, pi/2] for quaternions on one hemisphere. */
static double angle_between(mrw_quat a, mrw_quat b)
{
    double difference2 = 0.0, sum2 = 0.0;
    const double as[4] = {(double)a.x, (double)a.y, (double)a.z, (double)a.w};
    const double bs[4] = {(double)b.x, (double)b.y, (double)b.z, (double)b.w};
    for (int i = 0; i < 4; i++) {
        double difference = as[i] - bs[i];
        double sum = as[i] + bs[i];
        difference2 += difference * difference;
        sum2 += sum * sum;
    }
    return 2.0 * mrwi_atan2_double(mrwi_sqrt_double(difference2), mrwi_sqrt_double(sum2));
}

/* Quaternions less than this apart are mixed by nlerp: the two differ by less than angle^3 / 100,
 * here by less than 1e-14. */
#define SLERP_MIN_ANGLE 1e-4

mrw_quat mrw_quat_slerp(mrw_quat a, mrw_quat b, float t)
{
    if (mrwi_quat_dot(a, b) < 0.0f)
        b = (mrw_quat){-b.x, -b.y, -b.z, -b.w};
    double angle = angle_between(a, b);
    /* Negated, so that NaN takes this way too. */
    if (!(angle >= SLERP_MIN_ANGLE))
        return mrwi_quat_nlerp(a, b, t);
    double sine = mrwi_sin_double(angle);
    double weight_a = mrwi_sin_double((1.0 - (double)t) * angle) / sine;
    double weight_b = mrwi_sin_double((double)t * angle) / sine;
    return mrwi_quat_normalize(
        (mrw_quat){(float)((double)a.x * weight_a + (double)b.x * weight_b),
                   (float)((double)a.y * weight_a + (double)b.y * weight_b),
                   (float)((double)a.z * weight_a + (double)b.z * weight_b),
                   (float)((double)a.w * weight_a + (double)b.w * weight_b)});
}

mrw_quat mrw_quat_nlerp(mrw_quat a, mrw_quat b, float t)
{
    return mrwi_quat_nlerp(a, b, t);
}
