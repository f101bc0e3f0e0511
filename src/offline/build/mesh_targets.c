/* Morph targets of a mesh: those of its primitives one after the other, where a primitive that has
 * no differences does not move.
 *
 * Most targets move a part of the mesh: a smile leaves the ears where they are. Differences of 0
 * are left out and the others listed with their vertices where that takes fewer bytes, which is
 * where less than three quarters (positions alone) to nine tenths of the vertices move.
 */
#include "offline/build/builder.h"

#include <string.h>

enum { STREAMS = 3, NOT_MOVED = 0 };

typedef struct target_builder {
    const mrw_scene_mesh *source;
    const mrw_mesh *mesh;
    uint32_t target;
    bool has_stream[STREAMS];
    uint32_t stream_count;
    uint32_t count; /* vertices that move */
    /* [vertex_count] 1 + place of each vertex's differences in the arrays, or NOT_MOVED */
    uint32_t *places;
} target_builder;

/* Positions, normals or tangents of a primitive's target; NULL if it has none, or the mesh. */
static const float *source_differences(const target_builder *build, uint32_t primitive,
                                       uint32_t stream)
{
    const mrw_scene_target *target = &build->source->primitives[primitive].targets[build->target];
    if (stream == 0)
        return target->positions;
    if (stream == 1)
        return build->mesh->normals != NULL ? target->normals : NULL;
    return build->mesh->tangents != NULL ? target->tangents : NULL;
}

/* Where a vertex of a part stands in the mesh. */
static uint32_t mesh_vertex(const target_builder *build, uint32_t part, uint32_t i)
{
    uint32_t vertex = build->mesh->parts[part].first_vertex + i;
    return build->mesh->vertex_remap != NULL ? build->mesh->vertex_remap[vertex] : vertex;
}

/* Marks the vertices that a stream moves. */
static void mark_moved(target_builder *build, uint32_t part, const float *differences)
{
    for (uint32_t i = 0; i < build->mesh->parts[part].vertex_count; i++) {
        const float *d = differences + (size_t)i * 3;
        uint32_t *place = &build->places[mesh_vertex(build, part, i)];
        if (*place == NOT_MOVED && (d[0] != 0.0f || d[1] != 0.0f || d[2] != 0.0f)) {
            *place = 1;
            build->count++;
        }
    }
}

static void find_streams(target_builder *build)
{
    for (uint32_t stream = 0; stream < STREAMS; stream++) {
        for (uint32_t p = 0; p < build->mesh->part_count; p++) {
            const float *differences = source_differences(build, p, stream);
            if (differences == NULL || build->mesh->parts[p].vertex_count == 0)
                continue;
            build->has_stream[stream] = true;
            mark_moved(build, p, differences);
        }
        build->stream_count += build->has_stream[stream] ? 1 : 0;
    }
}

static bool sparse_is_smaller(const target_builder *build)
{
    uint64_t of_vertex = (uint64_t)build->stream_count * 3 * sizeof(float);
    return build->count * (of_vertex + sizeof(uint32_t)) < build->mesh->vertex_count * of_vertex;
}

/* Gives each vertex its place: all of them in a dense target, else those that move. */
static void number_places(target_builder *build, uint32_t *vertices)
{
    uint32_t next = 0;
    for (uint32_t v = 0; v < build->mesh->vertex_count; v++) {
        if (vertices != NULL && build->places[v] == NOT_MOVED)
            continue;
        if (vertices != NULL)
            vertices[next] = v;
        build->places[v] = ++next;
    }
}

static void fill_stream(const target_builder *build, uint32_t stream, float *out)
{
    for (uint32_t p = 0; p < build->mesh->part_count; p++) {
        const float *differences = source_differences(build, p, stream);
        for (uint32_t i = 0; differences != NULL && i < build->mesh->parts[p].vertex_count; i++) {
            uint32_t place = build->places[mesh_vertex(build, p, i)];
            if (place != NOT_MOVED)
                memcpy(out + (size_t)(place - 1) * 3, differences + (size_t)i * 3,
                       3 * sizeof(float));
        }
    }
}

static bool fill_target(target_builder *build, mrwi_arena *arena, mrw_morph_target *out_target)
{
    size_t count = build->mesh->vertex_count;
    uint32_t *vertices = NULL;
    if (sparse_is_smaller(build)) {
        count = build->count;
        vertices = mrwi_arena_alloc(arena, count, sizeof(*vertices));
        if (vertices == NULL)
            return false;
        out_target->count = build->count;
        out_target->vertices = vertices;
    }
    number_places(build, vertices);
    const float **streams[STREAMS] = {&out_target->positions, &out_target->normals,
                                      &out_target->tangents};
    for (uint32_t stream = 0; stream < STREAMS; stream++) {
        if (!build->has_stream[stream])
            continue;
        float *values = mrwi_arena_alloc(arena, count * 3, sizeof(*values));
        if (values == NULL)
            return false;
        fill_stream(build, stream, values);
        *streams[stream] = values;
    }
    return true;
}

static bool build_target(const mrw_scene_mesh *source, const mrw_mesh *mesh, uint32_t index,
                         mrwi_arena *arena, mrw_morph_target *out_target)
{
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, arena);
    target_builder build = {.source = source, .mesh = mesh, .target = index};
    build.places = mrwi_arena_alloc(&scratch, mesh->vertex_count, sizeof(*build.places));
    bool enough = build.places != NULL;
    if (!enough)
        arena->status = scratch.status;
    if (enough) {
        find_streams(&build);
        enough = fill_target(&build, arena, out_target);
    }
    mrwi_arena_free(&scratch);
    return enough;
}

mrw_status mrwi_build_mesh_targets(mrwi_builder *builder, const mrw_scene_mesh *source,
                                   mrw_mesh *mesh)
{
    mrwi_arena *arena = builder->arena;
    uint32_t count = source->target_count;
    mrw_morph_target *targets = mrwi_arena_alloc(arena, count, sizeof(*targets));
    const char **names = mrwi_arena_alloc(arena, count, sizeof(*names));
    if (targets == NULL || names == NULL)
        return mrwi_arena_fail(arena, builder->out_error, "meshes");
    for (uint32_t i = 0; i < count; i++) {
        const char *name = source->target_names[i];
        names[i] = mrwi_arena_string(arena, name, strlen(name));
        if (names[i] == NULL || !build_target(source, mesh, i, arena, &targets[i]))
            return mrwi_arena_fail(arena, builder->out_error, "meshes");
    }
    mesh->target_count = count;
    mesh->targets = targets;
    mesh->target_names = names;
    return MRW_OK;
}
