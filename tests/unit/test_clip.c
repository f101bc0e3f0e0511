/* Keyed clips as assets, docs/format/clip_keyed_v1.md, and local times. */
#include <marrow/clip.h>

#include "unit/asset_damage.h"
#include "unit/handmade_clip.h"
#include "unit/near.h"
#include "unit/random.h"

#define SKELETON_ID 0x1234u

static void widths_are_those_of_the_kinds(void **state)
{
    (void)state;
    assert_int_equal(mrw_track_width(MRW_TRACK_TRANSLATION), 3);
    assert_int_equal(mrw_track_width(MRW_TRACK_ROTATION), 4);
    assert_int_equal(mrw_track_width(MRW_TRACK_SCALE), 3);
    assert_int_equal(mrw_track_width(MRW_TRACK_SCALAR), 1);
    assert_int_equal(mrw_track_width((mrw_track_kind)4), 0);
}

static void a_clip_opens_as_a_view(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    mrw_clip clip;
    assert_int_equal(mrw_clip_open(&made, sizeof(made), &clip, NULL), MRW_OK);
    assert_ptr_equal(clip.header, &made);
    assert_true(clip.header->skeleton_id == SKELETON_ID);
    assert_int_equal(clip.encoding, MRW_CLIP_KEYED);
    assert_int_equal(clip.joint_count, 4);
    assert_int_equal(clip.scalar_count, 1);
    assert_int_equal(clip.track_count, HANDMADE_TRACKS);
    assert_ptr_equal(clip.tracks, made.tracks);
    assert_ptr_equal(clip.times, made.times);
    assert_ptr_equal(clip.values, made.values);
    assert_int_equal(clip.time_count, HANDMADE_TIMES);
    assert_int_equal(clip.value_count, HANDMADE_VALUES);
    assert_true(clip.duration_s == 2.0f);
    assert_string_equal(clip.name, "wave");
    assert_ptr_equal(clip.bases, made.bases);
    assert_ptr_equal(clip.constants, made.constants);
    assert_ptr_equal(clip.moving, made.moving);
    assert_ptr_equal(clip.loose, made.loose);
    assert_int_equal(clip.base_count, 1);
    assert_int_equal(clip.constant_count, 3);
    assert_int_equal(clip.group_count, 0);
    assert_int_equal(clip.moving_count, 1);
    assert_int_equal(clip.loose_count, 3);
}

static void assert_refused(handmade_clip *made, mrw_status status, const char *detail,
                           size_t offset)
{
    handmade_clip_seal(made);
    mrw_clip clip;
    mrw_error error = {0};
    assert_int_equal(mrw_clip_open(made, sizeof(*made), &clip, &error), status);
    assert_string_equal(error.detail, detail);
    assert_int_equal(error.offset, offset);
    assert_null(clip.header);
    handmade_clip_init(made, SKELETON_ID);
}

#define AT(field) offsetof(handmade_clip, field)

static void broken_fields_are_named(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    made.content.header.kind = MRW_ASSET_SKELETON;
    assert_refused(&made, MRW_ERR_WRONG_KIND, "header.kind", 4);
    made.content.header.version = 0;
    assert_refused(&made, MRW_ERR_BAD_VERSION, "header.version", 6);
    made.content.encoding = 3;
    assert_refused(&made, MRW_ERR_BAD_VERSION, "encoding", 64);
    made.content.encoding = MRW_CLIP_PACKED;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "packed_size_bytes", 184);
    made.content.joint_count = 65536;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "joint_count", 68);
    made.content.scalar_count = (1u << 24) + 1;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "scalar_count", 72);
    made.content.duration_s = NAN;
    assert_refused(&made, MRW_ERR_NOT_FINITE, "duration_s", 92);
    made.content.duration_s = -1.0f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "duration_s", 92);
    made.content.track_count = UINT32_MAX;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks", AT(tracks));
    made.content.time_count = UINT32_MAX;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "times", AT(times));
    made.content.values_offset += 1;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "values", AT(values) + 1);
    made.content.name_offset = sizeof(made);
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name", sizeof(made));
    made.content.value_count++;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "value_count", 84);
}

