/* Skeletons as validated views.
 *
 * Two things in the format are there for the validator alone, which has no memory and must be
 * linear in the size of the file:
 *
 * - Names stand packed, one after the other, in the order of joints and then scalars. If they could
 *   overlap, 65,535 joints could share one name of megabytes, and hashing them would take hours.
 * - name_order lists the joints sorted by name hash (equal hashes by the bytes of the name). That
 *   each entry comes strictly after the one before proves that no two names are equal and that no
 *   joint is listed twice. Finding a joint by name is a binary search in the same list.
 */
#include <marrow/skeleton.h>

#include "asset/asset_reader.h"
#include "asset/hash.h"
#include "base/error.h"
#include "base/finite.h"
#include "pose/pose_block.h"
#include "skeleton/name_order.h"
#include "skeleton/skeleton_format.h"
#include "skeleton/skeleton_id.h"

#include <string.h>

_Static_assert(sizeof(mrw_transform) == 10 * sizeof(float), "read as an array of floats");

uint64_t mrw_name_hash(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

uint64_t mrwi_skeleton_compute_id(const mrw_skeleton *skeleton)
{
    uint64_t joint_count = skeleton->joint_count;
    uint64_t scalar_count = skeleton->scalar_count;
    uint64_t id = mrwi_hash_begin(8 * (2 + 2 * joint_count + scalar_count));
    id = mrwi_hash_word(id, joint_count);
    id = mrwi_hash_word(id, scalar_count);
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        id = mrwi_hash_word(id, (uint32_t)skeleton->parents[i]);
        id = mrwi_hash_word(id, skeleton->name_hashes[i]);
    }
    for (uint32_t i = 0; i < skeleton->scalar_count; i++)
        id = mrwi_hash_word(id, mrw_name_hash(mrw_skeleton_scalar_name(skeleton, i)));
    return id;
}

/* --- validation ---------------------------------------------------------------------- */

static mrw_status check_counts(const mrwi_skeleton_content *content, mrw_error *out_error)
{
    const mrw_asset_header *header = &content->header;
    if (content->joint_count > MRW_MAX_JOINTS)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->joint_count, "joint_count",
                               "more than 65,535 joints", out_error);
    if (content->scalar_count > MRW_MAX_SCALARS)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->scalar_count, "scalar_count",
                               "more than 2^24 scalars", out_error);
    if (content->reserved != 0)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->reserved, "reserved",
                               "not zero", out_error);
    return MRW_OK;
}

/* Points the view at the sections; what is in them is not looked at yet. */
static mrw_status find_sections(const mrwi_skeleton_content *content, mrw_skeleton *view,
                                mrw_error *out_error)
{
    uint32_t joints = content->joint_count;
    uint32_t scalars = content->scalar_count;
    const struct {
        const char *name;
        uint64_t offset;
        uint64_t count;
        size_t element_bytes;
    } sections[] = {
        {"parents", content->parents_offset, joints, sizeof(int32_t)},
        {"source_nodes", content->source_nodes_offset, joints, sizeof(int32_t)},
        {"name_hashes", content->name_hashes_offset, joints, sizeof(uint64_t)},
        {"name_order", content->name_order_offset, joints, sizeof(uint32_t)},
        {"name_offsets", content->name_offsets_offset, (uint64_t)joints + scalars,
         sizeof(uint32_t)},
        {"names", content->names_offset, content->name_size_bytes, 1},
        {"rest_blocks", content->rest_blocks_offset, mrwi_block_count(joints),
         sizeof(mrw_pose_block)},
        {"rest_scalars", content->rest_scalars_offset, scalars, sizeof(float)},
    };
    const void *found[sizeof(sections) / sizeof(sections[0])];
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        mrw_status status =
            mrwi_asset_section(&content->header, sections[i].name, sections[i].offset,
                               sections[i].count, sections[i].element_bytes, &found[i], out_error);
        if (status != MRW_OK)
            return status;
    }
    view->header = &content->header;
    view->joint_count = joints;
    view->scalar_count = scalars;
    view->parents = found[0];
    view->source_nodes = found[1];
    view->name_hashes = found[2];
    view->joints_by_name = found[3];
    view->name_offsets = found[4];
    view->name_bytes = found[5];
    view->rest_blocks = found[6];
    view->rest_scalars = found[7];
    return MRW_OK;
}

