/* Which joint a person means, and which vertices it moves. */
#ifndef VIEW_CORE_SELECTION_H
#define VIEW_CORE_SELECTION_H

#include "core/camera.h"
#include "core/posed.h"

/* The joint whose bone (from it to a child, or itself at a chain's end) is nearest to a point of the
 * picture, within `radius` pixels; of several, within a pixel, the one nearest to the eye. shown: what
 * view_shown_joints gave. -1: none. */
int32_t view_pick_joint(const view_posed *posed, const bool *shown, const view_camera *camera, float x,
                        float y, float width, float height, float radius);

/* The joint found by a search: the first whose name contains the text, ASCII letters in either case;
 * `after` -1 or the last hit to go on from, around the end. -1: none, and for an empty text. */
int32_t view_find_joint(const mrw_skeleton *skeleton, const char *text, int32_t after);

/* How much the joint moves each vertex: for each instance [vertex_count], one after the other;
 * 1 for the vertices of a rigid mesh at the joint. */
void view_joint_heat(const mrw_character *character, int32_t joint, float *out_heat);

/* Vertices of all instances together. */
uint32_t view_vertex_count(const mrw_character *character);

/* Which joints are worth drawing: those that carry weight, and what lies between them, but neither the
 * root above them nor controls; every joint where nothing is skinned. Reads all influences: keep the
 * result. out_shown: [joint_count]. */
void view_shown_joints(const mrw_character *character, bool *out_shown);

#endif
