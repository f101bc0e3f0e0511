/* From a stored clip back to the clip.
 *
 *     stored     [ head | words of the coder ............................................ ]
 *                         |                |              |
 *     decoded             all but motion   predictors     sample after sample
 *                         |                               |
 *     clip       [ header, fields, sections | segments | anchors, codes, residuals | anchors, ... ]
 *
 * The bytes of a packed clip's segments follow from their numbers, so they are not stored: each
 * segment is written as soon as its numbers are there. The decoder stops wherever the words that
 * have arrived end, and goes on there.
 *
 * What comes out of a damaged file is checked where it is used: the head of the clip as
 * mrw_clip_open checks it, before any of its counts is believed, then every number, and what
 * becomes of them must fill the clip exactly.
 */
#include <marrow/stored_clip.h>

#include "asset/asset_reader.h"
#include "base/align.h"
#include "base/error.h"
#include "clip/clip_format.h"
#include "clip/clip_head.h"
#include "clip/packed_format.h"
#include "stored/motion_model.h"
#include "stored/segment_writer.h"
#include "stored/stored_format.h"
#include "stored/word_model.h"

#include <string.h>

_Static_assert(sizeof(mrwi_stored_content) == MRW_STORED_CLIP_HEAD_BYTES, "as the header says");

typedef enum stream_phase {
    PHASE_BEGIN,
    PHASE_WORDS,
    PHASE_PREDICTORS,
    PHASE_SAMPLES,
    PHASE_CLOSING,
    PHASE_END,
    PHASE_COMPLETE,
    PHASE_BROKEN
} stream_phase;

struct mrw_clip_stream {
    const mrwi_stored_content *stored;
    uint32_t *clip; /* words; the header is there, but for the checksum */
    stream_phase phase;
    uint64_t word, word_end; /* of the clip: the next one, and as far as is known to go */
    uint32_t segment;        /* the one at work */
    mrw_clip head;           /* of the clip, once its words are there */
    mrwi_coder coder;
    mrwi_segment_writer writer;
    mrwi_word_model words;
    mrwi_motion_model motion;
};

/* --- the head ---------------------------------------------------------------------------- */

static mrw_status fail_head(const void *bytes, mrw_status status, const void *field,
                            const char *name, const char *message, mrw_error *out_error)
{
    return mrwi_asset_fail(bytes, status, field, name, message, out_error);
}

bool mrw_is_stored_clip(const void *bytes, size_t size_bytes)
{
    const mrwi_stored_content *content = bytes;
    return bytes != NULL && size_bytes >= sizeof(*content) && mrwi_is_aligned(bytes, 8) &&
           content->header.magic == MRW_ASSET_MAGIC && content->header.kind == MRW_ASSET_CLIP &&
           content->encoding == MRW_CLIP_STORED;
}

/* Work memory: the stream, the motion's arrays, the writer's. 0 if no size_t
 * is that large. */
static size_t work_size(const mrwi_stored_content *content)
{
    const size_t stream = mrwi_align_up(sizeof(mrw_clip_stream), MRW_ALIGNMENT);
    if (content->channel_count == 0)
        return stream;
    const size_t motion = mrwi_motion_bytes(content->channel_count, content->segment_log2);
    const size_t writer = (size_t)content->channel_count * 3 * sizeof(uint32_t);
    return motion == 0 || motion > SIZE_MAX / 2 ? 0 : stream + motion + writer;
}

static mrw_status check_sizes(const mrwi_stored_content *content, mrw_error *out_error)
{
    const uint64_t stored_bytes = content->header.size_bytes;
    const uint64_t clip_bytes = content->clip_size_bytes;
    const uint64_t end = sizeof(*content) + (uint64_t)4 * content->word_count;
    if (stored_bytes % MRW_ASSET_SECTION_ALIGNMENT != 0 || stored_bytes > SIZE_MAX / 2 ||
        end > stored_bytes || stored_bytes - end >= MRW_ASSET_SECTION_ALIGNMENT)
        return fail_head(content, MRW_ERR_BAD_ASSET, &content->word_count, "word_count",
                         "not as many as the asset holds", out_error);
    if (clip_bytes % MRW_ASSET_SECTION_ALIGNMENT != 0 || clip_bytes < sizeof(mrwi_clip_content) ||
        clip_bytes > SIZE_MAX / 2 ||
        (clip_bytes > MRWI_STORED_LEAST_ROOM &&
         (clip_bytes - MRWI_STORED_LEAST_ROOM - 1) / MRWI_STORED_LARGEST_RATIO >= stored_bytes))
        return fail_head(content, MRW_ERR_BAD_ASSET, &content->clip_size_bytes, "clip_size_bytes",
                         "no size of a clip that was stored in so few bytes", out_error);
    if (content->channel_count == 0
            ? content->segment_log2 != 0
            : content->segment_log2 < 1 || content->segment_log2 > MRWI_PACKED_MAX_LEVELS ||
                  content->channel_count > clip_bytes / MRWI_STORED_CHANNEL_BYTES ||
                  work_size(content) == 0)
        return fail_head(content, MRW_ERR_BAD_ASSET, &content->channel_count, "channel_count",
                         "no motion that such a clip has", out_error);
    return MRW_OK;
}

