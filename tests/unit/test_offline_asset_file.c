/* .mrw files: docs/format/mrw_file_v1.md, the directory read by hand and by mrw_file_open. */
#include <marrow/asset_file.h>
#include <marrow/offline/export.h>

#include "unit/asset_damage.h"

typedef struct made_assets {
    mrw_bytes skeleton, walk, run, skin;
} made_assets;

static mrw_bytes make_clip(const mrw_skeleton *skeleton, const char *name, float x)
{
    static const float times[] = {0.0f, 1.0f};
    const float values[] = {0, 0, 0, x, 0, 0};
    const mrw_track_desc track = {
        MRW_TRACK_TRANSLATION, 1, MRW_INTERPOLATION_LINEAR, 2, times, values};
    mrw_bytes bytes;
    assert_int_equal(mrw_build_clip(skeleton, name, &track, 1, -1.0f, NULL, &bytes, NULL), MRW_OK);
    return bytes;
}

static mrw_skeleton make_skeleton(const char *name, mrw_bytes *out_bytes)
{
    const mrw_transform rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const mrw_joint_desc joints[] = {{name, -1, rest, 0}, {"tip", 0, rest, 1}};
    mrw_skeleton skeleton;
    assert_int_equal(mrw_build_skeleton(joints, 2, NULL, 0, NULL, NULL, out_bytes, NULL), MRW_OK);
    assert_int_equal(mrw_skeleton_open(out_bytes->data, out_bytes->size_bytes, &skeleton, NULL),
                     MRW_OK);
    return skeleton;
}

static made_assets make(void)
{
    made_assets made;
    mrw_skeleton skeleton = make_skeleton("root", &made.skeleton);
    static const uint32_t joints[] = {0, 1};
    made.walk = make_clip(&skeleton, "Walk", 1.0f);
    made.run = make_clip(&skeleton, "Run", 3.0f);
    assert_int_equal(mrw_build_skin(&skeleton, "cloth", joints, NULL, 2, NULL, &made.skin, NULL),
                     MRW_OK);
    return made;
}

static void free_made(made_assets *made)
{
    mrw_bytes_free(&made->skeleton);
    mrw_bytes_free(&made->walk);
    mrw_bytes_free(&made->run);
    mrw_bytes_free(&made->skin);
}

static mrw_file_part part(const char *name, const mrw_bytes *asset)
{
    return (mrw_file_part){name, asset->data, asset->size_bytes};
}

/* Parts in an order that is not the file's. */
static mrw_bytes export_made(const made_assets *made)
{
    const mrw_file_part parts[] = {part("cloth", &made->skin), part("walking", &made->walk),
                                   part("rig", &made->skeleton), part("running", &made->run)};
    mrw_bytes file;
    assert_int_equal(mrw_export_file(parts, 4, NULL, &file, NULL), MRW_OK);
    return file;
}

static uint64_t number_at(const mrw_bytes *file, size_t offset, size_t size)
{
    uint64_t number = 0;
    for (size_t i = size; i-- > 0;)
        number = number << 8 | file->data[offset + i];
    return number;
}

/* --- the bytes ---------------------------------------------------------------------------- */

