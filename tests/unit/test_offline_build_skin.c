/* Building skins, and opening what was built or damaged. */
#include <marrow/offline/build.h>

#include "skin/skin_format.h"
#include "unit/near.h"
#include "unit/random.h"

#include <stdlib.h>

enum { JOINTS = 4, SKIN_JOINTS = 3, SKELETON_ID = 12345 };

/* root, arm, hand; and a joint scaled to nothing. */
static const int32_t parents[JOINTS] = {-1, 0, 1, 0};
static const uint32_t joints[SKIN_JOINTS] = {2, 0, 3};
static mrw_asset_header header;
static mrw_pose_block rest_blocks[1];
static mrw_skeleton skeleton;
static mrw_mat34 rest_model[JOINTS];

static int set_up(void **state)
{
    (void)state;
    uint64_t random = 71;
    header.skeleton_id = SKELETON_ID;
    skeleton.header = &header;
    skeleton.joint_count = JOINTS;
    skeleton.parents = parents;
    skeleton.rest_blocks = rest_blocks;
    mrw_pose pose = {JOINTS, 0, rest_blocks, NULL};
    for (uint32_t i = 0; i < JOINTS; i++) {
        mrw_transform rest = random_transform(&random, 0.5f, 2.0f);
        if (i == 3)
            rest.scale = (mrw_vec3){0.0f, 0.0f, 0.0f};
        mrw_pose_set_joint(&pose, i, &rest);
        mrw_mat34 local = mrw_mat34_from_transform(&rest);
        rest_model[i] = parents[i] < 0 ? local : mrw_mat34_mul(&rest_model[parents[i]], &local);
    }
    return 0;
}

static mrw_status build(const mrw_mat34 *inverse_binds, const mrw_memory_options *memory,
                        mrw_bytes *out_bytes)
{
    mrw_error error;
    memset(&error, 0, sizeof(error));
    mrw_status status = mrw_build_skin(&skeleton, "Körper", joints, inverse_binds, SKIN_JOINTS,
                                       memory, out_bytes, &error);
    assert_int_equal(error.status, status);
    return status;
}

static void given_matrices_come_through(void **state)
{
    (void)state;
    uint64_t random = 72;
    mrw_mat34 binds[SKIN_JOINTS];
    for (int i = 0; i < SKIN_JOINTS; i++) {
        mrw_transform transform = random_transform(&random, 0.5f, 2.0f);
        binds[i] = mrw_mat34_from_transform(&transform);
    }
    mrw_bytes bytes;
    mrw_skin skin;
    assert_int_equal(build(binds, NULL, &bytes), MRW_OK);
    assert_int_equal(mrw_skin_open(bytes.data, bytes.size_bytes, &skin, NULL), MRW_OK);
    assert_int_equal(skin.joint_count, SKIN_JOINTS);
    assert_int_equal(skin.skeleton_joint_count, JOINTS);
    assert_int_equal(skin.header->skeleton_id, SKELETON_ID);
    assert_string_equal(skin.name, "Körper");
    assert_memory_equal(skin.joints, joints, sizeof(joints));
    assert_memory_equal(skin.inverse_binds, binds, sizeof(binds));
    mrw_bytes_free(&bytes);
}

static void missing_matrices_are_those_of_the_rest_pose(void **state)
{
    (void)state;
    mrw_bytes bytes;
    mrw_skin skin;
    assert_int_equal(build(NULL, NULL, &bytes), MRW_OK);
    assert_int_equal(mrw_skin_open(bytes.data, bytes.size_bytes, &skin, NULL), MRW_OK);

    /* At rest, then, every skin matrix is the identity, */
    mrw_mat34 palette[SKIN_JOINTS], identity = mrw_mat34_identity();
    mrw_palette_job job = mrw_palette_job_default();
    job.skin = &skin;
    job.model = rest_model;
    job.model_count = JOINTS;
    job.out_palette = palette;
    job.palette_count = SKIN_JOINTS;
    assert_int_equal(mrw_palette(&job), MRW_OK);
    assert_below(mat34_difference(&palette[0], &identity, 4), 1e-6);
    assert_below(mat34_difference(&palette[1], &identity, 4), 1e-6);
    /* but for the joint that has no inverse. */
    assert_memory_equal(&skin.inverse_binds[2], &identity, sizeof(identity));
    mrw_bytes_free(&bytes);
}

