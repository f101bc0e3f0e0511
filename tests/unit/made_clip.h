/* Clips made of a function of time, packed, and held to the bound by a measure that is the tests'
 * own, at times that the packer does not look at. */
#ifndef TESTS_MADE_CLIP_H
#define TESTS_MADE_CLIP_H

#include "unit/clip_distance.h"
#include "unit/near.h"
#include "unit/random.h"

#include <marrow/offline/compress.h>

enum { SUB_TIMES = 16 }; /* between two samples, or two keys if these are closer */

typedef struct made_clip {
    mrw_bytes skeleton_bytes, clip_bytes;
    mrw_skeleton skeleton;
    mrw_clip clip;
} made_clip;

/* A chain of joints and a clip with keys of every kind at the same times, filled by a motion. */
typedef struct motion_spec {
    uint32_t joint_count, scalar_count, key_count;
    double keys_per_second;
    float bone;     /* length of each */
    float armature; /* rest scale of the first; 0: 1 */
    mrw_transform (*at)(uint32_t joint, double time_s, uint64_t *); /* the random state */
    float (*scalar_at)(uint32_t scalar, double time_s);
    bool is_step, is_cubic;
    bool is_scale_step; /* of scales alone */
    bool is_uneven;     /* keys off the grid */
    bool is_flat;       /* all joints hang on the first one */
} motion_spec;

static inline mrw_transform at_rest(const motion_spec *spec, uint32_t joint)
{
    mrw_transform rest = mrw_transform_identity();
    rest.translation.x = joint == 0 ? 0.0f : spec->bone;
    if (joint == 0 && spec->armature > 0.0f)
        rest.scale = (mrw_vec3){spec->armature, spec->armature, spec->armature};
    return rest;
}

static inline void make_skeleton(const motion_spec *spec, made_clip *made)
{
    mrw_joint_desc *joints = calloc(spec->joint_count, sizeof(*joints));
    mrw_scalar_desc *scalars = calloc((size_t)spec->scalar_count + 1, sizeof(*scalars));
    assert_true(joints != NULL && scalars != NULL);
    for (uint32_t j = 0; j < spec->joint_count; j++) {
        joints[j].parent = spec->is_flat && j > 0 ? 0 : (int32_t)j - 1;
        joints[j].rest = at_rest(spec, j);
    }
    mrw_error error;
    assert_int_equal(mrw_build_skeleton(joints, spec->joint_count, scalars, spec->scalar_count,
                                        NULL, NULL, &made->skeleton_bytes, &error),
                     MRW_OK);
    assert_int_equal(mrw_skeleton_open(made->skeleton_bytes.data, made->skeleton_bytes.size_bytes,
                                       &made->skeleton, &error),
                     MRW_OK);
    free(joints);
    free(scalars);
}

static inline mrw_interpolation interpolation_of(const motion_spec *spec, mrw_track_kind kind)
{
    return spec->is_step || (spec->is_scale_step && kind == MRW_TRACK_SCALE)
               ? MRW_INTERPOLATION_STEP
           : spec->is_cubic ? MRW_INTERPOLATION_CUBIC
                            : MRW_INTERPOLATION_LINEAR;
}

/* Of one track; cubic ones without tangents. */
static inline float *make_keys(const motion_spec *spec, const float *values, uint32_t width)
{
    const uint32_t stride = spec->is_cubic ? 3 * width : width;
    float *keys = calloc((size_t)spec->key_count * stride, sizeof(float));
    assert_non_null(keys);
    for (uint32_t k = 0; k < spec->key_count; k++)
        memcpy(keys + k * stride + (stride > width ? width : 0), values + k * width,
               width * sizeof(float));
    return keys;
}

static inline float key_time(const motion_spec *spec, uint32_t key)
{
    double off = spec->is_uneven && key > 0 && key + 1 < spec->key_count ? 0.37 * (key % 3) : 0.0;
    return (float)((key + off) / spec->keys_per_second);
}

