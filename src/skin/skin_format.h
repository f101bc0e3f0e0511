/* The bytes of a skin asset, version 1. docs/format/skin_v1.md says what each field means. */
#ifndef MRWI_SKIN_FORMAT_H
#define MRWI_SKIN_FORMAT_H

#include <marrow/skin.h>

typedef struct mrwi_skin_content {
    mrw_asset_header header;
    uint32_t joint_count;
    uint32_t skeleton_joint_count;
    uint32_t name_size_bytes; /* with the NUL */
    uint32_t reserved;        /* 0 */
    uint64_t joints_offset;
    uint64_t inverse_binds_offset;
    uint64_t name_offset;
} mrwi_skin_content;

_Static_assert(sizeof(mrwi_skin_content) == 104, "no padding");
_Static_assert(sizeof(mrw_mat34) == 48, "no padding");

#endif
