/* Whole files into memory. */
#ifndef MRWI_OFFLINE_FILE_H
#define MRWI_OFFLINE_FILE_H

#include "offline/memory/arena.h"

/* Reads all of a file into the arena. The size that the system tells is a hint, no promise: the
 * file may grow, shrink or be a device. Errors, with the path as detail: FILE_NOT_FOUND, FILE_READ
 * (a folder, no permission, ...), OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_file_read(mrwi_arena *arena, const char *path, const uint8_t **out_bytes,
                          size_t *out_size_bytes, mrw_error *out_error);

#endif
