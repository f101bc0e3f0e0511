#include "offline/compress/pack_source.h"

#include "base/error.h"
#include "offline/compress/cubic_turns.h"
#include "offline/compress/key_times.h"

#include <string.h>

/* Of the distance of samples: as near as key times of single precision come to a rate. */
#define ON_GRID 0.02
#define EVEN 3e-4 /* the same, of keys that stand as evenly as they can */

static const double usual_rates[] = {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0};

/* --- tracks ------------------------------------------------------------------------------ */

static bool copy_track(const mrwi_pack_source *source, uint32_t index, mrwi_arena *arena)
{
    const mrw_track *track = &source->clip->tracks[index];
    mrw_track_desc *desc = &source->tracks[index];
    float numbers[12];
    const uint32_t width = mrw_clip_key(source->clip, index, 0, numbers);
    float *times = mrwi_arena_alloc(arena, track->key_count, sizeof(float));
    float *values = mrwi_arena_alloc(arena, (size_t)track->key_count * width, sizeof(float));
    if (times == NULL || values == NULL)
        return false;
    memcpy(times, source->clip->times + track->times_offset, sizeof(float) * track->key_count);
    for (uint32_t k = 0; k < track->key_count; k++) {
        mrw_clip_key(source->clip, index, k, numbers);
        memcpy(values + (size_t)k * width, numbers, sizeof(float) * width);
    }
    *desc = (mrw_track_desc){(mrw_track_kind)track->kind,
                             track->target,
                             (mrw_interpolation)track->interpolation,
                             track->key_count,
                             times,
                             values};
    return true;
}

mrw_status mrwi_pack_source_open(const mrw_skeleton *skeleton, const mrw_clip *clip,
                                 mrwi_arena *arena, mrwi_pack_source *out_source,
                                 mrw_error *out_error)
{
    *out_source = (mrwi_pack_source){skeleton, clip, NULL, NULL, NULL, NULL, 0};
    out_source->times = mrwi_key_times(clip, arena, &out_source->time_count);
    if (out_source->times == NULL)
        return mrwi_arena_fail(arena, out_error, "times");
    if (clip->packed.sample_count > 0) {
        out_source->times = clip->packed.times;
        out_source->time_count = clip->packed.times != NULL ? clip->packed.sample_count : 0;
    }
    out_source->tracks = mrwi_arena_alloc(arena, clip->track_count, sizeof(mrw_track_desc));
    out_source->keeps = mrwi_arena_alloc(arena, clip->track_count, sizeof(bool));
    out_source->whirls = mrwi_arena_alloc(arena, clip->track_count, sizeof(bool));
    if (out_source->tracks == NULL || out_source->keeps == NULL || out_source->whirls == NULL)
        return mrwi_arena_fail(arena, out_error, "tracks");
    for (uint32_t i = 0; i < clip->track_count; i++) {
        if (!copy_track(out_source, i, arena))
            return mrwi_arena_fail(arena, out_error, "tracks");
        out_source->whirls[i] = mrwi_cubic_whirls(&out_source->tracks[i]);
    }
    return MRW_OK;
}

/* --- the rate ---------------------------------------------------------------------------- */

static bool has_rate(const mrw_track_desc *track)
{
    return track->key_count > 2 && track->interpolation != MRW_INTERPOLATION_STEP;
}

/* Whether at least 99.9 % of the keys lie on samples, and how far off the farthest of these is, in
 * samples. */
static bool hits_keys(const mrwi_pack_source *source, double rate, double *out_farthest)
{
    uint64_t keys = 0, hits = 0;
    *out_farthest = 0.0;
    for (uint32_t i = 0; i < source->clip->track_count; i++) {
        const mrw_track_desc *track = &source->tracks[i];
        for (uint32_t k = 0; k < track->key_count && has_rate(track); k++) {
            double position = (double)track->times[k] * rate;
            double off = position - (double)(uint64_t)(position + 0.5);
            off = off < 0.0 ? -off : off;
            hits += off < ON_GRID;
            *out_farthest = off < ON_GRID && off > *out_farthest ? off : *out_farthest;
            keys++;
        }
    }
    return hits * 1000 >= keys * 999;
}

/* The mean rate of the track with the most keys, 0 if that is none to sample at. */
static double densest_rate(const mrwi_pack_source *source)
{
    const mrw_track_desc *densest = NULL;
    for (uint32_t i = 0; i < source->clip->track_count; i++)
        if (has_rate(&source->tracks[i]) &&
            (densest == NULL || source->tracks[i].key_count > densest->key_count))
            densest = &source->tracks[i];
    if (densest == NULL)
        return 0.0;
    double length = (double)densest->times[densest->key_count - 1] - (double)densest->times[0];
    double rate = (densest->key_count - 1) / length;
    return rate >= 1.0 && rate <= 1000.0 ? rate : 0.0;
}

/* A rate that is nearly whole may be meant to be, unless it hits the keys better as it is: frame
 * times of few digits drift off the whole rate in a long clip, and there errors are motion. */
static double rounded_rate(const mrwi_pack_source *source, double rate, double off)
{
    double whole = (double)(uint64_t)(rate + 0.5), off_whole;
    if (whole < 1.0 || rate - whole > 2e-3 * whole || whole - rate > 2e-3 * whole ||
        !hits_keys(source, whole, &off_whole))
        return rate;
    return off_whole <= off || off_whole < 1e-3 ? whole : rate;
}

