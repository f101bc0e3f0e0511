/* Meshes of a file of assets as those of a character: arrays stay where they lie in the character's
 * copy of the file, but for those that the asset has in fewer bytes than mrw_mesh. */
#include "offline/build/character_opener.h"

#include <marrow/mesh.h>

#include "base/error.h"
#include "skin/skin_influences.h"

static mrw_status fail_memory(mrwi_character_opener *opener)
{
    return mrwi_arena_fail(opener->arena, opener->out_error, "meshes");
}

/* --- arrays -------------------------------------------------------------------------------- */

static mrw_status open_influences(mrwi_character_opener *opener, const mrw_mesh_asset *asset,
                                  mrw_mesh *mesh)
{
    const size_t count = (size_t)asset->vertex_count * asset->influence_count;
    mesh->influence_count = asset->influence_count;
    mesh->joints = asset->joints;
    mesh->weights = asset->weights;
    if (asset->influence_count > 0 && asset->joint_format != MRW_JOINT_UINT16) {
        uint16_t *joints = mrwi_arena_alloc(opener->arena, count, sizeof(*joints));
        if (joints == NULL)
            return fail_memory(opener);
        for (size_t i = 0; i < count; i++)
            joints[i] = ((const uint8_t *)asset->joints)[i];
        mesh->joints = joints;
    }
    if (asset->influence_count > 0 && asset->weight_format != MRW_WEIGHT_FLOAT) {
        float *weights = mrwi_arena_alloc(opener->arena, count, sizeof(*weights));
        if (weights == NULL)
            return fail_memory(opener);
        for (size_t i = 0; i < count; i++)
            weights[i] = asset->weight_format == MRW_WEIGHT_UNORM8
                             ? mrwi_weight_from_unorm8(((const uint8_t *)asset->weights)[i])
                             : mrwi_weight_from_unorm16(((const uint16_t *)asset->weights)[i]);
        mesh->weights = weights;
    }
    return MRW_OK;
}

static mrw_status open_indices(mrwi_character_opener *opener, const mrw_mesh_asset *asset,
                               mrw_mesh *mesh)
{
    mesh->index_count = asset->index_count;
    mesh->indices = asset->indices;
    if (asset->index_size_bytes == sizeof(uint32_t))
        return MRW_OK;
    uint32_t *indices = mrwi_arena_alloc(opener->arena, asset->index_count, sizeof(*indices));
    if (indices == NULL)
        return fail_memory(opener);
    for (uint32_t i = 0; i < asset->index_count; i++)
        indices[i] = mrw_mesh_asset_index(asset, i);
    mesh->indices = indices;
    return MRW_OK;
}

/* The inverse of source_vertices, which shows too whether that is an order at all. */
static mrw_status open_order(mrwi_character_opener *opener, const mrw_mesh_asset *asset,
                             uint32_t index, mrw_mesh *mesh)
{
    if (asset->source_vertices == NULL)
        return MRW_OK;
    uint32_t *remap = mrwi_arena_alloc(opener->arena, asset->vertex_count, sizeof(*remap));
    if (remap == NULL)
        return fail_memory(opener);
    for (uint32_t i = 0; i < asset->vertex_count; i++)
        remap[i] = UINT32_MAX;
    for (uint32_t i = 0; i < asset->vertex_count; i++) {
        const uint32_t source = asset->source_vertices[i];
        if (remap[source] != UINT32_MAX)
            return mrwi_fail(opener->out_error, MRW_ERR_BAD_ASSET,
                             "meshes[%u]: source_vertices[%u]", "vertex %u is there twice", index,
                             i, source);
        remap[source] = i;
    }
    mesh->source_vertices = asset->source_vertices;
    mesh->vertex_remap = remap;
    return MRW_OK;
}

