/* Up to eight characters in lanes. */
#include <marrow/sample.h>

#include "clip/track_order.h"
#include "crowd/crowd_run.h"
#include "sample/key_position.h"
#include "sample/track_sample.h"

/* --- from clips to lanes ----------------------------------------------------------------- */

static void sample_play(const mrwi_crowd_run *run, const mrwi_crowd_play *play, mrw_pose *out_pose)
{
    const mrw_skeleton *skeleton = run->job->skeleton;
    if (play->clip == NULL) {
        mrw_skeleton_rest_pose(skeleton, out_pose);
        return;
    }
    mrw_sample_job sample = mrw_sample_job_default();
    sample.clip = play->clip;
    sample.skeleton = skeleton;
    sample.time_s = (double)play->time_s;
    sample.out_pose = out_pose;
    mrw_sample(&sample);
}

/* The mean of scalars, a pose after the other, in the order of mrw_blend. Those of the character
 * stand `step` floats apart. */
static void add_scalars(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch, uint32_t lane,
                        uint32_t play, const float *scalars, uint32_t step)
{
    const uint32_t count = run->job->skeleton->scalar_count;
    float *sums = mrwi_crowd_scalars_of(run, batch->characters[lane]);
    if (sums == NULL)
        return;
    float share = batch->plays[lane][play].share;
    for (uint32_t i = 0; i < count; i++) {
        float term = scalars[(size_t)i * step] * share;
        sums[i] = play == 0 ? term : sums[i] + term;
    }
}

static mrwi_crowd_joint *joints_of(const mrwi_crowd_run *run, uint32_t play)
{
    return run->memory.joints + (size_t)play * run->job->skeleton->joint_count;
}

/* Samples each character's and turns eight poses into joints of eight. */
static void sample_each(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch, uint32_t play)
{
    const mrw_skeleton *skeleton = run->job->skeleton;
    const mrw_pose_block *blocks[MRWI_CROWD_LANES];
    for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++) {
        if (lane >= batch->count) {
            blocks[lane] = blocks[lane - 1];
            continue;
        }
        mrw_pose pose = mrwi_crowd_pose(&run->memory, skeleton, lane);
        sample_play(run, &batch->plays[lane][play], &pose);
        add_scalars(run, batch, lane, play, pose.scalars, 1);
        blocks[lane] = pose.blocks;
    }
    run->kernels->crowd_turn(blocks, skeleton->joint_count, joints_of(run, play));
    run->memory.constants[play].is_set = false;
}

/* One pose of the clip into all lanes. What moves in it is written again for each batch. */
static void set_constants(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch, uint32_t play,
                          float (*scalars)[MRWI_CROWD_LANES])
{
    const mrw_skeleton *skeleton = run->job->skeleton;
    mrwi_crowd_constants *constants = &run->memory.constants[play];
    const mrwi_crowd_play *one = &batch->plays[0][play];
    if (constants->is_set && constants->clip == one->clip)
        return;
    mrw_pose pose = mrwi_crowd_pose(&run->memory, skeleton, 0);
    sample_play(run, one, &pose);
    const mrw_pose_block *blocks[MRWI_CROWD_LANES];
    for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++)
        blocks[lane] = pose.blocks;
    run->kernels->crowd_turn(blocks, skeleton->joint_count, joints_of(run, play));
    for (uint32_t i = 0; i < skeleton->scalar_count; i++)
        for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++)
            scalars[i][lane] = pose.scalars[i];
    *constants = (mrwi_crowd_constants){true, one->clip};
}

