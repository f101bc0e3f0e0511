/* Charts as pixels: boxes, lines and words. Colours are 0xrrggbb; places are pixels from the top
 * left corner. What lies outside is cut. */
#ifndef MARROW_TOOL_PICTURE_CANVAS_H
#define MARROW_TOOL_PICTURE_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_canvas {
    uint8_t *rgba; /* the top row first */
    uint32_t width, height;
} cli_canvas;

/* False if memory ran out. */
bool cli_canvas_create(uint32_t width, uint32_t height, uint32_t colour, cli_canvas *out_canvas);
void cli_canvas_free(cli_canvas *canvas);

void cli_canvas_box(cli_canvas *canvas, int x, int y, int width, int height, uint32_t colour);
void cli_canvas_line(cli_canvas *canvas, float x0, float y0, float x1, float y1, float thickness,
                     uint32_t colour);

/* Capitals are six times `unit` high and every character six times as wide; y is that of the line
 * they stand on. Printable ASCII has shapes, every other character is a box. */
void cli_canvas_text(cli_canvas *canvas, float x, float y, float unit, uint32_t colour,
                     const char *text);
float cli_canvas_text_width(float unit, const char *text);

#endif
