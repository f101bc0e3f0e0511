/* What `marrow view` answers in a build without the libraries that its window needs. */
#include "command.h"

#ifndef MARROW_HAVE_VIEW

#include <stdio.h>

#define LIBRARIES "libglfw3-dev libfontconfig-dev libfreetype-dev"

const char cmd_view_help[] =
    "usage: marrow view FILE [options]\n"
    "\n"
    "This build of marrow has no window: the libraries that it needs were "
    "not found when it was built.\n"
    "Install them beside those of `marrow render` (on Debian: apt install\n" LIBRARIES
    "), then configure and build again.\n";

int cmd_view(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fputs("marrow view: this build has no window. Install " LIBRARIES
          "\nbeside the libraries of `marrow render`, then configure and build again.\n",
          stderr);
    return CLI_USAGE;
}

#endif
