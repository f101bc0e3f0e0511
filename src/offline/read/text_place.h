/* Where in a text an error is. */
#ifndef MRWI_OFFLINE_TEXT_PLACE_H
#define MRWI_OFFLINE_TEXT_PLACE_H

#include <marrow/base.h>

/* Sets the place in an error: the offset, and the line and column that belong to it. */
void mrwi_text_set_place(const char *text, size_t offset, mrw_error *out_error);

#endif
