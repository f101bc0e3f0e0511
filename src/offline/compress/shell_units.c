/* A shell of 3 cm has to be one for an armature in centimetres under a node that scales by 0.01 as
 * well: there the joints' own units are hundred times smaller than those of model space. The rest
 * pose says which they are; what a clip does to scales moves the points, and is motion.
 */
#include "offline/compress/shell_units.h"

#include "offline/compress/joint_plan.h"

#define HIDDEN_SCALE 5e-4
#define SMALLEST_UNIT 1e-18
#define LARGEST_UNIT 1e18

static double size_of(float scale)
{
    return scale < 0.0f ? -(double)scale : (double)scale;
}

static double own_scale(const mrw_skeleton *skeleton, uint32_t joint)
{
    const mrw_vec3 scale = mrwi_rest_transform(skeleton, joint).scale;
    double largest = size_of(scale.x);
    largest = size_of(scale.y) > largest ? size_of(scale.y) : largest;
    largest = size_of(scale.z) > largest ? size_of(scale.z) : largest;
    return largest < HIDDEN_SCALE ? 1.0 : largest;
}

void mrwi_shell_units(const mrw_skeleton *skeleton, double metres_per_unit, double *out_units_m)
{
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const int32_t parent = skeleton->parents[j];
        const double above = parent >= 0 ? out_units_m[parent] : metres_per_unit;
        const double unit = above * own_scale(skeleton, j);
        out_units_m[j] = unit < SMALLEST_UNIT  ? SMALLEST_UNIT
                         : unit > LARGEST_UNIT ? LARGEST_UNIT
                                               : unit;
    }
}
