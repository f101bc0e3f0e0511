/* The bytes of a skeleton asset, version 1. docs/format/skeleton_v1.md says what each field means.
 */
#ifndef MRWI_SKELETON_FORMAT_H
#define MRWI_SKELETON_FORMAT_H

#include <marrow/skeleton.h>

typedef struct mrwi_skeleton_content {
    mrw_asset_header header;
    uint32_t joint_count;
    uint32_t scalar_count;
    uint32_t name_size_bytes; /* of the names section */
    uint32_t reserved;        /* 0 */
    uint64_t parents_offset;
    uint64_t source_nodes_offset;
    uint64_t name_hashes_offset;
    uint64_t name_order_offset;
    uint64_t name_offsets_offset;
    uint64_t names_offset;
    uint64_t rest_blocks_offset;
    uint64_t rest_scalars_offset;
} mrwi_skeleton_content;

_Static_assert(sizeof(mrwi_skeleton_content) == 144, "no padding");

#endif
