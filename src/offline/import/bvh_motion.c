/* The table of numbers.
 *
 * A frame is a line; some programs wrap long lines and some write all frames in one. Reading
 * numbers without regard for lines takes all of these, but where one number is missing every later
 * number would land in the wrong joint. So lines are looked at too: where the first frame
 * is a line, every frame must be one, and a frame that begins or ends in the middle of a line must
 * not share two lines with its neighbours.
 */
#include "offline/import/bvh.h"

#include "base/error.h"
#include "offline/read/number.h"

#include <float.h>
#include <string.h>

/* What is taken where a file has frames but no usable time between them. */
#define DEFAULT_FRAME_TIME_S (1.0 / 30.0)

typedef struct motion {
    mrwi_bvh *bvh;
    bool has_frame_count;
    bool has_frame_time;
    size_t frame_count_at; /* where the numbers stand */
    size_t frame_time_at;
    uint32_t frame_count; /* as the file says */
    double frame_time_s;
    double *numbers; /* [channel_count] of the frame at hand; before that of the one before */
    bool wrapped;    /* the first frame takes several lines */
} motion;

/* --- Frames, Frame Time ----------------------------------------------------------------------- */

#define LABEL_SIZE 16

/* The letters up to the number, in lower case: "frametime" for "Frame Time:", "Frame_time : ". */
static void read_label(mrwi_bvh *bvh, char label[LABEL_SIZE])
{
    size_t length = 0;
    for (; bvh->at < bvh->length; bvh->at++) {
        char c = bvh->text[bvh->at];
        bool capital = c >= 'A' && c <= 'Z';
        if (!capital && !(c >= 'a' && c <= 'z') && c != ' ' && c != '\t' && c != ':' && c != '_' &&
            c != '=')
            break;
        if ((capital || c >= 'a') && length < LABEL_SIZE - 1)
            label[length++] = (char)(c | 0x20);
    }
    label[length] = '\0';
}

static mrw_status read_frame_count(motion *m)
{
    double count = -1.0;
    mrwi_bvh_more(m->bvh);
    m->frame_count_at = m->bvh->at;
    m->has_frame_count = true;
    MRWI_TRY(mrwi_bvh_number(m->bvh, "MOTION, Frames", &count));
    if (!(count >= 0.0 && count < (double)UINT32_MAX) || count != (double)(uint32_t)count)
        return mrwi_bvh_at(m->bvh, m->frame_count_at,
                           mrwi_fail(m->bvh->out_error, MRW_ERR_INVALID_VALUE, "MOTION, Frames",
                                     "the number of frames must be a whole number below 2^32"));
    m->frame_count = (uint32_t)count;
    return MRW_OK;
}

static mrw_status read_frame_time(motion *m)
{
    mrwi_bvh_more(m->bvh);
    m->frame_time_at = m->bvh->at;
    m->has_frame_time = true;
    return mrwi_bvh_number(m->bvh, "MOTION, Frame Time", &m->frame_time_s);
}

static bool begins_label(const mrwi_bvh *bvh)
{
    char c = bvh->at < bvh->length ? (char)(bvh->text[bvh->at] | 0x20) : '\0';
    return c == 'f';
}

static mrw_status read_head(motion *m)
{
    mrwi_bvh *bvh = m->bvh;
    while (mrwi_bvh_more(bvh) && begins_label(bvh)) {
        char label[LABEL_SIZE];
        mrwi_bvh start = *bvh;
        read_label(bvh, label);
        if (strcmp(label, "frames") == 0 && !m->has_frame_count) {
            MRWI_TRY(read_frame_count(m));
        } else if (strcmp(label, "frametime") == 0 && !m->has_frame_time) {
            MRWI_TRY(read_frame_time(m));
        } else {
            char found[MRWI_BVH_WHERE];
            mrwi_bvh_quote(&start, found);
            return mrwi_bvh_at(
                bvh, start.at,
                mrwi_fail(bvh->out_error, MRW_ERR_INVALID_VALUE, "MOTION",
                          "expected 'Frames:' and 'Frame Time:', once each, found %s", found));
        }
    }
    const char *missing = !m->has_frame_count  ? "Frames:"
                          : !m->has_frame_time ? "Frame Time:"
                                               : NULL;
    if (missing == NULL)
        return MRW_OK;
    char found[MRWI_BVH_WHERE];
    mrwi_bvh_quote(bvh, found);
    mrw_status status = bvh->at < bvh->length ? MRW_ERR_MISSING_PROPERTY : MRW_ERR_TRUNCATED;
    return mrwi_bvh_at(
        bvh, bvh->at,
        mrwi_fail(bvh->out_error, status, "MOTION", "expected '%s', found %s", missing, found));
}

