#include "offline/read/path.h"

#include "base/utf8.h"

#include <string.h>

static int32_t hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Exporters that forget to escape write names with a "%" of its own. */
size_t mrwi_percent_decode(const char *uri, size_t length, char *out)
{
    size_t size = 0;
    for (size_t i = 0; i < length; i++) {
        int32_t high = i + 2 < length && uri[i] == '%' ? hex_digit(uri[i + 1]) : -1;
        int32_t low = high >= 0 ? hex_digit(uri[i + 2]) : -1;
        if (low >= 0) {
            out[size++] = (char)(high * 16 + low);
            i += 2;
        } else {
            out[size++] = uri[i];
        }
    }
    return size;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Length of "http:" or "c:" at the start, 0 if there is none. */
static size_t scheme_length(const char *path)
{
    if (!is_letter(path[0]))
        return 0;
    size_t at = 1;
    while (is_letter(path[at]) || (path[at] >= '0' && path[at] <= '9') || path[at] == '+' ||
           path[at] == '-' || path[at] == '.')
        at++;
    return path[at] == ':' ? at + 1 : 0;
}

/* Why the path leaves its folder, NULL if it does not. */
static const char *reason_external(const char *path)
{
    if (path[0] == '/')
        return "an absolute path is not followed";
    if (scheme_length(path) > 0)
        return "only files of the same folder are read, no other places";
    if (strchr(path, '\\') != NULL)
        return "a path with backslashes is not followed";
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == '\0'))
            return "a path that leads out of the file's folder is not followed";
    }
    return NULL;
}

/* Takes out "." and empty parts. */
static void simplify(char *path)
{
    char *out = path;
    const char *part = path;
    while (*part != '\0') {
        const char *end = strchr(part, '/');
        size_t size = end != NULL ? (size_t)(end - part) : strlen(part);
        bool dropped = size == 0 || (size == 1 && part[0] == '.');
        if (!dropped) {
            memmove(out, part, size);
            out += size;
            if (end != NULL)
                *out++ = '/';
        }
        part += size + (end != NULL);
    }
    *out = '\0';
}

static void strip_file_scheme(char *path)
{
    size_t skip = 0;
    if (strncmp(path, "file://", 7) == 0)
        skip = 7;
    else if (strncmp(path, "file:", 5) == 0)
        skip = 5;
    memmove(path, path + skip, strlen(path + skip) + 1);
}

mrw_status mrwi_path_from_uri(const char *uri, size_t length, bool allow_external, char *out,
                              const char **out_reason)
{
    size_t size = mrwi_percent_decode(uri, length, out);
    out[size] = '\0';
    *out_reason = "";
    if (strlen(out) != size) {
        *out_reason = "it holds a NUL character";
        return MRW_ERR_INVALID_VALUE;
    }
    if (allow_external) {
        strip_file_scheme(out);
        if (scheme_length(out) > 2) { /* one letter is a drive */
            *out_reason = "only files are read, no other places";
            return MRW_ERR_EXTERNAL_REFERENCE;
        }
    } else {
        const char *reason = reason_external(out);
        if (reason != NULL) {
            *out_reason = reason;
            return MRW_ERR_EXTERNAL_REFERENCE;
        }
        simplify(out);
    }
    if (out[0] == '\0') {
        *out_reason = "it names no file";
        return MRW_ERR_INVALID_VALUE;
    }
    return MRW_OK;
}

static bool is_separator(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

char *mrwi_path_beside(mrwi_arena *arena, const char *path, const char *relative)
{
    size_t folder_size = 0;
    for (size_t i = 0; path[i] != '\0'; i++)
        if (is_separator(path[i]))
            folder_size = i + 1;
    if (is_separator(relative[0]) || scheme_length(relative) == 2)
        folder_size = 0;
    size_t size = strlen(relative);
    char *joined = mrwi_arena_alloc(arena, folder_size + size + 1, 1);
    if (joined == NULL)
        return NULL;
    memcpy(joined, path, folder_size);
    memcpy(joined + folder_size, relative, size);
    return joined;
}

const char *mrwi_path_stem(mrwi_arena *arena, const char *path)
{
    const char *name = path;
    for (const char *at = path; *at != '\0'; at++)
        if (is_separator(*at))
            name = at + 1;
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    char *stem = mrwi_arena_alloc(arena, length * 3 + 1, 1);
    if (stem == NULL)
        return NULL;
    char *out = stem;
    for (size_t at = 0; at < length;) {
        const size_t size = mrwi_utf8_character(name + at, length - at);
        memcpy(out, size > 0 ? name + at : "\xef\xbf\xbd", size > 0 ? size : 3);
        out += size > 0 ? size : 3;
        at += size > 0 ? size : 1;
    }
    return stem;
}
