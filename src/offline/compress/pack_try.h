/* One try at packing a clip: from its keys to bytes. */
#ifndef MRWI_PACK_TRY_H
#define MRWI_PACK_TRY_H

#include "offline/compress/pack_job.h"

enum { MRWI_MOST_MENDS = 5 }; /* tries that only mend what lies between samples */

/* The clip at this rate, with errors of at most `limit` tolerances at the samples, in job->best and
 * job->report. Tracks whose numbers no width can say are kept as they are from then on. Errors:
 * those of mrw_pack_clip. */
mrw_status mrwi_pack_try(mrwi_pack_job *job, double rate, double limit);

#endif
