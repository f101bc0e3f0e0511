/* A random crowd: a skeleton, clips of every kind of track, two skins and a rigid part, layers. */
#ifndef TESTS_CROWD_CASE_H
#define TESTS_CROWD_CASE_H

#include <marrow/crowd.h>

#include "unit/random.h"
#include "unit/track_lists.h"

#include <stdlib.h>

enum {
    CROWD_JOINTS = 40,
    CROWD_BLOCKS = CROWD_JOINTS / MRW_POSE_LANES,
    CROWD_SCALARS = 3,
    CROWD_CLIPS = 5,
    CROWD_TRACKS = 3 * CROWD_JOINTS + CROWD_SCALARS,
    CROWD_KEYS = 6,
    CROWD_SKINS = 2,
    CROWD_PALETTE = 2 * CROWD_JOINTS + 1,
    CROWD_COUNT = 300,
    CROWD_LAYERS = 3
};

typedef struct crowd_clip {
    mrw_clip clip;
    mrw_track tracks[CROWD_TRACKS];
    float times[2 * CROWD_KEYS];
    float values[CROWD_TRACKS * CROWD_KEYS * 12];
    track_lists lists;
} crowd_clip;

typedef struct crowd_case {
    mrw_asset_header header;
    mrw_skeleton skeleton;
    int32_t parents[CROWD_JOINTS];
    mrw_pose_block rest_blocks[CROWD_BLOCKS];
    float rest_scalars[CROWD_SCALARS];
    crowd_clip clips[CROWD_CLIPS];
    mrw_skin skins[CROWD_SKINS];
    uint32_t skin_joints[CROWD_SKINS][CROWD_JOINTS];
    mrw_mat34 inverse_binds[CROWD_SKINS][CROWD_JOINTS];
    mrw_crowd_part parts[CROWD_SKINS + 1]; /* a skin, the rigid one, a skin */
    mrw_mat34 roots[CROWD_COUNT];
    mrw_crowd_layer layers[CROWD_COUNT * CROWD_LAYERS];
} crowd_case;

/* Now and then a number that is slow, or whose sign is easily lost. */
static inline float crowd_number(uint64_t *random)
{
    switch (random_bits(random) % 16) {
    case 0:
        return -0.0f;
    case 1:
        return 1e-20f;
    case 2:
        return -1e-40f;
    default:
        return random_float(random, -2.0f, 2.0f);
    }
}

static inline mrw_transform crowd_transform(uint64_t *random)
{
    mrw_transform transform = random_transform(random, 0.5f, 2.0f);
    transform.translation.y = crowd_number(random);
    transform.scale.z = crowd_number(random);
    if (random_bits(random) % 4 == 0) {
        float angle = random_float(random, -3.0f, 3.0f);
        mrw_quat about_x = {mrw_sin(angle), 1e-20f, -0.0f, mrw_cos(angle)};
        transform.rotation = about_x;
    }
    return transform;
}

static inline void crowd_make_skeleton(crowd_case *c, uint64_t *random, uint32_t joint_count,
                                       uint32_t scalar_count)
{
    mrw_pose rest = {CROWD_JOINTS, CROWD_SCALARS, c->rest_blocks, c->rest_scalars};
    for (uint32_t i = 0; i < CROWD_JOINTS; i++) {
        mrw_transform local = i < joint_count ? crowd_transform(random) : mrw_transform_identity();
        mrw_pose_set_joint(&rest, i, &local);
        c->parents[i] = i % 9 == 0 ? -1 : (int32_t)(random_bits(random) % i);
    }
    for (uint32_t i = 0; i < CROWD_SCALARS; i++)
        c->rest_scalars[i] = crowd_number(random);
    c->skeleton = (mrw_skeleton){.header = &c->header,
                                 .joint_count = joint_count,
                                 .scalar_count = scalar_count,
                                 .parents = c->parents,
                                 .rest_blocks = c->rest_blocks,
                                 .rest_scalars = c->rest_scalars};
}

static inline void crowd_fill_keys(uint64_t *random, const mrw_track *track, float *values)
{
    uint32_t floats = mrwi_track_key_floats(track);
    float *key = values + track->values_offset;
    bool constant = random_bits(random) % 3 == 0;
    for (uint32_t k = 0; k < track->key_count; k++, key += floats) {
        for (uint32_t i = 0; i < floats; i++)
            key[i] = crowd_number(random);
        mrw_quat q = crowd_transform(random).rotation;
        if (track->kind == MRW_TRACK_ROTATION)
            memcpy(key + mrwi_track_value_at(track), &q, sizeof(q));
        if (k > 0 && constant)
            memcpy(key, key - floats, floats * sizeof(float));
    }
}

