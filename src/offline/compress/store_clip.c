/* Storing: the decoder's way (stored_clip.c) gone in the same order, with a list where its coder
 * is, and the list turned round at the end.
 *
 * A packed clip's codes follow from its numbers if a packer of ours wrote them. Whether they do is
 * found out by decoding; a clip of which they do not is stored word by word.
 */
#include <marrow/offline/compress.h>
#include <marrow/stored_clip.h>

#include "base/align.h"
#include "base/error.h"
#include "clip/clip_format.h"
#include "clip/packed_format.h"
#include "offline/build/asset_writer.h"
#include "offline/compress/motion_predictors.h"
#include "offline/compress/packed_numbers.h"
#include "stored/stored_format.h"
#include "stored/word_model.h"

#include <string.h>

/* --- the list ---------------------------------------------------------------------------- */

enum { CHUNK_STEPS = 8192 };

typedef struct step_chunk {
    struct step_chunk *before;
    uint32_t count;
    mrwi_coded_step steps[CHUNK_STEPS];
} step_chunk;

struct mrwi_step_list {
    mrwi_arena *arena;
    step_chunk *last;
    uint64_t count;
    bool failed; /* memory ran out */
};

static void put_step(mrwi_step_list *list, mrwi_coded_step step)
{
    if (list->last == NULL || list->last->count == CHUNK_STEPS) {
        step_chunk *chunk = mrwi_arena_alloc(list->arena, 1, sizeof(*chunk));
        if (chunk == NULL) {
            list->failed = true;
            return;
        }
        chunk->before = list->last;
        list->last = chunk;
    }
    list->last->steps[list->last->count++] = step;
    list->count++;
}

/* The inverse of taking the step out of a state; *out_word is what no longer fits, true if there is
 * such. */
static bool push_step(uint64_t *state, mrwi_coded_step step, uint32_t *out_word)
{
    const uint64_t limit =
        step.share > 0 ? (uint64_t)step.share << 48 : (uint64_t)1 << (63 - step.start);
    const bool is_full = *state >= limit;
    if (is_full) {
        *out_word = (uint32_t)*state;
        *state >>= 32;
    }
    if (step.share > 0)
        *state = (*state / step.share << MRWI_SHARE_BITS) + *state % step.share + step.start;
    else
        *state = *state << step.start | step.bits;
    return is_full;
}

/* The words of the list, first to last; *out_words ends where the array of list->count + 2 words
 * ends. */
static mrw_status turn_list(const mrwi_step_list *list, mrwi_arena *arena, uint32_t **out_words,
                            size_t *out_count, mrw_error *out_error)
{
    const size_t most = (size_t)list->count + 2;
    uint32_t *words = list->failed ? NULL : mrwi_arena_alloc(arena, most, sizeof(*words));
    if (words == NULL)
        return mrwi_arena_fail(arena, out_error, "stored");
    size_t at = most;
    uint64_t state = MRWI_LEAST_STATE;
    for (const step_chunk *chunk = list->last; chunk != NULL; chunk = chunk->before)
        for (uint32_t i = chunk->count; i-- > 0;) {
            uint32_t word;
            if (push_step(&state, chunk->steps[i], &word))
                words[--at] = word;
        }
    words[--at] = (uint32_t)(state >> 32);
    words[--at] = (uint32_t)state;
    *out_words = words + at;
    *out_count = most - at;
    return MRW_OK;
}

/* --- what is coded ----------------------------------------------------------------------- */

typedef struct storer {
    const mrw_clip *clip;
    bool with_motion;
    mrwi_arena *arena;
    mrwi_step_list list;
    mrwi_coder coder;
} storer;

