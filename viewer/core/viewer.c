/* One file and what is shown of it.
 *
 * A file's content (scene, character, renderer, ...) is made as a whole beside what is shown and
 * takes its place only when nothing can fail any more: a broken file leaves the old one on the
 * screen.
 *
 * A frame: timeline --> bounds (of the clip, cached) --> pose, palettes (and those of the crowd)
 *          --> camera --> heat, measurements --> view_renderer_draw
 */
#include "core/viewer_internal.h"

#include <stdlib.h>
#include <string.h>

#define START_YAW_RAD (35.0f * (MRW_PI / 180.0f)) /* as `marrow render` looks at it */
#define START_PITCH_RAD (12.0f * (MRW_PI / 180.0f))
#define PICK_RADIUS 0.04f /* of the picture's height */
#define LARGEST_CROWD 1000000

static const char out_of_memory[] = "out of memory";

/* --- memory ------------------------------------------------------------------------------- */

static void content_free(view_content *content)
{
    view_crowd_free(content->crowd);
    view_renderer_free(content->renderer);
    view_posed_free(&content->posed);
    free(content->shown);
    free(content->boxes);
    mrw_character_free(content->character);
    mrw_scene_free(content->scene);
    memset(content, 0, sizeof(*content));
}

static mrw_status make_empty(view_content *content)
{
    mrw_status status = mrw_scene_create(NULL, &content->scene);
    if (status == MRW_OK)
        status = mrw_build_character(content->scene, NULL, &content->character, NULL);
    if (status == MRW_OK)
        status = view_posed_create(content->character, &content->posed);
    return status;
}

mrw_status view_viewer_create(const view_backend *backend, double (*now_s)(void),
                              view_viewer *out_viewer)
{
    view_viewer viewer;
    memset(&viewer, 0, sizeof(viewer));
    memset(out_viewer, 0, sizeof(*out_viewer));
    viewer.internal = calloc(1, sizeof(*viewer.internal));
    if (viewer.internal == NULL)
        return MRW_ERR_OUT_OF_MEMORY;
    mrw_status status = make_empty(&viewer.internal->empty);
    if (status != MRW_OK) {
        content_free(&viewer.internal->empty);
        free(viewer.internal);
        return status;
    }
    viewer.backend = backend;
    viewer.now_s = now_s;
    viewer.crowd_count = 1;
    viewer.settings.blend = 0.5f;
    viewer.timeline = view_timeline_start(viewer.internal->empty.character);
    viewer.bounds = view_bounds_empty();
    viewer.orbit = view_orbit_frame(&viewer.bounds, START_YAW_RAD, START_PITCH_RAD, 1.0f);
    viewer.selected_joint = -1;
    viewer.internal->heat_joint = -1;
    *out_viewer = viewer;
    return MRW_OK;
}

/* What is open, taken out of the viewer. */
static view_content take_content(view_viewer *viewer)
{
    view_content content = {viewer->scene,          viewer->character, viewer->posed,
                            viewer->renderer,       viewer->crowd,     viewer->internal->shown,
                            viewer->internal->boxes};
    viewer->scene = NULL;
    viewer->character = NULL;
    memset(&viewer->posed, 0, sizeof(viewer->posed));
    viewer->renderer = NULL;
    viewer->crowd = NULL;
    viewer->internal->shown = NULL;
    viewer->internal->boxes = NULL;
    return content;
}

void view_viewer_free(view_viewer *viewer)
{
    if (viewer->internal != NULL) {
        view_content content = take_content(viewer);
        content_free(&content);
        content_free(&viewer->internal->empty);
        free(viewer->internal->scratch);
        free(viewer->internal);
    }
    memset(viewer, 0, sizeof(*viewer));
}

float *view_viewer_scratch(view_viewer *viewer, size_t count)
{
    struct view_viewer_internal *internal = viewer->internal;
    if (internal->scratch == NULL || internal->scratch_count < count) {
        free(internal->scratch);
        internal->scratch = calloc(count + 1, sizeof(float));
        internal->scratch_count = internal->scratch != NULL ? count : 0;
    }
    return internal->scratch;
}

/* --- opening ------------------------------------------------------------------------------ */

