#include "picture.h"

#include <spng.h>

#include <string.h>

bool cli_png_encode(const uint8_t *rgba, uint32_t width, uint32_t height, uint8_t **out_bytes,
                    size_t *out_size_bytes)
{
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    if (context == NULL)
        return false;
    struct spng_ihdr header;
    memset(&header, 0, sizeof(header));
    header.width = width;
    header.height = height;
    header.bit_depth = 8;
    header.color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    int error = spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    if (error == 0)
        error = spng_set_ihdr(context, &header);
    if (error == 0)
        error = spng_encode_image(context, rgba, (size_t)width * height * 4, SPNG_FMT_PNG,
                                  SPNG_ENCODE_FINALIZE);
    void *bytes = NULL;
    if (error == 0)
        bytes = spng_get_png_buffer(context, out_size_bytes, &error);
    spng_ctx_free(context);
    *out_bytes = bytes;
    return bytes != NULL;
}
