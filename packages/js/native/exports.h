/* The flat functions that packages/js/src calls: numbers and addresses, no structs by value.
 *
 * JavaScript holds the address of an object; what it reads together (counts, names, arrays) a
 * _read function puts into js_record, in the order that its comment says. Users' mistakes that
 * JavaScript can see (types, ranges, objects that are gone) it has refused before it calls; what
 * only C can see is checked here, by the library's own _check functions.
 *
 * A function that fails returns a status, or the address 0, and leaves the reasons in js_error.
 */
#ifndef JS_EXPORTS_H
#define JS_EXPORTS_H

#include <marrow/marrow.h>
#include <marrow/offline/build.h>

/* In front of a prototype: JavaScript calls the function by its name. */
#if defined(__wasm__)
#define JS_EXPORT(name) __attribute__((export_name(#name)))
#else
#define JS_EXPORT(name)
#endif

typedef struct js_file js_file; /* a file that the main file may name: path, bytes, size */
typedef struct js_built
    js_built;                   /* a skeleton, clip or skin, whose address this is, and its bytes */
typedef struct js_pose js_pose; /* a local pose and what follows from it */
typedef struct js_crowd js_crowd; /* many characters */

/* --- memory and errors: memory_exports.c ------------------------------------------------ */

JS_EXPORT(memory_allocate) void *memory_allocate(uint32_t size_bytes);
JS_EXPORT(memory_release) void memory_release(void *memory);
JS_EXPORT(record_address) const uint32_t *record_address(void);
JS_EXPORT(error_address) const mrw_error *error_address(void);
JS_EXPORT(status_name) const char *status_name(mrw_status status);
JS_EXPORT(status_text) const char *status_text(mrw_status status);
JS_EXPORT(version) const char *version(void);
/* Whether this build uses vector instructions. */
JS_EXPORT(has_simd) bool has_simd(void);

/* --- files, and reading what they became: character_exports.c --------------------------- */

/* Pictures are left where they are: drawing is the page's business. */
JS_EXPORT(scene_import)
mrw_scene *scene_import(const void *bytes, uint32_t size_bytes, const js_file *files,
                        uint32_t file_count);
JS_EXPORT(scene_free) void scene_free(mrw_scene *scene);
JS_EXPORT(character_build)
mrw_character *character_build(const mrw_scene *scene, uint32_t max_influences,
                               bool group_vertices);
/* A .mrw file: what it has is in it, so there is nothing to import. */
JS_EXPORT(character_open)
mrw_character *character_open(const void *bytes, uint32_t size_bytes, uint32_t max_influences);
JS_EXPORT(character_free) void character_free(mrw_character *character);

/* code, severity, where, message, count; false past the end */
JS_EXPORT(scene_diagnostic) bool scene_diagnostic(const mrw_scene *scene, uint32_t index);
JS_EXPORT(character_diagnostic)
bool character_diagnostic(const mrw_character *character, uint32_t index);
/* skeleton; clips, bytes of one, their count; the same of skins, meshes, instances; palette
 * count */
JS_EXPORT(character_read) void character_read(const mrw_character *character);
/* joint count, scalar count, parents */
JS_EXPORT(skeleton_read) void skeleton_read(const mrw_skeleton *skeleton);
JS_EXPORT(skeleton_joint_name)
const char *skeleton_joint_name(const mrw_skeleton *skeleton, uint32_t joint);
JS_EXPORT(skeleton_scalar_name)
const char *skeleton_scalar_name(const mrw_skeleton *skeleton, uint32_t scalar);
JS_EXPORT(skeleton_find_joint)
int32_t skeleton_find_joint(const mrw_skeleton *skeleton, const char *name);
/* name, track count */
JS_EXPORT(clip_read) void clip_read(const mrw_clip *clip);
JS_EXPORT(clip_duration) float clip_duration(const mrw_clip *clip);
/* kind, target, interpolation, key count, times, floats of a value */
JS_EXPORT(clip_track) void clip_track(const mrw_clip *clip, uint32_t index);
/* The values of all keys, without tangents. */
JS_EXPORT(clip_track_values)
void clip_track_values(const mrw_clip *clip, uint32_t index, float *out_values);
/* name, joint count, joints */
JS_EXPORT(skin_read) void skin_read(const mrw_skin *skin);
/* name, vertex count, positions, normals, tangents, texcoords, colors, influence count, joints,
 * weights, index count, indices, target count, part count, source vertices */
JS_EXPORT(mesh_read) void mesh_read(const mrw_mesh *mesh);
JS_EXPORT(mesh_target_name) const char *mesh_target_name(const mrw_mesh *mesh, uint32_t target);
/* topology, material, first index, index count */
JS_EXPORT(mesh_part) void mesh_part(const mrw_mesh *mesh, uint32_t index);
/* mesh, skin, joint, first scalar, palette first, palette count */
JS_EXPORT(instance_read) void instance_read(const mrw_mesh_instance *instance);

