/* marrow/clip.h: an immutable animation of one skeleton.
 *
 * A clip's timeline runs from 0 to its duration, the time of its last key. Before its
 * first key a track holds the first key, after its last the last; what no track
 * animates keeps the skeleton's rest pose. Access is random: sampling any time costs
 * the same and needs no state per character.
 *
 * There are two encodings to play, opened by the same mrw_clip_open and sampled by the same
 * mrw_sample: keyed, the source's own keys, lossless (docs/format/clip_keyed_v1.md), and packed,
 * evenly sampled and quantised, many times smaller (docs/format/clip_packed_v1.md), which
 * mrw_pack_clip makes. A third one is for disk and network: marrow/stored_clip.h.
 */
#ifndef MARROW_CLIP_H
#define MARROW_CLIP_H

#include <marrow/asset.h>
#include <marrow/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MRW_CLIP_VERSION 1

typedef enum mrw_clip_encoding {
    MRW_CLIP_KEYED = 1,
    MRW_CLIP_PACKED = 2,
    MRW_CLIP_STORED =
        3 /* for disk and network: decoded before it is opened (marrow/stored_clip.h) */
} mrw_clip_encoding;

typedef enum mrw_track_kind {
    MRW_TRACK_TRANSLATION = 0, /* 3 floats a value, metres */
    MRW_TRACK_ROTATION = 1,    /* 4 floats a value, quaternion */
    MRW_TRACK_SCALE = 2,       /* 3 floats a value */
    MRW_TRACK_SCALAR = 3       /* 1 float a value */
} mrw_track_kind;

typedef enum mrw_interpolation {
    MRW_INTERPOLATION_STEP = 0,
    MRW_INTERPOLATION_LINEAR = 1, /* rotations: slerp along the shorter arc */
    /* Three values a key: in-tangent, value, out-tangent, tangents per second (glTF 2.0,
     * appendix C); rotations are interpolated by component, then normalised. */
    MRW_INTERPOLATION_CUBIC = 2
} mrw_interpolation;

/* One animated property, as it stands in the asset. */
typedef struct mrw_track {
    uint32_t target;        /* joint, or scalar for MRW_TRACK_SCALAR */
    uint8_t kind;           /* mrw_track_kind */
    uint8_t interpolation;  /* mrw_interpolation */
    uint16_t in_lanes;      /* 1: its values are a lane of a group; 0: they stand by themselves */
    uint32_t key_count;     /* >= 1 */
    uint32_t times_offset;  /* first of key_count times in `times` (tracks may share them) */
    uint32_t values_offset; /* first float in `values`; mrw_clip_key reads either layout */
} mrw_track;

#define MRW_CLIP_LANES 8

/* Linear tracks of one kind that have the same times, as they stand in the asset. With w =
 * mrw_track_width(kind), number i of key k of the track in lane j is
 * values[values_offset + (k * w + i) * MRW_CLIP_LANES + j]. Lanes past the last track repeat it. */
typedef struct mrw_clip_group {
    uint8_t kind;           /* mrw_track_kind */
    uint8_t track_count;    /* 1 to MRW_CLIP_LANES */
    uint16_t reserved;      /* 0 */
    uint32_t key_count;     /* as in the tracks */
    uint32_t times_offset;  /* as in the tracks */
    uint32_t values_offset; /* of the first lane */
    /* Where in a pose the first number of a track belongs: number i stands 8 * i floats behind it,
     * counted from the first float of `blocks`, or that of `scalars` for MRW_TRACK_SCALAR. */
    uint32_t places[MRW_CLIP_LANES];
    uint32_t tracks[MRW_CLIP_LANES];
} mrw_clip_group;

/* Eight joints of which at least one has a constant, as it stands in the asset. */
typedef struct mrw_clip_base {
    uint32_t block;   /* of a pose: joints 8 * block to 8 * block + 7 */
    uint8_t lanes[3]; /* by mrw_track_kind: bit i for a constant of joint 8 * block + i */
    uint8_t reserved; /* 0 */
} mrw_clip_base;

/* A track that moves and is in no group, with what sampling needs of it. */
typedef struct mrw_clip_moving {
    uint32_t track;
    uint32_t place;         /* as in mrw_clip_group */
    uint32_t values_offset; /* as in the track */
} mrw_clip_moving;