/* One frame has no time between frames: whatever is written there does not matter. */
static mrw_status check_frame_time(motion *m, uint32_t frame_count)
{
    if (m->frame_time_s > 0.0 || frame_count <= 1)
        return MRW_OK;
    m->frame_time_s = DEFAULT_FRAME_TIME_S;
    return mrwi_bvh_diagnose(m->bvh, MRW_SEVERITY_WARNING, "MRW_BVH_FRAME_TIME", m->frame_time_at,
                             "the frame time is not positive; 1/30 s is taken", 1);
}

/* --- frames ----------------------------------------------------------------------------------- */

/* The joint and channel of a column, and the frame, for messages. It searches: only for an error.
 */
static void number_where(const motion *m, uint32_t frame, uint32_t column, char *out)
{
    static const char *const names[] = {"Xposition", "Yposition", "Zposition", "Xrotation",
                                        "Yrotation", "Zrotation", "channel"};
    const mrwi_bvh *bvh = m->bvh;
    uint32_t joint = 0;
    while (column - bvh->joints[joint].first_channel >= bvh->joints[joint].channel_count)
        joint++;
    mrwi_format(out, MRWI_BVH_WHERE, "MOTION, frame %u, %s %s", frame + 1, bvh->joints[joint].name,
                names[bvh->channels[column]]);
}

/* The line ends after `column` numbers of a frame, or goes on after its last. */
static mrw_status fail_line(const motion *m, uint32_t frame, uint32_t column, size_t place)
{
    const mrwi_bvh *bvh = m->bvh;
    const char *what =
        column < bvh->channel_count
            ? "the line ends after %u of the %u numbers that the hierarchy has channels for"
            : "the line goes on after the frame's last number, %u of %u channels";
    return mrwi_bvh_at(bvh, place,
                       mrwi_fail(bvh->out_error, MRW_ERR_INCONSISTENT, "MOTION, frame %u", what,
                                 frame + 1, column, bvh->channel_count));
}

/* Skips white space; returns whether a line ended in it. */
static bool skip_to_number(mrwi_bvh *bvh)
{
    const char *text = bvh->text;
    size_t length = bvh->length;
    size_t at = bvh->at;
    bool line_ended = false;
    for (; at < length && mrwi_bvh_is_space(text[at]); at++)
        line_ended |= mrwi_bvh_is_line_end(text[at]);
    bvh->at = at;
    return line_ended;
}

/* The number of a column. Nearly all are read in the first three lines. */
static mrw_status read_number(const motion *m, uint32_t frame, uint32_t column)
{
    mrwi_bvh *bvh = m->bvh;
    double value;
    size_t left = bvh->length - bvh->at;
    size_t size = mrwi_number_parse(bvh->text + bvh->at, left, &value);
    bool whole = size > 0 && (size == left || mrwi_bvh_is_space(bvh->text[bvh->at + size]));
    if (whole && value >= -(double)FLT_MAX && value <= (double)FLT_MAX) {
        m->numbers[column] = value;
        bvh->at += size;
        return MRW_OK;
    }
    mrw_status status = mrwi_bvh_number(bvh, "MOTION", &m->numbers[column]);
    if (status != MRW_OK && bvh->out_error != NULL)
        number_where(m, frame, column, bvh->out_error->detail);
    return status;
}

static mrw_status read_frame(motion *m, uint32_t frame, bool at_line_start)
{
    mrwi_bvh *bvh = m->bvh;
    bool broken = false;
    for (uint32_t column = 0; column < bvh->channel_count; column++) {
        size_t place = bvh->at;
        if (skip_to_number(bvh) && column > 0) {
            bool allowed = at_line_start && (frame == 0 || m->wrapped);
            if (!allowed && bvh->at < bvh->length)
                return fail_line(m, frame, column, place);
            broken = true;
        }
        MRWI_TRY(read_number(m, frame, column));
    }
    m->wrapped |= broken;
    size_t end = bvh->at;
    if (broken && !skip_to_number(bvh) && bvh->at < bvh->length)
        return fail_line(m, frame, bvh->channel_count, bvh->at);
    bvh->at = end;
    return MRW_OK;
}

