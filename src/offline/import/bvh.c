/* BVH: motion capture as text, a tree of joints and a table of numbers.
 *
 *     HIERARCHY                                   MOTION
 *     ROOT Hips                                   Frames: 2
 *     {                                           Frame Time: 0.0333333
 *       OFFSET 0 0 0                              0 9 0  0 0 0   0 0 0
 *       CHANNELS 6 Xposition Yposition ...        0 9 1  5 0 0  10 0 0
 *       JOINT Chest                               └─────┬─────┘ └──┬──┘
 *       { ... CHANNELS 3 Zrotation ... }              Hips       Chest
 *     }
 *
 *     text ─▶ joints, order of the columns ─▶ frames ─▶ keys ─▶ scene
 *             (bvh_hierarchy)        (bvh_motion)   (bvh_keys)
 *
 * The format was never written down by those who made it, and every program writes it a little
 * differently. What only looks different is read: any white space, any case of keywords, names with
 * blanks in them, any number of channels, joints without OFFSET or CHANNELS. What is odd but has
 * one plausible meaning is a diagnostic. What could silently move the numbers of one joint to
 * another is an error: a line of the motion with too few or too many of them.
 *
 * A joint's rest transform is its OFFSET. A position channel replaces that coordinate. Rotations
 * are in degrees and apply in the order in which the joint lists them, the first is the outermost:
 * Zrotation Xrotation Yrotation is Rz * Rx * Ry. An End Site is a node named after its parent.
 * The format has no unit of length: numbers are kept as they are.
 */
#include "offline/import/bvh.h"

#include "base/error.h"

#include <string.h>

static mrw_status fill_nodes(const mrwi_bvh *bvh)
{
    mrw_scene *scene = bvh->scene;
    scene->nodes = mrwi_arena_alloc(bvh->arena, bvh->joint_count, sizeof(*scene->nodes));
    if (scene->nodes == NULL)
        return mrwi_arena_fail(bvh->arena, bvh->out_error, "HIERARCHY");
    scene->node_count = bvh->joint_count;
    for (uint32_t i = 0; i < bvh->joint_count; i++) {
        const mrwi_bvh_joint *joint = &bvh->joints[i];
        mrw_scene_node *node = &scene->nodes[i];
        node->name = joint->name;
        node->parent = joint->parent;
        node->local = mrw_transform_identity();
        node->local.translation = (mrw_vec3){joint->offset[0], joint->offset[1], joint->offset[2]};
        node->mesh = -1;
        node->skin = -1;
        node->in_scene = true;
    }
    return MRW_OK;
}

mrw_status mrwi_import_bvh(const mrwi_import_source *source, mrw_error *out_error)
{
    mrwi_bvh bvh = {
        .scene = source->scene,
        .arena = source->arena,
        .scratch = source->scratch,
        .out_error = out_error,
        .path = source->path,
        .text = (const char *)source->bytes,
        .length = source->size_bytes,
    };
    if (bvh.length >= 3 && memcmp(bvh.text, "\xef\xbb\xbf", 3) == 0)
        bvh.at = 3;
    source->scene->format = "BVH";
    MRWI_TRY(mrwi_bvh_read_hierarchy(&bvh));
    MRWI_TRY(fill_nodes(&bvh));
    MRWI_TRY(mrwi_bvh_read_motion(&bvh));
    return mrwi_bvh_diagnose(&bvh, MRW_SEVERITY_WARNING, "MRW_BVH_NOT_FINITE", bvh.first_not_finite,
                             "a number is infinite or none; a frame keeps the number of the frame "
                             "before, elsewhere it is 0",
                             bvh.not_finite_count);
}
