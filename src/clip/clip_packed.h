/* Validating the packed section of a clip. */
#ifndef MRWI_CLIP_PACKED_H
#define MRWI_CLIP_PACKED_H

#include <marrow/clip.h>

/* Fills view->packed from a section of size_bytes; the view's tracks are valid already. Segments
 * and data are not looked at. Errors: BAD_ASSET, NOT_FINITE. */
mrw_status mrwi_clip_open_packed(mrw_clip *view, const void *section, uint64_t size_bytes,
                                 mrw_error *out_error);

/* That the segments of that section fill the data. Errors: BAD_ASSET. */
mrw_status mrwi_clip_check_segments(const mrw_clip *view, const void *section,
                                    mrw_error *out_error);

#endif