mrw_status mrw_stored_clip_open(const void *bytes, size_t size_bytes, mrw_stored_clip *out_stored,
                                mrw_error *out_error)
{
    if (bytes == NULL || out_stored == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            bytes == NULL ? "bytes" : "out_stored");
    memset(out_stored, 0, sizeof(*out_stored));
    if (!mrwi_is_aligned(bytes, MRW_ALIGNMENT))
        return mrwi_fail_at(out_error, MRW_ERR_ALIGNMENT, 0, "bytes");
    if (size_bytes < sizeof(mrwi_stored_content))
        return mrwi_fail_at(out_error, MRW_ERR_TRUNCATED, size_bytes, "header");
    const mrwi_stored_content *content = bytes;
    const mrw_asset_header *header = &content->header;
    if (header->magic != MRW_ASSET_MAGIC)
        return mrwi_fail_at(out_error, MRW_ERR_BAD_MAGIC, 0, "header.magic");
    if (header->kind != MRW_ASSET_CLIP)
        return fail_head(bytes, MRW_ERR_WRONG_KIND, &header->kind, "header.kind", "not a clip",
                         out_error);
    if (header->version != MRW_CLIP_VERSION || content->encoding != MRW_CLIP_STORED)
        return fail_head(bytes, MRW_ERR_BAD_VERSION, &content->encoding, "encoding",
                         "not a stored clip of version 1", out_error);
    static const uint8_t zeros[sizeof(header->reserved)];
    if (memcmp(header->reserved, zeros, sizeof(zeros)) != 0)
        return fail_head(bytes, MRW_ERR_BAD_ASSET, header->reserved, "header.reserved", "not zero",
                         out_error);
    mrw_status status = check_sizes(content, out_error);
    if (status != MRW_OK)
        return status;
    out_stored->skeleton_id = header->skeleton_id;
    out_stored->stored_bytes = (size_t)header->size_bytes;
    out_stored->clip_bytes = (size_t)content->clip_size_bytes;
    out_stored->work_bytes = work_size(content);
    return MRW_OK;
}

/* --- phases ------------------------------------------------------------------------------ */

static mrw_status fail_content(mrw_clip_stream *stream, const char *message, mrw_error *out_error)
{
    stream->phase = PHASE_BROKEN;
    return mrwi_fail(out_error, MRW_ERR_BAD_ASSET, "words", "%s", message);
}

static bool has_motion(const mrw_clip_stream *stream)
{
    return stream->stored->channel_count > 0;
}

/* How far the words go that are not motion, as far as those before stream->word_end tell: to the
 * end of the clip's fields, from there to the end of the packed section's header, from there to its
 * segments. Does not move if that is the end; false if it leads nowhere. */
static bool find_word_end(mrw_clip_stream *stream)
{
    const mrwi_clip_content *content = (const mrwi_clip_content *)(const void *)stream->clip;
    const uint64_t fields_end = sizeof(*content) / 4;
    const uint64_t clip_bytes = stream->stored->clip_size_bytes;
    if (stream->word_end == fields_end) {
        if (content->packed_offset % MRW_ASSET_SECTION_ALIGNMENT != 0 ||
            content->packed_offset < sizeof(*content) || content->packed_offset >= clip_bytes)
            return false;
        stream->word_end = (content->packed_offset + sizeof(mrwi_packed_header)) / 4;
        return true;
    }
    const uint64_t header_end = (content->packed_offset + sizeof(mrwi_packed_header)) / 4;
    if (stream->word_end != header_end)
        return true;
    mrwi_packed_header header;
    mrwi_packed_parts parts;
    memcpy(&header, (const char *)stream->clip + content->packed_offset, sizeof(header));
    if (!mrwi_packed_layout(&header, &parts) || parts.size_bytes != content->packed_size_bytes ||
        parts.size_bytes > clip_bytes - content->packed_offset)
        return false;
    stream->word_end = (content->packed_offset + parts.segments) / 4;
    return true;
}