/* One by one: steps and splines. */
static void sample_loose(const mrwi_crowd_sample_input *in)
{
    const mrw_clip *clip = in->clip;
    for (uint32_t i = 0; i < clip->loose_count; i++) {
        const mrw_track *track = &clip->tracks[clip->loose[i]];
        mrw_track_kind kind = (mrw_track_kind)track->kind;
        float *lanes = kind == MRW_TRACK_SCALAR
                           ? in->scalars[track->target]
                           : mrwi_block_streams(&in->joints[track->target], kind);
        for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++) {
            mrwi_key_position position = mrwi_find_key(clip->times + track->times_offset,
                                                       track->key_count, in->times_s[lane]);
            float value[4];
            mrwi_sample_track(clip, track, &position, value);
            for (uint32_t k = 0; k < mrw_track_width(kind); k++)
                lanes[k * MRWI_CROWD_LANES + lane] = value[k];
        }
    }
}

/* The same clip for all, at times of their own. */
static void sample_together(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch, uint32_t play)
{
    mrwi_crowd_sample_input input = {.clip = batch->plays[0][play].clip,
                                     .joints = joints_of(run, play),
                                     .scalars = run->memory.scalars +
                                                (size_t)play * run->job->skeleton->scalar_count};
    set_constants(run, batch, play, input.scalars);
    for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++)
        input.times_s[lane] = batch->plays[lane][play].time_s;
    if (input.clip != NULL) {
        run->kernels->crowd_sample(&input);
        sample_loose(&input);
    }
    if (run->job->skeleton->scalar_count > 0)
        for (uint32_t lane = 0; lane < batch->count; lane++)
            add_scalars(run, batch, lane, play, &input.scalars[0][lane], MRWI_CROWD_LANES);
}

/* --- from lanes to matrices -------------------------------------------------------------- */

static void place_joints(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch)
{
    const mrw_crowd_job *job = run->job;
    mrwi_crowd_model_input input = {.parents = job->skeleton->parents,
                                    .joint_count = job->skeleton->joint_count,
                                    .pose_count = batch->play_count,
                                    .poses = run->memory.joints,
                                    .shares = run->memory.shares,
                                    .out_models = run->memory.models};
    for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++) {
        if (job->roots != NULL)
            input.roots[lane] = &job->roots[batch->characters[lane]];
        for (uint32_t play = 0; play < batch->play_count; play++)
            run->memory.shares[play][lane] = batch->plays[lane][play].share;
    }
    run->kernels->crowd_models(&input);
}

static void put_palettes(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch)
{
    const mrw_crowd_job *job = run->job;
    size_t first = 0;
    for (uint32_t i = 0; i < job->part_count; i++) {
        const mrw_crowd_part *part = &job->parts[i];
        mrwi_crowd_palette_input input = {
            .models = run->memory.models, .joints = &part->joint, .count = 1};
        if (part->skin != NULL) {
            input.joints = part->skin->joints;
            input.inverse_binds = part->skin->inverse_binds;
            input.count = part->skin->joint_count;
        }
        for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++)
            input.out_matrices[lane] = mrwi_crowd_palette_of(run, batch->characters[lane]) + first;
        run->kernels->crowd_palette(&input);
        first += input.count;
    }
}

static void put_models(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch)
{
    mrwi_crowd_palette_input input = {.models = run->memory.models,
                                      .count = run->job->skeleton->joint_count};
    for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++)
        input.out_matrices[lane] = mrwi_crowd_models_of(run, batch->characters[lane]);
    run->kernels->crowd_palette(&input);
}

/* Packed clips are unpacked for one character after the other: their bits lie elsewhere at any
 * other time. */
static bool is_packed(const mrw_clip *clip)
{
    return clip != NULL && clip->packed.sample_count > 0;
}

void mrwi_crowd_run_batch(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch)
{
    const mrw_crowd_job *job = run->job;
    for (uint32_t play = 0; play < batch->play_count; play++)
        if (batch->same_clips && !is_packed(batch->plays[0][play].clip))
            sample_together(run, batch, play);
        else
            sample_each(run, batch, play);
    if (job->out_palettes == NULL && job->out_models == NULL)
        return;
    place_joints(run, batch);
    if (job->out_palettes != NULL)
        put_palettes(run, batch);
    if (job->out_models != NULL)
        put_models(run, batch);
}
