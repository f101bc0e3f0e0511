#include <marrow/offline/compress.h>

#include "base/error.h"
#include "clip/track_order.h"
#include "offline/compress/motion_samples.h"
#include "offline/compress/pack_source.h"

#include <string.h>

typedef struct unpacker {
    const mrw_clip *clip;
    mrwi_motion_samples samples;
    float *times; /* of the samples */
    mrw_track_desc *tracks;
    uint32_t track_count;
    mrwi_arena arena;
} unpacker;

static void take_value(const unpacker *u, const mrw_track_desc *track, uint32_t sample, float *to)
{
    if (track->kind == MRW_TRACK_SCALAR) {
        *to = u->samples.scalars[(size_t)sample * u->samples.scalar_count + track->target];
        return;
    }
    const mrw_transform *at = mrwi_motion_at(&u->samples, sample, track->target);
    if (track->kind == MRW_TRACK_ROTATION)
        memcpy(to, &at->rotation, sizeof(at->rotation));
    else
        memcpy(to, track->kind == MRW_TRACK_SCALE ? &at->scale : &at->translation,
               sizeof(at->scale));
}

static bool add_track(unpacker *u, mrw_track_kind kind, uint32_t target)
{
    const uint32_t count = u->samples.sample_count, width = mrw_track_width(kind);
    float *values = mrwi_arena_alloc(&u->arena, (size_t)count * width, sizeof(float));
    if (values == NULL)
        return false;
    mrw_track_desc track = {kind, target, MRW_INTERPOLATION_LINEAR, count, u->times, values};
    for (uint32_t i = 0; i < count; i++)
        take_value(u, &track, i, values + (size_t)i * width);
    u->tracks[u->track_count++] = track;
    return true;
}

/* Which parts of joints have a track already: [3][joint_count]. */
static bool *mark_tracks(unpacker *u)
{
    bool *marks = mrwi_arena_alloc(&u->arena, (size_t)3 * u->clip->joint_count, sizeof(bool));
    for (uint32_t i = 0; marks != NULL && i < u->track_count; i++)
        if (u->tracks[i].kind != MRW_TRACK_SCALAR)
            marks[u->tracks[i].kind * (size_t)u->clip->joint_count + u->tracks[i].target] = true;
    return marks;
}

/* Constants that are no tracks become some, of one key. */
static bool add_constants(unpacker *u)
{
    static const float at_start_s = 0.0f;
    const mrw_clip *clip = u->clip;
    const bool *marks = mark_tracks(u);
    float *value = mrwi_arena_alloc(&u->arena, (size_t)4 * clip->constant_count, sizeof(float));
    if (marks == NULL || value == NULL)
        return false;
    const float *constants = clip->constants;
    for (uint32_t i = 0; i < clip->base_count; i++) {
        const mrw_clip_base *base = &clip->bases[i];
        for (uint32_t part = 0; part < 3 * MRW_POSE_LANES; part++) {
            const mrw_track_kind kind = (mrw_track_kind)(part / MRW_POSE_LANES);
            const uint32_t lanes = base->lanes[kind], bit = 1u << part % MRW_POSE_LANES;
            const uint32_t joint = base->block * MRW_POSE_LANES + part % MRW_POSE_LANES;
            if ((lanes & bit) == 0 || marks[kind * (size_t)clip->joint_count + joint])
                continue;
            mrwi_base_value(base, kind, joint, constants, value);
            u->tracks[u->track_count++] =
                (mrw_track_desc){kind, joint, MRW_INTERPOLATION_LINEAR, 1, &at_start_s, value};
            value += mrw_track_width(kind);
        }
        constants += mrwi_base_floats(base);
    }
    return true;
}

static bool add_packed_tracks(unpacker *u)
{
    const mrw_clip_packed *packed = &u->clip->packed;
    const mrw_track_kind kinds[] = {MRW_TRACK_ROTATION, MRW_TRACK_TRANSLATION, MRW_TRACK_SCALE,
                                    MRW_TRACK_SCALAR};
    const uint32_t counts[] = {packed->rotation_count, packed->translation_count,
                               packed->scale_count, packed->scalar_count};
    const uint32_t *targets = packed->targets;
    for (int kind = 0; kind < 4; kind++)
        for (uint32_t i = 0; i < counts[kind]; i++)
            if (!add_track(u, kinds[kind], *targets++))
                return false;
    return true;
}

static mrw_status unpack(unpacker *u, const mrw_skeleton *skeleton, mrw_error *out_error)
{
    const mrw_clip_packed *packed = &u->clip->packed;
    mrwi_pack_source source;
    mrw_status status = mrwi_pack_source_open(skeleton, u->clip, &u->arena, &source, out_error);
    if (status != MRW_OK)
        return status;
    size_t most = (size_t)u->clip->track_count + u->clip->constant_count + packed->rotation_count +
                  packed->translation_count + packed->scale_count + packed->scalar_count;
    u->tracks = mrwi_arena_alloc(&u->arena, most, sizeof(*u->tracks));
    if (u->tracks == NULL)
        return mrwi_arena_fail(&u->arena, out_error, "tracks");
    for (uint32_t i = 0; i < u->clip->track_count; i++)
        u->tracks[u->track_count++] = source.tracks[i];
    if (!add_constants(u))
        return mrwi_arena_fail(&u->arena, out_error, "constants");
    if (packed->sample_count == 0)
        return MRW_OK;
    status = mrwi_sample_motion(skeleton, u->clip, packed->samples_per_second, packed->times,
                                packed->sample_count, &u->arena, &u->samples, out_error);
    if (status != MRW_OK)
        return status;
    u->times = mrwi_arena_alloc(&u->arena, packed->sample_count, sizeof(float));
    if (u->times == NULL)
        return mrwi_arena_fail(&u->arena, out_error, "tracks");
    for (uint32_t i = 0; i < packed->sample_count; i++) {
        float time =
            packed->times != NULL ? packed->times[i] : (float)(i / packed->samples_per_second);
        u->times[i] = time < u->clip->duration_s ? time : u->clip->duration_s;
    }
    return add_packed_tracks(u) ? MRW_OK : mrwi_arena_fail(&u->arena, out_error, "tracks");
}

mrw_status mrw_unpack_clip(const mrw_skeleton *skeleton, const mrw_clip *clip,
                           const mrw_memory_options *memory, mrw_bytes *out_clip,
                           mrw_error *out_error)
{
    if (out_clip == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_clip");
    memset(out_clip, 0, sizeof(*out_clip));
    if (skeleton == NULL || clip == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            skeleton == NULL ? "skeleton" : "clip");
    unpacker u = {.clip = clip};
    mrwi_arena_init(&u.arena, memory);
    mrw_status status = unpack(&u, skeleton, out_error);
    if (status == MRW_OK)
        status = mrw_build_clip(skeleton, clip->name, u.tracks, u.track_count, clip->duration_s,
                                memory, out_clip, out_error);
    mrwi_arena_free(&u.arena);
    return status;
}
