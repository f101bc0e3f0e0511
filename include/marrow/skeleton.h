/* marrow/skeleton.h: an immutable hierarchy of joints with its rest pose.
 *
 * Joints stand parents-first: parent < child. A skeleton holds every node of the
 * source that matters (joints of skins, nodes between and above them, animated
 * nodes, nodes that carry a mesh), so that no transform of the file is lost. It also
 * names the scalars that its clips can animate, morph weights above all.
 *
 * Made offline by mrw_build_skeleton; the format is docs/format/skeleton_v1.md.
 */
#ifndef MARROW_SKELETON_H
#define MARROW_SKELETON_H

#include <marrow/asset.h>
#include <marrow/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MRW_SKELETON_VERSION 1

/* A view on the asset's bytes. Read its fields freely, write none. */
typedef struct mrw_skeleton {
    const mrw_asset_header *header;
    uint32_t joint_count;  /* 0 to MRW_MAX_JOINTS */
    uint32_t scalar_count;
    const int32_t *parents;             /* [joint_count] -1 for a root, else < its own index */
    const int32_t *source_nodes;        /* [joint_count] index of the node in the source file */
    const uint64_t *name_hashes;        /* [joint_count] mrw_name_hash of the name */
    const uint32_t *joints_by_name;     /* [joint_count] joints in the order of their name hashes */
    const uint32_t *name_offsets;       /* [joint_count + scalar_count] into name_bytes */
    const char *name_bytes;             /* NUL-terminated UTF-8; every joint's name is unique */
    const mrw_pose_block *rest_blocks;  /* [ceil(joint_count / 8)] */
    const float *rest_scalars;          /* [scalar_count] */
} mrw_skeleton;

/* The hash of a joint's name: FNV-1a, 64 bits, over the bytes without the NUL. */
MRW_API uint64_t mrw_name_hash(const char *name);

/* Validates the bytes of a skeleton asset (counts, offsets, order, unit rotations, finite
 * values) and fills the view. Errors: those of mrw_asset_open, WRONG_KIND,
 * BAD_VERSION, BAD_ASSET, JOINT_ORDER, NOT_FINITE. */
MRW_API mrw_status mrw_skeleton_open(const void *bytes, size_t size_bytes,
                                     mrw_skeleton *out_skeleton, mrw_error *out_error);

/* Name of a joint or scalar; "" for an index outside. */
MRW_API const char *mrw_skeleton_joint_name(const mrw_skeleton *skeleton, uint32_t joint);
MRW_API const char *mrw_skeleton_scalar_name(const mrw_skeleton *skeleton, uint32_t scalar);
/* Index of the joint with this name, -1 if there is none. Logarithmic in joint_count. */
MRW_API int32_t mrw_skeleton_find_joint(const mrw_skeleton *skeleton, const char *name);
/* Identity of the skeleton (header->skeleton_id): clips and skins carry the same. */
MRW_API uint64_t mrw_skeleton_id(const mrw_skeleton *skeleton);

/* Writes the rest pose. Errors: NULL_ARGUMENT, JOINT_COUNT, SCALAR_COUNT. */
MRW_API mrw_status mrw_skeleton_rest_pose(const mrw_skeleton *skeleton, mrw_pose *out_pose);

#ifdef __cplusplus
}
#endif

#endif
