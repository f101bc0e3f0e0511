/* How much thinner linear blend skinning makes a limb: the candy wrapper as a number.
 *
 * The blended 3x3 part of a vertex's matrix, M = (1 - b) * sum w M_j + b * R (R the rotation of the
 * blended dual quaternion, times the blended stretch), should have the volume that its joints have, but
 * an average of rotations has less. Two rotations about one axis that differ by an angle a, half
 * and half, leave the length along the axis and shrink both directions across it to cos(a / 2). So
 *
 *     lost = 1 - sqrt(|det M| / sum w |det M_j|)
 *
 * is exactly the part of the radius that is gone: 0 for one joint, 1 for a twist of half a turn.
 */
#ifndef VIEW_CORE_LOST_RADIUS_H
#define VIEW_CORE_LOST_RADIUS_H

#include "core/posed.h"

typedef struct view_lost_radius {
    float largest;     /* 0..1 over all skinned vertices */
    uint32_t instance; /* where */
    uint32_t vertex;
} view_lost_radius;

/* dual_quat_weight: 0 linear .. 1 dual quaternion. Nothing is lost where nothing is skinned. */
view_lost_radius view_measure_lost_radius(const view_posed *posed, float dual_quat_weight);

#endif
