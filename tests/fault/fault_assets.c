/* Skeletons, clips, skins, meshes and materials as bytes: cut, flipped, and flipped with a checksum
 * that fits again. What opens in spite of that is used: a view that opens is safe to work on. */
#include "fault/damage.h"
#include "fault/documents.h"
#include "unit/handmade_scene.h"
#include "unit/random.h"

#include <marrow/marrow.h>

/* The assets of one character, as bytes of their own. */
typedef struct asset_bytes {
    uint8_t *bytes;
    size_t size_bytes;
    mrw_asset_kind kind;
} asset_bytes;

enum { ASSETS = 5 };

typedef struct fixture {
    mrw_character *character;
    asset_bytes assets[ASSETS];
} fixture;

/* In a block of exactly its size, so that a sanitizer sees a read past it. malloc's alignment is
 * MRW_ALIGNMENT or more. */
static uint8_t *exact_copy(const void *bytes, size_t size_bytes)
{
    uint8_t *copy = malloc(size_bytes > 0 ? size_bytes : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size_bytes);
    return copy;
}

static asset_bytes copy_asset(const mrw_asset_header *header, mrw_asset_kind kind)
{
    asset_bytes copy = {exact_copy(header, (size_t)header->size_bytes), (size_t)header->size_bytes,
                        kind};
    return copy;
}

static int set_up(void **state)
{
    static fixture f;
    document doc = document_skinned_text();
    mrw_scene *scene;
    assert_int_equal(mrw_import_memory(doc.bytes, doc.size_bytes, NULL, NULL, NULL, &scene, NULL),
                     MRW_OK);
    assert_int_equal(mrw_build_character(scene, NULL, &f.character, NULL), MRW_OK);
    mrw_bytes mesh, materials;
    assert_int_equal(mrw_build_mesh(f.character, 0, NULL, &mesh, NULL), MRW_OK);
    assert_int_equal(mrw_build_materials(scene, NULL, &materials, NULL), MRW_OK);
    mrw_scene_free(scene);
    document_free(&doc);
    f.assets[0] = copy_asset(f.character->skeleton.header, MRW_ASSET_SKELETON);
    f.assets[1] = copy_asset(f.character->clips[0].header, MRW_ASSET_CLIP);
    f.assets[2] = copy_asset(f.character->skins[0].header, MRW_ASSET_SKIN);
    f.assets[3] = copy_asset((const mrw_asset_header *)(const void *)mesh.data, MRW_ASSET_MESH);
    f.assets[4] =
        copy_asset((const mrw_asset_header *)(const void *)materials.data, MRW_ASSET_MATERIALS);
    mrw_bytes_free(&mesh);
    mrw_bytes_free(&materials);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < ASSETS; i++)
        free(f->assets[i].bytes);
    mrw_character_free(f->character);
    return 0;
}

static void whole_assets_open(void **state)
{
    const fixture *f = *state;
    for (size_t i = 0; i < ASSETS; i++) {
        const asset_bytes *asset = &f->assets[i];
        assert_int_equal(
            run_asset(f->character, asset->bytes, asset->size_bytes, asset->kind, NULL), MRW_OK);
    }
}

static void every_truncation_is_refused(void **state)
{
    const fixture *f = *state;
    for (size_t i = 0; i < ASSETS; i++) {
        const asset_bytes *asset = &f->assets[i];
        for (size_t size = 0; size < asset->size_bytes; size++) {
            uint8_t *block = exact_copy(asset->bytes, size);
            mrw_error error = {0};
            mrw_status status = run_asset(f->character, block, size, asset->kind, &error);
            if (status == MRW_OK || error.status != status || error.message[0] == '\0')
                fail_msg("asset %zu cut at %zu: %s", i, size, mrw_status_name(status));
            free(block);
        }
    }
}

/* Says a cut asset's size truthfully, so that what follows the envelope must see that it is cut. */
static void truncations_with_an_honest_header_are_refused(void **state)
{
    const fixture *f = *state;
    for (size_t i = 0; i < ASSETS; i++) {
        const asset_bytes *asset = &f->assets[i];
        for (size_t size = sizeof(mrw_asset_header); size + 64 <= asset->size_bytes; size++) {
            uint8_t *block = exact_copy(asset->bytes, size);
            mrw_asset_header header;
            memcpy(&header, block, sizeof(header));
            header.size_bytes = size;
            header.checksum = mrw_asset_checksum(block + sizeof(header), size - sizeof(header));
            memcpy(block, &header, sizeof(header));
            mrw_error error = {0};
            mrw_status status = run_asset(f->character, block, size, asset->kind, &error);
            if (status == MRW_OK || error.message[0] == '\0')
                fail_msg("asset %zu cut at %zu: %s", i, size, mrw_status_name(status));
            free(block);
        }
    }
}

static void every_flipped_bit_is_noticed(void **state)
{
    const fixture *f = *state;
    for (size_t i = 0; i < ASSETS; i++) {
        const asset_bytes *asset = &f->assets[i];
        uint8_t *copy = exact_copy(asset->bytes, asset->size_bytes);
        const size_t id_offset = offsetof(mrw_asset_header, skeleton_id);
        for (size_t bit = 0; bit < asset->size_bytes * 8; bit++) {
            size_t byte = bit / 8;
            if (byte >= id_offset && byte < id_offset + 8)
                continue; /* another skeleton's asset is whole too: the jobs compare it */
            copy[byte] ^= (uint8_t)(1u << bit % 8);
            mrw_error error = {0};
            mrw_status status =
                run_asset(f->character, copy, asset->size_bytes, asset->kind, &error);
            if (status == MRW_OK || error.message[0] == '\0')
                fail_msg("asset %zu, bit %zu: %s", i, bit, mrw_status_name(status));
            copy[byte] ^= (uint8_t)(1u << bit % 8);
        }
        free(copy);
    }
}

/* Content that is wrong although the envelope is right: made on purpose, or by a faulty tool. */
static void damage_with_a_good_checksum_is_survived(void **state)
{
    const fixture *f = *state;
    uint64_t random = 99;
    for (size_t i = 0; i < ASSETS; i++) {
        const asset_bytes *asset = &f->assets[i];
        uint8_t *copy = exact_copy(asset->bytes, asset->size_bytes);
        uint32_t opened = 0, refused = 0;
        for (uint32_t round = 0; round < 6000; round++) {
            memcpy(copy, asset->bytes, asset->size_bytes);
            mrw_asset_header header;
            memcpy(&header, copy, sizeof(header));
            uint32_t count = 1 + random_bits(&random) % 3;
            for (uint32_t k = 0; k < count; k++) {
                size_t place =
                    sizeof(header) + random_bits(&random) % (asset->size_bytes - sizeof(header));
                copy[place] =
                    (uint8_t)(random_bits(&random) % 3 == 0 ? 0xff : random_bits(&random));
            }
            header.checksum =
                mrw_asset_checksum(copy + sizeof(header), asset->size_bytes - sizeof(header));
            memcpy(copy, &header, sizeof(header));
            mrw_error error = {0};
            mrw_status status =
                run_asset(f->character, copy, asset->size_bytes, asset->kind, &error);
            opened += status == MRW_OK;
            refused += status != MRW_OK;
            assert_true(status == MRW_OK || error.message[0] != '\0');
        }
        assert_true(opened > 100 && refused > 100); /* both were tried */
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_assets_open),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(truncations_with_an_honest_header_are_refused),
        cmocka_unit_test(every_flipped_bit_is_noticed),
        cmocka_unit_test(damage_with_a_good_checksum_is_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
