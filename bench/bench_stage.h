/* The stages that are timed, each on one rig. */
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "bench_floors.h"
#include "bench_rig.h"

#include <marrow/offline/compress.h>
#include <marrow/stored_clip.h>

#include <stdbool.h>
#include <stdint.h>

#define BENCH_MAX_STAGES 48

/* Everything that the stages of a rig read and write. */
typedef struct bench_desk bench_desk;

/* Does it call_count times. Returns false if a function of the library fails. */
typedef bool (*bench_run)(bench_desk *desk, uint64_t call_count);

typedef struct bench_stage {
    const char *name;
    const char *unit;  /* "joint", "vertex", "character", "raw byte" */
    double unit_count; /* of a call */
    bench_work work;   /* of a call */
    bench_run run;
    void (*before_run)(void); /* or NULL; its time does not count */
    uint64_t most_calls;      /* of a run; 0: as many as fill its time */
} bench_stage;

typedef struct bench_stages {
    uint32_t count;
    bench_stage list[BENCH_MAX_STAGES];
} bench_stages;

/* Makes the desk of a rig and lists its stages. NULL if a function of the library fails. */
bench_desk *bench_desk_create(const bench_rig *rig, bench_stages *out_stages);

/* --- what the files of stages share ------------------------------------------------- */

enum { BENCH_POSES = 4, BENCH_TIMES = 4096, BENCH_CROWD = 1000 };

typedef struct bench_crowd_member {
    double first_time_s;
    double second_time_s;
    float share; /* of the second clip */
} bench_crowd_member;

/* Joints and weights of a byte each; NULL where there are too many joints. */
typedef struct bench_bytes {
    uint8_t *joints, *weights;
} bench_bytes;

/* A clip, and what packing made of it with the defaults. */
typedef struct bench_packed {
    const mrw_clip *source;
    void *bytes;
    mrw_clip clip;
    mrw_pack_report report;
} bench_packed;

/* A clip in its stored form, and the memory to decode it. */
typedef struct bench_stored {
    void *bytes;
    size_t size_bytes;
    mrw_stored_clip sizes;
    void *clip, *work;
} bench_stored;

/* The same clip again and again, each with bytes and a view of its own. */
typedef struct bench_copies {
    uint32_t count;
    mrw_clip *clips; /* [count] */
} bench_copies;

struct bench_desk {
    const bench_rig *rig;
    mrw_pose poses[BENCH_POSES]; /* of the first and second clip at two times each */
    mrw_pose sampled, sampled_too, blended;
    mrw_pose difference;  /* for an additive layer */
    float *joint_weights; /* [joint_count] 0 to 1 */
    mrw_pose faint;       /* of tiny numbers */
    mrw_mat34 *model;
    mrw_mat34 *palette;
    mrw_dual_quat *dual_quats;
    mrw_mat34 *stretches;
    bool has_stretch;
    float *out_positions, *out_normals, *out_tangents;
    bench_bytes bytes, grouped_bytes; /* influences of the rig and of its grouped vertices */

    double time_s;                   /* where playing in sequence stands */
    uint32_t next_time;              /* of random_times */
    float random_times[BENCH_TIMES]; /* in [0, 1): of a clip's duration */

    bench_packed packed, packed_busiest;      /* of the first and of the busiest clip */
    bench_copies packed_copies, keyed_copies; /* of the first clip */
    bench_stored stored;                      /* the first packed one */

    bench_crowd_member *crowd; /* [BENCH_CROWD] */
    uint32_t next_member;
    mrw_mat34 *crowd_palettes;     /* [BENCH_CROWD][of a character] */
    mrw_crowd_layer *crowd_layers; /* [BENCH_CROWD][2]: the same members */
    mrw_crowd_part crowd_part;
    mrw_crowd_job crowd_job;
    uint32_t next_crowd_call;
};

/* Each adds its stages to the list, and fills its part of the desk. */
bool bench_add_pose_stages(bench_desk *desk, bench_stages *stages);
bool bench_add_packed_stages(bench_desk *desk, bench_stages *stages);
bool bench_add_vertex_stages(bench_desk *desk, bench_stages *stages);
bool bench_add_crowd_stage(bench_desk *desk, bench_stages *stages);

/* Returns the stage of the list. */
bench_stage *bench_add_stage(bench_stages *stages, const char *name, const char *unit,
                             double unit_count, bench_work work, bench_run run);

/* Counts of operations that each stage needs by its formula: see bench_stages_pose.c. */
double bench_tracks_of(const mrw_clip *clip, mrw_track_kind kind, bool moving_only);
bench_work bench_sample_work(const mrw_clip *clip, const mrw_skeleton *skeleton);
bench_work bench_blend_work(const mrw_skeleton *skeleton, uint32_t layer_count);
bench_work bench_model_work(const bench_rig *rig);
bench_work bench_palette_work(const bench_rig *rig);

/* One call each, from and to the desk; used by more than one stage. */
mrw_status bench_sample_at(const bench_rig *rig, const mrw_clip *clip, double time_s,
                           mrw_pose *out_pose);
mrw_status bench_blend_poses(const bench_rig *rig, const mrw_pose *a, const mrw_pose *b,
                             float share, mrw_pose *out_pose);
mrw_status bench_model_of(bench_desk *desk, const mrw_pose *pose);
mrw_status bench_pose_to_palette(bench_desk *desk, const mrw_pose *pose, mrw_mat34 *out_palette);
mrw_status bench_palette_of(bench_desk *desk, mrw_mat34 *out_palette);

#endif
