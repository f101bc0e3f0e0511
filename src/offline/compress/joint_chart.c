#include "offline/compress/joint_chart.h"

/* Rounded to the nearest of -limit to limit. */
static int8_t round_to_byte(double x, double limit)
{
    double clamped = x < -limit ? -limit : x > limit ? limit : x;
    return (int8_t)(clamped < 0.0 ? clamped - 0.5 : clamped + 0.5);
}

/* The rotation that takes z to the axis or to its opposite, whichever is nearer: both are the same
 * axis to turn about. (u v 0 1) turns z by half of the angle to both sides of the axis. */
static void set_axis(mrwi_chart *chart, mrwi_vec3d axis)
{
    double length = mrwi_sqrt_double(mrwi_vec3d_dot(axis, axis));
    mrwi_vec3d a = {0.0, 0.0, 1.0};
    if (length > 0.0)
        a = mrwi_vec3d_scale(axis, (axis.z < 0.0 ? -1.0 : 1.0) / length);
    chart->axis[0] = round_to_byte(-a.y / (1.0 + a.z) * 128.0, 127.0);
    chart->axis[1] = round_to_byte(a.x / (1.0 + a.z) * 128.0, 127.0);
    mrwi_quatd right = {-chart->axis[0] / 128.0, -chart->axis[1] / 128.0, 0.0, 1.0};
    chart->right = mrwi_quatd_normalize(right);
}

mrwi_chart mrwi_chart_make(mrwi_quatd mean, mrwi_vec3d axis)
{
    mrwi_chart chart;
    set_axis(&chart, axis);
    mrwi_quatd left = mrwi_quatd_normalize(mrwi_quatd_mul(mean, mrwi_quatd_conjugate(chart.right)));
    const double parts[4] = {left.x, left.y, left.z, left.w};
    for (int i = 0; i < 4; i++)
        chart.centre[i] = round_to_byte(parts[i] * 127.0, 127.0);
    mrwi_quatd written = {chart.centre[0], chart.centre[1], chart.centre[2], chart.centre[3]};
    chart.left = mrwi_quatd_normalize(written);
    return chart;
}
