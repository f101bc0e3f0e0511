/* Keys that a clip can be made of: finite, at increasing times from 0 on.
 *
 * The rule for the others, in this order:
 *
 *   1. A key with a time or a value that is no finite number is left out: its neighbours say better
 *      what belongs there than any number that could be put in.
 *   2. A negative time becomes 0, since a timeline begins there.
 *   3. Keys are sorted by time; those of equal time keep their order.
 *   4. Of keys at one time the last counts, as if each had been set after the one before.
 *
 * Nearly all files need none of this, so the arrays are looked through first and left alone. */
#include "offline/import/gltf.h"

#include "base/finite.h"

#include <string.h>

typedef struct key_counts {
    uint32_t not_finite;
    uint32_t negative;
    uint32_t not_increasing;
} key_counts;

static size_t floats_per_key(const mrw_scene_channel *channel)
{
    size_t values = channel->interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1;
    return values * channel->value_width;
}

static bool is_finite_key(const mrw_scene_channel *channel, uint32_t key)
{
    size_t width = floats_per_key(channel);
    return mrwi_is_finite(channel->times[key]) &&
           mrwi_all_finite(channel->values + key * width, width);
}

static key_counts count_odd_keys(const mrw_scene_channel *channel)
{
    key_counts counts = {0, 0, 0};
    float previous = 0.0f;
    bool any = false;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        if (!is_finite_key(channel, i)) {
            counts.not_finite++;
            continue;
        }
        float time_s = channel->times[i];
        counts.negative += time_s < 0.0f;
        counts.not_increasing += any && time_s <= previous;
        previous = time_s;
        any = true;
    }
    return counts;
}

/* Merges two sorted neighbours of `from` into `to`; of equal times the left comes first. */
static void merge(const float *times, const uint32_t *from, uint32_t *to, size_t left,
                  size_t middle, size_t right)
{
    size_t a = left;
    size_t b = middle;
    for (size_t out = left; out < right; out++) {
        bool take_left = a < middle && (b >= right || times[from[a]] <= times[from[b]]);
        to[out] = take_left ? from[a++] : from[b++];
    }
}

/* Sorts numbers of keys by time, stably. Returns the array that the result is in. */
static uint32_t *sort_keys(const float *times, uint32_t *order, uint32_t *spare, size_t count)
{
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t left = 0; left < count; left += 2 * run) {
            size_t middle = left + run < count ? left + run : count;
            size_t right = middle + run < count ? middle + run : count;
            merge(times, order, spare, left, middle, right);
        }
        uint32_t *sorted = spare;
        spare = order;
        order = sorted;
    }
    return order;
}

static mrw_status rebuild(mrwi_gltf *gltf, const char *where, mrw_scene_channel *channel)
{
    uint32_t *order;
    uint32_t *spare;
    float *times;
    float *values;
    size_t width = floats_per_key(channel);
    uint32_t count = channel->key_count;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*order), where, &order));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*spare), where, &spare));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, count, sizeof(*times), where, &times));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, count, width * sizeof(*values), where, &values));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_finite_key(channel, i))
            continue;
        if (channel->times[i] < 0.0f)
            channel->times[i] = 0.0f;
        order[kept++] = i;
    }
    order = sort_keys(channel->times, order, spare, kept);
    uint32_t unique = 0;
    for (uint32_t i = 0; i < kept; i++) {
        float time_s = channel->times[order[i]];
        if (unique == 0 || time_s > times[unique - 1])
            unique++;
        times[unique - 1] = time_s;
        memcpy(values + (unique - 1) * width, channel->values + order[i] * width,
               width * sizeof(*values));
    }
    channel->times = times;
    channel->values = values;
    channel->key_count = unique;
    return MRW_OK;
}

mrw_status mrwi_gltf_repair_keys(mrwi_gltf *gltf, const char *where, mrw_scene_channel *channel)
{
    key_counts counts = count_odd_keys(channel);
    if (counts.not_finite == 0 && counts.negative == 0 && counts.not_increasing == 0)
        return MRW_OK;
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_INVALID_FLOAT", where,
                       "a key has a time or value that is infinite or none; it is left out",
                       counts.not_finite);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_ANIMATION_INPUT_NEGATIVE", where,
                       "a key has a negative time; it is moved to 0", counts.negative);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_ANIMATION_INPUT_NON_INCREASING", where,
                       "the times of keys do not increase; they are sorted, and of equal ones the "
                       "last counts",
                       counts.not_increasing);
    return rebuild(gltf, where, channel);
}
