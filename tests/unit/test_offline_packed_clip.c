/* Packed clips: written from known numbers, opened, and sampled, against the format's formulas in
 * double; every instruction set against the scalar one; and damaged ones. */
#include "unit/asset_damage.h"
#include "clip/clip_format.h"
#include "unit/packed_case.h"

#include <marrow/sample.h>

typedef struct sampled_pose {
    void *memory;
    size_t size_bytes;
    mrw_pose pose;
} sampled_pose;

static sampled_pose sample(const packed_case *one, double time_s)
{
    sampled_pose sampled = {NULL, mrw_pose_size(one->joint_count, one->scalar_count), {0}};
    sampled.memory = aligned_alloc(MRW_ALIGNMENT, sampled.size_bytes);
    assert_non_null(sampled.memory);
    memset(sampled.memory, 0, sampled.size_bytes);
    assert_int_equal(mrw_pose_init(sampled.memory, sampled.size_bytes, one->joint_count,
                                   one->scalar_count, &sampled.pose),
                     MRW_OK);
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = &one->clip;
    job.skeleton = &one->skeleton;
    job.time_s = time_s;
    job.out_pose = &sampled.pose;
    assert_int_equal(mrw_sample(&job), MRW_OK);
    return sampled;
}

/* --- values ------------------------------------------------------------------------------ */

static void assert_vector(const packed_case *one, int kind, uint32_t index, uint32_t at,
                          double fraction, mrw_vec3 value)
{
    const float parts[3] = {value.x, value.y, value.z};
    for (uint32_t i = 0; i < 3; i++) {
        double from = reference_value(one, kind, index, i, at);
        double to = reference_value(one, kind, index, i, fraction > 0.0 ? at + 1 : at);
        double expected = from + (to - from) * fraction;
        double size = fabs(from) + fabs(to) + 100.0;
        assert_near((double)parts[i], expected, 4e-7 * size);
    }
}

/* Up to the sign, within 1e-6 rad. */
static void assert_rotation(const packed_case *one, uint32_t index, uint32_t at, double fraction,
                            mrw_quat value)
{
    double expected[4], difference = 0.0, sum = 0.0;
    const double parts[4] = {(double)value.x, (double)value.y, (double)value.z, (double)value.w};
    reference_rotation(one, index, at, fraction, expected);
    for (int i = 0; i < 4; i++) {
        difference += (parts[i] - expected[i]) * (parts[i] - expected[i]);
        sum += (parts[i] + expected[i]) * (parts[i] + expected[i]);
    }
    assert_below(2.0 * sqrt(fmin(difference, sum)), 1.5e-6);
}

static void assert_values(const packed_case *one, uint32_t at, double fraction,
                          const mrw_pose *pose)
{
    const mrwi_packed_motion *motion = &one->motion;
    const uint32_t *targets = one->targets;
    for (uint32_t i = 0; i < motion->rotation_count; i++)
        assert_rotation(one, i, at, fraction, mrw_pose_joint(pose, targets[i]).rotation);
    targets += motion->rotation_count;
    for (uint32_t i = 0; i < motion->translation_count; i++)
        assert_vector(one, 1, i, at, fraction, mrw_pose_joint(pose, targets[i]).translation);
    targets += motion->translation_count;
    for (uint32_t i = 0; i < motion->scale_count; i++)
        assert_vector(one, 2, i, at, fraction, mrw_pose_joint(pose, targets[i]).scale);
    targets += motion->scale_count;
    for (uint32_t i = 0; i < motion->scalar_count; i++) {
        double from = reference_value(one, 3, i, 0, at);
        double to = reference_value(one, 3, i, 0, fraction > 0.0 ? at + 1 : at);
        assert_near((double)pose->scalars[targets[i]], from + (to - from) * fraction,
                    4e-7 * (fabs(from) + fabs(to) + 100.0));
    }
}

static void test_values_are_what_the_numbers_say(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 150; round++) {
        packed_case one = packed_case_make(&random, 80);
        for (uint32_t i = 0; i < one.motion.sample_count + 20; i++) {
            double time = i < one.motion.sample_count
                              ? reference_time(&one, i)
                              : (double)random_float(&random, 0.0f, one.clip.duration_s);
            time = time < (double)one.clip.duration_s ? time : (double)one.clip.duration_s;
            double fraction;
            uint32_t at = reference_place(&one, time, &fraction);
            sampled_pose sampled = sample(&one, time);
            assert_values(&one, at, fraction, &sampled.pose);
            free(sampled.memory);
        }
        packed_case_free(&one);
    }
}

