/* A camera that looks at a box from a direction and is just far enough away to see all of it. */
#ifndef VIEW_CORE_CAMERA_H
#define VIEW_CORE_CAMERA_H

#include "core/bounds.h"

typedef struct view_camera {
    mrw_vec3 eye;
    mrw_vec3 right; /* unit axes of the camera in scene space */
    mrw_vec3 up;
    mrw_vec3 back;             /* from what is looked at towards the eye */
    float view_projection[16]; /* column-major, clip space of OpenGL (z from -w to w) */
} view_camera;

/* yaw_rad: 0 looks from +Z, positive turns the camera towards +X. pitch_rad: positive looks down.
 * aspect: width / height. An empty box is taken as a unit cube about the origin. */
view_camera view_camera_frame(const view_bounds *bounds, float yaw_rad, float pitch_rad,
                              float aspect);

/* out = a * b, 4x4, column-major. `out` must be neither of them. */
void view_matrix_mul(const float a[16], const float b[16], float out[16]);

#endif
