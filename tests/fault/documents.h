/* Small documents that use much of what their formats can do: what tests cut, flip and starve. */
#ifndef TESTS_FAULT_DOCUMENTS_H
#define TESTS_FAULT_DOCUMENTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct document {
    uint8_t *bytes; /* freed by document_free */
    size_t size_bytes;
} document;

/* A strip skinned to three joints with two sets of influences, animated in three ways, with a
 * material and a picture: as text with a data URI, or in the binary container. */
document document_skinned_text(void);
document document_skinned_binary(void);

/* Morph targets, one of them sparse, weights animated, an interleaved and quantised buffer, a
 * matrix. */
document document_morph_text(void);

/* BVH: two roots, channels of all kinds in several orders. Cut at the end of a line after its head,
 * and only there, it is a file with fewer frames. */
document document_motion_text(void);

void document_free(document *doc);

#endif