static mrw_status begin_motion(mrw_clip_stream *stream, mrw_error *out_error)
{
    const mrwi_stored_content *stored = stream->stored;
    mrw_status status = mrwi_clip_open_head((const mrw_asset_header *)(void *)stream->clip,
                                            &stream->head, out_error);
    if (status != MRW_OK) {
        stream->phase = PHASE_BROKEN;
        return status;
    }
    const mrw_clip_packed *packed = &stream->head.packed;
    const mrwi_clip_content *content = (const mrwi_clip_content *)(const void *)stream->clip;
    if (packed->channel_count != stored->channel_count ||
        packed->segment_log2 != stored->segment_log2 ||
        mrwi_align_up((size_t)(content->packed_offset + content->packed_size_bytes),
                      MRW_ASSET_SECTION_ALIGNMENT) != stored->clip_size_bytes)
        return fail_content(stream, "the clip's motion is not what the head says", out_error);

    uint8_t *behind = (uint8_t *)stream + mrwi_align_up(sizeof(*stream), MRW_ALIGNMENT);
    mrwi_motion_reset(&stream->motion, stored->channel_count, stored->segment_log2,
                      packed->anchor_widths, behind);
    uint8_t *section = (uint8_t *)stream->clip + content->packed_offset;
    uint32_t *shapes = (uint32_t *)(void *)(behind + mrwi_motion_bytes(stored->channel_count,
                                                                       stored->segment_log2));
    const size_t segments_at = (size_t)((const uint8_t *)packed->segments - section);
    stream->writer = (mrwi_segment_writer){
        .packed = packed,
        .segments = (uint32_t *)(void *)(section + segments_at),
        .data = section + (packed->data - section),
        .data_bytes = ((const mrwi_packed_header *)(const void *)section)->data_size_bytes,
        .shapes = shapes,
        .sizes = shapes + stored->channel_count,
        .any = shapes + (size_t)2 * stored->channel_count};
    stream->phase = PHASE_PREDICTORS;
    return MRW_OK;
}

static mrw_status decode_words(mrw_clip_stream *stream, mrw_error *out_error)
{
    while (stream->word < stream->word_end) {
        if (!mrwi_has_words(&stream->coder, MRWI_WORD_STEPS))
            return MRW_OK;
        mrwi_code_word(&stream->coder, &stream->words, stream->clip, sizeof(mrw_asset_header) / 4,
                       stream->word++);
        if (stream->word == stream->word_end && has_motion(stream) && !find_word_end(stream))
            return fail_content(stream, "the packed section leads outside the clip", out_error);
    }
    if (has_motion(stream))
        return begin_motion(stream, out_error);
    stream->phase = PHASE_END;
    return MRW_OK;
}

static mrw_status decode_predictors(mrw_clip_stream *stream, mrw_error *out_error)
{
    if (!mrwi_code_predictors(&stream->coder, &stream->motion))
        return MRW_OK;
    if (stream->motion.is_damaged)
        return fail_content(stream, "a predictor that the format does not have", out_error);
    stream->phase = PHASE_SAMPLES;
    return MRW_OK;
}

/* All that is in the rows becomes segment stream->segment, and the anchors behind it. */
static mrw_status end_segment(mrw_clip_stream *stream, mrw_error *out_error)
{
    mrwi_motion_model *motion = &stream->motion;
    const uint32_t place = (uint32_t)1 << motion->segment_log2;
    if (!mrwi_write_segment(&stream->writer, stream->segment, mrwi_motion_row(motion, 0)) ||
        !mrwi_write_anchors(&stream->writer, stream->segment + 1, mrwi_motion_row(motion, place)))
        return fail_content(stream, "numbers that do not fit the clip", out_error);
    stream->segment++;
    mrwi_motion_next_segment(motion);
    if (stream->segment == stream->head.packed.segment_count)
        stream->phase = PHASE_END;
    return MRW_OK;
}

static mrw_status decode_samples(mrw_clip_stream *stream, mrw_error *out_error)
{
    mrwi_motion_model *motion = &stream->motion;
    const uint32_t last = stream->head.packed.sample_count - 1;
    const uint32_t in_segment = ((uint32_t)1 << motion->segment_log2) - 1;
    while (stream->phase == PHASE_SAMPLES) {
        const uint32_t sample = motion->sample;
        if (!mrwi_code_sample(&stream->coder, motion))
            return MRW_OK;
        mrw_status status = MRW_OK;
        if (motion->is_damaged)
            status = fail_content(stream, "a number that the format does not have", out_error);
        else if (sample == 0 && !mrwi_write_anchors(&stream->writer, 0, mrwi_motion_row(motion, 0)))
            status = fail_content(stream, "numbers that do not fit the clip", out_error);
        else if (sample > 0 && (sample & in_segment) == 0)
            status = end_segment(stream, out_error);
        else if (sample == last)
            stream->phase = PHASE_CLOSING;
        if (status != MRW_OK)
            return status;
    }
    return MRW_OK;
}

