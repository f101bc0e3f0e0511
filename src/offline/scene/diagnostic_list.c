#include "offline/scene/diagnostic_list.h"

#include <string.h>

#define FIRST_CAPACITY 16

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

static bool grow(mrwi_arena *arena, mrw_diagnostic **items, uint32_t count, uint32_t *capacity)
{
    if (count < *capacity)
        return true;
    uint32_t grown_capacity = *capacity == 0 ? FIRST_CAPACITY : *capacity * 2;
    mrw_diagnostic *grown = mrwi_arena_alloc(arena, grown_capacity, sizeof(*grown));
    if (grown == NULL)
        return false;
    if (count > 0)
        memcpy(grown, *items, count * sizeof(*grown));
    *items = grown;
    *capacity = grown_capacity;
    return true;
}

bool mrwi_diagnose(mrwi_arena *arena, mrw_diagnostic **items, uint32_t *count, uint32_t *capacity,
                   mrw_severity severity, const char *code, const char *where, const char *message)
{
    /* There are as many entries as kinds of oddity: a few. A search beats a table. */
    for (uint32_t i = 0; i < *count; i++) {
        mrw_diagnostic *known = &(*items)[i];
        if (known->severity == severity && strcmp(known->code, code) == 0) {
            if (known->count < UINT32_MAX)
                known->count++;
            return true;
        }
    }
    if (!grow(arena, items, *count, capacity))
        return false;
    mrw_diagnostic added = {code, severity, mrwi_arena_string(arena, where, strlen(where)),
                            mrwi_arena_string(arena, message, strlen(message)), 1};
    if (added.where == NULL || added.message == NULL)
        return false;
    (*items)[(*count)++] = added;
    return true;
}
