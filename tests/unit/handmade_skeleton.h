/* A skeleton asset written by hand, field by field as docs/format/skeleton_v1.md says, so that
 * readers are tested against the format and not against the builder:
 *
 *     root ─┬─ arm ── hand          scalar: smile
 *           └─ leg
 */
#ifndef TESTS_HANDMADE_SKELETON_H
#define TESTS_HANDMADE_SKELETON_H

#include "skeleton/skeleton_format.h"

#include <string.h>

enum { HANDMADE_JOINTS = 4 };

typedef struct handmade_skeleton {
    _Alignas(64) mrwi_skeleton_content content;
    _Alignas(64) int32_t parents[HANDMADE_JOINTS];
    _Alignas(64) int32_t source_nodes[HANDMADE_JOINTS];
    _Alignas(64) uint64_t name_hashes[HANDMADE_JOINTS];
    _Alignas(64) uint32_t name_order[HANDMADE_JOINTS];
    _Alignas(64) uint32_t name_offsets[HANDMADE_JOINTS + 1];
    _Alignas(64) char names[24]; /* root, arm, leg, hand, smile */
    _Alignas(64) mrw_pose_block rest[1];
    _Alignas(64) float rest_scalars[1];
} handmade_skeleton;

/* The id by its definition: the checksum of a list of words. */
static inline uint64_t handmade_id(const handmade_skeleton *made)
{
    uint64_t words[2 + 2 * HANDMADE_JOINTS + 1];
    size_t count = 0;
    words[count++] = HANDMADE_JOINTS;
    words[count++] = 1;
    for (int i = 0; i < HANDMADE_JOINTS; i++) {
        words[count++] = (uint32_t)made->parents[i];
        words[count++] = made->name_hashes[i];
    }
    words[count++] = mrw_name_hash(made->names + made->name_offsets[HANDMADE_JOINTS]);
    return mrw_asset_checksum(words, sizeof(words));
}

/* The checksum again, after a test has changed something. */
static inline void handmade_skeleton_seal(handmade_skeleton *made)
{
    made->content.header.checksum = mrw_asset_checksum(
        (const char *)made + sizeof(mrw_asset_header), sizeof(*made) - sizeof(mrw_asset_header));
}

static inline void handmade_rest(handmade_skeleton *made)
{
    for (int lane = 0; lane < MRW_POSE_LANES; lane++) {
        made->rest[0].rotation[3][lane] = 1.0f;
        for (int axis = 0; axis < 3; axis++)
            made->rest[0].scale[axis][lane] = 1.0f;
    }
    made->rest[0].translation[1][1] = 2.0f; /* the arm, 2 above the root */
    made->rest[0].rotation[2][3] = 0.6f;    /* the hand, turned about Z */
    made->rest[0].rotation[3][3] = 0.8f;
    made->rest[0].scale[0][2] = -1.0f; /* the leg, mirrored */
    made->rest_scalars[0] = 0.25f;
}

static inline void handmade_skeleton_init(handmade_skeleton *made)
{
    static const int32_t parents[HANDMADE_JOINTS] = {-1, 0, 0, 1};
    static const int32_t source_nodes[HANDMADE_JOINTS] = {7, 3, 9, 0};
    static const uint32_t name_offsets[HANDMADE_JOINTS + 1] = {0, 5, 9, 13, 18};
    static const char names[24] = "root\0arm\0leg\0hand\0smile";
    memset(made, 0, sizeof(*made));
    memcpy(made->parents, parents, sizeof(parents));
    memcpy(made->source_nodes, source_nodes, sizeof(source_nodes));
    memcpy(made->name_offsets, name_offsets, sizeof(name_offsets));
    memcpy(made->names, names, sizeof(names));
    for (uint32_t i = 0; i < HANDMADE_JOINTS; i++) {
        made->name_hashes[i] = mrw_name_hash(names + name_offsets[i]);
        /* Insertion into the sorted list. */
        uint32_t at = i;
        for (; at > 0 && made->name_hashes[made->name_order[at - 1]] > made->name_hashes[i]; at--)
            made->name_order[at] = made->name_order[at - 1];
        made->name_order[at] = i;
    }
    handmade_rest(made);

    mrwi_skeleton_content *content = &made->content;
    content->joint_count = HANDMADE_JOINTS;
    content->scalar_count = 1;
    content->name_size_bytes = sizeof(names);
    content->parents_offset = offsetof(handmade_skeleton, parents);
    content->source_nodes_offset = offsetof(handmade_skeleton, source_nodes);
    content->name_hashes_offset = offsetof(handmade_skeleton, name_hashes);
    content->name_order_offset = offsetof(handmade_skeleton, name_order);
    content->name_offsets_offset = offsetof(handmade_skeleton, name_offsets);
    content->names_offset = offsetof(handmade_skeleton, names);
    content->rest_blocks_offset = offsetof(handmade_skeleton, rest);
    content->rest_scalars_offset = offsetof(handmade_skeleton, rest_scalars);
    content->header.magic = MRW_ASSET_MAGIC;
    content->header.kind = MRW_ASSET_SKELETON;
    content->header.version = MRW_SKELETON_VERSION;
    content->header.size_bytes = sizeof(*made);
    content->header.skeleton_id = handmade_id(made);
    handmade_skeleton_seal(made);
}

#endif