/* Everything but scene and character, which are there. `crowd_count` characters are wanted. */
static mrw_status fill_content(const view_backend *backend, uint32_t crowd_count,
                               view_content *content, const char **out_reason)
{
    const mrw_character *character = content->character;
    mrw_status status = view_posed_create(character, &content->posed);
    content->shown = calloc((size_t)character->skeleton.joint_count + 1, sizeof(bool));
    content->boxes = view_clip_boxes_create(character);
    *out_reason = out_of_memory;
    if (status != MRW_OK || content->shown == NULL || content->boxes == NULL)
        return MRW_ERR_OUT_OF_MEMORY;
    view_shown_joints(character, content->shown);
    if (crowd_count > 1) {
        view_bounds box;
        status = view_clip_box_of_crowd(content->boxes, &content->posed, crowd_count, &box);
        if (status == MRW_OK)
            content->crowd = view_crowd_create(character, crowd_count, &box);
        if (content->crowd == NULL)
            return MRW_ERR_OUT_OF_MEMORY;
    }
    content->renderer = view_renderer_create(backend, content->scene, character, out_reason);
    return content->renderer != NULL ? MRW_OK : MRW_ERR_UNSUPPORTED;
}

/* The same clip in another character: at the same place if the name is the same there too, for
 * names need not be unique. */
static int32_t clip_like(const mrw_character *before, int32_t clip, const mrw_character *character)
{
    if (clip < 0 || (uint32_t)clip >= before->clip_count)
        return -1;
    const char *name = before->clips[clip].name;
    if ((uint32_t)clip < character->clip_count && strcmp(character->clips[clip].name, name) == 0)
        return clip;
    return mrw_character_find_clip(character, name);
}

static view_timeline timeline_like(const view_timeline *old, const mrw_character *before,
                                   const mrw_character *character)
{
    view_timeline timeline = view_timeline_start(character);
    int32_t clip = clip_like(before, old->clip, character);
    timeline.speed = old->speed;
    timeline.loop = old->loop;
    timeline.playing = old->playing;
    if (clip < 0 && old->clip >= 0)
        return timeline; /* it is gone */
    timeline.clip = clip;
    timeline.other_clip = clip_like(before, old->other_clip, character);
    timeline.fade = timeline.other_clip >= 0 ? old->fade : 0.0f;
    bool fits = old->time_s <= view_timeline_duration_s(&timeline, character);
    timeline.time_s = fits ? old->time_s : 0.0;
    return timeline;
}

static int32_t joint_like(const mrw_character *before, int32_t joint,
                          const mrw_character *character)
{
    if (joint < 0 || (uint32_t)joint >= before->skeleton.joint_count)
        return -1;
    return mrw_skeleton_find_joint(&character->skeleton,
                                   mrw_skeleton_joint_name(&before->skeleton, (uint32_t)joint));
}

static void show(view_viewer *viewer, const view_content *content, bool reload)
{
    const mrw_character *before = viewer->character;
    if (reload && before != NULL) {
        viewer->timeline = timeline_like(&viewer->timeline, before, content->character);
        viewer->selected_joint = joint_like(before, viewer->selected_joint, content->character);
    } else {
        viewer->timeline = view_timeline_start(content->character);
        viewer->selected_joint = -1;
        viewer->orbit.yaw_rad = START_YAW_RAD;
        viewer->orbit.pitch_rad = START_PITCH_RAD;
        viewer->framed = false;
        viewer->internal->crowd_time_s = 0.0;
    }
    view_content old = take_content(viewer);
    content_free(&old);
    viewer->scene = content->scene;
    viewer->character = content->character;
    viewer->posed = content->posed;
    viewer->renderer = content->renderer;
    viewer->crowd = content->crowd;
    viewer->internal->shown = content->shown;
    viewer->internal->boxes = content->boxes;
    viewer->internal->heat_joint = -1;
    viewer->internal->frame_number = 0;
    viewer->internal->lost_measured.known = false;
    viewer->internal->difference_measured.known = false;
    viewer->internal->crowd_seen_s = viewer->timeline.time_s;
    viewer->internal->width = 0;
    memset(&viewer->stats, 0, sizeof(viewer->stats));
}

static mrw_status open_content(view_viewer *viewer, mrw_scene *scene, mrw_character *character,
                               bool reload, const char **out_reason)
{
    view_content content;
    memset(&content, 0, sizeof(content));
    content.scene = scene;
    content.character = character;
    mrw_status status = fill_content(viewer->backend, viewer->crowd_count, &content, out_reason);
    if (status == MRW_OK)
        show(viewer, &content, reload);
    else
        content_free(&content);
    return status;
}

