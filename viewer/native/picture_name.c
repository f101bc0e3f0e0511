#define _POSIX_C_SOURCE 200809L /* access */

#include "native/picture_name.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes from 0x80 on are letters of other alphabets. */
static int is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || (c & 0x80) != 0;
}

static void add_plain(char *out, size_t size, const char *text, size_t length)
{
    size_t used = strlen(out);
    for (size_t i = 0; i < length && used + 1 < size; i++)
        out[used++] = is_plain(text[i]) ? text[i] : '_';
    out[used] = '\0';
}

void view_picture_name(const char *file_name, const char *clip_name,
                       char out_name[VIEW_PICTURE_NAME_SIZE])
{
    char stem[VIEW_PICTURE_NAME_SIZE - 16] = "";
    const char *dot = strrchr(file_name, '.');
    add_plain(stem, sizeof(stem) / 2, file_name,
              dot != NULL ? (size_t)(dot - file_name) : strlen(file_name));
    add_plain(stem, sizeof(stem), "-", 1);
    add_plain(stem, sizeof(stem), clip_name, strlen(clip_name));
    for (unsigned number = 1; number < 100000; number++) {
        snprintf(out_name, VIEW_PICTURE_NAME_SIZE, "%s-%u.png", stem, number);
        if (access(out_name, F_OK) != 0)
            return;
    }
}
