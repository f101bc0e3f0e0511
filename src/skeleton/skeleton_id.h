/* The identity of a skeleton, as docs/format/skeleton_v1.md defines it. */
#ifndef MRWI_SKELETON_ID_H
#define MRWI_SKELETON_ID_H

#include <marrow/skeleton.h>

/* Of the joints, their parents and names, and the scalars' names. Needs the counts, parents,
 * name_hashes, name_offsets and name_bytes of the view. */
uint64_t mrwi_skeleton_compute_id(const mrw_skeleton *skeleton);

#endif
