/* Keys by the names of core/commands.h. */
#ifndef VIEW_NATIVE_KEYS_H
#define VIEW_NATIVE_KEYS_H

/* The name of a key of GLFW, as the person's keyboard is labelled; NULL if it has none. The
 * text lives until the next call. */
const char *view_key_name(int key, int scancode);

#endif