static void the_bytes_are_those_of_the_page(void **state)
{
    (void)state;
    made_assets made = make();
    mrw_bytes file = export_made(&made);
    const char names[] = "rig\0walking\0running\0cloth"; /* and its NUL */
    assert_memory_equal(file.data, "MRWF", 4);
    assert_int_equal(number_at(&file, 4, 2), 1);
    assert_int_equal(number_at(&file, 6, 2), 0);
    assert_int_equal(number_at(&file, 8, 8), file.size_bytes);
    const size_t directory = 4 * 24 + sizeof(names);
    assert_true(number_at(&file, 16, 8) == mrw_asset_checksum(file.data + 64, directory));
    assert_int_equal(number_at(&file, 24, 4), 4);
    assert_int_equal(number_at(&file, 28, 4), sizeof(names));
    for (size_t i = 32; i < 64; i++)
        assert_int_equal(file.data[i], 0);
    assert_memory_equal(file.data + 64 + 4 * 24, names, sizeof(names));

    const mrw_bytes *assets[] = {&made.skeleton, &made.walk, &made.run, &made.skin};
    const uint32_t kinds[] = {1, 2, 2, 3}, name_offsets[] = {0, 4, 12, 20};
    size_t offset = (64 + directory + 63) / 64 * 64;
    for (size_t i = 64 + directory; i < offset; i++)
        assert_int_equal(file.data[i], 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(number_at(&file, 64 + 24 * i, 8), offset);
        assert_int_equal(number_at(&file, 72 + 24 * i, 8), assets[i]->size_bytes);
        assert_int_equal(number_at(&file, 80 + 24 * i, 4), kinds[i]);
        assert_int_equal(number_at(&file, 84 + 24 * i, 4), name_offsets[i]);
        assert_memory_equal(file.data + offset, assets[i]->data, assets[i]->size_bytes);
        offset += assets[i]->size_bytes;
    }
    assert_int_equal(offset, file.size_bytes);

    mrw_bytes again = export_made(&made);
    assert_int_equal(again.size_bytes, file.size_bytes);
    assert_memory_equal(again.data, file.data, file.size_bytes);
    mrw_bytes_free(&again);
    mrw_bytes_free(&file);
    free_made(&made);
}

/* --- reading ------------------------------------------------------------------------------ */

static void assets_are_found_by_kind_index_and_name(void **state)
{
    (void)state;
    made_assets made = make();
    mrw_bytes bytes = export_made(&made);
    mrw_file file;
    assert_int_equal(mrw_file_open(bytes.data, bytes.size_bytes, &file, NULL), MRW_OK);
    assert_int_equal(file.asset_count, 4);
    assert_int_equal(mrw_file_count(&file, MRW_ASSET_SKELETON), 1);
    assert_int_equal(mrw_file_count(&file, MRW_ASSET_CLIP), 2);
    assert_int_equal(mrw_file_count(&file, MRW_ASSET_SKIN), 1);
    assert_int_equal(mrw_file_count(&file, (mrw_asset_kind)4), 0);
    assert_string_equal(mrw_file_name(&file, MRW_ASSET_CLIP, 0), "walking");
    assert_string_equal(mrw_file_name(&file, MRW_ASSET_CLIP, 1), "running");
    assert_string_equal(mrw_file_name(&file, MRW_ASSET_CLIP, 2), "");
    assert_string_equal(mrw_file_name(&file, MRW_ASSET_CLIP, -1), "");
    assert_string_equal(mrw_file_name(&file, MRW_ASSET_SKIN, 1), "");
    assert_int_equal(mrw_file_find(&file, MRW_ASSET_CLIP, "running"), 1);
    assert_int_equal(mrw_file_find(&file, MRW_ASSET_CLIP, "rig"), -1);
    assert_int_equal(mrw_file_find(&file, MRW_ASSET_SKIN, "cloth"), 0);

    const void *asset = NULL;
    size_t size_bytes = 0;
    assert_int_equal(mrw_file_asset(&file, MRW_ASSET_CLIP, 1, &asset, &size_bytes), MRW_OK);
    assert_int_equal(size_bytes, made.run.size_bytes);
    assert_memory_equal(asset, made.run.data, size_bytes);
    assert_int_equal((uintptr_t)asset % 64, 0);
    assert_int_equal(mrw_file_asset(&file, MRW_ASSET_CLIP, 2, &asset, &size_bytes),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_file_asset(&file, MRW_ASSET_CLIP, -1, &asset, &size_bytes),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_file_asset(NULL, MRW_ASSET_CLIP, 0, &asset, &size_bytes),
                     MRW_ERR_NULL_ARGUMENT);
    mrw_bytes_free(&bytes);
    free_made(&made);
}

