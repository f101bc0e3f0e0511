#include "native/font.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INSTALL_FONT                                                                               \
    "no font for the window's text can be opened: install one (on Debian: fonts-dejavu-core)"

/* Most glyphs that are kept; half as many as the table has places. */
enum { GLYPH_LIMIT = 2048, TABLE_SIZE = 2 * GLYPH_LIMIT };

/* Points. */
static const float type_sizes[VIEW_TYPE_COUNT] = {13.0f, 11.0f, 13.0f};

typedef struct glyph_entry {
    uint32_t key; /* 0: free */
    view_glyph glyph;
} glyph_entry;

struct view_font {
    FT_Library library;
    FT_Face regular;
    FT_Face bold;
    int pixel_sizes[VIEW_TYPE_COUNT];
    glyph_entry table[TABLE_SIZE];
    uint32_t glyph_count;
    uint8_t atlas[VIEW_FONT_ATLAS_SIDE * VIEW_FONT_ATLAS_SIDE];
    uint32_t shelf_x, shelf_y, shelf_height; /* glyphs stand side by side on shelves */
    bool changed;
};

/* The face that fontconfig thinks best for the language and taste of whoever runs this. */
static bool open_face(view_font *font, int weight, FT_Face *out_face)
{
    bool opened = false;
    FcPattern *wanted = FcPatternCreate();
    if (wanted == NULL)
        return false;
    FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)"sans-serif");
    FcPatternAddInteger(wanted, FC_WEIGHT, weight);
    FcPatternAddBool(wanted, FC_SCALABLE, FcTrue);
    FcConfigSubstitute(NULL, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern *found = FcFontMatch(NULL, wanted, &result);
    FcChar8 *path = NULL;
    if (found != NULL && FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch) {
        int index = 0;
        FcPatternGetInteger(found, FC_INDEX, 0, &index);
        opened = FT_New_Face(font->library, (const char *)path, index, out_face) == 0 &&
                 FT_IS_SCALABLE(*out_face);
    }
    if (found != NULL)
        FcPatternDestroy(found);
    FcPatternDestroy(wanted);
    return opened;
}

view_font *view_font_create(float scale, const char **out_reason)
{
    *out_reason = "out of memory";
    view_font *font = calloc(1, sizeof(*font));
    if (font == NULL || FT_Init_FreeType(&font->library) != 0) {
        free(font);
        return NULL;
    }
    if (!FcInit() || !open_face(font, FC_WEIGHT_REGULAR, &font->regular) ||
        !open_face(font, FC_WEIGHT_BOLD, &font->bold)) {
        view_font_free(font);
        *out_reason = INSTALL_FONT;
        return NULL;
    }
    for (int i = 0; i < VIEW_TYPE_COUNT; i++)
        font->pixel_sizes[i] = (int)lroundf(type_sizes[i] * scale);
    return font;
}

void view_font_free(view_font *font)
{
    if (font == NULL)
        return;
    FT_Done_FreeType(font->library); /* and its faces */
    free(font);
}

static FT_Face face_of(const view_font *font, view_type type)
{
    FT_Face face = type == VIEW_TYPE_BOLD ? font->bold : font->regular;
    FT_Set_Pixel_Sizes(face, 0, (FT_UInt)font->pixel_sizes[type]);
    return face;
}

int view_font_ascent(const view_font *font, view_type type)
{
    return (int)(face_of(font, type)->size->metrics.ascender >> 6);
}

int view_font_line(const view_font *font, view_type type)
{
    const FT_Size_Metrics *metrics = &face_of(font, type)->size->metrics;
    const FT_Pos letters =
        metrics->ascender - metrics->descender; /* their heights are rounded up */
    return (int)((letters > metrics->height ? letters : metrics->height) >> 6);
}

/* A place in the atlas with a free texel around it; false if there is none. */
static bool find_place(view_font *font, uint32_t width, uint32_t height, view_glyph *glyph)
{
    if (font->shelf_x + width + 1 > VIEW_FONT_ATLAS_SIDE) {
        font->shelf_y += font->shelf_height;
        font->shelf_x = 0;
        font->shelf_height = 0;
    }
    if (width + 1 > VIEW_FONT_ATLAS_SIDE || font->shelf_y + height + 1 > VIEW_FONT_ATLAS_SIDE)
        return false;
    glyph->atlas_x = (uint16_t)font->shelf_x;
    glyph->atlas_y = (uint16_t)font->shelf_y;
    glyph->width = (uint16_t)width;
    glyph->height = (uint16_t)height;
    font->shelf_x += width + 1;
    if (font->shelf_height < height + 1)
        font->shelf_height = height + 1;
    return true;
}

/* Light hinting: stems stand on whole rows of pixels, and letters keep their widths. */
static view_glyph draw_glyph(view_font *font, view_type type, uint32_t code_point)
{
    view_glyph glyph;
    memset(&glyph, 0, sizeof(glyph));
    FT_Face face = face_of(font, type);
    if (FT_Load_Char(face, code_point, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP))
        return glyph;
    const FT_GlyphSlot slot = face->glyph;
    const FT_Bitmap *picture = &slot->bitmap;
    glyph.advance = (int16_t)((slot->advance.x + 32) >> 6);
    glyph.left = (int16_t)slot->bitmap_left;
    glyph.top = (int16_t)slot->bitmap_top;
    if (picture->pixel_mode != FT_PIXEL_MODE_GRAY ||
        !find_place(font, picture->width, picture->rows, &glyph))
        return glyph;
    for (uint32_t row = 0; row < picture->rows; row++)
        memcpy(&font->atlas[(glyph.atlas_y + row) * VIEW_FONT_ATLAS_SIDE + glyph.atlas_x],
               picture->buffer + (ptrdiff_t)row * picture->pitch, picture->width);
    font->changed = true;
    return glyph;
}

const view_glyph *view_font_glyph(view_font *font, view_type type, uint32_t code_point)
{
    static const view_glyph nothing;
    const uint32_t key = code_point * VIEW_TYPE_COUNT + (uint32_t)type + 1;
    uint32_t place = key * 2654435761u % TABLE_SIZE;
    while (font->table[place].key != 0 && font->table[place].key != key)
        place = (place + 1) % TABLE_SIZE;
    glyph_entry *entry = &font->table[place];
    if (entry->key == 0) {
        if (font->glyph_count == GLYPH_LIMIT)
            return &nothing;
        font->glyph_count++;
        entry->key = key;
        entry->glyph = draw_glyph(font, type, code_point);
    }
    return &entry->glyph;
}

const uint8_t *view_font_changed_atlas(view_font *font)
{
    bool changed = font->changed;
    font->changed = false;
    return changed ? font->atlas : NULL;
}

uint32_t view_next_code_point(const char **text)
{
    const uint8_t *at = (const uint8_t *)*text;
    uint32_t first = at[0], length = 1, value = first;
    if (first == 0)
        return 0;
    if (first >= 0x80) {
        length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        value = first & (0xffu >> (length + 1));
        bool valid = first >= 0xc2 && first < 0xf5;
        for (uint32_t i = 1; i < length && valid; i++) {
            valid = (at[i] & 0xc0) == 0x80;
            value = value << 6 | (at[i] & 0x3fu);
        }
        if (!valid) {
            length = 1;
            value = 0xfffd;
        }
    }
    *text += length;
    return value;
}
