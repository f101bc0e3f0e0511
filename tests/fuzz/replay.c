/* replay_TARGET PATH...: runs the target once on every file, and on every file of a folder. What
 * the fuzzers have found and what they start from is so part of the ordinary tests, with any
 * compiler. */
#define _POSIX_C_SOURCE 200809L

#include "fuzz/fuzz_target.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned file_count;

static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    uint8_t *bytes = NULL;
    size_t size = 0, capacity = 0, got;
    do {
        if (size == capacity) {
            capacity = capacity == 0 ? 4096 : capacity * 2;
            bytes = realloc(bytes, capacity);
            if (bytes == NULL)
                abort();
        }
        got = fread(bytes + size, 1, capacity - size, file);
        size += got;
    } while (got > 0);
    fclose(file);
    /* Exactly as long as the file: a sanitizer sees a read past it. */
    uint8_t *exact = realloc(bytes, size > 0 ? size : 1);
    if (exact == NULL)
        abort();
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    file_count++;
    return true;
}

static void replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char file[4096];
        if (entry->d_name[0] == '.')
            continue;
        int length = snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof(file) || !replay_file(file)) {
            fprintf(stderr, "%s/%s cannot be read\n", path, entry->d_name);
            exit(1);
        }
    }
    closedir(folder);
}

static bool is_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (folder != NULL)
        closedir(folder);
    return folder != NULL;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (is_folder(argv[i]))
            replay_folder(argv[i]);
        else
            replay_file(argv[i]);
    }
    printf("%u files\n", file_count);
    return file_count > 0 ? 0 : 1;
}