/* *out_off: how far off the farthest key is, in samples; 1 if none of the rates hits the keys. */
static double even_rate(const mrwi_pack_source *source, double *out_off)
{
    double rate = densest_rate(source);
    if (rate > 0.0 && hits_keys(source, rate, out_off))
        return rounded_rate(source, rate, *out_off);
    for (size_t i = 0; i < sizeof(usual_rates) / sizeof(usual_rates[0]); i++)
        if (hits_keys(source, usual_rates[i], out_off))
            return usual_rates[i];
    *out_off = 1.0;
    return 60.0;
}

double mrwi_pack_source_even_rate(const mrwi_pack_source *source)
{
    double off;
    if (source->clip->packed.sample_count > 0)
        return source->clip->packed.samples_per_second;
    return even_rate(source, &off);
}

bool mrwi_pack_source_is_sparse(const mrwi_pack_source *source)
{
    const double rate = mrwi_pack_source_even_rate(source);
    return source->time_count <= mrwi_pack_source_samples(source, rate) / 3 * 2;
}

double mrwi_pack_source_rate(const mrwi_pack_source *source)
{
    double off = 0.0;
    if (source->clip->packed.sample_count > 0)
        return source->clip->packed.times != NULL ? 0.0 : source->clip->packed.samples_per_second;
    const double rate = even_rate(source, &off);
    const uint32_t samples = mrwi_pack_source_samples(source, rate);
    const bool is_even = source->time_count < 2 || source->time_count > samples ||
                         (off < EVEN && !mrwi_pack_source_is_sparse(source));
    return is_even ? rate : 0.0;
}

uint32_t mrwi_pack_source_sample_at(const mrwi_pack_source *source, double samples_per_second,
                                    double time_s)
{
    if (samples_per_second > 0.0) {
        const uint32_t last = mrwi_pack_source_samples(source, samples_per_second) - 1;
        const double position = time_s * samples_per_second;
        return position < last ? (uint32_t)position : last;
    }
    uint32_t low = 0, high = source->time_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)source->times[middle] <= time_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t mrwi_pack_source_samples(const mrwi_pack_source *source, double samples_per_second)
{
    if (samples_per_second == 0.0)
        return source->time_count;
    double last = (double)source->clip->duration_s * samples_per_second;
    if (!(last > ON_GRID))
        return 1;
    if (last > 16777214.0)
        return 16777216;
    uint32_t whole = (uint32_t)(last + 0.5);
    return last - whole < ON_GRID ? whole + 1 : whole + 2;
}

/* --- what is packed ---------------------------------------------------------------------- */

/* What a track and its keys take in a clip, roughly: most share their times. */
static double bytes_as_keys(const mrw_track_desc *track)
{
    const uint32_t values = track->interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1;
    return 32.0 + (double)track->key_count * (2.0 + 4.0 * mrw_track_width(track->kind) * values);
}

/* The same, of its channels as samples: between few keys far apart these are nearly what is
 * predicted. */
static double bytes_as_samples(const mrw_track_desc *track, uint32_t sample_count)
{
    const double channels = track->kind == MRW_TRACK_SCALAR ? 1.0 : 3.0;
    const double of_sample = track->interpolation == MRW_INTERPOLATION_CUBIC ? 0.4 : 0.14;
    return 10.0 + channels * (3.0 + of_sample * sample_count + 1.5 * track->key_count);
}

static uint8_t *place_of(const mrwi_part_choice *choice, const mrw_track_desc *track)
{
    uint8_t *places[] = {choice->translations, choice->rotations, choice->scales, choice->scalars};
    return &places[track->kind][track->target];
}

void mrwi_pack_source_choose(const mrwi_pack_source *source, uint32_t sample_count, bool only_keys,
                             mrwi_part_choice *out_choice)
{
    memset(out_choice->translations, MRWI_PART_PACKED, source->skeleton->joint_count);
    memset(out_choice->rotations, MRWI_PART_PACKED, source->skeleton->joint_count);
    memset(out_choice->scales, MRWI_PART_PACKED, source->skeleton->joint_count);
    memset(out_choice->scalars, MRWI_PART_PACKED, source->skeleton->scalar_count);
    for (uint32_t i = 0; i < source->clip->track_count; i++) {
        const mrw_track_desc *track = &source->tracks[i];
        if (source->whirls[i])
            *place_of(out_choice, track) = MRWI_PART_WHIRLING;
        else if (source->keeps[i])
            *place_of(out_choice, track) = MRWI_PART_GIVEN;
        else if (only_keys || track->interpolation == MRW_INTERPOLATION_STEP ||
                 bytes_as_keys(track) <= bytes_as_samples(track, sample_count))
            *place_of(out_choice, track) = MRWI_PART_SPARSE;
    }
}

bool mrwi_pack_source_keep(mrwi_pack_source *source, mrw_track_kind kind, uint32_t target)
{
    for (uint32_t i = 0; i < source->clip->track_count; i++)
        if (source->tracks[i].kind == kind && source->tracks[i].target == target &&
            !source->keeps[i]) {
            source->keeps[i] = true;
            return true;
        }
    return false;
}

void mrwi_pack_source_keep_none(mrwi_pack_source *source)
{
    for (uint32_t i = 0; i < source->clip->track_count; i++)
        source->keeps[i] = false;
}