static void same_input_gives_same_bytes(void **state)
{
    (void)state;
    mrw_bytes a, b;
    assert_int_equal(build(NULL, NULL, &a), MRW_OK);
    assert_int_equal(build(NULL, NULL, &b), MRW_OK);
    assert_int_equal(a.size_bytes, b.size_bytes);
    assert_memory_equal(a.data, b.data, a.size_bytes);
    mrw_bytes_free(&a);
    mrw_bytes_free(&b);
}

static void names_are_made_valid(void **state)
{
    (void)state;
    mrw_bytes bytes;
    mrw_skin skin;
    const char *const names[] = {NULL, "", "a\xffz"};
    const char *const expected[] = {"", "", "a\xef\xbf\xbdz"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            mrw_build_skin(&skeleton, names[i], joints, NULL, SKIN_JOINTS, NULL, &bytes, NULL),
            MRW_OK);
        assert_int_equal(mrw_skin_open(bytes.data, bytes.size_bytes, &skin, NULL), MRW_OK);
        assert_string_equal(skin.name, expected[i]);
        mrw_bytes_free(&bytes);
    }
}

/* --- refused ------------------------------------------------------------------------ */

static void expect_build_error(const uint32_t *list, const mrw_mat34 *binds, uint32_t count,
                               mrw_status expected, const char *detail)
{
    mrw_bytes bytes;
    mrw_error error;
    memset(&bytes, 0xff, sizeof(bytes));
    assert_int_equal(mrw_build_skin(&skeleton, "", list, binds, count, NULL, &bytes, &error),
                     expected);
    assert_string_equal(error.detail, detail);
    assert_null(bytes.data);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const uint32_t outside[] = {0, JOINTS};
    mrw_mat34 binds[2] = {mrw_mat34_identity(), mrw_mat34_identity()};
    binds[1].m[2][1] = NAN;
    expect_build_error(outside, NULL, 2, MRW_ERR_JOINT_RANGE, "joints[1]");
    expect_build_error(joints, binds, 2, MRW_ERR_NOT_FINITE, "inverse_binds[1]");
    expect_build_error(NULL, binds, 1, MRW_ERR_NULL_ARGUMENT, "joints");
    expect_build_error(joints, NULL, 0, MRW_ERR_INVALID_ARGUMENT, "joint_count");
    expect_build_error(joints, NULL, 65536, MRW_ERR_LIMIT, "joint_count");
    mrw_bytes bytes;
    assert_int_equal(mrw_build_skin(NULL, "", joints, NULL, 1, NULL, &bytes, NULL),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_build_skin(&skeleton, "", joints, NULL, 1, NULL, NULL, NULL),
                     MRW_ERR_NULL_ARGUMENT);
}

static void limits_hold_and_leak_nothing(void **state)
{
    (void)state;
    mrw_bytes bytes;
    mrw_memory_options memory = mrw_memory_options_default();
    memory.limit_bytes = 256;
    assert_int_equal(build(NULL, &memory, &bytes), MRW_ERR_MEMORY_LIMIT);
    assert_null(bytes.data);

    memory = mrw_memory_options_default();
    memory.separate = true;
    mrw_status status = MRW_ERR_MEMORY_LIMIT;
    for (memory.allocation_limit = 1; status != MRW_OK; memory.allocation_limit++) {
        status = build(NULL, &memory, &bytes);
        assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
        assert_true((status == MRW_OK) == (bytes.data != NULL));
    }
    assert_true(memory.allocation_limit > 3); /* name, pose, matrices, asset */
    mrw_bytes_free(&bytes);
}

/* --- damaged bytes --------------------------------------------------------------------- */

typedef struct damaged {
    mrw_bytes bytes;
    mrwi_skin_content *content;
} damaged;

static damaged begin_damage(void)
{
    damaged d;
    assert_int_equal(build(NULL, NULL, &d.bytes), MRW_OK);
    d.content = (mrwi_skin_content *)(void *)d.bytes.data;
    return d;
}

static void expect_open_error(damaged *d, mrw_status expected, const char *detail)
{
    mrw_skin skin;
    mrw_error error;
    mrw_asset_header *envelope = &d->content->header;
    envelope->checksum = mrw_asset_checksum(envelope + 1, d->bytes.size_bytes - sizeof(*envelope));
    memset(&skin, 0xff, sizeof(skin));
    assert_int_equal(mrw_skin_open(d->bytes.data, d->bytes.size_bytes, &skin, &error), expected);
    assert_string_equal(error.detail, detail);
    assert_null(skin.joints);
    mrw_bytes_free(&d->bytes);
}

