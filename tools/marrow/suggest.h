/* "Did you mean ...?" */
#ifndef MARROW_TOOL_SUGGEST_H
#define MARROW_TOOL_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the word of `words` ("lbs|dqs") that was most likely meant by `typed`: one that it begins,
 * or one within a few slips of the finger. Copies it to out; false if none is near. */
bool cli_suggest(const char *typed, const char *words, char *out, size_t out_size);

#endif
