/* A mesh of a character as an asset: docs/format/mesh_v1.md. What can be said in fewer bytes
 * without losing a bit is: indices, joints, and weights that came from whole numbers. */
#include <marrow/offline/build.h>

#include "base/error.h"
#include "mesh/mesh_format.h"
#include "offline/build/asset_writer.h"
#include "offline/memory/arena.h"
#include "skin/skin_influences.h"

#include <string.h>

typedef struct mesh_writer {
    const mrw_character *character;
    const mrw_mesh *mesh;
    uint32_t index; /* of the mesh */
    mrwi_mesh_content content;
    const char **names; /* of the mesh, then of the targets */
    mrw_bytes *out;
} mesh_writer;

/* --- the shortest forms -------------------------------------------------------------------- */

static uint64_t influence_total(const mrw_mesh *mesh)
{
    return (uint64_t)mesh->vertex_count * mesh->influence_count;
}

static uint32_t above_all_joints(const mrw_mesh *mesh)
{
    uint32_t above = 0;
    for (uint64_t i = 0; i < influence_total(mesh); i++)
        if (mesh->joints[i] >= above)
            above = (uint32_t)mesh->joints[i] + 1;
    return above > 0 || mesh->influence_count == 0 ? above : 1;
}

static uint32_t as_whole(float weight, float one)
{
    return weight >= 0.0f && weight <= 1.0f ? (uint32_t)(weight * one + 0.5f) : 0;
}

/* Whole numbers where they stand for exactly these weights. */
static mrw_weight_format choose_weight_format(const mrw_mesh *mesh)
{
    bool fits8 = true, fits16 = true;
    for (uint64_t i = 0; i < influence_total(mesh) && (fits8 || fits16); i++) {
        const float w = mesh->weights[i];
        fits8 = fits8 && mrwi_weight_from_unorm8((uint8_t)as_whole(w, 255.0f)) == w;
        fits16 = fits16 && mrwi_weight_from_unorm16((uint16_t)as_whole(w, 65535.0f)) == w;
    }
    return fits8 ? MRW_WEIGHT_UNORM8 : fits16 ? MRW_WEIGHT_UNORM16 : MRW_WEIGHT_FLOAT;
}

/* --- fields -------------------------------------------------------------------------------- */

static uint32_t target_streams(const mrw_morph_target *target)
{
    return (target->positions != NULL ? MRWI_TARGET_POSITIONS : 0u) |
           (target->normals != NULL ? MRWI_TARGET_NORMALS : 0u) |
           (target->tangents != NULL ? MRWI_TARGET_TANGENTS : 0u) |
           (target->vertices != NULL ? MRWI_TARGET_SPARSE : 0u);
}

static void set_counts(mesh_writer *writer)
{
    const mrw_mesh *mesh = writer->mesh;
    mrwi_mesh_content *content = &writer->content;
    content->vertex_count = mesh->vertex_count;
    content->index_count = mesh->index_count;
    content->part_count = mesh->part_count;
    content->target_count = mesh->target_count;
    content->influence_count = mesh->influence_count;
    content->palette_count = above_all_joints(mesh);
    content->skeleton_joint_count = writer->character->skeleton.joint_count;
    content->skeleton_scalar_count = writer->character->skeleton.scalar_count;
    content->streams = (uint8_t)((mesh->normals != NULL ? MRWI_MESH_NORMALS : 0) |
                                 (mesh->tangents != NULL ? MRWI_MESH_TANGENTS : 0) |
                                 (mesh->texcoords != NULL ? MRWI_MESH_TEXCOORDS : 0) |
                                 (mesh->colors != NULL ? MRWI_MESH_COLORS : 0) |
                                 (mesh->source_vertices != NULL ? MRWI_MESH_SOURCE_VERTICES : 0));
    content->joint_format =
        content->palette_count <= 256 ? (uint8_t)MRW_JOINT_UINT8 : (uint8_t)MRW_JOINT_UINT16;
    content->weight_format = (uint8_t)choose_weight_format(mesh);
    content->index_size_bytes = mesh->vertex_count <= 65536 ? 2 : 4;
    for (uint32_t i = 0; i < writer->character->instance_count; i++)
        content->instance_count += writer->character->instances[i].mesh == writer->index;
    for (uint32_t i = 0; i < mesh->target_count; i++) {
        const mrw_morph_target *target = &mesh->targets[i];
        const uint64_t count = mrw_morph_target_count(target, mesh->vertex_count);
        content->target_vertex_count += target->vertices != NULL ? count : 0;
        content->target_value_count += count * 3 * mrwi_target_stream_count(target_streams(target));
    }
}

