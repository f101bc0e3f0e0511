#include "core/commands.h"

#include <string.h>

const view_command_info view_command_infos[] = {
#define VIEW_COMMAND_INFO(name, key, help) {key, help},
    VIEW_COMMANDS(VIEW_COMMAND_INFO)
#undef VIEW_COMMAND_INFO
};

int32_t view_command_of_key(const char *key)
{
    for (int32_t i = 0; i < VIEW_COMMAND_COUNT; i++)
        if (strcmp(view_command_infos[i].key, key) == 0)
            return i;
    return -1;
}
