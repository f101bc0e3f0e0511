/* Building skeletons: order, names, cycles, limits. */
#include <marrow/offline/build.h>

#include "skeleton/skeleton_format.h"
#include "unit/handmade_scene.h"
#include "unit/near.h"
#include "unit/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static mrw_joint_desc joint(const char *name, int32_t parent)
{
    mrw_joint_desc desc = {name, parent, mrw_transform_identity(), 0};
    return desc;
}

static mrw_skeleton open_built(const mrw_bytes *bytes)
{
    mrw_skeleton skeleton;
    mrw_error error = {0};
    if (mrw_skeleton_open(bytes->data, bytes->size_bytes, &skeleton, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return skeleton;
}

static mrw_skeleton build(const mrw_joint_desc *joints, uint32_t count, uint32_t *out_order,
                          mrw_bytes *out_bytes)
{
    assert_int_equal(mrw_build_skeleton(joints, count, NULL, 0, NULL, out_order, out_bytes, NULL),
                     MRW_OK);
    assert_true(((uintptr_t)out_bytes->data & 63) == 0);
    return open_built(out_bytes);
}

static void joints_come_out_breadth_first(void **state)
{
    (void)state;
    mrw_joint_desc joints[] = {joint("hand", 2), joint("root", -1),  joint("arm", 1),
                               joint("leg", 1),  joint("other", -1), joint("foot", 3),
                               joint("sole", 5), joint("finger", 0)};
    for (int i = 0; i < 8; i++)
        joints[i].source_node = 100 - i;
    static const char *const names[] = {"root", "other", "arm",    "leg",
                                        "hand", "foot",  "finger", "sole"};
    static const int32_t parents[] = {-1, -1, 0, 0, 2, 3, 4, 5};
    static const uint32_t expected_order[] = {4, 0, 2, 3, 1, 5, 7, 6};
    static const int32_t sources[] = {99, 96, 98, 97, 100, 95, 93, 94};
    uint32_t order[8];
    mrw_bytes bytes;
    mrw_skeleton skeleton = build(joints, 8, order, &bytes);
    assert_int_equal(skeleton.joint_count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_string_equal(mrw_skeleton_joint_name(&skeleton, i), names[i]);
        assert_int_equal(mrw_skeleton_find_joint(&skeleton, names[i]), i);
    }
    assert_memory_equal(skeleton.parents, parents, sizeof(parents));
    assert_memory_equal(skeleton.source_nodes, sources, sizeof(sources));
    assert_memory_equal(order, expected_order, sizeof(order));
    mrw_bytes_free(&bytes);
    assert_null(bytes.data);
}

static void rest_pose_and_scalars_are_kept(void **state)
{
    (void)state;
    mrw_joint_desc joints[9];
    for (int i = 0; i < 9; i++)
        joints[i] = joint("j", i - 1);
    joints[8].rest.translation = (mrw_vec3){1, 2, 3};
    joints[8].rest.rotation = (mrw_quat){0, 0, 6, 8}; /* ten times a unit quaternion */
    joints[8].rest.scale = (mrw_vec3){-1, 0, 0.01f};
    joints[7].rest.rotation = (mrw_quat){0, 0, 0, 0};
    joints[6].rest.rotation = (mrw_quat){0, 0.6f, 0, 0.8f}; /* |q| is 1 + 1e-8: left alone */
    mrw_scalar_desc scalars[] = {{"smile", 0.5f}, {"", -1.0f}, {"smile", 0.0f}};
    mrw_bytes bytes;
    assert_int_equal(mrw_build_skeleton(joints, 9, scalars, 3, NULL, NULL, &bytes, NULL), MRW_OK);
    mrw_skeleton skeleton = open_built(&bytes);
    mrw_pose pose = {9, 3, (mrw_pose_block *)skeleton.rest_blocks, (float *)skeleton.rest_scalars};
    mrw_transform last = mrw_pose_joint(&pose, 8);
    assert_vec3(last.translation, 1, 2, 3, 0.0);
    assert_vec3(last.scale, -1, 0, (double)0.01f, 0.0);
    assert_near((double)last.rotation.z, 0.6, 1e-7);
    assert_near((double)last.rotation.w, 0.8, 1e-7);
    assert_true(mrw_pose_joint(&pose, 7).rotation.w == 1.0f);
    assert_true(mrw_pose_joint(&pose, 6).rotation.y == 0.6f);
    assert_true(mrw_pose_joint(&pose, 6).rotation.w == 0.8f);
    assert_int_equal(skeleton.scalar_count, 3);
    assert_string_equal(mrw_skeleton_scalar_name(&skeleton, 0), "smile");
    assert_string_equal(mrw_skeleton_scalar_name(&skeleton, 1), "");
    assert_string_equal(mrw_skeleton_scalar_name(&skeleton, 2), "smile");
    assert_true(skeleton.rest_scalars[0] == 0.5f && skeleton.rest_scalars[1] == -1.0f);
    mrw_bytes_free(&bytes);
}

static void assert_names(const char *const *given, const char *const *expected, uint32_t count)
{
    mrw_joint_desc joints[16];
    for (uint32_t i = 0; i < count; i++)
        joints[i] = joint(given[i], -1); /* all roots: the order of the list */
    mrw_bytes bytes;
    mrw_skeleton skeleton = build(joints, count, NULL, &bytes);
    for (uint32_t i = 0; i < count; i++)
        assert_string_equal(mrw_skeleton_joint_name(&skeleton, i), expected[i]);
    mrw_bytes_free(&bytes);
}

static void names_become_unique(void **state)
{
    (void)state;
    static const char *const twice[] = {"arm", "leg", "arm", "arm"};
    static const char *const twice_out[] = {"arm", "leg", "arm.2", "arm.3"};
    assert_names(twice, twice_out, 4);

    /* Names of the file stay, also where a made-up one would have taken them. */
    static const char *const taken[] = {"a", "a", "a.2", "a", "a.2", "a.3"};
    static const char *const taken_out[] = {"a", "a.4", "a.2", "a.5", "a.2.2", "a.3"};
    assert_names(taken, taken_out, 6);

    static const char *const unnamed[] = {"", "arm", "", NULL};
    static const char *const unnamed_out[] = {"joint", "arm", "joint.2", "joint.3"};
    assert_names(unnamed, unnamed_out, 4);

    static const char *const joints[] = {"", "joint", "joint.2", "joint"};
    static const char *const joints_out[] = {"joint.4", "joint", "joint.2", "joint.3"};
    assert_names(joints, joints_out, 4);
}

static void names_become_utf8(void **state)
{
    (void)state;
    static const char *const given[] = {"caf\xe9", "caf\xef\xbf\xbd", "p\xc3\xa9ron\xc3\xa9",
                                        "\xff\xc3"};
    static const char *const expected[] = {"caf\xef\xbf\xbd", "caf\xef\xbf\xbd.2",
                                           "p\xc3\xa9ron\xc3\xa9", "\xef\xbf\xbd\xef\xbf\xbd"};
    assert_names(given, expected, 4);
}

/* Two names of one hash (a collision of 64-bit FNV-1a found by others): their bytes decide. */
static void names_of_one_hash_are_told_apart(void **state)
{
    (void)state;
    static const char *const colliding[] = {"GReLUrM4wMqfg9yzV3KQ", "8yn0iYCKYHlIj4-BwPqk"};
    assert_true(mrw_name_hash(colliding[0]) == mrw_name_hash(colliding[1]));
    mrw_joint_desc joints[] = {joint(colliding[0], -1), joint(colliding[1], -1)};
    mrw_bytes bytes;
    mrw_skeleton skeleton = build(joints, 2, NULL, &bytes);
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, colliding[0]), 0);
    assert_int_equal(mrw_skeleton_find_joint(&skeleton, colliding[1]), 1);
    assert_int_equal(skeleton.joints_by_name[0], 1); /* '8' comes before 'G' */

    mrwi_skeleton_content *content = (mrwi_skeleton_content *)(void *)bytes.data;
    uint32_t *order = (uint32_t *)(void *)(bytes.data + content->name_order_offset);
    order[0] = 0;
    order[1] = 1;
    content->header.checksum = mrw_asset_checksum(bytes.data + 64, bytes.size_bytes - 64);
    mrw_error error;
    assert_int_equal(mrw_skeleton_open(bytes.data, bytes.size_bytes, &skeleton, &error),
                     MRW_ERR_BAD_ASSET);
    assert_string_equal(error.detail, "name_order[1]");
    mrw_bytes_free(&bytes);
}

