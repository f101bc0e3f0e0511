/* Skeletons: docs/format/skeleton_v1.md. */
#include <marrow/skeleton.h>

#include "unit/asset_damage.h"
#include "unit/handmade_skeleton.h"
#include "unit/near.h"

/* FNV-1a's published test vectors. */
static void name_hash_is_fnv_1a(void **state)
{
    (void)state;
    assert_true(mrw_name_hash("") == 0xcbf29ce484222325u);
    assert_true(mrw_name_hash("a") == 0xaf63dc4c8601ec8cu);
    assert_true(mrw_name_hash("foobar") == 0x85944171f73967e8u);
}

static void a_skeleton_opens_as_a_view(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    mrw_skeleton skeleton;
    assert_int_equal(mrw_skeleton_open(&made, sizeof(made), &skeleton, NULL), MRW_OK);
    assert_ptr_equal(skeleton.header, &made);
    assert_int_equal(skeleton.joint_count, 4);
    assert_int_equal(skeleton.scalar_count, 1);
    assert_ptr_equal(skeleton.parents, made.parents);
    assert_ptr_equal(skeleton.rest_blocks, made.rest);
    assert_int_equal(skeleton.source_nodes[2], 9);
    assert_true(mrw_skeleton_id(&skeleton) == handmade_id(&made));

    assert_string_equal(mrw_skeleton_joint_name(&skeleton, 0), "root");
    assert_string_equal(mrw_skeleton_joint_name(&skeleton, 3), "hand");
    assert_string_equal(mrw_skeleton_joint_name(&skeleton, 4), "");
    assert_string_equal(mrw_skeleton_scalar_name(&skeleton, 0), "smile");
    assert_string_equal(mrw_skeleton_scalar_name(&skeleton, 1), "");
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, "root"), 0);
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, "arm"), 1);
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, "leg"), 2);
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, "hand"), 3);
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, "smile"), -1);
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, ""), -1);
}

static void the_rest_pose_is_copied(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    mrw_skeleton skeleton;
    assert_int_equal(mrw_skeleton_open(&made, sizeof(made), &skeleton, NULL), MRW_OK);
    _Alignas(64) unsigned char memory[1024];
    mrw_pose pose;
    assert_int_equal(mrw_pose_init(memory, sizeof(memory), 4, 1, &pose), MRW_OK);
    assert_int_equal(mrw_skeleton_rest_pose(&skeleton, &pose), MRW_OK);
    assert_true(mrw_pose_joint(&pose, 1).translation.y == 2.0f);
    assert_true(mrw_pose_joint(&pose, 2).scale.x == -1.0f);
    assert_true(mrw_pose_joint(&pose, 3).rotation.z == 0.6f);
    assert_true(pose.scalars[0] == 0.25f);

    assert_int_equal(mrw_skeleton_rest_pose(NULL, &pose), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_skeleton_rest_pose(&skeleton, NULL), MRW_ERR_NULL_ARGUMENT);
    pose.joint_count = 5;
    assert_int_equal(mrw_skeleton_rest_pose(&skeleton, &pose), MRW_ERR_JOINT_COUNT);
    pose.joint_count = 4;
    pose.scalar_count = 0;
    assert_int_equal(mrw_skeleton_rest_pose(&skeleton, &pose), MRW_ERR_SCALAR_COUNT);
}

/* Opens what a test has broken and sealed. */
static void assert_refused(handmade_skeleton *made, mrw_status status, const char *detail,
                           size_t offset)
{
    handmade_skeleton_seal(made);
    mrw_skeleton skeleton;
    mrw_error error = {0};
    assert_int_equal(mrw_skeleton_open(made, sizeof(*made), &skeleton, &error), status);
    assert_string_equal(error.detail, detail);
    assert_int_equal(error.offset, offset);
    assert_null(skeleton.header);
    handmade_skeleton_init(made);
}

#define AT(field) offsetof(handmade_skeleton, field)

static void broken_fields_are_named(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    made.content.header.kind = MRW_ASSET_CLIP;
    assert_refused(&made, MRW_ERR_WRONG_KIND, "header.kind", 4);
    made.content.header.version = 2;
    assert_refused(&made, MRW_ERR_BAD_VERSION, "header.version", 6);
    made.content.joint_count = 65536;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "joint_count", 64);
    made.content.scalar_count = (1u << 24) + 1;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "scalar_count", 68);
    made.content.reserved = 1;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "reserved", 76);
    made.content.joint_count = 65535;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "parents", AT(parents));
    made.content.rest_scalars_offset += 4;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "rest_scalars", AT(rest_scalars) + 4);
    made.content.names_offset = UINT64_MAX & ~(uint64_t)63;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "names", (size_t)(UINT64_MAX & ~(uint64_t)63));
    made.content.header.skeleton_id++;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "header.skeleton_id", 24);
}

