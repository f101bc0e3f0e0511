/* Validating the packed section of a clip. */
#ifndef MRWI_CLIP_PACKED_H
#define MRWI_CLIP_PACKED_H

#include <marrow/clip.h>

/* Fills view->packed from a section of size_bytes; the view's tracks are valid already. Errors:
 * BAD_ASSET, NOT_FINITE. */
mrw_status mrwi_clip_open_packed(mrw_clip *view, const void *section, uint64_t size_bytes,
                                 mrw_error *out_error);

#endif
