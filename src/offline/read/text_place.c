#include "offline/read/text_place.h"

void mrwi_text_set_place(const char *text, size_t offset, mrw_error *out_error)
{
    if (out_error == NULL)
        return;
    size_t line_start = 0;
    out_error->line = 1;
    for (size_t i = 0; i < offset; i++) {
        /* A carriage return ends a line too, unless the line feed that does so follows. */
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == offset || text[i + 1] != '\n'))) {
            out_error->line++;
            line_start = i + 1;
        }
    }
    out_error->offset = offset;
    out_error->column = (uint32_t)(offset - line_start) + 1;
}
