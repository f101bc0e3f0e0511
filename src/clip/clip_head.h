/* A clip of which the motion is not there yet. */
#ifndef MRWI_CLIP_HEAD_H
#define MRWI_CLIP_HEAD_H

#include <marrow/clip.h>

/* What mrw_clip_open does, but for the envelope, which the caller vouches for, and for the segments
 * and the data of the packed section: header->size_bytes are there, and enough for a clip's fields.
 * The packed section is the last one: so what is written to it later changes nothing that was
 * checked. Errors: those of mrw_clip_open but the envelope's. */
mrw_status mrwi_clip_open_head(const mrw_asset_header *header, mrw_clip *out_clip,
                               mrw_error *out_error);

#endif
