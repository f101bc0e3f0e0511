#include "exchange.h"

#include <marrow/offline/import.h>
#include <marrow/offline/load.h>

#include <stdlib.h>
#include <string.h>

/* JavaScript writes an array of these. */
struct js_file {
    const char *path;
    const uint8_t *bytes;
    uint32_t size_bytes;
};

typedef struct js_files {
    const js_file *files;
    uint32_t count;
} js_files;

static mrw_status open_file(void *user, const char *path, const uint8_t **out_bytes,
                            size_t *out_size_bytes)
{
    const js_files *all = user;
    for (uint32_t i = 0; i < all->count; i++) {
        if (strcmp(all->files[i].path, path) == 0) {
            *out_bytes = all->files[i].bytes;
            *out_size_bytes = all->files[i].size_bytes;
            return MRW_OK;
        }
    }
    return MRW_ERR_FILE_NOT_FOUND;
}

mrw_scene *scene_import(const void *bytes, uint32_t size_bytes, const js_file *files,
                        uint32_t file_count)
{
    js_files all = {files, file_count};
    mrw_import_options options = mrw_import_options_default();
    options.skip_images = true;
    mrw_scene *scene = NULL;
    mrw_import_memory(bytes, size_bytes, open_file, &all, &options, &scene, &js_error);
    return scene;
}

void scene_free(mrw_scene *scene)
{
    mrw_scene_free(scene);
}

static bool put_diagnostic(const mrw_diagnostic *diagnostics, uint32_t count, uint32_t index)
{
    if (index >= count) {
        return false;
    }
    const mrw_diagnostic *diagnostic = &diagnostics[index];
    js_record[0] = js_address(diagnostic->code);
    js_record[1] = js_address(mrw_severity_name(diagnostic->severity));
    js_record[2] = js_address(diagnostic->where);
    js_record[3] = js_address(diagnostic->message);
    js_record[4] = diagnostic->count;
    return true;
}

bool scene_diagnostic(const mrw_scene *scene, uint32_t index)
{
    return put_diagnostic(scene->diagnostics, scene->diagnostic_count, index);
}

bool character_diagnostic(const mrw_character *character, uint32_t index)
{
    return put_diagnostic(character->diagnostics, character->diagnostic_count, index);
}

mrw_character *character_build(const mrw_scene *scene, uint32_t max_influences, bool group_vertices)
{
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = max_influences;
    options.group_vertices = group_vertices;
    mrw_character *character = NULL;
    mrw_build_character(scene, &options, &character, &js_error);
    return character;
}

mrw_character *character_open(const void *bytes, uint32_t size_bytes, uint32_t max_influences)
{
    mrw_import_options import = mrw_import_options_default();
    import.skip_images = true;
    mrw_build_options build = mrw_build_options_default();
    build.max_influences = max_influences;
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    mrw_load_memory(bytes, size_bytes, NULL, NULL, &import, &build, &scene, &character, &js_error);
    mrw_scene_free(scene);
    return character;
}

void character_free(mrw_character *character)
{
    mrw_character_free(character);
}

void character_read(const mrw_character *character)
{
    js_record[0] = js_address(&character->skeleton);
    js_record[1] = js_address(character->clips);
    js_record[2] = sizeof(mrw_clip);
    js_record[3] = character->clip_count;
    js_record[4] = js_address(character->skins);
    js_record[5] = sizeof(mrw_skin);
    js_record[6] = character->skin_count;
    js_record[7] = js_address(character->meshes);
    js_record[8] = sizeof(mrw_mesh);
    js_record[9] = character->mesh_count;
    js_record[10] = js_address(character->instances);
    js_record[11] = sizeof(mrw_mesh_instance);
    js_record[12] = character->instance_count;
    js_record[13] = character->palette_count;
}

void skeleton_read(const mrw_skeleton *skeleton)
{
    js_record[0] = skeleton->joint_count;
    js_record[1] = skeleton->scalar_count;
    js_record[2] = js_address(skeleton->parents);
}

const char *skeleton_joint_name(const mrw_skeleton *skeleton, uint32_t joint)
{
    return mrw_skeleton_joint_name(skeleton, joint);
}

const char *skeleton_scalar_name(const mrw_skeleton *skeleton, uint32_t scalar)
{
    return mrw_skeleton_scalar_name(skeleton, scalar);
}

int32_t skeleton_find_joint(const mrw_skeleton *skeleton, const char *name)
{
    return mrw_skeleton_find_joint(skeleton, name);
}

void clip_read(const mrw_clip *clip)
{
    js_record[0] = js_address(clip->name);
    js_record[1] = clip->track_count;
}

float clip_duration(const mrw_clip *clip)
{
    return clip->duration_s;
}

void clip_track(const mrw_clip *clip, uint32_t index)
{
    const mrw_track *track = &clip->tracks[index];
    js_record[0] = track->kind;
    js_record[1] = track->target;
    js_record[2] = track->interpolation;
    js_record[3] = track->key_count;
    js_record[4] = js_address(clip->times + track->times_offset);
    js_record[5] = mrw_track_width((mrw_track_kind)track->kind);
}

void clip_track_values(const mrw_clip *clip, uint32_t index, float *out_values)
{
    const uint32_t width = mrw_track_width((mrw_track_kind)clip->tracks[index].kind);
    for (uint32_t k = 0; k < clip->tracks[index].key_count; k++) {
        float numbers[12];
        const uint32_t count = mrw_clip_key(clip, index, k, numbers);
        const float *value = count > width ? numbers + width : numbers;
        for (uint32_t i = 0; i < width; i++) {
            *out_values++ = value[i];
        }
    }
}

void skin_read(const mrw_skin *skin)
{
    js_record[0] = js_address(skin->name);
    js_record[1] = skin->joint_count;
    js_record[2] = js_address(skin->joints);
}

void mesh_read(const mrw_mesh *mesh)
{
    js_record[0] = js_address(mesh->name);
    js_record[1] = mesh->vertex_count;
    js_record[2] = js_address(mesh->positions);
    js_record[3] = js_address(mesh->normals);
    js_record[4] = js_address(mesh->tangents);
    js_record[5] = js_address(mesh->texcoords);
    js_record[6] = js_address(mesh->colors);
    js_record[7] = mesh->influence_count;
    js_record[8] = js_address(mesh->joints);
    js_record[9] = js_address(mesh->weights);
    js_record[10] = mesh->index_count;
    js_record[11] = js_address(mesh->indices);
    js_record[12] = mesh->target_count;
    js_record[13] = mesh->part_count;
    js_record[14] = js_address(mesh->source_vertices);
}

const char *mesh_target_name(const mrw_mesh *mesh, uint32_t target)
{
    return mesh->target_names[target];
}

void mesh_part(const mrw_mesh *mesh, uint32_t index)
{
    const mrw_mesh_part *part = &mesh->parts[index];
    js_record[0] = part->topology;
    js_record[1] = (uint32_t)part->material;
    js_record[2] = part->first_index;
    js_record[3] = part->index_count;
}

void instance_read(const mrw_mesh_instance *instance)
{
    js_record[0] = instance->mesh;
    js_record[1] = (uint32_t)instance->skin;
    js_record[2] = instance->joint;
    js_record[3] = instance->first_scalar;
    js_record[4] = instance->palette_first;
    js_record[5] = instance->palette_count;
}
