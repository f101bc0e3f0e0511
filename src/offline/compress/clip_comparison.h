/* mrw_compare_clips in two parts, for those who ask for percentiles only of the last of many
 * comparisons. */
#ifndef MRWI_CLIP_COMPARISON_H
#define MRWI_CLIP_COMPARISON_H

#include <marrow/offline/compress.h>

/* As mrw_compare_clips, but of what the errors come to only the largest ones; the rest is 0.
 * options are not NULL. */
mrw_status mrwi_compare_largest(const mrw_skeleton *skeleton, const mrw_clip *a, const mrw_clip *b,
                                const mrw_compare_options *options, mrw_comparison **out_comparison,
                                mrw_error *out_error);

/* Fills in the rest of comparison->all. Errors: OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_comparison_rank_all(mrw_comparison *comparison, mrw_error *out_error);

#endif
