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

typedef struct pack_clip {
    uint32_t source;
    uint32_t clip; /* of the source */
    char *name;    /* in the file that is written: no two are the same */
    mrw_bytes bytes;
    mrw_pack_report report;
    double seconds; /* of one processor */
    mrw_status status;
    mrw_error error;
    /* Of the page alone: largest error in each part of the clip, in metres. */
    uint32_t curve_count;
    float curve[PACK_CURVE_POINTS];
} pack_clip;

typedef struct pack_run {
    uint32_t source_count;
    cli_input *sources; /* of one skeleton: the first one's */
    uint32_t clip_count;
    pack_clip *clips;
    cli_metric metric;
    mrw_pack_options options;
    uint32_t thread_count;
    bool with_curves;
    const char *output;
    size_t file_bytes; /* written */
} pack_run;

/* What all clips come to. */
typedef struct pack_totals {
    uint64_t raw_bytes, source_bytes, packed_bytes;
    uint64_t samples;
    double seconds;      /* of the clips' time lines */
    double work_seconds; /* of processors */
    uint32_t worst;      /* the clip with the largest error */
} pack_totals;

pack_totals cli_pack_totals(const pack_run *run);

/* Files and folders to sources and clips. Returns CLI_OK, or another exit status after saying on
 * stderr what is wrong. cli_pack_free frees the run in any case. */
int cli_pack_load(const char *const *paths, uint32_t path_count, bool allow_external,
                  pack_run *run);
void cli_pack_free(pack_run *run);

/* Packs every clip. Returns as above. */
int cli_pack_work(pack_run *run);

/* The skeleton, skins and packed clips as a .mrw file. Returns as above. */
int cli_pack_write(pack_run *run);

/* Text returns false if memory ran out. */
bool cli_pack_print_text(const pack_run *run);
void cli_pack_print_json(const pack_run *run);

/* One HTML page with charts that needs nothing else. Returns as above. */
int cli_pack_write_page(const pack_run *run, const char *path);

#endif
