/* Packed clips with known numbers, and what these mean in double precision, worked out from
 * docs/format/clip_packed_v1.md and not by the code that is tested. */
#ifndef TESTS_PACKED_CASE_H
#define TESTS_PACKED_CASE_H

#include <marrow/offline/build.h>

#include "offline/build/clip_writer.h"
#include "offline/compress/packed_section.h"
#include "unit/near.h"
#include "unit/random.h"

#include <stdlib.h>

typedef struct packed_case {
    mrwi_packed_motion motion;
    mrw_bytes skeleton_bytes, clip_bytes;
    mrw_skeleton skeleton;
    mrw_clip clip;
    uint32_t joint_count, scalar_count;
    uint32_t *targets;
    int8_t *centres, *axes;
    float *bases;
    uint8_t *steps;
    int32_t *numbers;
    float *times; /* of samples with times of their own, or NULL */
    mrwi_arena arena;
} packed_case;

/* `wanted` of `limit` targets, ascending. */
static inline void packed_case_targets(uint64_t *state, uint32_t *out, uint32_t wanted,
                                       uint32_t limit)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < limit && taken < wanted; i++)
        if (random_bits(state) % (limit - i) < wanted - taken)
            out[taken++] = i;
}

static inline void packed_case_numbers(packed_case *one, uint64_t *state)
{
    const uint32_t count = one->motion.sample_count;
    for (uint32_t c = 0; c < mrwi_packed_channel_count(&one->motion); c++) {
        /* Still, smooth, noisy and jumping channels. */
        int32_t size = 1 << random_bits(state) % 14, value = 0;
        if (random_bits(state) % 5 == 0)
            size = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (size > 0)
                value += (int32_t)(random_bits(state) % (2 * (uint32_t)size + 1)) - size;
            if (value > 8000000 || value < -8000000)
                value = 0;
            one->numbers[(size_t)c * count + i] = value;
        }
    }
}

static inline void packed_case_skeleton(packed_case *one)
{
    mrw_joint_desc *joints = calloc(one->joint_count, sizeof(*joints));
    mrw_scalar_desc *scalars = calloc(one->scalar_count + 1, sizeof(*scalars));
    assert_true(joints != NULL && scalars != NULL);
    for (uint32_t j = 0; j < one->joint_count; j++) {
        joints[j].parent = (int32_t)j - 1;
        joints[j].rest.rotation.w = 1.0f;
        joints[j].rest.scale = (mrw_vec3){1.0f, 1.0f, 1.0f};
    }
    mrw_error error;
    assert_int_equal(mrw_build_skeleton(joints, one->joint_count, scalars, one->scalar_count, NULL,
                                        NULL, &one->skeleton_bytes, &error),
                     MRW_OK);
    assert_int_equal(mrw_skeleton_open(one->skeleton_bytes.data, one->skeleton_bytes.size_bytes,
                                       &one->skeleton, &error),
                     MRW_OK);
    free(joints);
    free(scalars);
}

