/* A growing list of diagnostics: a scene has one, what is built from it has another. */
#ifndef MRWI_OFFLINE_DIAGNOSTICS_H
#define MRWI_OFFLINE_DIAGNOSTICS_H

#include <marrow/offline/scene.h>

#include "offline/memory/arena.h"

/* Appends to the list *items of *count, or counts an entry with the same code and severity up.
 * The list, `where` and `message` lie in the arena. false if memory ran out: arena->status
 * says why, and the list is as before. */
bool mrwi_diagnose(mrwi_arena *arena, mrw_diagnostic **items, uint32_t *count, uint32_t *capacity,
                   mrw_severity severity, const char *code, const char *where, const char *message);

#endif
