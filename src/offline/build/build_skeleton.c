/* A skeleton from a list of joints in any order.
 *
 * Joints come out breadth-first, which is parents-first, and children of one parent stand side by
 * side:
 *
 *     list    0 hand  1 root  2 arm  3 leg      parents  2 -1 1 1
 *     order   root arm leg hand                 new index of each  3 0 1 2
 *
 * The children of each joint are found by counting (how many, hence where each one's range begins,
 * then one pass that fills the ranges in the order of the list), so that the whole is linear. A
 * joint that the walk never reaches hangs below a cycle.
 */
#include <marrow/offline/build.h>

#include "base/error.h"
#include "base/finite.h"
#include "offline/build/asset_writer.h"
#include "offline/build/noise.h"
#include "offline/build/unique_names.h"
#include "offline/build/unit_rotation.h"
#include "offline/memory/arena.h"
#include "pose/pose_block.h"
#include "skeleton/skeleton_format.h"
#include "skeleton/skeleton_id.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(mrw_transform) == 10 * sizeof(float), "read as an array of floats");

typedef struct skeleton_builder {
    const mrw_joint_desc *joints;
    uint32_t joint_count;
    const mrw_scalar_desc *scalars;
    uint32_t scalar_count;
    mrwi_arena scratch;
    uint32_t *list_index; /* [joint_count] new order: which joint of the list */
    uint32_t *new_index;  /* [joint_count] the way back */
    const char **names;   /* [joint_count + scalar_count] joints in the order of the list */
    uint64_t name_size_bytes;
    mrw_error *out_error;
} skeleton_builder;

/* --- check ------------------------------------------------------------------------------- */

static mrw_status check_joint(const skeleton_builder *builder, uint32_t index)
{
    const mrw_joint_desc *joint = &builder->joints[index];
    if (joint->parent < -1 || joint->parent >= (int32_t)builder->joint_count)
        return mrwi_fail(builder->out_error, MRW_ERR_INDEX_RANGE, "joints[%u].parent",
                         "joint %d of %u", index, joint->parent, builder->joint_count);
    if (!mrwi_all_finite((const float *)&joint->rest, sizeof(joint->rest) / sizeof(float)))
        return mrwi_fail(builder->out_error, MRW_ERR_NOT_FINITE, "joints[%u].rest", "%s", index,
                         mrw_status_text(MRW_ERR_NOT_FINITE));
    return MRW_OK;
}

static mrw_status check_list(const skeleton_builder *builder)
{
    if (builder->joint_count > MRW_MAX_JOINTS)
        return mrwi_fail(builder->out_error, MRW_ERR_LIMIT, "joint_count",
                         "%u of at most %u joints", builder->joint_count, (uint32_t)MRW_MAX_JOINTS);
    if (builder->scalar_count > MRW_MAX_SCALARS)
        return mrwi_fail(builder->out_error, MRW_ERR_LIMIT, "scalar_count",
                         "%u of at most %u scalars", builder->scalar_count,
                         (uint32_t)MRW_MAX_SCALARS);
    if (builder->joints == NULL && builder->joint_count > 0)
        return mrwi_fail_at(builder->out_error, MRW_ERR_NULL_ARGUMENT, 0, "joints");
    if (builder->scalars == NULL && builder->scalar_count > 0)
        return mrwi_fail_at(builder->out_error, MRW_ERR_NULL_ARGUMENT, 0, "scalars");
    for (uint32_t i = 0; i < builder->joint_count; i++) {
        mrw_status status = check_joint(builder, i);
        if (status != MRW_OK)
            return status;
    }
    for (uint32_t i = 0; i < builder->scalar_count; i++)
        if (!mrwi_is_finite(builder->scalars[i].rest))
            return mrwi_fail(builder->out_error, MRW_ERR_NOT_FINITE, "scalars[%u].rest", "%s", i,
                             mrw_status_text(MRW_ERR_NOT_FINITE));
    return MRW_OK;
}

/* --- order ------------------------------------------------------------------------------- */

