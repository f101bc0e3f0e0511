#include "fault/damage.h"

#include <core/posed.h>

#include <marrow/mesh.h>
#include <marrow/offline/export.h>
#include <marrow/sample.h>
#include <marrow/stored_clip.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Enough to pass through all keys of a short clip, and both its ends. */
static const double moments[] = {-1.0, 0.0, 0.3, 1.7};
#define MOMENT_COUNT (sizeof(moments) / sizeof(moments[0]))

static bool skin_instance(const view_posed *posed, uint32_t instance)
{
    const mrw_character *character = posed->character;
    const mrw_mesh *mesh = &character->meshes[character->instances[instance].mesh];
    size_t size_bytes = (size_t)mesh->vertex_count * 3 * sizeof(float);
    float *positions = malloc(size_bytes + 1);
    float *normals = mesh->normals != NULL ? malloc(size_bytes + 1) : NULL;
    bool fine = positions != NULL && (normals != NULL || mesh->normals == NULL);
    for (mrw_skin_method method = MRW_SKIN_LINEAR; fine && method <= MRW_SKIN_DUAL_QUAT; method++)
        fine = view_posed_vertices(posed, instance, method, positions, normals) == MRW_OK;
    free(positions);
    free(normals);
    return fine;
}

bool run_character(const mrw_character *character)
{
    view_posed posed;
    if (view_posed_create(character, &posed) != MRW_OK)
        return false;
    bool fine = true;
    for (int32_t clip = -1; fine && clip < (int32_t)character->clip_count; clip++)
        for (size_t i = 0; fine && i < MOMENT_COUNT; i++)
            fine = view_posed_update(&posed, clip, moments[i], i % 2 != 0) == MRW_OK;
    for (uint32_t i = 0; fine && i < character->instance_count; i++)
        fine = skin_instance(&posed, i);
    view_posed_free(&posed);
    return fine;
}

mrw_status run_file(const void *bytes, size_t size_bytes, const mrw_memory_options *memory,
                    mrw_error *out_error)
{
    mrw_import_options import = mrw_import_options_default();
    mrw_build_options build = mrw_build_options_default();
    build.group_vertices = true; /* all that building does */
    if (memory != NULL) {
        import.memory = *memory;
        build.memory = *memory;
    }
    mrw_scene *scene;
    mrw_status status =
        mrw_import_memory(bytes, size_bytes, NULL, NULL, &import, &scene, out_error);
    if (status != MRW_OK)
        return status;
    mrw_character *character;
    status = mrw_build_character(scene, &build, &character, out_error);
    mrw_scene_free(scene);
    if (status != MRW_OK)
        return status;
    if (!run_character(character))
        status = MRW_ERR_INCONSISTENT;
    mrw_character_free(character);
    return status;
}

static bool is_finite(const mrw_pose *pose)
{
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        const mrw_transform at = mrw_pose_joint(pose, j);
        if (!isfinite(at.translation.x + at.translation.y + at.translation.z) ||
            !isfinite(at.scale.x + at.scale.y + at.scale.z) ||
            !(fabsf(mrw_quat_dot(at.rotation, at.rotation) - 1.0f) < 0.01f))
            return false;
    }
    for (uint32_t i = 0; i < pose->scalar_count; i++)
        if (!isfinite(pose->scalars[i]))
            return false;
    return true;
}

/* Here and there in a clip, at both ends, and beyond them; of a clip that is packed wholly, all
 * numbers are finite whatever its bytes are. */
static void sample_everywhere(const mrw_skeleton *skeleton, const mrw_clip *clip)
{
    static const double shares[] = {0.5, 0.0,  1.0,  0.3819, 0.99999, 0.0001,
                                    1.5, -1.0, 0.75, 0.6180, 0.05,    0.9};
    const size_t size_bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    void *memory = aligned_alloc(MRW_ALIGNMENT, size_bytes);
    mrw_pose pose;
    if (memory == NULL || mrw_pose_init(memory, size_bytes, skeleton->joint_count,
                                        skeleton->scalar_count, &pose) != MRW_OK)
        abort();
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = clip;
    job.skeleton = skeleton;
    job.out_pose = &pose;
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        job.time_s = shares[i] * (double)clip->duration_s;
        job.loop = i % 2 == 1;
        if (mrw_sample(&job) == MRW_OK && clip->track_count == 0 && !is_finite(&pose))
            abort();
    }
    free(memory);
}

