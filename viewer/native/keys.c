#include "native/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdbool.h>
#include <stddef.h>

static const char *name_of_character(char character)
{
    switch (character) {
    case '-':
        return "minus";
    case '=':
    case '+':
        return "equal";
    case ',':
        return "comma";
    case '.':
        return "period";
    case '/':
        return "slash";
    default:
        break;
    }
    if (character >= 'A' && character <= 'Z')
        character = (char)(character - 'A' + 'a');
    static char name[2];
    name[0] = character;
    bool known = (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
    return known ? name : NULL;
}

const char *view_key_name(int key, int scancode)
{
    static const struct {
        int key;
        const char *name;
    } named[] = {
        {GLFW_KEY_SPACE, "space"},  {GLFW_KEY_LEFT, "left"},        {GLFW_KEY_RIGHT, "right"},
        {GLFW_KEY_UP, "up"},        {GLFW_KEY_DOWN, "down"},        {GLFW_KEY_HOME, "home"},
        {GLFW_KEY_END, "end"},      {GLFW_KEY_TAB, "tab"},          {GLFW_KEY_ESCAPE, "escape"},
        {GLFW_KEY_KP_ADD, "equal"}, {GLFW_KEY_KP_SUBTRACT, "minus"}};
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (named[i].key == key)
            return named[i].name;
    const char *label = glfwGetKeyName(key, scancode);
    const char *name =
        label != NULL && label[0] != '\0' && label[1] == '\0' ? name_of_character(label[0]) : NULL;
    /* Without a label, or with one of another alphabet: where the key lies on an American keyboard.
     */
    if (name == NULL && key > 0 && key < 128)
        name = name_of_character((char)key);
    return name;
}
