/* The order of a mesh's vertices that lets skinning read a matrix once for eight of them. */
#ifndef MRWI_OFFLINE_VERTEX_GROUPS_H
#define MRWI_OFFLINE_VERTEX_GROUPS_H

#include <marrow/offline/build.h>

#include "offline/build/influences.h"
#include "offline/memory/arena.h"

/* Orders the vertices of each part by the joints that move them. influences: in the file's order on
 * entry, in the new one afterwards, as mrw_mesh describes it; at least one a vertex.
 * *out_source_vertices: the vertex of the file's order at each place. All arrays lie in `arena`.
 * Errors: OUT_OF_MEMORY, MEMORY_LIMIT, in the status of the arena that failed. */
mrw_status mrwi_group_vertices(const mrw_mesh_part *parts, uint32_t part_count,
                               uint32_t vertex_count, mrwi_arena *arena,
                               mrwi_influences *influences, uint32_t **out_source_vertices);

#endif
