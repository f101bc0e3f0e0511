/* The viewer as flat functions for the page (viewer/web/wasm_viewer.js).
 *
 * A page has one viewer. What is one number is a field: JavaScript asks for the fields' names once
 * and makes properties of them, so that the list below is the only one. Texts and arrays are
 * addresses in this module's memory; they stay until the next file is opened.
 */
#include "web_backend.h"

#include "core/selection.h"
#include "core/viewer.h"
#include "demo/demo.h"

#include <marrow/offline/build.h>
#include <marrow/shader.h>

#include <stdlib.h>
#include <string.h>

#define EXPORTED(name) __attribute__((export_name(#name))) name
#define IMPORTED(name) __attribute__((import_module("backend"), import_name(name))) extern

IMPORTED("now_s") double js_now_s(void);
/* The bytes of a file beside the one that is being opened, in memory that stays until web_open
 * returns; NULL if there is none, or if there is one (it has a size) but no memory for it. */
IMPORTED("open_file") const uint8_t *js_open_file(const char *path, uint32_t *out_size_bytes);

static view_viewer viewer;
static mrw_error error;
static const char *reason = "";

/* --- memory and start ---------------------------------------------------------------- */

void *EXPORTED(web_alloc)(uint32_t size_bytes);
void *web_alloc(uint32_t size_bytes)
{
    return malloc(size_bytes > 0 ? size_bytes : 1);
}

void EXPORTED(web_free)(void *memory);
void web_free(void *memory)
{
    free(memory);
}

uint32_t EXPORTED(web_start)(void);
uint32_t web_start(void)
{
    return view_viewer_create(view_web_backend(), js_now_s, &viewer) == MRW_OK;
}

char *EXPORTED(web_words)(void);
char *web_words(void)
{
    return view_web_backend_words();
}

const char *EXPORTED(web_version)(void);
const char *web_version(void)
{
    return mrw_version();
}

/* --- shaders ------------------------------------------------------------------------- */

const char *EXPORTED(web_shader_version)(void);
const char *web_shader_version(void)
{
    return mrw_shader_version_line(MRW_GLSL_ES_300);
}

const char *EXPORTED(web_shader_skinning)(void);
const char *web_shader_skinning(void)
{
    return mrw_shader_source(MRW_SHADER_BLENDED, MRW_GLSL_ES_300);
}

/* Texts of viewer/shaders, which the build puts beside these sources. */
extern const char view_shader_mesh_vert[];
extern const char view_shader_mesh_frag[];
extern const char view_shader_plain_vert[];
extern const char view_shader_plain_frag[];

const char *EXPORTED(web_shader_mesh_vert)(void);
const char *web_shader_mesh_vert(void)
{
    return view_shader_mesh_vert;
}

const char *EXPORTED(web_shader_mesh_frag)(void);
const char *web_shader_mesh_frag(void)
{
    return view_shader_mesh_frag;
}

const char *EXPORTED(web_shader_plain_vert)(void);
const char *web_shader_plain_vert(void)
{
    return view_shader_plain_vert;
}

const char *EXPORTED(web_shader_plain_frag)(void);
const char *web_shader_plain_frag(void)
{
    return view_shader_plain_frag;
}

/* --- opening ------------------------------------------------------------------------- */

static mrw_status open_file(void *user, const char *path, const uint8_t **out_bytes,
                            size_t *out_size_bytes)
{
    (void)user;
    uint32_t size_bytes = 0;
    *out_bytes = js_open_file(path, &size_bytes);
    *out_size_bytes = size_bytes;
    if (*out_bytes != NULL)
        return MRW_OK;
    return size_bytes > 0 ? MRW_ERR_OUT_OF_MEMORY : MRW_ERR_FILE_NOT_FOUND;
}

