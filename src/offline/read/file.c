#include "offline/read/file.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)64 << 10)

/* The system's reason. Not strerror: its text changes with the locale, and it is not
 * thread-safe. */
static mrw_status fail_with_errno(int code, const char *path, mrw_error *out_error)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        return mrwi_fail(out_error, MRW_ERR_FILE_NOT_FOUND, "%s", "there is no such file", path);
    case EACCES:
        return mrwi_fail(out_error, MRW_ERR_FILE_READ, "%s", "no permission to read it", path);
    case EISDIR:
        return mrwi_fail(out_error, MRW_ERR_FILE_READ, "%s", "it is a folder, not a file", path);
    default:
        return mrwi_fail(out_error, MRW_ERR_FILE_READ, "%s", "reading failed, system error %d",
                         path, (int32_t)code);
    }
}

/* Bytes that seem to be left; 0 if the system does not say. Pipes and devices do not. */
static size_t remaining_hint(FILE *stream)
{
    long at = ftell(stream);
    if (at < 0 || fseek(stream, 0, SEEK_END) != 0)
        return 0;
    long end = ftell(stream);
    if (fseek(stream, at, SEEK_SET) != 0 || end < at)
        return 0;
    return (size_t)(end - at);
}

static mrw_status read_stream(mrwi_arena *arena, FILE *stream, const char *path,
                              const uint8_t **out_bytes, size_t *out_size_bytes,
                              mrw_error *out_error)
{
    size_t capacity = FIRST_CAPACITY;
    size_t size = 0;
    uint8_t *bytes = mrwi_arena_alloc(arena, capacity, 1);
    if (bytes == NULL)
        return mrwi_arena_fail(arena, out_error, path);
    for (;;) {
        errno = 0;
        size += fread(bytes + size, 1, capacity - size, stream);
        if (ferror(stream))
            return fail_with_errno(errno, path, out_error);
        if (size < capacity)
            break;
        /* One byte more than the hint, so that the end is seen at the next reading. */
        size_t wanted = size + remaining_hint(stream) + 1;
        capacity = wanted > size + 1 || size > SIZE_MAX / 4 ? wanted : size * 2;
        uint8_t *grown = mrwi_arena_alloc(arena, capacity, 1);
        if (grown == NULL)
            return mrwi_arena_fail(arena, out_error, path);
        memcpy(grown, bytes, size);
        bytes = grown;
    }
    *out_bytes = bytes;
    *out_size_bytes = size;
    return MRW_OK;
}

mrw_status mrwi_file_read(mrwi_arena *arena, const char *path, const uint8_t **out_bytes,
                          size_t *out_size_bytes, mrw_error *out_error)
{
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return fail_with_errno(errno, path, out_error);
    mrw_status status = read_stream(arena, stream, path, out_bytes, out_size_bytes, out_error);
    fclose(stream);
    return status;
}
