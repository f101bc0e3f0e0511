/* Writing a file so that it is never seen half written: the bytes go to a new file beside the
 * target, which then takes the target's name in one step. A reader sees the old bytes or
 * the new ones, and a full disk leaves the old ones.
 *
 * That only makes sense for a regular file. A device, a pipe or a symbolic link (as
 * /dev/stdout is one) is opened and written: renaming would replace the device
 * itself. So is a target whose folder takes no new file.
 */
#define _POSIX_C_SOURCE 200809L

#include <marrow/offline/export.h>

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_PATH 4096
#define NAME_ATTEMPTS 100

static const char *reason_of(int number, char *buffer, size_t size_bytes)
{
    switch (number) {
    case ENOENT:
        return "there is no such folder";
    case ENOTDIR:
        return "a part of the path is a file, not a folder";
    case EISDIR:
        return "it is a folder";
    case EACCES:
    case EPERM:
        return "permission denied";
    case EROFS:
        return "the file system is read-only";
    case ENOSPC:
        return "no space left on the device";
    case ENAMETOOLONG:
        return "the name is too long";
    default:
        if (strerror_r(number, buffer, size_bytes) != 0)
            mrwi_format(buffer, size_bytes, "system error %d", (int32_t)number);
        return buffer;
    }
}

static mrw_status fail(mrw_error *out_error, const char *path, int number)
{
    char buffer[160];
    return mrwi_fail(out_error, MRW_ERR_FILE_WRITE, "%s", "cannot write %s: %s", path, path,
                     reason_of(number, buffer, sizeof(buffer)));
}

/* 0, or the system's error number. Closes the descriptor in any case. */
static int write_and_close(int descriptor, const uint8_t *bytes, size_t size_bytes)
{
    int number = 0;
    while (size_bytes > 0 && number == 0) {
        ssize_t written = write(descriptor, bytes, size_bytes);
        if (written >= 0) {
            bytes += written;
            size_bytes -= (size_t)written;
        } else if (errno != EINTR) {
            number = errno;
        }
    }
    if (close(descriptor) != 0 && number == 0)
        number = errno;
    return number;
}

/* A new file beside `path`; its name goes to `name`. -1 if the folder takes none. The mode is
 * left to the process's umask, as for any new file. */
static int create_beside(const char *path, char *name, size_t size_bytes)
{
    if (strlen(path) + 32 > size_bytes)
        return -1;
    for (uint32_t attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        mrwi_format(name, size_bytes, "%s.%u-%u.tmp", path, (uint32_t)getpid(), attempt);
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

/* 0, the system's error number, or -1 if no file beside the target could be made.
 * old_mode: permissions of the file that is replaced, or -1. */
static int replace(const char *path, const void *bytes, size_t size_bytes, int old_mode)
{
    char name[LONGEST_PATH];
    int descriptor = create_beside(path, name, sizeof(name));
    if (descriptor < 0)
        return -1;
    /* A file system without permissions is no reason to fail. */
    if (old_mode >= 0)
        (void)fchmod(descriptor, (mode_t)old_mode);
    int number = write_and_close(descriptor, bytes, size_bytes);
    if (number == 0 && rename(name, path) != 0)
        number = errno;
    if (number != 0)
        unlink(name);
    return number;
}

static int write_directly(const char *path, const void *bytes, size_t size_bytes)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return errno;
    return write_and_close(descriptor, bytes, size_bytes);
}

mrw_status mrw_write_file(const char *path, const void *bytes, size_t size_bytes,
                          mrw_error *out_error)
{
    if (path == NULL || (bytes == NULL && size_bytes > 0))
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "%s", "it is NULL",
                         path == NULL ? "path" : "bytes");
    struct stat target;
    bool exists = lstat(path, &target) == 0;
    int number = -1;
    if (!exists)
        number = replace(path, bytes, size_bytes, -1);
    else if (S_ISREG(target.st_mode) && access(path, W_OK) == 0)
        number = replace(path, bytes, size_bytes, (int)(target.st_mode & 07777));
    if (number == -1)
        number = write_directly(path, bytes, size_bytes);
    return number == 0 ? MRW_OK : fail(out_error, path, number);
}
