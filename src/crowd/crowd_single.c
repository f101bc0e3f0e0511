/* One character after the other, for those that find no others to share lanes with. */
#include <marrow/blend.h>
#include <marrow/model.h>
#include <marrow/sample.h>

#include "crowd/crowd_run.h"

#include <string.h>

static void sample_layer(const mrw_crowd_job *job, const mrw_crowd_layer *layer, mrw_pose *out_pose)
{
    mrw_sample_job sample = mrw_sample_job_default();
    sample.clip = layer->clip;
    sample.skeleton = job->skeleton;
    sample.time_s = layer->time_s;
    sample.loop = layer->loop;
    sample.out_pose = out_pose;
    if (layer->clip != NULL)
        mrw_sample(&sample);
    else
        mrw_skeleton_rest_pose(job->skeleton, out_pose);
}

/* Into the memory's first pose. */
static void blend_layers(const mrwi_crowd_run *run, uint32_t character)
{
    const mrw_crowd_job *job = run->job;
    const mrw_crowd_layer *layers = mrwi_crowd_layers_of(job, character);
    mrw_blend_job blend = mrw_blend_job_default();
    mrw_pose *poses = run->memory.blend_poses;
    for (uint32_t i = 0; i < job->layer_count; i++) {
        if (!(layers[i].weight > 0.0f))
            continue;
        uint32_t at = blend.layer_count++;
        poses[at] = mrwi_crowd_pose(&run->memory, job->skeleton, at);
        sample_layer(job, &layers[i], &poses[at]);
        run->memory.blend_layers[at] =
            (mrw_blend_layer){.pose = &poses[at], .weight = layers[i].weight};
    }
    mrw_pose result = mrwi_crowd_pose(&run->memory, job->skeleton, 0);
    blend.skeleton = job->skeleton;
    blend.layers = run->memory.blend_layers;
    blend.rest_threshold = job->rest_threshold;
    blend.out_pose = &result;
    mrw_blend(&blend);
}

static void put_palette(const mrwi_crowd_run *run, const mrw_mat34 *models, mrw_mat34 *out_palette)
{
    const mrw_crowd_job *job = run->job;
    for (uint32_t i = 0; i < job->part_count; i++) {
        const mrw_crowd_part *part = &job->parts[i];
        if (part->skin == NULL) {
            *out_palette++ = models[part->joint];
            continue;
        }
        mrw_palette_job palette = mrw_palette_job_default();
        palette.skin = part->skin;
        palette.model = models;
        palette.model_count = job->skeleton->joint_count;
        palette.out_palette = out_palette;
        palette.palette_count = part->skin->joint_count;
        mrw_palette(&palette);
        out_palette += part->skin->joint_count;
    }
}

void mrwi_crowd_run_single(const mrwi_crowd_run *run, uint32_t character)
{
    const mrw_crowd_job *job = run->job;
    blend_layers(run, character);
    mrw_pose pose = mrwi_crowd_pose(&run->memory, job->skeleton, 0);
    if (job->out_scalars != NULL && pose.scalar_count > 0)
        memcpy(mrwi_crowd_scalars_of(run, character), pose.scalars,
               pose.scalar_count * sizeof(float));
    if (job->out_palettes == NULL && job->out_models == NULL)
        return;
    mrw_mat34 *models = mrwi_crowd_models_of(run, character);
    if (models == NULL)
        models = (mrw_mat34 *)(void *)run->memory.models;
    mrw_model_job model = mrw_model_job_default();
    model.skeleton = job->skeleton;
    model.pose = &pose;
    model.root = job->roots != NULL ? &job->roots[character] : NULL;
    model.out_model = models;
    model.model_count = job->skeleton->joint_count;
    mrw_model(&model);
    if (job->out_palettes != NULL)
        put_palette(run, models, mrwi_crowd_palette_of(run, character));
}