static void a_file_of_nothing_is_a_header(void **state)
{
    (void)state;
    mrw_bytes bytes;
    mrw_file file;
    assert_int_equal(mrw_export_file(NULL, 0, NULL, &bytes, NULL), MRW_OK);
    assert_int_equal(bytes.size_bytes, 64);
    assert_int_equal(mrw_file_open(bytes.data, bytes.size_bytes, &file, NULL), MRW_OK);
    assert_int_equal(mrw_file_count(&file, MRW_ASSET_CLIP), 0);
    mrw_bytes_free(&bytes);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    made_assets made = make();
    mrw_bytes bytes = export_made(&made), other;
    mrw_file file;
    mrw_error error;
    assert_int_equal(mrw_file_open(NULL, 64, &file, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_file_open(bytes.data, 64, NULL, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_file_open(bytes.data + 8, 64, &file, &error), MRW_ERR_ALIGNMENT);
    assert_int_equal(mrw_file_open(made.walk.data, made.walk.size_bytes, &file, &error),
                     MRW_ERR_BAD_MAGIC);
    assert_int_equal(mrw_export_file(NULL, 1, NULL, &other, &error), MRW_ERR_NULL_ARGUMENT);
    mrw_file_part wrong = part("file", &bytes);
    assert_int_equal(mrw_export_file(&wrong, 1, NULL, &other, &error), MRW_ERR_BAD_MAGIC);
    assert_null(other.data);
    mrw_bytes_free(&bytes);
    free_made(&made);
}

/* --- damage ------------------------------------------------------------------------------- */

/* Reads all that an accepted file points to. */
static mrw_status open_all(const void *bytes, size_t size_bytes, mrw_error *out_error)
{
    mrw_file file;
    mrw_status status = mrw_file_open(bytes, size_bytes, &file, out_error);
    volatile unsigned char sink = 0;
    for (uint32_t i = 0; status == MRW_OK && i < file.asset_count; i++) {
        const unsigned char *asset = (const unsigned char *)bytes + file.entries[i].offset;
        for (uint64_t k = 0; k < file.entries[i].size_bytes; k++)
            sink = (unsigned char)(sink ^ asset[k]);
        sink = (unsigned char)(sink + strlen(file.names + file.entries[i].name_offset));
    }
    mrw_character *character = NULL;
    if (status == MRW_OK) /* whatever it says, it does not crash */
        mrw_open_character(bytes, size_bytes, NULL, &character, NULL);
    mrw_character_free(character);
    return status;
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    made_assets made = make();
    mrw_bytes bytes = export_made(&made);
    assert_truncations_refused(bytes.data, bytes.size_bytes, open_all);
    mrw_bytes_free(&bytes);
    free_made(&made);
}

/* Every bit of header and directory, with the old checksum and with a right one. */
static void flipped_bits_do_no_harm(void **state)
{
    (void)state;
    made_assets made = make();
    mrw_bytes bytes = export_made(&made);
    const size_t directory = 4 * 24 + 26;
    for (size_t bit = 0; bit < (64 + directory) * 8; bit++) {
        for (int sealed = 0; sealed < 2; sealed++) {
            unsigned char *copy = malloc(bytes.size_bytes);
            assert_non_null(copy);
            memcpy(copy, bytes.data, bytes.size_bytes);
            copy[bit / 8] = (unsigned char)(copy[bit / 8] ^ (1u << (bit % 8)));
            if (sealed)
                ((mrw_file_header *)(void *)copy)->checksum =
                    mrw_asset_checksum(copy + 64, directory);
            mrw_error error = {0};
            mrw_status status = open_all(copy, bytes.size_bytes, &error);
            if (!sealed)
                assert_int_not_equal(status, MRW_OK);
            assert_int_equal(status, error.status);
            if (status != MRW_OK && error.detail[0] == '\0')
                fail_msg("bit %zu is refused without a reason", bit);
            free(copy);
        }
    }
    mrw_bytes_free(&bytes);
    free_made(&made);
}

/* --- characters --------------------------------------------------------------------------- */

static void a_character_opens_under_the_names_of_the_file(void **state)
{
    (void)state;
    made_assets made = make();
    mrw_bytes bytes = export_made(&made);
    mrw_character *character = NULL;
    assert_int_equal(mrw_open_character(bytes.data, bytes.size_bytes, NULL, &character, NULL),
                     MRW_OK);
    mrw_bytes_free(&bytes); /* it has a copy */
    assert_int_equal(character->skeleton.joint_count, 2);
    assert_string_equal(mrw_skeleton_joint_name(&character->skeleton, 0), "root");
    assert_int_equal(character->clip_count, 2);
    assert_int_equal(mrw_character_find_clip(character, "running"), 1);
    assert_int_equal(mrw_character_find_clip(character, "Run"), -1);
    float key[12];
    assert_int_equal(mrw_clip_key(&character->clips[1], 0, 1, key), 3);
    assert_true(key[0] == 3.0f);
    assert_int_equal(character->skin_count, 1);
    assert_string_equal(character->skins[0].name, "cloth");
    assert_int_equal(character->node_count, 0);
    assert_int_equal(character->instance_count, 0);
    mrw_character_free(character);
    free_made(&made);
}

static void assert_no_character(const mrw_file_part *parts, uint32_t count, mrw_status status,
                                const char *detail)
{
    mrw_bytes bytes;
    mrw_character *character = NULL;
    mrw_error error = {0};
    assert_int_equal(mrw_export_file(parts, count, NULL, &bytes, NULL), MRW_OK);
    assert_int_equal(mrw_open_character(bytes.data, bytes.size_bytes, NULL, &character, &error),
                     status);
    assert_null(character);
    assert_string_equal(error.detail, detail);
    mrw_bytes_free(&bytes);
}

static void what_is_no_character_is_refused(void **state)
{
    (void)state;
    made_assets made = make();
    mrw_bytes other;
    make_skeleton("other", &other);
    mrw_file_part parts[] = {part("walking", &made.walk), part("rig", &made.skeleton),
                             part("other", &other)};
    assert_no_character(parts, 1, MRW_ERR_INCONSISTENT, "skeletons");
    assert_no_character(parts, 3, MRW_ERR_INCONSISTENT, "skeletons");
    parts[1] = parts[2];
    assert_no_character(parts, 2, MRW_ERR_SKELETON_MISMATCH, "clips[0]: header.skeleton_id");

    parts[1] = part("rig", &made.skeleton);
    mrw_bytes bytes;
    mrw_character *character = NULL;
    mrw_error error = {0};
    assert_int_equal(mrw_export_file(parts, 2, NULL, &bytes, NULL), MRW_OK);
    bytes.data[bytes.size_bytes - 1] ^= 1; /* in the clip, the last asset */
    assert_int_equal(mrw_open_character(bytes.data, bytes.size_bytes, NULL, &character, &error),
                     MRW_ERR_BAD_CHECKSUM);
    assert_string_equal(error.detail, "clips[0]: header.checksum");
    mrw_bytes_free(&bytes);
    mrw_bytes_free(&other);
    free_made(&made);
}

/* The n-th allocation fails: nothing is leaked, and the reason is told. */
static void failing_allocations_leave_nothing(void **state)
{
    (void)state;
    made_assets made = make();
    mrw_bytes bytes = export_made(&made);
    mrw_memory_options memory = mrw_memory_options_default();
    memory.separate = true;
    mrw_status status = MRW_ERR_OUT_OF_MEMORY;
    for (uint64_t limit = 1; status != MRW_OK; limit++) {
        assert_true(limit < 100);
        memory.allocation_limit = limit;
        mrw_character *character = NULL;
        status = mrw_open_character(bytes.data, bytes.size_bytes, &memory, &character, NULL);
        assert_true((status == MRW_OK) == (character != NULL));
        assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
        mrw_character_free(character);
    }
    mrw_bytes_free(&bytes);
    free_made(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_those_of_the_page),
        cmocka_unit_test(assets_are_found_by_kind_index_and_name),
        cmocka_unit_test(a_file_of_nothing_is_a_header),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(flipped_bits_do_no_harm),
        cmocka_unit_test(a_character_opens_under_the_names_of_the_file),
        cmocka_unit_test(what_is_no_character_is_refused),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
