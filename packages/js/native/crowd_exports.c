/* Many characters of one skeleton, evaluated in one call.
 *
 *     what each plays --> pose --> model matrices --> its part of the palette
 *     (clip, time)        one pose and one array of matrices serve all,
 *                         and stay in the cache
 */
#include "exchange.h"

#include <stdlib.h>
#include <string.h>

/* A clip, and how it goes on. */
typedef struct js_motion {
    const mrw_clip *clip; /* NULL: the rest pose */
    double time_s;
    double speed; /* seconds of the clip in a second */
    bool loop;
} js_motion;

typedef struct js_player {
    js_motion motion;
    js_motion other; /* without a clip there is none */
    double fade;     /* weight of other, 0 without one */
    double fade_per_s;
} js_player;

struct js_crowd {
    const mrw_skeleton *skeleton;
    const mrw_character *character; /* NULL: one skin */
    const mrw_skin *skin;
    uint32_t count;
    uint32_t palette_count; /* matrices of one character */
    js_player *players;     /* [count] */
    mrw_pose pose;
    mrw_pose other_pose;
    mrw_mat34 *model;
    mrw_mat34 *palette; /* [count * palette_count] */
    float *scalars;     /* [count * scalar_count] */
};

/* Takes arrays of one block, each aligned for a cache line. Without a block it measures. */
typedef struct block_cursor {
    uint8_t *block;
    uint64_t used_bytes;
} block_cursor;

static void *take(block_cursor *cursor, uint64_t size_bytes)
{
    uint8_t *taken = cursor->block ? cursor->block + cursor->used_bytes : NULL;
    cursor->used_bytes += (size_bytes + 63) / 64 * 64;
    return taken;
}

static js_crowd *lay_out(block_cursor *cursor, const js_crowd *plan)
{
    const mrw_skeleton *skeleton = plan->skeleton;
    uint64_t count = plan->count;
    size_t pose_bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    js_crowd *crowd = take(cursor, sizeof(js_crowd));
    void *players = take(cursor, count * sizeof(js_player));
    void *pose = take(cursor, pose_bytes);
    void *other_pose = take(cursor, pose_bytes);
    void *model = take(cursor, (uint64_t)skeleton->joint_count * sizeof(mrw_mat34));
    void *palette = take(cursor, count * plan->palette_count * sizeof(mrw_mat34));
    void *scalars = take(cursor, count * skeleton->scalar_count * sizeof(float));
    if (!crowd) {
        return NULL;
    }
    *crowd = *plan;
    crowd->players = players;
    crowd->model = model;
    crowd->palette = palette;
    crowd->scalars = scalars;
    memset(players, 0, (size_t)count * sizeof(js_player));
    /* Cannot fail: the memory is as large as was asked for. */
    mrw_pose_init(pose, pose_bytes, skeleton->joint_count, skeleton->scalar_count, &crowd->pose);
    mrw_pose_init(other_pose, pose_bytes, skeleton->joint_count, skeleton->scalar_count,
                  &crowd->other_pose);
    return crowd;
}

/* --- evaluation --------------------------------------------------------------------------- */

static mrw_sample_job sample_job(const js_crowd *crowd, const js_motion *motion, mrw_pose *pose)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = motion->clip;
    job.skeleton = crowd->skeleton;
    job.time_s = motion->time_s;
    job.loop = motion->loop;
    job.out_pose = pose;
    return job;
}

static mrw_status sample_motion(const js_crowd *crowd, const js_motion *motion, mrw_pose *pose)
{
    if (!motion->clip) {
        return mrw_skeleton_rest_pose(crowd->skeleton, pose);
    }
    mrw_sample_job job = sample_job(crowd, motion, pose);
    return mrw_sample(&job);
}

static mrw_status blend_other(js_crowd *crowd, const js_player *player)
{
    mrw_status status = sample_motion(crowd, &player->other, &crowd->other_pose);
    if (status != MRW_OK) {
        return status;
    }
    float fade = (float)player->fade;
    const mrw_blend_layer layers[2] = {{.pose = &crowd->pose, .weight = 1.0f - fade},
                                       {.pose = &crowd->other_pose, .weight = fade}};
    mrw_blend_job blend = mrw_blend_job_default();
    blend.skeleton = crowd->skeleton;
    blend.layers = layers;
    blend.layer_count = 2;
    blend.out_pose = &crowd->pose;
    return mrw_blend(&blend);
}

