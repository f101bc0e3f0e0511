/* Many characters of one skeleton.
 *
 *     range of characters ─▶ windows ─▶ batches of eight that play the same clips ─▶ in lanes
 *                                   └─▶ batches of those left over ────────────────▶ in lanes
 *                                   └─▶ the last few ──────────────────────────────▶ one by one
 *
 * One character's work is bound by waiting: for the parent's matrix, for the next key. Eight
 * characters do not wait for each other. All ways give the same bits, so what stands beside a
 * character, and which way it goes, is a matter of speed alone.
 */
#include <marrow/crowd.h>

#include "base/align.h"
#include "base/error.h"
#include "base/finite.h"
#include "blend/blend_input.h"
#include "crowd/crowd_run.h"

/* --- check ------------------------------------------------------------------------------- */

size_t mrw_crowd_scratch_size(const mrw_skeleton *skeleton, uint32_t layer_count)
{
    uint64_t size_bytes = mrwi_crowd_lay_out(skeleton, layer_count, NULL).size_bytes;
    return size_bytes <= SIZE_MAX ? (size_t)size_bytes : 0;
}

static uint32_t end_of(const mrw_crowd_job *job)
{
    return job->end_character == MRW_ALL_CHARACTERS ? job->character_count : job->end_character;
}

static const char *missing_pointer(const mrw_crowd_job *job)
{
    if (job->skeleton == NULL)
        return "skeleton";
    if (job->parts == NULL && job->part_count > 0)
        return "parts";
    if (job->layers == NULL && job->layer_count > 0 && job->character_count > 0)
        return "layers";
    if (job->scratch == NULL)
        return "scratch";
    return NULL;
}

static mrw_status check_range(const mrw_crowd_job *job, mrw_error *out_error)
{
    if (end_of(job) > job->character_count)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "end_character",
                         "%u, but there are %u characters", job->end_character,
                         job->character_count);
    if (job->first_character > end_of(job))
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "first_character",
                         "%u, behind the end of the range, %u", job->first_character, end_of(job));
    return MRW_OK;
}

static mrw_status check_scratch(const mrw_crowd_job *job, mrw_error *out_error)
{
    if (!mrwi_is_aligned(job->scratch, MRW_ALIGNMENT))
        return mrwi_fail_at(out_error, MRW_ERR_ALIGNMENT, 0, "scratch");
    size_t needed_bytes = mrw_crowd_scratch_size(job->skeleton, job->layer_count);
    if (needed_bytes == 0 || job->scratch_size_bytes < needed_bytes)
        return mrwi_fail_at(out_error, MRW_ERR_BUFFER_TOO_SMALL, 0, "scratch_size_bytes");
    return MRW_OK;
}

static mrw_status check_parts(const mrw_crowd_job *job, mrw_error *out_error)
{
    uint32_t joint_count = job->skeleton->joint_count;
    for (uint32_t i = 0; i < job->part_count; i++) {
        const mrw_crowd_part *part = &job->parts[i];
        if (part->skin == NULL && part->joint >= joint_count)
            return mrwi_fail(out_error, MRW_ERR_JOINT_RANGE, "parts[%u].joint",
                             "joint %u of a skeleton with %u joints", i, part->joint, joint_count);
        if (part->skin != NULL && part->skin->skeleton_joint_count > joint_count)
            return mrwi_fail(out_error, MRW_ERR_JOINT_COUNT, "parts[%u].skin",
                             "built for a skeleton of %u joints, this one has %u", i,
                             part->skin->skeleton_joint_count, joint_count);
    }
    return MRW_OK;
}

/* As mrw_sample_check: a clip's id is only what its bytes claim. */
static mrw_status check_clip(const mrw_clip *clip, const mrw_skeleton *skeleton)
{
    if (clip->header->skeleton_id != skeleton->header->skeleton_id)
        return MRW_ERR_SKELETON_MISMATCH;
    if (clip->joint_count != skeleton->joint_count)
        return MRW_ERR_JOINT_COUNT;
    return clip->scalar_count == skeleton->scalar_count ? MRW_OK : MRW_ERR_SCALAR_COUNT;
}

static mrw_status check_layer(const mrw_crowd_layer *layer, const char **out_field)
{
    *out_field = "time_s";
    /* x - x is 0 for every number, and NaN for an infinity or NaN. */
    if (layer->time_s - layer->time_s != 0.0)
        return MRW_ERR_NOT_FINITE;
    *out_field = "weight";
    if (!mrwi_is_finite(layer->weight))
        return MRW_ERR_NOT_FINITE;
    return layer->weight < 0.0f ? MRW_ERR_INVALID_ARGUMENT : MRW_OK;
}

static mrw_status check_layers(const mrw_crowd_job *job, mrw_error *out_error)
{
    const mrw_clip *good = NULL; /* checked before */
    size_t end = (size_t)end_of(job) * job->layer_count;
    for (size_t i = (size_t)job->first_character * job->layer_count; i < end; i++) {
        const mrw_crowd_layer *layer = &job->layers[i];
        const char *field = NULL;
        mrw_status status = check_layer(layer, &field);
        if (status == MRW_OK && layer->clip != NULL && layer->clip != good) {
            field = "clip";
            status = check_clip(layer->clip, job->skeleton);
            good = layer->clip;
        }
        if (status != MRW_OK)
            return mrwi_fail(out_error, status, "layers[%u].%s", "of character %u: %s",
                             (uint32_t)(i % job->layer_count), field,
                             (uint32_t)(i / job->layer_count), mrw_status_text(status));
    }
    return MRW_OK;
}

