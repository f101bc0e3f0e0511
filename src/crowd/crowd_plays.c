#include "crowd/crowd_plays.h"

#include "blend/blend_input.h"

/* A layer without a share does not count, as in mrw_blend: what it plays cannot leak in. */
uint32_t mrwi_crowd_list_plays(const mrw_crowd_job *job, uint32_t character, float *workspace,
                               mrwi_crowd_play *out_plays)
{
    const uint32_t layer_count = job->layer_count;
    const mrw_crowd_layer *layers = mrwi_crowd_layers_of(job, character);
    float *weights = workspace, *shares = workspace + layer_count;
    for (uint32_t i = 0; i < layer_count; i++)
        weights[i] = layers[i].weight;
    float rest_share = mrwi_blend_shares(weights, layer_count, job->rest_threshold, shares);
    uint32_t count = 0;
    for (uint32_t i = 0; i < layer_count; i++) {
        if (!(shares[i] > 0.0f))
            continue;
        const mrw_clip *clip = layers[i].clip;
        float time_s =
            clip != NULL ? mrw_clip_local_time(clip, layers[i].time_s, layers[i].loop) : 0.0f;
        out_plays[count++] = (mrwi_crowd_play){clip, time_s, shares[i]};
    }
    if (rest_share > 0.0f)
        out_plays[count++] = (mrwi_crowd_play){NULL, 0.0f, rest_share};
    return count;
}