static void the_order_of_the_list_is_no_part_of_the_result(void **state)
{
    (void)state;
    mrw_joint_desc one[] = {joint("root", -1), joint("arm", 0), joint("hand", 1)};
    mrw_joint_desc other[] = {joint("hand", 2), joint("root", -1), joint("arm", 1)};
    mrw_bytes one_bytes, other_bytes;
    build(one, 3, NULL, &one_bytes);
    build(other, 3, NULL, &other_bytes);
    assert_int_equal(one_bytes.size_bytes, other_bytes.size_bytes);
    assert_memory_equal(one_bytes.data, other_bytes.data, one_bytes.size_bytes);
    mrw_bytes_free(&one_bytes);
    mrw_bytes_free(&other_bytes);
}

static uint64_t id_of(const mrw_joint_desc *joints, uint32_t count)
{
    mrw_bytes bytes;
    mrw_skeleton skeleton = build(joints, count, NULL, &bytes);
    uint64_t id = mrw_skeleton_id(&skeleton);
    mrw_bytes_free(&bytes);
    return id;
}

static void the_id_tells_hierarchies_apart(void **state)
{
    (void)state;
    mrw_joint_desc chain[] = {joint("a", -1), joint("b", 0), joint("c", 1)};
    mrw_joint_desc fork[] = {joint("a", -1), joint("b", 0), joint("c", 0)};
    mrw_joint_desc renamed[] = {joint("a", -1), joint("b", 0), joint("d", 1)};
    mrw_joint_desc longer[] = {joint("a", -1), joint("b", 0), joint("c", 1)};
    longer[2].rest.translation.x = 5.0f;
    assert_true(id_of(chain, 3) != id_of(fork, 3));
    assert_true(id_of(chain, 3) != id_of(renamed, 3));
    assert_true(id_of(chain, 3) != id_of(chain, 2));
    assert_true(id_of(chain, 3) == id_of(longer, 3));
}

