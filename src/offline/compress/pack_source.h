/* What a clip offers to packing: its tracks, the rate of its keys, and which of them are better
 * left as they are. */
#ifndef MRWI_PACK_SOURCE_H
#define MRWI_PACK_SOURCE_H

#include <marrow/offline/build.h>

#include "offline/compress/joint_plan.h"

typedef struct mrwi_pack_source {
    const mrw_skeleton *skeleton;
    const mrw_clip *clip;
    mrw_track_desc *tracks; /* [clip->track_count] */
    bool *keeps;            /* [clip->track_count] those that cannot be packed */
    bool *whirls;           /* [clip->track_count] those whose samples do not say what they do */
    const float *times;     /* [time_count] of all keys, where these alone count; see key_times.h */
    uint32_t time_count;
} mrwi_pack_source;

/* Copies the keys out of the clip. Errors: OUT_OF_MEMORY, MEMORY_LIMIT. */
mrw_status mrwi_pack_source_open(const mrw_skeleton *skeleton, const mrw_clip *clip,
                                 mrwi_arena *arena, mrwi_pack_source *out_source,
                                 mrw_error *out_error);

/* Samples a second that hit nearly all keys of the tracks that move linearly; 60 if there is no
 * such rate; of a packed clip its own. 0 if keys do not stand at even distances: then samples at
 * their own times say more. */
double mrwi_pack_source_rate(const mrwi_pack_source *source);

/* Whether these are far fewer. */
bool mrwi_pack_source_is_sparse(const mrwi_pack_source *source);

/* The same as above, but never 0. */
double mrwi_pack_source_even_rate(const mrwi_pack_source *source);

/* Samples from 0 to the end of the clip, 1 if it has no length; at rate 0, those at the times of
 * keys. */
uint32_t mrwi_pack_source_samples(const mrwi_pack_source *source, double samples_per_second);

/* The last sample that is not after a time. */
uint32_t mrwi_pack_source_sample_at(const mrwi_pack_source *source, double samples_per_second,
                                    double time_s);

/* Fills the choice: rotations that whirl, tracks to keep, which are given, those that jump and
 * those whose keys take less room than samples would, which are sparse; all else may be packed, or
 * is sparse too if only keys may be. */
void mrwi_pack_source_choose(const mrwi_pack_source *source, uint32_t sample_count, bool only_keys,
                             mrwi_part_choice *out_choice);

/* A track that has to stay as it is: its numbers take more bits than the format has, or more than
 * single precision. False if there is no such track, or it stays already. */
bool mrwi_pack_source_keep(mrwi_pack_source *source, mrw_track_kind kind, uint32_t target);

/* None has to stay any more. */
void mrwi_pack_source_keep_none(mrwi_pack_source *source);

#endif
