/* The box around a character, still or in motion. */
#ifndef VIEW_CORE_BOUNDS_H
#define VIEW_CORE_BOUNDS_H

#include "core/posed.h"

/* Axis-aligned box in scene space. Empty (min > max) where nothing can be seen. */
typedef struct view_bounds {
    mrw_vec3 min;
    mrw_vec3 max;
} view_bounds;

view_bounds view_bounds_empty(void);
bool view_bounds_is_empty(const view_bounds *bounds);
void view_bounds_add(view_bounds *bounds, mrw_vec3 point);

/* The box of every moved vertex of a posed character, or of its joints if it has no mesh.
 * Errors: OUT_OF_MEMORY. */
mrw_status view_bounds_of_posed(const view_posed *posed, mrw_skin_method method,
                                view_bounds *out_bounds);

/* The union over `sample_count` moments spread evenly over the clip, its ends included. Leaves
 * `posed` at the last of them. clip -1: the rest pose. */
mrw_status view_bounds_of_clip(view_posed *posed, int32_t clip, mrw_skin_method method,
                               uint32_t sample_count, view_bounds *out_bounds);

#endif