/* What stands in a clip as samples: docs/format/clip_packed_v1.md says what each part means. */
typedef struct mrw_clip_packed {
    uint32_t sample_count; /* 0 in a keyed clip, and then nothing else counts */
    uint32_t segment_log2;
    uint32_t segment_count;
    uint32_t shape_count;
    uint32_t rotation_count, translation_count, scale_count, scalar_count; /* tracks */
    uint32_t channel_count;
    uint32_t anchor_bytes;       /* of a segment */
    uint32_t mean_segment_bytes; /* about */
    int8_t exponents[4];
    double samples_per_second;    /* on average if they have times of their own */
    const float *times;           /* [sample_count] seconds, strictly increasing; NULL: even */
    const uint32_t *targets;      /* of the rotations, translations, scales, scalars */
    const int8_t *centres;        /* [4][rotation_count] */
    const int8_t *axes;           /* [2][rotation_count] */
    const float *bases;           /* [channel_count - 3 * rotation_count] */
    const uint8_t *steps;         /* [channel_count] */
    const uint8_t *anchor_widths; /* [channel_count] */
    const uint8_t *first_shapes;  /* [channel_count] */
    const uint8_t *shapes;        /* [shape_count][4] */
    const uint32_t *segments;     /* [segment_count + 1] */
    const uint8_t *data;
} mrw_clip_packed;

/* A view on the asset's bytes. Read its fields freely, write none. */
typedef struct mrw_clip {
    const mrw_asset_header *header;
    mrw_clip_encoding encoding;
    uint32_t joint_count; /* of the skeleton it was built for */
    uint32_t scalar_count;
    uint32_t track_count;    /* may be 0 */
    float duration_s;        /* >= 0 */
    const char *name;        /* NUL-terminated UTF-8, may be "" */
    const mrw_track *tracks; /* [track_count] sorted by kind, then target, each pair once */
    const float *times;      /* seconds; >= 0 and strictly increasing within a track */
    const float *values;     /* finite; rotations of keys have unit length within 1e-3 */
    uint32_t time_count;
    uint32_t value_count;

    /* The tracks once more, in the order in which mrw_sample wants them: the pose before anything
     * moves, then what moves evenly, several tracks at once, then all else one by one. */
    uint32_t base_count;
    uint32_t constant_count; /* floats */
    uint32_t group_count;
    uint32_t moving_count;
    uint32_t loose_count;
    const mrw_clip_base *bases;    /* [base_count] ascending blocks */
    const float *constants;        /* [constant_count] see mrw_clip_constant */
    const mrw_clip_group *groups;  /* [group_count] linear tracks that share their times */
    const mrw_clip_moving *moving; /* [moving_count] other linear tracks of joints */
    const uint32_t *loose;         /* [loose_count] all others that are not constant, by index */

    mrw_clip_packed packed; /* what has no tracks */
} mrw_clip;

/* Validates the bytes of a clip asset and fills the view. Errors: those of
 * mrw_asset_open, WRONG_KIND, BAD_VERSION, BAD_ASSET, NOT_FINITE. */
MRW_API mrw_status mrw_clip_open(const void *bytes, size_t size_bytes, mrw_clip *out_clip,
                                 mrw_error *out_error);

/* Floats of one value of a kind: 3, 4, 3 or 1; 0 for a number that is no kind. */
MRW_API uint32_t mrw_track_width(mrw_track_kind kind);

/* The numbers of one key: its value, or for MRW_INTERPOLATION_CUBIC in-tangent, value and
 * out-tangent one after the other. Returns how many these are; 0 for a track or key that the clip
 * does not have. */
MRW_API uint32_t mrw_clip_key(const mrw_clip *clip, uint32_t track, uint32_t key,
                              float out_numbers[12]);

/* The value that a part of a joint has at all times, with or without a track that says so too: of
 * the tracks of a packed clip only those that move are left. Returns its width, 0 if the part is
 * not constant. Time linear in the clip's joints. */
MRW_API uint32_t mrw_clip_constant(const mrw_clip *clip, uint32_t joint, mrw_track_kind kind,
                                   float out_value[4]);

/* The time at which to sample: with `loop` time_s modulo the duration, exactly, in
 * [0, duration), negative times counted from the end (a time that would round to the
 * duration becomes the largest float below it); without it clamped to [0, duration].
 * 0 for a clip of zero length or a time that is not a number; an infinite time is clamped
 * (0 with `loop`). The time is kept in double until the end, so that hours
 * of looping do not blur it. */
MRW_API float mrw_clip_local_time(const mrw_clip *clip, double time_s, bool loop);

#ifdef __cplusplus
}
#endif

#endif