/* After joint_count steps towards the root one is on the cycle. */
static mrw_status fail_cycle(const skeleton_builder *builder, const bool *reached)
{
    uint32_t joint = 0;
    while (reached[joint])
        joint++;
    for (uint32_t i = 0; i < builder->joint_count; i++)
        joint = (uint32_t)builder->joints[joint].parent;
    const char *name = builder->joints[joint].name;
    return mrwi_fail(builder->out_error, MRW_ERR_NODE_CYCLE, "joints[%u].parent",
                     "joint \"%s\" is its own ancestor", joint, name != NULL ? name : "");
}

/* Fills list_index and new_index. Place 0 of `starts` counts the roots, place 1 + p the children of
 * p. */
static mrw_status order_joints(skeleton_builder *builder)
{
    uint32_t count = builder->joint_count;
    uint32_t *starts = mrwi_arena_alloc(&builder->scratch, (size_t)count + 2, sizeof(*starts));
    uint32_t *cursors = mrwi_arena_alloc(&builder->scratch, (size_t)count + 1, sizeof(*cursors));
    uint32_t *children = mrwi_arena_alloc(&builder->scratch, count, sizeof(*children));
    bool *reached = mrwi_arena_alloc(&builder->scratch, count, sizeof(*reached));
    builder->list_index = mrwi_arena_alloc(&builder->scratch, count, sizeof(uint32_t));
    builder->new_index = mrwi_arena_alloc(&builder->scratch, count, sizeof(uint32_t));
    if (starts == NULL || cursors == NULL || children == NULL || reached == NULL ||
        builder->list_index == NULL || builder->new_index == NULL)
        return mrwi_arena_fail(&builder->scratch, builder->out_error, "joints");

    for (uint32_t i = 0; i < count; i++)
        starts[builder->joints[i].parent + 2]++;
    for (uint32_t i = 0; i <= count; i++) {
        starts[i + 1] += starts[i];
        cursors[i] = starts[i];
    }
    for (uint32_t i = 0; i < count; i++)
        children[cursors[builder->joints[i].parent + 1]++] = i;

    /* The list that is being written is the queue of the walk. */
    uint32_t written = 0;
    for (uint32_t range = 0, read = 0;; read++) {
        for (uint32_t i = starts[range]; i < starts[range + 1]; i++) {
            builder->list_index[written] = children[i];
            builder->new_index[children[i]] = written++;
            reached[children[i]] = true;
        }
        if (read == written)
            break;
        range = builder->list_index[read] + 1;
    }
    return written == count ? MRW_OK : fail_cycle(builder, reached);
}

/* --- names ------------------------------------------------------------------------------- */

static mrw_status collect_names(skeleton_builder *builder)
{
    mrwi_arena *scratch = &builder->scratch;
    uint32_t count = builder->joint_count + builder->scalar_count;
    builder->names = mrwi_arena_alloc(scratch, count, sizeof(*builder->names));
    if (builder->names == NULL)
        return mrwi_arena_fail(scratch, builder->out_error, "names");
    for (uint32_t i = 0; i < count; i++) {
        const char *name = i < builder->joint_count
                               ? builder->joints[i].name
                               : builder->scalars[i - builder->joint_count].name;
        builder->names[i] = mrwi_asset_name(scratch, name);
        if (builder->names[i] == NULL)
            return mrwi_arena_fail(scratch, builder->out_error, "names");
    }
    if (!mrwi_make_names_unique(scratch, builder->names, builder->joint_count))
        return mrwi_arena_fail(scratch, builder->out_error, "names");
    for (uint32_t i = 0; i < count; i++)
        builder->name_size_bytes += strlen(builder->names[i]) + 1;
    if (builder->name_size_bytes > UINT32_MAX)
        return mrwi_fail(builder->out_error, MRW_ERR_LIMIT, "names",
                         "%z bytes of names, at most 4 GiB", builder->name_size_bytes);
    return MRW_OK;
}

