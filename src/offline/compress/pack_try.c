#include "offline/compress/pack_try.h"

#include "base/error.h"
#include "clip/packed_format.h"
#include "offline/build/clip_writer.h"
#include "offline/compress/key_reduction.h"
#include "offline/compress/packed_section.h"

#include <string.h>

/* Of the tolerance: what still parts may take of it, and what keys that are left out may, if there
 * are only keys, and beside samples, which know nothing of it. */
#define STILL_SHARE 0.15
#define KEYS_SHARE 0.6
#define KEYS_BESIDE_SHARE 0.02

/* Of the limit: what is taken off for each mending in a row. */
#define MEND_MARGIN 0.014

/* --- tracks ------------------------------------------------------------------------------ */

static mrw_status alloc_choice(mrwi_pack_job *p, mrwi_arena *arena, mrwi_part_choice *out_choice)
{
    const uint32_t joints = p->skeleton->joint_count;
    *out_choice = (mrwi_part_choice){
        mrwi_arena_alloc(arena, joints, 1), mrwi_arena_alloc(arena, joints, 1),
        mrwi_arena_alloc(arena, joints, 1), mrwi_arena_alloc(arena, p->skeleton->scalar_count, 1)};
    if (out_choice->translations == NULL || out_choice->rotations == NULL ||
        out_choice->scales == NULL || out_choice->scalars == NULL)
        return mrwi_arena_fail(arena, p->out_error, "joints");
    return MRW_OK;
}

typedef struct track_list {
    mrw_track_desc *tracks;
    float *values; /* of the constants */
    uint32_t count, value_count;
} track_list;

static const float time_zero = 0.0f;

static void add_constant(track_list *list, mrw_track_kind kind, uint32_t target, const float *value)
{
    const uint32_t width = mrw_track_width(kind);
    float *to = list->values + list->value_count;
    memcpy(to, value, sizeof(float) * width);
    list->value_count += width;
    list->tracks[list->count++] =
        (mrw_track_desc){kind, target, MRW_INTERPOLATION_LINEAR, 1, &time_zero, to};
}

/* A constant that is what the skeleton's rest pose has needs no track. */
static void add_constants(const mrwi_pack_job *p, const mrwi_motion_plan *plan,
                          const mrwi_part_choice *choice, track_list *list)
{
    const mrw_skeleton *skeleton = p->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const mrw_transform rest = mrwi_rest_transform(skeleton, j);
        const mrw_transform *value = &plan->joints[j].constant;
        if (choice->translations[j] == MRWI_PART_CONSTANT &&
            memcmp(&rest.translation, &value->translation, sizeof(rest.translation)) != 0)
            add_constant(list, MRW_TRACK_TRANSLATION, j, &value->translation.x);
        if (choice->rotations[j] == MRWI_PART_CONSTANT &&
            memcmp(&rest.rotation, &value->rotation, sizeof(rest.rotation)) != 0)
            add_constant(list, MRW_TRACK_ROTATION, j, &value->rotation.x);
        if (choice->scales[j] == MRWI_PART_CONSTANT &&
            memcmp(&rest.scale, &value->scale, sizeof(rest.scale)) != 0)
            add_constant(list, MRW_TRACK_SCALE, j, &value->scale.x);
    }
    for (uint32_t i = 0; i < skeleton->scalar_count; i++) {
        float value = plan->samples->scalars[i];
        if (choice->scalars[i] == MRWI_PART_CONSTANT && value != skeleton->rest_scalars[i])
            add_constant(list, MRW_TRACK_SCALAR, i, &value);
    }
}

/* How far a track may be off itself if that may take a share of the tolerance. */
static double track_tolerance(const mrwi_pack_job *p, const mrwi_motion_plan *plan,
                              const mrw_track_desc *track, double share)
{
    if (track->kind == MRW_TRACK_SCALAR)
        return share * p->options->scalar_tolerance;
    const mrwi_joint_plan *joint = &plan->joints[track->target];
    const double moved = track->kind == MRW_TRACK_TRANSLATION ? joint->gain_above
                         : track->kind == MRW_TRACK_ROTATION  ? joint->lever
                                                              : joint->scale_lever;
    return moved > 0.0 ? share * joint->tolerance / moved : 0.0;
}

