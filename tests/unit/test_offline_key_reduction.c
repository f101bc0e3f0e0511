/* Keys that the others make, left out; and clips of few keys, which never grow. */
#include <marrow/offline/compress.h>

#include "offline/compress/key_reduction.h"
#include "unit/near.h"
#include "unit/random.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

typedef struct made_track {
    mrw_track_desc desc;
    float times[MOST], values[MOST * 12];
} made_track;

static void begin(made_track *made, mrw_track_kind kind, mrw_interpolation interpolation)
{
    memset(made, 0, sizeof(*made));
    made->desc = (mrw_track_desc){kind, 0, interpolation, 0, made->times, made->values};
}

static void add_key(made_track *made, float time, const float *numbers, uint32_t count)
{
    made->times[made->desc.key_count] = time;
    memcpy(made->values + (size_t)made->desc.key_count * count, numbers, count * sizeof(float));
    made->desc.key_count++;
}

static mrw_track_desc reduce(const made_track *made, double tolerance, mrwi_arena *arena)
{
    mrw_track_desc out;
    assert_true(mrwi_reduce_keys(&made->desc, tolerance, arena, &out));
    assert_int_equal(out.kind, made->desc.kind);
    assert_int_equal(out.interpolation, made->desc.interpolation);
    return out;
}

static void lines_keep_their_corners(void **state)
{
    (void)state;
    made_track made;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    begin(&made, MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR);
    for (int i = 0; i <= 40; i++) {
        float time = (float)i / 8.0f; /* up to a corner at 2, and down again */
        float value = time < 2.0f ? time : 4.0f - time;
        add_key(&made, time, &value, 1);
    }
    const mrw_track_desc out = reduce(&made, 1e-7, &arena);
    assert_int_equal(out.key_count, 3);
    const float times[] = {0.0f, 2.0f, 5.0f}, values[] = {0.0f, 2.0f, -1.0f};
    assert_memory_equal(out.times, times, sizeof(times));
    assert_memory_equal(out.values, values, sizeof(values));
    mrwi_arena_free(&arena);
}

static void turns_at_an_even_rate_need_two_keys(void **state)
{
    (void)state;
    made_track made;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    begin(&made, MRW_TRACK_ROTATION, MRW_INTERPOLATION_LINEAR);
    for (int i = 0; i <= 32; i++) {
        const double half = 0.03 * i; /* to 1.92 rad; some with the other sign */
        const float sign = i % 3 == 1 ? -1.0f : 1.0f;
        const float q[4] = {sign * (float)(0.6 * sin(half)), 0.0f, sign * (float)(0.8 * sin(half)),
                            sign * (float)cos(half)};
        add_key(&made, 0.1f * (float)i, q, 4);
    }
    assert_int_equal(reduce(&made, 1e-5, &arena).key_count, 2);
    assert_true(reduce(&made, 1e-8, &arena).key_count > 8); /* single precision's own steps */
    mrwi_arena_free(&arena);
}

static void steps_keep_their_changes(void **state)
{
    (void)state;
    static const float heights[] = {1, 1, 1, 5, 5, 1, 1.0625f, 1, 1, 7, 7};
    made_track made;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    begin(&made, MRW_TRACK_TRANSLATION, MRW_INTERPOLATION_STEP);
    for (int i = 0; i < 11; i++) {
        const float value[3] = {0.0f, heights[i], 2.0f};
        add_key(&made, (float)i, value, 3);
    }
    mrw_track_desc out = reduce(&made, 0.1, &arena);
    const float times[] = {0, 3, 5, 9};
    assert_int_equal(out.key_count, 4);
    assert_memory_equal(out.times, times, sizeof(times));
    assert_int_equal(reduce(&made, 0.0, &arena).key_count, 6);
    mrwi_arena_free(&arena);
}

