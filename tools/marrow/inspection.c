#define _POSIX_C_SOURCE 200809L /* stat */

#include "inspection.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* 0 where it has none: a pipe. */
static uint64_t size_of_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
}

static void mark_joints(const mrw_character *character, inspection *facts)
{
    for (uint32_t i = 0; i < character->skeleton.joint_count; ++i) {
        facts->joint_instances[i] = -1;
    }
    for (uint32_t i = 0; i < character->skin_count; ++i) {
        for (uint32_t j = 0; j < character->skins[i].joint_count; ++j) {
            facts->joint_marks[character->skins[i].joints[j]] |= JOINT_OF_SKIN;
        }
    }
    for (uint32_t i = 0; i < character->instance_count; ++i) {
        facts->joint_marks[character->instances[i].joint] |= JOINT_WITH_MESH;
        facts->joint_instances[character->instances[i].joint] = (int32_t)i;
    }
}

/* The joint whose mesh has this morph weight. Instances follow one another in the list of scalars.
 * -1 where there are none: in a .mrw file.
 */
static int64_t joint_of_scalar(const mrw_character *character, uint32_t scalar)
{
    if (character->instance_count == 0) {
        return -1;
    }
    uint32_t low = 0;
    uint32_t high = character->instance_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (character->instances[middle].first_scalar <= scalar) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return character->instances[low].joint;
}

static void mark_animated(const mrw_character *character, uint32_t kind, uint32_t target,
                          uint8_t *joint_marks)
{
    int64_t joint = kind == MRW_TRACK_SCALAR ? joint_of_scalar(character, target) : target;
    if (joint >= 0) {
        joint_marks[joint] |= JOINT_ANIMATED;
    }
}

static void count_packed(const mrw_character *character, const mrw_clip_packed *packed,
                         clip_facts *out_facts, uint8_t *joint_marks)
{
    static const uint32_t kinds[] = {MRW_TRACK_ROTATION, MRW_TRACK_TRANSLATION, MRW_TRACK_SCALE,
                                     MRW_TRACK_SCALAR};
    const uint32_t counts[] = {packed->rotation_count, packed->translation_count,
                               packed->scale_count, packed->scalar_count};
    const uint32_t *target = packed->targets;
    for (uint32_t i = 0; i < 4; ++i) {
        out_facts->track_counts[kinds[i]] += counts[i];
        out_facts->packed_track_count += counts[i];
        for (uint32_t k = 0; k < counts[i]; ++k) {
            mark_animated(character, kinds[i], *target++, joint_marks);
        }
    }
    out_facts->key_count += (uint64_t)packed->sample_count * out_facts->packed_track_count;
}

/* Constants that no track says count as tracks of one key. */
static void count_constants(const mrw_character *character, const mrw_clip *clip,
                            clip_facts *out_facts, uint8_t *joint_marks)
{
    uint32_t track = 0;
    for (uint32_t part = 0; part < 3 * clip->base_count; ++part) {
        const uint32_t kind = part / clip->base_count;
        const mrw_clip_base *base = &clip->bases[part % clip->base_count];
        for (uint32_t lane = 0; lane < MRW_POSE_LANES; ++lane) {
            const uint32_t joint = base->block * MRW_POSE_LANES + lane;
            while (track < clip->track_count &&
                   (clip->tracks[track].kind < kind ||
                    (clip->tracks[track].kind == kind && clip->tracks[track].target < joint))) {
                ++track;
            }
            const bool has_track = track < clip->track_count && clip->tracks[track].kind == kind &&
                                   clip->tracks[track].target == joint;
            if ((base->lanes[kind] >> lane & 1) == 0 || has_track) {
                continue;
            }
            out_facts->constant_count += 1;
            out_facts->track_counts[kind] += 1;
            out_facts->interpolation_counts[MRW_INTERPOLATION_LINEAR] += 1;
            out_facts->key_count += 1;
            mark_animated(character, kind, joint, joint_marks);
        }
    }
}

