/* A mesh as bytes: arrays for skinning and drawing, each checked once.
 *
 *     fields ──▶ sections ──▶ names ──▶ numbers ──▶ parts, instances, targets
 *     counts     where they   strings   finite,     each begins where the
 *                lie                    in range    one before ends
 *
 * Names, parts and targets follow one another without gaps, so that reading all of them costs what
 * the asset is long, whatever its counts say.
 */
#include <marrow/mesh.h>

#include "asset/asset_reader.h"
#include "base/error.h"
#include "base/finite.h"
#include "mesh/mesh_format.h"
#include "skin/skin_influences.h"

#include <string.h>

/* --- fields and sections ------------------------------------------------------------------- */

static mrw_status fail(const mrwi_mesh_content *content, const void *place, const char *detail,
                       const char *message, mrw_error *out_error)
{
    return mrwi_asset_fail(&content->header, MRW_ERR_BAD_ASSET, place, detail, message, out_error);
}

static mrw_status check_fields(const mrwi_mesh_content *content, mrw_error *out_error)
{
    if (content->skeleton_joint_count > MRW_MAX_JOINTS)
        return fail(content, &content->skeleton_joint_count, "skeleton_joint_count",
                    "more than 65,535", out_error);
    if (content->skeleton_scalar_count > MRW_MAX_SCALARS)
        return fail(content, &content->skeleton_scalar_count, "skeleton_scalar_count",
                    "more than 16,777,216", out_error);
    if ((content->influence_count == 0) != (content->palette_count == 0) ||
        content->palette_count > MRW_MAX_JOINTS)
        return fail(content, &content->palette_count, "palette_count",
                    "more than 65,535, or 0 where there are influences, or not where there are "
                    "none",
                    out_error);
    if (content->streams > MRWI_MESH_ALL_STREAMS)
        return fail(content, &content->streams, "streams", "unknown ones", out_error);
    if (content->joint_format > MRW_JOINT_UINT8)
        return fail(content, &content->joint_format, "joint_format", "unknown", out_error);
    if (content->weight_format > MRW_WEIGHT_UNORM16)
        return fail(content, &content->weight_format, "weight_format", "unknown", out_error);
    if (content->index_size_bytes != 2 && content->index_size_bytes != 4)
        return fail(content, &content->index_size_bytes, "index_size_bytes", "neither 2 nor 4",
                    out_error);
    if (content->reserved != 0)
        return fail(content, &content->reserved, "reserved", "not zero", out_error);
    return MRW_OK;
}

typedef struct mesh_section {
    const char *name;
    uint64_t offset, count;
    size_t element_bytes;
    const void **out;
} mesh_section;

/* Points the view at the sections; what is in them is not looked at yet. */
static mrw_status find_sections(const mrwi_mesh_content *content, mrw_mesh_asset *view,
                                mrw_error *out_error)
{
    const uint64_t vertices = content->vertex_count;
    const uint64_t influences = vertices * content->influence_count;
    const uint32_t streams = content->streams;
    const void *positions, *normals, *tangents, *texcoords, *colors, *joints, *weights, *sources,
        *indices, *parts, *instances, *targets, *target_vertices, *target_values, *names;
    const mesh_section sections[] = {
        {"positions", content->positions_offset, vertices, 12, &positions},
        {"normals", content->normals_offset, streams & MRWI_MESH_NORMALS ? vertices : 0, 12,
         &normals},
        {"tangents", content->tangents_offset, streams & MRWI_MESH_TANGENTS ? vertices : 0, 16,
         &tangents},
        {"texcoords", content->texcoords_offset, streams & MRWI_MESH_TEXCOORDS ? vertices : 0, 8,
         &texcoords},
        {"colors", content->colors_offset, streams & MRWI_MESH_COLORS ? vertices : 0, 16, &colors},
        {"joints", content->joints_offset, influences,
         mrwi_joint_size((mrw_joint_format)content->joint_format), &joints},
        {"weights", content->weights_offset, influences,
         mrwi_weight_size((mrw_weight_format)content->weight_format), &weights},
        {"source_vertices", content->source_vertices_offset,
         streams & MRWI_MESH_SOURCE_VERTICES ? vertices : 0, 4, &sources},
        {"indices", content->indices_offset, content->index_count, content->index_size_bytes,
         &indices},
        {"parts", content->parts_offset, content->part_count, sizeof(mrw_mesh_asset_part), &parts},
        {"instances", content->instances_offset, content->instance_count,
         sizeof(mrw_mesh_asset_instance), &instances},
        {"targets", content->targets_offset, content->target_count, sizeof(mrw_mesh_asset_target),
         &targets},
        {"target_vertices", content->target_vertices_offset, content->target_vertex_count, 4,
         &target_vertices},
        {"target_values", content->target_values_offset, content->target_value_count, 4,
         &target_values},
        {"names", content->names_offset, content->names_size_bytes, 1, &names},
    };
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        mrw_status status = mrwi_asset_section(
            &content->header, sections[i].name, sections[i].offset, sections[i].count,
            sections[i].element_bytes, sections[i].out, out_error);
        if (status != MRW_OK)
            return status;
    }
    *view = (mrw_mesh_asset){
        .header = &content->header,
        .name = names,
        .skeleton_joint_count = content->skeleton_joint_count,
        .skeleton_scalar_count = content->skeleton_scalar_count,
        .vertex_count = content->vertex_count,
        .positions = positions,
        .normals = streams & MRWI_MESH_NORMALS ? normals : NULL,
        .tangents = streams & MRWI_MESH_TANGENTS ? tangents : NULL,
        .texcoords = streams & MRWI_MESH_TEXCOORDS ? texcoords : NULL,
        .colors = streams & MRWI_MESH_COLORS ? colors : NULL,
        .influence_count = content->influence_count,
        .palette_count = content->palette_count,
        .joints = content->influence_count > 0 ? joints : NULL,
        .weights = content->influence_count > 0 ? weights : NULL,
        .joint_format = (mrw_joint_format)content->joint_format,
        .weight_format = (mrw_weight_format)content->weight_format,
        .source_vertices = streams & MRWI_MESH_SOURCE_VERTICES ? sources : NULL,
        .index_count = content->index_count,
        .index_size_bytes = content->index_size_bytes,
        .indices = indices,
        .part_count = content->part_count,
        .parts = parts,
        .instance_count = content->instance_count,
        .instances = instances,
        .target_count = content->target_count,
        .targets = targets,
        .target_vertices = target_vertices,
        .target_values = target_values,
        .names = names,
    };
    return MRW_OK;
}

