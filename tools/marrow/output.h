/* Files that a command writes. */
#ifndef MARROW_TOOL_OUTPUT_H
#define MARROW_TOOL_OUTPUT_H

#include <stddef.h>

/* Whether a file can be written there, before the work starts: long work should not end in "no such
 * folder". A file is written by putting a new one in its place, so it may be read-only itself if
 * its folder is not. Returns CLI_OK, or another exit status after saying on stderr what is wrong.
 */
int cli_output_check(const char *command, const char *path);

/* Writes it. Returns as above. */
int cli_output_save(const char *command, const char *path, const void *bytes, size_t size_bytes);

/* Writes it and says so on stdout. */
int cli_output_write(const char *command, const char *path, const void *bytes, size_t size_bytes);

#endif
