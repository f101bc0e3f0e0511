/* The folder of real files, which is no part of the repository. */
#ifndef TESTS_SHARED_FOLDER_H
#define TESTS_SHARED_FOLDER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED 77 /* exit status */

/* MARROW_SHARED, or ../shared beside the source tree. */
static inline const char *shared_folder(void)
{
    const char *folder = getenv("MARROW_SHARED");
    return folder != NULL && folder[0] != '\0' ? folder : MARROW_SOURCE_DIR "/../shared";
}

/* Writes the path of a file below the folder. */
static inline void shared_path(char *out, size_t size_bytes, const char *relative)
{
    mrwi_format(out, size_bytes, "%s/%s", shared_folder(), relative);
}

/* Whether it is there, told by a file that is always in it; says so if not. */
static inline bool shared_is_there(void)
{
    char path[1024];
    shared_path(path, sizeof(path), "assets/README.md");
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        printf("skipped: no shared folder at %s (set MARROW_SHARED)\n", shared_folder());
        return false;
    }
    fclose(file);
    return true;
}

#endif
