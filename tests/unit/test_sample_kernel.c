/* Random clips of every shape: each instruction set gives the bits of the first, and those are the
 * values that the tracks say, worked out one by one. */
#include <marrow/sample.h>

#include "sample/key_position.h"
#include "unit/near.h"
#include "unit/random.h"
#include "unit/track_lists.h"

enum { MOST_JOINTS = 40, SCALARS = 2, MOST_TRACKS = 3 * MOST_JOINTS + SCALARS, TIMES = 400 };
enum { MOST_KEYS = 12, VALUES = MOST_TRACKS * MOST_KEYS * 12 };

static mrw_asset_header header;
static mrw_skeleton skeleton;
static mrw_pose_block rest_blocks[MOST_JOINTS / 8];
static float rest_scalars[SCALARS];
static mrw_track tracks[MOST_TRACKS];
static float times[TIMES];
static float values[VALUES];
static track_lists lists;
static mrw_clip clip;
static mrw_pose_block blocks[2][MOST_JOINTS / 8];
static float scalars[2][SCALARS];

static void make_skeleton(uint64_t *random, uint32_t joint_count)
{
    mrw_pose rest = {MOST_JOINTS, SCALARS, rest_blocks, rest_scalars};
    for (uint32_t i = 0; i < MOST_JOINTS; i++) {
        mrw_transform local = mrw_transform_identity();
        if (i < joint_count)
            local = random_transform(random, 0.5f, 2.0f);
        mrw_pose_set_joint(&rest, i, &local);
    }
    skeleton = (mrw_skeleton){.header = &header,
                              .joint_count = joint_count,
                              .scalar_count = SCALARS,
                              .rest_blocks = rest_blocks,
                              .rest_scalars = rest_scalars};
}

static void fill_keys(uint64_t *random, const mrw_track *track)
{
    uint32_t floats = mrwi_track_key_floats(track);
    float *key = values + track->values_offset;
    bool constant = random_bits(random) % 4 == 0;
    for (uint32_t k = 0; k < track->key_count; k++, key += floats) {
        for (uint32_t i = 0; i < floats; i++)
            key[i] = random_bits(random) % 16 == 0 ? -0.0f : random_float(random, -5.0f, 5.0f);
        mrw_quat q = random_quat(random);
        if (track->kind == MRW_TRACK_ROTATION)
            memcpy(key + mrwi_track_value_at(track), &q, sizeof(q));
        if (k > 0 && (constant || random_bits(random) % 8 == 0))
            memcpy(key, key - floats, floats * sizeof(float));
    }
}

/* Four arrays of times, the first evenly spaced; tracks take one, or the start of one. */
static void make_clip(uint64_t *random, uint32_t joint_count)
{
    for (uint32_t i = 0; i < 4 * MOST_KEYS; i++) {
        float step = i < MOST_KEYS ? 0.25f : random_float(random, 0.001f, 1.0f);
        times[i] = i % MOST_KEYS == 0 ? random_float(random, 0.0f, 1.0f) : times[i - 1] + step;
    }
    uint32_t arrays = 1 + random_bits(random) % 4;
    bool sparse = random_bits(random) % 2 == 0;
    bool linear = random_bits(random) % 2 == 0;
    clip = (mrw_clip){.header = &header,
                      .encoding = MRW_CLIP_KEYED,
                      .joint_count = joint_count,
                      .scalar_count = SCALARS,
                      .duration_s = 20.0f,
                      .name = "",
                      .tracks = tracks,
                      .times = times,
                      .values = values,
                      .time_count = 4 * MOST_KEYS};
    for (uint32_t kind = 0; kind < 4; kind++) {
        uint32_t targets = kind == MRW_TRACK_SCALAR ? SCALARS : joint_count;
        for (uint32_t target = 0; target < targets; target++) {
            if (sparse && random_bits(random) % 2 == 0)
                continue;
            mrw_track *track = &tracks[clip.track_count++];
            *track = (mrw_track){target, (uint8_t)kind, MRW_INTERPOLATION_LINEAR, 0, 0, 0, 0};
            if (!linear && random_bits(random) % 2 == 0)
                track->interpolation = (uint8_t)(random_bits(random) % 3);
            track->times_offset = random_bits(random) % arrays * MOST_KEYS;
            track->key_count = arrays > 2 ? 1 + random_bits(random) % MOST_KEYS : MOST_KEYS;
            track->values_offset = clip.value_count;
            clip.value_count += track->key_count * mrwi_track_key_floats(track);
            fill_keys(random, track);
        }
    }
    track_lists_fill_from(&lists, &clip, 1 + random_bits(random) % 9);
}

static void sample(double time_s, int which)
{
    memset(blocks[which], 0x7f, sizeof(blocks[which]));
    mrw_pose pose = {skeleton.joint_count, SCALARS, blocks[which], scalars[which]};
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = &clip;
    job.skeleton = &skeleton;
    job.time_s = time_s;
    job.out_pose = &pose;
    assert_int_equal(mrw_sample(&job), MRW_OK);
}

static void check_rotation(const float *a, const float *b, float fraction, const float got[4])
{
    mrw_quat from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
    mrw_quat expected = mrw_quat_slerp(from, to, fraction);
    assert_near((double)expected.x, (double)got[0], 5e-7);
    assert_near((double)expected.y, (double)got[1], 5e-7);
    assert_near((double)expected.z, (double)got[2], 5e-7);
    assert_near((double)expected.w, (double)got[3], 5e-7);
}