/* The clip's words up to `end`, in bytes. */
static mrw_status put_words(storer *s, uint64_t end, mrw_error *out_error)
{
    const size_t first = sizeof(mrw_asset_header);
    mrwi_word_model *model = mrwi_arena_alloc(s->arena, 1, sizeof(*model));
    uint32_t *words = mrwi_arena_alloc(s->arena, (size_t)end, 1);
    if (model == NULL || words == NULL)
        return mrwi_arena_fail(s->arena, out_error, "stored");
    memcpy(words, s->clip->header, (size_t)end);
    mrwi_word_model_reset(model);
    for (uint64_t i = first / 4; i < end / 4; i++)
        mrwi_code_word(&s->coder, model, words, first / 4, i);
    return MRW_OK;
}

static void put_samples(storer *s, mrwi_motion_model *motion, const int32_t *rows)
{
    const mrw_clip_packed *packed = &s->clip->packed;
    const size_t row_bytes = packed->channel_count * sizeof(int32_t);
    const uint32_t in_segment = ((uint32_t)1 << packed->segment_log2) - 1;
    const uint32_t last = packed->sample_count - 1;
    for (uint32_t sample = 0; sample <= last; sample++) {
        const uint32_t place = sample == 0 ? 0 : ((sample - 1) & in_segment) + 1;
        memcpy(mrwi_motion_row(motion, place), rows + (size_t)sample * packed->channel_count,
               row_bytes);
        mrwi_code_sample(&s->coder, motion);
        if (place == in_segment + 1)
            mrwi_motion_next_segment(motion);
    }
    if ((last & in_segment) == 0)
        return;
    const size_t closing = (size_t)packed->segment_count << packed->segment_log2;
    memcpy(mrwi_motion_row(motion, in_segment + 1), rows + closing * packed->channel_count,
           row_bytes);
    mrwi_code_closing(&s->coder, motion, last & in_segment);
}

static mrw_status put_motion(storer *s, mrw_error *out_error)
{
    const mrw_clip_packed *packed = &s->clip->packed;
    int32_t *rows = NULL;
    mrw_status status = mrwi_packed_numbers(packed, s->arena, &rows, out_error);
    if (status != MRW_OK)
        return status;
    mrwi_motion_model *motion = mrwi_arena_alloc(s->arena, 1, sizeof(*motion));
    void *memory = mrwi_arena_alloc(
        s->arena, mrwi_motion_bytes(packed->channel_count, packed->segment_log2), 1);
    if (motion == NULL || memory == NULL)
        return mrwi_arena_fail(s->arena, out_error, "stored");
    mrwi_motion_reset(motion, packed->channel_count, packed->segment_log2, packed->anchor_widths,
                      memory);
    status = mrwi_plan_predictors(rows, packed->sample_count, packed->channel_count, s->arena,
                                  motion->predictors, out_error);
    if (status != MRW_OK)
        return status;
    mrwi_code_predictors(&s->coder, motion);
    put_samples(s, motion, rows);
    return MRW_OK;
}

/* --- the asset --------------------------------------------------------------------------- */

static mrw_status write_asset(const storer *s, const uint32_t *words, size_t word_count,
                              const mrw_memory_options *memory, mrw_bytes *out_stored,
                              mrw_error *out_error)
{
    mrwi_asset_layout layout = mrwi_asset_layout_begin(sizeof(mrwi_stored_content));
    layout.end += (uint64_t)4 * word_count;
    if (word_count > UINT32_MAX)
        return mrwi_fail(out_error, MRW_ERR_LIMIT, "stored", "the clip takes more than 16 GiB");
    mrw_status status = mrwi_asset_alloc(&layout, memory, s->arena, out_stored, out_error);
    if (status != MRW_OK)
        return status;
    const mrwi_stored_content content = {
        .encoding = MRW_CLIP_STORED,
        .channel_count = s->with_motion ? s->clip->packed.channel_count : 0,
        .segment_log2 = s->with_motion ? s->clip->packed.segment_log2 : 0,
        .word_count = (uint32_t)word_count,
        .clip_size_bytes = s->clip->header->size_bytes};
    memcpy(out_stored->data, &content, sizeof(content));
    memcpy(out_stored->data + sizeof(content), words, 4 * word_count);
    mrwi_asset_finish(out_stored, MRW_ASSET_CLIP, MRW_CLIP_VERSION, s->clip->header->skeleton_id);
    return MRW_OK;
}