/* A status; what was wrong is in the web_error functions. */
uint32_t EXPORTED(web_open)(const uint8_t *bytes, uint32_t size_bytes, uint32_t reload);
uint32_t web_open(const uint8_t *bytes, uint32_t size_bytes, uint32_t reload)
{
    static const mrw_error none;
    error = none;
    return (uint32_t)view_viewer_load(&viewer, bytes, size_bytes, open_file, NULL, reload != 0,
                                      &error);
}

static mrw_status build_demo(bool (*fill)(mrw_scene *scene), mrw_scene **out_scene,
                             mrw_character **out_character)
{
    *out_character = NULL;
    mrw_status status = mrw_scene_create(NULL, out_scene);
    if (status == MRW_OK && !fill(*out_scene))
        status = MRW_ERR_OUT_OF_MEMORY;
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = VIEW_MAX_INFLUENCES;
    if (status == MRW_OK)
        status = mrw_build_character(*out_scene, &options, out_character, &error);
    if (status != MRW_OK)
        mrw_scene_free(*out_scene);
    return status;
}

/* Like web_open, a character of viewer/demo: 0 the biped, else the tentacle. */
uint32_t EXPORTED(web_open_demo)(uint32_t demo, uint32_t reload);
uint32_t web_open_demo(uint32_t demo, uint32_t reload)
{
    static const mrw_error none;
    mrw_scene *scene;
    mrw_character *character;
    error = none;
    error.status = build_demo(demo == 0 ? demo_fill_biped : demo_fill_tentacle, &scene, &character);
    if (error.status == MRW_OK &&
        !view_viewer_open(&viewer, scene, character, reload != 0, &reason)) {
        error.status = MRW_ERR_UNSUPPORTED;
        strncpy(error.message, reason, sizeof(error.message) - 1);
    }
    return (uint32_t)error.status;
}

const char *EXPORTED(web_error_name)(void);
const char *web_error_name(void)
{
    return mrw_status_name(error.status);
}

const char *EXPORTED(web_error_message)(void);
const char *web_error_message(void)
{
    return error.message[0] != '\0' ? error.message : mrw_status_text(error.status);
}

const char *EXPORTED(web_error_detail)(void);
const char *web_error_detail(void)
{
    return error.detail;
}

uint32_t EXPORTED(web_error_line)(void);
uint32_t web_error_line(void)
{
    return error.line;
}

/* --- fields --------------------------------------------------------------------------- */

/* FIELD(name in JavaScript, its value, what setting it to `value` does) */
#define FIELDS(FIELD)                                                                              \
    FIELD(isOpen, viewer.scene != NULL, (void)0)                                                   \
    FIELD(clip, viewer.timeline.clip, view_viewer_set_clip(&viewer, (int32_t)value))               \
    FIELD(otherClip, viewer.timeline.other_clip, set_other_clip((int32_t)value))                   \
    FIELD(fade, (double)viewer.timeline.fade, viewer.timeline.fade = (float)value)                 \
    FIELD(time, viewer.timeline.time_s, scrub(value))                                              \
    FIELD(duration, duration_s(), (void)0)                                                         \
    FIELD(speed, viewer.timeline.speed, viewer.timeline.speed = value)                             \
    FIELD(playing, viewer.timeline.playing, viewer.timeline.playing = value != 0.0)                \
    FIELD(moves, view_viewer_moves(&viewer), (void)0)                                              \
    FIELD(loop, viewer.timeline.loop, viewer.timeline.loop = value != 0.0)                         \
    FIELD(method, (int)viewer.settings.method,                                                     \
          viewer.settings.method = (mrw_skin_method)(int)value)                                    \
    FIELD(blend, (double)viewer.settings.blend, viewer.settings.blend = (float)value)              \
    FIELD(onCpu, viewer.settings.on_cpu, viewer.settings.on_cpu = value != 0.0)                    \
    FIELD(bones, viewer.settings.bones, viewer.settings.bones = value != 0.0)                      \
    FIELD(names, viewer.settings.names, viewer.settings.names = value != 0.0)                      \
    FIELD(box, viewer.settings.box, viewer.settings.box = value != 0.0)                            \
    FIELD(heat, viewer.settings.heat, viewer.settings.heat = value != 0.0)                         \
    FIELD(dark, viewer.settings.dark, viewer.settings.dark = value != 0.0)                         \
    FIELD(help, viewer.settings.help, viewer.settings.help = value != 0.0)                         \
    FIELD(selectedJoint, viewer.selected_joint, view_viewer_select(&viewer, (int32_t)value))       \
    FIELD(crowdCount, viewer.crowd_count, view_viewer_set_crowd(&viewer, (uint32_t)value))         \
    FIELD(jointCount, viewer.character != NULL ? viewer.character->skeleton.joint_count : 0,       \
          (void)0)                                                                                 \
    FIELD(clipCount, viewer.character != NULL ? viewer.character->clip_count : 0, (void)0)         \
    FIELD(vertexCount, viewer.character != NULL ? view_vertex_count(viewer.character) : 0,         \
          (void)0)                                                                                 \
    FIELD(lost, (double)viewer.stats.lost.largest, (void)0)                                        \
    FIELD(linearLost, (double)viewer.stats.linear_lost, (void)0)                                   \
    FIELD(hasGpuDifference, viewer.stats.has_gpu_difference, (void)0)                              \
    FIELD(gpuDifference, (double)viewer.stats.gpu_difference, (void)0)                             \
    FIELD(evaluateSeconds, viewer.stats.evaluate_s, (void)0)                                       \
    FIELD(drawSeconds, viewer.stats.draw_s, (void)0)

