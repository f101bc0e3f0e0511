/* Building a character: everything that the runtime needs of one file.
 *
 *     scene ──check──▶ instances ──▶ joints ──▶ meshes ──▶ skins ──▶ clips
 *                      which nodes   skeleton   vertices,  inverse   tracks
 *                      carry what               influences binds
 *
 * The order is that of need: the skeleton names its scalars after the instances, a skin is
 * used only if its mesh has influences, a clip animates what the skeleton has.
 *
 * The runtime's assets (skeleton, clips, skins) come from the same functions that a program
 * without a scene calls, and are opened as if they came from a file, so a character never
 * holds anything that a file could not. Meshes lie in the character's arena, with the lists that
 * hold it all together; mrw_build_mesh makes an asset of one.
 *
 * Everything counts against one limit: the arena's held bytes include those of the assets,
 * and a single asset may take what is left.
 */
#include "offline/build/builder.h"

#include "base/error.h"
#include "offline/scene/diagnostic_list.h"

#include <string.h>

mrw_memory_options mrwi_builder_memory(const mrwi_builder *builder)
{
    const mrwi_arena *arena = builder->arena;
    mrw_memory_options options = mrw_memory_options_default();
    options.allocator = arena->allocator;
    options.separate = arena->separate;
    /* 0 would mean the default. */
    options.limit_bytes =
        arena->limit_bytes > arena->held_bytes ? arena->limit_bytes - arena->held_bytes : 1;
    options.allocation_limit = arena->allocation_limit > arena->allocation_count
                                   ? arena->allocation_limit - arena->allocation_count
                                   : 1;
    return options;
}

void mrwi_builder_hold(mrwi_builder *builder, const mrw_bytes *bytes)
{
    builder->arena->held_bytes += bytes->size_bytes;
    builder->arena->allocation_count++;
}

void mrwi_builder_release(mrwi_builder *builder, mrw_bytes *bytes)
{
    builder->arena->held_bytes -= bytes->size_bytes;
    mrw_bytes_free(bytes);
}

mrw_status mrwi_builder_note(mrwi_builder *builder, mrw_severity severity, const char *code,
                             const char *where, const char *message)
{
    for (uint32_t i = 0; i < builder->scene->diagnostic_count; i++)
        if (strcmp(builder->scene->diagnostics[i].code, code) == 0)
            return MRW_OK;
    mrw_character *character = builder->character;
    if (!mrwi_diagnose(builder->arena, &builder->diagnostics, &character->diagnostic_count,
                       &builder->diagnostic_capacity, severity, code, where, message))
        return mrwi_arena_fail(builder->arena, builder->out_error, "diagnostics");
    character->diagnostics = builder->diagnostics;
    return MRW_OK;
}

static mrw_status build_all(mrwi_builder *builder)
{
    MRWI_TRY(mrwi_build_instances(builder));
    MRWI_TRY(mrwi_build_joints(builder));
    MRWI_TRY(mrwi_build_meshes(builder));
    MRWI_TRY(mrwi_build_skins(builder));
    return mrwi_build_clips(builder);
}

mrw_status mrwi_create_character(const mrw_memory_options *memory, mrw_character **out_character,
                                 mrw_error *out_error)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, memory);
    mrw_character *character = mrwi_arena_alloc(&arena, 1, sizeof(*character));
    struct mrwi_character_owner *owner = mrwi_arena_alloc(&arena, 1, sizeof(*owner));
    if (character == NULL || owner == NULL) {
        mrw_status status = mrwi_arena_fail(&arena, out_error, "character");
        mrwi_arena_free(&arena);
        return status;
    }
    owner->arena = arena;
    character->owner = owner;
    *out_character = character;
    return MRW_OK;
}

mrw_status mrw_build_character(const mrw_scene *scene, const mrw_build_options *options,
                               mrw_character **out_character, mrw_error *out_error)
{
    mrw_build_options defaults = mrw_build_options_default();
    if (options == NULL)
        options = &defaults;
    if (out_character == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "out_character", "it is NULL");
    *out_character = NULL;
    if (options->struct_size != sizeof(*options))
        return mrwi_fail(out_error, MRW_ERR_STRUCT_SIZE, "options", "%s",
                         mrw_status_text(MRW_ERR_STRUCT_SIZE));
    MRWI_TRY(mrw_scene_check(scene, out_error));
    mrw_character *character = NULL;
    MRWI_TRY(mrwi_create_character(&options->memory, &character, out_error));
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, &character->owner->arena);
    mrwi_builder builder = {
        .scene = scene,
        .character = character,
        .arena = &character->owner->arena,
        .scratch = &scratch,
        .max_influences = options->max_influences,
        .group_vertices = options->group_vertices,
        .out_error = out_error,
    };
    mrw_status status = build_all(&builder);
    mrwi_arena_free(&scratch);
    if (status != MRW_OK) {
        mrw_character_free(character);
        return status;
    }
    *out_character = character;
    return MRW_OK;
}

void mrw_character_free(mrw_character *character)
{
    if (character == NULL)
        return;
    struct mrwi_character_owner *owner = character->owner;
    for (uint32_t i = 0; owner->clips != NULL && i < character->clip_count; i++)
        mrw_bytes_free(&owner->clips[i]);
    for (uint32_t i = 0; owner->skins != NULL && i < character->skin_count; i++)
        mrw_bytes_free(&owner->skins[i]);
    mrw_bytes_free(&owner->skeleton);
    mrwi_arena arena = owner->arena;
    mrwi_arena_free(&arena);
}

int32_t mrw_character_find_clip(const mrw_character *character, const char *name)
{
    for (uint32_t i = 0; i < character->clip_count; i++)
        if (strcmp(character->clips[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}
