/* Up to eight characters in lanes. */
#include <marrow/sample.h>

#include "crowd/crowd_run.h"

/* The character in a lane: the last one is in those left over too. */
static uint32_t slot_of(const mrwi_crowd_batch *batch, uint32_t lane)
{
    return lane < batch->count ? lane : batch->count - 1;
}

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

/* The mean of scalars, a pose after the other, in the order of mrw_blend. */
static void add_scalars(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch, uint32_t slot,
                        uint32_t play, const float *scalars)
{
    const uint32_t count = run->job->skeleton->scalar_count;
    float *sums = mrwi_crowd_scalars_of(run, batch->characters[slot]);
    if (sums == NULL || count == 0)
        return;
    float share = batch->plays[slot][play].share;
    for (uint32_t i = 0; i < count; i++)
        sums[i] = play == 0 ? scalars[i] * share : sums[i] + scalars[i] * share;
}

/* Samples each character's and turns eight poses into joints of eight. */
static void sample_each(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch, uint32_t play,
                        mrwi_crowd_joint *out_joints)
{
    const mrw_skeleton *skeleton = run->job->skeleton;
    const mrw_pose_block *blocks[MRWI_CROWD_LANES];
    for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++) {
        mrw_pose pose = mrwi_crowd_pose(&run->memory, skeleton, slot_of(batch, lane));
        blocks[lane] = pose.blocks;
        if (lane >= batch->count)
            continue;
        sample_play(run, &batch->plays[lane][play], &pose);
        add_scalars(run, batch, lane, play, pose.scalars);
    }
    run->kernels->crowd_turn(blocks, skeleton->joint_count, out_joints);
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
        uint32_t slot = slot_of(batch, lane);
        if (job->roots != NULL)
            input.roots[lane] = &job->roots[batch->characters[slot]];
        for (uint32_t play = 0; play < batch->play_count; play++)
            run->memory.shares[play][lane] = batch->plays[slot][play].share;
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
            input.out_matrices[lane] =
                mrwi_crowd_palette_of(run, batch->characters[slot_of(batch, lane)]) + first;
        run->kernels->crowd_palette(&input);
        first += input.count;
    }
}

static void put_models(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch)
{
    mrwi_crowd_palette_input input = {.models = run->memory.models,
                                      .count = run->job->skeleton->joint_count};
    for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++)
        input.out_matrices[lane] =
            mrwi_crowd_models_of(run, batch->characters[slot_of(batch, lane)]);
    run->kernels->crowd_palette(&input);
}

void mrwi_crowd_run_batch(const mrwi_crowd_run *run, const mrwi_crowd_batch *batch)
{
    const mrw_crowd_job *job = run->job;
    for (uint32_t play = 0; play < batch->play_count; play++)
        sample_each(run, batch, play,
                    run->memory.joints + play * (size_t)job->skeleton->joint_count);
    if (job->out_palettes == NULL && job->out_models == NULL)
        return;
    place_joints(run, batch);
    if (job->out_palettes != NULL)
        put_palettes(run, batch);
    if (job->out_models != NULL)
        put_models(run, batch);
}