enum {
#define FIELD_ENUM(name, get, set) FIELD_##name,
    FIELDS(FIELD_ENUM)
#undef FIELD_ENUM
        FIELD_COUNT
};

static double duration_s(void)
{
    return viewer.character == NULL ? 0.0
                                    : view_timeline_duration_s(&viewer.timeline, viewer.character);
}

static void scrub(double time_s)
{
    if (viewer.character != NULL)
        view_timeline_scrub(&viewer.timeline, viewer.character, time_s);
}

static void set_other_clip(int32_t clip)
{
    if (viewer.character != NULL)
        view_timeline_crossfade(&viewer.timeline, viewer.character, clip);
}

uint32_t EXPORTED(web_field_count)(void);
uint32_t web_field_count(void)
{
    return FIELD_COUNT;
}

const char *EXPORTED(web_field_name)(uint32_t field);
const char *web_field_name(uint32_t field)
{
    static const char *const names[] = {
#define FIELD_NAME(name, get, set) #name,
        FIELDS(FIELD_NAME)
#undef FIELD_NAME
    };
    return field < FIELD_COUNT ? names[field] : "";
}

double EXPORTED(web_get)(uint32_t field);
double web_get(uint32_t field)
{
    switch (field) {
#define FIELD_GET(name, get, set)                                                                  \
    case FIELD_##name:                                                                             \
        return (double)(get);
        FIELDS(FIELD_GET)
#undef FIELD_GET
    default:
        return 0.0;
    }
}

void EXPORTED(web_set)(uint32_t field, double value);
void web_set(uint32_t field, double value)
{
    switch (field) {
#define FIELD_SET(name, get, set)                                                                  \
    case FIELD_##name:                                                                             \
        set;                                                                                       \
        break;
        FIELDS(FIELD_SET)
#undef FIELD_SET
    default:
        break;
    }
}

/* --- moving --------------------------------------------------------------------------- */

void EXPORTED(web_command)(int32_t command);
void web_command(int32_t command)
{
    if (command >= 0 && command < VIEW_COMMAND_COUNT)
        view_viewer_command(&viewer, (view_command)command);
}

uint32_t EXPORTED(web_command_count)(void);
uint32_t web_command_count(void)
{
    return VIEW_COMMAND_COUNT;
}

const char *EXPORTED(web_command_key)(uint32_t command);
const char *web_command_key(uint32_t command)
{
    return command < VIEW_COMMAND_COUNT ? view_command_infos[command].key : "";
}