bool view_viewer_open(view_viewer *viewer, mrw_scene *scene, mrw_character *character, bool reload,
                      const char **out_reason)
{
    return open_content(viewer, scene, character, reload, out_reason) == MRW_OK;
}

static void set_error(mrw_error *out_error, mrw_status status, const char *reason)
{
    if (out_error == NULL)
        return;
    memset(out_error, 0, sizeof(*out_error));
    out_error->status = status;
    size_t length = strlen(reason), most = sizeof(out_error->message) - 1;
    memcpy(out_error->message, reason, length < most ? length : most);
}

mrw_status view_viewer_load(view_viewer *viewer, const void *bytes, size_t size_bytes,
                            mrw_open_file open_file, void *open_file_user, bool reload,
                            mrw_error *out_error)
{
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = VIEW_MAX_INFLUENCES;
    mrw_status status = mrw_load_memory(bytes, size_bytes, open_file, open_file_user, NULL,
                                        &options, &scene, &character, out_error);
    if (status != MRW_OK)
        return status;
    const char *reason = NULL;
    status = open_content(viewer, scene, character, reload, &reason);
    if (status != MRW_OK)
        set_error(out_error, status, reason);
    return status;
}

/* --- choices -------------------------------------------------------------------------------- */

static float clamp_share(float value)
{
    if (!(value > 0.0f)) /* a NaN too */
        return 0.0f;
    return value < 1.0f ? value : 1.0f;
}

static int32_t index_or_none(int32_t index, uint32_t count)
{
    return index >= 0 && (uint32_t)index < count ? index : -1;
}

void view_viewer_sanitize(view_viewer *viewer)
{
    view_settings *settings = &viewer->settings;
    if (settings->method != MRW_SKIN_DUAL_QUAT && settings->method != MRW_SKIN_BLENDED)
        settings->method = MRW_SKIN_LINEAR;
    settings->blend = clamp_share(settings->blend);
    viewer->timeline.fade = clamp_share(viewer->timeline.fade);
    uint32_t clip_count = viewer->character != NULL ? viewer->character->clip_count : 0;
    uint32_t joint_count = viewer->character != NULL ? viewer->character->skeleton.joint_count : 0;
    viewer->timeline.clip = index_or_none(viewer->timeline.clip, clip_count);
    viewer->timeline.other_clip = index_or_none(viewer->timeline.other_clip, clip_count);
    viewer->selected_joint = index_or_none(viewer->selected_joint, joint_count);
}

void view_viewer_set_clip(view_viewer *viewer, int32_t clip)
{
    if (viewer->character == NULL)
        return;
    view_timeline_choose(&viewer->timeline, viewer->character, clip);
    viewer->internal->crowd_seen_s = viewer->timeline.time_s;
}

void view_viewer_select(view_viewer *viewer, int32_t joint)
{
    viewer->selected_joint = joint;
    view_viewer_sanitize(viewer);
}

bool view_viewer_set_crowd(view_viewer *viewer, uint32_t count)
{
    view_crowd *crowd = NULL;
    if (count < 1)
        count = 1;
    if (count > LARGEST_CROWD)
        return false;
    if (count > 1 && viewer->character != NULL) {
        view_bounds box;
        if (view_clip_box_of_crowd(viewer->internal->boxes, &viewer->posed, count, &box) == MRW_OK)
            crowd = view_crowd_create(viewer->character, count, &box);
        if (crowd == NULL)
            return false;
    }
    view_crowd_free(viewer->crowd);
    viewer->crowd = crowd;
    viewer->crowd_count = count;
    viewer->framed = false;
    return true;
}

void view_viewer_click(view_viewer *viewer, float x, float y, float width, float height)
{
    if (viewer->character == NULL || !(width > 0.0f && height > 0.0f))
        return;
    view_camera camera = view_orbit_camera(&viewer->orbit, width / height);
    view_viewer_select(viewer, view_pick_joint(&viewer->posed, viewer->internal->shown, &camera, x,
                                               y, width, height, PICK_RADIUS * height));
}

/* --- a frame ---------------------------------------------------------------------------------- */

static double now(const view_viewer *viewer)
{
    return viewer->now_s != NULL ? viewer->now_s() : 0.0;
}

static bool fail_status(mrw_status status, const char **out_reason)
{
    *out_reason = status == MRW_ERR_OUT_OF_MEMORY ? out_of_memory : mrw_status_text(status);
    return false;
}

