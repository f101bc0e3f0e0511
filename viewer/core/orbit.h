/* A camera that a hand moves around a point. */
#ifndef VIEW_CORE_ORBIT_H
#define VIEW_CORE_ORBIT_H

#include "core/camera.h"

typedef struct view_orbit {
    mrw_vec3 target;   /* what is looked at */
    float yaw_rad;     /* as in view_camera_frame */
    float pitch_rad;   /* within +-89 degrees */
    float distance;    /* from the target to the eye, > 0 */
    float scene_size;  /* half the diagonal of what was framed: for near, far and the limits of zoom */
    mrw_vec3 scene_centre; /* of the same: it stays in sight, however far the target is panned */
} view_orbit;

/* Frames the box as view_camera_frame does: the camera of both is the same to the last bit. */
view_orbit view_orbit_frame(const view_bounds *bounds, float yaw_rad, float pitch_rad, float aspect);

/* Tells the camera that the scene is another one, without moving it. */
void view_orbit_set_scene(view_orbit *orbit, const view_bounds *bounds);

/* By a drag of dx, dy pixels (y down) in a window of `height` pixels: the full height is half a turn. */
void view_orbit_rotate(view_orbit *orbit, float dx, float dy, float height);
/* Moves the target in the plane of the picture so that what lies at its depth follows the pointer. */
void view_orbit_pan(view_orbit *orbit, float dx, float dy, float height);
/* steps > 0 nearer; one step is one notch of a wheel. */
void view_orbit_zoom(view_orbit *orbit, float steps);

view_camera view_orbit_camera(const view_orbit *orbit, float aspect);

/* Pixels from the top left of a scene-space point; false behind the eye. */
bool view_camera_project(const view_camera *camera, mrw_vec3 point, float width, float height,
                         float *out_x, float *out_y);

#endif