/* --- names --------------------------------------------------------------------------------- */

/* The name at `position`; moves it behind the NUL. */
static bool skip_name(const mrwi_mesh_content *content, const mrw_mesh_asset *view,
                      size_t *position)
{
    size_t length = 0;
    if (*position > content->names_size_bytes ||
        !mrwi_asset_string(view->names + *position, content->names_size_bytes - *position, &length))
        return false;
    *position += length + 1;
    return true;
}

static mrw_status check_names(const mrwi_mesh_content *content, const mrw_mesh_asset *view,
                              mrw_error *out_error)
{
    size_t position = 0;
    if (!skip_name(content, view, &position))
        return fail(content, view->names, "name", "not NUL-terminated UTF-8", out_error);
    for (uint32_t i = 0; i < view->target_count; i++) {
        const mrw_mesh_asset_target *target = &view->targets[i];
        if (target->name_offset != position)
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &target->name_offset,
                                           "targets", i, ".name_offset",
                                           "names do not follow one another", out_error);
        if (!skip_name(content, view, &position))
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, target, "targets", i,
                                           ".name", "not NUL-terminated UTF-8", out_error);
    }
    if (position != content->names_size_bytes)
        return fail(content, &content->names_size_bytes, "names_size_bytes",
                    "bytes behind the last name", out_error);
    return MRW_OK;
}

/* --- numbers ------------------------------------------------------------------------------- */

static mrw_status check_floats(const mrw_mesh_asset *view, const char *name, const float *values,
                               uint64_t count, mrw_error *out_error)
{
    for (uint64_t i = 0; values != NULL && i < count; i++)
        if (!mrwi_is_finite(values[i]))
            return mrwi_asset_fail(view->header, MRW_ERR_NOT_FINITE, &values[i], name,
                                   mrw_status_text(MRW_ERR_NOT_FINITE), out_error);
    return MRW_OK;
}

static mrw_status check_streams(const mrwi_mesh_content *content, const mrw_mesh_asset *view,
                                mrw_error *out_error)
{
    const uint64_t vertices = view->vertex_count;
    mrw_status status = check_floats(view, "positions", view->positions, vertices * 3, out_error);
    if (status == MRW_OK)
        status = check_floats(view, "normals", view->normals, vertices * 3, out_error);
    if (status == MRW_OK)
        status = check_floats(view, "tangents", view->tangents, vertices * 4, out_error);
    if (status == MRW_OK)
        status = check_floats(view, "texcoords", view->texcoords, vertices * 2, out_error);
    if (status == MRW_OK)
        status = check_floats(view, "colors", view->colors, vertices * 4, out_error);
    if (status == MRW_OK)
        status = check_floats(view, "target_values", view->target_values,
                              content->target_value_count, out_error);
    return status;
}