static inline mrw_track_desc make_track(const motion_spec *spec, mrw_track_kind kind,
                                        uint32_t target, const float *times)
{
    const uint32_t width = mrw_track_width(kind);
    float *values = calloc((size_t)spec->key_count * width, sizeof(float));
    uint64_t state = 77 + target;
    assert_non_null(values);
    for (uint32_t k = 0; k < spec->key_count; k++) {
        if (kind == MRW_TRACK_SCALAR) {
            values[k] = spec->scalar_at(target, (double)times[k]);
            continue;
        }
        const mrw_transform at = spec->at(target, (double)times[k], &state);
        const float *from = kind == MRW_TRACK_TRANSLATION ? &at.translation.x
                            : kind == MRW_TRACK_ROTATION  ? &at.rotation.x
                                                          : &at.scale.x;
        memcpy(values + (size_t)k * width, from, width * sizeof(float));
    }
    float *keys = make_keys(spec, values, width);
    free(values);
    return (mrw_track_desc){kind,  target, interpolation_of(spec, kind), spec->key_count,
                            times, keys};
}

/* The status of the clip; made->clip_bytes are there if it is MRW_OK. */
static inline mrw_status try_make_clip(const motion_spec *spec, made_clip *made,
                                       mrw_error *out_error)
{
    const uint32_t track_count = 3 * spec->joint_count + spec->scalar_count;
    mrw_track_desc *tracks = calloc(track_count, sizeof(*tracks));
    float *times = calloc(spec->key_count, sizeof(float));
    assert_true(tracks != NULL && times != NULL);
    for (uint32_t k = 0; k < spec->key_count; k++)
        times[k] = key_time(spec, k);
    static const mrw_track_kind kinds[3] = {MRW_TRACK_TRANSLATION, MRW_TRACK_ROTATION,
                                            MRW_TRACK_SCALE};
    for (uint32_t i = 0; i < 3 * spec->joint_count; i++)
        tracks[i] = make_track(spec, kinds[i % 3], i / 3, times);
    for (uint32_t i = 0; i < spec->scalar_count; i++)
        tracks[3 * spec->joint_count + i] = make_track(spec, MRW_TRACK_SCALAR, i, times);
    mrw_status status = mrw_build_clip(&made->skeleton, "made", tracks, track_count, -1.0f, NULL,
                                       &made->clip_bytes, out_error);
    for (uint32_t i = 0; i < track_count; i++)
        free((void *)tracks[i].values);
    free(tracks);
    free(times);
    return status;
}

