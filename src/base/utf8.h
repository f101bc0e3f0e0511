/* UTF-8 as Unicode defines it (no overlong forms, no surrogates, nothing above U+10FFFF). */
#ifndef MRWI_BASE_UTF8_H
#define MRWI_BASE_UTF8_H

#include <marrow/base.h>

/* Bytes of the character at `text`, which has size_bytes >= 1 bytes left; 0 if it is ill-formed. */
size_t mrwi_utf8_character(const char *text, size_t size_bytes);

/* Whether all of text is well-formed. */
bool mrwi_utf8_is_valid(const char *text, size_t size_bytes);

#endif