const char *EXPORTED(web_command_help)(uint32_t command);
const char *web_command_help(uint32_t command)
{
    return command < VIEW_COMMAND_COUNT ? view_command_infos[command].help : "";
}

/* In pixels of the picture, y down. */
void EXPORTED(web_rotate)(float dx, float dy, float height);
void web_rotate(float dx, float dy, float height)
{
    view_orbit_rotate(&viewer.orbit, dx, dy, height);
}

void EXPORTED(web_pan)(float dx, float dy, float height);
void web_pan(float dx, float dy, float height)
{
    view_orbit_pan(&viewer.orbit, dx, dy, height);
}

void EXPORTED(web_zoom)(float steps);
void web_zoom(float steps)
{
    view_orbit_zoom(&viewer.orbit, steps);
}

void EXPORTED(web_click)(float x, float y, float width, float height);
void web_click(float x, float y, float width, float height)
{
    view_viewer_click(&viewer, x, y, width, height);
}

/* 0 on failure: web_reason says why. */
uint32_t EXPORTED(web_frame)(double elapsed_s, uint32_t width, uint32_t height);
uint32_t web_frame(double elapsed_s, uint32_t width, uint32_t height)
{
    return view_viewer_frame(&viewer, elapsed_s, width, height, &reason);
}

const char *EXPORTED(web_reason)(void);
const char *web_reason(void)
{
    return reason;
}

/* --- labels --------------------------------------------------------------------------- */

#define LABEL_CAPACITY 512
static view_label labels[LABEL_CAPACITY];

/* How many there are, at most LABEL_CAPACITY; the following functions read them. */
uint32_t EXPORTED(web_label_count)(void);
uint32_t web_label_count(void)
{
    uint32_t count = view_viewer_labels(&viewer, labels, LABEL_CAPACITY);
    return count < LABEL_CAPACITY ? count : LABEL_CAPACITY;
}

float EXPORTED(web_label_x)(uint32_t label);
float web_label_x(uint32_t label)
{
    return labels[label].x;
}

float EXPORTED(web_label_y)(uint32_t label);
float web_label_y(uint32_t label)
{
    return labels[label].y;
}

int32_t EXPORTED(web_label_joint)(uint32_t label);
int32_t web_label_joint(uint32_t label)
{
    return labels[label].joint;
}

/* --- what the file holds ---------------------------------------------------------------- */

const char *EXPORTED(web_clip_name)(uint32_t clip);
const char *web_clip_name(uint32_t clip)
{
    return viewer.character->clips[clip].name;
}

float EXPORTED(web_clip_duration)(uint32_t clip);
float web_clip_duration(uint32_t clip)
{
    return viewer.character->clips[clip].duration_s;
}

const char *EXPORTED(web_joint_name)(uint32_t joint);
const char *web_joint_name(uint32_t joint)
{
    return mrw_skeleton_joint_name(&viewer.character->skeleton, joint);
}

int32_t EXPORTED(web_joint_parent)(uint32_t joint);
int32_t web_joint_parent(uint32_t joint)
{
    return viewer.character->skeleton.parents[joint];
}

/* The joint of a node of the file, and of a joint of a skin of the file; -1: none. */
int32_t EXPORTED(web_joint_of_node)(uint32_t node);
int32_t web_joint_of_node(uint32_t node)
{
    return node < viewer.character->node_count ? viewer.character->node_to_joint[node] : -1;
}

int32_t EXPORTED(web_joint_of_skin)(uint32_t skin, uint32_t joint);
int32_t web_joint_of_skin(uint32_t skin, uint32_t joint)
{
    const mrw_scene *scene = viewer.scene;
    if (skin >= scene->skin_count || joint >= scene->skins[skin].joint_count)
        return -1;
    return web_joint_of_node((uint32_t)scene->skins[skin].joints[joint]);
}