static void broken_names_are_named(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    made.name[4] = '!';
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name", AT(name));
    made.name[2] = '\0';
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name", AT(name));
    made.name[2] = (char)0x80;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name", AT(name));
    made.content.name_size_bytes = 0;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "name", AT(name));
}

static void broken_tracks_are_named(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    size_t track_1 = AT(tracks) + 20;
    size_t track_4 = AT(tracks) + 80;
    made.tracks[4].kind = 4;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[4].kind", track_4 + 4);
    made.tracks[1].interpolation = 3;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[1].interpolation", track_1 + 5);
    made.tracks[1].in_lanes = 2;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[1].in_lanes", track_1 + 6);
    made.tracks[1].target = 4;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[1].target", track_1);
    made.tracks[4].target = 1; /* a joint there is, a scalar there is not */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[4].target", track_4);
    made.tracks[1].target = 3; /* the same as tracks[2] */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[2]", track_1 + 20);
    made.tracks[3].kind = MRW_TRACK_TRANSLATION; /* out of order */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[3]", track_1 + 40);
    made.tracks[1].key_count = 0;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[1].key_count", track_1 + 8);
    made.tracks[4].times_offset = 4;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[4].times_offset", track_4 + 12);
    made.tracks[4].times_offset = UINT32_MAX;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[4].times_offset", track_4 + 12);
    made.tracks[4].key_count = UINT32_MAX;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[4].times_offset", track_4 + 12);
    made.tracks[1].values_offset = 0; /* the values of tracks[0] */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[1].values_offset", track_1 + 16);
    made.content.value_count--;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[4].values_offset", track_4 + 16);
}

static void broken_keys_are_named(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    made.times[1] = NAN;
    assert_refused(&made, MRW_ERR_NOT_FINITE, "tracks[0].times", AT(times) + 4);
    made.times[1] = 0.5f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[0].times", AT(times) + 4);
    made.times[0] = -0.5f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[0].times", AT(times));
    made.times[4] = 2.5f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[4].times", AT(times) + 16);
    made.values[54] = INFINITY;
    assert_refused(&made, MRW_ERR_NOT_FINITE, "tracks[4].values", AT(values) + 54 * 4);
    made.values[26] = NAN; /* a tangent */
    assert_refused(&made, MRW_ERR_NOT_FINITE, "tracks[2].values", AT(values) + 26 * 4);
    made.values[21] = 1.01f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[1].values", AT(values) + 18 * 4);
    made.values[33] = 0.0f; /* the value between the tangents */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[2].values", AT(values) + 26 * 4);
}

static void a_broken_order_of_sampling_is_named(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    made.content.moving_count = 0;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "moving_count", 132);
    made.content.loose_count = 2;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "loose_count", 136);
    made.content.moving_count = UINT32_MAX;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "moving", AT(moving));
    made.content.loose_offset = sizeof(made);
    assert_refused(&made, MRW_ERR_BAD_ASSET, "loose", sizeof(made));
    made.moving[0].track = 5;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "moving[0]", AT(moving));
    made.moving[0].place = 0; /* a translation's */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "moving[0]", AT(moving));
    made.moving[0].values_offset = 26;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "moving[0]", AT(moving));
    made.moving[0].track = 0; /* a loose one */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "moving[0]", AT(moving));
    made.loose[1] = 3; /* a constant one */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "loose[1]", AT(loose) + 4);
    made.loose[1] = 0;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "loose[1]", AT(loose) + 4);
    made.loose[0] = 2;
    made.loose[1] = 0;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "loose[1]", AT(loose) + 4);
}

