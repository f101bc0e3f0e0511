/* Where a time lies among the keys of a track. */
#ifndef MRWI_KEY_POSITION_H
#define MRWI_KEY_POSITION_H

#include <marrow/base.h>

typedef struct mrwi_key_position {
    uint32_t key;     /* the last key at or before the time; the first key before that one */
    bool exact;       /* that key's value counts as it is: on the key, or outside all keys */
    float fraction;   /* else 0..1 of the way to key + 1 */
    float interval_s; /* else the time between both keys, > 0 */
} mrwi_key_position;

/* The last of key_count >= 2 times that is not above time_s, which lies at or above the first and
 * below the last. guess: which it would be if all stood at even distances. Keys of real clips
 * mostly do, and then it or its neighbour is right; a search by halves takes over where they do
 * not. */
static inline uint32_t mrwi_find_interval(const float *times, uint32_t key_count, float time_s,
                                          float guess)
{
    uint32_t last = key_count - 1;
    uint32_t low = guess < (float)last ? (uint32_t)guess : last - 1;
    if (low > last - 1)
        low = last - 1;
    uint32_t high = last;
    /* Invariant from here on: times[low] <= time_s < times[high]. */
    if (times[low] <= time_s) {
        if (time_s < times[low + 1])
            return low;
        low++;
        if (time_s < times[low + 1])
            return low;
    } else {
        high = low;
        low = high - 1;
        if (times[low] <= time_s)
            return low;
        low = 0;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= time_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* All but the fraction, which stays 0. guess: as above, anything where time_s is outside. */
static inline mrwi_key_position mrwi_find_key_by(const float *times, uint32_t key_count,
                                                 float time_s, float guess)
{
    mrwi_key_position position = {0, true, 0.0f, 0.0f};
    if (time_s <= times[0])
        return position;
    position.key = key_count - 1;
    if (time_s >= times[key_count - 1])
        return position;
    position.key = mrwi_find_interval(times, key_count, time_s, guess);
    float from_s = times[position.key];
    if (from_s == time_s)
        return position;
    position.exact = false;
    position.interval_s = times[position.key + 1] - from_s;
    return position;
}

/* times: key_count >= 1 strictly increasing seconds. */
static inline mrwi_key_position mrwi_find_key(const float *times, uint32_t key_count, float time_s)
{
    uint32_t last = key_count - 1;
    float guess = 0.0f;
    if (last > 0)
        guess = (time_s - times[0]) / (times[last] - times[0]) * (float)last;
    mrwi_key_position position = mrwi_find_key_by(times, key_count, time_s, guess);
    if (!position.exact)
        position.fraction = (time_s - times[position.key]) / position.interval_s;
    return position;
}

#endif