static inline void packed_case_clip(packed_case *one)
{
    const uint8_t *section;
    size_t section_bytes;
    mrw_error error;
    mrwi_arena_init(&one->arena, NULL);
    assert_int_equal(
        mrwi_packed_section(&one->motion, &one->arena, &section, &section_bytes, &error), MRW_OK);
    const uint32_t count = one->motion.sample_count;
    const float duration = one->times != NULL
                               ? one->times[count - 1] + 0.125f
                               : (float)((count - 1) / one->motion.samples_per_second);
    const mrwi_packed_part part = {section, section_bytes, one->times,
                                   one->times != NULL ? count : 0};
    assert_int_equal(mrwi_write_clip(&one->skeleton, "packed", NULL, 0, duration, true, &part, NULL,
                                     &one->clip_bytes, &error),
                     MRW_OK);
    mrw_status status =
        mrw_clip_open(one->clip_bytes.data, one->clip_bytes.size_bytes, &one->clip, &error);
    if (status != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
}

/* Uneven distances, and something before the first. */
static inline void packed_case_times(packed_case *one, uint64_t *state)
{
    one->times = calloc(one->motion.sample_count, sizeof(float));
    assert_non_null(one->times);
    float time = random_float(state, 0.0f, 0.5f);
    for (uint32_t i = 0; i < one->motion.sample_count; i++) {
        one->times[i] = time;
        time += random_float(state, 0.001f, 0.25f);
    }
    one->motion.samples_per_second = 0.0;
}

/* Any clip of up to 20 joints, 12 scalars and `most_samples` samples. */
static inline packed_case packed_case_make(uint64_t *state, uint32_t most_samples)
{
    packed_case one = {.joint_count = 1 + random_bits(state) % 20,
                       .scalar_count = random_bits(state) % 12};
    mrwi_packed_motion *motion = &one.motion;
    motion->sample_count = 2 + random_bits(state) % (most_samples - 1);
    motion->samples_per_second = (double)random_float(state, 1.0f, 240.0f);
    if (random_bits(state) % 4 == 0)
        packed_case_times(&one, state);
    motion->rotation_count = random_bits(state) % (one.joint_count + 1);
    motion->translation_count = random_bits(state) % (one.joint_count + 1);
    motion->scale_count = random_bits(state) % (one.joint_count + 1);
    motion->scalar_count = one.scalar_count > 0 ? random_bits(state) % (one.scalar_count + 1) : 0;
    if (mrwi_packed_channel_count(motion) == 0)
        motion->rotation_count = 1;
    const uint32_t channels = mrwi_packed_channel_count(motion);
    one.targets = calloc(80, sizeof(uint32_t));
    one.centres = calloc((size_t)4 * motion->rotation_count + 1, 1);
    one.axes = calloc((size_t)2 * motion->rotation_count + 1, 1);
    one.bases = calloc(channels, sizeof(float));
    one.steps = calloc(channels, 1);
    one.numbers = calloc((size_t)channels * motion->sample_count, sizeof(int32_t));
    assert_true(one.targets != NULL && one.centres != NULL && one.axes != NULL &&
                one.bases != NULL && one.steps != NULL && one.numbers != NULL);
    uint32_t *targets = one.targets;
    packed_case_targets(state, targets, motion->rotation_count, one.joint_count);
    packed_case_targets(state, targets += motion->rotation_count, motion->translation_count,
                        one.joint_count);
    packed_case_targets(state, targets += motion->translation_count, motion->scale_count,
                        one.joint_count);
    packed_case_targets(state, targets + motion->scale_count, motion->scalar_count,
                        one.scalar_count);
    for (uint32_t i = 0; i < 4 * motion->rotation_count; i++)
        one.centres[i] = (int8_t)(1 + random_bits(state) % 127);
    for (uint32_t i = 0; i < 2 * motion->rotation_count; i++)
        one.axes[i] = (int8_t)((int32_t)(random_bits(state) % 256) - 128);
    for (uint32_t i = 0; i < channels; i++) {
        one.steps[i] = (uint8_t)random_bits(state);
        one.bases[i] = random_float(state, -100.0f, 100.0f);
    }
    static const int8_t exponents[4] = {-30, -25, -22, -20};
    memcpy(motion->exponents, exponents, sizeof(exponents));
    packed_case_numbers(&one, state);
    motion->targets = one.targets;
    motion->centres = one.centres;
    motion->axes = one.axes;
    motion->bases = one.bases;
    motion->steps = one.steps;
    motion->numbers = one.numbers;
    packed_case_skeleton(&one);
    packed_case_clip(&one);
    return one;
}

/* Moves each channel by a part of what the one before does, as joints of a chain do. */
static inline void packed_case_entangle(packed_case *one)
{
    const uint32_t count = one->motion.sample_count;
    for (uint32_t c = 1; c < mrwi_packed_channel_count(&one->motion); c++) {
        int32_t *numbers = one->numbers + (size_t)c * count;
        for (uint32_t i = 0; i < count; i++) {
            const int64_t before = *(numbers + i - count);
            const int64_t sum = numbers[i] / 8 - 3 * before / 4;
            numbers[i] = (int32_t)(sum > 8000000 ? 8000000 : sum < -8000000 ? -8000000 : sum);
        }
    }
    mrw_bytes_free(&one->clip_bytes);
    mrwi_arena_free(&one->arena);
    packed_case_clip(one);
}

static inline void packed_case_free(packed_case *one)
{
    mrwi_arena_free(&one->arena);
    mrw_bytes_free(&one->clip_bytes);
    mrw_bytes_free(&one->skeleton_bytes);
    free(one->targets);
    free(one->centres);
    free(one->axes);
    free(one->bases);
    free(one->steps);
    free(one->numbers);
    free(one->times);
}

/* --- the reference ----------------------------------------------------------------------- */

static inline double reference_time(const packed_case *one, uint32_t sample)
{
    return one->times != NULL ? (double)one->times[sample]
                              : sample / one->motion.samples_per_second;
}

/* The sample before a time and the part of the way to the next, as the document says. */
static inline uint32_t reference_place(const packed_case *one, double time_s, double *out_fraction)
{
    const uint32_t last = one->motion.sample_count - 1;
    *out_fraction = 0.0;
    if (one->times == NULL) {
        double position = (double)(float)time_s * one->motion.samples_per_second;
        uint32_t at = position < last ? (uint32_t)position : last;
        *out_fraction = at < last ? position - at : 0.0;
        return at;
    }
    uint32_t at = 0;
    while (at < last && (double)one->times[at + 1] <= (double)(float)time_s)
        at++;
    const double from = (double)one->times[at];
    if (at < last && (double)(float)time_s > from)
        *out_fraction = ((double)(float)time_s - from) / ((double)one->times[at + 1] - from);
    return at;
}

/* By the order of the document: groups of eight tracks, component after component. */
static inline uint32_t reference_channel(const packed_case *one, int kind, uint32_t index,
                                         uint32_t component)
{
    const uint32_t counts[4] = {one->motion.rotation_count, one->motion.translation_count,
                                one->motion.scale_count, one->motion.scalar_count};
    uint32_t channel = 0;
    for (int k = 0; k < kind; k++)
        channel += 3 * counts[k];
    if (kind == 3)
        return channel + index;
    uint32_t in_group = counts[kind] - index / 8 * 8;
    in_group = in_group > 8 ? 8 : in_group;
    return channel + index / 8 * 24 + component * in_group + index % 8;
}

static inline double reference_value(const packed_case *one, int kind, uint32_t index,
                                     uint32_t component, uint32_t sample)
{
    const uint32_t channel = reference_channel(one, kind, index, component);
    const uint8_t code = one->steps[channel];
    double step = ldexp(1.0 + code % 16 / 16.0, code / 16 + one->motion.exponents[kind]);
    double number = one->numbers[(size_t)channel * one->motion.sample_count + sample];
    double base = kind == 0 ? 0.0 : (double)one->bases[channel - 3 * one->motion.rotation_count];
    return base + number * step;
}

static inline void reference_product(const double p[4], const double q[4], double out[4])
{
    out[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
    out[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
    out[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
    out[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
}

/* Of a swing and a twist by their angles: the numbers are tangents of quarters. */
static inline void reference_turn(const packed_case *one, uint32_t index, uint32_t sample,
                                  double out[4])
{
    double a = reference_value(one, 0, index, 0, sample);
    double b = reference_value(one, 0, index, 1, sample);
    double c = reference_value(one, 0, index, 2, sample);
    double size = sqrt(a * a + b * b);
    double half = 2.0 * atan(size), twist = 2.0 * atan(c);
    double direction = size > 0.0 ? sin(half) / size : 0.0;
    const double swing_q[4] = {a * direction, b * direction, 0.0, cos(half)};
    const double twist_q[4] = {0.0, 0.0, sin(twist), cos(twist)};
    reference_product(swing_q, twist_q, out);
}

static inline void reference_rotation(const packed_case *one, uint32_t index, uint32_t sample,
                                      double fraction, double out[4])
{
    double from[4], to[4], turn[4];
    reference_turn(one, index, sample, from);
    reference_turn(one, index, fraction > 0.0 ? sample + 1 : sample, to);
    double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
    double sign = dot < 0.0 ? -1.0 : 1.0;
    double angle = acos(fmin(1.0, fabs(dot)));
    double weight_from = angle > 1e-7 ? sin((1.0 - fraction) * angle) / sin(angle) : 1.0 - fraction;
    double weight_to = angle > 1e-7 ? sin(fraction * angle) / sin(angle) : fraction;
    for (int i = 0; i < 4; i++)
        turn[i] = from[i] * weight_from + sign * to[i] * weight_to;
    double centre[4], left[4], length = 0.0;
    for (int i = 0; i < 4; i++)
        centre[i] = one->centres[(uint32_t)i * one->motion.rotation_count + index];
    const double right[4] = {-one->axes[index] / 128.0,
                             -one->axes[one->motion.rotation_count + index] / 128.0, 0.0, 1.0};
    reference_product(centre, turn, left);
    reference_product(left, right, out);
    for (int i = 0; i < 4; i++)
        length += out[i] * out[i];
    for (int i = 0; i < 4; i++)
        out[i] /= sqrt(length);
}

#endif