static mrw_status list_tracks(mrwi_pack_job *p, const mrwi_motion_plan *plan,
                              const mrwi_part_choice *choice, double limit, mrwi_arena *arena,
                              track_list *out_list)
{
    const double share = (plan->channel_count > 0 ? KEYS_BESIDE_SHARE : KEYS_SHARE) * limit * limit;
    const size_t joints = p->skeleton->joint_count, scalars = p->skeleton->scalar_count;
    *out_list = (track_list){mrwi_arena_alloc(arena, 3 * joints + scalars + p->source->track_count,
                                              sizeof(mrw_track_desc)),
                             mrwi_arena_alloc(arena, 10 * joints + scalars, sizeof(float)), 0, 0};
    if (out_list->tracks == NULL || out_list->values == NULL)
        return mrwi_arena_fail(arena, p->out_error, "tracks");
    add_constants(p, plan, choice, out_list);
    for (uint32_t i = 0; i < p->source->track_count; i++) {
        const mrw_track_desc *track = &p->tracks.tracks[i];
        const uint8_t *places[] = {choice->translations, choice->rotations, choice->scales,
                                   choice->scalars};
        if (places[track->kind][track->target] != MRWI_PART_GIVEN)
            continue;
        mrw_track_desc *to = &out_list->tracks[out_list->count++];
        if (p->tracks.keeps[i] || p->tracks.whirls[i])
            *to = *track;
        else if (!mrwi_reduce_keys(track, track_tolerance(p, plan, track, share), arena, to))
            return mrwi_arena_fail(arena, p->out_error, "tracks");
    }
    return MRW_OK;
}

/* --- numbers ----------------------------------------------------------------------------- */

/* Leaves the tracks as they are whose numbers no width can say. False if there are none. */
static bool keep_unfit(mrwi_pack_job *p, const mrwi_motion_plan *plan,
                       const mrwi_packed_motion *motion)
{
    const uint32_t counts[4] = {plan->rotation_count, plan->translation_count, plan->scale_count,
                                plan->scalar_count};
    static const mrw_track_kind kinds[4] = {MRW_TRACK_ROTATION, MRW_TRACK_TRANSLATION,
                                            MRW_TRACK_SCALE, MRW_TRACK_SCALAR};
    const uint32_t *target = motion->targets;
    uint32_t first = 0;
    bool any = false;
    for (int kind = 0; kind < 4; kind++) {
        const uint32_t components = kind == 3 ? 1 : 3;
        for (uint32_t i = 0; i < counts[kind]; i++, target++)
            for (uint32_t k = 0; k < components; k++)
                if (mrwi_packed_unfit(motion, kind == 3
                                                  ? first + i
                                                  : mrwi_packed_channel(first, counts[kind], i, k)))
                    any |= mrwi_pack_source_keep(&p->tracks, kinds[kind], *target);
        first += components * counts[kind];
    }
    return any;
}

/* --- work -------------------------------------------------------------------------------- */

static mrw_status plan_work(mrwi_pack_job *p)
{
    mrwi_pack_work *work = &p->work;
    const uint32_t count = mrwi_pack_source_samples(&p->tracks, work->rate);
    mrw_status status = alloc_choice(p, &work->arena, &work->choice);
    if (status == MRW_OK)
        status = mrwi_sample_motion(p->skeleton, p->source, work->rate,
                                    work->rate == 0.0 ? p->tracks.times : NULL, count, &work->arena,
                                    &work->samples, p->out_error);
    if (status != MRW_OK)
        return status;
    mrwi_motion_go_beyond_end(&work->samples, (double)p->source->duration_s);
    mrwi_pack_source_choose(&p->tracks, count, p->only_keys, &work->choice);
    const bool has_keys = p->source->packed.sample_count == 0;
    return mrwi_plan_motion(p->skeleton, &work->samples, p->plan_shells, p->tolerances,
                            p->options->scalar_tolerance, STILL_SHARE * work->limit * work->limit,
                            has_keys, &work->choice, &work->arena, &work->plan, p->out_error);
}

