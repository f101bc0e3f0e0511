/* Meshes: the primitives of a scene mesh one after the other in arrays that the jobs of skin.h
 * take as they are. A primitive stays visible as a part, because it has a material of its own.
 *
 * Influences come before all other attributes: they decide the order of the vertices where these
 * are to be grouped.
 */
#include "offline/build/builder.h"

#include "base/error.h"
#include "offline/build/influences.h"
#include "offline/build/vertex_groups.h"

#include <string.h>

typedef struct mesh_builder {
    mrwi_builder *builder;
    const mrw_scene_mesh *source;
    uint32_t index; /* of the mesh */
    mrw_mesh *mesh;
} mesh_builder;

/* The attributes of a primitive, to go over them in a loop. */
typedef enum mesh_attribute {
    ATTRIBUTE_POSITIONS,
    ATTRIBUTE_NORMALS,
    ATTRIBUTE_TANGENTS,
    ATTRIBUTE_TEXCOORDS,
    ATTRIBUTE_COLORS
} mesh_attribute;

static const float *source_attribute(const mrw_scene_primitive *primitive, mesh_attribute attribute)
{
    switch (attribute) {
    case ATTRIBUTE_POSITIONS:
        return primitive->positions;
    case ATTRIBUTE_NORMALS:
        return primitive->normals;
    case ATTRIBUTE_TANGENTS:
        return primitive->tangents;
    case ATTRIBUTE_TEXCOORDS:
        return primitive->texcoords;
    case ATTRIBUTE_COLORS:
        return primitive->colors;
    }
    return NULL;
}

/* What decides whether a mesh has an attribute that only some of its primitives have. */
typedef enum presence_rule {
    IF_ALL_HAVE_IT, /* a made-up normal would be wrong */
    IF_ANY_HAS_IT   /* a made-up texture coordinate or colour does no harm */
} presence_rule;

static bool is_present(const mrw_scene_mesh *source, mesh_attribute attribute,
                       presence_rule presence)
{
    bool any = false;
    for (uint32_t p = 0; p < source->primitive_count; p++) {
        if (source->primitives[p].vertex_count == 0)
            continue;
        bool has = source_attribute(&source->primitives[p], attribute) != NULL;
        any = any || has;
        if (!has && presence == IF_ALL_HAVE_IT)
            return false;
    }
    return any;
}

/* Copies the values of a part's vertices to where these vertices stand in the mesh. */
static void place_values(const mrw_mesh *mesh, const mrw_mesh_part *part, const float *source,
                         size_t width, float *values)
{
    if (mesh->vertex_remap == NULL && part->vertex_count > 0)
        memcpy(values + part->first_vertex * width, source,
               part->vertex_count * width * sizeof(*values));
    for (uint32_t i = 0; mesh->vertex_remap != NULL && i < part->vertex_count; i++)
        memcpy(values + mesh->vertex_remap[part->first_vertex + i] * width, source + i * width,
               width * sizeof(*values));
}

/* One attribute of all vertices. `missing` fills the vertices of primitives without it. */
static mrw_status concatenate(const mesh_builder *mesh, mesh_attribute attribute,
                              presence_rule presence, size_t width, float missing,
                              const float **out_values)
{
    *out_values = NULL;
    if (!is_present(mesh->source, attribute, presence))
        return MRW_OK;
    mrwi_arena *arena = mesh->builder->arena;
    float *values = mrwi_arena_alloc(arena, mesh->mesh->vertex_count * width, sizeof(*values));
    if (values == NULL)
        return mrwi_arena_fail(arena, mesh->builder->out_error, "meshes");
    *out_values = values;
    for (uint32_t p = 0; p < mesh->source->primitive_count; p++) {
        const mrw_mesh_part *part = &mesh->mesh->parts[p];
        const float *source = source_attribute(&mesh->source->primitives[p], attribute);
        if (source != NULL)
            place_values(mesh->mesh, part, source, width, values);
        float *first = values + part->first_vertex * width;
        for (size_t i = 0; source == NULL && i < part->vertex_count * width; i++)
            first[i] = missing;
    }
    return MRW_OK;
}

/* The parts, and with them the counts of all vertices and indices. */
static mrw_status build_parts(const mesh_builder *mesh)
{
    mrwi_builder *builder = mesh->builder;
    const mrw_scene_mesh *source = mesh->source;
    mrw_mesh_part *parts =
        mrwi_arena_alloc(builder->arena, source->primitive_count, sizeof(*parts));
    if (parts == NULL)
        return mrwi_arena_fail(builder->arena, builder->out_error, "meshes");
    uint64_t vertices = 0;
    uint64_t indices = 0;
    for (uint32_t p = 0; p < source->primitive_count; p++) {
        const mrw_scene_primitive *primitive = &source->primitives[p];
        parts[p].topology = primitive->topology;
        parts[p].material = primitive->material;
        parts[p].first_vertex = (uint32_t)vertices;
        parts[p].vertex_count = primitive->vertex_count;
        parts[p].first_index = (uint32_t)indices;
        parts[p].index_count = primitive->index_count;
        vertices += primitive->vertex_count;
        indices += primitive->index_count;
        if (vertices > UINT32_MAX || indices > UINT32_MAX)
            return mrwi_fail(builder->out_error, MRW_ERR_LIMIT, "meshes[%u]",
                             "its primitives have more than %u vertices or indices together",
                             mesh->index, UINT32_MAX);
    }
    mesh->mesh->part_count = source->primitive_count;
    mesh->mesh->parts = parts;
    mesh->mesh->vertex_count = (uint32_t)vertices;
    mesh->mesh->index_count = (uint32_t)indices;
    return MRW_OK;
}

