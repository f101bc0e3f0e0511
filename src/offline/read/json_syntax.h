/* Whether a text is JSON, to the letter of RFC 8259. */
#ifndef MRWI_OFFLINE_JSON_SYNTAX_H
#define MRWI_OFFLINE_JSON_SYNTAX_H

#include <marrow/base.h>

/* Objects and arrays inside each other. glTF needs about ten levels. */
#define MRWI_JSON_DEPTH 128

/* Reads all of the text. On success *out_token_count is the number of values and keys in it.
 * Errors: JSON_SYNTAX, LIMIT (depth), with offset, line and column of the first mistake. */
mrw_status mrwi_json_check_syntax(const char *text, size_t length, size_t *out_token_count,
                                  mrw_error *out_error);

#endif
