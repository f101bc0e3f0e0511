#include "picture_canvas.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_canvas_create(uint32_t width, uint32_t height, uint32_t colour, cli_canvas *out_canvas)
{
    *out_canvas = (cli_canvas){malloc((size_t)width * height * 4), width, height};
    if (out_canvas->rgba == NULL)
        return false;
    cli_canvas_box(out_canvas, 0, 0, (int)width, (int)height, colour);
    return true;
}

void cli_canvas_free(cli_canvas *canvas)
{
    free(canvas->rgba);
    canvas->rgba = NULL;
}

static uint8_t *pixel_at(const cli_canvas *canvas, int x, int y)
{
    return canvas->rgba + ((size_t)y * canvas->width + (size_t)x) * 4;
}

static int clamp(int value, int limit)
{
    return value < 0 ? 0 : value > limit ? limit : value;
}

void cli_canvas_box(cli_canvas *canvas, int x, int y, int width, int height, uint32_t colour)
{
    const int right = clamp(x + width, (int)canvas->width);
    const int bottom = clamp(y + height, (int)canvas->height);
    for (int row = clamp(y, bottom); row < bottom; row++) {
        for (int column = clamp(x, right); column < right; column++) {
            uint8_t *pixel = pixel_at(canvas, column, row);
            pixel[0] = (uint8_t)(colour >> 16);
            pixel[1] = (uint8_t)(colour >> 8);
            pixel[2] = (uint8_t)colour;
            pixel[3] = 255;
        }
    }
}

static void mix(uint8_t *pixel, uint32_t colour, float cover)
{
    for (int i = 0; i < 3; i++) {
        float target = (float)((colour >> (16 - 8 * i)) & 255);
        pixel[i] = (uint8_t)((float)pixel[i] + (target - (float)pixel[i]) * cover + 0.5f);
    }
}

/* Distance of a pixel's centre from a line with round ends. */
static float distance(float px, float py, float x0, float y0, float x1, float y1)
{
    const float dx = x1 - x0, dy = y1 - y0;
    const float square = dx * dx + dy * dy;
    float share = square > 0.0f ? ((px - x0) * dx + (py - y0) * dy) / square : 0.0f;
    share = share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
    const float ox = px - (x0 + share * dx), oy = py - (y0 + share * dy);
    return sqrtf(ox * ox + oy * oy);
}

void cli_canvas_line(cli_canvas *canvas, float x0, float y0, float x1, float y1, float thickness,
                     uint32_t colour)
{
    const float radius = 0.5f * thickness;
    const int left = clamp((int)(fminf(x0, x1) - radius - 1.0f), (int)canvas->width);
    const int right = clamp((int)(fmaxf(x0, x1) + radius + 2.0f), (int)canvas->width);
    const int top = clamp((int)(fminf(y0, y1) - radius - 1.0f), (int)canvas->height);
    const int bottom = clamp((int)(fmaxf(y0, y1) + radius + 2.0f), (int)canvas->height);
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            float cover =
                radius + 0.5f - distance((float)x + 0.5f, (float)y + 0.5f, x0, y0, x1, y1);
            if (cover > 0.0f)
                mix(pixel_at(canvas, x, y), colour, cover < 1.0f ? cover : 1.0f);
        }
    }
}

/* --- words -------------------------------------------------------------------------------- */

/* The strokes of ' ' to '~', each a list of points x y on a grid of 0 to 4 and, downwards, 0 to 8:
 * capitals reach from 0 to 6, small letters from 2 to 6, and what hangs below the line to 8. */
static const char *const strokes[] = {
    "",
    "2024 2626",
    "1012 3032",
    "1016 3036 0242 0444",
    "413010010213334445361605 2026",
    "4006 0010110100 3545463635",
    "4611102031120305163644",
    "2022",
    "30212536",
    "10212516",
    "2125 0244 0442",
    "2125 0343",
    "2617",
    "1333",
    "2626",
    "4006",
    "103041453616050110",
    "112026 1636",
    "01103041420646",
    "0110304142334445361605 1333",
    "36300444",
    "400002324345361605",
    "4130100105163645443303",
    "004016",
    "103041423313020110 3344453616050413",
    "0516364541301001021343",
    "2323 2626",
    "2323 2617",
    "410345",
    "0242 0444",
    "014305",
    "01103041423324 2626",
    "3222131425343241301001051636",
    "062046 1434",
    "06003041423303 3344453606",
    "4130100105163645",
    "00204244260600",
    "40000646 0333",
    "400006 0333",
    "41301001051636454323",
    "0006 4046 0343",
    "1030 2026 1636",
    "404536160504",
    "0006 400346",
    "000646",
    "0600234046",
    "06004640",
    "103041453616050110",
    "06003041423303",
    "103041453616050110 3446",
    "06003041423303 2346",
    "413010010213334445361605",
    "0040 2026",
    "000516364540",
    "002640",
    "0016233640",
    "0046 4006",
    "002340 2326",
    "00400646",
    "30101636",
    "0046",
    "10303616",
    "022042",
    "0747",
    "1021",
    "12324346 441405163645",
    "0006 0312324345361605",
    "43321203051636 3645",
    "4046 4332120305163645",
    "044443321203051636",
    "40302126 1242",
    "4332120305163645 4247381807",
    "0006 0312324346",
    "122226 1636 2020",
    "2232372818 3030",
    "0006 4204 2346",
    "102026 1636",
    "0602 03122326 23324346",
    "0602 0312324346",
    "123243453616050312",
    "0208 0312324345361605",
    "4248 4332120305163645",
    "0602 03123243",
    "43321203143445361605",
    "20253646 1242",
    "0205163645 4246",
    "022642",
    "0216243642",
    "0246 4206",
    "0226 421808",
    "02420646",
    "30212213242536",
    "2027",
    "10212233242516",
    "04133443",
};

static const char *strokes_of(const char *character, size_t length)
{
    const unsigned char code = (unsigned char)*character;
    return length == 1 && code >= ' ' && code <= '~' ? strokes[code - ' '] : "1030361610";
}

static void draw_strokes(cli_canvas *canvas, float x, float y, float unit, uint32_t colour,
                         const char *list)
{
    const float thickness = unit * 0.8f < 1.15f ? 1.15f : unit * 0.8f;
    bool begun = false;
    float last_x = 0.0f, last_y = 0.0f;
    for (; *list; list += *list == ' ' ? 1 : 2) {
        if (*list == ' ') {
            begun = false;
            continue;
        }
        float to_x = x + unit * (float)(list[0] - '0');
        float to_y = y + unit * (float)(list[1] - '0' - 6);
        if (begun)
            cli_canvas_line(canvas, last_x, last_y, to_x, to_y, thickness, colour);
        begun = true;
        last_x = to_x;
        last_y = to_y;
    }
}

void cli_canvas_text(cli_canvas *canvas, float x, float y, float unit, uint32_t colour,
                     const char *text)
{
    while (*text) {
        size_t length = cli_utf8_length(text);
        draw_strokes(canvas, x, y, unit, colour, strokes_of(text, length));
        x += 6.0f * unit;
        text += length > 0 ? length : 1;
    }
}

float cli_canvas_text_width(float unit, const char *text)
{
    return 6.0f * unit * (float)cli_text_width(text);
}
