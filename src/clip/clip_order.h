/* The parts of mrw_clip_open that look at what follows from the tracks. */
#ifndef MRWI_CLIP_ORDER_H
#define MRWI_CLIP_ORDER_H

#include <marrow/clip.h>

/* The groups' own fields. *out_value_end: behind the values of the last one. */
mrw_status mrwi_clip_check_groups(const mrw_clip *view, uint32_t *out_value_end,
                                  mrw_error *out_error);

/* That groups and tracks in lanes belong together. After the above, and after every track's own
 * fields. */
mrw_status mrwi_clip_check_lanes(const mrw_clip *view, mrw_error *out_error);

/* Bases and lists. After all else. */
mrw_status mrwi_clip_check_order(const mrw_clip *view, mrw_error *out_error);

#endif