static mrw_status open_parts(mrwi_character_opener *opener, const mrw_mesh_asset *asset,
                             uint32_t index, uint32_t material_count, mrw_mesh *mesh)
{
    mrw_mesh_part *parts = mrwi_arena_alloc(opener->arena, asset->part_count, sizeof(*parts));
    if (parts == NULL)
        return fail_memory(opener);
    for (uint32_t i = 0; i < asset->part_count; i++) {
        const mrw_mesh_asset_part *part = &asset->parts[i];
        if (part->material >= (int64_t)material_count)
            return mrwi_fail(opener->out_error, MRW_ERR_INDEX_RANGE,
                             "meshes[%u]: parts[%u].material", "material %u of %u", index, i,
                             (uint32_t)part->material, material_count);
        parts[i] =
            (mrw_mesh_part){(mrw_topology)part->topology, part->material,    part->first_vertex,
                            part->vertex_count,           part->first_index, part->index_count};
    }
    mesh->part_count = asset->part_count;
    mesh->parts = parts;
    return MRW_OK;
}

static mrw_status open_targets(mrwi_character_opener *opener, const mrw_mesh_asset *asset,
                               mrw_mesh *mesh)
{
    mrw_morph_target *targets =
        mrwi_arena_alloc(opener->arena, asset->target_count, sizeof(*targets));
    const char **names = mrwi_arena_alloc(opener->arena, asset->target_count, sizeof(*names));
    if (targets == NULL || names == NULL)
        return fail_memory(opener);
    for (uint32_t i = 0; i < asset->target_count; i++) {
        targets[i] = mrw_mesh_asset_target_at(asset, i);
        names[i] = mrw_mesh_asset_target_name(asset, i);
    }
    mesh->target_count = asset->target_count;
    mesh->targets = targets;
    mesh->target_names = names;
    return MRW_OK;
}

static mrw_status open_mesh(mrwi_character_opener *opener, const mrw_mesh_asset *asset,
                            uint32_t index, uint32_t material_count, mrw_mesh *mesh)
{
    mesh->name = mrw_file_name(&opener->file, MRW_ASSET_MESH, (int32_t)index);
    mesh->vertex_count = asset->vertex_count;
    mesh->positions = asset->positions;
    mesh->normals = asset->normals;
    mesh->tangents = asset->tangents;
    mesh->texcoords = asset->texcoords;
    mesh->colors = asset->colors;
    MRWI_TRY(open_influences(opener, asset, mesh));
    MRWI_TRY(mrwi_opener_prune(opener, mesh));
    MRWI_TRY(open_indices(opener, asset, mesh));
    MRWI_TRY(open_order(opener, asset, index, mesh));
    MRWI_TRY(open_parts(opener, asset, index, material_count, mesh));
    return open_targets(opener, asset, mesh);
}

/* --- instances ----------------------------------------------------------------------------- */

static mrw_status fail_instance(mrwi_character_opener *opener, uint32_t mesh, uint32_t index,
                                const char *field, const char *message)
{
    return mrwi_fail(opener->out_error, MRW_ERR_BAD_ASSET, "meshes[%u]: instances[%u].%s", "%s",
                     mesh, index, field, message);
}

/* In the order of their places: each from 0 on is taken once. palette_count tells which are. */
static mrw_status place_instances(mrwi_character_opener *opener, const mrw_mesh_asset *asset,
                                  uint32_t mesh, uint32_t total, mrw_mesh_instance *instances)
{
    const mrw_character *character = opener->character;
    for (uint32_t i = 0; i < asset->instance_count; i++) {
        const mrw_mesh_asset_instance *from = &asset->instances[i];
        if (from->place >= total || instances[from->place].palette_count > 0)
            return fail_instance(opener, mesh, i, "place", "taken, or above those that there are");
        if (from->skin >= (int64_t)character->skin_count)
            return fail_instance(opener, mesh, i, "skin", "the file has no such skin");
        const uint32_t palette_count =
            from->skin >= 0 ? character->skins[from->skin].joint_count : 1;
        if (from->skin >= 0 && palette_count < asset->palette_count)
            return fail_instance(opener, mesh, i, "skin",
                                 "it has not all joints of the influences");
        instances[from->place] = (mrw_mesh_instance){
            mesh, from->skin, from->joint, from->first_scalar, 0, palette_count};
    }
    return MRW_OK;
}