static mrw_status set_names(mesh_writer *writer, mrwi_arena *scratch, mrw_error *out_error)
{
    const uint32_t count = writer->mesh->target_count + 1;
    writer->names = mrwi_arena_alloc(scratch, count, sizeof(*writer->names));
    uint64_t size = 0;
    for (uint32_t i = 0; writer->names != NULL && i < count; i++) {
        const char *name = i == 0 ? writer->mesh->name : writer->mesh->target_names[i - 1];
        writer->names[i] = mrwi_asset_name(scratch, name);
        if (writer->names[i] == NULL)
            break;
        size += strlen(writer->names[i]) + 1;
    }
    if (writer->names == NULL || writer->names[count - 1] == NULL)
        return mrwi_arena_fail(scratch, out_error, "names");
    if (size > UINT32_MAX)
        return mrwi_fail_at(out_error, MRW_ERR_LIMIT, 0, "names");
    writer->content.names_size_bytes = (uint32_t)size;
    return MRW_OK;
}

static mrwi_asset_layout lay_out(mrwi_mesh_content *content)
{
    const uint64_t vertices = content->vertex_count;
    const uint64_t influences = vertices * content->influence_count;
    const uint32_t streams = content->streams;
    mrwi_asset_layout layout = mrwi_asset_layout_begin(sizeof(*content));
    content->positions_offset = mrwi_asset_layout_section(&layout, vertices, 12);
    content->normals_offset =
        mrwi_asset_layout_section(&layout, streams & MRWI_MESH_NORMALS ? vertices : 0, 12);
    content->tangents_offset =
        mrwi_asset_layout_section(&layout, streams & MRWI_MESH_TANGENTS ? vertices : 0, 16);
    content->texcoords_offset =
        mrwi_asset_layout_section(&layout, streams & MRWI_MESH_TEXCOORDS ? vertices : 0, 8);
    content->colors_offset =
        mrwi_asset_layout_section(&layout, streams & MRWI_MESH_COLORS ? vertices : 0, 16);
    content->joints_offset = mrwi_asset_layout_section(
        &layout, influences, mrwi_joint_size((mrw_joint_format)content->joint_format));
    content->weights_offset = mrwi_asset_layout_section(
        &layout, influences, mrwi_weight_size((mrw_weight_format)content->weight_format));
    content->source_vertices_offset =
        mrwi_asset_layout_section(&layout, streams & MRWI_MESH_SOURCE_VERTICES ? vertices : 0, 4);
    content->indices_offset =
        mrwi_asset_layout_section(&layout, content->index_count, content->index_size_bytes);
    content->parts_offset =
        mrwi_asset_layout_section(&layout, content->part_count, sizeof(mrw_mesh_asset_part));
    content->instances_offset = mrwi_asset_layout_section(&layout, content->instance_count,
                                                          sizeof(mrw_mesh_asset_instance));
    content->targets_offset =
        mrwi_asset_layout_section(&layout, content->target_count, sizeof(mrw_mesh_asset_target));
    content->target_vertices_offset =
        mrwi_asset_layout_section(&layout, content->target_vertex_count, 4);
    content->target_values_offset =
        mrwi_asset_layout_section(&layout, content->target_value_count, 4);
    content->names_offset = mrwi_asset_layout_section(&layout, content->names_size_bytes, 1);
    return layout;
}

/* --- sections ------------------------------------------------------------------------------ */

static void *section(const mesh_writer *writer, uint64_t offset)
{
    return writer->out->data + offset;
}

static void write_floats(const mesh_writer *writer, uint64_t offset, const float *values,
                         size_t width)
{
    if (values != NULL && writer->mesh->vertex_count > 0)
        memcpy(section(writer, offset), values,
               writer->mesh->vertex_count * width * sizeof(*values));
}

static void write_vertices(const mesh_writer *writer)
{
    const mrw_mesh *mesh = writer->mesh;
    const mrwi_mesh_content *content = &writer->content;
    write_floats(writer, content->positions_offset, mesh->positions, 3);
    write_floats(writer, content->normals_offset, mesh->normals, 3);
    write_floats(writer, content->tangents_offset, mesh->tangents, 4);
    write_floats(writer, content->texcoords_offset, mesh->texcoords, 2);
    write_floats(writer, content->colors_offset, mesh->colors, 4);
    if (mesh->source_vertices != NULL && mesh->vertex_count > 0)
        memcpy(section(writer, content->source_vertices_offset), mesh->source_vertices,
               mesh->vertex_count * sizeof(uint32_t));
}

static void write_influences(const mesh_writer *writer)
{
    const mrw_mesh *mesh = writer->mesh;
    const mrwi_mesh_content *content = &writer->content;
    uint8_t *joints = section(writer, content->joints_offset);
    uint8_t *weights = section(writer, content->weights_offset);
    for (uint64_t i = 0; i < influence_total(mesh); i++) {
        const float weight = mesh->weights[i];
        if (content->joint_format == MRW_JOINT_UINT8)
            joints[i] = (uint8_t)mesh->joints[i];
        else
            ((uint16_t *)(void *)joints)[i] = mesh->joints[i];
        if (content->weight_format == MRW_WEIGHT_UNORM8)
            weights[i] = (uint8_t)as_whole(weight, 255.0f);
        else if (content->weight_format == MRW_WEIGHT_UNORM16)
            ((uint16_t *)(void *)weights)[i] = (uint16_t)as_whole(weight, 65535.0f);
        else
            ((float *)(void *)weights)[i] = weight;
    }
}