mrw_status mrw_crowd_check(const mrw_crowd_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    const char *missing = missing_pointer(job);
    if (missing != NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, missing);
    mrw_status status = check_range(job, out_error);
    if (status == MRW_OK)
        status = check_scratch(job, out_error);
    if (status == MRW_OK)
        status = check_parts(job, out_error);
    if (status == MRW_OK)
        status = mrwi_blend_check_threshold(job->rest_threshold, out_error);
    if (status == MRW_OK)
        status = check_layers(job, out_error);
    return status;
}

/* --- who shares lanes -------------------------------------------------------------------- */

/* Fewer than this in lanes take longer than one by one. */
enum { FEWEST_IN_LANES = 4 };

typedef struct window {
    uint32_t first_character;
    uint32_t count;
    uint32_t play_counts[MRWI_CROWD_WINDOW]; /* 0: done */
} window;

static const mrwi_crowd_play *plays_of(const mrwi_crowd_run *run, uint32_t member)
{
    return run->memory.plays + member * run->memory.play_limit;
}

static bool play_the_same(const mrwi_crowd_play *a, const mrwi_crowd_play *b, uint32_t play_count)
{
    for (uint32_t i = 0; i < play_count; i++)
        if (a[i].clip != b[i].clip)
            return false;
    return true;
}

/* Takes members from `from` on that go with it. */
static void gather(const mrwi_crowd_run *run, const window *members, uint32_t from, bool by_clips,
                   mrwi_crowd_batch *out_batch, uint32_t out_members[MRWI_CROWD_LANES])
{
    uint32_t play_count = members->play_counts[from];
    out_batch->count = 0;
    out_batch->play_count = play_count;
    out_batch->same_clips = by_clips;
    for (uint32_t i = from; i < members->count && out_batch->count < MRWI_CROWD_LANES; i++) {
        if (members->play_counts[i] != play_count)
            continue;
        if (by_clips && !play_the_same(plays_of(run, from), plays_of(run, i), play_count))
            continue;
        out_members[out_batch->count] = i;
        out_batch->characters[out_batch->count] = members->first_character + i;
        out_batch->plays[out_batch->count++] = plays_of(run, i);
    }
    for (uint32_t lane = out_batch->count; lane < MRWI_CROWD_LANES; lane++) {
        out_batch->characters[lane] = out_batch->characters[lane - 1];
        out_batch->plays[lane] = out_batch->plays[lane - 1];
    }
}

static void run_batches(const mrwi_crowd_run *run, window *members, bool by_clips)
{
    for (uint32_t i = 0; i < members->count; i++) {
        if (members->play_counts[i] == 0)
            continue;
        mrwi_crowd_batch batch;
        uint32_t taken[MRWI_CROWD_LANES];
        gather(run, members, i, by_clips, &batch, taken);
        if (batch.count < FEWEST_IN_LANES)
            continue;
        mrwi_crowd_run_batch(run, &batch);
        for (uint32_t k = 0; k < batch.count; k++)
            members->play_counts[taken[k]] = 0;
    }
}

static void run_window(const mrwi_crowd_run *run, uint32_t first_character, uint32_t count)
{
    window members;
    members.first_character = first_character;
    members.count = count;
    for (uint32_t i = 0; i < count; i++)
        members.play_counts[i] =
            mrwi_crowd_list_plays(run->job, first_character + i, run->memory.weights,
                                  run->memory.plays + i * run->memory.play_limit);
    if (run->kernels->crowd_models != NULL) {
        run_batches(run, &members, true);
        run_batches(run, &members, false);
    }
    for (uint32_t i = 0; i < count; i++)
        if (members.play_counts[i] != 0)
            mrwi_crowd_run_single(run, first_character + i);
}

static size_t count_palette(const mrw_crowd_job *job)
{
    size_t count = 0;
    for (uint32_t i = 0; i < job->part_count; i++)
        count += job->parts[i].skin != NULL ? job->parts[i].skin->joint_count : 1;
    return count;
}

mrw_status mrw_crowd(const mrw_crowd_job *job)
{
    mrw_status status = mrw_crowd_check(job, NULL);
    if (status != MRW_OK)
        return status;
    const mrwi_crowd_run run = {job, mrwi_kernels_active(), count_palette(job),
                                mrwi_crowd_lay_out(job->skeleton, job->layer_count, job->scratch)};
    for (uint32_t i = 0; i <= job->layer_count; i++)
        run.memory.constants[i].is_set = false;
    uint32_t end = end_of(job);
    for (uint32_t first = job->first_character; first < end;) {
        uint32_t count = end - first < MRWI_CROWD_WINDOW ? end - first : MRWI_CROWD_WINDOW;
        run_window(&run, first, count);
        first += count;
    }
    return MRW_OK;
}