/* --- what a program describes: builder_exports.c ---------------------------------------- */

/* out_order: [joint_count] */
JS_EXPORT(skeleton_build)
js_built *skeleton_build(const mrw_joint_desc *joints, uint32_t joint_count,
                         const mrw_scalar_desc *scalars, uint32_t scalar_count,
                         uint32_t *out_order);
JS_EXPORT(clip_build)
js_built *clip_build(const mrw_skeleton *skeleton, const char *name, const mrw_track_desc *tracks,
                     uint32_t track_count, float duration_s);
/* inverse_binds: [joint_count], or NULL */
JS_EXPORT(skin_build)
js_built *skin_build(const mrw_skeleton *skeleton, const uint32_t *joints,
                     const mrw_mat34 *inverse_binds, uint32_t joint_count);
JS_EXPORT(built_free) void built_free(js_built *built);

/* --- poses: pose_exports.c -------------------------------------------------------------- */

/* The rest pose. */
JS_EXPORT(pose_create) js_pose *pose_create(const mrw_skeleton *skeleton);
JS_EXPORT(pose_free) void pose_free(js_pose *posed);
/* scalars, model matrices */
JS_EXPORT(pose_read) void pose_read(const js_pose *posed);
JS_EXPORT(pose_sample)
mrw_status pose_sample(js_pose *posed, const mrw_clip *clip, double time_s, bool loop);
JS_EXPORT(pose_rest) mrw_status pose_rest(js_pose *posed);
JS_EXPORT(pose_copy) mrw_status pose_copy(js_pose *posed, const js_pose *other);
/* poses, weights: [layer_count] */
JS_EXPORT(pose_blend)
mrw_status pose_blend(js_pose *posed, const js_pose *const *poses, const float *weights,
                      uint32_t layer_count);
JS_EXPORT(pose_joint) void pose_joint(const js_pose *posed, uint32_t joint, mrw_transform *out);
/* The rotation is normalised. */
JS_EXPORT(pose_set_joint)
void pose_set_joint(js_pose *posed, uint32_t joint, const mrw_transform *transform);
JS_EXPORT(pose_model) mrw_status pose_model(js_pose *posed);
/* From the matrices of the last pose_model (before it they mean nothing); until the pose's next
 * call. */
JS_EXPORT(pose_palette) const mrw_mat34 *pose_palette(js_pose *posed, const mrw_skin *skin);
/* Likewise. dual quaternions, stretches, whether there is any stretch */
JS_EXPORT(pose_dual_quats) mrw_status pose_dual_quats(js_pose *posed, const mrw_skin *skin);

/* --- vertices: skin_exports.c ----------------------------------------------------------- */

/* As pose_palette. positions, normals (0 if not wanted, or the mesh has none), floats of each */
JS_EXPORT(pose_skin)
mrw_status pose_skin(js_pose *posed, const mrw_character *character, uint32_t index,
                     mrw_skin_method method, bool with_normals);

/* --- crowds: crowd_exports.c ------------------------------------------------------------ */

/* Of a character, or of one skin: the other is NULL. All stand in the rest pose. */
JS_EXPORT(crowd_create)
js_crowd *crowd_create(const mrw_skeleton *skeleton, const mrw_character *character,
                       const mrw_skin *skin, uint32_t count);
JS_EXPORT(crowd_free) void crowd_free(js_crowd *crowd);
/* palette, scalars, matrices of one character */
JS_EXPORT(crowd_read) void crowd_read(const js_crowd *crowd);
/* index below the count; fade 0..1, and what it grows by in a second. clip or NULL: the rest pose;
 * other_clip or NULL: no fade. */
JS_EXPORT(crowd_set)
mrw_status crowd_set(js_crowd *crowd, uint32_t index, const mrw_clip *clip, double time_s,
                     double speed, bool loop, const mrw_clip *other_clip, double other_time_s,
                     double other_speed, bool other_loop, double fade, double fade_per_s);
/* Moves all times and fades on, and evaluates; a fade that reaches 1 ends with the other clip. */
JS_EXPORT(crowd_update) mrw_status crowd_update(js_crowd *crowd, double elapsed_s);

/* --- shader texts: shader_exports.c ----------------------------------------------------- */

/* NULL where there is no such text. */
JS_EXPORT(shader_source)
const char *shader_source(mrw_shader_kind kind, mrw_shader_dialect dialect);
JS_EXPORT(shader_version_line) const char *shader_version_line(mrw_shader_dialect dialect);

#endif
