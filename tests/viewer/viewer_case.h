/* Characters for the viewer's tests. */
#ifndef TESTS_VIEWER_VIEWER_CASE_H
#define TESTS_VIEWER_VIEWER_CASE_H

#include "core/viewer.h"
#include "unit/handmade_scene.h"
#include "viewer/null_backend.h"

/* Builds it as the viewer does and fails the test if that does not work. */
mrw_character *build_character(const mrw_scene *scene);

/* The scene of `marrow demo`'s characters. */
mrw_scene *tentacle_scene(void);
mrw_scene *biped_scene(void);

/* The joint of a node of the scene. */
uint32_t joint_of(const mrw_character *character, int32_t node);

/* Where a joint is. */
mrw_vec3 joint_place(const view_posed *posed, uint32_t joint);

/* Turns the matrices to what posed->pose says now. */
void follow_pose(view_posed *posed);

/* Opens a copy of what `fill` makes; fails the test if that does not work. */
void open_scene(view_viewer *viewer, mrw_scene *scene, bool reload);

/* Draws a frame of 640 x 480 and fails the test if that does not work. */
void draw_frame(view_viewer *viewer, double elapsed_s);

#endif
