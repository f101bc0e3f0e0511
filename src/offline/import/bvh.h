/* What the files of the BVH importer share: the text and the place in it, the joints, the order of
 * the channels. */
#ifndef MRWI_OFFLINE_BVH_H
#define MRWI_OFFLINE_BVH_H

#include "offline/import/importers.h"

/* Room for the names of things in messages; longer ones are cut. */
#define MRWI_BVH_WHERE 96

/* What a column of the motion drives. Rotations turn about the axis 0, 1 or 2. */
typedef enum mrwi_bvh_kind {
    MRWI_BVH_POSITION_X,
    MRWI_BVH_POSITION_Y,
    MRWI_BVH_POSITION_Z,
    MRWI_BVH_ROTATION_X,
    MRWI_BVH_ROTATION_Y,
    MRWI_BVH_ROTATION_Z,
    MRWI_BVH_UNKNOWN /* its numbers are read past */
} mrwi_bvh_kind;

/* A ROOT, JOINT or End Site. Its number is its node's. */
typedef struct mrwi_bvh_joint {
    const char *name; /* in the scene's memory */
    int32_t parent;   /* -1: a root */
    float offset[3];
    bool is_end; /* an End Site: nothing hangs on it */
    bool has_offset;
    bool has_channels;
    bool has_position;
    bool has_rotation;
    uint32_t first_channel; /* its columns of the motion */
    uint32_t channel_count;
} mrwi_bvh_joint;

typedef struct mrwi_bvh {
    mrw_scene *scene;
    mrwi_arena *arena;
    mrwi_arena *scratch;
    mrw_error *out_error;

    const char *path; /* of the file, or NULL */
    const char *text;
    size_t length;
    size_t at; /* what comes next */

    mrwi_bvh_joint *joints; /* parents before their children, in the file's order */
    uint32_t joint_count;
    uint32_t joint_capacity;
    uint8_t *channels; /* mrwi_bvh_kind of each column of the motion */
    uint32_t channel_count;
    uint32_t channel_capacity;

    size_t counted; /* up to here the lines were counted */
    uint32_t counted_lines;
    uint32_t not_finite_count; /* numbers that were none, like "nan" */
    size_t first_not_finite;
} mrwi_bvh;

/* --- bvh_text.c: words and numbers ------------------------------------------------------------ */

static inline bool mrwi_bvh_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Blanks, tabs, the ends of lines, and the control characters that old editors leave. */
static inline bool mrwi_bvh_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0' || c == '\x1a';
}

/* Whether anything is left after the white space at this place, which is skipped. */
bool mrwi_bvh_more(mrwi_bvh *bvh);

/* The word at this place, for a message: 'JOINT', or "the end of the file". */
void mrwi_bvh_quote(const mrwi_bvh *bvh, char out[MRWI_BVH_WHERE]);

/* Sets line, column and offset in the error that was just filled; returns `status`:
 * `return mrwi_bvh_at(bvh, place, mrwi_fail(bvh->out_error, ...))`. */
mrw_status mrwi_bvh_at(const mrwi_bvh *bvh, size_t offset, mrw_status status);

/* Adds a diagnostic about this place, `count` times; nothing for 0. */
mrw_status mrwi_bvh_diagnose(mrwi_bvh *bvh, mrw_severity severity, const char *code, size_t offset,
                             const char *message, uint32_t count);

/* Length of the word at this place: up to white space or a brace; a brace is a word by itself. */
size_t mrwi_bvh_word_length(const mrwi_bvh *bvh);

/* Whether the word at this place is `word`, in any case of letters; if so it is read. */
bool mrwi_bvh_accept(mrwi_bvh *bvh, const char *word);

/* Reads the number at this place. Infinite, no number ("nan", "-1.#IND") or too large for single
 * precision: *out_value is left as it is, and the number is counted. `where` names it in errors. */
mrw_status mrwi_bvh_number(mrwi_bvh *bvh, const char *where, double *out_value);

/* --- one file a subject; in the order in which they run --------------------------------------- */

/* From the start to the word MOTION, which is read. */
mrw_status mrwi_bvh_read_hierarchy(mrwi_bvh *bvh);

/* What stands between MOTION and the first frame, and the frames, as keys of an animation. */
mrw_status mrwi_bvh_read_motion(mrwi_bvh *bvh);

/* --- bvh_keys.c: a frame's numbers become keys ------------------------------------------------ */

/* The channels of one joint in the scene's animation; NULL where it has none. */
typedef struct mrwi_bvh_track {
    mrw_scene_channel *translation;
    mrw_scene_channel *rotation;
} mrwi_bvh_track;

/* An animation with a channel for each joint that moves, room for frame_capacity keys in each.
 * *out_tracks has an entry for each joint. The scene's count does not include it yet. */
mrw_status mrwi_bvh_create_keys(mrwi_bvh *bvh, uint32_t frame_capacity,
                                mrwi_bvh_track **out_tracks);

/* Key `frame` of all channels, from the frame's numbers. */
void mrwi_bvh_set_keys(const mrwi_bvh *bvh, const mrwi_bvh_track *tracks, uint32_t frame,
                       const double *numbers);

/* The times of the keys, when it is known how many there are. */
mrw_status mrwi_bvh_finish_keys(mrwi_bvh *bvh, uint32_t frame_count, double frame_time_s);

#endif
