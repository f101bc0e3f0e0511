#define _POSIX_C_SOURCE 200809L /* clock_gettime, pthread */

#include "pack_run.h"

#include "command.h"
#include "progress.h"
#include "report.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_THREADS 256

/* --- one clip ------------------------------------------------------------------------------- */

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The largest error in each of at most PACK_CURVE_POINTS equal parts of the clip; -1 in those where
 * nothing was measured, as where keys stand far apart. */
static void set_curve(const mrw_comparison *comparison, double duration_s, pack_clip *clip)
{
    const uint32_t times = comparison->time_count;
    clip->curve_count = times < PACK_CURVE_POINTS ? times : PACK_CURVE_POINTS;
    for (uint32_t i = 0; i < clip->curve_count; i++)
        clip->curve[i] = -1.0f;
    for (uint32_t i = 0; i < times; i++) {
        double share = duration_s > 0.0 ? comparison->times_s[i] / duration_s : 0.0;
        uint32_t point = (uint32_t)(share * clip->curve_count);
        point = point < clip->curve_count ? point : clip->curve_count - 1;
        const float *row = comparison->errors_m + (size_t)i * comparison->joint_count;
        for (uint32_t j = 0; j < comparison->joint_count; j++)
            clip->curve[point] = row[j] > clip->curve[point] ? row[j] : clip->curve[point];
    }
}

static mrw_status add_curve(const pack_run *run, const mrw_skeleton *skeleton,
                            const mrw_clip *source, pack_clip *clip)
{
    mrw_clip packed;
    mrw_status status =
        mrw_clip_open(clip->bytes.data, clip->bytes.size_bytes, &packed, &clip->error);
    if (status != MRW_OK)
        return status;
    mrw_compare_options options = mrw_compare_options_default();
    options.metres_per_unit = run->options.metres_per_unit;
    options.shell_m = run->options.shell_m;
    options.joint_shells_m = run->metrics[clip->source].joint_shells_m;
    mrw_comparison *comparison = NULL;
    status = mrw_compare_clips(skeleton, source, &packed, &options, &comparison, &clip->error);
    if (status == MRW_OK)
        set_curve(comparison, (double)source->duration_s, clip);
    mrw_comparison_free(comparison);
    return status;
}

/* Packing again, the packer does best with keys: what is packed already is taken apart first. */
static mrw_status as_keys(const mrw_skeleton *skeleton, const mrw_clip *clip, bool repack,
                          mrw_bytes *out_bytes, mrw_clip *out_clip, mrw_error *out_error)
{
    *out_clip = *clip;
    if (clip->encoding == MRW_CLIP_KEYED || !repack)
        return MRW_OK;
    mrw_status status = mrw_unpack_clip(skeleton, clip, NULL, out_bytes, out_error);
    if (status != MRW_OK)
        return status;
    return mrw_clip_open(out_bytes->data, out_bytes->size_bytes, out_clip, out_error);
}

static void pack_one(const pack_run *run, pack_clip *clip, mrw_pack_progress progress,
                     void *progress_user)
{
    const mrw_character *character = pack_character(run, clip);
    const double began = thread_seconds();
    mrw_pack_options options = run->options;
    options.joint_shells_m = run->metrics[clip->source].joint_shells_m;
    options.progress = progress;
    options.progress_user = progress_user;
    mrw_bytes unpacked = {0};
    mrw_clip source;
    clip->report.struct_size = sizeof(clip->report);
    clip->status = as_keys(&character->skeleton, &character->clips[clip->clip], options.repack,
                           &unpacked, &source, &clip->error);
    if (clip->status == MRW_OK)
        clip->status = mrw_pack_clip(&character->skeleton, &source, &options, &clip->bytes,
                                     &clip->report, &clip->error);
    if (clip->status == MRW_OK && run->for_storage)
        clip->status = mrw_store_clip(clip->bytes.data, clip->bytes.size_bytes, NULL, &clip->stored,
                                      &clip->error);
    clip->seconds = thread_seconds() - began;
    if (clip->status == MRW_OK && run->with_curves && !clip->report.copied)
        clip->status = add_curve(run, &character->skeleton, &source, clip);
    mrw_bytes_free(&unpacked);
}

/* --- the queue ------------------------------------------------------------------------------ */

