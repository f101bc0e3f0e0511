/* The few operations on vectors and rotations that the generators of `marrow demo` need. All of
 * them are sums and products in one order, so the files come out the same on every machine. */
#ifndef VIEW_DEMO_VEC_H
#define VIEW_DEMO_VEC_H

#include <marrow/math.h>

static inline float demo_radians(float degrees)
{
    return degrees * (MRW_PI / 180.0f);
}

static inline mrw_vec3 demo_vec(float x, float y, float z)
{
    return (mrw_vec3){x, y, z};
}

static inline mrw_vec3 demo_add(mrw_vec3 a, mrw_vec3 b)
{
    return demo_vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline mrw_vec3 demo_sub(mrw_vec3 a, mrw_vec3 b)
{
    return demo_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline mrw_vec3 demo_scale(mrw_vec3 a, float s)
{
    return demo_vec(a.x * s, a.y * s, a.z * s);
}

static inline float demo_dot(mrw_vec3 a, mrw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mrw_vec3 demo_cross(mrw_vec3 a, mrw_vec3 b)
{
    return demo_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float demo_length(mrw_vec3 a)
{
    return mrw_sqrt(demo_dot(a, a));
}

/* Zero stays zero. */
static inline mrw_vec3 demo_normalize(mrw_vec3 a)
{
    float length = demo_length(a);
    return length > 0.0f ? demo_scale(a, 1.0f / length) : a;
}

/* Roll about Z first, then pitch about X (positive leans forward), then yaw about Y (positive turns
 * to the left). */
static inline mrw_quat demo_rotation(float pitch_rad, float yaw_rad, float roll_rad)
{
    mrw_quat pitch = mrw_quat_from_axis_angle(demo_vec(1.0f, 0.0f, 0.0f), pitch_rad);
    mrw_quat yaw = mrw_quat_from_axis_angle(demo_vec(0.0f, 1.0f, 0.0f), yaw_rad);
    mrw_quat roll = mrw_quat_from_axis_angle(demo_vec(0.0f, 0.0f, 1.0f), roll_rad);
    return mrw_quat_mul(yaw, mrw_quat_mul(pitch, roll));
}

#endif