typedef struct hashed_name {
    uint64_t hash;
    const char *name;
    uint32_t joint;
} hashed_name;

static int compare_hashed(const void *left, const void *right)
{
    const hashed_name *a = left;
    const hashed_name *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return strcmp(a->name, b->name);
}

static mrw_status sort_names(skeleton_builder *builder, hashed_name **out_sorted)
{
    uint32_t count = builder->joint_count;
    hashed_name *sorted = mrwi_arena_alloc(&builder->scratch, count, sizeof(*sorted));
    if (sorted == NULL)
        return mrwi_arena_fail(&builder->scratch, builder->out_error, "names");
    for (uint32_t i = 0; i < count; i++) {
        const char *name = builder->names[builder->list_index[i]];
        sorted[i] = (hashed_name){mrw_name_hash(name), name, i};
    }
    if (count > 1)
        qsort(sorted, count, sizeof(*sorted), compare_hashed);
    *out_sorted = sorted;
    return MRW_OK;
}

/* --- bytes ------------------------------------------------------------------------------- */

static mrwi_asset_layout lay_out(const skeleton_builder *builder, mrwi_skeleton_content *content)
{
    uint32_t joints = builder->joint_count;
    uint32_t scalars = builder->scalar_count;
    memset(content, 0, sizeof(*content));
    content->joint_count = joints;
    content->scalar_count = scalars;
    content->name_size_bytes = (uint32_t)builder->name_size_bytes;
    mrwi_asset_layout layout = mrwi_asset_layout_begin(sizeof(*content));
    content->parents_offset = mrwi_asset_layout_section(&layout, joints, sizeof(int32_t));
    content->source_nodes_offset = mrwi_asset_layout_section(&layout, joints, sizeof(int32_t));
    content->name_hashes_offset = mrwi_asset_layout_section(&layout, joints, sizeof(uint64_t));
    content->name_order_offset = mrwi_asset_layout_section(&layout, joints, sizeof(uint32_t));
    content->name_offsets_offset =
        mrwi_asset_layout_section(&layout, (uint64_t)joints + scalars, sizeof(uint32_t));
    content->names_offset = mrwi_asset_layout_section(&layout, builder->name_size_bytes, 1);
    content->rest_blocks_offset =
        mrwi_asset_layout_section(&layout, mrwi_block_count(joints), sizeof(mrw_pose_block));
    content->rest_scalars_offset = mrwi_asset_layout_section(&layout, scalars, sizeof(float));
    return layout;
}

static void drop_noise(mrw_pose_block *blocks, uint32_t joint_count)
{
    float limit = mrwi_translation_noise(blocks, joint_count);
    for (uint32_t i = 0; i < mrwi_block_count(joint_count); i++) {
        mrwi_drop_noise(blocks[i].translation[0], 3 * MRW_POSE_LANES, limit);
        mrwi_drop_noise(blocks[i].rotation[0], 4 * MRW_POSE_LANES, MRWI_ROTATION_NOISE);
    }
}

static void write_joints(const skeleton_builder *builder, const mrwi_skeleton_content *content,
                         uint8_t *data)
{
    int32_t *parents = (int32_t *)(void *)(data + content->parents_offset);
    int32_t *source_nodes = (int32_t *)(void *)(data + content->source_nodes_offset);
    mrw_pose_block *blocks = (mrw_pose_block *)(void *)(data + content->rest_blocks_offset);
    for (uint32_t i = 0; i < builder->joint_count; i++) {
        const mrw_joint_desc *joint = &builder->joints[builder->list_index[i]];
        mrw_transform rest = joint->rest;
        rest.rotation = mrwi_unit_rotation(rest.rotation);
        parents[i] = joint->parent < 0 ? -1 : (int32_t)builder->new_index[joint->parent];
        source_nodes[i] = joint->source_node;
        mrwi_block_set(blocks, i, &rest);
    }
    mrwi_block_pad(blocks, builder->joint_count);
    drop_noise(blocks, builder->joint_count);
    float *scalars = (float *)(void *)(data + content->rest_scalars_offset);
    for (uint32_t i = 0; i < builder->scalar_count; i++)
        scalars[i] = builder->scalars[i].rest;
}