/* Steps and splines are tested in test_sample.c; here it is the way to the right place. */
static void check_track(const mrw_track *track, float time_s)
{
    const mrw_pose pose = {skeleton.joint_count, SCALARS, blocks[0], scalars[0]};
    uint32_t width = mrw_track_width((mrw_track_kind)track->kind);
    float got[4];
    if (track->kind == MRW_TRACK_SCALAR) {
        got[0] = pose.scalars[track->target];
    } else {
        mrw_transform joint = mrw_pose_joint(&pose, track->target);
        if (track->kind == MRW_TRACK_TRANSLATION)
            memcpy(got, &joint.translation, sizeof(joint.translation));
        else if (track->kind == MRW_TRACK_ROTATION)
            memcpy(got, &joint.rotation, sizeof(joint.rotation));
        else
            memcpy(got, &joint.scale, sizeof(joint.scale));
    }
    mrwi_key_position at = mrwi_find_key(times + track->times_offset, track->key_count, time_s);
    float keys[2][MRWI_KEY_FLOATS] = {{0}};
    mrw_clip_key(&clip, (uint32_t)(track - clip.tracks), at.key, keys[0]);
    mrw_clip_key(&clip, (uint32_t)(track - clip.tracks), at.key + 1, keys[1]);
    const float *key = keys[0];
    const float *value = key + mrwi_track_value_at(track);
    if (at.exact || track->interpolation == MRW_INTERPOLATION_STEP) {
        assert_memory_equal(got, value, width * sizeof(float));
        return;
    }
    if (track->interpolation == MRW_INTERPOLATION_CUBIC)
        return;
    if (track->kind == MRW_TRACK_ROTATION) {
        check_rotation(keys[0], keys[1], at.fraction, got);
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        float a = keys[0][i], b = keys[1][i];
        float expected = a == b ? a : a * (1.0f - at.fraction) + b * at.fraction;
        assert_memory_equal(&expected, &got[i], sizeof(float));
    }
}

static void check_untouched(void)
{
    bool touched[3][MOST_JOINTS] = {{false}};
    for (uint32_t i = 0; i < clip.track_count; i++)
        if (tracks[i].kind != MRW_TRACK_SCALAR)
            touched[tracks[i].kind][tracks[i].target] = true;
    uint32_t lanes = (skeleton.joint_count + 7) / 8 * 8;
    for (uint32_t joint = 0; joint < lanes; joint++)
        for (uint32_t kind = 0; kind < 3; kind++)
            for (uint32_t i = 0; i < mrw_track_width((mrw_track_kind)kind); i++) {
                uint32_t at = i * 8 + joint % 8;
                if (joint >= skeleton.joint_count || !touched[kind][joint])
                    assert_memory_equal(
                        mrwi_block_streams(&blocks[0][joint / 8], (mrw_track_kind)kind) + at,
                        mrwi_block_streams(&rest_blocks[joint / 8], (mrw_track_kind)kind) + at,
                        sizeof(float));
            }
}

static void random_clips_on_all_instruction_sets(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (int round = 0; round < 400; round++) {
        uint32_t joint_count = 1 + random_bits(&random) % MOST_JOINTS;
        make_skeleton(&random, joint_count);
        make_clip(&random, joint_count);
        for (int moment = 0; moment < 20; moment++) {
            float time_s = random_float(&random, 0.0f, 8.0f);
            if (moment % 4 == 0)
                time_s = times[random_bits(&random) % (4 * MOST_KEYS)];
            assert_int_equal(mrw_isa_select(mrw_isa_available(0)), MRW_OK);
            sample((double)time_s, 0);
            for (uint32_t i = 0; i < clip.track_count; i++)
                check_track(&clip.tracks[i], time_s);
            check_untouched();
            const char *name;
            for (uint32_t set = 1; (name = mrw_isa_available(set)) != NULL; set++) {
                assert_int_equal(mrw_isa_select(name), MRW_OK);
                sample((double)time_s, 1);
                assert_memory_equal(blocks[1], blocks[0], sizeof(blocks[0]));
                assert_memory_equal(scalars[1], scalars[0], sizeof(scalars[0]));
            }
        }
    }
    mrw_isa_select(NULL);
}

/* Evenly spaced, clustered, and anything between: the guess may be far off. */
static void any_spacing_is_searched(void **state)
{
    (void)state;
    enum { MOST = 200 };
    float keys[MOST];
    uint64_t random = 22;
    for (int round = 0; round < 20000; round++) {
        uint32_t count = 1 + random_bits(&random) % MOST;
        int spread = (int)(random_bits(&random) % 20);
        keys[0] = random_float(&random, 0.0f, 2.0f);
        for (uint32_t k = 1; k < count; k++) {
            float step = random_float(&random, 0.5f, 1.0f);
            keys[k] =
                keys[k - 1] +
                ldexpf(step, spread == 0 ? 0 : -(int)(random_bits(&random) % (uint32_t)spread));
            if (keys[k] <= keys[k - 1])
                keys[k] = nextafterf(keys[k - 1], INFINITY);
        }
        float time_s = random_float(&random, 0.0f, keys[count - 1] + 1.0f);
        if (round % 3 == 0)
            time_s = keys[random_bits(&random) % count];
        mrwi_key_position got = mrwi_find_key(keys, count, time_s);
        uint32_t expected = 0;
        while (expected + 1 < count && keys[expected + 1] <= time_s)
            expected++;
        assert_int_equal(got.key, expected);
        assert_int_equal(got.exact, time_s <= keys[0] || time_s >= keys[count - 1] ||
                                        time_s == keys[expected]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_clips_on_all_instruction_sets),
        cmocka_unit_test(any_spacing_is_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
