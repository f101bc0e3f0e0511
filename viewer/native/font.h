/* Text of the system's fonts as small grey pictures in one atlas.
 *
 * fontconfig says which file the person's sans-serif is, FreeType draws its glyphs. A glyph is
 * drawn when it is first asked for. */
#ifndef VIEW_NATIVE_FONT_H
#define VIEW_NATIVE_FONT_H

#include <stdbool.h>
#include <stdint.h>

/* Sides of the atlas in texels. */
#define VIEW_FONT_ATLAS_SIDE 1024

typedef enum view_type {
    VIEW_TYPE_TEXT = 0,
    VIEW_TYPE_SMALL = 1,
    VIEW_TYPE_BOLD = 2,
    VIEW_TYPE_COUNT = 3
} view_type;

/* Pixels; x right, y down. */
typedef struct view_glyph {
    uint16_t atlas_x, atlas_y; /* its top left in the atlas */
    uint16_t width, height;
    int16_t left; /* from the pen to its left edge */
    int16_t top;  /* from the baseline up to its upper edge */
    int16_t advance;
} view_glyph;

typedef struct view_font view_font;

/* scale: pixels of a point. On failure NULL, and *out_reason is one sentence in static storage. */
view_font *view_font_create(float scale, const char **out_reason);
void view_font_free(view_font *font);

/* Never NULL: what the font does not have is an empty box. */
const view_glyph *view_font_glyph(view_font *font, view_type type, uint32_t code_point);

/* Pixels from the top of a line to its baseline, and to the top of the next line. */
int view_font_ascent(const view_font *font, view_type type);
int view_font_line(const view_font *font, view_type type);

/* Pixels of the atlas, VIEW_FONT_ATLAS_SIDE squared, one byte each, if they have changed since the
 * last call; else NULL. */
const uint8_t *view_font_changed_atlas(view_font *font);

/* Reads one character of UTF-8 and moves *text behind it; U+FFFD for what is none. 0 at the end. */
uint32_t view_next_code_point(const char **text);

#endif
