/* From the URIs that files refer to each other with, to paths. */
#ifndef MRWI_OFFLINE_PATH_H
#define MRWI_OFFLINE_PATH_H

#include "offline/memory/arena.h"

/* Decodes the percent escapes of a URI into out, which has room for `length` bytes. A "%" that no
 * two hex digits follow stands for itself. Returns the number of bytes. */
size_t mrwi_percent_decode(const char *uri, size_t length, char *out);

/* Decodes a URI reference (percent escapes) into a relative path with "/" between its parts and
 * without "." or empty parts. out has room for length + 1 bytes; *out_reason says in a
 * sentence what is wrong if the result is not MRW_OK.
 *
 * EXTERNAL_REFERENCE: it leads out of the folder, or might: "..", an absolute path, a scheme
 * or drive, a backslash. With allow_external these are kept, and "file:" is
 * taken off; other schemes stay an error. INVALID_VALUE: it is empty or holds a NUL. */
mrw_status mrwi_path_from_uri(const char *uri, size_t length, bool allow_external, char *out,
                              const char **out_reason);

/* `relative` taken from the folder that the file `path` is in; an absolute one is copied. NULL
 * if memory ran out. */
char *mrwi_path_beside(mrwi_arena *arena, const char *path, const char *relative);

/* The name of a file without folders and without its last ending: "walk" of "mocap/walk.bvh",
 * ".bvh" of ".bvh". Bytes that are not UTF-8 become U+FFFD. NULL if memory ran out. */
const char *mrwi_path_stem(mrwi_arena *arena, const char *path);

#endif
