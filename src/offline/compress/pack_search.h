/* The tries at a clip: limits, rates, efforts. */
#ifndef MRWI_PACK_SEARCH_H
#define MRWI_PACK_SEARCH_H

#include "offline/compress/pack_job.h"

/* The smallest clip that keeps the tolerance, at this rate or its multiples, in job->best and
 * job->report. *out_kept: whether there is one. Errors: those of mrw_pack_clip. */
mrw_status mrwi_pack_search(mrwi_pack_job *job, double rate, bool *out_kept);

#endif