typedef struct pack_queue {
    pack_run *run;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t next;    /* clip that nobody has taken */
    uint32_t done;    /* clips that are finished */
    uint32_t failed;  /* clips: then no further one is begun */
    uint32_t workers; /* that are still there */
} pack_queue;

/* --- how far it is --------------------------------------------------------------------------- */

typedef struct clip_at_work {
    pack_queue *queue;
    pack_clip *clip;
} clip_at_work;

/* A try may be the last one or the first of many: it stands for a part of what is left. */
#define TRY_SHARE 0.4

static void note_progress(void *user, uint32_t tries_done, double share_of_try)
{
    const clip_at_work *at_work = user;
    double left = 1.0 - TRY_SHARE * share_of_try;
    for (uint32_t i = 0; i < tries_done; i++)
        left *= 1.0 - TRY_SHARE;
    pthread_mutex_lock(&at_work->queue->lock);
    at_work->clip->done = 1.0 - left;
    pthread_mutex_unlock(&at_work->queue->lock);
}

/* Of all work. What is copied takes no time. */
static double share_of_work(const pack_run *run)
{
    double all = 0.0, done = 0.0;
    for (uint32_t i = 0; i < run->clip_count; i++) {
        const mrw_clip *clip = &pack_character(run, &run->clips[i])->clips[run->clips[i].clip];
        if (clip->encoding == MRW_CLIP_PACKED && !run->options.repack)
            continue;
        all += (double)clip->header->size_bytes;
        done += (double)clip->header->size_bytes * run->clips[i].done;
    }
    return all > 0.0 ? done / all : 1.0;
}

/* --- threads -------------------------------------------------------------------------------- */

static void *work(void *user)
{
    pack_queue *queue = user;
    pthread_mutex_lock(&queue->lock);
    while (queue->next < queue->run->clip_count && queue->failed == 0) {
        pack_clip *clip = &queue->run->clips[queue->next++];
        clip_at_work at_work = {queue, clip};
        pthread_mutex_unlock(&queue->lock);
        pack_one(queue->run, clip, note_progress, &at_work);
        pthread_mutex_lock(&queue->lock);
        clip->done = 1.0;
        queue->done++;
        queue->failed += clip->status != MRW_OK;
        pthread_cond_signal(&queue->changed);
    }
    queue->workers--;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* Until something changes, or it is time to draw how far it is. */
static void wait_a_while(pack_queue *queue)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
}

/* Starts as many as it can. What is left, if there is not a single one, this thread does. */
static void run_threads(pack_queue *queue, uint32_t wanted)
{
    pthread_t threads[MOST_THREADS];
    uint32_t count = 0;
    queue->workers = wanted;
    while (count < wanted && pthread_create(&threads[count], NULL, work, queue) == 0)
        count++;
    pthread_mutex_lock(&queue->lock);
    queue->workers -= wanted - count;
    cli_progress progress;
    cli_progress_begin(&progress, "packing", queue->run->clip_count);
    while (queue->workers > 0) {
        wait_a_while(queue);
        cli_progress_update_share(&progress, queue->done, share_of_work(queue->run));
    }
    pthread_mutex_unlock(&queue->lock);
    for (uint32_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    if (count == 0) {
        queue->workers = 1;
        work(queue);
    }
    cli_progress_end(&progress);
}

/* The first that failed, in the order of the clips. */
static int report_failure(const pack_run *run)
{
    for (uint32_t i = 0; i < run->clip_count; i++) {
        const pack_clip *clip = &run->clips[i];
        if (clip->status == MRW_OK)
            continue;
        mrw_error error = clip->error;
        snprintf(error.detail, sizeof(error.detail), "clip %.100s", clip->name);
        return cli_fail("pack", run->sources[clip->source].path, &error);
    }
    return CLI_OK;
}

int cli_pack_work(pack_run *run)
{
    pack_queue queue = {.run = run};
    pthread_mutex_init(&queue.lock, NULL);
    pthread_cond_init(&queue.changed, NULL);
    uint32_t threads = run->thread_count < run->clip_count ? run->thread_count : run->clip_count;
    run_threads(&queue, threads < MOST_THREADS ? threads : MOST_THREADS);
    pthread_cond_destroy(&queue.changed);
    pthread_mutex_destroy(&queue.lock);
    return queue.failed > 0 ? report_failure(run) : CLI_OK;
}
