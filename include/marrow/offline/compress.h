/* marrow/offline/compress.h: clips made small, with a bound on what that costs; and how far two
 * clips are apart.
 *
 * Error is a distance. Around each joint lie the points of a shell, a sphere that turns with the
 * joint and stands for what is skinned to it. The error at a time is how far the farthest point of
 * the shell stands from where the source has it, in model space, through the whole hierarchy: an
 * error of a shoulder counts at the hand. For two rigid transforms that is
 *
 *     |difference of the joints' origins| + radius * 2 sin(angle between them / 2)     at most,
 *
 * and the measure takes three points on the axes of the joint, as the Animation Compression Library
 * does, so that numbers can be compared. The radius is one of model space, in the rest pose: under
 * an armature that is scaled by 0.01, a shell of 3 cm is 3 of the joint's own units where the
 * skeleton is in metres. For that the scale of a joint is the product of the largest scales of
 * itself and of each ancestor at rest; one below 1/2000, by which joints are hidden, counts as 1.
 */
#ifndef MARROW_OFFLINE_COMPRESS_H
#define MARROW_OFFLINE_COMPRESS_H

#include <marrow/offline/build.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- measuring ---------------------------------------------------------------------- */

/* What a set of errors comes to, in metres. */
typedef struct mrw_error_stats {
    double largest, p99, p50, rms;
    double largest_time_s; /* where the largest stands */
    uint32_t largest_joint;
} mrw_error_stats;

typedef struct mrw_compare_options {
    size_t struct_size;
    mrw_memory_options memory;
    double metres_per_unit;      /* of model space */
    double shell_m;              /* radius of every joint that has none of its own */
    const float *joint_shells_m; /* [joint_count] or NULL */
    double samples_per_second;   /* > 0: at so many times a second; 0: at every key and sample of
                                  * both, and just before the keys of steps and the end */
    uint32_t between;            /* further times evenly between each two of these, at most 64 */
} mrw_compare_options;

static inline mrw_compare_options mrw_compare_options_default(void)
{
    mrw_compare_options options = {
        sizeof(mrw_compare_options), {{NULL, NULL, NULL}, 0, 0, false}, 1.0, 0.03, NULL, 0.0, 3};
    return options;
}

/* How far clip b is from clip a. Freed by mrw_comparison_free. */
typedef struct mrw_comparison {
    uint32_t joint_count, time_count;
    const double *times_s;   /* [time_count] ascending */
    const float *errors_m;   /* [time_count][joint_count] */
    mrw_error_stats all;     /* joints and times */
    mrw_error_stats *joints; /* [joint_count] largest_joint is the joint itself */
    double scalar_largest;   /* largest difference of a scalar, 0 without any */
    uint32_t scalar_largest_index;
    struct mrwi_comparison_owner *owner; /* internal */
} mrw_comparison;

/* Both clips are sampled by mrw_sample, on the skeleton that they share; model space and distances
 * are computed in double. Errors: NULL_ARGUMENT, STRUCT_SIZE, INVALID_ARGUMENT, SKELETON_MISMATCH,
 * OUT_OF_MEMORY, MEMORY_LIMIT; *out_comparison is NULL then. */
MRW_API mrw_status mrw_compare_clips(const mrw_skeleton *skeleton, const mrw_clip *a,
                                     const mrw_clip *b, const mrw_compare_options *options,
                                     mrw_comparison **out_comparison, mrw_error *out_error);

MRW_API void mrw_comparison_free(mrw_comparison *comparison);

/* Shells for characters of any size: for each joint the distance of the farthest vertex that it
 * moves, where it was bound (through the inverse bind matrix), in metres of model space in the rest
 * pose; but at least `least_m`, which joints that move none get. A mesh without a skin counts for
 * the joint that carries it. Morph targets do not count. out_shells_m: [joint_count of the
 * skeleton]. Errors: NULL_ARGUMENT, INVALID_ARGUMENT, OUT_OF_MEMORY. */
MRW_API mrw_status mrw_joint_shells(const mrw_character *character, double metres_per_unit,
                                    double least_m, float *out_shells_m, mrw_error *out_error);

/* --- packing ------------------------------------------------------------------------ */

typedef enum mrw_pack_effort {
    MRW_PACK_FAST = 0,
    MRW_PACK_DEFAULT = 1,
    MRW_PACK_BEST = 2 /* two to four times as long for one per cent at most, not of every clip */
} mrw_pack_effort;

typedef enum mrw_pack_target {
    MRW_PACK_LARGEST = 0, /* no joint is farther off than its tolerance at any time measured */
    MRW_PACK_P99 = 1      /* 99 of 100 joints and samples are not: what others call a target */
} mrw_pack_target;