static mrw_status open_instances(mrwi_character_opener *opener, const mrw_mesh_asset *assets,
                                 uint32_t count)
{
    uint64_t total = 0, palette_count = 0;
    for (uint32_t i = 0; i < count; i++)
        total += assets[i].instance_count;
    if (total > UINT32_MAX)
        return mrwi_fail_at(opener->out_error, MRW_ERR_LIMIT, 0, "instances");
    mrw_mesh_instance *instances =
        mrwi_arena_alloc(opener->arena, (size_t)total, sizeof(*instances));
    if (instances == NULL)
        return fail_memory(opener);
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(place_instances(opener, &assets[i], i, (uint32_t)total, instances));
    for (uint32_t i = 0; i < total; i++) {
        instances[i].palette_first = (uint32_t)palette_count;
        palette_count += instances[i].palette_count;
        if (palette_count > UINT32_MAX)
            return mrwi_fail_at(opener->out_error, MRW_ERR_LIMIT, 0, "instances");
    }
    opener->character->instances = instances;
    opener->character->instance_count = (uint32_t)total;
    opener->character->palette_count = (uint32_t)palette_count;
    return MRW_OK;
}

/* --- the whole ----------------------------------------------------------------------------- */

static mrw_status count_materials(mrwi_character_opener *opener, uint32_t *out_count)
{
    const uint32_t count = mrw_file_count(&opener->file, MRW_ASSET_MATERIALS);
    *out_count = 0;
    if (count == 0)
        return MRW_OK;
    if (count > 1)
        return mrwi_fail(opener->out_error, MRW_ERR_INCONSISTENT, "materials",
                         "the file has %u assets of materials; a character has one at most", count);
    const void *bytes = NULL;
    size_t size_bytes = 0;
    mrw_materials materials;
    mrw_file_asset(&opener->file, MRW_ASSET_MATERIALS, 0, &bytes, &size_bytes);
    mrw_status status = mrw_materials_open(bytes, size_bytes, &materials, opener->out_error);
    if (status != MRW_OK)
        return mrwi_opener_name_asset(opener, status, "materials", 0, bytes);
    *out_count = materials.material_count;
    return MRW_OK;
}

static mrw_status open_asset(mrwi_character_opener *opener, uint32_t index, mrw_mesh_asset *out)
{
    const void *bytes = NULL;
    size_t size_bytes = 0;
    mrw_file_asset(&opener->file, MRW_ASSET_MESH, (int32_t)index, &bytes, &size_bytes);
    mrw_status status = mrw_mesh_asset_open(bytes, size_bytes, out, opener->out_error);
    if (status != MRW_OK)
        return mrwi_opener_name_asset(opener, status, "meshes", index, bytes);
    return mrwi_opener_check_skeleton(opener, out->header, out->skeleton_joint_count,
                                      out->skeleton_scalar_count, "meshes", index);
}

static mrw_status open_all(mrwi_character_opener *opener, mrw_mesh_asset *assets, uint32_t count)
{
    uint32_t material_count;
    MRWI_TRY(count_materials(opener, &material_count));
    mrw_mesh *meshes = mrwi_arena_alloc(opener->arena, count, sizeof(*meshes));
    if (meshes == NULL)
        return fail_memory(opener);
    for (uint32_t i = 0; i < count; i++) {
        MRWI_TRY(open_asset(opener, i, &assets[i]));
        MRWI_TRY(open_mesh(opener, &assets[i], i, material_count, &meshes[i]));
    }
    opener->character->meshes = meshes;
    opener->character->mesh_count = count;
    return open_instances(opener, assets, count);
}

mrw_status mrwi_open_meshes(mrwi_character_opener *opener)
{
    const uint32_t count = mrw_file_count(&opener->file, MRW_ASSET_MESH);
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, opener->arena);
    mrw_mesh_asset *assets = mrwi_arena_alloc(&scratch, count, sizeof(*assets));
    mrw_status status = assets == NULL ? mrwi_arena_fail(&scratch, opener->out_error, "meshes")
                                       : open_all(opener, assets, count);
    mrwi_arena_free(&scratch);
    return status;
}
