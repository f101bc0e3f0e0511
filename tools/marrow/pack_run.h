/* What `marrow pack` works on: files, their clips, and what becomes of each.
 *
 *     paths ──load──▶ sources ──▶ clips ──work, in threads──▶ packed clips ──write──▶ .mrw
 *                                                                  └──▶ table, JSON, page
 *
 * Threads take whole clips, and everything that is printed or written stands in the order of the
 * clips: the bytes are the same for any number of threads.
 */
#ifndef MARROW_TOOL_PACK_RUN_H
#define MARROW_TOOL_PACK_RUN_H

#include "input.h"
#include "metric.h"

#include <marrow/offline/compress.h>

#define PACK_CURVE_POINTS 240
#define PACK_STEM_SIZE 256

typedef struct pack_clip {
    uint32_t source;
    uint32_t clip;            /* of the source */
    char *name;               /* in reports: no two are the same */
    const char *name_in_file; /* the name, or its end */
    mrw_bytes bytes;
    mrw_bytes stored; /* what goes into a file for storage */
    mrw_pack_report report;
    double seconds; /* of one processor */
    double done;    /* share of its packing, about */
    mrw_status status;
    mrw_error error;
    /* Of the page alone: largest error in each part of the clip, in metres. */
    uint32_t curve_count;
    float curve[PACK_CURVE_POINTS];
} pack_clip;

typedef struct pack_run {
    uint32_t source_count;
    cli_input *sources;  /* of one skeleton, unless each becomes a file of its own */
    cli_metric *metrics; /* [source_count] */
    uint32_t clip_count;
    pack_clip *clips;
    mrw_pack_options options; /* without the shells of joints, which are the source's */
    uint32_t thread_count;
    bool with_curves;
    bool with_meshes;    /* and materials */
    bool group_vertices; /* of the meshes */
    bool for_storage;    /* clips are stored ones */
    const char *output;  /* a file, or a folder for one file of each source */
    bool apart;          /* it is a folder */
    size_t file_bytes;   /* written */
} pack_run;

static inline const mrw_character *pack_character(const pack_run *run, const pack_clip *clip)
{
    return run->sources[clip->source].character;
}

static inline const char *pack_joint_name(const pack_run *run, const pack_clip *clip,
                                          uint32_t joint)
{
    return mrw_skeleton_joint_name(&pack_character(run, clip)->skeleton, joint);
}

/* Of the clip in the file. */
static inline size_t pack_written_bytes(const pack_run *run, const pack_clip *clip)
{
    return run->for_storage ? clip->stored.size_bytes : clip->report.packed_bytes;
}

/* What all clips come to. */
typedef struct pack_totals {
    uint64_t raw_bytes, source_bytes, packed_bytes, stored_bytes;
    uint64_t samples;
    double seconds;      /* of the clips' time lines */
    double work_seconds; /* of processors */
    uint32_t copied;     /* clips that were packed already */
    uint32_t worst;      /* the clip with the largest error */
} pack_totals;

pack_totals cli_pack_totals(const pack_run *run);

/* Files and folders to sources and clips, for the run's output. Returns CLI_OK, or another exit
 * status after saying on stderr what is wrong. cli_pack_free frees the run in any case. */
int cli_pack_load(const char *const *paths, uint32_t path_count, bool allow_external,
                  pack_run *run);
void cli_pack_free(pack_run *run);

/* The name of a file without folders and ending. */
void cli_pack_stem(const char *path, char out[PACK_STEM_SIZE]);

/* Packs every clip. Returns as above. */
int cli_pack_work(pack_run *run);

/* The skeleton, skins, packed clips and what else is wanted as a .mrw file, or one of each source.
 * Returns as above. */
int cli_pack_write(pack_run *run);

/* Text returns false if memory ran out. */
bool cli_pack_print_text(const pack_run *run);
void cli_pack_print_json(const pack_run *run);

/* One HTML page with charts that needs nothing else. Returns as above. */
int cli_pack_write_page(const pack_run *run, const char *path);

#endif