static mrw_status build_indices(const mesh_builder *mesh)
{
    mrwi_builder *builder = mesh->builder;
    uint32_t *indices = mrwi_arena_alloc(builder->arena, mesh->mesh->index_count, sizeof(*indices));
    if (indices == NULL)
        return mrwi_arena_fail(builder->arena, builder->out_error, "meshes");
    for (uint32_t p = 0; p < mesh->mesh->part_count; p++) {
        const mrw_mesh_part *part = &mesh->mesh->parts[p];
        const uint32_t *source = mesh->source->primitives[p].indices;
        for (uint32_t i = 0; i < part->index_count; i++) {
            uint32_t vertex = part->first_vertex + source[i];
            indices[part->first_index + i] =
                mesh->mesh->vertex_remap != NULL ? mesh->mesh->vertex_remap[vertex] : vertex;
        }
    }
    mesh->mesh->indices = indices;
    return MRW_OK;
}

/* Tells of `count` vertices of this mesh, if there are any. */
static mrw_status note_vertices(const mesh_builder *mesh, uint32_t count, uint32_t primitive,
                                const char *code, const char *format)
{
    if (count == 0)
        return MRW_OK;
    char where[96];
    char message[256];
    mrwi_format(where, sizeof(where), "meshes[%u].primitives[%u]", mesh->index, primitive);
    mrwi_format(message, sizeof(message), format, count, mesh->mesh->vertex_count);
    return mrwi_builder_note(mesh->builder, MRW_SEVERITY_WARNING, code, where, message);
}

/* Brings the vertices into an order that skins faster; see vertex_groups.c. */
static mrw_status group_vertices(const mesh_builder *mesh, mrwi_influences *influences)
{
    mrwi_arena *arena = mesh->builder->arena;
    mrw_mesh *built = mesh->mesh;
    uint32_t *source_vertices;
    MRWI_TRY(mrwi_group_vertices(built->parts, built->part_count, built->vertex_count, arena,
                                 influences, &source_vertices));
    uint32_t *remap = mrwi_arena_alloc(arena, built->vertex_count, sizeof(*remap));
    if (remap == NULL)
        return arena->status;
    for (uint32_t i = 0; i < built->vertex_count; i++)
        remap[source_vertices[i]] = i;
    built->source_vertices = source_vertices;
    built->vertex_remap = remap;
    return MRW_OK;
}

static mrw_status build_influences(const mesh_builder *mesh)
{
    mrwi_builder *builder = mesh->builder;
    mrwi_influences influences;
    mrw_status status =
        mrwi_build_influences(mesh->source, builder->max_influences, builder->arena, &influences);
    if (status == MRW_OK && builder->group_vertices && influences.count > 0)
        status = group_vertices(mesh, &influences);
    if (status != MRW_OK)
        return mrwi_fail(builder->out_error, status, "meshes[%u]", "%s", mesh->index,
                         mrw_status_text(status));
    mesh->mesh->influence_count = influences.count;
    mesh->mesh->joints = influences.joints;
    mesh->mesh->weights = influences.weights;
    mesh->mesh->pruned_weight = influences.pruned_weight;
    MRWI_TRY(
        note_vertices(mesh, influences.scaled_count, influences.scaled_primitive,
                      "ACCESSOR_WEIGHTS_NON_NORMALIZED",
                      "the weights of %u of %u vertices do not add up to 1: they were scaled"));
    MRWI_TRY(note_vertices(mesh, influences.negative_count, influences.negative_primitive,
                           "ACCESSOR_WEIGHTS_NEGATIVE",
                           "%u of %u vertices have a negative weight: it counts as 0"));
    return note_vertices(mesh, influences.unbound_count, influences.unbound_primitive,
                         "MRW_VERTEX_WITHOUT_WEIGHTS",
                         "%u of %u vertices have no weight: they were bound to the first joint "
                         "that they name");
}

static mrw_status build_mesh(mrwi_builder *builder, uint32_t index, mrw_mesh *mesh)
{
    mesh_builder build = {builder, &builder->scene->meshes[index], index, mesh};
    mesh->name = mrwi_arena_string(builder->arena, build.source->name, strlen(build.source->name));
    if (mesh->name == NULL)
        return mrwi_arena_fail(builder->arena, builder->out_error, "meshes");
    MRWI_TRY(build_parts(&build));
    MRWI_TRY(build_influences(&build));
    MRWI_TRY(concatenate(&build, ATTRIBUTE_POSITIONS, IF_ALL_HAVE_IT, 3, 0, &mesh->positions));
    MRWI_TRY(concatenate(&build, ATTRIBUTE_NORMALS, IF_ALL_HAVE_IT, 3, 0, &mesh->normals));
    MRWI_TRY(concatenate(&build, ATTRIBUTE_TANGENTS, IF_ALL_HAVE_IT, 4, 0, &mesh->tangents));
    MRWI_TRY(concatenate(&build, ATTRIBUTE_TEXCOORDS, IF_ANY_HAS_IT, 2, 0, &mesh->texcoords));
    MRWI_TRY(concatenate(&build, ATTRIBUTE_COLORS, IF_ANY_HAS_IT, 4, 1, &mesh->colors));
    MRWI_TRY(build_indices(&build));
    return mrwi_build_mesh_targets(builder, build.source, mesh);
}

mrw_status mrwi_build_meshes(mrwi_builder *builder)
{
    uint32_t count = builder->scene->mesh_count;
    mrw_mesh *meshes = mrwi_arena_alloc(builder->arena, count, sizeof(*meshes));
    if (meshes == NULL)
        return mrwi_arena_fail(builder->arena, builder->out_error, "meshes");
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(build_mesh(builder, i, &meshes[i]));
    builder->character->mesh_count = count;
    builder->character->meshes = meshes;
    return MRW_OK;
}