static void damaged_fields_are_refused(void **state)
{
    (void)state;
    damaged d = begin_damage();
    d.content->joint_count = 0;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "joint_count");
    d = begin_damage();
    d.content->joint_count = 65535;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "joints");
    d = begin_damage();
    d.content->joint_count = UINT32_MAX;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "joint_count");
    d = begin_damage();
    d.content->skeleton_joint_count = 65536;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "skeleton_joint_count");
    d = begin_damage();
    d.content->skeleton_joint_count = 3;
    expect_open_error(&d, MRW_ERR_JOINT_RANGE, "joints[2]");
    d = begin_damage();
    d.content->reserved = 1;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "reserved");
    d = begin_damage();
    d.content->joints_offset += 4;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "joints");
    d = begin_damage();
    d.content->inverse_binds_offset = UINT64_MAX - 63;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "inverse_binds");
    d = begin_damage();
    d.content->name_size_bytes--;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "name");
    d = begin_damage();
    d.content->name_size_bytes = 0;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "name");
    d = begin_damage();
    d.bytes.data[d.content->name_offset] = 0xff;
    expect_open_error(&d, MRW_ERR_BAD_ASSET, "name");
    d = begin_damage();
    memset(d.bytes.data + d.content->inverse_binds_offset + 48, 0xff, 4);
    expect_open_error(&d, MRW_ERR_NOT_FINITE, "inverse_binds[1]");
    d = begin_damage();
    d.content->header.kind = MRW_ASSET_CLIP;
    expect_open_error(&d, MRW_ERR_WRONG_KIND, "header.kind");
    d = begin_damage();
    d.content->header.version = 2;
    expect_open_error(&d, MRW_ERR_BAD_VERSION, "header.version");
}

/* Each truncation in memory of exactly that size: a sanitizer sees a read past it. */
static void every_truncation_is_refused(void **state)
{
    (void)state;
    damaged d = begin_damage();
    mrw_skin skin;
    for (size_t size = 0; size < d.bytes.size_bytes; size++) {
        unsigned char *copy = malloc(size > 0 ? size : 1);
        assert_non_null(copy);
        memcpy(copy, d.bytes.data, size);
        assert_int_equal(mrw_skin_open(copy, size, &skin, NULL), MRW_ERR_TRUNCATED);
        /* And one that is honest about its size but not about its sections. */
        if (size >= sizeof(mrwi_skin_content) && size % 64 == 0) {
            mrw_asset_header *envelope = (mrw_asset_header *)(void *)copy;
            envelope->size_bytes = size;
            envelope->checksum = mrw_asset_checksum(envelope + 1, size - sizeof(*envelope));
            assert_int_equal(mrw_skin_open(copy, size, &skin, NULL), MRW_ERR_BAD_ASSET);
        }
        free(copy);
    }
    mrw_bytes_free(&d.bytes);
}

static void every_flipped_bit_is_refused(void **state)
{
    (void)state;
    damaged d = begin_damage();
    mrw_skin skin;
    /* The skeleton's id, bytes 24 to 31, is not the envelope's to check. */
    for (size_t bit = 0; bit < d.bytes.size_bytes * 8; bit++) {
        if (bit / 64 == 3)
            continue;
        d.bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_not_equal(mrw_skin_open(d.bytes.data, d.bytes.size_bytes, &skin, NULL), MRW_OK);
        d.bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_int_equal(mrw_skin_open(d.bytes.data, d.bytes.size_bytes, &skin, NULL), MRW_OK);
    assert_int_equal(mrw_skin_open(d.bytes.data, d.bytes.size_bytes, NULL, NULL),
                     MRW_ERR_NULL_ARGUMENT);
    mrw_bytes_free(&d.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_matrices_come_through),
        cmocka_unit_test(missing_matrices_are_those_of_the_rest_pose),
        cmocka_unit_test(same_input_gives_same_bytes),
        cmocka_unit_test(names_are_made_valid),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(limits_hold_and_leak_nothing),
        cmocka_unit_test(damaged_fields_are_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flipped_bit_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
