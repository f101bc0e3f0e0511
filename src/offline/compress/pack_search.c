#include "offline/compress/pack_search.h"

#include "offline/compress/pack_try.h"
#include "offline/compress/pack_verdict.h"

enum {
    TRY_COUNT = 12, /* at one rate */
    MOST_PER_SECOND = 1000,
    MOST_WITH_KEYS = 600, /* samples: with more, motion was captured, and its keys take long */
    FIXED_BYTES = 384     /* of a clip, about, however few samples it has */
};

/* In tolerances: what is left where the source moves between the samples otherwise than straight
 * on, for a rate to be worth its tries; the limit of the first try; and what jitter of keys may
 * come to before samples have to follow it, at four bytes each. */
#define MOST_BETWEEN 0.9
#define FIRST_LIMIT 0.992
#define MOST_BY_JITTER 3.0

/* The next limit after two tries; 0 if no limit will do. A part of the errors stays whatever the
 * limit, the rest is some tolerances for each of the limit. */
static double next_limit(const mrwi_pack_verdict *last, const mrwi_pack_verdict *now)
{
    if (now->ratio < 1.2)
        return now->limit * 0.985 / now->ratio;
    if (last->ratio == 0.0 || last->limit == now->limit)
        return 0.5 * now->limit;
    const double slope = (last->ratio - now->ratio) / (last->limit - now->limit);
    const double between = now->ratio - slope * now->limit;
    if (!(slope > 0.0) || between > MOST_BETWEEN)
        return 0.0;
    const double limit = (0.97 - between) / slope;
    return limit < 0.9 * now->limit ? limit : 0.9 * now->limit;
}

/* What the first try at a rate came to. */
typedef struct first_try {
    double ratio;
    size_t size_bytes;
} first_try;

/* Of a try, about: the rest goes into the measuring. */
#define SHARE_OF_WRITING 0.6

static void tell_progress(const mrwi_pack_job *job, double share_of_try)
{
    if (job->options->progress != NULL)
        job->options->progress(job->options->progress_user, job->try_count, share_of_try);
}

static mrw_status make_try(mrwi_pack_job *job, double rate, const mrwi_pack_verdict *last,
                           mrwi_pack_verdict *now)
{
    mrw_status status = mrwi_pack_try(job, rate, now->limit);
    tell_progress(job, SHARE_OF_WRITING);
    if (status == MRW_OK)
        status = mrwi_pack_judge(job, last, now);
    if (status != MRW_OK)
        return status;
    job->try_count++;
    tell_progress(job, 0.0);
    return MRW_OK;
}

/* With the tracks that are left: few times that are off are made up for by what errors count for
 * there, or by finer turns of a joint; many by a smaller limit; unless that does not help. */
static mrw_status try_tracks(mrwi_pack_job *job, double rate, first_try *first, bool *out_kept)
{
    mrwi_pack_verdict last = {0};
    double limit = FIRST_LIMIT;
    uint32_t in_vain = 0;
    mrw_status status = mrwi_pack_reset_weights(job, rate);
    *out_kept = false;
    for (int i = 0; i < TRY_COUNT && limit > 1e-3 && status == MRW_OK; i++) {
        mrwi_pack_verdict now = {.limit = limit};
        job->was_hard |= i > MRWI_MOST_MENDS + 1;
        status = make_try(job, rate, &last, &now);
        if (status != MRW_OK)
            return status;
        if (first->size_bytes == 0)
            *first = (first_try){now.ratio, job->best.size_bytes};
        *out_kept = now.ratio <= (job->options->target == MRW_PACK_P99 ? 1.0 : MRWI_LARGEST_KEPT);
        if (*out_kept || job->options->target == MRW_PACK_P99)
            return MRW_OK;
        if (!now.are_few)
            limit = next_limit(&last, &now);
        else if (i >= 2 && job->mend_count >= MRWI_MOST_MENDS)
            limit *= 0.85;
        if (now.are_few && last.are_few && now.ratio > 0.9 * last.ratio &&
            now.ratio > MRWI_MOST_BY_CHANCE)
            in_vain++;
        if (in_vain == 5)
            return MRW_OK; /* it lies between samples, and no number will do */
        last = now;
    }
    return status;
}

static mrw_status try_rate(mrwi_pack_job *job, double rate, first_try *out_first, bool *out_kept)
{
    *out_first = (first_try){0.0, 0};
    mrwi_pack_source_keep_none(&job->tracks);
    for (;;) {
        uint32_t more = 0;
        mrw_status status = try_tracks(job, rate, out_first, out_kept);
        if (status != MRW_OK || *out_kept || job->options->target == MRW_PACK_P99)
            return status;
        status = mrwi_pack_keep_at_fault(job, &more);
        if (status != MRW_OK || more == 0)
            return status;
    }
}

/* What a clip may come to at twice the rate, at least. */
static size_t with_more_samples(size_t size_bytes)
{
    return size_bytes < FIXED_BYTES ? size_bytes : size_bytes + (size_bytes - FIXED_BYTES) / 2;
}

/* Whether twice the rate is not worth a try: nothing had to be left as keys, or not for much; or
 * it would be larger; or the last doubling did not bring the clips together. */
static bool are_rates_tried(const mrwi_pack_job *job, double rate, const first_try *before,
                            const first_try *first, bool kept, size_t smallest)
{
    const bool is_well = kept && job->best.size_bytes < first->size_bytes + first->size_bytes / 2;
    if (rate == 0.0)
        return job->best.size_bytes < smallest && (is_well || job->options->target == MRW_PACK_P99);
    return job->options->target == MRW_PACK_P99 || job->options->samples_per_second != 0.0 ||
           rate * 2.0 > MOST_PER_SECOND || is_well ||
           with_more_samples(first->size_bytes) >= smallest ||
           (before->size_bytes > 0 && first->ratio > 0.7 * before->ratio);
}

