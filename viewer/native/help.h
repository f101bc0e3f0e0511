/* The list of keys, over everything else. */
#ifndef VIEW_NATIVE_HELP_H
#define VIEW_NATIVE_HELP_H

#include "native/panel.h"

/* Whether the help was clicked; what lies under it then does not see the click. */
bool view_help_takes_press(view_panels *panels);

void view_help_draw(view_panels *panels);

#endif