static void assert_refused(const mrw_joint_desc *joints, uint32_t count, mrw_status status,
                           const char *detail, const char *message)
{
    mrw_bytes bytes;
    mrw_error error = {0};
    assert_int_equal(mrw_build_skeleton(joints, count, NULL, 0, NULL, NULL, &bytes, &error),
                     status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.detail, detail);
    assert_string_equal(error.message, message);
    assert_null(bytes.data);
}

static void cycles_are_named(void **state)
{
    (void)state;
    mrw_joint_desc self[] = {joint("root", -1), joint("ouroboros", 1)};
    assert_refused(self, 2, MRW_ERR_NODE_CYCLE, "joints[1].parent",
                   "joint \"ouroboros\" is its own ancestor");
    /* Joint 0 hangs below the cycle and is not on it. */
    mrw_joint_desc ring[] = {joint("leaf", 3), joint("root", -1), joint("x", 4), joint("y", 2),
                             joint("z", 3)};
    mrw_bytes bytes;
    mrw_error error;
    assert_int_equal(mrw_build_skeleton(ring, 5, NULL, 0, NULL, NULL, &bytes, &error),
                     MRW_ERR_NODE_CYCLE);
    assert_string_not_equal(error.detail, "joints[0].parent");
    assert_string_not_equal(error.detail, "joints[1].parent");
}

