#include "core/viewer_internal.h"

#include <float.h>
#include <stdlib.h>

/* Moments of a clip: as `marrow render` takes them, so that both frame alike. */
#define SAMPLES 32

view_clip_box *view_clip_boxes_create(const mrw_character *character)
{
    return calloc(((size_t)character->clip_count + 1) * VIEW_BOXES_PER_CLIP, sizeof(view_clip_box));
}

static float diagonal(const view_bounds *bounds)
{
    mrw_vec3 size = {bounds->max.x - bounds->min.x, bounds->max.y - bounds->min.y,
                     bounds->max.z - bounds->min.z};
    return mrw_sqrt(size.x * size.x + size.y * size.y + size.z * size.z);
}

static void join(view_bounds *all, const view_bounds *bounds)
{
    if (view_bounds_is_empty(bounds))
        return;
    view_bounds_add(all, bounds->min);
    view_bounds_add(all, bounds->max);
}

static mrw_status box_of(view_clip_box *boxes, view_posed *posed, int32_t clip,
                         mrw_skin_method method, view_bounds *out_bounds)
{
    size_t which = method == MRW_SKIN_DUAL_QUAT ? 1 : 0;
    view_clip_box *box = &boxes[(size_t)(clip + 1) * VIEW_BOXES_PER_CLIP + which];
    if (!box->known) {
        mrw_status status = view_bounds_of_clip(posed, clip, method, SAMPLES, &box->bounds);
        if (status != MRW_OK)
            return status;
        if (!(diagonal(&box->bounds) <= FLT_MAX))
            box->bounds = view_bounds_empty();
        box->known = true;
    }
    *out_bounds = box->bounds;
    return MRW_OK;
}

/* A mix of both methods puts each vertex between the two places that they give: it stays in the box
 * around both boxes. */
mrw_status view_clip_box_of(view_clip_box *boxes, view_posed *posed, int32_t clip,
                            mrw_skin_method method, view_bounds *out_bounds)
{
    if (method != MRW_SKIN_BLENDED)
        return box_of(boxes, posed, clip, method, out_bounds);
    view_bounds dual_quat;
    mrw_status status = box_of(boxes, posed, clip, MRW_SKIN_LINEAR, out_bounds);
    if (status == MRW_OK)
        status = box_of(boxes, posed, clip, MRW_SKIN_DUAL_QUAT, &dual_quat);
    if (status == MRW_OK)
        join(out_bounds, &dual_quat);
    return status;
}

mrw_status view_clip_box_of_crowd(view_clip_box *boxes, view_posed *posed, uint32_t count,
                                  view_bounds *out_bounds)
{
    uint32_t clip_count = posed->character->clip_count;
    view_bounds one;
    *out_bounds = view_bounds_empty();
    mrw_status status = MRW_OK;
    if (clip_count == 0)
        return view_clip_box_of(boxes, posed, -1, MRW_SKIN_LINEAR, out_bounds);
    for (uint32_t i = 0; status == MRW_OK && i < clip_count && i < count; i++) {
        status = view_clip_box_of(boxes, posed, (int32_t)i, MRW_SKIN_LINEAR, &one);
        if (status == MRW_OK)
            join(out_bounds, &one);
    }
    return status;
}

/* Of the lone character, in both clips of a crossfade. */
static mrw_status box_of_one(view_viewer *viewer, view_bounds *out_bounds)
{
    const view_timeline *timeline = &viewer->timeline;
    view_clip_box *boxes = viewer->internal->boxes;
    mrw_skin_method method = viewer->settings.method;
    view_bounds other;
    mrw_status status = view_clip_box_of(boxes, &viewer->posed, timeline->clip, method, out_bounds);
    if (status != MRW_OK || timeline->other_clip < 0)
        return status;
    status = view_clip_box_of(boxes, &viewer->posed, timeline->other_clip, method, &other);
    if (status == MRW_OK)
        join(out_bounds, &other);
    return status;
}

mrw_status view_viewer_update_bounds(view_viewer *viewer)
{
    view_bounds one;
    mrw_status status = box_of_one(viewer, &one);
    if (status != MRW_OK)
        return status;
    viewer->bounds = viewer->crowd != NULL ? view_crowd_bounds(viewer->crowd) : one;
    viewer->internal->model_size = view_bounds_is_empty(&one) ? 0.0f : diagonal(&one);
    return MRW_OK;
}
