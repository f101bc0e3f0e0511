/* What a scene keeps for itself: the arena that it and its arrays lie in. */
#ifndef MRWI_OFFLINE_SCENE_OWNER_H
#define MRWI_OFFLINE_SCENE_OWNER_H

#include <marrow/offline/scene.h>

#include "offline/memory/arena.h"

struct mrwi_scene_owner {
    mrwi_arena arena;
    uint32_t diagnostic_capacity;
};

/* An arena for scratch memory with the allocator and the limits of the scene's own. It takes
 * nothing of them: the scene is not written. */
void mrwi_scene_scratch(const mrw_scene *scene, mrwi_arena *out_arena);

#endif
