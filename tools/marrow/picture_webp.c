#include "picture.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <stdlib.h>
#include <string.h>

#define QUALITY 88.0f

struct cli_webp {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    uint32_t width;
    uint32_t height;
};

cli_webp *cli_webp_begin(uint32_t width, uint32_t height)
{
    cli_webp *webp = calloc(1, sizeof(*webp));
    WebPAnimEncoderOptions options;
    if (webp == NULL || !WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&webp->config)) {
        free(webp);
        return NULL;
    }
    options.anim_params.loop_count = 0; /* for ever */
    webp->config.quality = QUALITY;
    webp->config.alpha_quality = 100;
    webp->width = width;
    webp->height = height;
    webp->encoder = WebPAnimEncoderNew((int)width, (int)height, &options);
    if (webp->encoder == NULL) {
        free(webp);
        return NULL;
    }
    return webp;
}

bool cli_webp_add(cli_webp *webp, const uint8_t *rgba, int time_ms)
{
    WebPPicture picture;
    if (!WebPPictureInit(&picture))
        return false;
    picture.width = (int)webp->width;
    picture.height = (int)webp->height;
    picture.use_argb = 1;
    bool added = WebPPictureImportRGBA(&picture, rgba, (int)webp->width * 4) &&
                 WebPAnimEncoderAdd(webp->encoder, &picture, time_ms, &webp->config);
    WebPPictureFree(&picture);
    return added;
}

bool cli_webp_finish(cli_webp *webp, int end_ms, uint8_t **out_bytes, size_t *out_size_bytes)
{
    WebPData data;
    WebPDataInit(&data);
    *out_bytes = NULL;
    *out_size_bytes = 0;
    if (!WebPAnimEncoderAdd(webp->encoder, NULL, end_ms, NULL) ||
        !WebPAnimEncoderAssemble(webp->encoder, &data))
        return false;
    /* The library's memory has its own free function: hand out memory of the C library. */
    uint8_t *copy = malloc(data.size);
    if (copy != NULL) {
        memcpy(copy, data.bytes, data.size);
        *out_bytes = copy;
        *out_size_bytes = data.size;
    }
    WebPDataClear(&data);
    return copy != NULL;
}

void cli_webp_free(cli_webp *webp)
{
    if (webp == NULL)
        return;
    WebPAnimEncoderDelete(webp->encoder);
    free(webp);
}
