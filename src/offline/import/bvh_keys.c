/* Numbers of a frame as keys: coordinates replace those of OFFSET, angles become one rotation.
 *
 * The product of the turns is worked out in double and rounded once. q and -q are the same
 * rotation; of the two the one nearer to the key before is taken, so that whoever interpolates or
 * compresses the keys sees a continuous curve.
 */
#include "offline/import/bvh.h"

#include "base/error.h"
#include "math/trig.h"
#include "offline/read/path.h"

#include <float.h>

#define PI 3.14159265358979323846

static mrw_status create_channel(mrwi_bvh *bvh, uint32_t joint, mrw_channel_path path,
                                 uint32_t frame_capacity, float *times,
                                 mrw_scene_channel **out_channel)
{
    mrw_scene_animation *animation = &bvh->scene->animations[0];
    mrw_scene_channel *channel = &animation->channels[animation->channel_count++];
    channel->node = (int32_t)joint;
    channel->path = path;
    channel->interpolation = MRW_INTERPOLATION_LINEAR;
    channel->value_width = path == MRW_CHANNEL_ROTATION ? 4 : 3;
    channel->times = times;
    channel->values =
        mrwi_arena_alloc(bvh->arena, frame_capacity, channel->value_width * sizeof(float));
    if (channel->values == NULL)
        return mrwi_arena_fail(bvh->arena, bvh->out_error, "MOTION");
    *out_channel = channel;
    return MRW_OK;
}

mrw_status mrwi_bvh_create_keys(mrwi_bvh *bvh, uint32_t frame_capacity, mrwi_bvh_track **out_tracks)
{
    mrw_scene *scene = bvh->scene;
    /* All channels share them. */
    float *times = mrwi_arena_alloc(bvh->arena, frame_capacity, sizeof(*times));
    mrwi_bvh_track *tracks = mrwi_arena_alloc(bvh->scratch, bvh->joint_count, sizeof(*tracks));
    if (tracks == NULL)
        return mrwi_arena_fail(bvh->scratch, bvh->out_error, "MOTION");
    *out_tracks = tracks;
    scene->animations = mrwi_arena_alloc(bvh->arena, 1, sizeof(*scene->animations));
    /* The format has no names of motions: files are told apart by their own. */
    const char *name = bvh->path != NULL ? mrwi_path_stem(bvh->arena, bvh->path) : "motion";
    if (times == NULL || scene->animations == NULL || name == NULL)
        return mrwi_arena_fail(bvh->arena, bvh->out_error, "MOTION");
    scene->animations[0].name = name;
    size_t moved_count = 0;
    for (uint32_t i = 0; i < bvh->joint_count; i++)
        moved_count += (size_t)bvh->joints[i].has_position + bvh->joints[i].has_rotation;
    scene->animations[0].channels =
        mrwi_arena_alloc(bvh->arena, moved_count, sizeof(*scene->animations[0].channels));
    if (scene->animations[0].channels == NULL)
        return mrwi_arena_fail(bvh->arena, bvh->out_error, "MOTION");
    for (uint32_t i = 0; i < bvh->joint_count; i++) {
        if (bvh->joints[i].has_position)
            MRWI_TRY(create_channel(bvh, i, MRW_CHANNEL_TRANSLATION, frame_capacity, times,
                                    &tracks[i].translation));
        if (bvh->joints[i].has_rotation)
            MRWI_TRY(create_channel(bvh, i, MRW_CHANNEL_ROTATION, frame_capacity, times,
                                    &tracks[i].rotation));
    }
    return MRW_OK;
}

