/* What `marrow render` answers in a build without the libraries that it draws with. */
#include "command.h"

#ifndef MARROW_HAVE_RENDER

#include <stdio.h>

#define LIBRARIES "libepoxy-dev libegl-dev libspng-dev libwebp-dev libstb-dev"

const char cmd_render_help[] = "usage: marrow render FILE [options] -o PICTURE\n"
                               "\n"
                               "This build of marrow cannot draw: the libraries it draws with were "
                               "not found when it was built.\n"
                               "Install them (on Debian: apt install " LIBRARIES "),\n"
                               "then configure and build again.\n";

int cmd_render(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fputs("marrow render: this build cannot draw. Install " LIBRARIES
          ",\nthen configure and build again.\n",
          stderr);
    return CLI_USAGE;
}

#endif