/* The crowd goes on while the timeline plays, and follows when it is scrubbed or stepped. */
static void advance(view_viewer *viewer, double elapsed_s)
{
    struct view_viewer_internal *internal = viewer->internal;
    view_timeline *timeline = &viewer->timeline;
    double moved_s = timeline->time_s - internal->crowd_seen_s;
    if (timeline->playing)
        moved_s = timeline->speed * elapsed_s;
    if (moved_s - moved_s == 0.0)
        internal->crowd_time_s += moved_s;
    view_timeline_advance(timeline, viewer->character, elapsed_s);
    internal->crowd_seen_s = timeline->time_s;
}

/* Where a looping clip was scrubbed to its very end, the end is meant and not the start. */
static bool wraps(const view_timeline *timeline, double duration_s)
{
    return timeline->loop && (timeline->time_s < duration_s || timeline->time_s > duration_s);
}

static mrw_status evaluate(view_viewer *viewer)
{
    const view_timeline *timeline = &viewer->timeline;
    const mrw_character *character = viewer->character;
    double time_s = timeline->time_s;
    if (!(time_s - time_s == 0.0))
        time_s = 0.0;
    mrw_status status =
        view_posed_update_fade(&viewer->posed, timeline->clip, time_s, timeline->other_clip,
                               view_timeline_other_time_s(timeline, character), timeline->fade,
                               wraps(timeline, view_timeline_duration_s(timeline, character)));
    if (status == MRW_OK && viewer->crowd != NULL)
        status = view_crowd_update(viewer->crowd, &viewer->posed, viewer->internal->crowd_time_s,
                                   viewer->settings.method != MRW_SKIN_LINEAR);
    return status;
}

static bool is_as_framed(const view_viewer *viewer)
{
    const view_orbit *orbit = &viewer->orbit, *framed = &viewer->internal->framed;
    return memcmp(&orbit->target, &framed->target, sizeof(orbit->target)) == 0 &&
           memcmp(&orbit->yaw_rad, &framed->yaw_rad, sizeof(float)) == 0 &&
           memcmp(&orbit->pitch_rad, &framed->pitch_rad, sizeof(float)) == 0 &&
           memcmp(&orbit->distance, &framed->distance, sizeof(float)) == 0;
}

/* A window that changes its form keeps all in sight, until a hand has moved the camera. */
static void aim(view_viewer *viewer, uint32_t width, uint32_t height)
{
    struct view_viewer_internal *internal = viewer->internal;
    float aspect = (float)width / (float)height;
    bool reshaped = aspect < internal->framed_aspect || aspect > internal->framed_aspect;
    if (!viewer->framed || (reshaped && is_as_framed(viewer))) {
        viewer->orbit = view_orbit_frame(&viewer->bounds, viewer->orbit.yaw_rad,
                                         viewer->orbit.pitch_rad, aspect);
        viewer->framed = true;
        internal->framed = viewer->orbit;
        internal->framed_aspect = aspect;
    }
    view_orbit_set_scene(&viewer->orbit, &viewer->bounds);
    internal->camera = view_orbit_camera(&viewer->orbit, aspect);
    internal->width = width;
    internal->height = height;
}

static bool update_heat(view_viewer *viewer, const char **out_reason)
{
    struct view_viewer_internal *internal = viewer->internal;
    if (!viewer->settings.heat || viewer->selected_joint < 0 ||
        viewer->selected_joint == internal->heat_joint)
        return true;
    float *heat = view_viewer_scratch(viewer, view_vertex_count(viewer->character));
    if (heat == NULL)
        return fail_status(MRW_ERR_OUT_OF_MEMORY, out_reason);
    view_joint_heat(viewer->character, viewer->selected_joint, heat);
    internal->heat_joint = -1; /* while only part of it is there */
    if (!view_renderer_set_heat(viewer->renderer, heat, out_reason))
        return false;
    internal->heat_joint = viewer->selected_joint;
    return true;
}

static view_frame frame_of(const view_viewer *viewer, uint32_t width, uint32_t height)
{
    const view_settings *settings = &viewer->settings;
    view_frame frame;
    memset(&frame, 0, sizeof(frame));
    frame.width = width;
    frame.height = height;
    frame.camera = &viewer->internal->camera;
    frame.bounds = &viewer->bounds;
    frame.selected_joint = -1;
    frame.dark = settings->dark;
    if (viewer->character == NULL)
        return frame;
    frame.dual_quat_weight = view_dual_quat_weight(settings->method, settings->blend);
    frame.on_cpu = settings->on_cpu;
    frame.heat = settings->heat && viewer->selected_joint >= 0;
    /* A file without meshes is its skeleton. */
    frame.skeleton = settings->bones || viewer->character->instance_count == 0;
    frame.selected_joint = viewer->selected_joint;
    frame.box = settings->box;
    return frame;
}

