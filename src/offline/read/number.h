/* Decimal text to double, the same on every machine and under every locale. */
#ifndef MRWI_OFFLINE_NUMBER_H
#define MRWI_OFFLINE_NUMBER_H

#include <marrow/base.h>

/* Reads the longest number at the start of text: an optional sign, digits with an optional point
 * among or beside them, an optional exponent. Returns its length in bytes, 0 if there is
 * none. The value is the double nearest to the text, ties to even; infinite if it is too large. */
size_t mrwi_number_parse(const char *text, size_t length, double *out_value);

#endif
