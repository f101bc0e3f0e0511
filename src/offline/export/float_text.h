/* Numbers as text that reads back as the same float, whatever the locale. */
#ifndef MRWI_OFFLINE_FLOAT_TEXT_H
#define MRWI_OFFLINE_FLOAT_TEXT_H

#include <marrow/base.h>

#define MRWI_FLOAT_TEXT_BYTES 24

/* Writes the shortest decimal text that every correct parser turns back into `value`, with the NUL;
 * returns its length. It is a JSON number: "0.1", "-3", "1e20". The value must be finite. */
size_t mrwi_float_text(float value, char out_text[MRWI_FLOAT_TEXT_BYTES]);

#endif