/* A file of the mesh and of what else the character has, opened and run. */
static void run_mesh(const mrw_character *character, const mrw_asset_header *mesh)
{
    const mrw_asset_header *headers[] = {character->skeleton.header, character->clips[0].header,
                                         character->skins[0].header, mesh};
    mrw_file_part parts[4];
    for (int i = 0; i < 4; i++)
        parts[i] = (mrw_file_part){"", headers[i], (size_t)headers[i]->size_bytes};
    mrw_bytes file;
    mrw_character *opened;
    if (mrw_export_file(parts, 4, NULL, &file, NULL) != MRW_OK)
        abort();
    if (mrw_open_character(file.data, file.size_bytes, NULL, &opened, NULL) == MRW_OK)
        run_character(opened);
    mrw_character_free(opened);
    mrw_bytes_free(&file);
}

/* Reads all that a view on materials points to. */
static void read_materials(const mrw_materials *materials)
{
    volatile size_t sink = 0;
    for (uint32_t i = 0; i < materials->material_count; i++)
        sink = sink + strlen(materials->names + materials->materials[i].name_offset);
    for (uint32_t i = 0; i < materials->image_count; i++) {
        const mrw_image *image = &materials->images[i];
        sink = sink + strlen(materials->names + image->name_offset);
        for (uint64_t k = 0; k < image->size_bytes; k++)
            sink = sink + materials->image_bytes[image->offset + k];
    }
}

static mrw_status run_mesh_or_materials(const mrw_character *character, const void *bytes,
                                        size_t size_bytes, mrw_asset_kind kind,
                                        mrw_error *out_error)
{
    mrw_mesh_asset mesh;
    mrw_materials materials;
    mrw_status status = kind == MRW_ASSET_MESH
                            ? mrw_mesh_asset_open(bytes, size_bytes, &mesh, out_error)
                            : mrw_materials_open(bytes, size_bytes, &materials, out_error);
    if (status == MRW_OK && kind == MRW_ASSET_MESH)
        run_mesh(character, mesh.header);
    else if (status == MRW_OK)
        read_materials(&materials);
    return status;
}

/* Decoded in two parts, in memory of exactly the sizes asked for; what is there after each is
 * sampled, and what comes out is run. */
static mrw_status run_stored(const mrw_character *character, const void *bytes, size_t size_bytes,
                             mrw_error *out_error)
{
    mrw_stored_clip sizes;
    mrw_status status = mrw_stored_clip_open(bytes, size_bytes, &sizes, out_error);
    const size_t most = (size_t)1 << 28; /* a head alone may claim terabytes */
    if (status != MRW_OK || sizes.clip_bytes > most || sizes.work_bytes > most)
        return status;
    void *clip = malloc(sizes.clip_bytes), *work = malloc(sizes.work_bytes);
    mrw_clip_stream *stream = NULL;
    if (clip == NULL || work == NULL)
        abort();
    status = mrw_clip_stream_begin(bytes, size_bytes, clip, sizes.clip_bytes, work,
                                   sizes.work_bytes, &stream, out_error);
    for (size_t part = 1; status == MRW_OK && part <= 2; part++) {
        mrw_clip view;
        status = mrw_clip_stream_advance(stream, size_bytes * part / 2, &view, out_error);
        if (status == MRW_OK && view.joint_count > 0)
            sample_everywhere(&character->skeleton, &view);
    }
    if (status == MRW_OK && mrw_clip_stream_is_complete(stream))
        status = run_asset(character, clip, sizes.clip_bytes, MRW_ASSET_CLIP, out_error);
    free(work);
    free(clip);
    return status;
}

mrw_status run_asset(const mrw_character *character, const void *bytes, size_t size_bytes,
                     mrw_asset_kind kind, mrw_error *out_error)
{
    if (kind == MRW_ASSET_MESH || kind == MRW_ASSET_MATERIALS)
        return run_mesh_or_materials(character, bytes, size_bytes, kind, out_error);
    if (kind == MRW_ASSET_CLIP && mrw_is_stored_clip(bytes, size_bytes))
        return run_stored(character, bytes, size_bytes, out_error);
    mrw_character changed = *character;
    mrw_clip clip = character->clips[0];
    mrw_skin skin = character->skins[0];
    mrw_status status;
    if (kind == MRW_ASSET_SKELETON)
        status = mrw_skeleton_open(bytes, size_bytes, &changed.skeleton, out_error);
    else if (kind == MRW_ASSET_CLIP)
        status = mrw_clip_open(bytes, size_bytes, &clip, out_error);
    else
        status = mrw_skin_open(bytes, size_bytes, &skin, out_error);
    if (status != MRW_OK)
        return status;
    if (kind == MRW_ASSET_CLIP)
        sample_everywhere(&character->skeleton, &clip);
    changed.clips = &clip;
    changed.clip_count = 1;
    changed.skins = &skin;
    changed.skin_count = 1;
    /* The character's own numbers, of instances and influences, hold for these counts only. */
    if (skin.joint_count == character->skins[0].joint_count &&
        changed.skeleton.joint_count == character->skeleton.joint_count &&
        changed.skeleton.scalar_count == character->skeleton.scalar_count)
        run_character(&changed);
    return MRW_OK;
}
