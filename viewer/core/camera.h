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

/* Where a camera stands. yaw_rad: 0 looks from +Z, positive turns the camera towards +X.
 * pitch_rad: positive looks down. */
typedef struct view_camera_place {
    mrw_vec3 target;       /* what is looked at */
    float yaw_rad;
    float pitch_rad;
    float distance;        /* from the target to the eye, > 0 */
    mrw_vec3 scene_centre; /* what must not be cut off: a ball with this centre and radius > 0, ... */
    float scene_radius;    /* ... the ground around it and its shadow */
} view_camera_place;

/* Where to stand to see a whole box. aspect: width / height. An empty box, or one that is not
 * finite, is taken as a unit cube about the origin, a point as one about itself. */
view_camera_place view_camera_fit(const view_bounds *bounds, float yaw_rad, float pitch_rad,
                                  float aspect);

view_camera view_camera_at(const view_camera_place *place, float aspect);

/* Both of it. */
view_camera view_camera_frame(const view_bounds *bounds, float yaw_rad, float pitch_rad,
                              float aspect);

/* Half the picture's height at distance 1: the tangent of half the vertical field of view. */
float view_camera_half_height(void);

/* out = a * b, 4x4, column-major. `out` must be neither of them. */
void view_matrix_mul(const float a[16], const float b[16], float out[16]);

#endif
