#include "core/orbit.h"

#define LARGEST_PITCH_RAD (89.0f * MRW_PI / 180.0f)

/* Zoom stops where the eye is this many scene sizes from the target. */
#define NEAREST 0.01f
#define FARTHEST 100.0f

static float clamp(float value, float least, float most)
{
    if (!(value > least)) /* a NaN too */
        return least;
    return value < most ? value : most;
}

static view_camera_place place_of(const view_orbit *orbit)
{
    view_camera_place place = {orbit->target,   orbit->yaw_rad,      orbit->pitch_rad,
                               orbit->distance, orbit->scene_centre, orbit->scene_size};
    return place;
}

view_orbit view_orbit_frame(const view_bounds *bounds, float yaw_rad, float pitch_rad, float aspect)
{
    view_camera_place place = view_camera_fit(bounds, yaw_rad, pitch_rad, aspect);
    view_orbit orbit = {place.target,   place.yaw_rad,      place.pitch_rad,
                        place.distance, place.scene_radius, place.scene_centre};
    return orbit;
}

void view_orbit_set_scene(view_orbit *orbit, const view_bounds *bounds)
{
    view_camera_place place = view_camera_fit(bounds, orbit->yaw_rad, orbit->pitch_rad, 1.0f);
    orbit->scene_size = place.scene_radius;
    orbit->scene_centre = place.scene_centre;
}

/* The yaw stays small, so that a scene that was turned for hours still turns smoothly. */
static float wrapped_yaw(float yaw_rad)
{
    if (!(yaw_rad > -64.0f && yaw_rad < 64.0f))
        return 0.0f;
    while (yaw_rad > MRW_PI)
        yaw_rad -= 2.0f * MRW_PI;
    while (yaw_rad < -MRW_PI)
        yaw_rad += 2.0f * MRW_PI;
    return yaw_rad;
}

/* The scene follows the pointer: to the right it turns to the right, so the camera goes left. */
void view_orbit_rotate(view_orbit *orbit, float dx, float dy, float height)
{
    if (!(height > 0.0f))
        return;
    orbit->yaw_rad = wrapped_yaw(orbit->yaw_rad - dx * (MRW_PI / height));
    orbit->pitch_rad =
        clamp(orbit->pitch_rad + dy * (MRW_PI / height), -LARGEST_PITCH_RAD, LARGEST_PITCH_RAD);
}

void view_orbit_pan(view_orbit *orbit, float dx, float dy, float height)
{
    if (!(height > 0.0f))
        return;
    view_camera camera = view_orbit_camera(orbit, 1.0f);
    float unit = 2.0f * orbit->distance * view_camera_half_height() / height; /* of one pixel */
    float right = -dx * unit, up = dy * unit;
    orbit->target.x += right * camera.right.x + up * camera.up.x;
    orbit->target.y += right * camera.right.y + up * camera.up.y;
    orbit->target.z += right * camera.right.z + up * camera.up.z;
}

/* A notch brings the eye nearer by a tenth; parts of a notch, which touch pads send, add up to the
 * same: (1 - x / 1024)^1024 is e^-x. */
static float zoom_factor(float steps)
{
    const double notch = 0.10536051565782628; /* -ln(0.9) */
    double factor = 1.0 - notch * (double)steps / 1024.0;
    for (int i = 0; i < 10; i++)
        factor *= factor;
    return (float)factor;
}

void view_orbit_zoom(view_orbit *orbit, float steps)
{
    float size = clamp(steps < 0.0f ? -steps : steps, 0.0f, 100.0f);
    float factor = zoom_factor(size);
    float distance = steps < 0.0f ? orbit->distance / factor : orbit->distance * factor;
    /* What was framed from outside of the limits (a very narrow window) does not jump into them. */
    float nearest = NEAREST * orbit->scene_size, farthest = FARTHEST * orbit->scene_size;
    nearest = orbit->distance < nearest ? orbit->distance : nearest;
    farthest = orbit->distance > farthest ? orbit->distance : farthest;
    orbit->distance = clamp(distance, nearest, farthest);
}

view_camera view_orbit_camera(const view_orbit *orbit, float aspect)
{
    view_camera_place place = place_of(orbit);
    return view_camera_at(&place, aspect);
}

bool view_camera_project(const view_camera *camera, mrw_vec3 point, float width, float height,
                         float *out_x, float *out_y)
{
    const float *m = camera->view_projection;
    float x = m[0] * point.x + m[4] * point.y + m[8] * point.z + m[12];
    float y = m[1] * point.x + m[5] * point.y + m[9] * point.z + m[13];
    float w = m[3] * point.x + m[7] * point.y + m[11] * point.z + m[15];
    if (!(w > 0.0f))
        return false;
    *out_x = (0.5f + 0.5f * x / w) * width;
    *out_y = (0.5f - 0.5f * y / w) * height;
    return true;
}
