/* The tree of joints. A joint is open from its brace to the closing one; the open joints are a
 * chain of parents, so nothing recurses and no depth is too deep. */
#include "offline/import/bvh.h"

#include "base/error.h"
#include "base/utf8.h"

#include <string.h>

#define FIRST_CAPACITY 64

/* The array, or one twice as large with its content if it is full; NULL if memory ran out. */
static void *grown(mrwi_bvh *bvh, void *items, uint32_t count, uint32_t *capacity,
                   size_t size_bytes)
{
    if (count < *capacity)
        return items;
    uint32_t wanted = count == 0 ? FIRST_CAPACITY : count > UINT32_MAX / 2 ? UINT32_MAX : count * 2;
    void *larger = mrwi_arena_alloc(bvh->scratch, wanted, size_bytes);
    if (larger == NULL)
        return NULL;
    if (count > 0)
        memcpy(larger, items, count * size_bytes);
    *capacity = wanted;
    return larger;
}

static mrw_status fail_expected(const mrwi_bvh *bvh, const char *where, const char *expected)
{
    char found[MRWI_BVH_WHERE];
    mrwi_bvh_quote(bvh, found);
    mrw_status status = bvh->at >= bvh->length ? MRW_ERR_TRUNCATED : MRW_ERR_INVALID_VALUE;
    return mrwi_bvh_at(
        bvh, bvh->at,
        mrwi_fail(bvh->out_error, status, "%s", "expected %s, found %s", where, expected, found));
}

/* "JOINT Chest" for messages. */
static void joint_where(const mrwi_bvh *bvh, int32_t joint, char out[MRWI_BVH_WHERE])
{
    const mrwi_bvh_joint *item = &bvh->joints[joint];
    const char *keyword = item->is_end ? "End Site" : item->parent < 0 ? "ROOT" : "JOINT";
    mrwi_format(out, MRWI_BVH_WHERE, "%s %s", keyword, item->name);
}

/* --- names ------------------------------------------------------------------------------------ */

/* The rest of the line is the name, blanks in it included. Bytes that are not UTF-8 become U+FFFD.
 */
static mrw_status read_name(mrwi_bvh *bvh, const char **out_name)
{
    size_t start = bvh->at;
    while (bvh->at < bvh->length && !mrwi_bvh_is_line_end(bvh->text[bvh->at]) &&
           bvh->text[bvh->at] != '{')
        bvh->at++;
    size_t end = bvh->at;
    while (start < end && mrwi_bvh_is_space(bvh->text[start]))
        start++;
    while (start < end && mrwi_bvh_is_space(bvh->text[end - 1]))
        end--;
    char *name = mrwi_arena_alloc(bvh->arena, (end - start) * 3 + 1, 1);
    if (name == NULL)
        return mrwi_arena_fail(bvh->arena, bvh->out_error, "HIERARCHY");
    *out_name = name;
    uint32_t bad_count = 0;
    size_t first_bad = start;
    for (size_t at = start; at < end;) {
        size_t size = mrwi_utf8_character(bvh->text + at, end - at);
        bool good = size > 0 && bvh->text[at] != '\0';
        if (!good && bad_count++ == 0)
            first_bad = at;
        size_t written = good ? size : 3;
        memcpy(name, good ? bvh->text + at : "\xef\xbf\xbd", written);
        name += written;
        at += good ? size : 1;
    }
    return mrwi_bvh_diagnose(bvh, MRW_SEVERITY_WARNING, "MRW_BVH_NAME_NOT_UTF8", first_bad,
                             "a name is not in UTF-8; what cannot be read becomes U+FFFD",
                             bad_count > 0);
}

/* "<parent>_End" */
static mrw_status end_name(mrwi_bvh *bvh, int32_t parent, const char **out_name)
{
    const char *unused;
    MRWI_TRY(read_name(bvh, &unused)); /* "Site", in any spelling, and what else is in the line */
    size_t size = strlen(bvh->joints[parent].name) + sizeof("_End");
    char *name = mrwi_arena_alloc(bvh->arena, size, 1);
    if (name == NULL)
        return mrwi_arena_fail(bvh->arena, bvh->out_error, "HIERARCHY");
    mrwi_format(name, size, "%s_End", bvh->joints[parent].name);
    *out_name = name;
    return MRW_OK;
}

/* --- joints ----------------------------------------------------------------------------------- */

