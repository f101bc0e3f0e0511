#include "core/viewer_internal.h"

/* Vertices that may be looked at in one frame, on average: of a large model that moves only every
 * few frames are measured. */
#define LOST_RADIUS_VERTICES 20000
#define DIFFERENCE_VERTICES 4000

static view_measured measured_now(const view_viewer *viewer)
{
    const view_timeline *timeline = &viewer->timeline;
    view_measured now = {true,           viewer->settings.method, viewer->settings.blend,
                         timeline->clip, timeline->other_clip,    timeline->time_s,
                         timeline->fade};
    return now;
}

static bool differ(double a, double b)
{
    return a < b || a > b;
}

/* Also when it stands still at a pose that was not measured: what is told then is told for long. */
static bool is_due(const view_viewer *viewer, const view_measured *measured,
                   uint32_t vertices_a_frame)
{
    const view_measured now = measured_now(viewer);
    const uint32_t every = 1 + viewer->stats.vertex_count / vertices_a_frame;
    if (!measured->known || viewer->internal->frame_number % every == 0 ||
        now.method != measured->method || differ((double)now.blend, (double)measured->blend))
        return true;
    return !viewer->timeline.playing &&
           (now.clip != measured->clip || now.other_clip != measured->other_clip ||
            differ(now.time_s, measured->time_s) ||
            differ((double)now.fade, (double)measured->fade));
}

static void measure_lost_radius(view_viewer *viewer, float dual_quat_weight)
{
    viewer->stats.lost = view_measure_lost_radius(&viewer->posed, dual_quat_weight);
    viewer->stats.linear_lost = viewer->stats.lost.largest;
    if (dual_quat_weight > 0.0f)
        viewer->stats.linear_lost = view_measure_lost_radius(&viewer->posed, 0.0f).largest;
}

static float largest_difference(const float *a, const float *b, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++) {
        float difference = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        if (!(difference <= largest)) /* a NaN counts too */
            largest = difference;
    }
    return largest;
}

/* False if it cannot be measured: a backend need not be able to read back. */
static bool measure_difference(view_viewer *viewer, float dual_quat_weight, float *out_share)
{
    const mrw_character *character = viewer->character;
    const float size = viewer->internal->model_size;
    float largest = 0.0f;
    uint32_t most = 0;
    for (uint32_t i = 0; i < character->mesh_count; i++)
        if (character->meshes[i].vertex_count > most)
            most = character->meshes[i].vertex_count;
    float *cpu = view_viewer_scratch(viewer, (size_t)most * 6);
    if (cpu == NULL || !(size > 0.0f))
        return false;
    float *gpu = cpu + (size_t)most * 3;
    for (uint32_t i = 0; i < character->instance_count; i++) {
        size_t count = (size_t)character->meshes[character->instances[i].mesh].vertex_count * 3;
        const char *reason;
        if (count == 0)
            continue;
        if (view_posed_vertices_mixed(&viewer->posed, i, dual_quat_weight, cpu, NULL) != MRW_OK ||
            !view_renderer_capture(viewer->renderer, &viewer->posed, i, dual_quat_weight, gpu,
                                   &reason))
            return false;
        float here = largest_difference(cpu, gpu, count);
        if (!(here <= largest))
            largest = here;
    }
    *out_share = largest / size;
    return true;
}

void view_viewer_measure(view_viewer *viewer)
{
    struct view_viewer_internal *internal = viewer->internal;
    view_stats *stats = &viewer->stats;
    const float dual_quat_weight =
        view_dual_quat_weight(viewer->settings.method, viewer->settings.blend);
    stats->character_count = viewer->crowd != NULL ? viewer->crowd_count : 1;
    stats->joint_count = viewer->character->skeleton.joint_count;
    stats->vertex_count = view_vertex_count(viewer->character);
    if (is_due(viewer, &internal->lost_measured, LOST_RADIUS_VERTICES)) {
        measure_lost_radius(viewer, dual_quat_weight);
        internal->lost_measured = measured_now(viewer);
    }
    if (!viewer->settings.on_cpu) {
        stats->has_gpu_difference = false;
        internal->difference_measured.known = false;
    } else if (is_due(viewer, &internal->difference_measured, DIFFERENCE_VERTICES)) {
        stats->has_gpu_difference =
            measure_difference(viewer, dual_quat_weight, &stats->gpu_difference);
        internal->difference_measured = measured_now(viewer);
    }
    if (!stats->has_gpu_difference)
        stats->gpu_difference = 0.0f;
    internal->frame_number++;
}
