/* What a scene keeps for itself: the arena that it and its arrays lie in. */
#ifndef MRWI_OFFLINE_SCENE_OWNER_H
#define MRWI_OFFLINE_SCENE_OWNER_H

#include <marrow/offline/scene.h>

#include "offline/memory/arena.h"

struct mrwi_scene_owner {
    mrwi_arena arena;
    uint32_t diagnostic_capacity;
};

/* mrw_scene_diagnose for something that was found `count` times; nothing for 0. */
bool mrwi_scene_diagnose_times(mrw_scene *scene, mrw_severity severity, const char *code,
                               const char *where, const char *message, uint32_t count);

/* An arena for scratch memory with the scene's allocator and with what the scene has left of its
 * limits. The scene is not written: several threads may do this at once. */
void mrwi_scene_scratch(const mrw_scene *scene, mrwi_arena *out_arena);

#endif
