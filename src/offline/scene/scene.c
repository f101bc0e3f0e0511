#include <marrow/offline/scene.h>

#include "offline/scene/diagnostic_list.h"
#include "offline/scene/owner.h"

#include <string.h>

/* The scene lies in its own arena: freeing the chunks frees the scene too. */

mrw_status mrw_scene_create(const mrw_memory_options *memory, mrw_scene **out_scene)
{
    if (out_scene == NULL)
        return MRW_ERR_NULL_ARGUMENT;
    *out_scene = NULL;
    mrwi_arena arena;
    mrwi_arena_init(&arena, memory);
    mrw_scene *scene = mrwi_arena_alloc(&arena, 1, sizeof(*scene));
    struct mrwi_scene_owner *owner = mrwi_arena_alloc(&arena, 1, sizeof(*owner));
    if (scene == NULL || owner == NULL) {
        mrw_status status = arena.status;
        mrwi_arena_free(&arena);
        return status;
    }
    owner->arena = arena;
    scene->owner = owner;
    scene->format = "";
    scene->generator = "";
    scene->copyright = "";
    *out_scene = scene;
    return MRW_OK;
}

void mrw_scene_free(mrw_scene *scene)
{
    if (scene == NULL)
        return;
    mrwi_arena arena = scene->owner->arena;
    mrwi_arena_free(&arena);
}

void *mrw_scene_alloc(mrw_scene *scene, size_t count, size_t size_bytes)
{
    return mrwi_arena_alloc(&scene->owner->arena, count, size_bytes);
}

const char *mrw_scene_string(mrw_scene *scene, const char *text)
{
    return mrwi_arena_string(&scene->owner->arena, text, strlen(text));
}

bool mrw_scene_diagnose(mrw_scene *scene, mrw_severity severity, const char *code,
                        const char *where, const char *message)
{
    return mrwi_diagnose(&scene->owner->arena, &scene->diagnostics, &scene->diagnostic_count,
                         &scene->owner->diagnostic_capacity, severity, code, where, message);
}

bool mrwi_scene_diagnose_times(mrw_scene *scene, mrw_severity severity, const char *code,
                               const char *where, const char *message, uint32_t count)
{
    if (count == 0)
        return true;
    if (!mrw_scene_diagnose(scene, severity, code, where, message))
        return false;
    for (uint32_t i = 0; i < scene->diagnostic_count; i++) {
        mrw_diagnostic *added = &scene->diagnostics[i];
        if (added->severity == severity && strcmp(added->code, code) == 0)
            added->count =
                count - 1 > UINT32_MAX - added->count ? UINT32_MAX : added->count + (count - 1);
    }
    return true;
}

void mrwi_scene_scratch(const mrw_scene *scene, mrwi_arena *out_arena)
{
    const mrwi_arena *arena = &scene->owner->arena;
    *out_arena = *arena;
    out_arena->chunks = NULL;
    out_arena->chunk_used = 0;
    out_arena->chunk_capacity = 0;
    out_arena->limit_bytes = arena->limit_bytes - arena->held_bytes;
    out_arena->allocation_limit = arena->allocation_limit - arena->allocation_count;
    out_arena->held_bytes = 0;
    out_arena->allocation_count = 0;
    out_arena->status = MRW_OK;
}