static mrw_status check_influences(const mrw_mesh_asset *view, mrw_error *out_error)
{
    if (view->influence_count == 0)
        return MRW_OK;
    mrw_skin_job job = mrw_skin_job_default();
    mrw_mesh_asset_set_job(view, &job);
    job.palette_count = view->palette_count;
    mrw_status status = mrw_skin_check_influences(&job, out_error);
    if (status == MRW_OK)
        return MRW_OK;
    if (status == MRW_ERR_INVALID_ARGUMENT) /* a negative weight: here nobody's argument */
        status = MRW_ERR_BAD_ASSET;
    if (out_error != NULL) {
        out_error->status = status;
        out_error->offset = mrwi_asset_offset(view->header, view->joints);
    }
    return status;
}

static mrw_status check_vertex_numbers(const mrw_mesh_asset *view, mrw_error *out_error)
{
    for (uint32_t i = 0; i < view->index_count; i++)
        if (mrw_mesh_asset_index(view, i) >= view->vertex_count)
            return mrwi_asset_fail_element(view->header, MRW_ERR_INDEX_RANGE,
                                           (const uint8_t *)view->indices +
                                               (size_t)i * view->index_size_bytes,
                                           "indices", i, "", "no vertex of the mesh", out_error);
    for (uint32_t i = 0; view->source_vertices != NULL && i < view->vertex_count; i++)
        if (view->source_vertices[i] >= view->vertex_count)
            return mrwi_asset_fail_element(view->header, MRW_ERR_INDEX_RANGE,
                                           &view->source_vertices[i], "source_vertices", i, "",
                                           "no vertex of the mesh", out_error);
    return MRW_OK;
}

/* --- parts, instances, targets ------------------------------------------------------------- */

static mrw_status fail_part(const mrw_mesh_asset *view, const void *place, uint32_t index,
                            const char *field, const char *message, mrw_error *out_error)
{
    return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, place, "parts", index, field,
                                   message, out_error);
}

static mrw_status check_parts(const mrwi_mesh_content *content, const mrw_mesh_asset *view,
                              mrw_error *out_error)
{
    uint64_t vertices = 0, indices = 0;
    for (uint32_t i = 0; i < view->part_count; i++) {
        const mrw_mesh_asset_part *part = &view->parts[i];
        if (part->topology > 2)
            return fail_part(view, &part->topology, i, ".topology", "unknown", out_error);
        if (part->material < -1)
            return fail_part(view, &part->material, i, ".material", "below -1", out_error);
        if (part->first_vertex != vertices)
            return fail_part(view, &part->first_vertex, i, ".first_vertex",
                             "not where the part before ends", out_error);
        if (part->first_index != indices)
            return fail_part(view, &part->first_index, i, ".first_index",
                             "not where the part before ends", out_error);
        if (part->index_count % (part->topology + 1) != 0)
            return fail_part(view, &part->index_count, i, ".index_count",
                             "no multiple of what the topology takes", out_error);
        vertices += part->vertex_count;
        indices += part->index_count;
    }
    if (vertices != view->vertex_count || indices != view->index_count)
        return fail(content, &content->part_count, "parts",
                    "they do not hold all vertices and indices", out_error);
    return MRW_OK;
}

static mrw_status check_instances(const mrw_mesh_asset *view, mrw_error *out_error)
{
    for (uint32_t i = 0; i < view->instance_count; i++) {
        const mrw_mesh_asset_instance *instance = &view->instances[i];
        if (instance->joint >= view->skeleton_joint_count)
            return mrwi_asset_fail_element(view->header, MRW_ERR_JOINT_RANGE, &instance->joint,
                                           "instances", i, ".joint", "no joint of the skeleton",
                                           out_error);
        if (instance->skin < -1 || (instance->skin >= 0 && view->influence_count == 0))
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &instance->skin,
                                           "instances", i, ".skin",
                                           "below -1, or there are no influences", out_error);
        if ((uint64_t)instance->first_scalar + view->target_count > view->skeleton_scalar_count)
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &instance->first_scalar,
                                           "instances", i, ".first_scalar",
                                           "not all weights are scalars of the "
                                           "skeleton",
                                           out_error);
    }
    return MRW_OK;
}

static mrw_status fail_target(const mrw_mesh_asset *view, const void *place, uint32_t index,
                              const char *field, const char *message, mrw_error *out_error)
{
    return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, place, "targets", index, field,
                                   message, out_error);
}