static void broken_constants_are_named(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    made.content.base_count = 0;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[3]", AT(tracks) + 3 * sizeof(mrw_track));
    made.content.base_count = UINT32_MAX;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "bases", AT(bases));
    made.content.bases_offset += 4;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "bases", AT(bases) + 4);
    made.content.bases_offset = sizeof(made) - 64;
    memset((char *)&made + sizeof(made) - 64, 0xff, 8); /* its constants lie outside */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "constants", sizeof(made) - 64);
    made.bases[0].block = 1;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "bases[0]", AT(bases));
    made.bases[0].lanes[2] = 1u << 4; /* no joint */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "bases[0]", AT(bases));
    made.bases[0].lanes[2] = 1u << 3; /* of another joint than the track's */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "tracks[3]", AT(tracks) + 3 * sizeof(mrw_track));
    made.bases[0].lanes[2] = 0;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "bases[0]", AT(bases));
    made.bases[0].reserved = 1;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "bases[0]", AT(bases));
    made.constants[1] = -1.0f;
    assert_refused(&made, MRW_ERR_BAD_ASSET, "constants[0]", AT(constants));
    made.constants[1] = INFINITY;
    assert_refused(&made, MRW_ERR_NOT_FINITE, "constants[0]", AT(constants));
}

/* A rotation of joint 2 stands before its scale. */
static void add_rotation(handmade_clip *made, uint32_t joint, const float value[4])
{
    memmove(made->constants + 4, made->constants, 3 * sizeof(float));
    memcpy(made->constants, value, 4 * sizeof(float));
    made->bases[0].lanes[MRW_TRACK_ROTATION] = (uint8_t)(1u << joint);
}

static void a_constant_needs_no_track(void **state)
{
    (void)state;
    static const float turn[] = {0, 1, 0, 0}, longer[] = {0, 0, 0, 1.01f};
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    add_rotation(&made, 2, turn);
    handmade_clip_seal(&made);
    mrw_clip clip;
    float value[4];
    assert_int_equal(mrw_clip_open(&made, sizeof(made), &clip, NULL), MRW_OK);
    assert_int_equal(mrw_clip_constant(&clip, 2, MRW_TRACK_ROTATION, value), 4);
    assert_memory_equal(value, turn, sizeof(turn));
    assert_int_equal(mrw_clip_constant(&clip, 2, MRW_TRACK_SCALE, value), 3);
    assert_memory_equal(value, &made.values[50], 3 * sizeof(float));
    assert_int_equal(mrw_clip_constant(&clip, 2, MRW_TRACK_TRANSLATION, value), 0);
    assert_int_equal(mrw_clip_constant(&clip, 3, MRW_TRACK_ROTATION, value), 0);
    assert_int_equal(mrw_clip_constant(&clip, 10, MRW_TRACK_ROTATION, value), 0);
    assert_int_equal(mrw_clip_constant(&clip, 2, MRW_TRACK_SCALAR, value), 0);
    assert_int_equal(mrw_clip_constant(NULL, 2, MRW_TRACK_SCALE, value), 0);
    assert_int_equal(mrw_clip_constant(&clip, 2, MRW_TRACK_SCALE, NULL), 0);

    handmade_clip_init(&made, SKELETON_ID);
    add_rotation(&made, 0, turn); /* which moves */
    assert_refused(&made, MRW_ERR_BAD_ASSET, "constants[0]", AT(constants));
    add_rotation(&made, 2, longer);
    assert_refused(&made, MRW_ERR_BAD_ASSET, "constants[0]", AT(constants));
}

static void a_clip_without_tracks_is_normal(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    made.content.joint_count = made.content.scalar_count = made.content.track_count = 0;
    made.content.time_count = made.content.value_count = 0;
    made.content.base_count = made.content.moving_count = made.content.loose_count = 0;
    made.content.duration_s = 0.0f;
    handmade_clip_seal(&made);
    mrw_clip clip;
    assert_int_equal(mrw_clip_open(&made, sizeof(made), &clip, NULL), MRW_OK);
    assert_int_equal(clip.track_count, 0);
    assert_true(mrw_clip_local_time(&clip, 5.0, true) == 0.0f);
    assert_true(mrw_clip_local_time(&clip, 5.0, false) == 0.0f);
}

