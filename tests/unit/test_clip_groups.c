/* Tracks in lanes, docs/format/clip_keyed_v1.md: a clip written by hand.
 *
 *     tracks[0]    rotation of joint 9, linear     keys at 0 and 1: i, then j; by itself
 *     tracks[1-3]  scalars 2, 4 and 5, linear      the same times, in lanes
 *     tracks[4]    scalar 7, step                  the same times, by itself
 */
#include <marrow/clip.h>

#include "clip/clip_format.h"
#include "unit/asset_damage.h"
#include "unit/near.h"

enum { TRACKS = 5, VALUES = 16 + 8 + 2 };

typedef struct grouped_clip {
    _Alignas(64) mrwi_clip_content content;
    _Alignas(64) mrw_track tracks[TRACKS];
    _Alignas(64) float times[2];
    _Alignas(64) float values[VALUES];
    _Alignas(64) char name[1];
    _Alignas(64) mrw_clip_group groups[1];
    _Alignas(64) mrw_clip_moving moving[1];
    _Alignas(64) uint32_t loose[1];
} grouped_clip;

static void seal(grouped_clip *made)
{
    made->content.header.checksum = mrw_asset_checksum(
        (const char *)made + sizeof(mrw_asset_header), sizeof(*made) - sizeof(mrw_asset_header));
}

static void make(grouped_clip *made)
{
    static const mrw_track tracks[TRACKS] = {
        {9, MRW_TRACK_ROTATION, MRW_INTERPOLATION_LINEAR, 0, 2, 0, 16},
        {2, MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR, 1, 2, 0, 0},
        {4, MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR, 1, 2, 0, 1},
        {5, MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR, 1, 2, 0, 2},
        {7, MRW_TRACK_SCALAR, MRW_INTERPOLATION_STEP, 0, 2, 0, 24},
    };
    static const float values[VALUES] = {
        1, 2, 3, 3, 3, 3, 3, 3, /* the first key of three tracks, the last of them repeated */
        4, 5, 6, 6, 6, 6, 6, 6, /* the second */
        1, 0, 0, 0, 0, 1, 0, 0, /* tracks[0] */
        8, 9,                   /* tracks[4] */
    };
    static const mrw_clip_group group = {
        MRW_TRACK_SCALAR, 3, 0, 2, 0, 0, {2, 4, 5, 5, 5, 5, 5, 5}, {1, 2, 3, 3, 3, 3, 3, 3}};
    memset(made, 0, sizeof(*made));
    memcpy(made->tracks, tracks, sizeof(tracks));
    made->times[1] = 1.0f;
    memcpy(made->values, values, sizeof(values));
    made->groups[0] = group;
    made->moving[0] = (mrw_clip_moving){0, 80 + 3 * 8 + 1, 16};
    made->loose[0] = 4;
    made->content = (mrwi_clip_content){
        .header = {.magic = MRW_ASSET_MAGIC,
                   .kind = MRW_ASSET_CLIP,
                   .version = MRW_CLIP_VERSION,
                   .size_bytes = sizeof(*made)},
        .encoding = MRW_CLIP_KEYED,
        .joint_count = 10,
        .scalar_count = 8,
        .track_count = TRACKS,
        .time_count = 2,
        .value_count = VALUES,
        .name_size_bytes = 1,
        .duration_s = 1.0f,
        .tracks_offset = offsetof(grouped_clip, tracks),
        .times_offset = offsetof(grouped_clip, times),
        .values_offset = offsetof(grouped_clip, values),
        .name_offset = offsetof(grouped_clip, name),
        .moving_count = 1,
        .loose_count = 1,
        .group_count = 1,
        .bases_offset = offsetof(grouped_clip, moving), /* none */
        .moving_offset = offsetof(grouped_clip, moving),
        .loose_offset = offsetof(grouped_clip, loose),
        .groups_offset = offsetof(grouped_clip, groups),
    };
    seal(made);
}

static void keys_are_read_in_either_layout(void **state)
{
    (void)state;
    grouped_clip made;
    make(&made);
    mrw_clip clip;
    assert_int_equal(mrw_clip_open(&made, sizeof(made), &clip, NULL), MRW_OK);
    assert_int_equal(clip.group_count, 1);
    assert_ptr_equal(clip.groups, made.groups);
    float key[12];
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t lane = 0; lane < 3; lane++) {
            assert_int_equal(mrw_clip_key(&clip, 1 + lane, k, key), 1);
            assert_true(key[0] == 1.0f + (float)lane + 3.0f * (float)k);
        }
    assert_int_equal(mrw_clip_key(&clip, 0, 1, key), 4);
    static const float j[] = {0, 1, 0, 0};
    assert_memory_equal(key, j, sizeof(j));
    assert_int_equal(mrw_clip_key(&clip, 4, 1, key), 1);
    assert_true(key[0] == 9.0f);
    assert_int_equal(mrw_clip_key(&clip, 4, 2, key), 0);
    assert_int_equal(mrw_clip_key(&clip, 5, 0, key), 0);
    assert_int_equal(mrw_clip_key(NULL, 0, 0, key), 0);
    assert_int_equal(mrw_clip_key(&clip, 0, 0, NULL), 0);
}

