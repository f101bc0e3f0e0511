/* Sorting brings equal names together, and finds in logarithmic time whether a name is taken by
 * the list itself. That is enough: two names that are made up here never meet, because
 * "name.number" can be taken apart at its last dot in one way only, and each number is given once
 * for each name. A number is passed over only for a joint of the list that has that very name, so
 * that all groups together pass over at most `count` numbers.
 */
#include "offline/build/unique_names.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define NAME_OF_UNNAMED "joint"

typedef struct named_entry {
    const char *name;
    uint32_t index; /* in the list */
    bool unnamed;
} named_entry;

static int compare_entries(const void *left, const void *right)
{
    const named_entry *a = left;
    const named_entry *b = right;
    int by_name = strcmp(a->name, b->name);
    if (by_name != 0)
        return by_name;
    if (a->unnamed != b->unnamed)
        return a->unnamed ? 1 : -1;
    return a->index < b->index ? -1 : 1;
}

static bool is_taken(const named_entry *sorted, uint32_t count, const char *name)
{
    uint32_t first = 0;
    uint32_t end = count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        int order = strcmp(sorted[middle].name, name);
        if (order == 0)
            return true;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return false;
}

/* "name.number", with the next number that is free. */
static const char *numbered_name(mrwi_arena *arena, const named_entry *sorted, uint32_t count,
                                 const char *name, uint32_t *number)
{
    size_t size_bytes = strlen(name) + sizeof(".4294967295");
    char *numbered = mrwi_arena_alloc(arena, size_bytes, 1);
    if (numbered == NULL)
        return NULL;
    do
        mrwi_format(numbered, size_bytes, "%s.%u", name, (*number)++);
    while (is_taken(sorted, count, numbered));
    return numbered;
}

bool mrwi_make_names_unique(mrwi_arena *arena, const char **names, uint32_t count)
{
    named_entry *sorted = mrwi_arena_alloc(arena, count, sizeof(*sorted));
    if (sorted == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bool unnamed = names[i][0] == '\0';
        sorted[i] = (named_entry){unnamed ? NAME_OF_UNNAMED : names[i], i, unnamed};
    }
    if (count > 1)
        qsort(sorted, count, sizeof(*sorted), compare_entries);

    uint32_t number = 2;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = sorted[i].name;
        if (i == 0 || strcmp(name, sorted[i - 1].name) != 0)
            number = 2;
        else
            name = numbered_name(arena, sorted, count, name, &number);
        if (name == NULL)
            return false;
        names[sorted[i].index] = name;
    }
    return true;
}