static mrw_status decode_closing(mrw_clip_stream *stream, mrw_error *out_error)
{
    const uint32_t last = stream->head.packed.sample_count - 1;
    const uint32_t in_segment = last - (stream->segment << stream->motion.segment_log2);
    if (!mrwi_code_closing(&stream->coder, &stream->motion, in_segment))
        return MRW_OK;
    if (stream->motion.is_damaged)
        return fail_content(stream, "a number that the format does not have", out_error);
    return end_segment(stream, out_error);
}

/* Whether there are zeros behind the words. */
static bool is_padded(const mrwi_stored_content *stored)
{
    const uint8_t *bytes = (const uint8_t *)stored;
    uint8_t any = 0;
    for (uint64_t i = sizeof(*stored) + (uint64_t)4 * stored->word_count;
         i < stored->header.size_bytes; i++)
        any |= bytes[i];
    return any == 0;
}

static mrw_status end(mrw_clip_stream *stream, mrw_error *out_error)
{
    if (!stream->coder.is_whole)
        return MRW_OK;
    const mrw_asset_header *stored = &stream->stored->header;
    if (mrw_asset_checksum(stored + 1, (size_t)stored->size_bytes - sizeof(*stored)) !=
        stored->checksum) {
        stream->phase = PHASE_BROKEN;
        return mrwi_asset_fail(stored, MRW_ERR_BAD_CHECKSUM, &stored->checksum, "header.checksum",
                               mrw_status_text(MRW_ERR_BAD_CHECKSUM), out_error);
    }
    if (!is_padded(stream->stored) || !mrwi_is_decoded(&stream->coder) ||
        (has_motion(stream) && stream->writer.end != stream->writer.data_bytes))
        return fail_content(stream, "what comes out does not fill the clip", out_error);
    if (mrw_is_stored_clip(stream->clip, (size_t)stream->stored->clip_size_bytes))
        return fail_content(stream, "a stored clip in a stored clip", out_error);
    mrw_asset_header *header = (mrw_asset_header *)(void *)stream->clip;
    header->checksum = mrw_asset_checksum(header + 1, (size_t)header->size_bytes - sizeof(*header));
    stream->phase = PHASE_COMPLETE;
    return MRW_OK;
}

static mrw_status step(mrw_clip_stream *stream, mrw_error *out_error)
{
    switch (stream->phase) {
    case PHASE_BEGIN:
        if (!mrwi_has_words(&stream->coder, 2))
            return MRW_OK;
        mrwi_begin_decoding(&stream->coder);
        stream->phase = PHASE_WORDS;
        return MRW_OK;
    case PHASE_WORDS:
        return decode_words(stream, out_error);
    case PHASE_PREDICTORS:
        return decode_predictors(stream, out_error);
    case PHASE_SAMPLES:
        return decode_samples(stream, out_error);
    case PHASE_CLOSING:
        return decode_closing(stream, out_error);
    case PHASE_END:
        return end(stream, out_error);
    case PHASE_COMPLETE:
    case PHASE_BROKEN:
        break;
    }
    return MRW_OK;
}

/* --- streams ----------------------------------------------------------------------------- */