/* Until the frames that are announced, or the text, are at their end. */
static mrw_status read_frames(motion *m, const mrwi_bvh_track *tracks, uint32_t frame_capacity,
                              uint32_t *out_count)
{
    mrwi_bvh *bvh = m->bvh;
    for (uint32_t frame = 0; frame < frame_capacity; frame++) {
        bool at_line_start = skip_to_number(bvh) || frame == 0;
        *out_count = frame;
        if (bvh->at == bvh->length)
            return MRW_OK;
        MRWI_TRY(read_frame(m, frame, at_line_start));
        mrwi_bvh_set_keys(bvh, tracks, frame, m->numbers);
    }
    *out_count = frame_capacity;
    size_t end = bvh->at;
    if (frame_capacity > 0 && !skip_to_number(bvh) && bvh->at < bvh->length)
        return fail_line(m, frame_capacity - 1, bvh->channel_count, bvh->at);
    bvh->at = end;
    return MRW_OK;
}

/* No more frames than can be in what is left of the text, where each number takes a byte and a
 * blank; one more for a frame that is cut off. */
static uint32_t frame_capacity_of(const motion *m)
{
    const mrwi_bvh *bvh = m->bvh;
    uint64_t most = ((uint64_t)(bvh->length - bvh->at) + 1) / 2 / bvh->channel_count + 1;
    /* Recorders that write the head first may leave a 0 there. */
    if (m->frame_count == 0 || m->frame_count > most)
        return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    return m->frame_count;
}

static mrw_status note_frame_count(const motion *m, mrw_severity severity, const char *message)
{
    return mrwi_bvh_diagnose(m->bvh, severity, "MRW_BVH_FRAME_COUNT", m->frame_count_at, message,
                             1);
}

/* The head counts where it says less: that is how people shorten a motion by hand. */
static mrw_status check_frame_count(const motion *m, uint32_t count)
{
    mrwi_bvh *bvh = m->bvh;
    if (m->frame_count == 0 && count > 0)
        return note_frame_count(m, MRW_SEVERITY_WARNING,
                                "no frames are announced, but there are some; they are read");
    if (count < m->frame_count)
        return note_frame_count(
            m, MRW_SEVERITY_ERROR,
            "there are fewer frames than announced; those that are there are read");
    if (!mrwi_bvh_more(bvh))
        return MRW_OK;
    double unused;
    if (mrwi_number_parse(bvh->text + bvh->at, bvh->length - bvh->at, &unused) > 0)
        return note_frame_count(
            m, MRW_SEVERITY_WARNING,
            "there are more frames than announced; as many as announced are read");
    return mrwi_bvh_diagnose(bvh, MRW_SEVERITY_WARNING, "MRW_BVH_AFTER_MOTION", bvh->at,
                             "something that is no frame follows after the last one; it is ignored",
                             1);
}

mrw_status mrwi_bvh_read_motion(mrwi_bvh *bvh)
{
    motion m = {.bvh = bvh};
    MRWI_TRY(read_head(&m));
    if (bvh->channel_count == 0)
        return mrwi_bvh_diagnose(bvh, MRW_SEVERITY_WARNING, "MRW_BVH_NO_CHANNELS", m.frame_count_at,
                                 "no joint has a channel: there is no motion", m.frame_count > 0);
    mrwi_bvh_track *tracks;
    uint32_t count;
    uint32_t capacity = frame_capacity_of(&m);
    m.numbers = mrwi_arena_alloc(bvh->scratch, bvh->channel_count, sizeof(*m.numbers));
    if (m.numbers == NULL)
        return mrwi_arena_fail(bvh->scratch, bvh->out_error, "MOTION");
    MRWI_TRY(mrwi_bvh_create_keys(bvh, capacity, &tracks));
    MRWI_TRY(read_frames(&m, tracks, capacity, &count));
    MRWI_TRY(check_frame_count(&m, count));
    MRWI_TRY(check_frame_time(&m, count));
    return mrwi_bvh_finish_keys(bvh, count, m.frame_time_s);
}
