/* Characters of real files as machines without an importer get them: golden_pack writes them,
 * golden_real and golden_wasm.mjs read them. It is a row of records, each a size in bytes (64 bits)
 * in 64 bytes, and then that many bytes, padded to 64. For each character:
 *
 *     the file's name, without NUL
 *     golden_counts
 *     the skeleton, each clip, each skin: assets
 *     for each instance with a mesh: golden_mesh; positions, normals, tangents, joints, weights;
 * positions, normals and tangents of each morph target. Of size 0 where the mesh has none.
 */
#ifndef TESTS_GOLDEN_PACK_H
#define TESTS_GOLDEN_PACK_H

#include <stdint.h>

typedef struct golden_counts {
    uint32_t clip_count;
    uint32_t skin_count;
    uint32_t instance_count;
} golden_counts;

typedef struct golden_mesh {
    uint32_t vertex_count;
    uint32_t influence_count;
    uint32_t target_count;
    int32_t skin;
    uint32_t first_scalar;
} golden_mesh;

enum { GOLDEN_ALIGNMENT = 64, GOLDEN_NO_FILES = 77 };

#define GOLDEN_SKIPPED "skipped: no golden hashes of real files without the shared folder"

#endif
