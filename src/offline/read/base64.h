/* Base64 as RFC 4648 defines it, for the data URIs of glTF. */
#ifndef MRWI_OFFLINE_BASE64_H
#define MRWI_OFFLINE_BASE64_H

#include <marrow/base.h>

/* Bytes that `length` characters of base64 decode to at most. */
size_t mrwi_base64_bound(size_t length);

/* Decodes into out, which has room for mrwi_base64_bound(length) bytes. The padding at the end may
 * be left out. Returns false, and the place in *out_size_bytes, at a character that
 * does not belong there or where the text ends in the middle of a byte. */
bool mrwi_base64_decode(const char *text, size_t length, uint8_t *out, size_t *out_size_bytes);

#endif