/* The morph weights of the mesh at a joint, as targets of tracks. */
uint32_t EXPORTED(web_scalar_first)(uint32_t joint);
uint32_t web_scalar_first(uint32_t joint)
{
    const mrw_character *character = viewer.character;
    for (uint32_t i = 0; i < character->instance_count; i++)
        if (character->instances[i].joint == joint)
            return character->instances[i].first_scalar;
    return 0;
}

uint32_t EXPORTED(web_scalar_count)(uint32_t joint);
uint32_t web_scalar_count(uint32_t joint)
{
    const mrw_character *character = viewer.character;
    for (uint32_t i = 0; i < character->instance_count; i++)
        if (character->instances[i].joint == joint)
            return character->meshes[character->instances[i].mesh].target_count;
    return 0;
}

const char *EXPORTED(web_scalar_name)(uint32_t scalar);
const char *web_scalar_name(uint32_t scalar)
{
    return mrw_skeleton_scalar_name(&viewer.character->skeleton, scalar);
}

/* --- keys ------------------------------------------------------------------------------- */

static const mrw_clip *current_clip(void)
{
    return &viewer.character->clips[viewer.timeline.clip];
}

/* The track of the current clip that moves a target, -1 if there is none. */
int32_t EXPORTED(web_track)(uint32_t kind, uint32_t target);
int32_t web_track(uint32_t kind, uint32_t target)
{
    if (viewer.character == NULL || viewer.timeline.clip < 0)
        return -1;
    const mrw_clip *clip = current_clip();
    for (uint32_t t = 0; t < clip->track_count; t++)
        if (clip->tracks[t].kind == kind && clip->tracks[t].target == target)
            return (int32_t)t;
    return -1;
}

uint32_t EXPORTED(web_track_interpolation)(uint32_t track);
uint32_t web_track_interpolation(uint32_t track)
{
    return current_clip()->tracks[track].interpolation;
}

uint32_t EXPORTED(web_track_keys)(uint32_t track);
uint32_t web_track_keys(uint32_t track)
{
    return current_clip()->tracks[track].key_count;
}

const float *EXPORTED(web_track_times)(uint32_t track);
const float *web_track_times(uint32_t track)
{
    return current_clip()->times + current_clip()->tracks[track].times_offset;
}

/* The numbers of a key, tangents among them: they stay until the next call. */
const float *EXPORTED(web_track_key)(uint32_t track, uint32_t key);
const float *web_track_key(uint32_t track, uint32_t key)
{
    static float numbers[12];
    mrw_clip_key(current_clip(), track, key, numbers);
    return numbers;
}

/* --- findings --------------------------------------------------------------------------- */

/* What reading found odd, then what building did. */
uint32_t EXPORTED(web_finding_count)(void);
uint32_t web_finding_count(void)
{
    return viewer.scene == NULL
               ? 0
               : viewer.scene->diagnostic_count + viewer.character->diagnostic_count;
}

static const mrw_diagnostic *finding(uint32_t index)
{
    uint32_t of_scene = viewer.scene->diagnostic_count;
    return index < of_scene ? &viewer.scene->diagnostics[index]
                            : &viewer.character->diagnostics[index - of_scene];
}

const char *EXPORTED(web_finding_severity)(uint32_t index);
const char *web_finding_severity(uint32_t index)
{
    return mrw_severity_name(finding(index)->severity);
}

const char *EXPORTED(web_finding_code)(uint32_t index);
const char *web_finding_code(uint32_t index)
{
    return finding(index)->code;
}

const char *EXPORTED(web_finding_where)(uint32_t index);
const char *web_finding_where(uint32_t index)
{
    return finding(index)->where;
}

const char *EXPORTED(web_finding_message)(uint32_t index);
const char *web_finding_message(uint32_t index)
{
    return finding(index)->message;
}

uint32_t EXPORTED(web_finding_number)(uint32_t index);
uint32_t web_finding_number(uint32_t index)
{
    return finding(index)->count;
}
