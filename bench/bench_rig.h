/* What is measured: a skeleton, clips, a skin and vertices, from wherever they come. */
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include <marrow/marrow.h>

#include <stdbool.h>
#include <stdint.h>

enum { BENCH_MORPH_TARGETS = 4 };

typedef struct bench_rig {
    const char *name;
    double metres_per_unit; /* for packing */
    const mrw_skeleton *skeleton;
    uint32_t depth; /* joints on the longest way from a root to a joint, both counted */
    uint32_t clip_count;
    const mrw_clip *clips; /* [clip_count] */
    const mrw_clip *first; /* the clip that stages play: one that is called walk..., or the first */
    const mrw_clip *second;  /* the one after it */
    const mrw_clip *busiest; /* the one with most tracks */
    const mrw_skin *skin;    /* or NULL: then there are no vertices either */

    /* The skinned mesh with most vertices, tightly packed. Where it has no normals or tangents,
     * any vectors of unit length stand in their place: they cost the same. */
    uint32_t vertex_count;
    uint32_t influence_count;
    const float *positions;
    const float *normals;
    const float *tangents;
    const uint16_t *joints;
    const float *weights;
    const struct mrw_mesh *grouped;                /* the same vertices, grouped by their joints */
    mrw_morph_target targets[BENCH_MORPH_TARGETS]; /* made up, positions and normals */
    mrw_morph_target sparse_targets[BENCH_MORPH_TARGETS]; /* the same for a tenth of the vertices */

    /* What the above lives in. */
    struct mrw_character *character;
    struct mrw_character *grouped_character;
    struct bench_rig_parts *parts;
} bench_rig;

/* From a file of any format that the library reads; the demo's biped if path is NULL. Says on
 * stderr what is wrong, and returns false. */
bool bench_rig_load(const char *path, bench_rig *out_rig);

/* From a file of plain numbers, all little-endian and 32 bits wide: the number of joints J; J
 * parents (-1 for a root); J rest transforms (translation xyz, rotation xyzw, scale xyz); J inverse
 * bind matrices, column-major; four clips (frames F, seconds, frames per second, then F * J
 * transforms); the number n of vertices, n positions, n normals, n * 4 joints and n * 4 weights.
 * What does not move in a clip gets no track, everything else a key for each frame. */
bool bench_rig_load_numbers(const char *path, bench_rig *out_rig);

/* Fills in what can be told from skeleton, clips and vertices: first, second, busiest, depth,
 * tangents, targets, grouped. */
bool bench_rig_complete(bench_rig *rig);

/* Fills in `grouped` from the vertices. */
bool bench_rig_group(bench_rig *rig);

void bench_rig_free(bench_rig *rig);
/* Frees what bench_rig_load_numbers made. NULL is allowed. */
void bench_rig_free_parts(struct bench_rig_parts *parts);

#endif