/* x = t^3 - t^2, cut into pieces: Hermite's form of each piece is exact. */
static void a_curve_in_pieces_becomes_whole(void **state)
{
    (void)state;
    made_track made;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    begin(&made, MRW_TRACK_SCALE, MRW_INTERPOLATION_CUBIC);
    for (int i = 0; i <= 8; i++) {
        const float t = 0.25f * (float)i, slope = 3.0f * t * t - 2.0f * t;
        const float key[9] = {0, slope, 0, 1, t * t * t - t * t, 2, 0, slope, 0};
        add_key(&made, t, key, 9);
    }
    assert_int_equal(reduce(&made, 1e-5, &arena).key_count, 2);
    made.values[4 * 9 + 4] += 0.01f; /* a bump in the middle */
    const mrw_track_desc out = reduce(&made, 1e-5, &arena);
    assert_true(out.key_count >= 4 && out.key_count <= 5);
    mrwi_arena_free(&arena);
}

static void ends_that_stay_need_one_key(void **state)
{
    (void)state;
    static const float values[] = {3, 3, 3, 4, 6, 6, 6};
    made_track made;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    begin(&made, MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR);
    for (int i = 0; i < 7; i++)
        add_key(&made, (float)i, &values[i], 1);
    const mrw_track_desc out = reduce(&made, 0.0, &arena);
    const float times[] = {2, 3, 4};
    assert_int_equal(out.key_count, 3);
    assert_memory_equal(out.times, times, sizeof(times));
    mrwi_arena_free(&arena);
}

/* The lines of what is left, worked out here. */
static double line_at(const mrw_track_desc *track, double time)
{
    uint32_t k = 0;
    while (k + 1 < track->key_count && (double)track->times[k + 1] <= time)
        k++;
    const double from = (double)track->times[k];
    if (k + 1 == track->key_count || time <= from)
        return (double)track->values[k];
    const double u = (time - from) / ((double)track->times[k + 1] - from);
    return (double)track->values[k] * (1.0 - u) + (double)track->values[k + 1] * u;
}

static void what_is_left_keeps_the_tolerance(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 200; round++) {
        const double tolerance = (double)random_float(&random, 0.001f, 0.3f);
        made_track made;
        mrwi_arena arena;
        mrwi_arena_init(&arena, NULL);
        begin(&made, MRW_TRACK_SCALAR, MRW_INTERPOLATION_LINEAR);
        const uint32_t count = 2 + random_bits(&random) % (MOST - 2);
        float time = 0.0f, value = 0.0f;
        for (uint32_t i = 0; i < count; i++) {
            add_key(&made, time, &value, 1);
            time += random_float(&random, 0.01f, 0.2f);
            value += random_float(&random, -0.2f, 0.25f);
        }
        const mrw_track_desc out = reduce(&made, tolerance, &arena);
        assert_true(out.key_count <= count);
        for (int i = 0; i <= 500; i++) {
            const double at = (double)made.times[count - 1] * i / 500.0;
            assert_near(line_at(&out, at), line_at(&made.desc, at), tolerance + 1e-6);
        }
        mrwi_arena_free(&arena);
    }
}

/* --- clips --------------------------------------------------------------------------------- */

static mrw_bytes skeleton_bytes;
static mrw_skeleton skeleton;