static void broken_hierarchies_are_named(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    made.parents[1] = 1;
    assert_refused(&made, MRW_ERR_JOINT_ORDER, "parents[1]", AT(parents) + 4);
    made.parents[1] = 3;
    assert_refused(&made, MRW_ERR_JOINT_ORDER, "parents[1]", AT(parents) + 4);
    made.parents[0] = 0;
    assert_refused(&made, MRW_ERR_JOINT_ORDER, "parents[0]", AT(parents));
    made.parents[3] = -2;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "parents[3]", AT(parents) + 12);
}

static void broken_names_are_named(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    made.name_offsets[2] = 8;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name_offsets[2]", AT(name_offsets) + 8);
    made.name_offsets[4] = UINT32_MAX;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name_offsets[4]", AT(name_offsets) + 16);
    made.names[23] = '!'; /* the last NUL */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "names[4]", AT(names) + 18);
    made.names[1] = (char)0xff;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "names[0]", AT(names));
    made.names[1] = 'O';
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name_hashes[0]", AT(name_hashes));
    made.name_hashes[2] ^= 1;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name_hashes[2]", AT(name_hashes) + 16);
    made.content.name_size_bytes = 25;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name_size_bytes", 72);
    made.content.name_size_bytes = 23;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "names[4]", AT(names) + 18);
}

static void broken_name_orders_are_named(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    made.name_order[3] = 4;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name_order[3]", AT(name_order) + 12);
    uint32_t first = made.name_order[0];
    made.name_order[0] = made.name_order[1];
    made.name_order[1] = first;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name_order[1]", AT(name_order) + 4);
    made.name_order[2] = made.name_order[1]; /* one joint twice, another never */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name_order[2]", AT(name_order) + 8);
    /* Two joints of one name. */
    memcpy(made.names + 5, "leg", 4);
    made.name_hashes[1] = made.name_hashes[2];
    made.content.header.skeleton_id = handmade_id(&made);
    handmade_skeleton_seal(&made);
    mrw_skeleton skeleton;
    mrw_error error;
    assert_int_equal(mrw_skeleton_open(&made, sizeof(made), &skeleton, &error), MRW_ERR_BAD_ASSET);
    assert_memory_equal(error.detail, "name_order[", 11);
}

static void broken_rest_poses_are_named(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    made.rest[0].translation[2][1] = INFINITY;
    assert_refused(&made, MRW_ERR_NOT_FINITE, "rest[1]", AT(rest));
    made.rest[0].scale[1][0] = NAN;
    assert_refused(&made, MRW_ERR_NOT_FINITE, "rest[0]", AT(rest));
    made.rest[0].rotation[3][3] = 0.81f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "rest[3].rotation", AT(rest) + 96);
    made.rest[0].rotation[3][0] = 3e38f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "rest[0].rotation", AT(rest) + 96);
    made.rest[0].rotation[3][0] = 0.0f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "rest[0].rotation", AT(rest) + 96);
    made.rest[0].scale[1][5] = 2.0f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "rest[5]", AT(rest));
    made.rest[0].translation[0][7] = -0.0f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "rest[7]", AT(rest));
    made.rest_scalars[0] = -INFINITY;
    assert_refused(&made, MRW_ERR_NOT_FINITE, "rest_scalars[0]", AT(rest_scalars));

    made.rest[0].rotation[3][0] = 1.0009f; /* within the tolerance */
    handmade_skeleton_seal(&made);
    mrw_skeleton skeleton;
    assert_int_equal(mrw_skeleton_open(&made, sizeof(made), &skeleton, NULL), MRW_OK);
}