static void bad_joints_are_named(void **state)
{
    (void)state;
    mrw_joint_desc joints[] = {joint("a", -1), joint("b", 2)};
    assert_refused(joints, 2, MRW_ERR_INDEX_RANGE, "joints[1].parent", "joint 2 of 2");
    joints[1].parent = -2;
    assert_refused(joints, 2, MRW_ERR_INDEX_RANGE, "joints[1].parent", "joint -2 of 2");
    joints[1].parent = 0;
    joints[1].rest.scale.z = NAN;
    assert_refused(joints, 2, MRW_ERR_NOT_FINITE, "joints[1].rest",
                   mrw_status_text(MRW_ERR_NOT_FINITE));
    assert_refused(NULL, 2, MRW_ERR_NULL_ARGUMENT, "joints",
                   mrw_status_text(MRW_ERR_NULL_ARGUMENT));
    assert_refused(joints, 65536, MRW_ERR_LIMIT, "joint_count", "65536 of at most 65535 joints");

    mrw_bytes bytes;
    mrw_error error;
    mrw_scalar_desc scalars[] = {{"a", 0.0f}, {"b", INFINITY}};
    assert_int_equal(mrw_build_skeleton(NULL, 0, scalars, 2, NULL, NULL, &bytes, &error),
                     MRW_ERR_NOT_FINITE);
    assert_string_equal(error.detail, "scalars[1].rest");
    assert_int_equal(
        mrw_build_skeleton(NULL, 0, scalars, (1u << 24) + 1, NULL, NULL, &bytes, &error),
        MRW_ERR_LIMIT);
    assert_int_equal(mrw_build_skeleton(NULL, 0, NULL, 1, NULL, NULL, &bytes, &error),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_build_skeleton(NULL, 0, NULL, 0, NULL, NULL, NULL, &error),
                     MRW_ERR_NULL_ARGUMENT);
}

static void an_empty_skeleton_is_normal(void **state)
{
    (void)state;
    mrw_bytes bytes;
    uint32_t order = 77;
    mrw_skeleton skeleton = build(NULL, 0, &order, &bytes);
    assert_int_equal(skeleton.joint_count, 0);
    assert_int_equal(order, 77);
    mrw_bytes_free(&bytes);
    mrw_bytes_free(&bytes);
    mrw_bytes_free(NULL);
}

/* The largest skeleton with the names that cost most, in the worst order: a chain from the last of
 * the list to the first. Quadratic work would take minutes. */
static void the_largest_skeleton_is_quick(void **state)
{
    (void)state;
    uint32_t count = MRW_MAX_JOINTS;
    mrw_joint_desc *joints = malloc(count * sizeof(*joints));
    char(*names)[16] = malloc(count * sizeof(*names));
    assert_true(joints != NULL && names != NULL);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < count; i++) {
            snprintf(names[i], sizeof(names[i]), "bone.%u", i / 2);
            joints[i] = joint(round == 0 ? "bone" : names[i], i + 1 < count ? (int32_t)i + 1 : -1);
        }
        clock_t start = clock();
        mrw_bytes bytes;
        mrw_skeleton skeleton = build(joints, count, NULL, &bytes);
        assert_below((double)(clock() - start) / CLOCKS_PER_SEC, 20.0);
        assert_int_equal(skeleton.joint_count, count);
        if (round == 0)
            assert_int_equal(mrw_skeleton_find_joint(&skeleton, "bone.65535"), 0);
        mrw_bytes_free(&bytes);
    }
    free(joints);
    free(names);
}