static inline made_clip make(const motion_spec *spec)
{
    made_clip made;
    mrw_error error;
    memset(&made, 0, sizeof(made));
    make_skeleton(spec, &made);
    if (try_make_clip(spec, &made, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    assert_int_equal(
        mrw_clip_open(made.clip_bytes.data, made.clip_bytes.size_bytes, &made.clip, &error),
        MRW_OK);
    return made;
}

static inline void unmake(made_clip *made)
{
    mrw_bytes_free(&made->clip_bytes);
    mrw_bytes_free(&made->skeleton_bytes);
}

/* --- holding the bound ------------------------------------------------------------------- */

static inline mrw_bytes pack(const made_clip *made, const mrw_pack_options *options,
                             mrw_pack_report *out_report)
{
    mrw_bytes bytes;
    mrw_error error;
    *out_report = (mrw_pack_report){.struct_size = sizeof(*out_report)};
    mrw_status status =
        mrw_pack_clip(&made->skeleton, &made->clip, options, &bytes, out_report, &error);
    if (status != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    assert_true(out_report->kept);
    assert_int_equal(out_report->packed_bytes, bytes.size_bytes);
    assert_int_equal(out_report->source_bytes, made->clip_bytes.size_bytes);
    assert_true(bytes.size_bytes <= made->clip_bytes.size_bytes);
    return bytes;
}

static inline void assert_scalars(const made_clip *made, const mrw_clip *packed, double tolerance)
{
    if (made->skeleton.scalar_count == 0)
        return;
    measured left = measured_make(&made->skeleton), right = measured_make(&made->skeleton);
    for (int i = 0; i <= 300; i++) {
        const double time_s = (double)made->clip.duration_s * i / 300.0;
        measured_at(&left, &made->clip, time_s);
        measured_at(&right, packed, time_s);
        for (uint32_t k = 0; k < made->skeleton.scalar_count; k++)
            assert_near((double)right.pose.scalars[k], (double)left.pose.scalars[k], tolerance);
    }
    measured_free(&left);
    measured_free(&right);
}

/* What mrw_compare_clips says is what the test's own measure says, at the same times. */
static inline void assert_comparison(const distance_case *distance, const mrw_clip *source,
                                     const mrw_clip *packed, worst_error expected)
{
    mrw_compare_options options = mrw_compare_options_default();
    options.metres_per_unit = distance->metres_per_unit;
    options.shell_m = distance->shell_m;
    options.joint_shells_m = distance->shells_m;
    options.samples_per_second = distance->times_per_second;
    options.between = 0;
    mrw_comparison *comparison;
    mrw_error error;
    if (mrw_compare_clips(distance->skeleton, source, packed, &options, &comparison, &error) !=
        MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    double largest = comparison->all.largest;
    for (uint32_t j = 0; distance->tolerances_m != NULL && j < comparison->joint_count; j++) {
        const double ratio = comparison->joints[j].largest / (double)distance->tolerances_m[j];
        largest = j == 0 ? ratio : fmax(largest, ratio);
    }
    assert_near(largest, expected.error_m, 1e-6 * expected.error_m + 1e-12);
    mrw_comparison_free(comparison);
}

/* In tolerances, by the test's own measure. */
static inline double ratio_of(const made_clip *made, const mrw_bytes *bytes,
                              const mrw_pack_options *options, double times_per_second)
{
    mrw_clip packed;
    mrw_error error;
    assert_int_equal(mrw_clip_open(bytes->data, bytes->size_bytes, &packed, &error), MRW_OK);
    const distance_case distance = {
        &made->skeleton,         options->metres_per_unit,    options->shell_m,
        options->joint_shells_m, options->joint_tolerances_m, times_per_second};
    const worst_error worst = largest_distance(&distance, &made->clip, &packed);
    assert_comparison(&distance, &made->clip, &packed, worst);
    assert_scalars(made, &packed, options->scalar_tolerance);
    return options->joint_tolerances_m != NULL ? worst.error_m
                                               : worst.error_m / options->tolerance_m;
}

/* The best effort tries for longer by the code of the default, and a second time nothing new is
 * read: with sanitizers both together take a minute. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MOST_EFFORT MRW_PACK_DEFAULT
#define PACKS_TWICE false
#endif
#endif
#ifndef MOST_EFFORT
#define MOST_EFFORT MRW_PACK_BEST
#define PACKS_TWICE true
#endif

/* Packs with every effort; the largest part of the source's bytes that was needed. */
static inline double hold(const motion_spec *spec, mrw_pack_options options)
{
    made_clip made = make(spec);
    double part = 0.0;
    for (int effort = MRW_PACK_FAST; effort <= MOST_EFFORT; effort++) {
        options.effort = (mrw_pack_effort)effort;
        mrw_pack_report report, again;
        mrw_bytes bytes = pack(&made, &options, &report);
        if (PACKS_TWICE && effort == MRW_PACK_DEFAULT) { /* the same input gives the same bytes */
            mrw_bytes twice = pack(&made, &options, &again);
            assert_int_equal(bytes.size_bytes, twice.size_bytes);
            assert_memory_equal(bytes.data, twice.data, bytes.size_bytes);
            mrw_bytes_free(&twice);
        }
        const double rate = fmax(spec->keys_per_second, report.samples_per_second);
        assert_below(ratio_of(&made, &bytes, &options, rate * (SUB_TIMES + 1)), 1.0);
        part = fmax(part, (double)bytes.size_bytes / (double)made.clip_bytes.size_bytes);
        mrw_bytes_free(&bytes);
    }
    unmake(&made);
    return part;
}

#endif