static mrw_status store(const mrw_clip *clip, bool with_motion, const mrw_memory_options *memory,
                        mrwi_arena *arena, mrw_bytes *out_stored, mrw_error *out_error)
{
    storer s = {.clip = clip, .with_motion = with_motion, .arena = arena};
    s.list.arena = arena;
    s.coder = (mrwi_coder){.is_whole = true, .put = put_step, .list = &s.list};
    const uint64_t end =
        with_motion ? (uint64_t)((const char *)clip->packed.segments - (const char *)clip->header)
                    : clip->header->size_bytes;
    mrw_status status = put_words(&s, end, out_error);
    if (status == MRW_OK && with_motion)
        status = put_motion(&s, out_error);
    uint32_t *words = NULL;
    size_t word_count = 0;
    if (status == MRW_OK)
        status = turn_list(&s.list, arena, &words, &word_count, out_error);
    if (status == MRW_OK)
        status = write_asset(&s, words, word_count, memory, out_stored, out_error);
    return status;
}

/* Whether the same clip comes out again. */
static mrw_status check(const mrw_bytes *stored, const mrw_clip *clip, mrwi_arena *arena,
                        bool *out_same, mrw_error *out_error)
{
    mrw_stored_clip sizes;
    *out_same = false;
    if (mrw_stored_clip_open(stored->data, stored->size_bytes, &sizes, NULL) != MRW_OK)
        return MRW_OK;
    void *decoded = mrwi_arena_alloc(arena, sizes.clip_bytes, 1);
    void *work = mrwi_arena_alloc(arena, sizes.work_bytes, 1);
    if (decoded == NULL || work == NULL)
        return mrwi_arena_fail(arena, out_error, "stored");
    *out_same = mrw_stored_clip_decode(stored->data, stored->size_bytes, decoded, sizes.clip_bytes,
                                       work, sizes.work_bytes, NULL) == MRW_OK &&
                memcmp(decoded, clip->header, sizes.clip_bytes) == 0;
    return MRW_OK;
}

/* Stores and checks; an empty *out_stored if something else comes out. */
static mrw_status try_to_store(const mrw_clip *clip, bool with_motion,
                               const mrw_memory_options *memory, mrw_bytes *out_stored,
                               mrw_error *out_error)
{
    mrwi_arena arena;
    bool same = false;
    mrwi_arena_init(&arena, memory);
    mrw_status status = store(clip, with_motion, memory, &arena, out_stored, out_error);
    if (status == MRW_OK)
        status = check(out_stored, clip, &arena, &same, out_error);
    mrwi_arena_free(&arena);
    if (status != MRW_OK || !same)
        mrw_bytes_free(out_stored);
    return status;
}

mrw_status mrw_store_clip(const void *clip, size_t size_bytes, const mrw_memory_options *memory,
                          mrw_bytes *out_stored, mrw_error *out_error)
{
    if (out_stored == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "out_stored", "it is NULL");
    memset(out_stored, 0, sizeof(*out_stored));
    mrw_clip view;
    mrw_status status = mrw_clip_open(clip, size_bytes, &view, out_error);
    if (status != MRW_OK)
        return status;
    if (view.packed.sample_count > 0)
        status = try_to_store(&view, true, memory, out_stored, out_error);
    if (status == MRW_OK && out_stored->data == NULL)
        status = try_to_store(&view, false, memory, out_stored, out_error);
    if (status == MRW_OK && out_stored->data == NULL)
        status = mrwi_fail(out_error, MRW_ERR_UNSUPPORTED, "stored",
                           "decoding gives another clip: this is a fault of the library");
    return status;
}