static void test_every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 60; round++) {
        packed_case one = packed_case_make(&random, 80);
        for (int i = 0; i < 12; i++) {
            double time = (double)random_float(&random, 0.0f, one.clip.duration_s);
            assert_int_equal(mrw_isa_select("scalar"), MRW_OK);
            sampled_pose scalar = sample(&one, time);
            static const char *const names[] = {"sse2", "avx2", "avx512", "neon", "wasm128"};
            for (size_t isa = 0; isa < sizeof(names) / sizeof(names[0]); isa++) {
                if (mrw_isa_select(names[isa]) != MRW_OK)
                    continue;
                sampled_pose other = sample(&one, time);
                assert_memory_equal(other.memory, scalar.memory, scalar.size_bytes);
                free(other.memory);
            }
            free(scalar.memory);
        }
        packed_case_free(&one);
    }
    mrw_isa_select(NULL);
}

/* --- damage ------------------------------------------------------------------------------ */

static const packed_case *damaged_case;

/* Opens, and samples what is accepted: all of it has to be finite. */
static mrw_status open_and_sample(const void *bytes, size_t size_bytes, mrw_error *out_error)
{
    packed_case one = *damaged_case;
    mrw_status status = mrw_clip_open(bytes, size_bytes, &one.clip, out_error);
    if (status != MRW_OK || one.clip.joint_count != one.joint_count ||
        one.clip.scalar_count != one.scalar_count ||
        one.clip.header->skeleton_id != one.skeleton.header->skeleton_id)
        return status;
    for (int i = 0; i < 7; i++) {
        sampled_pose sampled = sample(&one, (double)one.clip.duration_s * i / 6.0);
        for (uint32_t j = 0; j < one.joint_count; j++) {
            mrw_transform joint = mrw_pose_joint(&sampled.pose, j);
            assert_near((double)mrw_quat_dot(joint.rotation, joint.rotation), 1.0, 1e-2);
            assert_true(isfinite(joint.translation.x + joint.scale.x));
        }
        free(sampled.memory);
    }
    return status;
}

static void test_damage_is_refused_or_harmless(void **state)
{
    (void)state;
    uint64_t random = 77;
    for (int round = 0; round < 6; round++) {
        packed_case one = packed_case_make(&random, 20);
        damaged_case = &one;
        assert_truncations_refused(one.clip_bytes.data, one.clip_bytes.size_bytes, open_and_sample);
        if (one.clip_bytes.size_bytes < 3000)
            assert_flips_harmless(one.clip_bytes.data, one.clip_bytes.size_bytes, open_and_sample);
        packed_case_free(&one);
    }
}

/* A clip with times of its own, one of them changed. */
static void assert_time_refused(const packed_case *one, uint32_t sample, float time)
{
    mrwi_clip_content *content = (mrwi_clip_content *)(void *)one->clip_bytes.data;
    float *times = (float *)(void *)(one->clip_bytes.data + content->times_offset);
    const float before = times[sample];
    mrw_clip clip;
    mrw_error error = {0};
    times[sample] = time;
    content->header.checksum =
        mrw_asset_checksum(one->clip_bytes.data + sizeof(mrw_asset_header),
                           one->clip_bytes.size_bytes - sizeof(mrw_asset_header));
    assert_int_equal(mrw_clip_open(content, one->clip_bytes.size_bytes, &clip, &error),
                     MRW_ERR_BAD_ASSET);
    assert_string_equal(error.detail, "packed.times");
    times[sample] = before;
}

static void test_times_that_are_none_are_refused(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (int round = 0; round < 20; round++) {
        packed_case one = packed_case_make(&random, 20);
        const uint32_t last = one.motion.sample_count - 1;
        if (one.times == NULL) {
            assert_null(one.clip.packed.times);
            packed_case_free(&one);
            continue;
        }
        assert_ptr_equal(one.clip.packed.times, one.clip.times);
        assert_near(one.clip.packed.samples_per_second,
                    last / ((double)one.times[last] - (double)one.times[0]), 1e-9 * 1000.0);
        assert_time_refused(&one, 0, -1.0f);
        assert_time_refused(&one, last, one.times[last - 1]);
        assert_time_refused(&one, last, one.times[last] + 1.0f);
        assert_time_refused(&one, last, NAN);
        mrwi_clip_content *content = (mrwi_clip_content *)(void *)one.clip_bytes.data;
        content->time_count--;
        assert_time_refused(&one, 0, one.times[0]);
        packed_case_free(&one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_what_the_numbers_say),
        cmocka_unit_test(test_every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(test_damage_is_refused_or_harmless),
        cmocka_unit_test(test_times_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