static mrw_status begin_work(mrwi_pack_job *p, double rate, double limit)
{
    mrwi_pack_work *work = &p->work;
    mrwi_arena_free(&work->arena);
    *work = (mrwi_pack_work){.rate = rate, .limit = limit};
    mrwi_arena_init_scratch(&work->arena, &p->arena);
    mrw_status status = plan_work(p);
    if (status != MRW_OK || work->plan.channel_count == 0)
        return status;
    work->packer_options = (mrwi_packer_options){.effort = p->effort,
                                                 .target = p->options->target,
                                                 .scalar_tolerance = p->options->scalar_tolerance,
                                                 .limit = limit,
                                                 .weights = p->weights,
                                                 .skeleton = p->skeleton,
                                                 .source = p->source};
    work->packer = mrwi_motion_packer_make(&work->plan, &work->packer_options, &work->arena);
    if (work->packer == NULL)
        return mrwi_arena_fail(&work->arena, p->out_error, "packed");
    mrwi_motion_packer_search(work->packer);
    p->is_work_stale = false;
    p->mend_count = 0;
    return MRW_OK;
}

static bool go_on_with_work(mrwi_pack_job *p, double rate, double limit)
{
    const mrwi_pack_work *work = &p->work;
    if (p->is_work_stale || work->packer == NULL || work->rate != rate || work->limit != limit)
        return false;
    if (p->mend_count < MRWI_MOST_MENDS) {
        p->mend_count++;
        if (mrwi_motion_packer_mend(work->packer, p->off_shares,
                                    limit * (1.0 - MEND_MARGIN * p->mend_count)))
            return true;
        p->mend_count = MRWI_MOST_MENDS;
    }
    return mrwi_motion_packer_round_again(work->packer);
}

/* --- bytes ------------------------------------------------------------------------------- */

/* The section of the work's channels. *out_again: it cannot be, but without some tracks it may. */
static mrw_status write_section(mrwi_pack_job *p, mrwi_arena *arena, const uint8_t **out_section,
                                size_t *out_section_bytes, bool *out_again)
{
    mrwi_packed_motion motion;
    mrw_status status = mrwi_motion_packer_fill(p->work.packer, arena, &motion, p->out_error);
    if (status != MRW_OK)
        return status;
    status = mrwi_packed_section(&motion, arena, out_section, out_section_bytes, p->out_error);
    *out_again = status == MRW_ERR_LIMIT && keep_unfit(p, &p->work.plan, &motion);
    p->is_work_stale |= *out_again;
    return status;
}

static double mean_rate(const float *times, uint32_t count)
{
    return (count - 1) / ((double)times[count - 1] - (double)times[0]);
}

static mrw_status write_work(mrwi_pack_job *p, mrwi_arena *arena, bool *out_again)
{
    const mrwi_pack_work *work = &p->work;
    const uint32_t count = work->samples.sample_count;
    track_list tracks;
    mrwi_packed_part part = {NULL, 0, work->samples.times, work->samples.times != NULL ? count : 0};
    const uint8_t *section = NULL;
    mrw_status status = MRW_OK;
    if (work->packer != NULL)
        status = write_section(p, arena, &section, &part.size_bytes, out_again);
    part.section = section;
    if (status == MRW_OK)
        status = list_tracks(p, &work->plan, &work->choice, work->limit, arena, &tracks);
    if (status != MRW_OK)
        return status;
    p->report.sample_count = section != NULL ? count : 0;
    p->report.samples_per_second = section == NULL    ? 0.0
                                   : work->rate > 0.0 ? work->rate
                                                      : mean_rate(work->samples.times, count);
    mrw_bytes_free(&p->best);
    return mrwi_write_clip(p->skeleton, p->source->name, tracks.tracks, tracks.count,
                           p->source->duration_s, true, section != NULL ? &part : NULL,
                           &p->options->memory, &p->best, p->out_error);
}

mrw_status mrwi_pack_try(mrwi_pack_job *job, double rate, double limit)
{
    for (;;) {
        bool again = false;
        mrw_status status = MRW_OK;
        if (!go_on_with_work(job, rate, limit))
            status = begin_work(job, rate, limit);
        if (status != MRW_OK)
            return status;
        mrwi_arena scratch;
        mrwi_arena_init_scratch(&scratch, &job->arena);
        status = write_work(job, &scratch, &again);
        mrwi_arena_free(&scratch);
        if (!again)
            return status;
    }
}