static mrw_status check_parents(const mrw_skeleton *view, mrw_error *out_error)
{
    for (uint32_t i = 0; i < view->joint_count; i++) {
        int32_t parent = view->parents[i];
        if (parent < -1)
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &view->parents[i],
                                           "parents", i, "", "below -1", out_error);
        if (parent >= (int32_t)i)
            return mrwi_asset_fail_element(view->header, MRW_ERR_JOINT_ORDER, &view->parents[i],
                                           "parents", i, "", "not before its joint", out_error);
    }
    return MRW_OK;
}

static mrw_status check_name(const mrw_skeleton *view, uint32_t index, size_t *position,
                             size_t name_size_bytes, mrw_error *out_error)
{
    const uint32_t *offset = &view->name_offsets[index];
    if (*offset != *position)
        return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, offset, "name_offsets",
                                       index, "", "names do not follow one another", out_error);
    const char *name = view->name_bytes + *position;
    size_t length = 0;
    if (!mrwi_asset_string(name, name_size_bytes - *position, &length))
        return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, name, "names", index, "",
                                       "not NUL-terminated UTF-8", out_error);
    if (index < view->joint_count && view->name_hashes[index] != mrw_name_hash(name))
        return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &view->name_hashes[index],
                                       "name_hashes", index, "", "not the hash of the name",
                                       out_error);
    *position += length + 1;
    return MRW_OK;
}

static mrw_status check_names(const mrw_skeleton *view, const mrwi_skeleton_content *content,
                              mrw_error *out_error)
{
    size_t position = 0;
    for (uint32_t i = 0; i < view->joint_count + view->scalar_count; i++) {
        mrw_status status = check_name(view, i, &position, content->name_size_bytes, out_error);
        if (status != MRW_OK)
            return status;
    }
    if (position != content->name_size_bytes)
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &content->name_size_bytes,
                               "name_size_bytes", "bytes behind the last name", out_error);
    return MRW_OK;
}

/* Whether joint a stands before joint b in name_order. */
static bool name_precedes(const mrw_skeleton *view, uint32_t a, uint32_t b)
{
    if (view->name_hashes[a] != view->name_hashes[b])
        return view->name_hashes[a] < view->name_hashes[b];
    return strcmp(mrw_skeleton_joint_name(view, a), mrw_skeleton_joint_name(view, b)) < 0;
}

static mrw_status check_name_order(const mrw_skeleton *view, mrw_error *out_error)
{
    const uint32_t *order = view->joints_by_name;
    for (uint32_t i = 0; i < view->joint_count; i++) {
        if (order[i] >= view->joint_count)
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &order[i], "name_order",
                                           i, "", "no joint of the skeleton", out_error);
        if (i > 0 && !name_precedes(view, order[i - 1], order[i]))
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &order[i], "name_order",
                                           i, "", "not sorted, or a name twice", out_error);
    }
    return MRW_OK;
}

static mrw_status check_rest_joint(const mrw_skeleton *view, uint32_t joint, mrw_error *out_error)
{
    mrw_transform rest = mrwi_block_get(view->rest_blocks, joint);
    const mrw_pose_block *block = &view->rest_blocks[joint / MRW_POSE_LANES];
    if (!mrwi_all_finite((const float *)&rest, sizeof(rest) / sizeof(float)))
        return mrwi_asset_fail_element(view->header, MRW_ERR_NOT_FINITE, block, "rest", joint, "",
                                       mrw_status_text(MRW_ERR_NOT_FINITE), out_error);
    if (!mrwi_asset_is_unit((const float *)&rest.rotation))
        return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, block->rotation, "rest",
                                       joint, ".rotation", "not of unit length", out_error);
    return MRW_OK;
}

/* Compares bytes: -0 in a padding lane would not be the identity bit for bit. */
static bool is_identity(const mrw_transform *transform)
{
    const mrw_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    return memcmp(transform, &identity, sizeof(identity)) == 0;
}