/* The smallest of what keeps the tolerance, at this rate and its multiples; after rate 0, the
 * times of keys, at even ones. */
static mrw_status try_rates(mrwi_pack_job *job, double rate, bool *out_kept)
{
    mrwi_pack_job best = {0};
    first_try before = {0.0, 0};
    size_t smallest = (size_t)job->source->header->size_bytes;
    mrw_status status;
    for (;; rate = rate > 0.0 ? rate * 2.0 : mrwi_pack_source_even_rate(&job->tracks)) {
        first_try first;
        bool kept;
        status = try_rate(job, rate, &first, &kept);
        if (status != MRW_OK)
            break;
        const bool are_tried = are_rates_tried(job, rate, &before, &first, kept, smallest);
        if (kept && job->best.size_bytes < smallest) {
            mrw_bytes_free(&best.best);
            best.best = job->best;
            best.report = job->report;
            smallest = job->best.size_bytes;
            job->best = (mrw_bytes){0};
        }
        before = rate > 0.0 ? first : before;
        if (are_tried)
            break;
    }
    *out_kept = best.best.data != NULL;
    if (*out_kept) {
        mrw_bytes_free(&job->best);
        job->best = best.best;
        job->report = best.report;
    }
    return *out_kept ? MRW_OK : status;
}

/* Coarse numbers, repaired, are touchy where something amplifies errors between samples. There the
 * easier way to numbers, which leaves more room, may come out smaller. */
static mrw_status try_efforts(mrwi_pack_job *job, double rate, bool *out_kept)
{
    job->effort = job->options->effort;
    mrw_status status = try_rates(job, rate, out_kept);
    if (status != MRW_OK || !job->was_hard || job->effort == MRW_PACK_FAST ||
        job->options->target == MRW_PACK_P99)
        return status;
    const mrwi_pack_job before = *job;
    const bool was_kept = *out_kept;
    job->best = (mrw_bytes){0};
    job->effort = MRW_PACK_FAST;
    status = try_rates(job, rate, out_kept);
    const bool is_better = status == MRW_OK && *out_kept &&
                           (!was_kept || job->best.size_bytes < before.best.size_bytes);
    mrw_bytes worse = is_better ? before.best : job->best;
    mrw_bytes_free(&worse);
    if (!is_better) {
        job->best = before.best;
        job->report = before.report;
        *out_kept = was_kept;
    }
    return status;
}

/* What tracks take at the least if they stay keyed: two keys, and what a clip has besides. */
static size_t least_with_keys(const mrwi_pack_job *job)
{
    size_t bytes = FIXED_BYTES;
    for (uint32_t i = 0; i < job->source->track_count; i++) {
        const mrw_track *track = &job->source->tracks[i];
        if (track->key_count > 1)
            bytes += 32 + 8 * (1 + mrw_track_width((mrw_track_kind)track->kind));
    }
    return bytes;
}

/* Where there are few keys, fewer of them may be smaller than samples. */
static mrw_status try_keys(mrwi_pack_job *job, double rate, bool *in_out_kept)
{
    const mrwi_pack_job before = *job;
    const size_t smallest =
        *in_out_kept ? job->best.size_bytes : (size_t)job->source->header->size_bytes;
    if (job->options->target == MRW_PACK_P99 || job->source->packed.sample_count > 0 ||
        mrwi_pack_source_samples(&job->tracks, rate) > MOST_WITH_KEYS ||
        least_with_keys(job) >= smallest)
        return MRW_OK;
    bool kept = false;
    job->best = (mrw_bytes){0};
    job->only_keys = true;
    mrwi_pack_source_keep_none(&job->tracks);
    mrw_status status = try_tracks(job, rate, &(first_try){0.0, 0}, &kept);
    job->only_keys = false;
    const bool is_better = status == MRW_OK && kept && job->best.size_bytes < smallest;
    mrw_bytes worse = is_better ? before.best : job->best;
    mrw_bytes_free(&worse);
    if (is_better) {
        *in_out_kept = true;
    } else {
        job->best = before.best;
        job->report = before.report;
    }
    return status;
}

/* Keys that only jitter about even times: whether samples at these do as well, at the first try. */
static mrw_status try_even(mrwi_pack_job *job, double *in_out_rate)
{
    const double rate = mrwi_pack_source_even_rate(&job->tracks);
    if (*in_out_rate > 0.0 || mrwi_pack_source_is_sparse(&job->tracks))
        return MRW_OK;
    mrwi_pack_verdict now = {.limit = FIRST_LIMIT};
    const mrwi_pack_verdict last = {0};
    job->effort = job->options->effort;
    mrw_status status = mrwi_pack_reset_weights(job, rate);
    if (status == MRW_OK)
        status = make_try(job, rate, &last, &now);
    if (status == MRW_OK && (now.ratio < MOST_BY_JITTER || job->options->target == MRW_PACK_P99))
        *in_out_rate = rate;
    return status == MRW_ERR_LIMIT ? MRW_OK : status;
}

mrw_status mrwi_pack_search(mrwi_pack_job *job, double rate, bool *out_kept)
{
    mrw_status status = try_even(job, &rate);
    if (status == MRW_OK)
        status = try_efforts(job, rate, out_kept);
    return status == MRW_OK ? try_keys(job, rate, out_kept) : status;
}