mrw_status mrw_clip_stream_begin(const void *bytes, size_t size_bytes, void *clip,
                                 size_t clip_bytes, void *work, size_t work_bytes,
                                 mrw_clip_stream **out_stream, mrw_error *out_error)
{
    mrw_stored_clip sizes;
    if (clip == NULL || work == NULL || out_stream == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            clip == NULL   ? "clip"
                            : work == NULL ? "work"
                                           : "out_stream");
    *out_stream = NULL;
    mrw_status status = mrw_stored_clip_open(bytes, size_bytes, &sizes, out_error);
    if (status != MRW_OK)
        return status;
    if (!mrwi_is_aligned(clip, MRW_ALIGNMENT) || !mrwi_is_aligned(work, MRW_ALIGNMENT))
        return mrwi_fail_at(out_error, MRW_ERR_ALIGNMENT, 0,
                            mrwi_is_aligned(clip, MRW_ALIGNMENT) ? "work" : "clip");
    if (clip_bytes < sizes.clip_bytes || work_bytes < sizes.work_bytes)
        return mrwi_fail_at(out_error, MRW_ERR_BUFFER_TOO_SMALL, 0,
                            clip_bytes < sizes.clip_bytes ? "clip" : "work");

    mrw_clip_stream *stream = work;
    memset(stream, 0, sizeof(*stream));
    stream->stored = bytes;
    stream->clip = clip;
    memset(clip, 0, sizes.clip_bytes);
    const mrw_asset_header header = {.magic = MRW_ASSET_MAGIC,
                                     .kind = MRW_ASSET_CLIP,
                                     .version = MRW_CLIP_VERSION,
                                     .size_bytes = sizes.clip_bytes,
                                     .skeleton_id = sizes.skeleton_id};
    memcpy(clip, &header, sizeof(header));
    stream->word = sizeof(header) / 4;
    stream->word_end = (has_motion(stream) ? sizeof(mrwi_clip_content) : sizes.clip_bytes) / 4;
    stream->coder.words = (const uint8_t *)bytes + sizeof(mrwi_stored_content);
    mrwi_word_model_reset(&stream->words);
    *out_stream = stream;
    return MRW_OK;
}

/* The largest float that is not above a positive number: at a view's end nothing is asked for that
 * is not there. */
static float time_at_most(double number)
{
    float rounded = (float)number;
    if ((double)rounded > number) {
        uint32_t bits;
        memcpy(&bits, &rounded, sizeof(bits));
        bits--;
        memcpy(&rounded, &bits, sizeof(rounded));
    }
    return rounded;
}

/* The clip as far as it is there. */
static mrw_status view(const mrw_clip_stream *stream, mrw_clip *out_clip, mrw_error *out_error)
{
    if (stream->phase == PHASE_COMPLETE)
        return mrw_clip_open(stream->clip, (size_t)stream->stored->clip_size_bytes, out_clip,
                             out_error);
    if (stream->segment == 0)
        return MRW_OK;
    *out_clip = stream->head;
    mrw_clip_packed *packed = &out_clip->packed;
    if (stream->segment < packed->segment_count) {
        const uint32_t last = stream->segment << packed->segment_log2;
        packed->segment_count = stream->segment;
        packed->sample_count = last + 1;
        const float time_s = packed->times != NULL
                                 ? packed->times[last]
                                 : time_at_most(last / packed->samples_per_second);
        if (time_s < out_clip->duration_s)
            out_clip->duration_s = time_s;
    }
    return MRW_OK;
}

/* Decodes what can be decoded of the first size_bytes. */
static mrw_status run(mrw_clip_stream *stream, size_t size_bytes, mrw_error *out_error)
{
    const mrwi_stored_content *stored = stream->stored;
    mrwi_coder *coder = &stream->coder;
    coder->is_whole = size_bytes >= stored->header.size_bytes;
    coder->word_count = size_bytes < sizeof(*stored) ? 0 : (size_bytes - sizeof(*stored)) / 4;
    if (coder->word_count > stored->word_count)
        coder->word_count = stored->word_count;
    stream_phase before;
    do {
        before = stream->phase;
        mrw_status status = step(stream, out_error);
        if (status != MRW_OK)
            return status;
    } while (stream->phase != before);
    return MRW_OK;
}

mrw_status mrw_clip_stream_advance(mrw_clip_stream *stream, size_t size_bytes, mrw_clip *out_clip,
                                   mrw_error *out_error)
{
    if (stream == NULL || out_clip == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            stream == NULL ? "stream" : "out_clip");
    memset(out_clip, 0, sizeof(*out_clip));
    if (stream->phase == PHASE_BROKEN)
        return fail_content(stream, "the stream failed before", out_error);
    mrw_status status = run(stream, size_bytes, out_error);
    return status == MRW_OK ? view(stream, out_clip, out_error) : status;
}

bool mrw_clip_stream_is_complete(const mrw_clip_stream *stream)
{
    return stream != NULL && stream->phase == PHASE_COMPLETE;
}

mrw_status mrw_stored_clip_decode(const void *bytes, size_t size_bytes, void *clip,
                                  size_t clip_bytes, void *work, size_t work_bytes,
                                  mrw_error *out_error)
{
    mrw_clip_stream *stream = NULL;
    mrw_status status = mrw_clip_stream_begin(bytes, size_bytes, clip, clip_bytes, work, work_bytes,
                                              &stream, out_error);
    if (status != MRW_OK)
        return status;
    if (stream->stored->header.size_bytes > size_bytes)
        return mrwi_fail_at(out_error, MRW_ERR_TRUNCATED, size_bytes, "words");
    return run(stream, size_bytes, out_error);
}