static mrw_status check_rest_pose(const mrw_skeleton *view, mrw_error *out_error)
{
    for (uint32_t joint = 0; joint < view->joint_count; joint++) {
        mrw_status status = check_rest_joint(view, joint, out_error);
        if (status != MRW_OK)
            return status;
    }
    uint32_t lane_count = mrwi_block_count(view->joint_count) * MRW_POSE_LANES;
    for (uint32_t lane = view->joint_count; lane < lane_count; lane++) {
        mrw_transform padding = mrwi_block_get(view->rest_blocks, lane);
        if (!is_identity(&padding))
            return mrwi_asset_fail_element(
                view->header, MRW_ERR_BAD_ASSET, &view->rest_blocks[lane / MRW_POSE_LANES], "rest",
                lane, "", "a lane past the last joint is not the identity", out_error);
    }
    for (uint32_t i = 0; i < view->scalar_count; i++)
        if (!mrwi_is_finite(view->rest_scalars[i]))
            return mrwi_asset_fail_element(view->header, MRW_ERR_NOT_FINITE, &view->rest_scalars[i],
                                           "rest_scalars", i, "",
                                           mrw_status_text(MRW_ERR_NOT_FINITE), out_error);
    return MRW_OK;
}

static mrw_status check_id(const mrw_skeleton *view, mrw_error *out_error)
{
    if (mrwi_skeleton_compute_id(view) != view->header->skeleton_id)
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &view->header->skeleton_id,
                               "header.skeleton_id", "not the id of this skeleton", out_error);
    return MRW_OK;
}

mrw_status mrw_skeleton_open(const void *bytes, size_t size_bytes, mrw_skeleton *out_skeleton,
                             mrw_error *out_error)
{
    if (out_skeleton == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_skeleton");
    memset(out_skeleton, 0, sizeof(*out_skeleton));
    const mrw_asset_header *header = NULL;
    mrw_status status =
        mrwi_asset_open_kind(bytes, size_bytes, MRW_ASSET_SKELETON, MRW_SKELETON_VERSION,
                             sizeof(mrwi_skeleton_content), &header, out_error);
    if (status != MRW_OK)
        return status;

    const mrwi_skeleton_content *content = (const mrwi_skeleton_content *)header;
    mrw_skeleton view = {0};
    status = check_counts(content, out_error);
    if (status == MRW_OK)
        status = find_sections(content, &view, out_error);
    if (status == MRW_OK)
        status = check_parents(&view, out_error);
    if (status == MRW_OK)
        status = check_names(&view, content, out_error);
    if (status == MRW_OK)
        status = check_name_order(&view, out_error);
    if (status == MRW_OK)
        status = check_rest_pose(&view, out_error);
    if (status == MRW_OK)
        status = check_id(&view, out_error);
    if (status == MRW_OK)
        *out_skeleton = view;
    return status;
}

/* --- access ------------------------------------------------------------------------------ */

const char *mrw_skeleton_joint_name(const mrw_skeleton *skeleton, uint32_t joint)
{
    if (joint >= skeleton->joint_count)
        return "";
    return skeleton->name_bytes + skeleton->name_offsets[joint];
}

const char *mrw_skeleton_scalar_name(const mrw_skeleton *skeleton, uint32_t scalar)
{
    if (scalar >= skeleton->scalar_count)
        return "";
    return skeleton->name_bytes + skeleton->name_offsets[skeleton->joint_count + scalar];
}

int32_t mrw_skeleton_find_joint(const mrw_skeleton *skeleton, const char *name)
{
    const uint32_t *order = skeleton->joints_by_name;
    uint64_t hash = mrw_name_hash(name);
    uint32_t first = mrwi_name_order_find(skeleton, hash);
    for (; first < skeleton->joint_count && skeleton->name_hashes[order[first]] == hash; first++)
        if (strcmp(mrw_skeleton_joint_name(skeleton, order[first]), name) == 0)
            return (int32_t)order[first];
    return -1;
}

uint64_t mrw_skeleton_id(const mrw_skeleton *skeleton)
{
    return skeleton->header->skeleton_id;
}

mrw_status mrw_skeleton_rest_pose(const mrw_skeleton *skeleton, mrw_pose *out_pose)
{
    if (skeleton == NULL || out_pose == NULL || !mrwi_pose_has_memory(out_pose))
        return MRW_ERR_NULL_ARGUMENT;
    if (out_pose->joint_count != skeleton->joint_count)
        return MRW_ERR_JOINT_COUNT;
    if (out_pose->scalar_count != skeleton->scalar_count)
        return MRW_ERR_SCALAR_COUNT;
    if (skeleton->joint_count > 0)
        memcpy(out_pose->blocks, skeleton->rest_blocks,
               mrwi_block_count(skeleton->joint_count) * sizeof(mrw_pose_block));
    if (skeleton->scalar_count > 0)
        memcpy(out_pose->scalars, skeleton->rest_scalars, skeleton->scalar_count * sizeof(float));
    return MRW_OK;
}