/* The lists and differences of each target begin where those of the one before end. */
static mrw_status check_targets(const mrwi_mesh_content *content, const mrw_mesh_asset *view,
                                mrw_error *out_error)
{
    uint64_t vertices = 0, values = 0;
    for (uint32_t i = 0; i < view->target_count; i++) {
        const mrw_mesh_asset_target *target = &view->targets[i];
        const bool is_sparse = (target->streams & MRWI_TARGET_SPARSE) != 0;
        if (target->streams > MRWI_TARGET_ALL_STREAMS)
            return fail_target(view, &target->streams, i, ".streams", "unknown ones", out_error);
        if (target->reserved != 0)
            return fail_target(view, &target->reserved, i, ".reserved", "not zero", out_error);
        if (is_sparse ? target->count > view->vertex_count : target->count != view->vertex_count)
            return fail_target(view, &target->count, i, ".count", "not that of the vertices",
                               out_error);
        if (target->first_vertex != vertices || target->first_value != values)
            return fail_target(view, &target->first_vertex, i, ".first_vertex",
                               "not where the target before ends", out_error);
        vertices += is_sparse ? target->count : 0;
        values += (uint64_t)3 * mrwi_target_stream_count(target->streams) * target->count;
        if (vertices > content->target_vertex_count || values > content->target_value_count)
            return fail_target(view, &target->count, i, ".count", "past the end of the lists",
                               out_error);
        const mrw_morph_target morph = mrw_mesh_asset_target_at(view, i);
        mrw_status status = mrw_morph_check_vertices(&morph, 1, view->vertex_count, NULL);
        if (status != MRW_OK)
            return fail_target(view, morph.vertices, i, ".vertices",
                               "no vertices of the mesh in increasing order", out_error);
    }
    if (vertices != content->target_vertex_count || values != content->target_value_count)
        return fail(content, &content->target_vertex_count, "target_vertex_count",
                    "more than the targets have", out_error);
    return MRW_OK;
}

/* --- the view ------------------------------------------------------------------------------ */

mrw_status mrw_mesh_asset_open(const void *bytes, size_t size_bytes, mrw_mesh_asset *out_mesh,
                               mrw_error *out_error)
{
    if (out_mesh == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_mesh");
    memset(out_mesh, 0, sizeof(*out_mesh));
    const mrw_asset_header *header = NULL;
    mrw_status status = mrwi_asset_open_kind(bytes, size_bytes, MRW_ASSET_MESH, MRW_MESH_VERSION,
                                             sizeof(mrwi_mesh_content), &header, out_error);
    if (status != MRW_OK)
        return status;

    const mrwi_mesh_content *content = (const mrwi_mesh_content *)header;
    mrw_mesh_asset view;
    status = check_fields(content, out_error);
    if (status == MRW_OK)
        status = find_sections(content, &view, out_error);
    if (status == MRW_OK)
        status = check_names(content, &view, out_error);
    if (status == MRW_OK)
        status = check_streams(content, &view, out_error);
    if (status == MRW_OK)
        status = check_influences(&view, out_error);
    if (status == MRW_OK)
        status = check_vertex_numbers(&view, out_error);
    if (status == MRW_OK)
        status = check_parts(content, &view, out_error);
    if (status == MRW_OK)
        status = check_instances(&view, out_error);
    if (status == MRW_OK)
        status = check_targets(content, &view, out_error);
    if (status == MRW_OK)
        *out_mesh = view;
    return status;
}

mrw_morph_target mrw_mesh_asset_target_at(const mrw_mesh_asset *mesh, uint32_t index)
{
    mrw_morph_target morph = {NULL, NULL, NULL, NULL, 0};
    if (index >= mesh->target_count)
        return morph;
    const mrw_mesh_asset_target *target = &mesh->targets[index];
    const float *values = mesh->target_values + target->first_value;
    const float **const streams[] = {&morph.positions, &morph.normals, &morph.tangents};
    for (uint32_t i = 0; i < 3; i++) {
        if ((target->streams >> i & 1) == 0)
            continue;
        *streams[i] = values;
        values += (size_t)3 * target->count;
    }
    if (target->streams & MRWI_TARGET_SPARSE) {
        morph.vertices = mesh->target_vertices + target->first_vertex;
        morph.count = target->count;
    }
    return morph;
}

const char *mrw_mesh_asset_target_name(const mrw_mesh_asset *mesh, uint32_t index)
{
    return index < mesh->target_count ? mesh->names + mesh->targets[index].name_offset : "";
}

uint32_t mrw_mesh_asset_index(const mrw_mesh_asset *mesh, uint32_t index)
{
    if (index >= mesh->index_count)
        return 0;
    if (mesh->index_size_bytes == 2)
        return ((const uint16_t *)mesh->indices)[index];
    return ((const uint32_t *)mesh->indices)[index];
}

void mrw_mesh_asset_set_job(const mrw_mesh_asset *mesh, mrw_skin_job *job)
{
    job->vertex_count = mesh->vertex_count;
    job->influence_count = mesh->influence_count;
    job->joints = mesh->joints;
    job->weights = mesh->weights;
    job->joint_stride_bytes = 0;
    job->weight_stride_bytes = 0;
    job->joint_format = mesh->joint_format;
    job->weight_format = mesh->weight_format;
    job->positions = (mrw_stream){mesh->positions, 0};
    job->normals = (mrw_stream){mesh->normals, 0};
    job->tangents = (mrw_stream){mesh->tangents, 0};
}
