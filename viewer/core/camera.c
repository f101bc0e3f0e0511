#include "core/camera.h"

#include <float.h>

/* Vertical: a long lens flatters characters. */
#define FIELD_OF_VIEW_RAD (30.0f * MRW_PI / 180.0f)
#define MARGIN 1.12f

static float dot(mrw_vec3 a, mrw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

void view_matrix_mul(const float a[16], const float b[16], float out[16])
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++)
                sum += a[k * 4 + row] * b[column * 4 + k];
            out[column * 4 + row] = sum;
        }
}

float view_camera_half_height(void)
{
    return mrw_sin(0.5f * FIELD_OF_VIEW_RAD) / mrw_cos(0.5f * FIELD_OF_VIEW_RAD);
}

static void turn(view_camera *camera, float yaw_rad, float pitch_rad)
{
    float sin_yaw = mrw_sin(yaw_rad), cos_yaw = mrw_cos(yaw_rad);
    float sin_pitch = mrw_sin(pitch_rad), cos_pitch = mrw_cos(pitch_rad);
    camera->right = (mrw_vec3){cos_yaw, 0.0f, -sin_yaw};
    camera->back = (mrw_vec3){sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch};
    camera->up = (mrw_vec3){-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch};
}

/* The smallest distance from the centre at which all eight corners are inside the frustum. A corner
 * that lies z in front of the centre and x beside the axis is seen from z + |x| / tan on. */
static float fitting_distance(const view_camera *camera, mrw_vec3 half, float tan_x, float tan_y)
{
    float distance = 0.0f;
    for (int i = 0; i < 8; i++) {
        mrw_vec3 corner = {(i & 1) ? half.x : -half.x, (i & 2) ? half.y : -half.y,
                           (i & 4) ? half.z : -half.z};
        float x = dot(corner, camera->right);
        float y = dot(corner, camera->up);
        float z = dot(corner, camera->back);
        float needed_x = z + MARGIN * (x < 0.0f ? -x : x) / tan_x;
        float needed_y = z + MARGIN * (y < 0.0f ? -y : y) / tan_y;
        float needed = needed_x > needed_y ? needed_x : needed_y;
        distance = needed > distance ? needed : distance;
    }
    return distance;
}

view_camera_place view_camera_fit(const view_bounds *bounds, float yaw_rad, float pitch_rad,
                                  float aspect)
{
    mrw_vec3 min = bounds->min, max = bounds->max;
    mrw_vec3 centre = {0.5f * (min.x + max.x), 0.5f * (min.y + max.y), 0.5f * (min.z + max.z)};
    mrw_vec3 half = {0.5f * (max.x - min.x), 0.5f * (max.y - min.y), 0.5f * (max.z - min.z)};
    float radius = mrw_sqrt(dot(half, half));
    bool is_usable = !view_bounds_is_empty(bounds) && radius <= FLT_MAX;
    if (!is_usable)
        centre = (mrw_vec3){0.0f, 0.0f, 0.0f};
    if (!is_usable || !(radius > 1e-6f)) {
        half = (mrw_vec3){0.5f, 0.5f, 0.5f};
        radius = mrw_sqrt(dot(half, half));
    }

    view_camera axes;
    turn(&axes, yaw_rad, pitch_rad);
    float tan_y = view_camera_half_height();
    view_camera_place place;
    place.target = centre;
    place.yaw_rad = yaw_rad;
    place.pitch_rad = pitch_rad;
    place.distance = fitting_distance(&axes, half, tan_y * aspect, tan_y);
    place.scene_centre = centre;
    place.scene_radius = radius;
    return place;
}

/* Ground and shadows lie outside the ball: the ground reaches 2.4 radii from its centre, a shadow
 * falls away from the eye. However far the camera went from the scene, the planes keep their order.
 */
static void depth_range(const view_camera_place *place, mrw_vec3 back, float *out_near,
                        float *out_far)
{
    mrw_vec3 aside = {place->target.x - place->scene_centre.x,
                      place->target.y - place->scene_centre.y,
                      place->target.z - place->scene_centre.z};
    float depth = place->distance + dot(aside, back);
    float closest = 0.02f * place->distance;
    float near = depth - 2.5f * place->scene_radius;
    float far = depth + 8.0f * place->scene_radius;
    *out_near = near > closest ? near : closest;
    *out_far = far > 1.1f * *out_near ? far : 1.1f * *out_near;
}

view_camera view_camera_at(const view_camera_place *place, float aspect)
{
    view_camera camera;
    turn(&camera, place->yaw_rad, place->pitch_rad);
    const mrw_vec3 right = camera.right, up = camera.up, back = camera.back;
    camera.eye = (mrw_vec3){place->target.x + place->distance * back.x,
                            place->target.y + place->distance * back.y,
                            place->target.z + place->distance * back.z};

    float near, far;
    depth_range(place, back, &near, &far);
    float tan_y = view_camera_half_height();
    float depth_scale = -(far + near) / (far - near);
    float depth_offset = -2.0f * far * near / (far - near);
    /* clang-format off */
    float view[16] = {
        right.x, up.x, back.x, 0.0f,
        right.y, up.y, back.y, 0.0f,
        right.z, up.z, back.z, 0.0f,
        -dot(right, camera.eye), -dot(up, camera.eye), -dot(back, camera.eye), 1.0f};
    float projection[16] = {
        1.0f / (tan_y * aspect), 0.0f, 0.0f, 0.0f,
        0.0f, 1.0f / tan_y, 0.0f, 0.0f,
        0.0f, 0.0f, depth_scale, -1.0f,
        0.0f, 0.0f, depth_offset, 0.0f};
    /* clang-format on */
    view_matrix_mul(projection, view, camera.view_projection);
    return camera;
}

view_camera view_camera_frame(const view_bounds *bounds, float yaw_rad, float pitch_rad,
                              float aspect)
{
    view_camera_place place = view_camera_fit(bounds, yaw_rad, pitch_rad, aspect);
    return view_camera_at(&place, aspect);
}