static int set_up(void **state)
{
    (void)state;
    mrw_joint_desc joints[3] = {0};
    for (int j = 0; j < 3; j++) {
        joints[j].parent = j - 1;
        joints[j].rest = (mrw_transform){{0, j > 0 ? 0.5f : 0.0f, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    }
    mrw_error error;
    if (mrw_build_skeleton(joints, 3, NULL, 0, NULL, NULL, &skeleton_bytes, &error) != MRW_OK)
        return -1;
    const mrw_status status =
        mrw_skeleton_open(skeleton_bytes.data, skeleton_bytes.size_bytes, &skeleton, &error);
    return status == MRW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    mrw_bytes_free(&skeleton_bytes);
    return 0;
}

/* Packs a clip of these tracks; within the tolerance, and not larger than it was. */
static mrw_pack_report pack(const mrw_track_desc *tracks, uint32_t count)
{
    mrw_bytes bytes, packed_bytes;
    mrw_clip clip, packed;
    mrw_error error;
    mrw_comparison *comparison;
    mrw_pack_report report = {.struct_size = sizeof(report)};
    assert_int_equal(mrw_build_clip(&skeleton, "c", tracks, count, -1.0f, NULL, &bytes, &error), 0);
    assert_int_equal(mrw_clip_open(bytes.data, bytes.size_bytes, &clip, &error), 0);
    assert_int_equal(mrw_pack_clip(&skeleton, &clip, NULL, &packed_bytes, &report, &error), 0);
    assert_int_equal(mrw_clip_open(packed_bytes.data, packed_bytes.size_bytes, &packed, &error), 0);
    mrw_compare_options options = mrw_compare_options_default();
    options.samples_per_second = 1013.0;
    assert_int_equal(mrw_compare_clips(&skeleton, &clip, &packed, &options, &comparison, &error),
                     0);
    assert_true(comparison->all.largest <= 1e-4);
    assert_true(packed_bytes.size_bytes <= bytes.size_bytes);
    mrw_comparison_free(comparison);
    mrw_bytes_free(&packed_bytes);
    mrw_bytes_free(&bytes);
    return report;
}

static void two_keys_do_not_grow(void **state)
{
    (void)state;
    static const float times[] = {0, 2}, moves[] = {0, 0, 0, 0, 1, 0};
    static const float turns[] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f};
    static const float bends[] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    for (int interpolation = 0; interpolation < 2; interpolation++) {
        const mrw_track_desc tracks[] = {
            {MRW_TRACK_TRANSLATION, 1, (mrw_interpolation)interpolation, 2, times, moves},
            {MRW_TRACK_ROTATION, 0, (mrw_interpolation)interpolation, 2, times, turns}};
        pack(tracks, 1);
        pack(tracks, 2);
    }
    const mrw_track_desc curve = {
        MRW_TRACK_TRANSLATION, 2, MRW_INTERPOLATION_CUBIC, 2, times, bends};
    pack(&curve, 1);
}

/* A minute of jumps between two places, with a key for each frame: few keys are left. */
static void keys_of_jumps_are_dropped(void **state)
{
    (void)state;
    static float times[1800], moves[3 * 1800];
    for (int i = 0; i < 1800; i++) {
        times[i] = (float)i / 30.0f;
        moves[3 * i] = i / 450 % 2 == 0 ? 0.0f : 1.0f;
    }
    const mrw_track_desc track = {
        MRW_TRACK_TRANSLATION, 1, MRW_INTERPOLATION_STEP, 1800, times, moves};
    const mrw_pack_report report = pack(&track, 1);
    assert_true(report.packed_bytes <= 640);
    assert_int_equal(report.sample_count, 0);
}

/* Keys at uneven distances: samples stand where they do. */
static void uneven_keys_are_samples(void **state)
{
    (void)state;
    static float times[200], turns[2][4 * 200];
    uint64_t random = 9;
    float time = 0.0f;
    for (int i = 0; i < 200; i++) {
        times[i] = time;
        time += random_float(&random, 0.02f, 0.05f);
        for (int j = 0; j < 2; j++) {
            const double half = 0.4 * sin(2.0 * (double)times[i] + j);
            turns[j][4 * i] = (float)sin(half);
            turns[j][4 * i + 3] = (float)cos(half);
        }
    }
    const mrw_track_desc tracks[] = {
        {MRW_TRACK_ROTATION, 0, MRW_INTERPOLATION_LINEAR, 200, times, turns[0]},
        {MRW_TRACK_ROTATION, 1, MRW_INTERPOLATION_LINEAR, 200, times, turns[1]}};
    const mrw_pack_report report = pack(tracks, 2);
    assert_int_equal(report.sample_count, 200);
    assert_near(report.samples_per_second, 199.0 / (double)times[199], 1e-3);
    assert_true(report.packed_bytes * 3 <= report.source_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_keep_their_corners),
        cmocka_unit_test(turns_at_an_even_rate_need_two_keys),
        cmocka_unit_test(steps_keep_their_changes),
        cmocka_unit_test(a_curve_in_pieces_becomes_whole),
        cmocka_unit_test(ends_that_stay_need_one_key),
        cmocka_unit_test(what_is_left_keeps_the_tolerance),
        cmocka_unit_test(two_keys_do_not_grow),
        cmocka_unit_test(keys_of_jumps_are_dropped),
        cmocka_unit_test(uneven_keys_are_samples),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
