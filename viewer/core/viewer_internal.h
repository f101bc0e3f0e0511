/* What the files of the viewer share, and shells do not see. */
#ifndef VIEW_CORE_VIEWER_INTERNAL_H
#define VIEW_CORE_VIEWER_INTERNAL_H

#include "core/viewer.h"

/* Boxes of each clip's motion are computed when they are first needed. */
typedef struct view_clip_box {
    bool known;
    view_bounds bounds;
} view_clip_box;

enum { VIEW_BOXES_PER_CLIP = 2 }; /* linear and dual quaternion skinning */

/* Everything that belongs to one file. */
typedef struct view_content {
    mrw_scene *scene;
    mrw_character *character;
    view_posed posed;
    view_renderer *renderer;
    view_crowd *crowd;
    bool *shown;          /* [joint_count] */
    view_clip_box *boxes; /* [(clip_count + 1) * VIEW_BOXES_PER_CLIP], the rest pose first */
} view_content;

/* What a number of the stats was measured of. */
typedef struct view_measured {
    bool known;
    mrw_skin_method method;
    float blend;
    int32_t clip;
    int32_t other_clip;
    double time_s;
    float fade;
} view_measured;

struct view_viewer_internal {
    view_content empty; /* drawn while nothing is open; its renderer is made when it is needed */
    bool *shown;        /* of what is open */
    view_clip_box *boxes;

    float *scratch; /* [scratch_count] vertices or heat, on their way */
    size_t scratch_count;
    int32_t heat_joint; /* whose heat the renderer has; -1: none */

    double crowd_time_s; /* as the timeline, but it never wraps: each character does */
    double crowd_seen_s; /* the timeline's time at the last frame */

    float model_size; /* diagonal of one character's box, 0 if it has none */

    view_camera camera; /* of the last frame */
    uint32_t width;     /* 0: there was none */
    uint32_t height;
    view_orbit framed; /* as it was framed, to know whether a hand has moved it since */
    float framed_aspect;

    uint32_t frame_number;
    view_measured lost_measured;
    view_measured difference_measured;
};

/* --- viewer.c ------------------------------------------------------------------------------- */

/* Shells write public fields: what is out of range becomes what comes nearest to nothing. */
void view_viewer_sanitize(view_viewer *viewer);

/* At least `count` floats, or NULL. What was in it is lost. */
float *view_viewer_scratch(view_viewer *viewer, size_t count);

/* --- viewer_bounds.c -------------------------------------------------------------------------- */

/* [(clip_count + 1) * VIEW_BOXES_PER_CLIP], nothing known. NULL if memory runs out. */
view_clip_box *view_clip_boxes_create(const mrw_character *character);

/* The box of a clip's motion under a method. Changes `posed`. Errors: OUT_OF_MEMORY. */
mrw_status view_clip_box_of(view_clip_box *boxes, view_posed *posed, int32_t clip,
                            mrw_skin_method method, view_bounds *out_bounds);

/* The box around what a crowd of `count` characters plays. */
mrw_status view_clip_box_of_crowd(view_clip_box *boxes, view_posed *posed, uint32_t count,
                                  view_bounds *out_bounds);

/* Of what is shown now: sets viewer->bounds. Changes viewer->posed. */
mrw_status view_viewer_update_bounds(view_viewer *viewer);

/* --- viewer_stats.c ----------------------------------------------------------------------------- */

/* Counts, lost radius, and with on_cpu the difference between both paths, for the frame that is
 * drawn next. */
void view_viewer_measure(view_viewer *viewer);

#endif
