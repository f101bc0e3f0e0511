/* What joints and scalars do in clips that are made for tests. */
#ifndef TESTS_MADE_MOTIONS_H
#define TESTS_MADE_MOTIONS_H

#include "unit/made_clip.h"

static inline mrw_transform placed(uint32_t joint, float bone)
{
    mrw_transform at = mrw_transform_identity();
    at.translation.x = joint == 0 ? 0.0f : bone;
    return at;
}

static inline mrw_quat turn(double angle, uint32_t axis)
{
    mrw_quat q = {0.0f, 0.0f, 0.0f, (float)cos(0.5 * angle)};
    const float s = (float)sin(0.5 * angle);
    if (axis == 0)
        q.x = s;
    else if (axis == 1)
        q.y = s;
    else
        q.z = s;
    return q;
}

static inline mrw_transform waving(uint32_t joint, double time_s, uint64_t *state)
{
    (void)state;
    mrw_transform at = placed(joint, 0.05f);
    at.rotation = turn(0.3 * sin(2.0 * time_s + joint), joint % 3);
    if (joint == 0)
        at.translation.y = (float)(0.2 * sin(3.0 * time_s));
    return at;
}

static inline float weight(uint32_t scalar, double time_s)
{
    return (float)(0.5 + 0.5 * sin((1.0 + scalar) * time_s));
}

static inline mrw_transform wild(uint32_t joint, double time_s, uint64_t *state)
{
    (void)time_s;
    mrw_transform at = placed(joint, 0.3f);
    at.rotation = random_quat(state);
    return at;
}

static inline mrw_transform spinning(uint32_t joint, double time_s, uint64_t *state)
{
    (void)state;
    mrw_transform at = placed(joint, 0.3f);
    at.rotation = turn((9.0 + 5.0 * joint) * time_s, joint % 3); /* 515 degrees a second and up */
    return at;
}

static inline mrw_transform waving_in_centimetres(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    at.translation.x *= 100.0f;
    at.translation.y *= 100.0f;
    return at;
}

static inline mrw_transform scaled_through_zero(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    if (joint == 1)
        at.scale.x = at.scale.y = at.scale.z = (float)cos(2.0 * time_s);
    return at;
}

static inline mrw_transform scaled_unevenly(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    if (joint == 0)
        at.scale = (mrw_vec3){-1.0f, 2.0f, 0.5f};
    if (joint == 2)
        at.scale.y = (float)(1.0 + 0.2 * sin(time_s));
    return at;
}

static inline mrw_transform scaled_evenly(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    if (joint == 0)
        at.scale = (mrw_vec3){100.0f, 100.0f, 100.0f};
    else
        at.translation.x *= 0.01f;
    return at;
}

static inline mrw_transform far_away(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    if (joint == 0)
        at.translation.x = (float)(10000.0 + time_s);
    return at;
}

static inline mrw_transform teleporting(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    if (joint == 0)
        at.translation.z = (int)(time_s * 30.0 + 0.5) % 7 < 3 ? 0.0f : 900.0f;
    return at;
}

/* A first joint that stands still, and the others waving below it. */
static inline mrw_transform in_metres(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint == 0 ? 0 : joint - 1, time_s, state);
    if (joint == 0)
        at = placed(0, 0.0f);
    return at;
}

/* The same in centimetres, that the first joint makes metres. */
static inline mrw_transform in_scaled_centimetres(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = in_metres(joint, time_s, state);
    at.translation.x *= 100.0f;
    at.translation.y *= 100.0f;
    if (joint == 0)
        at.scale = (mrw_vec3){0.01f, 0.01f, 0.01f};
    return at;
}

/* Hidden and shown, by scales that jump between 0 and 1. */
static inline mrw_transform blinking(uint32_t joint, double time_s, uint64_t *state)
{
    mrw_transform at = waving(joint, time_s, state);
    const int frame = (int)(time_s * 30.0 + 0.5);
    if (joint % 2 == 1)
        at.scale.x = at.scale.y = at.scale.z = (frame / 5 + (int)joint) % 2 == 0 ? 0.0f : 1.0f;
    return at;
}

#endif
