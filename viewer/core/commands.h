/* What keys and buttons do, the same in the window and in the browser. Help texts are made of this list:
 * COMMAND(NAME, key, help). Keys are lower-case letters, digits, or the names space, left, right,
 * home, end, up, down, tab, escape, slash, minus, equal, comma, period. */
#ifndef VIEW_CORE_COMMANDS_H
#define VIEW_CORE_COMMANDS_H

#include <stdint.h>

#define VIEW_COMMANDS(COMMAND)                                                                     \
    COMMAND(PLAY, "space", "play or pause")                                                        \
    COMMAND(STEP_BACK, "left", "one frame back")                                                   \
    COMMAND(STEP_ON, "right", "one frame on")                                                      \
    COMMAND(TO_START, "home", "to the start")                                                      \
    COMMAND(SLOWER, "minus", "slower")                                                             \
    COMMAND(FASTER, "equal", "faster")                                                             \
    COMMAND(LOOP, "l", "loop on or off")                                                           \
    COMMAND(NEXT_CLIP, "down", "next clip")                                                        \
    COMMAND(PREVIOUS_CLIP, "up", "previous clip")                                                  \
    COMMAND(CROSSFADE, "x", "crossfade with the next clip, or end it")                             \
    COMMAND(FADE_LESS, "comma", "less of the other clip")                                          \
    COMMAND(FADE_MORE, "period", "more of the other clip")                                         \
    COMMAND(BONES, "b", "bones")                                                                   \
    COMMAND(NAMES, "n", "joint names")                                                             \
    COMMAND(BOX, "o", "bounds")                                                                    \
    COMMAND(HEAT, "w", "weights of the selected joint as colours")                                 \
    COMMAND(NEXT_JOINT, "tab", "select the next joint")                                            \
    COMMAND(DESELECT, "escape", "select nothing")                                                  \
    COMMAND(METHOD, "m", "linear, dual quaternion, or blended skinning")                           \
    COMMAND(CPU, "c", "skin on the CPU or the GPU")                                                \
    COMMAND(FRAME, "f", "look at all of it")                                                       \
    COMMAND(HELP, "h", "this help")

typedef enum view_command {
#define VIEW_COMMAND_ENUM(name, key, help) VIEW_##name,
    VIEW_COMMANDS(VIEW_COMMAND_ENUM)
#undef VIEW_COMMAND_ENUM
    VIEW_COMMAND_COUNT
} view_command;

typedef struct view_command_info {
    const char *key;
    const char *help;
} view_command_info;

/* [VIEW_COMMAND_COUNT] */
extern const view_command_info view_command_infos[];

/* The command of a key's name, -1 if it has none. */
int32_t view_command_of_key(const char *key);

#endif