static void count_clip(const mrw_character *character, const mrw_clip *clip, clip_facts *out_facts,
                       uint8_t *joint_marks)
{
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        const mrw_track *track = &clip->tracks[i];
        out_facts->track_counts[track->kind] += 1;
        out_facts->interpolation_counts[track->interpolation] += 1;
        out_facts->key_count += track->key_count;
        mark_animated(character, track->kind, track->target, joint_marks);
    }
    count_constants(character, clip, out_facts, joint_marks);
    if (clip->packed.sample_count > 0) {
        count_packed(character, &clip->packed, out_facts, joint_marks);
    }
}

static void count_influences(const mrw_mesh *mesh, mesh_facts *out_facts)
{
    for (size_t i = 0; i < mesh->vertex_count; ++i) {
        const float *weights = mesh->weights + i * mesh->influence_count;
        uint32_t count = 0;
        for (uint32_t j = 0; j < mesh->influence_count; ++j) {
            count += weights[j] > 0.0f;
        }
        if (count > out_facts->largest_influence_count) {
            out_facts->largest_influence_count = count;
        }
        out_facts->influence_counts[count < INFLUENCE_COUNTS ? count : INFLUENCE_COUNTS - 1] += 1;
    }
}

static void count_mesh(const mrw_mesh *mesh, mesh_facts *out_facts)
{
    for (uint32_t i = 0; i < mesh->part_count; ++i) {
        if (mesh->parts[i].topology == MRW_TOPOLOGY_TRIANGLES) {
            out_facts->triangle_count += mesh->parts[i].index_count / 3;
        }
    }
    if (mesh->influence_count > 0) {
        count_influences(mesh, out_facts);
    }
}

bool cli_inspection_make(const cli_input *input, inspection *out_inspection)
{
    const mrw_character *character = input->character;
    size_t joint_count = character->skeleton.joint_count;
    memset(out_inspection, 0, sizeof(*out_inspection));
    out_inspection->input = input;
    out_inspection->file_bytes = size_of_file(input->path);
    out_inspection->joint_marks = calloc(joint_count + 1, sizeof(uint8_t));
    out_inspection->joint_instances = calloc(joint_count + 1, sizeof(int32_t));
    out_inspection->clips = calloc((size_t)character->clip_count + 1, sizeof(clip_facts));
    out_inspection->meshes = calloc((size_t)character->mesh_count + 1, sizeof(mesh_facts));
    if (!out_inspection->joint_marks || !out_inspection->joint_instances ||
        !out_inspection->clips || !out_inspection->meshes) {
        cli_inspection_free(out_inspection);
        return false;
    }
    mark_joints(character, out_inspection);
    for (uint32_t i = 0; i < character->clip_count; ++i) {
        count_clip(character, &character->clips[i], &out_inspection->clips[i],
                   out_inspection->joint_marks);
    }
    for (uint32_t i = 0; i < character->mesh_count; ++i) {
        count_mesh(&character->meshes[i], &out_inspection->meshes[i]);
    }
    for (uint32_t i = 0; i < character->instance_count; ++i) {
        out_inspection->meshes[character->instances[i].mesh].instance_count += 1;
    }
    return true;
}

void cli_inspection_free(inspection *facts)
{
    free(facts->joint_marks);
    free(facts->joint_instances);
    free(facts->clips);
    free(facts->meshes);
    memset(facts, 0, sizeof(*facts));
}

const char *cli_source_name(const cli_input *input, uint32_t joint)
{
    if (input->scene->node_count == 0) {
        return mrw_skeleton_joint_name(&input->character->skeleton, joint);
    }
    int32_t node = input->character->skeleton.source_nodes[joint];
    return input->scene->nodes[node].name;
}

const char *cli_interpolation_name(uint32_t interpolation)
{
    static const char *const names[] = {"step", "linear", "cubic"};
    return names[interpolation];
}

const char *cli_track_kind_name(uint32_t kind)
{
    static const char *const names[] = {"translation", "rotation", "scale", "scalar"};
    return names[kind];
}
