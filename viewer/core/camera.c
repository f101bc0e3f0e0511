#include "core/camera.h"

#define FIELD_OF_VIEW_RAD (30.0f * MRW_PI / 180.0f) /* vertical: a long lens flatters characters   \
                                                     */
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

view_camera view_camera_frame(const view_bounds *bounds, float yaw_rad, float pitch_rad,
                              float aspect)
{
    view_bounds box = *bounds;
    if (view_bounds_is_empty(bounds)) {
        box.min = (mrw_vec3){-0.5f, -0.5f, -0.5f};
        box.max = (mrw_vec3){0.5f, 0.5f, 0.5f};
    }
    mrw_vec3 centre = {0.5f * (box.min.x + box.max.x), 0.5f * (box.min.y + box.max.y),
                       0.5f * (box.min.z + box.max.z)};
    mrw_vec3 half = {0.5f * (box.max.x - box.min.x), 0.5f * (box.max.y - box.min.y),
                     0.5f * (box.max.z - box.min.z)};
    float radius = mrw_sqrt(dot(half, half));
    if (!(radius > 1e-6f)) {
        radius = 0.5f;
        half = (mrw_vec3){0.5f, 0.5f, 0.5f};
    }

    view_camera camera;
    float sin_yaw = mrw_sin(yaw_rad), cos_yaw = mrw_cos(yaw_rad);
    float sin_pitch = mrw_sin(pitch_rad), cos_pitch = mrw_cos(pitch_rad);
    camera.right = (mrw_vec3){cos_yaw, 0.0f, -sin_yaw};
    camera.back = (mrw_vec3){sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch};
    camera.up = (mrw_vec3){-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch};

    float tan_y = mrw_sin(0.5f * FIELD_OF_VIEW_RAD) / mrw_cos(0.5f * FIELD_OF_VIEW_RAD);
    float tan_x = tan_y * aspect;
    float distance = fitting_distance(&camera, half, tan_x, tan_y);
    camera.eye =
        (mrw_vec3){centre.x + distance * camera.back.x, centre.y + distance * camera.back.y,
                   centre.z + distance * camera.back.z};

    /* The ground and shadows lie outside the box: leave room behind it. */
    float near = distance - 1.5f * radius;
    near = near > 0.02f * distance ? near : 0.02f * distance;
    float far = distance + 8.0f * radius;
    float view[16] = {camera.right.x,
                      camera.up.x,
                      camera.back.x,
                      0.0f,
                      camera.right.y,
                      camera.up.y,
                      camera.back.y,
                      0.0f,
                      camera.right.z,
                      camera.up.z,
                      camera.back.z,
                      0.0f,
                      -dot(camera.right, camera.eye),
                      -dot(camera.up, camera.eye),
                      -dot(camera.back, camera.eye),
                      1.0f};
    float projection[16] = {1.0f / tan_x,
                            0.0f,
                            0.0f,
                            0.0f,
                            0.0f,
                            1.0f / tan_y,
                            0.0f,
                            0.0f,
                            0.0f,
                            0.0f,
                            -(far + near) / (far - near),
                            -1.0f,
                            0.0f,
                            0.0f,
                            -2.0f * far * near / (far - near),
                            0.0f};
    view_matrix_mul(projection, view, camera.view_projection);
    return camera;
}
