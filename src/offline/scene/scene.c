#include <marrow/offline/scene.h>

#include "offline/memory/arena.h"

#include <string.h>

/* The scene lies in its own arena: freeing the chunks frees the scene too. */
struct mrwi_scene_owner {
    mrwi_arena arena;
    uint32_t diagnostic_capacity;
};

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

const char *mrw_severity_name(mrw_severity severity)
{
    switch (severity) {
    case MRW_SEVERITY_ERROR:
        return "error";
    case MRW_SEVERITY_WARNING:
        return "warning";
    case MRW_SEVERITY_INFO:
        return "info";
    }
    return "unknown";
}

static bool grow_diagnostics(mrw_scene *scene)
{
    struct mrwi_scene_owner *owner = scene->owner;
    if (scene->diagnostic_count < owner->diagnostic_capacity)
        return true;
    uint32_t capacity = owner->diagnostic_capacity == 0 ? 16 : owner->diagnostic_capacity * 2;
    mrw_diagnostic *grown = mrw_scene_alloc(scene, capacity, sizeof(*grown));
    if (grown == NULL)
        return false;
    if (scene->diagnostic_count > 0)
        memcpy(grown, scene->diagnostics, scene->diagnostic_count * sizeof(*grown));
    scene->diagnostics = grown;
    owner->diagnostic_capacity = capacity;
    return true;
}

bool mrw_scene_diagnose(mrw_scene *scene, mrw_severity severity, const char *code,
                        const char *where, const char *message)
{
    for (uint32_t i = 0; i < scene->diagnostic_count; i++) {
        mrw_diagnostic *known = &scene->diagnostics[i];
        if (known->severity == severity && strcmp(known->code, code) == 0) {
            if (known->count < UINT32_MAX)
                known->count++;
            return true;
        }
    }
    if (!grow_diagnostics(scene))
        return false;
    mrw_diagnostic added = {code, severity, mrw_scene_string(scene, where),
                            mrw_scene_string(scene, message), 1};
    if (added.where == NULL || added.message == NULL)
        return false;
    scene->diagnostics[scene->diagnostic_count++] = added;
    return true;
}
