/* Finished pictures as files. Pixels are RGBA, 8 bits, the top row first. */
#ifndef MARROW_TOOL_PICTURE_H
#define MARROW_TOOL_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Encodes as PNG into *out_bytes, which the caller frees with free(). False if memory ran out. */
bool cli_png_encode(const uint8_t *rgba, uint32_t width, uint32_t height, uint8_t **out_bytes,
                    size_t *out_size_bytes);

/* An animated WebP that loops for ever. */
typedef struct cli_webp cli_webp;

/* NULL if memory ran out. */
cli_webp *cli_webp_begin(uint32_t width, uint32_t height);
/* Adds a frame that shows from time_ms on, until the next one. */
bool cli_webp_add(cli_webp *webp, const uint8_t *rgba, int time_ms);
/* end_ms: when the last frame ends. *out_bytes is freed by the caller with free(). */
bool cli_webp_finish(cli_webp *webp, int end_ms, uint8_t **out_bytes, size_t *out_size_bytes);
void cli_webp_free(cli_webp *webp);

#endif