static void assert_refused(grouped_clip *made, const char *detail, size_t offset)
{
    seal(made);
    mrw_clip clip;
    mrw_error error = {0};
    assert_int_equal(mrw_clip_open(made, sizeof(*made), &clip, &error), MRW_ERR_BAD_ASSET);
    assert_string_equal(error.detail, detail);
    assert_int_equal(error.offset, offset);
    assert_null(clip.header);
    make(made);
}

static void broken_groups_are_named(void **state)
{
    (void)state;
    const size_t group = offsetof(grouped_clip, groups);
    grouped_clip made;
    make(&made);
    made.content.group_count = 0; /* the first values then belong to tracks[0] */
    assert_refused(&made, "tracks[0].values_offset", offsetof(grouped_clip, tracks) + 16);
    made.content.group_count = UINT32_MAX;
    assert_refused(&made, "groups", group);
    made.groups[0].kind = 4;
    assert_refused(&made, "groups[0]", group);
    made.groups[0].track_count = 0;
    assert_refused(&made, "groups[0]", group + 1);
    made.groups[0].track_count = 9;
    assert_refused(&made, "groups[0]", group + 1);
    made.groups[0].track_count = 2; /* values of the third are no repetition */
    assert_refused(&made, "groups[0]", group);
    made.groups[0].reserved = 1;
    assert_refused(&made, "groups[0]", group);
    made.groups[0].key_count = UINT32_MAX;
    assert_refused(&made, "groups[0]", group + 4);
    made.groups[0].times_offset = 1;
    assert_refused(&made, "groups[0]", group + 48);
    made.groups[0].values_offset = 8;
    assert_refused(&made, "groups[0]", group + 12);
    made.groups[0].places[1] = 3;
    assert_refused(&made, "groups[0]", group);
    made.groups[0].places[7] = 4;
    assert_refused(&made, "groups[0]", group);
    made.groups[0].tracks[1] = TRACKS;
    assert_refused(&made, "groups[0]", group + 52);
    made.groups[0].tracks[2] = 4; /* a step, by itself */
    assert_refused(&made, "groups[0]", group + 56);
    made.groups[0].tracks[0] = 2;
    assert_refused(&made, "groups[0]", group + 48);
    made.groups[0].tracks[7] = 2;
    assert_refused(&made, "groups[0]", group);
    made.values[4] = 2.0f; /* a lane without a track */
    assert_refused(&made, "groups[0]", group);
}

static void broken_tracks_in_lanes_are_named(void **state)
{
    (void)state;
    const size_t group = offsetof(grouped_clip, groups);
    grouped_clip made;
    make(&made);
    made.tracks[2].in_lanes = 0; /* then it has values of its own */
    assert_refused(&made, "tracks[2].values_offset", offsetof(grouped_clip, tracks) + 56);
    made.tracks[2].values_offset = 2;
    assert_refused(&made, "groups[0]", group + 52);
    made.tracks[2].interpolation = MRW_INTERPOLATION_STEP;
    assert_refused(&made, "groups[0]", group + 52);
    made.tracks[2].key_count = 1;
    assert_refused(&made, "groups[0]", group + 52);
    made.tracks[4].in_lanes = 1; /* in no group, and its values belong to nobody */
    made.tracks[4].interpolation = MRW_INTERPOLATION_LINEAR;
    made.content.value_count = 24;
    assert_refused(&made, "group_count", offsetof(mrwi_clip_content, group_count));
    made.moving[0].track = 1;
    assert_refused(&made, "moving[0]", offsetof(grouped_clip, moving));
    made.loose[0] = 1;
    assert_refused(&made, "loose[0]", offsetof(grouped_clip, loose));
}

static mrw_status open_and_read(const void *bytes, size_t size_bytes, mrw_error *out_error)
{
    mrw_clip clip;
    mrw_status status = mrw_clip_open(bytes, size_bytes, &clip, out_error);
    if (status != MRW_OK)
        return status;
    for (uint32_t i = 0; i < clip.group_count; i++) {
        const mrw_clip_group *group = &clip.groups[i];
        for (uint32_t lane = 0; lane < MRW_CLIP_LANES; lane++)
            for (uint32_t k = 0; k < group->key_count; k++) {
                float key[12];
                assert_true(mrw_clip_key(&clip, group->tracks[lane], k, key) > 0);
                assert_true(isfinite(key[0]));
            }
    }
    return MRW_OK;
}

static void damage_is_found_or_harmless(void **state)
{
    (void)state;
    grouped_clip made;
    make(&made);
    assert_truncations_refused(&made, sizeof(made), open_and_read);
    assert_flips_harmless(&made, sizeof(made), open_and_read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_read_in_either_layout),
        cmocka_unit_test(broken_groups_are_named),
        cmocka_unit_test(broken_tracks_in_lanes_are_named),
        cmocka_unit_test(damage_is_found_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
