/* One track at one time. */
#ifndef MRWI_TRACK_SAMPLE_H
#define MRWI_TRACK_SAMPLE_H

#include <marrow/clip.h>

/* Where a time lies among the keys of a track. */
typedef struct mrwi_key_position {
    uint32_t key;     /* the last key at or before the time; the first key before that one */
    bool exact;       /* that key's value counts as it is: on the key, or outside all keys */
    float fraction;   /* else 0..1 of the way to key + 1 */
    float interval_s; /* else the time between both keys, > 0 */
} mrwi_key_position;

/* times: key_count >= 1 strictly increasing seconds. */
mrwi_key_position mrwi_find_key(const float *times, uint32_t key_count, float time_s);

/* The track's value there: mrw_track_width floats. Rotations come out with unit length. */
void mrwi_sample_track(const mrw_clip *clip, const mrw_track *track,
                       const mrwi_key_position *position, float out_value[4]);

#endif