static void write_names(const skeleton_builder *builder, const mrwi_skeleton_content *content,
                        const hashed_name *sorted, uint8_t *data)
{
    uint64_t *hashes = (uint64_t *)(void *)(data + content->name_hashes_offset);
    uint32_t *order = (uint32_t *)(void *)(data + content->name_order_offset);
    uint32_t *offsets = (uint32_t *)(void *)(data + content->name_offsets_offset);
    char *names = (char *)(data + content->names_offset);
    uint32_t position = 0;
    for (uint32_t i = 0; i < builder->joint_count + builder->scalar_count; i++) {
        const char *name = builder->names[i < builder->joint_count ? builder->list_index[i] : i];
        size_t size_bytes = strlen(name) + 1;
        memcpy(names + position, name, size_bytes);
        offsets[i] = position;
        position += (uint32_t)size_bytes;
    }
    for (uint32_t i = 0; i < builder->joint_count; i++) {
        hashes[sorted[i].joint] = sorted[i].hash;
        order[i] = sorted[i].joint;
    }
}

/* The id of what has been written: computed by the reader's own function. */
static uint64_t written_id(const mrwi_skeleton_content *content, const uint8_t *data)
{
    mrw_skeleton view = {0};
    view.joint_count = content->joint_count;
    view.scalar_count = content->scalar_count;
    view.parents = (const int32_t *)(const void *)(data + content->parents_offset);
    view.name_hashes = (const uint64_t *)(const void *)(data + content->name_hashes_offset);
    view.name_offsets = (const uint32_t *)(const void *)(data + content->name_offsets_offset);
    view.name_bytes = (const char *)(data + content->names_offset);
    return mrwi_skeleton_compute_id(&view);
}

static mrw_status build(skeleton_builder *builder, const mrw_memory_options *memory,
                        mrw_bytes *out_skeleton)
{
    hashed_name *sorted = NULL;
    mrw_status status = order_joints(builder);
    if (status == MRW_OK)
        status = collect_names(builder);
    if (status == MRW_OK)
        status = sort_names(builder, &sorted);
    if (status != MRW_OK)
        return status;

    mrwi_skeleton_content content;
    mrwi_asset_layout layout = lay_out(builder, &content);
    status = mrwi_asset_alloc(&layout, memory, &builder->scratch, out_skeleton, builder->out_error);
    if (status != MRW_OK)
        return status;
    memcpy(out_skeleton->data, &content, sizeof(content));
    write_joints(builder, &content, out_skeleton->data);
    write_names(builder, &content, sorted, out_skeleton->data);
    mrwi_asset_finish(out_skeleton, MRW_ASSET_SKELETON, MRW_SKELETON_VERSION,
                      written_id(&content, out_skeleton->data));
    return MRW_OK;
}

mrw_status mrw_build_skeleton(const mrw_joint_desc *joints, uint32_t joint_count,
                              const mrw_scalar_desc *scalars, uint32_t scalar_count,
                              const mrw_memory_options *memory, uint32_t *out_order,
                              mrw_bytes *out_skeleton, mrw_error *out_error)
{
    if (out_skeleton == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_skeleton");
    memset(out_skeleton, 0, sizeof(*out_skeleton));
    skeleton_builder builder = {.joints = joints,
                                .joint_count = joint_count,
                                .scalars = scalars,
                                .scalar_count = scalar_count,
                                .out_error = out_error};
    mrw_status status = check_list(&builder);
    if (status != MRW_OK)
        return status;
    mrwi_arena_init(&builder.scratch, memory);
    status = build(&builder, memory, out_skeleton);
    if (status == MRW_OK && out_order != NULL && joint_count > 0)
        memcpy(out_order, builder.new_index, joint_count * sizeof(*out_order));
    mrwi_arena_free(&builder.scratch);
    return status;
}