/* From behind the keyword to behind the opening brace. */
static mrw_status open_joint(mrwi_bvh *bvh, int32_t parent, bool is_end, int32_t *out_joint)
{
    const char *name;
    if (bvh->joint_count == INT32_MAX)
        return mrwi_fail(bvh->out_error, MRW_ERR_LIMIT, "HIERARCHY", "there are too many joints");
    MRWI_TRY(is_end ? end_name(bvh, parent, &name) : read_name(bvh, &name));
    mrwi_bvh_joint *joints =
        grown(bvh, bvh->joints, bvh->joint_count, &bvh->joint_capacity, sizeof(*joints));
    if (joints == NULL)
        return mrwi_arena_fail(bvh->scratch, bvh->out_error, "HIERARCHY");
    bvh->joints = joints;
    *out_joint = (int32_t)bvh->joint_count++;
    mrwi_bvh_joint *joint = &joints[*out_joint];
    joint->name = name;
    joint->parent = parent;
    joint->is_end = is_end;
    joint->first_channel = bvh->channel_count;
    if (mrwi_bvh_more(bvh) && mrwi_bvh_accept(bvh, "{"))
        return MRW_OK;
    char where[MRWI_BVH_WHERE];
    joint_where(bvh, *out_joint, where);
    return fail_expected(bvh, where, "'{'");
}

static mrw_status fail_twice(const mrwi_bvh *bvh, int32_t joint, size_t place, const char *keyword)
{
    char where[MRWI_BVH_WHERE];
    joint_where(bvh, joint, where);
    return mrwi_bvh_at(bvh, place,
                       mrwi_fail(bvh->out_error, MRW_ERR_INCONSISTENT, "%s",
                                 "the joint has %s twice", where, keyword));
}

static mrw_status read_offset(mrwi_bvh *bvh, int32_t index, size_t place)
{
    mrwi_bvh_joint *joint = &bvh->joints[index];
    char where[MRWI_BVH_WHERE];
    mrwi_format(where, sizeof(where), "%s OFFSET", joint->name);
    if (joint->has_offset)
        return fail_twice(bvh, index, place, "an OFFSET");
    joint->has_offset = true;
    for (uint32_t i = 0; i < 3; i++) {
        double value = 0.0;
        mrwi_bvh_more(bvh);
        MRWI_TRY(mrwi_bvh_number(bvh, where, &value));
        joint->offset[i] = (float)value;
    }
    return MRW_OK;
}

/* --- channels --------------------------------------------------------------------------------- */

static bool is_keyword(const mrwi_bvh *bvh)
{
    static const char *const keywords[] = {"{",      "}",        "JOINT", "End",
                                           "OFFSET", "CHANNELS", "MOTION"};
    mrwi_bvh here = *bvh;
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
        if (mrwi_bvh_accept(&here, keywords[i]))
            return true;
    return false;
}

/* Of the word at this place, which is read. */
static mrw_status read_kind(mrwi_bvh *bvh, mrwi_bvh_kind *out_kind)
{
    static const char *const names[] = {"Xposition", "Yposition", "Zposition",
                                        "Xrotation", "Yrotation", "Zrotation"};
    size_t place = bvh->at;
    for (uint32_t i = 0; i < MRWI_BVH_UNKNOWN; i++) {
        *out_kind = (mrwi_bvh_kind)i;
        if (mrwi_bvh_accept(bvh, names[i]))
            return MRW_OK;
    }
    *out_kind = MRWI_BVH_UNKNOWN;
    bvh->at += mrwi_bvh_word_length(bvh);
    return mrwi_bvh_diagnose(bvh, MRW_SEVERITY_WARNING, "MRW_BVH_UNKNOWN_CHANNEL", place,
                             "a channel is neither a position nor a rotation; its numbers are "
                             "ignored",
                             1);
}

static mrw_status add_channel(mrwi_bvh *bvh, mrwi_bvh_joint *joint, mrwi_bvh_kind kind)
{
    if (bvh->channel_count == UINT32_MAX)
        return mrwi_fail(bvh->out_error, MRW_ERR_LIMIT, "CHANNELS", "there are too many channels");
    uint8_t *channels = grown(bvh, bvh->channels, bvh->channel_count, &bvh->channel_capacity, 1);
    if (channels == NULL)
        return mrwi_arena_fail(bvh->scratch, bvh->out_error, "CHANNELS");
    bvh->channels = channels;
    channels[bvh->channel_count++] = (uint8_t)kind;
    joint->channel_count++;
    joint->has_position |= kind <= MRWI_BVH_POSITION_Z;
    joint->has_rotation |= kind >= MRWI_BVH_ROTATION_X && kind <= MRWI_BVH_ROTATION_Z;
    return MRW_OK;
}