/* Mostly linear, most of them with the same times. */
static inline void crowd_make_clip(crowd_case *c, crowd_clip *of, uint64_t *random)
{
    mrw_clip clip = {.header = &c->header,
                     .encoding = MRW_CLIP_KEYED,
                     .joint_count = c->skeleton.joint_count,
                     .scalar_count = c->skeleton.scalar_count,
                     .name = "",
                     .tracks = of->tracks,
                     .times = of->times,
                     .values = of->values,
                     .time_count = 2 * CROWD_KEYS};
    for (uint32_t i = 0; i < 2 * CROWD_KEYS; i++)
        of->times[i] = (float)(i % CROWD_KEYS) * 0.25f + random_float(random, 0.0f, 0.2f);
    clip.duration_s = of->times[CROWD_KEYS - 1];
    uint32_t sparsity = 1 + random_bits(random) % 3;
    for (uint32_t kind = MRW_TRACK_TRANSLATION; kind <= MRW_TRACK_SCALAR; kind++) {
        uint32_t targets =
            kind == MRW_TRACK_SCALAR ? c->skeleton.scalar_count : c->skeleton.joint_count;
        for (uint32_t target = 0; target < targets; target++) {
            if (random_bits(random) % sparsity != 0)
                continue;
            uint32_t odd = random_bits(random) % 12;
            mrw_interpolation interpolation =
                odd < 2 ? (odd == 0 ? MRW_INTERPOLATION_STEP : MRW_INTERPOLATION_CUBIC)
                        : MRW_INTERPOLATION_LINEAR;
            mrw_track *track = &of->tracks[clip.track_count++];
            *track = (mrw_track){.target = target,
                                 .kind = (uint8_t)kind,
                                 .interpolation = (uint8_t)interpolation,
                                 .key_count = odd == 3 ? 1 : CROWD_KEYS,
                                 .times_offset = odd == 4 ? CROWD_KEYS : 0,
                                 .values_offset = clip.value_count};
            clip.value_count += track->key_count * mrwi_track_key_floats(track);
            crowd_fill_keys(random, track, of->values);
        }
    }
    of->clip = clip;
    track_lists_fill(&of->lists, &of->clip);
}

static inline void crowd_make_parts(crowd_case *c, uint64_t *random)
{
    uint32_t joint_count = c->skeleton.joint_count;
    for (uint32_t s = 0; s < CROWD_SKINS; s++) {
        c->skins[s] = (mrw_skin){.joint_count = 1 + random_bits(random) % joint_count,
                                 .skeleton_joint_count = joint_count,
                                 .joints = c->skin_joints[s],
                                 .inverse_binds = c->inverse_binds[s]};
        for (uint32_t i = 0; i < CROWD_JOINTS; i++) {
            mrw_transform bind = random_transform(random, 0.5f, 2.0f);
            c->skin_joints[s][i] = random_bits(random) % joint_count;
            c->inverse_binds[s][i] = mrw_mat34_from_transform(&bind);
        }
    }
    c->parts[0] = (mrw_crowd_part){&c->skins[0], 0};
    c->parts[1] = (mrw_crowd_part){NULL, random_bits(random) % joint_count};
    c->parts[2] = (mrw_crowd_part){&c->skins[1], 0};
}

/* kinds: how many different clips occur, the rest pose among them. */
static inline void crowd_make_layers(crowd_case *c, uint64_t *random, uint32_t kinds)
{
    for (uint32_t i = 0; i < CROWD_COUNT * CROWD_LAYERS; i++) {
        uint32_t clip = random_bits(random) % kinds;
        uint32_t weight = random_bits(random) % 8;
        c->layers[i] = (mrw_crowd_layer){
            .clip = clip < CROWD_CLIPS ? &c->clips[clip].clip : NULL,
            .time_s = (double)random_float(random, -3.0f, 5.0f),
            .weight = weight == 0   ? 0.0f
                      : weight == 1 ? 1e-30f
                                    : random_float(random, 0.0f, 1.0f),
            .loop = random_bits(random) % 2 == 0,
        };
    }
    for (uint32_t i = 0; i < CROWD_COUNT; i++) {
        mrw_transform root = random_transform(random, 0.5f, 2.0f);
        c->roots[i] = mrw_mat34_from_transform(&root);
    }
}

static inline void crowd_make(crowd_case *c, uint64_t *random, uint32_t joint_count,
                              uint32_t scalar_count, uint32_t kinds)
{
    memset(c, 0, sizeof(*c));
    crowd_make_skeleton(c, random, joint_count, scalar_count);
    for (uint32_t i = 0; i < CROWD_CLIPS; i++)
        crowd_make_clip(c, &c->clips[i], random);
    crowd_make_parts(c, random);
    crowd_make_layers(c, random, kinds);
}

static inline uint32_t crowd_palette_count(const crowd_case *c)
{
    return c->skins[0].joint_count + 1 + c->skins[1].joint_count;
}

#endif