static void the_id_is_of_joints_and_scalars_alone(void **state)
{
    (void)state;
    handmade_skeleton made, other;
    mrw_skeleton skeleton;
    handmade_skeleton_init(&made);
    handmade_skeleton_init(&other);
    other.rest[0].translation[1][1] = 3.0f;
    other.rest_scalars[0] = 1.0f;
    other.source_nodes[0] = 100;
    handmade_skeleton_seal(&other);
    assert_int_equal(mrw_skeleton_open(&other, sizeof(other), &skeleton, NULL), MRW_OK);
    assert_true(mrw_skeleton_id(&skeleton) == made.content.header.skeleton_id);
    other.parents[3] = 2;
    assert_true(handmade_id(&other) != made.content.header.skeleton_id);
    assert_refused(&other, MRW_ERR_BAD_ASSET, "header.skeleton_id", 24);
    memcpy(other.names + 18, "frown", 6);
    assert_refused(&other, MRW_ERR_BAD_ASSET, "header.skeleton_id", 24);
}

static void an_empty_skeleton_is_normal(void **state)
{
    (void)state;
    struct {
        _Alignas(64) mrwi_skeleton_content content;
    } made;
    memset(&made, 0, sizeof(made));
    uint64_t words[2] = {0, 0};
    mrw_asset_header *header = &made.content.header;
    header->magic = MRW_ASSET_MAGIC;
    header->kind = MRW_ASSET_SKELETON;
    header->version = MRW_SKELETON_VERSION;
    header->size_bytes = sizeof(made);
    header->skeleton_id = mrw_asset_checksum(words, sizeof(words));
    header->checksum = mrw_asset_checksum(header + 1, sizeof(made) - sizeof(*header));
    mrw_skeleton skeleton;
    assert_int_equal(mrw_skeleton_open(&made, sizeof(made), &skeleton, NULL), MRW_OK);
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, "root"), -1);
    assert_string_equal(mrw_skeleton_joint_name(&skeleton, 0), "");
    mrw_pose pose = {0};
    assert_int_equal(mrw_skeleton_rest_pose(&skeleton, &pose), MRW_OK);
}

/* Opens, and if the bytes are accepted reads all that the view promises. */
static mrw_status open_and_read(const void *bytes, size_t size_bytes, mrw_error *out_error)
{
    mrw_skeleton skeleton;
    mrw_status status = mrw_skeleton_open(bytes, size_bytes, &skeleton, out_error);
    if (status != MRW_OK)
        return status;
    for (uint32_t i = 0; i < skeleton.joint_count; i++) {
        assert_in_range(skeleton.parents[i] + 1, 0, i);
        assert_int_equal(mrw_skeleton_find_joint(&skeleton, mrw_skeleton_joint_name(&skeleton, i)),
                         i);
    }
    for (uint32_t i = 0; i < skeleton.scalar_count; i++)
        assert_true(strlen(mrw_skeleton_scalar_name(&skeleton, i)) < size_bytes);
    _Alignas(64) unsigned char memory[1024];
    mrw_pose pose;
    assert_int_equal(
        mrw_pose_init(memory, sizeof(memory), skeleton.joint_count, skeleton.scalar_count, &pose),
        MRW_OK);
    assert_int_equal(mrw_skeleton_rest_pose(&skeleton, &pose), MRW_OK);
    return MRW_OK;
}

static void damage_is_found_or_harmless(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    assert_truncations_refused(&made, sizeof(made), open_and_read);
    assert_flips_harmless(&made, sizeof(made), open_and_read);
}

static void mistakes_of_the_caller_are_statuses(void **state)
{
    (void)state;
    handmade_skeleton made;
    handmade_skeleton_init(&made);
    mrw_skeleton skeleton;
    assert_int_equal(mrw_skeleton_open(NULL, sizeof(made), &skeleton, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_skeleton_open(&made, sizeof(made), NULL, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_skeleton_open((const char *)&made + 4, sizeof(made) - 4, &skeleton, NULL),
                     MRW_ERR_ALIGNMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_hash_is_fnv_1a),
        cmocka_unit_test(a_skeleton_opens_as_a_view),
        cmocka_unit_test(the_rest_pose_is_copied),
        cmocka_unit_test(broken_fields_are_named),
        cmocka_unit_test(broken_hierarchies_are_named),
        cmocka_unit_test(broken_names_are_named),
        cmocka_unit_test(broken_name_orders_are_named),
        cmocka_unit_test(broken_rest_poses_are_named),
        cmocka_unit_test(the_id_is_of_joints_and_scalars_alone),
        cmocka_unit_test(an_empty_skeleton_is_normal),
        cmocka_unit_test(damage_is_found_or_harmless),
        cmocka_unit_test(mistakes_of_the_caller_are_statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