/* Opens, and if the bytes are accepted reads every key. */
static mrw_status open_and_read(const void *bytes, size_t size_bytes, mrw_error *out_error)
{
    mrw_clip clip;
    mrw_status status = mrw_clip_open(bytes, size_bytes, &clip, out_error);
    if (status != MRW_OK)
        return status;
    for (uint32_t i = 0; i < clip.track_count; i++) {
        const mrw_track *track = &clip.tracks[i];
        assert_true(track->target <
                    (track->kind == MRW_TRACK_SCALAR ? clip.scalar_count : clip.joint_count));
        float previous = -1.0f;
        for (uint32_t k = 0; k < track->key_count; k++) {
            float time_s = clip.times[track->times_offset + k];
            assert_true(time_s > previous && time_s <= clip.duration_s);
            previous = time_s;
            float key[12];
            uint32_t floats = mrw_clip_key(&clip, i, k, key);
            assert_int_equal(floats, mrwi_track_key_floats(track));
            for (uint32_t f = 0; f < floats; f++)
                assert_true(isfinite(key[f]));
        }
    }
    assert_true(strlen(clip.name) < size_bytes);
    return MRW_OK;
}

static void damage_is_found_or_harmless(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    assert_truncations_refused(&made, sizeof(made), open_and_read);
    assert_flips_harmless(&made, sizeof(made), open_and_read);
}

