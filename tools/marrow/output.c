#define _POSIX_C_SOURCE 200809L

#include "output.h"

#include "command.h"
#include "report.h"
#include "text.h"

#include <marrow/offline/export.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_output(const char *command, const char *path, const char *message)
{
    mrw_error error;
    memset(&error, 0, sizeof(error));
    error.status = MRW_ERR_FILE_WRITE;
    snprintf(error.message, sizeof(error.message), "%s", message);
    return cli_fail(command, path, &error);
}

/* The folder part of a path, "." if it has none. NULL if memory runs out; freed by the caller. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 1 : (size_t)(slash - path) + (slash == path);
    char *folder = malloc(length + 1);
    if (folder == NULL)
        return NULL;
    memcpy(folder, slash == NULL ? "." : path, length);
    folder[length] = '\0';
    return folder;
}

int cli_output_check(const char *command, const char *path)
{
    struct stat found;
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return fail_output(command, path, "is a folder: name a file in it");
    char *folder = folder_of(path);
    if (folder == NULL)
        return cli_fail_status(command, path, MRW_ERR_OUT_OF_MEMORY);
    bool exists = stat(folder, &found) == 0 && S_ISDIR(found.st_mode);
    bool writable = exists && (access(folder, W_OK | X_OK) == 0 || access(path, W_OK) == 0);
    free(folder);
    if (!exists)
        return fail_output(command, path,
                           "its folder does not exist: create it, or write elsewhere");
    if (!writable)
        return fail_output(command, path,
                           "neither it nor its folder may be written: write elsewhere");
    return CLI_OK;
}

int cli_output_save(const char *command, const char *path, const void *bytes, size_t size_bytes)
{
    mrw_error error;
    if (mrw_write_file(path, bytes, size_bytes, &error) == MRW_OK)
        return CLI_OK;
    error.detail[0] = '\0'; /* the message says the path already */
    return cli_fail(command, NULL, &error);
}

int cli_output_write(const char *command, const char *path, const void *bytes, size_t size_bytes)
{
    int status = cli_output_save(command, path, bytes, size_bytes);
    if (status != CLI_OK)
        return status;
    fputs("wrote ", stdout);
    cli_put_text(stdout, path);
    printf(" (%zu bytes)\n", size_bytes);
    return CLI_OK;
}
