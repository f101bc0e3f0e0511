/* The envelope of assets: docs/format/asset_v1.md. */
#include <marrow/asset.h>

#include "asset/asset_reader.h"
#include "unit/asset_damage.h"
#include "unit/near.h"

typedef struct small_asset {
    _Alignas(64) mrw_asset_header header;
    uint8_t content[64];
} small_asset;

static void seal(small_asset *asset)
{
    asset->header.checksum = mrw_asset_checksum(asset->content, sizeof(asset->content));
}

static void set_up(small_asset *asset)
{
    memset(asset, 0, sizeof(*asset));
    asset->header.magic = MRW_ASSET_MAGIC;
    asset->header.kind = MRW_ASSET_SKIN;
    asset->header.version = 1;
    asset->header.size_bytes = sizeof(*asset);
    asset->header.skeleton_id = 0x0123456789abcdefu;
    for (uint8_t i = 0; i < 64; i++)
        asset->content[i] = (uint8_t)(i * 3);
    seal(asset);
}

/* The table of asset_v1.md, whose numbers come from an implementation in another language. */
static void checksum_is_the_documented_one(void **state)
{
    (void)state;
    uint8_t bytes[19];
    for (uint8_t i = 0; i < 19; i++)
        bytes[i] = i;
    assert_true(mrw_asset_checksum(bytes, 0) == 0);
    assert_true(mrw_asset_checksum("\0\0\0\0\0\0\0\0", 1) == 0xab169eb8aeae59a4u);
    assert_true(mrw_asset_checksum("\0\0\0\0\0\0\0\0", 8) == 0x363172989d94df87u);
    assert_true(mrw_asset_checksum("a", 1) == 0x103d4fa17e6f8a70u);
    assert_true(mrw_asset_checksum("marrow", 6) == 0x0b63c1736ceee854u);
    assert_true(mrw_asset_checksum(bytes, 16) == 0xaacd61acb65240fcu);
    assert_true(mrw_asset_checksum(bytes, 19) == 0xc455526ec8a83ee5u);
}

static void checksum_does_not_care_about_alignment(void **state)
{
    (void)state;
    _Alignas(16) uint8_t bytes[64];
    uint64_t expected = 0;
    for (size_t shift = 0; shift < 8; shift++) {
        for (uint8_t i = 0; i < 50; i++)
            bytes[shift + i] = (uint8_t)(i * 7);
        uint64_t checksum = mrw_asset_checksum(bytes + shift, 50);
        if (shift == 0)
            expected = checksum;
        assert_true(checksum == expected);
    }
}

static void header_begins_with_its_name(void **state)
{
    (void)state;
    small_asset asset;
    set_up(&asset);
    assert_memory_equal(&asset, "MRWA\x03\0\x01\0\x80\0\0\0\0\0\0\0", 16);
}

static void an_asset_opens_where_it_lies(void **state)
{
    (void)state;
    small_asset asset;
    set_up(&asset);
    const mrw_asset_header *header = NULL;
    assert_int_equal(mrw_asset_open(&asset, sizeof(asset), &header, NULL), MRW_OK);
    assert_ptr_equal(header, &asset);
    /* Bytes behind the asset belong to somebody else. */
    struct {
        small_asset asset;
        uint8_t more[100];
    } longer;
    memset(&longer, 0xee, sizeof(longer));
    longer.asset = asset;
    assert_int_equal(mrw_asset_open(&longer, sizeof(longer), &header, NULL), MRW_OK);
}

static void assert_refused(const small_asset *asset, size_t size_bytes, mrw_status status,
                           const char *detail, uint64_t offset)
{
    mrw_error error = {0};
    const mrw_asset_header *header = NULL;
    assert_int_equal(mrw_asset_open(asset, size_bytes, &header, &error), status);
    assert_null(header);
    assert_int_equal(error.status, status);
    assert_string_equal(error.detail, detail);
    assert_int_equal(error.offset, offset);
    assert_true(strlen(error.message) > 0);
    assert_int_equal(mrw_asset_open(asset, size_bytes, &header, NULL), status);
}

static void every_broken_header_is_named(void **state)
{
    (void)state;
    small_asset asset;
    set_up(&asset);
    assert_refused(&asset, 63, MRW_ERR_TRUNCATED, "header", 63);
    assert_refused(&asset, 0, MRW_ERR_TRUNCATED, "header", 0);
    assert_refused(&asset, 127, MRW_ERR_TRUNCATED, "header.size_bytes", 127);
    asset.header.size_bytes = UINT64_MAX & ~(uint64_t)63;
    assert_refused(&asset, sizeof(asset), MRW_ERR_TRUNCATED, "header.size_bytes", sizeof(asset));
    asset.header.size_bytes = 120;
    assert_refused(&asset, sizeof(asset), MRW_ERR_BAD_ASSET, "header.size_bytes", 8);
    asset.header.size_bytes = 0;
    assert_refused(&asset, sizeof(asset), MRW_ERR_BAD_ASSET, "header.size_bytes", 8);
    set_up(&asset);
    asset.header.magic++;
    assert_refused(&asset, sizeof(asset), MRW_ERR_BAD_MAGIC, "header.magic", 0);
    set_up(&asset);
    asset.header.reserved[31] = 1;
    assert_refused(&asset, sizeof(asset), MRW_ERR_BAD_ASSET, "header.reserved", 32);
    set_up(&asset);
    asset.content[63] ^= 1;
    assert_refused(&asset, sizeof(asset), MRW_ERR_BAD_CHECKSUM, "header.checksum", 16);
}

