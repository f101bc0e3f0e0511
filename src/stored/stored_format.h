/* The bytes of a stored clip, version 1: docs/format/clip_stored_v1.md says what each field means.
 */
#ifndef MRWI_STORED_FORMAT_H
#define MRWI_STORED_FORMAT_H

#include <marrow/asset.h>

typedef struct mrwi_stored_content {
    mrw_asset_header header;
    uint32_t encoding;        /* MRW_CLIP_STORED */
    uint32_t channel_count;   /* of the motion; 0: everything is words */
    uint32_t segment_log2;    /* likewise */
    uint32_t word_count;      /* of the coder, behind this */
    uint64_t clip_size_bytes; /* of the clip that comes out */
} mrwi_stored_content;

_Static_assert(sizeof(mrwi_stored_content) == 88, "no padding");

/* A clip is at most so many times as large as its stored form, and so much: a token takes 1/190 of
 * a bit at least. */
#define MRWI_STORED_LARGEST_RATIO 1024
#define MRWI_STORED_LEAST_ROOM 65536

/* A channel takes more of a packed section than this, 19/3 bytes if it is one of a rotation's. So a
 * head cannot claim work memory for channels that its clip has no room for. */
#define MRWI_STORED_CHANNEL_BYTES 6

#endif