static mrw_status put_palette(const js_crowd *crowd, mrw_mat34 *out_palette)
{
    mrw_status status = MRW_OK;
    if (crowd->skin) {
        return js_put_palette(crowd->skin, crowd->model, crowd->skeleton->joint_count, out_palette);
    }
    const mrw_character *character = crowd->character;
    for (uint32_t i = 0; status == MRW_OK && i < character->instance_count; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        status = js_put_instance(character, instance, crowd->model,
                                 out_palette + instance->palette_first);
    }
    return status;
}

static mrw_status evaluate(js_crowd *crowd, uint32_t index)
{
    const js_player *player = &crowd->players[index];
    mrw_status status = sample_motion(crowd, &player->motion, &crowd->pose);
    if (status == MRW_OK && player->fade > 0.0) {
        status = blend_other(crowd, player);
    }
    if (status != MRW_OK) {
        return status;
    }
    mrw_model_job model = mrw_model_job_default();
    model.skeleton = crowd->skeleton;
    model.pose = &crowd->pose;
    model.out_model = crowd->model;
    model.model_count = crowd->skeleton->joint_count;
    status = mrw_model(&model);
    uint32_t scalar_count = crowd->skeleton->scalar_count;
    memcpy(crowd->scalars + (size_t)index * scalar_count, crowd->pose.scalars,
           scalar_count * sizeof(float));
    return status == MRW_OK
               ? put_palette(crowd, crowd->palette + (size_t)index * crowd->palette_count)
               : status;
}

static void advance(js_player *player, double elapsed_s)
{
    player->motion.time_s += elapsed_s * player->motion.speed;
    if (!player->other.clip) {
        return;
    }
    player->other.time_s += elapsed_s * player->other.speed;
    player->fade += elapsed_s * player->fade_per_s;
    if (player->fade < 0.0) {
        player->fade = 0.0;
    } else if (player->fade >= 1.0 && player->fade_per_s > 0.0) {
        *player = (js_player){player->other, {NULL, 0.0, 0.0, false}, 0.0, 0.0};
    }
}

mrw_status crowd_update(js_crowd *crowd, double elapsed_s)
{
    for (uint32_t i = 0; i < crowd->count; i++) {
        advance(&crowd->players[i], elapsed_s);
        mrw_status status = evaluate(crowd, i);
        if (status != MRW_OK) {
            return js_fail(status, "crowd");
        }
    }
    return MRW_OK;
}

/* --- life --------------------------------------------------------------------------------- */

js_crowd *crowd_create(const mrw_skeleton *skeleton, const mrw_character *character,
                       const mrw_skin *skin, uint32_t count)
{
    if (skin && js_same_skeleton(skin->header->skeleton_id, skeleton, "skin") != MRW_OK) {
        return NULL;
    }
    js_crowd plan = {0};
    plan.skeleton = skeleton;
    plan.character = character;
    plan.skin = skin;
    plan.count = count;
    plan.palette_count = skin ? skin->joint_count : character->palette_count;
    block_cursor cursor = {NULL, 0};
    lay_out(&cursor, &plan);
    cursor.block = js_allocate(cursor.used_bytes, "crowd");
    cursor.used_bytes = 0;
    js_crowd *crowd = cursor.block ? lay_out(&cursor, &plan) : NULL;
    if (crowd && crowd_update(crowd, 0.0) != MRW_OK) {
        free(crowd);
        return NULL;
    }
    return crowd;
}

void crowd_free(js_crowd *crowd)
{
    free(crowd);
}

void crowd_read(const js_crowd *crowd)
{
    js_record[0] = js_address(crowd->palette);
    js_record[1] = js_address(crowd->scalars);
    js_record[2] = crowd->palette_count;
}

mrw_status crowd_set(js_crowd *crowd, uint32_t index, const mrw_clip *clip, double time_s,
                     double speed, bool loop, const mrw_clip *other_clip, double other_time_s,
                     double other_speed, bool other_loop, double fade, double fade_per_s)
{
    js_player player = {{clip, time_s, speed, loop},
                        {other_clip, other_time_s, other_speed, other_loop},
                        other_clip ? fade : 0.0,
                        fade_per_s};
    const js_motion *motions[2] = {&player.motion, &player.other};
    for (uint32_t i = 0; i < 2; i++) {
        if (!motions[i]->clip) {
            continue;
        }
        mrw_sample_job job = sample_job(crowd, motions[i], &crowd->pose);
        mrw_status status = mrw_sample_check(&job, &js_error);
        if (status != MRW_OK) {
            return status;
        }
    }
    crowd->players[index] = player;
    return MRW_OK;
}