static void mistakes_of_the_caller_are_statuses(void **state)
{
    (void)state;
    small_asset asset;
    set_up(&asset);
    const mrw_asset_header *header = NULL;
    mrw_error error;
    assert_int_equal(mrw_asset_open(NULL, 128, &header, &error), MRW_ERR_NULL_ARGUMENT);
    assert_string_equal(error.detail, "bytes");
    assert_int_equal(mrw_asset_open(&asset, 128, NULL, &error), MRW_ERR_NULL_ARGUMENT);
    assert_string_equal(error.detail, "out_header");
    const char *odd = (const char *)&asset + 8;
    assert_int_equal(mrw_asset_open(odd, 120, &header, &error), MRW_ERR_ALIGNMENT);
}

static mrw_status open_asset(const void *bytes, size_t size_bytes, mrw_error *out_error)
{
    const mrw_asset_header *header = NULL;
    return mrw_asset_open(bytes, size_bytes, &header, out_error);
}

static void damage_is_found(void **state)
{
    (void)state;
    small_asset asset;
    set_up(&asset);
    assert_truncations_refused(&asset, sizeof(asset), open_asset);
    assert_flips_harmless(&asset, sizeof(asset), open_asset);
}

static void kind_and_version_are_checked(void **state)
{
    (void)state;
    small_asset asset;
    set_up(&asset);
    const mrw_asset_header *header = NULL;
    mrw_error error;
    assert_int_equal(mrwi_asset_open_kind(&asset, 128, MRW_ASSET_SKIN, 1, 128, &header, &error),
                     MRW_OK);
    assert_int_equal(mrwi_asset_open_kind(&asset, 128, MRW_ASSET_CLIP, 1, 128, &header, &error),
                     MRW_ERR_WRONG_KIND);
    assert_string_equal(error.detail, "header.kind");
    assert_string_equal(error.message, "the asset is of kind 3, kind 2 was asked for");
    assert_int_equal(error.offset, 4);
    assert_int_equal(mrwi_asset_open_kind(&asset, 128, MRW_ASSET_SKIN, 2, 128, &header, &error),
                     MRW_ERR_BAD_VERSION);
    assert_string_equal(error.message, "version 1, this library reads version 2");
    assert_int_equal(error.offset, 6);
    assert_int_equal(mrwi_asset_open_kind(&asset, 128, MRW_ASSET_SKIN, 1, 129, &header, &error),
                     MRW_ERR_BAD_ASSET);
}

static void sections_lie_inside_without_overflow(void **state)
{
    (void)state;
    small_asset asset;
    set_up(&asset);
    const mrw_asset_header *header = &asset.header;
    const void *section = NULL;
    assert_int_equal(mrwi_asset_section(header, "s", 64, 16, 4, &section, NULL), MRW_OK);
    assert_ptr_equal(section, asset.content);
    assert_int_equal(mrwi_asset_section(header, "s", 128, 0, 4, &section, NULL), MRW_OK);
    static const struct {
        uint64_t offset, count;
        size_t element_bytes;
    } bad[] = {
        {64, 17, 4},
        {128, 1, 1},
        {192, 0, 4},
        {72, 1, 4},
        {64, (UINT64_MAX / 4) + 1, 4}, /* the product would overflow to 0 */
        {UINT64_MAX - 63, 64, 1},      /* and this sum */
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        mrw_error error;
        assert_int_equal(mrwi_asset_section(header, "times", bad[i].offset, bad[i].count,
                                            bad[i].element_bytes, &section, &error),
                         MRW_ERR_BAD_ASSET);
        assert_string_equal(error.detail, "times");
        assert_true(error.offset == bad[i].offset);
    }
}

static void strings_end_inside_their_section(void **state)
{
    (void)state;
    size_t length = 99;
    assert_true(mrwi_asset_string("arm", 4, &length));
    assert_int_equal(length, 3);
    assert_false(mrwi_asset_string("arm", 3, &length));
    assert_false(mrwi_asset_string("", 0, &length));
    assert_true(mrwi_asset_string("a\0b", 4, &length));
    assert_int_equal(length, 1);
    assert_false(mrwi_asset_string("caf\xe9", 5, &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksum_is_the_documented_one),
        cmocka_unit_test(checksum_does_not_care_about_alignment),
        cmocka_unit_test(header_begins_with_its_name),
        cmocka_unit_test(an_asset_opens_where_it_lies),
        cmocka_unit_test(every_broken_header_is_named),
        cmocka_unit_test(mistakes_of_the_caller_are_statuses),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(kind_and_version_are_checked),
        cmocka_unit_test(sections_lie_inside_without_overflow),
        cmocka_unit_test(strings_end_inside_their_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