/* How far a packing is: so many tries are behind it, and this share, 0..1, of the one at hand. How
 * many there will be nobody knows before; mostly fewer than ten. Called on the thread that packs,
 * and each time it is farther than before. */
typedef void (*mrw_pack_progress)(void *user, uint32_t tries_done, double share_of_try);

typedef struct mrw_pack_options {
    size_t struct_size;
    mrw_memory_options memory;
    mrw_pack_effort effort;
    mrw_pack_target target;
    double metres_per_unit;          /* of model space; 1 for glTF, 0.01 for centimetres */
    double tolerance_m;              /* > 0, of every joint that has none of its own */
    const float *joint_tolerances_m; /* [joint_count] or NULL */
    double shell_m;                  /* >= 0, the radius of every joint that has none of its own */
    const float *joint_shells_m;     /* [joint_count] or NULL; see mrw_joint_shells */
    double scalar_tolerance;         /* > 0, of scalars (morph weights), which have no place */
    double samples_per_second;       /* 1 to 1000; 0: as the keys of the source ask for */
    bool repack; /* pack what is packed once more: the errors of both times add up; default false */
    mrw_pack_progress progress; /* or NULL */
    void *progress_user;
} mrw_pack_options;

static inline mrw_pack_options mrw_pack_options_default(void)
{
    mrw_pack_options options = {sizeof(mrw_pack_options),
                                {{NULL, NULL, NULL}, 0, 0, false},
                                MRW_PACK_DEFAULT,
                                MRW_PACK_LARGEST,
                                1.0,
                                1e-4,
                                NULL,
                                0.03,
                                NULL,
                                1e-3,
                                0.0,
                                false,
                                NULL,
                                NULL};
    return options;
}

/* What became of a clip. */
typedef struct mrw_pack_report {
    size_t struct_size; /* set by the caller */
    size_t raw_bytes;   /* 40 a joint and sample: what all methods are compared by */
    size_t source_bytes;
    size_t packed_bytes;
    uint32_t sample_count;     /* 0: its keys were kept, or some of them */
    double samples_per_second; /* on average: samples stand at the keys where these are uneven */
    mrw_error_stats error;     /* of the bytes, measured by mrw_compare_clips */
    bool kept;   /* the tolerance. Always for MRW_PACK_LARGEST: tracks that numbers cannot say well
                  * enough stay as keys. Of MRW_PACK_P99 what was reached stands in `error`. */
    bool copied; /* the source was packed already and is returned as it is: `error`, 0, is against
                  * the source; how far that is from what it was packed from, nobody knows here */
} mrw_pack_report;

/* Packs a clip (docs/format/clip_packed_v1.md), or keeps its keys where they are smaller, without
 * those that the others make. A clip that is packed is copied, unless options ask for more. The
 * same input gives the same bytes on every machine. The bound is measured with mrw_sample on the
 * bytes that are returned, at the samples and between them, against the source's own interpolation.
 * What single precision adds to either clip at other times, some 1e-7 of the distance to the joints
 * that turn a joint, is not part of it: it counts where tolerances are that small. options or NULL
 * for the defaults; out_report or NULL. Errors: NULL_ARGUMENT, STRUCT_SIZE, INVALID_ARGUMENT,
 * SKELETON_MISMATCH, LIMIT, OUT_OF_MEMORY, MEMORY_LIMIT. */
MRW_API mrw_status mrw_pack_clip(const mrw_skeleton *skeleton, const mrw_clip *source,
                                 const mrw_pack_options *options, mrw_bytes *out_clip,
                                 mrw_pack_report *out_report, mrw_error *out_error);

/* --- storing ------------------------------------------------------------------------ */

/* A clip as it is kept on disk and sent (marrow/stored_clip.h, which decodes it), from the bytes of
 * a keyed or packed one. What comes out of decoding was compared with the clip, byte for byte. The
 * same clip gives the same bytes on every machine. Errors: those of mrw_clip_open, LIMIT,
 * OUT_OF_MEMORY, MEMORY_LIMIT. *out_stored is empty then; else mrw_bytes_free frees it. */
MRW_API mrw_status mrw_store_clip(const void *clip, size_t size_bytes,
                                  const mrw_memory_options *memory, mrw_bytes *out_stored,
                                  mrw_error *out_error);

/* The keys of a packed clip, one for each sample, and those that it kept; a keyed clip as it is. Errors: those of
 * mrw_build_clip, SKELETON_MISMATCH. *out_clip is empty then; else mrw_bytes_free frees it. */
MRW_API mrw_status mrw_unpack_clip(const mrw_skeleton *skeleton, const mrw_clip *clip,
                                   const mrw_memory_options *memory, mrw_bytes *out_clip,
                                   mrw_error *out_error);

#ifdef __cplusplus
}
#endif

#endif
