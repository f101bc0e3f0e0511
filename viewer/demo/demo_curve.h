/* Curves that shapes and motions are drawn with. */
#ifndef VIEW_DEMO_CURVE_H
#define VIEW_DEMO_CURVE_H

#include <stdint.h>

/* 0 below `from`, 1 above `to`, 3t^2 - 2t^3 between; from < to. */
float demo_smoothstep(float from, float to, float x);

/* sin(2 pi phase). */
float demo_wave(float phase);

/* The monotone cubic through (xs[i], ys[i]) at x, clamped to the first and last point: it never
 * swings past the points on either side (Fritsch and Butland 1984). xs increase strictly. */
float demo_profile(const float *xs, const float *ys, uint32_t count, float x);

/* The smooth cubic through the points (xs[i], ys[i]), arriving with the slopes first_slope and
 * last_slope: of motion, which may swing past a point. count >= 2, xs increase strictly. */
float demo_path(const float *xs, const float *ys, uint32_t count, float first_slope,
                float last_slope, float x);

#endif
