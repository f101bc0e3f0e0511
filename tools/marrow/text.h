/* Text that comes from a file, on its way to a terminal. */
#ifndef MARROW_TOOL_TEXT_H
#define MARROW_TOOL_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Writes UTF-8 text with every control character and every byte that is no UTF-8 as '?': a name
 * in a file must not be able to move the cursor of who looks at it. */
void cli_put_text(FILE *out, const char *text);

/* The same into memory, cut at a character's boundary where it does not fit. Returns the length. */
size_t cli_copy_text(char *out, size_t out_size, const char *text);

/* Bytes of the UTF-8 character at text, 0 if there is none (RFC 3629). */
size_t cli_utf8_length(const char *text);

/* Columns that the text takes: its characters, each counted as one. */
size_t cli_text_width(const char *text);

#endif
