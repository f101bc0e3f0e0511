/* Segments of a packed section from their numbers, as every packer of ours writes them: of each
 * channel the first of its shapes that is wide enough. */
#ifndef MRWI_STORED_SEGMENT_WRITER_H
#define MRWI_STORED_SEGMENT_WRITER_H

#include <marrow/clip.h>

typedef struct mrwi_segment_writer {
    const mrw_clip_packed *packed; /* all of it but segments and data is there */
    uint32_t *segments;            /* of the section */
    uint8_t *data;
    uint64_t data_bytes;
    uint64_t end; /* of what is written: where the next anchors go */
    /* Of the segment at work, [channel_count] each. */
    uint32_t *shapes, *sizes, *any;
} mrwi_segment_writer;

/* The anchors with which segment `index` begins, or at the end of all those that close. False if
 * they are too wide or do not fit the data. */
bool mrwi_write_anchors(mrwi_segment_writer *writer, uint32_t index, const int32_t *anchors);

/* What stands behind the anchors of segment `index`. rows: [2^segment_log2 + 1][channel_count],
 * both anchors among them. False as above, or if no shape is wide enough. */
bool mrwi_write_segment(mrwi_segment_writer *writer, uint32_t index, const int32_t *rows);

#endif