/* The same axis may turn twice (Z X Z are Euler's own angles), but one coordinate cannot be two. */
static mrw_status check_positions(mrwi_bvh *bvh, const mrwi_bvh_joint *joint, size_t place)
{
    uint32_t counts[MRWI_BVH_UNKNOWN + 1] = {0};
    for (uint32_t i = 0; i < joint->channel_count; i++)
        counts[bvh->channels[joint->first_channel + i]]++;
    for (uint32_t i = MRWI_BVH_POSITION_X; i <= MRWI_BVH_POSITION_Z; i++)
        if (counts[i] > 1)
            return mrwi_bvh_diagnose(bvh, MRW_SEVERITY_WARNING, "MRW_BVH_REPEATED_CHANNEL", place,
                                     "a joint has a position channel twice; the last one counts",
                                     1);
    return MRW_OK;
}

static mrw_status read_channels(mrwi_bvh *bvh, int32_t index, size_t place)
{
    mrwi_bvh_joint *joint = &bvh->joints[index];
    char where[MRWI_BVH_WHERE];
    mrwi_format(where, sizeof(where), "%s CHANNELS", joint->name);
    if (joint->has_channels)
        return fail_twice(bvh, index, place, "CHANNELS");
    joint->has_channels = true;
    joint->first_channel = bvh->channel_count;
    double count = -1.0;
    mrwi_bvh_more(bvh);
    size_t count_place = bvh->at;
    MRWI_TRY(mrwi_bvh_number(bvh, where, &count));
    if (!(count >= 0.0 && count <= (double)UINT32_MAX) || count != (double)(uint32_t)count)
        return mrwi_bvh_at(bvh, count_place,
                           mrwi_fail(bvh->out_error, MRW_ERR_INVALID_VALUE, "%s",
                                     "the number of channels must be a whole number", where));
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        mrwi_bvh_kind kind;
        if (!mrwi_bvh_more(bvh) || is_keyword(bvh)) {
            char found[MRWI_BVH_WHERE];
            mrwi_bvh_quote(bvh, found);
            return mrwi_bvh_at(
                bvh, bvh->at,
                mrwi_fail(bvh->out_error,
                          bvh->at < bvh->length ? MRW_ERR_INCONSISTENT : MRW_ERR_TRUNCATED, "%s",
                          "%u channels are announced, after %u comes %s", where, (uint32_t)count, i,
                          found));
        }
        MRWI_TRY(read_kind(bvh, &kind));
        MRWI_TRY(add_channel(bvh, joint, kind));
    }
    return check_positions(bvh, joint, place);
}

/* --- the tree --------------------------------------------------------------------------------- */

static mrw_status close_joint(mrwi_bvh *bvh, int32_t *joint, size_t place)
{
    const mrwi_bvh_joint *closed = &bvh->joints[*joint];
    *joint = closed->parent;
    return mrwi_bvh_diagnose(bvh, MRW_SEVERITY_WARNING, "MRW_BVH_NO_OFFSET", place,
                             "a joint has no OFFSET; it lies where its parent does",
                             !closed->has_offset);
}

/* One word inside a joint and what belongs to it. */
static mrw_status read_inside(mrwi_bvh *bvh, int32_t *joint)
{
    size_t place = bvh->at;
    if (mrwi_bvh_accept(bvh, "OFFSET"))
        return read_offset(bvh, *joint, place);
    if (mrwi_bvh_accept(bvh, "CHANNELS"))
        return read_channels(bvh, *joint, place);
    if (mrwi_bvh_accept(bvh, "}"))
        return close_joint(bvh, joint, place);
    bool is_end = bvh->joints[*joint].is_end;
    if (!is_end && mrwi_bvh_accept(bvh, "JOINT"))
        return open_joint(bvh, *joint, false, joint);
    if (!is_end && (mrwi_bvh_accept(bvh, "End") || mrwi_bvh_accept(bvh, "EndSite")))
        return open_joint(bvh, *joint, true, joint);
    char where[MRWI_BVH_WHERE];
    joint_where(bvh, *joint, where);
    return fail_expected(bvh, where,
                         is_end ? "OFFSET or '}'" : "OFFSET, CHANNELS, JOINT, End Site or '}'");
}

mrw_status mrwi_bvh_read_hierarchy(mrwi_bvh *bvh)
{
    int32_t joint = -1;
    mrwi_bvh_more(bvh);
    if (!mrwi_bvh_accept(bvh, "HIERARCHY"))
        return fail_expected(bvh, "file", "HIERARCHY");
    for (;;) {
        mrwi_bvh_more(bvh);
        if (joint >= 0)
            MRWI_TRY(read_inside(bvh, &joint));
        else if (mrwi_bvh_accept(bvh, "ROOT"))
            MRWI_TRY(open_joint(bvh, -1, false, &joint));
        else if (bvh->joint_count > 0 && mrwi_bvh_accept(bvh, "MOTION"))
            return MRW_OK;
        else
            return fail_expected(bvh, "HIERARCHY",
                                 bvh->joint_count > 0 ? "ROOT or MOTION" : "ROOT");
    }
}