static void write_indices(const mesh_writer *writer)
{
    uint8_t *indices = section(writer, writer->content.indices_offset);
    for (uint32_t i = 0; i < writer->mesh->index_count; i++) {
        if (writer->content.index_size_bytes == 2)
            ((uint16_t *)(void *)indices)[i] = (uint16_t)writer->mesh->indices[i];
        else
            ((uint32_t *)(void *)indices)[i] = writer->mesh->indices[i];
    }
}

static void write_parts(const mesh_writer *writer)
{
    mrw_mesh_asset_part *parts = section(writer, writer->content.parts_offset);
    for (uint32_t i = 0; i < writer->mesh->part_count; i++) {
        const mrw_mesh_part *part = &writer->mesh->parts[i];
        parts[i] =
            (mrw_mesh_asset_part){(uint32_t)part->topology, part->material,    part->first_vertex,
                                  part->vertex_count,       part->first_index, part->index_count};
    }
}

static void write_instances(const mesh_writer *writer)
{
    mrw_mesh_asset_instance *next = section(writer, writer->content.instances_offset);
    for (uint32_t i = 0; i < writer->character->instance_count; i++) {
        const mrw_mesh_instance *instance = &writer->character->instances[i];
        if (instance->mesh == writer->index)
            *next++ = (mrw_mesh_asset_instance){instance->joint, instance->skin,
                                                instance->first_scalar, i};
    }
}

static void write_targets(const mesh_writer *writer)
{
    const mrw_mesh *mesh = writer->mesh;
    mrw_mesh_asset_target *targets = section(writer, writer->content.targets_offset);
    uint32_t *vertices = section(writer, writer->content.target_vertices_offset);
    float *values = section(writer, writer->content.target_values_offset);
    uint64_t first_vertex = 0, first_value = 0;
    uint32_t name_offset = (uint32_t)strlen(writer->names[0]) + 1;
    for (uint32_t i = 0; i < mesh->target_count; i++) {
        const mrw_morph_target *target = &mesh->targets[i];
        const uint32_t count = mrw_morph_target_count(target, mesh->vertex_count);
        targets[i] = (mrw_mesh_asset_target){first_vertex,           first_value, count,
                                             target_streams(target), name_offset, 0};
        name_offset += (uint32_t)strlen(writer->names[i + 1]) + 1;
        if (target->vertices != NULL && count > 0) {
            memcpy(vertices + first_vertex, target->vertices, count * sizeof(*vertices));
            first_vertex += count;
        }
        const float *const streams[] = {target->positions, target->normals, target->tangents};
        for (int k = 0; k < 3; k++) {
            if (streams[k] == NULL || count == 0)
                continue;
            memcpy(values + first_value, streams[k], (size_t)count * 3 * sizeof(*values));
            first_value += (uint64_t)count * 3;
        }
    }
}

static void write_names(const mesh_writer *writer)
{
    char *names = section(writer, writer->content.names_offset);
    for (uint32_t i = 0; i <= writer->mesh->target_count; i++) {
        const size_t size = strlen(writer->names[i]) + 1;
        memcpy(names, writer->names[i], size);
        names += size;
    }
}

/* --- the asset ----------------------------------------------------------------------------- */

static mrw_status write_mesh(mesh_writer *writer, const mrw_memory_options *memory,
                             mrwi_arena *scratch, mrw_error *out_error)
{
    set_counts(writer);
    mrw_status status = set_names(writer, scratch, out_error);
    if (status != MRW_OK)
        return status;
    const mrwi_asset_layout layout = lay_out(&writer->content);
    status = mrwi_asset_alloc(&layout, memory, scratch, writer->out, out_error);
    if (status != MRW_OK)
        return status;
    memcpy(writer->out->data, &writer->content, sizeof(writer->content));
    write_vertices(writer);
    write_influences(writer);
    write_indices(writer);
    write_parts(writer);
    write_instances(writer);
    write_targets(writer);
    write_names(writer);
    mrwi_asset_finish(writer->out, MRW_ASSET_MESH, MRW_MESH_VERSION,
                      mrw_skeleton_id(&writer->character->skeleton));
    return MRW_OK;
}

mrw_status mrw_build_mesh(const mrw_character *character, uint32_t mesh,
                          const mrw_memory_options *memory, mrw_bytes *out_mesh,
                          mrw_error *out_error)
{
    if (out_mesh == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_mesh");
    memset(out_mesh, 0, sizeof(*out_mesh));
    if (character == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "character");
    if (mesh >= character->mesh_count)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "mesh", "mesh %u of %u", mesh,
                         character->mesh_count);
    mesh_writer writer = {
        .character = character, .mesh = &character->meshes[mesh], .index = mesh, .out = out_mesh};
    mrwi_arena scratch;
    mrwi_arena_init(&scratch, memory);
    mrw_status status = write_mesh(&writer, memory, &scratch, out_error);
    mrwi_arena_free(&scratch);
    return status;
}
