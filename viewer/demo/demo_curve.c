#include "demo_curve.h"

#include <marrow/math.h>

float demo_smoothstep(float from, float to, float x)
{
    float t = (x - from) / (to - from);
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

float demo_wave(float phase)
{
    return mrw_sin(2.0f * MRW_PI * phase);
}

/* Cubic Hermite on one interval of length h, t from 0 to 1. */
static float hermite(float y0, float slope0, float y1, float slope1, float h, float t)
{
    float s = 1.0f - t;
    return y0 * (1.0f + 2.0f * t) * s * s + slope0 * h * t * s * s +
           y1 * (3.0f - 2.0f * t) * t * t - slope1 * h * t * t * s;
}

/* The interval [i, i + 1] that holds x; the outer ones reach to infinity. */
static uint32_t find_interval(const float *xs, uint32_t count, float x)
{
    uint32_t i = 0;
    while (i + 2 < count && x >= xs[i + 1])
        i++;
    return i;
}

/* 0 at the ends and at every turn; elsewhere the weighted harmonic mean of the slopes on both
 * sides, which is small as soon as one of them is. */
static float monotone_slope(const float *xs, const float *ys, uint32_t count, uint32_t i)
{
    if (i == 0 || i + 1 == count)
        return 0.0f;
    float h0 = xs[i] - xs[i - 1];
    float h1 = xs[i + 1] - xs[i];
    float d0 = (ys[i] - ys[i - 1]) / h0;
    float d1 = (ys[i + 1] - ys[i]) / h1;
    if (d0 * d1 <= 0.0f)
        return 0.0f;
    float w0 = 2.0f * h1 + h0;
    float w1 = h1 + 2.0f * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

float demo_profile(const float *xs, const float *ys, uint32_t count, float x)
{
    if (count == 1 || x <= xs[0])
        return ys[0];
    if (x >= xs[count - 1])
        return ys[count - 1];
    uint32_t i = find_interval(xs, count, x);
    float h = xs[i + 1] - xs[i];
    return hermite(ys[i], monotone_slope(xs, ys, count, i), ys[i + 1],
                   monotone_slope(xs, ys, count, i + 1), h, (x - xs[i]) / h);
}

/* The slope at an inner point of the parabola through it and its neighbours. */
static float parabola_slope(const float *xs, const float *ys, uint32_t i)
{
    float h0 = xs[i] - xs[i - 1];
    float h1 = xs[i + 1] - xs[i];
    float d0 = (ys[i] - ys[i - 1]) / h0;
    float d1 = (ys[i + 1] - ys[i]) / h1;
    return (d0 * h1 + d1 * h0) / (h0 + h1);
}

float demo_path(const float *xs, const float *ys, uint32_t count, float first_slope,
                float last_slope, float x)
{
    uint32_t i = find_interval(xs, count, x);
    float h = xs[i + 1] - xs[i];
    float slope0 = i == 0 ? first_slope : parabola_slope(xs, ys, i);
    float slope1 = i + 2 == count ? last_slope : parabola_slope(xs, ys, i + 1);
    return hermite(ys[i], slope0, ys[i + 1], slope1, h, (x - xs[i]) / h);
}