mrw_status mrwi_bvh_finish_keys(mrwi_bvh *bvh, uint32_t frame_count, double frame_time_s)
{
    mrw_scene_animation *animation = &bvh->scene->animations[0];
    if (animation->channel_count == 0 || frame_count == 0)
        return MRW_OK; /* no motion: the scene has no animation */
    bvh->scene->animation_count = 1;
    if (frame_time_s > 0.0 && 1.0 / frame_time_s <= (double)FLT_MAX)
        animation->sample_rate_hz = (float)(1.0 / frame_time_s);
    for (uint32_t i = 0; i < animation->channel_count; i++)
        animation->channels[i].key_count = frame_count;
    float *times = animation->channels[0].times;
    for (uint32_t i = 0; i < frame_count; i++) {
        double time_s = (double)i * frame_time_s;
        times[i] = time_s <= (double)FLT_MAX ? (float)time_s : 0.0f;
        if (i > 0 && times[i] <= times[i - 1])
            return mrwi_fail(bvh->out_error, MRW_ERR_LIMIT, "MOTION, frame %u",
                             "its time cannot be told from that of the frame before in single "
                             "precision",
                             i + 1);
    }
    return MRW_OK;
}

/* --- one joint, one frame --------------------------------------------------------------------- */

typedef struct rotation {
    double x, y, z, w;
} rotation;

/* q times a turn about an axis, whose quaternion has two numbers that are not 0. */
static rotation turned(rotation q, mrwi_bvh_kind kind, double angle_deg)
{
    double s, c;
    mrwi_sin_cos_double(angle_deg * (PI / 360.0), &s, &c);
    switch (kind) {
    case MRWI_BVH_ROTATION_X:
        return (rotation){c * q.x + s * q.w, c * q.y + s * q.z, c * q.z - s * q.y,
                          c * q.w - s * q.x};
    case MRWI_BVH_ROTATION_Y:
        return (rotation){c * q.x - s * q.z, c * q.y + s * q.w, c * q.z + s * q.x,
                          c * q.w - s * q.y};
    default:
        return (rotation){c * q.x + s * q.y, c * q.y - s * q.x, c * q.z + s * q.w,
                          c * q.w - s * q.z};
    }
}

/* The sign that brings q to the side of the key before. */
static double sign_towards(const float *before, rotation q)
{
    double dot = q.x * (double)before[0] + q.y * (double)before[1] + q.z * (double)before[2] +
                 q.w * (double)before[3];
    return dot < 0.0 ? -1.0 : 1.0;
}

static void set_rotation(float *values, uint32_t frame, rotation q)
{
    float *key = values + (size_t)frame * 4;
    double sign = frame > 0 ? sign_towards(key - 4, q) : 1.0;
    key[0] = (float)(sign * q.x);
    key[1] = (float)(sign * q.y);
    key[2] = (float)(sign * q.z);
    key[3] = (float)(sign * q.w);
}

static void set_joint(const mrwi_bvh_joint *joint, const uint8_t *kinds,
                      const mrwi_bvh_track *track, uint32_t frame, const double *numbers)
{
    float place[3] = {joint->offset[0], joint->offset[1], joint->offset[2]};
    rotation q = {0.0, 0.0, 0.0, 1.0};
    for (uint32_t i = 0; i < joint->channel_count; i++) {
        mrwi_bvh_kind kind = (mrwi_bvh_kind)kinds[i];
        if (kind <= MRWI_BVH_POSITION_Z)
            place[kind] = (float)numbers[i];
        else if (kind <= MRWI_BVH_ROTATION_Z)
            q = turned(q, kind, numbers[i]);
    }
    if (track->rotation != NULL)
        set_rotation(track->rotation->values, frame, q);
    if (track->translation != NULL) {
        float *key = track->translation->values + (size_t)frame * 3;
        key[0] = place[0];
        key[1] = place[1];
        key[2] = place[2];
    }
}

void mrwi_bvh_set_keys(const mrwi_bvh *bvh, const mrwi_bvh_track *tracks, uint32_t frame,
                       const double *numbers)
{
    for (uint32_t i = 0; i < bvh->joint_count; i++) {
        const mrwi_bvh_joint *joint = &bvh->joints[i];
        if (joint->channel_count > 0)
            set_joint(joint, bvh->channels + joint->first_channel, &tracks[i], frame,
                      numbers + joint->first_channel);
    }
}
