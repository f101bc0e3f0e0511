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

/* --- a whole viewer ------------------------------------------------------------------------ */

extern null_backend null;
extern view_viewer viewer; /* draws with `null` */

/* cmocka's set-up: the viewer without a file, with the biped, with the tentacle; and its teardown.
 */
int open_nothing(void **state);
int open_biped(void **state);
int open_tentacle(void **state);
int close_viewer(void **state);

/* Builds and opens a scene, which the viewer owns then; fails the test if that does not work. */
void open_scene(mrw_scene *scene, bool reload);

/* Draws a frame of 640 x 480 and fails the test if that does not work. */
void draw_frame(double elapsed_s);

void command(view_command which);

#endif