static void random_hierarchies_survive(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    uint64_t random = 101;
    for (int round = 0; round < 200; round++) {
        mrw_joint_desc joints[COUNT];
        uint32_t shuffled[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t j = random_bits(&random) % (i + 1);
            shuffled[i] = shuffled[j];
            shuffled[j] = i;
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t parent = random_bits(&random) % (i + 1);
            joints[shuffled[i]] =
                joint(i % 3 == 0 ? "x" : "", parent == i ? -1 : (int32_t)shuffled[parent]);
            joints[shuffled[i]].rest = random_transform(&random, -2.0f, 2.0f);
        }
        uint32_t order[COUNT];
        mrw_bytes bytes;
        mrw_skeleton skeleton = build(joints, COUNT, order, &bytes);
        mrw_pose pose = {COUNT, 0, (mrw_pose_block *)skeleton.rest_blocks, NULL};
        for (uint32_t i = 0; i < COUNT; i++) {
            int32_t parent = skeleton.parents[order[i]];
            assert_int_equal(parent, joints[i].parent < 0 ? -1 : (int32_t)order[joints[i].parent]);
            mrw_transform rest = mrw_pose_joint(&pose, order[i]);
            assert_memory_equal(&rest.translation, &joints[i].rest.translation, sizeof(mrw_vec3));
            assert_memory_equal(&rest.rotation, &joints[i].rest.rotation, sizeof(mrw_quat));
        }
        mrw_bytes_free(&bytes);
    }
}

static void failing_memory_leaks_nothing(void **state)
{
    (void)state;
    mrw_joint_desc joints[] = {joint("a", -1), joint("a", 0), joint("\xff", 1)};
    mrw_scalar_desc scalars[] = {{"smile", 0.0f}};
    mrw_bytes bytes;
    mrw_status status = MRW_ERR_OUT_OF_MEMORY;
    uint32_t failures = 0;
    for (uint32_t fail_at = 1; status != MRW_OK; fail_at++) {
        failing_heap heap = {0, 0, fail_at};
        mrw_memory_options memory = failing_options(&heap);
        status = mrw_build_skeleton(joints, 3, scalars, 1, &memory, NULL, &bytes, NULL);
        if (status == MRW_OK) {
            assert_int_equal(heap.held_bytes, bytes.size_bytes);
            mrw_bytes_free(&bytes);
        } else {
            assert_int_equal(status, MRW_ERR_OUT_OF_MEMORY);
            assert_null(bytes.data);
            failures++;
        }
        assert_int_equal(heap.held_bytes, 0);
    }
    assert_in_range(failures, 10, 30);

    status = MRW_ERR_MEMORY_LIMIT;
    mrw_memory_options memory = mrw_memory_options_default();
    for (memory.limit_bytes = 64; status != MRW_OK; memory.limit_bytes += 64) {
        status = mrw_build_skeleton(joints, 3, scalars, 1, &memory, NULL, &bytes, NULL);
        assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
    }
    mrw_bytes_free(&bytes);
    status = MRW_ERR_MEMORY_LIMIT;
    memory = mrw_memory_options_default();
    memory.separate = true;
    for (memory.allocation_limit = 1; status != MRW_OK; memory.allocation_limit++) {
        status = mrw_build_skeleton(joints, 3, scalars, 1, &memory, NULL, &bytes, NULL);
        assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
    }
    assert_int_equal(memory.allocation_limit - 1, failures); /* as many as there are allocations */
    mrw_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_come_out_breadth_first),
        cmocka_unit_test(rest_pose_and_scalars_are_kept),
        cmocka_unit_test(names_become_unique),
        cmocka_unit_test(names_become_utf8),
        cmocka_unit_test(names_of_one_hash_are_told_apart),
        cmocka_unit_test(the_order_of_the_list_is_no_part_of_the_result),
        cmocka_unit_test(the_id_tells_hierarchies_apart),
        cmocka_unit_test(cycles_are_named),
        cmocka_unit_test(bad_joints_are_named),
        cmocka_unit_test(an_empty_skeleton_is_normal),
        cmocka_unit_test(the_largest_skeleton_is_quick),
        cmocka_unit_test(random_hierarchies_survive),
        cmocka_unit_test(failing_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