static bool draw_empty(view_viewer *viewer, uint32_t width, uint32_t height,
                       const char **out_reason)
{
    view_content *empty = &viewer->internal->empty;
    if (empty->renderer == NULL)
        empty->renderer =
            view_renderer_create(viewer->backend, empty->scene, empty->character, out_reason);
    if (empty->renderer == NULL)
        return false;
    viewer->bounds = view_bounds_empty();
    aim(viewer, width, height);
    view_frame frame = frame_of(viewer, width, height);
    return view_renderer_draw(empty->renderer, &empty->posed, NULL, &frame, out_reason);
}

static bool draw(view_viewer *viewer, uint32_t width, uint32_t height, const char **out_reason)
{
    aim(viewer, width, height);
    if (!update_heat(viewer, out_reason))
        return false;
    view_viewer_measure(viewer);
    view_frame frame = frame_of(viewer, width, height);
    view_crowd_data crowd;
    if (viewer->crowd != NULL)
        crowd = view_crowd_matrices(viewer->crowd);
    return view_renderer_draw(viewer->renderer, &viewer->posed,
                              viewer->crowd != NULL ? &crowd : NULL, &frame, out_reason);
}

bool view_viewer_frame(view_viewer *viewer, double elapsed_s, uint32_t width, uint32_t height,
                       const char **out_reason)
{
    if (width == 0 || height == 0)
        return true; /* a minimized window */
    view_viewer_sanitize(viewer);
    if (viewer->character == NULL)
        return draw_empty(viewer, width, height, out_reason);
    advance(viewer, elapsed_s > 0.0 ? elapsed_s : 0.0);
    mrw_status status = view_viewer_update_bounds(viewer);
    if (status != MRW_OK)
        return fail_status(status, out_reason);
    double start_s = now(viewer);
    status = evaluate(viewer);
    if (status != MRW_OK)
        return fail_status(status, out_reason);
    double evaluated_s = now(viewer);
    bool drawn = draw(viewer, width, height, out_reason);
    viewer->stats.evaluate_s = evaluated_s - start_s;
    viewer->stats.draw_s = now(viewer) - evaluated_s;
    return drawn;
}

bool view_viewer_moves(const view_viewer *viewer)
{
    if (viewer->character == NULL || !viewer->timeline.playing)
        return false;
    return view_timeline_duration_s(&viewer->timeline, viewer->character) > 0.0 ||
           (viewer->crowd != NULL && viewer->character->clip_count > 0);
}

static bool label_of(const view_viewer *viewer, uint32_t joint, view_label *out_label)
{
    const struct view_viewer_internal *internal = viewer->internal;
    const mrw_mat34 *model = &viewer->posed.model[joint];
    mrw_vec3 place = {model->m[0][3], model->m[1][3], model->m[2][3]};
    float width = (float)internal->width, height = (float)internal->height;
    if (!view_camera_project(&internal->camera, place, width, height, &out_label->x, &out_label->y))
        return false;
    out_label->joint = (int32_t)joint;
    out_label->text = mrw_skeleton_joint_name(&viewer->character->skeleton, joint);
    return out_label->x >= 0.0f && out_label->x <= width && out_label->y >= 0.0f &&
           out_label->y <= height;
}

uint32_t view_viewer_labels(const view_viewer *viewer, view_label *out_labels, uint32_t capacity)
{
    uint32_t count = 0;
    if (viewer->character == NULL || viewer->internal->width == 0)
        return 0;
    for (uint32_t j = 0; j < viewer->character->skeleton.joint_count; j++) {
        view_label label;
        bool wanted = (int32_t)j == viewer->selected_joint ||
                      (viewer->settings.names && viewer->internal->shown[j]);
        if (!wanted || !label_of(viewer, j, &label))
            continue;
        if (count < capacity)
            out_labels[count] = label;
        else if (capacity > 0 && (int32_t)j == viewer->selected_joint)
            out_labels[capacity - 1] = label;
        count++;
    }
    return count;
}
