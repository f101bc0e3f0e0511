/* Numbers for fuzzed tests: the same on every machine. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <marrow/math.h>

/* xorshift64*, Vigna 2016. The state must not be 0. */
static inline uint32_t random_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * 0x2545f4914f6cdd1dull) >> 32);
}

/* In [low, high). */
static inline float random_float(uint64_t *state, float low, float high)
{
    return low + (high - low) * ((float)(random_bits(state) >> 8) * 0x1p-24f);
}

static inline mrw_vec3 random_vec3(uint64_t *state, float low, float high)
{
    mrw_vec3 v;
    v.x = random_float(state, low, high);
    v.y = random_float(state, low, high);
    v.z = random_float(state, low, high);
    return v;
}

/* Unit length, either sign. */
static inline mrw_quat random_quat(uint64_t *state)
{
    mrw_quat q;
    do {
        q.x = random_float(state, -1.0f, 1.0f);
        q.y = random_float(state, -1.0f, 1.0f);
        q.z = random_float(state, -1.0f, 1.0f);
        q.w = random_float(state, -1.0f, 1.0f);
    } while (mrw_quat_dot(q, q) < 0.01f);
    return mrw_quat_normalize(q);
}

static inline mrw_transform random_transform(uint64_t *state, float scale_low, float scale_high)
{
    mrw_transform transform;
    transform.translation = random_vec3(state, -2.0f, 2.0f);
    transform.rotation = random_quat(state);
    transform.scale = random_vec3(state, scale_low, scale_high);
    return transform;
}

#endif
