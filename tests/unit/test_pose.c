/* The layout of poses. */
#include <marrow/pose.h>

#include "unit/near.h"

typedef struct pose_memory {
    _Alignas(64) unsigned char bytes[4096];
} pose_memory;

static void sizes_follow_the_layout(void **state)
{
    (void)state;
    assert_int_equal(sizeof(mrw_pose_block), 320);
    assert_int_equal(mrw_pose_size(1, 0), 320);
    assert_int_equal(mrw_pose_size(8, 0), 320);
    assert_int_equal(mrw_pose_size(9, 1), 656); /* two blocks, one float, rounded up to 16 */
    assert_int_equal(mrw_pose_size(0, 5), 32);
    assert_int_equal(mrw_pose_size(0, 0), 16); /* empty, but not an error */
    assert_int_equal(mrw_pose_size(65535, 0), 8192u * 320u);
    assert_int_equal(mrw_pose_size(0, 1u << 24), (size_t)4 << 24);
    assert_int_equal(mrw_pose_size(65536, 0), 0);
    assert_int_equal(mrw_pose_size(0, (1u << 24) + 1), 0);
    assert_int_equal(mrw_pose_size(UINT32_MAX, UINT32_MAX), 0);
}

static void a_new_pose_is_the_identity(void **state)
{
    (void)state;
    pose_memory memory;
    memset(&memory, 0x7f, sizeof(memory));
    mrw_pose pose;
    assert_int_equal(mrw_pose_init(&memory, sizeof(memory), 11, 3, &pose), MRW_OK);
    assert_int_equal(pose.joint_count, 11);
    assert_int_equal(pose.scalar_count, 3);
    assert_ptr_equal(pose.blocks, &memory);
    assert_ptr_equal(pose.scalars, memory.bytes + 640);
    for (int b = 0; b < 2; b++) {
        for (int lane = 0; lane < 8; lane++) {
            for (int i = 0; i < 3; i++) {
                assert_true(pose.blocks[b].translation[i][lane] == 0.0f);
                assert_true(pose.blocks[b].rotation[i][lane] == 0.0f);
                assert_true(pose.blocks[b].scale[i][lane] == 1.0f);
            }
            assert_true(pose.blocks[b].rotation[3][lane] == 1.0f);
        }
    }
    for (int i = 0; i < 3; i++)
        assert_true(pose.scalars[i] == 0.0f);
    /* Nothing behind it was touched. */
    assert_int_equal(memory.bytes[mrw_pose_size(11, 3)], 0x7f);
}

static void joints_stand_in_lanes(void **state)
{
    (void)state;
    pose_memory memory;
    mrw_pose pose;
    assert_int_equal(mrw_pose_init(&memory, sizeof(memory), 11, 0, &pose), MRW_OK);
    mrw_transform set = {{1, 2, 3}, {0.5f, -0.5f, 0.5f, -0.5f}, {7, 8, 9}};
    mrw_pose_set_joint(&pose, 10, &set);
    mrw_transform got = mrw_pose_joint(&pose, 10);
    assert_memory_equal(&got, &set, sizeof(set));
    /* Joint 10 is lane 2 of block 1; a block has tx ty tz rx ry rz rw sx sy sz. */
    const float *floats = (const float *)&pose.blocks[1];
    const float expected[10] = {1, 2, 3, 0.5f, -0.5f, 0.5f, -0.5f, 7, 8, 9};
    for (int stream = 0; stream < 10; stream++)
        assert_true(floats[stream * 8 + 2] == expected[stream]);

    mrw_transform identity = mrw_transform_identity();
    got = mrw_pose_joint(&pose, 9);
    assert_memory_equal(&got, &identity, sizeof(identity));
}

static void joints_outside_are_ignored(void **state)
{
    (void)state;
    pose_memory memory;
    mrw_pose pose;
    assert_int_equal(mrw_pose_init(&memory, sizeof(memory), 11, 0, &pose), MRW_OK);
    pose_memory before = memory;
    mrw_transform set = {{1, 2, 3}, {0, 1, 0, 0}, {7, 8, 9}};
    mrw_pose_set_joint(&pose, 11, &set); /* a padding lane */
    mrw_pose_set_joint(&pose, UINT32_MAX, &set);
    assert_memory_equal(&memory, &before, mrw_pose_size(11, 0));
    mrw_transform identity = mrw_transform_identity();
    mrw_transform got = mrw_pose_joint(&pose, 11);
    assert_memory_equal(&got, &identity, sizeof(identity));
}

static void init_refuses_what_does_not_fit(void **state)
{
    (void)state;
    pose_memory memory;
    mrw_pose pose;
    size_t needed = mrw_pose_size(9, 1);
    assert_int_equal(mrw_pose_init(NULL, needed, 9, 1, &pose), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_pose_init(&memory, needed, 9, 1, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_pose_init(&memory, sizeof(memory), 65536, 0, &pose),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_pose_init(&memory, sizeof(memory), 0, (1u << 24) + 1, &pose),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_pose_init(&memory, needed - 1, 9, 1, &pose), MRW_ERR_BUFFER_TOO_SMALL);
    assert_int_equal(mrw_pose_init(memory.bytes + 8, needed, 9, 1, &pose), MRW_ERR_ALIGNMENT);
    assert_int_equal(mrw_pose_init(memory.bytes + 16, needed, 9, 1, &pose), MRW_OK);
    assert_int_equal(mrw_pose_init(&memory, 16, 0, 0, &pose), MRW_OK);
}

static void copies_are_equal(void **state)
{
    (void)state;
    pose_memory from_memory, to_memory;
    mrw_pose from, to;
    assert_int_equal(mrw_pose_init(&from_memory, sizeof(from_memory), 9, 2, &from), MRW_OK);
    assert_int_equal(mrw_pose_init(&to_memory, sizeof(to_memory), 9, 2, &to), MRW_OK);
    mrw_transform set = {{1, 2, 3}, {0, 1, 0, 0}, {7, 8, 9}};
    mrw_pose_set_joint(&from, 8, &set);
    from.scalars[1] = 0.5f;
    assert_int_equal(mrw_pose_copy(&from, &to), MRW_OK);
    assert_memory_equal(from.blocks, to.blocks, 640);
    assert_true(to.scalars[0] == 0.0f && to.scalars[1] == 0.5f);
    assert_int_equal(mrw_pose_copy(&from, &from), MRW_OK);

    assert_int_equal(mrw_pose_copy(NULL, &to), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_pose_copy(&from, NULL), MRW_ERR_NULL_ARGUMENT);
    to.joint_count = 8;
    assert_int_equal(mrw_pose_copy(&from, &to), MRW_ERR_JOINT_COUNT);
    to.joint_count = 9;
    to.scalar_count = 1;
    assert_int_equal(mrw_pose_copy(&from, &to), MRW_ERR_SCALAR_COUNT);
    to.scalar_count = 2;
    to.blocks = NULL;
    assert_int_equal(mrw_pose_copy(&from, &to), MRW_ERR_NULL_ARGUMENT);
    mrw_pose empty = {0};
    assert_int_equal(mrw_pose_copy(&empty, &empty), MRW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_the_layout),
        cmocka_unit_test(a_new_pose_is_the_identity),
        cmocka_unit_test(joints_stand_in_lanes),
        cmocka_unit_test(joints_outside_are_ignored),
        cmocka_unit_test(init_refuses_what_does_not_fit),
        cmocka_unit_test(copies_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