static void mistakes_of_the_caller_are_statuses(void **state)
{
    (void)state;
    handmade_clip made;
    handmade_clip_init(&made, SKELETON_ID);
    mrw_clip clip;
    assert_int_equal(mrw_clip_open(NULL, sizeof(made), &clip, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_clip_open(&made, sizeof(made), NULL, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_clip_open((const char *)&made + 4, 64, &clip, NULL), MRW_ERR_ALIGNMENT);
}

/* --- local times -------------------------------------------------------------------------- */

static float local_time(float duration_s, double time_s, bool loop)
{
    mrw_clip clip = {0};
    clip.duration_s = duration_s;
    return mrw_clip_local_time(&clip, time_s, loop);
}

static void clamping_holds_the_ends(void **state)
{
    (void)state;
    assert_true(local_time(2.0f, 0.5, false) == 0.5f);
    assert_true(local_time(2.0f, 2.0, false) == 2.0f);
    assert_true(local_time(2.0f, 2.5, false) == 2.0f);
    assert_true(local_time(2.0f, -0.5, false) == 0.0f);
    assert_true(local_time(2.0f, (double)INFINITY, false) == 2.0f);
    assert_true(local_time(2.0f, (double)-INFINITY, false) == 0.0f);
    assert_true(local_time(2.0f, (double)NAN, false) == 0.0f);
    assert_true(!signbit(local_time(2.0f, -0.0, false)));
}

static void loops_wrap_exactly(void **state)
{
    (void)state;
    assert_true(local_time(2.0f, 0.5, true) == 0.5f);
    assert_true(local_time(2.0f, 2.0, true) == 0.0f);
    assert_true(local_time(2.0f, 4.5, true) == 0.5f);
    assert_true(local_time(2.0f, -0.5, true) == 1.5f);
    assert_true(local_time(2.0f, -2.0, true) == 0.0f);
    assert_true(local_time(2.0f, -4.5, true) == 1.5f);
    assert_true(local_time(2.0f, (double)INFINITY, true) == 0.0f);
    assert_true(local_time(2.0f, (double)-INFINITY, true) == 0.0f);
    assert_true(local_time(2.0f, (double)NAN, true) == 0.0f);
    assert_true(local_time(0.0f, 1.0, true) == 0.0f);

    /* A million loops of the float nearest to 0.7, and a quarter of one: in double that product is
     * exact, so the result is, too. */
    double duration = (double)0.7f;
    assert_true(local_time(0.7f, 1000000.0 * duration, true) == 0.0f);
    assert_true(local_time(0.7f, 1000000.25 * duration, true) == 0.7f * 0.25f);
    assert_true(local_time(0.7f, -999999.75 * duration, true) == 0.7f * 0.25f);
}

static void a_time_that_rounds_to_the_duration_stays_below_it(void **state)
{
    (void)state;
    float below = nextafterf(2.0f, 0.0f);
    assert_true(local_time(2.0f, nextafter(2.0, 0.0), true) == below);
    assert_true(local_time(2.0f, -1e-300, true) == below);
    assert_true(local_time(2.0f, -4.9e-324, true) == below);
    assert_true(local_time(1e-45f, -1e-300, true) == 0.0f);
    assert_true(local_time(3.4e38f, -1e-300, true) == nextafterf(3.4e38f, 0.0f));
}

/* fmod is exact by the C standard's Annex F. */
static void loops_agree_with_fmod(void **state)
{
    (void)state;
    static const double special_times[] = {4.9e-324, 2.3e-308, 1e-40,  1.0,
                                           1e300,    1.79e308, 0x1p52, 0x1.fffffffffffffp1023};
    static const float special_durations[] = {1e-45f, 1.1754944e-38f, 0.7f,
                                              1.0f,   1e30f,          3.4028235e38f};
    uint64_t random = 71;
    for (int round = 0; round < 200000; round++) {
        uint64_t bits = ((uint64_t)random_bits(&random) << 32) | random_bits(&random);
        double time_s;
        memcpy(&time_s, &bits, sizeof(time_s));
        uint32_t float_bits = random_bits(&random) & 0x7fffffffu;
        float duration_s;
        memcpy(&duration_s, &float_bits, sizeof(duration_s));
        if (round % 4 == 0)
            time_s = (double)random_float(&random, -1e5f, 1e5f) * 1.1;
        if (round % 4 <= 1)
            duration_s = random_float(&random, 0.01f, 100.0f);
        if (round < 48) {
            time_s = special_times[round % 8];
            duration_s = special_durations[round / 8];
        }
        if (!isfinite(time_s) || !isfinite(duration_s) || duration_s == 0.0f)
            continue;
        double expected = fmod(fabs(time_s), (double)duration_s);
        if (time_s < 0.0 && expected > 0.0)
            expected = (double)duration_s - expected;
        float rounded = (float)expected;
        if (rounded >= duration_s)
            rounded = nextafterf(duration_s, 0.0f);
        float result = local_time(duration_s, time_s, true);
        if (result != rounded || signbit(result))
            fail_msg("%a modulo %a: %a, not %a", time_s, (double)duration_s, (double)result,
                     (double)rounded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_are_those_of_the_kinds),
        cmocka_unit_test(a_clip_opens_as_a_view),
        cmocka_unit_test(broken_fields_are_named),
        cmocka_unit_test(broken_names_are_named),
        cmocka_unit_test(broken_tracks_are_named),
        cmocka_unit_test(broken_keys_are_named),
        cmocka_unit_test(a_broken_order_of_sampling_is_named),
        cmocka_unit_test(broken_constants_are_named),
        cmocka_unit_test(a_constant_needs_no_track),
        cmocka_unit_test(a_clip_without_tracks_is_normal),
        cmocka_unit_test(damage_is_found_or_harmless),
        cmocka_unit_test(mistakes_of_the_caller_are_statuses),
        cmocka_unit_test(clamping_holds_the_ends),
        cmocka_unit_test(loops_wrap_exactly),
        cmocka_unit_test(a_time_that_rounds_to_the_duration_stays_below_it),
        cmocka_unit_test(loops_agree_with_fmod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
