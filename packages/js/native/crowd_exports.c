/* Many characters of one skeleton, evaluated in one call.
 *
 *     what each plays --> layers --mrw_crowd--> palette and scalars of all
 *     (clip, time, fade)  two each
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

enum { LAYERS = 2 }; /* motion, other */

struct js_crowd {
    uint32_t palette_count;  /* matrices of one character */
    js_player *players;      /* [character_count] */
    mrw_crowd_layer *layers; /* [character_count * LAYERS] */
    mrw_crowd_job job;
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

static js_crowd *lay_out(block_cursor *cursor, const js_crowd *plan, const mrw_crowd_part *parts)
{
    const mrw_skeleton *skeleton = plan->job.skeleton;
    uint64_t count = plan->job.character_count;
    uint64_t part_bytes = plan->job.part_count * sizeof(mrw_crowd_part);
    js_crowd *crowd = take(cursor, sizeof(js_crowd));
    js_player *players = take(cursor, count * sizeof(js_player));
    mrw_crowd_layer *layers = take(cursor, count * LAYERS * sizeof(mrw_crowd_layer));
    mrw_crowd_part *own_parts = take(cursor, part_bytes);
    void *scratch = take(cursor, plan->job.scratch_size_bytes);
    mrw_mat34 *palette = take(cursor, count * plan->palette_count * sizeof(mrw_mat34));
    float *scalars = take(cursor, count * skeleton->scalar_count * sizeof(float));
    if (!crowd) {
        return NULL;
    }
    *crowd = *plan;
    crowd->players = players;
    crowd->layers = layers;
    memset(players, 0, (size_t)count * sizeof(js_player));
    memset(layers, 0, (size_t)count * LAYERS * sizeof(mrw_crowd_layer));
    memcpy(own_parts, parts, (size_t)part_bytes);
    crowd->job.parts = own_parts;
    crowd->job.layers = layers;
    crowd->job.scratch = scratch;
    crowd->job.out_palettes = palette;
    crowd->job.out_scalars = scalars;
    return crowd;
}

/* --- evaluation --------------------------------------------------------------------------- */

static void put_layers(const js_player *player, mrw_crowd_layer layers[LAYERS])
{
    const js_motion *motions[LAYERS] = {&player->motion, &player->other};
    float fade = (float)player->fade;
    for (uint32_t i = 0; i < LAYERS; i++) {
        layers[i].clip = motions[i]->clip;
        layers[i].time_s = motions[i]->time_s;
        layers[i].weight = i == 0 ? 1.0f - fade : fade;
        layers[i].loop = motions[i]->loop;
    }
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
    for (uint32_t i = 0; i < crowd->job.character_count; i++) {
        advance(&crowd->players[i], elapsed_s);
        put_layers(&crowd->players[i], crowd->layers + (size_t)i * LAYERS);
    }
    mrw_status status = mrw_crowd(&crowd->job);
    return status == MRW_OK ? MRW_OK : js_fail(status, "crowd");
}

/* --- life --------------------------------------------------------------------------------- */

static js_crowd *create(const js_crowd *plan, const mrw_crowd_part *parts)
{
    block_cursor cursor = {NULL, 0};
    lay_out(&cursor, plan, parts);
    cursor.block = js_allocate(cursor.used_bytes, "crowd");
    cursor.used_bytes = 0;
    js_crowd *crowd = cursor.block ? lay_out(&cursor, plan, parts) : NULL;
    if (crowd && crowd_update(crowd, 0.0) != MRW_OK) {
        free(crowd);
        return NULL;
    }
    return crowd;
}

static js_crowd plan_of(const mrw_skeleton *skeleton, uint32_t palette_count, uint32_t part_count,
                        uint32_t count)
{
    js_crowd plan = {palette_count, NULL, NULL, mrw_crowd_job_default()};
    plan.job.skeleton = skeleton;
    plan.job.part_count = part_count;
    plan.job.layer_count = LAYERS;
    plan.job.character_count = count;
    plan.job.scratch_size_bytes = mrw_crowd_scratch_size(skeleton, LAYERS);
    return plan;
}

static js_crowd *create_of_character(const mrw_character *character, uint32_t count)
{
    uint32_t part_count = character->instance_count;
    mrw_crowd_part *parts = js_allocate((uint64_t)part_count * sizeof(mrw_crowd_part), "crowd");
    if (!parts) {
        return NULL;
    }
    for (uint32_t i = 0; i < part_count; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        parts[i].skin = instance->skin < 0 ? NULL : &character->skins[instance->skin];
        parts[i].joint = instance->joint;
    }
    js_crowd plan = plan_of(&character->skeleton, character->palette_count, part_count, count);
    js_crowd *crowd = create(&plan, parts);
    free(parts);
    return crowd;
}

js_crowd *crowd_create(const mrw_skeleton *skeleton, const mrw_character *character,
                       const mrw_skin *skin, uint32_t count)
{
    if (!skin) {
        return create_of_character(character, count);
    }
    if (js_same_skeleton(skin->header->skeleton_id, skeleton, "skin") != MRW_OK) {
        return NULL;
    }
    const mrw_crowd_part part = {skin, 0};
    js_crowd plan = plan_of(skeleton, skin->joint_count, 1, count);
    return create(&plan, &part);
}

void crowd_free(js_crowd *crowd)
{
    free(crowd);
}

void crowd_read(const js_crowd *crowd)
{
    js_record[0] = js_address(crowd->job.out_palettes);
    js_record[1] = js_address(crowd->job.out_scalars);
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
    mrw_crowd_layer layers[LAYERS];
    put_layers(&player, layers);
    mrw_crowd_job job = crowd->job;
    job.layers = layers;
    job.character_count = 1;
    mrw_status status = mrw_crowd_check(&job, &js_error);
    if (status != MRW_OK) {
        return status;
    }
    crowd->players[index] = player;
    return MRW_OK;
}
