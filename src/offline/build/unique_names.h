/* Names of joints, made unique. */
#ifndef MRWI_OFFLINE_UNIQUE_NAMES_H
#define MRWI_OFFLINE_UNIQUE_NAMES_H

#include "offline/memory/arena.h"

/* Makes the `count` names unique in place; new ones are allocated in `arena`. "" counts as "joint".
 * Of joints that share a name the first keeps it (one that has it from the file before one that had
 * none), the others become "name.2", "name.3", ..., passing over what another joint is called
 * already. The result depends on the list alone. False if memory ran out. */
bool mrwi_make_names_unique(mrwi_arena *arena, const char **names, uint32_t count);

#endif
