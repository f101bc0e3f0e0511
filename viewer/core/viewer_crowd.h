/* Many of one character, each in its own place, clip and phase. */
#ifndef VIEW_CORE_VIEWER_CROWD_H
#define VIEW_CORE_VIEWER_CROWD_H

#include "core/bounds.h"
#include "core/renderer.h"

typedef struct view_crowd view_crowd;

/* `count` characters on a square grid, spaced by the size of `bounds`, the first at the origin where the
 * lone character stands and the others around it. Character i plays clip i % clip_count from a phase of
 * its own (the golden ratio's multiples, so that neighbours differ and a run repeats). NULL if memory
 * runs out. */
view_crowd *view_crowd_create(const mrw_character *character, uint32_t count, const view_bounds *bounds);
void view_crowd_free(view_crowd *crowd);

/* Evaluates all but the first, which is a copy of `first`. Clips loop; time_s runs on. dual_quats: also
 * those and the stretches, which take several times as long as all the rest and are read only where
 * dual_quat_weight > 0; else they stay as they were. */
mrw_status view_crowd_update(view_crowd *crowd, const view_posed *first, double time_s,
                             bool dual_quats);

view_crowd_data view_crowd_matrices(const view_crowd *crowd);

/* Where character i stands. */
mrw_vec3 view_crowd_place(const view_crowd *crowd, uint32_t i);

/* The box around all of them. */
view_bounds view_crowd_bounds(const view_crowd *crowd);

#endif
